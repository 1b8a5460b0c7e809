//! Writes the reverse sweep after the forward sweep, in one function.
//!
//! The forward sweep is the clone of the primal; what the reverse sweep needs of it is kept in slots in the frame. For
//! each block there is a block `invert<name>` that runs its adjoints in reverse order and then goes on to the inverse
//! of the block that control came from. Every adjoint lives in the frame, too; promoting memory to registers makes
//! plain values of all of them.

use super::emitter::{Emitter, Factor};
use super::{DerivativeKey, Derivatives, Mode, Primal, PrimalReturn, ResultActivity, Signature, Style, Task};
use crate::error::Error;
use crate::ir::{Block, Builder, Instruction, Kind, Module, Type, Value};
use crate::read::ReadFunction;
use enzyme::activity::ArgumentActivity;
use enzyme::model::{
    BlockId, InstId, Opcode, PrimaryMap, SecondaryMap, ShuffleLane, ValueDefinition, ValueId,
};
use enzyme::plan::{
    Carries, DerivedCall, Results, Reuse, ReversePlan, ReverseStep, ScalarCall, Slot, SlotId, may_carry,
};
use enzyme::rules::{self, Folder};
use inkwell::llvm_sys::LLVMOpcode;
use smallvec::SmallVec;
use std::rc::Rc;

/// The places of one value's adjoints in the frame, one a direction.
type Places = SmallVec<[Value; 1]>;

/// Writes a reverse-mode plan into the derived function.
///
/// # Errors
/// When a library lacks a function that a derivative needs, or EnzymeRS contradicts itself.
pub(crate) fn write_reverse(
    task: &Task<'_>,
    plan: &ReversePlan,
    derivatives: &mut dyn Derivatives,
) -> Result<(), Error> {
    let Task { key, signature, derived, prepared, style } = *task;
    let read = &prepared.read;
    let given = derived.parameters();
    let mut primal_parameters = Vec::new();
    let mut next = 0;
    for activity in &key.arguments {
        primal_parameters.push(given[next]);
        next += 1 + if activity.has_shadow() { key.width } else { 0 };
    }
    let seeds = given[next..].to_vec();
    for (parameter, original) in primal_parameters.iter().zip(prepared.function.parameters()) {
        parameter.set_name(&original.name());
    }
    let primal = Primal::clone_into(derived, prepared, &primal_parameters);
    let entry = derived.entry().ok_or_else(|| Error::internal(derived, "a derived function has no entry"))?;
    let frame = Frame::reserve(key, entry, key.function.return_type(), &primal, read, plan)?;
    let mut writer = Writer {
        key,
        signature,
        read,
        plan,
        style,
        derivatives,
        module: derived.module(),
        builder: Builder::new(derived.function_type().context()),
        primal,
        seeds,
        frame,
        inverses: SecondaryMap::new(),
    };
    writer.write()
}

/// What lives in the frame of the derived function.
struct Frame {
    slots: PrimaryMap<SlotId, Value>,
    adjoints: SecondaryMap<ValueId, Places>,
    /// The primal's result, when the derived function returns it.
    result: Option<Value>,
}

impl Frame {
    fn reserve(
        key: &DerivativeKey,
        entry: Block,
        result: Type,
        primal: &Primal,
        read: &ReadFunction,
        plan: &ReversePlan,
    ) -> Result<Frame, Error> {
        let model = &read.model;
        let builder = Builder::new(result.context());
        if let Some(first) = entry.instructions().next() {
            builder.position_before(first);
        }
        let mut slots = PrimaryMap::new();
        for slot in plan.slots.values() {
            let place = match slot {
                Slot::Value(value) => builder.alloca(primal.value(*value)?.ty(), "cache"),
                Slot::Predecessor(_) => builder.alloca(Type::integer(result.context(), 32), "came_from"),
            };
            slots.push(place.value());
        }
        let mut adjoints: SecondaryMap<ValueId, Places> = SecondaryMap::new();
        for (value, data) in model.values.iter() {
            let is_computed =
                matches!(data.definition, ValueDefinition::Instruction(_) | ValueDefinition::Parameter(_));
            let carries = plan.carries[value] == Carries::Derivative && may_carry(model, data.ty);
            if !is_computed || !carries || model.ty(data.ty).is_pointer() {
                continue;
            }
            let primal_value = primal.value(value)?;
            let ty = primal_value.ty();
            for _ in 0..key.width {
                let place = builder.alloca(ty, &format!("{}'de", primal_value.name())).value();
                builder.store(nothing_yet(ty), place);
                adjoints[value].push(place);
            }
        }
        let result = match key.primal {
            PrimalReturn::Yes => Some(builder.alloca(result, "primal_result").value()),
            PrimalReturn::No => None,
        };
        Ok(Frame { slots, adjoints, result })
    }
}

