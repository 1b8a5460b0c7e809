//! Keeps functions that users have a rule for as they are until derivatives are made.
//!
//! LLVM would inline them, find out that they return their argument or a constant, and drop the calls; the rule would
//! be lost. Where the host's pipeline begins, every use of such a function by an instruction becomes a use of a
//! declaration of the same type, of which LLVM knows nothing but what the user promised; before derivatives are made,
//! and at the latest where the pipeline ends, they become uses of the function again, which then promises no more than it
//! did at first. Nothing of it is left in an object file or in bitcode.

use super::{annotations, registrations};
use crate::ir::{ENZYME_ATTRIBUTES, FUNCTION_ATTRIBUTES, Function, Module};

/// What the names of the declarations begin with.
const PREFIX: &str = "__enzyme_held_";
/// The attribute of such a declaration that names the function it stands for.
const STANDS_FOR: &str = "enzyme_stands_for";
/// The attribute of such a declaration whose function was put into `llvm.compiler.used` here.
const MADE_USED: &str = "enzyme_made_used";

/// What became of the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    /// It is as it was.
    Nothing,
    /// Uses were replaced.
    Something,
}

/// Puts declarations in the place of the functions that users have a rule for.
pub(crate) fn hold(module: Module) -> Held {
    let mut held = Held::Nothing;
    for function in subjects(module) {
        if function.is_intrinsic() || function.has_string_attribute(STANDS_FOR) {
            continue;
        }
        hold_function(module, function);
        held = Held::Something;
    }
    held
}

/// Undoes what [`hold`] did.
pub(crate) fn release(module: Module) -> Held {
    let mut held = Held::Nothing;
    for declaration in module.functions().filter(|function| function.is_declaration()).collect::<Vec<_>>() {
        let Some(name) = declaration.string_attribute(STANDS_FOR) else { continue };
        let Some(function) = module.function(&name) else { continue };
        declaration.value().replace_all_uses_with(function.value());
        if declaration.has_string_attribute(MADE_USED) {
            function.value().forget_in_used_lists();
        }
        declaration.remove_string_attribute(MADE_USED);
        declaration.remove_string_attribute(STANDS_FOR);
        function.copy_promises(declaration);
        declaration.delete();
        held = Held::Something;
    }
    held
}

fn hold_function(module: Module, function: Function) {
    let users: Vec<_> =
        function.value().users().into_iter().filter_map(|user| user.as_instruction()).collect();
    let name = function.name();
    let declaration = module.add_function(&format!("{PREFIX}{name}"), function.function_type());
    declaration.copy_promises(function);
    declaration.set_string_attribute(STANDS_FOR, &name);
    for user in users {
        user.value().replace_operand(function.value(), declaration.value());
    }
    // LLVM would remove it, and a declaration as well.
    if function.value().users().is_empty() {
        declaration.add_string_attribute(MADE_USED);
        function.value().keep_in_module();
    }
    if function.is_declaration() {
        return;
    }
    // What is called through a pointer today may be called by its name tomorrow.
    function.remove_attribute(FUNCTION_ATTRIBUTES, "alwaysinline");
    function.add_attribute(FUNCTION_ATTRIBUTES, "noinline");
}

/// The functions that users say something of, each once, in the order of the module.
fn subjects(module: Module) -> Vec<Function> {
    let registered =
        registrations::find(module).into_iter().filter_map(|(variable, _)| registrations::subject(variable));
    let said: Vec<Function> = registered.chain(annotations::subjects(module)).collect();
    let marked = |function: &Function| {
        ENZYME_ATTRIBUTES.iter().any(|attribute| function.has_string_attribute(attribute))
            || function.value().has_attached_metadata(&ENZYME_ATTRIBUTES)
    };
    module.functions().filter(|function| said.contains(function) || marked(function)).collect()
}
