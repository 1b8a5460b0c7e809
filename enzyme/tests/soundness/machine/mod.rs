//! An interpreter of the IR model over dual numbers.
//!
//! Every float carries its tangent, and so do the bits of floats that travel through integers, memory and vectors.
//! What a program does is written down in a [`Trace`]. A program that does something without meaning, or that comes
//! upon an infinity or a NaN, stops, and says nothing of an analysis.

mod calls;
mod casts;
mod constants;
mod float;
mod integer;
mod library;
mod memory;
mod scalar;
mod value;

use enzyme::model::{
    BlockId, DataLayout, FloatType, Function, GlobalKind, InstId, Module, Opcode, Type, TypeId,
    ValueDefinition, ValueId, VectorLength,
};
use enzyme::rules;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::Hasher;

pub(crate) use float::{Dual, Operand};
pub(crate) use value::{Byte, Value};

use crate::trace::{Context, ContextId, NodeId, Run, Trace};
use crate::uses::Uses;
use memory::Memory;
use value::{bits, bytes_of};

/// Why a run ended before its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The program did something without meaning, or computed something that is no finite number.
    Undefined(String),
    /// It took too many steps.
    TooLong,
    /// This interpreter does not know something.
    Unsupported(String),
}

impl Stop {
    fn undefined(what: impl Into<String>) -> Self {
        Self::Undefined(what.into())
    }

    fn unsupported(what: impl Into<String>) -> Self {
        Self::Unsupported(what.into())
    }
}

/// How deep calls may nest: they nest on this program's stack, too.
const MOST_CALLS: usize = 40;

/// A module that runs.
pub(crate) struct Machine<'m> {
    pub(crate) module: &'m Module,
    layout: DataLayout,
    memory: Memory,
    functions: FxHashMap<&'m str, usize>,
    global_addresses: FxHashMap<String, u64>,
    function_names: FxHashMap<u64, String>,
    pub(crate) trace: Trace,
    steps_left: usize,
    depth: usize,
    /// Of everything that floats decided: ways taken, numbers made from their bits, addresses.
    decisions: FxHasher,
}

/// A function that runs.
struct Frame<'m> {
    function: &'m Function,
    context: ContextId,
    activation: u32,
    values: Vec<Option<Value>>,
    allocas: Vec<u64>,
}

/// What a block leads to.
enum Next {
    Block(BlockId),
    Return(Option<Value>),
}

impl<'m> Machine<'m> {
    pub(crate) fn new(module: &'m Module, steps: usize) -> Result<Self, Stop> {
        let functions =
            module.functions.iter().enumerate().map(|(index, f)| (f.name.as_str(), index)).collect();
        let mut machine = Self {
            module,
            layout: DataLayout::of(&module.context),
            memory: Memory::default(),
            functions,
            global_addresses: FxHashMap::default(),
            function_names: FxHashMap::default(),
            trace: Trace::new(),
            steps_left: steps,
            depth: 0,
            decisions: FxHasher::default(),
        };
        machine.place_globals()?;
        Ok(machine)
    }

    /// Variables and functions get addresses first, so that initialisers can name them.
    fn place_globals(&mut self) -> Result<(), Stop> {
        let context = &self.module.context;
        for global in context.globals.values() {
            let size = match global.kind {
                GlobalKind::Function(_) => 1,
                _ => self.layout.allocation_size(context, global.value_type) as usize,
            };
            let address = self.memory.allocate(vec![Byte::default(); size]);
            self.global_addresses.insert(global.name.clone(), address);
            if matches!(global.kind, GlobalKind::Function(_)) {
                self.function_names.insert(address, global.name.clone());
            }
        }
        for global in context.globals.values() {
            let GlobalKind::Variable(variable) = &global.kind else { continue };
            let Some(initializer) = variable.initializer else { continue };
            let value = self.constant(context, initializer)?;
            let address = self.global_addresses[&global.name];
            self.write(NodeId::NONE, address, &value)?;
        }
        Ok(())
    }

    /// Memory that the test gives, before the program starts.
    pub(crate) fn given_memory(&mut self, contents: &Value) -> Result<u64, Stop> {
        let address = self.memory.allocate(vec![Byte::default(); contents.0.len()]);
        self.write(NodeId::NONE, address, contents)?;
        Ok(address)
    }

