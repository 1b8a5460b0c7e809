//! Memory: what pointers point to, what escapes, and what each instruction reads and writes.
//!
//! # The abstraction
//!
//! Every function is looked at once, callees before callers, with its parameters as symbols: what a parameter points
//! to at entry is an object of its own, what the pointers there lead to another. So the results hold whoever calls the
//! function, and a callee's [`Summary`], in terms of its parameters, is put in place at each call. Functions that call
//! each other in a circle are run until their summaries no longer grow; one that does not settle soon is known by its
//! attributes alone.
//!
//! Within a function the analysis is by inclusion (Andersen's), without regard to the order of instructions: a set of
//! [`Location`]s (an object and a byte offset in it, or anywhere) for each value and for each cell of the function's
//! own objects. Three things keep it near-linear:
//!
//! - What code elsewhere can reach is *one* object, [`ObjectKind::Outside`]. An object that escapes is marked, and is
//!   from then on a part of it; no set lists what escaped. What the function itself put into shared memory is one object
//!   more, [`ObjectKind::Handed`].
//! - Sets are bounded. One that gets more than 16 objects makes those of the function's own *one* object from
//!   then on (as Steensgaard's analysis always does), and the others become `Outside`. An object has at most four exact
//!   offsets in a set, and 64 cells. So each set grows a bounded number of times, each edge of the graph carries a bounded
//!   number of places, and collapsing cycles would gain nothing.
//! - Summaries are bounded in the same way.
//!
//! Integers are followed like pointers (through arithmetic, too), and so are floats while they are only moved: parts of
//! unions are copied as whatever type is at hand. Arithmetic on floats ends that, and so does passing a float to or from a
//! function. A pointer rebuilt from comparisons alone is followed only from integers plainly made of pointers.
//!
//! # What is assumed
//!
//! Any code that is not in the [`Program`] may do anything to memory that escaped or was never the function's own, within
//! what attributes say and what the table of known library functions knows. `noalias` and its kind are believed.
//! C's `errno` (and `signgam`) is told from all other memory, since it is only reached by the function that gives its
//! address. A set without places belongs to a null or undefined pointer; who goes through one is taken to touch whatever
//! escaped.

mod attributes;
mod build;
pub(crate) mod call_attributes;
mod calls;
mod constants;
mod function;
mod graph;
pub(crate) mod library;
mod object;
mod overwritten;
mod region;
mod summarise;
mod summary;
mod symbols;

use std::collections::VecDeque;

use cranelift_entity::{PrimaryMap, SecondaryMap};

pub use attributes::Access;
pub use object::{
    Escape, Instances, Location, LocationSet, Mutability, Object, ObjectId, ObjectKind, Sharing, Shift,
    SymbolId,
};
pub use overwritten::Overwritten;
pub use region::{Alias, Region};
pub use summary::{Mixture, NewMemory, Place, Root, Span, Summary};
pub use symbols::Symbol;

use crate::model::{ConstantKind, DataLayout, Function, InstId, Opcode, ValueDefinition, ValueId};
use crate::program::{FunctionId, Program};
pub(crate) use attributes::{Capture, Effects};
use build::{Builder, Knowledge, Surroundings};
pub(crate) use call_attributes::CallAttributes;
use function::FunctionMemory;
use symbols::Symbols;

/// The numbers of the arguments whose product is how many bytes a function of the library allocates, if it does no more than
/// that.
pub fn sizes_of_allocation(name: &str) -> Option<Vec<usize>> {
    match library::known(name)?.allocates()? {
        library::Size::Argument(index) => Some(vec![index]),
        library::Size::Product(left, right) => Some(vec![left, right]),
        library::Size::Unknown => None,
    }
}

/// How often a function in a circle of calls is looked at before its summary is given up.
const ROUNDS: u32 = 8;

/// What is known of the memory of a program.
#[derive(Clone, Debug)]
pub struct Memory<'a> {
    program: &'a Program,
    symbols: Symbols,
    functions: PrimaryMap<FunctionId, FunctionMemory>,
    summaries: SecondaryMap<FunctionId, Knowledge>,
    steps: u64,
}

