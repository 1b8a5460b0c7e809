//! EnzymeRS for LLVM IR: everything that knows what LLVM looks like.
//!
//! A host (opt, clang, lld, flang) calls [`pass`], which calls [`run_on_module`] on each module.

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

mod diagnostics;
mod driver;
mod error;
mod ffi;
mod ir;
pub mod options;
pub mod pass;
mod rollback;
mod stage;

pub use driver::{Outcome, run_on_module};
pub use error::{Error, Fault};
pub use stage::Stage;
