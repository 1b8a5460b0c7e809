//! `cargo xtask doctor` from outside: its table and its exit code.

use std::process::{Command, Output};

fn doctor(path: Option<&str>) -> (Output, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.arg("doctor");
    if let Some(path) = path {
        command.env("PATH", path);
    }
    let output = command.output().expect("xtask starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (output, text)
}

#[test]
fn what_is_missing_is_named_with_the_command_that_mends_it() {
    let (output, text) = doctor(Some("/nowhere"));
    assert_eq!(output.status.code(), Some(1), "{text}");
    let line = text.lines().find(|line| line.starts_with("MISSING") && line.contains("c++"));
    let line = line.unwrap_or_else(|| panic!("no line about c++ in:\n{text}"));
    assert!(line.ends_with("apt-get update && apt-get install -y g++"), "{line}");
    assert!(text.ends_with("This mends what is missing:\n    cargo xtask setup\n"), "{text}");
}

#[test]
fn the_exit_code_says_whether_something_is_missing() {
    let (output, text) = doctor(None);
    let is_missing = text.lines().any(|line| line.starts_with("MISSING"));
    assert_eq!(output.status.code(), Some(i32::from(is_missing)), "{text}");
}
