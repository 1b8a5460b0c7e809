//! Writing instructions: inkwell's builder, over the handles of this module.

use super::{Block, Function, Instruction, Kind, Module, Type, Value, c_name};
use inkwell::builder::Builder as InkwellBuilder;
use inkwell::context::ContextRef;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::*;
use inkwell::llvm_sys::{
    LLVMAtomicOrdering, LLVMAtomicRMWBinOp, LLVMIntPredicate, LLVMOpcode, LLVMRealPredicate,
};
use smallvec::SmallVec;
use std::cell::Cell;

/// Inserts instructions at a place that can be moved.
///
/// Floating-point instructions get the fast-math flags last set, every instruction the debug location last set.
pub(crate) struct Builder {
    inkwell: InkwellBuilder<'static>,
    fast_math: Cell<u32>,
}

impl Builder {
    /// A builder that stands nowhere yet.
    pub(crate) fn new(context: LLVMContextRef) -> Builder {
        // SAFETY: the context belongs to the host's module and outlives the pass; `ContextRef` does not free it.
        let context: ContextRef<'static> = unsafe { ContextRef::new(context) };
        Builder { inkwell: context.create_builder(), fast_math: Cell::new(0) }
    }

    fn raw(&self) -> LLVMBuilderRef {
        self.inkwell.as_mut_ptr()
    }

    /// Writes at the end of `block` from here on.
    pub(crate) fn position_at_end(&self, block: Block) {
        llvm!(LLVMPositionBuilderAtEnd(self.raw(), block.0));
    }

    /// Writes before `instruction` from here on.
    pub(crate) fn position_before(&self, instruction: Instruction) {
        llvm!(LLVMPositionBuilderBefore(self.raw(), instruction.0));
    }

    /// Writes at the beginning of `block` from here on, before what debuggers are told there: nothing may come between
    /// the phis of a block.
    pub(crate) fn position_at_start(&self, block: Block) {
        match block.instructions().next() {
            #[cfg(llvm_ge = "19")]
            Some(first) => llvm!(LLVMPositionBuilderBeforeInstrAndDbgRecords(self.raw(), first.0)),
            #[cfg(not(llvm_ge = "19"))]
            Some(first) => self.position_before(first),
            None => self.position_at_end(block),
        }
    }

    /// The block being written to.
    pub(crate) fn block(&self) -> Block {
        Block(llvm!(LLVMGetInsertBlock(self.raw())))
    }

    /// The function being written to.
    pub(crate) fn function(&self) -> Function {
        self.block().function()
    }

    /// What follows carries the debug location of `instruction`.
    pub(crate) fn debug_location_of(&self, instruction: Instruction) {
        llvm!(LLVMSetCurrentDebugLocation2(self.raw(), instruction.debug_location()));
    }

    /// What follows carries no debug location.
    pub(crate) fn no_debug_location(&self) {
        llvm!(LLVMSetCurrentDebugLocation2(self.raw(), std::ptr::null_mut()));
    }

    /// What follows carries the fast-math flags of `value`, when that is a floating-point instruction.
    pub(crate) fn fast_math_of(&self, value: Value) {
        self.fast_math.set(crate::ffi::fast_math_flags(value.raw()));
    }

    /// What follows carries all fast-math flags.
    pub(crate) fn all_fast_math(&self) {
        self.fast_math.set(crate::ffi::fast_math::ALL);
    }

    fn flagged(&self, raw: LLVMValueRef) -> Value {
        let flags = self.fast_math.get();
        if flags != 0 {
            crate::ffi::set_fast_math_flags(raw, flags);
        }
        Value(raw)
    }

    /// `fneg`.
    pub(crate) fn float_negate(&self, operand: Value) -> Value {
        self.flagged(llvm!(LLVMBuildFNeg(self.raw(), operand.0, c"".as_ptr())))
    }

    /// `fadd`.
    pub(crate) fn float_add(&self, left: Value, right: Value) -> Value {
        self.flagged(llvm!(LLVMBuildFAdd(self.raw(), left.0, right.0, c"".as_ptr())))
    }

    /// `fadd` of terms whose order nobody has laid down.
    pub(crate) fn float_add_in_any_order(&self, left: Value, right: Value) -> Value {
        let sum = self.float_add(left, right);
        let flags = self.fast_math.get() | crate::ffi::fast_math::REASSOCIATE;
        crate::ffi::set_fast_math_flags(sum.raw(), flags);
        sum
    }

    /// `fsub`.
    pub(crate) fn float_subtract(&self, left: Value, right: Value) -> Value {
        self.flagged(llvm!(LLVMBuildFSub(self.raw(), left.0, right.0, c"".as_ptr())))
    }

