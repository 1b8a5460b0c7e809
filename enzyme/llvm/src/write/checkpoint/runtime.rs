//! The functions that drive checkpointed loops, which are written into the modules that need them: `runtime.c`, as clang
//! compiles it once and for all (`runtime.ll`, which is text that every supported LLVM reads alike). There is no library to link,
//! and hosts need not have LLVM's parser: the text is read by the model's, and written instruction by instruction.

use crate::error::Error;
use crate::ir::{Block, Builder, Function, Module, Type, Value};
use crate::write::stop;
use enzyme::loops::ControlFlow;
use enzyme::model::{
    self, BlockId, CastOp, ConstantId, ConstantKind, HasBody, InstId, IntBinaryOp, IntPredicate, Opcode,
    SecondaryMap, ValueDefinition, ValueId,
};
use enzyme::plan::CHECKPOINT_SWEEP;
use inkwell::llvm_sys::prelude::LLVMContextRef;
use inkwell::llvm_sys::{LLVMIntPredicate, LLVMLinkage, LLVMOpcode};

/// The functions.
const TEXT: &str = include_str!("runtime.ll");

/// What the names of all of them begin with, in a program.
const PREFIX: &str = "__enzyme_checkpoint_";

/// Runs the forward sweep of a loop: `ptr (scheme, data, steps, what says that they are done, regions, how many, written, how
/// many, run, run last, environment)`.
pub(super) const FORWARD: &str = "__enzyme_checkpoint_forward";

/// Runs the reverse sweep of a loop: `void (where its state is kept, run, reverse last, reverse, environment)`.
pub(super) const REVERSE: &str = "__enzyme_checkpoint_reverse";

/// Ends the program: `void (why, what)`.
const STOP: &str = "__enzyme_checkpoint_stop";

/// Why, by number: the sentences of `runtime.c`. Each takes one number, or the address of a text.
const REASONS: [&str; 8] = [
    "no memory is left for the states of a checkpointed loop (%lld)\n",
    "the table of a checkpoint scheme has another version (%lld) than this compiler knows\n",
    "the steps of a checkpointed loop write what argument %lld points to, which is in no region: declare it with \
     enzyme_checkpoint_region, pointer, bytes\n",
    "a checkpoint scheme asks for an action (%lld) that does not fit the state at hand\n",
    "a checkpointed loop can be reversed only once (%lld)\n",
    "the steps of a checkpointed loop write more behind argument %lld than its region has bytes\n",
    "the checkpointed loop %s writes memory that is in no region: declare it with enzyme_checkpoint_region, pointer, bytes\n",
    "the checkpointed loop %s writes more memory than its region has bytes\n",
];

/// One of the functions in a module, with all that it needs.
pub(super) fn function(module: Module, context: LLVMContextRef, name: &str) -> Result<Function, Error> {
    if module.function(name).is_none() {
        let text: model::Module =
            TEXT.parse().map_err(|why| mistake(module, &format!("the runtime cannot be read: {why}")))?;
        let callees = Callees { module, context };
        write_stop(callees);
        for source in &text.functions {
            callees.declare(source);
        }
        for source in &text.functions {
            Translator::new(source, callees).write()?;
        }
    }
    module.function(name).ok_or_else(|| mistake(module, &format!("there is no function `{name}`")))
}

fn mistake(module: Module, what: &str) -> Error {
    let at = module.functions().next().map_or(Value::from_raw(std::ptr::null_mut()), Function::value);
    Error::internal(at, format!("checkpointed loops: {what}"))
}

/// Where functions are found.
#[derive(Clone, Copy)]
struct Callees {
    module: Module,
    context: LLVMContextRef,
}

impl Callees {
    fn name(name: &str) -> String {
        if name.starts_with(PREFIX) { name.to_owned() } else { format!("{PREFIX}{name}") }
    }

    fn declare(self, source: &model::Function) {
        let ty = self.ty(&source.context, source.function_type);
        let function = self.module.add_function(&Callees::name(&source.name), ty);
        function.set_linkage(LLVMLinkage::LLVMLinkOnceODRLinkage);
        function.add_string_attribute(CHECKPOINT_SWEEP);
    }

