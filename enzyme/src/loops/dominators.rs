//! The dominator tree, by the algorithm of Cooper, Harvey and Kennedy ("A Simple, Fast Dominance
//! Algorithm"): immediate dominators are improved in reverse post-order until nothing changes.

use cranelift_entity::SecondaryMap;
use cranelift_entity::packed_option::PackedOption;

use crate::model::{BlockId, Function, InstId, Opcode, ValueDefinition, ValueId};

use super::ControlFlow;

/// Which blocks every path from the entry to a block passes through.
#[derive(Clone, Debug)]
pub struct DominatorTree {
    immediate: SecondaryMap<BlockId, PackedOption<BlockId>>,
    // The times at which a walk of the tree enters and leaves each block; zero for unreachable blocks.
    // One block dominates another when its time encloses the other's.
    entered: SecondaryMap<BlockId, u32>,
    left: SecondaryMap<BlockId, u32>,
    children: SecondaryMap<BlockId, Vec<BlockId>>,
}

impl DominatorTree {
    /// Builds the tree.
    pub fn of(flow: &ControlFlow) -> Self {
        let immediate = immediate_dominators(flow);
        let mut children: SecondaryMap<BlockId, Vec<BlockId>> = SecondaryMap::new();
        for block in flow.reverse_post_order() {
            if let Some(parent) = immediate[*block].expand() {
                children[parent].push(*block);
            }
        }
        let mut tree = Self { immediate, entered: SecondaryMap::new(), left: SecondaryMap::new(), children };
        if let Some(entry) = flow.reverse_post_order().first() {
            tree.number(*entry);
        }
        tree
    }

    /// The closest block that strictly dominates a block; `None` for the entry and for unreachable blocks.
    pub fn immediate_dominator(&self, block: BlockId) -> Option<BlockId> {
        self.immediate[block].expand()
    }

    /// The blocks that a block immediately dominates, in reverse post-order.
    pub fn children(&self, block: BlockId) -> &[BlockId] {
        &self.children[block]
    }

    /// Whether every path to `block` passes through `dominator`; a block dominates itself, and everything
    /// dominates a block that cannot be reached.
    pub fn dominates(&self, dominator: BlockId, block: BlockId) -> bool {
        if self.entered[block] == 0 {
            return true;
        }
        self.entered[dominator] != 0
            && self.entered[dominator] <= self.entered[block]
            && self.left[block] <= self.left[dominator]
    }

    /// As [`Self::dominates`], but a block does not dominate itself.
    pub fn strictly_dominates(&self, dominator: BlockId, block: BlockId) -> bool {
        dominator != block && self.dominates(dominator, block)
    }

    /// Whether a value may be used at the end of a block: its definition was executed on every path there.
    pub fn is_available_at_end(&self, function: &Function, value: ValueId, block: BlockId) -> bool {
        let ValueDefinition::Instruction(definition) = function.values[value].definition else { return true };
        match function.insts[definition].opcode {
            // The result of an invoke exists only where it returned normally, not at the end of its block.
            Opcode::Invoke { normal, .. } => {
                self.dominates_through_edge(function, function.insts[definition].block, normal, block)
            }
            _ => self.dominates(function.insts[definition].block, block),
        }
    }

    /// Whether a phi in `to` may take a value when it is entered from `from`.
    pub fn is_available_on_edge(
        &self,
        function: &Function,
        value: ValueId,
        from: BlockId,
        to: BlockId,
    ) -> bool {
        let own_invoke = function.as_inst(value).is_some_and(|definition| {
            let definition = &function.insts[definition];
            definition.block == from
                && matches!(definition.opcode, Opcode::Invoke { normal, unwind, .. }
                if normal == to && unwind != to)
        });
        own_invoke || self.is_available_at_end(function, value, from)
    }

