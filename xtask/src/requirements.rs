//! What a machine must have, what of it this one has, and the Debian package that brings the rest.

use std::path::{Path, PathBuf};
use std::process::Command;

use integration::llvm::{Llvm, Release, find_on_path};

/// What someone wants to do; each needs what the ones before it need, and more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Purpose {
    /// Build the plugin.
    Build,
    /// Compile and link programs with it.
    Use,
    /// Run all tests.
    Test,
    /// Run tests of what not everyone uses.
    Extra,
}

/// One thing that must be there.
#[derive(Clone, Debug)]
pub(crate) struct Requirement {
    /// What it is called.
    pub(crate) name: String,
    /// From which purpose on it is needed.
    pub(crate) purpose: Purpose,
    /// The Debian package it is in.
    pub(crate) package: String,
    /// Where it is, if it is there.
    pub(crate) found: Option<Found>,
}

/// Something that is there.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    /// Where.
    pub(crate) path: PathBuf,
    /// Which version.
    pub(crate) version: String,
}

/// The first LLVM whose Fortran compiler loads plugins as we need it.
const FIRST_WITH_FLANG: u32 = 22;

/// What every LLVM needs in common.
pub(crate) fn common() -> Vec<Requirement> {
    vec![
        program("c++", Purpose::Build, "g++"),
        program("cmake", Purpose::Test, "cmake"),
        program("python3", Purpose::Test, "python3"),
        program("nix-instantiate", Purpose::Extra, "nix-bin"),
    ]
}

/// What is needed of one LLVM.
pub(crate) fn of_llvm(release: Release) -> Vec<Requirement> {
    let major = release.major;
    let llvm = Llvm::find(release);
    let found = |llvm: &Llvm, path| Found { path, version: llvm.version.clone() };
    let tool = |name: &str, purpose, package: String| Requirement {
        name: format!("{name} {major}"),
        purpose,
        package,
        found: llvm.as_ref().and_then(|llvm| Some(found(llvm, llvm.tool(name)?))),
    };
    let headers = llvm.as_ref().filter(|llvm| llvm.headers().is_some());
    let clang_headers = llvm.as_ref().and_then(|llvm| Some(found(llvm, llvm.clang_headers()?)));
    let mut requirements = vec![
        Requirement {
            name: format!("LLVM {major}"),
            purpose: Purpose::Build,
            package: format!("llvm-{major}-dev"),
            found: headers.map(|llvm| found(llvm, llvm.config.clone())),
        },
        tool("clang", Purpose::Use, format!("clang-{major}")),
        tool("ld.lld", Purpose::Use, format!("lld-{major}")),
        // Without them, only the plugin for clang is not built.
        Requirement {
            name: format!("clang headers {major}"),
            purpose: Purpose::Extra,
            package: format!("libclang-{major}-dev"),
            found: clang_headers,
        },
        tool("opt", Purpose::Test, format!("llvm-{major}")),
        tool("lli", Purpose::Test, format!("llvm-{major}-runtime")),
        tool("FileCheck", Purpose::Test, format!("llvm-{major}-tools")),
        tool("not", Purpose::Test, format!("llvm-{major}-tools")),
    ];
    if release.major >= FIRST_WITH_FLANG {
        requirements.push(tool("flang", Purpose::Extra, format!("flang-{major}")));
    }
    requirements
}

/// Everything that is needed for a purpose, with these LLVMs.
pub(crate) fn all(releases: &[Release], purpose: Purpose) -> Vec<Requirement> {
    let of_releases = releases.iter().flat_map(|release| of_llvm(*release));
    common().into_iter().chain(of_releases).filter(|requirement| requirement.purpose <= purpose).collect()
}

/// The packages that bring what is missing, each once.
pub(crate) fn missing_packages(requirements: &[Requirement]) -> Vec<String> {
    let missing = requirements.iter().filter(|requirement| requirement.found.is_none());
    let mut packages: Vec<String> = missing.map(|requirement| requirement.package.clone()).collect();
    packages.sort();
    packages.dedup();
    packages
}

/// The command that installs packages, as one types it.
pub(crate) fn install_command(packages: &[String]) -> String {
    format!("apt-get update && apt-get install -y {}", packages.join(" "))
}

fn program(name: &str, purpose: Purpose, package: &str) -> Requirement {
    let found = find_on_path(name).map(|path| Found { version: version_of(&path), path });
    Requirement { name: name.to_owned(), purpose, package: package.to_owned(), found }
}

/// The first word in a program's `--version` that looks like a version.
pub(crate) fn version_of(program: &Path) -> String {
    let output = Command::new(program).arg("--version").output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let is_version = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit()) && word.contains('.');
    let word = text.split_whitespace().find(is_version).unwrap_or("?");
    word.trim_end_matches([',', ')']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use integration::llvm::SUPPORTED;

    #[test]
    fn a_purpose_includes_the_ones_before_it() {
        let names = |purpose| {
            let requirements = all(&SUPPORTED[3..], purpose);
            requirements.into_iter().map(|requirement| requirement.name).collect::<Vec<_>>()
        };
        assert_eq!(names(Purpose::Build), ["c++", "LLVM 22"]);
        assert_eq!(names(Purpose::Use), ["c++", "LLVM 22", "clang 22", "ld.lld 22"]);
        assert!(names(Purpose::Test).contains(&"FileCheck 22".to_owned()));
        for only_extra in ["flang 22", "clang headers 22"] {
            assert!(!names(Purpose::Test).contains(&only_extra.to_owned()));
            assert!(names(Purpose::Extra).contains(&only_extra.to_owned()));
        }
    }

    #[test]
    fn each_missing_package_is_named_once() {
        let requirement = |package: &str, found: bool| Requirement {
            name: String::new(),
            purpose: Purpose::Build,
            package: package.to_owned(),
            found: found.then(|| Found { path: PathBuf::new(), version: String::new() }),
        };
        let all = [
            requirement("b", false),
            requirement("a", false),
            requirement("b", false),
            requirement("c", true),
        ];
        assert_eq!(missing_packages(&all), ["a", "b"]);
        assert_eq!(install_command(&missing_packages(&all)), "apt-get update && apt-get install -y a b");
    }
}
