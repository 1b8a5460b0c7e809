//! Writes addresses that are computed as integers as what they are: places so far from another address.
//!
//! Allocators that align memory themselves turn a pointer into an integer, round it, and turn it into a pointer again. As
//! long as nothing but constants and the one pointer go into the number, the result is a place in the same object, and so
//! its shadow is as far from the pointer's shadow.

use crate::ir::{Builder, Function, Instruction, Value};
use inkwell::llvm_sys::LLVMOpcode;

/// How many operations are followed back from an address.
const MOST_OPERATIONS: usize = 16;

/// Rewrites every such address of a function.
pub(super) fn relate(function: Function) {
    for cast in function.instructions().collect::<Vec<_>>() {
        if cast.opcode() != LLVMOpcode::LLVMIntToPtr {
            continue;
        }
        let number = cast.value().operands()[0];
        let Some(base) = base_of(number).filter(|base| base.ty() == cast.value().ty()) else { continue };
        let builder = Builder::new(base.ty().context());
        builder.position_before(cast);
        builder.debug_location_of(cast);
        let start = builder.cast(LLVMOpcode::LLVMPtrToInt, base, number.ty());
        let distance = builder.binary(LLVMOpcode::LLVMSub, number, start);
        cast.value().replace_all_uses_with(builder.bytes_after(base, distance));
        cast.erase();
    }
}

/// The only pointer that goes into a number, beside constants.
fn base_of(number: Value) -> Option<Value> {
    let mut base = None;
    let mut pending = vec![number];
    for _ in 0..MOST_OPERATIONS {
        let Some(value) = pending.pop() else { return base };
        if value.is_constant() {
            continue;
        }
        let operation = value.as_instruction()?;
        match kind(operation)? {
            Kind::Arithmetic => pending.extend(value.operands()),
            Kind::Address => {
                let pointer = value.operands()[0];
                if base.is_some_and(|known| known != pointer) {
                    return None;
                }
                base = Some(pointer);
            }
        }
    }
    None
}

/// What goes into a number.
enum Kind {
    /// Arithmetic on what it is given.
    Arithmetic,
    /// A pointer.
    Address,
}

fn kind(operation: Instruction) -> Option<Kind> {
    match operation.opcode() {
        LLVMOpcode::LLVMPtrToInt => Some(Kind::Address),
        LLVMOpcode::LLVMAdd
        | LLVMOpcode::LLVMSub
        | LLVMOpcode::LLVMAnd
        | LLVMOpcode::LLVMOr
        | LLVMOpcode::LLVMXor
        | LLVMOpcode::LLVMShl
        | LLVMOpcode::LLVMLShr
        | LLVMOpcode::LLVMUDiv
        | LLVMOpcode::LLVMURem
        | LLVMOpcode::LLVMMul => Some(Kind::Arithmetic),
        _ => None,
    }
}
