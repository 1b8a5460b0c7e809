//! Compiling, linking and running a generated program with one LLVM.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use integration::llvm::Llvm;
use integration::process::{self, Ending};

use crate::program::Program;

/// How long one command may take.
const TIME_LIMIT: Duration = Duration::from_secs(180);

/// How much of a command's output a report shows.
const SHOWN: usize = 8000;

/// How definitions of library functions are compiled: a function that is defined by itself helps nobody.
const MISSING_OPTIONS: &[&str] = &["-O0", "-fno-builtin"];

const CHECK: [(&str, &str); 3] = [
    ("check.h", include_str!("check.h")),
    ("check.c", include_str!("check.c")),
    ("reference.c", include_str!("reference.c")),
];

/// One LLVM with the plugin.
#[derive(Debug)]
pub(crate) struct Toolchain {
    llvm: Llvm,
    plugin: PathBuf,
    scratch: PathBuf,
    /// What every program may call that this machine's libraries lack.
    missing: OnceLock<Program>,
    /// The objects that every program links, and the lines that name the target in IR.
    common: OnceLock<Result<Common, String>>,
}

#[derive(Debug)]
struct Common {
    objects: Vec<PathBuf>,
    target: String,
}

/// What a program printed when it ran.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Coverage {
    pub(crate) functions: usize,
    pub(crate) points: usize,
    pub(crate) edges: usize,
}

impl Toolchain {
    pub(crate) fn new(llvm: Llvm, plugin: PathBuf, scratch: PathBuf) -> Toolchain {
        Toolchain { llvm, plugin, scratch, missing: OnceLock::new(), common: OnceLock::new() }
    }

    pub(crate) fn major(&self) -> u32 {
        self.llvm.major()
    }

    /// The functions that this machine's libraries offer for linking.
    pub(crate) fn offered(&self) -> Result<BTreeSet<String>, String> {
        let mut offered = BTreeSet::new();
        for library in ["libm.so.6", "libc.so.6", "libgcc.a"] {
            let found = self.output(self.clang()?.arg(format!("-print-file-name={library}")))?;
            let dynamic = if library.ends_with(".a") { vec![] } else { vec!["-D"] };
            let mut nm = Command::new(self.tool("llvm-nm")?);
            nm.args(dynamic).args(["--defined-only", "--quiet"]).arg(found.trim());
            let symbols = self.output(&mut nm)?;
            for line in symbols.lines() {
                let mut words = line.split_whitespace().rev();
                let (Some(symbol), Some(_kind), Some(_address)) = (words.next(), words.next(), words.next())
                else {
                    continue;
                };
                // `name@VERSION`, with one `@`, is there for old programs only.
                match symbol.split_once('@') {
                    None => offered.insert(symbol.to_owned()),
                    Some((name, version)) if version.starts_with('@') => offered.insert(name.to_owned()),
                    Some(_) => false,
                };
            }
        }
        Ok(offered)
    }

    /// Sets what every program may call that this machine's libraries lack.
    pub(crate) fn provide(&self, missing: Program) {
        self.missing.get_or_init(|| missing);
    }

    /// Builds and runs a program at each optimisation level; fails with all that went wrong.
    pub(crate) fn run(&self, name: &str, program: &Program, levels: &[&str]) -> Result<Coverage, String> {
        let common = self.common.get_or_init(|| self.build_common()).as_ref().map_err(String::clone)?;
        let folder = self.scratch.join(name);
        fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        let mut libraries = common.objects.clone();
        libraries.push(self.compile(&folder, "missing.c", &program.missing_source(), MISSING_OPTIONS)?);
        if let Some(source) = program.missing_llvm_source() {
            let source = format!("{}{}", common.target, source);
            libraries.push(self.compile(&folder, "missing_vectors.ll", &source, &["-O1"])?);
        }
        let (mut covered, mut failures) = (Coverage::default(), Vec::new());
        for level in levels {
            match self.run_at(level, &folder, program, &common.target, &libraries) {
                Ok(coverage) => covered.add(&coverage),
                Err(failure) => failures.push(format!("at {level}: {failure}")),
            }
        }
        if failures.is_empty() { Ok(covered) } else { Err(failures.join("\n")) }
    }

    fn run_at(
        &self,
        level: &str,
        folder: &Path,
        program: &Program,
        target: &str,
        libraries: &[PathBuf],
    ) -> Result<Coverage, String> {
        let plugin = format!("-fpass-plugin={}", self.plugin.display());
        let options = [level, plugin.as_str()];
        let mut objects = vec![self.compile(folder, "tests.c", &program.c_source(), &options)?];
        if let Some(source) = program.llvm_source() {
            objects.push(self.compile(folder, "tests_llvm.ll", &format!("{target}{source}"), &options)?);
        }
        let executable = folder.join("tests");
        let mut link = self.clang()?;
        link.args(objects).args(libraries).arg("-lm").arg("-o").arg(&executable);
        self.checked(folder, &mut link, "link")?;
        let output = self.checked(folder, &mut Command::new(&executable), "run")?;
        coverage(&output).ok_or_else(|| format!("the program printed no totals:\n{output}"))
    }