impl<'a> Memory<'a> {
    /// Looks at all functions of a program.
    pub fn of(program: &'a Program) -> Self {
        let mut analysis = Analysis {
            program,
            symbols: Symbols::of(program),
            functions: SecondaryMap::new(),
            summaries: SecondaryMap::new(),
            steps: 0,
        };
        for component in components(program, &analysis.symbols) {
            analysis.component(&component);
        }
        let Analysis { symbols, mut functions, summaries, steps, .. } = analysis;
        let mut ordered = PrimaryMap::with_capacity(program.len());
        for (id, _) in program.iter() {
            if let Some(memory) = functions[id].take() {
                ordered.push(memory);
            }
        }
        debug_assert_eq!(ordered.len(), program.len(), "every function is in one component");
        Self { program, symbols, functions: ordered, summaries, steps }
    }

    /// The program.
    pub fn program(&self) -> &'a Program {
        self.program
    }

    // Pointers and objects.

    /// The places that a value may point to, or that lie in its parts. Nothing for null, numbers, undefined values.
    pub fn points_to(&self, function: FunctionId, value: ValueId) -> LocationSet {
        self.functions[function].points_to(value)
    }

    /// An object of a function.
    pub fn object(&self, function: FunctionId, object: ObjectId) -> Object {
        self.functions[function].graph.objects()[object]
    }

    /// All objects of a function, in order. Some stand for one with another: see [`Self::may_share`].
    pub fn objects(&self, function: FunctionId) -> impl Iterator<Item = (ObjectId, Object)> + '_ {
        self.functions[function].graph.objects().iter().map(|(id, object)| (id, *object))
    }

    /// A global symbol.
    pub fn symbol(&self, symbol: SymbolId) -> &Symbol {
        &self.symbols.table[symbol]
    }

    /// How far the address of an object gets. Of memory that is not the function's own it is always out.
    pub fn escapes(&self, function: FunctionId, object: ObjectId) -> Escape {
        self.functions[function].escape(object)
    }

    /// Whether two objects of a function may be the same memory, or parts of it.
    pub fn may_share(&self, function: FunctionId, first: ObjectId, second: ObjectId) -> bool {
        self.functions[function].may_share(first, second)
    }

    /// Whether two pointers may lead into the same object, whatever their offsets.
    pub fn may_share_object(&self, function: FunctionId, first: ValueId, second: ValueId) -> bool {
        let (first, second) = (self.points_to(function, first), self.points_to(function, second));
        if first.is_empty() || second.is_empty() {
            return true;
        }
        first.objects().any(|one| second.objects().any(|other| self.may_share(function, one, other)))
    }

    /// How the bytes behind two pointers relate at any moment when both have their values; sizes in bytes, `None` is any
    /// number.
    pub fn alias(
        &self,
        function: FunctionId,
        first: ValueId,
        first_size: Option<u64>,
        second: ValueId,
        second_size: Option<u64>,
    ) -> Alias {
        let code = &self.program[function];
        let layout = &self.functions[function].layout;
        let (one, other) = (base(code, layout, first), base(code, layout, second));
        if one.0 == other.0 {
            let by_base = region::relate(one.1, first_size, other.1, second_size);
            if by_base != Alias::May {
                return by_base;
            }
        }
        let (firsts, seconds) = (self.points_to(function, first), self.points_to(function, second));
        if firsts.is_empty() || seconds.is_empty() {
            return Alias::May;
        }
        if let (Some(first), Some(second)) = (firsts.single(), seconds.single())
            && first.object == second.object
            && self.object(function, first.object).instances == Instances::One
        {
            return region::relate(first.offset, first_size, second.offset, second_size);
        }
        let overlap = firsts.iter().any(|first| {
            seconds.iter().any(|second| {
                let (first, second) = (
                    Region { location: first, size: first_size },
                    Region { location: second, size: second_size },
                );
                self.may_overlap(function, first, second)
            })
        });
        if overlap { Alias::May } else { Alias::No }
    }

    // Reads and writes.

    /// What an instruction may read, in order. Reading memory that never changes is included.
    pub fn reads(&self, function: FunctionId, inst: InstId) -> Vec<Region> {
        self.functions[function].accesses(&self.program[function], inst, Access::Read)
    }

    /// What an instruction may write, in order; freeing memory is writing it.
    pub fn writes(&self, function: FunctionId, inst: InstId) -> Vec<Region> {
        self.functions[function].accesses(&self.program[function], inst, Access::Write)
    }

    /// What an instruction does to memory that no instruction can name, and so to files, clocks and the like.
    pub fn hidden(&self, function: FunctionId, inst: InstId) -> Access {
        self.functions[function].hidden(&self.program[function], inst)
    }

    /// Whether two regions of a function may have a byte in common, at whatever moments they are touched.
    pub fn may_overlap(&self, function: FunctionId, first: Region, second: Region) -> bool {
        let memory = &self.functions[function];
        let (one, other) = (first.location, second.location);
        if !memory.may_share(one.object, other.object) || self.cannot_hold(function, first, second) {
            return false;
        }
        memory.graph.representative(one.object) != memory.graph.representative(other.object)
            || region::relate(one.offset, first.size, other.offset, second.size) != Alias::No
    }

    /// Whether an instruction may write what another one reads, at whatever moments they run. What never changes is never
    /// written.
    pub fn may_overwrite(&self, function: FunctionId, writer: InstId, reader: InstId) -> bool {
        let reads = self.reads(function, reader);
        !reads.is_empty() && self.may_write_any(function, writer, &reads)
    }

    /// Whether an instruction may write into one of these regions.
    pub fn may_write_any(&self, function: FunctionId, writer: InstId, regions: &[Region]) -> bool {
        let memory = &self.functions[function];
        let changes = |region: &&Region| !memory.is_constant(region.location.object);
        let regions: Vec<&Region> = regions.iter().filter(changes).collect();
        !regions.is_empty()
            && self
                .writes(function, writer)
                .iter()
                .filter(changes)
                .any(|&written| regions.iter().any(|&&region| self.may_overlap(function, written, region)))
    }

    /// What calling a function does, as its callers see it; `None` when only its attributes are known.
    pub fn summary(&self, function: FunctionId) -> Option<&Summary> {
        match &self.summaries[function] {
            Knowledge::Attributes => None,
            Knowledge::Summary(summary) => Some(summary),
        }
    }

    /// How much work the analysis was: how many places were handed from set to set. For tests of its cost.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// An access that is larger than an object does not lie in it.
    fn cannot_hold(&self, function: FunctionId, first: Region, second: Region) -> bool {
        let too_small = |region: Region, access: Region| {
            let size = self.object(function, region.location.object).size;
            size.zip(access.size).is_some_and(|(size, access)| access > size)
        };
        let differ = first.location.object != second.location.object;
        differ && (too_small(first, second) || too_small(second, first))
    }
}

