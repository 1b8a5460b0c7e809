//! Regions: the memory that activity tells apart, and which of them an address may point to.
//!
//! A region stands for all bytes of its memory at once. Unlike an alias analysis, activity goes by what the derivative
//! is promised: what one argument points to is a region of its own, whatever else might point there, because a
//! constant argument may not be another name for memory with a shadow.
//!
//! Addresses flow along the same [`Flow`]s as numbers. The solver goes by inclusion and keeps at most
//! [`MOST_REGIONS`] regions apart for one address; beyond, they become one, but for those that callers hand over. So each
//! set can only grow a bounded number of times, and the cost is near-linear in the number of flows.

use cranelift_entity::{EntityRef, PrimaryMap, entity_impl};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::effects::{Effects, Flow, Place};
use crate::model::{InstId, ValueId};

/// Memory that activity tells from other memory, in one function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RegionId(u32);
entity_impl!(RegionId, "region");

/// A global symbol, told by its name over all functions of a program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymbolId(u32);
entity_impl!(SymbolId, "symbol");

/// What a region is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Region {
    /// All that can be reached from an argument.
    Argument(u32),
    /// Memory that an instruction makes: an `alloca`, an allocation, what a call returns.
    Own(InstId),
    /// A global variable.
    Variable(SymbolId),
    /// A global variable that never changes.
    Constant(SymbolId),
    /// A function: what is "behind" its address is its derivative.
    Code(SymbolId),
    /// What functions without a body keep of what they were given here, and what variables hold addresses of.
    Kept,
    /// What functions without a body kept of what the caller gave them before.
    Remembered,
    /// Memory of which nothing is known.
    Unknown,
    /// Memory at an address that is a number in the program.
    Fixed,
}

/// How many regions are kept apart for one address.
const MOST_REGIONS: usize = 16;

/// A set of regions, sorted.
pub(super) type Set = SmallVec<[RegionId; 4]>;

/// The regions of a function, and where addresses point.
#[derive(Clone, Debug, Default)]
pub(super) struct Regions {
    all: PrimaryMap<RegionId, Region>,
    known: FxHashMap<Region, RegionId>,
    /// For regions that have become one: the next one on the way to the one that stands for all.
    merged_into: Vec<RegionId>,
    values: usize,
    hubs: FxHashMap<InstId, usize>,
    /// Where the addresses in each cell point. Cells: the values, then the hubs, then the contents of regions.
    points_to: Vec<Set>,
    /// How often a flow was looked at, for tests of the cost.
    pub(super) visits: usize,
}

impl Regions {
    /// The region of a kind, made when it is new.
    pub(super) fn intern(&mut self, region: Region) -> RegionId {
        if let Some(&id) = self.known.get(&region) {
            return id;
        }
        let id = self.all.push(region);
        self.merged_into.push(id);
        self.known.insert(region, id);
        id
    }

    /// The region of a kind, if the function has it.
    pub(super) fn find(&self, region: Region) -> Option<RegionId> {
        self.known.get(&region).map(|&id| self.representative(id))
    }