    /// Whether a value may be used by an instruction as an operand. For a phi ask
    /// [`Self::is_available_on_edge`].
    pub fn is_available_before(&self, function: &Function, value: ValueId, user: InstId) -> bool {
        let ValueDefinition::Instruction(definition) = function.values[value].definition else { return true };
        let (from, to) = (function.insts[definition].block, function.insts[user].block);
        if from != to || matches!(function.insts[definition].opcode, Opcode::Invoke { .. }) {
            return self.is_available_at_end(function, value, to) && (from != to || !self.is_reachable(to));
        }
        if !self.is_reachable(to) {
            return true;
        }
        let order = &function.blocks[to].insts;
        let position = |inst| order.iter().position(|other| *other == inst);
        position(definition) < position(user)
    }

    /// Whether a block can be reached from the entry.
    pub fn is_reachable(&self, block: BlockId) -> bool {
        self.entered[block] != 0
    }

    /// Whether every path to `block` takes the edge `from -> to`.
    fn dominates_through_edge(
        &self,
        function: &Function,
        from: BlockId,
        to: BlockId,
        block: BlockId,
    ) -> bool {
        if !self.dominates(to, block) {
            return false;
        }
        // The edge is on all those paths when nothing else leads to its end, jumps back from below aside.
        let mut edges = 0;
        for predecessor in function.blocks.keys() {
            let count = function.successors(predecessor).iter().filter(|next| **next == to).count();
            if predecessor == from {
                edges += count;
            } else if count > 0 && self.is_reachable(predecessor) && !self.dominates(to, predecessor) {
                return false;
            }
        }
        edges == 1
    }

    fn number(&mut self, entry: BlockId) {
        let mut time = 1;
        self.entered[entry] = time;
        let mut stack = vec![(entry, 0)];
        while let Some((block, next)) = stack.last_mut() {
            time += 1;
            match self.children[*block].get(*next) {
                Some(child) => {
                    *next += 1;
                    self.entered[*child] = time;
                    stack.push((*child, 0));
                }
                None => {
                    self.left[*block] = time;
                    stack.pop();
                }
            }
        }
    }
}

/// Which blocks every way from a block to the end of the function passes through: the dominators of the function with all
/// jumps turned round.
#[derive(Clone, Debug)]
pub struct PostDominatorTree {
    reversed: DominatorTree,
}

impl PostDominatorTree {
    /// Builds the tree.
    pub fn of(flow: &ControlFlow) -> Self {
        Self { reversed: DominatorTree::of(&flow.reversed()) }
    }

    /// Whether every way from a block to the end of the function passes through another one; a block passes through
    /// itself, and a block from which there is no way to the end through everything.
    pub fn post_dominates(&self, through: BlockId, from: BlockId) -> bool {
        self.reversed.dominates(through, from)
    }
}

fn immediate_dominators(flow: &ControlFlow) -> SecondaryMap<BlockId, PackedOption<BlockId>> {
    let mut immediate: SecondaryMap<BlockId, PackedOption<BlockId>> = SecondaryMap::new();
    let Some((entry, rest)) = flow.reverse_post_order().split_first() else { return immediate };
    // While the algorithm runs the entry is its own dominator, which ends the walks up the tree.
    immediate[*entry] = (*entry).into();
    let mut changed = true;
    while changed {
        changed = false;
        for block in rest {
            let known = flow.predecessors(*block).iter().copied().filter(|from| immediate[*from].is_some());
            let common = known.reduce(|left, right| common_dominator(flow, &immediate, left, right));
            if immediate[*block] != common.into() {
                immediate[*block] = common.into();
                changed = true;
            }
        }
    }
    immediate[*entry] = PackedOption::default();
    immediate
}

fn common_dominator(
    flow: &ControlFlow,
    immediate: &SecondaryMap<BlockId, PackedOption<BlockId>>,
    mut left: BlockId,
    mut right: BlockId,
) -> BlockId {
    let up = |block: BlockId| immediate[block].expand().unwrap_or(block);
    while left != right {
        if flow.position(left) > flow.position(right) {
            left = up(left);
        } else {
            right = up(right);
        }
    }
    left
}
