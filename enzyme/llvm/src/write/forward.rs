//! Writes the tangent of every value beside the value.

use super::directions::{Directions, Tangents};
use super::memory::ALIGNMENT_OF_SHADOWS;
use super::one_address::Handled;
use super::shadows::Shadows;
use super::tape::Tape;
use super::waiting::Waiting;
use super::{
    DerivativeKey, Derivatives, Mode, Primal, PrimalReturn, ResultActivity, Signature, Style, TapeAfterwards,
    TapePlace, Task,
};
use crate::error::Error;
use crate::ir::{self, Builder, Instruction, Module, Type, Value};
use crate::read::ReadFunction;
use enzyme::activity::ArgumentActivity;
use enzyme::loops::ControlFlow;
use enzyme::model::{InstId, Opcode, SecondaryMap, ValueId};
use enzyme::plan::{
    Carries, DerivedCall, ForwardPlan, ForwardStep, FreedLater, Fresh, ResultCarries, ShadowLayout,
};

/// Writes a forward-mode plan into the derived function.
///
/// # Errors
/// When a library lacks a function that a derivative needs, or EnzymeRS contradicts itself.
pub(crate) fn write_forward(
    task: &Task<'_>,
    plan: &ForwardPlan,
    derivatives: &mut dyn Derivatives,
) -> Result<(), Error> {
    let given = task.key.layouts.iter().zip(&task.prepared.read.model.parameters);
    for (layout, &parameter) in given {
        // The caller asked whether this can be done.
        if layout.is_some_and(ShadowLayout::is_side_by_side) && *layout != plan.layouts[parameter] {
            let what = "shadows that lie side by side are handed to a derivative that wants them apart";
            return Err(Error::internal(task.derived, what));
        }
    }
    Writer::start(task, plan, derivatives, |_| None).write()
}

/// The forward sweep of a reverse-mode derivative, as it was written.
pub(super) struct ForwardSweep {
    /// The primal in the derived function.
    pub(super) primal: Primal,
    /// The shadows of pointers.
    pub(super) shadows: SecondaryMap<ValueId, Option<Tangents>>,
    /// What each function that was called kept for its reverse sweep.
    pub(super) tapes: SecondaryMap<InstId, Option<Value>>,
    /// Where what is kept comes from.
    pub(super) arena: Option<Value>,
}

/// Writes the forward sweep of a reverse-mode plan; `arena` makes the arena that what is kept comes from.
///
/// # Errors
/// As [`write_forward`].
pub(super) fn write_forward_sweep(
    task: &Task<'_>,
    plan: &ForwardPlan,
    derivatives: &mut dyn Derivatives,
    arena: impl FnOnce(&Builder) -> Option<Value>,
) -> Result<ForwardSweep, Error> {
    let mut writer = Writer::start(task, plan, derivatives, arena);
    writer.write()?;
    let Writer { primal, tangents, tapes, arena, .. } = writer;
    Ok(ForwardSweep { primal, shadows: tangents, tapes, arena })
}

