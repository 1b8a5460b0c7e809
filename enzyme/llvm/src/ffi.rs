//! The C++ shim: what LLVM's C API lacks in one of the versions served.
//!
//! The functions rest on the invariant of [`crate::ir`]: a handle is made only from a live LLVM object, of the
//! kind that the parameter's name says, and the module that owns the object outlives the handle. They are
//! therefore safe to call inside this crate.

// The shim is declared whole, whichever parts of it the engine calls today.
#![allow(dead_code)]

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr::NonNull;

use inkwell::llvm_sys::core::LLVMDisposeMessage;
use inkwell::llvm_sys::prelude::{LLVMBasicBlockRef, LLVMModuleRef, LLVMValueRef};
use inkwell::llvm_sys::target_machine::LLVMTargetMachineRef;

/// Changes a module; returns whether it did.
pub(crate) type RunOnModule = extern "C" fn(LLVMModuleRef) -> bool;

/// Where the host stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
// Made by the shim.
#[allow(dead_code)]
pub(crate) enum Phase {
    /// It compiles one file.
    Compiling,
    /// It links, and sees the functions of all files.
    Linking,
}

/// The engine's entry, called by the pass for each module; returns whether the module changed.
pub(crate) type Differentiate = extern "C" fn(LLVMModuleRef, Phase) -> bool;

/// An analysis that a pass prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
// Made by the shim.
#[allow(dead_code)]
pub(crate) enum Printed {
    /// `print-type-analysis`.
    Types,
    /// `print-activity-analysis`.
    Activity,
}

/// Prints what an analysis says of a function, or, when that is null, of a module's functions.
pub(crate) type Print = extern "C" fn(LLVMModuleRef, LLVMValueRef, Printed);

/// What the passes run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Passes {
    /// Differentiates.
    pub(crate) run: Differentiate,
    /// Keeps functions with rules from being optimised away.
    pub(crate) hold: RunOnModule,
    /// Lets go of them.
    pub(crate) release: RunOnModule,
    /// Prints what an analysis finds out.
    pub(crate) print: Print,
}

/// Fast-math flags, as in `LLVMFastMathFlags`.
pub(crate) mod fast_math {
    /// `reassoc`.
    pub(crate) const REASSOCIATE: u32 = 1 << 0;
    /// `nnan`.
    pub(crate) const NO_NANS: u32 = 1 << 1;
    /// `ninf`.
    pub(crate) const NO_INFINITIES: u32 = 1 << 2;
    /// `nsz`.
    pub(crate) const NO_SIGNED_ZEROS: u32 = 1 << 3;
    /// `arcp`.
    pub(crate) const RECIPROCAL: u32 = 1 << 4;
    /// `contract`.
    pub(crate) const CONTRACT: u32 = 1 << 5;
    /// `afn`.
    pub(crate) const APPROXIMATE_FUNCTIONS: u32 = 1 << 6;
    /// `fast`.
    pub(crate) const ALL: u32 = (1 << 7) - 1;
}

/// Flags that make a result poison where they do not hold.
pub(crate) mod poison {
    /// `nuw`, of integer arithmetic, `shl`, `trunc` and `getelementptr`.
    pub(crate) const NO_UNSIGNED_WRAP: u32 = 1 << 0;
    /// `nsw`, of integer arithmetic, `shl` and `trunc`.
    pub(crate) const NO_SIGNED_WRAP: u32 = 1 << 1;
    /// `exact`, of divisions and right shifts.
    pub(crate) const EXACT: u32 = 1 << 2;
    /// `nneg`, of `zext` and `uitofp`.
    pub(crate) const NON_NEGATIVE: u32 = 1 << 3;
    /// `disjoint`, of `or`.
    pub(crate) const DISJOINT: u32 = 1 << 4;
    /// `samesign`, of `icmp`.
    pub(crate) const SAME_SIGN: u32 = 1 << 5;
    /// `inbounds`, of `getelementptr`.
    pub(crate) const IN_BOUNDS: u32 = 1 << 6;
    /// `nusw`, of `getelementptr`.
    pub(crate) const NO_UNSIGNED_SIGNED_WRAP: u32 = 1 << 7;
}

/// What a function or call may do to memory: two bits (1 reads, 2 writes) for each kind of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MemoryEffects(pub(crate) u32);

