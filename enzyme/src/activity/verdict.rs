//! What is active and what is constant, and why.

use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;

use super::effects::{Effects, Idle, Mark, Place, Point, Writer};
use super::facts::Content;
use super::graph::{Graph, Node, NodeIndex, Reached, Via};
use super::options::Effort;
use super::region::{Region, RegionId};
use super::{ArgumentActivity, ResultActivity};
use crate::model::{Function, InstId, ValueDefinition, ValueId};

/// Whether something is active, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A value that carries a derivative or has a shadow; an instruction that moves one.
    Active(ActiveBecause),
    /// Anything else.
    Constant(ConstantBecause),
}

impl Verdict {
    /// Whether it is active.
    pub fn is_active(self) -> bool {
        matches!(self, Self::Active(_))
    }
}

/// Why something is active.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActiveBecause {
    /// It is an argument that was said to be.
    Declared,
    /// It is marked `enzyme_active` or the like.
    Marked,
    /// A number with a derivative is in it, and something that is asked for depends on it.
    Number,
    /// It is an address that is used, of memory with a shadow.
    Address(RegionId),
    /// The instruction moves a number with a derivative to where one is looked for.
    MovesNumber,
    /// The instruction puts the address of memory with a shadow into memory.
    MovesAddress(RegionId),
    /// The function that is called writes to memory with a shadow.
    Overwrites(RegionId),
    /// It could be, and nothing was analysed.
    NotAnalysed,
}

/// Why something is constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstantBecause {
    /// It is an argument that was said to be.
    Declared,
    /// It is marked `enzyme_inactive` or the like.
    Marked,
    /// It is an integer, or has no value at all: there is nothing to differentiate.
    Type,
    /// It does not depend on anything that is differentiated.
    NotVaried,
    /// It depends on what is differentiated, but nothing that is asked for depends on it.
    NotUseful,
    /// It is an address through which no derivative is looked for.
    NotUsed,
    /// It is an address of memory without a shadow.
    MemoryIsConstant,
    /// The function that is called is known to be inactive.
    KnownFunction,
    /// It only decides where the program goes on.
    Control,
    /// The program does not come back from there.
    NeverReturns,
    /// The instruction moves no number with a derivative to where one is looked for, and no address of memory with a
    /// shadow into memory.
    MovesNothing,
}

/// Where a derivative comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// An argument.
    Argument(u32),
    /// Memory that was written before, or is written by others.
    Memory(Region),
    /// A value that is marked `enzyme_active`.
    Marked,
}

/// Where a derivative is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination {
    /// It is returned, by this instruction.
    Returned(InstId),
    /// Others look at the memory, or at addresses in it.
    Memory(Region),
    /// A value that is marked `enzyme_active`.
    Marked,
    /// An instruction that uses an address.
    Used(InstId),
}

/// Why a region has a shadow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhyActive {
    /// Numbers with derivatives pass through it.
    Numbers,
    /// Addresses of another such region in it are used.
    Holds(RegionId),
    /// It is a function, and what is behind its address is its derivative.
    Function,
    /// It is made here, and the caller gets it with its shadow.
    HandedOut,
}

/// What a step of a chain is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A value.
    Value(ValueId),
    /// Memory.
    Memory(Region),
}

/// A step of a [`Chain`]: something moves to or from a value or memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The value or memory.
    pub subject: Subject,
    /// The instruction that leads to the next step; `None` at the end, and where code elsewhere does.
    pub by: Option<InstId>,
}

/// A way that a derivative takes, from one end to the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain<End> {
    /// The steps, beginning at what is explained.
    pub steps: Vec<Step>,
    /// What the last step is.
    pub end: End,
}

/// Why something is active, step by step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reasons {
    /// How the derivative gets there: from there back to where it comes from.
    pub varied: Option<Chain<Origin>>,
    /// How it gets on: from there to where it is looked for.
    pub useful: Option<Chain<Destination>>,
    /// For an address: how it gets to where it is used.
    pub used: Option<Chain<Destination>>,
    /// For an address: the memory it points to that has a shadow, then the memory that this holds addresses of, down
    /// to memory with numbers, which `varied` and `useful` are about.
    pub memory: Vec<Region>,
    /// The memory that is made here and that the caller gets with its shadow, if that is why.
    pub handed_out: Option<Region>,
}

