//! Compiling and running a batch.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use integration::artifacts::Artifacts;
use integration::llvm::Llvm;
use integration::substitution::clang_load;

use crate::batch::{Case, Mode, module, prefix};
use crate::driver::{self, Printed, What};

/// One clang with the plugin, at one level of optimisation, and which way it differentiates.
#[derive(Clone, Debug)]
pub(crate) struct Toolchain {
    clang: PathBuf,
    load: String,
    pub(crate) major: u32,
    pub(crate) mode: Mode,
    level: String,
    scratch: PathBuf,
}

/// Which values derivatives keep from the forward sweep to the reverse sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keeping {
    /// What is cheapest to keep.
    Cheapest,
    /// All that is read.
    Everything,
    /// What cannot be computed again.
    Least,
}

impl Keeping {
    fn flags(self) -> &'static [&'static str] {
        match self {
            Self::Cheapest => &[],
            Self::Everything => &["-mllvm", "-enzyme-max-cache"],
            Self::Least => &["-mllvm", "-enzyme-min-cache"],
        }
    }
}

/// What became of a batch when it was compiled.
pub(crate) enum Compiled {
    /// A program that runs it.
    Program(PathBuf),
    /// The plugin refused some of its programs, for these reasons.
    Refused(BTreeMap<u64, String>),
}

impl Toolchain {
    pub(crate) fn new(llvm: &Llvm, mode: Mode, level: &str) -> Result<Self, String> {
        let artifacts = Artifacts::of_workspace();
        let major = llvm.major();
        let scratch = artifacts.root().join("scratch").join(major.to_string());
        let scratch = scratch.join("programs").join(mode.name()).join(level);
        fs::create_dir_all(&scratch).map_err(|error| format!("{}: {error}", scratch.display()))?;
        Ok(Self {
            clang: llvm.tool("clang").ok_or_else(|| format!("LLVM {major} has no clang"))?,
            load: clang_load(llvm, &artifacts.plugin(major).display().to_string()),
            major,
            mode,
            level: level.to_owned(),
            scratch,
        })
    }

    pub(crate) fn is_optimising(&self) -> bool {
        self.level != "O0"
    }

    /// The name of the trial, after that of the LLVM.
    pub(crate) fn trial(&self) -> String {
        format!("programs/{}/{}", self.mode.name(), self.level)
    }

    /// Compiles a batch in a folder of its own.
    pub(crate) fn compile(&self, name: &str, cases: &[Case], keeping: Keeping) -> Result<Compiled, String> {
        let folder = self.scratch.join(format!("{name}-{keeping:?}"));
        let named = |error: io::Error| format!("{}: {error}", folder.display());
        fs::create_dir_all(&folder).map_err(named)?;
        let [programs, object, driver, bench] =
            ["programs.ll", "programs.o", "driver.c", "run"].map(|file| folder.join(file));
        fs::write(&programs, module(cases)).map_err(named)?;
        fs::write(&driver, driver::source(cases)).map_err(named)?;
        let mut compile = Command::new(&self.clang);
        compile.arg(format!("-{}", self.level)).args(self.load.split(' '));
        compile.args(keeping.flags()).args(["-w", "-c"]);
        compile.arg(&programs).arg("-o").arg(&object);
        let output = compile.output().map_err(|error| format!("{compile:?}: {error}"))?;
        if !output.status.success() {
            let text = String::from_utf8_lossy(&output.stderr);
            let refused = refused(&text, cases);
            return match refused.is_empty() {
                true => Err(format!("{compile:?} ended with {}:\n{text}", output.status)),
                false => Ok(Compiled::Refused(refused)),
            };
        }
        let mut link = Command::new(&self.clang);
        link.args(["-O0", "-w"]).args([&driver, &object]).args(["-lm", "-o"]).arg(&bench);
        let output = link.output().map_err(|error| format!("{link:?}: {error}"))?;
        match output.status.success() {
            true => Ok(Compiled::Program(bench)),
            false => Err(format!("{link:?}:\n{}", String::from_utf8_lossy(&output.stderr))),
        }
    }

    /// Runs the derivatives of a compiled batch under valgrind. Programs do not free all that they allocate, and neither do
    /// their derivatives; what the tape allocates is freed.
    ///
    /// # Errors
    /// What valgrind says of wrong accesses, and of the tape.
    pub(crate) fn check_memory(&self, program: &Path) -> Result<(), String> {
        let mut command = Command::new("valgrind");
        command.args(["-q", "--error-exitcode=9", "--leak-check=full", "--show-leak-kinds=all"]);
        command.args(["--errors-for-leak-kinds=none"]).arg(program).arg(What::Derivative.argument());
        let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
        let said = String::from_utf8_lossy(&output.stderr);
        match output.status.code() == Some(9) || said.contains("__enzyme_tape") {
            true => Err(format!("{command:?}:\n{said}")),
            false => Ok(()),
        }
    }

    /// Runs a compiled batch.
    pub(crate) fn run(&self, program: &Path, what: What) -> Result<Printed, String> {
        let output = Command::new(program).arg(what.argument()).output();
        let output = output.map_err(|error| format!("{}: {error}", program.display()))?;
        let mut printed = driver::read(&String::from_utf8_lossy(&output.stdout));
        let said = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
        printed.refusal = said.iter().find_map(|text| refusal_at_run_time(text));
        Ok(printed)
    }
}

impl fmt::Display for Toolchain {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "LLVM {}, {} mode, -{}", self.major, self.mode.name(), self.level)
    }
}

/// What a derivative said when it came to a function behind a pointer that cannot be differentiated.
fn refusal_at_run_time(errors: &str) -> Option<String> {
    errors.lines().find(|line| line.contains("EnzymeRS: ")).map(str::to_owned)
}

/// The programs that errors speak of, with the first error of each.
fn refused(errors: &str, cases: &[Case]) -> BTreeMap<u64, String> {
    let mut refused = BTreeMap::new();
    for line in errors.lines().filter(|line| line.contains("error:")) {
        for Case { seed, .. } in cases {
            let names = [format!("{}f", prefix(*seed)), format!("derivative_{seed} "), prefix(*seed)];
            if names.iter().any(|name| mentions(line, name)) {
                refused.entry(*seed).or_insert_with(|| line.to_owned());
            }
        }
    }
    refused
}

/// Whether a name stands in a line where no longer name does: `p1_` is not in `p11_f`.
fn mentions(line: &str, name: &str) -> bool {
    line.match_indices(name).any(|(at, _)| {
        !line[..at].ends_with(|before: char| before.is_ascii_alphanumeric())
            || ["fwddiffe", "fwddiffe3", "diffe", "diffe2", "augmented_", "reverse_", "reverse2_"]
                .iter()
                .any(|derivative| line[..at].ends_with(derivative))
    })
}