    fn build_common(&self) -> Result<Common, String> {
        let folder = self.scratch.join("common");
        fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        for (name, text) in CHECK {
            fs::write(folder.join(name), text).map_err(|error| error.to_string())?;
        }
        let mut objects = Vec::new();
        for name in ["check", "reference"] {
            let object = folder.join(format!("{name}.o"));
            let mut compile = self.clang()?;
            compile.args(["-std=gnu17", "-O1", "-Wall", "-c"]).arg(folder.join(format!("{name}.c")));
            self.checked(&folder, compile.arg("-o").arg(&object), name)?;
            objects.push(object);
        }
        if let Some(missing) = self.missing.get() {
            objects.push(self.compile(&folder, "library.c", &missing.missing_source(), MISSING_OPTIONS)?);
        }
        let empty = folder.join("empty.c");
        fs::write(&empty, "").map_err(|error| error.to_string())?;
        let module = self.output(self.clang()?.args(["-S", "-emit-llvm", "-o", "-"]).arg(&empty))?;
        let target =
            module.lines().filter(|line| line.starts_with("target ")).map(|line| format!("{line}\n"));
        Ok(Common { objects, target: target.collect() })
    }

    fn compile(&self, folder: &Path, name: &str, text: &str, options: &[&str]) -> Result<PathBuf, String> {
        let source = folder.join(name);
        fs::write(&source, text).map_err(|error| error.to_string())?;
        let object = source.with_extension("o");
        let mut command = self.clang()?;
        command.args(options).args(["-w", "-c"]).arg(&source).arg("-I").arg(self.scratch.join("common"));
        if name.ends_with(".c") {
            command.arg("-std=gnu17");
        }
        self.checked(folder, command.arg("-o").arg(&object), name)?;
        Ok(object)
    }

    fn clang(&self) -> Result<Command, String> {
        Ok(Command::new(self.tool("clang")?))
    }

    fn tool(&self, name: &str) -> Result<PathBuf, String> {
        self.llvm.tool(name).ok_or_else(|| format!("LLVM {} has no {name}", self.major()))
    }

    fn output(&self, command: &mut Command) -> Result<String, String> {
        let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
        if !output.status.success() {
            return Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)));
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Runs a command that must succeed; gives what it printed.
    fn checked(&self, folder: &Path, command: &mut Command, step: &str) -> Result<String, String> {
        let log = folder.join(format!("{step}.log"));
        let ending = logged(command, &log).map_err(|error| format!("{command:?}: {error}"))?;
        let output = fs::read_to_string(&log).unwrap_or_default();
        match ending {
            Ending::Exited(0) => Ok(output),
            Ending::Exited(code) => Err(format!("exit code {code} of\n{command:?}\n{}", shortened(&output))),
            Ending::Killed(signal) => {
                Err(format!("signal {signal} killed\n{command:?}\n{}", shortened(&output)))
            }
            Ending::TimedOut => Err(format!("{TIME_LIMIT:?} were not enough for\n{command:?}")),
        }
    }
}

fn logged(command: &mut Command, log: &Path) -> io::Result<Ending> {
    let file = File::create(log)?;
    command.stdout(file.try_clone()?).stderr(file).env("LD_LIBRARY_PATH", OsString::new());
    process::run(command, TIME_LIMIT)
}

impl Coverage {
    /// Counts another program's, or another run's.
    pub(crate) fn add(&mut self, other: &Coverage) {
        self.functions += other.functions;
        self.points += other.points;
        self.edges += other.edges;
    }
}

/// The first lines of a long text, and how many there are.
fn shortened(text: &str) -> String {
    if text.len() <= SHOWN {
        return text.to_owned();
    }
    let mut end = SHOWN;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}\n… {} lines in all", &text[..end], text.lines().count())
}

/// Reads `COVERED 12 functions, 60 points, 4 edges, 0 mismatches`.
fn coverage(output: &str) -> Option<Coverage> {
    let line = output.lines().find_map(|line| line.strip_prefix("COVERED "))?;
    let mut numbers = line.split(", ").filter_map(|part| part.split(' ').next()?.parse().ok());
    Some(Coverage { functions: numbers.next()?, points: numbers.next()?, edges: numbers.next()? })
}
