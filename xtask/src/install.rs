//! `cargo xtask install`: an installed tree that compilers and CMake projects use.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use integration::artifacts::Artifacts;
use integration::installation;

use crate::build;
use crate::choice::LlvmChoice;
use crate::requirements::Purpose;
use crate::setup::{self, Installing, parse_choice};

/// Arguments of `cargo xtask install`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The folder to install in
    #[arg(long)]
    prefix: PathBuf,
    /// Which LLVM: 22, or 15,19, or all; the newest installed one if not given
    #[arg(long, default_value = "newest", value_parser = parse_choice, hide_default_value = true)]
    llvm: LlvmChoice,
    #[command(flatten)]
    installing: Installing,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    setup::ensure(&arguments.llvm, Purpose::Build, arguments.installing)?;
    let artifacts = Artifacts::of_workspace();
    let llvms = arguments.llvm.installed()?;
    for llvm in &llvms {
        build::everything(llvm, &artifacts)?;
    }
    let majors: Vec<u32> = llvms.iter().map(|llvm| llvm.major()).collect();
    let prefix = &arguments.prefix;
    let written = installation::install(&artifacts, &majors, prefix)
        .with_context(|| format!("cannot install in {}", prefix.display()))?;
    written.iter().for_each(|file| println!("{}", file.display()));
    Ok(ExitCode::SUCCESS)
}
