//! How often loops run, where that is computed before they are entered.

use cranelift_entity::SecondaryMap;

use crate::model::{Function, Opcode, ValueId};

use super::{ControlFlow, LoopId, LoopNest};

/// The metadata of the `freeze i64` in a loop's preheader that says how often its header runs.
pub const TRIP_COUNT: &str = "enzyme_trip_count";

/// For each loop, the value in its preheader that says how often its header runs once the loop is entered.
///
/// That is one more than how often a back edge is taken, at least 1, whichever of its exits the loop is left through.
/// It holds when the loop is left by a jump: not when a call in it throws or ends the program.
pub fn trip_counts(
    function: &Function,
    nest: &LoopNest,
    flow: &ControlFlow,
) -> SecondaryMap<LoopId, Option<ValueId>> {
    let mut counts = SecondaryMap::with_capacity(nest.loops.len());
    for (id, one) in nest.loops.iter() {
        let Some(preheader) = one.preheader(flow) else { continue };
        counts[id] = function.blocks[preheader].insts.iter().rev().find_map(|&inst| {
            let inst = &function.insts[inst];
            let is_count = matches!(inst.opcode, Opcode::Freeze) && inst.metadata(TRIP_COUNT).is_some();
            inst.result.filter(|_| is_count)
        });
    }
    counts
}
