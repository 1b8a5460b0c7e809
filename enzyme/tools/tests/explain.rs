//! `enzyme-opt --explain`: the text and the page of what the analyses say, and what is said when they cannot.
//!
//! The texts lie beside this file; `ENZYME_TEST_BLESS=1` writes them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use roxmltree::{Document, Node};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");
const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/explain.ll");
const LOOP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/plan.ll");

fn enzyme_opt(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_enzyme-opt")).args(arguments).output().expect("enzyme-opt runs")
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("UTF-8")
}

fn printed(arguments: &[&str]) -> String {
    let output = enzyme_opt(arguments);
    assert!(output.status.success(), "{}", text(output.stderr));
    text(output.stdout)
}

/// The error of a run that must fail.
fn failed(arguments: &[&str]) -> String {
    let output = enzyme_opt(arguments);
    assert!(!output.status.success(), "{}", text(output.stdout));
    text(output.stderr)
}

#[track_caller]
fn assert_snapshot(name: &str, actual: &str) {
    let path = Path::new(FOLDER).join(name);
    if std::env::var_os("ENZYME_TEST_BLESS").is_some() {
        std::fs::write(&path, actual).expect("a writable folder");
        return;
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(expected == actual, "{} says\n{expected}\nbut this was printed:\n{actual}", path.display());
}

/// A page of explanations, in a file that goes with it.
struct Page {
    path: PathBuf,
    text: String,
}

impl Page {
    fn of(topic: &str, more: &[&str]) -> Page {
        Page::of_file(SAMPLE, topic, more)
    }

    fn of_file(file: &str, topic: &str, more: &[&str]) -> Page {
        let number = std::sync::atomic::AtomicU32::fetch_add(&COUNT, 1, std::sync::atomic::Ordering::Relaxed);
        let name = format!("enzyme-explain-{}-{number}.html", std::process::id());
        let path = std::env::temp_dir().join(name);
        let written = path.to_string_lossy().into_owned();
        let mut arguments = vec!["--explain", topic, "--html", &written, file];
        arguments.extend(more);
        assert_eq!(printed(&arguments), "");
        let text = std::fs::read_to_string(&path).expect("a page");
        Page { path, text }
    }

    /// The page as a reader of XML sees it, which it must be well-formed for.
    fn parsed(&self) -> Document<'_> {
        let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
        Document::parse_with_options(&self.text, options)
            .unwrap_or_else(|error| panic!("{error}\n{}", self.text))
    }
}

static COUNT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);

impl Drop for Page {
    fn drop(&mut self) {
        // Only litter stays when that fails.
        let _ = std::fs::remove_file(&self.path);
    }
}

fn elements<'a>(
    document: &'a Document<'_>,
    name: &'static str,
) -> impl Iterator<Item = Node<'a, 'a>> + use<'a> {
    document.descendants().filter(move |node| node.has_tag_name(("http://www.w3.org/1999/xhtml", name)))
}

fn text_of(node: Node<'_, '_>) -> String {
    node.descendants().filter(Node::is_text).filter_map(|text| text.text()).collect()
}

#[test]
fn types() {
    assert_snapshot("explain.types.txt", &printed(&["--explain", "types", SAMPLE, "-f", "scaled"]));
}

#[test]
fn activity() {
    assert_snapshot("explain.activity.txt", &printed(&["--explain", "activity", SAMPLE, "-f", "scaled"]));
}

#[test]
fn plan() {
    let explained = printed(&["--explain", "plan", LOOP, "-f", "power"]);
    for expected in [
        "plan of @power\n",
        "  given: %x is differentiated\n",
        "  given: one function runs both sweeps\n",
        "it is carried from one iteration to the next\n",
        "        <- what would avoid it: a loop that keeps few states and runs again (`__enzyme_checkpoint_for`)\n",
    ] {
        assert!(explained.contains(expected), "{expected}\nis not in\n{explained}");
    }
    assert_eq!(printed(&["--print-plan", LOOP, "-f", "power"]), explained);
    let page = Page::of_file(LOOP, "plan", &["-f", "power"]);
    let heading = elements(&page.parsed(), "h2").next().map(text_of);
    assert_eq!(heading.as_deref(), Some("plan of @power"));
    // A function that has no plan is reported, with a way out.
    let unknown = failed(&["--explain", "plan", LOOP, "-f", "mysterious"]);
    assert!(unknown.contains("no derivative is known for `mystery`"), "{unknown}");
    assert!(unknown.contains("help: define `mystery` in this file"), "{unknown}");
}

#[test]
fn lines_of_the_program_are_shown_when_the_file_is_there() {
    let explained = printed(&["--explain", "types", SAMPLE, "-f", "scaled"]);
    assert!(explained.contains("explain.c:6 | double mean = v->data[0] / (double)v->count;"), "{explained}");
    // From elsewhere, where no such file is, places are named.
    let copy = std::env::temp_dir().join(format!("enzyme-explain-{}.ll", std::process::id()));
    std::fs::copy(SAMPLE, &copy).expect("a copy");
    let output = Command::new(env!("CARGO_BIN_EXE_enzyme-opt"))
        .args(["--explain", "types", "-f", "scaled"])
        .arg(&copy)
        .current_dir(std::env::temp_dir())
        .output();
    std::fs::remove_file(&copy).expect("the copy");
    let elsewhere = text(output.expect("enzyme-opt runs").stdout);
    assert!(elsewhere.contains("\n  explain.c:6\n"), "{elsewhere}");
    assert!(!elsewhere.contains("double mean"), "{elsewhere}");
}

