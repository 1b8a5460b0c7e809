//! Modules, functions, blocks, instructions and other values.

use super::{Type, c_name, llvm, owned, take_message};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::{LLVMInstructionGetDebugLoc, LLVMInstructionSetDebugLoc};
use inkwell::llvm_sys::prelude::*;
use inkwell::llvm_sys::target::{LLVMABISizeOfType, LLVMGetModuleDataLayout, LLVMOffsetOfElement};
use inkwell::llvm_sys::{LLVMLinkage, LLVMOpcode, LLVMValueKind};
use std::fmt;

/// A module that somebody else (the host compiler) owns.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Module(pub(crate) LLVMModuleRef);

/// Any value.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Value(pub(crate) LLVMValueRef);

/// A value known to be a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Function(pub(crate) LLVMValueRef);

/// A value known to be an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Instruction(pub(crate) LLVMValueRef);

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Block(pub(crate) LLVMBasicBlockRef);

/// Where the return attributes of a function or call are kept, parameters counting from 1.
pub const RETURN_ATTRIBUTES: u32 = 0;
/// Where the attributes of the function itself are kept.
pub const FUNCTION_ATTRIBUTES: u32 = u32::MAX;

impl Module {
    /// Wraps a module of the host.
    ///
    /// # Safety
    /// `raw` must be a live module for as long as this handle, or any made from it, is used.
    pub unsafe fn from_raw(raw: LLVMModuleRef) -> Module {
        Module(raw)
    }

    /// The context that owns the module's types.
    pub fn context(self) -> LLVMContextRef {
        llvm!(LLVMGetModuleContext(self.0))
    }

    /// The functions, declarations included, in order.
    pub fn functions(self) -> impl Iterator<Item = Function> {
        chain(llvm!(LLVMGetFirstFunction(self.0)), |raw| llvm!(LLVMGetNextFunction(raw))).map(Function)
    }

    /// The global variables, in order.
    pub fn globals(self) -> impl Iterator<Item = Value> {
        chain(llvm!(LLVMGetFirstGlobal(self.0)), |raw| llvm!(LLVMGetNextGlobal(raw))).map(Value)
    }

    /// The function of that name.
    pub fn function(self, name: &str) -> Option<Function> {
        let raw = llvm!(LLVMGetNamedFunction(self.0, c_name(name).as_ptr()));
        (!raw.is_null()).then_some(Function(raw))
    }

    /// Declares a function; LLVM appends a number when the name is taken.
    pub fn add_function(self, name: &str, ty: Type) -> Function {
        Function(llvm!(LLVMAddFunction(self.0, c_name(name).as_ptr(), ty.0)))
    }

    /// The function of that name, declared with `ty` when there is none.
    pub fn function_or_declare(self, name: &str, ty: Type) -> Function {
        self.function(name).unwrap_or_else(|| self.add_function(name, ty))
    }

    /// Adds a global variable without initialiser.
    pub fn add_global(self, name: &str, ty: Type) -> Value {
        Value(llvm!(LLVMAddGlobal(self.0, ty.0, c_name(name).as_ptr())))
    }

    /// Bytes from one element of that type to the next in memory.
    pub fn allocation_size(self, ty: Type) -> u64 {
        llvm!(LLVMABISizeOfType(LLVMGetModuleDataLayout(self.0), ty.0))
    }

    /// Byte offset of a field of a struct.
    pub fn field_offset(self, structure: Type, index: u32) -> u64 {
        llvm!(LLVMOffsetOfElement(LLVMGetModuleDataLayout(self.0), structure.0, index))
    }

    /// The target triple.
    pub fn triple(self) -> String {
        // SAFETY: the triple is a string that the module owns, ending in a zero byte.
        unsafe { std::ffi::CStr::from_ptr(LLVMGetTarget(self.0)) }.to_string_lossy().into_owned()
    }
}

