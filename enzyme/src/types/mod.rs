//! What is a float, a pointer, an integer: for every value, and for every byte that can be reached from it.
//!
//! Everything a program says of its values is gathered and carried along, from operands to results and back, through
//! memory by the pointers that lead there, and across calls: what instructions do with values, type-based alias
//! information, attributes and markers, constants, known library functions. See [`Analyser`].

mod analyser;
mod annotations;
mod arithmetic;
mod blas;
mod calls;
mod constants;
mod debug_types;
mod error;
mod facts;
mod integer_uses;
mod integers;
mod kind;
mod library;
mod local;
mod memory_rules;
mod parts;
mod path;
mod phi;
mod reasons;
mod results;
mod statements;
mod tbaa;
mod text;
mod transfer;
mod tree;

pub use analyser::{Analyser, BarePointers, CallTypes, ContextId, Options, RustTypes, StrictAliasing};
pub use error::TypeError;
pub use integers::Numbers;
pub use kind::{Addresses, Kind, KindConflict};
pub use path::Path;
pub use results::{Contents, FunctionTypes, Step, ValueTypes};
pub use text::TreeSyntaxError;
pub use tree::{Change, EVERY, Limits, TreeConflict, TypeTree};
