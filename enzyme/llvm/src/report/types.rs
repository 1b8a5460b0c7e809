//! What `print-type-analysis` prints.
//!
//! For each function in the order of the module, and for each context in which it was analysed: a line with what was
//! known of result and arguments, and what is known of each argument and instruction. A context comes twice when more
//! is known of result and arguments in the end than at the start: the second time under what is known in the end.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use enzyme::model::{FloatType, Function, ValueId};
use enzyme::program::FunctionId;
use enzyme::types::{Analyser, BarePointers, CallTypes, ContextId, FunctionTypes, Kind, TypeTree};

use super::{Text, type_error};
use crate::error::Error;
use crate::options::Options;
use crate::read::ReadProgram;
use crate::stage::{Stage, during};

/// The types of a function that is called with what its signature says, and of all that it calls.
pub(super) fn report(read: &ReadProgram, root: FunctionId, options: &Options) -> Result<String, Error> {
    let program = &read.program;
    let mut analyser = Analyser::new(program, options.types());
    let call = CallTypes::of_signature(&program[root], BarePointers::Said);
    let name = &program[root].name;
    during(Stage::Types, Some(name), || analyser.analyse(root, call))
        .map_err(|why| type_error(read, root, &why))?;
    Ok(during(Stage::Report, Some(name), || blocks(read, &analyser)))
}

fn blocks(read: &ReadProgram, analyser: &Analyser<'_>) -> String {
    let mut report = String::new();
    for (id, _) in read.program.iter() {
        let contexts = contexts_of(analyser, id);
        if contexts.is_empty() {
            continue;
        }
        let text = Text::of(read, id);
        for (Ordered(call), context) in &contexts {
            block(&mut report, &analyser.types(*context), call, &text);
        }
    }
    report
}

/// Each context of a function under what was known at its start, and under what is known in the end.
fn contexts_of(analyser: &Analyser<'_>, function: FunctionId) -> BTreeMap<Ordered, ContextId> {
    let own = || analyser.contexts().filter(|(_, of, _)| *of == function);
    let mut contexts: BTreeMap<Ordered, ContextId> =
        own().map(|(id, _, call)| (Ordered(call.clone()), id)).collect();
    for (id, ..) in own() {
        contexts.entry(Ordered(analyser.final_types(id))).or_insert(id);
    }
    contexts
}

fn block(out: &mut String, types: &FunctionTypes<'_>, call: &CallTypes, text: &Text) {
    let function = types.function();
    // Writing to a string cannot fail.
    let _ = write!(out, "{} - {} |", function.name, call.result);
    for (tree, numbers) in call.arguments.iter().zip(&call.known_integers) {
        let numbers: String = numbers.iter().map(|number| format!("{number},")).collect();
        let _ = write!(out, "{tree}:{{{numbers}}} ");
    }
    out.push('\n');
    *out += &body(function, text, |value| types.called(value));
}

/// A line for each parameter, block and instruction, with what is known of it.
pub(super) fn body(function: &Function, text: &Text, of: impl Fn(ValueId) -> TypeTree) -> String {
    let mut out = String::new();
    for (parameter, text) in function.parameters.iter().zip(&text.parameters) {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{text}: {}", of(*parameter));
    }
    for block in function.blocks.values() {
        let _ = writeln!(out, "{}", block.name.as_deref().unwrap_or_default());
        for &inst in &block.insts {
            let tree = function.insts[inst].result.map(&of).unwrap_or_default();
            let _ = writeln!(out, "{}: {tree}", text.insts[inst]);
        }
    }
    out
}

/// What is known at a call, in the order in which contexts are printed: by the result, then by argument.
#[derive(PartialEq, Eq)]
struct Ordered(CallTypes);

impl Ord for Ordered {
    fn cmp(&self, other: &Self) -> Ordering {
        let (left, right) = (&self.0, &other.0);
        let arguments = || {
            let pairs = left.arguments.iter().zip(&right.arguments);
            pairs.zip(left.known_integers.iter().zip(&right.known_integers))
        };
        compare_trees(&left.result, &right.result).then_with(|| {
            let by_argument = arguments().map(|((left, right), (left_numbers, right_numbers))| {
                compare_trees(left, right).then_with(|| left_numbers.cmp(right_numbers))
            });
            by_argument.fold(Ordering::Equal, Ordering::then)
        })
    }
}

impl PartialOrd for Ordered {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

fn compare_trees(left: &TypeTree, right: &TypeTree) -> Ordering {
    let rank = |(path, kind)| (path, rank(kind));
    left.iter().map(rank).cmp(right.iter().map(rank))
}

/// Kinds in the order in which trees with the same paths are printed.
fn rank(kind: Kind) -> (u8, Option<FloatType>) {
    match kind {
        Kind::Integer => (0, None),
        Kind::Float(float) => (1, Some(float)),
        Kind::Pointer => (2, None),
        Kind::Anything => (3, None),
    }
}
