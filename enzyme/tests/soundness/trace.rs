//! The life of every byte: where it came from, through which pointer it was reached, how it was used.
//!
//! Each time a value is defined or memory is written, every byte of it becomes a [`Node`]. A node knows the node it
//! was copied from, so that a use of a copy is a use of everything it was copied from, and the node of the pointer
//! through which it was loaded or stored.

use enzyme::model::{FloatType, InstId, ValueId};
use rustc_hash::FxHashMap;

use super::uses::Uses;

/// A byte at one moment of its life. Node 0 stands for bytes nobody asks about: those of constants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct NodeId(pub(crate) u32);

impl NodeId {
    /// The node of bytes that nobody asks about.
    pub(crate) const NONE: Self = Self(0);

    pub(crate) fn is_none(self) -> bool {
        self == Self::NONE
    }
}

/// What a byte was made as: it keeps this wherever it is copied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Origin {
    /// An integer, or nothing in particular.
    #[default]
    Plain,
    /// An address.
    Pointer,
    /// A float without a tangent.
    Float(FloatType),
    /// A float with a tangent that is not zero.
    Active(EntryId),
}

/// One float with a tangent that is not zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct EntryId(u32);

/// What is known of a float with a tangent.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) ty: FloatType,
    pub(crate) bits: u128,
    pub(crate) tangent: f64,
    /// How far another way of computing the tangent may be off, by rounding.
    pub(crate) error: f64,
    /// The bytes it was computed from, as far as the derivative goes.
    sources: Vec<NodeId>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Node {
    parent: NodeId,
    /// The pointer through which the byte was reached, and where it lay.
    reached: Option<Reached>,
    pub(crate) origin: Origin,
    pub(crate) uses: Uses,
    /// The floats that it was part of by the types of values.
    pub(crate) typed: Uses,
    /// Whether its tangent, or that of what it points to, reached an output.
    pub(crate) active: bool,
    /// For the first byte of a pointer, the address.
    pointee: u64,
    definition: Option<DefinitionId>,
    /// Which byte of the definition.
    offset: u32,
}

#[derive(Clone, Copy, Debug)]
struct Reached {
    pointer: NodeId,
    address: u64,
}

/// A way of calls by which a function was entered. Root contexts have no parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ContextId(pub(crate) u32);

/// The function of a context and the call that entered it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Context {
    /// Index of the function in the module.
    pub(crate) function: usize,
    /// The caller's context and the call.
    pub(crate) caller: Option<(ContextId, InstId)>,
}

/// One time a value was defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DefinitionId(u32);

#[derive(Clone, Debug)]
struct Definition {
    context: ContextId,
    value: ValueId,
    activation: u32,
    first: u32,
    length: u32,
}

/// Consecutive nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) first: u32,
    pub(crate) length: u32,
}

/// Bytes that can be named from a value: `[offset in the value, offset in the memory it points to, …]`.
pub(crate) type Place = (ContextId, ValueId, Vec<i64>);

/// How a new byte relates to what was there before.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NewNode {
    pub(crate) parent: NodeId,
    pub(crate) origin: Origin,
    pub(crate) pointee: u64,
}

/// The record of one execution.
#[derive(Debug)]
pub(crate) struct Trace {
    pub(crate) nodes: Vec<Node>,
    entries: Vec<Entry>,
    pub(crate) contexts: Vec<Context>,
    context_ids: FxHashMap<Context, ContextId>,
    definitions: Vec<Definition>,
    /// Activations of functions; whether each is still running.
    activations: Vec<bool>,
    /// Bytes reached through values.
    facts: FxHashMap<Place, Vec<Run>>,
    /// Bytes of memory that instructions wrote.
    writes: Vec<(ContextId, InstId, Run)>,
}

/// How many pointers are followed from a value to the bytes it leads to.
const MOST_POINTERS: usize = 3;

impl Trace {
    pub(crate) fn new() -> Self {
        Self {
            nodes: vec![Node::default()],
            entries: Vec::new(),
            contexts: Vec::new(),
            context_ids: FxHashMap::default(),
            definitions: Vec::new(),
            activations: Vec::new(),
            facts: FxHashMap::default(),
            writes: Vec::new(),
        }
    }

    // Making.

    /// The context of a function entered by a call.
    pub(crate) fn context(&mut self, context: Context) -> ContextId {
        if let Some(&id) = self.context_ids.get(&context) {
            return id;
        }
        let id = ContextId(self.contexts.len() as u32);
        self.contexts.push(context.clone());
        self.context_ids.insert(context, id);
        id
    }

    /// A function starts to run.
    pub(crate) fn enter(&mut self) -> u32 {
        self.activations.push(true);
        self.activations.len() as u32 - 1
    }

    /// A function has returned: what happens to memory from now on is no longer its own business.
    pub(crate) fn leave(&mut self, activation: u32) {
        self.activations[activation as usize] = false;
    }

    /// A float with a tangent that is not zero, computed from these bytes.
    pub(crate) fn float(
        &mut self,
        ty: FloatType,
        bits: u128,
        (tangent, error): (f64, f64),
        sources: Vec<NodeId>,
    ) -> EntryId {
        self.entries.push(Entry { ty, bits, tangent, error, sources });
        EntryId(self.entries.len() as u32 - 1)
    }

    pub(crate) fn entry(&self, id: EntryId) -> &Entry {
        &self.entries[id.0 as usize]
    }