    /// All bytes of the allocation that starts at an address.
    pub(crate) fn allocation(&self, address: u64) -> &[Byte] {
        self.memory.allocation(address)
    }

    /// Whether two runs of one program took the same decisions.
    pub(crate) fn decisions(&self) -> u64 {
        self.decisions.finish()
    }

    fn decide(&mut self, number: u128) {
        self.decisions.write_u128(number);
    }

    /// Runs a function of the module.
    pub(crate) fn run(&mut self, name: &str, arguments: Vec<Value>) -> Result<Option<Value>, Stop> {
        let function = self.functions.get(name).copied();
        let function = function.ok_or_else(|| Stop::unsupported(format!("no function {name}")))?;
        self.call_function(function, arguments, None)
    }

    fn call_function(
        &mut self,
        index: usize,
        arguments: Vec<Value>,
        caller: Option<(ContextId, InstId)>,
    ) -> Result<Option<Value>, Stop> {
        if self.depth >= MOST_CALLS {
            return Err(Stop::TooLong);
        }
        self.depth += 1;
        let function = &self.module.functions[index];
        let context = self.trace.context(Context { function: index, caller });
        let activation = self.trace.enter();
        let values = vec![None; function.values.len()];
        let mut frame = Frame { function, context, activation, values, allocas: Vec::new() };
        if arguments.len() != function.parameters.len() {
            return Err(Stop::undefined("a call with the wrong number of arguments"));
        }
        for (&parameter, argument) in function.parameters.iter().zip(arguments) {
            self.define(&mut frame, parameter, argument);
        }
        let result = self.run_blocks(&mut frame)?;
        self.trace.leave(activation);
        for address in frame.allocas {
            self.memory.free(address)?;
        }
        self.depth -= 1;
        Ok(result)
    }

    fn run_blocks(&mut self, frame: &mut Frame<'m>) -> Result<Option<Value>, Stop> {
        let function = frame.function;
        let mut block = function.entry().ok_or_else(|| Stop::unsupported("a function without blocks"))?;
        let mut previous = None;
        loop {
            self.run_phis(frame, block, previous)?;
            let mut next = None;
            for &inst in &function.blocks[block].insts {
                self.steps_left = self.steps_left.checked_sub(1).ok_or(Stop::TooLong)?;
                next = self.step(frame, inst)?;
            }
            match next {
                Some(Next::Block(target)) => {
                    previous = Some(block);
                    block = target;
                }
                Some(Next::Return(value)) => return Ok(value),
                None => return Err(Stop::unsupported("a block without a terminator")),
            }
        }
    }

    /// All phis of a block read before any of them is set.
    fn run_phis(
        &mut self,
        frame: &mut Frame<'m>,
        block: BlockId,
        previous: Option<BlockId>,
    ) -> Result<(), Stop> {
        let function = frame.function;
        let mut values = Vec::new();
        for &inst in &function.blocks[block].insts {
            let data = &function.insts[inst];
            let (Opcode::Phi { .. }, Some(result)) = (&data.opcode, data.result) else { break };
            let incoming = data.incoming().find(|&(_, from)| Some(from) == previous);
            let (value, _) = incoming.ok_or_else(|| Stop::unsupported("a phi without this predecessor"))?;
            values.push((result, self.operand(frame, value)?));
        }
        for (result, value) in values {
            self.define(frame, result, value);
        }
        Ok(())
    }

    /// Gives a value its bytes; each is a byte of its own from now on.
    fn define(&mut self, frame: &mut Frame<'m>, value: ValueId, mut contents: Value) {
        let element = self.element(frame.function, frame.function.values[value].ty);
        if let (Type::Float(ty), width) = element {
            contents.become_float(*ty, bytes_of(width));
        }
        self.name_bytes(frame, value, &mut contents);
        if let (Type::Float(ty), width) = element {
            for (index, byte) in contents.0.iter().enumerate() {
                self.trace.mark_type(byte.node, Uses::float(*ty, index % bytes_of(width)));
            }
        }
        frame.values[value.as_u32() as usize] = Some(contents);
    }

    fn name_bytes(&mut self, frame: &Frame<'m>, value: ValueId, contents: &mut Value) {
        let run = self.trace.define(frame.context, frame.activation, value, contents.new_nodes());
        renumber(contents, run);
    }

