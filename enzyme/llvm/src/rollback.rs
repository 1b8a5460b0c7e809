//! Leaving a module as it was.

use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::{LLVMModuleRef, LLVMValueRef};

use crate::ffi;

/// A checkpoint of a module's functions, variables, aliases and ifuncs. What was added since is erased when it is
/// dropped, a panic included, unless [`Rollback::keep`] was called.
///
/// It does not undo edits of what existed before: those come last, when nothing can fail any more. A message
/// about something that was added must be emitted before the checkpoint is dropped.
#[derive(Debug)]
#[must_use = "dropping the checkpoint erases what was added since"]
pub(crate) struct Rollback {
    module: LLVMModuleRef,
    existing: Vec<LLVMValueRef>,
    outcome: OnDrop,
}

#[derive(Debug, PartialEq, Eq)]
enum OnDrop {
    Erase,
    Keep,
}

impl Rollback {
    /// Takes note of what the module holds; `module` must outlive the checkpoint, and nothing it holds may be
    /// erased meanwhile.
    pub(crate) fn new(module: LLVMModuleRef) -> Rollback {
        // SAFETY: the module is live, and so are the globals that it lists.
        let existing = unsafe {
            list(LLVMGetFirstFunction(module), LLVMGetNextFunction)
                .chain(list(LLVMGetFirstGlobal(module), LLVMGetNextGlobal))
                .chain(list(LLVMGetFirstGlobalAlias(module), LLVMGetNextGlobalAlias))
                .chain(list(LLVMGetFirstGlobalIFunc(module), LLVMGetNextGlobalIFunc))
                .collect()
        };
        Rollback { module, existing, outcome: OnDrop::Erase }
    }

    /// Keeps what was added.
    pub(crate) fn keep(mut self) {
        self.outcome = OnDrop::Keep;
    }
}

impl Drop for Rollback {
    fn drop(&mut self) {
        match self.outcome {
            OnDrop::Erase => ffi::erase_globals_except(self.module, &self.existing),
            OnDrop::Keep => {}
        }
    }
}

/// Follows one of LLVM's lists.
///
/// # Safety
/// `next` must be sound on `first` and on all that it returns but null.
unsafe fn list(
    first: LLVMValueRef,
    next: unsafe extern "C" fn(LLVMValueRef) -> LLVMValueRef,
) -> impl Iterator<Item = LLVMValueRef> {
    let non_null = |value: LLVMValueRef| (!value.is_null()).then_some(value);
    // SAFETY: by the contract above.
    std::iter::successors(non_null(first), move |value| non_null(unsafe { next(*value) }))
}