    /// All regions, those that have become one with others included.
    pub(super) fn iter(&self) -> impl Iterator<Item = (RegionId, Region)> + '_ {
        self.all.iter().map(|(id, region)| (id, *region))
    }

    /// What a region is; one of several where they have become one.
    pub(super) fn kind(&self, id: RegionId) -> Region {
        self.all[id]
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// The region that stands for this one and all that have become one with it.
    pub(super) fn representative(&self, id: RegionId) -> RegionId {
        let mut id = id;
        while self.merged_into[id.index()] != id {
            id = self.merged_into[id.index()];
        }
        id
    }

    /// The regions a value may point to.
    pub(super) fn pointees(&self, value: ValueId) -> Set {
        self.cell_set(value.index())
    }

    /// The regions that addresses in a region may point to.
    pub(super) fn contents(&self, region: RegionId) -> Set {
        self.cell_set(self.contents_cell(region))
    }

    /// The regions that addresses at a place may point to.
    pub(super) fn pointees_at(&self, place: Place) -> Set {
        let mut set = Set::new();
        for cell in self.cells(place) {
            for region in self.cell_set(cell) {
                insert(&mut set, region);
            }
        }
        set
    }

    /// These regions and all that can be reached from them by addresses in memory, sorted.
    pub(super) fn closure(&self, roots: impl IntoIterator<Item = RegionId>) -> Vec<RegionId> {
        let mut pending: Vec<RegionId> = roots.into_iter().map(|root| self.representative(root)).collect();
        let mut seen: FxHashSet<RegionId> = pending.iter().copied().collect();
        while let Some(region) = pending.pop() {
            pending.extend(self.contents(region).into_iter().filter(|&next| seen.insert(next)));
        }
        let mut all: Vec<_> = seen.into_iter().collect();
        all.sort_unstable();
        all
    }

    /// The cells of a place.
    fn cells(&self, place: Place) -> SmallVec<[usize; 4]> {
        match place {
            Place::Value(value) => SmallVec::from_slice(&[value.index()]),
            Place::Hub(inst) => SmallVec::from_slice(&[self.values + self.hubs[&inst]]),
            Place::Region(region) => SmallVec::from_slice(&[self.contents_cell(region)]),
            Place::Behind(value) => {
                self.pointees(value).into_iter().map(|region| self.contents_cell(region)).collect()
            }
            Place::Reach(value) => self
                .closure(self.pointees(value))
                .into_iter()
                .map(|region| self.contents_cell(region))
                .collect(),
        }
    }

    /// The regions whose memory is at a place; nothing for a value.
    pub(super) fn memory(&self, place: Place) -> Vec<RegionId> {
        match place {
            Place::Value(_) | Place::Hub(_) => Vec::new(),
            Place::Region(region) => vec![self.representative(region)],
            Place::Behind(value) => self.pointees(value).into_vec(),
            Place::Reach(value) => self.closure(self.pointees(value)),
        }
    }

    fn contents_cell(&self, region: RegionId) -> usize {
        self.values + self.hubs.len() + self.representative(region).index()
    }

    /// The region that a cell holds the contents of.
    fn region_of(&self, cell: usize) -> Option<RegionId> {
        cell.checked_sub(self.values + self.hubs.len()).map(RegionId::new)
    }

    /// The cell that stands for a cell: another one for the contents of a region that has become one with others.
    fn canonical(&self, cell: usize) -> usize {
        self.region_of(cell).map_or(cell, |region| self.contents_cell(region))
    }

    fn cell_set(&self, cell: usize) -> Set {
        let mut set: Set = self.points_to[cell].iter().map(|&region| self.representative(region)).collect();
        set.sort_unstable();
        set.dedup();
        set
    }

    /// Finds out where all addresses of a function point.
    pub(super) fn solve(&mut self, values: usize, effects: &Effects) {
        self.values = values;
        self.hubs = effects.hubs.iter().enumerate().map(|(index, &inst)| (inst, index)).collect();
        self.points_to = vec![Set::new(); values + self.hubs.len() + self.len()];
        let moving = |flow: &&Flow| flow.moves.has_addresses();
        let flows: Vec<Flow> = effects.flows.iter().filter(moving).copied().collect();
        let mut solver = Solver {
            dependents: vec![SmallVec::new(); self.points_to.len()],
            registered: FxHashSet::default(),
            queued: vec![false; flows.len()],
            pending: std::collections::VecDeque::new(),
            flows,
            sealed: self.find(Region::Fixed),
            regions: self,
        };
        solver.run(effects);
    }
}

struct Solver<'a> {
    /// [`Region::Fixed`], as long as it is told from other memory.
    sealed: Option<RegionId>,
    regions: &'a mut Regions,
    flows: Vec<Flow>,
    /// For each cell the flows to look at again when its set grows.
    dependents: Vec<SmallVec<[u32; 4]>>,
    registered: FxHashSet<(usize, u32)>,
    queued: Vec<bool>,
    pending: std::collections::VecDeque<u32>,
}

