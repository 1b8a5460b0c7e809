//! Cache or recompute: the cheapest way of knowing in the reverse sweep what it needs, by a minimum cut.
//!
//! A value that the reverse sweep needs is kept by the forward sweep, or computed again; computing it again needs its
//! operands in turn. That is project selection (Picard 1976; Kleinberg and Tardos, *Algorithm Design*, 7.11): a choice
//! with prerequisites, whose minimum is a minimum cut, which is found by a maximum flow (Ford and Fulkerson 1956).
//!
//! Each value v is two nodes, v-in and v-out. What is on the sink's side of the cut is known in the reverse sweep:
//!
//! | edge | capacity | cut when |
//! |---|---|---|
//! | v-in → v-out | bytes to keep v | v is known and not recomputed: cached |
//! | source → v-in | cost of recomputing v; infinite when that is not allowed | v is recomputed |
//! | u-out → v-in, for each operand u of v | infinite | never: v is not recomputed without u |
//! | v-out → sink, when v is needed | infinite | never: v is known |
//!
//! Nodes that an infinite edge ties to the source or to the sink are merged with it.

use indexmap::IndexMap;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::unionfind::UnionFind;
use petgraph::visit::EdgeRef;
use petgraph::{Direction, algo};
use smallvec::SmallVec;

/// A value that the reverse sweep may have to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// What keeping it costs: its bytes, times how often it is computed.
    pub cache_cost: u64,
    /// What computing it again costs, its operands being known, or `None` when that is not legal.
    pub recompute_cost: Option<u64>,
    /// The candidates that computing it again reads. Values that are known anyway (constants, parameters) are no
    /// candidates.
    pub operands: SmallVec<[usize; 4]>,
    /// Whether an adjoint reads it.
    pub is_needed: bool,
}

/// How the reverse sweep knows a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// It never asks.
    Unused,
    /// It computes it again; all operands are known.
    Recompute,
    /// The forward sweep keeps it.
    Cache,
}

/// Chooses for each candidate so that all needed ones are known, at the lowest sum of costs; of several such choices,
/// one with the least to keep.
///
/// A value that is recomputed never needs itself: where operands form a cycle, as through the phis of a loop, and all
/// of its members would be recomputed, the cheapest one to keep is cached instead.
pub fn choose(candidates: &[Candidate]) -> Vec<Choice> {
    let mut recompute_costs: Vec<Option<u64>> = candidates
        .iter()
        .map(|candidate| candidate.recompute_cost.filter(|&cost| cost <= candidate.cache_cost))
        .collect();
    loop {
        let choices = minimum(candidates, &recompute_costs);
        let breakers = cycle_breakers(candidates, &choices);
        if breakers.is_empty() {
            return choices;
        }
        for breaker in breakers {
            recompute_costs[breaker] = None;
        }
    }
}

/// The best choice when values may need themselves.
fn minimum(candidates: &[Candidate], recompute_costs: &[Option<u64>]) -> Vec<Choice> {
    let mut choices = settle(candidates, recompute_costs);
    for part in contested_parts(candidates, recompute_costs, &choices) {
        Network::new(candidates, recompute_costs, &part).cut(&mut choices);
    }
    unused_where_nobody_asks(candidates, &choices)
}

/// The values that there is a choice about, each list in order and with nothing to do with the others.
fn contested_parts(
    candidates: &[Candidate],
    recompute_costs: &[Option<u64>],
    settled: &[Option<Choice>],
) -> Vec<Vec<usize>> {
    let is_open = |index: usize| settled[index].is_none();
    let open_operands = |index: usize| {
        let operands =
            recompute_costs[index].map(|_| candidates[index].operands.as_slice()).unwrap_or_default();
        operands.iter().copied().filter(move |&operand| is_open(operand))
    };
    let needed = (0..candidates.len()).filter(|&index| candidates[index].is_needed && is_open(index));
    let contested = reach(needed.collect(), open_operands, candidates.len());
    let mut united = UnionFind::new(candidates.len());
    for &index in &contested {
        // A needed value is known whatever is chosen, and holds nothing back.
        for operand in open_operands(index).filter(|&operand| !candidates[operand].is_needed) {
            united.union(index, operand);
        }
    }
    let mut parts = IndexMap::<usize, Vec<usize>>::new();
    for index in contested {
        parts.entry(united.find(index)).or_default().push(index);
    }
    parts.into_values().collect()
}

