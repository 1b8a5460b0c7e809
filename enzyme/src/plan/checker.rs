//! Checks a reverse plan, whatever made it. It enforces:
//!
//! 1. every value that the reverse sweep reads, or computes another one from, is recomputed or cached;
//! 2. what is cached has a slot of its own in its region, and the slot names it;
//! 3. what is recomputed does not need itself, and is known to be recomputable as itself;
//! 4. the way back from each block names its predecessors and no others;
//! 5. an instruction whose result has an adjoint has a step that passes it on;
//! 6. a loop whose iterations have slots says where they lie and how many iterations there are;
//! 7. a value is asked for only in its own iteration: in the loops around it, or deeper;
//! 8. a way past what was not chosen leads, in the same iteration, to a block that control came through, and a `select` of
//!    the block where it begins says when;
//! 9. a loop that chose one of its iterations has a slot around it that says which, and the condition of the choice is asked
//!    for where that iteration is known;
//! 10. a write that waits for the end of the reverse sweep is done once, on every way, and by a function that runs both sweeps.

use super::reverse::{Adjoint, Counter, Held, Known, Path, Reuse, ReversePlan, ReverseStep, Sweeps};
use crate::loops::LoopId;
use crate::model::{BlockId, Function, InstId, Opcode};
use rustc_hash::FxHashSet;

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

type Broken = (u8, String);

/// Checks a plan.
///
/// # Errors
/// The first rule that it breaks.
pub fn check(function: &Function, plan: &ReversePlan) -> Result<(), PlanError> {
    let checks = [
        knows_what_it_reads,
        finds_its_way,
        passes_adjoints_on,
        counts_iterations,
        stays_in_iterations,
        passes_what_was_not_chosen,
        knows_chosen_iterations,
        writes_once_at_the_end,
    ];
    for check in checks {
        check(function, plan).map_err(|(rule, what)| PlanError {
            function: function.name.clone(),
            rule,
            what,
        })?;
    }
    Ok(())
}

fn knows_what_it_reads(function: &Function, plan: &ReversePlan) -> Result<(), Broken> {
    let mut pending: Vec<Known> = plan.reads_on_the_way();
    for inst in function.insts_in_order() {
        pending.extend(plan.reads(function, inst));
    }
    let mut known = FxHashSet::default();
    while let Some(read) = pending.pop() {
        if !known.insert(read) {
            continue;
        }
        match plan.reuse[read] {
            Reuse::Unused => return Err((1, format!("{read} is read and forgotten"))),
            Reuse::Cache(slot) => {
                let region = function
                    .as_inst(read.value())
                    .and_then(|inst| plan.control.region(function.insts[inst].block));
                if plan.slots[slot].holds != Held::Value(read) || plan.slots[slot].region != region {
                    return Err((2, format!("{slot} does not hold {read}")));
                }
            }
            Reuse::Chosen(id) => {
                let condition = plan.loops[id].chosen.map(|chosen| chosen.condition(function));
                if condition.map(Known::Primal) != Some(read) {
                    return Err((9, format!("{read} does not choose an iteration of {id}")));
                }
            }
            Reuse::Recompute(recomputable) => {
                if recomputable.known() != read {
                    return Err((3, format!("{read} is recomputed as {}", recomputable.known())));
                }
                pending.extend(recomputable.operands(function, &plan.forward.steps));
            }
        }
    }
    let mut visits = Visits { function, plan, done: FxHashSet::default(), open: FxHashSet::default() };
    known.into_iter().try_for_each(|read| visits.needs_no_itself(read))
}

/// A walk down from values to what they are computed from.
struct Visits<'a> {
    function: &'a Function,
    plan: &'a ReversePlan,
    done: FxHashSet<Known>,
    open: FxHashSet<Known>,
}

impl Visits<'_> {
    fn needs_no_itself(&mut self, start: Known) -> Result<(), Broken> {
        // Each value comes twice: before and after what it is computed from.
        let mut pending = vec![(start, false)];
        while let Some((read, is_done)) = pending.pop() {
            if is_done {
                self.open.remove(&read);
                self.done.insert(read);
                continue;
            }
            if self.done.contains(&read) {
                continue;
            }
            if !self.open.insert(read) {
                return Err((3, format!("{read} is computed from itself")));
            }
            pending.push((read, true));
            if let Reuse::Recompute(recomputable) = self.plan.reuse[read] {
                for operand in recomputable.operands(self.function, &self.plan.forward.steps) {
                    if self.open.contains(&operand) {
                        return Err((3, format!("{operand} is computed from itself")));
                    }
                    pending.push((operand, false));
                }
            }
        }
        Ok(())
    }
}

fn finds_its_way(function: &Function, plan: &ReversePlan) -> Result<(), Broken> {
    for block in function.blocks.keys().filter(|&block| plan.control.flow.is_reachable(block)) {
        let mut ways = match plan.paths[block] {
            Path::Begin => vec![],
            Path::Never if plan.control.is_end_of_way(function, block) => continue,
            Path::Never => return Err((4, format!("the way back ends at {block} for no reason"))),
            Path::Only(only) => vec![only],
            Path::Loop { outside, inside } => vec![outside, inside],
            Path::Condition { when_true, when_false, .. } => vec![when_true, when_false],
            Path::Slot(slot) if plan.slots[slot].holds == Held::Predecessor(block) => continue,
            Path::Slot(slot) => return Err((4, format!("{slot} is not that of {block}"))),
        };
        ways.sort_unstable();
        if ways != plan.control.predecessors[block].as_slice() {
            return Err((4, format!("{block} is not entered from where the way back leads")));
        }
    }
    Ok(())
}

