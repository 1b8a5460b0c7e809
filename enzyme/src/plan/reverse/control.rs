//! How the reverse sweep finds its way back through loops and joins.

use super::super::{Obstacle, Reason};
use super::{ChosenIteration, SlotId};
use crate::loops::{ControlFlow, DominatorTree, LoopId, LoopNest, trip_counts};
use crate::model::{BlockId, Function, InstId, Opcode, SecondaryMap, ValueId};
use smallvec::SmallVec;

/// Control flow of the primal, as the sweeps need it.
#[derive(Clone, Debug)]
pub struct Control {
    /// Blocks and jumps.
    pub flow: ControlFlow,
    /// Who dominates whom.
    pub dominators: DominatorTree,
    /// The loops.
    pub nest: LoopNest,
    /// The distinct predecessors of each block that can be reached, in order of their ids.
    pub predecessors: SecondaryMap<BlockId, SmallVec<[BlockId; 4]>>,
    /// Whether a return can be reached from a block with no exception in between.
    returning: SecondaryMap<BlockId, bool>,
    /// How often the header of each loop runs, where that is known before the loop is entered.
    pub(super) trip_counts: SecondaryMap<LoopId, Option<ValueId>>,
}

/// How the reverse sweep leaves a block: to the inverse of the block that control came from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Path {
    /// It is where the function begins, or it cannot be reached.
    #[default]
    Begin,
    /// Control can only come from there.
    Only(BlockId),
    /// The header of a loop: in its first iteration control came from outside, else from inside.
    Loop {
        /// The block outside.
        outside: BlockId,
        /// The block inside.
        inside: BlockId,
    },
    /// The value of a condition says which of two ways was taken.
    Condition {
        /// The condition.
        condition: ValueId,
        /// Where control came from if it was true.
        when_true: BlockId,
        /// Where control came from if it was false.
        when_false: BlockId,
    },
    /// A slot has the index in the list of predecessors.
    Slot(SlotId),
    /// The reverse sweep cannot come here: control was brought here by an exception, which no derivative follows, or goes
    /// from here to no return.
    Never,
}

/// How the reverse sweep knows how many iterations of a loop there were.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counter {
    /// The header runs as often as this value says, which is known before the loop is entered.
    Trips(ValueId),
    /// A slot of the region around the loop has the number of the last iteration.
    Slot(SlotId),
}

/// What is decided about one loop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LoopPlan {
    /// How the number of iterations is known.
    pub counter: Option<Counter>,
    /// Where the slots of its iterations lie; nothing when it has no slots.
    pub iterations: Option<SlotId>,
    /// How it chooses one of its iterations, if it does: no other has adjoints.
    pub chosen: Option<ChosenIteration>,
}

impl Control {
    pub(in crate::plan) fn of(function: &Function) -> Control {
        let flow = ControlFlow::of(function);
        let dominators = DominatorTree::of(&flow);
        let nest = LoopNest::of(&flow, &dominators);
        let mut predecessors: SecondaryMap<BlockId, SmallVec<[BlockId; 4]>> = SecondaryMap::new();
        for &block in flow.reverse_post_order() {
            let mut distinct: SmallVec<[BlockId; 4]> =
                flow.predecessors(block).iter().copied().filter(|&from| flow.is_reachable(from)).collect();
            distinct.sort_unstable();
            distinct.dedup();
            predecessors[block] = distinct;
        }
        let trip_counts = trip_counts(function, &nest, &flow);
        let mut control =
            Control { flow, dominators, nest, predecessors, returning: SecondaryMap::new(), trip_counts };
        let mut pending = control.exits(function);
        while let Some(block) = pending.pop() {
            if !std::mem::replace(&mut control.returning[block], true) && !is_landing_pad(function, block) {
                pending.extend(control.predecessors[block].iter().copied());
            }
        }
        control
    }

    /// Whether the reverse sweep may come to a block: it can be reached, and a return can be reached from it with no exception
    /// in between.
    pub fn comes_back(&self, block: BlockId) -> bool {
        self.flow.is_reachable(block) && self.returning[block]
    }

    /// Whether the way back ends at a block: see [`Path::Never`].
    pub fn is_end_of_way(&self, function: &Function, block: BlockId) -> bool {
        !self.comes_back(block) || is_landing_pad(function, block)
    }

