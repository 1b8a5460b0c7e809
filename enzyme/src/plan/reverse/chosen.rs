//! Loops that choose one of their iterations.
//!
//! A largest or smallest element, a distance to the nearest of some points: such a loop carries one number around, and each
//! iteration either replaces it by one of its own or leaves it alone. Only the iteration that replaced it last has adjoints
//! other than zero. So the forward sweep notes the number of that iteration, in place of what every iteration decided, and
//! the reverse sweep goes from the last iteration straight to that one, and from there out of the loop.

use super::control::{Control, Path};
use super::unchosen::Steps;
use super::{Adjoint, ReverseStep, SlotId};
use crate::loops::LoopId;
use crate::model::{BlockId, Function, InstId, Opcode, Type, ValueId};
use rustc_hash::FxHashSet;

/// How a loop chooses one of its iterations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChosenIteration {
    /// The `select` that replaces the number that the loop carries, or leaves it alone.
    pub select: InstId,
    /// Whether it replaces it where its condition is true.
    pub when: bool,
    /// The slot, of the region around the loop, with the number of the iteration that replaced it last, counted from one;
    /// zero where none did.
    pub slot: SlotId,
}

impl ChosenIteration {
    /// What decides in each iteration. That it decided so is known from the number of the iteration that was chosen.
    pub fn condition(self, function: &Function) -> ValueId {
        function.insts[self.select].operands[0]
    }
}

impl Steps<'_> {
    /// The `select` with which a loop chooses one of its iterations, and what its condition is where it does.
    pub(super) fn choice_of_iteration(&self, id: LoopId) -> Option<(InstId, bool)> {
        let Control { nest, flow, .. } = self.control;
        let natural = &nest.loops[id];
        if !matches!(self.control.path(self.function, natural.header), Some(Path::Loop { .. })) {
            return None;
        }
        let (carried, next) = self.only_carried(id)?;
        let select = self.function.as_inst(next)?;
        let data = &self.function.insts[select];
        if !self.is_one_choice(select) || self.control.region(data.block) != Some(id) {
            return None;
        }
        // Wherever an iteration came to the condition, it came to the choice.
        let decided = self.function.as_inst(data.operands[0])?;
        if self.function.insts[decided].block != data.block {
            return None;
        }
        let when = match (data.operands[1] == carried, data.operands[2] == carried) {
            (false, true) => true,
            (true, false) => false,
            (true, true) | (false, false) => return None,
        };
        let blocks: FxHashSet<BlockId> =
            flow.reverse_post_order().iter().copied().filter(|&block| natural.contains(block)).collect();
        let stays = |value: ValueId, only: InstId| {
            let mut users = self.users(value);
            users.all(|(user, data)| user == only || !blocks.contains(&data.block))
        };
        let phi = self.function.as_inst(carried)?;
        let is_handed_on = stays(carried, select) && stays(next, phi);
        let hands_on_alone = |inst: InstId| {
            let data = &self.function.insts[inst];
            let ends_here = |value: ValueId| self.users(value).all(|(_, user)| blocks.contains(&user.block));
            let is_of_choice = inst == phi || inst == select;
            match &self.steps[inst] {
                ReverseStep::Skip => true,
                step => step.only_adds() && (is_of_choice || data.result.is_some_and(ends_here)),
            }
        };
        let insts = blocks.iter().flat_map(|&block| &self.function.blocks[block].insts);
        (is_handed_on && insts.copied().all(hands_on_alone)).then_some((select, when))
    }

    /// The only phi in the header of a loop that has an adjoint, and what it becomes in the next iteration.
    fn only_carried(&self, id: LoopId) -> Option<(ValueId, ValueId)> {
        let natural = &self.control.nest.loops[id];
        let has_adjoint = |inst: &InstId| {
            let data = &self.function.insts[*inst];
            let is_active = data.result.is_some_and(|result| self.adjoints[result] != Adjoint::None);
            matches!(data.opcode, Opcode::Phi { .. }) && is_active
        };
        let mut carried =
            self.function.blocks[natural.header].insts.iter().copied().filter(|inst| has_adjoint(inst));
        let (phi, None) = (carried.next()?, carried.next()) else { return None };
        let data = &self.function.insts[phi];
        let mut inside = data.incoming().filter(|(_, from)| natural.contains(*from)).map(|(value, _)| value);
        let next = inside.next()?;
        (inside.all(|other| other == next)).then_some((data.result?, next))
    }

    /// Whether a `select` hands the adjoint of its result to one of two different operands.
    pub(super) fn is_one_choice(&self, select: InstId) -> bool {
        let data = &self.function.insts[select];
        matches!((&data.opcode, &self.steps[select]), (Opcode::Select { .. }, ReverseStep::Move))
            && matches!(self.function.type_of(data.operands[0]), Type::Integer { .. })
            && data.operands[1] != data.operands[2]
    }
}
