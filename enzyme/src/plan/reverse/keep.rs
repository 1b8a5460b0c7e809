//! Keep or compute again: how the reverse sweep knows each value that it reads.

use super::control::{Control, Counter, LoopPlan, Path};
use super::incomplete::incomplete_vectors;
use super::legal::Legality;
use super::postponed::may_wait;
use super::steps::Decided;
use super::unchosen::Steps;
use super::{
    ChosenIteration, Held, How, Known, KnownMap, Recomputable, Reuse, ReversePlan, ReverseStep, Slot, SlotId,
    Sweeps,
};
use crate::loops::LoopId;
use crate::model::{Function, InstId, Opcode, PrimaryMap, SecondaryMap, Type, Uses, ValueId};
use crate::plan::cut::{Candidate, Choice, choose};
use crate::plan::flow::Carries;
use crate::plan::forward::{ForwardPlan, ForwardStep};
use crate::plan::role::{Role, role, should_be_recomputed};
use crate::plan::{Context, Direction, Keeping};
use smallvec::SmallVec;

/// How many iterations a loop is taken to have when nothing is known of it.
const USUAL_TRIPS: u64 = 16;

/// No region is taken to run more often than this, so that costs stay far from overflow.
const MOST_RUNS: u64 = 1 << 24;

/// What it costs to move a byte to memory and back, in simple instructions.
const BYTE: u64 = 2;

/// What a load costs.
const LOAD: u64 = 4;

/// What it costs at least to keep something on the tape, however small: to store it and to load it. So flags that need no more
/// than a load to be known again are not kept, and a loop over pairs does not take the square of its memory for them.
const ON_TAPE: u64 = 2 * LOAD;

/// What keeping something in the frame of a function costs: a register, most likely.
const IN_FRAME: u64 = 2;

/// Decides what is left once the steps are known.
pub(super) fn complete(
    function: &Function,
    carries: SecondaryMap<ValueId, Carries>,
    decided: Decided,
    control: Control,
    sweeps: Sweeps,
    context: &Context<'_>,
) -> ReversePlan {
    let forward = ForwardPlan {
        carries: carries.clone(),
        steps: decided.forward,
        guards: decided.guards,
        layouts: SecondaryMap::new(),
    };
    let exits = control.exits(function);
    let steps = Steps {
        function,
        control: &control,
        steps: &decided.reverse,
        adjoints: &decided.adjoints,
        uses: &Uses::of(function),
    };
    let unchosen = steps.ways_past_unchosen();
    let chosen = control.nest.loops.keys().map(|id| steps.choice_of_iteration(id)).collect();
    let mut plan = ReversePlan {
        sweeps,
        forward,
        carries,
        memory_activity: context.memory_activity,
        adjoints: decided.adjoints,
        steps: decided.reverse,
        incomplete: incomplete_vectors(function),
        reuse: KnownMap::default(),
        slots: PrimaryMap::new(),
        tapes: SecondaryMap::new(),
        paths: SecondaryMap::new(),
        unchosen,
        writes_at_the_end: Vec::new(),
        loops: SecondaryMap::new(),
        exits: (exits, None),
        control,
    };
    plan.find_ways(function);
    plan.choose_iterations(function, chosen);
    plan.keep_values(function, context);
    plan.keep_tapes(function);
    plan.reserve_iterations();
    plan
}

impl ReversePlan {
    fn slot(&mut self, region: Option<LoopId>, holds: Held) -> SlotId {
        self.slots.push(Slot { region, holds })
    }

    /// How the reverse sweep leaves each block, and counts the iterations of each loop.
    fn find_ways(&mut self, function: &Function) {
        for block in self.control.flow.reverse_post_order().to_vec() {
            self.paths[block] = match self.control.path(function, block) {
                Some(path) => path,
                None => {
                    let region = self.control.region(block);
                    Path::Slot(self.slot(region, Held::Predecessor(block)))
                }
            };
        }
        for id in self.control.nest.loops.keys().collect::<Vec<_>>() {
            let counter = match self.control.trip_counts[id] {
                Some(trips) => Counter::Trips(trips),
                None => {
                    let around = self.control.nest.loops[id].parent;
                    Counter::Slot(self.slot(around, Held::LastIteration(id)))
                }
            };
            self.loops[id] = LoopPlan { counter: Some(counter), ..LoopPlan::default() };
        }
        if self.sweeps == Sweeps::Apart && self.exits.0.len() > 1 {
            self.exits.1 = Some(self.slot(None, Held::Exit));
        }
    }

