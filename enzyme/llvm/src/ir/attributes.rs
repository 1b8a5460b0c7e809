//! What is said about functions and globals: string attributes with values, and metadata attached to them.

use super::instructions::Instruction;
use super::owned;
use super::values::{FUNCTION_ATTRIBUTES, Function, Module, Value};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::{LLVMAttributeRef, LLVMContextRef, LLVMValueRef};

fn string_attribute(context: LLVMContextRef, name: &str, value: &str) -> LLVMAttributeRef {
    let (name, name_length) = (name.as_ptr().cast(), name.len() as u32);
    let (value, value_length) = (value.as_ptr().cast(), value.len() as u32);
    llvm!(LLVMCreateStringAttribute(context, name, name_length, value, value_length))
}

fn value_of(attribute: LLVMAttributeRef) -> String {
    let mut length = 0;
    let text = llvm!(LLVMGetStringAttributeValue(attribute, &mut length));
    owned(text, length as usize)
}

impl Function {
    /// Gives it a string attribute with a value, in place of what it had under that name.
    pub(crate) fn set_string_attribute(self, name: &str, value: &str) {
        let attribute = string_attribute(self.function_type().context(), name, value);
        llvm!(LLVMAddAttributeAtIndex(self.value().raw(), FUNCTION_ATTRIBUTES, attribute));
    }

    /// The value of a string attribute.
    pub(crate) fn string_attribute(self, name: &str) -> Option<String> {
        let attribute = llvm!(LLVMGetStringAttributeAtIndex(
            self.value().raw(),
            FUNCTION_ATTRIBUTES,
            name.as_ptr().cast(),
            name.len() as u32
        ));
        (!attribute.is_null()).then(|| value_of(attribute))
    }

    /// Takes a string attribute away.
    pub(crate) fn remove_string_attribute(self, name: &str) {
        llvm!(LLVMRemoveStringAttributeAtIndex(
            self.value().raw(),
            FUNCTION_ATTRIBUTES,
            name.as_ptr().cast(),
            name.len() as u32
        ));
    }

    /// Says of each parameter that is a pointer that no other leads to the same memory.
    pub(crate) fn say_pointers_do_not_alias(self) {
        for (index, parameter) in (1..).zip(self.parameters()) {
            if parameter.ty().is_pointer() {
                self.add_attribute(index, "noalias");
            }
        }
    }

    /// Takes over what another function says of the machine that it is compiled for, and how it passes on exceptions.
    pub(crate) fn copy_target(self, other: Function) {
        let (this, other) = (self.value().raw(), other.value().raw());
        let count = llvm!(LLVMGetAttributeCountAtIndex(other, FUNCTION_ATTRIBUTES)) as usize;
        let mut attributes = vec![std::ptr::null_mut(); count];
        llvm!(LLVMGetAttributesAtIndex(other, FUNCTION_ATTRIBUTES, attributes.as_mut_ptr()));
        for attribute in attributes.into_iter().filter(|&one| llvm!(LLVMIsStringAttribute(one)) != 0) {
            let mut length = 0;
            let name = owned(llvm!(LLVMGetStringAttributeKind(attribute, &mut length)), length as usize);
            if !name.starts_with("enzyme") {
                llvm!(LLVMAddAttributeAtIndex(this, FUNCTION_ATTRIBUTES, attribute));
            }
        }
        if llvm!(LLVMHasPersonalityFn(other)) != 0 {
            llvm!(LLVMSetPersonalityFn(this, LLVMGetPersonalityFn(other)));
        }
    }

    /// Says how many bytes there are behind a parameter, by its number from 1.
    pub(crate) fn say_dereferenceable(self, parameter: u32, bytes: u64) {
        let context = self.function_type().context();
        let kind = super::values::attribute_kind("dereferenceable");
        let attribute = llvm!(LLVMCreateEnumAttribute(context, kind, bytes));
        llvm!(LLVMAddAttributeAtIndex(self.value().raw(), parameter, attribute));
    }

    /// Takes over the calling convention and all attributes of another function of the same type.
    pub(crate) fn copy_promises(self, other: Function) {
        let (this, other) = (self.value().raw(), other.value().raw());
        llvm!(LLVMSetFunctionCallConv(this, LLVMGetFunctionCallConv(other)));
        llvm!(enzyme_CopyFunctionAttributes(this, other));
    }
}

impl Instruction {
    /// Gives a call a string attribute.
    pub(crate) fn add_call_string_attribute(self, name: &str) {
        self.set_call_string_attribute(name, "");
    }

    /// Gives a call a string attribute with a value.
    pub(crate) fn set_call_string_attribute(self, name: &str, value: &str) {
        let attribute = string_attribute(self.value().ty().context(), name, value);
        llvm!(LLVMAddCallSiteAttribute(self.value().raw(), FUNCTION_ATTRIBUTES, attribute));
    }

    /// The value of a string attribute of a call.
    pub(crate) fn call_string_attribute(self, name: &str) -> Option<String> {
        let attribute = self.call_attribute(name);
        (!attribute.is_null()).then(|| value_of(attribute))
    }