impl Solver<'_> {
    fn run(&mut self, effects: &Effects) {
        // An address that is taken into memory waits for the set of the address of that memory.
        for point in &effects.points {
            if let Place::Value(_) | Place::Region(_) | Place::Hub(_) = point.to {
                for cell in self.regions.cells(point.to) {
                    self.grow(cell, &[point.region]);
                }
            }
        }
        for index in 0..self.flows.len() {
            self.enqueue(index as u32);
        }
        loop {
            while let Some(index) = self.pending.pop_front() {
                self.queued[index as usize] = false;
                self.regions.visits += 1;
                self.follow(index);
            }
            let mut changed = false;
            for point in &effects.points {
                for cell in self.regions.cells(point.to) {
                    changed |= self.grow(cell, &[point.region]);
                }
            }
            if !changed {
                break;
            }
        }
    }

    fn enqueue(&mut self, index: u32) {
        if !std::mem::replace(&mut self.queued[index as usize], true) {
            self.pending.push_back(index);
        }
    }

    fn follow(&mut self, index: u32) {
        let flow = self.flows[index as usize];
        let from = self.regions.cells(flow.from);
        let to = self.regions.cells(flow.to);
        for &cell in &from {
            self.depend(cell, index);
        }
        for place in [flow.from, flow.to] {
            self.depend_on_address(place, index);
        }
        let mut moved = Set::new();
        for &cell in &from {
            for region in self.regions.cell_set(cell) {
                insert(&mut moved, region);
            }
        }
        for cell in to {
            self.grow(cell, &moved);
        }
    }

    /// Looks at a flow again when it is found that its place is more memory than was thought.
    fn depend_on_address(&mut self, place: Place, index: u32) {
        match place {
            Place::Value(_) | Place::Hub(_) | Place::Region(_) => {}
            Place::Behind(value) => self.depend(value.index(), index),
            Place::Reach(value) => {
                self.depend(value.index(), index);
                for region in self.regions.closure(self.regions.pointees(value)) {
                    self.depend(self.regions.contents_cell(region), index);
                }
            }
        }
    }

    fn depend(&mut self, cell: usize, index: u32) {
        let cell = self.regions.canonical(cell);
        if self.registered.insert((cell, index)) {
            self.dependents[cell].push(index);
        }
    }

    /// Adds regions to a cell; whether it grew.
    fn grow(&mut self, cell: usize, more: &[RegionId]) -> bool {
        let cell = self.regions.canonical(cell);
        if let Some(given) = self.given_away(cell, more) {
            self.merge(given);
        }
        let cell = self.regions.canonical(cell);
        let mut set = self.regions.cell_set(cell);
        let before = set.len();
        if self.is_sealed(cell) && before > 0 {
            return false;
        }
        for &region in more {
            insert(&mut set, self.regions.representative(region));
        }
        if set.len() == before {
            return false;
        }
        self.regions.points_to[cell] = set.clone();
        self.wake(cell);
        if let Some(many) = self.too_many(&set) {
            self.merge(many);
        }
        true
    }

    /// The regions that become one when these addresses get into a cell because others can read them there.
    ///
    /// What functions without a body keep the address of is from then on a part of what they keep: whichever of it they
    /// are given, they can read and write all of it. So is what a variable holds the address of, which other functions,
    /// and other calls of this one, find there.
    fn given_away(&self, cell: usize, addresses: &[RegionId]) -> Option<Vec<RegionId>> {
        let kept = self.regions.find(Region::Kept)?;
        let holder = self.regions.region_of(cell)?;
        if holder != kept && !matches!(self.regions.kind(holder), Region::Variable(_)) {
            return None;
        }
        let given = addresses.iter().map(|&region| self.regions.representative(region));
        let all: Vec<RegionId> =
            std::iter::once(kept).chain(given.filter(|region| self.is_plain(*region))).collect();
        (all.len() > 1).then_some(all)
    }

    /// The regions that become one because there are too many for one address: those that the function makes and
    /// variables, if that is enough. What callers hand over keeps apart, because it is active or constant by their word.
    fn too_many(&self, set: &[RegionId]) -> Option<Vec<RegionId>> {
        if set.len() <= MOST_REGIONS {
            return None;
        }
        let (common, special): (Vec<RegionId>, Vec<RegionId>) =
            set.iter().copied().partition(|region| self.is_plain(*region));
        Some(if special.len() < MOST_REGIONS { common } else { set.to_vec() })
    }

    fn is_plain(&self, region: RegionId) -> bool {
        match self.regions.kind(region) {
            Region::Own(_) | Region::Variable(_) => true,
            Region::Argument(_)
            | Region::Constant(_)
            | Region::Code(_)
            | Region::Kept
            | Region::Remembered
            | Region::Unknown
            | Region::Fixed => false,
        }
    }

    /// Whether nothing that is stored to memory is found there again: memory at fixed addresses, as long as it is told
    /// from other memory.
    fn is_sealed(&self, cell: usize) -> bool {
        self.sealed.is_some_and(|fixed| self.regions.contents_cell(fixed) == cell)
    }

    fn wake(&mut self, cell: usize) {
        for position in 0..self.dependents[cell].len() {
            self.enqueue(self.dependents[cell][position]);
        }
    }

    /// Makes one region of several: the first stands for them all. That may give it so many addresses, or let others
    /// read so many, that further regions become one.
    fn merge(&mut self, set: Vec<RegionId>) {
        let mut next = Some(set);
        while let Some(set) = next.take().filter(|set| set.len() > 1) {
            let first = set[0];
            let grew = self.merge_into(first, &set[1..]);
            let cell = self.regions.contents_cell(first);
            let contents = self.regions.cell_set(cell);
            if grew {
                self.wake(cell);
                next = self.given_away(cell, &contents).or_else(|| self.too_many(&contents));
            }
        }
    }

    /// Makes regions a part of another; whether there are addresses in it that were not there before.
    fn merge_into(&mut self, target: RegionId, regions: &[RegionId]) -> bool {
        let into = self.regions.contents_cell(target);
        self.sealed = self.sealed.filter(|fixed| *fixed != target && !regions.contains(fixed));
        let before = self.regions.points_to[into].clone();
        let mut contents = before.clone();
        for &region in regions.iter().filter(|region| **region != target) {
            let cell = self.regions.contents_cell(region);
            contents.append(&mut self.regions.points_to[cell]);
            self.regions.merged_into[region.index()] = target;
            // What went by the memory of one of them goes by that of all from now on.
            for index in std::mem::take(&mut self.dependents[cell]) {
                self.depend(into, index);
                self.enqueue(index);
            }
        }
        self.regions.points_to[into] = contents;
        let contents = self.regions.cell_set(into);
        let known: Set = before.iter().map(|&region| self.regions.representative(region)).collect();
        let grew = contents.iter().any(|region| !known.contains(region));
        self.regions.points_to[into] = contents;
        grew
    }
}

fn insert(set: &mut Set, region: RegionId) {
    if let Err(position) = set.binary_search(&region) {
        set.insert(position, region);
    }
}
