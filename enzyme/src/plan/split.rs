//! The plan of a forward-mode derivative in two parts.
//!
//! The *first part* runs the primal, and keeps on a tape what cannot be had again afterwards. The *second part* gives the
//! tangents, as often as anybody likes: it goes the way of the primal once more, with what was kept, and does nothing of
//! what the primal does to the world. Both are written from a clone of the primal: tangents are added to the second, and
//! of the primal's own instructions there each is [`Second`]: it runs again, its value is read from the tape, or it is
//! left out.
//!
//! An instruction may run again where [`Legality`] says so, as in the reverse sweep of a derivative in two calls: nobody
//! knows what memory holds by then. Phis run again because control flow does.

use super::flow::Carries;
use super::forward::{ForwardPlan, ForwardStep, forward};
use super::obstacle::{Obstacle, Reason};
use super::reverse::{Control, Held, Known, KnownMap, Legality, LoopPlan, ReversePlan, Slot, SlotId, Sweeps};
use super::{Context, MemoryActivity, PieceShadow, ResultCarries};
use crate::activity::ArgumentActivity;
use crate::loops::LoopId;
use crate::model::{Function, InstId, Opcode, PrimaryMap, SecondaryMap, ValueId};
use crate::rules;

/// What becomes of an instruction of the primal in the second part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Second {
    /// It is left out: nobody asks for its value, and what it does is done.
    #[default]
    Nothing,
    /// It runs again.
    Again,
    /// Its value is read from the tape.
    FromTape(SlotId),
}

/// Everything that is decided about a forward-mode derivative in two parts.
#[derive(Clone, Debug)]
pub struct SplitPlan {
    /// The first part, as the forward sweep of a reverse-mode derivative in two calls.
    pub first: ReversePlan,
    /// The second part, which has the same slots; its tangents are in `forward`.
    pub second: ReversePlan,
    /// What becomes of the primal's instructions in the second part.
    pub primal: SecondaryMap<InstId, Second>,
}

/// Decides a forward-mode derivative in two parts.
///
/// # Errors
/// Every instruction that stands in the way.
pub fn split(
    function: &Function,
    parameters: &[ArgumentActivity],
    result: ResultCarries,
    context: &Context<'_>,
) -> Result<SplitPlan, Vec<Obstacle>> {
    // Each direction has shadows of its own: both parts get them from the caller, or from the tape.
    let tangents = forward(function, parameters, result, &Context { width: 1, ..*context })?;
    let control = Control::of(function);
    let obstacles = obstacles(function, &tangents, &control, context);
    if !obstacles.is_empty() {
        return Err(obstacles);
    }
    let legality = Legality::new(function, &control, context, Sweeps::Apart, |_| false);
    let mut planner = Planner {
        function,
        tangents: &tangents,
        control: &control,
        legality: &legality,
        slots: PrimaryMap::new(),
        primal: SecondaryMap::new(),
        pending: Vec::new(),
    };
    planner.decide(result);
    let Planner { mut slots, primal, .. } = planner;
    let mut tapes: SecondaryMap<InstId, Option<SlotId>> = SecondaryMap::new();
    let mut first = tangents.steps.clone();
    let mut second = tangents.steps.clone();
    for inst in function.insts_in_order() {
        first[inst] = ForwardStep::Keep;
        if let ForwardStep::Call(call) = &tangents.steps[inst] {
            let region = control.region(function.insts[inst].block);
            tapes[inst] = Some(slots.push(Slot { region, holds: Held::Tape(inst) }));
            first[inst] = ForwardStep::Augment(call.clone());
            second[inst] = ForwardStep::CallAgain(call.clone());
        }
    }
    let loops = places_of_iterations(&control, &mut slots);
    let part = |steps: SecondaryMap<InstId, ForwardStep>| {
        let carries = tangents.carries.clone();
        let forward = ForwardPlan {
            carries: carries.clone(),
            steps,
            guards: SecondaryMap::new(),
            layouts: SecondaryMap::new(),
        };
        ReversePlan {
            sweeps: Sweeps::Apart,
            forward,
            carries,
            memory_activity: MemoryActivity::Known,
            adjoints: SecondaryMap::new(),
            steps: SecondaryMap::new(),
            incomplete: SecondaryMap::new(),
            reuse: KnownMap::default(),
            slots: slots.clone(),
            tapes: tapes.clone(),
            paths: SecondaryMap::new(),
            unchosen: SecondaryMap::new(),
            writes_at_the_end: Vec::new(),
            loops: loops.clone(),
            exits: (control.exits(function), None),
            control: control.clone(),
        }
    };
    Ok(SplitPlan { first: part(first), second: part(second), primal })
}

