//! The plan of a reverse-mode derivative.
//!
//! First a *forward sweep* runs the primal, then a *reverse sweep* runs its inverse, block by block and instruction by
//! instruction, and adds up adjoints. The plan says
//!
//! - what the forward sweep does beside the primal: the shadows of pointers are computed as in forward mode (`forward`);
//! - what the reverse sweep does at each instruction ([`ReverseStep`]);
//! - how it finds its way ([`Path`], [`LoopPlan`]);
//! - how it knows each value of the forward sweep that it reads ([`Reuse`]), and where what is kept lies ([`Slot`]).
//!
//! Values are kept once for each time they are computed: a slot belongs to a *region*, the body of a loop or of the whole
//! function, and there is one instance of it for each iteration. The reverse sweep runs through the same iterations
//! backwards, so in it "the current iteration" names the instance.

mod accesses;
mod chosen;
mod control;
mod incomplete;
mod keep;
mod legal;
mod needs;
mod postponed;
mod steady;
mod steps;
mod unchosen;
mod why;

pub use chosen::ChosenIteration;
pub use control::{Control, Counter, LoopPlan, Path};
pub use legal::{How, Recomputable};
pub(super) use legal::{Legality, is_mark_of_lifetime};
pub use needs::Needs;
pub use steady::ArgumentMemory;
pub use unchosen::Unchosen;
pub use why::{Kept, Places, WhyKept};

use super::atomics::AtomicAdjoint;
use super::bits::BitArithmetic;
use super::copy::FloatPiece;
use super::flow::{Carries, LocalMemory, flow};
use super::forward::{ForwardPlan, roles};
use super::library_call::Bytes;
use super::masked::Elements;
use super::repeated::Extent;
use super::role::ScalarCall;
use super::wanted::keep_wanted;
use super::{Context, DerivedCall, Direction, MemoryActivity, Obstacle, PointerCall};
use crate::activity::ArgumentActivity;
use crate::loops::LoopId;
use crate::model::{BlockId, FloatType, Function, InstId, PrimaryMap, SecondaryMap, ValueId};
use cranelift_entity::entity_impl;
use std::fmt;
use std::ops::{Index, IndexMut};

/// A place that carries something from the forward to the reverse sweep.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SlotId(u32);
entity_impl!(SlotId, "slot");

/// One thing that is carried over, once for each iteration of its region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The innermost loop around it; none is the function itself.
    pub region: Option<LoopId>,
    /// What it holds.
    pub holds: Held,
}

/// What a slot holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// A value of the forward sweep.
    Value(Known),
    /// Which of its predecessors a block was entered from: the index in the list of its distinct predecessors.
    Predecessor(BlockId),
    /// The number of the last iteration of a loop, counted from zero.
    LastIteration(LoopId),
    /// The number of the iteration that a loop chose, as [`ChosenIteration`] has it.
    ChosenIteration(LoopId),
    /// Where the slots of a loop's iterations lie.
    Iterations(LoopId),
    /// What a function that is called kept for its own reverse sweep.
    Tape(InstId),
    /// Which of the blocks that return did.
    Exit,
}

/// A value of the forward sweep, as the reverse sweep may ask for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Known {
    /// The value of the primal.
    Primal(ValueId),
    /// The shadow of a pointer, one a direction.
    Shadow(ValueId),
}

impl Known {
    /// The value of the primal that it is, or is the shadow of.
    pub fn value(self) -> ValueId {
        match self {
            Known::Primal(value) | Known::Shadow(value) => value,
        }
    }
}

impl fmt::Display for Known {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Known::Primal(value) => write!(formatter, "{value}"),
            Known::Shadow(value) => write!(formatter, "{value}'"),
        }
    }
}

/// Something for each value that the reverse sweep may ask for.
#[derive(Clone, Debug, Default)]
pub struct KnownMap<T: Clone> {
    primal: SecondaryMap<ValueId, T>,
    shadow: SecondaryMap<ValueId, T>,
}

