//! Modules, functions and values of any kind.

use super::instructions::{Block, Instruction};
use super::{Kind, Type, c_name, owned, take_message};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::*;
use inkwell::llvm_sys::target::{
    LLVMABISizeOfType, LLVMGetModuleDataLayout, LLVMOffsetOfElement, LLVMSizeOfTypeInBits,
};
use inkwell::llvm_sys::{LLVMLinkage, LLVMOpcode, LLVMValueKind};
use std::fmt;

/// A module that somebody else (the host compiler) owns.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Module(pub(crate) LLVMModuleRef);

/// Any value.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Value(pub(crate) LLVMValueRef);

/// A value known to be a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Function(pub(crate) LLVMValueRef);

/// Where the attributes of a function's or call's result are kept; its parameters' are from 1 on.
pub(crate) const RETURN_ATTRIBUTES: u32 = 0;
/// Where the attributes of a function itself are kept.
pub(crate) const FUNCTION_ATTRIBUTES: u32 = u32::MAX;

impl Module {
    /// Wraps a module of the host.
    ///
    /// # Safety
    /// `raw` must be a live module for as long as this handle, or any made from it, is used.
    pub(crate) unsafe fn from_raw(raw: LLVMModuleRef) -> Module {
        Module(raw)
    }

    /// The C API's handle.
    pub(crate) fn raw(self) -> LLVMModuleRef {
        self.0
    }

    /// The functions, declarations included, in order.
    pub(crate) fn functions(self) -> impl Iterator<Item = Function> {
        chain(llvm!(LLVMGetFirstFunction(self.0)), |raw| llvm!(LLVMGetNextFunction(raw))).map(Function)
    }

    /// The global variables, in order.
    pub(crate) fn globals(self) -> impl Iterator<Item = Value> {
        chain(llvm!(LLVMGetFirstGlobal(self.0)), |raw| llvm!(LLVMGetNextGlobal(raw))).map(Value)
    }

    /// The global variable of that name.
    pub(crate) fn global(self, name: &str) -> Option<Value> {
        let raw = llvm!(LLVMGetNamedGlobal(self.0, c_name(name).as_ptr()));
        (!raw.is_null()).then_some(Value(raw))
    }

    /// The function of that name.
    pub(crate) fn function(self, name: &str) -> Option<Function> {
        let raw = llvm!(LLVMGetNamedFunction(self.0, c_name(name).as_ptr()));
        (!raw.is_null()).then_some(Function(raw))
    }

    /// Declares a function; LLVM appends a number when the name is taken.
    pub(crate) fn add_function(self, name: &str, ty: Type) -> Function {
        Function(llvm!(LLVMAddFunction(self.0, c_name(name).as_ptr(), ty.0)))
    }

    /// The function of that name, declared with `ty` when there is none.
    pub(crate) fn function_or_declare(self, name: &str, ty: Type) -> Function {
        self.function(name).unwrap_or_else(|| self.add_function(name, ty))
    }

    /// Adds a global variable without initialiser.
    pub(crate) fn add_global(self, name: &str, ty: Type) -> Value {
        Value(llvm!(LLVMAddGlobal(self.0, ty.0, c_name(name).as_ptr())))
    }

    /// Adds a global variable without initialiser, of the type of another, and in its address space.
    pub(crate) fn add_global_like(self, name: &str, other: Value) -> Value {
        let space = llvm!(LLVMGetPointerAddressSpace(other.ty().0));
        let ty = other.global_value_type();
        Value(llvm!(LLVMAddGlobalInAddressSpace(self.0, ty.0, c_name(name).as_ptr(), space)))
    }

    /// Bytes from one element of that type to the next in memory.
    pub(crate) fn allocation_size(self, ty: Type) -> u64 {
        llvm!(LLVMABISizeOfType(LLVMGetModuleDataLayout(self.0), ty.0))
    }

    /// The bits that a value of that type has.
    pub(crate) fn bits(self, ty: Type) -> u32 {
        llvm!(LLVMSizeOfTypeInBits(LLVMGetModuleDataLayout(self.0), ty.0)) as u32
    }

    /// Where a field of a struct begins, in bytes.
    pub(crate) fn field_offset(self, structure: Type, index: u32) -> u64 {
        let layout = llvm!(LLVMGetModuleDataLayout(self.0));
        llvm!(LLVMOffsetOfElement(layout, structure.0, index))
    }

