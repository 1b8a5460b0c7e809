//! `cargo xtask bench forward`: every program of `test-suite/bench` in one process, first checked, then measured.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};
use integration::artifacts::Artifacts;
use integration::llvm::Llvm;
use integration::substitution::clang_load;
use integration::workspace_root;

use super::samples::{Measurements, table};
use crate::choice::LlvmChoice;
use crate::requirements::Purpose;
use crate::setup::{self, Installing, parse_choice};
use crate::{build, step};

/// What the file with the driver is called.
const DRIVER: &str = "driver.c";

/// Arguments of `cargo xtask bench forward`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only programs whose name contains one of these
    filters: Vec<String>,
    /// Which LLVM; the newest installed one if not given
    #[arg(long, default_value = "newest", value_parser = parse_choice, hide_default_value = true)]
    llvm: LlvmChoice,
    /// The level of optimisation
    #[arg(short = 'O', default_value = "2", value_parser = ["0", "1", "2", "3", "s", "fast"])]
    optimization: String,
    /// How often everything is measured; the table shows medians
    #[arg(long, default_value_t = 15)]
    rounds: u32,
    /// Another plugin for the same LLVM, to be measured beside ours: NAME=FILE
    #[arg(long, value_name = "NAME=FILE", value_parser = parse_engine)]
    vs: Vec<Engine>,
    #[command(flatten)]
    installing: Installing,
}

/// A plugin that makes derivatives.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Engine {
    name: String,
    plugin: PathBuf,
}

fn parse_engine(text: &str) -> Result<Engine> {
    match text.split_once('=') {
        Some((name, plugin)) if !name.is_empty() && !name.contains(char::is_whitespace) => {
            Ok(Engine { name: name.to_owned(), plugin: plugin.into() })
        }
        Some(_) | None => bail!("expected NAME=FILE, as in other=./LLVMOther-19.so"),
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    setup::ensure(&arguments.llvm, Purpose::Test, arguments.installing)?;
    let llvms = arguments.llvm.installed()?;
    let [llvm] = llvms.as_slice() else { bail!("choose one LLVM: --llvm 22") };
    let artifacts = Artifacts::of_workspace();
    build::everything(llvm, &artifacts)?;
    let ours = Engine { name: "ours".to_owned(), plugin: artifacts.plugin(llvm.major()) };
    let compiler = Compiler {
        clang: llvm.tool("clang").context("clang is not installed")?,
        llvm,
        optimization: &arguments.optimization,
        folder: artifacts.root().join("bench"),
    };
    fs::create_dir_all(&compiler.folder)?;
    let mut objects = vec![compiler.object(&workspace_root().join("test-suite/bench").join(DRIVER), None)?];
    let mut failures = Vec::new();
    for program in programs(&arguments.filters)? {
        for engine in std::iter::once(&ours).chain(&arguments.vs) {
            match compiler.object(&program, Some(engine)) {
                Ok(object) => objects.push(object),
                Err(error) => failures.push(format!("{error:#}")),
            }
        }
    }
    let bench = compiler.link(&objects)?;
    let output = Command::new(&bench).arg(arguments.rounds.to_string()).output()?;
    if output.stdout.is_empty() {
        bail!("{} ended with {} and measured nothing", bench.display(), output.status);
    }
    let measurements = Measurements::read(&String::from_utf8_lossy(&output.stdout));
    print!("{}", table(&measurements));
    for failure in failures.iter().chain(&measurements.wrong) {
        eprintln!("error: {failure}");
    }
    let complete = failures.is_empty() && output.status.success();
    Ok(if complete { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The programs, without the driver, by name.
fn programs(filters: &[String]) -> Result<Vec<PathBuf>> {
    let folder = workspace_root().join("test-suite/bench");
    let mut programs = Vec::new();
    for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let wanted = filters.is_empty() || filters.iter().any(|filter| name.contains(filter.as_str()));
        if name.ends_with(".c") && name != DRIVER && wanted {
            programs.push(path);
        }
    }
    programs.sort();
    if programs.is_empty() {
        bail!("no program in {} has such a name", folder.display());
    }
    Ok(programs)
}

/// How the files are compiled: all in the same way.
struct Compiler<'run> {
    clang: PathBuf,
    llvm: &'run Llvm,
    optimization: &'run str,
    folder: PathBuf,
}

impl Compiler<'_> {
    /// Compiles a file, with the derivatives that an engine makes.
    fn object(&self, source: &Path, engine: Option<&Engine>) -> Result<PathBuf> {
        let stem = source.file_stem().unwrap_or_default().to_string_lossy();
        let name = engine.map_or("driver", |engine| engine.name.as_str());
        let object = self.folder.join(format!("{stem}-{name}.o"));
        let mut command = Command::new(&self.clang);
        command.arg(format!("-O{}", self.optimization)).arg("-c").arg(source).arg("-o").arg(&object);
        if let Some(engine) = engine {
            command.arg(format!("-DENGINE=\"{}\"", engine.name));
            command.args(clang_load(self.llvm, &engine.plugin.display().to_string()).split(' '));
        }
        let output =
            command.output().with_context(|| format!("cannot start {}", step::pasteable(&command)))?;
        if output.status.success() {
            return Ok(object);
        }
        let text = String::from_utf8_lossy(&output.stderr);
        let first = text.lines().find(|line| line.contains("error")).unwrap_or("the compiler failed");
        bail!("{stem} with {name}: {first}\n    {}", step::pasteable(&command));
    }

    fn link(&self, objects: &[PathBuf]) -> Result<PathBuf> {
        let bench = self.folder.join("bench");
        let mut command = Command::new(&self.clang);
        command.args(objects).arg("-lm").arg("-o").arg(&bench);
        step::run("Linking the benchmark", command)?;
        Ok(bench)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_engine_has_a_name_and_a_file() {
        let engine = parse_engine("other=/opt/LLVMOther-19.so").expect("a name and a file");
        assert_eq!(engine, Engine { name: "other".into(), plugin: "/opt/LLVMOther-19.so".into() });
        assert!(parse_engine("/opt/LLVMOther-19.so").is_err());
        assert!(parse_engine("=/opt/LLVMOther-19.so").is_err());
    }

    #[test]
    fn the_driver_is_no_program() {
        let all = programs(&[]).expect("the folder with the programs");
        assert!(all.iter().all(|path| !path.ends_with(DRIVER)), "{all:?}");
        assert!(all.iter().any(|path| path.ends_with("mixture.c")), "{all:?}");
        let some = programs(&["hand".into(), "lstm".into()]).expect("programs of these names");
        assert_eq!(some.len(), 2);
        assert!(programs(&["no-such-program".into()]).is_err());
    }
}