/// What needs no search: needed values that may not be recomputed, and those that are as cheap to recompute from known
/// values alone.
fn settle(candidates: &[Candidate], recompute_costs: &[Option<u64>]) -> Vec<Option<Choice>> {
    let mut users = vec![Vec::new(); candidates.len()];
    for (user, candidate) in candidates.iter().enumerate() {
        for &operand in &candidate.operands {
            users[operand].push(user);
        }
    }
    let mut choices = vec![None; candidates.len()];
    let mut pending: Vec<usize> = (0..candidates.len()).rev().collect();
    while let Some(index) = pending.pop() {
        if !candidates[index].is_needed || choices[index].is_some() {
            continue;
        }
        let operands_are_known =
            || candidates[index].operands.iter().all(|&operand| choices[operand].is_some());
        choices[index] = match recompute_costs[index] {
            None => Some(Choice::Cache),
            Some(_) if operands_are_known() => Some(Choice::Recompute),
            Some(_) => continue,
        };
        pending.extend(&users[index]);
    }
    choices
}

/// All that can be reached from the roots, in order.
fn reach<Next: IntoIterator<Item = usize>>(
    roots: Vec<usize>,
    next: impl Fn(usize) -> Next,
    count: usize,
) -> Vec<usize> {
    let mut is_reached = vec![false; count];
    let mut pending = roots;
    while let Some(index) = pending.pop() {
        if !std::mem::replace(&mut is_reached[index], true) {
            pending.extend(next(index));
        }
    }
    (0..count).filter(|&index| is_reached[index]).collect()
}

/// The flow network of values that there is a choice about.
struct Network<'a> {
    graph: DiGraph<(), u128>,
    source: NodeIndex,
    sink: NodeIndex,
    contested: &'a [usize],
    /// The nodes of each of them, in and out.
    nodes: Vec<(NodeIndex, NodeIndex)>,
}

/// More than all finite capacities together, and so little that twice as much is a number.
const INFINITE: u128 = u128::MAX / 2;

impl<'a> Network<'a> {
    fn new(candidates: &[Candidate], recompute_costs: &[Option<u64>], contested: &'a [usize]) -> Self {
        let mut graph = DiGraph::new();
        let (source, sink) = (graph.add_node(()), graph.add_node(()));
        let nodes: Vec<_> = contested
            .iter()
            .map(|&index| {
                let inside = if recompute_costs[index].is_some() { graph.add_node(()) } else { source };
                let outside = if candidates[index].is_needed { sink } else { graph.add_node(()) };
                (inside, outside)
            })
            .collect();
        let outside_of =
            |index: usize| contested.binary_search(&index).ok().map(|position| nodes[position].1);
        let scale = Scale::of(contested.len());
        for (&index, &(inside, outside)) in contested.iter().zip(&nodes) {
            let candidate = &candidates[index];
            graph.add_edge(inside, outside, scale.cached(candidate.cache_cost));
            let Some(recompute_cost) = recompute_costs[index] else { continue };
            graph.add_edge(source, inside, scale.recomputed(recompute_cost));
            let operands = candidate.operands.iter().filter_map(|&operand| outside_of(operand));
            for operand in operands.filter(|&outside| outside != sink) {
                graph.add_edge(operand, inside, INFINITE);
            }
        }
        Network { graph, source, sink, contested, nodes }
    }