impl MemoryEffects {
    /// Touches no memory.
    pub(crate) const NONE: MemoryEffects = MemoryEffects(0);
    /// May read anything.
    pub(crate) const READ: MemoryEffects = MemoryEffects(0b01_01_01);
    /// May write anything.
    pub(crate) const WRITE: MemoryEffects = MemoryEffects(0b10_10_10);
    /// May read and write anything.
    pub(crate) const ANY: MemoryEffects = MemoryEffects(0b11_11_11);
    /// May read and write what its pointer arguments point to.
    pub(crate) const ARGUMENTS: MemoryEffects = MemoryEffects(0b00_00_11);
    /// May read what its pointer arguments point to.
    pub(crate) const READ_ARGUMENTS: MemoryEffects = MemoryEffects(0b00_00_01);
    /// May read and write memory that the module cannot name.
    pub(crate) const INACCESSIBLE: MemoryEffects = MemoryEffects(0b00_11_00);

    /// Whether everything that `self` may do is among what `other` may do.
    pub(crate) fn within(self, other: MemoryEffects) -> bool {
        self.0 & !other.0 == 0
    }
}

/// A piece of text as the shim takes it.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Text {
    data: *const c_char,
    length: usize,
}

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        Text { data: text.as_ptr().cast(), length: text.len() }
    }
}

/// A command-line option that LLVM knows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OptionHandle(NonNull<c_void>);

// SAFETY: options are never freed, and are written only while LLVM parses the command line.
unsafe impl Send for OptionHandle {}
// SAFETY: as above.
unsafe impl Sync for OptionHandle {}

/// Given one line of text at a time.
type LineVisitor = extern "C" fn(*mut c_void, *const c_char, usize);

/// Told of a value and its clone.
type CloneVisitor = extern "C" fn(*mut c_void, LLVMValueRef, LLVMValueRef);