/// What cannot be done in two parts though it could be in one.
fn obstacles(
    function: &Function,
    tangents: &ForwardPlan,
    control: &Control,
    context: &Context<'_>,
) -> Vec<Obstacle> {
    let mut obstacles = Vec::new();
    let first = function.insts_in_order().next();
    if let Some(first) = first.filter(|_| context.memory_activity != MemoryActivity::Known) {
        Obstacle::note(
            &mut obstacles,
            first,
            Reason::InTwoParts { what: "activity that is decided at run time" },
        );
    }
    for inst in function.insts_in_order() {
        let data = &function.insts[inst];
        if !control.flow.is_reachable(data.block) {
            continue;
        }
        let what = match (&data.opcode, &tangents.steps[inst]) {
            (Opcode::Invoke { .. } | Opcode::CallBranch { .. }, _) => "a call that may throw",
            (Opcode::CatchSwitch { .. } | Opcode::IndirectBranch { .. }, _) => "a jump to a computed place",
            (_, ForwardStep::CallThroughPointer(_)) => "a call through a pointer",
            (_, ForwardStep::AtomicExtremum(_) | ForwardStep::CompareExchange { .. }) => "an atomic choice",
            // What is not float there would be read from memory that may have changed since.
            (_, ForwardStep::CopyPieces { pieces, .. })
                if pieces.iter().any(|piece| piece.shadow != PieceShadow::Zero) =>
            {
                "a copy of floats and other things from memory without a shadow"
            }
            _ => continue,
        };
        Obstacle::note(&mut obstacles, inst, Reason::InTwoParts { what });
    }
    for &(from, _) in &control.nest.irreducible_edges {
        if let Some(terminator) = function.terminator(from) {
            let what = "a loop that is entered in several places";
            Obstacle::note(&mut obstacles, terminator, Reason::InTwoParts { what });
        }
    }
    obstacles
}

/// Gives each loop that has slots a place that says where they lie; inner loops first, since theirs may be the only
/// slots of an outer one. Iterations are counted as they come: nothing goes backwards.
fn places_of_iterations(
    control: &Control,
    slots: &mut PrimaryMap<SlotId, Slot>,
) -> SecondaryMap<LoopId, LoopPlan> {
    let mut plans = SecondaryMap::new();
    let mut loops: Vec<LoopId> = control.nest.loops.keys().collect();
    loops.reverse();
    for id in loops {
        if slots.values().any(|slot| slot.region == Some(id)) {
            let region = control.nest.loops[id].parent;
            let place = slots.push(Slot { region, holds: Held::Iterations(id) });
            plans[id] = LoopPlan { iterations: Some(place), ..LoopPlan::default() };
        }
    }
    plans
}

struct Planner<'a> {
    function: &'a Function,
    tangents: &'a ForwardPlan,
    control: &'a Control,
    legality: &'a Legality<'a>,
    slots: PrimaryMap<SlotId, Slot>,
    primal: SecondaryMap<InstId, Second>,
    /// Values that are asked for, and not looked at yet.
    pending: Vec<ValueId>,
}

