const all = open => document.querySelectorAll("details").forEach(line => { line.open = open; });
document.getElementById("open").addEventListener("click", () => all(true));
document.getElementById("shut").addEventListener("click", () => all(false));
const follow = () => {
  const line = document.getElementById(location.hash.slice(1));
  if (line instanceof HTMLDetailsElement) line.open = true;
};
addEventListener("hashchange", follow);
follow();
