//! Which values of the forward sweep the reverse sweep may compute again.
//!
//! Only this module makes a [`Recomputable`]. One says: wherever an adjoint asks for the value, its operands, in the same
//! iteration, give it again, and nothing that it reads has changed since. So an instruction may be run again when it has no
//! effect and reads no memory, or reads memory that nothing writes between it and the end of the reverse sweep. A
//! variable of a loop that steps by the same amount each iteration is known from the number of the iteration, and what one of
//! two ways brought, from the condition that chose between them.

use super::control::{Control, Path};
use super::{Known, Sweeps};
use crate::loops::{LoopId, TRIP_COUNT};
use crate::memory::{Access, Overwritten};
use crate::model::{
    BlockId, Function, InstId, IntBinaryOp, Opcode, SecondaryMap, Type, ValueDefinition, ValueId,
};
use crate::plan::forward::ForwardStep;
use crate::plan::role::{Role, role, should_be_recomputed};
use crate::plan::{Context, Direction};
use smallvec::{SmallVec, smallvec};

/// A value that the reverse sweep may compute again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recomputable {
    known: Known,
    how: How,
}

/// How a value is computed again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// It is there all the time: a constant, an argument, memory of the frame.
    Given,
    /// Its instruction runs again.
    Again,
    /// It is what it was when the loop was entered, and so much more for each iteration since.
    Stepping {
        /// The loop.
        natural: LoopId,
        /// What it was when the loop was entered.
        start: ValueId,
        /// The instruction that makes it what it is in the next iteration.
        step: InstId,
        /// By how much.
        by: ValueId,
    },
    /// It is one of two values that are both known whichever way was taken.
    Choosing {
        /// What chose.
        condition: ValueId,
        /// What it is if that was true.
        if_true: ValueId,
        /// What it is if that was false.
        if_false: ValueId,
    },
}

impl Recomputable {
    /// The value.
    pub fn known(self) -> Known {
        self.known
    }

    /// How it is computed.
    pub fn how(self) -> How {
        self.how
    }

    /// What it is computed from.
    pub fn operands(
        self,
        function: &Function,
        forward: &SecondaryMap<InstId, ForwardStep>,
    ) -> SmallVec<[Known; 4]> {
        let same = |value: ValueId| match self.known {
            Known::Primal(_) => Known::Primal(value),
            Known::Shadow(_) => Known::Shadow(value),
        };
        match self.how {
            How::Given => SmallVec::new(),
            How::Stepping { start, by, .. } => smallvec![same(start), Known::Primal(by)],
            How::Choosing { condition, if_true, if_false } => {
                smallvec![Known::Primal(condition), same(if_true), same(if_false)]
            }
            How::Again => {
                let Some(inst) = function.as_inst(self.known.value()) else { return SmallVec::new() };
                let data = &function.insts[inst];
                let operands = data.operands.iter().enumerate();
                // The callee of a call is named, not computed.
                let count =
                    if data.opcode.call().is_some() { data.arguments().len() } else { data.operands.len() };
                operands
                    .take(count)
                    .map(|(index, &value)| match (self.known, &forward[inst]) {
                        (Known::Shadow(_), ForwardStep::Mirror { operands, .. })
                            if operands.contains(&index) =>
                        {
                            Known::Shadow(value)
                        }
                        _ => Known::Primal(value),
                    })
                    .collect()
            }
        }
    }
}

/// So many instructions in a row are computed again for a way that may not have been taken.
const MOST_STEPS_EITHER_WAY: usize = 4;

/// Whether an instruction only says that memory of the frame begins or ends to live. These are left out of derived functions.
pub(in crate::plan) fn is_mark_of_lifetime(function: &Function, inst: InstId) -> bool {
    function.callee_name(inst).is_some_and(|name| name.starts_with("llvm.lifetime."))
}

/// Whether what an instruction writes may be in the way of a reverse sweep that reads memory again. What runs on the way out
/// with an exception runs where no reverse sweep follows.
pub(super) fn is_in_the_way(function: &Function, control: &Control, inst: InstId) -> bool {
    !is_mark_of_lifetime(function, inst) && control.comes_back(function.insts[inst].block)
}

