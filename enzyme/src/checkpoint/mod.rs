//! Checkpoint schedules: how a loop of many steps is reversed with few states of it in memory.
//!
//! The reverse sweep needs the state before each step, in reverse order. A [`Schedule`] says, action by action, which states
//! are stored, and which steps run once more from a stored one. It knows nothing of states or derivatives; whoever carries the
//! actions out does:
//!
//! - [`Action::Store`]: puts the state before a step into a slot;
//! - [`Action::Forward`]: runs steps, and keeps nothing of them;
//! - [`Action::FirstUturn`]: runs the last step, and what its adjoint needs is kept; here the forward sweep ends;
//! - [`Action::Uturn`]: runs a step and its adjoint;
//! - [`Action::Restore`]: takes the state before a step out of a slot;
//! - [`Action::Done`]: every step has been reversed once.
//!
//! The numbers and meanings of the actions are those of Griewank and Walther's Algorithm 799 (ACM Transactions on
//! Mathematical Software 26, 2000), and of `enzyme/checkpoint.h`.

mod binomial;
mod schedule;

pub use binomial::{default_snapshots, longest_advance, optimal_forward_steps};
pub use schedule::{Action, Schedule, Scheme};
