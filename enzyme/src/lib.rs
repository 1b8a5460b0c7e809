//! The core engine of EnzymeRS: everything that is true of a derivative, and nothing of LLVM.

pub mod loops;
pub mod model;
pub mod rules;
