//! Finds the LLVM this build is for, and compiles the C++ shim against its headers.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::time::SystemTime;

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
            panic!(
                "no llvm-config of LLVM {major}; tried {tried}. Install llvm-{major}-dev, or set LLVM_CONFIG"
            );
        }
    }
}

fn query(llvm_config: &Path, flag: &str) -> Option<String> {
    let output = Command::new(llvm_config).arg(flag).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Compiles each file of the shim to an archive of its own, so that an edit costs one file's time.
fn compile_shim(llvm_config: &Path) {
    let include = query(llvm_config, "--includedir").expect("llvm-config --includedir");
    let out_dir = PathBuf::from(env::var_os("OUT_DIR").expect("OUT_DIR"));
    let sources = shim_files("cpp");
    let newest_shared = newest_shared_input(&out_dir, &include);

    let queue = Mutex::new(sources.iter().filter(|source| is_stale(source, &out_dir, newest_shared)));
    let jobs = env::var("NUM_JOBS").ok().and_then(|jobs| jobs.parse::<usize>().ok()).unwrap_or(1);
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().expect("the queue").next();
                    let Some(source) = next else { break };
                    compile(source, &include);
                }
            });
        }
    });

    println!("cargo::rustc-link-search=native={}", out_dir.display());
    for source in &sources {
        println!("cargo::rustc-link-lib=static={}", archive_name(source));
    }
    println!("cargo::rustc-link-lib=dylib=stdc++");
}

fn compile(source: &Path, include: &str) {
    cc::Build::new()
        .cpp(true)
        .cpp_link_stdlib(None)
        .cargo_metadata(false)
        .std("c++17")
        .flag("-fno-rtti")
        .flag("-fno-exceptions")
        .flag("-fvisibility=hidden")
        .flag("-fvisibility-inlines-hidden")
        // LLVM's headers are not ours to mend.
        .flag(format!("-isystem{include}"))
        .define("_GNU_SOURCE", None)
        .define("__STDC_CONSTANT_MACROS", None)
        .define("__STDC_FORMAT_MACROS", None)
        .define("__STDC_LIMIT_MACROS", None)
        // Unoptimised code refers to inline functions of LLVM that no host exports.
        .opt_level(2)
        .debug(false)
        .file(source)
        .compile(&archive_name(source));
}

/// The shim's files with that extension, in a fixed order.
fn shim_files(extension: &str) -> Vec<PathBuf> {
    let mut files = std::fs::read_dir("shim")
        .expect("the shim folder")
        .map(|entry| entry.expect("an entry of the shim folder").path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect::<Vec<_>>();
    files.sort();
    files
}

fn archive_name(source: &Path) -> String {
    format!("enzyme_shim_{}", source.file_stem().expect("a file name").display())
}

/// When the newest of what every file depends on was changed: our headers, this script, the choice of LLVM.
fn newest_shared_input(out_dir: &Path, include: &str) -> Option<SystemTime> {
    let choice = out_dir.join("include-folder");
    if std::fs::read_to_string(&choice).ok().as_deref() != Some(include) {
        std::fs::write(&choice, include).expect("a writable OUT_DIR");
    }
    let script = env::current_exe().ok();
    shim_files("h").iter().chain(script.iter()).chain([&choice]).filter_map(|path| modified(path)).max()
}

fn is_stale(source: &Path, out_dir: &Path, newest_shared: Option<SystemTime>) -> bool {
    let archive = modified(&out_dir.join(format!("lib{}.a", archive_name(source))));
    archive.is_none() || archive < newest_shared.max(modified(source))
}

fn modified(path: &Path) -> Option<SystemTime> {
    path.metadata().ok()?.modified().ok()
}
