//! Type analysis: every rule in both directions, with what must be known and what must stay unknown.

mod annotations;
mod calls;
mod conflicts;
mod constants;
mod cost;
mod debug;
mod flow;
mod integers;
mod library;
mod memory;
mod numbers;
mod shapes;
mod support;
mod tbaa;
mod tree;
mod vectors;
