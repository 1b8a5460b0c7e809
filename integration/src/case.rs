//! Running one test and judging it.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::condition::Condition;
use crate::directive::Directives;
use crate::features::is_known;
use crate::llvm::Llvm;
use crate::process::{self, Ending};
use crate::script::{Limits, Script, Setting, ran_anything};
use crate::substitution::{SubstitutionError, Substitutions, add_test_paths};
use crate::suite::TestFile;

/// How many lines of a failing test's output are shown, half from its start and half from its end.
const SHOWN_OUTPUT_LINES: usize = 200;

/// What became of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// It did what it says.
    Passed,
    /// It did not.
    Failed,
    /// It does not apply here.
    Unsupported,
    /// Its commands all stand under shell conditions that do not hold here.
    NothingRan,
    /// It failed, as expected.
    ExpectedFailure,
    /// It was stopped at its time limit.
    TimedOut,
}

/// The judgement on one run of one test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// What became of it.
    pub status: Status,
    /// How long it took.
    pub time: Duration,
    /// In a few words, why it is not simply passed.
    pub reason: Option<String>,
    /// For a failure: the command, its output, how to run it again.
    pub details: String,
}

/// Whose test it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// Ours: a misspelt feature, an unexpected success or a test that runs nothing is a failure.
    Own,
    /// Another project's, which cannot be changed: its slips are taken as they are meant, and a program that
    /// is not installed makes a test unsupported.
    Foreign,
}

/// Where tests run: one LLVM, with all that is true for each test there.
#[derive(Debug, Clone)]
pub struct Environment {
    /// The LLVM under test.
    pub llvm: Llvm,
    /// What is present here.
    pub features: BTreeSet<String>,
    /// Substitutions that are the same for each test.
    pub substitutions: Substitutions,
    /// The folder below which each test has a folder of its own.
    pub scratch: PathBuf,
    /// The limit of a test that sets none.
    pub time_limit: Duration,
    /// A limit on the memory of each process, in KiB.
    pub memory_limit: Option<u64>,
    /// Variables that the commands see.
    pub variables: Vec<(&'static str, OsString)>,
    /// Whose tests they are.
    pub policy: Policy,
    /// How a person runs one test again; the test's name is put after it.
    pub rerun: String,
}

impl Environment {
    /// Runs a test, again if it allows retries, and judges it.
    pub fn run(&self, test: &TestFile) -> Outcome {
        let start = Instant::now();
        let mut outcome = match self.prepare(test) {
            Ok((directives, script)) => {
                let outcome = self.run_script(test, directives, &script);
                self.judge(outcome, directives)
            }
            Err(outcome) => outcome,
        };
        outcome.time = start.elapsed();
        if matches!(outcome.status, Status::Failed | Status::TimedOut) {
            outcome.details.push_str(&format!("\nrun it again: {} {}\n", self.rerun, test.name));
        }
        outcome
    }

    /// Expands a test's commands, unless there is a reason not to run them.
    fn prepare<'test>(&self, test: &'test TestFile) -> Result<(&'test Directives, Script), Outcome> {
        let directives = test.directives.as_ref().map_err(|error| Outcome::failed(error.to_string()))?;
        if !directives.has_commands() {
            return Err(Outcome::failed(
                "its folder says that every file is a test, but it has no `RUN:` line",
            ));
        }
        self.check_features(directives)?;
        if let Some(reason) = self.reason_to_skip(directives) {
            return Err(Outcome::new(Status::Unsupported, reason));
        }
        let mut table = self.substitutions.clone();
        add_test_paths(&mut table, &test.path, &self.folder_of(test).join("work"));
        match Script::expand(directives, &table) {
            Ok(script) => Ok((directives, script)),
            Err(error @ SubstitutionError::Missing { .. }) => {
                Err(Outcome::new(Status::Unsupported, error.to_string()))
            }
            Err(error) => Err(Outcome::failed(error.to_string())),
        }
    }

    fn check_features(&self, directives: &Directives) -> Result<(), Outcome> {
        let conditions = [&directives.requires, &directives.unsupported, &directives.expected_to_fail]
            .into_iter()
            .flatten();
        match conditions.flat_map(Condition::mentioned).find(|name| !is_known(name)) {
            Some(name) if self.policy == Policy::Own => {
                Err(Outcome::failed(format!("there is no feature `{name}` (see integration/README.md)")))
            }
            Some(_) | None => Ok(()),
        }
    }

