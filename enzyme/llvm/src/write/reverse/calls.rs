//! The adjoints of calls.

use super::{Known, Mode, Writer};
use crate::error::Error;
use crate::ir::{Instruction, Value};
use crate::write::{DerivativeKey, TapeAfterwards, TapePlace};
use enzyme::activity::ArgumentActivity;
use enzyme::model::InstId;
use enzyme::plan::DerivedCall;

impl Writer<'_> {
    /// The derived function runs both of its sweeps.
    pub(super) fn call(
        &mut self,
        inst: InstId,
        source: Instruction,
        call: &DerivedCall,
    ) -> Result<(), Error> {
        self.call_derived(inst, source, call, Mode::Reverse, None)
    }

    /// The derived function runs its reverse sweep, with what its forward sweep kept.
    pub(super) fn reverse_call(
        &mut self,
        inst: InstId,
        source: Instruction,
        call: &DerivedCall,
    ) -> Result<(), Error> {
        let slot = self.plan.tapes[inst].ok_or_else(|| self.internal("a call has no tape"))?;
        let tape = self.take(slot)?[0];
        self.call_derived(
            inst,
            source,
            call,
            Mode::ReverseSweep(TapePlace::Caller, TapeAfterwards::Left),
            Some(tape),
        )
    }

    fn call_derived(
        &mut self,
        inst: InstId,
        source: Instruction,
        call: &DerivedCall,
        mode: Mode,
        tape: Option<Value>,
    ) -> Result<(), Error> {
        let Some(callee) = source.called_function() else {
            return Err(self.internal("a call that was planned as direct is not"));
        };
        let key = DerivativeKey::of_call(callee, mode, self.key, call);
        let (derived, signature) = self.derivatives.derived(key)?;
        let read = self.read;
        let data = &read.model.insts[inst];
        let mut arguments = Vec::new();
        for (&argument, activity) in data.arguments().iter().zip(&call.arguments) {
            arguments.extend(self.known(Known::Primal(argument))?);
            if activity.has_shadow() {
                arguments.extend(self.known(Known::Shadow(argument))?);
            }
        }
        let seeds = signature.parameters.len() - arguments.len() - usize::from(tape.is_some());
        if let Some(result) = data.result.filter(|_| seeds > 0) {
            if self.adjoint_type(result)?.is_some() {
                arguments.extend(self.take_adjoints(result)?);
            } else {
                let zero = Value::zero(self.type_of(result)?);
                arguments.extend(std::iter::repeat_n(zero, seeds));
            }
        }
        arguments.extend(tape);
        let outcome = self.builder.call(derived, &arguments);
        outcome.copy_calling_convention(derived);
        let active = data
            .arguments()
            .iter()
            .zip(&call.arguments)
            .filter(|(_, activity)| **activity == ArgumentActivity::Out);
        for (index, (&argument, _)) in (0..).zip(active) {
            let whole = outcome.value();
            let field =
                if signature.fields.len() > 1 { self.builder.extract_value(whole, index) } else { whole };
            for (direction, &term) in self.unpacked(field).iter().enumerate() {
                self.add(argument, direction, term)?;
            }
        }
        Ok(())
    }
}