    /// The bytes of a value that is defined now.
    pub(crate) fn define(
        &mut self,
        context: ContextId,
        activation: u32,
        value: ValueId,
        bytes: impl ExactSizeIterator<Item = NewNode>,
    ) -> Run {
        let first = self.nodes.len() as u32;
        let length = bytes.len() as u32;
        let id = DefinitionId(self.definitions.len() as u32);
        self.definitions.push(Definition { context, value, activation, first, length });
        for (byte, offset) in bytes.zip(0..) {
            self.push(byte, None);
            let node = self.nodes.last_mut().expect("just pushed");
            node.definition = Some(id);
            node.offset = offset;
        }
        Run { first, length }
    }

    /// Bytes that are in memory now, or on their way from it, at this address.
    pub(crate) fn reach(
        &mut self,
        pointer: NodeId,
        address: u64,
        bytes: impl ExactSizeIterator<Item = NewNode>,
    ) -> Run {
        let run = Run { first: self.nodes.len() as u32, length: bytes.len() as u32 };
        for (byte, offset) in bytes.zip(0..) {
            self.push(byte, Some(Reached { pointer, address: address + offset }));
        }
        self.note(pointer, address, &[], run, MOST_POINTERS);
        run
    }

    /// An instruction wrote to memory.
    pub(crate) fn note_write(&mut self, context: ContextId, inst: InstId, run: Run) {
        self.writes.push((context, inst, run));
    }

    fn push(&mut self, byte: NewNode, reached: Option<Reached>) {
        let NewNode { parent, origin, pointee } = byte;
        self.nodes.push(Node { parent, origin, pointee, reached, ..Node::default() });
    }

    /// Notes bytes at an address with every value, of functions that still run, from which the pointer to them came.
    fn note(&mut self, pointer: NodeId, address: u64, rest: &[i64], run: Run, pointers_left: usize) {
        let mut next = pointer;
        while !next.is_none() {
            let node = &self.nodes[next.0 as usize];
            let (parent, reached) = (node.parent, node.reached);
            let distance = address.wrapping_sub(node.pointee) as i64;
            let mut path = vec![distance];
            path.extend_from_slice(rest);
            if let Some(definition) = node.definition {
                let Definition { context, value, activation, .. } = self.definitions[definition.0 as usize];
                if self.activations[activation as usize] {
                    let mut place = vec![i64::from(node.offset)];
                    place.extend_from_slice(&path);
                    let runs = self.facts.entry((context, value, place)).or_default();
                    if !runs.contains(&run) {
                        runs.push(run);
                    }
                }
            }
            if let Some(reached) = reached
                && pointers_left > 1
            {
                self.note(reached.pointer, reached.address, &path, run, pointers_left - 1);
            }
            next = parent;
        }
    }

    /// A byte, and so everything it was copied from, was used.
    pub(crate) fn mark_use(&mut self, node: NodeId, uses: Uses) {
        let mut next = node;
        while !next.is_none() {
            let node = &mut self.nodes[next.0 as usize];
            if node.uses.contains(uses) {
                return;
            }
            node.uses |= uses;
            next = node.parent;
        }
    }

    /// A byte, and so everything it was copied from, is part of a value of a floating-point type.
    pub(crate) fn mark_type(&mut self, node: NodeId, float: Uses) {
        let mut next = node;
        while !next.is_none() {
            let node = &mut self.nodes[next.0 as usize];
            if node.typed.contains(float) {
                return;
            }
            node.typed |= float;
            next = node.parent;
        }
    }

    // Looking back.

    /// These bytes are an output: everything that their tangents came from is active.
    pub(crate) fn mark_output(&mut self, bytes: impl IntoIterator<Item = NodeId>) {
        let mut pending: Vec<NodeId> = bytes
            .into_iter()
            .filter(|node| matches!(self.nodes[node.0 as usize].origin, Origin::Active(_)))
            .collect();
        while let Some(id) = pending.pop() {
            let node = &mut self.nodes[id.0 as usize];
            if id.is_none() || std::mem::replace(&mut node.active, true) {
                continue;
            }
            let parent = node.parent;
            let origin = node.origin;
            pending.push(parent);
            pending.extend(node.reached.map(|reached| reached.pointer));
            if let Origin::Active(entry) = origin {
                let entry = &mut self.entries[entry.0 as usize];
                // Every byte of a float leads to the same sources: once is enough.
                pending.append(&mut entry.sources);
            }
        }
    }

    /// Whether a byte holds part of a float with a tangent that reached an output.
    pub(crate) fn carries(&self, node: &Node) -> bool {
        node.active && matches!(node.origin, Origin::Active(_))
    }

    /// The nodes of a run.
    pub(crate) fn run(&self, run: Run) -> &[Node] {
        &self.nodes[run.first as usize..(run.first + run.length) as usize]
    }

    /// Every time a value was defined, with its bytes.
    pub(crate) fn definitions(&self) -> impl Iterator<Item = (ContextId, ValueId, &[Node])> {
        self.definitions.iter().map(|definition| {
            let run = Run { first: definition.first, length: definition.length };
            (definition.context, definition.value, self.run(run))
        })
    }

    /// Every place in memory that was reached through a value, with the bytes that were there; in order.
    pub(crate) fn facts(&self) -> Vec<(&Place, &[Run])> {
        let mut facts: Vec<_> = self.facts.iter().map(|(place, runs)| (place, runs.as_slice())).collect();
        facts.sort_unstable_by_key(|(place, _)| *place);
        facts
    }

    /// Every write to memory, with the bytes written.
    pub(crate) fn writes(&self) -> impl Iterator<Item = (ContextId, InstId, &[Node])> {
        self.writes.iter().map(|&(context, inst, run)| (context, inst, self.run(run)))
    }
}
