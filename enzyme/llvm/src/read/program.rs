//! Reads functions with all that they lead to.

use std::collections::VecDeque;

use enzyme::model::{self, GlobalKind, HasBody, SecondaryMap};
use enzyme::program::{FunctionId, Program};
use rustc_hash::FxHashSet;

use super::{ReadError, ReadFunction, read_function};
use crate::ir::{Function, Module};

/// A program in the model, with the way back.
pub(crate) struct ReadProgram {
    /// The functions, in the order of the module.
    pub(crate) program: Program,
    /// What each was read from.
    origins: SecondaryMap<FunctionId, Option<Function>>,
}

/// A function that cannot be read, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot read `{name}`: {reason}")]
pub(crate) struct UnreadableFunction {
    /// The function's name.
    pub(crate) name: String,
    /// What of it is not understood.
    pub(crate) reason: ReadError,
}

impl ReadProgram {
    /// What a function of the program was read from.
    pub(crate) fn function(&self, id: FunctionId) -> Option<Function> {
        self.origins[id]
    }
}

/// Reads functions, and every function with a body that they lead to: by calls, by addresses that they handle, and
/// by what the variables that they name hold.
pub(crate) fn read_program(
    module: Module,
    roots: impl IntoIterator<Item = Function>,
) -> Result<ReadProgram, UnreadableFunction> {
    let mut reached = FxHashSet::default();
    let mut pending: VecDeque<Function> = roots.into_iter().filter(|root| !root.is_declaration()).collect();
    reached.extend(pending.iter().copied());
    let mut models = rustc_hash::FxHashMap::default();
    while let Some(function) = pending.pop_front() {
        let read = read_function(function.value().raw());
        let ReadFunction { model, .. } =
            read.map_err(|reason| UnreadableFunction { name: function.name(), reason })?;
        for name in names_of_bodies(&model) {
            let Some(callee) = module.function(name) else { continue };
            if reached.insert(callee) {
                pending.push_back(callee);
            }
        }
        models.insert(function, model);
    }

    let mut program = Program::default();
    let mut origins = SecondaryMap::new();
    for function in module.functions() {
        if let Some(model) = models.remove(&function) {
            origins[program.add(model)] = Some(function);
        }
    }
    Ok(ReadProgram { program, origins })
}

/// The functions with a body that a function names, or that what it names leads to. Functions without a name cannot
/// be told from others: they count as unknown.
fn names_of_bodies(function: &model::Function) -> impl Iterator<Item = &str> {
    function.context.globals.values().filter_map(|global| match &global.kind {
        GlobalKind::Function(callee) if callee.body == HasBody::Yes => Some(global.name.as_str()),
        GlobalKind::Function(_)
        | GlobalKind::Variable(_)
        | GlobalKind::Alias { .. }
        | GlobalKind::IndirectFunction { .. } => None,
    })
}
