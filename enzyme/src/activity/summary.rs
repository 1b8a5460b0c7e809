//! What a call of a function does, without looking into it again: what can flow from where its caller sees it to where
//! its caller sees it. It does not depend on which arguments are active, so that there is one for each function.

use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

use cranelift_entity::SecondaryMap;
use rustc_hash::{FxHashMap, FxHashSet};

use super::effects::Effects;
use super::facts::Content;
use super::graph::{Direction, Graph, NodeIndex};
use super::region::{Region, RegionId, SymbolId};
use super::translate::translate;
use super::whole::Whole;
use crate::program::FunctionId;

/// A place of a function that its callers can see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Port {
    /// An argument itself.
    Argument(u32),
    /// All memory that can be reached from an argument.
    Reach(u32),
    /// What is returned.
    Result,
    /// Memory that the function makes and that outlives it.
    Fresh,
    /// A global variable.
    Symbol(SymbolId),
    /// A function.
    Code(SymbolId),
    /// See [`Region::Kept`].
    Kept,
    /// See [`Region::Remembered`].
    Remembered,
    /// See [`Region::Unknown`].
    Unknown,
    /// See [`Region::Fixed`].
    Fixed,
}

/// What a call of a function does. All lists are sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Summary {
    /// What moves from one port to another.
    pub(super) flows: Vec<(Port, Port, Content)>,
    /// Ports of which addresses are put at other ports.
    pub(super) points: Vec<(Port, Port)>,
    /// Ports with addresses that the function uses.
    pub(super) needs: Vec<Port>,
    /// Ports whose memory is written to.
    pub(super) overwrites: Vec<Port>,
}

/// Finds the summaries of all functions, callees first. Those of functions that call each other in a circle begin with
/// nothing and grow until nothing changes.
pub(super) fn summarise_all(
    whole: &mut Whole<'_>,
    callees: &SecondaryMap<FunctionId, Vec<FunctionId>>,
) -> usize {
    let mut made = 0;
    for component in whole.program.components() {
        let circle = component.len() > 1 || callees[component[0]].contains(&component[0]);
        if circle {
            for &function in &component {
                whole.summaries[function] = Some(Rc::default());
            }
        }
        let mut callers: FxHashMap<FunctionId, Vec<FunctionId>> = FxHashMap::default();
        for &caller in component.iter().filter(|_| circle) {
            for &callee in &callees[caller] {
                callers.entry(callee).or_default().push(caller);
            }
        }
        let mut pending: VecDeque<FunctionId> = component.iter().copied().collect();
        let mut queued: FxHashSet<FunctionId> = component.iter().copied().collect();
        while let Some(function) = pending.pop_front() {
            queued.remove(&function);
            made += 1;
            let summary = summarise(whole, function);
            let changed = whole.summaries[function].as_deref() != Some(&summary);
            whole.summaries[function] = Some(Rc::new(summary));
            if !(changed && circle) {
                continue;
            }
            for &caller in callers.get(&function).into_iter().flatten() {
                if queued.insert(caller) {
                    pending.push_back(caller);
                }
            }
        }
    }
    made
}

fn summarise(whole: &Whole<'_>, id: FunctionId) -> Summary {
    let function = &whole.program[id];
    let effects = translate(whole, id);
    let graph = Graph::of(&effects, function.values.len());
    let ports = Ports::of(whole, id, &effects, &graph);
    let mut summary = Summary::default();
    ports.flows(&graph, &mut summary);
    ports.points(&effects, &mut summary);
    ports.uses(&effects, &graph, &mut summary);
    summary.flows.sort_unstable();
    summary.flows.dedup();
    summary.points.sort_unstable();
    summary.points.dedup();
    summary
}

/// The nodes of a function that its callers can see.
struct Ports {
    /// Where something can come from.
    sources: Vec<(Port, NodeIndex)>,
    /// Where something can go to.
    sinks: Vec<(Port, NodeIndex)>,
    /// The regions whose contents callers can see, and what they are to them.
    visible: Vec<(Port, RegionId)>,
}

