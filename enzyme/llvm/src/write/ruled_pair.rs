//! Writes the derived functions of a function that the user has a derivative in two functions for: an augmented function
//! and a reverse derivative, or a split forward derivative. Each becomes a call of what the user wrote, with arguments
//! and results in the places where derived functions have them.
//!
//! What the augmented function gives for the other one, the user's tape, lies where tapes lie; one that is a pointer and
//! need not lie in the user's memory is the tape itself.

use super::ruled::{shadows_of_constant, write_ruled_from};
use super::tape::Tape;
use super::{DerivativeKey, Derivatives, PrimalReturn, ResultActivity, Signature, TapeAfterwards, TapePlace};
use crate::error::Error;
use crate::frontend::rules::{
    AugmentedField, AugmentedRule, GradientRule, RuleParameter, Seed, SplitForwardRule,
};
use crate::ir::{Builder, Function, Type, Value};
use enzyme::activity::ArgumentActivity;

/// A rule in two functions.
pub(crate) enum PairRule<'a> {
    /// For adjoints.
    Reverse(&'a GradientRule),
    /// For tangents.
    Forward(&'a SplitForwardRule),
}

/// Writes the body of `derived`.
///
/// # Errors
/// When the rule wants the shadow of memory that has none, or several directions are asked for.
pub(crate) fn write_ruled_pair(
    key: &DerivativeKey,
    signature: &Signature,
    derived: Function,
    rule: &PairRule<'_>,
    derivatives: &mut dyn Derivatives,
) -> Result<(), Error> {
    let (augmented, second, tape) = match rule {
        PairRule::Reverse(rule) => (&rule.augmented, rule.rule, rule.tape),
        PairRule::Forward(rule) => (&rule.augmented, rule.derivative.rule, rule.tape),
    };
    if key.width > 1 {
        return Err(in_several_directions(key.function, second, key.width));
    }
    let builder = Builder::new(derived.function_type().context());
    builder.position_at_end(derived.append_block("entry"));
    let tapes = Tape::new(derived.module(), signature.result);
    let mut writer = Writer { key, signature, derived, augmented, tape, builder, tapes, derivatives };
    let arguments = writer.arguments();
    if let Some(place) = key.mode.fills_tape() {
        return writer.first(&arguments, place);
    }
    let kept = match key.mode.reads_tape() {
        Some((place, afterwards)) => writer.taken_tape(place, afterwards),
        // Both in one function.
        None => writer.augment(&arguments)?.tape,
    };
    match rule {
        PairRule::Reverse(rule) => writer.reverse(&arguments, rule, kept),
        PairRule::Forward(rule) => {
            let tape: Vec<Value> =
                rule.tape.map(|ty| kept.unwrap_or_else(|| Value::poison(ty))).into_iter().collect();
            write_ruled_from(key, signature, derived, &rule.derivative, &tape, writer.derivatives)
        }
    }
}

/// The bytes of the user's memory that such a tape takes.
pub(crate) fn bytes_of_tape(function: Function, rule: &PairRule<'_>) -> u64 {
    let tape = match rule {
        PairRule::Reverse(rule) => rule.tape,
        PairRule::Forward(rule) => rule.tape,
    };
    tape.map_or(0, |ty| function.module().allocation_size(ty))
}

/// One argument of the derived function.
struct Argument {
    primal: Value,
    shadow: Option<Value>,
}

/// What the augmented function gave.
#[derive(Default)]
struct Augmented {
    tape: Option<Value>,
    primal: Option<Value>,
    shadow: Option<Value>,
}

struct Writer<'a> {
    key: &'a DerivativeKey,
    signature: &'a Signature,
    derived: Function,
    augmented: &'a AugmentedRule,
    /// The type of the tape that is handed on.
    tape: Option<Type>,
    builder: Builder,
    tapes: Tape,
    derivatives: &'a mut dyn Derivatives,
}