    /// The blocks that return, in reverse post order.
    pub(in crate::plan) fn exits(&self, function: &Function) -> Vec<BlockId> {
        let returns = |&block: &BlockId| {
            function.terminator(block).is_some_and(|inst| function.insts[inst].opcode == Opcode::Return)
        };
        self.flow.reverse_post_order().iter().copied().filter(returns).collect()
    }

    /// The innermost loop around a block: the region that its values belong to.
    pub fn region(&self, block: BlockId) -> Option<LoopId> {
        self.nest.innermost(block)
    }

    /// Whether a region is another one, or inside of it.
    pub fn is_within(&self, inner: Option<LoopId>, outer: Option<LoopId>) -> bool {
        let Some(outer) = outer else { return true };
        std::iter::successors(inner, |&id| self.nest.loops[id].parent).any(|id| id == outer)
    }

    /// The loops that the jump from a block to another leaves, outer ones first.
    pub fn left_on(&self, from: BlockId, to: BlockId) -> Vec<LoopId> {
        let around = std::iter::successors(self.nest.innermost(from), |&id| self.nest.loops[id].parent);
        let mut left: Vec<LoopId> = around.take_while(|&id| !self.nest.loops[id].contains(to)).collect();
        left.reverse();
        left
    }

    /// Where control flow goes a way that a reverse sweep cannot follow.
    pub(super) fn obstacles(&self, function: &Function) -> Vec<Obstacle> {
        let mut obstacles = Vec::new();
        for &(from, _) in &self.nest.irreducible_edges {
            if let Some(terminator) = function.terminator(from) {
                let what = "a loop that is entered in several places";
                Obstacle::note(&mut obstacles, terminator, Reason::ReverseControl { what });
            }
        }
        for &block in self.flow.reverse_post_order() {
            let Some(terminator) = function.terminator(block) else { continue };
            let what = match &function.insts[terminator].opcode {
                Opcode::CleanupReturn { .. } | Opcode::CatchReturn { .. } | Opcode::CatchSwitch { .. } => {
                    "exceptions"
                }
                Opcode::IndirectBranch { .. } => "a computed `goto`",
                Opcode::CallBranch { .. } => "assembler that jumps",
                _ => continue,
            };
            Obstacle::note(&mut obstacles, terminator, Reason::ReverseControl { what });
        }
        obstacles
    }

    /// How the reverse sweep leaves a block, when that needs no slot.
    pub(super) fn path(&self, function: &Function, block: BlockId) -> Option<Path> {
        if self.is_end_of_way(function, block) {
            return Some(Path::Never);
        }
        match self.predecessors[block].as_slice() {
            [] => Some(Path::Begin),
            [only] => Some(Path::Only(*only)),
            &[first, second] => {
                if let Some(id) = self.nest.with_header(block) {
                    let natural = &self.nest.loops[id];
                    match (natural.contains(first), natural.contains(second)) {
                        (false, true) => return Some(Path::Loop { outside: first, inside: second }),
                        (true, false) => return Some(Path::Loop { outside: second, inside: first }),
                        (true, true) | (false, false) => return None,
                    }
                }
                self.choice(function, block, [first, second])
            }
            _ => None,
        }
    }

    /// The condition that decided from which of two blocks a join was entered.
    fn choice(&self, function: &Function, join: BlockId, ways: [BlockId; 2]) -> Option<Path> {
        let decider = self.dominators.immediate_dominator(join)?;
        let terminator = function.terminator(decider)?;
        let data = &function.insts[terminator];
        let Opcode::ConditionalBranch { then_block, else_block } = data.opcode else { return None };
        if then_block == else_block || self.region(decider) != self.region(join) {
            return None;
        }
        // A way belongs to a branch when nothing but that branch leads to it.
        let belongs = |way: BlockId, target: BlockId| {
            if way == decider {
                return target == join;
            }
            self.predecessors[target].as_slice() == [decider] && self.dominators.dominates(target, way)
        };
        let path =
            |when_true, when_false| Path::Condition { condition: data.operands[0], when_true, when_false };
        let [first, second] = ways;
        if belongs(first, then_block) && belongs(second, else_block) {
            Some(path(first, second))
        } else if belongs(second, then_block) && belongs(first, else_block) {
            Some(path(second, first))
        } else {
            None
        }
    }
}

/// Whether a block is entered by exceptions.
fn is_landing_pad(function: &Function, block: BlockId) -> bool {
    let is_pad = |inst: &InstId| matches!(function.insts[*inst].opcode, Opcode::LandingPad { .. });
    function.blocks[block].insts.iter().any(is_pad)
}
