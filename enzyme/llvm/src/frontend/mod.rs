//! Finds what the program asks for: the calls of `__enzyme_autodiff`, `__enzyme_fwddiff`, their like in two parts, and
//! `__enzyme_batch`.
//!
//! One scan over the names of the module's functions; a module that names none costs nothing more.

mod annotated;
mod arguments;
mod batch;
mod checkpoint;
mod lower;
mod markers;
mod resolve;
pub(crate) mod rules;
mod split;
mod statements;
mod variables;
mod virtual_reverse;

pub(crate) use annotated::{
    annotations_in, has_annotated_loops, is_annotation, is_gone, protect, read_annotation, remove,
    remove_annotations,
};
pub(crate) use arguments::{Request, only_linker_sees_function};
pub(crate) use batch::Batch;
pub(crate) use checkpoint::{Loop, Steps, Wish, lower_checkpointed_loops};
pub(crate) use lower::{lower, remove_markers};
pub(crate) use rules::UserRules;
pub(crate) use split::{find_directions, lower_size};
pub(crate) use statements::{
    NUMBER_OF_TERMS, Statements, lower_inactive_calls, number_and_step, remove_heard,
};
pub(crate) use virtual_reverse::{Meant, VirtualReverse};

use crate::error::Error;
use crate::ir::{Function, Instruction, Module};
use enzyme::plan::Direction;

/// What a call asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum EntryPoint {
    /// `__enzyme_autodiff`: reverse mode, the gradient.
    Autodiff,
    /// `__enzyme_fwddiff`: forward mode, the directional derivative.
    Fwddiff,
    /// `__enzyme_augmentfwd`: the primal, which gives a tape for one of the next two.
    AugmentForward,
    /// `__enzyme_fwdsplit`: forward mode, the tangents alone, which take the tape.
    ForwardSplit,
    /// `__enzyme_reverse`: reverse mode, the reverse sweep alone, which takes the tape.
    Reverse,
    /// `__enzyme_augmentsize`: how many bytes the user's memory for a tape has to have.
    AugmentSize,
}

/// Every entry point, and the name that users know it by.
const ENTRY_POINTS: [(&str, EntryPoint); 6] = [
    ("__enzyme_autodiff", EntryPoint::Autodiff),
    ("__enzyme_fwddiff", EntryPoint::Fwddiff),
    ("__enzyme_augmentfwd", EntryPoint::AugmentForward),
    ("__enzyme_fwdsplit", EntryPoint::ForwardSplit),
    ("__enzyme_reverse", EntryPoint::Reverse),
    ("__enzyme_augmentsize", EntryPoint::AugmentSize),
];

impl EntryPoint {
    /// The entry point that a function's name stands for: it contains the name, whatever is around it.
    fn of(name: &str) -> Option<EntryPoint> {
        ENTRY_POINTS.iter().find(|(part, _)| name.contains(part)).map(|(_, entry)| *entry)
    }

    /// The name that users know it by.
    pub(crate) fn name(self) -> &'static str {
        ENTRY_POINTS.iter().find(|(_, entry)| *entry == self).map_or("", |(name, _)| name)
    }

    /// Which way derivatives are taken, as far as the name tells.
    pub(crate) fn direction(self) -> Direction {
        match self {
            EntryPoint::Fwddiff | EntryPoint::ForwardSplit => Direction::Forward,
            EntryPoint::Autodiff
            | EntryPoint::AugmentForward
            | EntryPoint::Reverse
            | EntryPoint::AugmentSize => Direction::Reverse,
        }
    }

    /// Whether one call runs the primal and gives the derivative.
    pub(crate) fn is_whole(self) -> bool {
        match self {
            EntryPoint::Autodiff | EntryPoint::Fwddiff => true,
            EntryPoint::AugmentForward
            | EntryPoint::ForwardSplit
            | EntryPoint::Reverse
            | EntryPoint::AugmentSize => false,
        }
    }
}

/// The calls of an entry point, in the module's order.
pub(crate) fn find_calls(module: Module) -> Result<Vec<(EntryPoint, Instruction)>, Vec<Error>> {
    let entry_points: Vec<(EntryPoint, Function)> = module
        .functions()
        .filter(|function| function.is_declaration())
        .filter_map(|function| Some((EntryPoint::of(&function.name())?, function)))
        .collect();
    let mut calls = Vec::new();
    let mut errors = Vec::new();
    for (entry, function) in entry_points {
        // LLVM lists the latest use first.
        for user in function.value().users().into_iter().rev() {
            match user.as_instruction() {
                Some(call) if call.is_call() && call.callee() == function.value() => {
                    calls.push((entry, call))
                }
                Some(other) => errors.push(misused(entry, other)),
                // A constant that mentions it (a table, an alias): it is not called there.
                None => errors.push(misused(entry, function)),
            }
        }
    }
    if errors.is_empty() { Ok(calls) } else { Err(errors) }
}

/// The calls of an entry point in one function.
pub(crate) fn find_calls_in(function: Function) -> Vec<(EntryPoint, Instruction)> {
    let entry_point = |call: Instruction| {
        let callee = call.called_function().filter(|callee| callee.is_declaration())?;
        Some((EntryPoint::of(&callee.name())?, call))
    };
    function.instructions().filter_map(entry_point).collect()
}

/// Whether an instruction calls an entry point.
pub(crate) fn is_request(call: Instruction) -> bool {
    call.called_function().is_some_and(|callee| callee.is_declaration() && is_entry_point(&callee.name()))
}

/// Whether a function of that name is declared to ask for something.
fn is_entry_point(name: &str) -> bool {
    EntryPoint::of(name).is_some() || name.contains(batch::NAME) || name.contains(virtual_reverse::NAME)
}

fn misused(entry: EntryPoint, at: impl Into<crate::ir::Value>) -> Error {
    Error::program(at, format!("`{}` can only be called; it has no address", entry.name()))
        .help("call it directly, with the function to differentiate as its first argument")
}
