//! `cargo xtask bench`: measures, as ratios within one run, since machines are noisy.

use std::process::ExitCode;

use anyhow::Result;
use xshell::cmd;

use crate::step;

/// Arguments of `cargo xtask bench`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// What to measure
    #[arg(value_enum)]
    what: Subject,
}

/// What can be measured.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Subject {
    /// What the analyses cost on functions, tables and chains of calls of growing size; needs no LLVM
    Analysis,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let shell = step::shell()?;
    match arguments.what {
        Subject::Analysis => cmd!(shell, "cargo bench --package enzyme --bench analysis").quiet().run()?,
    }
    Ok(ExitCode::SUCCESS)
}
