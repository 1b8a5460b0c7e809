//! Checks a reverse plan, whatever made it. It enforces:
//!
//! 1. every primal value that an adjoint reads is recomputed or cached, and no other is;
//! 2. a cached value has a slot of its own, and the slot names the value;
//! 3. a block with several predecessors, and only such a block, remembers which one it was entered from;
//! 4. an instruction whose result carries a derivative has a step that passes its adjoint on.

use super::{Carries, may_carry};
use super::{Reuse, ReversePlan, ReverseStep, Slot};
use crate::model::{Function, Opcode, SecondaryMap, ValueId};

/// A mistake in a plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the plan of `{function}` breaks rule {rule}: {what}")]
pub struct PlanError {
    /// The function planned.
    pub function: String,
    /// The number of the rule, as the module's documentation lists them.
    pub rule: u8,
    /// What breaks it.
    pub what: String,
}

/// Checks a plan.
///
/// # Errors
/// The first rule that it breaks.
pub fn check(function: &Function, plan: &ReversePlan) -> Result<(), PlanError> {
    let broken = |rule, what: String| Err(PlanError { function: function.name.clone(), rule, what });
    let mut read: SecondaryMap<ValueId, bool> = SecondaryMap::new();
    for inst in function.insts_in_order() {
        for value in plan.reads(function, inst) {
            read[value] = true;
        }
    }
    for value in function.values.keys() {
        match (read[value], plan.reuse[value]) {
            (true, Reuse::Unused) => return broken(1, format!("{value} is read and forgotten")),
            (false, Reuse::Recompute(_) | Reuse::Cache(_)) => {
                return broken(1, format!("{value} is kept and never read"));
            }
            (true, Reuse::Recompute(recomputable)) if recomputable.value() != value => {
                return broken(1, format!("{value} is recomputed as {}", recomputable.value()));
            }
            (true, Reuse::Cache(slot)) if plan.slots[slot] != Slot::Value(value) => {
                return broken(2, format!("{slot} does not hold {value}"));
            }
            (true, Reuse::Recompute(_) | Reuse::Cache(_)) | (false, Reuse::Unused) => {}
        }
    }
    for block in function.blocks.keys() {
        let joins = plan.predecessors[block].len() > 1;
        match plan.came_from[block] {
            None if joins => return broken(3, format!("{block} forgets where it was entered from")),
            Some(_) if !joins => return broken(3, format!("{block} has one predecessor and remembers it")),
            Some(slot) if plan.slots[slot] != Slot::Predecessor(block) => {
                return broken(3, format!("{slot} is not that of {block}"));
            }
            None | Some(_) => {}
        }
    }
    for inst in function.insts_in_order() {
        let data = &function.insts[inst];
        let Some(result) = data.result else { continue };
        let ty = function.values[result].ty;
        let passes_on = plan.steps[inst] != ReverseStep::Skip
            || function.ty(ty).is_pointer()
            || matches!(data.opcode, Opcode::Alloca { .. });
        if plan.carries[result] == Carries::Derivative && may_carry(function, ty) && !passes_on {
            return broken(4, format!("the adjoint of {result} goes nowhere"));
        }
    }
    Ok(())
}
