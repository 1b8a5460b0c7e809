//! `cargo xtask test --suite DIR`: another project's tests, and a table of how they fare.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result};
use indicatif::ProgressBar;
use integration::artifacts::Artifacts;
use integration::case::{Outcome, Status};
use integration::foreign::{self, Checking, Observer, Options};
use integration::llvm::Llvm;
use integration::report::Report;
use integration::stage::Launcher;

use crate::step;

/// How many tests run at a time.
const JOBS: usize = 2;

/// The limit for one test, where none is given.
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// Options of `cargo xtask test` that only make sense with `--suite`.
#[derive(clap::Args)]
pub(crate) struct SuiteArguments {
    /// Run the tests in this folder instead of our own; nothing is written there
    #[arg(long, value_name = "DIR")]
    pub(crate) suite: Option<PathBuf>,
    /// Ask only for success of the commands and valid IR, not for what FileCheck would
    #[arg(long, requires = "suite", conflicts_with = "opaque_text")]
    no_check: bool,
    /// Rewrite typed pointers in expected text (double*) to ptr
    #[arg(long, requires = "suite")]
    opaque_text: bool,
    /// How many tests run at a time
    #[arg(long, requires = "suite", default_value_t = JOBS)]
    jobs: usize,
}

impl SuiteArguments {
    fn checking(&self) -> Checking {
        match (self.no_check, self.opaque_text) {
            (true, _) => Checking::SuccessOnly,
            (false, true) => Checking::OpaqueText,
            (false, false) => Checking::Full,
        }
    }
}

/// What `cargo xtask test` was asked for besides.
pub(crate) struct Request<'request> {
    /// The LLVMs to run with; their plugins are built.
    pub(crate) llvms: &'request [Llvm],
    /// Parts of the names of the tests to run.
    pub(crate) filters: &'request [String],
    /// The limit for one test.
    pub(crate) time_limit: Option<Duration>,
    /// Where the report goes.
    pub(crate) report: Option<&'request Path>,
}

pub(crate) fn run(suite: &Path, arguments: &SuiteArguments, request: &Request<'_>) -> Result<ExitCode> {
    let suite = std::fs::canonicalize(suite).with_context(|| format!("cannot read {}", suite.display()))?;
    let options = Options {
        suite,
        checking: arguments.checking(),
        filters: request.filters.to_vec(),
        jobs: arguments.jobs,
        time_limit: request.time_limit.unwrap_or(TIME_LIMIT),
    };
    let artifacts = Artifacts::of_workspace();
    let launcher = Launcher::current("stage")?;
    let mut records = Vec::new();
    let mut code = ExitCode::SUCCESS;
    for llvm in request.llvms {
        let progress = Progress { bar: step::bar(&format!("LLVM {}", llvm.major())) };
        let results = foreign::run(&options, llvm, &artifacts, &launcher, &progress)?;
        progress.bar.finish_and_clear();
        println!("{} with LLVM {}:\n\n{}", options.suite.display(), llvm.version, results.table);
        let total = results.table.total();
        if total.failed + total.timed_out > 0 {
            println!("The output of what failed: {}\n", results.logs.display());
            code = ExitCode::FAILURE;
        }
        records.extend(results.records);
    }
    if let Some(path) = request.report {
        Report::new(records).write(path).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(code)
}

struct Progress {
    bar: ProgressBar,
}

impl Observer for Progress {
    fn started(&self, tests: usize) {
        self.bar.set_length(tests as u64);
    }

    fn finished(&self, name: &str, outcome: &Outcome) {
        if matches!(outcome.status, Status::Failed | Status::TimedOut) {
            self.bar.set_message(format!("{name} failed"));
        }
        self.bar.inc(1);
    }
}
