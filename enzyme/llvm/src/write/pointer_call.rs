//! Calls through a pointer: the derivative is what the shadow of the pointer holds.

use super::forward::Writer;
use super::{Mode, Signature, TapePlace};
use crate::error::Error;
use crate::ir::{Instruction, Value};
use enzyme::model::InstId;
use enzyme::plan::PointerCall;

impl Writer<'_> {
    /// The derivative of whatever function is called, in its place.
    pub(super) fn call_through_pointer(
        &mut self,
        inst: InstId,
        primal: Instruction,
        call: &PointerCall,
    ) -> Result<(), Error> {
        let signature = Signature::through_pointer(primal.called_type(), Mode::Forward, call, self.key.width);
        let arguments = self.with_shadows(inst, primal, &call.arguments, &[])?;
        let derivative = self.behind_pointer(inst, primal)?;
        let outcome = self.call_instead(primal, signature.function_type(), derivative, &arguments);
        self.take_over(inst, primal, outcome.value(), &signature, call.result)
    }

    /// The forward sweep of whatever function is called, in its place; what it kept is on a tape of its own.
    pub(super) fn augment_through_pointer(
        &mut self,
        inst: InstId,
        primal: Instruction,
        call: &PointerCall,
    ) -> Result<(), Error> {
        let mode = Mode::Augmented(TapePlace::Heap);
        let signature = Signature::through_pointer(primal.called_type(), mode, call, self.key.width);
        let arguments = self.with_shadows(inst, primal, &call.arguments, &[])?;
        let pair = self.behind_pointer(inst, primal)?;
        let augmented = self.builder.load(pair.ty(), pair, "augmented");
        let outcome = self.call_instead(primal, signature.function_type(), augmented, &arguments);
        self.take_over_with_tape(inst, primal, outcome.value(), &signature)
    }

    /// What the shadow of the pointer that a call goes through leads to.
    fn behind_pointer(&mut self, inst: InstId, primal: Instruction) -> Result<Value, Error> {
        let Some(callee) = self.read.model.insts[inst].callee() else {
            return Err(Error::internal(self.primal.derived, "a call through a pointer calls nothing"));
        };
        // The same function is called in every direction.
        let shadow = self.shadow_one_by_one(callee)?[0];
        let lookup = self.derivatives.lookup(primal.called_type(), self.key.behind());
        let place = self.builder.text(&place_of(primal));
        let called = self.primal.value(callee)?;
        Ok(self.builder.call(lookup, &[called, shadow, place]).value())
    }
}

/// Where a call stands in the user's program, as far as that is known.
pub(super) fn place_of(call: Instruction) -> String {
    call.source_place().unwrap_or_else(|| format!("in the derivative of {}", call.function().name()))
}
