//! How often loops run, where preparation has found that out.

use cranelift_entity::SecondaryMap;

use super::{ControlFlow, LoopId, LoopNest};
use crate::model::{Function, Opcode, ValueId};

/// The metadata of the instruction in a loop's preheader that says how often the loop's header runs.
pub const TRIP_COUNT: &str = "enzyme_trip_count";

/// For each loop, how often its header runs each time the loop is entered, where that is known before it is entered:
/// the value of a `freeze` in the preheader that is marked [`TRIP_COUNT`].
pub fn trip_counts(
    function: &Function,
    nest: &LoopNest,
    flow: &ControlFlow,
) -> SecondaryMap<LoopId, Option<ValueId>> {
    let mut counts = SecondaryMap::new();
    for (id, natural) in nest.loops.iter() {
        let Some(preheader) = natural.preheader(flow) else { continue };
        let marked = function.blocks[preheader].insts.iter().rev().find(|&&inst| {
            let data = &function.insts[inst];
            data.opcode == Opcode::Freeze && data.metadata(TRIP_COUNT).is_some()
        });
        counts[id] = marked.and_then(|&inst| function.insts[inst].result);
    }
    counts
}
