//! The adjoints of calls.

use super::{Known, Mode, Writer};
use crate::error::Error;
use crate::ir::{Instruction, Type, Value};
use crate::write::pointer_call::place_of;
use crate::write::{DerivativeKey, Signature, TapeAfterwards, TapePlace};
use enzyme::activity::ArgumentActivity;
use enzyme::model::InstId;
use enzyme::plan::{Adjoint, Carries, DerivedCall, PointerCall};

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
        let arguments = self.arguments_of_call(inst, &call.arguments, &signature, tape)?;
        let outcome = self.builder.call(derived, &arguments);
        outcome.copy_calling_convention(derived);
        self.take_adjoints_of_call(inst, &call.arguments, outcome.value(), &signature)
    }

    /// The function behind a pointer runs its reverse sweep: the second of the two that the pointer's shadow leads to.
    pub(super) fn reverse_call_through_pointer(
        &mut self,
        inst: InstId,
        source: Instruction,
        call: &PointerCall,
    ) -> Result<(), Error> {
        let callee = self.read.model.insts[inst].callee();
        let (Some(callee), Some(slot)) = (callee, self.plan.tapes[inst]) else {
            return Err(self.internal("a call through a pointer has no tape"));
        };
        let tape = self.take(slot)?[0];
        let function_type = source.called_type();
        let mode = Mode::ReverseSweep(TapePlace::Heap, TapeAfterwards::Freed);
        let signature = Signature::through_pointer(function_type, mode, call, self.key.width);
        let arguments = self.arguments_of_call(inst, &call.arguments, &signature, Some(tape))?;
        let called = self.known(Known::Primal(callee))?[0];
        let shadow = match self.plan.carries[callee] {
            Carries::Derivative => self.known(Known::Shadow(callee))?[0],
            Carries::Nothing | Carries::MemoryBits | Carries::Address | Carries::Lost => called,
        };
        let lookup = self.derivatives.lookup(function_type, self.key.behind());
        let place = self.builder.text(&place_of(source));
        let pair = self.builder.call(lookup, &[called, shadow, place]).value();
        let pointer = Type::pointer(signature.result.context());
        let bytes = self.module.allocation_size(pointer);
        let reverse = self.builder.load(pointer, self.builder.offset(pair, bytes), "reverse");
        let outcome = self.builder.call_as(signature.function_type(), reverse, &arguments);
        self.take_adjoints_of_call(inst, &call.arguments, outcome.value(), &signature)
    }

    /// What the reverse sweep of a function is given: arguments with shadows, the adjoints of the result, the tape.
    fn arguments_of_call(
        &mut self,
        inst: InstId,
        activities: &[ArgumentActivity],
        signature: &Signature,
        tape: Option<Value>,
    ) -> Result<Vec<Value>, Error> {
        let read = self.read;
        let data = &read.model.insts[inst];
        let mut arguments = Vec::new();
        for (&argument, activity) in data.arguments().iter().zip(activities) {
            arguments.extend(self.known(Known::Primal(argument))?);
            if activity.has_shadow() {
                arguments.extend(self.known(Known::Shadow(argument))?);
            }
        }
        let seeds = signature.parameters.len() - arguments.len() - usize::from(tape.is_some());
        if let Some(result) = data.result.filter(|_| seeds > 0) {
            if self.adjoint_type(result)?.is_some() {
                for adjoint in self.take_adjoints(result)? {
                    arguments.push(self.in_own_type(result, adjoint)?);
                }
            } else {
                let zero = Value::zero(self.type_of(result)?);
                arguments.extend(std::iter::repeat_n(zero, seeds));
            }
        }
        arguments.extend(tape);
        Ok(arguments)
    }

    /// Adds the adjoints of arguments that the reverse sweep of a function returned.
    fn take_adjoints_of_call(
        &mut self,
        inst: InstId,
        activities: &[ArgumentActivity],
        whole: Value,
        signature: &Signature,
    ) -> Result<(), Error> {
        let read = self.read;
        let active = read.model.insts[inst]
            .arguments()
            .iter()
            .zip(activities)
            .filter(|(_, activity)| **activity == ArgumentActivity::Out);
        for (index, (&argument, _)) in (0..).zip(active) {
            let field =
                if signature.fields.len() > 1 { self.builder.extract_value(whole, index) } else { whole };
            // Through a pointer, adjoints come whether anybody asks for them or not.
            if self.plan.adjoints[argument] == Adjoint::None {
                continue;
            }
            for (direction, &term) in self.unpacked(field).iter().enumerate() {
                self.add(argument, direction, term)?;
            }
        }
        Ok(())
    }
}
