//! Which instructions read memory that may be written again before their function returns.
//!
//! Memory that an instruction read can be read again when the function has returned, and hold the same, unless something
//! that runs after the instruction may write it: an instruction further down, or any one on a way back to it, in a later
//! round of a loop. Rounds are not told apart: a loop that reads `a[i]` and writes `a[i]` is taken to overwrite what
//! it reads.
//!
//! An instruction that writes what it reads itself counts, too: run again, it would read something else.
//!
//! All reads of a function are answered at once. Each distinct place that is read is one bit; for each instruction that
//! writes there is a set of bits, and a set flows backward through the strongly connected components of the control flow.
//! There are at most [`MOST_BITS`] bits, and [`LANE`] of them go through at a time, so that the cost is linear in the size of
//! the function.

use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;

use super::Memory;
use super::object::ObjectId;
use super::region::Region;
use crate::model::{BlockId, Function, InstId, Opcode};
use crate::program::FunctionId;

/// How many bits go through the control flow together.
const LANE: usize = 128;

/// How many places of one object are told apart; those of an object with more are one.
const PLACES_TOLD_APART: usize = 64;

/// How many bits there are at most. The objects that are left then are one.
const MOST_BITS: usize = 32 * LANE;

/// The instructions of a function whose memory may be overwritten before it returns.
#[derive(Clone, Debug)]
pub struct Overwritten {
    insts: SecondaryMap<InstId, bool>,
    steps: u64,
}

impl Overwritten {
    /// Whether some of the memory that an instruction reads may be written after it has read it, by itself or by another
    /// one, before the function returns.
    pub fn contains(&self, inst: InstId) -> bool {
        self.insts[inst]
    }

    /// How much work it was to find out. For tests of its cost.
    pub fn steps(&self) -> u64 {
        self.steps
    }
}

impl Memory<'_> {
    /// Which instructions read memory that may be written after they have read it, until the function returns. Only writes
    /// by instructions that count are looked at: a derivative may keep memory for longer than the program does, and count
    /// neither the end of a lifetime nor what is freed.
    pub fn overwritten(&self, function: FunctionId, counts: impl Fn(InstId) -> bool) -> Overwritten {
        let accesses = Accesses::of(self, function, counts);
        let order = Order::of(&self.program()[function]);
        let mut insts = SecondaryMap::new();
        let mut steps = 0;
        for lane in 0..accesses.places.len().div_ceil(LANE) {
            steps += accesses.lane(self, &order, lane, &mut insts);
        }
        Overwritten { insts, steps }
    }

    /// An instruction that counts and may write what a reader has read, the reader itself or one that runs after it; the
    /// first one of the block that is met first. A search through the whole function: for the reason, when [`Self::overwritten`] says yes.
    pub fn overwritten_by(
        &self,
        function: FunctionId,
        reader: InstId,
        counts: impl Fn(InstId) -> bool,
    ) -> Option<InstId> {
        let regions = self.reads(function, reader);
        let code = &self.program()[function];
        let counts_itself = counts(reader)
            && returning_blocks(code)[code.insts[reader].block]
            && self.may_write_any(function, reader, &regions);
        let itself = Some(reader).filter(|_| counts_itself);
        itself.or_else(|| self.written_after(function, reader, &regions, counts))
    }

    /// An instruction that counts, runs after another one, and may write into one of these regions; the first one of the
    /// block that is met first.
    pub fn written_after(
        &self,
        function: FunctionId,
        first: InstId,
        regions: &[Region],
        counts: impl Fn(InstId) -> bool,
    ) -> Option<InstId> {
        let code = &self.program()[function];
        let returning = returning_blocks(code);
        let writes = |inst: &InstId| counts(*inst) && self.may_write_any(function, *inst, regions);
        let home = code.insts[first].block;
        let own = &code.blocks[home].insts;
        let after = own.iter().position(|inst| *inst == first).map_or(0, |position| position + 1);
        let mut pending = std::collections::VecDeque::from([home]);
        let mut seen: SecondaryMap<BlockId, bool> = SecondaryMap::new();
        let mut insts = &own[after..];
        while let Some(block) = pending.pop_front() {
            if let Some(writer) = insts.iter().copied().find(writes).filter(|_| returning[block]) {
                return Some(writer);
            }
            for next in code.successors(block) {
                if !std::mem::replace(&mut seen[next], true) {
                    pending.push_back(next);
                }
            }
            insts = pending.front().map_or(&[][..], |next| &code.blocks[*next].insts);
        }
        None
    }
}

