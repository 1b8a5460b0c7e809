//! Random programs, compiled: their derivatives by the plugin against an interpreter over dual numbers.
//!
//! The programs and the interpreter are those of the soundness test of `enzyme`. Each program is written as LLVM IR with a
//! call of `__enzyme_fwddiff` or `__enzyme_autodiff`, compiled by clang with the plugin, and run.
//!
//! 1. What it returns and leaves in memory must be what it is without a derivative, bit by bit.
//! 2. In forward mode the tangents must be the interpreter's, but for rounding: four units in the last place an operation.
//!    Every other program is differentiated along three directions at once.
//! 3. In reverse mode the adjoints of the inputs, times their tangents, must be the adjoints of the outputs, times the
//!    interpreter's tangents. Every other program is differentiated along two directions at once.
//! 4. In reverse mode the adjoints must be the same, bit by bit, whatever is kept from the forward sweep to the reverse
//!    sweep: all that is read, only what cannot be computed again, or the cheapest in between.
//! 5. In reverse mode, under valgrind, some of the derivatives access no memory wrongly, and free their tapes.
//!
//! One trial an LLVM, mode and level of optimisation: `22::programs/reverse/O2`. `ENZYME_COMPILED_PROGRAMS` says how many
//! programs are drawn for the newest LLVM (the others get an eighth of them each, every one others), `ENZYME_SEED` from
//! which seed on, `ENZYME_TEST_LLVM=19,22` with which LLVMs. A failure prints how to come back to it, and the smallest
//! program found that shows it.

mod batch;
mod driver;
mod mistakes;
mod search;
mod toolchain;

// The generator of programs and the interpreter are shared with the soundness test, which uses all of them.
macro_rules! shared {
    ($($file:literal $module:ident;)*) => {
        $(
            #[allow(dead_code, unused_imports, reason = "the soundness test uses the rest")]
            #[path = $file]
            mod $module;
        )*
    };
}
shared! {
    "../../../enzyme/tests/shared/doubles.rs" doubles;
    "../../../enzyme/tests/soundness/execution.rs" execution;
    "../../../enzyme/tests/soundness/machine/mod.rs" machine;
    "../../../enzyme/tests/soundness/program/mod.rs" program;
    "../../../enzyme/tests/soundness/trace.rs" trace;
    "../../../enzyme/tests/soundness/uses.rs" uses;
}

use std::env;
use std::error::Error;
use std::process::{Command, ExitCode};

use integration::artifacts::Artifacts;
use integration::llvm::{self, Llvm};
use libtest_mimic::{Arguments, Failed, Trial};

use batch::Mode;
use search::Draw;
use toolchain::Toolchain;

/// Few enough for a developer; continuous integration asks for many more.
const PROGRAMS: usize = 200;

/// Where nothing is simplified, and where everything is.
const LEVELS: [&str; 2] = ["O0", "O2"];

fn main() -> ExitCode {
    run().unwrap_or_else(|error| {
        eprintln!("error: {error}");
        ExitCode::from(2)
    })
}

fn run() -> Result<ExitCode, Box<dyn Error>> {
    let arguments = Arguments::from_args();
    let draw = Draw {
        seed: number("ENZYME_SEED")?.unwrap_or(0),
        programs: number("ENZYME_COMPILED_PROGRAMS")?.map_or(PROGRAMS, |programs| programs as usize),
    };
    let mut trials = Vec::new();
    let llvms = llvms()?;
    let newest = llvms.iter().map(Llvm::major).max();
    for (index, llvm) in llvms.into_iter().enumerate() {
        let draw = if Some(llvm.major()) == newest { draw } else { draw.part(index) };
        for mode in [Mode::Forward, Mode::Reverse] {
            for level in LEVELS {
                let toolchain = Toolchain::new(&llvm, mode, level)?;
                let name = format!("{}::{}", llvm.major(), toolchain.trial());
                if mode == Mode::Reverse {
                    let toolchain = toolchain.clone();
                    let check = move || search::check_memory(&toolchain, draw.seed).map_err(Failed::from);
                    let trial = Trial::test(format!("{name}/valgrind"), check);
                    trials.push(trial.with_ignored_flag(!has_valgrind()));
                }
                trials.push(Trial::test(name, move || draw.check(&toolchain).map_err(Failed::from)));
            }
        }
    }
    Ok(libtest_mimic::run(&arguments, trials).exit_code())
}

fn has_valgrind() -> bool {
    Command::new("valgrind").arg("--version").output().is_ok_and(|output| output.status.success())
}

fn number(variable: &str) -> Result<Option<u64>, String> {
    let Ok(text) = env::var(variable) else { return Ok(None) };
    text.parse().map(Some).map_err(|_| format!("{variable} is not a number: {text}"))
}

/// The LLVMs that were asked for, or that a plugin has been built for.
fn llvms() -> Result<Vec<Llvm>, Box<dyn Error>> {
    let built = Artifacts::of_workspace().built();
    let wanted = match env::var("ENZYME_TEST_LLVM") {
        Ok(list) => list.split(',').map(|major| major.trim().parse()).collect::<Result<Vec<u32>, _>>()?,
        Err(_) => built.clone(),
    };
    let find = |major: u32| {
        if !built.contains(&major) {
            return Err(format!("the plugin is not built: cargo xtask build --llvm {major}"));
        }
        llvm::release(major)
            .and_then(Llvm::find)
            .ok_or_else(|| format!("LLVM {major} is not installed: cargo xtask setup --llvm {major}"))
    };
    Ok(wanted.into_iter().map(find).collect::<Result<_, _>>()?)
}