impl<T: Clone> Index<Known> for KnownMap<T> {
    type Output = T;
    fn index(&self, known: Known) -> &T {
        match known {
            Known::Primal(value) => &self.primal[value],
            Known::Shadow(value) => &self.shadow[value],
        }
    }
}

impl<T: Clone> IndexMut<Known> for KnownMap<T> {
    fn index_mut(&mut self, known: Known) -> &mut T {
        match known {
            Known::Primal(value) => &mut self.primal[value],
            Known::Shadow(value) => &mut self.shadow[value],
        }
    }
}

/// How the reverse sweep knows a value of the forward sweep. Each has exactly one answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reuse {
    /// It never asks.
    #[default]
    Unused,
    /// It computes it again.
    Recompute(Recomputable),
    /// It reads it from a slot.
    Cache(SlotId),
    /// It knows from the number of the iteration that a loop chose: it is the condition of that choice.
    Chosen(LoopId),
}

/// What the writer adds in the reverse sweep for one instruction.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum ReverseStep {
    /// Nothing.
    #[default]
    Skip,
    /// Operand adjoint += partial times result adjoint.
    Scalar(ScalarCall),
    /// The adjoint of the result goes back to where its parts came from.
    Move,
    /// The adjoint of the float goes through what is done to its bits.
    Bits(BitArithmetic),
    /// The adjoint of a sum goes to the start value and to every element.
    SumElements,
    /// Shadow memory += the adjoint of what was read.
    Load,
    /// The adjoint of what was written += shadow memory, which becomes zero.
    Store,
    /// The same for some elements of a vector, where the others come from the operand at this index, if any.
    LoadElements(Elements, Option<usize>),
    /// The same as [`ReverseStep::Store`] for some elements of a vector, the operand at this index.
    StoreElements(Elements, usize),
    /// The adjoint of an atomic update of a float.
    AtomicUpdate(AtomicAdjoint),
    /// Shadow memory that was read += shadow memory that was written, which becomes zero, for floats of a type.
    CopyMemory {
        /// The type.
        float: FloatType,
        /// The operand that says where to.
        to: usize,
        /// The operand that says where from.
        from: usize,
        /// The operand that says how many bytes.
        length: usize,
    },
    /// The shadow of memory before it was moved += that of what it became, as far as both go, for the floats in it.
    MoveMemory {
        /// The floats.
        floats: Vec<FloatPiece>,
        /// After how many bytes they come again.
        period: u64,
        /// The operand that points to the memory before.
        pointer: usize,
        /// How much memory there is afterwards.
        size: Bytes,
    },
    /// As [`ReverseStep::CopyMemory`] for the floats among other things that are copied at once.
    CopyPieces {
        /// The operand that says where to.
        to: usize,
        /// The operand that says where from, if that memory has a shadow: else the adjoints end here.
        from: Option<usize>,
        /// The floats.
        floats: Vec<FloatPiece>,
        /// How often they come.
        extent: Extent,
    },
    /// The same where only the program says how many bytes are copied. When they are more than are known, it ends with a
    /// message.
    CopyPrefix {
        /// The operand that says where to.
        to: usize,
        /// The operand that says where from, if that memory has a shadow.
        from: Option<usize>,
        /// The operand that says how many bytes.
        length: usize,
        /// The floats.
        floats: Vec<FloatPiece>,
        /// How many bytes are known.
        known: u64,
    },
    /// Shadow memory becomes zero.
    ClearMemory {
        /// The operand that says where.
        to: usize,
        /// The operand that says how many bytes.
        length: usize,
    },
    /// The derived function runs both of its sweeps here: the adjoints of the arguments come from it.
    Call(DerivedCall),
    /// The function called runs its reverse sweep; its forward sweep was run in ours.
    ReverseCall(DerivedCall),
    /// The same for the function behind a pointer.
    ReverseCallThroughPointer(PointerCall),
    /// The adjoint of the returned value starts here.
    Return,
}