    /// The scalars that a value of that type puts in memory, each with its offset in bytes.
    pub(crate) fn scalars_in_memory(self, ty: Type) -> Vec<(u64, Type)> {
        let parts: Vec<(u64, Type)> = match ty.kind() {
            Kind::Struct(_) => {
                let layout = llvm!(LLVMGetModuleDataLayout(self.0));
                let fields = ty.fields().into_iter().enumerate();
                fields
                    .map(|(index, field)| (llvm!(LLVMOffsetOfElement(layout, ty.0, index as u32)), field))
                    .collect()
            }
            Kind::Array(length) => {
                let size = self.allocation_size(ty.element());
                (0..length).map(|index| (index * size, ty.element())).collect()
            }
            Kind::Vector(length) => {
                let size = self.allocation_size(ty.element());
                (0..u64::from(length)).map(|index| (index * size, ty.element())).collect()
            }
            Kind::Void
            | Kind::Float
            | Kind::Integer(_)
            | Kind::Pointer
            | Kind::ScalableVector
            | Kind::Function
            | Kind::Other => return vec![(0, ty)],
        };
        let scalars = |(offset, part): (u64, Type)| {
            self.scalars_in_memory(part).into_iter().map(move |(within, scalar)| (offset + within, scalar))
        };
        parts.into_iter().flat_map(scalars).collect()
    }

    /// The target triple.
    pub(crate) fn triple(self) -> String {
        // SAFETY: the triple is a string that the module owns, ending in a zero byte.
        unsafe { std::ffi::CStr::from_ptr(LLVMGetTarget(self.0)) }.to_string_lossy().into_owned()
    }
}

/// Follows an intrusive list of LLVM objects.
pub(super) fn chain<T>(first: *mut T, next: impl Fn(*mut T) -> *mut T) -> impl Iterator<Item = *mut T> {
    std::iter::successors((!first.is_null()).then_some(first), move |&raw| {
        let following = next(raw);
        (!following.is_null()).then_some(following)
    })
}

impl Value {
    /// The C API's handle.
    pub(crate) fn raw(self) -> LLVMValueRef {
        self.0
    }

    /// Wraps a value of the C API's.
    pub(crate) fn from_raw(raw: LLVMValueRef) -> Value {
        Value(raw)
    }

    /// The value as a block.
    pub(crate) fn as_block(self) -> Option<Block> {
        (self.kind() == LLVMValueKind::LLVMBasicBlockValueKind)
            .then(|| Block(llvm!(LLVMValueAsBasicBlock(self.0))))
    }

    /// Gives a new global variable the alignment, constness, thread-locality and address space rules of another.
    pub(crate) fn copy_global_properties(self, other: Value) {
        llvm!(LLVMSetAlignment(self.0, LLVMGetAlignment(other.0)));
        llvm!(LLVMSetGlobalConstant(self.0, LLVMIsGlobalConstant(other.0)));
        llvm!(LLVMSetThreadLocalMode(self.0, LLVMGetThreadLocalMode(other.0)));
    }

    /// Which class of value it is.
    pub(crate) fn kind(self) -> LLVMValueKind {
        llvm!(LLVMGetValueKind(self.0))
    }

    /// Its type.
    pub(crate) fn ty(self) -> Type {
        Type(llvm!(LLVMTypeOf(self.0)))
    }

    /// Its name, empty when it has none.
    pub(crate) fn name(self) -> String {
        let mut length = 0;
        let text = llvm!(LLVMGetValueName2(self.0, &mut length));
        owned(text, length)
    }

    /// Names it; LLVM appends a number when the name is taken.
    pub(crate) fn set_name(self, name: &str) {
        llvm!(LLVMSetValueName2(self.0, name.as_ptr().cast(), name.len()));
    }

    /// The value as an instruction.
    pub(crate) fn as_instruction(self) -> Option<Instruction> {
        (self.kind() == LLVMValueKind::LLVMInstructionValueKind).then_some(Instruction(self.0))
    }

    /// The value as a function.
    pub(crate) fn as_function(self) -> Option<Function> {
        (self.kind() == LLVMValueKind::LLVMFunctionValueKind).then_some(Function(self.0))
    }

    /// Whether it is a global variable.
    pub(crate) fn is_global_variable(self) -> bool {
        self.kind() == LLVMValueKind::LLVMGlobalVariableValueKind
    }

