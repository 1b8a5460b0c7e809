//! Natural loops and how they nest.

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntitySet, PrimaryMap, SecondaryMap, entity_impl};

use crate::model::BlockId;

use super::{ControlFlow, DominatorTree};

/// One loop of a function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LoopId(u32);
entity_impl!(LoopId, "loop");

/// A natural loop: a header that dominates the blocks that jump back to it, and everything on the way.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The block through which the loop is entered.
    pub header: BlockId,
    /// The blocks that jump back to the header.
    pub latches: Vec<BlockId>,
    /// All its blocks in reverse post-order, those of inner loops included; the first is the header.
    pub blocks: Vec<BlockId>,
    /// The jumps out of it: from a block inside to one outside.
    pub exits: Vec<(BlockId, BlockId)>,
    /// The loop around it.
    pub parent: Option<LoopId>,
    /// How deep it is nested: 1 for a loop that is in no other.
    pub depth: u32,
    members: EntitySet<BlockId>,
}

impl Loop {
    /// Whether a block belongs to the loop or to one inside of it.
    pub fn contains(&self, block: BlockId) -> bool {
        self.members.contains(block)
    }

    /// The only block that enters the loop from outside, when it jumps nowhere else.
    pub fn preheader(&self, flow: &ControlFlow) -> Option<BlockId> {
        let mut outside = flow.predecessors(self.header).iter().filter(|from| !self.contains(**from));
        let only = *outside.next()?;
        (outside.next().is_none() && flow.successors(only).len() == 1).then_some(only)
    }
}

/// The loops of a function.
#[derive(Clone, Debug)]
pub struct LoopNest {
    /// The loops, outer ones before those inside of them.
    pub loops: PrimaryMap<LoopId, Loop>,
    /// Jumps that close a cycle without being the back edge of a natural loop: the cycle can be entered in
    /// more than one place. Empty for functions with structured control flow.
    pub irreducible_edges: Vec<(BlockId, BlockId)>,
    innermost: SecondaryMap<BlockId, PackedOption<LoopId>>,
}

impl LoopNest {
    /// Finds the loops.
    pub fn of(flow: &ControlFlow, dominators: &DominatorTree) -> Self {
        let mut nest =
            Self { loops: PrimaryMap::new(), irreducible_edges: Vec::new(), innermost: SecondaryMap::new() };
        let mut latches: SecondaryMap<BlockId, Vec<BlockId>> = SecondaryMap::new();
        for (from, to) in flow.retreating_edges() {
            if !dominators.dominates(to, from) {
                nest.irreducible_edges.push((from, to));
            } else if !latches[to].contains(&from) {
                latches[to].push(from);
            }
        }
        // A header comes before all of its loop, so the reverse post-order shows outer loops first.
        for header in flow.reverse_post_order() {
            if !latches[*header].is_empty() {
                nest.add(flow, *header, std::mem::take(&mut latches[*header]));
            }
        }
        nest
    }

    /// The innermost loop around a block.
    pub fn innermost(&self, block: BlockId) -> Option<LoopId> {
        self.innermost[block].expand()
    }

    /// In how many loops a block is.
    pub fn depth(&self, block: BlockId) -> u32 {
        self.innermost(block).map_or(0, |id| self.loops[id].depth)
    }

    /// The loop that a block is the header of.
    pub fn with_header(&self, block: BlockId) -> Option<LoopId> {
        self.innermost(block).filter(|id| self.loops[*id].header == block)
    }

    /// Whether there is a cycle that is not a natural loop.
    pub fn is_irreducible(&self) -> bool {
        !self.irreducible_edges.is_empty()
    }

    fn add(&mut self, flow: &ControlFlow, header: BlockId, latches: Vec<BlockId>) {
        let members = members(flow, header, &latches);
        let order = flow.reverse_post_order();
        let blocks: Vec<BlockId> = order.iter().copied().filter(|block| members.contains(*block)).collect();
        let exits = blocks
            .iter()
            .flat_map(|from| flow.successors(*from).iter().map(|to| (*from, *to)))
            .filter(|(_, to)| !members.contains(*to))
            .collect();
        let parent = self.innermost(header);
        let depth = parent.map_or(0, |parent| self.loops[parent].depth) + 1;
        let id = self.loops.push(Loop { header, latches, blocks, exits, parent, depth, members });
        for block in &self.loops[id].blocks {
            self.innermost[*block] = id.into();
        }
    }
}

/// The header and all blocks from which a latch can be reached without passing it.
fn members(flow: &ControlFlow, header: BlockId, latches: &[BlockId]) -> EntitySet<BlockId> {
    let mut members = EntitySet::new();
    members.insert(header);
    let mut todo = latches.to_vec();
    while let Some(block) = todo.pop() {
        if members.insert(block) {
            todo.extend(flow.predecessors(block).iter().filter(|from| flow.is_reachable(**from)));
        }
    }
    members
}