    /// `fmul`.
    pub(crate) fn float_multiply(&self, left: Value, right: Value) -> Value {
        self.flagged(llvm!(LLVMBuildFMul(self.raw(), left.0, right.0, c"".as_ptr())))
    }

    /// `fdiv`.
    pub(crate) fn float_divide(&self, left: Value, right: Value) -> Value {
        self.flagged(llvm!(LLVMBuildFDiv(self.raw(), left.0, right.0, c"".as_ptr())))
    }

    /// `fcmp`. It carries no fast-math flags: a derivative asks about NaN and infinity in earnest.
    pub(crate) fn float_compare(&self, predicate: LLVMRealPredicate, left: Value, right: Value) -> Value {
        Value(llvm!(LLVMBuildFCmp(self.raw(), predicate, left.0, right.0, c"".as_ptr())))
    }

    /// `icmp`.
    pub(crate) fn integer_compare(&self, predicate: LLVMIntPredicate, left: Value, right: Value) -> Value {
        Value(llvm!(LLVMBuildICmp(self.raw(), predicate, left.0, right.0, c"".as_ptr())))
    }

    /// A binary instruction of any other opcode.
    pub(crate) fn binary(&self, opcode: LLVMOpcode, left: Value, right: Value) -> Value {
        Value(llvm!(LLVMBuildBinOp(self.raw(), opcode, left.0, right.0, c"".as_ptr())))
    }

    /// A cast of the given opcode.
    pub(crate) fn cast(&self, opcode: LLVMOpcode, operand: Value, ty: Type) -> Value {
        Value(llvm!(LLVMBuildCast(self.raw(), opcode, operand.0, ty.0, c"".as_ptr())))
    }

    /// `fpext`, `fptrunc` or nothing, whichever leads to `ty`.
    pub(crate) fn float_cast(&self, operand: Value, ty: Type) -> Value {
        if operand.ty() == ty {
            return operand;
        }
        Value(llvm!(LLVMBuildFPCast(self.raw(), operand.0, ty.0, c"".as_ptr())))
    }

    /// Sign extension, truncation or nothing, whichever leads to `ty`.
    pub(crate) fn signed_integer_cast(&self, operand: Value, ty: Type) -> Value {
        if operand.ty() == ty {
            return operand;
        }
        Value(llvm!(LLVMBuildIntCast2(self.raw(), operand.0, ty.0, 1, c"".as_ptr())))
    }

    /// `select`.
    pub(crate) fn select(&self, condition: Value, yes: Value, no: Value) -> Value {
        Value(llvm!(LLVMBuildSelect(self.raw(), condition.0, yes.0, no.0, c"".as_ptr())))
    }

    /// `phi` without incoming values yet.
    pub(crate) fn phi(&self, ty: Type, name: &str) -> Instruction {
        Instruction(llvm!(LLVMBuildPhi(self.raw(), ty.0, c_name(name).as_ptr())))
    }

    /// `alloca`.
    pub(crate) fn alloca(&self, ty: Type, name: &str) -> Instruction {
        Instruction(llvm!(LLVMBuildAlloca(self.raw(), ty.0, c_name(name).as_ptr())))
    }

    /// `alloca` of a number of elements.
    pub(crate) fn array_alloca(&self, ty: Type, count: Value) -> Instruction {
        Instruction(llvm!(LLVMBuildArrayAlloca(self.raw(), ty.0, count.0, c"".as_ptr())))
    }

    /// `load`.
    pub(crate) fn load(&self, ty: Type, pointer: Value, name: &str) -> Value {
        Value(llvm!(LLVMBuildLoad2(self.raw(), ty.0, pointer.0, c_name(name).as_ptr())))
    }

    /// `store`.
    pub(crate) fn store(&self, value: Value, pointer: Value) -> Instruction {
        Instruction(llvm!(LLVMBuildStore(self.raw(), value.0, pointer.0)))
    }

    /// The address `bytes` after `pointer`, inside the same object.
    pub(crate) fn offset(&self, pointer: Value, bytes: u64) -> Value {
        if bytes == 0 {
            return pointer;
        }
        let context = pointer.ty().context();
        let byte = Type::integer(context, 8);
        let mut index = Value::integer(Type::integer(context, 64), bytes as i64).0;
        Value(llvm!(LLVMBuildInBoundsGEP2(self.raw(), byte.0, pointer.0, &mut index, 1, c"".as_ptr())))
    }