    fn operand(&mut self, frame: &Frame<'m>, value: ValueId) -> Result<Value, Stop> {
        let mut contents = match &frame.function.values[value].definition {
            ValueDefinition::Parameter(_) | ValueDefinition::Instruction(_) => {
                let value = frame.values[value.as_u32() as usize].clone();
                return value.ok_or_else(|| Stop::unsupported("a value that was not computed"));
            }
            ValueDefinition::Constant(constant) => self.constant(&frame.function.context, *constant)?,
            ValueDefinition::Global(global) => self.global(&frame.function.context.globals[*global].name)?,
            ValueDefinition::Metadata(_) => Value::default(),
            ValueDefinition::InlineAsm(_) => return Err(Stop::unsupported("assembler")),
        };
        if contents.holds_pointer() {
            self.name_bytes(frame, value, &mut contents);
        }
        Ok(contents)
    }

    fn operands(&mut self, frame: &Frame<'m>, inst: InstId) -> Result<Vec<Value>, Stop> {
        let operands = &frame.function.insts[inst].operands;
        operands.iter().map(|&operand| self.operand(frame, operand)).collect()
    }

    fn step(&mut self, frame: &mut Frame<'m>, inst: InstId) -> Result<Option<Next>, Stop> {
        let data = &frame.function.insts[inst];
        match &data.opcode {
            Opcode::Phi { .. } => Ok(None),
            Opcode::Return => {
                let value = data.operands.first().map(|&value| self.operand(frame, value));
                Ok(Some(Next::Return(value.transpose()?)))
            }
            Opcode::Branch { target } => Ok(Some(Next::Block(*target))),
            Opcode::ConditionalBranch { then_block, else_block } => {
                let condition = self.operand(frame, data.operands[0])?;
                let taken = if self.decision(&condition.0)? != 0 { then_block } else { else_block };
                Ok(Some(Next::Block(*taken)))
            }
            Opcode::Switch { default, cases } => {
                let value = self.operand(frame, data.operands[0])?;
                let number = self.decision(&value.0)?;
                for case in cases {
                    let constant = self.constant(&frame.function.context, case.value)?;
                    if bits(&constant.0)? == number {
                        return Ok(Some(Next::Block(case.target)));
                    }
                }
                Ok(Some(Next::Block(*default)))
            }
            Opcode::Unreachable => Err(Stop::undefined("unreachable code is reached")),
            _ => {
                if let Some(value) = self.compute(frame, inst)?
                    && let Some(result) = data.result
                {
                    self.define(frame, result, value);
                }
                Ok(None)
            }
        }
    }

