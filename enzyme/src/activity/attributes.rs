//! What users' marks say of calls, instructions and variables.

use super::effects::Mark;
use crate::memory::CallAttributes;
use crate::model::{Context, Function, GlobalId, GlobalKind, InlineAsm, InstId, ValueDefinition, ValueId};

/// A call with what is known of it before its operands are looked at.
pub(super) struct CallFacts<'a> {
    function: &'a Function,
    inst: InstId,
    pub(super) attributes: CallAttributes<'a>,
}

impl<'a> CallFacts<'a> {
    /// Those of an instruction, if it is a call.
    pub(super) fn of(function: &'a Function, inst: InstId) -> Option<Self> {
        CallAttributes::of(function, inst).map(|attributes| Self { function, inst, attributes })
    }

    /// The name of the function that is called.
    pub(super) fn name(&self) -> Option<&'a str> {
        self.function.callee_name(self.inst)
    }

    /// The assembler that is called.
    pub(super) fn assembler(&self) -> Option<&'a InlineAsm> {
        let callee = self.function.insts[self.inst].callee()?;
        match &self.function.values[callee].definition {
            ValueDefinition::InlineAsm(asm) => Some(asm),
            _ => None,
        }
    }

    /// Whether the result is memory that nobody else knows.
    pub(super) fn result_is_new(&self) -> bool {
        self.attributes.says_of_result("noalias")
    }

    /// Whether an exception may come out of the call.
    pub(super) fn may_unwind(&self) -> bool {
        let intrinsic = self.name().is_some_and(|name| name.starts_with("llvm."));
        let assembler = self.assembler().is_some_and(|asm| !asm.may_unwind);
        !(self.attributes.says("nounwind") || intrinsic || assembler)
    }

    /// Whether the user says that an argument carries no derivative.
    pub(super) fn argument_is_inactive(&self, index: usize) -> bool {
        self.attributes.says_of_argument(index, "enzyme_inactive")
    }

    fn marks(&self, words: [&str; 2]) -> bool {
        words.iter().any(|word| self.attributes.says(word))
    }

    /// What the user says of the result.
    fn value_mark(&self) -> Option<Mark> {
        let on_result = |word: &str| self.attributes.says_of_result(word);
        if self.marks(["enzyme_active", "enzyme_active_val"]) || on_result("enzyme_active") {
            return Some(Mark::Active);
        }
        let inactive = self.marks(["enzyme_inactive", "enzyme_inactive_val"]) || on_result("enzyme_inactive");
        inactive.then_some(Mark::Inactive)
    }

    /// What the user says of the call itself.
    fn inst_mark(&self) -> Option<Mark> {
        if self.marks(["enzyme_active", "enzyme_active_inst"]) {
            return Some(Mark::Active);
        }
        self.marks(["enzyme_inactive", "enzyme_inactive_inst"]).then_some(Mark::Inactive)
    }
}

/// Whether the user says of an instruction that no derivative goes through it.
pub(crate) fn is_marked_inactive(function: &Function, inst: InstId) -> bool {
    marks(function, inst).1 == Some(Mark::Inactive)
}

/// What the user says of an instruction's result and of the instruction itself, by metadata or attributes.
pub(super) fn marks(function: &Function, inst: InstId) -> (Option<Mark>, Option<Mark>) {
    let has = |word: &str| function.insts[inst].metadata(word).is_some();
    let mark = |active: &str, inactive: &str| {
        if has("enzyme_active") || has(active) {
            Some(Mark::Active)
        } else if has("enzyme_inactive") || has(inactive) {
            Some(Mark::Inactive)
        } else {
            None
        }
    };
    let by_metadata = (
        mark("enzyme_active_val", "enzyme_inactive_val"),
        mark("enzyme_active_inst", "enzyme_inactive_inst"),
    );
    let Some(call) = CallFacts::of(function, inst) else { return by_metadata };
    (by_metadata.0.or_else(|| call.value_mark()), by_metadata.1.or_else(|| call.inst_mark()))
}

/// Whether the user says that a global variable carries no derivative.
pub(super) fn is_inactive_variable(context: &Context, global: GlobalId) -> bool {
    let global = &context.globals[global];
    let marked = global.traits.metadata.iter().any(|(kind, _)| kind == "enzyme_inactive");
    let attributed = match &global.kind {
        GlobalKind::Variable(variable) => variable.attributes.has("enzyme_inactive"),
        GlobalKind::Function(declared) => declared.signature.attributes.has("enzyme_inactive"),
        GlobalKind::Alias { .. } | GlobalKind::IndirectFunction { .. } => false,
    };
    marked || attributed || global.name.contains("enzyme_const")
}

/// Whether the user gives a global variable a shadow.
pub(super) fn has_shadow(context: &Context, global: GlobalId) -> bool {
    context.globals[global].traits.metadata.iter().any(|(kind, _)| kind == "enzyme_shadow")
}

/// Whether a value is metadata, or assembler as a callee.
pub(super) fn is_no_data(function: &Function, value: ValueId) -> bool {
    matches!(function.values[value].definition, ValueDefinition::Metadata(_) | ValueDefinition::InlineAsm(_))
}