    fn reason_to_skip(&self, directives: &Directives) -> Option<String> {
        let missing = directives.requires.iter().find(|condition| !condition.holds(&self.features));
        let excluded = directives.unsupported.iter().find(|condition| condition.holds(&self.features));
        missing
            .map(|condition| format!("it requires {condition}"))
            .or(excluded.map(|condition| format!("it is unsupported where {condition}")))
    }

    fn run_script(&self, test: &TestFile, directives: &Directives, script: &Script) -> Outcome {
        let limit = directives.time_limit.unwrap_or(self.time_limit);
        let attempts = directives.retries + 1;
        let mut outcome = Outcome::failed("it was not run");
        for _ in 0..attempts {
            outcome = self
                .attempt(test, script, limit)
                .unwrap_or_else(|error| Outcome::failed(format!("the harness could not run it: {error}")));
            if !matches!(outcome.status, Status::Failed | Status::TimedOut) {
                break;
            }
        }
        outcome
    }

    fn attempt(&self, test: &TestFile, script: &Script, limit: Duration) -> io::Result<Outcome> {
        let files = Files::create(&self.folder_of(test))?;
        // CPU time is only the safety net for when the harness itself is gone.
        let limits = Limits { cpu_seconds: limit.as_secs() * 8 + 60, memory: self.memory_limit };
        let setting = Setting {
            folder: &files.work,
            variables: &self.variables,
            line_file: &files.line,
            trace_file: &files.trace,
            limits,
        };
        fs::write(&files.script, script.text(&setting))?;
        let output = File::create(&files.output)?;
        let mut command = Command::new("bash");
        command.arg(&files.script).stdout(output.try_clone()?).stderr(output);
        let ending = process::run(&mut command, limit)?;
        let outcome = self.outcome_of(ending, script, &files, limit);
        if outcome.status == Status::Passed {
            fs::remove_dir_all(&files.folder)?;
        }
        Ok(outcome)
    }

    fn outcome_of(&self, ending: Ending, script: &Script, files: &Files, limit: Duration) -> Outcome {
        let trace = read_lossy(&files.trace);
        if self.policy == Policy::Foreign
            && ending != Ending::Exited(0)
            && let Some(program) = missing_program(&read_lossy(&files.output))
        {
            return Outcome::new(Status::Unsupported, format!("{program} is not installed"));
        }
        match ending {
            Ending::Exited(0) if ran_anything(&trace) => Outcome::new(Status::Passed, None),
            Ending::Exited(0) => Outcome::new(Status::NothingRan, "nothing ran".to_owned()),
            Ending::Exited(code) => files.failure(Status::Failed, script, &format!("exit code {code}")),
            Ending::Killed(signal) => files.failure(Status::Failed, script, &format!("signal {signal}")),
            Ending::TimedOut => {
                let reason = format!("its time limit of {} s", limit.as_secs());
                files.failure(Status::TimedOut, script, &reason)
            }
        }
    }

    fn judge(&self, outcome: Outcome, directives: &Directives) -> Outcome {
        let expected = directives.expected_to_fail.iter().any(|condition| condition.holds(&self.features));
        match (outcome.status, self.policy) {
            (Status::Failed | Status::TimedOut, _) if expected => {
                Outcome::new(Status::ExpectedFailure, outcome.reason)
            }
            (Status::Passed, Policy::Own) if expected => {
                Outcome::failed("it passed, but an `XFAIL:` line expects it to fail")
            }
            (Status::NothingRan, Policy::Own) => {
                Outcome::failed("it started no program at all; say where it applies with `REQUIRES:` instead")
            }
            _ => outcome,
        }
    }

    fn folder_of(&self, test: &TestFile) -> PathBuf {
        self.scratch.join(&test.name)
    }
}

impl Outcome {
    fn new(status: Status, reason: impl Into<Option<String>>) -> Self {
        Self { status, time: Duration::ZERO, reason: reason.into(), details: String::new() }
    }

