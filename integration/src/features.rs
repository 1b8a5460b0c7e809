//! What a test may ask for in `REQUIRES:`: the features of one LLVM on this machine.

use std::collections::BTreeSet;
use std::path::Path;

use crate::artifacts::Artifacts;
use crate::llvm::{Llvm, find_on_path};

/// The range of LLVM versions that features are named for, wider than what is supported today.
const NAMED_VERSIONS: std::ops::RangeInclusive<u32> = 15..=30;

/// Programs on the `PATH` that a test may need, each a feature of the same name.
const PROGRAMS: [&str; 10] = [
    "cmake",
    "gcc",
    "gfortran",
    "mpirun",
    "ninja",
    "nix-instantiate",
    "python3",
    "ruby",
    "rustc",
    "valgrind",
];

/// Programs of the LLVM under test, each a feature of the same name.
const LLVM_PROGRAMS: [&str; 7] = ["clang", "flang", "lld", "lli", "llvm-lto2", "mlir-opt", "split-file"];

/// Things we build, each a feature when it has been built.
const BUILT: [&str; 4] = ["clang-plugin", "enzyme-opt", "enzymemlir-opt", "loader"];

/// The feature of a run whose programs are compiled with a sanitizer.
pub const SANITIZER: &str = "sanitizer";

/// The features of one LLVM on this machine.
///
/// | feature | present when |
/// |---|---|
/// | `llvm-22`, `llvm-ge-19`, `llvm-lt-19` | by the LLVM under test |
/// | `clang`, `flang`, `lld`, `lli` … | that LLVM has the program |
/// | `clang-plugin`, `loader`, `enzyme-opt`, `enzymemlir-opt` | it has been built |
/// | `cmake`, `ninja`, `python3`, `nix-instantiate` … | it is on the `PATH` |
/// | `mpfr` | its header is installed |
/// | `x86_64`, `aarch64`, `linux`, `macos` | by the machine |
pub fn detect(llvm: &Llvm, artifacts: &Artifacts) -> BTreeSet<String> {
    let mut features = BTreeSet::new();
    let mut add = |name: &str| features.insert(name.to_owned());
    add(std::env::consts::ARCH);
    add(std::env::consts::OS);
    for version in NAMED_VERSIONS {
        if version == llvm.major() {
            add(&format!("llvm-{version}"));
        }
        add(&if llvm.major() >= version {
            format!("llvm-ge-{version}")
        } else {
            format!("llvm-lt-{version}")
        });
    }
    for name in LLVM_PROGRAMS.into_iter().filter(|name| llvm.tool(program_of(name)).is_some()) {
        add(name);
    }
    for name in PROGRAMS.into_iter().filter(|name| find_on_path(name).is_some()) {
        add(name);
    }
    for name in BUILT.into_iter().filter(|name| is_built(name, llvm, artifacts)) {
        add(name);
    }
    if has_mpfr() {
        add("mpfr");
    }
    features
}

/// Whether the name means something, present or not. A misspelt feature would otherwise switch a test off
/// in silence.
pub fn is_known(name: &str) -> bool {
    let version = ["llvm-ge-", "llvm-lt-", "llvm-"].iter().find_map(|prefix| name.strip_prefix(prefix));
    let names_version = version
        .and_then(|version| version.parse().ok())
        .is_some_and(|version| NAMED_VERSIONS.contains(&version));
    let others = [SANITIZER, "mpfr", "x86_64", "aarch64", "linux", "macos"];
    names_version
        || PROGRAMS.contains(&name)
        || LLVM_PROGRAMS.contains(&name)
        || BUILT.contains(&name)
        || others.contains(&name)
}

/// Whether programs that use the MPFR library can be compiled.
pub fn has_mpfr() -> bool {
    ["/usr/include/mpfr.h", "/usr/local/include/mpfr.h"].iter().any(|header| Path::new(header).is_file())
}

fn program_of(feature: &str) -> &str {
    if feature == "lld" { "ld.lld" } else { feature }
}

fn is_built(feature: &str, llvm: &Llvm, artifacts: &Artifacts) -> bool {
    match feature {
        "clang-plugin" => artifacts.clang_plugin(llvm.major()).is_file(),
        "loader" => artifacts.loader().is_file(),
        "enzymemlir-opt" => artifacts.mlir_driver().is_file(),
        tool => artifacts.tool(tool, llvm.major()).is_file(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_detected_feature_is_known() {
        let artifacts = Artifacts::of_workspace();
        for llvm in Llvm::find_all() {
            let features = detect(&llvm, &artifacts);
            let unknown: Vec<_> = features.iter().filter(|name| !is_known(name)).collect();
            assert!(unknown.is_empty(), "{unknown:?}");
            assert!(features.contains(&format!("llvm-{}", llvm.major())));
            assert!(features.contains("llvm-ge-15"));
            assert!(features.contains("llvm-lt-30"));
        }
    }

    #[test]
    fn misspelt_features_are_not_known() {
        for name in ["llvm-gt-19", "llvm-19.1", "llvm", "clangg", "llvm-14"] {
            assert!(!is_known(name), "{name}");
        }
    }
}