unsafe extern "C" {
    fn enzyme_RegisterPassBuilderCallbacks(
        pass_builder: *mut c_void,
        run: Differentiate,
        hold: RunOnModule,
        release: RunOnModule,
        print: Print,
    );

    fn enzyme_PrintToOutput(text: Text);
    fn enzyme_VisitFunctionText(function: LLVMValueRef, visit: LineVisitor, state: *mut c_void);

    fn enzyme_AddBoolOption(name: Text, doc: Text, initial: bool, hidden: bool) -> *mut c_void;
    fn enzyme_AddIntegerOption(name: Text, doc: Text, initial: u32, hidden: bool) -> *mut c_void;
    fn enzyme_AddTextOption(name: Text, doc: Text, initial: Text, hidden: bool) -> *mut c_void;
    fn enzyme_GetBoolOption(option: *const c_void) -> bool;
    fn enzyme_GetIntegerOption(option: *const c_void) -> u32;
    fn enzyme_GetTextOption(option: *const c_void) -> *mut c_char;
    fn enzyme_ParseOptions(count: c_int, words: *const *const c_char) -> *mut c_char;

    fn enzyme_EmitError(at: LLVMValueRef, message: Text);
    fn enzyme_EmitModuleError(module: LLVMModuleRef, message: Text);
    fn enzyme_EmitWarning(at: LLVMValueRef, message: Text);
    fn enzyme_WantsAnalysisRemarks(at: LLVMValueRef) -> bool;
    fn enzyme_EmitAnalysisRemark(at: LLVMValueRef, name: Text, message: Text);

    fn enzyme_CloneFunctionInto(
        new: LLVMValueRef,
        old: LLVMValueRef,
        arguments: *const LLVMValueRef,
        visit: CloneVisitor,
        state: *mut c_void,
    );
    fn enzyme_CloneFunction(
        old: LLVMValueRef,
        name: Text,
        visit: CloneVisitor,
        state: *mut c_void,
    ) -> LLVMValueRef;

    fn enzyme_CloneBasicBlocks(
        into: LLVMValueRef,
        blocks: *const LLVMBasicBlockRef,
        count: usize,
        old: *const LLVMValueRef,
        new: *const LLVMValueRef,
        known: usize,
        visit: CloneVisitor,
        state: *mut c_void,
    );

    fn enzyme_RunFunctionPipeline(
        function: LLVMValueRef,
        pipeline: Text,
        target: LLVMTargetMachineRef,
    ) -> *mut c_char;
    fn enzyme_EraseUnusedAllocations(function: LLVMValueRef);
    fn enzyme_RunModulePipeline(
        module: LLVMModuleRef,
        pipeline: Text,
        target: LLVMTargetMachineRef,
    ) -> *mut c_char;
    fn enzyme_Demangle(name: Text) -> *mut c_char;

    fn enzyme_VerifyFunction(function: LLVMValueRef) -> *mut c_char;
    fn enzyme_VerifyModule(module: LLVMModuleRef) -> *mut c_char;

    fn enzyme_TimeTraceProfilerEnabled() -> bool;
    fn enzyme_TimeTraceProfilerBegin(name: Text, detail: Text);
    fn enzyme_TimeTraceProfilerEnd();

    fn enzyme_AccumulateConstantOffset(address: LLVMValueRef, distance: *mut i64) -> bool;
    fn enzyme_ContainsIrreducibleCFG(function: LLVMValueRef) -> bool;
    fn enzyme_ExpandTripCounts(function: LLVMValueRef, kind: Text);
    fn enzyme_GetLoopFor(
        at: LLVMValueRef,
        header: *mut LLVMBasicBlockRef,
        preheader: *mut LLVMBasicBlockRef,
        latch: *mut LLVMBasicBlockRef,
    ) -> bool;
    fn enzyme_SetLoopAnnotated(at: LLVMValueRef, number: u64, annotated: bool) -> bool;
    fn enzyme_IsAnnotatedLoopGone(at: LLVMValueRef, number: u64) -> bool;
    fn enzyme_ExpandInductionVariables(header: LLVMBasicBlockRef, counter: LLVMValueRef);

    fn enzyme_InlineFunction(call: LLVMValueRef) -> *mut c_char;
    fn enzyme_SplitBlock(at: LLVMValueRef, name: Text) -> LLVMBasicBlockRef;
    fn enzyme_MoveInstructionBefore(moved: LLVMValueRef, before: LLVMValueRef);
    fn enzyme_DeleteBody(function: LLVMValueRef);
    fn enzyme_ReplaceAllUsesWithPoisonAndErase(value: LLVMValueRef);
    fn enzyme_EraseGlobalsExcept(module: LLVMModuleRef, kept: *const LLVMValueRef, count: usize);

    fn enzyme_GetFastMathFlags(value: LLVMValueRef) -> u32;
    fn enzyme_SetFastMathFlags(value: LLVMValueRef, flags: u32);
    fn enzyme_GetPoisonFlags(value: LLVMValueRef) -> u32;
    fn enzyme_SetPoisonFlags(value: LLVMValueRef, flags: u32);
    fn enzyme_GetTailCallKind(call: LLVMValueRef) -> u32;
    fn enzyme_SetTailCallKind(call: LLVMValueRef, kind: u32);
    fn enzyme_GetNumOperandBundles(call: LLVMValueRef) -> u32;
    fn enzyme_GetOperandBundleTag(call: LLVMValueRef, index: u32, length: *mut usize) -> *const c_char;
    fn enzyme_GetNumOperandBundleArgs(call: LLVMValueRef, index: u32) -> u32;
    fn enzyme_GetOperandBundleArg(call: LLVMValueRef, index: u32, input: u32) -> LLVMValueRef;

    fn enzyme_GetMemoryEffects(function_or_call: LLVMValueRef) -> u32;
    fn enzyme_SetMemoryEffects(function_or_call: LLVMValueRef, effects: u32);
    fn enzyme_AllowOptimisation(function: LLVMValueRef);
    fn enzyme_DropPrimalPromises(function: LLVMValueRef);
}

/// Calls one function of the shim under the invariant of this module.
macro_rules! shim {
    ($call:expr) => {{
        // SAFETY: the handles passed are live and of the right kind (see the invariant of `ffi`).
        unsafe { $call }
    }};
}

/// Registers the pass `enzyme` with a `llvm::PassBuilder`, by name and at its points of the pipeline.
///
/// # Safety
/// `pass_builder` must be a live `llvm::PassBuilder` of the LLVM that this crate was built for.
pub(crate) unsafe fn register_pass_builder_callbacks(pass_builder: *mut c_void, passes: &Passes) {
    let Passes { run, hold, release, print } = *passes;
    // SAFETY: by the contract above.
    unsafe { enzyme_RegisterPassBuilderCallbacks(pass_builder, run, hold, release, print) }
}

/// Prints a text to the standard output through LLVM, so that it comes in order with what LLVM prints there.
pub(crate) fn print_to_output(text: &str) {
    // SAFETY: the shim copies the text.
    unsafe { enzyme_PrintToOutput(text.into()) }
}