    fn ty(self, types: &model::Context, ty: model::TypeId) -> Type {
        let each =
            |all: &[model::TypeId]| -> Vec<Type> { all.iter().map(|&ty| self.ty(types, ty)).collect() };
        match types.ty(ty) {
            model::Type::Integer { bits } => Type::integer(self.context, *bits),
            model::Type::Pointer { .. } => Type::pointer(self.context),
            model::Type::Array { length, element } => self.ty(types, *element).array(*length),
            model::Type::Function(function) => {
                Type::function(self.ty(types, function.result), &each(&function.parameters))
            }
            structure @ model::Type::Struct(_) => Type::structure(self.context, &each(structure.parts())),
            // The text has no others.
            model::Type::Void
            | model::Type::Float(_)
            | model::Type::Vector { .. }
            | model::Type::Target(_)
            | model::Type::Token
            | model::Type::Metadata
            | model::Type::Label
            | model::Type::X86Mmx
            | model::Type::X86Amx => Type::void(self.context),
        }
    }
}

fn write_stop(callees: Callees) {
    let Callees { module, context } = callees;
    let wide = Type::integer(context, 64);
    let function = module.add_function(STOP, Type::function(Type::void(context), &[wide, wide]));
    function.set_linkage(LLVMLinkage::LLVMLinkOnceODRLinkage);
    function.add_string_attribute(CHECKPOINT_SWEEP);
    let [why, what] = function.parameters()[..] else { return };
    let builder = Builder::new(context);
    let entry = function.append_block("entry");
    let blocks: Vec<Block> = REASONS.iter().map(|_| function.append_block("reason")).collect();
    builder.position_at_end(entry);
    let cases: Vec<(Value, Block)> =
        (0..).zip(&blocks).skip(1).map(|(number, &block)| (Value::integer(wide, number), block)).collect();
    builder.switch(why, blocks[0], &cases);
    for (block, reason) in blocks.into_iter().zip(REASONS) {
        builder.position_at_end(block);
        stop::write(&builder, module, reason, &[what]);
    }
}

/// Writes one function.
struct Translator<'a> {
    source: &'a model::Function,
    callees: Callees,
    builder: Builder,
    values: SecondaryMap<ValueId, Option<Value>>,
    blocks: SecondaryMap<BlockId, Option<Block>>,
}

impl<'a> Translator<'a> {
    fn new(source: &'a model::Function, callees: Callees) -> Self {
        let builder = Builder::new(callees.context);
        Translator { source, callees, builder, values: SecondaryMap::new(), blocks: SecondaryMap::new() }
    }

    fn write(mut self) -> Result<(), Error> {
        let target = self.callees.module.function(&Callees::name(&self.source.name));
        let target = target.ok_or_else(|| self.mistake("a function is missing"))?;
        for (&parameter, value) in self.source.parameters.iter().zip(target.parameters()) {
            self.values[parameter] = Some(value);
        }
        for (block, data) in &self.source.blocks {
            self.blocks[block] = Some(target.append_block(data.name.as_deref().unwrap_or("")));
        }
        // Values come before their uses, but for those of phis.
        for &block in ControlFlow::of(self.source).reverse_post_order() {
            self.builder.position_at_end(self.block(block)?);
            for &inst in &self.source.blocks[block].insts {
                let value = self.instruction(inst)?;
                if let Some(result) = self.source.insts[inst].result {
                    self.values[result] = value;
                }
            }
        }
        for inst in self.source.insts_in_order() {
            let data = &self.source.insts[inst];
            let (Opcode::Phi { .. }, Some(result)) = (&data.opcode, data.result) else { continue };
            let Some(phi) = self.value(result)?.as_instruction() else { continue };
            for (value, block) in data.incoming() {
                phi.add_incoming(self.value(value)?, self.block(block)?);
            }
        }
        Ok(())
    }

    fn mistake(&self, what: &str) -> Error {
        mistake(self.callees.module, &format!("{what} in `{}`", self.source.name))
    }

    fn block(&self, block: BlockId) -> Result<Block, Error> {
        self.blocks[block].ok_or_else(|| self.mistake("a block is missing"))
    }

