//! Calls by which a program says something of its values, or of another call, and that do nothing when it runs.

use super::lower::convert;
use super::resolve::resolve_function;
use super::rules::attribute;
use crate::ir::{Builder, Function, Instruction, Module, Type, Value};

/// Calls what comes first with what comes after, and carries no derivative.
const CALL_INACTIVE: &str = "__enzyme_call_inactive";

/// Say what is in memory: the declared function's name contains one of these.
const TYPES: [&str; 4] = ["__enzyme_float", "__enzyme_double", "__enzyme_integer", "__enzyme_pointer"];

/// A number of terms that grows with each derivative, `__enzyme_iter(number, step)`: in the program itself it is the number.
pub(crate) const NUMBER_OF_TERMS: &str = "__enzyme_iter";

/// What became of the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Statements {
    /// It has none.
    None,
    /// They are gone.
    Replaced,
}

/// Puts calls of the functions themselves, marked inactive, in the place of `__enzyme_call_inactive(f, …)`.
pub(crate) fn lower_inactive_calls(module: Module) -> Statements {
    let mut outcome = Statements::None;
    for declared in declared(module, &[CALL_INACTIVE]) {
        for call in calls_of(declared) {
            lower_inactive_call(call);
            outcome = Statements::Replaced;
        }
        delete_unused(declared);
    }
    outcome
}

/// Removes what was said of types, and of numbers of terms, once it has been heard.
pub(crate) fn remove_heard(module: Module) -> Statements {
    let types = remove(module, &TYPES, |call| Some(Value::zero(call.value().ty())));
    let numbers = remove(module, &[NUMBER_OF_TERMS], |call| number_and_step(call).map(|(number, _)| number));
    if [types, numbers] == [Statements::None; 2] { Statements::None } else { Statements::Replaced }
}

/// The number of terms, and how much it grows by with each derivative, where a call states them as it should.
pub(crate) fn number_and_step(call: Instruction) -> Option<(Value, Value)> {
    let &[number, step] = &call.arguments()[..] else { return None };
    let ty = call.value().ty();
    (ty.is_integer() && [number.ty(), step.ty()] == [ty; 2]).then_some((number, step))
}

/// Removes calls of functions with such names; those whose results are used only where `result` says what these become.
fn remove(module: Module, names: &[&str], result: impl Fn(Instruction) -> Option<Value>) -> Statements {
    let mut outcome = Statements::None;
    for declared in declared(module, names) {
        for call in calls_of(declared).into_iter().filter(|call| call.invoke_destinations().is_none()) {
            let value = call.value();
            if !value.users().is_empty() {
                let Some(result) = result(call) else { continue };
                value.replace_all_uses_with(result);
            }
            call.erase();
            outcome = Statements::Replaced;
        }
        delete_unused(declared);
    }
    outcome
}

pub(super) fn declared(module: Module, names: &[&str]) -> Vec<Function> {
    let is_named = |function: &Function| {
        let name = function.name();
        function.is_declaration() && names.iter().any(|part| name.contains(part))
    };
    module.functions().filter(is_named).collect()
}

/// The direct calls of a function, in the order of the module.
pub(super) fn calls_of(function: Function) -> Vec<Instruction> {
    let calls = function.value().users().into_iter().rev().filter_map(Value::as_instruction);
    calls.filter(|call| call.is_call() && call.callee() == function.value()).collect()
}

pub(super) fn delete_unused(function: Function) {
    if function.value().users().is_empty() {
        function.delete();
    }
}

fn lower_inactive_call(call: Instruction) {
    let mut arguments = call.arguments();
    if arguments.is_empty() || !arguments[0].ty().is_pointer() {
        return;
    }
    let callee = arguments.remove(0);
    let builder = Builder::new(callee.ty().context());
    builder.position_before(call);
    builder.debug_location_of(call);
    // C hands floats over as doubles where it sees no prototype.
    let known = resolve_function(callee)
        .ok()
        .filter(|function| !function.is_variadic() && function.parameter_types().len() == arguments.len());
    let ty = match known {
        Some(function) => {
            for (argument, wanted) in arguments.iter_mut().zip(function.parameter_types()) {
                *argument = convert(&builder, *argument, wanted);
            }
            Type::function(call.value().ty(), &function.parameter_types())
        }
        None => {
            let types: Vec<Type> = arguments.iter().map(|argument| argument.ty()).collect();
            Type::function(call.value().ty(), &types)
        }
    };
    let callee = known.map_or(callee, Function::value);
    let result = match call.invoke_destinations() {
        None => builder.call_as(ty, callee, &arguments),
        Some((normal, unwind)) => builder.invoke_as(ty, callee, &arguments, normal, unwind),
    };
    if let Some(function) = known {
        result.copy_calling_convention(function);
    }
    result.add_call_string_attribute(attribute::INACTIVE);
    call.value().replace_all_uses_with(result.value());
    call.erase();
}