/// The parameters and the instructions of a function, in order, as LLVM prints each of them.
pub(crate) fn function_text(function: LLVMValueRef) -> Vec<String> {
    extern "C" fn push(state: *mut c_void, data: *const c_char, length: usize) {
        let line = crate::ir::owned(data, length);
        // SAFETY: `state` is the list below, borrowed by nobody else meanwhile.
        unsafe { &mut *state.cast::<Vec<String>>() }.push(line);
    }
    let mut lines: Vec<String> = Vec::new();
    // SAFETY: the function is alive, and `lines` outlives the call.
    unsafe { enzyme_VisitFunctionText(function, push, (&raw mut lines).cast()) };
    lines
}

/// Whether `--help` shows an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Visibility {
    /// It does.
    Shown,
    /// Only `--help-hidden` does.
    Hidden,
}

/// Adds an option that is on or off; `None` when the name is taken by somebody else.
pub(crate) fn add_bool_option(
    name: &'static str,
    doc: &'static str,
    initial: bool,
    visibility: Visibility,
) -> Option<OptionHandle> {
    let hidden = visibility == Visibility::Hidden;
    NonNull::new(shim!(enzyme_AddBoolOption(name.into(), doc.into(), initial, hidden))).map(OptionHandle)
}

/// Adds an option that is a number; `None` when the name is taken by somebody else.
pub(crate) fn add_integer_option(
    name: &'static str,
    doc: &'static str,
    initial: u32,
    visibility: Visibility,
) -> Option<OptionHandle> {
    let hidden = visibility == Visibility::Hidden;
    NonNull::new(shim!(enzyme_AddIntegerOption(name.into(), doc.into(), initial, hidden))).map(OptionHandle)
}

/// Adds an option that is a text; `None` when the name is taken by somebody else.
pub(crate) fn add_text_option(
    name: &'static str,
    doc: &'static str,
    initial: &'static str,
    visibility: Visibility,
) -> Option<OptionHandle> {
    let hidden = visibility == Visibility::Hidden;
    NonNull::new(shim!(enzyme_AddTextOption(name.into(), doc.into(), initial.into(), hidden)))
        .map(OptionHandle)
}

/// The value of an option made by [`add_bool_option`].
pub(crate) fn bool_option(option: OptionHandle) -> bool {
    shim!(enzyme_GetBoolOption(option.0.as_ptr()))
}

/// The value of an option made by [`add_integer_option`].
pub(crate) fn integer_option(option: OptionHandle) -> u32 {
    shim!(enzyme_GetIntegerOption(option.0.as_ptr()))
}

/// The value of an option made by [`add_text_option`].
pub(crate) fn text_option(option: OptionHandle) -> String {
    take_message(shim!(enzyme_GetTextOption(option.0.as_ptr()))).unwrap_or_default()
}

/// Lets LLVM parse a command line whose first word is the program's name.
///
/// # Errors
/// LLVM's message when it does not understand something in it.
pub(crate) fn parse_options(words: &[CString]) -> Result<(), String> {
    let pointers: Vec<*const c_char> = words.iter().map(|word| word.as_ptr()).collect();
    // SAFETY: the texts outlive the call, which reads as many as it is told of.
    let message = unsafe { enzyme_ParseOptions(pointers.len() as c_int, pointers.as_ptr()) };
    if message.is_null() { Ok(()) } else { Err(crate::ir::take_message(message).trim_end().to_owned()) }
}

/// Emits an error at an instruction, a function, or what else lies in one.
pub(crate) fn emit_error(at: LLVMValueRef, message: &str) {
    shim!(enzyme_EmitError(at, message.into()));
}

/// Emits an error about a module as a whole.
pub(crate) fn emit_module_error(module: LLVMModuleRef, message: &str) {
    shim!(enzyme_EmitModuleError(module, message.into()));
}

/// Emits a warning at an instruction, a function, or what else lies in one.
pub(crate) fn emit_warning(at: LLVMValueRef, message: &str) {
    shim!(enzyme_EmitWarning(at, message.into()));
}

/// Whether anybody asked for remarks of the pass `enzyme` (`-Rpass-analysis=enzyme`).
pub(crate) fn wants_analysis_remarks(at: LLVMValueRef) -> bool {
    shim!(enzyme_WantsAnalysisRemarks(at))
}

