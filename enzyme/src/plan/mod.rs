//! The plan: everything that is decided about one derivative before a single instruction is written.
//!
//! [`role()`] says what each instruction means for derivatives, [`crate::activity`] which values matter, [`Carries`] which can have
//! one; [`forward()`] and [`reverse()`] decide from these what the writer does at each instruction. What cannot be
//! done comes out as [`Obstacle`]s, all of them at once, and then nothing is written.

mod atomics;
mod bits;
mod checker;
mod checkpointed;
mod copy;
mod cut;
mod flow;
mod forward;
mod globals;
mod guard;
mod library_call;
mod masked;
mod obstacle;
mod outside;
mod pointer_call;
mod repeated;
mod reverse;
mod role;
mod shadow_layout;
mod split;
mod stated;
mod wanted;

pub use atomics::AtomicAdjoint;
pub use bits::{BitArithmetic, BitOperation};
pub use checker::check;
pub use checkpointed::{
    ARGUMENTS_BEFORE_REGIONS, CHECKPOINT_PLACE, CHECKPOINT_REGIONS, CHECKPOINT_SWEEP, CHECKPOINT_UNTIL,
    CHECKPOINTED, StateVariable, StepEffects, StepMemory, StepProblem, WrittenArgument, step_effects,
};
pub use copy::{FloatPiece, Piece, PieceShadow};
pub use cut::{Candidate, Choice, choose};
pub use flow::{Carries, holds, may_carry};
pub use forward::{ForwardPlan, ForwardStep, FreedLater, Fresh, MovedShadow, forward};
pub use globals::chooses_inactive_variable;
pub use guard::{CopiedThings, Guard};
pub use library_call::{Allocation, Bytes, Growth};
pub use masked::{ElementLayout, Elements};
pub use obstacle::{Obstacle, Reason};
pub use outside::WritesFromOutside;
pub use pointer_call::PointerCall;
pub use repeated::Extent;
pub use reverse::{
    Adjoint, ArgumentMemory, ChosenIteration, Control, Counter, Held, How, Kept, Known, KnownMap, LoopPlan,
    Needs, Path, Places, Recomputable, Reuse, ReversePlan, ReverseStep, Slot, SlotId, Sweeps, Unchosen,
    WhyKept, reverse,
};
pub use role::{
    GRADIENT_ARGUMENTS_WITHOUT_SHADOW, OVERWRITTEN_PREFIX, RULE_ARGUMENTS_WITHOUT_SHADOW, Results, Role,
    ScalarCall, WRAPPER_PREFIX, is_known_function, role,
};

pub use shadow_layout::{Callees, GivenShadows, NoCallees, ShadowLayout};
pub use split::{Second, SplitPlan, split};

use crate::activity::{Activity, ArgumentActivity};
use crate::memory::Memory;
use crate::model::{Function, GlobalId, InstId, ValueId};
use crate::program::FunctionId;
use crate::types::{CallTypes, Numbers, ValueTypes};
use cranelift_entity::EntitySet;

/// A call of a derived function in the place of a call of the function itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DerivedCall {
    /// The function called.
    pub callee: GlobalId,
    /// How each argument takes part.
    pub arguments: Vec<ArgumentActivity>,
    /// Whether the result carries a derivative.
    pub result: ResultCarries,
    /// What is known of arguments and result where it is called.
    pub types: CallTypes,
    /// What becomes of the memory of each argument between the two sweeps of the function called, where these run apart;
    /// nothing where that is not known.
    pub memory: Vec<ArgumentMemory>,
}

/// What a plan is made with, beside the function and the activity of its arguments.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// What the function's values are.
    pub types: &'a ValueTypes,
    /// What is done where a type is needed and not known.
    pub unknown_types: UnknownTypes,
    /// What it and the functions that it calls do to memory.
    pub memory: &'a Memory<'a>,
    /// The function, in the program that `memory` is about.
    pub function: FunctionId,
    /// What in it is active, for the same activities of arguments and result.
    pub activity: &'a Activity,
    /// When it is decided whether memory is active.
    pub memory_activity: MemoryActivity,
    /// Which of the values that a reverse sweep reads are kept.
    pub keeping: Keeping,
    /// What becomes of the memory of each parameter between two sweeps that run apart; of others it may change.
    pub argument_memory: &'a [ArgumentMemory],
    /// The number of directions.
    pub width: usize,
    /// Where the shadows of each parameter lie; those of others may lie anywhere.
    pub shadows: &'a [GivenShadows],
    /// What is known of the derivatives of functions that are called.
    pub callees: &'a dyn Callees,
}

/// Which of the values that a reverse sweep reads the forward sweep keeps. Derivatives are the same to the last bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keeping {
    /// Those of a minimum cut.
    #[default]
    Cheapest,
    /// All of them (`-enzyme-max-cache`).
    Everything,
    /// Those that may not be computed again (`-enzyme-min-cache`).
    Least,
}

/// What is done where a type is needed and not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnknownTypes {
    /// An error says what is missing.
    #[default]
    AreErrors,
    /// Integers are taken for numbers, and copied memory for floats (`-enzyme-loose-types`).
    AreIntegers,
}

/// When it is decided whether the memory behind a pointer is active.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MemoryActivity {
    /// When the derivative is made: a pointer with a shadow leads to active memory.
    #[default]
    Known,
    /// When the derivative runs: a pointer that is its own shadow leads to inactive memory
    /// (`-enzyme-runtime-activity`).
    DecidedAtRunTime,
    /// When the derivative is made, but for pointers that may lead to a variable that is said to be inactive or to memory
    /// with a shadow ([`chooses_inactive_variable`]).
    KnownButForVariables,
}

impl Context<'_> {
    /// Whether the function that a call calls may come to call itself.
    fn calls_itself(&self, function: &Function, call: InstId) -> bool {
        let program = self.memory.program();
        let Some(callee) = function.callee_name(call).and_then(|name| program.find(name)) else {
            return false;
        };
        let callees = program.callees();
        let mut seen = EntitySet::new();
        let mut pending = callees[callee].clone();
        while let Some(next) = pending.pop() {
            if seen.insert(next) {
                pending.extend(callees[next].iter().copied());
            }
        }
        seen.contains(callee)
    }

    /// What is known of the arguments and the result of a call.
    fn types_at(&self, arguments: &[ValueId], result: Option<ValueId>) -> CallTypes {
        CallTypes {
            arguments: arguments.iter().map(|&argument| self.types.of(argument).clone()).collect(),
            known_integers: vec![Numbers::new(); arguments.len()],
            result: result.map(|result| self.types.of(result).clone()).unwrap_or_default(),
        }
    }
}

/// Which way derivatives are taken: the rules that users give are for one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Tangents, from arguments to results.
    Forward,
    /// Adjoints, from results to arguments.
    Reverse,
}

/// Whether the result of a call carries a derivative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ResultCarries {
    /// It does.
    Derivative,
    /// It does not, or there is none.
    Nothing,
}