impl ReverseStep {
    /// Whether the step does nothing but add multiples of the adjoint of its instruction's result: nothing at all where that
    /// is zero.
    pub(in crate::plan) fn only_adds(&self) -> bool {
        match self {
            ReverseStep::Skip
            | ReverseStep::Scalar(_)
            | ReverseStep::Move
            | ReverseStep::Bits(_)
            | ReverseStep::SumElements
            | ReverseStep::Load
            | ReverseStep::LoadElements(..) => true,
            ReverseStep::Store
            | ReverseStep::StoreElements(..)
            | ReverseStep::AtomicUpdate(_)
            | ReverseStep::CopyMemory { .. }
            | ReverseStep::MoveMemory { .. }
            | ReverseStep::CopyPieces { .. }
            | ReverseStep::CopyPrefix { .. }
            | ReverseStep::ClearMemory { .. }
            | ReverseStep::Call(_)
            | ReverseStep::ReverseCall(_)
            | ReverseStep::ReverseCallThroughPointer(_)
            | ReverseStep::Return => false,
        }
    }
}

/// Whether one derived function runs both sweeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sweeps {
    /// It does: what is in its frame, and what is on the way from one sweep to the other, stays as it is.
    Together,
    /// One function for each: between them others run, and may write to memory.
    Apart,
}

/// What the adjoint of a value is kept as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Adjoint {
    /// It has none: it carries no derivative, or is an address.
    #[default]
    None,
    /// As the value's own type; what of it is no float stays zero.
    OwnType,
    /// As floats of a type, which fill the bits of the integer that the value is.
    Floats(FloatType),
}

/// Everything that is decided about the reverse-mode derivative of one function.
#[derive(Clone, Debug)]
pub struct ReversePlan {
    /// Whether one function runs both sweeps.
    pub sweeps: Sweeps,
    /// What the forward sweep does beside the primal.
    pub forward: ForwardPlan,
    /// What carries what.
    pub carries: SecondaryMap<ValueId, Carries>,
    /// When it is known which memory has a shadow of its own.
    pub memory_activity: MemoryActivity,
    /// What the adjoint of each value is kept as.
    pub adjoints: SecondaryMap<ValueId, Adjoint>,
    /// What the reverse sweep does at each instruction.
    pub steps: SecondaryMap<InstId, ReverseStep>,
    /// The vectors that may have elements without a value.
    pub incomplete: SecondaryMap<ValueId, bool>,
    /// How the reverse sweep knows each value.
    pub reuse: KnownMap<Reuse>,
    /// What is carried over.
    pub slots: PrimaryMap<SlotId, Slot>,
    /// The slot of each call's tape.
    pub tapes: SecondaryMap<InstId, Option<SlotId>>,
    /// How the reverse sweep leaves each block.
    pub paths: SecondaryMap<BlockId, Path>,
    /// Where it leaves them a shorter way when something was not chosen.
    pub unchosen: SecondaryMap<BlockId, Option<Unchosen>>,
    /// Writes to memory that are done when the reverse sweep is over, in this order: it reads what was there before.
    pub writes_at_the_end: Vec<InstId>,
    /// The loops.
    pub loops: SecondaryMap<LoopId, LoopPlan>,
    /// The blocks that return, and where several do, the slot that says which did.
    pub exits: (Vec<BlockId>, Option<SlotId>),
    /// Blocks, order and nesting of loops.
    pub control: control::Control,
}

/// Decides the reverse-mode derivative of a function.
///
/// # Errors
/// Every instruction that stands in the way.
pub fn reverse(
    function: &Function,
    parameters: &[ArgumentActivity],
    sweeps: Sweeps,
    context: &Context<'_>,
) -> Result<ReversePlan, Vec<Obstacle>> {
    let roles = roles(function, Direction::Reverse);
    let mut carries = flow(function, &roles, parameters, LocalMemory::Shadowed, context);
    keep_wanted(function, &roles, context, &mut carries);
    let control = control::Control::of(function);
    let mut obstacles = control.obstacles(function);
    let decided = steps::decide(function, &roles, &carries, &control, sweeps, context, &mut obstacles);
    if !obstacles.is_empty() {
        return Err(obstacles);
    }
    Ok(keep::complete(function, carries, decided, control, sweeps, context))
}