/// Emits a remark on what the pass `enzyme` found out.
pub(crate) fn emit_analysis_remark(at: LLVMValueRef, name: &str, message: &str) {
    shim!(enzyme_EmitAnalysisRemark(at, name.into(), message.into()));
}

/// Each argument, block (as a value) and instruction of a function, in order, with its clone.
pub(crate) type CloneMap = Vec<(LLVMValueRef, LLVMValueRef)>;

extern "C" fn record_clone(state: *mut c_void, old: LLVMValueRef, new: LLVMValueRef) {
    // SAFETY: `state` is the `CloneMap` that the functions below pass, borrowed by nobody else meanwhile.
    unsafe { &mut *state.cast::<CloneMap>() }.push((old, new));
}

/// Appends a clone of `old`'s body to `new`, with `arguments` (values of `new`, one for each of `old`'s
/// parameters) in place of the parameters.
///
/// `new` keeps its linkage and visibility; it takes over `old`'s attributes, except those that its own return
/// type and parameters exclude, calling convention, personality and debug information.
pub(crate) fn clone_function_into(
    new: LLVMValueRef,
    old: LLVMValueRef,
    arguments: &[LLVMValueRef],
) -> CloneMap {
    let mut map = CloneMap::new();
    let state = (&raw mut map).cast();
    shim!(enzyme_CloneFunctionInto(new, old, arguments.as_ptr(), record_clone, state));
    map
}

/// Clones a function under another name, with internal linkage.
pub(crate) fn clone_function(old: LLVMValueRef, name: &str) -> (LLVMValueRef, CloneMap) {
    let mut map = CloneMap::new();
    let state = (&raw mut map).cast();
    let new = shim!(enzyme_CloneFunction(old, name.into(), record_clone, state));
    (new, map)
}

/// Clones blocks into a function, where `known` says what stands for values and blocks around them: for all that they use.
/// What describes the variables of the source stays behind.
pub(crate) fn clone_basic_blocks(
    into: LLVMValueRef,
    blocks: &[LLVMBasicBlockRef],
    known: &[(LLVMValueRef, LLVMValueRef)],
) -> CloneMap {
    let mut map = CloneMap::new();
    let state = (&raw mut map).cast();
    let (old, new): (Vec<_>, Vec<_>) = known.iter().copied().unzip();
    shim!(enzyme_CloneBasicBlocks(
        into,
        blocks.as_ptr(),
        blocks.len(),
        old.as_ptr(),
        new.as_ptr(),
        known.len(),
        record_clone,
        state
    ));
    map
}

/// Runs passes by name (`"sroa,instcombine"`, as for `opt -passes=`) on one function. `target` may be null.
pub(crate) fn run_function_pipeline(
    function: LLVMValueRef,
    pipeline: &str,
    target: LLVMTargetMachineRef,
) -> Result<(), String> {
    success(shim!(enzyme_RunFunctionPipeline(function, pipeline.into(), target)))
}

/// Removes the calls of `malloc` and `calloc` whose results nobody uses.
pub(crate) fn erase_unused_allocations(function: LLVMValueRef) {
    shim!(enzyme_EraseUnusedAllocations(function));
}

/// Runs passes by name on a module. `target` may be null.
pub(crate) fn run_module_pipeline(
    module: LLVMModuleRef,
    pipeline: &str,
    target: LLVMTargetMachineRef,
) -> Result<(), String> {
    success(shim!(enzyme_RunModulePipeline(module, pipeline.into(), target)))
}

/// The name of a symbol as its programmer wrote it (`f(double)` for `_Z1fd`); the symbol itself when it is not mangled.
pub(crate) fn demangle(name: &str) -> String {
    take_message(shim!(enzyme_Demangle(name.into()))).unwrap_or_else(|| name.to_owned())
}

/// LLVM's verifier on one function; the error is its text.
pub(crate) fn verify_function(function: LLVMValueRef) -> Result<(), String> {
    success(shim!(enzyme_VerifyFunction(function)))
}

/// LLVM's verifier on a module; the error is its text.
pub(crate) fn verify_module(module: LLVMModuleRef) -> Result<(), String> {
    success(shim!(enzyme_VerifyModule(module)))
}

/// An entry of LLVM's time profiler, from when it is made until it is dropped; nothing when the host keeps no profile.
#[must_use]
pub(crate) struct TimeTraceScope {
    open: bool,
}