    fn type_of(&self, value: ValueId) -> Type {
        self.callees.ty(&self.source.context, self.source.values[value].ty)
    }

    fn value(&self, value: ValueId) -> Result<Value, Error> {
        match &self.source.values[value].definition {
            ValueDefinition::Constant(constant) => self.constant(*constant),
            ValueDefinition::Parameter(_)
            | ValueDefinition::Instruction(_)
            | ValueDefinition::Global(_)
            | ValueDefinition::Metadata(_)
            | ValueDefinition::InlineAsm(_) => {
                self.values[value].ok_or_else(|| self.mistake("a value is missing"))
            }
        }
    }

    fn constant(&self, constant: ConstantId) -> Result<Value, Error> {
        let constant = self.source.context.constant(constant);
        let ty = self.callees.ty(&self.source.context, constant.ty);
        match &constant.kind {
            ConstantKind::Integer(number) => Ok(Value::integer(ty, number.as_i64().unwrap_or_default())),
            ConstantKind::Null | ConstantKind::Zero => Ok(Value::zero(ty)),
            ConstantKind::Undef | ConstantKind::Poison => Ok(Value::poison(ty)),
            ConstantKind::Expression(expression) => {
                let operand = self.constant(expression.operands[0])?;
                Ok(self.builder.cast(LLVMOpcode::LLVMIntToPtr, operand, ty))
            }
            _ => Err(self.mistake("a constant is not understood")),
        }
    }

    fn instruction(&self, inst: InstId) -> Result<Option<Value>, Error> {
        let data = &self.source.insts[inst];
        let types = &self.source.context;
        let operand = |index: usize| self.value(data.operands[index]);
        let result_type = || data.result.map(|result| self.type_of(result));
        let unknown = || self.mistake("an instruction is not understood");
        let builder = &self.builder;
        Ok(match &data.opcode {
            Opcode::Return if data.operands.is_empty() => {
                builder.ret_void();
                None
            }
            Opcode::Return => {
                builder.ret(operand(0)?);
                None
            }
            Opcode::Branch { target } => {
                builder.branch(self.block(*target)?);
                None
            }
            Opcode::ConditionalBranch { then_block, else_block } => {
                builder.conditional_branch(operand(0)?, self.block(*then_block)?, self.block(*else_block)?);
                None
            }
            Opcode::Switch { default, cases } => {
                let cases = cases
                    .iter()
                    .map(|case| Ok((self.constant(case.value)?, self.block(case.target)?)))
                    .collect::<Result<Vec<_>, Error>>()?;
                builder.switch(operand(0)?, self.block(*default)?, &cases);
                None
            }
            Opcode::Unreachable => {
                builder.unreachable();
                None
            }
            Opcode::IntBinary { op, .. } => Some(builder.binary(opcode(*op), operand(0)?, operand(1)?)),
            Opcode::IntCompare { predicate, .. } => {
                Some(builder.integer_compare(compared(*predicate), operand(0)?, operand(1)?))
            }
            Opcode::Cast { op, .. } => {
                let ty = result_type().ok_or_else(unknown)?;
                Some(builder.cast(cast(*op).ok_or_else(unknown)?, operand(0)?, ty))
            }
            Opcode::Alloca { allocated, .. } => {
                Some(builder.alloca(self.callees.ty(types, *allocated), "").value())
            }
            Opcode::Load { .. } => Some(builder.load(result_type().ok_or_else(unknown)?, operand(0)?, "")),
            Opcode::Store { .. } => {
                builder.store(operand(0)?, operand(1)?);
                None
            }
            Opcode::GetElementPointer { source, .. } if data.operands.len() == 2 => {
                Some(builder.element(self.callees.ty(types, *source), operand(0)?, operand(1)?))
            }
            Opcode::Phi { .. } => Some(builder.phi(result_type().ok_or_else(unknown)?, "").value()),
            Opcode::Select { .. } => Some(builder.select(operand(0)?, operand(1)?, operand(2)?)),
            Opcode::Call(call) => {
                let arguments =
                    data.arguments().iter().map(|&value| self.value(value)).collect::<Result<Vec<_>, _>>()?;
                let ty = self.callees.ty(types, call.function_type);
                let callee = match self.source.direct_callee(inst) {
                    Some(callee) => self.callee(callee, ty),
                    None => self.value(data.callee().ok_or_else(unknown)?)?,
                };
                Some(builder.call_as(ty, callee, &arguments).value())
            }
            _ => return Err(unknown()),
        })
    }

