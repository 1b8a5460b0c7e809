//! Writes the derived function of a function that the user has a forward derivative for: a call of what the user wrote,
//! with arguments and results in the places where derived functions have them.

use super::{DerivativeKey, Derivatives, PrimalReturn, ResultActivity, Signature, shadows};
use crate::error::Error;
use crate::frontend::rules::{ForwardRule, RuleParameter, RuleResult, Shadows};
use crate::ir::{Builder, Function, Type, Value};
use smallvec::SmallVec;

/// Writes the body of `derived`.
///
/// # Errors
/// When the rule wants the shadow of memory that has none.
pub(crate) fn write_ruled(
    key: &DerivativeKey,
    signature: &Signature,
    derived: Function,
    rule: &ForwardRule,
    derivatives: &mut dyn Derivatives,
) -> Result<(), Error> {
    derived.append_block("entry");
    write_ruled_from(key, signature, derived, rule, &[], derivatives)
}

/// As [`write_ruled`], where `derived` ends, with values that the rule takes at last.
pub(super) fn write_ruled_from(
    key: &DerivativeKey,
    signature: &Signature,
    derived: Function,
    rule: &ForwardRule,
    last: &[Value],
    derivatives: &mut dyn Derivatives,
) -> Result<(), Error> {
    let builder = Builder::new(derived.function_type().context());
    if let Some(end) = derived.blocks().last() {
        builder.position_at_end(end);
    }
    let writer = Writer { key, derived, rule, last, builder };
    let arguments = writer.arguments(derivatives)?;
    // The function itself does what the rule does not: its result, and whatever else it does.
    let primal = (rule.result == RuleResult::Tangent).then(|| {
        let primals: Vec<Value> = arguments.iter().map(|argument| argument.primal).collect();
        let call = writer.builder.call(key.function, &primals);
        call.copy_calling_convention(key.function);
        call.copy_parameter_attributes(key.function);
        call.value()
    });
    let directions = if rule.shadows == Shadows::All { 1 } else { key.width };
    let outcomes: Vec<Outcome> =
        (0..directions).map(|direction| writer.call(&arguments, direction)).collect();
    let mut fields = Vec::new();
    let first = outcomes.first();
    if key.primal == PrimalReturn::Yes
        && let Some(primal) = primal.or(first.and_then(|outcome| outcome.primal))
    {
        fields.push(primal);
    }
    if key.result == ResultActivity::Active {
        fields.push(writer.tangent(&outcomes));
    }
    writer.builder.return_fields(signature.result, &fields);
    Ok(())
}

/// The shadows of an argument that has none where the function is called, for a rule that takes them.
pub(super) fn shadows_of_constant(
    builder: &Builder,
    key: &DerivativeKey,
    rule: Function,
    index: usize,
    primal: Value,
    derivatives: &mut dyn Derivatives,
) -> Result<Vec<Value>, Error> {
    if primal.ty().scalar_kinds().contains(&crate::ir::Kind::Pointer) {
        return Err(Error::program(
            rule,
            format!(
                "`{}` takes a shadow of argument {} of `{}`, which has none where it is called",
                rule.written_name(),
                index + 1,
                key.function.written_name()
            ),
        )
        .help(
            "mark the argument `enzyme_dup` and give its shadow after it, or take the shadow out of the rule",
        ));
    }
    let shadow = |direction| {
        let mut shadows =
            shadows::Shadows { builder, module: rule.module(), behind: key.behind(), direction, derivatives };
        shadows.inactive(primal)
    };
    Ok((0..key.width).map(shadow).collect())
}

/// One argument of the derived function.
struct Argument {
    primal: Value,
    /// One a direction; none where the rule takes none.
    shadows: Vec<Value>,
}

/// What one call of the rule gave.
struct Outcome {
    primal: Option<Value>,
    /// The tangent of one direction, or an array of all.
    tangent: Option<Value>,
}

struct Writer<'a> {
    key: &'a DerivativeKey,
    derived: Function,
    rule: &'a ForwardRule,
    /// What the rule takes behind the arguments.
    last: &'a [Value],
    builder: Builder,
}

