//! What attributes and metadata say of calls, in the words of LLVM 15 to 22, and the marks of users.

use super::effects::Mark;
use crate::model::{
    AttributeSet, Context, Function, GlobalId, GlobalKind, InlineAsm, InstId, ValueDefinition, ValueId,
};

/// What a call may do to memory that it was not handed, and to that it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reach {
    pub(super) reads_arguments: bool,
    pub(super) writes_arguments: bool,
    pub(super) reads_elsewhere: bool,
    pub(super) writes_elsewhere: bool,
}

impl Reach {
    const ALL: Self =
        Self { reads_arguments: true, writes_arguments: true, reads_elsewhere: true, writes_elsewhere: true };

    fn and(self, other: Self) -> Self {
        Self {
            reads_arguments: self.reads_arguments && other.reads_arguments,
            writes_arguments: self.writes_arguments && other.writes_arguments,
            reads_elsewhere: self.reads_elsewhere && other.reads_elsewhere,
            writes_elsewhere: self.writes_elsewhere && other.writes_elsewhere,
        }
    }

    fn of(attributes: &AttributeSet) -> Self {
        let mut reach = attributes.text("memory").map_or(Self::ALL, Self::from_memory);
        let none = Self {
            reads_arguments: false,
            writes_arguments: false,
            reads_elsewhere: false,
            writes_elsewhere: false,
        };
        for (word, allowed) in [
            ("readnone", none),
            ("readonly", Self { reads_arguments: true, reads_elsewhere: true, ..none }),
            ("writeonly", Self { writes_arguments: true, writes_elsewhere: true, ..none }),
            ("argmemonly", Self { reads_arguments: true, writes_arguments: true, ..none }),
            ("inaccessiblememonly", Self { reads_elsewhere: true, writes_elsewhere: true, ..none }),
        ] {
            if attributes.has(word) {
                reach = reach.and(allowed);
            }
        }
        reach
    }

    /// Reads the text between the parentheses of `memory(…)`: `read, argmem: readwrite`. What is not understood allows
    /// everything.
    fn from_memory(text: &str) -> Self {
        let (mut rest, mut arguments, mut named) = (None, None, Some((false, false)));
        for part in text.split(',') {
            let (kind, word) = match part.split_once(':') {
                Some((kind, word)) => (kind.trim(), word.trim()),
                None => ("", part.trim()),
            };
            let access = match word {
                "none" => (false, false),
                "read" => (true, false),
                "write" => (false, true),
                "readwrite" => (true, true),
                _ => return Self::ALL,
            };
            match kind {
                "" => rest = Some(access),
                "argmem" => arguments = Some(access),
                _ => named = named.map(|(reads, writes)| (reads || access.0, writes || access.1)),
            }
        }
        let rest = rest.unwrap_or((false, false));
        let arguments = arguments.unwrap_or(rest);
        let named = named.unwrap_or((false, false));
        Self {
            reads_arguments: arguments.0,
            writes_arguments: arguments.1,
            reads_elsewhere: rest.0 || named.0,
            writes_elsewhere: rest.1 || named.1,
        }
    }
}

/// What is known of one argument of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ArgumentFacts {
    /// The call reads what the argument points to.
    pub(super) reads: bool,
    /// The call writes to what the argument points to.
    pub(super) writes: bool,
    /// The call may keep or return the address.
    pub(super) captures: bool,
    /// The argument is what is returned.
    pub(super) returned: bool,
    /// The user says that the argument carries no derivative.
    pub(super) inactive: bool,
}

/// A call with the attributes of the call and of the function that it calls by name.
pub(super) struct CallFacts<'a> {
    function: &'a Function,
    inst: InstId,
    callee: Option<GlobalId>,
}

impl<'a> CallFacts<'a> {
    pub(super) fn of(function: &'a Function, inst: InstId) -> Self {
        Self { function, inst, callee: function.direct_callee(inst) }
    }

