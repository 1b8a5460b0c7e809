//! Why a plan keeps what it keeps, what that costs, and what would avoid it: for people, nothing is decided by it.

use super::control::Path;
use super::legal::{Legality, is_in_the_way};
use super::postponed::may_wait;
use super::{Held, How, Known, ReversePlan, Slot, SlotId, Sweeps};
use crate::loops::LoopId;
use crate::model::{ConstantKind, DataLayout, DebugLocation, Function, InstId, Opcode, ValueDefinition};
use crate::plan::role::{Role, role};
use crate::plan::{Context, Direction};
use std::fmt;

/// One thing that the forward sweep keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Where it lies.
    pub slot: SlotId,
    /// What it is.
    pub holds: Held,
    /// How many bytes there are of it, each time; of a tape of another function, those of its address.
    pub bytes: u64,
    /// Around it, how often each loop runs if that is known, the innermost first; nothing outside of loops.
    pub trips: Vec<Option<u64>>,
    /// Why it is not computed again.
    pub why: WhyKept,
}

/// Why something is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WhyKept {
    /// It could be computed again, and that costs more.
    Cheaper,
    /// It is read from memory, where this instruction may write later.
    Overwritten {
        /// The instruction.
        by: InstId,
        /// Whether both are known to be the same memory.
        places: Places,
    },
    /// It is read from memory that others may write before the reverse sweep, which is a function of its own.
    BetweenSweeps,
    /// It is carried from one iteration of a loop to the next.
    Carried,
    /// It joins values of several ways.
    Joined,
    /// It comes from a call, which does not run again.
    Called,
    /// It is memory that was made, of which there is only one.
    Made,
    /// Running its instruction again could give something else.
    Unrepeatable,
    /// The reverse sweep has to know which way was taken.
    Way,
    /// The reverse sweep has to know how often a loop ran.
    Iterations,
    /// The reverse sweep goes straight to the iteration that a loop chose.
    Chosen,
    /// The function that is called keeps something.
    OfCallee,
    /// It says where other things lie.
    Address,
}

/// How what is read and what is written later are related.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Places {
    /// They may be the same memory only because nothing says that they are not.
    MayBeSame,
    /// They are parts of the same memory.
    Same,
}

impl fmt::Display for WhyKept {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            WhyKept::Cheaper => "computing it again would cost more",
            WhyKept::Overwritten { places: Places::MayBeSame, .. } => {
                "it is read from memory that may be written later, by what may be another name of it"
            }
            WhyKept::Overwritten { places: Places::Same, .. } => "it is read from memory that is written later",
            WhyKept::BetweenSweeps => {
                "it is read from memory that others may write before the reverse sweep, which is a function of its own"
            }
            WhyKept::Carried => "it is carried from one iteration to the next",
            WhyKept::Joined => "it depends on the way that was taken",
            WhyKept::Called => "it comes from a call that does not run again",
            WhyKept::Made => "it is the address of memory that is made once",
            WhyKept::Unrepeatable => "its instruction could give something else if it ran again",
            WhyKept::Way => "the reverse sweep has to know the way that was taken",
            WhyKept::Iterations => "the number of iterations is not known when the loop begins",
            WhyKept::Chosen => "only that iteration has adjoints, and the reverse sweep goes straight to it",
            WhyKept::OfCallee => "the function that is called keeps something for its own reverse sweep",
            WhyKept::Address => "it says where what is kept of a loop lies",
        })
    }
}

impl WhyKept {
    /// What would avoid it, if anything is known.
    pub fn advice(&self) -> Option<&'static str> {
        match self {
            WhyKept::Overwritten { places: Places::MayBeSame, .. } => {
                Some("`restrict` on the pointers, if they never lead to the same memory")
            }
            WhyKept::Overwritten { places: Places::Same, .. } => Some(
                "write to other memory, or let the loop keep few states and run again (`__enzyme_checkpoint_for`)",
            ),
            WhyKept::Carried => {
                Some("a loop that keeps few states and runs again (`__enzyme_checkpoint_for`)")
            }
            WhyKept::BetweenSweeps => {
                Some("`const` data in variables, or a function small enough to be inlined")
            }
            WhyKept::Called => {
                Some("`__enzyme_shouldrecompute`, if the function does nothing but compute its result")
            }
            WhyKept::Iterations => Some("a loop whose number of iterations is known when it begins"),
            WhyKept::Cheaper
            | WhyKept::Joined
            | WhyKept::Made
            | WhyKept::Unrepeatable
            | WhyKept::Way
            | WhyKept::Chosen
            | WhyKept::OfCallee
            | WhyKept::Address => None,
        }
    }
}

impl Kept {
    /// The bytes of all instances of it, if it is known how many there are.
    pub fn total(&self) -> Option<u64> {
        self.trips.iter().try_fold(self.bytes, |bytes, trips| bytes.checked_mul((*trips)?))
    }

    /// The instruction that it belongs to, if any: that computes it, or stands first where a way is remembered.
    pub fn inst(&self, function: &Function, plan: &ReversePlan) -> Option<InstId> {
        let first = |block: crate::model::BlockId| function.blocks[block].insts.first().copied();
        match self.holds {
            Held::Value(known) => function.as_inst(known.value()),
            Held::Predecessor(block) => first(block),
            Held::LastIteration(natural) | Held::ChosenIteration(natural) | Held::Iterations(natural) => {
                first(plan.control.nest.loops[natural].header)
            }
            Held::Tape(call) => Some(call),
            Held::Exit => None,
        }
    }

