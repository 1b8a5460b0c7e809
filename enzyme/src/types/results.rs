//! What the analysis found in one function, and why.

use cranelift_entity::SecondaryMap;

use super::analyser::{Analyser, BarePointers, CallTypes, Options};
use super::error::TypeError;
use super::kind::Kind;
use super::local::{Node, State};
use super::path::Path;
use super::reasons::Because;
use super::tree::{EVERY, Limits, TypeTree};
use crate::model::{ConstantKind, DataLayout, Function, InstId, Opcode, Type, ValueDefinition, ValueId};
use crate::program::{FunctionId, Program};

/// The types of one function's values, in one context.
pub struct FunctionTypes<'a> {
    id: FunctionId,
    function: &'a Function,
    state: &'a State,
    limits: Limits,
}

/// What is known of each value of a function, taken out of the analysis.
#[derive(Clone, Debug, Default)]
pub struct ValueTypes {
    trees: SecondaryMap<ValueId, TypeTree>,
    /// How far offsets were told apart.
    limits: Limits,
    /// Bytes of an ordinary pointer.
    pointer_size: u64,
}

/// What some bytes hold, taken together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contents {
    /// Nothing is known, or nothing but that they could be anything.
    Unknown,
    /// All that is known of them is of one kind.
    Only(Kind),
    /// Things of several kinds.
    Mixed,
}

impl ValueTypes {
    /// The analysis of a function by itself, called with what the types of its signature say. A function whose types
    /// contradict each other has none.
    ///
    /// # Errors
    /// The contradiction.
    pub fn of_function(function: &Function) -> Result<Self, Box<TypeError>> {
        Self::of_call(function, CallTypes::of_signature(function, BarePointers::Said))
    }

    /// The analysis of a function by itself, where that much is known of its arguments and its result.
    ///
    /// # Errors
    /// The contradiction.
    pub fn of_call(function: &Function, call: CallTypes) -> Result<Self, Box<TypeError>> {
        let program = Program::new([function.clone()]);
        let mut analyser = Analyser::new(&program, Options::default());
        let Some(id) = program.find(&function.name) else { return Ok(Self::default()) };
        let context = analyser.analyse(id, call)?;
        Ok(analyser.types(context).values())
    }

    /// What is known of a value.
    pub fn of(&self, value: ValueId) -> &TypeTree {
        &self.trees[value]
    }

    /// What a value holds in its own bytes.
    pub fn contents(&self, value: ValueId) -> Contents {
        Contents::of(self.trees[value].iter().filter(|(path, _)| path.len() == 1).map(|(_, kind)| kind))
    }

    /// What the memory behind a pointer holds, as far as it is known.
    pub fn memory(&self, pointer: ValueId) -> Contents {
        Contents::of(self.trees[pointer].iter().filter(|(path, _)| path.len() == 2).map(|(_, kind)| kind))
    }

    /// What so many bytes behind a pointer hold: of one kind only if that is known of each of them, as far as offsets
    /// are told apart. Of a number of bytes that is not known, what is known of some counts for all.
    pub fn bytes(&self, pointer: ValueId, count: Option<u64>) -> Contents {
        let contents = self.memory(pointer);
        let (Contents::Only(kind), Some(count)) = (contents, count) else { return contents };
        let end = count.min(self.limits.offset as u64);
        let mut offsets = (0..end).step_by(kind.stride(self.pointer_size).max(1) as usize);
        let known = |offset: u64| self.trees[pointer].get(&[EVERY, offset as i32]) == Some(kind);
        if offsets.all(known) { contents } else { Contents::Unknown }
    }

    /// How far types were looked at, when something was met that lies farther, so that there may be more to know.
    pub fn reached_limits(&self) -> Option<Limits> {
        let is_at_limit = |path: &[i32]| {
            path.len() >= self.limits.depth || path.iter().any(|&offset| offset >= self.limits.offset)
        };
        let is_reached = self.trees.values().any(|tree| tree.iter().any(|(path, _)| is_at_limit(path)));
        is_reached.then_some(self.limits)
    }
}

/// What all returns of a function agree on.
pub(super) fn returned(function: &Function, tree: impl Fn(ValueId) -> TypeTree) -> TypeTree {
    let returns =
        function.insts_in_order().filter(|&inst| matches!(function.insts[inst].opcode, Opcode::Return));
    let mut trees =
        returns.filter_map(|inst| function.insts[inst].operands.first().map(|&value| tree(value)));
    let first = trees.next().unwrap_or_default();
    trees.fold(first, |mut all, tree| {
        all.meet(&tree);
        all
    })
}

