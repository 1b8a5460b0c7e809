//! The control-flow graph of a function, with an order to visit it in.

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, SecondaryMap, entity_impl};
use smallvec::SmallVec;

use crate::model::{BlockId, Function};

/// Where a block stands in the reverse post-order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Position(u32);
entity_impl!(Position, "position");

/// Successors, predecessors and reverse post-order of a function's blocks.
#[derive(Clone, Debug)]
pub struct ControlFlow {
    successors: SecondaryMap<BlockId, SmallVec<[BlockId; 2]>>,
    predecessors: SecondaryMap<BlockId, SmallVec<[BlockId; 4]>>,
    order: Vec<BlockId>,
    positions: SecondaryMap<BlockId, PackedOption<Position>>,
}

impl ControlFlow {
    /// Walks the blocks of a function.
    pub fn of(function: &Function) -> Self {
        let mut successors: SecondaryMap<BlockId, SmallVec<[BlockId; 2]>> = SecondaryMap::new();
        successors.resize(function.blocks.len());
        for block in function.blocks.keys() {
            successors[block] = function.successors(block);
        }
        Self::from_edges(function.entry(), successors, function.predecessors())
    }

    /// The same blocks with all jumps turned round. It begins at one more block, with the next free id, that jumps to
    /// every block from which there was no way on.
    pub(super) fn reversed(&self) -> Self {
        let exit = BlockId::new(self.predecessors.keys().len());
        let mut successors: SecondaryMap<BlockId, SmallVec<[BlockId; 2]>> = SecondaryMap::new();
        let mut predecessors: SecondaryMap<BlockId, SmallVec<[BlockId; 4]>> = SecondaryMap::new();
        successors.resize(exit.index() + 1);
        predecessors.resize(exit.index() + 1);
        for block in self.predecessors.keys() {
            successors[block] = self.predecessors[block].iter().copied().collect();
            predecessors[block] = self.successors[block].iter().copied().collect();
            if predecessors[block].is_empty() {
                successors[exit].push(block);
                predecessors[block].push(exit);
            }
        }
        Self::from_edges(Some(exit), successors, predecessors)
    }

    fn from_edges(
        entry: Option<BlockId>,
        successors: SecondaryMap<BlockId, SmallVec<[BlockId; 2]>>,
        predecessors: SecondaryMap<BlockId, SmallVec<[BlockId; 4]>>,
    ) -> Self {
        let order = reverse_post_order(entry, &successors);
        let mut positions: SecondaryMap<BlockId, PackedOption<Position>> = SecondaryMap::new();
        positions.resize(predecessors.keys().len());
        for (block, index) in order.iter().zip(0..) {
            positions[*block] = Position(index).into();
        }
        Self { successors, predecessors, order, positions }
    }

    /// The blocks that can be reached, each before its successors but for jumps back.
    pub fn reverse_post_order(&self) -> &[BlockId] {
        &self.order
    }

    /// The blocks a block may jump to.
    pub fn successors(&self, block: BlockId) -> &[BlockId] {
        &self.successors[block]
    }

    /// The blocks that may jump to a block, unreachable ones included.
    pub fn predecessors(&self, block: BlockId) -> &[BlockId] {
        &self.predecessors[block]
    }

    /// Whether a block can be reached from the entry.
    pub fn is_reachable(&self, block: BlockId) -> bool {
        self.positions[block].is_some()
    }

    /// Where a block stands in the reverse post-order; `None` when it cannot be reached.
    pub fn position(&self, block: BlockId) -> Option<usize> {
        self.positions[block].expand().map(|position| position.0 as usize)
    }

    /// Whether any block can be reached from itself.
    pub fn has_cycle(&self) -> bool {
        self.retreating_edges().next().is_some()
    }

    /// The jumps to a block that does not come later in the reverse post-order: every cycle has one.
    pub fn retreating_edges(&self) -> impl Iterator<Item = (BlockId, BlockId)> + '_ {
        self.order.iter().flat_map(|from| {
            self.successors[*from]
                .iter()
                .filter(|to| self.position(**to) <= self.position(*from))
                .map(|to| (*from, *to))
        })
    }
}

fn reverse_post_order(
    entry: Option<BlockId>,
    successors: &SecondaryMap<BlockId, SmallVec<[BlockId; 2]>>,
) -> Vec<BlockId> {
    let Some(entry) = entry else { return Vec::new() };
    let mut seen: SecondaryMap<BlockId, bool> = SecondaryMap::new();
    let mut order = Vec::with_capacity(successors.keys().len());
    // An explicit stack: generated code has chains of blocks deeper than ours may be. Each entry is a block
    // and how many of its successors were visited.
    let mut stack = vec![(entry, 0)];
    seen[entry] = true;
    while let Some((block, next)) = stack.last_mut() {
        // Last successor first, so that the reversed order shows the first one first.
        let index = successors[*block].len().checked_sub(*next + 1);
        let Some(successor) = index.map(|index| successors[*block][index]) else {
            order.push(*block);
            stack.pop();
            continue;
        };
        *next += 1;
        if !seen[successor] {
            seen[successor] = true;
            stack.push((successor, 0));
        }
    }
    order.reverse();
    order
}