/// Follows an intrusive list of LLVM objects.
fn chain<T>(first: *mut T, next: impl Fn(*mut T) -> *mut T) -> impl Iterator<Item = *mut T> {
    std::iter::successors((!first.is_null()).then_some(first), move |&raw| {
        let following = next(raw);
        (!following.is_null()).then_some(following)
    })
}

impl Value {
    /// The C API's handle.
    pub fn raw(self) -> LLVMValueRef {
        self.0
    }

    /// Which class of value it is.
    pub fn kind(self) -> LLVMValueKind {
        llvm!(LLVMGetValueKind(self.0))
    }

    /// Its type.
    pub fn ty(self) -> Type {
        Type(llvm!(LLVMTypeOf(self.0)))
    }

    /// Its name, empty when it has none.
    pub fn name(self) -> String {
        let mut length = 0;
        let text = llvm!(LLVMGetValueName2(self.0, &mut length));
        owned(text, length)
    }

    /// Names it; LLVM appends a number when the name is taken.
    pub fn set_name(self, name: &str) {
        llvm!(LLVMSetValueName2(self.0, name.as_ptr().cast(), name.len()));
    }

    /// The value as an instruction.
    pub fn as_instruction(self) -> Option<Instruction> {
        (self.kind() == LLVMValueKind::LLVMInstructionValueKind).then_some(Instruction(self.0))
    }

    /// The value as a function.
    pub fn as_function(self) -> Option<Function> {
        (self.kind() == LLVMValueKind::LLVMFunctionValueKind).then_some(Function(self.0))
    }

    /// Whether it is a global variable.
    pub fn is_global_variable(self) -> bool {
        self.kind() == LLVMValueKind::LLVMGlobalVariableValueKind
    }

    /// Whether it is a constant of any kind, globals and functions included.
    pub fn is_constant(self) -> bool {
        llvm!(LLVMIsConstant(self.0)) != 0
    }

    /// A global variable's initialiser.
    pub fn initializer(self) -> Option<Value> {
        if !self.is_global_variable() {
            return None;
        }
        let raw = llvm!(LLVMGetInitializer(self.0));
        (!raw.is_null()).then_some(Value(raw))
    }

    /// Whether a global variable is declared `constant`.
    pub fn is_global_constant(self) -> bool {
        self.is_global_variable() && llvm!(LLVMIsGlobalConstant(self.0)) != 0
    }

    /// The type of what a global names.
    pub fn global_value_type(self) -> Type {
        Type(llvm!(LLVMGlobalGetValueType(self.0)))
    }

    /// The operands of an instruction or a constant expression.
    pub fn operands(self) -> Vec<Value> {
        let count = llvm!(LLVMGetNumOperands(self.0)).max(0);
        (0..count as u32).map(|index| Value(llvm!(LLVMGetOperand(self.0, index)))).collect()
    }

    /// The values that use this one, one entry a use.
    pub fn users(self) -> Vec<Value> {
        let first = llvm!(LLVMGetFirstUse(self.0));
        chain(first, |raw| llvm!(LLVMGetNextUse(raw))).map(|raw| Value(llvm!(LLVMGetUser(raw)))).collect()
    }

    /// The text of a metadata string handed over as a value.
    pub fn metadata_string(self) -> Option<String> {
        if self.kind() != LLVMValueKind::LLVMMetadataAsValueValueKind {
            return None;
        }
        let mut length = 0;
        let text = llvm!(LLVMGetMDString(self.0, &mut length));
        (!text.is_null()).then(|| owned(text, length as usize))
    }

    /// The value of an integer constant of at most 64 bits.
    pub fn constant_integer(self) -> Option<u64> {
        if self.kind() != LLVMValueKind::LLVMConstantIntValueKind {
            return None;
        }
        match self.ty().kind() {
            super::Kind::Integer(bits) if bits <= 64 => Some(llvm!(LLVMConstIntGetZExtValue(self.0))),
            _ => None,
        }
    }

    /// The opcode of a constant expression.
    pub fn constant_opcode(self) -> Option<LLVMOpcode> {
        (self.kind() == LLVMValueKind::LLVMConstantExprValueKind).then(|| llvm!(LLVMGetConstOpcode(self.0)))
    }