struct Writer<'a> {
    key: &'a DerivativeKey,
    signature: &'a Signature,
    read: &'a ReadFunction,
    plan: &'a ReversePlan,
    style: Style,
    derivatives: &'a mut dyn Derivatives,
    module: Module,
    builder: Builder,
    primal: Primal,
    seeds: Vec<Value>,
    frame: Frame,
    inverses: SecondaryMap<BlockId, Option<Block>>,
}

impl Writer<'_> {
    fn write(&mut self) -> Result<(), Error> {
        let reachable: Vec<BlockId> = self.reachable_blocks();
        self.keep_values()?;
        for &block in &reachable {
            let name = format!("invert{}", self.primal.block(block)?.name());
            self.inverses[block] = Some(self.primal.derived.append_block(&name));
        }
        for &block in &reachable {
            self.keep_path(block)?;
        }
        for &block in &reachable {
            self.leave_forward_sweep(block)?;
            self.invert(block)?;
        }
        Ok(())
    }

    fn reachable_blocks(&self) -> Vec<BlockId> {
        enzyme::loops::ControlFlow::of(&self.read.model).reverse_post_order().to_vec()
    }

    fn inverse(&self, block: BlockId) -> Result<Block, Error> {
        self.inverses[block]
            .ok_or_else(|| Error::internal(self.primal.derived, format!("{block} has no inverse")))
    }

    /// Forward sweep: stores what the reverse sweep will read.
    fn keep_values(&self) -> Result<(), Error> {
        for (slot, what) in self.plan.slots.iter() {
            let Slot::Value(value) = *what else { continue };
            let Some(inst) = self.read.model.as_inst(value) else { continue };
            let instruction = self.primal.instruction(inst)?;
            match instruction.first_place_after() {
                Some(place) => self.builder.position_before(place),
                None => return Err(Error::internal(self.primal.derived, "a cached value ends its block")),
            }
            self.builder.store(self.primal.value(value)?, self.frame.slots[slot]);
        }
        Ok(())
    }

    /// Forward sweep: notes in each successor that several blocks lead to, that this one did.
    fn keep_path(&self, block: BlockId) -> Result<(), Error> {
        let mut successors = self.read.model.successors(block);
        successors.sort_unstable();
        successors.dedup();
        for successor in successors {
            let Some(slot) = self.plan.came_from[successor] else { continue };
            let index = self.plan.predecessors[successor].iter().position(|&from| from == block);
            if let Some(terminator) = self.primal.block(block)?.terminator() {
                self.builder.position_before(terminator);
            }
            let index = Value::integer(self.index_type(), index.unwrap_or_default() as i64);
            self.builder.store(index, self.frame.slots[slot]);
        }
        Ok(())
    }

    fn index_type(&self) -> Type {
        Type::integer(self.signature.result.context(), 32)
    }

    /// Where the primal returns, the reverse sweep begins.
    fn leave_forward_sweep(&self, block: BlockId) -> Result<(), Error> {
        let Some(terminator) = self.read.model.terminator(block) else { return Ok(()) };
        if self.read.model.insts[terminator].opcode != Opcode::Return {
            return Ok(());
        }
        let old = self.primal.instruction(terminator)?;
        self.builder.position_before(old);
        if let (Some(place), Some(&value)) =
            (self.frame.result, self.read.model.insts[terminator].operands.first())
        {
            self.builder.store(self.primal.value(value)?, place);
        }
        self.builder.branch(self.inverse(block)?);
        old.erase();
        Ok(())
    }

    /// Writes the inverse of a block.
    fn invert(&mut self, block: BlockId) -> Result<(), Error> {
        self.builder.position_at_end(self.inverse(block)?);
        let read = self.read;
        for &inst in read.model.blocks[block].insts.iter().rev() {
            if matches!(read.model.insts[inst].opcode, Opcode::Phi { .. }) {
                break;
            }
            self.instruction(inst)?;
        }
        let predecessors = self.plan.predecessors[block].clone();
        match (predecessors.as_slice(), self.plan.came_from[block]) {
            ([], _) => self.return_adjoints(),
            ([only], _) => {
                self.phi_adjoints(block, *only)?;
                self.builder.branch(self.inverse(*only)?);
                Ok(())
            }
            (several, slot) => self.branch_back(block, several, slot),
        }
    }

    fn branch_back(
        &mut self,
        block: BlockId,
        several: &[BlockId],
        slot: Option<SlotId>,
    ) -> Result<(), Error> {
        let slot =
            slot.ok_or_else(|| Error::internal(self.primal.derived, format!("{block} forgot its way")))?;
        let from = self.builder.block();
        let came_from = self.builder.load(self.index_type(), self.frame.slots[slot], "came_from");
        let mut edges = Vec::new();
        for &predecessor in several {
            let name = format!(
                "invert{}_from_{}",
                self.primal.block(block)?.name(),
                self.primal.block(predecessor)?.name()
            );
            let edge = self.primal.derived.append_block(&name);
            self.builder.position_at_end(edge);
            self.phi_adjoints(block, predecessor)?;
            self.builder.branch(self.inverse(predecessor)?);
            edges.push(edge);
        }
        self.builder.position_at_end(from);
        let cases: Vec<(Value, Block)> = edges[1..]
            .iter()
            .zip(1..)
            .map(|(&edge, index)| (Value::integer(self.index_type(), index), edge))
            .collect();
        self.builder.switch(came_from, edges[0], &cases);
        Ok(())
    }

    /// The adjoints of a block's phis go to the values that came from `predecessor`.
    fn phi_adjoints(&self, block: BlockId, predecessor: BlockId) -> Result<(), Error> {
        let model = &self.read.model;
        for &inst in &model.blocks[block].insts {
            let data = &model.insts[inst];
            let (Opcode::Phi { .. }, ReverseStep::Move, Some(result)) =
                (&data.opcode, &self.plan.steps[inst], data.result)
            else {
                continue;
            };
            let incoming = data.incoming().find(|(_, from)| *from == predecessor);
            if let Some((value, _)) = incoming {
                for direction in 0..self.key.width {
                    self.add(value, direction, self.adjoint(result, direction)?)?;
                }
            }
        }
        Ok(())
    }

    /// The end of the reverse sweep: what the derived function returns.
    fn return_adjoints(&self) -> Result<(), Error> {
        let mut fields = Vec::new();
        if let Some(place) = self.frame.result {
            fields.push(self.builder.load(self.signature.fields[0], place, ""));
        }
        for (&parameter, activity) in self.read.model.parameters.iter().zip(&self.key.arguments) {
            if *activity != ArgumentActivity::Out {
                continue;
            }
            let adjoints = (0..self.key.width)
                .map(|direction| Ok(self.settled(self.adjoint(parameter, direction)?)))
                .collect::<Result<Vec<_>, Error>>()?;
            fields.push(match adjoints.as_slice() {
                [only] => *only,
                several => {
                    let array = Value::poison(several[0].ty().array(several.len() as u64));
                    (0..).zip(several).fold(array, |array, (direction, &adjoint)| {
                        self.builder.insert_value(array, adjoint, direction)
                    })
                }
            });
        }
        self.builder.return_fields(self.signature.result, &fields);
        Ok(())
    }

    fn instruction(&mut self, inst: InstId) -> Result<(), Error> {
        let plan = self.plan;
        let primal = match &plan.steps[inst] {
            ReverseStep::Skip => return Ok(()),
            // The forward sweep has taken the place of the return already.
            ReverseStep::Return => return self.seed(inst),
            ReverseStep::Scalar(_) | ReverseStep::Move | ReverseStep::SumElements | ReverseStep::Call(_) => {
                self.primal.instruction(inst)?
            }
        };
        self.builder.debug_location_of(primal);
        self.builder.fast_math_of(primal.value());
        match &plan.steps[inst] {
            ReverseStep::Skip | ReverseStep::Return => Ok(()),
            ReverseStep::Scalar(call) => self.scalar(inst, call),
            ReverseStep::Move => self.moved(inst, primal),
            ReverseStep::SumElements => self.sum_elements(inst),
            ReverseStep::Call(call) => self.call(inst, primal, call),
        }
    }

    fn seed(&self, inst: InstId) -> Result<(), Error> {
        self.builder.no_debug_location();
        if self.key.result == ResultActivity::Inactive {
            return Ok(());
        }
        if let Some(&value) = self.read.model.insts[inst].operands.first() {
            for (direction, &seed) in self.seeds.iter().enumerate() {
                self.add(value, direction, seed)?;
            }
        }
        Ok(())
    }

    /// A primal value in the reverse sweep, as the plan says.
    fn known(&self, value: ValueId) -> Result<Value, Error> {
        let primal = self.primal.value(value)?;
        match self.plan.reuse[value] {
            Reuse::Recompute(recomputable) => self.primal.value(recomputable.value()),
            Reuse::Cache(slot) => Ok(self.builder.load(primal.ty(), self.frame.slots[slot], &primal.name())),
            Reuse::Unused => Err(Error::internal(
                self.primal.derived,
                format!(
                    "{} is read in the reverse sweep against the plan",
                    self.read.model.display_name(value)
                ),
            )),
        }
    }

    /// The adjoint of a value so far.
    fn adjoint(&self, value: ValueId, direction: usize) -> Result<Value, Error> {
        let ty = self.primal.value(value)?.ty();
        Ok(match self.frame.adjoints[value].get(direction) {
            Some(&place) => self.builder.load(ty, place, ""),
            None => Value::zero(ty),
        })
    }

    /// Adds to the adjoint of a value; to nothing when it carries none.
    fn add(&self, value: ValueId, direction: usize, term: Value) -> Result<(), Error> {
        let Some(&place) = self.frame.adjoints[value].get(direction) else { return Ok(()) };
        let before = self.builder.load(term.ty(), place, "");
        let after = add_parts(&self.builder, before, term);
        self.builder.store(after, place);
        Ok(())
    }

    /// A final adjoint as the user gets it: an adjoint to which nothing was added is 0.0.
    fn settled(&self, adjoint: Value) -> Value {
        if adjoint.ty().is_float_or_vector() {
            self.builder.float_add(adjoint, Value::zero(adjoint.ty()))
        } else {
            adjoint
        }
    }

    fn is_active(&self, value: ValueId) -> bool {
        !self.frame.adjoints[value].is_empty()
    }

    /// Operand adjoint += partial times result adjoint.
    fn scalar(&self, inst: InstId, call: &ScalarCall) -> Result<(), Error> {
        let Some(result) = self.read.model.insts[inst].result else { return Ok(()) };
        let rule = rules::rule(call.function);
        let partials: Vec<_> =
            rule.nonzero_partials().filter(|(_, column, _)| self.is_active(call.operands[*column])).collect();
        let poison =
            |value: ValueId| -> Result<Value, Error> { Ok(Value::poison(self.primal.value(value)?.ty())) };
        let mut operands = Vec::new();
        for (index, &operand) in call.operands.iter().enumerate() {
            let needed = partials.iter().any(|(_, _, partial)| partial.needs_operand(index));
            operands.push(if needed { self.known(operand)? } else { poison(operand)? });
        }
        let count = call.function.results().len();
        let needs_result =
            partials.iter().any(|(_, _, partial)| (0..count).any(|index| partial.needs_result(index)));
        let outcome = if needs_result { self.known(result)? } else { poison(result)? };
        let results: Vec<Value> = self.split(outcome, call);
        let Some(ty) = results
            .iter()
            .zip(call.function.results())
            .find(|(_, kind)| **kind == rules::Kind::Float)
            .map(|(value, _)| value.ty())
        else {
            return Ok(());
        };
        let mut adjoints = Vec::new();
        for direction in 0..self.key.width {
            adjoints.push(self.split(self.adjoint(result, direction)?, call));
        }
        let mut emitter = Emitter::new(&self.builder, self.module, ty, &operands, &results);
        let mut folder = Folder::new(&mut emitter);
        for (row, column, partial) in partials {
            let factor = Factor::of(partial.expr(), &mut folder)?;
            let operand_type = operands[column].ty();
            for (direction, adjoints) in adjoints.iter().enumerate() {
                let term = factor.times(&self.builder, adjoints[row], self.style.zero_products);
                let term = self.builder.float_cast(term, operand_type);
                self.add(call.operands[column], direction, term)?;
            }
        }
        Ok(())
    }

    /// The results of a rule, taken from the instruction's result.
    fn split(&self, whole: Value, call: &ScalarCall) -> Vec<Value> {
        match call.results {
            Results::Single => vec![whole],
            Results::Fields => (0..call.function.results().len() as u32)
                .map(|index| self.builder.extract_value(whole, index))
                .collect(),
        }
    }

    /// The adjoint of a result that is made of parts of the operands.
    fn moved(&self, inst: InstId, primal: Instruction) -> Result<(), Error> {
        let data = &self.read.model.insts[inst];
        let Some(result) = data.result else { return Ok(()) };
        let operands = &data.operands;
        let builder = &self.builder;
        for direction in 0..self.key.width {
            let adjoint = self.adjoint(result, direction)?;
            match &data.opcode {
                Opcode::Select { .. } => {
                    let condition = self.known(operands[0])?;
                    let zero = Value::zero(adjoint.ty());
                    self.add(operands[1], direction, builder.select(condition, adjoint, zero))?;
                    self.add(operands[2], direction, builder.select(condition, zero, adjoint))?;
                }
                Opcode::Freeze => self.add(operands[0], direction, adjoint)?,
                Opcode::Cast { .. } => {
                    let ty = self.primal.value(operands[0])?.ty();
                    self.add(operands[0], direction, builder.cast(LLVMOpcode::LLVMBitCast, adjoint, ty))?;
                }
                Opcode::ExtractValue { indices } => {
                    let zero = Value::zero(self.primal.value(operands[0])?.ty());
                    self.add(operands[0], direction, insert_at(builder, zero, adjoint, indices))?;
                }
                Opcode::InsertValue { indices } => {
                    let part = extract_at(builder, adjoint, indices);
                    let hole = insert_at(builder, adjoint, Value::zero(part.ty()), indices);
                    self.add(operands[1], direction, part)?;
                    self.add(operands[0], direction, hole)?;
                }
                Opcode::ExtractElement => {
                    let zero = Value::zero(self.primal.value(operands[0])?.ty());
                    let index = self.known(operands[1])?;
                    self.add(operands[0], direction, builder.insert_element_at(zero, adjoint, index))?;
                }
                Opcode::InsertElement => {
                    let index = self.known(operands[2])?;
                    let part = builder.extract_element_at(adjoint, index);
                    let hole = builder.insert_element_at(adjoint, Value::zero(part.ty()), index);
                    self.add(operands[1], direction, part)?;
                    self.add(operands[0], direction, hole)?;
                }
                Opcode::ShuffleVector { mask } => self.shuffled(operands, mask, direction, adjoint)?,
                other => {
                    return Err(Error::internal(
                        primal,
                        format!("`{}` was planned as a move", other.mnemonic()),
                    ));
                }
            }
        }
        Ok(())
    }

    fn shuffled(
        &self,
        operands: &[ValueId],
        mask: &[ShuffleLane],
        direction: usize,
        adjoint: Value,
    ) -> Result<(), Error> {
        let builder = &self.builder;
        let ty = self.primal.value(operands[0])?.ty();
        let length = ty.element_count() as u32;
        let mut sources = [nothing_yet(ty); 2];
        for (to, lane) in (0..).zip(mask) {
            let Some(from) = *lane else { continue };
            let (source, from) = if from < length { (0, from) } else { (1, from - length) };
            let so_far = builder.extract_element(sources[source], from);
            let sum = builder.float_add(so_far, builder.extract_element(adjoint, to));
            sources[source] = builder.insert_element(sources[source], sum, from);
        }
        self.add(operands[0], direction, sources[0])?;
        self.add(operands[1], direction, sources[1])
    }

    fn sum_elements(&self, inst: InstId) -> Result<(), Error> {
        let data = &self.read.model.insts[inst];
        let Some(result) = data.result else { return Ok(()) };
        let vector = self.primal.value(data.operands[1])?.ty();
        for direction in 0..self.key.width {
            let adjoint = self.adjoint(result, direction)?;
            self.add(data.operands[0], direction, adjoint)?;
            if let Kind::Vector(length) = vector.kind() {
                let spread = (0..length).fold(Value::poison(vector), |spread, index| {
                    self.builder.insert_element(spread, adjoint, index)
                });
                self.add(data.operands[1], direction, spread)?;
            }
        }
        Ok(())
    }

    /// The adjoints of the arguments come from the derived function of the callee.
    fn call(&mut self, inst: InstId, primal: Instruction, call: &DerivedCall) -> Result<(), Error> {
        let Some(callee) = primal.called_function() else {
            return Err(Error::internal(primal, "a call that was planned as direct is not"));
        };
        let data = &self.read.model.insts[inst];
        let Some(result) = data.result else { return Ok(()) };
        let key = DerivativeKey {
            function: callee,
            mode: Mode::Reverse,
            arguments: call.arguments.clone(),
            width: self.key.width,
            primal: PrimalReturn::No,
            result: ResultActivity::Active,
            types: Some(Rc::new(call.types.clone())),
        };
        let (derived, signature) = self.derivatives.derived(key)?;
        let mut arguments =
            data.arguments().iter().map(|&argument| self.known(argument)).collect::<Result<Vec<_>, _>>()?;
        for direction in 0..self.key.width {
            arguments.push(self.adjoint(result, direction)?);
        }
        let outcome = self.builder.call(derived, &arguments);
        outcome.copy_calling_convention(derived);
        let active = data
            .arguments()
            .iter()
            .zip(&call.arguments)
            .filter(|(_, activity)| **activity == ArgumentActivity::Out);
        for (index, (&argument, _)) in (0..).zip(active) {
            let whole = outcome.value();
            let field =
                if signature.fields.len() > 1 { self.builder.extract_value(whole, index) } else { whole };
            for direction in 0..self.key.width {
                let term = if self.key.width == 1 {
                    field
                } else {
                    self.builder.extract_value(field, direction as u32)
                };
                self.add(argument, direction, term)?;
            }
        }
        Ok(())
    }
}

