//! Control flow: the order of blocks, dominators, loops, how often they run.

mod control_flow;
mod dominators;
mod nest;
mod trips;

pub use control_flow::ControlFlow;
pub use dominators::{DominatorTree, PostDominatorTree};
pub use nest::{Loop, LoopId, LoopNest};
pub use trips::{TRIP_COUNT, trip_counts};
