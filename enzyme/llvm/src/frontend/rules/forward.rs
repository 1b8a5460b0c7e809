//! How a forward derivative that a user wrote takes its arguments, and what it returns.
//!
//! It takes each argument of the function followed by its shadow. Integers may come without one, and so may pointers to
//! memory of which no derivative is taken, where the types tell which. It returns nothing where the function does, else a
//! struct of the result and its tangent, or the tangent alone. In several directions it either takes and returns arrays
//! of them, or is called once for each.

use super::repeated::changes_what_it_reads;
use crate::error::Error;
use crate::ir::{Function, Type};

/// A forward derivative whose type fits its function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ForwardRule {
    /// What the user wrote.
    pub(crate) rule: Function,
    /// How it takes each parameter of the function.
    pub(crate) parameters: Vec<RuleParameter>,
    /// Whether it takes and gives all directions at once.
    pub(crate) shadows: Shadows,
    /// What it returns.
    pub(crate) result: RuleResult,
}

/// How a rule takes one parameter of its function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RuleParameter {
    /// The value alone.
    Alone,
    /// The value, then its shadow.
    WithShadow,
}

/// What a shadow is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shadows {
    /// That of one direction.
    One,
    /// An array of one for each direction.
    All,
}

/// What a rule returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RuleResult {
    /// Nothing.
    Nothing,
    /// The primal's result; it has no tangent.
    Primal,
    /// The tangent of the result.
    Tangent,
    /// A struct of the primal's result and the tangent, in a value of that type; in other clothes where the C ABI wants
    /// it.
    Both,
    /// The same, in memory that the first argument points to.
    BothInMemory(Type),
}

impl ForwardRule {
    /// The rule for derivatives in so many directions.
    ///
    /// # Errors
    /// What the type of the rule should be, or why it cannot serve so many directions.
    pub(crate) fn of(function: Function, rule: Function, width: usize) -> Result<ForwardRule, Error> {
        let fit = (width > 1).then(|| Self::fit(function, rule, Shadows::All, width, 0)).flatten();
        let fit = fit
            .or_else(|| Self::fit(function, rule, Shadows::One, 1, 0))
            .ok_or_else(|| misfit(function, rule))?;
        match changes_what_it_reads(&fit) {
            Some(argument) if width > 1 && fit.shadows == Shadows::One => {
                Err(in_several_directions(function, rule, width, argument))
            }
            Some(_) | None => Ok(fit),
        }
    }

    /// Whether the rule serves derivatives in one or in some other number of directions.
    ///
    /// # Errors
    /// As [`ForwardRule::of`].
    pub(crate) fn of_any_width(function: Function, rule: Function) -> Result<ForwardRule, Error> {
        let is_array_of =
            |ty: &Type, element: Type| ty.element_count() > 1 && ty.at(0) == element && ty.is_array();
        let taken = rule.parameter_types();
        let array = taken
            .windows(2)
            .find(|pair| function.parameter_types().contains(&pair[0]) && is_array_of(&pair[1], pair[0]));
        let width = array.map_or(1, |pair| pair[1].element_count() as usize);
        Self::of(function, rule, width)
    }

    /// The second part of a derivative in two parts, which takes so many tapes, none or one, at last.
    pub(super) fn before_tape(function: Function, rule: Function, tapes: usize) -> Option<ForwardRule> {
        Self::fit(function, rule, Shadows::One, 1, tapes)
    }

    fn fit(
        function: Function,
        rule: Function,
        shadows: Shadows,
        width: usize,
        tapes: usize,
    ) -> Option<ForwardRule> {
        let across = |ty: Type| match shadows {
            Shadows::One => ty,
            Shadows::All => ty.array(width as u64),
        };
        let mut taken = rule.parameter_types();
        taken.truncate(taken.len().checked_sub(tapes)?);
        let result = Self::result(function, rule, &mut taken, across)?;
        let wanted: Vec<(Type, Type)> =
            function.parameter_types().into_iter().map(|ty| (ty, across(ty))).collect();
        let parameters = match_parameters(&wanted, &taken, Floats::WithShadow)?;
        Some(ForwardRule { rule, parameters, shadows, result })
    }

    /// What the rule returns; takes the parameter away from `taken` through which it does.
    fn result(
        function: Function,
        rule: Function,
        taken: &mut Vec<Type>,
        across: impl Fn(Type) -> Type,
    ) -> Option<RuleResult> {
        let (primal, given) = (function.return_type(), rule.return_type());
        let module = function.module();
        let void = Type::void(primal.context());
        let both = |primal: Type| Type::structure(primal.context(), &[primal, across(primal)]);
        let holds_both =
            |ty: Type| ty != void && module.scalars_in_memory(ty) == module.scalars_in_memory(both(primal));
        if primal == void {
            return (given == void).then_some(RuleResult::Nothing);
        }
        if given == void {
            let memory = rule.return_memory_type().filter(|&memory| holds_both(memory))?;
            taken.remove(0);
            return Some(RuleResult::BothInMemory(memory));
        }
        if holds_both(given) {
            Some(RuleResult::Both)
        } else if given == across(primal) && primal.may_carry_derivative() {
            Some(RuleResult::Tangent)
        } else if given == primal && !primal.may_carry_derivative() {
            Some(RuleResult::Primal)
        } else {
            None
        }
    }
}

