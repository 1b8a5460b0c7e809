//! What the reader asks of the C++ shim (`shim/read.cpp`).
//!
//! The functions rest on the invariant of [`crate::ir`], and on the kind of handle that each one's name says.

use std::ffi::{c_char, c_int, c_uint, c_void};

use inkwell::llvm_sys::prelude::*;

use crate::ir::{owned, take_message};

/// What a value is, whatever the version of LLVM calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
// Made by the shim.
#[allow(dead_code)]
pub(super) enum ValueClass {
    Parameter,
    Instruction,
    Block,
    Metadata,
    InlineAsm,
    Variable,
    Function,
    Alias,
    IndirectFunction,
    Integer,
    Float,
    Null,
    Undef,
    Poison,
    Zero,
    NoneToken,
    Aggregate,
    Data,
    Expression,
    BlockAddress,
    DsoLocalEquivalent,
    NoCfi,
    PointerAuthentication,
    Unknown,
}

/// What a type is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
// Made by the shim.
#[allow(dead_code)]
pub(super) enum TypeClass {
    Void,
    Half,
    BFloat,
    Float,
    Double,
    X86Fp80,
    Fp128,
    PpcFp128,
    Label,
    Metadata,
    X86Mmx,
    X86Amx,
    Token,
    Integer,
    Function,
    Pointer,
    Struct,
    Array,
    FixedVector,
    ScalableVector,
    Target,
    Unknown,
}

/// What a metadata node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
// Made by the shim.
#[allow(dead_code)]
pub(super) enum MetadataClass {
    String,
    Constant,
    LocalValue,
    UniquedTuple,
    DistinctTuple,
    Other,
}

/// A text that LLVM owns.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct BorrowedText {
    data: *const c_char,
    length: usize,
}

impl BorrowedText {
    /// Copies the text.
    pub(super) fn to_text(self) -> String {
        owned(self.data, self.length)
    }

    pub(super) fn is_empty(self) -> bool {
        self.length == 0
    }

    /// Copies the text; `None` when it is empty.
    pub(super) fn to_option(self) -> Option<String> {
        (!self.is_empty()).then(|| self.to_text())
    }
}

/// A list that LLVM owns.
///
/// # Safety
/// `data` must be null or point to `length` elements that live as long as `'a` is used.
unsafe fn borrowed<'a, T>(data: *const T, length: usize) -> &'a [T] {
    if data.is_null() || length == 0 {
        return &[];
    }
    // SAFETY: by the contract above.
    unsafe { std::slice::from_raw_parts(data, length) }
}

#[repr(C)]
struct RawTargetType {
    name: BorrowedText,
    types: *const LLVMTypeRef,
    type_count: usize,
    integers: *const c_uint,
    integer_count: usize,
}

#[repr(C)]
pub(super) struct RawInRange {
    /// 0 nothing, 1 `start` to `end` in bytes, 2 the index `start`.
    pub(super) kind: u32,
    pub(super) start: i64,
    pub(super) end: i64,
}

/// How an instruction touches memory; texts are empty where they say nothing.
#[repr(C)]
pub(super) struct RawMemoryAccess {
    pub(super) operation: BorrowedText,
    pub(super) ordering: BorrowedText,
    pub(super) failure_ordering: BorrowedText,
    pub(super) scope: BorrowedText,
    pub(super) alignment: u64,
    pub(super) volatile: bool,
    pub(super) weak: bool,
}

#[repr(C)]
pub(super) struct RawInlineAsm {
    pub(super) template: BorrowedText,
    pub(super) constraints: BorrowedText,
    pub(super) side_effect: bool,
    pub(super) align_stack: bool,
    pub(super) intel_dialect: bool,
    pub(super) may_unwind: bool,
}

#[repr(C)]
pub(super) struct RawGlobalTraits {
    pub(super) section: BorrowedText,
    pub(super) partition: BorrowedText,
    pub(super) comdat: BorrowedText,
    /// 0 when none is given.
    pub(super) alignment: u64,
    pub(super) dso_local: bool,
}

