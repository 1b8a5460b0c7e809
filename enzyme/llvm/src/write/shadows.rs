//! Shadows of what carries no derivative: zero for floats, the value itself for integers, cleared twins for globals.

use crate::ir::{Builder, Kind, Module, Value};
use inkwell::llvm_sys::LLVMLinkage;

/// The shadow of a value that carries nothing.
pub(crate) fn inactive_shadow(builder: &Builder, module: Module, value: Value) -> Value {
    let ty = value.ty();
    if let Some(shadow) = address_shadow(builder, module, value) {
        return shadow;
    }
    let kinds = ty.scalar_kinds();
    if !kinds.contains(&Kind::Float) {
        return value;
    }
    let mixed = kinds.iter().any(|kind| *kind != Kind::Float);
    match ty.kind() {
        Kind::Struct(_) | Kind::Array(_) if mixed => {
            (0..ty.element_count() as u32).fold(value, |whole, index| {
                let part = builder.extract_value(value, index);
                builder.insert_value(whole, inactive_shadow(builder, module, part), index)
            })
        }
        _ => Value::zero(ty),
    }
}

/// The shadow of an address in a global variable: the same place in the variable's shadow. Nothing for other values.
pub(crate) fn address_shadow(builder: &Builder, module: Module, address: Value) -> Option<Value> {
    let global = address.base_global()?;
    let shadow = global_shadow(module, global);
    Some(if global == address { shadow } else { builder.same_place(shadow, address, global) })
}

/// The shadow of a global variable: one of the same type, zero at first, beside it in the module.
///
/// A constant's shadow is a constant too: nothing that is written depends on an active value.
fn global_shadow(module: Module, global: Value) -> Value {
    let name = format!("__enzyme_shadow_of_{}", global.name());
    let existing = module.globals().find(|candidate| candidate.name() == name);
    existing.unwrap_or_else(|| {
        let ty = global.global_value_type();
        let shadow = module.add_global(&name, ty);
        shadow.set_initializer(Value::zero(ty));
        shadow.set_linkage(LLVMLinkage::LLVMInternalLinkage);
        shadow.copy_global_properties(global);
        shadow
    })
}
