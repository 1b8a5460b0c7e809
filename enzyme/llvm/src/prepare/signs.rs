//! Writes the operations on a float's sign bit as what they are.
//!
//! Programs flip, clear and set the sign bit through the integer of the same bits (what vectorised libraries do, and
//! `memcpy` into an integer). Before LLVM 19 its optimiser leaves them so; here they become `fneg` and `fabs`.

use crate::ir::{self, Builder, Function, Instruction, Kind, Type, Value};
use inkwell::llvm_sys::LLVMOpcode;

/// Rewrites every such operation of a function, and says how many there were; the integers stay behind, unused.
pub(super) fn recover(function: Function) -> usize {
    let mut count = 0;
    for back in function.instructions().collect::<Vec<_>>() {
        if let Some((operation, float)) = on_bits(back) {
            rewrite(back, operation, float);
            count += 1;
        }
    }
    count
}

/// What is done with the sign bit.
#[derive(Clone, Copy)]
enum SignOperation {
    Flip,
    Clear,
    Set,
    /// Taken over from this float.
    Copy(Value),
}

/// The operation that ends in `back`, a cast from an integer, and the float it is done to.
fn on_bits(back: Instruction) -> Option<(SignOperation, Value)> {
    if back.opcode() != LLVMOpcode::LLVMBitCast || !back.value().ty().is_float_or_vector() {
        return None;
    }
    let bits = back.value().operands()[0];
    let (sign, others) = masks(bits.ty())?;
    let [first, second] = bits.as_instruction()?.value().operands()[..] else { return None };
    let of_type = |float: Value| (float.ty() == back.value().ty()).then_some(float);
    if let Some(float) = cast_float(first) {
        let done = match bits.as_instruction()?.opcode() {
            LLVMOpcode::LLVMXor if second == sign => SignOperation::Flip,
            LLVMOpcode::LLVMAnd if second == others => SignOperation::Clear,
            LLVMOpcode::LLVMOr if second == sign => SignOperation::Set,
            _ => return None,
        };
        return Some((done, of_type(float)?));
    }
    let is_or = bits.as_instruction()?.opcode() == LLVMOpcode::LLVMOr;
    let (magnitude, signed) = match (masked(first, others), masked(second, others)) {
        (Some(magnitude), _) => (magnitude, masked(second, sign)?),
        (_, Some(magnitude)) => (magnitude, masked(first, sign)?),
        (None, None) => return None,
    };
    is_or.then_some((SignOperation::Copy(of_type(signed)?), of_type(magnitude)?))
}

/// The float whose bits an integer is.
fn cast_float(bits: Value) -> Option<Value> {
    let cast = bits.as_instruction().filter(|cast| cast.opcode() == LLVMOpcode::LLVMBitCast)?;
    Some(cast.value().operands()[0]).filter(|float| float.ty().is_float_or_vector())
}

/// The float of whose bits only those in `mask` are kept.
fn masked(bits: Value, mask: Value) -> Option<Value> {
    let and = bits.as_instruction().filter(|and| and.opcode() == LLVMOpcode::LLVMAnd)?;
    let [first, second] = and.value().operands()[..] else { return None };
    if second == mask { cast_float(first) } else { None }
}

/// The integers of a type with only the sign bit set, and with all bits but that.
fn masks(ty: Type) -> Option<(Value, Value)> {
    let Kind::Integer(bits @ (16 | 32 | 64)) = ty.scalar().kind() else { return None };
    let sign = 1_i64 << (bits - 1);
    Some((Value::integer_everywhere(ty, sign), Value::integer_everywhere(ty, !sign)))
}

fn rewrite(back: Instruction, operation: SignOperation, float: Value) {
    let builder = Builder::new(float.ty().context());
    builder.position_before(back);
    builder.debug_location_of(back);
    let module = back.function().module();
    let Some((absolute, copied)) =
        ir::intrinsic(module, "fabs", &[float.ty()]).zip(ir::intrinsic(module, "copysign", &[float.ty()]))
    else {
        return;
    };
    let value = match operation {
        SignOperation::Flip => builder.float_negate(float),
        SignOperation::Clear => builder.float_call(absolute, &[float]),
        SignOperation::Copy(sign) => builder.float_call(copied, &[float, sign]),
        SignOperation::Set => builder.float_negate(builder.float_call(absolute, &[float])),
    };
    back.value().replace_all_uses_with(value);
    back.erase();
}