    /// Whether it is a constant of any kind, globals and functions included.
    pub(crate) fn is_constant(self) -> bool {
        llvm!(LLVMIsConstant(self.0)) != 0
    }

    /// A global variable's initialiser.
    pub(crate) fn initializer(self) -> Option<Value> {
        if !self.is_global_variable() {
            return None;
        }
        let raw = llvm!(LLVMGetInitializer(self.0));
        (!raw.is_null()).then_some(Value(raw))
    }

    /// Whether a global variable is declared `constant`.
    pub(crate) fn is_global_constant(self) -> bool {
        self.is_global_variable() && llvm!(LLVMIsGlobalConstant(self.0)) != 0
    }

    /// The type of what a global names.
    pub(crate) fn global_value_type(self) -> Type {
        Type(llvm!(LLVMGlobalGetValueType(self.0)))
    }

    /// The operands of an instruction or a constant expression.
    pub(crate) fn operands(self) -> Vec<Value> {
        let count = llvm!(LLVMGetNumOperands(self.0)).max(0);
        (0..count as u32).map(|index| Value(llvm!(LLVMGetOperand(self.0, index)))).collect()
    }

    /// The values that use this one, one entry a use.
    pub(crate) fn users(self) -> Vec<Value> {
        let first = llvm!(LLVMGetFirstUse(self.0));
        chain(first, |raw| llvm!(LLVMGetNextUse(raw))).map(|raw| Value(llvm!(LLVMGetUser(raw)))).collect()
    }

    /// The text of a metadata string handed over as a value.
    pub(crate) fn metadata_string(self) -> Option<String> {
        if self.kind() != LLVMValueKind::LLVMMetadataAsValueValueKind {
            return None;
        }
        let mut length = 0;
        let text = llvm!(LLVMGetMDString(self.0, &mut length));
        (!text.is_null()).then(|| owned(text, length as usize))
    }

    /// The text of a constant array of characters, without the zero byte at its end.
    pub(crate) fn constant_string(self) -> Option<String> {
        let is_text = self.kind() == LLVMValueKind::LLVMConstantDataArrayValueKind
            && llvm!(LLVMIsConstantString(self.0)) != 0;
        is_text.then(|| {
            let mut length = 0;
            let text = llvm!(LLVMGetAsString(self.0, &mut length));
            owned(text, length).trim_end_matches('\0').to_owned()
        })
    }

    /// The global variable that a constant is an address in.
    pub(crate) fn base_global(self) -> Option<Value> {
        if self.is_global_variable() {
            return Some(self);
        }
        if let Some(target) = self.aliasee() {
            return target.base_global();
        }
        match self.constant_opcode()? {
            LLVMOpcode::LLVMGetElementPtr | LLVMOpcode::LLVMBitCast | LLVMOpcode::LLVMAddrSpaceCast => {
                self.operands()[0].base_global()
            }
            _ => None,
        }
    }

    /// The address so many bytes after a constant one.
    pub(crate) fn offset(self, bytes: u64) -> Value {
        if bytes == 0 {
            return self;
        }
        let context = self.ty().context();
        let mut index = Value::integer(Type::integer(context, 64), bytes as i64).0;
        Value(llvm!(LLVMConstGEP2(Type::integer(context, 8).0, self.0, &mut index, 1)))
    }

    /// The constant that a global's metadata of some kind names.
    pub(crate) fn global_metadata(self, kind: &str) -> Option<Value> {
        let context = self.ty().context();
        let wanted = llvm!(LLVMGetMDKindIDInContext(context, kind.as_ptr().cast(), kind.len() as u32));
        let mut count = 0;
        let entries = llvm!(LLVMGlobalCopyAllMetadata(self.0, &mut count));
        let found = (0..count as u32)
            .find(|&index| llvm!(LLVMValueMetadataEntriesGetKind(entries, index)) == wanted)
            .map(|index| llvm!(LLVMValueMetadataEntriesGetMetadata(entries, index)));
        llvm!(LLVMDisposeValueMetadataEntries(entries));
        let node = llvm!(LLVMMetadataAsValue(context, found?));
        let operands = llvm!(LLVMGetMDNodeNumOperands(node));
        let mut values = vec![std::ptr::null_mut(); operands as usize];
        llvm!(LLVMGetMDNodeOperands(node, values.as_mut_ptr()));
        values.first().filter(|value| !value.is_null()).map(|&value| Value(value))
    }