    /// What a global alias stands for.
    pub fn aliasee(self) -> Option<Value> {
        (self.kind() == LLVMValueKind::LLVMGlobalAliasValueKind).then(|| Value(llvm!(LLVMAliasGetAliasee(self.0))))
    }

    /// Puts `other` in the place of this value everywhere.
    pub fn replace_all_uses_with(self, other: Value) {
        llvm!(LLVMReplaceAllUsesWith(self.0, other.0));
    }

    /// Zero of that type: `0`, `0.0`, `null`, or all of it in an aggregate.
    pub fn zero(ty: Type) -> Value {
        Value(llvm!(LLVMConstNull(ty.0)))
    }

    /// `poison` of that type.
    pub fn poison(ty: Type) -> Value {
        Value(llvm!(LLVMGetPoison(ty.0)))
    }

    /// An integer constant.
    pub fn integer(ty: Type, value: i64) -> Value {
        Value(llvm!(LLVMConstInt(ty.0, value as u64, 1)))
    }

    /// A floating-point constant, or a splat of it for a vector type, from decimal text, rounded once to the
    /// type's own precision.
    pub fn float(ty: Type, decimal: &str) -> Value {
        let scalar = ty.scalar();
        let constant = Value(llvm!(LLVMConstRealOfStringAndSize(
            scalar.0,
            decimal.as_ptr().cast(),
            decimal.len() as u32
        )));
        match ty.kind() {
            super::Kind::Vector(count) => {
                let mut lanes = vec![constant.0; count as usize];
                Value(llvm!(LLVMConstVector(lanes.as_mut_ptr(), count)))
            }
            _ => constant,
        }
    }

    /// Sets the initialiser of a global variable.
    pub fn set_initializer(self, value: Value) {
        llvm!(LLVMSetInitializer(self.0, value.0));
    }

    /// Sets the linkage of a global.
    pub fn set_linkage(self, linkage: LLVMLinkage) {
        llvm!(LLVMSetLinkage(self.0, linkage));
    }

    /// Deletes a global variable that nobody uses any more.
    pub fn delete_global(self) {
        llvm!(LLVMDeleteGlobal(self.0));
    }
}

impl Function {
    /// The function as a value.
    pub fn value(self) -> Value {
        Value(self.0)
    }

    /// Its name.
    pub fn name(self) -> String {
        self.value().name()
    }

    /// Its signature.
    pub fn function_type(self) -> Type {
        Type(llvm!(LLVMGlobalGetValueType(self.0)))
    }

    /// What it returns.
    pub fn return_type(self) -> Type {
        Type(llvm!(LLVMGetReturnType(self.function_type().0)))
    }

    /// The types of its parameters.
    pub fn parameter_types(self) -> Vec<Type> {
        self.parameters().into_iter().map(Value::ty).collect()
    }

    /// Its parameters.
    pub fn parameters(self) -> Vec<Value> {
        (0..llvm!(LLVMCountParams(self.0))).map(|index| Value(llvm!(LLVMGetParam(self.0, index)))).collect()
    }

    /// Whether it takes more arguments than it names.
    pub fn is_variadic(self) -> bool {
        llvm!(LLVMIsFunctionVarArg(self.function_type().0)) != 0
    }

    /// Whether it has no body here.
    pub fn is_declaration(self) -> bool {
        llvm!(LLVMIsDeclaration(self.0)) != 0
    }

    /// Whether it is one of LLVM's intrinsics.
    pub fn is_intrinsic(self) -> bool {
        llvm!(LLVMGetIntrinsicID(self.0)) != 0
    }

    /// Its blocks, the entry first.
    pub fn blocks(self) -> impl Iterator<Item = Block> {
        chain(llvm!(LLVMGetFirstBasicBlock(self.0)), |raw| llvm!(LLVMGetNextBasicBlock(raw))).map(Block)
    }

    /// All its instructions, block by block.
    pub fn instructions(self) -> impl Iterator<Item = Instruction> {
        self.blocks().flat_map(Block::instructions)
    }