/// Decides which values may be computed again.
pub(in crate::plan) struct Legality<'a> {
    function: &'a Function,
    control: &'a Control,
    context: &'a Context<'a>,
    sweeps: Sweeps,
    /// The instructions whose memory may be written after they have read it.
    overwritten: Overwritten,
}

impl<'a> Legality<'a> {
    /// With memory whose freeing waits (`waits`) until the reverse sweep is done.
    pub(in crate::plan) fn new(
        function: &'a Function,
        control: &'a Control,
        context: &'a Context<'a>,
        sweeps: Sweeps,
        waits: impl Fn(InstId) -> bool,
    ) -> Self {
        let counts = |inst| is_in_the_way(function, control, inst) && !waits(inst);
        let overwritten = context.memory.overwritten(context.function, counts);
        Self { function, control, context, sweeps, overwritten }
    }

    /// Whether, and how, a value may be computed again.
    pub(in crate::plan) fn check(&self, known: Known) -> Option<Recomputable> {
        let how = match self.function.values[known.value()].definition {
            ValueDefinition::Constant(_)
            | ValueDefinition::Global(_)
            | ValueDefinition::Parameter(_)
            | ValueDefinition::Metadata(_)
            | ValueDefinition::InlineAsm(_) => How::Given,
            ValueDefinition::Instruction(inst) => self.how(known, inst)?,
        };
        Some(Recomputable { known, how })
    }

    fn how(&self, known: Known, inst: InstId) -> Option<How> {
        use Opcode as O;
        let data = &self.function.insts[inst];
        match &data.opcode {
            O::FloatNegate { .. }
            | O::IntBinary { .. }
            | O::FloatBinary { .. }
            | O::IntCompare { .. }
            | O::FloatCompare { .. }
            | O::Cast { .. }
            | O::ExtractElement
            | O::InsertElement
            | O::ShuffleVector { .. }
            | O::ExtractValue { .. }
            | O::InsertValue { .. }
            | O::GetElementPointer { .. }
            | O::Select { .. } => Some(How::Again),
            // What is frozen may come out differently the next time, unless it is no more than a number of trips.
            O::Freeze if data.metadata(TRIP_COUNT).is_some() => Some(How::Again),
            O::Load { .. } => self.is_unchanged(inst).then_some(How::Again),
            O::Phi { .. } => self.stepping(known, inst).or_else(|| self.choosing(known, inst)),
            O::Alloca { .. } => (self.sweeps == Sweeps::Together
                && Some(data.block) == self.function.entry())
            .then_some(How::Given),
            O::Call(_) if matches!(known, Known::Shadow(_)) => None,
            O::Call(_) => {
                let is_rule = matches!(role(self.function, inst, Direction::Reverse), Role::Scalar(_));
                (is_rule || self.may_be_called_again(inst)).then_some(How::Again)
            }
            O::Freeze
            | O::Return
            | O::Branch { .. }
            | O::ConditionalBranch { .. }
            | O::Switch { .. }
            | O::IndirectBranch { .. }
            | O::Invoke { .. }
            | O::CallBranch { .. }
            | O::Resume
            | O::Unreachable
            | O::CleanupReturn { .. }
            | O::CatchReturn { .. }
            | O::CatchSwitch { .. }
            | O::LandingPad { .. }
            | O::CatchPad
            | O::CleanupPad
            | O::Store { .. }
            | O::CompareExchange(_)
            | O::AtomicReadModifyWrite(_)
            | O::Fence { .. }
            | O::VaArg => None,
        }
    }

    /// Whether the user wants a function to be called again, and nothing but its result comes of that.
    fn may_be_called_again(&self, call: InstId) -> bool {
        let (memory, function) = (self.context.memory, self.context.function);
        should_be_recomputed(self.function, call)
            && memory.reads(function, call).is_empty()
            && memory.writes(function, call).is_empty()
            && memory.hidden(function, call) == Access::None
    }