impl<'a> Writer<'a> {
    fn start(
        task: &Task<'a>,
        plan: &'a ForwardPlan,
        derivatives: &'a mut dyn Derivatives,
        arena: impl FnOnce(&Builder) -> Option<Value>,
    ) -> Writer<'a> {
        let Task { key, signature, derived, prepared, style } = *task;
        let read = &prepared.read;
        let given = derived.parameters();
        let mut primal_parameters = Vec::new();
        let mut shadows = Vec::new();
        let mut rest = given.as_slice();
        for index in 0..key.arguments.len() {
            let (mine, others) = rest.split_at(1 + key.shadow_parameters(index));
            primal_parameters.push(mine[0]);
            shadows.push(Tangents::from_slice(&mine[1..]));
            rest = others;
        }
        for (parameter, original) in primal_parameters.iter().zip(prepared.function.parameters()) {
            parameter.set_name(&original.name());
        }
        let primal = Primal::clone_into(derived, prepared, &primal_parameters);
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
            directions: match key.mode {
                Mode::Forward => Directions::in_groups(key.width),
                // What the sweeps of reverse mode share are shadows of pointers, and adjoints are one by one.
                Mode::Reverse
                | Mode::Augmented(_)
                | Mode::ReverseSweep(..)
                | Mode::FirstPart(_)
                | Mode::SecondPart(..) => Directions::apart(key.width),
            },
            waiting: Waiting::default(),
            tangents: SecondaryMap::new(),
            tapes: SecondaryMap::new(),
            arena: None,
        };
        if let Some(entry) = derived.entry() {
            writer.builder.position_at_end(entry);
            if let Some(first) = entry.instructions().next() {
                writer.builder.position_before(first);
            }
            writer.arena = arena(&writer.builder);
            if let Some(arena) = writer.arena {
                Tape::take_from(derived, arena);
            }
        }
        for (index, (shadow, primal)) in shadows.into_iter().zip(primal_parameters).enumerate() {
            let parameter = read.model.parameters[index];
            for (direction, &value) in shadow.iter().enumerate() {
                value.set_name(&shadow_name(&primal.name(), key.width, direction));
            }
            let layout = key.layouts[index];
            writer.tangents[parameter] = match (shadow.is_empty(), layout, plan.layouts[parameter]) {
                (true, _, _) => None,
                (false, Some(_), Some(_)) => Some(shadow),
                (false, Some(layout), None) => {
                    Some(writer.builder.at_distances(shadow[0], layout.step, key.width))
                }
                (false, None, _) => Some(writer.directions.gather(&writer.builder, primal.ty(), &shadow)),
            };
        }
        writer
    }
}

/// The name of a shadow: that of its primal with a prime, and the direction where there are several.
fn shadow_name(primal: &str, width: usize, direction: usize) -> String {
    match (primal, width) {
        ("", _) => String::new(),
        (name, 1) => format!("{name}'"),
        (name, _) => format!("{name}'{direction}"),
    }
}

pub(super) struct Writer<'a> {
    pub(super) key: &'a DerivativeKey,
    pub(super) signature: &'a Signature,
    pub(super) read: &'a ReadFunction,
    pub(super) plan: &'a ForwardPlan,
    pub(super) style: Style,
    pub(super) derivatives: &'a mut dyn Derivatives,
    pub(super) module: Module,
    pub(super) builder: Builder,
    pub(super) primal: Primal,
    pub(super) directions: Directions,
    pub(super) waiting: Waiting,
    tangents: SecondaryMap<ValueId, Option<Tangents>>,
    /// In the forward sweep of reverse mode: what functions that are called kept, by the call.
    tapes: SecondaryMap<InstId, Option<Value>>,
    /// In the forward sweep of reverse mode: where what is kept comes from.
    pub(super) arena: Option<Value>,
}

