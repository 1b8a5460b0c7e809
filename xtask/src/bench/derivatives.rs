//! `cargo xtask bench forward` and `cargo xtask bench reverse`: every program of `test-suite/bench` in one process, first
//! checked, then measured.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};
use integration::artifacts::Artifacts;
use integration::llvm::Llvm;
use integration::substitution::clang_load;
use integration::workspace_root;

use super::samples::{Column, FORWARD, Measurements, REVERSE, table};
use crate::choice::LlvmChoice;
use crate::requirements::Purpose;
use crate::setup::{self, Installing, parse_choice};
use crate::{build, step};

/// What the file with the driver is called.
const DRIVER: &str = "driver.c";

/// Which derivatives are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Tangents.
    Forward,
    /// Gradients.
    Reverse,
}

impl Mode {
    /// What the driver calls it.
    fn word(self) -> &'static str {
        match self {
            Mode::Forward => "forward",
            Mode::Reverse => "reverse",
        }
    }

    /// What the programs are compiled with.
    fn define(self) -> Option<&'static str> {
        match self {
            Mode::Forward => None,
            Mode::Reverse => Some("-DREVERSE"),
        }
    }

    fn columns(self) -> &'static [Column] {
        match self {
            Mode::Forward => &FORWARD,
            Mode::Reverse => &REVERSE,
        }
    }
}

/// Arguments of `cargo xtask bench forward` and `reverse`.
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

impl Engine {
    /// What is said of a program that it cannot differentiate.
    fn title(&self, source: &Path) -> String {
        format!("{} with {}", source.file_stem().unwrap_or_default().to_string_lossy(), self.name)
    }
}

fn parse_engine(text: &str) -> Result<Engine> {
    match text.split_once('=') {
        Some((name, plugin)) if !name.is_empty() && !name.contains(char::is_whitespace) => {
            Ok(Engine { name: name.to_owned(), plugin: plugin.into() })
        }
        Some(_) | None => bail!("expected NAME=FILE, as in other=./LLVMOther-19.so"),
    }
}

pub(super) fn run(arguments: &Arguments, mode: Mode) -> Result<ExitCode> {
    setup::ensure(&arguments.llvm, Purpose::Test, arguments.installing)?;
    let llvms = arguments.llvm.installed()?;
    let [llvm] = llvms.as_slice() else { bail!("choose one LLVM: --llvm 22") };
    let artifacts = Artifacts::of_workspace();
    build::everything(llvm, &artifacts)?;
    let ours = Engine { name: "ours".to_owned(), plugin: artifacts.plugin(llvm.major()) };
    let compiler = Compiler {
        clang_program: llvm.tool("clang").context("clang is not installed")?,
        llvm,
        optimization: &arguments.optimization,
        mode,
        folder: artifacts.root().join("bench").join(mode.word()),
    };
    fs::create_dir_all(&compiler.folder)?;
    let mut objects = vec![compiler.driver(&workspace_root().join("test-suite/bench").join(DRIVER))?];
    let mut failures = Vec::new();
    for program in programs(&arguments.filters)? {
        let others = arguments.vs.iter().map(|engine| compiler.with_other(&program, engine));
        for object in std::iter::once(compiler.with_ours(&program, &ours)).chain(others) {
            match object {
                Ok(object) => objects.push(object),
                Err(error) => failures.push(format!("{error:#}")),
            }
        }
    }
    let bench = compiler.link(&objects)?;
    let output = Command::new(&bench).arg(arguments.rounds.to_string()).arg(mode.word()).output()?;
    if output.stdout.is_empty() {
        bail!("{} ended with {} and measured nothing", bench.display(), output.status);
    }
    let measurements = Measurements::read(&String::from_utf8_lossy(&output.stdout));
    print!("{}", table(&measurements, mode.columns()));
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
    clang_program: PathBuf,
    llvm: &'run Llvm,
    optimization: &'run str,
    mode: Mode,
    folder: PathBuf,
}

impl Compiler<'_> {
    /// Compiles the driver, which asks for no derivative.
    fn driver(&self, source: &Path) -> Result<PathBuf> {
        let object = self.folder.join("driver.o");
        self.succeed(self.clang(source, &object), "the driver")?;
        Ok(object)
    }

    /// Compiles a program with our plugin, as users do.
    fn with_ours(&self, source: &Path, engine: &Engine) -> Result<PathBuf> {
        let object = self.output(source, engine, "o");
        let mut command = self.program(source, &object, engine);
        command.args(clang_load(self.llvm, &engine.plugin.display().to_string()).split(' '));
        self.succeed(command, &engine.title(source))?;
        Ok(object)
    }

    /// Compiles a program with another plugin, of which no more is known than that it has a pass `enzyme`: where clang
    /// would run it, between simplification and vectorisation.
    fn with_other(&self, source: &Path, engine: &Engine) -> Result<PathBuf> {
        let [plain, differentiated, object] =
            ["bc", "opt.bc", "o"].map(|end| self.output(source, engine, end));
        let title = engine.title(source);
        let level = if self.optimization == "fast" { "3" } else { self.optimization };
        let mut command = self.program(source, &plain, engine);
        command.args(["-emit-llvm", "-Xclang", "-disable-llvm-passes"]);
        self.succeed(command, &title)?;
        let mut command = Command::new(self.llvm.tool("opt").context("opt is not installed")?);
        command
            .arg(format!("-load-pass-plugin={}", engine.plugin.display()))
            .arg(format!("-passes=thinlto-pre-link<O{level}>,enzyme,default<O{level}>"))
            .arg(&plain)
            .arg("-o")
            .arg(&differentiated);
        self.succeed(command, &title)?;
        let mut command = self.clang(&differentiated, &object);
        command.args(["-Xclang", "-disable-llvm-passes"]);
        self.succeed(command, &title)?;
        Ok(object)
    }

    fn output(&self, source: &Path, engine: &Engine, extension: &str) -> PathBuf {
        let stem = source.file_stem().unwrap_or_default().to_string_lossy();
        self.folder.join(format!("{stem}-{}.{extension}", engine.name))
    }

    fn program(&self, source: &Path, to: &Path, engine: &Engine) -> Command {
        let mut command = self.clang(source, to);
        command.arg("-I").arg(Artifacts::of_workspace().headers());
        command.arg(format!("-DENGINE=\"{}\"", engine.name)).args(self.mode.define());
        command
    }

    fn clang(&self, source: &Path, to: &Path) -> Command {
        let mut command = Command::new(&self.clang_program);
        command.arg(format!("-O{}", self.optimization)).arg("-c").arg(source).arg("-o").arg(to);
        command
    }

    /// Runs a command; when it fails, the error has the first of its own.
    fn succeed(&self, mut command: Command, title: &str) -> Result<()> {
        let output =
            command.output().with_context(|| format!("cannot start {}", step::pasteable(&command)))?;
        if output.status.success() {
            return Ok(());
        }
        let text = String::from_utf8_lossy(&output.stderr);
        let first = text.lines().find(|line| line.contains("error")).unwrap_or("the command failed");
        bail!("{title}: {first}\n    {}", step::pasteable(&command));
    }

    fn link(&self, objects: &[PathBuf]) -> Result<PathBuf> {
        let bench = self.folder.join("bench");
        let mut command = Command::new(&self.clang_program);
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
