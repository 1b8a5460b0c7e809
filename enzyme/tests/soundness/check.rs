//! Verdicts held against what happened.
//!
//! # What contradicts a verdict
//!
//! 1. A *value* is not inactive when, at some time, one of its bytes belonged to a float with a tangent that is not
//!    zero and that went on, through this value, into an output: the number returned or the memory of an active
//!    argument. Bytes of floats may be in integers. A pointer is not inactive either when such a float was loaded or
//!    stored through it, or through what came from it.
//! 2. An *instruction* is not inactive when its result held such a float, when it wrote such a float to memory, or when
//!    it called a function that did so.
//! 3. `Integer` is contradicted by a byte that was used in floating-point arithmetic or to reach memory, there or
//!    wherever it was copied afterwards; and by one that belongs to such a float. An address in an integer is an
//!    integer as long as nobody makes an address of it again that is used.
//! 4. `Pointer` is contradicted by use as a float, and by use as an integer of a byte that never was an address.
//!    Comparing and computing with an address is fine.
//! 5. `Float` is contradicted by use as an address, as another byte of a float or as a float of another type; and by use
//!    as an integer of a byte that never was in a float, nor in a value of that type. Integer arithmetic on the bits of a float is fine.
//! 6. Comparing floats is no use as a float: it says nothing that a derivative needs.
//! 7. `Anything`, and saying nothing, are never contradicted.
//!
//! What is said of memory that a value leads to holds from the value's definition until its function returns, for
//! every access through the value or through what came from it, in functions that were called, too. Memory of which
//! something else is known through other pointers is not the value's business.

use enzyme::model::{FloatType, Function, InstId, Module, ValueId};
use enzyme::types::{EVERY, Kind, TypeTree};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;

use crate::trace::{ContextId, Node, Origin, Trace};
use crate::uses::Uses;
use crate::verdicts::Verdicts;

/// A verdict that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Contradiction {
    pub(crate) function: String,
    /// The value or instruction, as the text form writes it.
    pub(crate) subject: String,
    pub(crate) wrong: Wrong,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wrong {
    /// A value that carried a derivative is called inactive.
    InactiveValue,
    /// An instruction that moved a derivative is called inactive.
    InactiveInstruction,
    /// A byte was used as something else.
    Type {
        /// Offsets, in the value and in the memory it leads to.
        place: Vec<i64>,
        said: Kind,
        /// How the byte was used, and what it was made as.
        seen: String,
    },
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "in @{}, {}", self.function, self.subject)?;
        match &self.wrong {
            Wrong::InactiveValue => f.write_str(" is called inactive and carried a derivative"),
            Wrong::InactiveInstruction => f.write_str(" is called inactive and moved a derivative"),
            Wrong::Type { place, said, seen } => write!(f, " at {place:?} is called {said} and was {seen}"),
        }
    }
}

/// Everything that a run shows to be wrong, in the order of the program.
pub(crate) fn contradictions<V: Verdicts>(
    module: &Module,
    trace: &Trace,
    verdicts: &mut V,
) -> Vec<Contradiction> {
    let mut scopes: Vec<V::Scope> = Vec::with_capacity(trace.contexts.len());
    for context in &trace.contexts {
        let scope = match context.caller {
            None => verdicts.entry(),
            // Callers come before those they call.
            Some((caller, call)) => {
                let caller = scopes[caller.0 as usize].clone();
                verdicts.callee(&caller, call, context.function)
            }
        };
        scopes.push(scope);
    }
    let mut check =
        Check { module, trace, verdicts, scopes: &scopes, types: FxHashMap::default(), found: Vec::new() };
    check.activity();
    check.types();
    check.found
}

struct Check<'a, V: Verdicts> {
    module: &'a Module,
    trace: &'a Trace,
    verdicts: &'a V,
    scopes: &'a [V::Scope],
    types: FxHashMap<(ContextId, ValueId), TypeTree>,
    found: Vec<Contradiction>,
}