    fn failed(reason: impl Into<String>) -> Self {
        let reason = reason.into();
        Self { details: format!("{reason}\n"), ..Self::new(Status::Failed, reason) }
    }
}

/// The files of one run.
struct Files {
    folder: PathBuf,
    work: PathBuf,
    script: PathBuf,
    output: PathBuf,
    line: PathBuf,
    trace: PathBuf,
}

impl Files {
    fn create(folder: &Path) -> io::Result<Self> {
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
        let work = folder.join("work");
        fs::create_dir_all(&work)?;
        let file = |name| folder.join(name);
        Ok(Self {
            folder: folder.to_path_buf(),
            work,
            script: file("script.sh"),
            output: file("output.txt"),
            line: file("line"),
            trace: file("trace.txt"),
        })
    }

    fn failure(&self, status: Status, script: &Script, ending: &str) -> Outcome {
        let line = read_lossy(&self.line).trim().parse().ok();
        let command = line.and_then(|line| script.command_at(line));
        let (place, text) = match command {
            Some(command) => (format!("line {}", command.line), command.text.as_str()),
            None => ("the start".to_owned(), ""),
        };
        let mut details = format!("the command at {place} ended with {ending}:\n\n{}\n", indent(text));
        let output = read_lossy(&self.output);
        match output.trim().is_empty() {
            true => details.push_str("\nit printed nothing\n"),
            false => details.push_str(&format!("\nits output:\n\n{}\n", indent(&shorten(&output)))),
        }
        details.push_str(&format!("\nthe whole script: {}\n", self.script.display()));
        Outcome { details, ..Outcome::new(status, format!("{place}: {ending}")) }
    }
}

fn read_lossy(path: &Path) -> String {
    fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
}

fn indent(text: &str) -> String {
    text.lines().map(|line| format!("    {line}")).collect::<Vec<_>>().join("\n")
}

fn shorten(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    if lines.len() <= SHOWN_OUTPUT_LINES {
        return text.to_owned();
    }
    let half = SHOWN_OUTPUT_LINES / 2;
    let left_out = format!("… {} lines …", lines.len() - 2 * half);
    let (start, end) = (lines[..half].join("\n"), lines[lines.len() - half..].join("\n"));
    format!("{start}\n{left_out}\n{end}")
}

