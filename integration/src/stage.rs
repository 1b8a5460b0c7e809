//! The small programs that stand in a test's pipelines.
//!
//! A harness calls itself as `<harness> <stage> <arguments>`; [`Launcher`] writes that command.

use std::env;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use crate::artifacts::Artifacts;
use crate::installation;
use crate::opaque::rewrite_expectations;

/// The variable that makes `%diff-expected` write instead of compare.
pub const BLESS_VARIABLE: &str = "ENZYME_TEST_BLESS";

/// How a harness starts one of its stages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launcher {
    program: PathBuf,
    arguments: &'static str,
}

impl Launcher {
    /// The running program, which takes a stage after these arguments.
    pub fn current(arguments: &'static str) -> io::Result<Self> {
        Ok(Self { program: env::current_exe()?, arguments })
    }

    /// The command that starts a stage, for a shell.
    pub fn command(&self, stage: Stage, arguments: &str) -> String {
        format!("{} {} {arguments}", self.prefix(), stage.name())
    }

    /// The same without the stage's name.
    pub fn prefix(&self) -> String {
        format!("'{}' {}", self.program.display(), self.arguments)
    }
}

/// One of the programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// `diff-expected TEST MAJOR [NAME]`: compares its input with `TEST.NAME.expected`.
    DiffExpected,
    /// `opaque-filecheck FILECHECK ARGUMENTS`: FileCheck, with the expectations made opaque.
    OpaqueFileCheck,
    /// `valid-ir OPT ARGUMENTS`: in FileCheck's place, asks only that IR in its input is valid.
    ValidIr,
    /// `install PREFIX MAJOR`: installs what has been built.
    Install,
}

impl Stage {
    const ALL: [Self; 4] = [Self::DiffExpected, Self::OpaqueFileCheck, Self::ValidIr, Self::Install];

    fn name(self) -> &'static str {
        match self {
            Self::DiffExpected => "diff-expected",
            Self::OpaqueFileCheck => "opaque-filecheck",
            Self::ValidIr => "valid-ir",
            Self::Install => "install",
        }
    }

    fn run(self, arguments: &[String]) -> io::Result<ExitCode> {
        match self {
            Self::DiffExpected => diff_expected(arguments),
            Self::OpaqueFileCheck => opaque_filecheck(arguments),
            Self::ValidIr => valid_ir(arguments),
            Self::Install => install(arguments),
        }
    }
}

/// Runs the stage named by the first argument, with the rest; its exit code is the process's.
pub fn run(arguments: &[String]) -> ExitCode {
    let named = arguments.split_first().and_then(|(name, rest)| {
        Stage::ALL.into_iter().find(|stage| stage.name() == name).map(|stage| (stage, rest))
    });
    let Some((stage, rest)) = named else {
        eprintln!("there is no stage {arguments:?}");
        return ExitCode::from(2);
    };
    stage.run(rest).unwrap_or_else(|error| {
        eprintln!("{}: {error}", stage.name());
        ExitCode::from(2)
    })
}

fn diff_expected(arguments: &[String]) -> io::Result<ExitCode> {
    let [test, major, names @ ..] = arguments else { return Err(usage("TEST MAJOR [NAME]")) };
    let mut input = String::new();
    io::stdin().read_to_string(&mut input)?;
    let actual = normalise(&input, Path::new(test));
    let file = expected_file(test, major, names.first().map(String::as_str));
    if env::var_os(BLESS_VARIABLE).is_some() {
        fs::write(&file, actual)?;
        return Ok(ExitCode::SUCCESS);
    }
    let expected = fs::read_to_string(&file).map_err(|error| {
        io::Error::new(
            error.kind(),
            format!("{}: {error} (`cargo xtask test --bless` writes it)", file.display()),
        )
    })?;
    if expected == actual {
        return Ok(ExitCode::SUCCESS);
    }
    let mut diff = Command::new("diff");
    diff.args(["-u", "--label", "expected", "--label", "actual"]).arg(&file).arg("-").stdin(Stdio::piped());
    let mut diff = diff.spawn()?;
    if let Some(mut pipe) = diff.stdin.take() {
        pipe.write_all(actual.as_bytes())?;
    }
    diff.wait()?;
    eprintln!("the output differs from {}; `cargo xtask test --bless` accepts it", file.display());
    Ok(ExitCode::FAILURE)
}

/// `square.ll.expected`, or the file for this LLVM alone where there is one: `square.ll.19.expected`.
fn expected_file(test: &str, major: &str, name: Option<&str>) -> PathBuf {
    let base = name.map_or_else(|| test.to_owned(), |name| format!("{test}.{name}"));
    let for_version = PathBuf::from(format!("{base}.{major}.expected"));
    if for_version.is_file() { for_version } else { format!("{base}.expected").into() }
}

/// Leaves out what depends on where the suite lies, not on what was computed.
fn normalise(text: &str, test: &Path) -> String {
    let folder = test.parent().unwrap_or(test).display().to_string();
    let kept = text
        .lines()
        .filter(|line| !line.starts_with("; ModuleID = ") && !line.starts_with("source_filename = "));
    let lines: Vec<String> = kept.map(|line| line.replace(&folder, "%S").trim_end().to_owned()).collect();
    lines.join("\n").trim_start_matches('\n').to_owned() + "\n"
}