    /// What an instruction that ends no block does, and its result if it has one.
    fn compute(&mut self, frame: &mut Frame<'m>, inst: InstId) -> Result<Option<Value>, Stop> {
        let function = frame.function;
        let data = &function.insts[inst];
        if data.opcode.call().is_some() {
            return self.call(frame, inst);
        }
        let operands = self.operands(frame, inst)?;
        let type_of = |index: usize| function.values[data.operands[index]].ty;
        let result_type = data.result.map(|result| function.values[result].ty);
        let value = match &data.opcode {
            Opcode::FloatNegate { .. } => {
                self.float_function(function, inst, rules::Function::Fneg, &operands)?
            }
            Opcode::FloatBinary { op, .. } => {
                self.float_function(function, inst, casts::function_of(*op), &operands)?
            }
            Opcode::IntBinary { op, flags } => {
                let (width, _) = self.int_lanes(function, type_of(0))?;
                let size = bytes_of(width);
                self.lane_by_lane(&operands, size, size, |machine, lanes| {
                    Ok(machine.int_binary(*op, *flags, lanes[0], lanes[1], width)?.0)
                })?
            }
            Opcode::IntCompare { predicate, .. } => {
                let (element, width) = self.element(function, type_of(0));
                let use_as = if element.is_pointer() { Uses::default() } else { Uses::INTEGER };
                let size = bytes_of(width);
                self.lane_by_lane(&operands, size, 1, |machine, lanes| {
                    let holds = machine.compare_integers(*predicate, lanes[0], lanes[1], width, use_as)?;
                    machine.decide(holds.into());
                    Ok(vec![integer::truth(holds)])
                })?
            }
            Opcode::FloatCompare { predicate, .. } => {
                let ty = self.float_type(function, type_of(0))?;
                let size = bytes_of(ty.bits());
                self.lane_by_lane(&operands, size, 1, |machine, lanes| {
                    let holds = machine.compare_floats(*predicate, lanes[0], lanes[1], ty)?;
                    machine.decide(holds.into());
                    Ok(vec![integer::truth(holds)])
                })?
            }
            Opcode::Cast { op, .. } => {
                let to = result_type.ok_or_else(|| Stop::unsupported("a cast without a result"))?;
                self.cast(function, inst, *op, &operands[0], type_of(0), to)?
            }
            Opcode::ExtractElement => {
                let size = self.element_size(function, type_of(0));
                let index = self.decision(&operands[1].0)? as usize;
                let lane = operands[0].0.get(index * size..(index + 1) * size);
                Value(lane.ok_or_else(|| Stop::undefined("no such element"))?.to_vec())
            }
            Opcode::InsertElement => {
                let size = self.element_size(function, type_of(0));
                let index = self.decision(&operands[2].0)? as usize;
                let mut vector = operands[0].clone();
                let lane = vector.0.get_mut(index * size..(index + 1) * size);
                lane.ok_or_else(|| Stop::undefined("no such element"))?.copy_from_slice(&operands[1].0);
                vector
            }
            Opcode::ShuffleVector { mask } => {
                let size = self.element_size(function, type_of(0));
                let both = [operands[0].0.as_slice(), &operands[1].0].concat();
                let mut result = Vec::with_capacity(mask.len() * size);
                for lane in mask {
                    match lane {
                        Some(lane) => {
                            let start = *lane as usize * size;
                            result.extend_from_slice(&both[start..start + size]);
                        }
                        None => result.extend(Value::undefined(size).0),
                    }
                }
                Value(result)
            }
            Opcode::ExtractValue { indices } => {
                let (offset, size) = self.member(function, type_of(0), indices)?;
                Value(operands[0].0[offset..offset + size].to_vec())
            }
            Opcode::InsertValue { indices } => {
                let (offset, size) = self.member(function, type_of(0), indices)?;
                let mut aggregate = operands[0].clone();
                aggregate.0[offset..offset + size].copy_from_slice(&operands[1].0);
                aggregate
            }
            Opcode::Alloca { allocated, .. } => {
                let count = self.integer_operand(&operands[0].0)? as usize;
                let size = self.layout.allocation_size(&function.context, *allocated) as usize;
                let address = self.memory.allocate(vec![Byte::default(); size * count]);
                frame.allocas.push(address);
                Value::pointer(address)
            }
            Opcode::Load { .. } => {
                let ty = result_type.ok_or_else(|| Stop::unsupported("a load without a result"))?;
                let size = self.value_size(function, ty)?;
                let (address, pointer) = self.address(&operands[0])?;
                self.read(pointer, address, size)?
            }
            Opcode::Store { .. } => {
                self.value_size(function, type_of(0))?;
                let (address, pointer) = self.address(&operands[1])?;
                let run = self.write(pointer, address, &operands[0])?;
                self.trace.note_write(frame.context, inst, run);
                return Ok(None);
            }
            Opcode::Fence { .. } => return Ok(None),
            Opcode::GetElementPointer { source, .. } => {
                self.element_pointer(&function.context, *source, &operands)?
            }
            Opcode::Select { .. } => match operands[0].0.len() {
                1 => {
                    let condition = self.decision(&operands[0].0)?;
                    operands[if condition != 0 { 1 } else { 2 }].clone()
                }
                lanes => {
                    let size = operands[1].0.len() / lanes;
                    let mut result = Vec::with_capacity(operands[1].0.len());
                    for lane in 0..lanes {
                        let condition = self.decision(&operands[0].0[lane..=lane])?;
                        let chosen = &operands[if condition != 0 { 1 } else { 2 }].0;
                        result.extend_from_slice(&chosen[lane * size..(lane + 1) * size]);
                    }
                    Value(result)
                }
            },
            Opcode::Freeze => {
                let freeze = |byte: &Byte| if byte.defined { *byte } else { Byte::plain(0) };
                Value(operands[0].0.iter().map(freeze).collect())
            }
            other => return Err(Stop::unsupported(other.mnemonic())),
        };
        Ok(Some(value))
    }

    // Memory.