/// What the searches through the graph found.
#[derive(Clone, Debug)]
pub(super) struct Searches {
    pub(super) varied: Reached<Origin>,
    pub(super) useful: Reached<Destination>,
    pub(super) needed: Reached<Destination>,
    pub(super) active_regions: FxHashMap<RegionId, WhyActive>,
}

/// What is active in a function, for given activities of its arguments and its result.
#[derive(Clone, Debug)]
pub struct Activity {
    values: SecondaryMap<ValueId, Option<Verdict>>,
    insts: SecondaryMap<InstId, Option<Verdict>>,
    effects: Effects,
    graph: Graph,
    searches: Searches,
}

impl Activity {
    /// Whether a value carries a derivative, or for an address, whether the memory behind it does.
    pub fn value(&self, value: ValueId) -> Verdict {
        self.values[value].unwrap_or(Verdict::Constant(ConstantBecause::Type))
    }

    /// Whether an instruction moves a derivative.
    ///
    /// One that only overwrites a number by a constant moves none, although it clears what is in a shadow; for a call,
    /// which might do that out of sight, see [`ActiveBecause::Overwrites`].
    pub fn inst(&self, inst: InstId) -> Verdict {
        self.insts[inst].unwrap_or(Verdict::Constant(ConstantBecause::Control))
    }

    /// Why a value is active; nothing for one that is constant.
    pub fn why_value(&self, value: ValueId) -> Reasons {
        let node = self.graph.value(value);
        match self.value(value) {
            Verdict::Active(ActiveBecause::Number) => self.numbers(node, node),
            Verdict::Active(ActiveBecause::Address(region)) => {
                Reasons { used: self.forward(&self.searches.needed, node), ..self.memory(region) }
            }
            Verdict::Active(_) | Verdict::Constant(_) => Reasons::default(),
        }
    }

    /// Why an instruction is active; nothing for one that is constant.
    pub fn why_inst(&self, inst: InstId) -> Reasons {
        match self.inst(inst) {
            Verdict::Active(ActiveBecause::MovesNumber) => {
                let edge = self.graph.edges.iter().find(|edge| edge.inst == Some(inst) && self.carries(edge));
                edge.map(|edge| self.numbers(edge.from, edge.to)).unwrap_or_default()
            }
            Verdict::Active(ActiveBecause::MovesAddress(region) | ActiveBecause::Overwrites(region)) => {
                self.memory(region)
            }
            Verdict::Active(_) | Verdict::Constant(_) => Reasons::default(),
        }
    }

    /// With which activities a call calls: of each argument, and of the result.
    pub fn of_call(&self, function: &Function, call: InstId) -> (Vec<ArgumentActivity>, ResultActivity) {
        let data = &function.insts[call];
        let activity = |&argument: &ValueId| match self.value(argument) {
            Verdict::Active(_) => ArgumentActivity::Duplicated,
            Verdict::Constant(_) => ArgumentActivity::Const,
        };
        let result = match data.result {
            Some(result) if self.value(result).is_active() => {
                let has_addresses = self.effects.contents[result].has_addresses();
                if has_addresses { ResultActivity::Duplicated } else { ResultActivity::Active }
            }
            Some(_) | None => ResultActivity::Constant,
        };
        (data.arguments().iter().map(activity).collect(), result)
    }

    /// How many times a way through the function was looked at: a measure of the cost.
    pub fn visits(&self) -> usize {
        let Searches { varied, useful, needed, .. } = &self.searches;
        self.effects.regions.visits + self.graph.edges.len() + varied.visits + useful.visits + needed.visits
    }

    fn carries(&self, edge: &super::graph::Edge) -> bool {
        edge.moves.has_numbers()
            && self.searches.varied.contains(edge.from)
            && self.searches.useful.contains(edge.to)
    }

    fn numbers(&self, from: NodeIndex, to: NodeIndex) -> Reasons {
        Reasons {
            varied: self.backward(&self.searches.varied, from),
            useful: self.forward(&self.searches.useful, to),
            ..Reasons::default()
        }
    }

    fn memory(&self, region: RegionId) -> Reasons {
        let regions = &self.effects.regions;
        let mut memory = Vec::new();
        let mut next = regions.representative(region);
        loop {
            memory.push(regions.kind(next));
            match self.searches.active_regions.get(&next) {
                Some(WhyActive::Holds(held)) if memory.len() <= regions.len() => {
                    next = regions.representative(*held);
                }
                Some(WhyActive::Numbers) => {
                    let node = self.graph.memory(&self.effects, next);
                    return Reasons { memory, ..self.numbers(node, node) };
                }
                Some(WhyActive::HandedOut) => {
                    return Reasons { memory, handed_out: Some(regions.kind(next)), ..Reasons::default() };
                }
                Some(WhyActive::Holds(_) | WhyActive::Function) | None => {
                    return Reasons { memory, ..Reasons::default() };
                }
            }
        }
    }