    /// The address a number of bytes after `pointer`, inside the same object.
    pub(crate) fn bytes_after(&self, pointer: Value, bytes: Value) -> Value {
        let byte = Type::integer(pointer.ty().context(), 8);
        let mut index = bytes.0;
        Value(llvm!(LLVMBuildInBoundsGEP2(self.raw(), byte.0, pointer.0, &mut index, 1, c"".as_ptr())))
    }

    /// The address of an element behind a pointer, inside the same object.
    pub(crate) fn element(&self, ty: Type, pointer: Value, index: Value) -> Value {
        let mut index = index.0;
        Value(llvm!(LLVMBuildInBoundsGEP2(self.raw(), ty.0, pointer.0, &mut index, 1, c"".as_ptr())))
    }

    /// The address that is `factor` times as far from `base` as what a `getelementptr` gives is from its operand.
    pub(crate) fn scaled_element_pointer(
        &self,
        module: Module,
        original: Instruction,
        base: Value,
        factor: u64,
    ) -> Value {
        let indices = original.value().operands().into_iter().skip(1);
        let mut ty = Type(llvm!(LLVMGetGEPSourceElementType(original.0)));
        let is_inside = llvm!(LLVMIsInBounds(original.0));
        let byte = Type::integer(base.ty().context(), 8);
        let mut place = base;
        for (position, index) in indices.enumerate() {
            let (step, index) = match ty.kind() {
                Kind::Struct(_) if position > 0 => {
                    let field = index.constant_integer().unwrap_or(0) as u32;
                    let bytes = factor * module.field_offset(ty, field);
                    ty = ty.at(field);
                    (byte, Value::integer(Type::integer(byte.context(), 64), bytes as i64))
                }
                _ => {
                    ty = if position > 0 { ty.element() } else { ty };
                    (ty.array(factor), index)
                }
            };
            place = self.element(step, place, index);
            if let Some(step) = place.as_instruction() {
                llvm!(LLVMSetIsInBounds(step.0, is_inside));
            }
        }
        place
    }

    /// Whether a pointer is null.
    pub(crate) fn is_null(&self, pointer: Value) -> Value {
        self.integer_compare(LLVMIntPredicate::LLVMIntEQ, pointer, Value::zero(pointer.ty()))
    }

    /// `count` addresses, each so many bytes behind the one before.
    pub(crate) fn at_distances(&self, first: Value, bytes: u64, count: usize) -> SmallVec<[Value; 1]> {
        (0..count as u64).map(|index| self.offset(first, index * bytes)).collect()
    }

    /// The address of the copy for one direction, where copies lie `stride` bytes apart.
    pub(crate) fn strided(&self, pointer: Value, stride: Value, direction: u64) -> Value {
        if direction == 0 {
            return pointer;
        }
        let context = pointer.ty().context();
        let byte = Type::integer(context, 8);
        let factor = Value::integer(stride.ty(), direction as i64);
        let mut index = self.binary(LLVMOpcode::LLVMMul, stride, factor).0;
        Value(llvm!(LLVMBuildGEP2(self.raw(), byte.0, pointer.0, &mut index, 1, c"".as_ptr())))
    }

    /// The place in `object` that is as far from its beginning as `address` is from that of `base`.
    pub(crate) fn same_place(&self, object: Value, address: Value, base: Value) -> Value {
        let context = address.ty().context();
        let wide = Type::integer(context, 64);
        let number = |pointer| self.cast(LLVMOpcode::LLVMPtrToInt, pointer, wide);
        let mut distance = self.binary(LLVMOpcode::LLVMSub, number(address), number(base)).0;
        let byte = Type::integer(context, 8);
        Value(llvm!(LLVMBuildGEP2(self.raw(), byte.0, object.0, &mut distance, 1, c"".as_ptr())))
    }

    /// `addrspacecast` or nothing, whichever leads to `ty`.
    pub(crate) fn pointer_cast(&self, pointer: Value, ty: Type) -> Value {
        if pointer.ty() == ty {
            return pointer;
        }
        self.cast(LLVMOpcode::LLVMAddrSpaceCast, pointer, ty)
    }

    /// `alloca` where the function begins, so that its memory is reserved once.
    pub(crate) fn entry_alloca(&self, ty: Type, name: &str) -> Instruction {
        let elsewhere = Builder::new(ty.context());
        match self.function().instructions().next() {
            Some(first) => elsewhere.position_before(first),
            None => elsewhere.position_at_end(self.block()),
        }
        elsewhere.alloca(ty, name)
    }

    /// `memset`.
    pub(crate) fn fill(&self, pointer: Value, byte: Value, length: Value, alignment: u32) -> Value {
        Value(llvm!(LLVMBuildMemSet(self.raw(), pointer.0, byte.0, length.0, alignment)))
    }

