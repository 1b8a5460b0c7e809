//! `cargo xtask …`: everything a person does with this workspace besides editing it.
//!
//! One file a subcommand. What they share: [`choice`] (which LLVMs are meant), [`requirements`] (what a
//! machine must have), [`step`] (running a command with progress, and showing it when it fails).

#![allow(clippy::print_stdout, reason = "these commands talk to the person who typed them")]

mod bench;
mod build;
mod choice;
mod clang_plugin;
mod doctor;
mod driver;
mod install;
mod lint;
mod requirements;
mod run;
mod setup;
mod step;
mod suite;
mod test;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Sets up, builds, tests, runs and installs EnzymeRS.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", disable_version_flag = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Find LLVM, clang, lld and FileCheck; install what is missing
    Setup(setup::Arguments),
    /// Show what is found, where, and how to mend what is not; exits with 1 if something is missing
    Doctor(doctor::Arguments),
    /// Build the plugin, the loader and the tools
    Build(build::Arguments),
    /// Run the tests, or a suite that lives elsewhere
    Test(test::Arguments),
    /// Measure how long things take
    Bench(bench::Arguments),
    /// Compile a C or C++ file with the plugin and run it
    Run(run::Arguments),
    /// Check format, lints, documentation and licences
    Lint(lint::Arguments),
    /// Install plugins, loader, tools, headers and CMake files
    Install(install::Arguments),
    /// A stage of a test's pipeline
    #[command(hide = true)]
    Stage {
        /// Its name and arguments
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Setup(arguments) => setup::run(&arguments),
        Command::Doctor(arguments) => doctor::run(&arguments),
        Command::Build(arguments) => build::run(&arguments),
        Command::Test(arguments) => test::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Run(arguments) => run::run(&arguments),
        Command::Lint(arguments) => lint::run(&arguments),
        Command::Install(arguments) => install::run(&arguments),
        Command::Stage { arguments } => Ok(integration::stage::run(&arguments)),
    };
    result.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        super::Arguments::command().debug_assert();
    }
}
