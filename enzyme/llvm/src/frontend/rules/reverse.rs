//! How derivatives in two functions that a user wrote take their arguments, and what they return.
//!
//! The *augmented* function does what the function does, and returns what the other one needs of it, the *tape*. It takes
//! each argument, a pointer followed by its shadow, and returns nothing, the tape, the result, or a struct of the tape,
//! the result, and the shadow of the result; where it does not return the result, the function itself is called too.
//!
//! The *reverse derivative* takes the same arguments, the adjoint of the result if that has one, and the tape; it returns
//! the adjoint of each number, one after another. The *split forward derivative* takes and returns what a
//! [forward derivative](super::forward) does, and the tape at last.

use super::forward::{Floats, RuleParameter, match_parameters};
use super::{ForwardRule, ReverseRule, SplitRule};
use crate::error::Error;
use crate::ir::{Function, Type};

/// An augmented function whose type fits its function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AugmentedRule {
    /// What the user wrote.
    pub(crate) rule: Function,
    /// How it takes each parameter of the function.
    pub(crate) parameters: Vec<RuleParameter>,
    /// What it returns, in order.
    pub(crate) fields: Vec<(AugmentedField, Type)>,
    /// The type of the memory that its first argument points to and it returns them in, if it does.
    pub(crate) memory: Option<Type>,
}

/// One part of what an augmented function returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AugmentedField {
    /// What the other function needs.
    Tape,
    /// The function's result.
    Primal,
    /// The shadow of the result.
    Shadow,
}

/// A derivative in reverse mode whose types fit its function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GradientRule {
    /// The augmented function.
    pub(crate) augmented: AugmentedRule,
    /// The reverse derivative.
    pub(crate) rule: Function,
    /// How that takes each parameter of the function.
    pub(crate) parameters: Vec<RuleParameter>,
    /// Whether it takes the adjoint of the result.
    pub(crate) seed: Seed,
    /// The type of the tape that it takes.
    pub(crate) tape: Option<Type>,
    /// The type of the memory that its first argument points to and it returns adjoints in, if it does.
    pub(crate) memory: Option<Type>,
}

/// Whether the adjoint of the result is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seed {
    /// It is.
    Taken,
    /// A pointer to it is (`"byref_2"` for the third argument of the rule).
    TakenByReference,
    /// It is not.
    None,
}

/// A derivative of forward mode in two parts whose types fit its function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SplitForwardRule {
    /// The augmented function.
    pub(crate) augmented: AugmentedRule,
    /// The second part, without the tape.
    pub(crate) derivative: ForwardRule,
    /// The type of the tape that it takes at last.
    pub(crate) tape: Option<Type>,
}

impl GradientRule {
    /// The rule of a function.
    ///
    /// # Errors
    /// What the types should be.
    pub(crate) fn of(function: Function, given: &ReverseRule) -> Result<GradientRule, Error> {
        let fit = Self::reverse(function, given).and_then(|rule| {
            let augmented = AugmentedRule::fit(function, given.augmented, rule.tape)?;
            Some(GradientRule { augmented, ..rule })
        });
        fit.ok_or_else(|| misfit(function, given))
    }

    fn reverse(function: Function, given: &ReverseRule) -> Option<GradientRule> {
        let rule = given.reverse;
        let mut taken = rule.parameter_types();
        let memory = returned_in(function, rule, &mut taken, &adjoints(function))?;
        let returned = function.return_type();
        let has_adjoint = returned.may_carry_derivative() && !returned.is_pointer();
        // The adjoint and the tape come last: all ways to take them are tried.
        let seeds = match given.by_reference.is_empty() {
            true => [Seed::Taken, Seed::None],
            false => [Seed::TakenByReference, Seed::None],
        };
        let ways = seeds.into_iter().flat_map(|seed| [(seed, 1), (seed, 0)]);
        ways.filter(|(seed, _)| has_adjoint || *seed == Seed::None).find_map(|(seed, tapes)| {
            let mut arguments = taken.clone();
            let tape = if tapes > 0 { Some(arguments.pop()?) } else { None };
            let fits = match seed {
                Seed::Taken => arguments.pop()? == returned,
                Seed::TakenByReference => {
                    arguments.pop()?.is_pointer() && given.by_reference == [arguments.len()]
                }
                Seed::None => given.by_reference.is_empty(),
            };
            if !fits {
                return None;
            }
            let wanted = wanted(function);
            let parameters = match_parameters(&wanted, &arguments, Floats::Alone)?;
            let augmented = AugmentedRule {
                rule: given.augmented,
                parameters: parameters.clone(),
                fields: Vec::new(),
                memory: None,
            };
            Some(GradientRule { augmented, rule, parameters, seed, tape, memory })
        })
    }
}

