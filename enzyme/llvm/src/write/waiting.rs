//! Tangents that wait to be written.
//!
//! With many directions the tangents of a value are several vectors, one for each group of directions, and all of them for
//! a few values fill the registers. So what computes floats from floats is not written at once, but when something else
//! needs one of its results, or when the block ends: then all that waits is written for one group of directions after the
//! other, and few vectors are needed at a time.

use super::directions::{Group, Tangents};
use super::emitter::Factor;
use super::forward::Writer;
use crate::error::Error;
use crate::ir::{Instruction, Type, Value};
use enzyme::model::{InstId, Opcode, ValueId};
use enzyme::plan::{ForwardStep, Results, ShadowLayout};
use rustc_hash::FxHashMap;

/// What waits.
#[derive(Default)]
pub(super) struct Waiting {
    /// In order.
    steps: Vec<Step>,
    /// Which of the steps a value comes from.
    step_of: FxHashMap<ValueId, usize>,
    /// Whether one of them reads memory.
    reads_memory: bool,
}

/// An instruction whose tangents are not written yet.
struct Step {
    inst: InstId,
    primal: Instruction,
    work: Work,
}

/// How tangents are computed.
enum Work {
    /// The sum of products.
    Sum(Vec<(Factor, Source)>),
    /// One of two.
    Choice { condition: Value, yes: Source, no: Source },
    /// What is in memory, at one place a direction.
    Read(Tangents),
    /// What is in memory, where the shadows lie side by side from this address on.
    ReadAtOnce(Value, ShadowLayout),
}

/// Where the tangents of an operand are.
enum Source {
    /// They are written.
    Written(Tangents),
    /// They wait, too: for this step.
    Waiting(usize),
}

impl Waiting {
    fn push(&mut self, result: ValueId, step: Step) {
        self.step_of.insert(result, self.steps.len());
        self.reads_memory |= matches!(step.work, Work::Read(_) | Work::ReadAtOnce(..));
        self.steps.push(step);
    }
}

