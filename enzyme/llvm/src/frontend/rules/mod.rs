//! What users say of their functions and variables: derivatives of their own, which function of the library one is
//! like, what is inactive, allocates, or frees nothing.
//!
//! It is said by global variables of known names ([`registrations`]), by annotations in the source
//! ([`annotations`]), and by attributes and metadata in the IR. All of it becomes string attributes of the functions,
//! which the analyses read; the functions that a rule names are kept in [`UserRules`]. [`mod@hold`] keeps LLVM from
//! inlining or removing such functions before their derivatives are made.

mod annotations;
mod forward;
mod hold;
mod registrations;
mod repeated;
mod reverse;

pub(crate) use forward::{ForwardRule, RuleParameter, RuleResult, Shadows};
pub(crate) use hold::{Held, hold, release};
pub(crate) use reverse::{AugmentedField, AugmentedRule, GradientRule, Seed, SplitForwardRule};

use crate::driver::Rest;
use crate::error::Error;
use crate::ir::{Function, Module, Value};
use enzyme::plan::{GRADIENT_ARGUMENTS_WITHOUT_SHADOW, RULE_ARGUMENTS_WITHOUT_SHADOW};
use inkwell::llvm_sys::LLVMValueKind;
use rustc_hash::FxHashMap;

/// The attributes under which the analyses find what users say.
pub(crate) mod attribute {
    /// Carries no derivative.
    pub(crate) const INACTIVE: &str = "enzyme_inactive";
    /// Is this function of the library.
    pub(crate) const MATHEMATICS: &str = "enzyme_math";
    /// Frees no memory.
    pub(crate) const FREES_NOTHING: &str = "enzyme_nofree";
    /// Names the shadow of a variable.
    pub(crate) const SHADOW: &str = "enzyme_shadow";
    /// Is computed again rather than kept.
    pub(crate) const RECOMPUTE: &str = "enzyme_shouldrecompute";
    /// Allocates memory; the value is the number of the argument that says how much.
    pub(crate) const ALLOCATOR: &str = "enzyme_allocator";
    /// The arguments of the call that frees what an allocator made, as the user wrote it.
    pub(crate) const DEALLOCATOR: &str = "enzyme_deallocator";
    /// Frees what an allocator made; the value is the number of the argument that points to it.
    pub(crate) const FREES: &str = "enzyme_frees";
    /// The name of the function that frees what an allocator made.
    pub(crate) const DEALLOCATOR_FUNCTION: &str = "enzyme_deallocator_fn";
    /// Has a forward derivative of the user's; the value is its name.
    pub(crate) const DERIVATIVE: &str = "enzyme_derivative";
    /// Has an augmented function of the user's; the value is its name.
    pub(crate) const AUGMENTED: &str = "enzyme_augment";
    /// Has a split forward derivative of the user's; the value is its name.
    pub(crate) const SPLIT_DERIVATIVE: &str = "enzyme_splitderivative";
    /// Has a reverse derivative of the user's; the value is its name.
    pub(crate) const GRADIENT: &str = "enzyme_gradient";
}

/// What became of the variables that register rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Registrations {
    /// There are none.
    None,
    /// They were removed, or are private to the module now.
    Removed,
}

/// The functions that users give as derivatives, by the function that they are a derivative of.
#[derive(Debug, Default)]
pub(crate) struct UserRules {
    /// Forward derivatives.
    pub(crate) forward: FxHashMap<Function, Function>,
    /// Augmented functions and split forward derivatives.
    pub(crate) split: FxHashMap<Function, SplitRule>,
    /// Augmented functions and reverse derivatives.
    pub(crate) reverse: FxHashMap<Function, ReverseRule>,
    /// Functions that allocate memory.
    pub(crate) allocators: FxHashMap<Function, AllocationRule>,
}

/// A derivative in two parts, in forward mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SplitRule {
    /// Computes the primal, and what the other part needs of it.
    pub(crate) augmented: Function,
    /// Computes the tangent.
    pub(crate) derivative: Function,
}

/// A derivative in reverse mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReverseRule {
    /// Computes the primal, and what the other part needs of it.
    pub(crate) augmented: Function,
    /// Computes adjoints.
    pub(crate) reverse: Function,
    /// The arguments of the reverse derivative, counted from 0, that it takes by reference (`"byref_2"`).
    pub(crate) by_reference: Vec<usize>,
}

/// A function that allocates memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AllocationRule {
    /// Which argument, counted from 0, says how much.
    pub(crate) size: u64,
    /// The arguments of the call that frees the memory, as the user wrote it: numbers of the allocation's own arguments,
    /// `-1` for the memory.
    pub(crate) freed_with: String,
    /// What frees the memory.
    pub(crate) freed_by: Option<Function>,
}

impl UserRules {
    /// Reads all that is said in a module, and gives functions the attributes that say it.
    ///
    /// # Errors
    /// Everything that is not said as it should be.
    pub(crate) fn read(module: Module) -> Result<UserRules, Vec<Error>> {
        let mut rules = UserRules::default();
        let mut errors = Vec::new();
        errors.extend(annotations::read(module).err().unwrap_or_default());
        for (variable, kind) in registrations::find(module) {
            errors.extend(registrations::read(variable, kind, &mut rules).err());
        }
        for function in module.functions() {
            rules.read_metadata(function);
        }
        errors.extend(rules.check_types());
        if errors.is_empty() { Ok(rules) } else { Err(errors) }
    }