#[test]
fn a_file_is_no_terminal() {
    assert!(!printed(&["--explain", "types", SAMPLE, "-f", "scaled"]).contains('\x1b'));
}

#[test]
fn options_of_the_engine_count() {
    let arguments = ["--explain", "activity", SAMPLE, "-f", "scaled"];
    let by_type = printed(&arguments);
    assert!(by_type.contains("given: %a is differentiated\n"), "{by_type}");
    let mut inactive = arguments.to_vec();
    inactive.extend(["--", "-activity-analysis-inactive-args"]);
    let inactive = printed(&inactive);
    assert!(inactive.contains("given: %a carries no derivative\n"), "{inactive}");
    let unknown = failed(&["--explain", "types", SAMPLE, "--", "-enzyme-strict-alasing=0"]);
    assert!(unknown.contains("enzyme-strict-aliasing"), "{unknown}");
}

#[test]
fn every_verdict_on_a_page_opens_its_chain() {
    for topic in ["types", "activity"] {
        let page = Page::of(topic, &["-f", "scaled"]);
        let document = page.parsed();
        let details: Vec<Node<'_, '_>> = elements(&document, "details").collect();
        // Two parameters, seven results, and for activity what returns.
        let expected = if topic == "types" { 9 } else { 10 };
        assert_eq!(details.len(), expected, "{}", page.text);
        for line in details {
            let has = |name: &str| line.descendants().any(|node| node.tag_name().name() == name);
            assert!(has("summary"), "{}", text_of(line));
            let explained = line
                .descendants()
                .any(|node| matches!(node.attribute("class"), Some("chain" | "claim" | "none")));
            assert!(explained, "{}", text_of(line));
        }
    }
}

#[test]
fn links_on_a_page_lead_to_its_lines() {
    let page = Page::of("activity", &["-f", "scaled"]);
    let document = page.parsed();
    let ids: Vec<&str> = document.descendants().filter_map(|node| node.attribute("id")).collect();
    let mut links = 0;
    for link in elements(&document, "a") {
        let target =
            link.attribute("href").expect("a target").strip_prefix('#').expect("a place on the page");
        assert!(ids.contains(&target), "{target}");
        links += 1;
    }
    assert!(links > 5, "{}", page.text);
}

#[test]
fn a_page_needs_nothing_else() {
    let page = Page::of("types", &["-f", "scaled"]);
    let document = page.parsed();
    for name in ["link", "img", "iframe", "object"] {
        assert_eq!(elements(&document, name).count(), 0, "{name}");
    }
    assert!(document.descendants().all(|node| node.attribute("src").is_none()));
    assert!(!page.text.contains("url(") && !page.text.contains("@import"), "{}", page.text);
    assert!(page.text.contains("prefers-color-scheme: dark"));
}

#[test]
fn names_cannot_break_a_page() {
    let page = Page::of("types", &["-f", "odd <&> name"]);
    let document = page.parsed();
    let heading = elements(&document, "h2").next().map(text_of);
    assert_eq!(heading.as_deref(), Some("types of @\"odd <&> name\""));
    let parameter = elements(&document, "code").map(text_of).find(|text| text.starts_with("%\"a"));
    assert_eq!(parameter.as_deref(), Some("%\"a\\22b<c>\""));
}

#[test]
fn a_contradiction_is_told_with_both_sides_and_the_others_are_explained() {
    let output = enzyme_opt(&["--explain", "types", SAMPLE]);
    assert_eq!(output.status.code(), Some(1));
    let explained = text(output.stdout);
    assert!(explained.contains("types of @scaled\n") && explained.contains("types of @\"odd <&> name\"\n"));
    let error = text(output.stderr);
    for expected in [
        "error: in @contradiction: %p at [-1,0]: Float@double and Pointer cannot both be true\n",
        "  on the one hand:\n    %p is Float@double: ",
        "      store double 1.000000e+00, ptr %p, align 8\n",
        "  on the other hand:\n    %p is Pointer: ",
        "      %q = load ptr, ptr %p, align 8\n",
        "  help: ",
    ] {
        assert!(error.contains(expected), "{expected}\nis not in\n{error}");
    }
}

#[test]
fn errors_have_a_way_out() {
    let unknown = failed(&["--explain", "types", SAMPLE, "-f", "scale"]);
    assert_eq!(
        unknown,
        "error: there is no function `scale` with a body; those that have one are scaled, odd <&> name, contradiction\n"
    );
    let declared = failed(&["--explain", "activity", SAMPLE, "-f", "outside"]);
    assert!(declared.starts_with("error: there is no function `outside` with a body; "), "{declared}");
    let missing = failed(&["--explain", "types", "no-such-file.ll"]);
    assert!(missing.starts_with("error: no-such-file.ll: "), "{missing}");
    let topic = failed(&["--explain", "everything", SAMPLE]);
    assert!(topic.contains("possible values: types, activity, plan"), "{topic}");
    let unwritable =
        failed(&["--explain", "types", SAMPLE, "-f", "scaled", "--html", "/no/such/folder/page.html"]);
    assert!(unwritable.starts_with("error: cannot write /no/such/folder/page.html: "), "{unwritable}");
    let aimless = failed(&["--html", "page.html", SAMPLE]);
    assert!(aimless.contains("--explain"), "{aimless}");
}