    /// `memcpy`.
    pub(crate) fn copy(&self, to: Value, from: Value, length: Value) -> Value {
        Value(llvm!(LLVMBuildMemCpy(self.raw(), to.0, 1, from.0, 1, length.0)))
    }

    /// `memmove`.
    pub(crate) fn move_bytes(&self, to: Value, from: Value, length: Value) -> Value {
        Value(llvm!(LLVMBuildMemMove(self.raw(), to.0, 1, from.0, 1, length.0)))
    }

    /// `load atomic … monotonic`.
    pub(crate) fn atomic_load(&self, ty: Type, pointer: Value, alignment: u32) -> Value {
        let load = self.load(ty, pointer, "");
        llvm!(LLVMSetOrdering(load.0, LLVMAtomicOrdering::LLVMAtomicOrderingMonotonic));
        llvm!(LLVMSetAlignment(load.0, alignment));
        load
    }

    /// `atomicrmw … monotonic`: what was there before.
    pub(crate) fn atomic_update(
        &self,
        op: LLVMAtomicRMWBinOp,
        pointer: Value,
        value: Value,
        alignment: u32,
    ) -> Value {
        let ordering = LLVMAtomicOrdering::LLVMAtomicOrderingMonotonic;
        let update = llvm!(LLVMBuildAtomicRMW(self.raw(), op, pointer.0, value.0, ordering, 0));
        llvm!(LLVMSetAlignment(update, alignment));
        Value(update)
    }

    /// `cmpxchg … monotonic`, strong.
    pub(crate) fn compare_exchange(
        &self,
        pointer: Value,
        expected: Value,
        new: Value,
        alignment: u32,
    ) -> Instruction {
        let ordering = LLVMAtomicOrdering::LLVMAtomicOrderingMonotonic;
        let exchange =
            llvm!(LLVMBuildAtomicCmpXchg(self.raw(), pointer.0, expected.0, new.0, ordering, ordering, 0));
        llvm!(LLVMSetAlignment(exchange, alignment));
        Instruction(exchange)
    }

    /// `atomicrmw xchg … acq_rel`: what was there.
    pub(crate) fn exchange(&self, pointer: Value, new: Value) -> Value {
        let operation = LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpXchg;
        let ordering = LLVMAtomicOrdering::LLVMAtomicOrderingAcquireRelease;
        Value(llvm!(LLVMBuildAtomicRMW(self.raw(), operation, pointer.0, new.0, ordering, 0)))
    }

    /// `call`.
    pub(crate) fn call(&self, callee: Function, arguments: &[Value]) -> Instruction {
        self.call_as(callee.function_type(), callee.value(), arguments)
    }

    /// `invoke`.
    pub(crate) fn invoke(
        &self,
        callee: Function,
        arguments: &[Value],
        normal: Block,
        unwind: Block,
    ) -> Instruction {
        self.invoke_as(callee.function_type(), callee.value(), arguments, normal, unwind)
    }

    /// `invoke` of any value with a function type given.
    pub(crate) fn invoke_as(
        &self,
        ty: Type,
        callee: Value,
        arguments: &[Value],
        normal: Block,
        unwind: Block,
    ) -> Instruction {
        let mut raw: Vec<LLVMValueRef> = arguments.iter().map(|argument| argument.0).collect();
        Instruction(llvm!(LLVMBuildInvoke2(
            self.raw(),
            ty.0,
            callee.0,
            raw.as_mut_ptr(),
            raw.len() as u32,
            normal.0,
            unwind.0,
            c"".as_ptr()
        )))
    }

    /// The address of a constant text, with a zero byte at its end.
    pub(crate) fn text(&self, text: &str) -> Value {
        Value(llvm!(LLVMBuildGlobalString(self.raw(), c_name(text).as_ptr(), c"".as_ptr())))
    }

    /// `br` on a condition.
    pub(crate) fn branch_on(&self, condition: Value, yes: Block, no: Block) -> Instruction {
        Instruction(llvm!(LLVMBuildCondBr(self.raw(), condition.0, yes.0, no.0)))
    }

    /// `call` of any value with a function type given.
    pub(crate) fn call_as(&self, ty: Type, callee: Value, arguments: &[Value]) -> Instruction {
        let mut raw: Vec<LLVMValueRef> = arguments.iter().map(|argument| argument.0).collect();
        let call = llvm!(LLVMBuildCall2(
            self.raw(),
            ty.0,
            callee.0,
            raw.as_mut_ptr(),
            raw.len() as u32,
            c"".as_ptr()
        ));
        Instruction(call)
    }