/// What the instructions of a function read and write, as far as it matters.
struct Accesses {
    /// The places that are read, sorted, so that those of one object are together: a bit each.
    places: Vec<Region>,
    /// The bits of each instruction that reads.
    readers: Vec<(InstId, Vec<usize>)>,
    /// What each instruction that writes writes, in order of the blocks.
    writers: Vec<(InstId, Vec<Region>)>,
    /// Whether the last place stands for many objects.
    last: Last,
    function: FunctionId,
}

/// What the last place stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    /// Itself.
    Itself,
    /// All objects from its own on.
    AllFromThere,
}

impl Accesses {
    fn of(memory: &Memory<'_>, function: FunctionId, counts: impl Fn(InstId) -> bool) -> Self {
        let code = &memory.program()[function];
        let returning = returning_blocks(code);
        let changes = |region: &Region| !memory.functions[function].is_constant(region.location.object);
        let mut reads: Vec<(InstId, Vec<Region>)> = Vec::new();
        let mut writers = Vec::new();
        for inst in code.insts_in_order() {
            let regions = |all: Vec<Region>| all.into_iter().filter(changes).collect::<Vec<_>>();
            let read = regions(memory.reads(function, inst));
            if !read.is_empty() {
                reads.push((inst, read));
            }
            if returning[code.insts[inst].block] && counts(inst) {
                let written = regions(memory.writes(function, inst));
                if !written.is_empty() {
                    writers.push((inst, written));
                }
            }
        }
        let (places, last) = places(reads.iter().flat_map(|(_, regions)| regions));
        let bit = |region: &Region| {
            let whole = whole(region.location.object);
            places
                .binary_search(region)
                .or_else(|_| places.binary_search(&whole))
                .unwrap_or(places.len().saturating_sub(1))
        };
        let readers =
            reads.iter().map(|(inst, regions)| (*inst, regions.iter().map(bit).collect())).collect();
        Self { places, readers, writers, last, function }
    }

    /// Finds the instructions that read one of the places of a lane which may be overwritten; gives the work done.
    fn lane(
        &self,
        memory: &Memory<'_>,
        order: &Order,
        lane: usize,
        found: &mut SecondaryMap<InstId, bool>,
    ) -> u64 {
        let start = lane * LANE;
        let places = &self.places[start..self.places.len().min(start + LANE)];
        let mut marker =
            Marker { memory, accesses: self, start, places, objects: FxHashMap::default(), steps: 0 };
        let mut written: SecondaryMap<InstId, u128> = SecondaryMap::new();
        let mut of_block: SecondaryMap<BlockId, u128> = SecondaryMap::new();
        let code = &memory.program()[self.function];
        for (inst, regions) in &self.writers {
            let bits = regions.iter().fold(0, |bits, region| bits | marker.bits(*region));
            written[*inst] = bits;
            of_block[code.insts[*inst].block] |= bits;
        }
        let mut steps = marker.steps;
        let after = order.backward(code, &of_block);
        steps += code.blocks.len() as u64;
        let mut readers = self.readers.iter().rev().peekable();
        // Readers come in order of their blocks, and of the instructions there.
        for block in code.blocks.keys().rev() {
            if readers.peek().is_none_or(|(inst, _)| code.insts[*inst].block != block) {
                continue;
            }
            let mut later = after[block];
            for &inst in code.blocks[block].insts.iter().rev() {
                steps += 1;
                later |= written[inst];
                if let Some((_, bits)) = readers.next_if(|(reader, _)| *reader == inst) {
                    let mut bits = bits.iter().filter_map(|bit| bit.checked_sub(start));
                    found[inst] |= bits.any(|bit| bit < LANE && later & (1 << bit) != 0);
                }
            }
        }
        steps
    }
}

/// Finds the bits of what is written.
struct Marker<'m, 'a> {
    memory: &'m Memory<'a>,
    accesses: &'m Accesses,
    start: usize,
    places: &'m [Region],
    /// For an object that is written: the bits of other objects that may be, or share, the same memory.
    objects: FxHashMap<(ObjectId, Option<u64>), u128>,
    steps: u64,
}

impl Marker<'_, '_> {
    fn bits(&mut self, written: Region) -> u128 {
        let object = written.location.object;
        // How many bytes are written counts when it is asked which objects are large enough.
        let others = match self.objects.get(&(object, written.size)) {
            Some(&known) => known,
            None => {
                let elsewhere = |place: &Region| place.location.object != object;
                let others = self.overlapping(0..self.places.len(), written, elsewhere);
                self.objects.insert((object, written.size), others);
                others
            }
        };
        let first = self.places.partition_point(|place| place.location.object < object);
        let end = self.places.partition_point(|place| place.location.object <= object);
        others | self.overlapping(first..end, written, |_| true)
    }

