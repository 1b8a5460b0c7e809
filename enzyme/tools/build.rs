//! Lets the tools find the LLVM they are linked to, wherever it is installed.

use std::path::PathBuf;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // Set by `enzyme-link`, unless no LLVM was chosen; then that crate says so.
    let Some(libraries) = std::env::var_os("DEP_LLVM_LIBDIR").map(PathBuf::from) else { return };
    println!("cargo::rustc-link-arg=-Wl,-rpath,{}", libraries.display());
    println!("cargo::rustc-env=ENZYME_LLVM_PROGRAMS={}", libraries.with_file_name("bin").display());
}