    /// The entry block.
    pub fn entry(self) -> Option<Block> {
        self.blocks().next()
    }

    /// Appends a block.
    pub fn append_block(self, name: &str) -> Block {
        let context = self.function_type().context();
        Block(llvm!(LLVMAppendBasicBlockInContext(context, self.0, c_name(name).as_ptr())))
    }

    /// Sets its linkage.
    pub fn set_linkage(self, linkage: LLVMLinkage) {
        self.value().set_linkage(linkage);
    }

    /// Its linkage.
    pub fn linkage(self) -> LLVMLinkage {
        llvm!(LLVMGetLinkage(self.0))
    }

    /// The module that holds it.
    pub fn module(self) -> Module {
        Module(llvm!(LLVMGetGlobalParent(self.0)))
    }

    /// Deletes it. Nobody may use it any more.
    pub fn delete(self) {
        llvm!(LLVMDeleteFunction(self.0));
    }

    /// Whether it carries that string attribute.
    pub fn has_string_attribute(self, name: &str) -> bool {
        !llvm!(LLVMGetStringAttributeAtIndex(
            self.0,
            FUNCTION_ATTRIBUTES,
            name.as_ptr().cast(),
            name.len() as u32
        ))
        .is_null()
    }

    /// Whether it, or one of its parameters by its number from 1, carries that attribute of LLVM's.
    pub fn has_attribute(self, index: u32, name: &str) -> bool {
        !llvm!(LLVMGetEnumAttributeAtIndex(self.0, index, attribute_kind(name))).is_null()
    }

    /// Gives it an attribute of LLVM's that takes no value.
    pub fn add_attribute(self, index: u32, name: &str) {
        let attribute =
            llvm!(LLVMCreateEnumAttribute(self.function_type().context(), attribute_kind(name), 0));
        llvm!(LLVMAddAttributeAtIndex(self.0, index, attribute));
    }

    /// Takes an attribute of LLVM's away.
    pub fn remove_attribute(self, index: u32, name: &str) {
        llvm!(LLVMRemoveEnumAttributeAtIndex(self.0, index, attribute_kind(name)));
    }
}

/// LLVM's number for one of its attributes.
fn attribute_kind(name: &str) -> u32 {
    llvm!(LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()))
}

impl Block {
    /// Its instructions, in order.
    pub fn instructions(self) -> impl Iterator<Item = Instruction> {
        chain(llvm!(LLVMGetFirstInstruction(self.0)), |raw| llvm!(LLVMGetNextInstruction(raw))).map(Instruction)
    }

    /// Its last instruction, when that ends the block.
    pub fn terminator(self) -> Option<Instruction> {
        let raw = llvm!(LLVMGetBasicBlockTerminator(self.0));
        (!raw.is_null()).then_some(Instruction(raw))
    }

    /// Its name.
    pub fn name(self) -> String {
        Value(llvm!(LLVMBasicBlockAsValue(self.0))).name()
    }

    /// The function that holds it.
    pub fn function(self) -> Function {
        Function(llvm!(LLVMGetBasicBlockParent(self.0)))
    }
}

impl Instruction {
    /// The instruction as a value.
    pub fn value(self) -> Value {
        Value(self.0)
    }

    /// What it does.
    pub fn opcode(self) -> LLVMOpcode {
        llvm!(LLVMGetInstructionOpcode(self.0))
    }

    /// The block that holds it.
    pub fn block(self) -> Block {
        Block(llvm!(LLVMGetInstructionParent(self.0)))
    }

    /// The function that holds it.
    pub fn function(self) -> Function {
        self.block().function()
    }

    /// The instruction after it in its block.
    pub fn next(self) -> Option<Instruction> {
        let raw = llvm!(LLVMGetNextInstruction(self.0));
        (!raw.is_null()).then_some(Instruction(raw))
    }

    /// Whether it is a call or an invoke.
    pub fn is_call(self) -> bool {
        matches!(self.opcode(), LLVMOpcode::LLVMCall | LLVMOpcode::LLVMInvoke)
    }

