//! Why a plan cannot be made.

use super::{Carries, StepProblem};
use crate::model::InstId;

/// What stands in the way of a derivative, at one instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obstacle {
    /// The instruction.
    pub inst: InstId,
    /// What is wrong with it.
    pub reason: Reason,
}

/// What stands in the way.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// A function of which nothing is known gets or gives active values.
    #[error("no derivative is known for `{name}`")]
    UnknownFunction {
        /// Its name.
        name: String,
    },
    /// The function that is called is only known at run time.
    #[error("an active value goes into a call through a pointer")]
    IndirectCall,
    /// Integer arithmetic on the bits of an active float.
    #[error(
        "integer arithmetic on the bits of an active floating-point number, whose derivative is not known"
    )]
    LostBits,
    /// An integer that was computed from the address of memory with a shadow becomes a pointer.
    #[error("a pointer to memory with a shadow is made from an integer, and its own shadow is not known")]
    LostPointer,
    /// Where control flow or a choice joins a pointer with a shadow and one without.
    #[error("a pointer with a shadow and one without (`{pointer}`) meet here")]
    MixedPointers {
        /// The pointer without.
        pointer: String,
    },
    /// A pointer without a shadow is written where a shadow pointer is expected.
    #[error("the pointer `{pointer}`, which has no shadow, is needed with one here")]
    NoShadow {
        /// The pointer.
        pointer: String,
    },
    /// An active value is thrown, or taken out of what was thrown.
    #[error("an exception holds an active value, and derivatives do not travel with exceptions")]
    Exception,
    /// It makes a difference whether something is a float or not, and that is not known.
    #[error("the type of `{value}` is not known, and {needed_for} into memory with a shadow needs it")]
    MissingType {
        /// The value, or the pointer to the memory.
        value: String,
        /// What needs it.
        needed_for: &'static str,
    },
    /// Floats mixed with something else are copied into memory with a shadow: from memory without one or, in reverse
    /// mode, from any.
    #[error("floats and other things side by side are copied at once into memory with a shadow")]
    MixedCopy,
    /// Numbers from elsewhere are written into memory with a shadow, and it is not known how many.
    #[error(
        "memory with a shadow (`{pointer}`) is overwritten with numbers from elsewhere, nobody knows how many"
    )]
    Overwritten {
        /// The pointer to the memory.
        pointer: String,
    },
    /// Active values go through a variable that another file defines.
    #[error("active values go through `{name}`, which is defined elsewhere and has no shadow here")]
    VariableElsewhere {
        /// The variable.
        name: String,
    },
    /// An instruction that is not supported with active values.
    #[error("{what} with active values is not supported")]
    Unsupported {
        /// The instruction, in the user's words.
        what: &'static str,
    },
    /// A step of a checkpointed loop cannot run again.
    #[error("a step of the checkpointed loop {0}")]
    CheckpointedStep(StepProblem),
    /// A forward-mode derivative in two parts meets what only one in one part can follow.
    #[error("{what} is not supported in a derivative in two parts")]
    InTwoParts {
        /// What it is.
        what: &'static str,
    },
    /// Reverse mode meets exceptions or another exit that is not `return`.
    #[error("reverse mode through {what} is not supported yet")]
    ReverseControl {
        /// What it is.
        what: &'static str,
    },
}

impl Reason {
    /// What is wrong with a float or a pointer that was made of this; nothing with what carries a derivative or none.
    pub(super) fn of_lost(made_of: Carries) -> Option<Reason> {
        match made_of {
            Carries::MemoryBits | Carries::Lost => Some(Reason::LostBits),
            Carries::Address => Some(Reason::LostPointer),
            Carries::Nothing | Carries::Derivative => None,
        }
    }

    /// What the user can do about it.
    pub fn help(&self) -> String {
        match self {
            Reason::UnknownFunction { name } => format!(
                "define `{name}` in this file (or link with `-flto`), or mark it inactive with \
                 `__attribute__((annotate(\"enzyme_inactive\")))` if its result carries no derivative"
            ),
            Reason::IndirectCall => "call the function by its name".to_owned(),
            Reason::LostBits => {
                "write the operation with floating-point functions (`fabs`, `copysign`, `-x`, `ldexp`), or mark the \
                 argument `enzyme_const`"
                    .to_owned()
            }
            Reason::LostPointer => "compute addresses with pointers (`char *`) instead of integers".to_owned(),
            Reason::MixedPointers { .. } | Reason::NoShadow { .. } => {
                "mark the argument that it comes from `enzyme_dup` and give it a shadow".to_owned()
            }
            Reason::Exception => {
                "return the value, or write it to memory, and throw what has no derivative: a text, a code".to_owned()
            }
            Reason::MissingType { .. } => {
                "say what it is, with a marker (`__enzyme_double(p, bytes)`, `__enzyme_integer`, `__enzyme_pointer`) or the \
                 attribute `\"enzyme_type\"=\"{[-1]:Pointer, [-1,-1]:Float@double}\"`; or let it be guessed \
                 (`-enzyme-loose-types`)"
                    .to_owned()
            }
            Reason::VariableElsewhere { name } => format!(
                "define `{name}` in this file (or link with `-flto`), name its shadow with a variable \
                 `void *__enzyme_shadow_global[2] = {{&{name}, &shadow}}`, or mark it inactive with \
                 `void *__enzyme_inactive_global = &{name}` if it carries no derivative"
            ),
            Reason::Overwritten { .. } => {
                "write the format of `scanf` where it is called, without numbered arguments (`%1$lf`); or read into variables \
                 of their own, and copy what was read"
                    .to_owned()
            }
            Reason::MixedCopy => "copy the elements one by one".to_owned(),
            Reason::Unsupported { .. } => "mark what goes into it `enzyme_const`, or take it out of the function".to_owned(),
            Reason::CheckpointedStep(problem) => problem.help().to_owned(),
            Reason::InTwoParts { .. } => "use forward mode in one part (`__enzyme_fwddiff`)".to_owned(),
            Reason::ReverseControl { .. } => {
                "use forward mode (`__enzyme_fwddiff`), one call for each direction".to_owned()
            }
        }
    }
}

impl Obstacle {
    /// An obstacle at an instruction.
    pub fn new(inst: InstId, reason: Reason) -> Obstacle {
        Obstacle { inst, reason }
    }

    /// Adds an obstacle, unless the list has one for the same reason: mending one mends them all, or shows the next.
    pub(super) fn note(obstacles: &mut Vec<Obstacle>, inst: InstId, reason: Reason) {
        if obstacles.iter().all(|known| known.reason != reason) {
            obstacles.push(Obstacle::new(inst, reason));
        }
    }
}