    /// The function whose address it is, under whatever name.
    pub(crate) fn named_function(self) -> Option<Function> {
        if let Some(function) = self.as_function() {
            return Some(function);
        }
        if let Some(target) = self.aliasee() {
            return target.named_function();
        }
        match self.constant_opcode()? {
            LLVMOpcode::LLVMBitCast | LLVMOpcode::LLVMAddrSpaceCast => self.operands()[0].named_function(),
            _ => None,
        }
    }

    /// A constant address in the global `base_global` with another global in its place; nothing when that does not fit.
    pub(crate) fn with_base(self, base: Value) -> Option<Value> {
        if self.is_global_variable() {
            return Some(base);
        }
        if let Some(target) = self.aliasee() {
            return target.with_base(base);
        }
        let mut operands = self.operands();
        match self.constant_opcode()? {
            LLVMOpcode::LLVMGetElementPtr => {
                let from = operands.remove(0).with_base(base)?;
                let element = llvm!(LLVMGetGEPSourceElementType(self.0));
                let mut indices: Vec<LLVMValueRef> = operands.iter().map(|index| index.0).collect();
                let (first, count) = (indices.as_mut_ptr(), indices.len() as u32);
                Some(Value(llvm!(LLVMConstInBoundsGEP2(element, from.0, first, count))))
            }
            LLVMOpcode::LLVMBitCast => operands[0].with_base(base),
            LLVMOpcode::LLVMAddrSpaceCast => {
                let from = operands[0].with_base(base)?;
                Some(Value(llvm!(LLVMConstAddrSpaceCast(from.0, self.ty().0))))
            }
            _ => None,
        }
    }

    /// Whether a constant is an address or holds one.
    pub(crate) fn holds_addresses(self) -> bool {
        match self.ty().kind() {
            Kind::Pointer => true,
            Kind::Struct(_) | Kind::Array(_) => {
                self.ty().scalar_kinds().contains(&Kind::Pointer) && !self.operands().is_empty()
            }
            _ => false,
        }
    }

    /// A constant struct or array of that type, of its parts.
    pub(crate) fn aggregate(ty: Type, parts: &[Value]) -> Value {
        let mut raw: Vec<LLVMValueRef> = parts.iter().map(|part| part.0).collect();
        Value(match ty.kind() {
            Kind::Array(_) => {
                #[cfg(llvm_ge = "17")]
                let array = llvm!(LLVMConstArray2(ty.element().0, raw.as_mut_ptr(), raw.len() as u64));
                #[cfg(not(llvm_ge = "17"))]
                let array = llvm!(LLVMConstArray(ty.element().0, raw.as_mut_ptr(), raw.len() as u32));
                array
            }
            _ => llvm!(LLVMConstNamedStruct(ty.0, raw.as_mut_ptr(), raw.len() as u32)),
        })
    }

    /// The value of an integer constant of at most 64 bits.
    pub(crate) fn constant_integer(self) -> Option<u64> {
        if self.kind() != LLVMValueKind::LLVMConstantIntValueKind {
            return None;
        }
        match self.ty().kind() {
            super::Kind::Integer(bits) if bits <= 64 => Some(llvm!(LLVMConstIntGetZExtValue(self.0))),
            _ => None,
        }
    }

    /// The opcode of a constant expression.
    pub(crate) fn constant_opcode(self) -> Option<LLVMOpcode> {
        (self.kind() == LLVMValueKind::LLVMConstantExprValueKind).then(|| llvm!(LLVMGetConstOpcode(self.0)))
    }

    /// What a global alias stands for.
    pub(crate) fn aliasee(self) -> Option<Value> {
        (self.kind() == LLVMValueKind::LLVMGlobalAliasValueKind)
            .then(|| Value(llvm!(LLVMAliasGetAliasee(self.0))))
    }

    /// Puts `new` in the place of each operand that is `old`.
    pub(crate) fn replace_operand(self, old: Value, new: Value) {
        for (index, operand) in (0..).zip(self.operands()) {
            if operand == old {
                llvm!(LLVMSetOperand(self.0, index, new.0));
            }
        }
    }

    /// Puts `other` in the place of this value everywhere.
    pub(crate) fn replace_all_uses_with(self, other: Value) {
        llvm!(LLVMReplaceAllUsesWith(self.0, other.0));
    }