    /// A function of the text, of the C library, or an intrinsic.
    fn callee(&self, callee: model::GlobalId, ty: Type) -> Value {
        let global = &self.source.context.globals[callee];
        let has_body =
            matches!(&global.kind, model::GlobalKind::Function(function) if function.body == HasBody::Yes);
        let name = if has_body { Callees::name(&global.name) } else { global.name.clone() };
        self.callees.module.function_or_declare(&name, ty).value()
    }
}

fn opcode(op: IntBinaryOp) -> LLVMOpcode {
    match op {
        IntBinaryOp::Add => LLVMOpcode::LLVMAdd,
        IntBinaryOp::Subtract => LLVMOpcode::LLVMSub,
        IntBinaryOp::Multiply => LLVMOpcode::LLVMMul,
        IntBinaryOp::UnsignedDivide => LLVMOpcode::LLVMUDiv,
        IntBinaryOp::SignedDivide => LLVMOpcode::LLVMSDiv,
        IntBinaryOp::UnsignedRemainder => LLVMOpcode::LLVMURem,
        IntBinaryOp::SignedRemainder => LLVMOpcode::LLVMSRem,
        IntBinaryOp::ShiftLeft => LLVMOpcode::LLVMShl,
        IntBinaryOp::LogicalShiftRight => LLVMOpcode::LLVMLShr,
        IntBinaryOp::ArithmeticShiftRight => LLVMOpcode::LLVMAShr,
        IntBinaryOp::And => LLVMOpcode::LLVMAnd,
        IntBinaryOp::Or => LLVMOpcode::LLVMOr,
        IntBinaryOp::Xor => LLVMOpcode::LLVMXor,
    }
}

fn compared(predicate: IntPredicate) -> LLVMIntPredicate {
    match predicate {
        IntPredicate::Equal => LLVMIntPredicate::LLVMIntEQ,
        IntPredicate::NotEqual => LLVMIntPredicate::LLVMIntNE,
        IntPredicate::UnsignedGreater => LLVMIntPredicate::LLVMIntUGT,
        IntPredicate::UnsignedGreaterOrEqual => LLVMIntPredicate::LLVMIntUGE,
        IntPredicate::UnsignedLess => LLVMIntPredicate::LLVMIntULT,
        IntPredicate::UnsignedLessOrEqual => LLVMIntPredicate::LLVMIntULE,
        IntPredicate::SignedGreater => LLVMIntPredicate::LLVMIntSGT,
        IntPredicate::SignedGreaterOrEqual => LLVMIntPredicate::LLVMIntSGE,
        IntPredicate::SignedLess => LLVMIntPredicate::LLVMIntSLT,
        IntPredicate::SignedLessOrEqual => LLVMIntPredicate::LLVMIntSLE,
    }
}

fn cast(op: CastOp) -> Option<LLVMOpcode> {
    match op {
        CastOp::Truncate => Some(LLVMOpcode::LLVMTrunc),
        CastOp::ZeroExtend => Some(LLVMOpcode::LLVMZExt),
        CastOp::SignExtend => Some(LLVMOpcode::LLVMSExt),
        CastOp::PointerToInteger => Some(LLVMOpcode::LLVMPtrToInt),
        CastOp::IntegerToPointer => Some(LLVMOpcode::LLVMIntToPtr),
        CastOp::FloatTruncate
        | CastOp::FloatExtend
        | CastOp::FloatToUnsigned
        | CastOp::FloatToSigned
        | CastOp::UnsignedToFloat
        | CastOp::SignedToFloat
        | CastOp::PointerToAddress
        | CastOp::Bitcast
        | CastOp::AddressSpaceCast => None,
    }
}
