//! What the user is told, and where: LLVM's diagnostics, which each host prints in its own way.
//!
//! An error makes the host exit with a status other than zero: opt at once, clang and lld after they went on with
//! the module. So a module must be valid, or rolled back, when a message is emitted.

use inkwell::llvm_sys::prelude::{LLVMModuleRef, LLVMValueRef};

use crate::ffi;

/// Emits an error at an instruction, a function, or what else lies in one; it carries file, line and column where
/// the module has debug information.
pub(crate) fn emit_error(at: LLVMValueRef, message: &str) {
    ffi::emit_error(at, message);
}

/// Emits an error about a module as a whole.
pub(crate) fn emit_module_error(module: LLVMModuleRef, message: &str) {
    ffi::emit_module_error(module, message);
}

/// Emits a warning.
pub(crate) fn emit_warning(at: LLVMValueRef, message: &str) {
    ffi::emit_warning(at, message);
}

/// Emits a remark, which clang shows with `-Rpass=enzyme` and opt with `-pass-remarks=enzyme`. `name` is one word
/// that tells this remark from others in a file of them.
pub(crate) fn emit_remark(at: LLVMValueRef, name: &str, message: &str) {
    ffi::emit_remark(at, name, message);
}
