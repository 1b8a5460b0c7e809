//! Blocks and instructions.

use super::values::{attribute_kind, chain};
use super::{FUNCTION_ATTRIBUTES, Function, RETURN_ATTRIBUTES, Type, Value, owned};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::{
    LLVMDIFileGetFilename, LLVMDILocationGetColumn, LLVMDILocationGetLine, LLVMDILocationGetScope,
    LLVMDIScopeGetFile, LLVMInstructionGetDebugLoc,
};
use inkwell::llvm_sys::prelude::*;
use inkwell::llvm_sys::{LLVMAtomicOrdering, LLVMOpcode};
use std::fmt;

unsafe extern "C" {
    fn enzyme_ChangeToCall(invoke: LLVMValueRef) -> LLVMValueRef;
}

/// A value known to be an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Instruction(pub(crate) LLVMValueRef);

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Block(pub(crate) LLVMBasicBlockRef);

impl Block {
    /// Its instructions, in order.
    pub(crate) fn instructions(self) -> impl Iterator<Item = Instruction> {
        chain(llvm!(LLVMGetFirstInstruction(self.0)), |raw| llvm!(LLVMGetNextInstruction(raw)))
            .map(Instruction)
    }

    /// The blocks that jump to it, once for each jump.
    pub(crate) fn predecessors(self) -> Vec<Block> {
        let users = self.as_value().users().into_iter();
        users.filter_map(Value::as_instruction).map(Instruction::block).collect()
    }

    /// Its last instruction, when that ends the block.
    pub(crate) fn terminator(self) -> Option<Instruction> {
        let raw = llvm!(LLVMGetBasicBlockTerminator(self.0));
        (!raw.is_null()).then_some(Instruction(raw))
    }

    /// Its name.
    pub(crate) fn name(self) -> String {
        Value(llvm!(LLVMBasicBlockAsValue(self.0))).name()
    }

    /// The function that holds it.
    pub(crate) fn function(self) -> Function {
        Function(llvm!(LLVMGetBasicBlockParent(self.0)))
    }

    /// The block as a value.
    pub(crate) fn as_value(self) -> Value {
        Value(llvm!(LLVMBasicBlockAsValue(self.0)))
    }
}

impl Instruction {
    /// The instruction as a value.
    pub(crate) fn value(self) -> Value {
        Value(self.0)
    }

    /// What it does.
    pub(crate) fn opcode(self) -> LLVMOpcode {
        llvm!(LLVMGetInstructionOpcode(self.0))
    }

    /// The block that holds it.
    pub(crate) fn block(self) -> Block {
        Block(llvm!(LLVMGetInstructionParent(self.0)))
    }

    /// The function that holds it.
    pub(crate) fn function(self) -> Function {
        self.block().function()
    }

    /// The instruction after it in its block.
    pub(crate) fn next(self) -> Option<Instruction> {
        let raw = llvm!(LLVMGetNextInstruction(self.0));
        (!raw.is_null()).then_some(Instruction(raw))
    }

    /// Whether it is a call or an invoke.
    pub(crate) fn is_call(self) -> bool {
        matches!(self.opcode(), LLVMOpcode::LLVMCall | LLVMOpcode::LLVMInvoke)
    }

    /// What a call calls.
    pub(crate) fn callee(self) -> Value {
        Value(llvm!(LLVMGetCalledValue(self.0)))
    }

    /// The function that a call calls directly.
    pub(crate) fn called_function(self) -> Option<Function> {
        if self.is_call() { self.callee().as_function() } else { None }
    }

    /// The arguments of a call.
    pub(crate) fn arguments(self) -> Vec<Value> {
        let count = llvm!(LLVMGetNumArgOperands(self.0));
        (0..count).map(|index| Value(llvm!(LLVMGetOperand(self.0, index)))).collect()
    }

    /// The function type that a call was written with.
    pub(crate) fn called_type(self) -> Type {
        Type(llvm!(LLVMGetCalledFunctionType(self.0)))
    }

    /// The type that a call's attribute such as `sret` names.
    pub(crate) fn call_type_attribute(self, index: u32, name: &str) -> Option<Type> {
        let attribute = llvm!(LLVMGetCallSiteEnumAttribute(self.0, index, attribute_kind(name)));
        (!attribute.is_null()).then(|| Type(llvm!(LLVMGetTypeAttributeValue(attribute))))
    }

