//! The analysis of one function for given activities of its arguments and its result.

use std::rc::Rc;

use cranelift_entity::SecondaryMap;
use rustc_hash::{FxHashMap, FxHashSet};

use super::ArgumentActivity;
use super::effects::Effects;
use super::facts::{Content, TypeFacts};
use super::graph::{Direction, Graph, NodeIndex};
use super::options::Options;
use super::region::{Region, RegionId, SymbolId};
use super::summary::summarise_all;
use super::translate::translate;
use super::verdict::{Activity, Destination, Origin, Searches, WhyActive, judge};
use super::whole::Whole;
use crate::model::{Function, Type};
use crate::plan::holds;
use crate::program::{FunctionId, Program};
use crate::types::ValueTypes;

/// How what a function returns takes part in the derivative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ResultActivity {
    /// Nobody asks for its derivative.
    Constant,
    /// Its derivative is asked for.
    Active,
    /// It is returned together with its shadow, and so is the memory it points to.
    Duplicated,
}

impl ResultActivity {
    /// What it means that the derivative of a function's result is asked for: with an address comes its shadow.
    pub fn asked_for(function: &Function) -> Self {
        if holds(function, function.return_type(), &Type::is_pointer) {
            Self::Duplicated
        } else {
            Self::Active
        }
    }
}

/// Answers questions about the activity of a program's functions; every answer is kept.
pub struct Analyser<'a> {
    whole: Whole<'a>,
    callees: SecondaryMap<FunctionId, Vec<FunctionId>>,
    answers: FxHashMap<Question, Rc<Activity>>,
    summaries_made: usize,
}

type Question = (FunctionId, Vec<ArgumentActivity>, ResultActivity);

impl<'a> Analyser<'a> {
    /// An analyser of a program. Looks at each function once, and at functions that call each other in a circle until
    /// nothing new is found.
    pub fn new(program: &'a Program, types: &'a dyn TypeFacts, options: Options) -> Self {
        let mut whole = Whole::new(program, types, options);
        let callees = program.callees();
        let summaries_made = summarise_all(&mut whole, &callees);
        Self { whole, callees, answers: FxHashMap::default(), summaries_made }
    }

    /// What is active in a function. An argument without an activity is constant.
    pub fn activity(
        &mut self,
        function: FunctionId,
        arguments: &[ArgumentActivity],
        result: ResultActivity,
    ) -> Rc<Activity> {
        let question = (function, arguments.to_vec(), result);
        if let Some(known) = self.answers.get(&question) {
            return Rc::clone(known);
        }
        let answer = Rc::new(self.analyse(function, arguments, result));
        self.answers.insert(question, Rc::clone(&answer));
        answer
    }

    /// How many times the summary of a function was made, over all functions: a measure of the cost.
    pub fn summaries_made(&self) -> usize {
        self.summaries_made
    }

    /// The name of a global symbol that an explanation mentions.
    pub fn symbol_name(&self, symbol: SymbolId) -> &str {
        self.whole.name(symbol)
    }

    fn analyse(&self, id: FunctionId, arguments: &[ArgumentActivity], result: ResultActivity) -> Activity {
        let function = &self.whole.program[id];
        let effects = translate(&self.whole, id);
        let graph = Graph::of(&effects, function.values.len());
        let view = View {
            whole: &self.whole,
            id,
            effects: &effects,
            graph: &graph,
            arguments,
            result,
            inside: self.whole.inside(id, &self.callees),
        };
        let (numbers, addresses) = (Content::NUMBERS, Content::ADDRESSES);
        let without_numbers = view.barred(numbers);
        let without_addresses = view.barred(addresses);
        let outward = view.outward(&without_addresses);
        let varied = graph.spread(Direction::Forward, numbers, view.sources(), &without_numbers);
        let to_numbers = view.sinks(&outward, numbers);
        let useful = graph.spread(Direction::Backward, numbers, to_numbers, &without_numbers);
        let to_addresses = view.sinks(&outward, addresses);
        let needed = graph.spread(Direction::Backward, addresses, to_addresses, &without_addresses);
        let handed_out = view.handed_out(&without_addresses);
        let active_regions = view.active_regions(&varied, &useful, &needed, &handed_out);
        let searches = Searches { varied, useful, needed, active_regions };
        let effort = self.whole.options.effort;
        judge(function, arguments, effort, effects, graph, searches)
    }
}

/// What one question is about.
struct View<'a> {
    whole: &'a Whole<'a>,
    id: FunctionId,
    effects: &'a Effects,
    graph: &'a Graph,
    arguments: &'a [ArgumentActivity],
    result: ResultActivity,
    inside: SecondaryMap<FunctionId, bool>,
}

