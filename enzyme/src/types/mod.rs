//! What is a float, a pointer, an integer: for every value, and for every byte that can be reached from it.

mod kind;
mod text;
mod tree;

pub use kind::{Addresses, Kind, KindConflict};
pub use text::TreeSyntaxError;
pub use tree::{Change, EVERY, Limits, Path, TreeConflict, TypeTree};
