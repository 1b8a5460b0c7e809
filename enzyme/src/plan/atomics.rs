//! Atomic read-modify-write operations on memory with a shadow.
//!
//! The program's own operation stays; the shadow follows with one of its own. Each is atomic, the two together are
//! not: where threads race for the same number, which tangent stays with it is as open as which number stays.

use super::Reason;
use super::forward::{ForwardStep, Fresh, Planner};
use crate::model::{AtomicOp, InstId};
use crate::rules;
use crate::types::{Contents, Kind};

/// The adjoint of an atomic read-modify-write operation on a float: what was there is its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtomicAdjoint {
    /// Of a sum.
    Sum,
    /// Of a difference.
    Difference,
    /// Of what replaces the other.
    Exchange,
    /// Of the greater or smaller.
    Extremum(rules::Function),
}

impl AtomicAdjoint {
    /// The adjoint of an operation on floats, or on their bits, which only an exchange may do.
    pub(super) fn of(op: AtomicOp) -> Option<AtomicAdjoint> {
        Some(match op {
            AtomicOp::Exchange => AtomicAdjoint::Exchange,
            AtomicOp::FloatAdd => AtomicAdjoint::Sum,
            AtomicOp::FloatSubtract => AtomicAdjoint::Difference,
            AtomicOp::FloatMax => AtomicAdjoint::Extremum(rules::Function::Fmax),
            AtomicOp::FloatMin => AtomicAdjoint::Extremum(rules::Function::Fmin),
            AtomicOp::FloatMaximum => AtomicAdjoint::Extremum(rules::Function::Fmaximum),
            AtomicOp::FloatMinimum => AtomicAdjoint::Extremum(rules::Function::Fminimum),
            AtomicOp::Add
            | AtomicOp::Subtract
            | AtomicOp::And
            | AtomicOp::Nand
            | AtomicOp::Or
            | AtomicOp::Xor
            | AtomicOp::Max
            | AtomicOp::Min
            | AtomicOp::UnsignedMax
            | AtomicOp::UnsignedMin
            | AtomicOp::UnsignedIncrementWrap
            | AtomicOp::UnsignedDecrementWrap
            | AtomicOp::UnsignedSubtractConditional
            | AtomicOp::UnsignedSubtractSaturating => return None,
        })
    }
}

impl Planner<'_> {
    /// What becomes of `atomicrmw`.
    pub(super) fn atomic_update(&self, inst: InstId, op: AtomicOp) -> Result<ForwardStep, Reason> {
        match AtomicAdjoint::of(op) {
            Some(AtomicAdjoint::Exchange | AtomicAdjoint::Sum | AtomicAdjoint::Difference) => {
                self.mirror(inst, &[0, 1], Fresh::No)
            }
            Some(AtomicAdjoint::Extremum(function)) => Ok(ForwardStep::AtomicExtremum(function)),
            None => self.integer_update(inst),
        }
    }

    /// Arithmetic on integers in memory: those in the shadow remain the same.
    pub(super) fn integer_update(&self, inst: InstId) -> Result<ForwardStep, Reason> {
        let operands = &self.function.insts[inst].operands;
        let types = self.context.types;
        for contents in [types.contents(operands[1]), types.memory(operands[0])] {
            if let Contents::Only(Kind::Float(_)) = contents {
                return Err(Reason::LostBits);
            }
        }
        self.mirror(inst, &[0], Fresh::No)
    }

    /// What becomes of `cmpxchg`.
    pub(super) fn compare_exchange(&self, inst: InstId) -> Result<ForwardStep, Reason> {
        match self.mirror(inst, &[0, 2], Fresh::No)? {
            ForwardStep::Mirror { zeroed, .. } => Ok(ForwardStep::CompareExchange { zeroed }),
            other => Ok(other),
        }
    }
}