    /// Whether what a load reads is still there in the reverse sweep.
    fn is_unchanged(&self, load: InstId) -> bool {
        let data = &self.function.insts[load];
        let Opcode::Load { access } = &data.opcode else { return false };
        if access.volatile || access.atomic.is_some() {
            return false;
        }
        if self.overwritten.contains(load) {
            return false;
        }
        let regions = self.context.memory.reads(self.context.function, load);
        self.sweeps == Sweeps::Together
            || regions.iter().all(|region| self.context.stays_between_sweeps(*region))
    }

    /// Whether a phi steps by the same amount each iteration.
    fn stepping(&self, known: Known, phi: InstId) -> Option<How> {
        let data = &self.function.insts[phi];
        let natural = self.control.nest.with_header(data.block)?;
        let is_one_number = data.result.is_some_and(|result| match self.function.type_of(result) {
            Type::Integer { .. } | Type::Pointer { .. } => true,
            // The number of the iteration is one for all elements of a vector.
            _ => false,
        });
        if !is_one_number {
            return None;
        }
        let inside = |block: BlockId| self.control.nest.loops[natural].contains(block);
        let incoming: SmallVec<[(ValueId, BlockId); 2]> = data.incoming().collect();
        let &[first, second] = incoming.as_slice() else { return None };
        let (start, next) = match (inside(first.1), inside(second.1)) {
            (false, true) => (first.0, second.0),
            (true, false) => (second.0, first.0),
            (true, true) | (false, false) => return None,
        };
        let step = self.function.as_inst(next)?;
        let stepped = &self.function.insts[step];
        let result = data.result?;
        let by = match (&stepped.opcode, stepped.operands.as_slice()) {
            (Opcode::IntBinary { op: IntBinaryOp::Add, .. }, &[left, right])
                if matches!(known, Known::Primal(_)) =>
            {
                if left == result {
                    right
                } else if right == result {
                    left
                } else {
                    return None;
                }
            }
            (Opcode::GetElementPointer { .. }, &[base, index]) if base == result => index,
            _ => return None,
        };
        let is_invariant = match self.function.as_inst(by) {
            Some(inst) => !inside(self.function.insts[inst].block),
            None => true,
        };
        is_invariant.then_some(How::Stepping { natural, start, step, by })
    }

    /// Whether a phi is chosen by a condition among what can be computed whichever way was taken.
    fn choosing(&self, known: Known, phi: InstId) -> Option<How> {
        let data = &self.function.insts[phi];
        let Some(Path::Condition { condition, when_true, when_false }) =
            self.control.path(self.function, data.block)
        else {
            return None;
        };
        let from = |way: BlockId| data.incoming().find(|(_, block)| *block == way).map(|(value, _)| value);
        let (if_true, if_false) = (from(when_true)?, from(when_false)?);
        let is_known = |value| self.is_known_either_way(value, data.block, MOST_STEPS_EITHER_WAY);
        // The shadow of what is no pointer, as of null, need not be there.
        let is_primal = matches!(known, Known::Primal(_));
        (is_primal && is_known(if_true) && is_known(if_false)).then_some(How::Choosing {
            condition,
            if_true,
            if_false,
        })
    }

    /// Whether a value that leads to a join may be computed again if control came to the join another way: then it may be
    /// anything, but must do no harm.
    fn is_known_either_way(&self, value: ValueId, join: BlockId, steps: usize) -> bool {
        use Opcode as O;
        let Some(inst) = self.function.as_inst(value) else { return true };
        let data = &self.function.insts[inst];
        if self.control.dominators.dominates(data.block, join) {
            return true;
        }
        let is_harmless = match &data.opcode {
            O::IntBinary { op, .. } => !op.is_division(),
            O::FloatNegate { .. }
            | O::FloatBinary { .. }
            | O::IntCompare { .. }
            | O::FloatCompare { .. }
            | O::Cast { .. }
            | O::Select { .. }
            | O::GetElementPointer { .. } => true,
            _ => false,
        };
        let mut operands = data.operands.iter();
        is_harmless
            && steps > 0
            && operands.all(|&operand| self.is_known_either_way(operand, join, steps - 1))
    }
}