impl TimeTraceScope {
    pub(crate) fn new(name: impl FnOnce() -> String, detail: &str) -> TimeTraceScope {
        let open = shim!(enzyme_TimeTraceProfilerEnabled());
        if open {
            shim!(enzyme_TimeTraceProfilerBegin(name().as_str().into(), detail.into()));
        }
        TimeTraceScope { open }
    }
}

impl Drop for TimeTraceScope {
    fn drop(&mut self) {
        if self.open {
            shim!(enzyme_TimeTraceProfilerEnd());
        }
    }
}

/// Whether the function has a cycle that can be entered in more than one place.
pub(crate) fn contains_irreducible_cfg(function: LLVMValueRef) -> bool {
    shim!(enzyme_ContainsIrreducibleCFG(function))
}

/// Computes in the preheader of each loop how often its header runs, where that is known there: a frozen `i64` with
/// metadata of this kind.
pub(crate) fn expand_trip_counts(function: LLVMValueRef, kind: &str) {
    shim!(enzyme_ExpandTripCounts(function, kind.into()));
}

/// The blocks of a loop that say how it is entered and goes on; nothing where there are none, or several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LoopBlocks {
    pub(crate) header: LLVMBasicBlockRef,
    pub(crate) preheader: Option<LLVMBasicBlockRef>,
    pub(crate) latch: Option<LLVMBasicBlockRef>,
}

/// The innermost loop around an instruction.
pub(crate) fn loop_for(at: LLVMValueRef) -> Option<LoopBlocks> {
    let mut blocks = [std::ptr::null_mut(); 3];
    let [header, preheader, latch] = &mut blocks;
    let found = shim!(enzyme_GetLoopFor(at, &raw mut *header, &raw mut *preheader, &raw mut *latch));
    let given = |block: LLVMBasicBlockRef| (!block.is_null()).then_some(block);
    let [header, preheader, latch] = blocks;
    found.then(|| LoopBlocks { header, preheader: given(preheader), latch: given(latch) })
}

/// What is said of the innermost loop around an annotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LoopMark {
    /// The annotation is its own; LLVM may neither unroll nor peel it.
    Annotated,
    /// Nothing.
    None,
}

/// Says what loop the annotation of a number stands in; tells whether it stands in one.
pub(crate) fn mark_loop(at: LLVMValueRef, number: u64, mark: LoopMark) -> bool {
    shim!(enzyme_SetLoopAnnotated(at, number, mark == LoopMark::Annotated))
}

/// Whether the loop that was marked is a loop no more.
pub(crate) fn is_marked_loop_gone(at: LLVMValueRef, number: u64) -> bool {
    shim!(enzyme_IsAnnotatedLoopGone(at, number))
}

/// Computes what changes by the same amount in each iteration of a loop from an `i64` among the phis of its header that counts
/// iterations from 0. The loop has a preheader.
pub(crate) fn expand_induction_variables(header: LLVMBasicBlockRef, counter: LLVMValueRef) {
    shim!(enzyme_ExpandInductionVariables(header, counter));
}

/// How many bytes a `getelementptr` leads away from where it starts, where that is constant.
pub(crate) fn constant_offset(address: LLVMValueRef) -> Option<i64> {
    let mut distance = 0;
    shim!(enzyme_AccumulateConstantOffset(address, &raw mut distance)).then_some(distance)
}

/// Inlines a call; the error is LLVM's reason against it.
pub(crate) fn inline_function(call: LLVMValueRef) -> Result<(), String> {
    success(shim!(enzyme_InlineFunction(call)))
}

/// Moves what stands from `at` on to a new block, which the old one branches to.
pub(crate) fn split_block(at: LLVMValueRef, name: &str) -> LLVMBasicBlockRef {
    shim!(enzyme_SplitBlock(at, name.into()))
}

/// Moves an instruction.
pub(crate) fn move_instruction_before(moved: LLVMValueRef, before: LLVMValueRef) {
    shim!(enzyme_MoveInstructionBefore(moved, before));
}

/// Makes a function a declaration.
pub(crate) fn delete_body(function: LLVMValueRef) {
    shim!(enzyme_DeleteBody(function));
}

/// Erases an instruction or a global; what used it uses poison.
pub(crate) fn replace_all_uses_with_poison_and_erase(value: LLVMValueRef) {
    shim!(enzyme_ReplaceAllUsesWithPoisonAndErase(value));
}

