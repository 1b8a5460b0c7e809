//! Which memory that the primal frees stays until the reverse sweep has read it.
//!
//! What a function keeps in vectors of its own, it mostly frees where it ends, and all that it read there would have to be
//! kept elsewhere for the reverse sweep. So memory that is freed once, outside of loops, waits until both sweeps are done,
//! if that spares keeping anything. Memory that a loop frees does not: it may be all that keeps the program small.

use super::control::Control;
use super::{How, Known, Reuse, ReversePlan, Sweeps};
use crate::memory::Region;
use crate::model::{Function, InstId, Opcode, SecondaryMap};
use crate::plan::Context;
use crate::plan::forward::{ForwardStep, FreedLater};

/// The functions whose calls may wait: what frees memory by its address alone, and what does the same when it is told how
/// much it is.
const FREEING: [&str; 5] = ["free", "_ZdlPv", "_ZdaPv", "_ZdlPvm", "_ZdaPvm"];

/// The calls that may wait.
pub(super) fn may_wait(function: &Function, control: &Control, sweeps: Sweeps) -> SecondaryMap<InstId, bool> {
    let mut waiting = SecondaryMap::new();
    // Between two sweeps that run apart, memory changes anyway.
    if sweeps == Sweeps::Apart {
        return waiting;
    }
    for inst in function.insts_in_order() {
        let data = &function.insts[inst];
        waiting[inst] = matches!(data.opcode, Opcode::Call(_))
            && function.callee_name(inst).is_some_and(|name| FREEING.contains(&name))
            && control.region(data.block).is_none()
            && control.comes_back(data.block);
    }
    waiting
}

impl ReversePlan {
    /// Lets those calls wait that free memory which the reverse sweep reads again.
    pub(super) fn let_wait(
        &mut self,
        function: &Function,
        waiting: &SecondaryMap<InstId, bool>,
        context: &Context<'_>,
    ) {
        let memory = context.memory;
        let is_read_again = |inst: &InstId| {
            let data = &function.insts[*inst];
            let again = |known| match self.reuse[known] {
                Reuse::Recompute(recomputable) => recomputable.how() == How::Again,
                Reuse::Unused | Reuse::Cache(_) | Reuse::Chosen(_) => false,
            };
            matches!(data.opcode, Opcode::Load { .. })
                && data.result.is_some_and(|value| again(Known::Primal(value)) || again(Known::Shadow(value)))
        };
        let read: Vec<Region> = function
            .insts_in_order()
            .filter(is_read_again)
            .flat_map(|inst| memory.reads(context.function, inst))
            .collect();
        for inst in function.insts_in_order().filter(|&inst| waiting[inst]) {
            if memory.may_write_any(context.function, inst, &read) {
                self.forward.steps[inst] = ForwardStep::FreeLater(match self.forward.steps[inst] {
                    ForwardStep::FreeLater(FreedLater::Shadow | FreedLater::Both) => FreedLater::Both,
                    _ => FreedLater::Primal,
                });
            }
        }
    }
}
