//! `__enzyme_set_checkpointing`: a call at the top of the body of a loop, which says how its states are kept in reverse mode.
//!
//! The call is never made: it stays in its loop until derivatives are taken, and is gone then. Until then it may neither be
//! copied nor leave the loop, and stands in the way of nothing else ([`protect`]). What it says is read, and followed, on the
//! clone of a function that reverse mode works on (`prepare::outline`).

use super::checkpoint::Wish;
use super::markers::{Marker, marker_of, name_of};
use super::rules::text_named_by;
use super::statements::{Statements, calls_of, declared, delete_unused};
use crate::error::Error;
use crate::ffi::{self, LoopMark, MemoryEffects};
use crate::ir::{FUNCTION_ATTRIBUTES, Function, Instruction, Module, Value};

/// What the entry point's name contains.
const NAME: &str = "__enzyme_set_checkpointing";

/// The attribute of calls that were seen in a loop, with the number that the loop is marked with. Where that is gone later, LLVM
/// found out that there is one iteration at most.
const NUMBER: &str = "enzyme_annotates_loop";

/// Keeps the calls in their loops, and from being in the way.
///
/// # Errors
/// The calls that are in no loop.
pub(crate) fn protect(module: Module) -> Result<Statements, Vec<Error>> {
    let mut outcome = Statements::None;
    let mut errors = Vec::new();
    for entry_point in declared(module, &[NAME]) {
        for attribute in ["nounwind", "willreturn", "nosync", "nofree", "nocallback", "convergent"] {
            entry_point.add_attribute(FUNCTION_ATTRIBUTES, attribute);
        }
        ffi::set_memory_effects(entry_point.value().raw(), MemoryEffects::INACCESSIBLE);
        let calls = calls_of(entry_point);
        let taken = calls.iter().filter_map(|call| number(*call)).max().unwrap_or(0);
        for (number, call) in (taken + 1..).zip(calls.into_iter().filter(|call| number(*call).is_none())) {
            outcome = Statements::Replaced;
            let call = Instruction::change_to_call(call);
            let pointers = (1..).zip(call.arguments()).filter(|(_, argument)| argument.ty().is_pointer());
            pointers.for_each(|(index, _)| call.say_not_captured(index));
            match ffi::mark_loop(call.value().raw(), number, LoopMark::Annotated) {
                true => call.set_call_string_attribute(NUMBER, &number.to_string()),
                false => errors.push(
                    Error::program(call, format!("`{NAME}` is called in no loop"))
                        .help("call it at the top of the body of the loop that it is about"),
                ),
            }
        }
    }
    if errors.is_empty() { Ok(outcome) } else { Err(errors) }
}

/// The number of a call that was seen in a loop.
fn number(call: Instruction) -> Option<u64> {
    call.call_string_attribute(NUMBER)?.parse().ok()
}

/// Whether LLVM found out that the loop that a call was seen in has one iteration at most.
pub(crate) fn is_gone(call: Instruction) -> bool {
    number(call).is_some_and(|number| ffi::is_marked_loop_gone(call.value().raw(), number))
}

/// Whether loops of the module are annotated.
pub(crate) fn has_annotated_loops(module: Module) -> bool {
    declared(module, &[NAME]).into_iter().any(|entry_point| !calls_of(entry_point).is_empty())
}

/// The calls in a function.
pub(crate) fn annotations_in(function: Function) -> Vec<Instruction> {
    function.instructions().filter(|call| is_annotation(*call)).collect()
}

/// Whether an instruction annotates a loop.
pub(crate) fn is_annotation(call: Instruction) -> bool {
    call.called_function().is_some_and(|callee| callee.is_declaration() && callee.name().contains(NAME))
}

/// Lets go of one call; the loop is as any other.
pub(crate) fn remove(call: Instruction) {
    if let Some(number) = number(call) {
        ffi::mark_loop(call.value().raw(), number, LoopMark::None);
    }
    ffi::replace_all_uses_with_poison_and_erase(call.value().raw());
}

/// Lets go of all calls.
pub(crate) fn remove_annotations(module: Module) -> Statements {
    let mut outcome = Statements::None;
    for entry_point in declared(module, &[NAME]) {
        calls_of(entry_point).into_iter().for_each(remove);
        delete_unused(entry_point);
        outcome = Statements::Replaced;
    }
    outcome
}

/// Reads what a call says.
///
/// # Errors
/// Says what was expected and what came.
pub(crate) fn read_annotation(call: Instruction) -> Result<Wish, Error> {
    let mut given = call.arguments().into_iter();
    let mut wish = Wish::default();
    let schedule = given.next();
    if schedule.is_some_and(|schedule| text_named_by(schedule).is_none()) {
        return Err(usage(wrong(call, "the schedule is not named by a text in its place".to_owned())));
    }
    wish.read_scheme(call, schedule, given.next()).map_err(usage)?;
    while let Some(value) = given.next() {
        match marker_of(value) {
            Some(Marker::Region) => wish.read_region(call, given.next(), given.next()).map_err(usage)?,
            Some(other) => {
                let what = format!("the marker `{}` means nothing here", name_of(other));
                return Err(usage(wrong(call, what)));
            }
            None => {
                let what = format!("{} comes after no marker", super::arguments::show(value));
                return Err(usage(wrong(call, what)));
            }
        }
    }
    Ok(wish)
}

fn wrong(call: impl Into<Value>, what: String) -> Error {
    Error::program(call, format!("in the call of `{NAME}`: {what}"))
}

/// Says how the call is written, unless something better is said.
fn usage(error: Error) -> Error {
    match error.help {
        Some(_) => error,
        None => error.help(
            "write `__enzyme_set_checkpointing(\"binomial\", snapshots, enzyme_checkpoint_region, pointer, bytes, …)` at the \
             top of the loop's body",
        ),
    }
}
