//! Writes reverse-mode derivatives: both sweeps in one function, or one function for each.
//!
//! The forward sweep is the clone of the primal, with the shadows of pointers beside it. What the reverse sweep needs of it
//! is kept in slots: in the frame for what is computed once, on the [tape](super::tape) for what is computed in loops and
//! for what outlives the function. The reverse sweep has a block `invert<name>` for each block, which runs its adjoints in
//! reverse order and then goes on to the inverse of the block that control came from. Every adjoint lives in the frame, and
//! so do the numbers of iterations; promoting memory to registers makes plain values of all of them.

mod adjoints;
mod again;
mod alone;
mod atomics;
mod calls;
mod elements;
mod frame;
mod inactive;
mod known;
mod memory;
mod slots;
mod ways;

pub(crate) use alone::bytes_in_users_memory;

use super::directions::Tangents;
use super::forward::{ForwardSweep, write_forward_sweep};
use super::tape::Tape;
use super::{
    DerivativeKey, Derivatives, Mode, Primal, PrimalReturn, ResultActivity, Signature, Style, TapeAfterwards,
    TapePlace, Task,
};
use crate::error::Error;
use crate::ir::{Block, Builder, Function, Instruction, Module, Type, Value};
use crate::read::ReadFunction;
use enzyme::loops::LoopId;
use enzyme::model::{BlockId, InstId, Opcode, PrimaryMap, SecondaryMap, ValueId};
use enzyme::plan::{ForwardStep, Held, Known, KnownMap, ReversePlan, ReverseStep, SlotId, SplitPlan, Sweeps};
use frame::{IterationPlaces, Place, Places};
use slots::Slots;

/// Writes a reverse-mode plan into the derived function: one or both of its sweeps, as the key says.
///
/// # Errors
/// When a library lacks a function that a derivative needs, or EnzymeRS contradicts itself.
pub(crate) fn write_reverse(
    task: &Task<'_>,
    plan: &ReversePlan,
    derivatives: &mut dyn Derivatives,
) -> Result<(), Error> {
    let mut writer = match task.key.mode {
        Mode::ReverseSweep(place, _) => Writer::alone(task, plan, derivatives, place),
        Mode::Forward | Mode::Reverse | Mode::Augmented(_) | Mode::FirstPart(_) | Mode::SecondPart(..) => {
            Writer::after_forward_sweep(task, plan, derivatives)?
        }
    };
    writer.reserve_frame()?;
    match task.key.mode {
        Mode::Forward | Mode::Reverse | Mode::SecondPart(..) => {
            writer.keep()?;
            writer.turn_around()?;
            writer.run_back()?;
        }
        Mode::Augmented(place) | Mode::FirstPart(place) => {
            writer.keep()?;
            writer.return_tape(place)?;
        }
        Mode::ReverseSweep(..) => {
            let begin = writer.builder.block();
            writer.run_back()?;
            writer.begin_reverse_sweep(begin)?;
        }
    }
    Tape::inline_growth(task.derived);
    Ok(())
}

/// Writes one part of a forward-mode derivative in two parts.
///
/// # Errors
/// As [`write_reverse`].
pub(crate) fn write_part(
    task: &Task<'_>,
    plan: &SplitPlan,
    derivatives: &mut dyn Derivatives,
) -> Result<(), Error> {
    if task.key.mode.fills_tape().is_some() {
        return write_reverse(task, &plan.first, derivatives);
    }
    let mut writer = Writer::after_forward_sweep(task, &plan.second, derivatives)?;
    writer.reserve_frame()?;
    writer.go_again(&plan.primal)
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
    derived: Function,
    tape: Tape,
    /// The forward sweep, when it is in this function.
    primal: Option<Primal>,
    /// The primal's parameters in this function.
    parameters: SecondaryMap<ValueId, Option<Value>>,
    /// The shadows of parameters, and in the forward sweep of all pointers.
    shadows: SecondaryMap<ValueId, Option<Tangents>>,
    /// In the forward sweep: what functions that were called kept.
    tapes: SecondaryMap<InstId, Option<Value>>,
    /// Where what is kept comes from, in a function with a forward sweep.
    arena: Option<Value>,
    /// Where the function's own slots lie, when each sweep has a function of its own.
    kept: Option<Value>,
    /// What a forward sweep alone gives to the reverse sweep, where that is not `kept`.
    tape_given: Option<Value>,
    slots_of_plan: Slots<'a>,
    /// The adjoints of the result, one a direction.
    seeds: Vec<Value>,
    slots: PrimaryMap<SlotId, Place>,
    iterations: SecondaryMap<LoopId, Option<IterationPlaces>>,
    adjoints: SecondaryMap<ValueId, Places>,
    /// The primal's result, when the function returns it after the reverse sweep.
    result: Option<Value>,
    inverses: SecondaryMap<BlockId, Option<Block>>,
    /// What the block that is written knows already.
    at_hand: KnownMap<Option<Tangents>>,
    /// What is in `at_hand`.
    in_hand: Vec<Known>,
}