impl SplitForwardRule {
    /// The rule of a function.
    ///
    /// # Errors
    /// What the types should be.
    pub(crate) fn of(function: Function, given: &SplitRule) -> Result<SplitForwardRule, Error> {
        let ways = [given.derivative.parameter_types().len().checked_sub(1), None];
        let derivative = ways.into_iter().find_map(|tape| {
            let derivative =
                ForwardRule::before_tape(function, given.derivative, usize::from(tape.is_some()))?;
            let tape = tape.map(|index| given.derivative.parameter_types()[index]);
            let augmented = AugmentedRule::fit(function, given.augmented, tape)?;
            Some(SplitForwardRule { augmented, derivative, tape })
        });
        derivative.ok_or_else(|| split_misfit(function, given))
    }
}

impl AugmentedRule {
    fn fit(function: Function, rule: Function, tape: Option<Type>) -> Option<AugmentedRule> {
        let returned = function.return_type();
        let void = Type::void(returned.context());
        let pointer = Type::pointer(returned.context());
        let mut forms: Vec<Vec<(AugmentedField, Type)>> = Vec::new();
        let kept = tape.map(|ty| (AugmentedField::Tape, ty));
        // A tape that nobody takes may be returned all the same.
        let unused = (AugmentedField::Tape, pointer);
        for tape in [kept, Some(unused), None] {
            let tape: Vec<(AugmentedField, Type)> = tape.into_iter().collect();
            if returned != void {
                let result = [(AugmentedField::Primal, returned), (AugmentedField::Shadow, returned)];
                for count in [1, 2] {
                    forms.push(tape.iter().chain(&result[..count]).copied().collect());
                }
            }
            forms.push(tape);
        }
        let gives_tape = |form: &[(AugmentedField, Type)]| {
            form.first().is_some_and(|&(field, _)| field == AugmentedField::Tape)
        };
        let is_empty =
            tape.is_none_or(|ty| ty.element_count() == 0 && function.module().allocation_size(ty) == 0);
        forms.into_iter().find_map(|fields| {
            if kept.is_some() && !is_empty && fields.first().copied() != kept && !gives_tape(&fields) {
                return None;
            }
            let types: Vec<Type> = fields.iter().map(|(_, ty)| *ty).collect();
            let mut taken = rule.parameter_types();
            let memory = returned_in(function, rule, &mut taken, &types)?;
            let parameters = match_parameters(&wanted(function), &taken, Floats::Alone)?;
            Some(AugmentedRule { rule, parameters, fields, memory })
        })
    }
}

/// Each parameter of a function with the type of its shadow, as a rule takes them.
fn wanted(function: Function) -> Vec<(Type, Type)> {
    function.parameter_types().into_iter().map(|ty| (ty, ty)).collect()
}

/// The types of the adjoints that a reverse derivative returns.
fn adjoints(function: Function) -> Vec<Type> {
    let types = function.parameter_types().into_iter();
    types.filter(|ty| ty.may_carry_derivative() && !ty.is_pointer()).collect()
}

/// Whether a rule returns values of these types: in memory of some type, or as its result. Takes the parameter away from
/// `taken` through which it does.
fn returned_in(
    function: Function,
    rule: Function,
    taken: &mut Vec<Type>,
    types: &[Type],
) -> Option<Option<Type>> {
    let given = rule.return_type();
    let void = Type::void(given.context());
    let module = function.module();
    let wanted = Type::structure(given.context(), types);
    let is_nothing = module.allocation_size(wanted) == 0;
    let holds = |ty: Type| module.scalars_in_memory(ty) == module.scalars_in_memory(wanted);
    if given != void {
        return ((types == [given]) || holds(given)).then_some(None);
    }
    match rule.return_memory_type() {
        Some(memory) if holds(memory) && !taken.is_empty() => {
            taken.remove(0);
            Some(Some(memory))
        }
        Some(_) => None,
        None => is_nothing.then_some(None),
    }
}

fn describe(function: Function) -> String {
    format!("`{}` has the type `{}`", function.written_name(), function.function_type())
}

fn misfit(function: Function, rule: &ReverseRule) -> Error {
    Error::program(
        rule.reverse,
        format!(
            "`{}` and `{}` do not fit as the augmented function and the reverse derivative of `{}`",
            rule.augmented.written_name(),
            rule.reverse.written_name(),
            function.written_name()
        ),
    )
    .note(describe(function))
    .note(describe(rule.augmented))
    .note(describe(rule.reverse))
    .help(
        "both take each argument, a pointer followed by its shadow; the reverse derivative then takes the adjoint of the \
         result and the tape, and returns the adjoint of each floating-point argument; the augmented function returns \
         the tape and the result",
    )
}

fn split_misfit(function: Function, rule: &SplitRule) -> Error {
    Error::program(
        rule.derivative,
        format!(
            "`{}` and `{}` do not fit as the augmented function and the split forward derivative of `{}`",
            rule.augmented.written_name(),
            rule.derivative.written_name(),
            function.written_name()
        ),
    )
    .note(describe(function))
    .note(describe(rule.augmented))
    .note(describe(rule.derivative))
    .help(
        "the augmented function takes each argument and returns the tape and the result; the derivative takes each \
         argument followed by its tangent, and the tape, and returns a struct of the result and its tangent",
    )
}
