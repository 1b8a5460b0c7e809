//! The ways that numbers and addresses can take through a function, as a graph, and what can be reached in it.

use std::collections::VecDeque;

use cranelift_entity::EntityRef;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::effects::{Effects, Place};
use super::facts::Content;
use super::region::{Region, RegionId};
use crate::model::{InstId, ValueId};

/// A node of a [`Graph`]: a value, a region, or a joint between.
pub(super) type NodeIndex = u32;

/// A way from one node to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) from: NodeIndex,
    pub(super) to: NodeIndex,
    /// The instruction that moves something; `None` where code elsewhere may.
    pub(super) inst: Option<InstId>,
    pub(super) moves: Content,
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Node {
    Value(ValueId),
    Memory(RegionId),
    /// Between the inputs and outputs of one instruction.
    Joint,
}

/// Which way edges are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// From what something depends on to what depends on it.
    Forward,
    /// From what depends on something to what it depends on.
    Backward,
}

/// How a node was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Via<S> {
    /// It is where the search began, for this reason.
    Seed(S),
    /// Along the edge with this index.
    Edge(u32),
}

/// All nodes that were reached, each by a shortest way.
#[derive(Clone, Debug)]
pub(super) struct Reached<S> {
    via: Vec<Option<Via<S>>>,
    /// How many edges were looked at.
    pub(super) visits: usize,
}

impl<S: Copy> Reached<S> {
    pub(super) fn contains(&self, node: NodeIndex) -> bool {
        self.via[node as usize].is_some()
    }

    pub(super) fn via(&self, node: NodeIndex) -> Option<Via<S>> {
        self.via[node as usize]
    }
}

/// The ways through one function.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    pub(super) edges: Vec<Edge>,
    out_edges: Vec<SmallVec<[u32; 4]>>,
    in_edges: Vec<SmallVec<[u32; 4]>>,
    values: usize,
    hubs: FxHashMap<InstId, usize>,
    regions: usize,
}

impl Graph {
    /// The graph of what the instructions of a function do.
    pub(super) fn of(effects: &Effects, values: usize) -> Self {
        let hubs: FxHashMap<InstId, usize> =
            effects.hubs.iter().enumerate().map(|(index, &inst)| (inst, index)).collect();
        let regions = effects.regions.len();
        let nodes = values + hubs.len() + regions;
        let mut graph = Self {
            edges: Vec::new(),
            out_edges: vec![SmallVec::new(); nodes],
            in_edges: vec![SmallVec::new(); nodes],
            values,
            hubs,
            regions,
        };
        for flow in &effects.flows {
            let (from, to) = (graph.nodes(effects, flow.from), graph.nodes(effects, flow.to));
            graph.connect(&from, &to, Some(flow.inst), flow.moves);
        }
        graph.connect_kept(effects);
        graph
    }

    fn connect(&mut self, from: &[NodeIndex], to: &[NodeIndex], inst: Option<InstId>, moves: Content) {
        if from.len() > 1 && to.len() > 1 {
            let joint = self.add_joint();
            self.connect(from, &[joint], inst, moves);
            self.connect(&[joint], to, inst, moves);
            return;
        }
        for &from in from {
            for &to in to {
                let index = self.edges.len() as u32;
                self.edges.push(Edge { from, to, inst, moves });
                self.out_edges[from as usize].push(index);
                self.in_edges[to as usize].push(index);
            }
        }
    }

    fn add_joint(&mut self) -> NodeIndex {
        self.out_edges.push(SmallVec::new());
        self.in_edges.push(SmallVec::new());
        (self.out_edges.len() - 1) as NodeIndex
    }

    /// Functions without a body that were given an address may use it in any later call.
    fn connect_kept(&mut self, effects: &Effects) {
        let Some(kept) = effects.regions.find(Region::Kept) else { return };
        for region in effects.regions.closure(effects.regions.contents(kept)) {
            if region != kept {
                let (inside, outside) = (self.memory(effects, region), self.memory(effects, kept));
                self.connect(&[inside], &[outside], None, Content::BOTH);
                self.connect(&[outside], &[inside], None, Content::BOTH);
            }
        }
    }

