//! What an analysis says of a program, in the form in which it is checked.

mod activity;
mod forward;
mod types;
mod wrong;

use enzyme::model::{InstId, ValueId};
use enzyme::types::TypeTree;

pub(crate) use activity::FoundActivity;
pub(crate) use forward::ForwardPlans;
pub(crate) use types::FoundTypes;

/// Verdicts about the functions of one module.
pub(crate) trait Verdicts {
    /// A function as it is called in one way: what the analysis knows there. Equal calls may share a scope.
    type Scope: Clone;

    /// The entry function as the test calls it.
    fn entry(&mut self) -> Self::Scope;

    /// The function with this index, entered by a call from a scope.
    fn callee(&mut self, caller: &Self::Scope, call: InstId, function: usize) -> Self::Scope;

    /// Whether a value is said to carry no derivative, and to lead to none.
    fn inactive_value(&self, scope: &Self::Scope, value: ValueId) -> bool;

    /// Whether an instruction is said to compute no derivative, and to move none.
    fn inactive_instruction(&self, scope: &Self::Scope, inst: InstId) -> bool;

    /// What is said of the bytes of a value, and of those it leads to.
    fn types(&self, scope: &Self::Scope, value: ValueId) -> TypeTree;
}