    /// The name of the function that is called.
    pub(super) fn name(&self) -> Option<&'a str> {
        self.callee.map(|callee| self.function.context.globals[callee].name.as_str())
    }

    /// The assembler that is called.
    pub(super) fn assembler(&self) -> Option<&'a InlineAsm> {
        let callee = self.function.insts[self.inst].callee()?;
        match &self.function.values[callee].definition {
            ValueDefinition::InlineAsm(asm) => Some(asm),
            _ => None,
        }
    }

    /// The attributes of the function: those of the call first.
    fn function_attributes(&self) -> impl Iterator<Item = &'a AttributeSet> {
        let call = self.function.insts[self.inst].opcode.call();
        let declared = self.declaration().map(|declared| &declared.attributes);
        call.map(|call| &call.function_attributes).into_iter().chain(declared)
    }

    fn declaration(&self) -> Option<&'a crate::model::Signature> {
        match &self.function.context.globals[self.callee?].kind {
            GlobalKind::Function(declared) => Some(&declared.signature),
            GlobalKind::Variable(_) | GlobalKind::Alias { .. } | GlobalKind::IndirectFunction { .. } => None,
        }
    }

    fn result_attributes(&self) -> impl Iterator<Item = &'a AttributeSet> {
        let call = self.function.insts[self.inst].opcode.call();
        let declared = self.declaration().map(|declared| &declared.return_attributes);
        call.map(|call| &call.return_attributes).into_iter().chain(declared)
    }

    fn argument_attributes(&self, index: usize) -> impl Iterator<Item = &'a AttributeSet> {
        let call = self.function.insts[self.inst].opcode.call();
        let of_call = call.and_then(|call| call.argument_attributes(index));
        let declared = self.declaration().and_then(|declared| declared.parameter_attributes(index));
        of_call.into_iter().chain(declared)
    }

    /// Whether the function or the call has an attribute.
    pub(super) fn has(&self, word: &str) -> bool {
        self.function_attributes().any(|attributes| attributes.has(word))
    }

    /// The text of an attribute of the call or the function.
    pub(super) fn text(&self, word: &str) -> Option<&'a str> {
        self.function_attributes().find_map(|attributes| attributes.text(word))
    }

    /// Whether the result is memory that nobody else knows.
    pub(super) fn result_is_new(&self) -> bool {
        self.result_attributes().any(|attributes| attributes.has("noalias"))
    }

    /// Whether an exception may come out of the call.
    pub(super) fn may_unwind(&self) -> bool {
        let intrinsic = self.name().is_some_and(|name| name.starts_with("llvm."));
        let assembler = self.assembler().is_some_and(|asm| !asm.may_unwind);
        !(self.has("nounwind") || intrinsic || assembler)
    }

    /// What the call may do to memory.
    pub(super) fn reach(&self) -> Reach {
        self.function_attributes().map(Reach::of).fold(Reach::ALL, Reach::and)
    }

    /// What is known of an argument.
    pub(super) fn argument(&self, index: usize) -> ArgumentFacts {
        let any = |word: &str| self.argument_attributes(index).any(|attributes| attributes.has(word));
        let reach = self.reach();
        // The callee of `byval` has a copy of its own.
        let copied = any("byval");
        let captures_nothing = self
            .argument_attributes(index)
            .filter_map(|attributes| attributes.text("captures"))
            .any(|text| {
                text.split(',').all(|part| matches!(part.trim(), "none" | "address" | "address_is_null"))
            });
        ArgumentFacts {
            reads: reach.reads_arguments && !any("readnone") && !any("writeonly"),
            writes: reach.writes_arguments && !any("readnone") && !any("readonly") && !copied,
            captures: !any("nocapture") && !captures_nothing && !copied,
            returned: any("returned"),
            inactive: any("enzyme_inactive"),
        }
    }

    fn marks(&self, words: [&str; 2]) -> bool {
        words.iter().any(|word| self.has(word))
    }

    /// What the user says of the result.
    fn value_mark(&self) -> Option<Mark> {
        let on_result = |word: &str| self.result_attributes().any(|attributes| attributes.has(word));
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
    if function.insts[inst].opcode.call().is_none() {
        return by_metadata;
    }
    let call = CallFacts::of(function, inst);
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
