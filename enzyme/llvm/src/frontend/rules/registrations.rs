//! Global variables by whose names users say something of the functions that they hold.

use super::{AllocationRule, ReverseRule, SplitRule, UserRules, attribute, function_named_by, text_named_by};
use crate::error::Error;
use crate::ir::{Function, Module, Value};
use enzyme::rules::names;
use inkwell::llvm_sys::LLVMValueKind;

/// What a variable's name says that it registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Registration {
    /// A function and its forward derivative.
    Derivative,
    /// A function, its augmented form, and its split forward derivative.
    SplitDerivative,
    /// A function, its augmented form, and its reverse derivative.
    Gradient,
    /// A function and the name of one that it is like.
    FunctionLike,
    /// A function that allocates, its size argument, the arguments of what frees, and what frees.
    AllocationLike,
    /// A function that carries no derivative.
    InactiveFunction,
    /// Variables, and their shadows.
    ShadowVariable,
    /// A variable that carries no derivative.
    InactiveVariable,
    /// A function that frees nothing.
    FreesNothing,
    /// A function that is computed again rather than kept.
    Recompute,
}

/// What the name of such a variable contains, what it then registers, and how it has to look.
const REGISTRATIONS: [(&str, Registration, &str); 10] = [
    ("__enzyme_register_derivative", Registration::Derivative, "{ function, forward derivative }"),
    (
        "__enzyme_register_splitderivative",
        Registration::SplitDerivative,
        "{ function, augmented function, split forward derivative }",
    ),
    (
        "__enzyme_register_gradient",
        Registration::Gradient,
        "{ function, augmented function, reverse derivative }",
    ),
    ("__enzyme_function_like", Registration::FunctionLike, "{ function, \"name\" }"),
    (
        "__enzyme_allocation_like",
        Registration::AllocationLike,
        "{ function, number of the size argument, \"arguments of the function that frees\", function that frees }",
    ),
    ("__enzyme_inactivefn", Registration::InactiveFunction, "{ function }"),
    ("__enzyme_shadow_global", Registration::ShadowVariable, "{ &variable, &shadow }"),
    ("__enzyme_inactive_global", Registration::InactiveVariable, "{ &variable }"),
    ("__enzyme_nofree", Registration::FreesNothing, "{ function }"),
    ("__enzyme_shouldrecompute", Registration::Recompute, "{ function }"),
];

/// The variables that register something and are defined here, in the order of the module.
pub(super) fn find(module: Module) -> Vec<(Value, Registration)> {
    let registration = |variable: Value| {
        let name = variable.name();
        let (_, kind, _) = REGISTRATIONS.iter().find(|(part, ..)| name.contains(part))?;
        Some((variable, *kind))
    };
    module.globals().filter(|variable| variable.initializer().is_some()).filter_map(registration).collect()
}

/// The functions that a variable says something of, whatever else is wrong with it.
pub(super) fn subject(variable: Value) -> Option<Function> {
    function_named_by(*entries(variable).first()?)
}

/// Reads one variable.
///
/// # Errors
/// How it has to look instead.
pub(super) fn read(variable: Value, kind: Registration, rules: &mut UserRules) -> Result<(), Error> {
    let entries = Entries { variable, kind, entries: entries(variable) };
    match kind {
        Registration::Derivative => {
            let (function, derivative) = (entries.function(0)?, entries.function(1)?);
            entries.expect_length(2)?;
            function.set_string_attribute(attribute::DERIVATIVE, &derivative.name());
            rules.forward.insert(function, derivative);
        }
        Registration::SplitDerivative => {
            let function = entries.function(0)?;
            let (augmented, derivative) = (entries.function(1)?, entries.function(2)?);
            entries.expect_length(3)?;
            function.set_string_attribute(attribute::AUGMENTED, &augmented.name());
            function.set_string_attribute(attribute::SPLIT_DERIVATIVE, &derivative.name());
            rules.split.insert(function, SplitRule { augmented, derivative });
        }
        Registration::Gradient => {
            let function = entries.function(0)?;
            let (augmented, reverse) = (entries.function(1)?, entries.function(2)?);
            let by_reference = (3..entries.entries.len())
                .map(|index| {
                    let text = entries.text(index)?;
                    let number = text.strip_prefix("byref_").and_then(|number| number.parse().ok());
                    number.ok_or_else(|| {
                        entries
                            .wrong(&format!("\"{text}\" is not understood; what may follow is \"byref_0\" …"))
                    })
                })
                .collect::<Result<_, _>>()?;
            function.set_string_attribute(attribute::AUGMENTED, &augmented.name());
            function.set_string_attribute(attribute::GRADIENT, &reverse.name());
            rules.reverse.insert(function, ReverseRule { augmented, reverse, by_reference });
        }
        Registration::FunctionLike => {
            let (function, name) = (entries.function(0)?, entries.text(1)?);
            entries.expect_length(2)?;
            say_like(function, &name, variable)?;
        }
        Registration::AllocationLike => {
            let function = entries.function(0)?;
            let rule = AllocationRule {
                size: entries.integer(1)?,
                freed_with: entries.text(2)?,
                freed_by: Some(entries.function(3)?),
            };
            entries.expect_length(4)?;
            function.set_string_attribute(attribute::ALLOCATOR, &rule.size.to_string());
            function.set_string_attribute(attribute::DEALLOCATOR, &rule.freed_with);
            if let Some(freed_by) = rule.freed_by {
                // In the list of the arguments of what frees, -1 stands for the memory.
                let memory = rule.freed_with.split(',').position(|argument| argument.trim() == "-1");
                let memory =
                    memory.ok_or_else(|| entries.wrong("no argument of what frees is the memory (-1)"))?;
                freed_by.set_string_attribute(attribute::FREES, &memory.to_string());
                function.set_string_attribute(attribute::DEALLOCATOR_FUNCTION, &freed_by.name());
            }
            rules.allocators.insert(function, rule);
        }
        Registration::InactiveFunction => entries.each_function(attribute::INACTIVE)?,
        Registration::FreesNothing => entries.each_function(attribute::FREES_NOTHING)?,
        Registration::Recompute => entries.each_function(attribute::RECOMPUTE)?,
        Registration::ShadowVariable => {
            for pair in entries.entries.chunks(2) {
                let [variable, shadow] = pair else {
                    return Err(entries.wrong("a variable has no shadow"));
                };
                let named = |entry: &Value| {
                    entry.base_global().ok_or_else(|| entries.wrong("it does not name a variable"))
                };
                named(variable)?.attach_metadata(attribute::SHADOW, named(shadow)?);
            }
        }
        Registration::InactiveVariable => {
            for &entry in &entries.entries {
                let named =
                    entry.base_global().ok_or_else(|| entries.wrong("it does not name a variable"))?;
                named.attach_empty_metadata(attribute::INACTIVE);
            }
        }
    }
    Ok(())
}