fn passes_adjoints_on(function: &Function, plan: &ReversePlan) -> Result<(), Broken> {
    let comes_back = |inst: &InstId| plan.control.comes_back(function.insts[*inst].block);
    for inst in function.insts_in_order().filter(comes_back) {
        let Some(result) = function.insts[inst].result else { continue };
        if plan.adjoints[result] != Adjoint::None && plan.steps[inst] == ReverseStep::Skip {
            return Err((5, format!("the adjoint of {result} goes nowhere")));
        }
    }
    Ok(())
}

fn counts_iterations(_: &Function, plan: &ReversePlan) -> Result<(), Broken> {
    for id in plan.control.nest.loops.keys() {
        let natural = plan.loops[id];
        match natural.counter {
            Some(Counter::Slot(slot)) if plan.slots[slot].holds != Held::LastIteration(id) => {
                return Err((6, format!("{slot} does not count {id}")));
            }
            None => return Err((6, format!("the iterations of {id} are not counted"))),
            Some(Counter::Slot(_) | Counter::Trips(_)) => {}
        }
        let has_slots = plan.slots.values().any(|slot| slot.region == Some(id));
        if has_slots != natural.iterations.is_some() {
            return Err((6, format!("it is not said where the iterations of {id} lie")));
        }
    }
    Ok(())
}

fn stays_in_iterations(function: &Function, plan: &ReversePlan) -> Result<(), Broken> {
    let region = |known: Known| {
        let inst = function.as_inst(known.value());
        inst.and_then(|inst| plan.control.region(function.insts[inst].block))
    };
    let mut asked: Vec<(Known, Option<LoopId>)> = Vec::new();
    for inst in function.insts_in_order() {
        let here = plan.control.region(function.insts[inst].block);
        asked.extend(plan.reads(function, inst).into_iter().map(|known| (known, here)));
    }
    for block in function.blocks.keys() {
        if let Path::Condition { condition, .. } = plan.paths[block] {
            asked.push((Known::Primal(condition), plan.control.region(block)));
        }
    }
    let mut seen = FxHashSet::default();
    while let Some((known, here)) = asked.pop() {
        if !seen.insert((known, here)) {
            continue;
        }
        if !plan.control.is_within(here, region(known)) {
            return Err((7, format!("{known} is asked for outside of its loop")));
        }
        if let Reuse::Recompute(recomputable) = plan.reuse[known] {
            let operands = recomputable.operands(function, &plan.forward.steps);
            asked.extend(operands.into_iter().map(|operand| (operand, here)));
        }
    }
    Ok(())
}

fn passes_what_was_not_chosen(function: &Function, plan: &ReversePlan) -> Result<(), Broken> {
    for block in function.blocks.keys() {
        let Some(unchosen) = plan.unchosen[block] else { continue };
        let select = &function.insts[unchosen.select];
        let is_said = select.block == block
            && matches!(select.opcode, Opcode::Select { .. })
            && matches!(unchosen.operand, 1 | 2)
            && plan.steps[unchosen.select] == ReverseStep::Move;
        let is_in_iteration = plan.control.dominators.strictly_dominates(unchosen.to, block)
            && plan.control.region(unchosen.to) == plan.control.region(block);
        if !is_said || !is_in_iteration {
            return Err((8, format!("the way from {block} to {} leaves something out", unchosen.to)));
        }
    }
    Ok(())
}

fn knows_chosen_iterations(function: &Function, plan: &ReversePlan) -> Result<(), Broken> {
    for id in plan.control.nest.loops.keys() {
        let Some(chosen) = plan.loops[id].chosen else { continue };
        let slot = plan.slots[chosen.slot];
        if slot.holds != Held::ChosenIteration(id) || slot.region != plan.control.nest.loops[id].parent {
            return Err((9, format!("{} does not hold the iteration that {id} chose", chosen.slot)));
        }
        let natural = &plan.control.nest.loops[id];
        let select = &function.insts[chosen.select];
        let is_choice = matches!(select.opcode, Opcode::Select { .. })
            && plan.control.region(select.block) == Some(id)
            && matches!(plan.paths[natural.header], Path::Loop { .. });
        let mut inside =
            function.insts_in_order().filter(|&inst| natural.contains(function.insts[inst].block));
        if !is_choice || !inside.all(|inst| plan.steps[inst].only_adds()) {
            return Err((9, format!("iterations of {id} that were not chosen are not without effect")));
        }
    }
    Ok(())
}

fn writes_once_at_the_end(function: &Function, plan: &ReversePlan) -> Result<(), Broken> {
    let exits = plan.control.exits(function);
    for &write in &plan.writes_at_the_end {
        let block = function.insts[write].block;
        let is_on_way = |&exit: &BlockId| exit == block || plan.control.dominators.dominates(block, exit);
        let is_once = plan.control.region(block).is_none() && exits.iter().all(is_on_way);
        if plan.sweeps == Sweeps::Apart || !is_once {
            return Err((10, format!("{write} cannot wait for the end of the reverse sweep")));
        }
    }
    Ok(())
}
