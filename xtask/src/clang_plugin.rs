//! The plugin by which clang knows our attributes: a few C++ files, compiled against the headers of one clang.

use std::env;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use anyhow::{Context, Result};
use integration::artifacts::Artifacts;
use integration::installation::{VERSION, replace_file};
use integration::llvm::Llvm;
use integration::workspace_root;

use crate::step;

/// Where its sources are.
const SOURCES: &str = "enzyme/llvm/shim/clang";

/// What LLVM's and clang's headers ask of those who include them.
const DEFINITIONS: [&str; 4] =
    ["-D_GNU_SOURCE", "-D__STDC_CONSTANT_MACROS", "-D__STDC_FORMAT_MACROS", "-D__STDC_LIMIT_MACROS"];

/// As LLVM itself is compiled; unoptimised code refers to inline functions that no host exports.
const FLAGS: [&str; 8] = [
    "-shared",
    "-fPIC",
    "-std=c++17",
    "-O2",
    "-fno-rtti",
    "-fno-exceptions",
    "-fvisibility=hidden",
    "-fvisibility-inlines-hidden",
];

/// Builds it in `folder` and puts it in its place; says so when it cannot be built without clang's headers.
pub(crate) fn build(llvm: &Llvm, artifacts: &Artifacts, folder: &Path) -> Result<()> {
    let plugin = artifacts.clang_plugin(llvm.major());
    let headers = llvm.headers().zip(llvm.clang_headers());
    let Some((headers, clang_headers)) = headers else {
        eprintln!("{}", without_headers(llvm.major()));
        return match fs::remove_file(&plugin) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(error).with_context(|| format!("cannot remove {}", plugin.display()))
            }
            Ok(()) | Err(_) => Ok(()),
        };
    };
    let sources = files(&workspace_root().join(SOURCES))?;
    let built = folder.join("libenzyme_clang_plugin.so");
    let mut command = Command::new(env::var_os("CXX").unwrap_or_else(|| "c++".into()));
    command.args(FLAGS).args(DEFINITIONS).args(version_definitions());
    command.arg("-isystem").arg(&headers).arg("-isystem").arg(&clang_headers);
    command
        .args(sources.iter().filter(|source| source.extension().is_some_and(|extension| extension == "cpp")));
    command.arg("-o").arg(&built);
    let recipe = format!("{} {command:?}", llvm.version);
    let recipe_file = folder.join("clang-plugin-recipe");
    let is_the_same = fs::read_to_string(&recipe_file).is_ok_and(|before| before == recipe);
    if !is_the_same || is_older(&built, &sources) {
        fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
        step::run(&format!("Building the plugin for clang {}", llvm.major()), command)?;
        fs::write(&recipe_file, recipe).with_context(|| format!("cannot write {}", recipe_file.display()))?;
    }
    replace_file(&built, &plugin).with_context(|| format!("cannot put {} in its place", built.display()))
}

/// What is said where clang's headers are missing.
fn without_headers(major: u32) -> String {
    format!(
        "note: the plugin for clang {major} (ClangEnzymeRS-{major}.so, by which clang knows our attributes) is left out, \
         because the headers of clang {major} are not here; `{}` installs them, or set CLANG_INCLUDE_DIR",
        setup_command(major)
    )
}

/// What brings the headers.
pub(crate) fn setup_command(major: u32) -> String {
    format!("cargo xtask setup --llvm {major} --extras")
}

/// Our version, for the macros that the plugin defines.
fn version_definitions() -> Vec<String> {
    let names = ["MAJOR", "MINOR", "PATCH"];
    let numbers = names.iter().zip(VERSION.split('.'));
    numbers.map(|(name, number)| format!("-DENZYME_VERSION_{name}={number}")).collect()
}

/// The files of a folder, in a fixed order.
fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut files = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    files.sort();
    Ok(files)
}

/// Whether a file is missing, or older than one of those that it was made of.
fn is_older(built: &Path, sources: &[PathBuf]) -> bool {
    let modified = |path: &Path| -> Option<SystemTime> { path.metadata().ok()?.modified().ok() };
    let Some(built) = modified(built) else { return true };
    sources.iter().any(|source| modified(source).is_none_or(|source| source > built))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_comes_with_the_command_that_brings_it() {
        let said = without_headers(22);
        assert!(said.contains("ClangEnzymeRS-22.so"), "{said}");
        assert!(said.contains("`cargo xtask setup --llvm 22 --extras`"), "{said}");
    }

    #[test]
    fn the_version_has_three_numbers() {
        let definitions = version_definitions();
        assert_eq!(definitions.len(), 3);
        assert!(definitions[1].starts_with("-DENZYME_VERSION_MINOR="), "{definitions:?}");
    }

    #[test]
    fn what_is_made_of_something_newer_or_missing_is_made_again() {
        let folder = env::temp_dir().join(format!("enzymers-clang-plugin-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a temporary folder");
        let (source, built) = (folder.join("a.cpp"), folder.join("a.so"));
        fs::write(&source, "").expect("a source");
        assert!(is_older(&built, std::slice::from_ref(&source)));
        fs::write(&built, "").expect("a plugin");
        assert!(!is_older(&built, std::slice::from_ref(&source)));
        assert!(is_older(&built, &[folder.join("b.cpp")]));
        fs::remove_dir_all(folder).expect("removing it");
    }
}
