//! `cargo xtask doctor`: what is found, where, which version, and what mends the rest.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use integration::artifacts::Artifacts;
use integration::llvm::{Llvm, Release, SUPPORTED};

use crate::choice::LlvmChoice;
use crate::clang_plugin;
use crate::requirements::{self, Found, Purpose, Requirement, install_command, version_of};
use crate::setup::parse_choice;

/// Arguments of `cargo xtask doctor`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Which LLVMs must be there: 22, or 15,19, or all; one of them if not given
    #[arg(long, default_value = "newest", value_parser = parse_choice, hide_default_value = true)]
    llvm: LlvmChoice,
}

/// One line of the table.
struct Row {
    what: String,
    version: String,
    place: String,
    mending: Option<Mending>,
}

/// How to mend what is missing, and whether one must.
enum Mending {
    Needed(String),
    Optional(String),
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let needed = arguments.llvm.releases();
    let mut rows = vec![rust()];
    rows.extend(requirements::common().iter().map(|requirement| row(requirement, Purpose::Test)));
    for release in SUPPORTED {
        rows.extend(of_release(release, &needed));
    }
    print(&rows);
    let commands: Vec<&String> = rows.iter().filter_map(|row| row.needed()).collect();
    if commands.is_empty() {
        println!("\nAll that is needed is there.");
        return Ok(ExitCode::SUCCESS);
    }
    println!("\nThis mends what is missing:\n    {}", setup_command(&arguments.llvm));
    Ok(ExitCode::FAILURE)
}

impl Row {
    fn needed(&self) -> Option<&String> {
        match &self.mending {
            Some(Mending::Needed(command)) => Some(command),
            Some(Mending::Optional(_)) | None => None,
        }
    }
}

fn setup_command(choice: &LlvmChoice) -> String {
    match choice {
        LlvmChoice::Newest => "cargo xtask setup".to_owned(),
        LlvmChoice::All => "cargo xtask setup --llvm all".to_owned(),
        LlvmChoice::These(releases) => {
            let majors: Vec<String> = releases.iter().map(|release| release.major.to_string()).collect();
            format!("cargo xtask setup --llvm {}", majors.join(","))
        }
    }
}

/// Cargo runs us, so that Rust is there; its version is worth knowing.
fn rust() -> Row {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let place = integration::llvm::find_on_path("rustc");
    Row {
        what: "rustc".into(),
        version: version_of(rustc.as_ref()),
        place: place.map_or_else(|| "through cargo".into(), |path| path.display().to_string()),
        mending: None,
    }
}

/// The lines of one LLVM: all of them where it is needed or partly there, a single one elsewhere.
fn of_release(release: Release, needed: &[Release]) -> Vec<Row> {
    let is_needed = needed.contains(&release);
    let least = if is_needed { Purpose::Test } else { Purpose::Build };
    let requirements = requirements::of_llvm(release);
    if !is_needed && Llvm::find(release).is_none() {
        let packages: Vec<String> =
            requirements.iter().take(1).map(|requirement| requirement.package.clone()).collect();
        let mending = Some(Mending::Optional(install_command(&packages)));
        return vec![Row {
            what: format!("LLVM {}", release.major),
            version: String::new(),
            place: String::new(),
            mending,
        }];
    }
    let mut rows: Vec<Row> = requirements
        .iter()
        .map(|requirement| match (row(requirement, least), is_needed) {
            (Row { mending: Some(Mending::Needed(command)), what, version, place }, false) => {
                Row { what, version, place, mending: Some(Mending::Optional(command)) }
            }
            (row, _) => row,
        })
        .collect();
    rows.extend(plugins(release));
    rows
}

/// The plugins, which are no requirement: `cargo xtask` builds them when they are wanted.
fn plugins(release: Release) -> [Row; 2] {
    let major = release.major;
    let artifacts = Artifacts::of_workspace();
    let build = format!("cargo xtask build --llvm {major}");
    let has_clang_headers = Llvm::find(release).is_some_and(|llvm| llvm.clang_headers().is_some());
    let build_for_clang = match has_clang_headers {
        true => build.clone(),
        false => format!("{} && {build}", clang_plugin::setup_command(major)),
    };
    [
        built("our plugin", &artifacts.plugin(major), major, build),
        built("our clang plugin", &artifacts.clang_plugin(major), major, build_for_clang),
    ]
}

/// The line of something that we build.
fn built(name: &str, path: &Path, major: u32, command: String) -> Row {
    let is_built = path.is_file();
    Row {
        what: format!("{name} {major}"),
        version: if is_built { integration::installation::VERSION.into() } else { String::new() },
        place: if is_built { path.display().to_string() } else { String::new() },
        mending: (!is_built).then_some(Mending::Optional(command)),
    }
}

fn row(requirement: &Requirement, needed_up_to: Purpose) -> Row {
    let what = requirement.name.clone();
    match &requirement.found {
        Some(Found { path, version }) => {
            Row { what, version: version.clone(), place: path.display().to_string(), mending: None }
        }
        None => {
            let command = install_command(std::slice::from_ref(&requirement.package));
            let is_needed = requirement.purpose <= needed_up_to;
            let mending = if is_needed { Mending::Needed(command) } else { Mending::Optional(command) };
            Row { what, version: String::new(), place: String::new(), mending: Some(mending) }
        }
    }
}

fn print(rows: &[Row]) {
    let width = |cell: fn(&Row) -> &str| rows.iter().map(|row| cell(row).len()).max().unwrap_or(0);
    let (what_width, version_width) = (width(|row| &row.what), width(|row| &row.version));
    for row in rows {
        let (mark, last) = match &row.mending {
            None => ("found   ", row.place.clone()),
            Some(Mending::Needed(command)) => ("MISSING ", command.clone()),
            Some(Mending::Optional(command)) => ("optional", command.clone()),
        };
        let (what, version) = (&row.what, &row.version);
        println!("{mark}  {what:what_width$}  {version:version_width$}  {last}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn requirement(purpose: Purpose) -> Requirement {
        Requirement { name: "clang 22".into(), purpose, package: "clang-22".into(), found: None }
    }

    #[test]
    fn what_is_missing_and_needed_comes_with_its_command() {
        let needed = row(&requirement(Purpose::Use), Purpose::Test);
        assert_eq!(
            needed.needed().map(String::as_str),
            Some("apt-get update && apt-get install -y clang-22")
        );
        assert_eq!(row(&requirement(Purpose::Extra), Purpose::Test).needed(), None);
    }

    #[test]
    fn what_is_not_built_yet_is_nothing_that_must_be_mended() {
        let missing = built("our clang plugin", Path::new("/no/such/file"), 22, "cargo xtask build".into());
        assert_eq!(missing.what, "our clang plugin 22");
        assert_eq!(missing.needed(), None);
        assert!(
            matches!(missing.mending, Some(Mending::Optional(command)) if command == "cargo xtask build")
        );
    }

    #[test]
    fn the_setup_command_names_the_same_llvms() {
        assert_eq!(setup_command(&LlvmChoice::Newest), "cargo xtask setup");
        let both = LlvmChoice::These(vec![SUPPORTED[0], SUPPORTED[2]]);
        assert_eq!(setup_command(&both), "cargo xtask setup --llvm 15,19");
    }
}