    /// Remembers, where loops choose one of their iterations, which one; what decided that is known then.
    fn choose_iterations(&mut self, function: &Function, chosen: Vec<Option<(InstId, bool)>>) {
        for (id, choice) in self.control.nest.loops.keys().zip(chosen).collect::<Vec<_>>() {
            let Some((select, when)) = choice else { continue };
            let around = self.control.nest.loops[id].parent;
            let slot = self.slot(around, Held::ChosenIteration(id));
            let chosen = ChosenIteration { select, when, slot };
            self.reuse[Known::Primal(chosen.condition(function))] = Reuse::Chosen(id);
            self.loops[id].chosen = Some(chosen);
        }
    }

    /// Chooses for each value that is read whether it is kept or computed again.
    fn keep_values(&mut self, function: &Function, context: &Context<'_>) {
        let control = self.control.clone();
        let forward = self.forward.steps.clone();
        let waiting = may_wait(function, &control, self.sweeps, &forward, context);
        let legality = Legality::new(function, &control, context, self.sweeps, |inst| waiting[inst]);
        let mut search = Search {
            function,
            plan: self,
            legality: &legality,
            forward: &forward,
            keeping: context.keeping,
            indices: KnownMap::default(),
            found: Vec::new(),
        };
        for inst in function.insts_in_order() {
            for known in search.plan.reads(function, inst) {
                search.need(known);
            }
        }
        for known in search.plan.reads_on_the_way() {
            search.need(known);
        }
        let found = search.close(function);
        let candidates: Vec<Candidate> = found.iter().map(|one| one.candidate.clone()).collect();
        for (one, choice) in found.into_iter().zip(choose(&candidates)) {
            self.reuse[one.known] = match (choice, one.recomputable) {
                (Choice::Unused, _) => Reuse::Unused,
                (Choice::Recompute, Some(recomputable)) => Reuse::Recompute(recomputable),
                (Choice::Recompute, None) | (Choice::Cache, _) => {
                    let region = region_of(function, &self.control, one.known);
                    Reuse::Cache(self.slot(region, Held::Value(one.known)))
                }
            };
        }
        self.let_wait(function, &waiting, context);
    }

    fn keep_tapes(&mut self, function: &Function) {
        for inst in function.insts_in_order() {
            match self.steps[inst] {
                ReverseStep::ReverseCall(_) | ReverseStep::ReverseCallThroughPointer(_) => {
                    let region = self.control.region(function.insts[inst].block);
                    self.tapes[inst] = Some(self.slot(region, Held::Tape(inst)));
                }
                ReverseStep::Skip
                | ReverseStep::Scalar(_)
                | ReverseStep::Move
                | ReverseStep::Bits(_)
                | ReverseStep::SumElements
                | ReverseStep::Load
                | ReverseStep::Store
                | ReverseStep::LoadElements(..)
                | ReverseStep::StoreElements(..)
                | ReverseStep::AtomicUpdate(_)
                | ReverseStep::CopyMemory { .. }
                | ReverseStep::CopyPieces { .. }
                | ReverseStep::CopyPrefix { .. }
                | ReverseStep::MoveMemory { .. }
                | ReverseStep::ClearMemory { .. }
                | ReverseStep::Call(_)
                | ReverseStep::Return => {}
            }
        }
    }

    /// Gives each loop that has slots a place that says where they lie; inner loops first, since theirs may be the only
    /// slots of an outer one.
    fn reserve_iterations(&mut self) {
        let mut loops: Vec<LoopId> = self.control.nest.loops.keys().collect();
        loops.reverse();
        for id in loops {
            if self.slots.values().any(|slot| slot.region == Some(id)) {
                let around = self.control.nest.loops[id].parent;
                self.loops[id].iterations = Some(self.slot(around, Held::Iterations(id)));
            }
        }
    }
}

/// The region that a value of the forward sweep belongs to.
fn region_of(function: &Function, control: &Control, known: Known) -> Option<LoopId> {
    function.as_inst(known.value()).and_then(|inst| control.region(function.insts[inst].block))
}

struct Found {
    known: Known,
    recomputable: Option<Recomputable>,
    candidate: Candidate,
}

