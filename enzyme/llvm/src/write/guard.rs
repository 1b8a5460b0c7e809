//! Memory that turns out to be inactive when the derivative runs: a pointer is its own shadow, and what is done over shadows
//! leaves the memory behind it as the program left it.

use super::directions::Tangents;
use super::forward::Writer;
use crate::error::Error;
use crate::ir::{Instruction, Value};
use enzyme::model::{InstId, ValueId};
use enzyme::plan::{CopiedThings, Guard};
use inkwell::llvm_sys::LLVMIntPredicate;

impl Writer<'_> {
    /// Whether a pointer is its own shadow.
    fn is_own(&self, pointer: ValueId, shadow: Value) -> Result<Value, Error> {
        let pointer = self.primal.value(pointer)?;
        Ok(self.builder.integer_compare(LLVMIntPredicate::LLVMIntEQ, pointer, shadow))
    }

    /// A number of bytes, or none where a pointer is its own shadow.
    pub(super) fn unless_own(&self, pointer: ValueId, shadow: Value, bytes: Value) -> Result<Value, Error> {
        let is_own = self.is_own(pointer, shadow)?;
        Ok(self.builder.select(is_own, Value::zero(bytes.ty()), bytes))
    }

    /// A shadow that is freed once the derivative is done: nothing where it is the primal, which the program frees.
    pub(super) fn unless_freed_as_primal(
        &self,
        inst: InstId,
        pointer: ValueId,
        shadow: Value,
    ) -> Result<Value, Error> {
        match self.plan.guards[inst] {
            Some(Guard::Free { .. }) => {
                let is_own = self.is_own(pointer, shadow)?;
                Ok(self.builder.select(is_own, Value::zero(shadow.ty()), shadow))
            }
            Some(Guard::Read { .. } | Guard::Write { .. } | Guard::Copy { .. } | Guard::Fill { .. })
            | None => Ok(shadow),
        }
    }

    /// The operands over which an instruction is done once more, by the numbers of those that are shadows: what is written
    /// to a pointer that is its own shadow is what the program has written there.
    pub(super) fn guard_operands(
        &mut self,
        inst: InstId,
        shadows: &mut Vec<(u32, Tangents)>,
    ) -> Result<(), Error> {
        let Some(guard) = self.plan.guards[inst] else { return Ok(()) };
        let operands = &self.read.model.insts[inst].operands;
        match guard {
            Guard::Read { .. } => {}
            Guard::Write { value, pointer } => {
                let primal = self.primal.value(operands[value])?;
                let places = self.shadow_one_by_one(operands[pointer])?;
                for (_, values) in shadows.iter_mut().filter(|(index, _)| *index == value as u32) {
                    for (shadow, &place) in values.iter_mut().zip(&places) {
                        let is_own = self.is_own(operands[pointer], place)?;
                        *shadow = self.builder.select(is_own, primal, *shadow);
                    }
                }
            }
            Guard::Copy { to, length, .. } | Guard::Fill { to, length } => {
                let bytes = self.primal.value(operands[length])?;
                let mut lengths = Tangents::new();
                for &place in &self.shadow_one_by_one(operands[to])? {
                    lengths.push(self.unless_own(operands[to], place, bytes)?);
                }
                shadows.push((length as u32, lengths));
            }
            Guard::Free { pointer } => {
                for (_, places) in shadows.iter_mut().filter(|(index, _)| *index == pointer as u32) {
                    for place in places.iter_mut() {
                        let is_own = self.is_own(operands[pointer], *place)?;
                        *place = self.builder.select(is_own, Value::zero(place.ty()), *place);
                    }
                }
            }
        }
        Ok(())
    }

    /// What the copy of an instruction gives: nothing is differentiated that is read through a pointer that is its own
    /// shadow, or copied from there.
    pub(super) fn guarded(
        &mut self,
        inst: InstId,
        copy: Instruction,
        direction: usize,
    ) -> Result<Value, Error> {
        let operands = &self.read.model.insts[inst].operands;
        match self.plan.guards[inst] {
            Some(Guard::Read { pointer }) => {
                let place = self.shadow_one_by_one(operands[pointer])?[direction];
                let is_own = self.is_own(operands[pointer], place)?;
                let tangent = copy.value();
                Ok(self.builder.select(is_own, Value::zero(tangent.ty()), tangent))
            }
            Some(Guard::Copy { to, from, length, things: CopiedThings::Floats }) => {
                let (target, source) = (
                    self.shadow_one_by_one(operands[to])?[direction],
                    self.shadow_one_by_one(operands[from])?[direction],
                );
                let bytes = self.primal.value(operands[length])?;
                let bytes = self.unless_own(operands[to], target, bytes)?;
                let is_own = self.is_own(operands[from], source)?;
                let cleared = self.builder.select(is_own, bytes, Value::zero(bytes.ty()));
                self.builder.fill(target, self.zero_byte(target), cleared, 1);
                Ok(copy.value())
            }
            Some(
                Guard::Write { .. }
                | Guard::Copy { things: CopiedThings::Others, .. }
                | Guard::Fill { .. }
                | Guard::Free { .. },
            )
            | None => Ok(copy.value()),
        }
    }
}
