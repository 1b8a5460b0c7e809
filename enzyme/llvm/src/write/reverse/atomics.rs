//! The adjoints of atomic accesses, which are atomic themselves: other threads may add to the same shadow.

use super::super::emitter::{Emitter, Factor};
use super::{Known, Writer};
use crate::error::Error;
use crate::ir::{Instruction, Value};
use enzyme::model::InstId;
use enzyme::plan::AtomicAdjoint;
use enzyme::rules::{self, Folder};
use inkwell::llvm_sys::LLVMAtomicRMWBinOp;

impl Writer<'_> {
    /// The adjoint of a float in memory that is updated; what was there before is the result.
    pub(super) fn atomic_update(
        &mut self,
        inst: InstId,
        source: Instruction,
        adjoint: AtomicAdjoint,
    ) -> Result<(), Error> {
        let data = &self.read.model.insts[inst];
        let (pointer, value) = (data.operands[0], data.operands[1]);
        let ty = match self.adjoint_type(value)? {
            Some(ty) => ty,
            None => self.type_of(value)?,
        };
        let of_results = match data.result {
            Some(result) if !self.adjoints[result].is_empty() => Some(self.take_adjoints(result)?),
            Some(_) | None => None,
        };
        let shadows = self.known(Known::Shadow(pointer))?;
        for (direction, &shadow) in shadows.iter().enumerate() {
            let of_result = of_results.as_ref().map(|adjoints| adjoints[direction]);
            let place = Place { pointer: shadow, alignment: source.alignment() };
            match adjoint {
                AtomicAdjoint::Sum | AtomicAdjoint::Difference => {
                    let after = self.builder.atomic_load(ty, place.pointer, place.alignment);
                    let term = match adjoint {
                        AtomicAdjoint::Difference => self.builder.float_negate(after),
                        AtomicAdjoint::Sum | AtomicAdjoint::Exchange | AtomicAdjoint::Extremum(_) => after,
                    };
                    self.add(value, direction, term)?;
                    if let Some(term) = of_result {
                        self.add_atomically(place, term);
                    }
                }
                AtomicAdjoint::Exchange => {
                    let after = self.exchange(place, of_result.unwrap_or_else(|| Value::zero(ty)));
                    self.add(value, direction, after)?;
                }
                AtomicAdjoint::Extremum(function) => {
                    let after = self.exchange(place, of_result.unwrap_or_else(|| Value::zero(ty)));
                    let [of_old, of_new] = self.parts_of_extremum(inst, function, after)?;
                    self.add_atomically(place, of_old);
                    self.add(value, direction, of_new)?;
                }
            }
        }
        Ok(())
    }

    /// Puts a float in shadow memory: the one that was there.
    pub(super) fn exchange(&self, place: Place, new: Value) -> Value {
        self.builder.atomic_update(
            LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpXchg,
            place.pointer,
            new,
            place.alignment,
        )
    }

    /// Adds to a float in shadow memory.
    pub(super) fn add_atomically(&self, place: Place, term: Value) {
        self.builder.atomic_update(
            LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpFAdd,
            place.pointer,
            term,
            place.alignment,
        );
    }

    /// What of the adjoint of the greater or smaller is that of the old number, and what that of the new one.
    fn parts_of_extremum(
        &mut self,
        inst: InstId,
        function: rules::Function,
        adjoint: Value,
    ) -> Result<[Value; 2], Error> {
        let data = &self.read.model.insts[inst];
        let Some(old) = data.result else { return Err(self.internal("an atomic update has no result")) };
        let new = data.operands[1];
        let operands = [self.known(Known::Primal(old))?[0], self.known(Known::Primal(new))?[0]];
        let mut parts = [Value::zero(adjoint.ty()); 2];
        let mut emitter = Emitter::new(&self.builder, self.module, adjoint.ty(), &operands, &operands[..1]);
        let mut folder = Folder::new(&mut emitter);
        for (_, column, partial) in rules::rule(function).nonzero_partials() {
            let factor = Factor::of(partial.expr(), &mut folder)?;
            parts[column] = factor.times(&self.builder, adjoint, self.style.zero_products);
        }
        Ok(parts)
    }
}

/// A float in shadow memory.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) pointer: Value,
    pub(super) alignment: u32,
}
