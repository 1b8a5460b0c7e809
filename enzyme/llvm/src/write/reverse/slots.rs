//! How slots lie side by side, on the tape and in what one sweep keeps for the other.

use super::{Held, Known, LoopId, SlotId, Task};
use crate::ir::{Module, Type, Value};
use crate::read::ReadFunction;
use enzyme::model::{EntityRef, ValueId};
use enzyme::plan::ReversePlan;

/// The slots of one plan, and the types of what they hold.
#[derive(Clone, Copy)]
pub(super) struct Slots<'a> {
    plan: &'a ReversePlan,
    read: &'a ReadFunction,
    module: Module,
    width: usize,
    pointer: Type,
}

/// The sizes of slots that lie side by side: larger ones first, so that all are aligned.
pub(super) struct Layout {
    /// Each slot, its bytes in all directions, and in one.
    pub(super) slots: Vec<(SlotId, u64, u64)>,
    /// The bytes of all.
    pub(super) bytes: u64,
}

impl<'a> Slots<'a> {
    pub(super) fn of(task: &Task<'a>, plan: &'a ReversePlan) -> Slots<'a> {
        Slots {
            plan,
            read: &task.prepared.read,
            module: task.derived.module(),
            width: task.key.width,
            pointer: Type::pointer(task.signature.result.context()),
        }
    }

    /// The slots of a region, and how they lie side by side.
    pub(super) fn layout(self, region: Option<LoopId>) -> Layout {
        let mut slots: Vec<(SlotId, u64, u64)> = self
            .plan
            .slots
            .iter()
            .filter(|(_, slot)| slot.region == region)
            .map(|(id, _)| {
                let (ty, count) = self.type_of(id);
                let bytes = match self.module.allocation_size(ty) {
                    small @ 0..=8 => small.next_power_of_two(),
                    large => large.next_multiple_of(8),
                };
                (id, bytes * count as u64, bytes)
            })
            .collect();
        slots.sort_by_key(|&(id, _, bytes)| (std::cmp::Reverse(bytes), id.index()));
        let largest = slots.first().map_or(1, |&(_, _, bytes)| bytes.clamp(1, 16).next_power_of_two());
        let bytes: u64 = slots.iter().map(|&(_, bytes, _)| bytes).sum();
        Layout { slots, bytes: bytes.next_multiple_of(largest) }
    }

    /// The type of what a slot holds, and how many of them there are.
    pub(super) fn type_of(self, slot: SlotId) -> (Type, usize) {
        let integer = |bits| Type::integer(self.pointer.context(), bits);
        let of_value = |value: ValueId| self.read.value(value).map_or(self.pointer, Value::ty);
        match self.plan.slots[slot].holds {
            Held::Value(Known::Primal(value)) => (of_value(value), 1),
            Held::Value(Known::Shadow(value)) => (of_value(value), self.width),
            Held::Predecessor(block) => {
                let few = self.plan.control.predecessors[block].len() <= 256;
                (integer(if few { 8 } else { 32 }), 1)
            }
            Held::LastIteration(_) | Held::ChosenIteration(_) => (integer(64), 1),
            Held::Iterations(_) | Held::Tape(_) => (self.pointer, 1),
            Held::Exit => (integer(32), 1),
        }
    }
}