    /// Rules that are attached to the function as metadata, as other frontends than C's do.
    fn read_metadata(&mut self, function: Function) {
        let attached = |kind: &str| {
            let operands = function.value().attached_metadata(kind)?;
            operands.first().copied().and_then(function_named_by)
        };
        if let Some(rule) = attached(attribute::DERIVATIVE) {
            self.forward.insert(function, rule);
            function.set_string_attribute(attribute::DERIVATIVE, &rule.name());
        }
        if let Some(augmented) = attached(attribute::AUGMENTED) {
            if let Some(derivative) = attached(attribute::SPLIT_DERIVATIVE) {
                self.split.insert(function, SplitRule { augmented, derivative });
                function.set_string_attribute(attribute::SPLIT_DERIVATIVE, &derivative.name());
            }
            if let Some(reverse) = attached(attribute::GRADIENT) {
                self.reverse.insert(function, ReverseRule { augmented, reverse, by_reference: vec![] });
                function.set_string_attribute(attribute::GRADIENT, &reverse.name());
            }
            function.set_string_attribute(attribute::AUGMENTED, &augmented.name());
        }
        if let Some(deallocator) = attached(attribute::DEALLOCATOR_FUNCTION) {
            function.set_string_attribute(attribute::DEALLOCATOR_FUNCTION, &deallocator.name());
        }
    }

    /// Tells the plan how rules take their arguments; what does not fit its function is an error.
    fn check_types(&self) -> Vec<Error> {
        let without = |parameters: &[RuleParameter]| {
            let alone = parameters.iter().enumerate().filter_map(|(index, parameter)| match parameter {
                RuleParameter::Alone => Some(index.to_string()),
                RuleParameter::WithShadow => None,
            });
            alone.collect::<Vec<_>>().join(",")
        };
        let mut errors = Vec::new();
        for (&function, rule) in in_order(&self.split) {
            match SplitForwardRule::of(function, rule) {
                Ok(rule) => {
                    let said = without(&rule.derivative.parameters);
                    function.set_string_attribute(RULE_ARGUMENTS_WITHOUT_SHADOW, &said);
                }
                Err(error) => errors.push(error),
            }
        }
        for (&function, &rule) in in_order(&self.forward) {
            match ForwardRule::of_any_width(function, rule) {
                Ok(rule) => {
                    function.set_string_attribute(RULE_ARGUMENTS_WITHOUT_SHADOW, &without(&rule.parameters));
                }
                Err(error) => errors.push(error),
            }
        }
        for (&function, rule) in in_order(&self.reverse) {
            match GradientRule::of(function, rule) {
                Ok(rule) => {
                    function
                        .set_string_attribute(GRADIENT_ARGUMENTS_WITHOUT_SHADOW, &without(&rule.parameters));
                }
                Err(error) => errors.push(error),
            }
        }
        errors
    }

    /// Removes the variables that registered rules: what they say is done, and one that stands in a header would be
    /// defined twice. When an optimising linker is still to come, which may differentiate more, they stay, for this file
    /// alone.
    pub(crate) fn remove_registrations(module: Module, rest: Rest) -> Registrations {
        let registered = registrations::find(module).into_iter().map(|(variable, _)| variable);
        let variables: Vec<Value> = registered.chain(annotations::by_name(module)).collect();
        if variables.is_empty() {
            return Registrations::None;
        }
        for variable in variables {
            if rest == Rest::Linker {
                variable.set_linkage(inkwell::llvm_sys::LLVMLinkage::LLVMInternalLinkage);
                variable.keep_in_module();
                continue;
            }
            variable.forget_in_used_lists();
            if variable.users().is_empty() {
                variable.delete_global();
            }
        }
        Registrations::Removed
    }
}

/// Rules by the names of their functions.
fn in_order<Rule>(rules: &FxHashMap<Function, Rule>) -> Vec<(&Function, &Rule)> {
    let mut rules: Vec<_> = rules.iter().collect();
    rules.sort_by_key(|(function, _)| function.name());
    rules
}

/// The function that a constant names: itself, or behind casts, aliases, or as the first of a struct or array.
fn function_named_by(value: Value) -> Option<Function> {
    let mut value = value;
    loop {
        if let Some(function) = value.as_function() {
            return Some(function);
        }
        value = match value.kind() {
            LLVMValueKind::LLVMGlobalAliasValueKind => value.aliasee()?,
            LLVMValueKind::LLVMConstantExprValueKind
            | LLVMValueKind::LLVMConstantStructValueKind
            | LLVMValueKind::LLVMConstantArrayValueKind => *value.operands().first()?,
            _ => return None,
        };
    }
}

/// The text that a constant points to.
pub(super) fn text_named_by(value: Value) -> Option<String> {
    value.base_global()?.initializer()?.constant_string()
}
