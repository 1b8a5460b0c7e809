//! The plan: everything that is decided about one derivative before a single instruction is written.
//!
//! [`role()`] says what each instruction means for derivatives, [`crate::activity::flow()`] which values carry
//! one; [`forward()`] and [`reverse()`] decide from these what the writer does at each instruction. What cannot be
//! done comes out as [`Obstacle`]s, all of them at once, and then nothing is written.

mod checker;
mod forward;
mod obstacle;
mod reverse;
mod role;

pub use checker::check;
pub use forward::{ForwardPlan, ForwardStep, Fresh, forward};
pub use obstacle::{Obstacle, Reason};
pub use reverse::{Recomputable, Reuse, ReversePlan, ReverseStep, Slot, SlotId, reverse};
pub use role::{Allocation, Results, Role, ScalarCall, WRAPPER_PREFIX, role};

use crate::activity::ArgumentActivity;
use crate::model::GlobalId;

/// A call of a derived function in the place of a call of the function itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DerivedCall {
    /// The function called.
    pub callee: GlobalId,
    /// How each argument takes part.
    pub arguments: Vec<ArgumentActivity>,
    /// Whether the result carries a derivative.
    pub result: ResultCarries,
}

/// Whether the result of a call carries a derivative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ResultCarries {
    /// It does.
    Derivative,
    /// It does not, or there is none.
    Nothing,
}
