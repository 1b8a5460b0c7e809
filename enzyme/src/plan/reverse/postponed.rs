//! What the primal does to memory that waits until the reverse sweep has read it: freeing it, and writing to it last.
//!
//! What a function keeps in vectors of its own, it mostly frees where it ends, and all that it read there would have to be
//! kept elsewhere for the reverse sweep. So memory that is freed once, outside of loops, waits until both sweeps are done,
//! if that spares keeping anything. Memory that a loop frees does not: it may be all that keeps the program small.
//!
//! Where a function writes its result to memory, that may be the memory of its arguments for all that anyone knows. If it does
//! so at its end, and reads nothing there any more, it can do so after the reverse sweep as well.

use super::control::Control;
use super::{How, Known, Reuse, ReversePlan, Sweeps};
use crate::memory::{Access, Region};
use crate::model::{BlockId, Function, InstId, Opcode, SecondaryMap};
use crate::plan::forward::{ForwardStep, FreedLater};
use crate::plan::role::{Role, role};
use crate::plan::{Context, Direction};
use rustc_hash::FxHashSet;

/// The functions whose calls may wait: what frees memory by its address alone, and what does the same when it is told how
/// much it is.
const FREEING: [&str; 5] = ["free", "_ZdlPv", "_ZdaPv", "_ZdlPvm", "_ZdaPvm"];

/// The instructions that may wait.
pub(super) fn may_wait(
    function: &Function,
    control: &Control,
    sweeps: Sweeps,
    forward: &SecondaryMap<InstId, ForwardStep>,
    context: &Context<'_>,
) -> SecondaryMap<InstId, bool> {
    let mut waiting = SecondaryMap::new();
    // Between two sweeps that run apart, memory changes anyway.
    if sweeps == Sweeps::Apart {
        return waiting;
    }
    for inst in function.insts_in_order() {
        let data = &function.insts[inst];
        waiting[inst] =
            frees(function, inst) && control.region(data.block).is_none() && control.comes_back(data.block);
    }
    let last = LastWrites { function, control, forward, context };
    for &block in control.flow.reverse_post_order().iter().rev() {
        for &inst in function.blocks[block].insts.iter().rev() {
            waiting[inst] |= last.may_wait(inst, &waiting);
        }
    }
    waiting
}

/// Whether an instruction is a call that frees memory and may do so later.
fn frees(function: &Function, inst: InstId) -> bool {
    matches!(function.insts[inst].opcode, Opcode::Call(_))
        && function.callee_name(inst).is_some_and(|name| FREEING.contains(&name))
}

/// Writes to memory that nothing in the primal looks at any more.
struct LastWrites<'a> {
    function: &'a Function,
    control: &'a Control,
    forward: &'a SecondaryMap<InstId, ForwardStep>,
    context: &'a Context<'a>,
}

impl LastWrites<'_> {
    /// Whether an instruction writes to memory and does no more, once, on every way through the function, and all that comes
    /// behind it is the same if it has not done so yet.
    fn may_wait(&self, inst: InstId, waiting: &SecondaryMap<InstId, bool>) -> bool {
        let data = &self.function.insts[inst];
        let is_always_there =
            |exit: BlockId| exit == data.block || self.control.dominators.dominates(data.block, exit);
        if !self.only_writes(inst)
            || self.control.region(data.block).is_some()
            || !self.control.exits(self.function).into_iter().all(is_always_there)
        {
            return false;
        }
        let memory = self.context.memory;
        let (reads, writes) =
            (memory.reads(self.context.function, inst), memory.writes(self.context.function, inst));
        let Some(behind) = self.behind(inst) else { return false };
        behind.into_iter().all(|later| {
            // What waits, too, is done in the same order.
            (waiting[later] && !frees(self.function, later))
                || (self.goes_on(later)
                    && !self.may_read_any(later, &writes)
                    && !memory.may_write_any(self.context.function, later, &writes)
                    && !memory.may_write_any(self.context.function, later, &reads))
        })
    }

    /// Whether an instruction writes to memory of the primal, and its derivative does nothing beside it.
    fn only_writes(&self, inst: InstId) -> bool {
        let is_write = match &self.function.insts[inst].opcode {
            Opcode::Store { access } => !access.volatile && access.atomic.is_none(),
            Opcode::Call(_) => self.function.callee_name(inst).is_some_and(|name| {
                ["llvm.memcpy.p0", "llvm.memset.p0"].iter().any(|written| name.starts_with(written))
            }),
            _ => false,
        };
        is_write
            && self.forward[inst] == ForwardStep::Keep
            && self.context.memory.hidden(self.context.function, inst) == Access::None
    }

    /// All that may run after an instruction outside of loops; nothing where some of that never returns.
    fn behind(&self, inst: InstId) -> Option<Vec<InstId>> {
        let block = self.function.insts[inst].block;
        let mut behind: Vec<InstId> = self.function.blocks[block]
            .insts
            .iter()
            .copied()
            .skip_while(|&other| other != inst)
            .skip(1)
            .collect();
        let mut seen = FxHashSet::default();
        let mut pending: Vec<BlockId> = self.control.flow.successors(block).to_vec();
        while let Some(block) = pending.pop() {
            if !seen.insert(block) {
                continue;
            }
            if !self.control.comes_back(block) {
                return None;
            }
            behind.extend_from_slice(&self.function.blocks[block].insts);
            pending.extend_from_slice(self.control.flow.successors(block));
        }
        Some(behind)
    }

    /// Whether control certainly goes on behind an instruction, and nobody elsewhere hears of it.
    fn goes_on(&self, inst: InstId) -> bool {
        if frees(self.function, inst) {
            return true;
        }
        let ends = match &self.function.insts[inst].opcode {
            Opcode::Call(_) => {
                !matches!(role(self.function, inst, Direction::Reverse), Role::Scalar(_))
                    && self.function.callee_name(inst).is_none_or(|name| !name.starts_with("llvm."))
            }
            Opcode::Invoke { .. } | Opcode::Fence { .. } | Opcode::CallBranch { .. } => true,
            _ => false,
        };
        !ends && self.context.memory.hidden(self.context.function, inst) == Access::None
    }

    fn may_read_any(&self, inst: InstId, regions: &[Region]) -> bool {
        let (memory, function) = (self.context.memory, self.context.function);
        let read = memory.reads(function, inst);
        read.iter().any(|&read| regions.iter().any(|&region| memory.may_overlap(function, read, region)))
    }
}

impl ReversePlan {
    /// Lets those instructions wait that free memory which the reverse sweep reads again, or write to it.
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
        // In the order in which they are done: each is on every way.
        let blocks = self.control.flow.reverse_post_order().iter();
        let writes = blocks
            .flat_map(|&block| &function.blocks[block].insts)
            .copied()
            .filter(|&inst| waiting[inst] && !frees(function, inst));
        // Those behind the first one that is in the way may write to the same memory.
        self.writes_at_the_end =
            writes.skip_while(|&inst| !memory.may_write_any(context.function, inst, &read)).collect();
        for inst in function.insts_in_order().filter(|&inst| waiting[inst] && frees(function, inst)) {
            if memory.may_write_any(context.function, inst, &read) {
                self.forward.steps[inst] = ForwardStep::FreeLater(match self.forward.steps[inst] {
                    ForwardStep::FreeLater(FreedLater::Shadow | FreedLater::Both) => FreedLater::Both,
                    _ => FreedLater::Primal,
                });
            }
        }
    }
}
