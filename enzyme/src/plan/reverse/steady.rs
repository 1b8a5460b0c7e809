//! Memory of arguments that stays as it is between the two sweeps of a function that is called.
//!
//! A function whose sweeps run apart does not know what happens between them, and would keep all that it reads. Its caller
//! knows: what nothing writes from the call on, until the caller's own reverse sweep begins, is the same when the function's
//! reverse sweep reads it again. If the caller's sweeps run apart, too, that holds only of what its own caller says it of.

use super::Sweeps;
use super::control::Control;
use super::legal::is_in_the_way;
use crate::memory::{Location, Mutability, ObjectKind, Region};
use crate::model::{Function, InstId, ValueId};
use crate::plan::Context;

/// What becomes of the memory that an argument points to, between the two sweeps of the function that it is given to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ArgumentMemory {
    /// It may be written or freed.
    #[default]
    MayChange,
    /// It stays as it is.
    Stays,
}

/// What becomes of the memory of the arguments of a call.
pub(super) fn memory_of_arguments(
    function: &Function,
    control: &Control,
    sweeps: Sweeps,
    context: &Context<'_>,
    call: InstId,
) -> Vec<ArgumentMemory> {
    let memory_of = |&argument: &ValueId| {
        if stays(function, control, sweeps, context, call, argument) {
            ArgumentMemory::Stays
        } else {
            ArgumentMemory::MayChange
        }
    };
    function.insts[call].arguments().iter().map(memory_of).collect()
}

fn stays(
    function: &Function,
    control: &Control,
    sweeps: Sweeps,
    context: &Context<'_>,
    call: InstId,
    argument: ValueId,
) -> bool {
    if !function.type_of(argument).is_pointer() {
        return false;
    }
    let memory = context.memory;
    let places = memory.points_to(context.function, argument);
    let whole = |object| Region { location: Location::anywhere(object), size: None };
    let regions: Vec<Region> = places.objects().map(whole).collect();
    let counts = |inst| is_in_the_way(function, control, inst);
    !regions.is_empty()
        && (sweeps == Sweeps::Together || regions.iter().all(|region| context.stays_between_sweeps(*region)))
        && !memory.may_write_any(context.function, call, &regions)
        && memory.written_after(context.function, call, &regions, counts).is_none()
}

impl Context<'_> {
    /// Whether memory of the function stays as it is between its two sweeps, where these run apart and the function itself
    /// does not write there.
    pub(in crate::plan) fn stays_between_sweeps(&self, region: Region) -> bool {
        let object = self.memory.object(self.function, region.location.object);
        let stays = |index: u32| self.argument_memory.get(index as usize) == Some(&ArgumentMemory::Stays);
        match object.kind {
            ObjectKind::Parameter(index) if stays(index) => true,
            _ => object.mutability == Mutability::Constant,
        }
    }
}
