//! What a function does to memory, as its callers see it.

use super::attributes::{Access, Effects};
use super::object::{Instances, SymbolId};
use std::collections::BTreeSet;

/// Memory, as a caller of a function can name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Root {
    /// What this argument points to; as a value: this argument.
    Parameter(u32),
    /// What the pointers there point to.
    Reached(u32),
    /// What lies at the end of chains of two or more pointers.
    Beyond(u32),
    /// A global.
    Global(SymbolId),
    /// C's `errno`.
    ErrorNumber,
    /// Memory that the call made.
    New,
    /// Everything that code elsewhere can reach.
    Outside,
}

/// A place, as a caller can name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// In which memory.
    pub root: Root,
    /// How many bytes from the beginning, for a parameter from where it points; `None` is anywhere.
    pub offset: Option<i64>,
}

/// Some bytes, as a caller can name them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Where they begin.
    pub place: Place,
    /// How many; `None` is any number.
    pub size: Option<u64>,
}

/// What calling a function does to memory. The memory of its own frame, which nobody sees, is left out, and so is memory
/// that never changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// What it may read.
    pub reads: Vec<Span>,
    /// What it may write.
    pub writes: Vec<Span>,
    /// What its result may point to.
    pub returned: Vec<Place>,
    /// Pointers that it may store, and where: in memory that its arguments lead to.
    pub stored: Vec<(Span, Place)>,
    /// More of them, where it is not told which is stored where.
    pub mixed: Mixture,
    /// What code elsewhere may get the address of.
    pub leaked: Vec<Root>,
    /// Pointers that may lie in the memory that it makes and leaves to its caller.
    pub in_new: Vec<Root>,
    /// What is known of that memory.
    pub new: NewMemory,
    /// What it does to memory that no instruction can name: files, clocks.
    pub hidden: Access,
}

/// Pointers any of which may be stored anywhere in any of some memories.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mixture {
    /// The pointers.
    pub pointers: BTreeSet<Root>,
    /// Where they may be stored.
    pub targets: BTreeSet<Root>,
}

/// What is known of memory that a function makes and leaves to its caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewMemory {
    /// The size of each piece, if known.
    pub size: Option<u64>,
    /// How many pieces each call makes.
    pub instances: Instances,
}

impl Default for NewMemory {
    fn default() -> Self {
        Self { size: None, instances: Instances::Many }
    }
}

/// How many globals a list of a summary tells from [`Root::Outside`].
const GLOBALS_TOLD_APART: usize = 16;

/// How many spans of one memory a list tells apart.
const SPANS_TOLD_APART: usize = 4;

/// How many pairs of a pointer and where it is stored a summary tells apart.
const PAIRS_TOLD_APART: usize = 32;

impl Summary {
    /// Drops what the attributes of the function forbid.
    pub(super) fn restrict(&mut self, effects: Effects) {
        self.reads.retain(|span| allowed(effects, span.place.root).reads());
        self.writes.retain(|span| allowed(effects, span.place.root).writes());
        self.hidden = self.hidden.and(effects.inaccessible);
    }

    /// Brings lists into order, bounds their length, and so makes equal summaries equal in form.
    pub(super) fn normalise(&mut self) {
        self.reads = bounded_spans(&self.reads);
        self.writes = bounded_spans(&self.writes);
        self.returned = bounded_places(&self.returned);
        self.leaked = bounded_roots(&self.leaked);
        self.in_new = bounded_roots(&self.in_new);
        self.stored.sort_unstable();
        self.stored.dedup();
        if self.stored.len() > PAIRS_TOLD_APART {
            for (span, value) in std::mem::take(&mut self.stored) {
                self.mixed.targets.insert(span.place.root);
                self.mixed.pointers.insert(value.root);
            }
        }
        let pointers: Vec<Root> = self.mixed.pointers.iter().copied().collect();
        self.mixed.pointers = bounded_roots(&pointers).into_iter().collect();
    }
}

fn allowed(effects: Effects, root: Root) -> Access {
    match root {
        Root::Parameter(_) => effects.arguments,
        Root::Reached(_) | Root::Beyond(_) | Root::Global(_) | Root::Outside => effects.other,
        Root::ErrorNumber => effects.error_number,
        Root::New => Access::ReadWrite,
    }
}

fn bounded_roots(roots: &[Root]) -> Vec<Root> {
    let mut roots = roots.to_vec();
    roots.sort_unstable();
    roots.dedup();
    let is_global = |root: &Root| matches!(root, Root::Global(_));
    if roots.contains(&Root::Outside)
        || roots.iter().filter(|root| is_global(root)).count() > GLOBALS_TOLD_APART
    {
        roots.retain(|root| !is_global(root) && *root != Root::Outside);
        roots.push(Root::Outside);
    }
    roots
}

fn bounded_places(places: &[Place]) -> Vec<Place> {
    let roots: Vec<Root> = places.iter().map(|place| place.root).collect();
    let mut bounded = Vec::new();
    for root in bounded_roots(&roots) {
        let mut offsets: Vec<Option<i64>> =
            places.iter().filter(|place| place.root == root).map(|place| place.offset).collect();
        offsets.sort_unstable();
        offsets.dedup();
        if offsets.is_empty() || offsets[0].is_none() || offsets.len() > SPANS_TOLD_APART {
            offsets = vec![None];
        }
        bounded.extend(offsets.into_iter().map(|offset| Place { root, offset }));
    }
    bounded
}

fn bounded_spans(spans: &[Span]) -> Vec<Span> {
    let mut spans = spans.to_vec();
    spans.sort_unstable();
    spans.dedup();
    let roots: Vec<Root> = spans.iter().map(|span| span.place.root).collect();
    let mut bounded = Vec::new();
    for root in bounded_roots(&roots) {
        let start = spans.partition_point(|span| span.place.root < root);
        let own: Vec<Span> =
            spans[start..].iter().take_while(|span| span.place.root == root).copied().collect();
        let is_whole = own.first().is_none_or(|span| span.place.offset.is_none());
        if is_whole || own.len() > SPANS_TOLD_APART {
            bounded.push(Span { place: Place { root, offset: None }, size: None });
        } else {
            bounded.extend(own);
        }
    }
    bounded
}