    /// Whether a call's result is never null, by what the call or its callee says.
    pub(crate) fn returns_nonnull(self) -> bool {
        let kind = llvm!(LLVMGetEnumAttributeKindForName(c"nonnull".as_ptr(), "nonnull".len()));
        let of_call = llvm!(LLVMGetCallSiteEnumAttribute(self.0, RETURN_ATTRIBUTES, kind));
        !of_call.is_null()
            || self.called_function().is_some_and(|callee| callee.has_attribute(RETURN_ATTRIBUTES, "nonnull"))
    }

    /// Gives a call an attribute of LLVM's that takes no value.
    pub(crate) fn add_call_attribute(self, name: &str) {
        let context = self.value().ty().context();
        let attribute = llvm!(LLVMCreateEnumAttribute(context, attribute_kind(name), 0));
        llvm!(LLVMAddCallSiteAttribute(self.0, FUNCTION_ATTRIBUTES, attribute));
    }

    /// Says of an argument of a call, by its number from 1, that nobody keeps the pointer.
    pub(crate) fn say_not_captured(self, argument: u32) {
        let context = self.value().ty().context();
        // `captures(none)`, whose value is 0.
        let name = if cfg!(llvm_ge = "21") { "captures" } else { "nocapture" };
        let attribute = llvm!(LLVMCreateEnumAttribute(context, attribute_kind(name), 0));
        llvm!(LLVMAddCallSiteAttribute(self.0, argument, attribute));
    }

    /// An invoke of what does not throw becomes a call; a call stays one.
    pub(crate) fn change_to_call(self) -> Instruction {
        match self.invoke_destinations() {
            Some(_) => Instruction(llvm!(enzyme_ChangeToCall(self.0))),
            None => self,
        }
    }

    /// Whether metadata of that kind is attached.
    pub(crate) fn has_metadata(self, kind: &str) -> bool {
        let context = self.value().ty().context();
        let id = llvm!(LLVMGetMDKindIDInContext(context, kind.as_ptr().cast(), kind.len() as u32));
        !llvm!(LLVMGetMetadata(self.0, id)).is_null()
    }

    /// The blocks that a terminator may jump to, once for each jump.
    pub(crate) fn successors(self) -> Vec<Block> {
        (0..llvm!(LLVMGetNumSuccessors(self.0)))
            .map(|index| Block(llvm!(LLVMGetSuccessor(self.0, index))))
            .collect()
    }

    /// Lets a terminator jump elsewhere.
    pub(crate) fn set_successor(self, index: u32, block: Block) {
        llvm!(LLVMSetSuccessor(self.0, index, block.0));
    }

    /// Gives a call the attributes that its callee's parameters have: `byval` and `sret` must be on both.
    pub(crate) fn copy_parameter_attributes(self, callee: Function) {
        for index in 1..=callee.parameter_types().len() as u32 {
            let count = llvm!(LLVMGetAttributeCountAtIndex(callee.0, index)) as usize;
            let mut attributes = vec![std::ptr::null_mut(); count];
            llvm!(LLVMGetAttributesAtIndex(callee.0, index, attributes.as_mut_ptr()));
            for attribute in attributes {
                llvm!(LLVMAddCallSiteAttribute(self.0, index, attribute));
            }
        }
    }

    /// Gives a call the calling convention of its callee.
    pub(crate) fn copy_calling_convention(self, callee: Function) {
        llvm!(LLVMSetInstructionCallConv(self.0, LLVMGetFunctionCallConv(callee.0)));
    }

    /// Where an invoke goes when its callee returns, and when it throws.
    pub(crate) fn invoke_destinations(self) -> Option<(Block, Block)> {
        (self.opcode() == LLVMOpcode::LLVMInvoke)
            .then(|| (Block(llvm!(LLVMGetNormalDest(self.0))), Block(llvm!(LLVMGetUnwindDest(self.0)))))
    }

    /// Drops what metadata says of the value that comes out: it need not hold of a shadow.
    pub(crate) fn drop_value_metadata(self) {
        for kind in ["range", "nonnull", "noundef", "align", "dereferenceable", "dereferenceable_or_null"] {
            self.drop_metadata(kind);
        }
    }

    /// Attaches metadata of that kind, without operands.
    pub(crate) fn attach_empty_metadata(self, kind: &str) {
        let context = self.value().ty().context();
        let id = llvm!(LLVMGetMDKindIDInContext(context, kind.as_ptr().cast(), kind.len() as u32));
        let node = llvm!(LLVMMDNodeInContext2(context, std::ptr::null_mut(), 0));
        llvm!(LLVMSetMetadata(self.0, id, LLVMMetadataAsValue(context, node)));
    }