impl Writer<'_> {
    fn arguments(&self, derivatives: &mut dyn Derivatives) -> Result<Vec<Argument>, Error> {
        let given = self.derived.parameters();
        let mut rest = given.as_slice();
        let mut arguments = Vec::new();
        for (index, parameter) in self.rule.parameters.iter().enumerate().take(self.key.arguments.len()) {
            let (mine, others) = rest.split_at(1 + self.key.shadow_parameters(index));
            rest = others;
            let primal = mine[0];
            let shadows = match self.key.layouts[index] {
                Some(layout) => self.builder.at_distances(mine[1], layout.step, self.key.width),
                None => SmallVec::from_slice(&mine[1..]),
            };
            let shadows = match (parameter, shadows.as_slice()) {
                (RuleParameter::Alone, _) => vec![],
                (RuleParameter::WithShadow, []) => {
                    let (builder, rule) = (&self.builder, self.rule.rule);
                    shadows_of_constant(builder, self.key, rule, index, primal, derivatives)?
                }
                (RuleParameter::WithShadow, shadows) => shadows.to_vec(),
            };
            arguments.push(Argument { primal, shadows });
        }
        Ok(arguments)
    }

    /// Calls the rule for one direction, or for all.
    fn call(&self, arguments: &[Argument], direction: usize) -> Outcome {
        let mut given = Vec::new();
        let memory = match self.rule.result {
            RuleResult::BothInMemory(ty) => Some(self.builder.entry_alloca(ty, "both").value()),
            RuleResult::Nothing | RuleResult::Primal | RuleResult::Tangent | RuleResult::Both => None,
        };
        given.extend(memory);
        for argument in arguments {
            given.push(argument.primal);
            match (self.rule.shadows, argument.shadows.as_slice()) {
                (_, []) => {}
                (Shadows::One, shadows) => given.push(shadows[direction]),
                (Shadows::All, shadows) => given.push(self.array(shadows)),
            }
        }
        given.extend(self.last);
        let call = self.builder.call(self.rule.rule, &given);
        call.copy_calling_convention(self.rule.rule);
        call.copy_parameter_attributes(self.rule.rule);
        let result = call.value();
        match self.rule.result {
            RuleResult::Nothing => Outcome { primal: None, tangent: None },
            RuleResult::Primal => Outcome { primal: Some(result), tangent: None },
            RuleResult::Tangent => Outcome { primal: None, tangent: Some(result) },
            RuleResult::Both => self.both(result, None),
            RuleResult::BothInMemory(_) => self.both(result, memory),
        }
    }

    /// Takes the primal's result and the tangent out of what holds both: a struct of the two, or something that looks
    /// like it in memory.
    fn both(&self, result: Value, memory: Option<Value>) -> Outcome {
        let primal = self.key.function.return_type();
        let tangent = match self.rule.shadows {
            Shadows::One => primal,
            Shadows::All => primal.array(self.key.width as u64),
        };
        let plain = memory.is_none() && result.ty().fields() == [primal, tangent];
        if plain {
            let part = |index| Some(self.builder.extract_value(result, index));
            return Outcome { primal: part(0), tangent: part(1) };
        }
        let memory = memory.unwrap_or_else(|| {
            let memory = self.builder.entry_alloca(result.ty(), "both").value();
            self.builder.store(result, memory);
            memory
        });
        let size = self.derived.module().allocation_size(primal);
        Outcome {
            primal: Some(self.builder.load(primal, memory, "")),
            tangent: Some(self.builder.load(tangent, self.builder.offset(memory, size), "")),
        }
    }

    /// The tangents of all directions, as the derived function returns them.
    fn tangent(&self, outcomes: &[Outcome]) -> Value {
        let primal = self.key.function.return_type();
        let one = match self.rule.shadows {
            Shadows::One => primal,
            Shadows::All => primal.array(self.key.width as u64),
        };
        let tangents: Vec<Value> =
            outcomes.iter().map(|outcome| outcome.tangent.unwrap_or_else(|| Value::zero(one))).collect();
        match (self.rule.shadows, tangents.as_slice()) {
            (Shadows::All, [all]) => *all,
            (_, [one]) if self.key.width == 1 => *one,
            (_, several) => self.array(several),
        }
    }

    fn array(&self, values: &[Value]) -> Value {
        let ty: Type = values[0].ty().array(values.len() as u64);
        (0..)
            .zip(values)
            .fold(Value::poison(ty), |array, (index, &value)| self.builder.insert_value(array, value, index))
    }
}