/// Finds everything that could be read to know what is read.
struct Search<'a> {
    function: &'a Function,
    plan: &'a mut ReversePlan,
    legality: &'a Legality<'a>,
    forward: &'a SecondaryMap<crate::model::InstId, ForwardStep>,
    keeping: Keeping,
    indices: KnownMap<Option<usize>>,
    found: Vec<Found>,
}

impl Search<'_> {
    fn need(&mut self, known: Known) {
        if let Some(index) = self.add(known) {
            self.found[index].candidate.is_needed = true;
        }
    }

    /// The index of a value among the candidates; nothing for one that is there all the time.
    fn add(&mut self, known: Known) -> Option<usize> {
        if let Some(index) = self.indices[known] {
            return Some(index);
        }
        if let Reuse::Recompute(_) | Reuse::Chosen(_) = self.plan.reuse[known] {
            return None;
        }
        let recomputable = self.legality.check(known);
        if let Some(given) = recomputable.filter(|recomputable| recomputable.how() == How::Given) {
            self.plan.reuse[known] = Reuse::Recompute(given);
            return None;
        }
        let runs = self.runs(region_of(self.function, &self.plan.control, known));
        let bytes = self.bytes(known);
        let cache_cost = match region_of(self.function, &self.plan.control, known) {
            None if self.plan.sweeps == Sweeps::Together => IN_FRAME,
            _ => bytes.saturating_mul(BYTE).max(ON_TAPE).saturating_mul(runs),
        };
        let recompute_cost = recomputable.map(|_| self.work(known).saturating_mul(runs));
        let (cache_cost, recompute_cost) = match (self.keeping, recompute_cost) {
            (Keeping::Cheapest, cost) => (cache_cost, cost),
            (Keeping::Everything, _) | (Keeping::Least, None) => (1, None),
            (Keeping::Least, Some(_)) => (u64::MAX, Some(0)),
        };
        let candidate = Candidate { cache_cost, recompute_cost, operands: SmallVec::new(), is_needed: false };
        let index = self.found.len();
        self.indices[known] = Some(index);
        self.found.push(Found { known, recomputable, candidate });
        Some(index)
    }

    /// Adds what everything is computed from.
    fn close(mut self, function: &Function) -> Vec<Found> {
        let mut next = 0;
        while next < self.found.len() {
            if let Some(recomputable) = self.found[next].recomputable {
                let operands = recomputable.operands(function, self.forward);
                let operands = operands.into_iter().filter_map(|operand| self.add(operand)).collect();
                self.found[next].candidate.operands = operands;
            }
            next += 1;
        }
        self.found
    }

    /// How often a region is taken to run.
    fn runs(&self, region: Option<LoopId>) -> u64 {
        let loops = &self.plan.control.nest.loops;
        std::iter::successors(region, |&id| loops[id].parent)
            .fold(1, |runs: u64, id| runs.saturating_mul(self.trips(id)).min(MOST_RUNS))
    }

    fn trips(&self, id: LoopId) -> u64 {
        self.plan.known_trips(self.function, id).map_or(USUAL_TRIPS, |trips| trips.max(1))
    }

    fn bytes(&self, known: Known) -> u64 {
        let context = &self.function.context;
        let layout = crate::model::DataLayout::of(context);
        layout.allocation_size(context, self.function.values[known.value()].ty).max(1)
    }

    /// What computing a value again costs, in simple instructions.
    fn work(&self, known: Known) -> u64 {
        let Some(inst) = self.function.as_inst(known.value()) else { return 0 };
        let data = &self.function.insts[inst];
        let one = match &data.opcode {
            Opcode::Load { .. } => LOAD,
            Opcode::FloatBinary { op: crate::model::FloatBinaryOp::Divide, .. } => 8,
            Opcode::Call(_) if should_be_recomputed(self.function, inst) => 0,
            Opcode::Call(_) => match role(self.function, inst, Direction::Reverse) {
                Role::Scalar(call) if is_cheap(call.function) => 3,
                _ => 40,
            },
            Opcode::IntBinary { op, .. } if op.is_division() => 16,
            _ => 1,
        };
        match self.function.type_of(known.value()) {
            Type::Vector { .. } => 2 * one,
            _ => one,
        }
    }
}

/// Whether a function of the table is one or two instructions of the machine.
fn is_cheap(function: crate::rules::Function) -> bool {
    use crate::rules::Function as F;
    matches!(function, F::Fabs | F::Copysign | F::Fma | F::Sqrt | F::Fneg | F::Fadd | F::Fsub | F::Fmul)
}
