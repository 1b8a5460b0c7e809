//! `cargo xtask test`: the crates' own tests, then `test-suite` with every LLVM that is asked for.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;
use integration::artifacts::Artifacts;
use integration::llvm::Llvm;
use xshell::{Cmd, Shell, cmd};

use crate::build;
use crate::choice::LlvmChoice;
use crate::requirements::Purpose;
use crate::setup::{self, Installing, parse_choice};
use crate::{step, suite};

/// What the names of tests start with that are no files of the suite, and the tests of `integration` that they are.
const GENERATED: [(&str, &str); 2] = [("rules/", "rules"), ("programs/", "programs")];

/// Arguments of `cargo xtask test`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Run only tests of the suite whose name contains one of these
    filters: Vec<String>,
    /// Which LLVM: 22, or 15,19, or all; the newest installed one if not given
    #[arg(long, default_value = "newest", value_parser = parse_choice, hide_default_value = true)]
    llvm: LlvmChoice,
    /// Write expected output instead of comparing with it
    #[arg(long, conflicts_with = "suite")]
    bless: bool,
    /// Write a report as JSON
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// How many seconds a test may take that sets no limit itself
    #[arg(long, value_name = "SECONDS")]
    time_limit: Option<u64>,
    /// Compile the programs of the suite with a sanitizer: address, undefined, leak
    #[arg(long, value_name = "SANITIZER", conflicts_with = "suite")]
    sanitize: Option<String>,
    /// Test what has been built before
    #[arg(long)]
    no_build: bool,
    #[command(flatten)]
    suite: suite::SuiteArguments,
    #[command(flatten)]
    installing: Installing,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    setup::ensure(&arguments.llvm, Purpose::Test, arguments.installing)?;
    let llvms = arguments.llvm.installed()?;
    if !arguments.no_build {
        let artifacts = Artifacts::of_workspace();
        llvms.iter().try_for_each(|llvm| build::everything(llvm, &artifacts))?;
    }
    match &arguments.suite.suite {
        Some(folder) => {
            let request = suite::Request {
                llvms: &llvms,
                filters: &arguments.filters,
                time_limit: arguments.time_limit.map(Duration::from_secs),
                report: arguments.report.as_deref(),
            };
            suite::run(folder, &arguments.suite, &request)
        }
        None => run_own(arguments, &llvms),
    }
}

/// Runs everything even when something fails, and closes with the totals.
fn run_own(arguments: &Arguments, llvms: &[Llvm]) -> Result<ExitCode> {
    let shell = step::shell()?;
    let mut totals = Totals::default();
    let majors: Vec<String> = llvms.iter().map(|llvm| llvm.major().to_string()).collect();
    let majors = majors.join(",");
    let mut commands = Vec::new();
    let generated = |filter: &&String| GENERATED.iter().any(|(prefix, _)| filter.starts_with(prefix));
    let (chosen, files): (Vec<&String>, Vec<&String>) = arguments.filters.iter().partition(generated);
    if arguments.filters.is_empty() && !arguments.bless {
        commands.extend(crate_tests(&shell));
        commands.extend(llvms.iter().map(|llvm| llvm_crate_tests(&shell, llvm)));
        commands.extend(GENERATED.map(|(_, test)| generated_tests(&shell, &majors, test, None)));
    }
    for filter in chosen {
        let tests = GENERATED.iter().filter(|(prefix, _)| filter.starts_with(prefix));
        commands.extend(tests.map(|(_, test)| generated_tests(&shell, &majors, test, Some(filter))));
    }
    if arguments.filters.is_empty() || !files.is_empty() {
        commands.push(suite_tests(&shell, arguments, &majors, &files));
    }
    let mut succeeded = true;
    for command in commands {
        succeeded &= step::show(command, |line| totals.add(line))?;
    }
    println!("{} passed, {} failed, {} skipped", totals.passed, totals.failed, totals.skipped);
    Ok(if succeeded { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The crates that know no LLVM. The suite, which is a test of `integration`, comes by itself.
fn crate_tests(shell: &Shell) -> [Cmd<'_>; 2] {
    [
        cmd!(shell, "cargo test --no-fail-fast -p enzyme -p enzyme-loader -p xtask"),
        cmd!(shell, "cargo test -p integration --lib"),
    ]
}

/// The crates that are built once for each LLVM.
fn llvm_crate_tests<'shell>(shell: &'shell Shell, llvm: &Llvm) -> Cmd<'shell> {
    let scope = build::scope(llvm);
    let command =
        cmd!(shell, "cargo test --release --no-fail-fast -p enzyme-llvm -p enzyme-tools {scope...}");
    command.env("LLVM_CONFIG", &llvm.config)
}

/// Every rule of the table, or random programs, end to end.
fn generated_tests<'shell>(
    shell: &'shell Shell,
    majors: &str,
    test: &str,
    filter: Option<&String>,
) -> Cmd<'shell> {
    cmd!(shell, "cargo test -p integration --test {test} -- {filter...}").env("ENZYME_TEST_LLVM", majors)
}

fn suite_tests<'shell>(
    shell: &'shell Shell,
    arguments: &Arguments,
    majors: &str,
    filters: &[&String],
) -> Cmd<'shell> {
    let mut command = cmd!(shell, "cargo test -p integration --test suite").env("ENZYME_TEST_LLVM", majors);
    if !filters.is_empty() {
        let filters: Vec<&str> = filters.iter().map(|filter| filter.as_str()).collect();
        command = command.env("ENZYME_TEST_ONLY", filters.join(","));
    }
    if let Some(report) = &arguments.report {
        command =
            command.env("ENZYME_TEST_REPORT", std::path::absolute(report).unwrap_or_else(|_| report.clone()));
    }
    if let Some(seconds) = arguments.time_limit {
        command = command.env("ENZYME_TEST_TIME_LIMIT", seconds.to_string());
    }
    if let Some(sanitizer) = &arguments.sanitize {
        command = command.env("ENZYME_TEST_SANITIZE", sanitizer);
    }
    if arguments.bless {
        command = command.env(integration::stage::BLESS_VARIABLE, "1");
    }
    command
}

/// The sums over all `test result:` lines.
#[derive(Debug, Default, PartialEq, Eq)]
struct Totals {
    passed: usize,
    failed: usize,
    skipped: usize,
}

impl Totals {
    /// Adds the counts of `test result: ok. 3 passed; 0 failed; 1 ignored; …`.
    fn add(&mut self, line: &str) {
        let Some((_, counts)) = line.strip_prefix("test result: ").and_then(|rest| rest.split_once(". "))
        else {
            return;
        };
        for count in counts.split(';') {
            match count.trim().split_once(' ') {
                Some((number, "passed")) => self.passed += number.parse().unwrap_or(0),
                Some((number, "failed")) => self.failed += number.parse().unwrap_or(0),
                Some((number, "ignored")) => self.skipped += number.parse().unwrap_or(0),
                Some(_) | None => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn result_lines_are_summed() {
        let mut totals = Totals::default();
        totals.add(
            "test result: ok. 12 passed; 0 failed; 3 ignored; 0 measured; 0 filtered out; finished in 0.1s",
        );
        totals.add("test result: FAILED. 5 passed; 2 failed; 0 ignored; 0 measured; 1 filtered out");
        totals.add("test rules::sin ... ok");
        assert_eq!(totals, Totals { passed: 17, failed: 2, skipped: 3 });
    }
}