impl Writer<'_> {
    /// Whether the tangents of values of this type are several vectors, so that there is something to gain by waiting.
    pub(super) fn may_wait(&self, ty: Type) -> bool {
        let groups = self.directions.groups(ty).len();
        groups > 1 && groups < self.key.width
    }

    /// Writes what waits, before an instruction that ends the wait.
    pub(super) fn end_wait_before(&mut self, inst: InstId) -> Result<(), Error> {
        if self.waiting.steps.is_empty() || !self.ends_wait(inst) {
            return Ok(());
        }
        self.builder.position_before(self.primal.instruction(inst)?);
        self.write_waiting()
    }

    /// Whether an instruction ends a block, may write what is still to be read, or needs something that waits.
    fn ends_wait(&self, inst: InstId) -> bool {
        let data = &self.read.model.insts[inst];
        if data.opcode.is_terminator() {
            return true;
        }
        let may_write = match &data.opcode {
            Opcode::Store { .. }
            | Opcode::Fence { .. }
            | Opcode::CompareExchange(_)
            | Opcode::AtomicReadModifyWrite(_)
            | Opcode::VaArg => true,
            Opcode::Load { access } => access.atomic.is_some() || access.volatile,
            _ => data.opcode.call().is_some(),
        };
        let needs_waiting =
            || data.operands.iter().any(|&operand| self.waiting.step_of.contains_key(&operand));
        match &self.plan.steps[inst] {
            // Mathematical functions write nothing that has a shadow.
            ForwardStep::Scalar(_) => needs_waiting() && !self.can_wait(inst),
            ForwardStep::Keep => may_write && self.waiting.reads_memory,
            _ => (may_write && self.waiting.reads_memory) || (needs_waiting() && !self.can_wait(inst)),
        }
    }

    /// Whether an instruction's tangents can wait until something needs them.
    pub(super) fn can_wait(&self, inst: InstId) -> bool {
        let data = &self.read.model.insts[inst];
        let Some(result) = data.result.and_then(|result| self.read.value(result)) else { return false };
        if !self.may_wait(result.ty()) || self.plan.guards[inst].is_some() {
            return false;
        }
        match (&self.plan.steps[inst], &data.opcode) {
            (ForwardStep::Scalar(call), _) => {
                call.results == Results::Single
                    && call.operands.iter().all(|&operand| {
                        self.read.value(operand).is_some_and(|operand| self.has_groups_of(operand, result))
                    })
            }
            (ForwardStep::Mirror { .. }, Opcode::Select { .. }) => true,
            (ForwardStep::Mirror { .. }, Opcode::Load { access }) => {
                access.atomic.is_none() && !access.volatile
            }
            _ => false,
        }
    }

    /// The tangents of a result wait that are sums of products.
    pub(super) fn wait_for_sum(
        &mut self,
        inst: InstId,
        factors: Vec<(Factor, ValueId)>,
    ) -> Result<(), Error> {
        let mut terms = Vec::with_capacity(factors.len());
        for (factor, operand) in factors {
            terms.push((factor, self.source(operand)?));
        }
        self.wait(inst, Work::Sum(terms))
    }

    /// The tangents of a choice between two floats, or of a float in memory, wait.
    pub(super) fn wait_for_moved(&mut self, inst: InstId) -> Result<(), Error> {
        let data = &self.read.model.insts[inst];
        let operands = &data.operands;
        let work = match (&data.opcode, self.layout_of(operands[0])) {
            (Opcode::Select { .. }, _) => Work::Choice {
                condition: self.primal.value(operands[0])?,
                yes: self.source(operands[1])?,
                no: self.source(operands[2])?,
            },
            (_, Some(layout)) if layout.is_side_by_side() => {
                Work::ReadAtOnce(self.shadow(operands[0])?[0], layout)
            }
            _ => Work::Read(self.shadow_one_by_one(operands[0])?),
        };
        self.wait(inst, work)
    }

    fn source(&mut self, operand: ValueId) -> Result<Source, Error> {
        match self.waiting.step_of.get(&operand) {
            Some(&step) => Ok(Source::Waiting(step)),
            None => self.shadow(operand).map(Source::Written),
        }
    }

    fn wait(&mut self, inst: InstId, work: Work) -> Result<(), Error> {
        let primal = self.primal.instruction(inst)?;
        if let Some(result) = self.read.model.insts[inst].result {
            self.waiting.push(result, Step { inst, primal, work });
        }
        Ok(())
    }

    /// Writes all that waits where the builder stands: for each group of directions all steps.
    fn write_waiting(&mut self) -> Result<(), Error> {
        let Waiting { steps, .. } = std::mem::take(&mut self.waiting);
        let Some(first) = steps.first() else { return Ok(()) };
        let groups = self.directions.groups(first.primal.value().ty());
        let mut written = vec![Tangents::new(); steps.len()];
        for (index, &group) in groups.iter().enumerate() {
            for (position, step) in steps.iter().enumerate() {
                let of = |source: &Source| match source {
                    Source::Written(tangents) => tangents[index],
                    Source::Waiting(step) => written[*step][index],
                };
                self.builder.debug_location_of(step.primal);
                self.builder.fast_math_of(step.primal.value());
                let tangent = match &step.work {
                    Work::Sum(terms) => {
                        let terms = terms.iter().map(|(factor, source)| (factor, of(source))).collect();
                        self.sum(group, step.primal.value().ty(), terms)
                    }
                    Work::Choice { condition, yes, no } => self.builder.select(*condition, of(yes), of(no)),
                    Work::Read(places) => self.read_group(group, step.primal, places),
                    Work::ReadAtOnce(shadow, layout) => self.load_group(group, step.primal, *shadow, *layout),
                };
                written[position].push(tangent);
            }
        }
        for (step, tangents) in steps.iter().zip(written) {
            self.set(step.inst, tangents)?;
        }
        Ok(())
    }

    /// The tangents of a float in memory, from a place for each direction.
    fn read_group(&self, group: Group, primal: Instruction, places: &[Value]) -> Value {
        let mut tangents = Tangents::new();
        for &place in &places[group.first..][..group.count] {
            let load = primal.clone_detached();
            self.builder.insert(load);
            load.drop_value_metadata();
            load.set_operand(0, place);
            tangents.push(load.value());
        }
        group.gather(&self.builder, primal.value().ty(), &tangents)
    }
}