    fn overlapping(
        &mut self,
        range: std::ops::Range<usize>,
        written: Region,
        wanted: impl Fn(&Region) -> bool,
    ) -> u128 {
        let mut bits = 0;
        for index in range {
            let place = self.places[index];
            self.steps += 1;
            let stands_for_more = self.accesses.last == Last::AllFromThere
                && self.start + index + 1 == self.accesses.places.len();
            let overlaps = stands_for_more
                || (wanted(&place) && self.memory.may_overlap(self.accesses.function, written, place));
            if overlaps {
                bits |= 1 << index;
            }
        }
        bits
    }
}

fn whole(object: ObjectId) -> Region {
    Region { location: super::object::Location::anywhere(object), size: None }
}

/// The distinct places, sorted; few of each object, and few in all.
fn places<'r>(regions: impl Iterator<Item = &'r Region>) -> (Vec<Region>, Last) {
    let mut exact: Vec<Region> = regions.copied().collect();
    exact.sort_unstable();
    exact.dedup();
    let mut places: Vec<Region> = Vec::new();
    for own in exact.chunk_by(|one, next| one.location.object == next.location.object) {
        if own.len() > PLACES_TOLD_APART {
            places.push(whole(own[0].location.object));
        } else {
            places.extend(own);
        }
    }
    if places.len() <= MOST_BITS {
        return (places, Last::Itself);
    }
    // From some object on, all are one.
    let rest = places[MOST_BITS - 1].location.object;
    places.truncate(places.partition_point(|place| place.location.object < rest));
    places.push(whole(rest));
    (places, Last::AllFromThere)
}

/// The blocks from which the function may return, or be left by an exception.
fn returning_blocks(function: &Function) -> SecondaryMap<BlockId, bool> {
    let mut returning: SecondaryMap<BlockId, bool> = SecondaryMap::new();
    let predecessors = function.predecessors();
    let leaves = |block: &BlockId| {
        function.terminator(*block).is_some_and(|inst| match &function.insts[inst].opcode {
            Opcode::Return | Opcode::Resume => true,
            Opcode::CleanupReturn { unwind } | Opcode::CatchSwitch { unwind, .. } => unwind.is_none(),
            _ => false,
        })
    };
    let mut pending: Vec<BlockId> = function.blocks.keys().filter(leaves).collect();
    while let Some(block) = pending.pop() {
        if !std::mem::replace(&mut returning[block], true) {
            pending.extend(predecessors[block].iter().copied());
        }
    }
    returning
}

/// The strongly connected components of the control flow, successors first.
struct Order {
    components: Vec<Vec<BlockId>>,
    /// The component of each block.
    of_block: SecondaryMap<BlockId, u32>,
}

impl Order {
    fn of(function: &Function) -> Self {
        let mut graph = petgraph::graph::DiGraph::<BlockId, ()>::new();
        let nodes: Vec<_> = function.blocks.keys().map(|block| graph.add_node(block)).collect();
        for block in function.blocks.keys() {
            for next in function.successors(block) {
                graph.add_edge(nodes[block.as_u32() as usize], nodes[next.as_u32() as usize], ());
            }
        }
        let components: Vec<Vec<BlockId>> = petgraph::algo::kosaraju_scc(&graph)
            .into_iter()
            .map(|component| component.into_iter().map(|node| graph[node]).collect())
            .collect();
        let mut of_block = SecondaryMap::new();
        for (component, index) in components.iter().zip(0..) {
            component.iter().for_each(|&block| of_block[block] = index);
        }
        Self { components, of_block }
    }

    /// What may be written after each block has run, given what is written in each.
    fn backward(
        &self,
        function: &Function,
        written: &SecondaryMap<BlockId, u128>,
    ) -> SecondaryMap<BlockId, u128> {
        let mut after: SecondaryMap<BlockId, u128> = SecondaryMap::new();
        let mut of_component = vec![0_u128; self.components.len()];
        for (component, index) in self.components.iter().zip(0..) {
            let mut is_cycle = false;
            let mut further = 0;
            for &block in component {
                for next in function.successors(block) {
                    let other = self.of_block[next];
                    is_cycle |= other == index;
                    further |= of_component[other as usize];
                }
            }
            let own = component.iter().fold(0, |bits, &block| bits | written[block]);
            of_component[index as usize] = own | further;
            for &block in component {
                after[block] = if is_cycle { own | further } else { further };
            }
        }
        after
    }
}
