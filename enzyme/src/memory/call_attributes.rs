//! What attributes say of a call: the one reader of them for all that look at memory.

use super::attributes::{self, Access, Capture, Effects, argument_access, says};
use crate::model::{AttributeSet, Call, Function, GlobalKind, InstId, Signature};

/// The attributes of a call, and of the function that it calls. What one of them allows and the other forbids is
/// forbidden.
#[derive(Clone, Copy)]
pub(crate) struct CallAttributes<'a> {
    call: &'a Call,
    callee: Option<&'a Signature>,
}

impl<'a> CallAttributes<'a> {
    /// Those of a call of a function, if that is known.
    pub(crate) fn new(call: &'a Call, callee: Option<&'a Signature>) -> Self {
        Self { call, callee }
    }

    /// Those of an instruction, if it is a call; of the callee, if it is called by name.
    pub(crate) fn of(function: &'a Function, inst: InstId) -> Option<Self> {
        let call = function.insts[inst].opcode.call()?;
        let callee =
            function.direct_callee(inst).and_then(|callee| match &function.context.globals[callee].kind {
                GlobalKind::Function(declared) => Some(&declared.signature),
                GlobalKind::Variable(_) | GlobalKind::Alias { .. } | GlobalKind::IndirectFunction { .. } => {
                    None
                }
            });
        Some(Self { call, callee })
    }

    /// The attributes of the function: those of the call first.
    fn of_function(self) -> impl Iterator<Item = &'a AttributeSet> {
        std::iter::once(&self.call.function_attributes).chain(self.callee.map(|callee| &callee.attributes))
    }

    fn of_result(self) -> impl Iterator<Item = &'a AttributeSet> {
        std::iter::once(&self.call.return_attributes)
            .chain(self.callee.map(|callee| &callee.return_attributes))
    }

    fn of_argument(self, index: usize) -> impl Iterator<Item = &'a AttributeSet> {
        let of_call = self.call.argument_attributes(index);
        let declared = self.callee.and_then(|callee| callee.parameter_attributes(index));
        of_call.into_iter().chain(declared)
    }

    /// Whether the function or the call has an attribute.
    pub(crate) fn says(self, word: &str) -> bool {
        self.of_function().any(|attributes| attributes.has(word))
    }

    /// The text of an attribute of the call or the function.
    pub(crate) fn text(self, word: &str) -> Option<&'a str> {
        self.of_function().find_map(|attributes| attributes.text(word))
    }

    /// Whether the result has an attribute.
    pub(crate) fn says_of_result(self, word: &str) -> bool {
        self.of_result().any(|attributes| attributes.has(word))
    }

    /// Whether an argument has an attribute.
    pub(crate) fn says_of_argument(self, index: usize, word: &str) -> bool {
        self.of_argument(index).any(|attributes| says(Some(attributes), word))
    }

    /// What the call may do to memory of each kind.
    pub(crate) fn effects(self) -> Effects {
        self.of_function().map(Effects::of).fold(Effects::ALL, Effects::and)
    }

    /// Where the callee may leave an argument.
    pub(crate) fn capture(self, index: usize) -> Capture {
        if self.says_of_argument(index, "byval") {
            // The callee gets a copy.
            return Capture::No;
        }
        self.of_argument(index).map(Capture::of).fold(Capture::Anywhere, Capture::min)
    }

    /// What the callee may do to the memory that an argument points to, by what is said of the argument.
    pub(crate) fn access(self, index: usize) -> Access {
        if self.says_of_argument(index, "byval") {
            return Access::Read;
        }
        self.of_argument(index).map(argument_access).fold(Access::ReadWrite, Access::and)
    }

    /// Whether the result is new memory, and nothing is known of what the function puts there.
    pub(crate) fn is_allocator(self) -> bool {
        self.of_function().any(attributes::is_allocator)
    }

    /// Whether the function frees memory and does no more to it.
    pub(crate) fn is_deallocator(self) -> bool {
        self.of_function().any(attributes::is_deallocator)
    }

    /// Whether the function does what the library function of its name does.
    pub(crate) fn is_builtin(self) -> bool {
        // `operator new` is declared as replaceable; expressions of the language that call it may be taken at its word.
        self.call.function_attributes.has("builtin") || !self.says("nobuiltin")
    }
}