    /// Zero of that type: `0`, `0.0`, `null`, or all of it in an aggregate.
    pub(crate) fn zero(ty: Type) -> Value {
        Value(llvm!(LLVMConstNull(ty.0)))
    }

    /// `poison` of that type.
    pub(crate) fn poison(ty: Type) -> Value {
        Value(llvm!(LLVMGetPoison(ty.0)))
    }

    /// `poison` of that type; nothing of `void`.
    pub(crate) fn poison_or_nothing(ty: Type) -> Option<Value> {
        (ty.kind() != Kind::Void).then(|| Value::poison(ty))
    }

    /// An integer constant.
    pub(crate) fn integer(ty: Type, value: i64) -> Value {
        Value(llvm!(LLVMConstInt(ty.0, value as u64, 1)))
    }

    /// An integer constant, or a splat of it for a vector type.
    pub(crate) fn integer_everywhere(ty: Type, value: i64) -> Value {
        let constant = Value::integer(ty.scalar(), value);
        match ty.kind() {
            Kind::Vector(count) => {
                let mut lanes = vec![constant.0; count as usize];
                Value(llvm!(LLVMConstVector(lanes.as_mut_ptr(), count)))
            }
            _ => constant,
        }
    }

    /// A floating-point constant, or a splat of it for a vector type, from decimal text, rounded once to the
    /// type's own precision.
    pub(crate) fn float(ty: Type, decimal: &str) -> Value {
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
    pub(crate) fn set_initializer(self, value: Value) {
        llvm!(LLVMSetInitializer(self.0, value.0));
    }

    /// Declares that a global variable may be written.
    pub(crate) fn set_writable(self) {
        llvm!(LLVMSetGlobalConstant(self.0, 0));
    }

    /// Declares a global variable `constant`.
    pub(crate) fn set_constant(self) {
        llvm!(LLVMSetGlobalConstant(self.0, 1));
    }

    /// Sets the linkage of a global.
    pub(crate) fn set_linkage(self, linkage: LLVMLinkage) {
        llvm!(LLVMSetLinkage(self.0, linkage));
    }

    /// Deletes a global variable that nobody uses any more.
    pub(crate) fn delete_global(self) {
        llvm!(LLVMDeleteGlobal(self.0));
    }
}

impl Function {
    /// Wraps a function of the C API's.
    pub(crate) fn from_raw(raw: LLVMValueRef) -> Function {
        Function(raw)
    }

    /// The type of the memory through which a large struct is returned (`sret`).
    pub(crate) fn return_memory_type(self) -> Option<Type> {
        self.type_attribute(1, "sret")
    }

    /// The type that an attribute such as `byval` of a parameter, by its number from 1, names.
    pub(crate) fn type_attribute(self, index: u32, name: &str) -> Option<Type> {
        let attribute = llvm!(LLVMGetEnumAttributeAtIndex(self.0, index, attribute_kind(name)));
        (!attribute.is_null()).then(|| Type(llvm!(LLVMGetTypeAttributeValue(attribute))))
    }

    /// The number that an attribute such as `align` of a parameter, by its number from 1, holds.
    pub(crate) fn attribute_value(self, index: u32, name: &str) -> Option<u64> {
        let attribute = llvm!(LLVMGetEnumAttributeAtIndex(self.0, index, attribute_kind(name)));
        (!attribute.is_null()).then(|| llvm!(LLVMGetEnumAttributeValue(attribute)))
    }

    /// Takes an attribute of LLVM's from its result (0) or one of its parameters.
    pub(crate) fn remove_attribute(self, index: u32, name: &str) {
        // A name that this LLVM does not know has the number 0.
        let kind = attribute_kind(name);
        if kind != 0 {
            llvm!(LLVMRemoveEnumAttributeAtIndex(self.0, index, kind));
        }
    }

    /// Gives a parameter, by its number from 1, an attribute that names a type, as `byval` does.
    pub(crate) fn add_type_attribute(self, index: u32, name: &str, ty: Type) {
        let attribute =
            llvm!(LLVMCreateTypeAttribute(self.function_type().context(), attribute_kind(name), ty.0));
        llvm!(LLVMAddAttributeAtIndex(self.0, index, attribute));
    }

    /// The function as a value.
    pub(crate) fn value(self) -> Value {
        Value(self.0)
    }

    /// Its name.
    pub(crate) fn name(self) -> String {
        self.value().name()
    }

    /// Its name as its programmer wrote it, for messages.
    pub(crate) fn written_name(self) -> String {
        crate::ffi::demangle(&self.name())
    }

