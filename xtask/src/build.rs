//! `cargo xtask build`: the plugins, the loader and the tools, put together in `target/enzymers`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use integration::artifacts::Artifacts;
use integration::installation::{TOOLS, replace_file};
use integration::llvm::Llvm;
use integration::workspace_root;
use xshell::cmd;

use crate::choice::LlvmChoice;
use crate::clang_plugin;
use crate::requirements::Purpose;
use crate::setup::{self, Installing, parse_choice};
use crate::step;

/// Arguments of `cargo xtask build`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Which LLVM: 22, or 15,19, or all; the newest installed one if not given
    #[arg(long, default_value = "newest", value_parser = parse_choice, hide_default_value = true)]
    llvm: LlvmChoice,
    #[command(flatten)]
    installing: Installing,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    setup::ensure(&arguments.llvm, Purpose::Build, arguments.installing)?;
    let artifacts = Artifacts::of_workspace();
    for llvm in arguments.llvm.installed()? {
        everything(&llvm, &artifacts)?;
        println!("{}", artifacts.plugin(llvm.major()).display());
    }
    println!("{}", artifacts.loader().display());
    Ok(ExitCode::SUCCESS)
}

/// Builds everything for one LLVM and puts it in its place.
pub(crate) fn everything(llvm: &Llvm, artifacts: &Artifacts) -> Result<()> {
    let major = llvm.major();
    let shell = step::shell()?;
    let (scope, target) = (scope(llvm), target_folder(llvm));
    let command = cmd!(shell, "cargo build --release -p enzyme-plugin -p enzyme-tools {scope...}");
    let label = format!("Building the plugin and the tools for LLVM {major}");
    step::run(&label, command.env("LLVM_CONFIG", &llvm.config))?;
    let command = cmd!(shell, "cargo build --release -p enzyme-loader --target-dir {target}");
    step::run("Building the loader", command)?;
    put_plugins(llvm, artifacts)?;
    put(&built(llvm, "libenzyme_loader.so"), &artifacts.loader())?;
    TOOLS.iter().try_for_each(|tool| put(&built(llvm, tool), &artifacts.tool(tool, major)))
}

/// Builds what it takes to compile a program with one LLVM, and puts it in its place.
pub(crate) fn plugin(llvm: &Llvm, artifacts: &Artifacts) -> Result<()> {
    let shell = step::shell()?;
    let scope = scope(llvm);
    let command = cmd!(shell, "cargo build --release -p enzyme-plugin {scope...}");
    let label = format!("Building the plugin for LLVM {}", llvm.major());
    step::run(&label, command.env("LLVM_CONFIG", &llvm.config))?;
    put_plugins(llvm, artifacts)
}

/// Puts the pass plugin in its place, and beside it the one for clang.
fn put_plugins(llvm: &Llvm, artifacts: &Artifacts) -> Result<()> {
    put(&built(llvm, "libenzyme_plugin.so"), &artifacts.plugin(llvm.major()))?;
    clang_plugin::build(llvm, artifacts, &workspace_root().join(target_folder(llvm)))
}

/// Where cargo leaves a file.
fn built(llvm: &Llvm, name: &str) -> PathBuf {
    workspace_root().join(target_folder(llvm)).join("release").join(name)
}

/// Cargo's arguments for the crates that know LLVM: the version's feature, and its target folder.
pub(crate) fn scope(llvm: &Llvm) -> [String; 4] {
    let target = target_folder(llvm).display().to_string();
    ["--features".into(), llvm.release.feature.into(), "--target-dir".into(), target]
}

/// One LLVM version's target folder: built in one, each switch of version would build everything again.
fn target_folder(llvm: &Llvm) -> PathBuf {
    Path::new("target").join(format!("llvm-{}", llvm.major()))
}

fn put(from: &Path, to: &Path) -> Result<()> {
    replace_file(from, to).with_context(|| format!("cannot put {} in its place", from.display()))
}
