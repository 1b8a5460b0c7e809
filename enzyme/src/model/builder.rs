//! Convenience for making functions.

use smallvec::SmallVec;

use super::flags::{CastFlags, ElementPointerFlags, FastMath, IntFlags, MemoryAccess};
use super::{
    BlockId, Call, CastOp, FloatBinaryOp, FloatPredicate, Function, Global, GlobalFunction, GlobalId,
    GlobalKind, GlobalTraits, InstId, IntBinaryOp, IntPredicate, Integer, Linkage, Opcode, Type, TypeId,
    ValueId,
};

/// Appends instructions to one block after the other.
#[derive(Debug)]
pub struct FunctionBuilder<'f> {
    /// The function that is made.
    pub function: &'f mut Function,
    block: BlockId,
}

impl<'f> FunctionBuilder<'f> {
    /// Starts at the end of a block.
    pub fn new(function: &'f mut Function, block: BlockId) -> Self {
        Self { function, block }
    }

    /// The block that instructions are appended to.
    pub fn block(&self) -> BlockId {
        self.block
    }

    /// Goes on at the end of another block.
    pub fn switch_to(&mut self, block: BlockId) {
        self.block = block;
    }

    /// A constant of type `double`.
    pub fn double(&mut self, value: f64) -> ValueId {
        let constant = self.function.context.double(value);
        self.function.constant_value(constant)
    }

    /// An integer constant.
    pub fn integer(&mut self, bits: u32, value: i64) -> ValueId {
        let constant = self.function.context.integer(Integer::from_i64(bits, value));
        self.function.constant_value(constant)
    }

    /// Any instruction that has a result; the caller gives its type.
    ///
    /// # Panics
    /// When `result_type` is `void`.
    pub fn value(
        &mut self,
        opcode: Opcode,
        operands: impl IntoIterator<Item = ValueId>,
        result_type: TypeId,
    ) -> ValueId {
        let inst = self.function.add_inst(self.block, opcode, operands, result_type);
        self.function.insts[inst].result.expect("the result type is not void")
    }

    /// Any instruction that has no result.
    pub fn effect(&mut self, opcode: Opcode, operands: impl IntoIterator<Item = ValueId>) -> InstId {
        let void = self.function.context.void_type();
        self.function.add_inst(self.block, opcode, operands, void)
    }

    /// Floating-point arithmetic.
    pub fn float_binary(&mut self, op: FloatBinaryOp, left: ValueId, right: ValueId) -> ValueId {
        let ty = self.function.values[left].ty;
        self.value(Opcode::FloatBinary { op, fast_math: FastMath::NONE }, [left, right], ty)
    }

    /// Integer arithmetic.
    pub fn int_binary(&mut self, op: IntBinaryOp, left: ValueId, right: ValueId) -> ValueId {
        let ty = self.function.values[left].ty;
        self.value(Opcode::IntBinary { op, flags: IntFlags::default() }, [left, right], ty)
    }

    /// An integer comparison of scalars.
    pub fn int_compare(&mut self, predicate: IntPredicate, left: ValueId, right: ValueId) -> ValueId {
        let ty = self.function.context.int_type(1);
        self.value(Opcode::IntCompare { predicate, same_sign: false }, [left, right], ty)
    }

    /// A floating-point comparison of scalars.
    pub fn float_compare(&mut self, predicate: FloatPredicate, left: ValueId, right: ValueId) -> ValueId {
        let ty = self.function.context.int_type(1);
        self.value(Opcode::FloatCompare { predicate, fast_math: FastMath::NONE }, [left, right], ty)
    }

    /// A conversion.
    pub fn cast(&mut self, op: CastOp, value: ValueId, to: TypeId) -> ValueId {
        self.value(Opcode::Cast { op, flags: CastFlags::default() }, [value], to)
    }

    /// A choice between two values.
    pub fn select(&mut self, condition: ValueId, if_true: ValueId, if_false: ValueId) -> ValueId {
        let ty = self.function.values[if_true].ty;
        self.value(Opcode::Select { fast_math: FastMath::NONE }, [condition, if_true, if_false], ty)
    }

    /// A load.
    pub fn load(&mut self, ty: TypeId, pointer: ValueId) -> ValueId {
        self.value(Opcode::Load { access: MemoryAccess::default() }, [pointer], ty)
    }

    /// A store.
    pub fn store(&mut self, value: ValueId, pointer: ValueId) -> InstId {
        self.effect(Opcode::Store { access: MemoryAccess::default() }, [value, pointer])
    }

    /// The address of an element.
    pub fn element_pointer(
        &mut self,
        source: TypeId,
        pointer: ValueId,
        indices: impl IntoIterator<Item = ValueId>,
    ) -> ValueId {
        let ty = self.function.values[pointer].ty;
        let opcode = Opcode::GetElementPointer { source, flags: ElementPointerFlags::default() };
        self.value(opcode, std::iter::once(pointer).chain(indices), ty)
    }

    /// A phi; incoming values can be added later by [`Self::add_incoming`].
    pub fn phi(&mut self, ty: TypeId, incoming: impl IntoIterator<Item = (ValueId, BlockId)>) -> ValueId {
        let (values, blocks): (Vec<_>, SmallVec<_>) = incoming.into_iter().unzip();
        self.value(Opcode::Phi { incoming: blocks, fast_math: FastMath::NONE }, values, ty)
    }

    /// Adds an incoming value to a phi; does nothing to other instructions.
    pub fn add_incoming(&mut self, phi: ValueId, value: ValueId, block: BlockId) {
        let Some(inst) = self.function.as_inst(phi) else { return };
        let inst = &mut self.function.insts[inst];
        if let Opcode::Phi { incoming, .. } = &mut inst.opcode {
            incoming.push(block);
            inst.operands.push(value);
        }
    }

    /// A call of a function by name, of a type that the callee's declaration gives; it is declared when it
    /// was not. `None` when it returns nothing.
    ///
    /// # Panics
    /// When `function_type` is not a function type.
    pub fn call(&mut self, name: &str, function_type: TypeId, arguments: &[ValueId]) -> Option<ValueId> {
        let Type::Function(signature) = self.function.context.ty(function_type) else {
            panic!("a call needs a function type");
        };
        let result = signature.result;
        let callee = declare(self.function, name, function_type);
        let callee = self.function.global_value(callee);
        let call =
            Call::new(function_type, u32::try_from(arguments.len()).expect("fewer than 2^32 arguments"));
        let operands = arguments.iter().copied().chain([callee]);
        let inst = self.function.add_inst(self.block, Opcode::Call(Box::new(call)), operands, result);
        self.function.insts[inst].result
    }

    /// A jump.
    pub fn branch(&mut self, target: BlockId) -> InstId {
        self.effect(Opcode::Branch { target }, [])
    }

    /// A jump that depends on a condition.
    pub fn conditional_branch(
        &mut self,
        condition: ValueId,
        then_block: BlockId,
        else_block: BlockId,
    ) -> InstId {
        self.effect(Opcode::ConditionalBranch { then_block, else_block }, [condition])
    }

    /// A return.
    pub fn ret(&mut self, value: Option<ValueId>) -> InstId {
        self.effect(Opcode::Return, value)
    }
}

fn declare(function: &mut Function, name: &str, value_type: TypeId) -> GlobalId {
    if let Some(global) = function.context.find_global(name) {
        return global;
    }
    function.context.globals.push(Global {
        name: name.to_owned(),
        value_type,
        linkage: Linkage::External,
        address_space: 0,
        traits: GlobalTraits::default(),
        kind: GlobalKind::Function(GlobalFunction::default()),
    })
}