    /// `call` of a floating-point function, with the fast-math flags in force.
    pub(crate) fn float_call(&self, callee: Function, arguments: &[Value]) -> Value {
        self.flagged(self.call(callee, arguments).0)
    }

    /// `extractvalue`.
    pub(crate) fn extract_value(&self, aggregate: Value, index: u32) -> Value {
        Value(llvm!(LLVMBuildExtractValue(self.raw(), aggregate.0, index, c"".as_ptr())))
    }

    /// `insertvalue`.
    pub(crate) fn insert_value(&self, aggregate: Value, element: Value, index: u32) -> Value {
        Value(llvm!(LLVMBuildInsertValue(self.raw(), aggregate.0, element.0, index, c"".as_ptr())))
    }

    /// `extractelement` at a constant index.
    pub(crate) fn extract_element(&self, vector: Value, index: u32) -> Value {
        let index = Value::integer(Type::integer(vector.ty().context(), 32), i64::from(index));
        Value(llvm!(LLVMBuildExtractElement(self.raw(), vector.0, index.0, c"".as_ptr())))
    }

    /// `insertelement` at a constant index.
    pub(crate) fn insert_element(&self, vector: Value, element: Value, index: u32) -> Value {
        let index = Value::integer(Type::integer(vector.ty().context(), 32), i64::from(index));
        Value(llvm!(LLVMBuildInsertElement(self.raw(), vector.0, element.0, index.0, c"".as_ptr())))
    }

    /// A vector of `length` elements that are all `element`.
    pub(crate) fn splat(&self, element: Value, length: u32) -> Value {
        let whole = Value::poison(element.ty().vector(length));
        let first = self.insert_element(whole, element, 0);
        let lanes = Value::zero(Type::integer(element.ty().context(), 32).vector(length));
        Value(llvm!(LLVMBuildShuffleVector(self.raw(), first.0, whole.0, lanes.0, c"".as_ptr())))
    }

    /// `extractelement` at an index that need not be constant.
    pub(crate) fn extract_element_at(&self, vector: Value, index: Value) -> Value {
        Value(llvm!(LLVMBuildExtractElement(self.raw(), vector.0, index.0, c"".as_ptr())))
    }

    /// `insertelement` at an index that need not be constant.
    pub(crate) fn insert_element_at(&self, vector: Value, element: Value, index: Value) -> Value {
        Value(llvm!(LLVMBuildInsertElement(self.raw(), vector.0, element.0, index.0, c"".as_ptr())))
    }

    /// Inserts an instruction made by [`Instruction::clone_detached`].
    pub(crate) fn insert(&self, instruction: Instruction) {
        llvm!(LLVMInsertIntoBuilder(self.raw(), instruction.0));
    }

    /// `br`.
    pub(crate) fn branch(&self, target: Block) -> Instruction {
        Instruction(llvm!(LLVMBuildBr(self.raw(), target.0)))
    }

    /// `br i1`.
    pub(crate) fn conditional_branch(&self, condition: Value, yes: Block, no: Block) -> Instruction {
        Instruction(llvm!(LLVMBuildCondBr(self.raw(), condition.0, yes.0, no.0)))
    }

    /// `switch` with its cases.
    pub(crate) fn switch(&self, value: Value, default: Block, cases: &[(Value, Block)]) -> Instruction {
        let switch = llvm!(LLVMBuildSwitch(self.raw(), value.0, default.0, cases.len() as u32));
        for (case, target) in cases {
            llvm!(LLVMAddCase(switch, case.0, target.0));
        }
        Instruction(switch)
    }

    /// `ret` of a value.
    pub(crate) fn ret(&self, value: Value) -> Instruction {
        Instruction(llvm!(LLVMBuildRet(self.raw(), value.0)))
    }

    /// `ret void`.
    pub(crate) fn ret_void(&self) -> Instruction {
        Instruction(llvm!(LLVMBuildRetVoid(self.raw())))
    }

    /// `ret` of no value, the only value, or a struct of several values.
    pub(crate) fn return_fields(&self, ty: Type, fields: &[Value]) -> Instruction {
        match fields {
            [] => self.ret_void(),
            [only] => self.ret(*only),
            several => {
                let whole = (0..)
                    .zip(several)
                    .fold(Value::poison(ty), |whole, (index, &field)| self.insert_value(whole, field, index));
                self.ret(whole)
            }
        }
    }

    /// `unreachable`.
    pub(crate) fn unreachable(&self) -> Instruction {
        Instruction(llvm!(LLVMBuildUnreachable(self.raw())))
    }
}
