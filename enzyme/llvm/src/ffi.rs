//! The C++ shim's functions, as Rust sees them.

use std::ffi::c_void;

use inkwell::llvm_sys::prelude::LLVMModuleRef;

/// The engine's entry, called by the pass for each module; returns whether the module changed.
pub type RunOnModule = extern "C" fn(LLVMModuleRef) -> bool;

unsafe extern "C" {
    /// Registers the pass `enzyme` with a `llvm::PassBuilder`, by name and at its points of the pipeline.
    pub fn enzyme_RegisterPassBuilderCallbacks(pass_builder: *mut c_void, run: RunOnModule);
}
