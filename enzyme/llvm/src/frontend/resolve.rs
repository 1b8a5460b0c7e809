//! Which function an entry point's first argument means.

use crate::ir::{Function, Instruction, Value};
use inkwell::llvm_sys::LLVMOpcode;

/// Follows casts, aliases, loads of constant globals and of local variables that are set once, and calls of functions
/// that return one and the same function (what a C++ lambda's conversion to a function pointer is).
///
/// # Errors
/// A phrase that says where the trail ends, to follow "the function to differentiate".
pub(super) fn resolve_function(value: Value) -> Result<Function, String> {
    if let Some(function) = value.as_function() {
        return Ok(function);
    }
    if let Some(target) = value.aliasee() {
        return resolve_function(target);
    }
    if value.constant_opcode().is_some_and(is_cast) {
        return resolve_function(value.operands()[0]);
    }
    let Some(instruction) = value.as_instruction() else {
        return Err(describe(value));
    };
    match instruction.opcode() {
        opcode if is_cast(opcode) || opcode == LLVMOpcode::LLVMFreeze => {
            resolve_function(value.operands()[0])
        }
        LLVMOpcode::LLVMLoad => resolve_function(loaded_value(value.operands()[0])?),
        LLVMOpcode::LLVMCall | LLVMOpcode::LLVMInvoke => returned_function(instruction),
        _ => Err("is computed at run time".to_owned()),
    }
}

/// The integer that a value is, when that is known before the program runs; `size_of` gives the result of calls whose
/// result is known.
pub(super) fn resolve_integer(value: Value, size_of: &impl Fn(Instruction) -> Option<u64>) -> Option<u64> {
    if let Some(number) = value.constant_integer() {
        return Some(number);
    }
    let instruction = value.as_instruction()?;
    match instruction.opcode() {
        LLVMOpcode::LLVMZExt | LLVMOpcode::LLVMSExt | LLVMOpcode::LLVMTrunc => {
            resolve_integer(value.operands()[0], size_of)
        }
        LLVMOpcode::LLVMLoad => resolve_integer(loaded_value(value.operands()[0]).ok()?, size_of),
        LLVMOpcode::LLVMCall | LLVMOpcode::LLVMInvoke => size_of(instruction),
        _ => None,
    }
}

fn returned_function(call: Instruction) -> Result<Function, String> {
    let returned: Vec<Value> = call
        .called_function()
        .into_iter()
        .flat_map(Function::instructions)
        .filter(|instruction| instruction.opcode() == LLVMOpcode::LLVMRet)
        .flat_map(|exit| exit.value().operands())
        .collect();
    match returned.as_slice() {
        // No call within: a function that returns what it itself returns would be followed for ever.
        [value] if value.is_constant() => resolve_function(*value),
        _ => Err("is computed at run time".to_owned()),
    }
}

fn is_cast(opcode: LLVMOpcode) -> bool {
    matches!(
        opcode,
        LLVMOpcode::LLVMBitCast
            | LLVMOpcode::LLVMAddrSpaceCast
            | LLVMOpcode::LLVMPtrToInt
            | LLVMOpcode::LLVMIntToPtr
    )
}

/// What a load from `pointer` gives, when that is known before the program runs.
fn loaded_value(pointer: Value) -> Result<Value, String> {
    if pointer.is_global_variable() {
        return match pointer.initializer() {
            Some(value) if pointer.is_global_constant() => Ok(value),
            _ => Err(format!("is read from the variable `{}`, which is not constant", pointer.name())),
        };
    }
    let unknown = || "is read from memory".to_owned();
    let variable = pointer
        .as_instruction()
        .filter(|instruction| instruction.opcode() == LLVMOpcode::LLVMAlloca)
        .ok_or_else(unknown)?;
    let mut stored = Vec::new();
    for user in variable.value().users() {
        let user = user.as_instruction().ok_or_else(unknown)?;
        match user.opcode() {
            LLVMOpcode::LLVMLoad => {}
            LLVMOpcode::LLVMCall if is_lifetime_marker(user) => {}
            LLVMOpcode::LLVMStore if user.value().operands()[1] == variable.value() => {
                stored.push(user.value().operands()[0]);
            }
            _ => return Err(unknown()),
        }
    }
    match stored.as_slice() {
        [value] => Ok(*value),
        _ => Err("is held in a variable that is set more than once".to_owned()),
    }
}

/// Clang marks where variables live when it optimises, and at -O0 for the sanitizers.
fn is_lifetime_marker(call: Instruction) -> bool {
    call.called_function().is_some_and(|callee| callee.name().starts_with("llvm.lifetime."))
}

fn describe(value: Value) -> String {
    if value.is_constant() { format!("is the constant `{value}`") } else { "is a parameter".to_owned() }
}
