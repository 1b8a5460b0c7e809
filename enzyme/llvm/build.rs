//! Finds the LLVM this build is for, and compiles the C++ shim against its headers.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The LLVM versions a build can be for: the feature's name in cargo's environment, and the major version.
const VERSIONS: [(&str, u32); 4] = [("LLVM15_0", 15), ("LLVM16_0", 16), ("LLVM19_1", 19), ("LLVM22_1", 22)];

/// The range that `cfg(llvm_ge = "…")` may name: the versions above and what lies between them.
const CFG_RANGE: std::ops::RangeInclusive<u32> = 15..=22;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=shim");
    let Some(major) = selected_version() else {
        // The crate's own `compile_error!` says what is wrong, and where to read on.
        return;
    };
    set_version_cfgs(major);
    let config = find_llvm_config(major);
    compile_shim(&config);
}

/// The one version that the features ask for.
fn selected_version() -> Option<u32> {
    let mut selected =
        VERSIONS.iter().filter(|(feature, _)| env::var_os(format!("CARGO_FEATURE_{feature}")).is_some());
    let (_, major) = selected.next()?;
    selected.next().is_none().then_some(*major)
}

fn set_version_cfgs(major: u32) {
    let values = CFG_RANGE.map(|version| format!("\"{version}\"")).collect::<Vec<_>>().join(", ");
    println!("cargo::rustc-check-cfg=cfg(llvm_ge, values({values}))");
    for version in CFG_RANGE.filter(|version| *version <= major) {
        println!("cargo::rustc-cfg=llvm_ge=\"{version}\"");
    }
    println!("cargo::rustc-env=ENZYME_LLVM_MAJOR={major}");
}

/// `llvm-config` of the asked-for version: `$LLVM_CONFIG`, then the names and folders that Debian uses.
fn find_llvm_config(major: u32) -> PathBuf {
    println!("cargo::rerun-if-env-changed=LLVM_CONFIG");
    let candidates = match env::var_os("LLVM_CONFIG") {
        Some(path) => vec![PathBuf::from(path)],
        None => vec![
            PathBuf::from(format!("llvm-config-{major}")),
            PathBuf::from(format!("/usr/lib/llvm-{major}/bin/llvm-config")),
            PathBuf::from("llvm-config"),
        ],
    };
    let found = candidates.iter().map(|path| (path, query(path, "--version"))).collect::<Vec<_>>();
    let fitting = found.iter().find(|(_, version)| {
        version.as_deref().and_then(|version| version.split('.').next()) == Some(&major.to_string())
    });
    match fitting {
        Some((path, _)) => (*path).clone(),
        None => {
            let tried = found
                .iter()
                .map(|(path, version)| {
                    format!("{} ({})", path.display(), version.as_deref().unwrap_or("not found"))
                })
                .collect::<Vec<_>>()
                .join(", ");
            panic!("no llvm-config of LLVM {major}; tried {tried}. Install llvm-{major}-dev, or set LLVM_CONFIG");
        }
    }
}

fn query(llvm_config: &Path, flag: &str) -> Option<String> {
    let output = Command::new(llvm_config).arg(flag).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn compile_shim(llvm_config: &Path) {
    let include = query(llvm_config, "--includedir").expect("llvm-config --includedir");
    let mut sources = std::fs::read_dir("shim")
        .expect("the shim folder")
        .map(|entry| entry.expect("an entry of the shim folder").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "cpp"))
        .collect::<Vec<_>>();
    sources.sort();
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .flag("-fno-rtti")
        .flag("-fno-exceptions")
        .flag("-fvisibility=hidden")
        .flag("-fvisibility-inlines-hidden")
        // LLVM's headers are not ours to mend.
        .flag(format!("-isystem{include}"))
        .include("shim")
        .define("_GNU_SOURCE", None)
        .define("__STDC_CONSTANT_MACROS", None)
        .define("__STDC_FORMAT_MACROS", None)
        .define("__STDC_LIMIT_MACROS", None)
        // Unoptimised code refers to inline functions of LLVM that no host exports.
        .opt_level(2)
        .debug(false)
        .files(sources)
        .compile("enzyme_shim");
}