impl<'a> Writer<'a> {
    /// A writer in a function that begins with the forward sweep, which is written now.
    fn after_forward_sweep(
        task: &Task<'a>,
        plan: &'a ReversePlan,
        derivatives: &'a mut dyn Derivatives,
    ) -> Result<Writer<'a>, Error> {
        let tape = Tape::new(task.derived.module(), task.signature.result);
        let given = task.derived.parameters();
        let mut block = alone::Block::default();
        let sweep = write_forward_sweep(task, &plan.forward, derivatives, |builder| {
            let last = given.last().copied();
            if let Some(place) = task.key.mode.fills_tape() {
                block = alone::Block::begin(task, plan, place, builder, last);
                block.arena
            } else if let Some((place, _)) = task.key.mode.reads_tape() {
                block = alone::Block::found(task, plan, place, builder, last);
                block.arena
            } else {
                needs_arena(&task.prepared.read.model, plan).then(|| tape.arena(builder))
            }
        })?;
        let mut writer = Writer::new(task, plan, derivatives);
        let ForwardSweep { primal, shadows, tapes, arena } = sweep;
        writer.primal = Some(primal);
        writer.shadows = shadows;
        writer.tapes = tapes;
        writer.arena = arena;
        writer.kept = block.kept;
        writer.tape_given = block.tape;
        if !matches!(task.key.mode, Mode::SecondPart(..)) {
            writer.forget_lifetimes();
        }
        writer.release_before_resuming()?;
        Ok(writer)
    }

    /// An exception that leaves the function frees the tape that lies in its frame.
    fn release_before_resuming(&self) -> Result<(), Error> {
        let Some(arena) = self.arena.filter(|_| self.key.mode == Mode::Reverse) else { return Ok(()) };
        let model = &self.read.model;
        for inst in model.insts_in_order().filter(|&inst| model.insts[inst].opcode == Opcode::Resume) {
            self.builder.position_before(self.primal()?.instruction(inst)?);
            self.builder.no_debug_location();
            self.tape.release(&self.builder, arena);
        }
        Ok(())
    }

    /// A writer of a reverse sweep alone, in a function that is empty so far.
    fn alone(
        task: &Task<'a>,
        plan: &'a ReversePlan,
        derivatives: &'a mut dyn Derivatives,
        place: TapePlace,
    ) -> Writer<'a> {
        let mut writer = Writer::new(task, plan, derivatives);
        let begin = task.derived.append_block("begin");
        writer.builder.position_at_end(begin);
        let last = task.derived.parameters().last().copied();
        let block = alone::Block::found(task, plan, place, &writer.builder, last);
        let tape = writer.tape;
        writer.arena = block.arena;
        writer.kept = block.kept;
        if let (TapePlace::Caller, Some(kept)) = (place, block.kept) {
            tape.prefetch_before(&writer.builder, kept);
        }
        writer
    }

    fn new(task: &Task<'a>, plan: &'a ReversePlan, derivatives: &'a mut dyn Derivatives) -> Writer<'a> {
        let Task { key, signature, derived, prepared, style } = *task;
        let given = derived.parameters();
        let mut parameters: SecondaryMap<ValueId, Option<Value>> = SecondaryMap::new();
        let mut shadows: SecondaryMap<ValueId, Option<Tangents>> = SecondaryMap::new();
        let mut rest = given.as_slice();
        for (&parameter, activity) in prepared.read.model.parameters.iter().zip(&key.arguments) {
            let count = if activity.has_shadow() { key.shadows() } else { 0 };
            let (mine, others) = rest.split_at(1 + count);
            parameters[parameter] = Some(mine[0]);
            if count > 0 {
                shadows[parameter] = Some(Tangents::from_slice(&mine[1..]));
            }
            rest = others;
        }
        Writer {
            key,
            signature,
            read: &prepared.read,
            plan,
            style,
            derivatives,
            module: derived.module(),
            builder: Builder::new(signature.result.context()),
            derived,
            tape: Tape::new(derived.module(), signature.result),
            primal: None,
            parameters,
            shadows,
            tapes: SecondaryMap::new(),
            arena: None,
            kept: None,
            tape_given: None,
            slots_of_plan: Slots::of(task, plan),
            seeds: rest.to_vec(),
            slots: PrimaryMap::new(),
            iterations: SecondaryMap::new(),
            adjoints: SecondaryMap::new(),
            result: None,
            inverses: SecondaryMap::new(),
            at_hand: KnownMap::default(),
            in_hand: Vec::new(),
        }
    }

    /// The reverse sweep may read frame memory after the primal is done with it.
    fn forget_lifetimes(&self) {
        let ends: Vec<Instruction> = self
            .derived
            .instructions()
            .filter(|call| {
                call.called_function().is_some_and(|callee| callee.name().starts_with("llvm.lifetime."))
            })
            .collect();
        ends.into_iter().for_each(Instruction::erase);
    }

    fn internal(&self, what: impl Into<String>) -> Error {
        Error::internal(self.derived, what.into())
    }

    fn primal(&self) -> Result<&Primal, Error> {
        self.primal.as_ref().ok_or_else(|| self.internal("a reverse sweep alone has no primal"))
    }

    /// The type of a value of the primal.
    fn type_of(&self, value: ValueId) -> Result<Type, Error> {
        self.read
            .value(value)
            .map(Value::ty)
            .ok_or_else(|| self.internal(format!("the value {value} was not read from LLVM")))
    }

    fn inverse(&self, block: BlockId) -> Result<Block, Error> {
        self.inverses[block].ok_or_else(|| self.internal(format!("{block} has no inverse")))
    }

    fn integer(&self, bits: u32) -> Type {
        Type::integer(self.signature.result.context(), bits)
    }

    fn wide(&self, value: i64) -> Value {
        Value::integer(self.integer(64), value)
    }

    /// Where the primal returns, the reverse sweep begins.
    fn turn_around(&mut self) -> Result<(), Error> {
        self.append_inverses()?;
        for &block in &self.plan.exits.0 {
            let Some(terminator) = self.read.model.terminator(block) else { continue };
            let old = self.primal()?.instruction(terminator)?;
            self.builder.position_before(old);
            let returned = self.read.model.insts[terminator].operands.first();
            if let (Some(place), Some(&value)) = (self.result, returned) {
                self.builder.store(self.primal()?.value(value)?, place);
            }
            self.builder.branch(self.inverse(block)?);
            old.erase();
        }
        Ok(())
    }

    /// Where the primal returns, a forward sweep by itself returns the tape, too.
    fn return_tape(&mut self, place: TapePlace) -> Result<(), Error> {
        let exits = self.plan.exits.clone();
        for (index, &block) in (0..).zip(&exits.0) {
            let Some(terminator) = self.read.model.terminator(block) else { continue };
            let old = self.primal()?.instruction(terminator)?;
            self.builder.position_before(old);
            if let Some(slot) = exits.1 {
                self.put(slot, &[Value::integer(self.integer(32), index)], None)?;
            }
            let null = Value::zero(Type::pointer(self.signature.result.context()));
            let mut fields = match place {
                TapePlace::Caller => vec![self.kept.unwrap_or(null)],
                TapePlace::Heap => vec![self.tape_given.unwrap_or(null)],
                TapePlace::User => vec![],
            };
            if let Some(&value) = self.read.model.insts[terminator].operands.first() {
                if self.key.primal == PrimalReturn::Yes {
                    fields.push(self.primal()?.value(value)?);
                }
                if self.signature.fields.len() > fields.len() {
                    let shadows = self.forward_shadow(value)?;
                    fields.push(self.packed(&shadows));
                }
            }
            self.builder.return_fields(self.signature.result, &fields);
            old.erase();
        }
        Ok(())
    }

    /// A value for each direction as one.
    fn packed(&self, directions: &[Value]) -> Value {
        match directions {
            [only] => *only,
            several => {
                let array = Value::poison(several[0].ty().array(several.len() as u64));
                (0..).zip(several).fold(array, |array, (direction, &value)| {
                    self.builder.insert_value(array, value, direction)
                })
            }
        }
    }

    /// The values for each direction in what a derived function returns.
    fn unpacked(&self, whole: Value) -> Tangents {
        match self.key.width {
            1 => Tangents::from_slice(&[whole]),
            width => {
                (0..width as u32).map(|direction| self.builder.extract_value(whole, direction)).collect()
            }
        }
    }

    /// A reverse sweep by itself begins at the block that returned.
    fn begin_reverse_sweep(&mut self, begin: Block) -> Result<(), Error> {
        self.builder.position_at_end(begin);
        let (blocks, slot) = self.plan.exits.clone();
        let Some((&first, rest)) = blocks.split_first() else {
            self.builder.unreachable();
            return Ok(());
        };
        let Some(slot) = slot else {
            self.builder.branch(self.inverse(first)?);
            return Ok(());
        };
        let exit = self.take(slot)?[0];
        let mut cases = Vec::new();
        for (index, &block) in (1..).zip(rest) {
            cases.push((Value::integer(self.integer(32), index), self.inverse(block)?));
        }
        self.builder.switch(exit, self.inverse(first)?, &cases);
        Ok(())
    }

    fn append_inverses(&mut self) -> Result<(), Error> {
        let plan = self.plan;
        for &block in plan.control.flow.reverse_post_order() {
            if self.inverses[block].is_none() {
                let name = self.read.block(block).map(Block::name).unwrap_or_default();
                self.inverses[block] = Some(self.derived.append_block(&format!("invert{name}")));
            }
        }
        Ok(())
    }

    /// Writes the reverse sweep.
    fn run_back(&mut self) -> Result<(), Error> {
        self.append_inverses()?;
        let plan = self.plan;
        for &block in plan.control.flow.reverse_post_order() {
            self.builder.position_at_end(self.inverse(block)?);
            self.forget_all();
            let read = self.read;
            for &inst in read.model.blocks[block].insts.iter().rev() {
                if !matches!(read.model.insts[inst].opcode, Opcode::Phi { .. }) {
                    self.instruction(inst)?;
                }
            }
            self.leave(block)?;
        }
        Ok(())
    }

    fn instruction(&mut self, inst: InstId) -> Result<(), Error> {
        let plan = self.plan;
        let step = &plan.steps[inst];
        if *step == ReverseStep::Skip {
            return Ok(());
        }
        if *step == ReverseStep::Return {
            return self.seed(inst);
        }
        let source = self
            .read
            .instruction(inst)
            .ok_or_else(|| self.internal(format!("the instruction {inst} was not read from LLVM")))?;
        // Places in the source belong to the function that they are in: that is the clone of the primal.
        match &self.primal {
            Some(primal) => match primal.instruction(inst) {
                Ok(clone) if plan.forward.steps[inst] == ForwardStep::Keep => {
                    self.builder.debug_location_of(clone)
                }
                _ => self.builder.no_debug_location(),
            },
            None => self.builder.no_debug_location(),
        }
        self.style.set_fast_math(&self.builder, source.value());
        match step {
            ReverseStep::Skip | ReverseStep::Return => Ok(()),
            ReverseStep::Scalar(call) => self.scalar(inst, call),
            ReverseStep::Move => self.moved(inst, source),
            ReverseStep::Bits(bits) => self.bits(inst, source, *bits),
            ReverseStep::SumElements => self.sum_elements(inst),
            ReverseStep::Load => self.load(inst, source),
            ReverseStep::Store => self.store(inst, source),
            ReverseStep::LoadElements(elements, others) => {
                self.load_elements(inst, source, *elements, *others)
            }
            ReverseStep::StoreElements(elements, value) => {
                self.store_elements(inst, source, *elements, *value)
            }
            ReverseStep::AtomicUpdate(adjoint) => self.atomic_update(inst, source, *adjoint),
            ReverseStep::CopyMemory { float, to, from, length } => {
                self.copy(inst, source, *float, [*to, *from, *length])
            }
            ReverseStep::MoveMemory { floats, period, pointer, size } => {
                self.moved_memory(inst, floats, *period, *pointer, *size)
            }
            ReverseStep::CopyPieces { to, from, floats, extent } => {
                self.pieces(inst, source, [Some(*to), *from], floats, *extent)
            }
            ReverseStep::CopyPrefix { to, from, length, floats, known } => {
                self.prefix(inst, [Some(*to), *from, Some(*length)], floats, *known)
            }
            ReverseStep::ClearMemory { to, length } => self.clear(inst, [*to, *length]),
            ReverseStep::Call(call) => self.call(inst, source, call),
            ReverseStep::ReverseCall(call) => self.reverse_call(inst, source, call),
            ReverseStep::ReverseCallThroughPointer(call) => {
                self.reverse_call_through_pointer(inst, source, call)
            }
        }
    }
}

/// Whether a function that runs both sweeps keeps anything outside its frame.
fn needs_arena(function: &enzyme::model::Function, plan: &ReversePlan) -> bool {
    let is_frame_memory = |inst: InstId| matches!(function.insts[inst].opcode, Opcode::Alloca { .. });
    let keeps_memory = plan.slots.values().any(|slot| match slot.holds {
        Held::Value(known) => function.as_inst(known.value()).is_some_and(is_frame_memory),
        Held::Predecessor(_)
        | Held::LastIteration(_)
        | Held::ChosenIteration(_)
        | Held::Iterations(_)
        | Held::Tape(_)
        | Held::Exit => false,
    });
    let in_loops = plan.slots.values().any(|slot| slot.region.is_some());
    let in_calls = plan.forward.steps.values().any(|step| {
        matches!(
            step,
            ForwardStep::Augment(_)
                | ForwardStep::CallAgain(_)
                | ForwardStep::FreeLater(_)
                | ForwardStep::MoveShadow { .. }
        )
    });
    in_loops || in_calls || keeps_memory || Tape::is_used_in(function)
}
