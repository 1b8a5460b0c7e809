//! Memory that is found to be inactive when the derivative runs.
//!
//! Where activity is decided at run time, a pointer without a shadow is its own shadow, and a pointer that is its own
//! shadow leads to inactive memory. What is done over shadows must then leave that memory as the program left it.

use super::flow::holds;
use super::forward::{ForwardStep, Planner};
use super::role::Role;
use super::{MemoryActivity, Reason};
use crate::model::{InstId, Type};
use crate::types::{Contents, Kind};

/// What becomes of an instruction that is done over shadows where a pointer is its own shadow. The numbers are those of
/// operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// What is read from there has no tangent.
    Read {
        /// Where from.
        pointer: usize,
    },
    /// What the program has written there is written once more.
    Write {
        /// What.
        value: usize,
        /// Where to.
        pointer: usize,
    },
    /// Nothing is copied there.
    Copy {
        /// Where to.
        to: usize,
        /// Where from.
        from: usize,
        /// How many bytes.
        length: usize,
        /// What is copied from there.
        things: CopiedThings,
    },
    /// Nothing is filled there.
    Fill {
        /// Where.
        to: usize,
        /// How many bytes.
        length: usize,
    },
    /// Nothing is freed there.
    Free {
        /// What.
        pointer: usize,
    },
}

/// What a copy from memory that is its own shadow is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopiedThings {
    /// Floats, whose tangents are zero.
    Floats,
    /// Pointers and integers, which are their own shadows.
    Others,
}

impl Planner<'_> {
    /// What an instruction does where a pointer is its own shadow; nothing where that makes no difference.
    pub(super) fn guard(
        &self,
        inst: InstId,
        role: &Role,
        step: &ForwardStep,
    ) -> Result<Option<Guard>, Reason> {
        if self.context.memory_activity == MemoryActivity::Known || *step == ForwardStep::Keep {
            return Ok(None);
        }
        let data = &self.function.insts[inst];
        let refused =
            || Reason::Unsupported { what: "an operation on memory whose activity is decided at run time" };
        match role {
            Role::Load => match data.result {
                Some(result) => {
                    let ty = self.function.values[result].ty;
                    let floats = holds(self.function, ty, &Type::is_float)
                        || matches!(self.context.types.contents(result), Contents::Only(Kind::Float(_)));
                    match (floats, holds(self.function, ty, &Type::is_pointer)) {
                        (true, true) => Err(refused()),
                        (true, false) => Ok(Some(Guard::Read { pointer: 0 })),
                        (false, _) => Ok(None),
                    }
                }
                None => Ok(None),
            },
            Role::Store => Ok(Some(Guard::Write { value: 0, pointer: 1 })),
            Role::CopyMemory { to, from, length } => match step {
                ForwardStep::ClearShadow { .. } => Ok(Some(Guard::Fill { to: *to, length: *length })),
                ForwardStep::Mirror { .. } => {
                    let types = self.context.types;
                    let count = self.constant_length(data.operands[*length]);
                    let known =
                        [data.operands[*to], data.operands[*from]].map(|place| types.bytes(place, count));
                    let things = known.into_iter().find_map(|contents| match contents {
                        Contents::Only(Kind::Float(_)) => Some(CopiedThings::Floats),
                        Contents::Only(Kind::Integer | Kind::Pointer) => Some(CopiedThings::Others),
                        Contents::Only(Kind::Anything) | Contents::Mixed | Contents::Unknown => None,
                    });
                    let things = things.ok_or(Reason::MixedCopy)?;
                    Ok(Some(Guard::Copy { to: *to, from: *from, length: *length, things }))
                }
                _ => Err(Reason::MixedCopy),
            },
            Role::FillMemory { to, length } | Role::Overwrite { to, length: Some(length) } => {
                Ok(Some(Guard::Fill { to: *to, length: *length }))
            }
            Role::Free(pointer) => Ok(Some(Guard::Free { pointer: *pointer })),
            Role::LoadElements { .. }
            | Role::StoreElements { .. }
            | Role::AtomicUpdate(_)
            | Role::CompareExchange
            | Role::AllocateThrough { .. }
            | Role::Reallocate { .. } => Err(refused()),
            Role::Inactive
            | Role::Scalar(_)
            | Role::Move(_)
            | Role::SumElements
            | Role::Bits(_)
            | Role::Displace(_)
            | Role::Follow(_)
            | Role::Overwrite { length: None, .. }
            | Role::Alloca
            | Role::Allocate(_)
            | Role::CallDefined(_)
            | Role::CallRuled(_)
            | Role::CallUnknown(_)
            | Role::CallIndirect
            | Role::Unsupported(_)
            | Role::Return => Ok(None),
        }
    }
}