impl<V: Verdicts> Check<'_, V> {
    fn function(&self, context: ContextId) -> &Function {
        &self.module.functions[self.trace.contexts[context.0 as usize].function]
    }

    fn report(&mut self, context: ContextId, subject: String, wrong: Wrong) {
        let function = self.function(context).name.clone();
        let contradiction = Contradiction { function, subject, wrong };
        if !self.found.contains(&contradiction) {
            self.found.push(contradiction);
        }
    }

    fn activity(&mut self) {
        let mut values: Vec<(ContextId, ValueId)> = Vec::new();
        let mut instructions: Vec<(ContextId, InstId)> = Vec::new();
        let mut seen = FxHashSet::default();
        for (context, value, nodes) in self.trace.definitions() {
            if nodes.iter().any(|node| node.active) && seen.insert((context, value)) {
                values.push((context, value));
            }
            if nodes.iter().any(|node| self.trace.carries(node))
                && let Some(inst) = self.function(context).as_inst(value)
            {
                instructions.push((context, inst));
            }
        }
        for (context, inst, nodes) in self.trace.writes() {
            if nodes.iter().any(|node| self.trace.carries(node)) {
                instructions.push((context, inst));
            }
        }
        let mut seen = FxHashSet::default();
        for &instruction in &instructions {
            let mut next = Some(instruction);
            // The calls that led there moved the derivative, too.
            while let Some((context, inst)) = next.filter(|place| seen.insert(*place)) {
                if self.verdicts.inactive_instruction(&self.scopes[context.0 as usize], inst) {
                    let subject = describe(self.function(context), inst);
                    self.report(context, subject, Wrong::InactiveInstruction);
                }
                next = self.trace.contexts[context.0 as usize].caller;
            }
        }
        for (context, value) in values {
            if self.verdicts.inactive_value(&self.scopes[context.0 as usize], value) {
                let subject = self.function(context).display_name(value);
                self.report(context, subject, Wrong::InactiveValue);
            }
        }
    }

    fn types(&mut self) {
        let trace = self.trace;
        for (context, value, nodes) in trace.definitions() {
            self.bytes(context, value, &[0], nodes);
        }
        for ((context, value, place), runs) in trace.facts() {
            for run in runs {
                self.bytes(*context, *value, place, trace.run(*run));
            }
        }
    }

    /// Bytes that lie one after the other from a place on.
    fn bytes(&mut self, context: ContextId, value: ValueId, place: &[i64], nodes: &[Node]) {
        let scopes = self.scopes;
        let verdicts = self.verdicts;
        let tree = self
            .types
            .entry((context, value))
            .or_insert_with(|| verdicts.types(&scopes[context.0 as usize], value));
        if tree.is_empty() {
            return;
        }
        let mut wrong = Vec::new();
        let mut place = place.to_vec();
        let last = place.len() - 1;
        for node in nodes {
            if let Some((kind, byte)) = said(tree, &place)
                && contradicts(self.trace, kind, byte, node)
            {
                let seen = seen(self.trace, node);
                wrong.push(Wrong::Type { place: place.clone(), said: kind, seen });
                break;
            }
            place[last] += 1;
        }
        for wrong in wrong {
            let subject = self.function(context).display_name(value);
            self.report(context, subject, wrong);
        }
    }
}

fn describe(function: &Function, inst: InstId) -> String {
    let data = &function.insts[inst];
    match data.result {
        Some(result) => format!("the instruction {}", function.display_name(result)),
        None => {
            let operands: Vec<String> =
                data.operands.iter().map(|&operand| function.display_name(operand)).collect();
            format!("the instruction `{} {}`", data.opcode.mnemonic(), operands.join(", "))
        }
    }
}

fn seen(trace: &Trace, node: &Node) -> String {
    let made = match node.origin {
        Origin::Plain => "no address and no float".to_owned(),
        Origin::Pointer => "an address".to_owned(),
        Origin::Float(ty) => format!("a {ty} without a tangent"),
        Origin::Active(entry) => format!("a {} with a tangent", trace.entry(entry).ty),
    };
    let carries = if trace.carries(node) { " that reached an output" } else { "" };
    let used =
        if node.uses == Uses::default() { String::new() } else { format!(", used as {:?}", node.uses) };
    format!("made as {made}{carries}{used}")
}

/// What a tree says of one byte, and which byte of it this is.
pub(crate) fn said(tree: &TypeTree, place: &[i64]) -> Option<(Kind, usize)> {
    let (&offset, way) = place.split_last()?;
    if place.iter().any(|&offset| offset < 0) {
        return None;
    }
    let leads_here = |path: &[i32]| {
        path.len() == place.len()
            && path.iter().zip(way).all(|(&said, &is)| said == EVERY || i64::from(said) == is)
    };
    let mut general = None;
    for (path, kind) in tree.iter().filter(|(path, _)| leads_here(path)) {
        let size = size(kind);
        match *path.last()? {
            EVERY => general = general.or(Some((kind, offset as usize % size))),
            start => {
                let distance = offset - i64::from(start);
                if (0..size as i64).contains(&distance) {
                    return Some((kind, distance as usize));
                }
            }
        }
    }
    general
}

fn size(kind: Kind) -> usize {
    match kind {
        Kind::Anything | Kind::Integer => 1,
        Kind::Pointer => 8,
        Kind::Float(float) => float.bits() as usize / 8,
    }
}

/// Whether what became of a byte contradicts what is said of it. See the module's documentation.
fn contradicts(trace: &Trace, said: Kind, byte: usize, node: &Node) -> bool {
    let uses = node.uses;
    let never_float = |ty: FloatType| {
        let made = match node.origin {
            Origin::Float(made) => made == ty,
            Origin::Active(entry) => trace.entry(entry).ty == ty,
            Origin::Plain | Origin::Pointer => false,
        };
        let float = Uses::float(ty, byte);
        !made && !uses.contains(float) && !node.typed.contains(float)
    };
    let is_integer = uses.contains(Uses::INTEGER);
    match said {
        Kind::Anything => false,
        Kind::Integer => uses.any_float() || uses.contains(Uses::POINTER) || trace.carries(node),
        Kind::Pointer => {
            let never_address = node.origin != Origin::Pointer && !uses.contains(Uses::POINTER);
            uses.any_float() || is_integer && never_address
        }
        Kind::Float(ty) => {
            uses.contains(Uses::POINTER) || uses.another_float(ty, byte) || is_integer && never_float(ty)
        }
    }
}