    /// Its signature.
    pub(crate) fn function_type(self) -> Type {
        Type(llvm!(LLVMGlobalGetValueType(self.0)))
    }

    /// What it returns.
    pub(crate) fn return_type(self) -> Type {
        Type(llvm!(LLVMGetReturnType(self.function_type().0)))
    }

    /// The types of its parameters.
    pub(crate) fn parameter_types(self) -> Vec<Type> {
        self.parameters().into_iter().map(Value::ty).collect()
    }

    /// Its parameters.
    pub(crate) fn parameters(self) -> Vec<Value> {
        (0..llvm!(LLVMCountParams(self.0))).map(|index| Value(llvm!(LLVMGetParam(self.0, index)))).collect()
    }

    /// Whether it takes more arguments than it names.
    pub(crate) fn is_variadic(self) -> bool {
        llvm!(LLVMIsFunctionVarArg(self.function_type().0)) != 0
    }

    /// Whether it has no body here.
    pub(crate) fn is_declaration(self) -> bool {
        llvm!(LLVMIsDeclaration(self.0)) != 0
    }

    /// Whether it is one of LLVM's intrinsics.
    pub(crate) fn is_intrinsic(self) -> bool {
        llvm!(LLVMGetIntrinsicID(self.0)) != 0
    }

    /// Its blocks, the entry first.
    pub(crate) fn blocks(self) -> impl Iterator<Item = Block> {
        chain(llvm!(LLVMGetFirstBasicBlock(self.0)), |raw| llvm!(LLVMGetNextBasicBlock(raw))).map(Block)
    }

    /// All its instructions, block by block.
    pub(crate) fn instructions(self) -> impl Iterator<Item = Instruction> {
        self.blocks().flat_map(Block::instructions)
    }

    /// The entry block.
    pub(crate) fn entry(self) -> Option<Block> {
        self.blocks().next()
    }

    /// Appends a block.
    pub(crate) fn append_block(self, name: &str) -> Block {
        let context = self.function_type().context();
        Block(llvm!(LLVMAppendBasicBlockInContext(context, self.0, c_name(name).as_ptr())))
    }

    /// Sets its linkage.
    pub(crate) fn set_linkage(self, linkage: LLVMLinkage) {
        self.value().set_linkage(linkage);
    }

    /// The module that holds it.
    pub(crate) fn module(self) -> Module {
        Module(llvm!(LLVMGetGlobalParent(self.0)))
    }

    /// Deletes it. Nobody may use it any more.
    pub(crate) fn delete(self) {
        llvm!(LLVMDeleteFunction(self.0));
    }

    /// Whether it carries that string attribute.
    pub(crate) fn has_string_attribute(self, name: &str) -> bool {
        !llvm!(LLVMGetStringAttributeAtIndex(
            self.0,
            FUNCTION_ATTRIBUTES,
            name.as_ptr().cast(),
            name.len() as u32
        ))
        .is_null()
    }

    /// Gives it a string attribute.
    pub(crate) fn add_string_attribute(self, name: &str) {
        let context = self.function_type().context();
        let (text, length) = (name.as_ptr().cast(), name.len() as u32);
        let attribute = llvm!(LLVMCreateStringAttribute(context, text, length, std::ptr::null(), 0));
        llvm!(LLVMAddAttributeAtIndex(self.0, FUNCTION_ATTRIBUTES, attribute));
    }

    /// Whether it, or one of its parameters by its number from 1, carries that attribute of LLVM's.
    pub(crate) fn has_attribute(self, index: u32, name: &str) -> bool {
        !llvm!(LLVMGetEnumAttributeAtIndex(self.0, index, attribute_kind(name))).is_null()
    }

    /// Gives it an attribute of LLVM's that takes no value.
    pub(crate) fn add_attribute(self, index: u32, name: &str) {
        let attribute =
            llvm!(LLVMCreateEnumAttribute(self.function_type().context(), attribute_kind(name), 0));
        llvm!(LLVMAddAttributeAtIndex(self.0, index, attribute));
    }
}

/// LLVM's number for one of its attributes.
pub(super) fn attribute_kind(name: &str) -> u32 {
    llvm!(LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()))
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

impl fmt::Debug for Function {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.value().name())
    }
}

impl From<Function> for Value {
    fn from(function: Function) -> Value {
        function.value()
    }
}