impl Contents {
    fn of(kinds: impl Iterator<Item = Kind>) -> Self {
        kinds.filter(|kind| *kind != Kind::Anything).fold(Self::Unknown, |all, kind| match all {
            Self::Unknown => Self::Only(kind),
            Self::Only(known) if known == kind => all,
            Self::Only(_) | Self::Mixed => Self::Mixed,
        })
    }
}

/// One step of a derivation: something known of a value, and what it was learnt from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The value, as messages name it.
    pub value: String,
    /// Which bytes.
    pub path: Path,
    /// What they are.
    pub kind: Kind,
    /// The instruction whose rule said so; `None` for what holds from the start.
    pub inst: Option<InstId>,
    /// Why, as the end of a sentence.
    pub reason: &'static str,
}

impl<'a> FunctionTypes<'a> {
    pub(super) fn new(program: &'a Program, id: FunctionId, state: &'a State, limits: Limits) -> Self {
        Self { id, function: &program[id], state, limits }
    }

    /// The function.
    pub fn function(&self) -> &'a Function {
        self.function
    }

    /// The function's id in the program.
    pub fn id(&self) -> FunctionId {
        self.id
    }

    /// What a value was shown to be.
    pub fn of(&self, value: ValueId) -> TypeTree {
        self.state.trees.get(self.node(value).0).cloned().unwrap_or_default()
    }

    /// What listings say of a value: an integer too narrow for a float or an address is called an integer, although it
    /// may be one byte of such.
    pub fn called(&self, value: ValueId) -> TypeTree {
        let undefined =
            matches!(self.function.as_constant(value), Some(ConstantKind::Undef | ConstantKind::Poison));
        if !undefined && matches!(self.function.type_of(value), Type::Integer { bits } if *bits < 16) {
            return TypeTree::of(Kind::Integer);
        }
        self.of(value)
    }

    /// All of it, to be kept.
    pub fn values(&self) -> ValueTypes {
        let mut trees = SecondaryMap::with_capacity(self.function.values.len());
        for value in self.function.values.keys() {
            trees[value] = self.of(value);
        }
        let pointer_size = DataLayout::of(&self.function.context).pointer_size(0);
        ValueTypes { trees, limits: self.limits, pointer_size }
    }

    /// What is known of the result: what all returns agree on.
    pub fn returned(&self) -> TypeTree {
        returned(self.function, |value| self.of(value))
    }

    fn node(&self, value: ValueId) -> Node {
        match self.function.values[value].definition {
            ValueDefinition::Global(global) => Node(self.function.values.len() + global.as_u32() as usize),
            _ => Node(value.as_u32() as usize),
        }
    }

    fn name(&self, node: Node) -> String {
        match node.0.checked_sub(self.function.values.len()) {
            Some(global) => {
                let global = crate::model::GlobalId::from_u32(global as u32);
                format!("@{}", self.function.context.globals[global].name)
            }
            None => self.function.display_name(ValueId::from_u32(node.0 as u32)),
        }
    }

    /// Why some bytes of a value are what they are: from the last step back to the first.
    ///
    /// Empty when nothing is known of the bytes, or when it follows from the value's type in the program alone.
    pub fn why(&self, value: ValueId, path: &[i32]) -> Vec<Step> {
        let Some(kind) = self.of(value).get(path) else { return Vec::new() };
        self.derivation(self.node(value), path, kind)
    }

    pub(super) fn derivation(&self, node: Node, path: &[i32], kind: Kind) -> Vec<Step> {
        let reasons = &self.state.reasons;
        let mut steps = Vec::new();
        let mut found = reasons.find(node, path, kind, reasons.len());
        while let Some((position, fact)) = found.take_if(|_| steps.len() < 64) {
            steps.push(self.step(fact.node, &fact.path, kind, fact.because));
            let Some(inst) = fact.because.inst else { break };
            let data = &self.function.insts[inst];
            let others: Vec<Node> = data
                .operands
                .iter()
                .chain(&data.result)
                .map(|&value| self.node(value))
                .filter(|other| *other != fact.node)
                .collect();
            found = reasons.source(&others, kind, position);
        }
        steps
    }

    pub(super) fn step(&self, node: Node, path: &[i32], kind: Kind, because: Because) -> Step {
        Step { value: self.name(node), path: path.into(), kind, inst: because.inst, reason: because.text }
    }

    /// Why anything of a value is of a kind; empty for the value of a node, and where nothing is.
    pub(super) fn why_kind(&self, value: ValueId, kind: Kind, but: Node) -> Vec<Step> {
        let node = self.node(value);
        let tree = self.of(value);
        let known = tree.iter().find(|(_, known)| *known == kind && node != but);
        known.map(|(path, _)| self.derivation(node, path, kind)).unwrap_or_default()
    }

    pub(super) fn name_of(&self, node: Node) -> String {
        self.name(node)
    }

    /// How far trees reach.
    pub fn limits(&self) -> Limits {
        self.limits
    }
}