    /// What a call calls.
    pub fn callee(self) -> Value {
        Value(llvm!(LLVMGetCalledValue(self.0)))
    }

    /// The function that a call calls directly.
    pub fn called_function(self) -> Option<Function> {
        if self.is_call() { self.callee().as_function() } else { None }
    }

    /// The arguments of a call.
    pub fn arguments(self) -> Vec<Value> {
        let count = llvm!(LLVMGetNumArgOperands(self.0));
        (0..count).map(|index| Value(llvm!(LLVMGetOperand(self.0, index)))).collect()
    }

    /// The function type that a call was written with.
    pub fn called_type(self) -> Type {
        Type(llvm!(LLVMGetCalledFunctionType(self.0)))
    }

    /// Whether a call carries that attribute of LLVM's at `index` (0 the result, parameters from 1).
    pub fn call_has_attribute(self, index: u32, name: &str) -> bool {
        !llvm!(LLVMGetCallSiteEnumAttribute(self.0, index, attribute_kind(name))).is_null()
    }

    /// The type that a call's attribute such as `sret` names.
    pub fn call_type_attribute(self, index: u32, name: &str) -> Option<Type> {
        let attribute = llvm!(LLVMGetCallSiteEnumAttribute(self.0, index, attribute_kind(name)));
        (!attribute.is_null()).then(|| Type(llvm!(LLVMGetTypeAttributeValue(attribute))))
    }

    /// Gives a call a string attribute of its own.
    pub fn add_call_string_attribute(self, name: &str) {
        let attribute = llvm!(LLVMCreateStringAttribute(
            self.value().ty().context(),
            name.as_ptr().cast(),
            name.len() as u32,
            std::ptr::null(),
            0
        ));
        llvm!(LLVMAddCallSiteAttribute(self.0, FUNCTION_ATTRIBUTES, attribute));
    }

    /// The values that flow into a phi, each with the block it comes from.
    pub fn incoming(self) -> Vec<(Value, Block)> {
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
    pub fn add_incoming(self, value: Value, block: Block) {
        llvm!(LLVMAddIncoming(self.0, &mut { value.0 }, &mut { block.0 }, 1));
    }

    /// The type that an `alloca` reserves memory for.
    pub fn allocated_type(self) -> Type {
        Type(llvm!(LLVMGetAllocatedType(self.0)))
    }

    /// Alignment in bytes of a load, store or `alloca`.
    pub fn alignment(self) -> u32 {
        llvm!(LLVMGetAlignment(self.0))
    }

    /// Sets the alignment in bytes of a load, store or `alloca`.
    pub fn set_alignment(self, bytes: u32) {
        llvm!(LLVMSetAlignment(self.0, bytes));
    }

    /// Removes it from its block and deletes it. Nobody may use it any more.
    pub fn erase(self) {
        llvm!(LLVMInstructionEraseFromParent(self.0));
    }

    /// A copy that stands in no block yet.
    pub fn clone_detached(self) -> Instruction {
        Instruction(llvm!(LLVMInstructionClone(self.0)))
    }

    /// Replaces one operand.
    pub fn set_operand(self, index: u32, value: Value) {
        llvm!(LLVMSetOperand(self.0, index, value.0));
    }

    /// Its debug location; null when it has none.
    pub fn debug_location(self) -> LLVMMetadataRef {
        llvm!(LLVMInstructionGetDebugLoc(self.0))
    }

    /// Gives it the debug location of another instruction.
    pub fn set_debug_location(self, location: LLVMMetadataRef) {
        llvm!(LLVMInstructionSetDebugLoc(self.0, location));
    }
}

impl fmt::Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(take_message(llvm!(LLVMPrintValueToString(self.0))).trim())
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl From<Instruction> for Value {
    fn from(instruction: Instruction) -> Value {
        instruction.value()
    }
}

impl From<Function> for Value {
    fn from(function: Function) -> Value {
        function.value()
    }
}
