//! Variables of the program become local ones of a function that alone uses them while it runs: read when it begins,
//! written back when it ends.
//!
//! A variable that another file defines has no shadow here. Whoever asks for local ones says that no derivative goes in
//! or out through it, so its accesses are marked.

use crate::ffi::{self, MemoryEffects};
use crate::frontend::rules::attribute;
use crate::ir::{Builder, Function, Instruction, Value};
use inkwell::llvm_sys::LLVMOpcode;

/// Lowers the variables that a function reads and writes directly, if nothing that it calls can see them.
pub(super) fn lower(function: Function) {
    if function.instructions().any(calls_out) {
        return;
    }
    for variable in variables(function) {
        if function.instructions().all(|instruction| is_plain_use(instruction, variable)) {
            lower_one(function, variable);
        }
    }
}

/// Whether an instruction calls something that may look at variables.
fn calls_out(instruction: Instruction) -> bool {
    let sees_none = |call: Instruction| {
        let effects = ffi::memory_effects(call.value().raw());
        effects.within(MemoryEffects::ARGUMENTS) || effects.within(MemoryEffects::INACCESSIBLE)
    };
    instruction.is_call() && !sees_none(instruction)
}

/// The variables that are stored to, in the order of the text.
fn variables(function: Function) -> Vec<Value> {
    let mut found = Vec::new();
    for instruction in function.instructions().filter(|store| store.opcode() == LLVMOpcode::LLVMStore) {
        let target = instruction.value().operands()[1];
        if target.is_global_variable() && !target.is_thread_local() && !found.contains(&target) {
            found.push(target);
        }
    }
    found
}

/// Whether an instruction does nothing with a variable but read or write it as a whole.
fn is_plain_use(instruction: Instruction, variable: Value) -> bool {
    let operands = instruction.value().operands();
    let plain = match instruction.opcode() {
        LLVMOpcode::LLVMLoad => {
            operands[0] == variable && instruction.value().ty() == variable.global_value_type()
        }
        LLVMOpcode::LLVMStore => {
            operands[1] == variable
                && operands[0] != variable
                && operands[0].ty() == variable.global_value_type()
        }
        _ => false,
    };
    plain || operands.iter().all(|operand| operand.base_global() != Some(variable))
}

fn lower_one(function: Function, variable: Value) {
    let ty = variable.global_value_type();
    let Some(first) = function.instructions().next() else { return };
    let uses: Vec<Instruction> = function
        .instructions()
        .filter(|instruction| instruction.value().operands().contains(&variable))
        .collect();
    let builder = Builder::new(ty.context());
    builder.position_before(first);
    let local = builder.alloca(ty, &variable.name()).value();
    let is_elsewhere = variable.initializer().is_none();
    let mark = |access: Instruction| {
        if is_elsewhere {
            access.attach_empty_metadata(attribute::INACTIVE);
        }
    };
    let first_value = builder.load(ty, variable, "");
    first_value.as_instruction().into_iter().for_each(mark);
    builder.store(first_value, local);
    for user in uses {
        user.value().replace_operand(variable, local);
    }
    let exits = [LLVMOpcode::LLVMRet, LLVMOpcode::LLVMResume];
    for exit in function.instructions().filter(|exit| exits.contains(&exit.opcode())).collect::<Vec<_>>() {
        builder.position_before(exit);
        mark(builder.store(builder.load(ty, local, ""), variable));
    }
}
