//! Brings loops into the form that the reverse sweep counts on.
//!
//! Every cycle becomes a natural loop with a preheader, one latch, exits of its own, and a phi at the exit for each
//! value that is used behind it (LCSSA). Where LLVM can compute on entry how often the header of a loop runs, the
//! preheader does so ([`TRIP_COUNT`]).

use super::run;
use crate::error::Error;
use crate::ffi;
use crate::ir::Function;
use enzyme::loops::TRIP_COUNT;

/// Brings the loops of a canonical function into form. Nothing that simplifies control flow may run after it: that would
/// turn jumps back into what they were.
pub(super) fn canonicalise(function: Function) -> Result<(), Error> {
    if ffi::contains_irreducible_cfg(function.value().raw()) {
        // The pass wants plain branches to the blocks where a cycle is entered. All others to such blocks are critical.
        run(function, "break-crit-edges,fix-irreducible")?;
    }
    run(function, "loop-simplify,lcssa")?;
    ffi::expand_trip_counts(function.value().raw(), TRIP_COUNT);
    Ok(())
}
