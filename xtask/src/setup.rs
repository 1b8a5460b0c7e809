//! `cargo xtask setup`: finds what is needed, and installs what is missing.

use std::process::{Command, ExitCode};

use anyhow::{Result, bail};
use integration::llvm::find_on_path;

use crate::choice::LlvmChoice;
use crate::requirements::{self, Purpose, install_command, missing_packages};
use crate::step;

/// Arguments of `cargo xtask setup`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Which LLVM: 22, or 15,19, or all; the newest installed one if not given
    #[arg(long, default_value = "newest", value_parser = parse_choice, hide_default_value = true)]
    llvm: LlvmChoice,
    /// Also what not everyone needs: clang's headers, for its plugin; the Fortran compiler; Nix
    #[arg(long)]
    extras: bool,
    #[command(flatten)]
    installing: Installing,
}

/// The option shared by every command that may have to install something.
#[derive(clap::Args, Clone, Copy)]
pub(crate) struct Installing {
    /// Only say what is missing, install nothing
    #[arg(long = "no-install")]
    forbidden: bool,
}

/// Reads `--llvm`; the default's name is not for typing, but harmless.
pub(crate) fn parse_choice(text: &str) -> Result<LlvmChoice> {
    if text == "newest" { Ok(LlvmChoice::Newest) } else { text.parse() }
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let purpose = if arguments.extras { Purpose::Extra } else { Purpose::Test };
    ensure(&arguments.llvm, purpose, arguments.installing)?;
    let releases = arguments.llvm.releases();
    let majors: Vec<String> = releases.iter().map(|release| release.major.to_string()).collect();
    println!("All that is needed for LLVM {} is there.", majors.join(", "));
    Ok(ExitCode::SUCCESS)
}

/// Makes sure that what a purpose needs is there, by installing it if that is allowed.
pub(crate) fn ensure(choice: &LlvmChoice, purpose: Purpose, installing: Installing) -> Result<()> {
    let missing = || missing_packages(&requirements::all(&choice.releases(), purpose));
    let packages = missing();
    if packages.is_empty() {
        return Ok(());
    }
    if installing.forbidden {
        bail!("something is missing; this installs it:\n    {}", install_command(&packages));
    }
    install(&packages)?;
    match missing() {
        still if still.is_empty() => Ok(()),
        still => bail!(
            "installed, but still not found: {}; `cargo xtask doctor` shows the details",
            still.join(", ")
        ),
    }
}

fn install(packages: &[String]) -> Result<()> {
    if find_on_path("apt-get").is_none() {
        bail!(
            "something is missing, and this system has no apt-get; install what these Debian packages hold:\n    {}",
            packages.join(" ")
        );
    }
    eprintln!("Installing with apt-get: {}", packages.join(" "));
    // A package source of the machine's that is out of order must not stop us: what counts is the installation.
    let mut update = apt_get()?;
    update.arg("update");
    if let Err(error) = step::run("Reading the lists of packages", update) {
        eprintln!("warning: {error:#}");
    }
    let mut command = apt_get()?;
    command.args(["install", "-y", "--no-install-recommends"]).args(packages);
    step::run("Installing packages", command)
}

/// `apt-get` that asks no questions, through sudo for those who are not root.
fn apt_get() -> Result<Command> {
    let mut command = if is_root() {
        Command::new("apt-get")
    } else if let Some(sudo) = find_on_path("sudo") {
        let mut command = Command::new(sudo);
        command.args(["DEBIAN_FRONTEND=noninteractive", "apt-get"]);
        command
    } else {
        bail!("packages must be installed, which takes root or sudo");
    };
    command.env("DEBIAN_FRONTEND", "noninteractive");
    Ok(command)
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.starts_with(b"0\n"))
}