    /// `file:line:column` in the user's program.
    pub(crate) fn source_place(self) -> Option<String> {
        let location = self.debug_location();
        if location.is_null() {
            return None;
        }
        let (line, column) =
            (llvm!(LLVMDILocationGetLine(location)), llvm!(LLVMDILocationGetColumn(location)));
        let file = llvm!(LLVMDIScopeGetFile(LLVMDILocationGetScope(location)));
        if file.is_null() {
            return None;
        }
        let mut length = 0;
        let name = llvm!(LLVMDIFileGetFilename(file, &mut length));
        Some(format!("{}:{line}:{column}", owned(name, length as usize)))
    }

    /// The values that flow into a phi, each with the block it comes from.
    pub(crate) fn incoming(self) -> Vec<(Value, Block)> {
        (0..llvm!(LLVMCountIncoming(self.0)))
            .map(|index| {
                (
                    Value(llvm!(LLVMGetIncomingValue(self.0, index))),
                    Block(llvm!(LLVMGetIncomingBlock(self.0, index))),
                )
            })
            .collect()
    }

    /// Adds one incoming value to a phi.
    pub(crate) fn add_incoming(self, value: Value, block: Block) {
        llvm!(LLVMAddIncoming(self.0, &mut { value.0 }, &mut { block.0 }, 1));
    }

    /// The type that an `alloca` reserves memory for.
    pub(crate) fn allocated_type(self) -> Type {
        Type(llvm!(LLVMGetAllocatedType(self.0)))
    }

    /// Alignment in bytes of a load, store, atomic operation or `alloca`.
    pub(crate) fn alignment(self) -> u32 {
        llvm!(LLVMGetAlignment(self.0))
    }

    /// Whether a load or store is atomic.
    pub(crate) fn is_atomic(self) -> bool {
        matches!(self.opcode(), LLVMOpcode::LLVMLoad | LLVMOpcode::LLVMStore)
            && llvm!(LLVMGetOrdering(self.0)) != LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic
    }

    /// Sets the alignment in bytes of a load, store or `alloca`.
    pub(crate) fn set_alignment(self, bytes: u32) {
        llvm!(LLVMSetAlignment(self.0, bytes));
    }

    /// Removes it from its block and deletes it. Nobody may use it any more.
    pub(crate) fn erase(self) {
        llvm!(LLVMInstructionEraseFromParent(self.0));
    }

    /// Takes it out of its block; it is to be inserted somewhere else.
    pub(crate) fn detach(self) {
        llvm!(LLVMInstructionRemoveFromParent(self.0));
    }

    /// A copy that stands in no block yet.
    pub(crate) fn clone_detached(self) -> Instruction {
        Instruction(llvm!(LLVMInstructionClone(self.0)))
    }

    /// Replaces one operand.
    pub(crate) fn set_operand(self, index: u32, value: Value) {
        llvm!(LLVMSetOperand(self.0, index, value.0));
    }

    /// Promises no more of the address of a load or store than that it is a multiple of `bytes`.
    pub(crate) fn set_alignment_at_most(self, bytes: u32) {
        llvm!(LLVMSetAlignment(self.0, self.alignment().min(bytes)));
    }

    /// Forgets where it comes from in the source.
    pub(crate) fn drop_debug_location(self) {
        // Kind 0 is that of debug locations, in every LLVM.
        llvm!(LLVMSetMetadata(self.0, 0, std::ptr::null_mut()));
    }

    /// Forgets that, and which variables of the source it gives values to.
    pub(crate) fn drop_debug_information(self) {
        self.drop_debug_location();
        self.drop_metadata("DIAssignID");
    }

    fn drop_metadata(self, kind: &str) {
        let context = self.value().ty().context();
        let id = llvm!(LLVMGetMDKindIDInContext(context, kind.as_ptr().cast(), kind.len() as u32));
        llvm!(LLVMSetMetadata(self.0, id, std::ptr::null_mut()));
    }

    /// Its debug location; null when it has none.
    pub(crate) fn debug_location(self) -> LLVMMetadataRef {
        llvm!(LLVMInstructionGetDebugLoc(self.0))
    }
}

impl fmt::Debug for Instruction {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.value().name())
    }
}

impl fmt::Debug for Block {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.name())
    }
}

impl From<Instruction> for Value {
    fn from(instruction: Instruction) -> Value {
        instruction.value()
    }
}
