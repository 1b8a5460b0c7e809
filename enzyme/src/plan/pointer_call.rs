//! Calls through a pointer.
//!
//! Which function is called is known at run time only, so that its derivative must fit every call: whatever can carry
//! a derivative by its type comes with its shadows, whether it carries one here or not. The derivative is found through
//! the shadow of the pointer.

use super::flow::{Carries, holds, may_carry};
use super::forward::{ForwardStep, Planner};
use super::{Direction, Reason, ResultCarries};
use crate::activity::ArgumentActivity;
use crate::model::{Function, InstId, Type, ValueId, Variadic};

/// A call of the derivative that belongs to a function pointer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PointerCall {
    /// How each argument takes part.
    pub arguments: Vec<ArgumentActivity>,
    /// Whether the result comes with a derivative.
    pub result: ResultCarries,
}

impl PointerCall {
    /// What a call of a function of these types is, wherever it stands.
    pub(super) fn by_type(
        function: &Function,
        arguments: &[ValueId],
        result: Option<ValueId>,
        direction: Direction,
    ) -> PointerCall {
        let carries = |value: ValueId| may_carry(function, function.values[value].ty);
        let is_pointer = |value: ValueId| holds(function, function.values[value].ty, &Type::is_pointer);
        PointerCall {
            arguments: arguments
                .iter()
                .map(|&argument| match (carries(argument), direction) {
                    (true, Direction::Reverse) if !is_pointer(argument) => ArgumentActivity::Out,
                    (true, _) => ArgumentActivity::Duplicated,
                    (false, _) => ArgumentActivity::Const,
                })
                .collect(),
            result: match result.is_some_and(carries) {
                true => ResultCarries::Derivative,
                false => ResultCarries::Nothing,
            },
        }
    }
}

impl Planner<'_> {
    /// What becomes of a call through a pointer.
    pub(super) fn call_through_pointer(&self, inst: InstId) -> Result<ForwardStep, Reason> {
        let data = &self.function.insts[inst];
        let arguments = data.arguments();
        let has_shadow = |value: ValueId| self.carries[value] == Carries::Derivative;
        if !self.context.activity.inst(inst).is_active() && !data.result.is_some_and(has_shadow) {
            return Ok(ForwardStep::Keep);
        }
        if is_variadic(self.function, inst) {
            return Err(Reason::Unsupported { what: "a call of a variadic function through a pointer" });
        }
        let call = PointerCall::by_type(self.function, arguments, data.result, Direction::Forward);
        for (&argument, activity) in arguments.iter().zip(&call.arguments) {
            match (self.carries[argument], activity.has_shadow()) {
                (Carries::Lost, _) | (Carries::Derivative, false) => return Err(Reason::LostBits),
                (Carries::Derivative, true) | (_, false) => {}
                (Carries::Nothing | Carries::MemoryBits | Carries::Address, true)
                    if self.lacks_shadow(argument) =>
                {
                    let pointer = self.function.display_name(argument);
                    return Err(Reason::NoShadow { pointer });
                }
                (Carries::Nothing | Carries::MemoryBits | Carries::Address, true) => {}
            }
        }
        Ok(ForwardStep::CallThroughPointer(call))
    }
}

/// Whether the function called takes a variable number of arguments.
pub(super) fn is_variadic(function: &Function, inst: InstId) -> bool {
    function.insts[inst].opcode.call().is_some_and(
        |call| matches!(function.ty(call.function_type), Type::Function(ty) if ty.variadic == Variadic::Yes),
    )
}
