//! Source annotations: `__attribute__((annotate("enzyme_inactive")))` says the same as the function attribute.

use crate::ir::{ENZYME_ATTRIBUTES, Function, Module, Value};

/// Where clang lists the annotations of a module: structs of the annotated thing, the text, file, line and arguments.
const LIST: &str = "llvm.global.annotations";

/// Gives annotated functions the attributes that their annotations name.
pub(crate) fn apply_annotations(module: Module) {
    let list = module.globals().find(|global| global.name() == LIST).and_then(Value::initializer);
    for (function, text) in list.map(Value::operands).unwrap_or_default().into_iter().filter_map(annotation) {
        if ENZYME_ATTRIBUTES.contains(&text.as_str()) {
            function.add_string_attribute(&text);
        }
    }
}

fn annotation(entry: Value) -> Option<(Function, String)> {
    let [annotated, text, ..] = entry.operands()[..] else { return None };
    let function = annotated.as_function()?;
    let text = text.base_global()?.initializer()?.constant_string()?;
    Some((function, text))
}
