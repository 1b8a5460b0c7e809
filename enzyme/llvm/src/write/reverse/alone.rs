//! A sweep in a function of its own: where its tape lies, and how it begins and ends.
//!
//! What the two sweeps share is a block of memory with what is kept once, the function's own slots. Where more is kept, in
//! loops or by functions that are called, an arena begins the block, and the slots follow it:
//!
//! | tape | the block |
//! |---|---|
//! | the caller's | a piece of the caller's arena |
//! | on the heap | memory of its own, which ends with the arena's first chunk; none when nothing is kept |
//! | the user's | the user's memory; the arena begins where that is aligned |

use super::slots::Slots;
use super::{TapeAfterwards, TapePlace, Task, Writer, needs_arena};
use crate::ir::{Builder, Value};
use crate::write::tape::{ARENA_BYTES, Tape};
use enzyme::plan::ReversePlan;

/// How many bytes the user's memory has to have for what is kept there (`__enzyme_augmentsize`).
pub(crate) fn bytes_in_users_memory(task: &Task<'_>, plan: &ReversePlan) -> u64 {
    let own = Slots::of(task, plan).layout(None).bytes;
    if needs_arena(&task.prepared.read.model, plan) { Tape::PADDING + ARENA_BYTES + own } else { own }
}

/// Where a forward sweep alone keeps things.
#[derive(Clone, Copy, Default)]
pub(super) struct Block {
    /// The arena for what is kept in loops and by functions that are called.
    pub(super) arena: Option<Value>,
    /// The function's own slots; the caller's arena has no place for them yet.
    pub(super) kept: Option<Value>,
    /// What leads the reverse sweep to it.
    pub(super) tape: Option<Value>,
}

impl Block {
    /// Makes the block where a forward sweep alone begins; `last` is the last parameter.
    pub(super) fn begin(
        task: &Task<'_>,
        plan: &ReversePlan,
        place: TapePlace,
        builder: &Builder,
        last: Option<Value>,
    ) -> Block {
        let tape = Tape::new(task.derived.module(), task.signature.result);
        let own = Slots::of(task, plan).layout(None).bytes;
        let has_arena = needs_arena(&task.prepared.read.model, plan);
        match place {
            TapePlace::Caller => Block { arena: last, kept: None, tape: None },
            TapePlace::Heap if has_arena => {
                let arena = tape.heap_arena(builder, own);
                Block {
                    arena: Some(arena),
                    kept: Some(builder.offset(arena, ARENA_BYTES)),
                    tape: Some(arena),
                }
            }
            TapePlace::Heap if own > 0 => {
                let memory = tape.heap_memory(builder, own);
                Block { arena: None, kept: Some(memory), tape: Some(memory) }
            }
            TapePlace::Heap => Block::default(),
            TapePlace::User if has_arena => {
                let arena = last.map(|memory| tape.arena_in(builder, memory, own));
                Block { arena, kept: arena.map(|arena| builder.offset(arena, ARENA_BYTES)), tape: None }
            }
            TapePlace::User => Block { arena: None, kept: last, tape: None },
        }
    }

    /// Finds the block again where a sweep alone begins that reads it; `last` is the last parameter.
    pub(super) fn found(
        task: &Task<'_>,
        plan: &ReversePlan,
        place: TapePlace,
        builder: &Builder,
        last: Option<Value>,
    ) -> Block {
        let tape = Tape::new(task.derived.module(), task.signature.result);
        let has_arena = needs_arena(&task.prepared.read.model, plan);
        let arena = match (place, has_arena) {
            (TapePlace::Caller, _) | (_, false) => None,
            (TapePlace::Heap, true) => last,
            (TapePlace::User, true) => last.map(|memory| tape.aligned(builder, memory)),
        };
        let kept = arena.map(|arena| builder.offset(arena, ARENA_BYTES)).or(last);
        Block { arena, kept, tape: None }
    }
}

impl Writer<'_> {
    /// Frees the tape where a sweep alone ends that reads it.
    pub(super) fn free_block(&self) {
        let Some((place, TapeAfterwards::Freed)) = self.key.mode.reads_tape() else { return };
        if let Some(arena) = self.arena {
            self.tape.release(&self.builder, arena);
        }
        let keeps_nothing = self.arena.is_none() && self.slots_of_plan.layout(None).bytes == 0;
        match (place, self.kept) {
            (TapePlace::Heap, Some(kept)) if !keeps_nothing => {
                self.tape.free(&self.builder, self.arena.unwrap_or(kept));
            }
            (TapePlace::Caller | TapePlace::Heap | TapePlace::User, _) => {}
        }
    }

    /// What the function's own slots are aligned to, in bytes: nobody knows how the user's memory is.
    pub(super) fn alignment_of_kept(&self) -> u32 {
        let mode = self.key.mode;
        let place = mode.fills_tape().or(mode.reads_tape().map(|(place, _)| place));
        if place == Some(TapePlace::User) && self.arena.is_none() { 1 } else { 8 }
    }
}
