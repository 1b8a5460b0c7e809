//! `cargo xtask run FILE`: compiles a C or C++ file with the plugin, and runs it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};
use integration::artifacts::Artifacts;
use integration::llvm::Llvm;
use integration::substitution::{clang_load, clang_plugin_load};

use crate::choice::LlvmChoice;
use crate::requirements::Purpose;
use crate::setup::{self, Installing, parse_choice};
use crate::{build, driver, step};

/// Arguments of `cargo xtask run`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The C or C++ file
    file: PathBuf,
    /// Print this function of doubles and its gradient, at the point that the arguments give; for a file
    /// without main
    #[arg(long = "fn", value_name = "FUNCTION")]
    function: Option<String>,
    /// The level of optimisation
    #[arg(short = 'O', default_value = "2", value_parser = ["0", "1", "2", "3", "s", "z", "fast"])]
    optimization: String,
    /// Which LLVM; the newest installed one if not given
    #[arg(long, default_value = "newest", value_parser = parse_choice, hide_default_value = true)]
    llvm: LlvmChoice,
    #[command(flatten)]
    installing: Installing,
    /// Arguments of the program, or the point
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

/// The languages that we compile, by what a file's name ends in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Language {
    C,
    CPlusPlus,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let language = language_of(&arguments.file)?;
    let file = fs::canonicalize(&arguments.file);
    let file = file.with_context(|| format!("cannot read {}", arguments.file.display()))?;
    setup::ensure(&arguments.llvm, Purpose::Use, arguments.installing)?;
    let artifacts = Artifacts::of_workspace();
    let llvms = arguments.llvm.installed()?;
    let [llvm] = llvms.as_slice() else { bail!("`run` takes one LLVM at a time") };
    build::plugin(llvm, &artifacts)?;

    let folder = artifacts.root().join("run");
    fs::create_dir_all(&folder)?;
    let (source, program_arguments) = match &arguments.function {
        Some(function) => (write_driver(&folder, &file, function, arguments)?, Vec::new()),
        None => (file, arguments.arguments.clone()),
    };
    let program = folder.join(source.file_stem().unwrap_or_default());
    let mut compiler = compiler(llvm, language, &artifacts)?;
    compiler.arg(format!("-O{}", arguments.optimization)).arg(&source).arg("-o").arg(&program).arg("-lm");
    step::run(&format!("Compiling {}", source.display()), compiler)?;
    step::exit_code(Command::new(program).args(program_arguments))
}

fn language_of(file: &Path) -> Result<Language> {
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("c") => Ok(Language::C),
        Some("cpp" | "cc" | "cxx" | "C" | "c++") => Ok(Language::CPlusPlus),
        Some(_) | None => bail!("{} is not named like a C or C++ file (.c, .cpp, .cc, .cxx)", file.display()),
    }
}

fn compiler(llvm: &Llvm, language: Language, artifacts: &Artifacts) -> Result<Command> {
    let name = match language {
        Language::C => "clang",
        Language::CPlusPlus => "clang++",
    };
    let path = llvm.tool(name).with_context(|| format!("{name} {} is not installed", llvm.major()))?;
    let mut command = Command::new(path);
    let clang_plugin = artifacts.clang_plugin(llvm.major());
    match clang_plugin.is_file() {
        true => command.arg(clang_plugin_load(&clang_plugin)),
        false => {
            command.args(clang_load(llvm, &artifacts.plugin(llvm.major()).display().to_string()).split(' '))
        }
    };
    if artifacts.headers().is_dir() {
        command.arg("-I").arg(artifacts.headers());
    }
    Ok(command)
}

fn write_driver(folder: &Path, file: &Path, function: &str, arguments: &Arguments) -> Result<PathBuf> {
    let number = |text: &String| text.parse::<f64>().with_context(|| format!("`{text}` is not a number"));
    let point: Vec<f64> = arguments.arguments.iter().map(number).collect::<Result<_>>()?;
    if point.is_empty() {
        bail!(
            "give the point after the function: cargo xtask run {} --fn {function} 1.5",
            arguments.file.display()
        );
    }
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let path = folder.join(format!("gradient-of-{function}-in-{name}"));
    fs::write(&path, driver::source(file, function, &point))?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_comes_from_the_name() {
        assert!(language_of(Path::new("a.c")).is_ok_and(|language| language == Language::C));
        assert!(language_of(Path::new("a.cpp")).is_ok_and(|language| language == Language::CPlusPlus));
        assert!(language_of(Path::new("a.txt")).is_err());
    }
}
