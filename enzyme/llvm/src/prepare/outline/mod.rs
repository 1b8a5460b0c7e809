//! Annotated loops, whose states reverse mode keeps by a schedule: the body becomes a step function, and the loop a call that
//! runs steps (`frontend/checkpoint.rs`).
//!
//! A *step* is one run through the loop from its header, back to it or out of the loop. `for` and `while` loops are rotated
//! first, so that there are as many steps as iterations. What goes from one step to the next lies in memory, as everything
//! does that a step may change:
//!
//! - what changes by the same amount each time is computed from the number of the step;
//! - other values that are carried around the loop, or used behind it, lie in structs in the frame, the *state* ([`slots`]);
//! - so do all variables of the frame that are not registers; they, and memory whose size the function shows, are regions
//!   without being declared ([`regions`]).
//!
//! Where it is not known on entry how many steps there are, or the loop is left in several places, the step says in the state
//! whether and where it left.

mod regions;
mod shape;
mod slots;
mod step;

use super::run;
use crate::error::Error;
use crate::ffi;
use crate::frontend::{self, Loop, Steps};
use crate::ir::{Builder, Function, Instruction, Type, Value};
use enzyme::loops::TRIP_COUNT;
use shape::Shape;
use slots::Slots;
use step::Step;

/// Brings loops into the form in which they are outlined.
const FORM: &str = "sroa,early-cse<memssa>,simplifycfg,loop-simplify,lcssa,loop-mssa(loop-rotate,licm),loop(indvars),\
                    simplifycfg,loop-simplify,lcssa";

/// Removes what was outlined; what an annotation computed again is what there was.
const REST: &str = "simplifycfg,early-cse<memssa>";

/// Outlines the annotated loops of a clone, those around others first; these are outlined when the step is prepared. Gives
/// the functions that run the loops.
///
/// # Errors
/// What a loop does that a checkpointed one cannot do.
pub(crate) fn outline(original: Function, clone: Function) -> Result<Vec<Function>, Error> {
    let mut outlined = Vec::new();
    while !frontend::annotations_in(clone).is_empty() {
        run(clone, FORM)?;
        let Some((call, shape)) = next_loop(clone)? else { continue };
        let wish = frontend::read_annotation(call)?;
        if !wish.is_followed() || shape.exits.is_empty() {
            frontend::remove(call);
            continue;
        }
        outlined.push(outline_loop(original, clone, call, &shape)?);
        run(clone, REST)?;
    }
    Ok(outlined)
}

/// An annotated loop that is in no other; nothing where there was none, and the calls are gone.
fn next_loop(clone: Function) -> Result<Option<(Instruction, Shape)>, Error> {
    let mut found: Vec<(Instruction, Shape)> = Vec::new();
    for call in frontend::annotations_in(clone) {
        if frontend::is_gone(call) {
            frontend::remove(call);
            continue;
        }
        match Shape::of(call)? {
            Some(shape) => found.push((call, shape)),
            None => return Err(Error::program(call, "the annotation of a loop is in no loop")),
        }
    }
    for (call, shape) in &found {
        if let Some((other, _)) =
            found.iter().find(|(other, of_other)| other != call && of_other.header == shape.header)
        {
            return Err(Error::program(*other, "a loop has two annotations").help("leave one of them"));
        }
    }
    let is_outermost = |(_, shape): &(Instruction, Shape)| {
        let is_around = |(_, other): &(Instruction, Shape)| {
            other.header != shape.header && other.blocks.contains(&shape.header)
        };
        !found.iter().any(is_around)
    };
    let outermost = found.iter().position(is_outermost);
    Ok(outermost.map(|index| found.swap_remove(index)))
}

fn outline_loop(
    original: Function,
    clone: Function,
    call: Instruction,
    shape: &Shape,
) -> Result<Function, Error> {
    ffi::expand_trip_counts(clone.value().raw(), TRIP_COUNT);
    let trips = shape.preheader.instructions().find(|inst| inst.has_metadata(TRIP_COUNT));
    let context = clone.function_type().context();
    let wide = Type::integer(context, 64);
    let builder = Builder::new(context);
    builder.position_at_start(shape.header);
    let counter = builder.phi(wide, "step");
    counter.add_incoming(Value::zero(wide), shape.preheader);
    counter.add_incoming(Value::poison(wide), shape.latch);
    ffi::expand_induction_variables(shape.header.0, counter.value().raw());

    let slots = Slots::of(call, shape, counter, trips.is_some())?;
    regions::evaluate_on_entry(call, shape)?;
    let Some(entered) = shape.preheader.terminator() else {
        return Err(Error::internal(call, "a preheader does not end"));
    };
    let mut wish = frontend::read_annotation(call)?;
    ffi::move_instruction_before(call.value().raw(), entered.value().raw());
    builder.position_before(call);
    let state = slots.allocate(&builder);
    let step = Step::write(original, shape, &slots, counter);
    let found = regions::found(&step.arguments, &wish, &builder);
    let parts = state.into_iter().zip(slots.parts(clone.module(), context));
    wish.regions
        .extend(parts.filter_map(|(part, (_, bytes))| Some((part?, Value::integer(wide, bytes as i64)))));
    wish.regions.extend(found);
    let steps = match trips {
        Some(trips) => Steps::Count(trips.value()),
        None => Steps::UntilLeft,
    };
    let arguments = state.into_iter().flatten().chain(step.arguments.iter().copied()).collect();
    let start = Value::zero(wide);
    let step = step.function;
    let place = match call.source_place() {
        Some(place) => format!("at {place}"),
        None => format!("in `{}`", original.written_name()),
    };
    let made = Loop { call, step, start, steps, wish, arguments, place: Some(place) }.lower();
    slots.go_on_behind(&builder, entered, &state, shape);
    Ok(made)
}