    /// Where in the user's program it is kept.
    pub fn location<'a>(&self, function: &'a Function, plan: &ReversePlan) -> Option<&'a DebugLocation> {
        let inst = self.inst(function, plan)?;
        function.insts[inst].location.as_ref().filter(|location| location.line != 0)
    }

    /// How much there is of it, in words: `8 bytes for each of 100 iterations, 800 bytes`.
    pub fn amount(&self) -> String {
        let bytes = count(self.bytes, "byte");
        match (self.trips.as_slice(), self.total()) {
            ([], _) => bytes,
            ([Some(trips)], Some(total)) => {
                format!("{bytes} for each of {}, {total} in all", count(*trips, "iteration"))
            }
            (_, Some(total)) => format!("{bytes} for each iteration, {total} in all"),
            (_, None) => format!("{bytes} for each iteration"),
        }
    }
}

fn count(number: u64, what: &str) -> String {
    if number == 1 { format!("{number} {what}") } else { format!("{number} {what}s") }
}

impl ReversePlan {
    /// All that the plan keeps, in order of its slots, and why.
    pub fn kept(&self, function: &Function, context: &Context<'_>) -> Vec<Kept> {
        let waits = may_wait(function, &self.control, self.sweeps, &self.forward.steps, context);
        let legality = Legality::new(function, &self.control, context, self.sweeps, |inst| waits[inst]);
        let layout = DataLayout::of(&function.context);
        let kept = |(slot, data): (SlotId, &Slot)| {
            let (bytes, why) = match data.holds {
                Held::Value(known) => {
                    let bytes = layout.allocation_size(&function.context, function.values[known.value()].ty);
                    let times = if matches!(known, Known::Shadow(_)) { context.width as u64 } else { 1 };
                    (bytes * times, self.why_value(function, context, &legality, known))
                }
                Held::Predecessor(block) => {
                    let ways = self.control.predecessors[block].len();
                    debug_assert!(matches!(self.paths[block], Path::Slot(_)));
                    (if ways <= 256 { 1 } else { 4 }, WhyKept::Way)
                }
                Held::Exit => (4, WhyKept::Way),
                Held::LastIteration(_) => (8, WhyKept::Iterations),
                Held::ChosenIteration(_) => (8, WhyKept::Chosen),
                Held::Iterations(_) => (8, WhyKept::Address),
                Held::Tape(_) => (8, WhyKept::OfCallee),
            };
            Kept { slot, holds: data.holds, bytes, trips: self.trips_around(function, data.region), why }
        };
        self.slots.iter().map(kept).collect()
    }

    /// How often the loops around a region run, the innermost first.
    fn trips_around(&self, function: &Function, region: Option<LoopId>) -> Vec<Option<u64>> {
        let loops = &self.control.nest.loops;
        std::iter::successors(region, |&id| loops[id].parent)
            .map(|id| self.known_trips(function, id))
            .collect()
    }

    /// How often the header of a loop runs, if that is a constant.
    pub(super) fn known_trips(&self, function: &Function, id: LoopId) -> Option<u64> {
        let trips = self.control.trip_counts[id]?;
        // The number of trips is frozen.
        let inst = function.as_inst(trips)?;
        match function.as_constant(function.insts[inst].operands[0]) {
            Some(ConstantKind::Integer(number)) => number.as_u64(),
            _ => None,
        }
    }

    fn why_value(
        &self,
        function: &Function,
        context: &Context<'_>,
        legality: &Legality<'_>,
        known: Known,
    ) -> WhyKept {
        if legality.check(known).is_some_and(|found| found.how() != How::Given) {
            return WhyKept::Cheaper;
        }
        let ValueDefinition::Instruction(inst) = function.values[known.value()].definition else {
            return WhyKept::Unrepeatable;
        };
        match &function.insts[inst].opcode {
            Opcode::Load { .. } => self.why_load(function, context, inst),
            Opcode::Phi { .. } => match self.control.nest.with_header(function.insts[inst].block) {
                Some(_) => WhyKept::Carried,
                None => WhyKept::Joined,
            },
            Opcode::Alloca { .. } => WhyKept::Made,
            Opcode::Call(_) | Opcode::Invoke { .. } => match role(function, inst, Direction::Reverse) {
                Role::Allocate(_) | Role::AllocateThrough { .. } | Role::Reallocate { .. } => WhyKept::Made,
                _ => WhyKept::Called,
            },
            _ => WhyKept::Unrepeatable,
        }
    }

    fn why_load(&self, function: &Function, context: &Context<'_>, load: InstId) -> WhyKept {
        let waits = may_wait(function, &self.control, self.sweeps, &self.forward.steps, context);
        let counts = |inst| is_in_the_way(function, &self.control, inst) && !waits[inst];
        let (memory, id) = (context.memory, context.function);
        let Some(by) = memory.overwritten_by(id, load, counts) else {
            return match self.sweeps {
                Sweeps::Apart => WhyKept::BetweenSweeps,
                Sweeps::Together => WhyKept::Unrepeatable,
            };
        };
        let read = memory.reads(id, load);
        let written = memory.writes(id, by);
        let is_same = read.iter().any(|read| {
            written.iter().any(|written| {
                read.location.object == written.location.object && memory.may_overlap(id, *read, *written)
            })
        });
        WhyKept::Overwritten { by, places: if is_same { Places::Same } else { Places::MayBeSame } }
    }
}