    /// The address that a pointer holds, and the node by which it is known. The pointer is used.
    fn address(&mut self, pointer: &Value) -> Result<(u64, NodeId), Stop> {
        for byte in &pointer.0 {
            self.trace.mark_use(byte.node, Uses::POINTER);
        }
        let address = bits(&pointer.0)? as u64;
        self.decide(address.into());
        Ok((address, pointer.0[0].node))
    }

    fn read(&mut self, pointer: NodeId, address: u64, size: usize) -> Result<Value, Stop> {
        let mut value = Value(self.memory.bytes(address, size)?.to_vec());
        let run = self.trace.reach(pointer, address, value.new_nodes());
        renumber(&mut value, run);
        Ok(value)
    }

    fn write(&mut self, pointer: NodeId, address: u64, value: &Value) -> Result<Run, Stop> {
        let mut value = value.clone();
        let place = self.memory.bytes(address, value.0.len())?;
        let run = self.trace.reach(pointer, address, value.new_nodes());
        renumber(&mut value, run);
        place.copy_from_slice(&value.0);
        Ok(run)
    }

    // Types.

    /// An integer that decides what happens next.
    fn decision(&mut self, bytes: &[Byte]) -> Result<u128, Stop> {
        let number = self.integer_operand(bytes)?;
        self.decide(number);
        Ok(number)
    }

    /// Bytes of a value. Vectors of truth values are kept in whole bytes, and so have no place in memory.
    fn value_size(&self, function: &Function, ty: TypeId) -> Result<usize, Stop> {
        if let Type::Vector { element, length } = function.ty(ty) {
            let sub_byte = !self.layout.size_in_bits(&function.context, *element).is_multiple_of(8);
            if sub_byte || matches!(length, VectorLength::Scalable(_)) {
                return Err(Stop::unsupported("a vector of this type in memory"));
            }
        }
        Ok(self.layout.store_size(&function.context, ty) as usize)
    }

    /// The scalar type of a value, element by element, and its width.
    fn element<'f>(&self, function: &'f Function, ty: TypeId) -> (&'f Type, u32) {
        let scalar = match function.ty(ty) {
            Type::Vector { element, .. } => *element,
            _ => ty,
        };
        (function.ty(scalar), self.layout.size_in_bits(&function.context, scalar) as u32)
    }

    fn element_size(&self, function: &Function, ty: TypeId) -> usize {
        bytes_of(self.element(function, ty).1)
    }

    fn int_lanes(&self, function: &Function, ty: TypeId) -> Result<(u32, usize), Stop> {
        let (_, width) = self.element(function, ty);
        if width > 128 {
            return Err(Stop::unsupported("an integer of more than 128 bits"));
        }
        Ok((width, bytes_of(width)))
    }

    fn float_type(&self, function: &Function, ty: TypeId) -> Result<FloatType, Stop> {
        match self.element(function, ty).0 {
            Type::Float(float) => Ok(*float),
            _ => Err(Stop::unsupported("a number of another type where a float is expected")),
        }
    }

    /// Offset and size of a part of an aggregate.
    fn member(&self, function: &Function, ty: TypeId, indices: &[u32]) -> Result<(usize, usize), Stop> {
        let context = &function.context;
        let (mut offset, mut ty) = (0, ty);
        for &index in indices {
            let (at, part) = self.part(context, ty, index.into())?;
            offset += at as usize;
            ty = part;
        }
        Ok((offset, self.layout.store_size(context, ty) as usize))
    }

    /// A result for each lane, put together; the operands' lanes have `size` bytes.
    fn lane_by_lane(
        &mut self,
        operands: &[Value],
        size: usize,
        result_size: usize,
        mut lane: impl FnMut(&mut Self, &[&[Byte]]) -> Result<Vec<Byte>, Stop>,
    ) -> Result<Value, Stop> {
        let count = operands[0].0.len() / size;
        let mut result = Vec::with_capacity(count * result_size);
        for index in 0..count {
            let lanes: Vec<&[Byte]> =
                operands.iter().map(|operand| &operand.0[index * size..(index + 1) * size]).collect();
            result.extend(lane(self, &lanes)?);
        }
        Ok(Value(result))
    }
}

/// Every byte is known by its new node.
fn renumber(value: &mut Value, run: Run) {
    for (byte, node) in value.0.iter_mut().zip(run.first..) {
        byte.node = NodeId(node);
    }
}
