//! What integer arithmetic makes of the kinds of its operands.

use super::kind::Kind;
use crate::model::{ConstantKind, FloatType, Function, IntBinaryOp, Integer, Type, ValueId};

/// The kind of the result of an integer operation; `None` where nothing can be said.
///
/// An address plus a number is an address, the distance of two addresses is a number. Arithmetic on the bits of floats
/// is not understood here; see [`keeps_float`].
pub(super) fn result(op: IntBinaryOp, left: Option<Kind>, right: Option<Kind>) -> Option<Kind> {
    use Kind::{Anything, Float, Integer, Pointer};
    match (left, right) {
        (Some(Anything), Some(Anything)) => Some(Anything),
        (Some(Integer), Some(Integer)) => Some(Integer),
        (Some(Integer), Some(Anything)) | (Some(Anything), Some(Integer)) => match op {
            IntBinaryOp::Add
            | IntBinaryOp::Subtract
            | IntBinaryOp::Multiply
            | IntBinaryOp::And
            | IntBinaryOp::Or
            | IntBinaryOp::Xor => Some(Anything),
            // The right operand only says how much is taken of the left one.
            IntBinaryOp::UnsignedDivide
            | IntBinaryOp::SignedDivide
            | IntBinaryOp::UnsignedRemainder
            | IntBinaryOp::SignedRemainder
            | IntBinaryOp::ShiftLeft
            | IntBinaryOp::LogicalShiftRight
            | IntBinaryOp::ArithmeticShiftRight => left,
        },
        (Some(Pointer), Some(Pointer)) => match op {
            IntBinaryOp::Subtract => Some(Integer),
            _ => None,
        },
        (Some(Pointer), other) => match (op, other) {
            // A pointer minus a pointer is a number, minus a number a pointer.
            (IntBinaryOp::Subtract, Some(Integer)) | (IntBinaryOp::Add | IntBinaryOp::Multiply, _) => left,
            _ => None,
        },
        (other, Some(Pointer)) => match (op, other) {
            (IntBinaryOp::Add | IntBinaryOp::Multiply, _) => right,
            _ => None,
        },
        (Some(Float(_)) | None, _) | (_, Some(Float(_)) | None) => None,
    }
}

/// Whether `and`, `or` or `xor` with a value leaves a float of this type a float, because the value is known to touch
/// only its sign, or to replace its exponent.
pub(super) fn keeps_float(function: &Function, op: IntBinaryOp, other: ValueId, float: FloatType) -> bool {
    match op {
        IntBinaryOp::Xor => touches_only_sign(function, other, float),
        IntBinaryOp::Or => each_lane(function, other, &|lane| {
            fits(lane, float) && (is_sign_bit(lane) || sets_exponent(lane, float))
        }),
        IntBinaryOp::And => each_lane(function, other, &|lane| {
            fits(lane, float) && !lane.is_zero() && is_sign_bit(&complement(lane))
        }),
        _ => false,
    }
}

/// Whether a value has no bit set but, perhaps, the sign bits of floats of a type.
fn touches_only_sign(function: &Function, value: ValueId, float: FloatType) -> bool {
    if let Some(inst) = function.as_inst(value) {
        let data = &function.insts[inst];
        return matches!(data.opcode, crate::model::Opcode::IntBinary { op: IntBinaryOp::And, .. })
            && data.operands.iter().any(|&operand| touches_only_sign(function, operand, float));
    }
    each_lane(function, value, &|lane| lane.is_zero() || (fits(lane, float) && is_sign_bit(lane)))
}

fn fits(lane: &Integer, float: FloatType) -> bool {
    lane.bits() == float.bits()
}

fn is_sign_bit(lane: &Integer) -> bool {
    lane.is_zero() || (lane.is_negative() && lane.negated() == *lane)
}

fn complement(lane: &Integer) -> Integer {
    let words: Vec<u64> = lane.words().iter().map(|word| !word).collect();
    Integer::from_words(lane.bits(), &words)
}

/// Whether only bits of the exponent are set, as when a number in `[1, 2)` is made from random bits.
fn sets_exponent(lane: &Integer, float: FloatType) -> bool {
    let mask = match float {
        FloatType::Half => 0x7c00,
        FloatType::BFloat => 0x7f80,
        FloatType::Float => 0x7f80_0000,
        FloatType::Double => 0x7ff0_0000_0000_0000,
        FloatType::X86Fp80 | FloatType::Fp128 | FloatType::PpcFp128 => return lane.is_zero(),
    };
    lane.as_u64().is_some_and(|bits| bits & !mask == 0)
}

/// Whether a constant integer, or each element of a constant vector, passes a test.
fn each_lane(function: &Function, value: ValueId, test: &dyn Fn(&Integer) -> bool) -> bool {
    let Some(constant) = function.as_constant(value) else { return false };
    let bits = match function.type_of(value) {
        Type::Integer { bits } => *bits,
        Type::Vector { element, .. } => match function.ty(*element) {
            Type::Integer { bits } => *bits,
            _ => return false,
        },
        _ => return false,
    };
    let integer = |constant| match &function.context.constant(constant).kind {
        ConstantKind::Integer(integer) => test(integer),
        _ => false,
    };
    match constant {
        ConstantKind::Integer(lane) => test(lane),
        ConstantKind::Zero => test(&Integer::from_u64(bits, 0)),
        ConstantKind::Splat(element) => integer(*element),
        ConstantKind::Aggregate(elements) => elements.iter().all(|&element| integer(element)),
        ConstantKind::Data(bytes) => bytes.chunks_exact((bits / 8).max(1) as usize).all(|chunk| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            test(&Integer::from_u64(bits, u64::from_le_bytes(word)))
        }),
        _ => false,
    }
}