fn opaque_filecheck(arguments: &[String]) -> io::Result<ExitCode> {
    let [program, arguments @ ..] = arguments else { return Err(usage("FILECHECK ARGUMENTS")) };
    let mut arguments = arguments.to_vec();
    let mut copy = None;
    if let Some(position) = check_file_position(&arguments) {
        let text = String::from_utf8_lossy(&fs::read(&arguments[position])?).into_owned();
        let path = env::temp_dir().join(format!("opaque-{}.check", std::process::id()));
        fs::write(&path, rewrite_expectations(&text))?;
        arguments[position] = path.display().to_string();
        copy = Some(path);
    }
    let status = Command::new(program).args(&arguments).status()?;
    copy.map(fs::remove_file).transpose()?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// FileCheck's one positional argument is the file with the expectations.
fn check_file_position(arguments: &[String]) -> Option<usize> {
    let takes_value = ["input-file", "check-prefix", "check-prefixes", "prefix", "implicit-check-not"];
    let is_value = |position: usize| {
        position > 0
            && takes_value.contains(&arguments[position - 1].trim_start_matches('-'))
            && arguments[position - 1].starts_with('-')
    };
    (0..arguments.len()).find(|position| !arguments[*position].starts_with('-') && !is_value(*position))
}

fn valid_ir(arguments: &[String]) -> io::Result<ExitCode> {
    let [opt, arguments @ ..] = arguments else { return Err(usage("OPT ARGUMENTS")) };
    let input = read_checked_input(arguments)?;
    if !looks_like_ir(&input) {
        return Ok(ExitCode::SUCCESS);
    }
    let mut command = Command::new(opt);
    command.args(["-passes=verify", "-disable-output", "-"]).stdin(Stdio::piped());
    let mut verifier = command.spawn()?;
    if let Some(mut pipe) = verifier.stdin.take() {
        pipe.write_all(&input)?;
    }
    Ok(if verifier.wait()?.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What FileCheck would have checked: the file it is given with `--input-file`, or its input.
fn read_checked_input(arguments: &[String]) -> io::Result<Vec<u8>> {
    let mut file = None;
    for (position, argument) in arguments.iter().enumerate() {
        match argument.trim_start_matches('-').split_once('=') {
            Some(("input-file", path)) => file = Some(path.to_owned()),
            None if argument.trim_start_matches('-') == "input-file" => {
                file = arguments.get(position + 1).cloned()
            }
            Some(_) | None => {}
        }
    }
    match file {
        Some(path) if path != "-" => fs::read(path),
        Some(_) | None => {
            let mut input = Vec::new();
            io::stdin().read_to_end(&mut input)?;
            Ok(input)
        }
    }
}

/// Whether text is a module of LLVM IR, rather than a program's or a printer's output.
fn looks_like_ir(input: &[u8]) -> bool {
    if input.starts_with(b"BC\xC0\xDE") {
        return true;
    }
    let text = String::from_utf8_lossy(input);
    let is_ir_line = |line: &str| {
        let starts = ["; ModuleID = ", "source_filename = ", "target datalayout = ", "target triple = "];
        starts.iter().any(|start| line.starts_with(start))
            || (line.starts_with("define ") && line.contains('@') && line.ends_with('{'))
    };
    text.lines().any(is_ir_line)
}

fn install(arguments: &[String]) -> io::Result<ExitCode> {
    let [prefix, majors @ ..] = arguments else { return Err(usage("PREFIX MAJOR…")) };
    let majors: Result<Vec<u32>, _> = majors.iter().map(|major| major.parse()).collect();
    let majors = majors.map_err(|_| usage("PREFIX MAJOR…"))?;
    installation::install(&Artifacts::of_workspace(), &majors, Path::new(prefix))?;
    Ok(ExitCode::SUCCESS)
}

fn usage(arguments: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, format!("the arguments are {arguments}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn the_file_with_expectations_is_found_among_the_arguments() {
        assert_eq!(check_file_position(&words("--check-prefix A t.ll")), Some(2));
        assert_eq!(check_file_position(&words("t.ll --input-file x")), Some(0));
        assert_eq!(check_file_position(&words("--check-prefix=A -input-file x t.ll")), Some(3));
        assert_eq!(check_file_position(&words("--dump-input=always")), None);
    }

    #[test]
    fn only_modules_look_like_ir() {
        assert!(looks_like_ir(b"BC\xC0\xDE\x00"));
        assert!(looks_like_ir(b"; ModuleID = 'x'\n"));
        assert!(looks_like_ir(b"\ndefine double @f(double %x) {\n"));
        assert!(!looks_like_ir(b"f(3.0) = 9.0\n"));
        assert!(!looks_like_ir(b"double %x: {[-1]:Float@double}\n"));
        assert!(!looks_like_ir(b""));
    }

    #[test]
    fn the_place_of_the_suite_is_left_out() {
        let text = "; ModuleID = '/suite/a.ll'\nsource_filename = \"a\"\n\n!0 = \"/suite/a.ll\"  \n";
        assert_eq!(normalise(text, Path::new("/suite/a.ll")), "!0 = \"%S/a.ll\"\n");
    }

    #[test]
    fn an_expectation_for_one_llvm_goes_first() {
        let folder = env::temp_dir().join(format!("enzymers-expected-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let test = folder.join("a.ll").display().to_string();
        assert_eq!(expected_file(&test, "19", None), PathBuf::from(format!("{test}.expected")));
        let special = PathBuf::from(format!("{test}.plan.19.expected"));
        fs::write(&special, "").expect("a file");
        assert_eq!(expected_file(&test, "19", Some("plan")), special);
        assert_eq!(expected_file(&test, "22", Some("plan")), PathBuf::from(format!("{test}.plan.expected")));
        fs::remove_dir_all(folder).expect("removing it");
    }
}