/// Erases every function, variable, alias and ifunc of the module but those in `kept`.
pub(crate) fn erase_globals_except(module: LLVMModuleRef, kept: &[LLVMValueRef]) {
    shim!(enzyme_EraseGlobalsExcept(module, kept.as_ptr(), kept.len()));
}

/// The [`fast_math`] flags of a value; 0 for what cannot carry any.
pub(crate) fn fast_math_flags(value: LLVMValueRef) -> u32 {
    shim!(enzyme_GetFastMathFlags(value))
}

/// Sets the [`fast_math`] flags of an instruction; nothing happens to what cannot carry any.
pub(crate) fn set_fast_math_flags(value: LLVMValueRef, flags: u32) {
    shim!(enzyme_SetFastMathFlags(value, flags));
}

/// The [`poison`] flags of an instruction or constant expression.
pub(crate) fn poison_flags(value: LLVMValueRef) -> u32 {
    shim!(enzyme_GetPoisonFlags(value))
}

/// Sets those [`poison`] flags that the instruction can carry, and clears the others.
pub(crate) fn set_poison_flags(value: LLVMValueRef, flags: u32) {
    shim!(enzyme_SetPoisonFlags(value, flags));
}

/// Whether and how a `call` is a tail call: 0 none, 1 `tail`, 2 `musttail`, 3 `notail`.
pub(crate) fn tail_call_kind(call: LLVMValueRef) -> u32 {
    shim!(enzyme_GetTailCallKind(call))
}

/// [`tail_call_kind`] of a call that says nothing of its frame.
pub(crate) const NO_TAIL_MARK: u32 = 0;
/// [`tail_call_kind`] of a call that must reuse the frame of its caller.
pub(crate) const MUST_TAIL: u32 = 2;

/// Sets what [`tail_call_kind`] reads.
pub(crate) fn set_tail_call_kind(call: LLVMValueRef, kind: u32) {
    shim!(enzyme_SetTailCallKind(call, kind));
}

/// The operand bundles of a call: tag and operands of each.
pub(crate) fn operand_bundles(call: LLVMValueRef) -> Vec<(String, Vec<LLVMValueRef>)> {
    (0..shim!(enzyme_GetNumOperandBundles(call)))
        .map(|index| {
            let mut length = 0;
            let tag = shim!(enzyme_GetOperandBundleTag(call, index, &raw mut length));
            let operands = (0..shim!(enzyme_GetNumOperandBundleArgs(call, index)))
                .map(|input| shim!(enzyme_GetOperandBundleArg(call, index, input)))
                .collect();
            // SAFETY: the shim gives `length` readable bytes, which the call's context owns.
            let tag = unsafe { std::slice::from_raw_parts(tag.cast::<u8>(), length) };
            (String::from_utf8_lossy(tag).into_owned(), operands)
        })
        .collect()
}

/// What a function or call may do to memory, by its attributes.
pub(crate) fn memory_effects(function_or_call: LLVMValueRef) -> MemoryEffects {
    MemoryEffects(shim!(enzyme_GetMemoryEffects(function_or_call)))
}

/// States what a function or call may do to memory; LLVM 15 may record a coarser statement.
pub(crate) fn set_memory_effects(function_or_call: LLVMValueRef, effects: MemoryEffects) {
    shim!(enzyme_SetMemoryEffects(function_or_call, effects.0));
}

/// Removes `optnone` and `noinline` from a clone that is to be optimised.
pub(crate) fn allow_optimisation(function: LLVMValueRef) {
    shim!(enzyme_AllowOptimisation(function));
}

/// Drops the attributes that a primal promises and a derivative cloned from it need not hold.
pub(crate) fn drop_primal_promises(function: LLVMValueRef) {
    shim!(enzyme_DropPrimalPromises(function));
}

/// The shim's convention: a null text is success.
fn success(message: *mut c_char) -> Result<(), String> {
    match take_message(message) {
        Some(text) => Err(text),
        None => Ok(()),
    }
}

/// Takes over a text of the shim's.
fn take_message(message: *mut c_char) -> Option<String> {
    if message.is_null() {
        return None;
    }
    // SAFETY: the shim's texts end in a zero byte, and are ours to free.
    unsafe {
        let text = CStr::from_ptr(message).to_string_lossy().into_owned();
        LLVMDisposeMessage(message);
        Some(text)
    }
}

#[cfg(test)]
mod tests;
