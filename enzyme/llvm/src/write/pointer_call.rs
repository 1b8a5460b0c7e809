//! Calls through a pointer: the derivative is what the shadow of the pointer holds.

use super::Signature;
use super::forward::Writer;
use crate::error::Error;
use crate::ir::Instruction;
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
        let Some(callee) = self.read.model.insts[inst].callee() else {
            return Err(Error::internal(self.primal.derived, "a call through a pointer calls nothing"));
        };
        let function_type = primal.called_type();
        let signature = Signature::through_pointer(function_type, call, self.key.width);
        let arguments = self.with_shadows(inst, primal, &call.arguments)?;
        // The same function is called in every direction.
        let shadow = self.shadow(callee)?[0];
        let lookup = self.derivatives.lookup(function_type, self.key.width, self.key.settings);
        let place = self.builder.text(&place_of(primal));
        let called = self.primal.value(callee)?;
        let derivative = self.builder.call(lookup, &[called, shadow, place]).value();
        let outcome = self.call_instead(primal, signature.function_type(), derivative, &arguments);
        self.take_over(inst, primal, outcome.value(), &signature, call.result)
    }
}

/// Where a call stands in the user's program, as far as that is known.
fn place_of(call: Instruction) -> String {
    call.source_place().unwrap_or_else(|| format!("in the derivative of {}", call.function().name()))
}
