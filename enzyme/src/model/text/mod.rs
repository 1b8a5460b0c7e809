//! The text form: LLVM IR's own syntax.
//!
//! Parsing a text, printing it and parsing it again gives an equal module, and the printed text is a valid
//! `.ll` file as far as the model carries it. What differs from LLVM's parser and printer:
//!
//! - pointers are opaque: a typed one (`double*`) is read as `ptr`, as newer versions of LLVM do;
//! - a function that is called but nowhere declared is declared as the call sees it;
//! - attribute groups (`#0`) are written out where they are used;
//! - debug information is reduced to a [`DebugLocation`](super::DebugLocation) for each instruction; calls of
//!   `llvm.dbg.*`, debug records and the variables they describe are left out. Printing makes the few nodes
//!   that LLVM wants around a location;
//! - a [`Function`](super::Function) prints as a module with what it names.

mod conventions;
mod error;
mod escape;
mod float;
mod lexer;
mod parser;
mod printer;

pub use error::ParseError;
pub use printer::Listing;
