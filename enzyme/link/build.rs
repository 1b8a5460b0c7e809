//! Finds the LLVM this build is for and links its shared library.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The LLVM versions a build can be for: the feature's name in cargo's environment, and the major version.
const VERSIONS: [(&str, u32); 4] = [("LLVM15_0", 15), ("LLVM16_0", 16), ("LLVM19_1", 19), ("LLVM22_1", 22)];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=LLVM_CONFIG");
    let selected =
        VERSIONS.iter().find(|(feature, _)| env::var_os(format!("CARGO_FEATURE_{feature}")).is_some());
    let Some((_, major)) = selected else {
        // Without a version there is nothing to link; `enzyme-llvm` says so.
        return;
    };
    let libdir = find_libdir(*major);
    println!("cargo::rustc-link-search=native={libdir}");
    println!("cargo::rustc-link-lib=dylib=LLVM-{major}");
    println!("cargo::metadata=LIBDIR={libdir}");
}

/// The folder that holds `libLLVM-<major>.so`.
fn find_libdir(major: u32) -> String {
    let candidates = match env::var_os("LLVM_CONFIG") {
        Some(path) => vec![PathBuf::from(path)],
        None => vec![
            PathBuf::from(format!("llvm-config-{major}")),
            PathBuf::from(format!("/usr/lib/llvm-{major}/bin/llvm-config")),
            PathBuf::from("llvm-config"),
        ],
    };
    candidates
        .iter()
        .filter(|path| query(path, "--version").is_some_and(|found| found.starts_with(&format!("{major}."))))
        .find_map(|path| query(path, "--libdir"))
        .unwrap_or_else(|| {
            panic!("no llvm-config of LLVM {major}. Install llvm-{major}-dev, or set LLVM_CONFIG")
        })
}

fn query(llvm_config: &Path, flag: &str) -> Option<String> {
    let output = Command::new(llvm_config).arg(flag).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
