//! Thin, copyable handles over LLVM's C API: the only place, beside the reader, that calls it directly.
//!
//! inkwell's typed values panic on IR that they do not expect (metadata operands, tokens, target types), so
//! arbitrary IR is looked at through these handles; inkwell supplies contexts, builders and types.
//!
//! Invariant on which every `unsafe` here rests: a handle is made only from a live LLVM object, and the module
//! that owns the object outlives the handle. A pass holds its module for as long as it runs, and the code that
//! erases an object drops its handles with it.

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

mod alias_scopes;
mod attributes;
mod builder;
mod instructions;
mod types;
mod values;

pub(crate) use alias_scopes::AliasScopes;
pub(crate) use builder::Builder;
pub(crate) use instructions::{Block, Instruction};
pub(crate) use types::{Kind, Type};
pub(crate) use values::{FUNCTION_ATTRIBUTES, Function, Module, RETURN_ATTRIBUTES, Value};

use inkwell::llvm_sys::core::{LLVMGetIntrinsicDeclaration, LLVMLookupIntrinsicID};
use inkwell::llvm_sys::prelude::{LLVMBasicBlockRef, LLVMTypeRef, LLVMValueRef};
use std::ffi::{CStr, CString};

/// Function attributes by which users give a function a meaning of its own; such a function is never inlined before
/// differentiation.
pub(crate) const ENZYME_ATTRIBUTES: [&str; 12] = [
    "enzyme_inactive",
    "enzyme_inactive_inst",
    "enzyme_math",
    "enzyme_gradient",
    "enzyme_augment",
    "enzyme_derivative",
    "enzyme_splitderivative",
    "enzyme_allocator",
    "enzyme_deallocator",
    "enzyme_frees",
    "enzyme_shouldrecompute",
    "enzyme_notypeanalysis",
];

unsafe extern "C" {
    fn enzyme_SplitEdge(invoke: LLVMValueRef) -> LLVMBasicBlockRef;
}

/// Makes a block on the way from an invoke to where it goes when it does not throw.
pub(crate) fn split_normal_edge(invoke: Instruction) -> Block {
    Block(llvm!(enzyme_SplitEdge(invoke.0)))
}

/// The declaration of an intrinsic, by its name without `llvm.` and the types that it is overloaded over; none when
/// this LLVM does not have it.
pub(crate) fn intrinsic(module: Module, name: &str, overloads: &[Type]) -> Option<Function> {
    let full = format!("llvm.{name}");
    let id = llvm!(LLVMLookupIntrinsicID(full.as_ptr().cast(), full.len()));
    if id == 0 {
        return None;
    }
    let mut types: Vec<LLVMTypeRef> = overloads.iter().map(|ty| ty.0).collect();
    Some(Function(llvm!(LLVMGetIntrinsicDeclaration(module.0, id, types.as_mut_ptr(), types.len()))))
}

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