    /// The node of a value.
    pub(super) fn value(&self, value: ValueId) -> NodeIndex {
        value.index() as NodeIndex
    }

    /// The node of a region's memory.
    pub(super) fn memory(&self, effects: &Effects, region: RegionId) -> NodeIndex {
        let representative = effects.regions.representative(region);
        (self.values + self.hubs.len() + representative.index()) as NodeIndex
    }

    /// The nodes of a place.
    pub(super) fn nodes(&self, effects: &Effects, place: Place) -> SmallVec<[NodeIndex; 4]> {
        match place {
            Place::Value(value) => SmallVec::from_slice(&[self.value(value)]),
            Place::Hub(inst) => SmallVec::from_slice(&[(self.values + self.hubs[&inst]) as NodeIndex]),
            Place::Behind(_) | Place::Reach(_) | Place::Region(_) => {
                let memory = effects.regions.memory(place);
                memory.into_iter().map(|region| self.memory(effects, region)).collect()
            }
        }
    }

    /// What a node is.
    pub(super) fn node(&self, node: NodeIndex) -> Node {
        let index = node as usize;
        let first_region = self.values + self.hubs.len();
        if index < self.values {
            Node::Value(ValueId::new(index))
        } else if (first_region..first_region + self.regions).contains(&index) {
            Node::Memory(RegionId::new(index - first_region))
        } else {
            Node::Joint
        }
    }

    pub(super) fn is_memory(&self, node: NodeIndex) -> bool {
        matches!(self.node(node), Node::Memory(_))
    }

    pub(super) fn node_count(&self) -> usize {
        self.out_edges.len()
    }

    /// All nodes that can be reached from the seeds along edges that move such content. Seeds come with the reason that
    /// they are some; of several for one node the first holds. Nothing passes nodes that are barred.
    pub(super) fn spread<S: Copy>(
        &self,
        direction: Direction,
        moves: Content,
        seeds: impl IntoIterator<Item = (NodeIndex, S)>,
        barred: &FxHashSet<NodeIndex>,
    ) -> Reached<S> {
        let mut reached = Reached { via: vec![None; self.node_count()], visits: 0 };
        let mut pending = VecDeque::new();
        for (node, seed) in seeds {
            if !reached.contains(node) && !barred.contains(&node) {
                reached.via[node as usize] = Some(Via::Seed(seed));
                pending.push_back(node);
            }
        }
        while let Some(node) = pending.pop_front() {
            let edges = match direction {
                Direction::Forward => &self.out_edges[node as usize],
                Direction::Backward => &self.in_edges[node as usize],
            };
            for &index in edges {
                reached.visits += 1;
                let edge = &self.edges[index as usize];
                let next = match direction {
                    Direction::Forward => edge.to,
                    Direction::Backward => edge.from,
                };
                if edge.moves.meets(moves) && !reached.contains(next) && !barred.contains(&next) {
                    reached.via[next as usize] = Some(Via::Edge(index));
                    pending.push_back(next);
                }
            }
        }
        reached
    }

    /// For each node which of up to 128 sources reach it along at least one edge that moves such content.
    pub(super) fn origins(&self, moves: Content, sources: &[(NodeIndex, u128)]) -> Vec<u128> {
        let mut arrived = vec![0u128; self.node_count()];
        let mut own = vec![0u128; self.node_count()];
        let mut queued = vec![false; self.node_count()];
        let mut pending = VecDeque::new();
        for &(node, bits) in sources {
            own[node as usize] |= bits;
            if !std::mem::replace(&mut queued[node as usize], true) {
                pending.push_back(node);
            }
        }
        while let Some(node) = pending.pop_front() {
            queued[node as usize] = false;
            let bits = own[node as usize] | arrived[node as usize];
            for &index in &self.out_edges[node as usize] {
                let edge = &self.edges[index as usize];
                let known = &mut arrived[edge.to as usize];
                if !edge.moves.meets(moves) || *known | bits == *known {
                    continue;
                }
                *known |= bits;
                if !std::mem::replace(&mut queued[edge.to as usize], true) {
                    pending.push_back(edge.to);
                }
            }
        }
        arrived
    }
}
