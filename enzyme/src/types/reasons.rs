//! Why something is known: each fact with what it was learnt from.

use super::kind::Kind;
use super::local::Node;
use super::path::Path;
use super::tree::TreeConflict;
use crate::model::InstId;

/// What a fact was learnt from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Because {
    /// The instruction whose rule said so.
    pub inst: Option<InstId>,
    /// What it says, as the end of a sentence about the value.
    pub text: &'static str,
}

impl Because {
    pub(super) fn new(inst: InstId, text: &'static str) -> Self {
        Self { inst: Some(inst), text }
    }

    pub(super) fn constant(text: &'static str) -> Self {
        Self { inst: None, text }
    }

    pub(super) fn argument() -> Self {
        Self::constant("the caller passes it as such")
    }

    pub(super) fn result() -> Self {
        Self::constant("the caller takes it as such")
    }

    pub(super) fn assumption(inst: Option<InstId>) -> Self {
        Self { inst, text: "it is made of itself and of integers alone" }
    }
}

/// Something that was learnt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fact {
    pub(super) node: Node,
    pub(super) path: Path,
    pub(super) kind: Kind,
    pub(super) because: Because,
}

/// All that was learnt, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Reasons {
    facts: Vec<Fact>,
    /// For each fact the one before it about the same node. Only explanations ask, so that nothing better is kept.
    previous: Vec<Option<u32>>,
    /// The last fact about each node.
    latest: Vec<Option<u32>>,
}

impl Reasons {
    pub(super) fn add(&mut self, fact: Fact) {
        let node = fact.node.0;
        if node >= self.latest.len() {
            self.latest.resize(node + 1, None);
        }
        self.previous.push(self.latest[node].replace(self.facts.len() as u32));
        self.facts.push(fact);
    }

    /// The facts about a node that came before a position, the last one first.
    fn about(&self, node: Node, before: usize) -> impl Iterator<Item = (usize, &Fact)> {
        let latest = self.latest.get(node.0).copied().flatten();
        std::iter::successors(latest, |&position| self.previous[position as usize])
            .map(|position| position as usize)
            .skip_while(move |&position| position >= before)
            .map(|position| (position, &self.facts[position]))
    }

    /// The first fact about some bytes that says what is known, with its position. Facts about all offsets count for
    /// each.
    pub(super) fn find(&self, node: Node, path: &[i32], kind: Kind, before: usize) -> Option<(usize, &Fact)> {
        let says_so = |(_, fact): &(usize, &Fact)| {
            fact.kind == kind
                && fact.path.len() == path.len()
                && fact.path.iter().zip(path).all(|(&known, &asked)| known == asked || known < 0 || asked < 0)
        };
        self.about(node, before).filter(says_so).last()
    }

    /// The last fact about one of some nodes that came before another one and is of the same kind.
    pub(super) fn source(&self, nodes: &[Node], kind: Kind, before: usize) -> Option<(usize, &Fact)> {
        let last = |&node: &Node| self.about(node, before).find(|(_, fact)| fact.kind == kind);
        nodes.iter().filter_map(last).max_by_key(|(position, _)| *position)
    }

    pub(super) fn len(&self) -> usize {
        self.facts.len()
    }
}

/// A contradiction: a statement that cannot hold beside what is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Conflict {
    pub(super) node: Node,
    pub(super) because: Because,
    pub(super) conflict: TreeConflict,
}
