//! Control flow: the order of blocks, dominators, loops.

mod control_flow;
mod dominators;
mod nest;

pub use control_flow::ControlFlow;
pub use dominators::DominatorTree;
pub use nest::{Loop, LoopId, LoopNest};