impl View<'_> {
    fn is_active_argument(&self, index: u32) -> bool {
        self.arguments.get(index as usize).is_some_and(|activity| match activity {
            ArgumentActivity::Const => false,
            ArgumentActivity::Duplicated | ArgumentActivity::DuplicatedNoNeed | ArgumentActivity::Out => true,
        })
    }

    fn memory(&self, region: RegionId) -> NodeIndex {
        self.graph.memory(self.effects, region)
    }

    /// The memory that carries no derivative, whatever is stored there: that of constant arguments, and at fixed
    /// addresses. Memory that never changes holds no numbers with derivatives, but addresses of memory that does.
    fn barred(&self, moves: Content) -> FxHashSet<NodeIndex> {
        let constant = |region: Region| match region {
            Region::Argument(index) => !self.is_active_argument(index),
            Region::Fixed => true,
            Region::Constant(_) => !moves.has_addresses(),
            Region::Own(_)
            | Region::Variable(_)
            | Region::Code(_)
            | Region::Kept
            | Region::Remembered
            | Region::Unknown => false,
        };
        let (mut barred, mut open) = (FxHashSet::default(), FxHashSet::default());
        for (region, kind) in self.effects.regions.iter() {
            let nodes = if constant(kind) { &mut barred } else { &mut open };
            nodes.insert(self.memory(region));
        }
        barred.retain(|node| !open.contains(node));
        barred
    }

    /// Whether a region is a variable that can be used elsewhere in a program, and written to.
    fn is_shared_variable(&self, region: Region) -> bool {
        match region {
            Region::Variable(symbol) => self.whole.is_used_outside(symbol, &self.inside),
            Region::Argument(_)
            | Region::Own(_)
            | Region::Constant(_)
            | Region::Code(_)
            | Region::Kept
            | Region::Remembered
            | Region::Unknown
            | Region::Fixed => false,
        }
    }

    /// Where numbers with derivatives come from.
    fn sources(&self) -> Vec<(NodeIndex, Origin)> {
        let function = &self.whole.program[self.id];
        let mut sources = Vec::new();
        let mut has_active_memory = false;
        for (&parameter, index) in function.parameters.iter().zip(0..) {
            if self.is_active_argument(index) {
                sources.push((self.graph.value(parameter), Origin::Argument(index)));
                has_active_memory |= self.effects.contents[parameter].has_addresses();
            }
        }
        for (region, kind) in self.effects.regions.iter() {
            let origin = match kind {
                Region::Argument(index) => self.is_active_argument(index).then_some(Origin::Memory(kind)),
                Region::Remembered => has_active_memory.then_some(Origin::Memory(kind)),
                Region::Unknown => Some(Origin::Memory(kind)),
                Region::Variable(_) => self.is_shared_variable(kind).then_some(Origin::Memory(kind)),
                Region::Own(_) | Region::Constant(_) | Region::Code(_) | Region::Kept | Region::Fixed => None,
            };
            sources.extend(origin.map(|origin| (self.memory(region), origin)));
        }
        sources.extend(self.marked_active().map(|value| (self.graph.value(value), Origin::Marked)));
        sources
    }

    fn marked_active(&self) -> impl Iterator<Item = crate::model::ValueId> + '_ {
        let marked = &self.effects.marked_values;
        marked.iter().filter(|(_, mark)| **mark == Some(super::effects::Mark::Active)).map(|(value, _)| value)
    }

    /// The memory that others can look at after the function has returned, or while it runs, and expect derivatives in:
    /// each with the memory that leads there.
    fn outward(&self, barred: &FxHashSet<NodeIndex>) -> Vec<(RegionId, Destination)> {
        let regions = &self.effects.regions;
        let mut outward = Vec::new();
        for (region, kind) in regions.iter() {
            let seen = match kind {
                Region::Argument(index) => self.is_active_argument(index),
                Region::Kept | Region::Unknown => true,
                Region::Variable(_) => self.is_shared_variable(kind),
                Region::Own(_)
                | Region::Constant(_)
                | Region::Code(_)
                | Region::Remembered
                | Region::Fixed => false,
            };
            if seen {
                outward.push((region, Destination::Memory(kind)));
            }
        }
        if self.result == ResultActivity::Duplicated {
            for &(inst, value) in &self.effects.returned {
                let pointees = regions.pointees(value);
                outward.extend(pointees.into_iter().map(|region| (region, Destination::Returned(inst))));
            }
        }
        self.add_reached(&mut outward, barred);
        outward.retain(|&(region, _)| !barred.contains(&self.memory(region)));
        outward
    }

    /// Adds the memory that other memory leads to, for the same reason.
    fn add_reached<Why: Copy>(&self, found: &mut Vec<(RegionId, Why)>, barred: &FxHashSet<NodeIndex>) {
        let regions = &self.effects.regions;
        let mut seen: FxHashSet<RegionId> =
            found.iter().map(|&(region, _)| regions.representative(region)).collect();
        let mut next = 0;
        while let Some(&(region, why)) = found.get(next) {
            next += 1;
            for pointee in regions.contents(region) {
                if !barred.contains(&self.memory(pointee)) && seen.insert(pointee) {
                    found.push((pointee, why));
                }
            }
        }
    }

    /// The memory that is made here and that the caller gets to with its shadow: derivatives may go through it once the
    /// function has returned, whatever is in it by then.
    fn handed_out(&self, barred: &FxHashSet<NodeIndex>) -> FxHashSet<RegionId> {
        let regions = &self.effects.regions;
        let mut found: Vec<(RegionId, ())> = Vec::new();
        for (region, kind) in regions.iter() {
            let is_shared = match kind {
                Region::Argument(index) => self.is_active_argument(index),
                Region::Variable(_) => self.is_shared_variable(kind),
                Region::Own(_)
                | Region::Constant(_)
                | Region::Code(_)
                | Region::Kept
                | Region::Remembered
                | Region::Unknown
                | Region::Fixed => false,
            };
            if is_shared && !barred.contains(&self.memory(region)) {
                found.push((region, ()));
            }
        }
        if self.result == ResultActivity::Duplicated {
            for &(_, value) in &self.effects.returned {
                found.extend(regions.pointees(value).into_iter().map(|region| (region, ())));
            }
        }
        self.add_reached(&mut found, barred);
        let reached: FxHashSet<RegionId> =
            found.iter().map(|&(region, ())| regions.representative(region)).collect();
        let own = regions.iter().filter(|(_, kind)| matches!(kind, Region::Own(_)));
        own.map(|(region, _)| regions.representative(region))
            .filter(|region| reached.contains(region) && !barred.contains(&self.memory(*region)))
            .collect()
    }

    /// Where derivatives are looked for: of numbers, or (with [`Content::ADDRESSES`]) where shadows of addresses are.
    fn sinks(&self, outward: &[(RegionId, Destination)], moves: Content) -> Vec<(NodeIndex, Destination)> {
        let mut sinks: Vec<_> =
            outward.iter().map(|&(region, destination)| (self.memory(region), destination)).collect();
        let returned = match self.result {
            ResultActivity::Constant => false,
            ResultActivity::Active => moves.has_numbers(),
            ResultActivity::Duplicated => true,
        };
        if returned {
            let values = self.effects.returned.iter();
            sinks.extend(values.map(|&(inst, value)| (self.graph.value(value), Destination::Returned(inst))));
        }
        sinks.extend(self.marked_active().map(|value| (self.graph.value(value), Destination::Marked)));
        if moves.has_addresses() {
            for need in &self.effects.needs {
                let nodes = self.graph.nodes(self.effects, need.place);
                sinks.extend(nodes.into_iter().map(|node| (node, Destination::Used(need.inst))));
            }
        }
        sinks
    }

    /// The regions that have a shadow: numbers with derivatives pass through them, or addresses of such regions do.
    fn active_regions(
        &self,
        varied: &super::graph::Reached<Origin>,
        useful: &super::graph::Reached<Destination>,
        needed: &super::graph::Reached<Destination>,
        handed_out: &FxHashSet<RegionId>,
    ) -> FxHashMap<RegionId, WhyActive> {
        let regions = &self.effects.regions;
        let mut active: FxHashMap<RegionId, WhyActive> = FxHashMap::default();
        let mut holders: FxHashMap<RegionId, Vec<RegionId>> = FxHashMap::default();
        let mut pending = std::collections::VecDeque::new();
        for (region, kind) in regions.iter() {
            let class = regions.representative(region);
            let node = self.memory(class);
            if region == class && needed.contains(node) {
                for pointee in regions.contents(class) {
                    holders.entry(pointee).or_default().push(class);
                }
            }
            let why = match kind {
                Region::Code(_) => Some(WhyActive::Function),
                _ if varied.contains(node) && useful.contains(node) => Some(WhyActive::Numbers),
                _ => handed_out.contains(&class).then_some(WhyActive::HandedOut),
            };
            if let Some(why) = why
                && active.insert(class, why).is_none()
            {
                pending.push_back(class);
            }
        }
        while let Some(region) = pending.pop_front() {
            for &holder in holders.get(&region).map_or(&[][..], Vec::as_slice) {
                if let std::collections::hash_map::Entry::Vacant(entry) = active.entry(holder) {
                    entry.insert(WhyActive::Holds(region));
                    pending.push_back(holder);
                }
            }
        }
        active
    }
}

impl Activity {
    /// The analysis of a function by itself: what it calls is unknown.
    pub fn of_function(
        function: &Function,
        types: &ValueTypes,
        arguments: &[ArgumentActivity],
        result: ResultActivity,
    ) -> Self {
        let mut program = Program::default();
        let id = program.add(function.clone());
        let mut analyser = Analyser::new(&program, types, Options::default());
        Rc::unwrap_or_clone(analyser.activity(id, arguments, result))
    }
}
