//! Source annotations: `__attribute__((annotate("enzyme_inactive")))` says the same as the attribute of that name, which
//! our clang plugin makes an annotation of.

use super::{attribute, registrations, text_named_by};
use crate::error::Error;
use crate::ir::{ENZYME_ATTRIBUTES, Function, Module, Value};
use rustc_hash::FxHashSet;

/// Where clang lists the annotations of a module: structs of the annotated thing, the text, file, line and arguments.
const LIST: &str = "llvm.global.annotations";

/// What the name of a variable contains in which our clang plugin says what is said of things that a file declares: lines,
/// each text followed by the name of what it is said of.
const BY_NAME: &str = "__enzyme_attributes_by_name";

/// What a function is like, in an annotation.
const FUNCTION_LIKE: &str = "enzyme_function_like=";

/// Gives annotated functions and variables the attributes that their annotations name.
///
/// # Errors
/// When a function is said to be like one that is not known.
pub(super) fn read(module: Module) -> Result<(), Vec<Error>> {
    let mut errors = Vec::new();
    for (annotated, text) in list(module) {
        let Some(function) = annotated.as_function() else {
            if text == attribute::INACTIVE && annotated.is_global_variable() {
                annotated.attach_empty_metadata(&text);
            }
            continue;
        };
        if let Some(name) = text.strip_prefix(FUNCTION_LIKE) {
            errors.extend(registrations::say_like(function, name, annotated).err());
        } else if ENZYME_ATTRIBUTES.contains(&text.as_str()) || text == attribute::FREES_NOTHING {
            function.add_string_attribute(&text);
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// The functions that an annotation gives a meaning of their own.
pub(super) fn subjects(module: Module) -> Vec<Function> {
    let meant = |(annotated, text): (Value, String)| {
        let function = annotated.as_function()?;
        let has_meaning = text.starts_with(FUNCTION_LIKE)
            || ENZYME_ATTRIBUTES.contains(&text.as_str())
            || text == attribute::FREES_NOTHING;
        has_meaning.then_some(function)
    };
    list(module).into_iter().filter_map(meant).collect()
}

/// The variables that say something by name.
pub(super) fn by_name(module: Module) -> impl Iterator<Item = Value> {
    module.globals().filter(|variable| variable.name().contains(BY_NAME))
}

/// What is annotated, and with what text, each once.
fn list(module: Module) -> Vec<(Value, String)> {
    let list = module.global(LIST).and_then(Value::initializer);
    let annotation = |entry: Value| {
        let [annotated, text, ..] = entry.operands()[..] else { return None };
        let annotated = match annotated.constant_opcode() {
            Some(_) => *annotated.operands().first()?,
            None => annotated,
        };
        Some((annotated, text_named_by(text)?))
    };
    let listed = list.map(Value::operands).unwrap_or_default().into_iter().filter_map(annotation);
    let mut known = FxHashSet::default();
    let all = listed.chain(by_name(module).flat_map(|variable| named(module, variable)));
    all.filter(|annotation| known.insert(annotation.clone())).collect()
}

/// What such a variable says of what the module has.
fn named(module: Module, variable: Value) -> Vec<(Value, String)> {
    let text = variable.initializer().and_then(Value::constant_string).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    let said = |pair: &[&str]| {
        let [text, name] = pair else { return None };
        let function = || module.function(name).map(Function::value);
        Some((module.global(name).or_else(function)?, (*text).to_owned()))
    };
    lines.chunks(2).filter_map(said).collect()
}