/// Follows constant moves of a pointer back to where they begin.
fn base(function: &Function, layout: &DataLayout, value: ValueId) -> (ValueId, Option<i64>) {
    const STEPS: usize = 64;
    let (mut value, mut offset) = (value, Some(0_i64));
    for _ in 0..STEPS {
        let ValueDefinition::Instruction(inst) = function.values[value].definition else { break };
        let data = &function.insts[inst];
        let Opcode::GetElementPointer { source, .. } = &data.opcode else { break };
        if !function.type_of(data.operands[0]).is_pointer() || !function.type_of(value).is_pointer() {
            break;
        }
        let indices: Vec<Option<i64>> = data.operands[1..]
            .iter()
            .map(|&index| match function.as_constant(index) {
                Some(ConstantKind::Integer(index)) => index.as_i64(),
                _ => None,
            })
            .collect();
        let step = build::element_offset(function, layout, *source, &indices);
        offset = offset.zip(step).and_then(|(offset, step)| offset.checked_add(step));
        value = data.operands[0];
    }
    (value, offset)
}

/// The analysis while it runs.
struct Analysis<'a> {
    program: &'a Program,
    symbols: Symbols,
    functions: SecondaryMap<FunctionId, Option<FunctionMemory>>,
    summaries: SecondaryMap<FunctionId, Knowledge>,
    steps: u64,
}