impl Writer<'_> {
    fn write(&mut self) -> Result<(), Error> {
        let model = &self.read.model;
        let flow = ControlFlow::of(model);
        // Definitions come before uses in this order, but for the values that flow back into a phi.
        for &block in flow.reverse_post_order() {
            for &inst in &model.blocks[block].insts {
                self.instruction(inst)?;
            }
        }
        self.connect_phis(&flow)?;
        for block in model.blocks.keys().filter(|&block| !flow.is_reachable(block)) {
            let Some(terminator) = model.terminator(block) else { continue };
            if model.insts[terminator].opcode == Opcode::Return {
                let old = self.primal.instruction(terminator)?;
                self.builder.position_before(old);
                self.builder.unreachable();
                old.erase();
            }
        }
        Ok(())
    }

    fn instruction(&mut self, inst: InstId) -> Result<(), Error> {
        let plan = self.plan;
        let step = &plan.steps[inst];
        self.end_wait_before(inst)?;
        if *step == ForwardStep::Keep {
            return Ok(());
        }
        let primal = self.primal.instruction(inst)?;
        self.stand_after(primal);
        self.builder.debug_location_of(primal);
        self.style.set_fast_math(&self.builder, primal.value());
        match step {
            ForwardStep::Keep => Ok(()),
            ForwardStep::Scalar(call) => self.scalar(inst, call),
            ForwardStep::Mirror { operands, zeroed, fresh } => {
                self.mirror(inst, primal, operands, zeroed, *fresh)
            }
            ForwardStep::Bits(bits) => self.bits(inst, primal, *bits),
            ForwardStep::Displace(operand) => self.displace(inst, *operand),
            ForwardStep::ClearShadow { to, length } => self.clear_shadow(inst, *to, *length),
            ForwardStep::CopyPieces { to, from, pieces, extent } => {
                self.copy_pieces(inst, *to, *from, pieces, *extent)
            }
            ForwardStep::CopyElements { to, from, length, element } => {
                self.copy_elements(inst, [*to, *from, *length], *element)
            }
            ForwardStep::FillElements { to, length } => self.fill_elements(inst, primal, *to, *length),
            ForwardStep::AtomicExtremum(function) => self.atomic_extremum(inst, primal, *function),
            ForwardStep::CompareExchange { zeroed } => self.compare_exchange(inst, primal, zeroed),
            ForwardStep::Call(call) => self.call(inst, primal, call),
            ForwardStep::CallThroughPointer(call) => self.call_through_pointer(inst, primal, call),
            ForwardStep::Augment(call) => self.augment(inst, primal, call),
            ForwardStep::AugmentThroughPointer(call) => self.augment_through_pointer(inst, primal, call),
            ForwardStep::CallAgain(call) => self.call_again(inst, primal, call),
            ForwardStep::FreeLater(what) => self.free_later(inst, primal, *what),
            ForwardStep::MoveShadow { pointer, size, begins } => {
                self.move_shadow(inst, primal, *pointer, *size, begins)
            }
            ForwardStep::Return => self.ret(inst, primal),
        }
    }

    /// Goes to where a value that belongs to the instruction can be written: right after it, before it when it ends
    /// its block, and on the way to the next block for a call that may throw.
    fn stand_after(&self, primal: Instruction) {
        match primal.next() {
            Some(next) => self.builder.position_before(next),
            None => self.builder.position_before(primal),
        }
    }

    /// The shadows of an operand, one a group of directions.
    pub(super) fn shadow(&mut self, value: ValueId) -> Result<Tangents, Error> {
        if let Some(tangents) = &self.tangents[value] {
            return Ok(tangents.clone());
        }
        let primal = self.primal.value(value)?;
        let mut shadows = Shadows {
            builder: &self.builder,
            module: self.module,
            behind: self.key.behind(),
            direction: 0,
            derivatives: &mut *self.derivatives,
        };
        let given = shadows.given(primal, self.plan.carries[value]).ok_or_else(|| {
            let value = self.read.model.display_name(value);
            Error::internal(self.primal.derived, format!("the shadow of {value} is not written yet"))
        })?;
        Ok(self.directions.gather(&self.builder, primal.ty(), &given))
    }

    /// The shadows of an operand, one a direction.
    pub(super) fn shadow_one_by_one(&mut self, value: ValueId) -> Result<Tangents, Error> {
        let tangents = self.shadow(value)?;
        if let Some(places) = self.places(value, &tangents) {
            return Ok(places);
        }
        Ok(self.directions.one_by_one(&self.builder, self.primal.value(value)?.ty(), &tangents))
    }

    /// The shadows of an operand, one a direction; zero where it is a float without a derivative in an integer's clothes.
    pub(super) fn shadow_of_operand(&mut self, value: ValueId, role: Operand) -> Result<Tangents, Error> {
        match role {
            Operand::Moves => self.shadow_one_by_one(value),
            Operand::IsConstantFloat => {
                let zero = Value::zero(self.primal.value(value)?.ty());
                Ok(std::iter::repeat_n(zero, self.key.width).collect())
            }
        }
    }

    pub(super) fn set(&mut self, inst: InstId, tangents: Tangents) -> Result<(), Error> {
        let Some(result) = self.read.model.insts[inst].result else { return Ok(()) };
        let primal = self.primal.value(result)?;
        let name = primal.name();
        for (group, tangent) in self.directions.groups(primal.ty()).iter().zip(&tangents) {
            if !tangent.is_constant() {
                tangent.set_name(&shadow_name(&name, self.key.width, group.first));
            }
        }
        self.tangents[result] = Some(tangents);
        Ok(())
    }

    /// As [`Writer::set`], of one tangent a direction.
    pub(super) fn set_one_by_one(&mut self, inst: InstId, tangents: &[Value]) -> Result<(), Error> {
        let Some(result) = self.read.model.insts[inst].result else { return Ok(()) };
        let ty = self.primal.value(result)?.ty();
        self.set(inst, self.directions.gather(&self.builder, ty, tangents))
    }

    /// The instruction once more, over shadows.
    fn mirror(
        &mut self,
        inst: InstId,
        primal: Instruction,
        operands: &[usize],
        zeroed: &[usize],
        fresh: Fresh,
    ) -> Result<(), Error> {
        let data = &self.read.model.insts[inst];
        if let Opcode::Phi { .. } = data.opcode {
            let ty = primal.value().ty();
            // Not after it: what follows the last phi may carry debug records, and these must stay behind all phis.
            self.builder.position_before(primal);
            if self.mirror_at_once(inst, primal, fresh)? == Handled::Yes {
                return Ok(());
            }
            let groups = self.directions.groups(ty);
            let phis = groups.iter().map(|group| self.builder.phi(group.of(ty), "").value()).collect();
            return self.set(inst, phis);
        }
        if self.can_wait(inst) {
            return self.wait_for_moved(inst);
        }
        if self.mirror_at_once(inst, primal, fresh)? == Handled::Yes {
            return Ok(());
        }
        if matches!(data.opcode, Opcode::Select { .. })
            && self.directions.groups(primal.value().ty()).len() < self.key.width
        {
            return self.select(inst, primal);
        }
        if primal.invoke_destinations().is_some() {
            self.stand_on_normal_edge(primal);
        }
        let mut shadows: Vec<(u32, Tangents)> = Vec::new();
        for &index in operands {
            let shadow = self.shadow_of_operand(data.operands[index], Operand::at(index, zeroed))?;
            shadows.push((index as u32, shadow));
        }
        self.guard_operands(inst, &mut shadows)?;
        let mut tangents = Tangents::new();
        for direction in 0..self.key.width {
            if let Some(memory) = self.cleared_allocation(primal, fresh) {
                tangents.push(memory);
                continue;
            }
            let copy = if primal.invoke_destinations().is_some() {
                self.builder.call_as(primal.called_type(), primal.callee(), &primal.arguments())
            } else {
                let copy = primal.clone_detached();
                self.builder.insert(copy);
                copy.drop_value_metadata();
                if matches!(data.opcode, Opcode::Load { .. } | Opcode::Store { .. }) {
                    copy.set_alignment_at_most(ALIGNMENT_OF_SHADOWS);
                }
                copy
            };
            for (index, shadow) in &shadows {
                copy.set_operand(*index, shadow[direction]);
            }
            self.clear_new(primal, copy, fresh)?;
            tangents.push(self.guarded(inst, copy, direction)?);
        }
        self.set_one_by_one(inst, &tangents)
    }

    /// The choice between two floats, for groups of directions.
    fn select(&mut self, inst: InstId, primal: Instruction) -> Result<(), Error> {
        let operands = &self.read.model.insts[inst].operands;
        let condition = primal.value().operands()[0];
        let (yes, no) = (self.shadow(operands[1])?, self.shadow(operands[2])?);
        let chosen = yes.iter().zip(&no).map(|(&yes, &no)| self.builder.select(condition, yes, no)).collect();
        self.set(inst, chosen)
    }

    /// Goes to a block of its own on the way that a call takes when it does not throw.
    fn stand_on_normal_edge(&self, invoke: Instruction) {
        let block = ir::split_normal_edge(invoke);
        if let Some(first) = block.instructions().next() {
            self.builder.position_before(first);
        }
    }

    /// The derived function in the place of the function called; it gives the primal's result too.
    fn call(&mut self, inst: InstId, primal: Instruction, call: &DerivedCall) -> Result<(), Error> {
        let Some(callee) = primal.called_function() else {
            return Err(Error::internal(self.primal.derived, "a call that was planned as direct is not"));
        };
        let mut key = DerivativeKey::of_call(callee, Mode::Forward, self.key, call);
        key.layouts = self.layouts_of(inst, &call.arguments);
        let (derived, signature) = self.derivatives.derived(key.clone())?;
        let arguments = self.with_shadows(inst, primal, &call.arguments, &key.layouts)?;
        let outcome = self.call_instead(primal, derived.function_type(), derived.value(), &arguments);
        outcome.copy_calling_convention(derived);
        self.take_over(inst, primal, outcome.value(), &signature, call.result)
    }

    /// The arguments of a call, each followed by its shadows, or by the first where the layout of the others is known; the
    /// builder stands before the call.
    pub(super) fn with_shadows(
        &mut self,
        inst: InstId,
        primal: Instruction,
        activities: &[ArgumentActivity],
        layouts: &[Option<ShadowLayout>],
    ) -> Result<Vec<Value>, Error> {
        self.builder.position_before(primal);
        let mut arguments = Vec::new();
        let layouts = layouts.iter().chain(std::iter::repeat(&None));
        let given = self.read.model.insts[inst].arguments().iter().zip(activities).zip(layouts);
        for ((&argument, activity), layout) in given {
            arguments.push(self.primal.value(argument)?);
            if layout.is_some() {
                arguments.push(self.shadow(argument)?[0]);
            } else if activity.has_shadow() && self.key.mode.takes_shadows() {
                arguments.extend(self.shadow_one_by_one(argument)?);
            }
        }
        Ok(arguments)
    }

    /// How the shadows of each argument of a call are found from the first, where only that is handed over.
    fn layouts_of(&self, inst: InstId, activities: &[ArgumentActivity]) -> Vec<Option<ShadowLayout>> {
        let arguments = self.read.model.insts[inst].arguments().iter().zip(activities);
        let layout = |(&argument, activity): (&ValueId, &ArgumentActivity)| {
            self.layout_of(argument).filter(|_| activity.has_shadow())
        };
        arguments.map(layout).collect()
    }

    /// A call, or an invoke where the primal is one; the builder stands behind it, where it does not throw.
    pub(super) fn call_instead(
        &self,
        primal: Instruction,
        ty: Type,
        callee: Value,
        arguments: &[Value],
    ) -> Instruction {
        let Some((_, unwind)) = primal.invoke_destinations() else {
            return self.builder.call_as(ty, callee, arguments);
        };
        let normal = ir::split_normal_edge(primal);
        let invoke = self.builder.invoke_as(ty, callee, arguments, normal, unwind);
        if let Some(first) = normal.instructions().next() {
            self.builder.position_before(first);
        }
        invoke
    }

    /// Puts what a derivative returns, the primal's result among it, in the place of the primal's call.
    pub(super) fn take_over(
        &mut self,
        inst: InstId,
        primal: Instruction,
        outcome: Value,
        signature: &Signature,
        carries: ResultCarries,
    ) -> Result<(), Error> {
        if let Some(result) = self.read.model.insts[inst].result {
            let several = signature.fields.len() > 1;
            let field =
                |index: u32| if several { self.builder.extract_value(outcome, index) } else { outcome };
            let replacement = field(0);
            let name = primal.value().name();
            primal.value().replace_all_uses_with(replacement);
            replacement.set_name(&name);
            self.primal.replace(result, replacement);
            if carries == ResultCarries::Derivative {
                let tangents = self.unpack(field(1));
                self.set_one_by_one(inst, &tangents)?;
            }
        }
        primal.erase();
        Ok(())
    }

    /// The forward sweep of the function called in its place; it gives the primal's result, too, and what it kept.
    fn augment(&mut self, inst: InstId, primal: Instruction, call: &DerivedCall) -> Result<(), Error> {
        let (Some(callee), Some(arena)) = (primal.called_function(), self.arena) else {
            return Err(Error::internal(self.primal.derived, "a call that was planned with a tape has none"));
        };
        let mode = match self.key.mode {
            Mode::FirstPart(_) => Mode::FirstPart(TapePlace::Caller),
            Mode::Forward
            | Mode::Reverse
            | Mode::Augmented(_)
            | Mode::ReverseSweep(..)
            | Mode::SecondPart(..) => Mode::Augmented(TapePlace::Caller),
        };
        let key = DerivativeKey::of_call(callee, mode, self.key, call);
        let (derived, signature) = self.derivatives.derived(key)?;
        let mut arguments = self.with_shadows(inst, primal, &call.arguments, &[])?;
        arguments.push(arena);
        let outcome = self.call_instead(primal, derived.function_type(), derived.value(), &arguments);
        outcome.copy_calling_convention(derived);
        self.take_over_with_tape(inst, primal, outcome.value(), &signature)
    }

    /// Puts what a forward sweep alone returns, the primal's result among it, in the place of the primal's call, and
    /// remembers the tape.
    pub(super) fn take_over_with_tape(
        &mut self,
        inst: InstId,
        primal: Instruction,
        outcome: Value,
        signature: &Signature,
    ) -> Result<(), Error> {
        let several = signature.fields.len() > 1;
        let field = |index: u32| if several { self.builder.extract_value(outcome, index) } else { outcome };
        self.tapes[inst] = Some(field(0));
        if let Some(result) = self.read.model.insts[inst].result {
            let replacement = field(1);
            let name = primal.value().name();
            primal.value().replace_all_uses_with(replacement);
            replacement.set_name(&name);
            self.primal.replace(result, replacement);
            if signature.fields.len() > 2 {
                let shadows = self.unpack(field(2));
                self.set(inst, shadows)?;
            }
        }
        primal.erase();
        Ok(())
    }

    /// The tangents of the function called, beside the call, which is still to go. What stands for its tape is put there
    /// before it is known where that lies.
    fn call_again(&mut self, inst: InstId, primal: Instruction, call: &DerivedCall) -> Result<(), Error> {
        let Some(callee) = primal.called_function() else {
            return Err(Error::internal(self.primal.derived, "a call that was planned as direct is not"));
        };
        let mode = Mode::SecondPart(TapePlace::Caller, TapeAfterwards::Left);
        let key = DerivativeKey::of_call(callee, mode, self.key, call);
        let (derived, signature) = self.derivatives.derived(key)?;
        let mut arguments = self.with_shadows(inst, primal, &call.arguments, &[])?;
        let pointer = Type::pointer(signature.result.context());
        let tape = self.builder.load(pointer, Value::poison(pointer), "tape");
        self.tapes[inst] = Some(tape);
        arguments.push(tape);
        let outcome = self.builder.call(derived, &arguments);
        outcome.copy_calling_convention(derived);
        match call.result {
            ResultCarries::Derivative => {
                let tangents = self.unpack(outcome.value());
                self.set(inst, tangents)
            }
            ResultCarries::Nothing => Ok(()),
        }
    }

    /// Memory that the reverse sweep still needs is freed when that is done.
    fn free_later(&mut self, inst: InstId, primal: Instruction, what: FreedLater) -> Result<(), Error> {
        let (Some(callee), Some(arena)) = (primal.called_function(), self.arena) else {
            return Err(Error::internal(
                self.primal.derived,
                "memory is to be freed later, and nobody remembers it",
            ));
        };
        let tape = Tape::new(self.module, self.signature.result);
        let free = match callee.parameter_types().len() {
            1 => callee,
            // A sized `delete` does what the plain one does.
            _ => {
                let pointer = Type::pointer(self.signature.result.context());
                let ty = Type::function(Type::void(pointer.context()), &[pointer]);
                let plain = if callee.name() == "_ZdaPvm" { "_ZdaPv" } else { "_ZdlPv" };
                self.module.function_or_declare(plain, ty)
            }
        };
        let memory = self.read.model.insts[inst].operands[0];
        match what {
            FreedLater::Shadow | FreedLater::Both => {
                for shadow in self.shadow(memory)? {
                    let shadow = self.unless_freed_as_primal(inst, memory, shadow)?;
                    tape.free_later(&self.builder, arena, shadow, free.value());
                }
            }
            FreedLater::Primal => {}
        }
        match what {
            FreedLater::Both | FreedLater::Primal => {
                let memory = self.primal.value(memory)?;
                tape.free_later(&self.builder, arena, memory, free.value());
                primal.erase();
            }
            FreedLater::Shadow => {}
        }
        Ok(())
    }

    /// The directions of a derivative that a derived function returns together.
    fn unpack(&self, derivative: Value) -> Tangents {
        match self.key.width {
            1 => Tangents::from_slice(&[derivative]),
            width => {
                (0..width as u32).map(|direction| self.builder.extract_value(derivative, direction)).collect()
            }
        }
    }

    fn ret(&mut self, inst: InstId, primal: Instruction) -> Result<(), Error> {
        self.builder.position_before(primal);
        let returned = self.read.model.insts[inst].operands.first().copied();
        let mut fields = Vec::new();
        if let Some(value) = returned {
            if self.key.primal == PrimalReturn::Yes {
                fields.push(self.primal.value(value)?);
            }
            if self.key.result == ResultActivity::Active {
                let tangents = self.shadow_one_by_one(value)?;
                fields.push(match self.key.width {
                    1 => tangents[0],
                    width => {
                        let array = Value::poison(tangents[0].ty().array(width as u64));
                        (0..).zip(tangents).fold(array, |array, (direction, tangent)| {
                            self.builder.insert_value(array, tangent, direction)
                        })
                    }
                });
            }
        }
        self.builder.return_fields(self.signature.result, &fields);
        primal.erase();
        Ok(())
    }

    /// Gives the phis of shadows what flows into them, now that all of it is written.
    fn connect_phis(&mut self, flow: &ControlFlow) -> Result<(), Error> {
        let model = &self.read.model;
        for inst in model.insts_in_order() {
            let (Opcode::Phi { .. }, ForwardStep::Mirror { zeroed, .. }) =
                (&model.insts[inst].opcode, &self.plan.steps[inst])
            else {
                continue;
            };
            if !flow.is_reachable(model.insts[inst].block) {
                continue;
            }
            let phi = self.primal.instruction(inst)?;
            let Some(mirrored) = model.insts[inst].result.and_then(|result| self.tangents[result].clone())
            else {
                continue;
            };
            // Calls that may throw have split edges meanwhile: the clone's phi knows where values come from now.
            for (index, ((value, _), (_, from))) in
                model.insts[inst].incoming().zip(phi.incoming()).enumerate()
            {
                if let Some(terminator) = from.terminator() {
                    self.builder.position_before(terminator);
                }
                let shadows = match Operand::at(index, zeroed) {
                    Operand::Moves => self.incoming_shadow(value)?,
                    role @ Operand::IsConstantFloat => self.shadow_of_operand(value, role)?,
                };
                for (mirrored, shadow) in mirrored.iter().zip(shadows) {
                    if let Some(mirrored) = mirrored.as_instruction() {
                        mirrored.add_incoming(shadow, from);
                    }
                }
            }
        }
        Ok(())
    }

    /// The shadow of what flows into a phi; of something that is never computed, any value will do.
    fn incoming_shadow(&mut self, value: ValueId) -> Result<Tangents, Error> {
        let never_computed = self.tangents[value].is_none()
            && self.plan.carries[value] == Carries::Derivative
            && self.read.model.as_inst(value).is_some();
        if never_computed {
            let ty = self.primal.value(value)?.ty();
            let groups = self.directions.groups(ty);
            return Ok(groups.iter().map(|group| Value::poison(group.of(ty))).collect());
        }
        self.shadow(value)
    }
}

/// What an operand without a derivative is to the shadow of its instruction.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Operand {
    /// Its shadow is what such a value's shadow is.
    Moves,
    /// It is a float in an integer's clothes: its shadow is zero.
    IsConstantFloat,
}

impl Operand {
    pub(super) fn at(index: usize, zeroed: &[usize]) -> Operand {
        if zeroed.contains(&index) { Operand::IsConstantFloat } else { Operand::Moves }
    }
}
