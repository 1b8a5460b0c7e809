//! Alias scopes: what LLVM is told of accesses that never meet.

use super::{Function, Instruction};
use inkwell::llvm_sys::prelude::{LLVMContextRef, LLVMMetadataRef, LLVMValueRef};

/// Scopes of one domain, by index.
pub(crate) struct AliasScopes(Vec<LLVMMetadataRef>);

impl AliasScopes {
    /// So many new scopes.
    pub(crate) fn new(function: Function, count: usize) -> AliasScopes {
        let mut scopes = vec![std::ptr::null_mut(); count];
        let context = function.function_type().context();
        llvm!(enzyme_NewAliasScopes(context, count, scopes.as_mut_ptr()));
        AliasScopes(scopes)
    }

    /// Says that an access is in some of the scopes, and touches nothing that is only in certain others.
    pub(crate) fn add_to(&self, access: Instruction, inside: &[usize], outside: &[usize]) {
        let scopes = |indices: &[usize]| -> Vec<LLVMMetadataRef> {
            indices.iter().map(|&index| self.0[index]).collect()
        };
        let (inside, outside) = (scopes(inside), scopes(outside));
        let raw = access.value().raw();
        llvm!(enzyme_AddAliasScopes(raw, inside.as_ptr(), inside.len(), outside.as_ptr(), outside.len()));
    }
}

unsafe extern "C" {
    fn enzyme_NewAliasScopes(context: LLVMContextRef, count: usize, scopes: *mut LLVMMetadataRef);
    fn enzyme_AddAliasScopes(
        access: LLVMValueRef,
        inside: *const LLVMMetadataRef,
        inside_count: usize,
        outside: *const LLVMMetadataRef,
        outside_count: usize,
    );
}
