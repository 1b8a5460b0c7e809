//! Every rule of the table end to end: generated C and LLVM IR, through clang with the plugin, to a program that
//! compares forward and reverse derivatives with finite differences of independent references.
//!
//! One trial a group of names and LLVM: `22::rules/libm-double`. The programs come from the rule table itself:
//!
//! | module | job |
//! |---|---|
//! | `scalar` | number types as C and LLVM spell them, and how precise each is |
//! | `functions` | where each function is tested: points inside its domain, edges of the rulebook |
//! | `prototype` | the C declaration behind each name, a call of it, and a definition where no library has it |
//! | `intrinsics` | LLVM's intrinsics, instructions and vector functions, in IR |
//! | `case`, `program` | one number to differentiate; the text of a program of many |
//! | `groups` | which names go into which program; what is excluded, and why |
//! | `toolchain` | compile, link, run |
//! | `check.c`, `reference.c` | the comparison, and what every function computes in `long double` |
//!
//! `ENZYME_TEST_LLVM=19,22` chooses LLVMs, as for the suite.

mod case;
mod functions;
mod groups;
mod intrinsics;
mod program;
mod prototype;
mod scalar;
mod toolchain;

use std::collections::BTreeMap;
use std::env;
use std::error::Error;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};

use enzyme::rules::Function;
use integration::artifacts::Artifacts;
use integration::llvm::{self, Llvm};
use libtest_mimic::{Arguments, Failed, Trial};

use groups::{Groups, Target};
use program::Program;
use toolchain::{Coverage, Toolchain};

type Totals = Arc<Mutex<BTreeMap<u32, Coverage>>>;

fn main() -> ExitCode {
    run().unwrap_or_else(|error| {
        eprintln!("error: {error}");
        ExitCode::from(2)
    })
}

fn run() -> Result<ExitCode, Box<dyn Error>> {
    let arguments = Arguments::from_args();
    let totals = Totals::default();
    let mut trials = Vec::new();
    for toolchain in toolchains()? {
        trials.extend(trials_of(&Arc::new(toolchain), &totals)?);
    }
    let conclusion = libtest_mimic::run(&arguments, trials);
    for (llvm, total) in totals.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).iter() {
        let Coverage { functions, points, edges } = total;
        eprintln!(
            "LLVM {llvm}: {functions} derivatives, each in both modes, at {points} points and {edges} edges"
        );
    }
    Ok(conclusion.exit_code())
}

/// The LLVMs that were asked for, or that a plugin has been built for.
fn toolchains() -> Result<Vec<Toolchain>, Box<dyn Error>> {
    let artifacts = Artifacts::of_workspace();
    let wanted = match env::var("ENZYME_TEST_LLVM") {
        Ok(list) => list.split(',').map(|major| major.trim().parse()).collect::<Result<Vec<u32>, _>>()?,
        Err(_) => artifacts.built(),
    };
    let mut toolchains = Vec::new();
    for major in wanted {
        let release = llvm::release(major).ok_or_else(|| format!("LLVM {major} is not supported"))?;
        let installed = Llvm::find(release)
            .ok_or_else(|| format!("LLVM {major} is not installed: cargo xtask setup --llvm {major}"))?;
        let plugin = artifacts.plugin(major);
        if !plugin.is_file() {
            return Err(format!("the plugin is not built: cargo xtask build --llvm {major}").into());
        }
        let scratch = artifacts.root().join("scratch").join(major.to_string()).join("rules");
        toolchains.push(Toolchain::new(installed, plugin, scratch));
    }
    Ok(toolchains)
}

fn trials_of(toolchain: &Arc<Toolchain>, totals: &Totals) -> Result<Vec<Trial>, String> {
    let llvm = toolchain.major();
    let target = Target { llvm, offered: toolchain.offered()?, avx: has_avx() };
    toolchain.provide(groups::missing_from_library(&target));
    let groups = Groups::new(&target);
    let coverage = check_coverage(&groups);
    let mut trials =
        vec![Trial::test(format!("{llvm}::rules/coverage"), move || coverage.map_err(Failed::from))];
    for (name, program) in groups.programs {
        let (toolchain, totals) = (toolchain.clone(), totals.clone());
        trials.push(Trial::test(format!("{llvm}::rules/{name}"), move || {
            run_program(&toolchain, &name, &program, &totals).map_err(Failed::from)
        }));
    }
    Ok(trials)
}

fn run_program(toolchain: &Toolchain, name: &str, program: &Program, totals: &Totals) -> Result<(), String> {
    let coverage = toolchain.run(name, program, levels(name))?;
    let mut totals = totals.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    totals.entry(toolchain.major()).or_default().add(&coverage);
    Ok(())
}

/// The levels at which a group is compiled: where nothing is simplified, and where everything is. What differs
/// from another group in names only is compiled once.
fn levels(group: &str) -> &'static [&'static str] {
    let names_only = ["aliases-", "libdevice-", "ocml-", "runtime-"];
    if names_only.iter().any(|prefix| group.starts_with(prefix)) { &["-O2"] } else { &["-O0", "-O2"] }
}

/// Every function of the table must be tested, or it must be said why not.
fn check_coverage(groups: &Groups) -> Result<(), String> {
    let covered = groups.covered();
    let excused =
        |function: Function| {
            groups.excluded.values().flatten().any(|name| {
                enzyme::rules::names::lookup(name).is_some_and(|named| named.function == function)
            })
        };
    let untested = |function: &&Function| !covered.contains(*function) && !excused(**function);
    let missing: Vec<&str> = Function::ALL.iter().filter(untested).map(|function| function.name()).collect();
    let excluded: usize = groups.excluded.values().map(|names| names.len()).sum();
    eprintln!(
        "{} of {} functions covered by {} cases; {excluded} names are excluded:",
        covered.len(),
        Function::ALL.len(),
        groups.programs.values().map(|program| program.cases.len()).sum::<usize>(),
    );
    for (reason, names) in &groups.excluded {
        let shown: Vec<&str> = names.iter().take(4).map(String::as_str).collect();
        eprintln!(
            "  {:4} {reason}: {}{}",
            names.len(),
            shown.join(", "),
            if names.len() > 4 { ", …" } else { "" }
        );
    }
    if missing.is_empty() { Ok(()) } else { Err(format!("nothing tests {}", missing.join(", "))) }
}

#[cfg(target_arch = "x86_64")]
fn has_avx() -> bool {
    std::arch::is_x86_feature_detected!("avx")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_avx() -> bool {
    false
}