    fn backward(&self, reached: &Reached<Origin>, node: NodeIndex) -> Option<Chain<Origin>> {
        self.follow(reached, node, |edge| edge.from)
    }

    fn forward(&self, reached: &Reached<Destination>, node: NodeIndex) -> Option<Chain<Destination>> {
        self.follow(reached, node, |edge| edge.to)
    }

    fn follow<End: Copy>(
        &self,
        reached: &Reached<End>,
        start: NodeIndex,
        next: impl Fn(&super::graph::Edge) -> NodeIndex,
    ) -> Option<Chain<End>> {
        let mut steps: Vec<Step> = Vec::new();
        let mut node = start;
        loop {
            let via = reached.via(node)?;
            let subject = match self.graph.node(node) {
                Node::Value(value) => Some(Subject::Value(value)),
                Node::Memory(region) => Some(Subject::Memory(self.effects.regions.kind(region))),
                Node::Joint => None,
            };
            match via {
                Via::Seed(end) => {
                    steps.extend(subject.map(|subject| Step { subject, by: None }));
                    return Some(Chain { steps, end });
                }
                Via::Edge(index) => {
                    let edge = &self.graph.edges[index as usize];
                    steps.extend(subject.map(|subject| Step { subject, by: edge.inst }));
                    node = next(edge);
                }
            }
        }
    }
}

/// Says of each value and instruction whether it is active.
pub(super) fn judge(
    function: &Function,
    arguments: &[ArgumentActivity],
    effort: Effort,
    effects: Effects,
    graph: Graph,
    searches: Searches,
) -> Activity {
    let (values, insts) = (SecondaryMap::new(), SecondaryMap::new());
    let mut activity = Activity { values, insts, effects, graph, searches };
    for value in function.values.keys() {
        activity.values[value] = Some(activity.judge_value(function, arguments, effort, value));
    }
    let moving = activity.moving_insts(effort);
    for inst in function.insts_in_order() {
        activity.insts[inst] = Some(activity.judge_inst(&moving, inst));
    }
    activity
}

impl Activity {
    fn judge_value(
        &self,
        function: &Function,
        arguments: &[ArgumentActivity],
        effort: Effort,
        value: ValueId,
    ) -> Verdict {
        let definition = &function.values[value].definition;
        if let ValueDefinition::Parameter(index) = definition {
            return match arguments.get(*index as usize) {
                None | Some(ArgumentActivity::Const) => Verdict::Constant(ConstantBecause::Declared),
                Some(_) => Verdict::Active(ActiveBecause::Declared),
            };
        }
        match self.effects.marked_values[value] {
            Some(Mark::Active) => return Verdict::Active(ActiveBecause::Marked),
            Some(Mark::Inactive) => return Verdict::Constant(ConstantBecause::Marked),
            None => {}
        }
        let held = self.effects.contents[value];
        if held.is_nothing() {
            return Verdict::Constant(ConstantBecause::Type);
        }
        if let ValueDefinition::Instruction(inst) = definition {
            match self.effects.idle[*inst] {
                Some(Idle::NeverReturns) => return Verdict::Constant(ConstantBecause::NeverReturns),
                Some(Idle::KnownFunction) => return Verdict::Constant(ConstantBecause::KnownFunction),
                Some(Idle::Control | Idle::Marked) | None => {}
            }
        }
        self.judge_content(arguments, effort, value, held)
    }

    fn judge_content(
        &self,
        arguments: &[ArgumentActivity],
        effort: Effort,
        value: ValueId,
        held: Content,
    ) -> Verdict {
        let node = self.graph.value(value);
        let varied = held.has_numbers() && self.searches.varied.contains(node);
        let pointees = self.effects.regions.pointees(value);
        if effort == Effort::None
            && (held.has_numbers() || pointees.iter().any(|region| self.may_be_active(arguments, *region)))
        {
            return Verdict::Active(ActiveBecause::NotAnalysed);
        }
        if varied && self.searches.useful.contains(node) {
            return Verdict::Active(ActiveBecause::Number);
        }
        let needed = held.has_addresses() && self.searches.needed.contains(node);
        let active = pointees.iter().find(|region| self.searches.active_regions.contains_key(*region));
        Verdict::Constant(match active {
            Some(&region) if needed => return Verdict::Active(ActiveBecause::Address(region)),
            _ if varied => ConstantBecause::NotUseful,
            Some(_) => ConstantBecause::NotUsed,
            None if !pointees.is_empty() => ConstantBecause::MemoryIsConstant,
            None => ConstantBecause::NotVaried,
        })
    }

