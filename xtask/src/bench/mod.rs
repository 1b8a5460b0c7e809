//! `cargo xtask bench`: measures, as ratios within one run, since machines are noisy.

mod derivatives;
mod samples;

use std::process::ExitCode;

use anyhow::Result;
use xshell::cmd;

use derivatives::Mode;

use crate::step;

/// Arguments of `cargo xtask bench`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: Subject,
}

/// What can be measured.
#[derive(clap::Subcommand)]
enum Subject {
    /// What the analyses cost on functions, tables and chains of calls of growing size; needs no LLVM
    Analysis,
    /// What derivatives in forward mode cost beside the programs of test-suite/bench themselves
    Forward(derivatives::Arguments),
    /// What gradients in reverse mode cost beside the programs of test-suite/bench themselves
    Reverse(derivatives::Arguments),
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    match &arguments.what {
        Subject::Analysis => {
            let shell = step::shell()?;
            cmd!(shell, "cargo bench --package enzyme --bench analysis").quiet().run()?;
            Ok(ExitCode::SUCCESS)
        }
        Subject::Forward(arguments) => derivatives::run(arguments, Mode::Forward),
        Subject::Reverse(arguments) => derivatives::run(arguments, Mode::Reverse),
    }
}