    /// Enters the choices of a minimum cut.
    fn cut(&self, choices: &mut [Option<Choice>]) {
        let is_known = self.sink_side();
        for (&index, &(inside, outside)) in self.contested.iter().zip(&self.nodes) {
            choices[index] = Some(match (is_known[inside.index()], is_known[outside.index()]) {
                (_, false) => Choice::Unused,
                (true, true) => Choice::Recompute,
                (false, true) => Choice::Cache,
            });
        }
    }

    /// The smallest sink's side of a minimum cut: all from where more could still flow to the sink.
    fn sink_side(&self) -> Vec<bool> {
        let (_, flows) = algo::dinics(&self.graph, self.source, self.sink);
        let mut is_known = vec![false; self.graph.node_count()];
        let mut pending = vec![self.sink];
        while let Some(node) = pending.pop() {
            if std::mem::replace(&mut is_known[node.index()], true) {
                continue;
            }
            let incoming = self.graph.edges_directed(node, Direction::Incoming);
            pending.extend(
                incoming.filter(|edge| flows[edge.id().index()] < *edge.weight()).map(|edge| edge.source()),
            );
            let outgoing = self.graph.edges_directed(node, Direction::Outgoing);
            pending.extend(outgoing.filter(|edge| flows[edge.id().index()] > 0).map(|edge| edge.target()));
        }
        is_known
    }
}

/// Capacities that compare by cost first and by what is kept second: the cost in the upper half of the number, the
/// kept bytes in the lower.
struct Scale {
    /// The highest cost that is told apart from higher ones, so that sums stay within their half.
    ceiling: u64,
}

impl Scale {
    fn of(count: usize) -> Scale {
        Scale { ceiling: (1 << 62) / (count as u64).max(1) }
    }

    fn cached(&self, cost: u64) -> u128 {
        let cost = u128::from(cost.min(self.ceiling));
        cost << 64 | cost
    }

    fn recomputed(&self, cost: u64) -> u128 {
        u128::from(cost.min(self.ceiling)) << 64
    }
}

/// Takes back what only values ask for that are themselves not asked for.
fn unused_where_nobody_asks(candidates: &[Candidate], choices: &[Option<Choice>]) -> Vec<Choice> {
    let mut asked_for = vec![Choice::Unused; candidates.len()];
    let needed = (0..candidates.len()).filter(|&index| candidates[index].is_needed);
    for index in
        reach(needed.collect(), |index| operands_read(candidates, choices[index], index), candidates.len())
    {
        asked_for[index] = choices[index].unwrap_or(Choice::Unused);
    }
    asked_for
}

/// The candidates that are read to know one.
fn operands_read(
    candidates: &[Candidate],
    choice: Option<Choice>,
    index: usize,
) -> impl Iterator<Item = usize> {
    let is_recomputed = choice == Some(Choice::Recompute);
    candidates[index].operands.iter().copied().filter(move |_| is_recomputed)
}

/// One value of each group that would be recomputed from itself: the cheapest to cache.
fn cycle_breakers(candidates: &[Candidate], choices: &[Choice]) -> Vec<usize> {
    let mut reads = DiGraph::<(), ()>::with_capacity(candidates.len(), candidates.len());
    let nodes: Vec<NodeIndex> = candidates.iter().map(|_| reads.add_node(())).collect();
    let is_recomputed = |index: usize| choices[index] == Choice::Recompute;
    for user in (0..candidates.len()).filter(|&user| is_recomputed(user)) {
        for &operand in candidates[user].operands.iter().filter(|&&operand| is_recomputed(operand)) {
            reads.add_edge(nodes[user], nodes[operand], ());
        }
    }
    let reads_itself =
        |group: &[NodeIndex]| group.len() > 1 || group.iter().any(|&node| reads.contains_edge(node, node));
    algo::tarjan_scc(&reads)
        .into_iter()
        .filter(|group| reads_itself(group))
        .filter_map(|group| {
            group.into_iter().map(NodeIndex::index).min_by_key(|&index| (candidates[index].cache_cost, index))
        })
        .collect()
}
