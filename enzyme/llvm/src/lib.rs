//! EnzymeRS for LLVM IR: everything that knows what LLVM looks like.
//!
//! A host (opt, clang, lld, flang) calls [`pass`], which runs the driver on each module.

#[cfg(not(any(feature = "llvm15-0", feature = "llvm16-0", feature = "llvm19-1", feature = "llvm22-1")))]
compile_error!(
    "choose the LLVM to build for: one of the features llvm15-0, llvm16-0, llvm19-1, llvm22-1 \
     (`cargo xtask build --llvm 22` does it for you)"
);

#[cfg(any(
    all(feature = "llvm15-0", any(feature = "llvm16-0", feature = "llvm19-1", feature = "llvm22-1")),
    all(feature = "llvm16-0", any(feature = "llvm19-1", feature = "llvm22-1")),
    all(feature = "llvm19-1", feature = "llvm22-1"),
))]
compile_error!("choose one LLVM only: a build is for exactly one of llvm15-0, llvm16-0, llvm19-1, llvm22-1");

// A test binary, unlike the plugin, has to bring its LLVM along.
#[cfg(test)]
use enzyme_link as _;

mod analyses;
mod driver;
mod error;
mod ffi;
mod frontend;
mod ir;
pub mod options;
pub mod pass;
mod prepare;
mod read;
mod report;
mod rollback;
mod stage;

mod write;

/// The LLVM that this crate was built for.
pub const LLVM_MAJOR: u32 = {
    let digits = env!("ENZYME_LLVM_MAJOR").as_bytes();
    (digits[0] - b'0') as u32 * 10 + (digits[1] - b'0') as u32
};

pub use read::{
    ReadFileError, explain_plans_of_file, read_file, read_function_of_file, read_program_of_file,
};
pub use stage::Stage;