/// What an adjoint is before anything is added to it: -0.0, since -0.0 + x is x to the last bit, and LLVM knows.
fn nothing_yet(ty: Type) -> Value {
    if ty.is_float_or_vector() { Value::float(ty, "-0.0") } else { Value::zero(ty) }
}

/// The sum of two values, float by float; what is no float stays as the first has it.
fn add_parts(builder: &Builder, left: Value, right: Value) -> Value {
    match left.ty().kind() {
        Kind::Float | Kind::Vector(_) | Kind::ScalableVector if left.ty().is_float_or_vector() => {
            builder.float_add(left, right)
        }
        Kind::Struct(_) | Kind::Array(_) => (0..left.ty().element_count() as u32).fold(left, |sum, index| {
            let parts =
                add_parts(builder, builder.extract_value(left, index), builder.extract_value(right, index));
            builder.insert_value(sum, parts, index)
        }),
        _ => left,
    }
}

/// The part of an aggregate at a path.
fn extract_at(builder: &Builder, aggregate: Value, path: &[u32]) -> Value {
    path.iter().fold(aggregate, |whole, &index| builder.extract_value(whole, index))
}

/// An aggregate with the part at a path replaced.
fn insert_at(builder: &Builder, aggregate: Value, part: Value, path: &[u32]) -> Value {
    match path {
        [] => part,
        [index, rest @ ..] => {
            let inner = builder.extract_value(aggregate, *index);
            builder.insert_value(aggregate, insert_at(builder, inner, part, rest), *index)
        }
    }
}