/// The program in bash's `script.sh: line 7: ifx: command not found`.
fn missing_program(output: &str) -> Option<&str> {
    let line = output.lines().find_map(|line| line.strip_suffix(": command not found"))?;
    line.rsplit(": ").next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llvm::SUPPORTED;
    use crate::substitution::Unknown;

    fn environment(name: &str, policy: Policy) -> Environment {
        let mut substitutions = Substitutions::new(Unknown::Reject);
        substitutions.set_missing("%flang", "the program is not installed");
        Environment {
            llvm: Llvm {
                release: SUPPORTED[3],
                version: "22.1.8".into(),
                config: PathBuf::new(),
                programs: PathBuf::new(),
                libraries: PathBuf::new(),
            },
            features: ["clang", "llvm-22"].map(str::to_owned).into(),
            substitutions,
            scratch: std::env::temp_dir().join(format!("enzymers-case-{name}-{}", std::process::id())),
            time_limit: Duration::from_secs(20),
            memory_limit: None,
            variables: Vec::new(),
            policy,
            rerun: "cargo xtask test --llvm 22".into(),
        }
    }

    fn run(name: &str, policy: Policy, text: &str) -> Outcome {
        let environment = environment(name, policy);
        let test = TestFile {
            name: format!("{name}.test"),
            path: format!("/suite/{name}.test").into(),
            directives: Directives::parse(text),
        };
        let outcome = environment.run(&test);
        let _ = fs::remove_dir_all(environment.scratch);
        outcome
    }

    #[test]
    fn commands_run_in_order_until_one_fails() {
        let text =
            "RUN: echo one >%t\nRUN: grep -q one %t && echo seen\nRUN: cat %t | grep two | cat\nRUN: exit 7";
        let outcome = run("order", Policy::Own, text);
        assert_eq!(outcome.status, Status::Failed);
        assert_eq!(outcome.reason.as_deref(), Some("line 3: exit code 1"));
        assert!(outcome.details.contains("seen"), "{}", outcome.details);
        assert!(outcome.details.contains("cargo xtask test --llvm 22 order.test"), "{}", outcome.details);
    }

    #[test]
    fn a_test_that_does_not_apply_is_unsupported() {
        let requires = run("requires", Policy::Own, "REQUIRES: llvm-19\nRUN: false");
        assert_eq!(
            (requires.status, requires.reason.as_deref()),
            (Status::Unsupported, Some("it requires llvm-19"))
        );
        assert_eq!(
            run("excluded", Policy::Own, "UNSUPPORTED: clang\nRUN: false").status,
            Status::Unsupported
        );
        assert_eq!(run("program", Policy::Own, "RUN: %flang").status, Status::Unsupported);
    }

    #[test]
    fn expected_failures_are_no_failures_and_unexpected_successes_are() {
        assert_eq!(run("xfail", Policy::Own, "XFAIL: *\nRUN: false").status, Status::ExpectedFailure);
        assert_eq!(run("xpass", Policy::Own, "XFAIL: *\nRUN: cat").status, Status::Failed);
        assert_eq!(run("xpass", Policy::Foreign, "XFAIL: *\nRUN: cat").status, Status::Passed);
        assert_eq!(run("pass", Policy::Own, "XFAIL: llvm-19\nRUN: cat").status, Status::Passed);
    }

    #[test]
    fn a_test_that_runs_nothing_is_noticed() {
        let text = "RUN: if [ 22 -lt 16 ]; then cat; fi";
        assert_eq!(run("idle", Policy::Foreign, text).status, Status::NothingRan);
        assert_eq!(run("idle", Policy::Own, text).status, Status::Failed);
    }

    #[test]
    fn a_program_that_is_not_installed_makes_a_foreign_test_unsupported() {
        let text = "RUN: if [ 22 -ge 13 ]; then surely-no-such-program -c | cat; fi";
        let foreign = run("absent", Policy::Foreign, text);
        assert_eq!(foreign.reason.as_deref(), Some("surely-no-such-program is not installed"));
        assert_eq!(foreign.status, Status::Unsupported);
        assert_eq!(run("absent", Policy::Own, text).status, Status::Failed);
    }

    #[test]
    fn the_time_limit_of_a_test_stops_it() {
        let outcome = run("slow", Policy::Own, "TIME-LIMIT: 1\nRUN: sleep 20");
        assert_eq!(outcome.status, Status::TimedOut);
        assert!(outcome.time < Duration::from_secs(10));
    }

    #[test]
    fn retries_give_a_test_more_than_one_chance() {
        let marker = std::env::temp_dir().join(format!("enzymers-retry-{}", std::process::id()));
        let command = format!("RUN: test -e {0} || {{ touch {0}; false; }} && cat", marker.display());
        assert_eq!(run("once", Policy::Own, &command).status, Status::Failed);
        fs::remove_file(&marker).expect("the first attempt made it");
        let text = format!("ALLOW_RETRIES: 1\n{command}");
        assert_eq!(run("twice", Policy::Own, &text).status, Status::Passed);
        fs::remove_file(&marker).expect("the first attempt made it");
    }

    #[test]
    fn mistakes_in_a_test_are_its_failure() {
        for (text, message) in [
            ("REQUIRES: clangg\nRUN: cat", "there is no feature `clangg` (see integration/README.md)"),
            ("RUN: %unknown", "`%unknown` stands for nothing; write `%%` for a percent sign"),
            ("int x;", "its folder says that every file is a test, but it has no `RUN:` line"),
            ("ALLOW_RETRIES: x", "line 1: `ALLOW_RETRIES:` takes a number, not `x`"),
        ] {
            let outcome = run("mistake", Policy::Own, text);
            assert_eq!((outcome.status, outcome.reason.as_deref()), (Status::Failed, Some(message)));
        }
    }

    #[test]
    fn long_output_is_shortened_in_its_middle() {
        let text = (0..500).map(|n| n.to_string()).collect::<Vec<_>>().join("\n");
        let short = shorten(&text);
        assert!(short.starts_with("0\n1\n") && short.ends_with("\n499"));
        assert!(short.contains("… 300 lines …"));
    }
}
