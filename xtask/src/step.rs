//! Running commands: a spinner while one takes long, and the command itself when it fails.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, IsTerminal, Read};
use std::process::{Command, ExitCode, Stdio};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use integration::workspace_root;
use xshell::Shell;

/// Runs a command and hides its output unless it fails; then it is shown, with the command to paste.
pub(crate) fn run(label: &str, command: impl Into<Command>) -> Result<()> {
    let mut command = command.into();
    let mut output = Vec::new();
    let spinner = spinner(label);
    let success = each_line(&mut command, |line| {
        spinner.set_message(shorten(&line));
        output.push(line);
    })?;
    spinner.finish_and_clear();
    if success {
        return Ok(());
    }
    output.iter().for_each(|line| eprintln!("{line}"));
    bail!("{label} failed. The command was:\n    {}", pasteable(&command));
}

/// Runs a command whose output is what the person wants to see, and hands each line of it on as well.
/// Returns whether it succeeded; when not, the command has been shown.
pub(crate) fn show(command: impl Into<Command>, mut observe: impl FnMut(&str)) -> Result<bool> {
    let mut command = command.into();
    let success = each_line(&mut command, |line| {
        println!("{line}");
        observe(&line);
    })?;
    if !success {
        eprintln!("\nThis command failed:\n    {}\n", pasteable(&command));
    }
    Ok(success)
}

/// A shell in the workspace's root folder.
pub(crate) fn shell() -> Result<Shell> {
    let shell = Shell::new()?;
    shell.change_dir(workspace_root());
    Ok(shell)
}

/// A command's exit code as ours.
pub(crate) fn exit_code(command: &mut Command) -> Result<ExitCode> {
    let status = command.status().with_context(|| format!("cannot start {}", pasteable(command)))?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    if code.is_none() {
        eprintln!("{} ended with {status}", pasteable(command));
    }
    Ok(ExitCode::from(code.unwrap_or(1)))
}

/// A spinner on a terminal, nothing elsewhere.
fn spinner(label: &str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{spinner} {prefix} [{elapsed}] {wide_msg:.dim}");
    let bar = ProgressBar::new_spinner().with_prefix(label.to_owned());
    let bar = style.map(|style| bar.clone().with_style(style)).unwrap_or(bar);
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}

/// A bar that counts to `length` on a terminal, nothing elsewhere.
pub(crate) fn bar(label: &str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{prefix} [{elapsed}] {bar:30} {pos}/{len} {wide_msg:.dim}");
    let bar = ProgressBar::new(0).with_prefix(label.to_owned());
    style.map(|style| bar.clone().with_style(style)).unwrap_or(bar)
}

fn shorten(line: &str) -> String {
    line.trim().chars().take(200).collect()
}

/// Runs a command, with its two output streams merged line by line. Returns whether it succeeded.
fn each_line(command: &mut Command, mut handle: impl FnMut(String)) -> Result<bool> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().with_context(|| format!("cannot start {}", pasteable(command)))?;
    let (sender, lines) = mpsc::channel();
    let readers = [
        child.stdout.take().map(|stream| forward(stream, sender.clone())),
        child.stderr.take().map(|stream| forward(stream, sender.clone())),
    ];
    drop(sender);
    lines.into_iter().for_each(&mut handle);
    for reader in readers.into_iter().flatten() {
        let _ = reader.join();
    }
    Ok(child.wait()?.success())
}

fn forward(stream: impl Read + Send + 'static, lines: Sender<String>) -> thread::JoinHandle<()> {
    thread::spawn(move || {
        let mut reader = BufReader::new(stream);
        let mut line = Vec::new();
        while reader.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
            let text = String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']).to_owned();
            if lines.send(text).is_err() {
                return;
            }
            line.clear();
        }
    })
}

/// A command as one types it in a shell, with its folder and variables.
pub(crate) fn pasteable(command: &Command) -> String {
    let mut parts = Vec::new();
    if let Some(folder) = command.get_current_dir() {
        parts.push(format!("cd {} &&", quote(folder.as_os_str())));
    }
    for (name, value) in command.get_envs() {
        if let Some(value) = value {
            parts.push(format!("{}={}", name.to_string_lossy(), quote(value)));
        }
    }
    parts.push(quote(command.get_program()));
    parts.extend(command.get_args().map(quote));
    parts.join(" ")
}

fn quote(text: &OsStr) -> String {
    let text = text.to_string_lossy();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+%@".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.into_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shown_command_can_be_pasted() {
        let mut command = Command::new("cargo");
        command
            .args(["test", "--", "it's a test", ""])
            .env("LLVM_CONFIG", "/usr/bin/llvm-config")
            .current_dir("/tmp");
        assert_eq!(
            pasteable(&command),
            r"cd /tmp && LLVM_CONFIG=/usr/bin/llvm-config cargo test -- 'it'\''s a test' ''"
        );
    }

    #[test]
    fn both_streams_are_read_and_success_is_told() {
        let mut lines = Vec::new();
        let mut command = Command::new("sh");
        command.args(["-c", "echo out; echo err >&2; exit 3"]);
        let success = each_line(&mut command, |line| lines.push(line)).expect("sh starts");
        lines.sort();
        assert_eq!((success, lines), (false, vec!["err".to_owned(), "out".to_owned()]));
    }

    #[test]
    fn a_failing_step_names_its_command() {
        let mut command = Command::new("sh");
        command.args(["-c", "exit 1"]);
        let error = run("Trying", command).expect_err("it fails");
        assert_eq!(error.to_string(), "Trying failed. The command was:\n    sh -c 'exit 1'");
    }
}
