//! Thin, copyable handles over LLVM's C API: the only place, beside the reader, that calls it directly.
//!
//! inkwell's typed values panic on IR that they do not expect (metadata operands, tokens, target types), so
//! arbitrary IR is looked at through these handles; inkwell supplies contexts, builders and types.
//!
//! Invariant on which every `unsafe` here rests: a handle is made only from a live LLVM object, and the module
//! that owns the object outlives the handle. A pass holds its module for as long as it runs, and the code that
//! erases an object drops its handles with it.

mod builder;
mod types;
mod values;

pub use builder::Builder;
pub use types::{Kind, Type};
pub use values::{Block, Function, Instruction, Module, Value};

use std::ffi::{CStr, CString};

/// Calls one function of LLVM's C API under the invariant of this module.
macro_rules! llvm {
    ($call:expr) => {{
        // SAFETY: the handles passed are live (see the invariant in `ir`), and the callee has no other demand.
        #[allow(unused_unsafe)]
        unsafe {
            $call
        }
    }};
}
pub(crate) use llvm;

/// A name as C wants it. LLVM names may not hold a zero byte; one that does is cut there.
pub(crate) fn c_name(name: &str) -> CString {
    let end = name.find('\0').unwrap_or(name.len());
    CString::new(&name[..end]).unwrap_or_default()
}

/// Copies a string that LLVM owns.
pub(crate) fn owned(text: *const std::ffi::c_char, length: usize) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: LLVM hands out `length` readable bytes at `text`.
    let bytes = unsafe { std::slice::from_raw_parts(text.cast::<u8>(), length) };
    String::from_utf8_lossy(bytes).into_owned()
}

/// Takes over a message that the caller must free with `LLVMDisposeMessage`.
pub(crate) fn take_message(message: *mut std::ffi::c_char) -> String {
    if message.is_null() {
        return String::new();
    }
    // SAFETY: LLVM messages end in a zero byte.
    let text = unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned();
    llvm!(inkwell::llvm_sys::core::LLVMDisposeMessage(message));
    text
}