impl Planner<'_> {
    fn decide(&mut self, result: ResultCarries) {
        for inst in self.function.insts_in_order() {
            let data = &self.function.insts[inst];
            if !self.control.flow.is_reachable(data.block) {
                continue;
            }
            self.ask_for_operands_of_tangent(inst);
            if data.opcode == Opcode::Return {
                let is_asked_for = |value: &ValueId| match result {
                    // Of what carries nothing, the shadow is the value itself or zero.
                    ResultCarries::Derivative => !self.has_tangent(*value),
                    ResultCarries::Nothing => false,
                };
                let asked_for: Vec<ValueId> = data.operands.iter().copied().filter(is_asked_for).collect();
                self.pending.extend(asked_for);
            } else if data.opcode.is_terminator() {
                self.pending.extend(data.operands.iter().copied());
            }
            if data.opcode.is_terminator() {
                self.primal[inst] = Second::Again;
            }
        }
        while let Some(value) = self.pending.pop() {
            self.provide(value);
        }
    }

    /// Decides how a value that is asked for is had.
    fn provide(&mut self, value: ValueId) {
        let Some(inst) = self.function.as_inst(value) else { return };
        if self.primal[inst] != Second::Nothing {
            return;
        }
        let data = &self.function.insts[inst];
        let runs_again =
            matches!(data.opcode, Opcode::Phi { .. }) || self.legality.check(Known::Primal(value)).is_some();
        if runs_again {
            self.primal[inst] = Second::Again;
            self.pending.extend(data.operands.iter().copied());
        } else {
            let region = self.control.region(data.block);
            let slot = self.slots.push(Slot { region, holds: Held::Value(Known::Primal(value)) });
            self.primal[inst] = Second::FromTape(slot);
        }
    }

    fn has_tangent(&self, value: ValueId) -> bool {
        self.tangents.carries[value] == Carries::Derivative
    }

    /// Notes the values of the primal that the tangent of an instruction is written with.
    fn ask_for_operands_of_tangent(&mut self, inst: InstId) {
        let data = &self.function.insts[inst];
        match &self.tangents.steps[inst] {
            ForwardStep::Keep
            | ForwardStep::Return
            | ForwardStep::FreeLater(_)
            | ForwardStep::MoveShadow { .. } => {}
            ForwardStep::Scalar(call) => {
                let count = call.function.results().len();
                for (_, column, partial) in rules::rule(call.function).nonzero_partials() {
                    if !self.has_tangent(call.operands[column]) {
                        continue;
                    }
                    let needed = (0..call.operands.len()).filter(|&index| partial.needs_operand(index));
                    self.pending.extend(needed.map(|index| call.operands[index]));
                    if (0..count).any(|index| partial.needs_result(index)) {
                        self.pending.extend(data.result);
                    }
                }
            }
            ForwardStep::Mirror { operands, .. } => {
                let is_read = |(index, value): &(usize, &ValueId)| {
                    !operands.contains(index) || !self.has_tangent(**value)
                };
                let read: Vec<ValueId> =
                    data.operands.iter().enumerate().filter(is_read).map(|(_, &value)| value).collect();
                self.pending.extend(read);
            }
            ForwardStep::Bits(_)
            | ForwardStep::Displace(_)
            | ForwardStep::ClearShadow { .. }
            | ForwardStep::CopyPieces { .. }
            | ForwardStep::CopyElements { .. }
            | ForwardStep::FillElements { .. }
            | ForwardStep::AtomicExtremum(_)
            | ForwardStep::CompareExchange { .. } => {
                self.pending.extend(data.operands.iter().copied());
                self.pending.extend(data.result);
            }
            ForwardStep::Call(_)
            | ForwardStep::CallThroughPointer(_)
            | ForwardStep::Augment(_)
            | ForwardStep::AugmentThroughPointer(_)
            | ForwardStep::CallAgain(_) => self.pending.extend(data.arguments().iter().copied()),
        }
    }
}