impl Analysis<'_> {
    /// Runs functions that call each other in a circle until their summaries no longer change.
    fn component(&mut self, component: &Component) {
        if let Component::Alone(function) = *component {
            let summary = self.run(function);
            self.summaries[function] = Knowledge::Summary(Box::new(summary));
            return;
        }
        let Component::Circle(members) = component else { return };
        for &(member, _) in members {
            self.summaries[member] = Knowledge::Summary(Box::default());
        }
        let mut rounds: SecondaryMap<FunctionId, u32> = SecondaryMap::new();
        let mut waits: SecondaryMap<FunctionId, bool> = SecondaryMap::new();
        let mut pending: VecDeque<usize> = (0..members.len()).collect();
        members.iter().for_each(|&(member, _)| waits[member] = true);
        while let Some(index) = pending.pop_front() {
            let (member, callers) = &members[index];
            waits[*member] = false;
            let summary = self.run(*member);
            if self.summaries[*member] == Knowledge::Attributes {
                continue;
            }
            rounds[*member] += 1;
            let knowledge = if rounds[*member] > ROUNDS {
                Knowledge::Attributes
            } else {
                Knowledge::Summary(Box::new(summary))
            };
            if knowledge == self.summaries[*member] {
                continue;
            }
            self.summaries[*member] = knowledge;
            for &caller in callers {
                if !std::mem::replace(&mut waits[members[caller].0], true) {
                    pending.push_back(caller);
                }
            }
        }
    }

    fn run(&mut self, function: FunctionId) -> Summary {
        let around =
            Surroundings { program: self.program, symbols: &self.symbols, summaries: &self.summaries };
        let (memory, mut summary) = FunctionMemory::of(Builder::run(function, around));
        summary.restrict(Effects::of(&self.program[function].signature.attributes));
        self.steps += memory.steps;
        self.functions[function] = Some(memory);
        summary
    }
}

/// Functions that must be looked at together.
enum Component {
    /// One that does not call itself.
    Alone(FunctionId),
    /// Some that call each other, or one that calls itself; with each the places of its callers in this list.
    Circle(Vec<(FunctionId, Vec<usize>)>),
}

/// The strongly connected components of who may call whom, callees first. Whoever names a function counts as a caller: it
/// may call it through a pointer.
fn components(program: &Program, symbols: &Symbols) -> Vec<Component> {
    let mut graph = petgraph::graph::DiGraph::<FunctionId, ()>::with_capacity(program.len(), program.len());
    let nodes: Vec<_> = program.iter().map(|(id, _)| graph.add_node(id)).collect();
    let mut named: SecondaryMap<FunctionId, Vec<FunctionId>> = SecondaryMap::new();
    for (id, function) in program.iter() {
        named[id] = named_functions(id, function, symbols);
        for callee in &named[id] {
            graph.add_edge(nodes[id.as_u32() as usize], nodes[callee.as_u32() as usize], ());
        }
    }
    petgraph::algo::kosaraju_scc(&graph)
        .into_iter()
        .map(|component| {
            let mut functions: Vec<FunctionId> = component.into_iter().map(|node| graph[node]).collect();
            functions.sort_unstable();
            match functions[..] {
                [function] if !named[function].contains(&function) => Component::Alone(function),
                _ => Component::Circle(with_callers(&functions, &named)),
            }
        })
        .collect()
}

fn named_functions(id: FunctionId, function: &Function, symbols: &Symbols) -> Vec<FunctionId> {
    function
        .context
        .globals
        .keys()
        .filter_map(|global| symbols.of_global(id, global))
        .filter_map(|symbol| symbols.table[symbol].body)
        .collect()
}

fn with_callers(
    functions: &[FunctionId],
    named: &SecondaryMap<FunctionId, Vec<FunctionId>>,
) -> Vec<(FunctionId, Vec<usize>)> {
    let mut members: Vec<(FunctionId, Vec<usize>)> = functions.iter().map(|&id| (id, Vec::new())).collect();
    for (caller, id) in functions.iter().enumerate() {
        for callee in &named[*id] {
            if let Ok(index) = functions.binary_search(callee) {
                members[index].1.push(caller);
            }
        }
    }
    members
}