    /// Whether memory could have a shadow, as far as its kind says.
    fn may_be_active(&self, arguments: &[ArgumentActivity], region: RegionId) -> bool {
        match self.effects.regions.kind(region) {
            Region::Argument(index) => {
                arguments.get(index as usize).is_some_and(|activity| *activity != ArgumentActivity::Const)
            }
            Region::Constant(_) | Region::Fixed => false,
            Region::Own(_)
            | Region::Variable(_)
            | Region::Code(_)
            | Region::Kept
            | Region::Remembered
            | Region::Unknown => true,
        }
    }

    /// The instructions that move derivatives, and why.
    fn moving_insts(&self, effort: Effort) -> FxHashMap<InstId, ActiveBecause> {
        let mut moving = FxHashMap::default();
        for edge in &self.graph.edges {
            let Some(inst) = edge.inst else { continue };
            if effort == Effort::None {
                moving.entry(inst).or_insert(ActiveBecause::NotAnalysed);
            } else if self.carries(edge) {
                moving.insert(inst, ActiveBecause::MovesNumber);
            }
        }
        for flow in self.effects.flows.iter().filter(|flow| flow.moves.has_addresses()) {
            if let Some(region) =
                self.stored(flow.to, || self.effects.regions.pointees_at(flow.from).to_vec())
            {
                moving.entry(flow.inst).or_insert(ActiveBecause::MovesAddress(region));
            }
        }
        for point in &self.effects.points {
            let Some(inst) = point.inst.filter(|_| !self.is_made_full(point)) else { continue };
            let region = self.effects.regions.representative(point.region);
            if let Some(region) = self.stored(point.to, || vec![region]) {
                moving.entry(inst).or_insert(ActiveBecause::MovesAddress(region));
            }
        }
        for overwrite in self.effects.overwrites.iter().filter(|overwrite| overwrite.by == Writer::Callee) {
            let written = self.effects.regions.memory(overwrite.place);
            if let Some(region) = self.first_active(&written) {
                moving.entry(overwrite.inst).or_insert(ActiveBecause::Overwrites(region));
            }
        }
        moving
    }

    /// Whether a call puts addresses of new memory into new memory: the shadow is made in the same way.
    fn is_made_full(&self, point: &Point) -> bool {
        match point.to {
            Place::Region(region) => region == point.region,
            Place::Value(_) | Place::Hub(_) | Place::Behind(_) | Place::Reach(_) => false,
        }
    }

    /// The region with a shadow whose address is put where it is used from memory.
    fn stored(&self, to: Place, pointees: impl FnOnce() -> Vec<RegionId>) -> Option<RegionId> {
        let into_memory = match to {
            Place::Value(_) | Place::Hub(_) => false,
            Place::Behind(_) | Place::Reach(_) | Place::Region(_) => true,
        };
        let nodes = || self.graph.nodes(&self.effects, to);
        if !into_memory || !nodes().into_iter().any(|node| self.searches.needed.contains(node)) {
            return None;
        }
        self.first_active(&pointees())
    }

    fn first_active(&self, regions: &[RegionId]) -> Option<RegionId> {
        regions.iter().copied().find(|region| self.searches.active_regions.contains_key(region))
    }

    fn judge_inst(&self, moving: &FxHashMap<InstId, ActiveBecause>, inst: InstId) -> Verdict {
        match self.effects.marked_insts[inst] {
            Some(Mark::Active) => return Verdict::Active(ActiveBecause::Marked),
            Some(Mark::Inactive) => return Verdict::Constant(ConstantBecause::Marked),
            None => {}
        }
        Verdict::Constant(match self.effects.idle[inst] {
            Some(Idle::Control) => ConstantBecause::Control,
            Some(Idle::KnownFunction) => ConstantBecause::KnownFunction,
            Some(Idle::Marked) => ConstantBecause::Marked,
            Some(Idle::NeverReturns) => ConstantBecause::NeverReturns,
            None => match moving.get(&inst) {
                Some(&because) => return Verdict::Active(because),
                None => ConstantBecause::MovesNothing,
            },
        })
    }
}
