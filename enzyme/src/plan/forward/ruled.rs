//! Calls of functions that the user has a forward derivative for.

use super::{ForwardStep, Planner, reaches_memory};
use crate::activity::ArgumentActivity;
use crate::model::{GlobalId, InstId, ValueId};
use crate::plan::flow::Carries;
use crate::plan::{DerivedCall, Direction, Reason, ResultCarries, role};
use crate::types::CallTypes;

impl Planner<'_> {
    /// The user's derivative in the place of the function, where anything active goes in.
    pub(super) fn ruled_call(&self, inst: InstId, callee: GlobalId) -> Result<ForwardStep, Reason> {
        let data = &self.function.insts[inst];
        let takes_shadow =
            |index: usize| role::rule_takes_shadow(self.function, callee, index, Direction::Forward);
        let is_active = |(index, value): (usize, &ValueId)| match self.carries[*value] {
            Carries::Derivative | Carries::Lost => takes_shadow(index),
            Carries::Nothing | Carries::MemoryBits | Carries::Address => false,
        };
        if !data.arguments().iter().enumerate().any(is_active) {
            return Ok(ForwardStep::Keep);
        }
        let arguments = data.arguments().iter().enumerate().map(|(index, &argument)| {
            if takes_shadow(index) { self.ruled_argument(argument) } else { Ok(ArgumentActivity::Const) }
        });
        let carries = data.result.map_or(Carries::Nothing, |result| self.carries[result]);
        Ok(ForwardStep::Call(DerivedCall {
            callee,
            arguments: arguments.collect::<Result<_, _>>()?,
            result: if carries == Carries::Derivative {
                ResultCarries::Derivative
            } else {
                ResultCarries::Nothing
            },
            // What the user wrote does not depend on them.
            types: CallTypes::default(),
            memory: Vec::new(),
        }))
    }

    /// A number without a tangent has an obvious one; memory without a shadow has not.
    fn ruled_argument(&self, argument: ValueId) -> Result<ArgumentActivity, Reason> {
        match self.carries[argument] {
            Carries::Derivative => Ok(ArgumentActivity::Duplicated),
            Carries::Lost => Err(Reason::LostBits),
            Carries::Nothing | Carries::MemoryBits | Carries::Address => {
                if self.lacks_shadow(argument) {
                    Err(Reason::NoShadow { pointer: self.function.display_name(argument) })
                } else if reaches_memory(self.function, self.function.values[argument].ty) {
                    Ok(ArgumentActivity::Duplicated)
                } else {
                    Ok(ArgumentActivity::Const)
                }
            }
        }
    }
}