type TextVisitor = extern "C" fn(*mut c_void, BorrowedText);
type AttributeVisitor = extern "C" fn(*mut c_void, LLVMAttributeRef);

unsafe extern "C" {
    fn enzyme_GetValueClass(value: LLVMValueRef) -> ValueClass;
    fn enzyme_GetTypeClass(ty: LLVMTypeRef) -> TypeClass;
    fn enzyme_GetArrayLength(ty: LLVMTypeRef) -> u64;
    fn enzyme_GetTargetType(ty: LLVMTypeRef) -> RawTargetType;

    fn enzyme_GetOpcodeName(operation: LLVMValueRef) -> BorrowedText;
    fn enzyme_GetPredicateName(comparison: LLVMValueRef) -> BorrowedText;
    fn enzyme_GetShuffleMask(shuffle: LLVMValueRef, length: *mut usize) -> *const c_int;
    fn enzyme_GetInRange(element_pointer: LLVMValueRef) -> RawInRange;
    fn enzyme_GetMemoryAccess(instruction: LLVMValueRef) -> RawMemoryAccess;
    fn enzyme_GetAllocaStorage(alloca: LLVMValueRef) -> u32;
    fn enzyme_GetSwitchCaseValue(switch: LLVMValueRef, index: u32) -> LLVMValueRef;

    fn enzyme_GetIntegerWords(integer: LLVMValueRef, bits: *mut u32, count: *mut usize) -> *const u64;
    fn enzyme_GetFloatBits(float: LLVMValueRef, words: *mut u64);
    fn enzyme_GetConstantData(data: LLVMValueRef) -> BorrowedText;
    fn enzyme_GetSplatValue(vector: LLVMValueRef) -> LLVMValueRef;
    fn enzyme_GetBlockAddress(
        address: LLVMValueRef,
        function: *mut LLVMValueRef,
        block: *mut LLVMBasicBlockRef,
    );
    fn enzyme_GetWrappedGlobal(constant: LLVMValueRef) -> LLVMValueRef;
    fn enzyme_GetInlineAsm(asm: LLVMValueRef) -> RawInlineAsm;

    fn enzyme_GetGlobalTraits(global: LLVMValueRef) -> RawGlobalTraits;
    fn enzyme_VisitVariableAttributes(variable: LLVMValueRef, visit: AttributeVisitor, state: *mut c_void);
    fn enzyme_GetIndirectSymbol(alias_or_ifunc: LLVMValueRef) -> LLVMValueRef;
    fn enzyme_GetPersonality(function: LLVMValueRef) -> LLVMValueRef;
    fn enzyme_GetPrologueData(function: LLVMValueRef) -> LLVMValueRef;
    fn enzyme_GetPrefixData(function: LLVMValueRef) -> LLVMValueRef;
    fn enzyme_PrintAttribute(attribute: LLVMAttributeRef) -> *mut c_char;

    fn enzyme_VisitMetadataKinds(context: LLVMContextRef, visit: TextVisitor, state: *mut c_void);
    fn enzyme_GetWrappedMetadata(value: LLVMValueRef) -> LLVMMetadataRef;
    fn enzyme_GetMetadataClass(metadata: LLVMMetadataRef) -> MetadataClass;
    fn enzyme_GetMetadataText(string: LLVMMetadataRef) -> BorrowedText;
    fn enzyme_GetMetadataValue(metadata: LLVMMetadataRef) -> LLVMValueRef;
    fn enzyme_GetTupleLength(tuple: LLVMMetadataRef) -> usize;
    fn enzyme_GetTupleElement(tuple: LLVMMetadataRef, index: usize) -> LLVMMetadataRef;
}

/// Calls one function of the shim under the invariant of this module.
macro_rules! shim {
    ($call:expr) => {{
        // SAFETY: the handles passed are live and of the right kind (see the invariant of this module).
        unsafe { $call }
    }};
}

/// A handle that may be null.
pub(super) fn present<T>(raw: *mut T) -> Option<*mut T> {
    (!raw.is_null()).then_some(raw)
}

/// What a value is.
pub(super) fn value_class(value: LLVMValueRef) -> ValueClass {
    shim!(enzyme_GetValueClass(value))
}

