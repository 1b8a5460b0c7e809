//! Brings loops into the form that the reverse sweep counts on.
//!
//! Every cycle becomes a natural loop with a preheader, one latch, exits of its own, and a phi at the exit for each
//! value that is used behind it (LCSSA). Where LLVM can compute on entry how often the header of a loop runs, the
//! preheader does so ([`TRIP_COUNT`]). A call that may throw has a block of its own to go on with if it does not.

use super::run;
use crate::error::Error;
use crate::ffi;
use crate::ir::{Function, Instruction, split_normal_edge};
use enzyme::loops::TRIP_COUNT;

/// Brings the loops of a canonical function into form. Nothing that simplifies control flow may run after it: that would
/// turn jumps back into what they were.
pub(super) fn canonicalise(function: Function) -> Result<(), Error> {
    if ffi::contains_irreducible_cfg(function.value().raw()) {
        // The pass wants plain branches to the blocks where a cycle is entered. All others to such blocks are critical.
        run(function, "break-crit-edges,fix-irreducible")?;
    }
    run(function, "loop-simplify,lcssa")?;
    let calls: Vec<Instruction> = function.instructions().collect();
    for call in calls {
        if call.invoke_destinations().is_some_and(|(normal, _)| normal.predecessors().len() > 1) {
            split_normal_edge(call);
        }
    }
    ffi::expand_trip_counts(function.value().raw(), TRIP_COUNT);
    Ok(())
}
