//! The core engine of EnzymeRS: everything that is true of a derivative, and nothing of LLVM.

pub mod activity;
pub mod checkpoint;
pub mod explain;
pub mod loops;
pub mod memory;
pub mod model;
pub mod plan;
pub mod program;
pub mod rules;
pub mod types;