/// What a type is.
pub(super) fn type_class(ty: LLVMTypeRef) -> TypeClass {
    shim!(enzyme_GetTypeClass(ty))
}

/// Number of elements of an array type.
pub(super) fn array_length(ty: LLVMTypeRef) -> u64 {
    shim!(enzyme_GetArrayLength(ty))
}

/// Name, type parameters and integer parameters of a target type.
pub(super) fn target_type<'a>(ty: LLVMTypeRef) -> (String, &'a [LLVMTypeRef], &'a [u32]) {
    let raw = shim!(enzyme_GetTargetType(ty));
    // SAFETY: the lists lie in the type, which lives as long as its context.
    let (types, integers) =
        unsafe { (borrowed(raw.types, raw.type_count), borrowed(raw.integers, raw.integer_count)) };
    (raw.name.to_text(), types, integers)
}

/// The word of an instruction or constant expression.
pub(super) fn opcode_name(operation: LLVMValueRef) -> String {
    shim!(enzyme_GetOpcodeName(operation)).to_text()
}

/// The word of a comparison.
pub(super) fn predicate_name(comparison: LLVMValueRef) -> String {
    shim!(enzyme_GetPredicateName(comparison)).to_text()
}

/// The mask of a `shufflevector`; -1 stands for poison.
pub(super) fn shuffle_mask<'a>(shuffle: LLVMValueRef) -> &'a [c_int] {
    let mut length = 0;
    let mask = shim!(enzyme_GetShuffleMask(shuffle, &raw mut length));
    // SAFETY: the mask lies in the instruction or constant.
    unsafe { borrowed(mask, length) }
}

/// What `inrange` says of a `getelementptr`.
pub(super) fn in_range(element_pointer: LLVMValueRef) -> RawInRange {
    shim!(enzyme_GetInRange(element_pointer))
}

/// How a `load`, `store`, `fence`, `cmpxchg` or `atomicrmw` touches memory.
pub(super) fn memory_access(instruction: LLVMValueRef) -> RawMemoryAccess {
    shim!(enzyme_GetMemoryAccess(instruction))
}

/// 0 ordinary, 1 `inalloca`, 2 `swifterror`.
pub(super) fn alloca_storage(alloca: LLVMValueRef) -> u32 {
    shim!(enzyme_GetAllocaStorage(alloca))
}

/// The integer of a switch's case, counted from 0.
pub(super) fn switch_case_value(switch: LLVMValueRef, index: u32) -> LLVMValueRef {
    shim!(enzyme_GetSwitchCaseValue(switch, index))
}

/// Width and words of an integer constant.
pub(super) fn integer_words<'a>(integer: LLVMValueRef) -> (u32, &'a [u64]) {
    let (mut bits, mut count) = (0, 0);
    let words = shim!(enzyme_GetIntegerWords(integer, &raw mut bits, &raw mut count));
    // SAFETY: the words lie in the constant, which lives as long as its context.
    (bits, unsafe { borrowed(words, count) })
}

/// The bits of a floating-point constant.
pub(super) fn float_bits(float: LLVMValueRef) -> u128 {
    let mut words = [0; 2];
    shim!(enzyme_GetFloatBits(float, words.as_mut_ptr()));
    u128::from(words[0]) | u128::from(words[1]) << 64
}

/// The bytes of a data array or vector.
pub(super) fn constant_data<'a>(data: LLVMValueRef) -> &'a [u8] {
    let raw = shim!(enzyme_GetConstantData(data));
    // SAFETY: the bytes lie in the constant, which lives as long as its context.
    unsafe { borrowed(raw.data.cast(), raw.length) }
}

/// The element that all places of a vector constant hold.
pub(super) fn splat_value(vector: LLVMValueRef) -> Option<LLVMValueRef> {
    present(shim!(enzyme_GetSplatValue(vector)))
}

/// Function and block of a block address.
pub(super) fn block_address(address: LLVMValueRef) -> (LLVMValueRef, LLVMBasicBlockRef) {
    let (mut function, mut block) = (std::ptr::null_mut(), std::ptr::null_mut());
    shim!(enzyme_GetBlockAddress(address, &raw mut function, &raw mut block));
    (function, block)
}