    fn call_attribute(self, name: &str) -> LLVMAttributeRef {
        llvm!(LLVMGetCallSiteStringAttribute(
            self.value().raw(),
            FUNCTION_ATTRIBUTES,
            name.as_ptr().cast(),
            name.len() as u32
        ))
    }

    /// Whether a call carries that string attribute.
    pub(crate) fn has_call_string_attribute(self, name: &str) -> bool {
        !self.call_attribute(name).is_null()
    }
}

impl Module {
    /// Whether it carries the module flag of that name.
    pub(crate) fn has_flag(self, name: &str) -> bool {
        !llvm!(LLVMGetModuleFlag(self.raw(), name.as_ptr().cast(), name.len())).is_null()
    }
}

impl Value {
    /// Whether a global variable exists once for each thread.
    pub(crate) fn is_thread_local(self) -> bool {
        self.is_global_variable() && llvm!(LLVMIsThreadLocal(self.raw())) != 0
    }

    /// Whether metadata of one of these kinds is attached to a function or variable.
    pub(crate) fn has_attached_metadata(self, kinds: &[&str]) -> bool {
        let mut count = 0;
        let entries = llvm!(LLVMGlobalCopyAllMetadata(self.raw(), &mut count));
        let context = self.ty().context();
        let number =
            |kind: &&str| llvm!(LLVMGetMDKindIDInContext(context, kind.as_ptr().cast(), kind.len() as u32));
        let found = count > 0 && {
            let numbers: Vec<u32> = kinds.iter().map(number).collect();
            (0..count as u32)
                .any(|index| numbers.contains(&llvm!(LLVMValueMetadataEntriesGetKind(entries, index))))
        };
        llvm!(LLVMDisposeValueMetadataEntries(entries));
        found
    }

    /// The operands of the metadata of that kind that is attached to a function or variable, those that are values;
    /// none when there is no such metadata.
    pub(crate) fn attached_metadata(self, kind: &str) -> Option<Vec<Value>> {
        let context = self.ty().context();
        let wanted = llvm!(LLVMGetMDKindIDInContext(context, kind.as_ptr().cast(), kind.len() as u32));
        let mut count = 0;
        let entries = llvm!(LLVMGlobalCopyAllMetadata(self.raw(), &mut count));
        let node = (0..count as u32)
            .find(|&index| llvm!(LLVMValueMetadataEntriesGetKind(entries, index)) == wanted)
            .map(|index| llvm!(LLVMValueMetadataEntriesGetMetadata(entries, index)));
        llvm!(LLVMDisposeValueMetadataEntries(entries));
        let node = llvm!(LLVMMetadataAsValue(context, node?));
        let length = llvm!(LLVMGetMDNodeNumOperands(node));
        let mut operands = vec![std::ptr::null_mut(); length as usize];
        llvm!(LLVMGetMDNodeOperands(node, operands.as_mut_ptr()));
        Some(operands.into_iter().filter(|raw| !raw.is_null()).map(Value::from_raw).collect())
    }

    /// Attaches metadata of that kind, without operands, to a function or variable.
    pub(crate) fn attach_empty_metadata(self, kind: &str) {
        let context = self.ty().context();
        let kind = llvm!(LLVMGetMDKindIDInContext(context, kind.as_ptr().cast(), kind.len() as u32));
        let node = llvm!(LLVMMDNodeInContext2(context, std::ptr::null_mut(), 0));
        llvm!(LLVMGlobalSetMetadata(self.raw(), kind, node));
    }

    /// Attaches metadata of that kind that names a constant to a function or variable.
    pub(crate) fn attach_metadata(self, kind: &str, constant: Value) {
        let context = self.ty().context();
        let kind = llvm!(LLVMGetMDKindIDInContext(context, kind.as_ptr().cast(), kind.len() as u32));
        let mut operand = llvm!(LLVMValueAsMetadata(constant.raw()));
        let node = llvm!(LLVMMDNodeInContext2(context, &mut operand, 1));
        llvm!(LLVMGlobalSetMetadata(self.raw(), kind, node));
    }

    /// Keeps a global that nobody else uses from being removed (`llvm.compiler.used`).
    pub(crate) fn keep_in_module(self) {
        llvm!(enzyme_AppendToCompilerUsed(self.raw()));
    }

    /// Has the program call a function without parameters when it ends (`llvm.global_dtors`).
    pub(crate) fn call_at_exit(self) {
        llvm!(enzyme_AppendToGlobalDestructors(self.raw()));
    }

    /// Takes a global out of `llvm.used` and `llvm.compiler.used`.
    pub(crate) fn forget_in_used_lists(self) {
        llvm!(enzyme_RemoveFromUsedLists(self.raw()));
    }
}

unsafe extern "C" {
    fn enzyme_CopyFunctionAttributes(to: LLVMValueRef, from: LLVMValueRef);
    fn enzyme_AppendToCompilerUsed(global: LLVMValueRef);
    fn enzyme_AppendToGlobalDestructors(function: LLVMValueRef);
    fn enzyme_RemoveFromUsedLists(global: LLVMValueRef);
}
