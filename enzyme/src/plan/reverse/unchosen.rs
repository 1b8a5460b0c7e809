//! What was computed and not chosen.
//!
//! A minimum over sums, as the distance to the nearest of some points, computes every sum and lets go of all but one. The
//! adjoints of the others are zero, and all that the reverse sweep would do with zeros is add them. So where a `select`
//! did not choose a value, the way back leads past the blocks whose adjoints all come from that value, if there is a loop
//! among them: less is not worth a jump.
//!
//! The condition decides, not the adjoint: an adjoint that happens to be zero may have a derivative of its own.

use super::control::Control;
use super::{Adjoint, ReverseStep};
use crate::model::{BlockId, Function, Inst, InstId, Opcode, SecondaryMap, Uses, ValueId};
use rustc_hash::FxHashSet;

/// A shorter way back from a block, for when a `select` in it does not choose an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unchosen {
    /// The `select`.
    pub select: InstId,
    /// The index of the operand: 1 if the condition must be false for the way to be taken, 2 if it must be true.
    pub operand: usize,
    /// The block that the way leads to.
    pub to: BlockId,
}

/// What the steps of a reverse sweep are about.
pub(super) struct Steps<'a> {
    pub(super) function: &'a Function,
    pub(super) control: &'a Control,
    pub(super) steps: &'a SecondaryMap<InstId, ReverseStep>,
    pub(super) adjoints: &'a SecondaryMap<ValueId, Adjoint>,
    pub(super) uses: &'a Uses,
}

impl Steps<'_> {
    /// The instructions that hand an adjoint to a value.
    pub(super) fn users(&self, value: ValueId) -> impl Iterator<Item = (InstId, &Inst)> {
        let users = self.uses.of_value(value).iter().filter(|&&user| self.steps[user] != ReverseStep::Skip);
        users.map(|&user| (user, &self.function.insts[user]))
    }

    /// The shorter way back from each block that has one.
    pub(super) fn ways_past_unchosen(&self) -> SecondaryMap<BlockId, Option<Unchosen>> {
        let mut ways = SecondaryMap::new();
        for &block in self.control.flow.reverse_post_order() {
            let insts = &self.function.blocks[block].insts;
            ways[block] = insts.iter().find_map(|&inst| self.way_past_operand(block, inst));
        }
        ways
    }

    /// The way back if a `select` of a block does not choose one of its operands.
    fn way_past_operand(&self, block: BlockId, select: InstId) -> Option<Unchosen> {
        if !self.is_one_choice(select) {
            return None;
        }
        let data = &self.function.insts[select];
        [1, 2].into_iter().find_map(|operand| {
            let to = self.farthest_before(block, Choice { select, operand: data.operands[operand] })?;
            Some(Unchosen { select, operand, to })
        })
    }

    /// The farthest block that a way may lead to which leaves out nothing but adjoints that are zero if an operand was not
    /// chosen.
    fn farthest_before(&self, block: BlockId, choice: Choice) -> Option<BlockId> {
        if self.adjoints[choice.operand] == Adjoint::None {
            return None;
        }
        let mut passed = Passed {
            steps: self,
            block,
            choice,
            zeros: FxHashSet::default(),
            blocks: FxHashSet::default(),
            has_loop: false,
        };
        if !passed.goes_to_its_choice_only(choice.operand) || !passed.find_zeros() {
            return None;
        }
        let Control { dominators, .. } = self.control;
        let region = self.control.region(block);
        let above =
            std::iter::successors(Some(block), |&block| dominators.immediate_dominator(block)).skip(1);
        // A block that runs more often than this one is no place to go on.
        let places = above
            .take_while(|&to| self.control.is_within(self.control.region(to), region))
            .filter(|&to| self.control.region(to) == region);
        let (mut farthest, mut nearest) = (None, block);
        for to in places {
            if !passed.extend(nearest, to) {
                break;
            }
            if passed.has_loop {
                farthest = Some(to);
            }
            nearest = to;
        }
        farthest
    }
}

/// A `select`, and the operand that it does not choose.
#[derive(Clone, Copy)]
struct Choice {
    select: InstId,
    operand: ValueId,
}

/// The blocks between one that dominates another and that other one.
struct Passed<'a> {
    steps: &'a Steps<'a>,
    /// Where the way begins, itself not passed.
    block: BlockId,
    choice: Choice,
    /// The values of that block whose adjoints are zero on the way.
    zeros: FxHashSet<ValueId>,
    blocks: FxHashSet<BlockId>,
    has_loop: bool,
}

impl Passed<'_> {
    /// Passes all that lies between the last block that was reached and one that dominates it, and the last one itself.
    /// Says whether that leaves out nothing but zeros.
    fn extend(&mut self, last: BlockId, to: BlockId) -> bool {
        let control = self.steps.control;
        let mut added = Vec::new();
        let mut pending = match last == self.block {
            true => control.predecessors[last].to_vec(),
            false => vec![last],
        };
        while let Some(block) = pending.pop() {
            if block == to || !self.blocks.insert(block) {
                continue;
            }
            // The block where the way begins is the header of a loop around itself.
            if block == self.block {
                return false;
            }
            added.push(block);
            pending.extend(control.predecessors[block].iter().copied());
        }
        self.has_loop |= added.iter().any(|&block| control.region(block) != control.region(self.block));
        let stays = |&block: &BlockId| {
            self.blocks.contains(&block) || block == self.block || !control.comes_back(block)
        };
        let leads_nowhere_else =
            added.iter().chain([&to]).all(|&block| control.flow.successors(block).iter().all(stays));
        leads_nowhere_else && added.iter().all(|&block| self.is_zero_in(block))
    }

    /// Finds the values of the block where the way begins that hand on zeros. Says whether its phis are among them: their
    /// adjoints go to the blocks that are passed.
    fn find_zeros(&mut self) -> bool {
        let function = self.steps.function;
        for &inst in function.blocks[self.block].insts.iter().rev() {
            let data = &function.insts[inst];
            let Some(result) = data.result else { continue };
            if self.is_zero(result) {
                self.zeros.insert(result);
            } else if matches!(data.opcode, Opcode::Phi { .. }) {
                return false;
            }
        }
        true
    }

    /// Whether all that the reverse sweep would do in a block is done with zeros.
    fn is_zero_in(&self, block: BlockId) -> bool {
        let Steps { function, steps, .. } = self.steps;
        function.blocks[block].insts.iter().all(|&inst| match &steps[inst] {
            ReverseStep::Skip => true,
            step => {
                step.only_adds() && function.insts[inst].result.is_some_and(|result| self.is_zero(result))
            }
        })
    }

    /// Whether the adjoint of a value is zero on the way: it is the sum of what its users hand it.
    fn is_zero(&self, value: ValueId) -> bool {
        if self.steps.adjoints[value] == Adjoint::None {
            return true;
        }
        self.steps.users(value).all(|(inst, user)| {
            let is_unchosen = inst == self.choice.select && value == self.choice.operand;
            let hands_zero = user.result.is_some_and(|result| self.zeros.contains(&result));
            is_unchosen || hands_zero || self.blocks.contains(&user.block)
        })
    }

    /// Whether nothing but the `select` hands an adjoint to its operand.
    fn goes_to_its_choice_only(&self, operand: ValueId) -> bool {
        self.steps.users(operand).all(|(inst, _)| inst == self.choice.select)
    }
}