impl Writer<'_> {
    fn arguments(&self) -> Vec<Argument> {
        let given = self.derived.parameters();
        let mut rest = given.iter().copied();
        let takes_shadows = self.key.mode.takes_shadows();
        let argument = |activity: &ArgumentActivity| {
            let primal = rest.next()?;
            let shadow = if activity.has_shadow() && takes_shadows { rest.next() } else { None };
            Some(Argument { primal, shadow })
        };
        self.key.arguments.iter().filter_map(argument).collect()
    }

    /// The values that one of the user's functions takes for the arguments.
    fn given(
        &mut self,
        rule: Function,
        arguments: &[Argument],
        parameters: &[RuleParameter],
    ) -> Result<Vec<Value>, Error> {
        let mut given = Vec::new();
        for (index, (argument, parameter)) in arguments.iter().zip(parameters).enumerate() {
            given.push(argument.primal);
            match (parameter, argument.shadow) {
                (RuleParameter::Alone, _) => {}
                (RuleParameter::WithShadow, Some(shadow)) => given.push(shadow),
                (RuleParameter::WithShadow, None) => given.extend(shadows_of_constant(
                    &self.builder,
                    self.key,
                    rule,
                    index,
                    argument.primal,
                    self.derivatives,
                )?),
            }
        }
        Ok(given)
    }

    /// Calls the augmented function.
    fn augment(&mut self, arguments: &[Argument]) -> Result<Augmented, Error> {
        let augmented = self.augmented;
        let mut given: Vec<Value> = Vec::new();
        let memory = augmented.memory.map(|ty| self.builder.entry_alloca(ty, "augmented").value());
        given.extend(memory);
        given.extend(self.given(augmented.rule, arguments, &augmented.parameters)?);
        let result = self.call(augmented.rule, &given);
        let mut outcome = Augmented::default();
        let types: Vec<Type> = augmented.fields.iter().map(|(_, ty)| *ty).collect();
        let values = self.parts(result, memory, &types);
        for ((field, _), value) in augmented.fields.iter().zip(values) {
            match field {
                AugmentedField::Tape => outcome.tape = Some(value),
                AugmentedField::Primal => outcome.primal = Some(value),
                AugmentedField::Shadow => outcome.shadow = Some(value),
            }
        }
        Ok(outcome)
    }

    /// The derived function that runs the primal and gives the tape.
    fn first(&mut self, arguments: &[Argument], place: TapePlace) -> Result<(), Error> {
        let outcome = self.augment(arguments)?;
        let tape = match (self.tape, outcome.tape) {
            (Some(ty), Some(tape)) if self.lies_in_memory(ty, place) => Some(self.keep(tape, place)),
            (Some(ty), tape) if ty.is_pointer() => tape,
            (Some(_) | None, _) => None,
        };
        let null = Value::zero(Type::pointer(self.signature.result.context()));
        let mut fields = match place {
            TapePlace::Caller | TapePlace::Heap => vec![tape.unwrap_or(null)],
            TapePlace::User => vec![],
        };
        if self.key.primal == PrimalReturn::Yes {
            let primal = outcome.primal.unwrap_or_else(|| {
                let primals: Vec<Value> = arguments.iter().map(|argument| argument.primal).collect();
                self.call(self.key.function, &primals)
            });
            fields.push(primal);
            if self.signature.fields.len() > fields.len() {
                fields.push(outcome.shadow.unwrap_or(primal));
            }
        }
        self.builder.return_fields(self.signature.result, &fields);
        Ok(())
    }

    /// Whether a tape of that type is put into memory; else it is handed over as it is.
    fn lies_in_memory(&self, ty: Type, place: TapePlace) -> bool {
        let bytes = self.derived.module().allocation_size(ty);
        bytes > 0 && (!ty.is_pointer() || place == TapePlace::User)
    }

    fn keep(&self, tape: Value, place: TapePlace) -> Value {
        let bytes = self.derived.module().allocation_size(tape.ty());
        let last = self.derived.parameters().last().copied();
        let null = Value::zero(Type::pointer(tape.ty().context()));
        let memory = match place {
            TapePlace::Caller => {
                let wide = Type::integer(tape.ty().context(), 64);
                last.map(|arena| {
                    self.tapes.allocate(&self.builder, arena, Value::integer(wide, bytes as i64))
                })
            }
            TapePlace::Heap => Some(self.tapes.heap_memory(&self.builder, bytes)),
            TapePlace::User => last,
        };
        let memory = memory.unwrap_or(null);
        self.builder.store(tape, memory).set_alignment_at_most(if place == TapePlace::User { 1 } else { 16 });
        memory
    }

    /// The user's tape, from where the augmented function left it.
    fn taken_tape(&self, place: TapePlace, afterwards: TapeAfterwards) -> Option<Value> {
        let (ty, memory) = (self.tape?, *self.derived.parameters().last()?);
        if self.derived.module().allocation_size(ty) == 0 {
            return Some(Value::poison(ty));
        }
        if !self.lies_in_memory(ty, place) {
            return Some(memory);
        }
        let tape = self.builder.load(ty, memory, "tape");
        if let Some(load) = tape.as_instruction() {
            load.set_alignment_at_most(if place == TapePlace::User { 1 } else { 16 });
        }
        if (place, afterwards) == (TapePlace::Heap, TapeAfterwards::Freed) {
            self.tapes.free(&self.builder, memory);
        }
        Some(tape)
    }

    /// Calls the reverse derivative, and returns what is asked for.
    fn reverse(
        &mut self,
        arguments: &[Argument],
        rule: &GradientRule,
        tape: Option<Value>,
    ) -> Result<(), Error> {
        let returned = self.key.function.return_type();
        let types: Vec<Type> = self
            .key
            .function
            .parameter_types()
            .into_iter()
            .filter(|ty| ty.may_carry_derivative() && !ty.is_pointer())
            .collect();
        let mut given = Vec::new();
        let memory = rule.memory.map(|ty| self.builder.entry_alloca(ty, "adjoints").value());
        given.extend(memory);
        given.extend(self.given(rule.rule, arguments, &rule.parameters)?);
        let values: usize = arguments.iter().map(|argument| 1 + usize::from(argument.shadow.is_some())).sum();
        let seed = self.derived.parameters().get(values).copied();
        let seed = seed.filter(|_| self.key.result == ResultActivity::Active);
        let seed = || seed.unwrap_or_else(|| Value::zero(returned));
        match rule.seed {
            Seed::Taken => given.push(seed()),
            Seed::TakenByReference => {
                let memory = self.builder.entry_alloca(returned, "adjoint").value();
                self.builder.store(seed(), memory);
                given.push(memory);
            }
            Seed::None => {}
        }
        given.extend(rule.tape.map(|ty| tape.unwrap_or_else(|| Value::poison(ty))));
        let result = self.call(rule.rule, &given);
        let adjoints = self.parts(result, memory, &types);
        let mut fields = Vec::new();
        if self.key.primal == PrimalReturn::Yes {
            let primals: Vec<Value> = arguments.iter().map(|argument| argument.primal).collect();
            fields.push(self.call(self.key.function, &primals));
        }
        let numbers = self.key.function.parameter_types().into_iter().zip(&self.key.arguments);
        let numbers = numbers.filter(|(ty, _)| ty.may_carry_derivative() && !ty.is_pointer());
        for ((_, activity), adjoint) in numbers.zip(adjoints) {
            if *activity == ArgumentActivity::Out {
                fields.push(adjoint);
            }
        }
        self.builder.return_fields(self.signature.result, &fields);
        Ok(())
    }

    fn call(&self, function: Function, given: &[Value]) -> Value {
        let call = self.builder.call(function, given);
        call.copy_calling_convention(function);
        call.copy_parameter_attributes(function);
        call.value()
    }

    /// The values of these types that one of the user's functions returned: one, a struct, or memory that looks like one.
    fn parts(&self, result: Value, memory: Option<Value>, types: &[Type]) -> Vec<Value> {
        let context = self.signature.result.context();
        let module = self.derived.module();
        if types.is_empty() {
            return vec![];
        }
        if memory.is_none() && types == [result.ty()] {
            return vec![result];
        }
        if memory.is_none() && result.ty().fields() == types {
            return (0..types.len() as u32).map(|index| self.builder.extract_value(result, index)).collect();
        }
        let memory = memory.unwrap_or_else(|| {
            let memory = self.builder.entry_alloca(result.ty(), "parts").value();
            self.builder.store(result, memory);
            memory
        });
        let whole = Type::structure(context, types);
        let part = |(index, ty): (usize, &Type)| {
            let before = module.field_offset(whole, index as u32);
            self.builder.load(*ty, self.builder.offset(memory, before), "")
        };
        types.iter().enumerate().map(part).collect()
    }
}

fn in_several_directions(function: Function, rule: Function, width: usize) -> Error {
    Error::program(
        rule,
        format!(
            "`{}`, the user's derivative of `{}`, is for one direction, and {width} are asked for",
            rule.written_name(),
            function.written_name()
        ),
    )
    .help("ask for one direction at a time")
}