/// Says of a function that it is like one of the library.
///
/// # Errors
/// When nothing is known of such a function either.
pub(super) fn say_like(function: Function, name: &str, at: Value) -> Result<(), Error> {
    if names::lookup(name).is_none() && !enzyme::plan::is_known_function(name) {
        return Err(Error::program(
            at,
            format!("`{}` is said to be like `{name}`, but no such function is known", function.written_name()),
        )
        .help(
            "name a function of C's mathematical library, or give a derivative with `__enzyme_register_derivative_…`",
        ));
    }
    function.set_string_attribute(attribute::MATHEMATICS, name);
    Ok(())
}

/// The constants that a variable holds, one after another; itself when it holds just one.
fn entries(variable: Value) -> Vec<Value> {
    let Some(held) = variable.initializer() else { return vec![] };
    match held.kind() {
        LLVMValueKind::LLVMConstantStructValueKind | LLVMValueKind::LLVMConstantArrayValueKind => {
            held.operands()
        }
        LLVMValueKind::LLVMConstantAggregateZeroValueKind => vec![],
        _ => vec![held],
    }
}

/// What a variable holds, and how it should look, for messages.
struct Entries {
    variable: Value,
    kind: Registration,
    entries: Vec<Value>,
}

impl Entries {
    fn function(&self, index: usize) -> Result<Function, Error> {
        let entry = self.entries.get(index).ok_or_else(|| self.too_short())?;
        function_named_by(*entry)
            .ok_or_else(|| self.wrong(&format!("its {} entry is not a function", ordinal(index))))
    }

    fn text(&self, index: usize) -> Result<String, Error> {
        let entry = self.entries.get(index).ok_or_else(|| self.too_short())?;
        text_named_by(*entry)
            .filter(|text| !text.is_empty())
            .ok_or_else(|| self.wrong(&format!("its {} entry is not a constant text", ordinal(index))))
    }

    /// An integer, which an array of pointers holds as one.
    fn integer(&self, index: usize) -> Result<u64, Error> {
        let entry = *self.entries.get(index).ok_or_else(|| self.too_short())?;
        let number = match entry.kind() {
            LLVMValueKind::LLVMConstantPointerNullValueKind => Some(0),
            LLVMValueKind::LLVMConstantExprValueKind => {
                entry.operands().first().and_then(|operand| operand.constant_integer())
            }
            _ => entry.constant_integer(),
        };
        number.ok_or_else(|| self.wrong(&format!("its {} entry is not an integer", ordinal(index))))
    }

    fn expect_length(&self, length: usize) -> Result<(), Error> {
        if self.entries.len() == length {
            return Ok(());
        }
        Err(self.wrong(&format!("it has {} entries instead of {length}", self.entries.len())))
    }

    fn each_function(&self, said: &str) -> Result<(), Error> {
        if self.entries.is_empty() {
            return Err(self.too_short());
        }
        for index in 0..self.entries.len() {
            self.function(index)?.add_string_attribute(said);
        }
        Ok(())
    }

    fn too_short(&self) -> Error {
        if self.entries.is_empty() {
            return self.wrong("its contents are not known before the program runs");
        }
        self.wrong(&format!("it has only {} entries", self.entries.len()))
    }

    fn wrong(&self, what: &str) -> Error {
        let form = REGISTRATIONS.iter().find(|(_, kind, _)| *kind == self.kind).map_or("", |(.., form)| form);
        Error::program(
            self.variable,
            format!("the variable `{}` is not as it should be: {what}", self.variable.name()),
        )
        .help(format!("define it as an array or struct of constants: `{form}`"))
    }
}

fn ordinal(index: usize) -> &'static str {
    ["first", "second", "third", "fourth"].get(index).copied().unwrap_or("last")
}