impl Ports {
    fn of(whole: &Whole<'_>, id: FunctionId, effects: &Effects, graph: &Graph) -> Self {
        let function = &whole.program[id];
        let mut ports = Self { sources: Vec::new(), sinks: Vec::new(), visible: Vec::new() };
        for (&parameter, index) in function.parameters.iter().zip(0..) {
            ports.sources.push((Port::Argument(index), graph.value(parameter)));
        }
        for &(_, value) in &effects.returned {
            ports.sinks.push((Port::Result, graph.value(value)));
        }
        let regions = &effects.regions;
        let outside: Vec<(Port, RegionId)> =
            regions.iter().filter_map(|(region, kind)| port_of(kind).map(|port| (port, region))).collect();
        let returned = effects.returned.iter().flat_map(|&(_, value)| regions.pointees(value));
        let escaped = regions.closure(outside.iter().map(|&(_, region)| region).chain(returned));
        let escaped: FxHashSet<RegionId> = escaped.into_iter().collect();
        let kept = regions.find(Region::Kept);
        for (region, kind) in regions.iter() {
            let port = match port_of(kind) {
                Some(port) => port,
                // What functions without a body keep is that in every function.
                None if Some(regions.representative(region)) == kept => continue,
                None if escaped.contains(&regions.representative(region)) => Port::Fresh,
                None => continue,
            };
            let node = graph.memory(effects, region);
            ports.visible.push((port, region));
            ports.sinks.push((port, node));
            ports.sources.push((port, node));
        }
        ports
    }

    /// What moves between the ports. Beyond 127 sources, those that are left count as one.
    fn flows(&self, graph: &Graph, summary: &mut Summary) {
        let bit = |index: usize| 1u128 << index.min(127);
        let sources: Vec<(NodeIndex, u128)> =
            self.sources.iter().enumerate().map(|(index, &(_, node))| (node, bit(index))).collect();
        let numbers = graph.origins(Content::NUMBERS, &sources);
        for &(to, node) in &self.sinks {
            let arrived = numbers[node as usize];
            let passed_on = self.sources.iter().enumerate().filter(|&(index, &(from, source))| {
                // A parameter that is returned as it is takes no edge.
                let as_it_is = to == Port::Result && source == node && matches!(from, Port::Argument(_));
                arrived & bit(index) != 0 || as_it_is
            });
            for (_, &(from, _)) in passed_on {
                summary.flows.push((from, to, Content::NUMBERS));
            }
        }
    }

    fn points(&self, effects: &Effects, summary: &mut Summary) {
        let regions = &effects.regions;
        let mut ports: FxHashMap<RegionId, BTreeSet<Port>> = FxHashMap::default();
        for &(port, region) in &self.visible {
            ports.entry(regions.representative(region)).or_default().insert(port);
        }
        let mut add = |pointees: &[RegionId], to: Port| {
            for &target in pointees.iter().filter_map(|region| ports.get(region)).flatten() {
                if target != to || to == Port::Fresh {
                    summary.points.push((target, to));
                }
            }
        };
        for &(_, value) in &effects.returned {
            add(&regions.pointees(value), Port::Result);
        }
        for &(port, region) in &self.visible {
            add(&regions.contents(region), port);
        }
    }

    fn uses(&self, effects: &Effects, graph: &Graph, summary: &mut Summary) {
        let seeds = effects.needs.iter().flat_map(|need| graph.nodes(effects, need.place));
        let seeds = seeds.map(|node| (node, ()));
        let needed = graph.spread(Direction::Backward, Content::ADDRESSES, seeds, &FxHashSet::default());
        summary.needs = self
            .sources
            .iter()
            .filter(|&&(port, node)| port != Port::Fresh && needed.contains(node))
            .map(|&(port, _)| port)
            .collect();
        let written: FxHashSet<NodeIndex> = effects
            .overwrites
            .iter()
            .flat_map(|overwrite| graph.nodes(effects, overwrite.place))
            .filter(|&node| graph.is_memory(node))
            .collect();
        summary.overwrites = self
            .visible
            .iter()
            .filter(|&&(port, region)| {
                port != Port::Fresh && written.contains(&graph.memory(effects, region))
            })
            .map(|&(port, _)| port)
            .collect();
        for list in [&mut summary.needs, &mut summary.overwrites] {
            list.sort_unstable();
            list.dedup();
        }
    }
}

fn port_of(region: Region) -> Option<Port> {
    Some(match region {
        Region::Argument(index) => Port::Reach(index),
        Region::Variable(symbol) | Region::Constant(symbol) => Port::Symbol(symbol),
        Region::Code(symbol) => Port::Code(symbol),
        Region::Kept => Port::Kept,
        Region::Remembered => Port::Remembered,
        Region::Unknown => Port::Unknown,
        Region::Fixed => Port::Fixed,
        Region::Own(_) => return None,
    })
}