/// How a rule takes numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Floats {
    /// Each with its tangent.
    WithShadow,
    /// Alone: the adjoint comes out.
    Alone,
}

/// Which of the parameters, given with the types of their shadows, are followed by one in `taken`: all; all but the
/// integers; or what is left as the only way.
pub(super) fn match_parameters(
    wanted: &[(Type, Type)],
    taken: &[Type],
    floats: Floats,
) -> Option<Vec<RuleParameter>> {
    let is_alone = |ty: &Type| floats == Floats::Alone && ty.may_carry_derivative() && !ty.is_pointer();
    let of = |has_shadow: &dyn Fn(&Type) -> bool| -> Vec<RuleParameter> {
        let form = |(ty, _): &(Type, Type)| match has_shadow(ty) && !is_alone(ty) {
            true => RuleParameter::WithShadow,
            false => RuleParameter::Alone,
        };
        wanted.iter().map(form).collect()
    };
    for usual in [of(&|_| true), of(&|ty| ty.may_carry_derivative())] {
        if spelled_out(wanted, &usual) == taken {
            return Some(usual);
        }
    }
    let mut ways = Vec::new();
    extend(wanted, taken, floats, &mut Vec::new(), &mut ways);
    match ways.as_mut_slice() {
        [only] => Some(std::mem::take(only)),
        _ => None,
    }
}

fn spelled_out(wanted: &[(Type, Type)], parameters: &[RuleParameter]) -> Vec<Type> {
    let types = |(&(ty, shadow), parameter): (&(Type, Type), &RuleParameter)| match parameter {
        RuleParameter::Alone => vec![ty],
        RuleParameter::WithShadow => vec![ty, shadow],
    };
    wanted.iter().zip(parameters).flat_map(types).collect()
}

/// Finds up to two ways to go on.
fn extend(
    wanted: &[(Type, Type)],
    taken: &[Type],
    floats: Floats,
    begun: &mut Vec<RuleParameter>,
    ways: &mut Vec<Vec<RuleParameter>>,
) {
    let Some((&(ty, shadow), rest)) = wanted.split_first() else {
        if taken.is_empty() {
            ways.push(begun.clone());
        }
        return;
    };
    // More values than parameters left can take, or too few: nothing comes of it.
    if ways.len() > 1 || taken.len() < wanted.len() || taken.len() > 2 * wanted.len() || taken[0] != ty {
        return;
    }
    for (parameter, used) in [(RuleParameter::WithShadow, 2), (RuleParameter::Alone, 1)] {
        // A float without a derivative has the tangent zero: no rule need do without.
        let fits = match parameter {
            RuleParameter::WithShadow => {
                taken.get(1) == Some(&shadow) && (floats == Floats::WithShadow || !ty.is_float_or_vector())
            }
            RuleParameter::Alone => floats == Floats::Alone || !ty.is_float_or_vector(),
        };
        if !fits {
            continue;
        }
        begun.push(parameter);
        extend(rest, &taken[used..], floats, begun, ways);
        begun.pop();
    }
}

fn in_several_directions(function: Function, rule: Function, width: usize, argument: usize) -> Error {
    Error::program(
        rule,
        format!(
            "`{}` is for one direction, and cannot be called once for each of {width}: it may change the memory of \
             argument {argument} of `{}`, which it reads",
            rule.written_name(),
            function.written_name()
        ),
    )
    .help(format!("ask for one direction at a time, or let it take all at once: each shadow as an array `[{width} x …]`"))
}

fn misfit(function: Function, rule: Function) -> Error {
    let expected = spelled_out(
        &function.parameter_types().into_iter().map(|ty| (ty, ty)).collect::<Vec<_>>(),
        &vec![RuleParameter::WithShadow; function.parameters().len()],
    );
    let returned = function.return_type();
    let context = returned.context();
    let result = match returned == Type::void(context) {
        true => returned,
        false => Type::structure(context, &[returned, returned]),
    };
    Error::program(
        rule,
        format!("`{}` does not fit as the derivative of `{}`", rule.written_name(), function.written_name()),
    )
    .note(format!("`{}` has the type `{}`", function.written_name(), function.function_type()))
    .note(format!("`{}` has the type `{}`", rule.written_name(), rule.function_type()))
    .help(format!(
        "it takes each argument followed by its tangent, and returns a struct of the result and its tangent: `{}`",
        Type::function(result, &expected)
    ))
}
