//! What goes wrong in the analysis of types.

use super::path::Path;
use super::reasons::Conflict;
use super::results::{FunctionTypes, Step};
use super::tree::{PathText, TreeConflict};
use crate::model::DebugLocation;

/// Why a program's types cannot be made out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TypeError {
    /// Two statements about the same bytes contradict each other.
    #[error("in @{function}: {value} at {}: {}", PathText(path), conflict.conflict)]
    Conflict {
        /// The function.
        function: String,
        /// The value, as messages name it.
        value: String,
        /// Which bytes.
        path: Path,
        /// The statements.
        conflict: TreeConflict,
        /// Why the first one was believed, from the last step back to the first.
        known: Vec<Step>,
        /// Why the other one was made.
        new: Vec<Step>,
        /// Where in the user's program the other one was made.
        location: Option<DebugLocation>,
    },
}

impl TypeError {
    pub(super) fn conflict(types: &FunctionTypes<'_>, conflict: &Conflict) -> Self {
        let function = types.function();
        let path = conflict.conflict.path.clone();
        let kinds = conflict.conflict.conflict;
        let known = types.derivation(conflict.node, &path, kinds.known);
        let last = types.step(conflict.node, &path, kinds.new, conflict.because);
        let mut new = vec![last];
        if let Some(inst) = conflict.because.inst {
            let data = &function.insts[inst];
            let sources = data.operands.iter().chain(&data.result);
            let before = sources
                .map(|&value| types.why_kind(value, kinds.new, conflict.node))
                .find(|steps| !steps.is_empty());
            new.extend(before.unwrap_or_default());
        }
        Self::Conflict {
            function: function.name.clone(),
            value: types.name_of(conflict.node),
            path,
            conflict: conflict.conflict.clone(),
            known,
            new,
            location: conflict.because.inst.and_then(|inst| function.insts[inst].location.clone()),
        }
    }

    /// What the user can do about it.
    pub fn help(&self) -> &'static str {
        match self {
            Self::Conflict { .. } => {
                "memory that holds values of different types at different times can be told apart with \
                 `-enzyme-strict-aliasing=0`; the attribute `\"enzyme_type\"` says what a value is"
            }
        }
    }
}
