//! `cargo xtask lint`: format, lints, documentation and licences.

use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use integration::llvm::Llvm;
use serde_json::Value;
use xshell::{Cmd, Shell, cmd};

use crate::build;
use crate::choice::LlvmChoice;
use crate::requirements::Purpose;
use crate::setup::{self, Installing, parse_choice};
use crate::step;

/// The licence of everything in this workspace.
const OUR_LICENCE: &str = "Apache-2.0 WITH LLVM-exception";

/// Licences that a dependency may have.
const ACCEPTED_LICENCES: [&str; 12] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// The crates that build without LLVM.
const CORE: [&str; 8] = ["-p", "enzyme", "-p", "enzyme-loader", "-p", "integration", "-p", "xtask"];

/// The crates that are built for one LLVM at a time.
const FOR_LLVM: [&str; 6] = ["-p", "enzyme-llvm", "-p", "enzyme-plugin", "-p", "enzyme-tools"];

/// Arguments of `cargo xtask lint`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Which LLVM to check the crates with that are built for one; the newest installed one if not given
    #[arg(long, default_value = "newest", value_parser = parse_choice, hide_default_value = true)]
    llvm: LlvmChoice,
    #[command(flatten)]
    installing: Installing,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    setup::ensure(&arguments.llvm, Purpose::Build, arguments.installing)?;
    let llvms = arguments.llvm.installed()?;
    let shell = step::shell()?;
    let mut failures = 0;
    for (label, command) in commands(&shell, &llvms) {
        if let Err(error) = step::run(&label, command) {
            eprintln!("{error:#}\n");
            failures += 1;
        }
    }
    if let Err(error) = check_licences() {
        eprintln!("{error:#}\n");
        failures += 1;
    }
    if failures > 0 {
        bail!("{failures} of the checks failed");
    }
    println!("Format, lints, documentation and licences are in order.");
    Ok(ExitCode::SUCCESS)
}

fn commands<'shell>(shell: &'shell Shell, llvms: &[Llvm]) -> Vec<(String, Cmd<'shell>)> {
    let format = cmd!(shell, "cargo fmt --all --check");
    let clippy = cmd!(shell, "cargo clippy {CORE...} --all-targets -- -D warnings");
    let documentation = cmd!(shell, "cargo doc {CORE...} --no-deps --document-private-items");
    let mut commands = vec![
        ("Checking the format".to_owned(), format),
        ("Linting the core".to_owned(), clippy),
        ("Documenting the core".to_owned(), documentation.env("RUSTDOCFLAGS", "-D warnings")),
    ];
    for llvm in llvms {
        let (major, scope) = (llvm.major(), &build::scope(llvm));
        let clippy = cmd!(shell, "cargo clippy {FOR_LLVM...} {scope...} --all-targets -- -D warnings");
        let documentation =
            cmd!(shell, "cargo doc {FOR_LLVM...} {scope...} --no-deps --document-private-items");
        let documentation = documentation.env("RUSTDOCFLAGS", "-D warnings");
        commands.push((format!("Linting for LLVM {major}"), clippy.env("LLVM_CONFIG", &llvm.config)));
        commands
            .push((format!("Documenting for LLVM {major}"), documentation.env("LLVM_CONFIG", &llvm.config)));
    }
    commands
}

/// Checks that our crates say their licence, and that those of all dependencies fit it.
fn check_licences() -> Result<()> {
    let shell = step::shell()?;
    let output = cmd!(shell, "cargo metadata --format-version 1 --all-features").quiet().read()?;
    let metadata: Value = serde_json::from_str(&output).context("cannot read what cargo metadata says")?;
    let packages = metadata["packages"].as_array().context("cargo metadata lists no packages")?;
    let problems: Vec<String> = packages.iter().filter_map(licence_problem).collect();
    if problems.is_empty() {
        return Ok(());
    }
    bail!("licences:\n    {}", problems.join("\n    "));
}

fn licence_problem(package: &Value) -> Option<String> {
    let name = package["name"].as_str().unwrap_or("?");
    let licence = package["license"].as_str();
    let is_ours = package["source"].is_null();
    match licence {
        None => Some(format!("{name} says no licence")),
        Some(licence) if is_ours && licence != OUR_LICENCE => {
            Some(format!("{name} says {licence}, not {OUR_LICENCE}"))
        }
        Some(licence) if !is_accepted(licence) => {
            Some(format!("{name} has {licence}, which is not on the list"))
        }
        Some(_) => None,
    }
}

/// Whether one of the alternatives in an SPDX expression is on our list, with all its parts.
fn is_accepted(expression: &str) -> bool {
    let expression = expression.replace(['(', ')'], "").replace('/', " OR ");
    let alternative_fits =
        |alternative: &str| alternative.split(" AND ").all(|part| ACCEPTED_LICENCES.contains(&part.trim()));
    expression.split(" OR ").any(alternative_fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_acceptable_alternative_is_enough() {
        assert!(is_accepted("MIT OR Apache-2.0"));
        assert!(is_accepted("GPL-3.0 OR MIT"));
        assert!(is_accepted("MIT/Apache-2.0"));
        assert!(is_accepted("(MIT OR Apache-2.0) AND Unicode-3.0"));
        assert!(!is_accepted("GPL-3.0"));
        assert!(!is_accepted("GPL-3.0 AND MIT"));
    }

    #[test]
    fn our_crates_must_say_our_licence() {
        let package = serde_json::json!({"name": "enzyme", "license": "MIT", "source": null});
        assert_eq!(licence_problem(&package), Some(format!("enzyme says MIT, not {OUR_LICENCE}")));
        let dependency = serde_json::json!({"name": "libc", "license": "MIT", "source": "registry"});
        assert_eq!(licence_problem(&dependency), None);
        let silent = serde_json::json!({"name": "x", "license": null, "source": "registry"});
        assert_eq!(licence_problem(&silent), Some("x says no licence".to_owned()));
    }

    #[test]
    fn the_licences_of_this_workspace_are_in_order() {
        check_licences().expect("acceptable licences");
    }
}