/// The global that a `dso_local_equivalent` or `no_cfi` is about.
pub(super) fn wrapped_global(constant: LLVMValueRef) -> LLVMValueRef {
    shim!(enzyme_GetWrappedGlobal(constant))
}

/// Assembler as a callee.
pub(super) fn inline_asm(asm: LLVMValueRef) -> RawInlineAsm {
    shim!(enzyme_GetInlineAsm(asm))
}

/// What the C API does not tell of a global.
pub(super) fn global_traits(global: LLVMValueRef) -> RawGlobalTraits {
    shim!(enzyme_GetGlobalTraits(global))
}

extern "C" fn push_attribute(state: *mut c_void, attribute: LLVMAttributeRef) {
    // SAFETY: `state` is the list that the function below passes, borrowed by nobody else meanwhile.
    unsafe { &mut *state.cast::<Vec<LLVMAttributeRef>>() }.push(attribute);
}

/// The attributes of a global variable.
pub(super) fn variable_attributes(variable: LLVMValueRef) -> Vec<LLVMAttributeRef> {
    let mut attributes: Vec<LLVMAttributeRef> = Vec::new();
    shim!(enzyme_VisitVariableAttributes(variable, push_attribute, (&raw mut attributes).cast()));
    attributes
}

/// The target of an alias, or the resolver of an ifunc.
pub(super) fn indirect_symbol(alias_or_ifunc: LLVMValueRef) -> LLVMValueRef {
    shim!(enzyme_GetIndirectSymbol(alias_or_ifunc))
}

/// The personality of a function.
pub(super) fn personality(function: LLVMValueRef) -> Option<LLVMValueRef> {
    present(shim!(enzyme_GetPersonality(function)))
}

/// The prologue data of a function.
pub(super) fn prologue_data(function: LLVMValueRef) -> Option<LLVMValueRef> {
    present(shim!(enzyme_GetPrologueData(function)))
}

/// The prefix data of a function.
pub(super) fn prefix_data(function: LLVMValueRef) -> Option<LLVMValueRef> {
    present(shim!(enzyme_GetPrefixData(function)))
}

/// An attribute as the text form has it.
pub(super) fn print_attribute(attribute: LLVMAttributeRef) -> String {
    take_message(shim!(enzyme_PrintAttribute(attribute)))
}

extern "C" fn push_text(state: *mut c_void, text: BorrowedText) {
    // SAFETY: `state` is the list that the function below passes, borrowed by nobody else meanwhile.
    unsafe { &mut *state.cast::<Vec<String>>() }.push(text.to_text());
}

/// The names of the kinds of metadata, in the order of their numbers.
pub(super) fn metadata_kinds(context: LLVMContextRef) -> Vec<String> {
    let mut kinds: Vec<String> = Vec::new();
    shim!(enzyme_VisitMetadataKinds(context, push_text, (&raw mut kinds).cast()));
    kinds
}

/// The metadata that a value wraps.
pub(super) fn wrapped_metadata(value: LLVMValueRef) -> LLVMMetadataRef {
    shim!(enzyme_GetWrappedMetadata(value))
}

/// What a metadata node is.
pub(super) fn metadata_class(metadata: LLVMMetadataRef) -> MetadataClass {
    shim!(enzyme_GetMetadataClass(metadata))
}

/// The text of a metadata string.
pub(super) fn metadata_text(string: LLVMMetadataRef) -> String {
    shim!(enzyme_GetMetadataText(string)).to_text()
}

/// The value that a metadata node wraps.
pub(super) fn metadata_value(metadata: LLVMMetadataRef) -> LLVMValueRef {
    shim!(enzyme_GetMetadataValue(metadata))
}

/// The elements of a tuple; `None` for an empty place.
pub(super) fn tuple_elements(tuple: LLVMMetadataRef) -> Vec<Option<LLVMMetadataRef>> {
    (0..shim!(enzyme_GetTupleLength(tuple)))
        .map(|index| present(shim!(enzyme_GetTupleElement(tuple, index))))
        .collect()
}
