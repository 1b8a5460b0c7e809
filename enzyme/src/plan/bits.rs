//! Integer arithmetic on the bits of a float that is arithmetic on the float, too.
//!
//! | program | result | derivative |
//! |---|---|---|
//! | `x ^ s`, `x \| s`, `x & ~s`, where `s` has sign bits only | `x` with another sign | the tangent changes its sign where the value does |
//! | `x + e`, `x - e`, where `e` has no bits of the fraction | `x` times a power of two | times the same power |
//! | `(x & fraction) \| e` | `x` with another exponent | the result over `x`, times the tangent |
//!
//! The second and the third take for granted that the exponent does not overflow, as the program does.

use crate::model::{
    CastOp, ConstantId, ConstantKind, FloatType, Function, InstId, IntBinaryOp, Opcode, Type, Uses,
    ValueDefinition, ValueId,
};

/// What integer arithmetic does to the float whose bits it works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BitOperation {
    /// It changes signs, of some elements in some cases.
    Sign,
    /// It adds to the exponent, or subtracts from it.
    Scale,
    /// It puts another sign and exponent in the place of the float's own.
    Normalise,
}

/// One such instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitArithmetic {
    /// What it does.
    pub operation: BitOperation,
    /// The float, as an integer.
    pub float: ValueId,
}

impl BitArithmetic {
    /// Which operand of the instruction is the float, where it is one: the first or the second.
    pub fn operand_that_is_float(self, function: &Function, inst: InstId) -> usize {
        usize::from(function.insts[inst].operands[0] != self.float)
    }
}

/// How far signs are followed backwards.
const DEPTH: usize = 8;

/// What an integer instruction is to a float, if one of its operands is the bits of one.
pub(super) fn bit_arithmetic(function: &Function, inst: InstId, op: IntBinaryOp) -> Option<BitArithmetic> {
    let operands = &function.insts[inst].operands;
    let (left, right) = (operands[0], operands[1]);
    let width = element_bits(function, left)?;
    let either = |test: &dyn Fn(ValueId) -> bool| match (test(right), test(left)) {
        (true, _) => Some(left),
        (false, true) => Some(right),
        (false, false) => None,
    };
    let is_sign = |value: ValueId| has_only(function, value, sign(width), DEPTH);
    let of = |operation: BitOperation, float: Option<ValueId>| {
        float.map(|float| BitArithmetic { operation, float })
    };
    match op {
        IntBinaryOp::Xor => of(BitOperation::Sign, either(&is_sign)),
        IntBinaryOp::Or => {
            of(BitOperation::Sign, either(&is_sign)).or_else(|| normalised(function, left, right, width))
        }
        IntBinaryOp::And => {
            let keeps_all = |value: ValueId| {
                constant_lanes(function, value)
                    .is_some_and(|lanes| lanes.iter().all(|lane| lane | sign(width) == all(width)))
            };
            of(BitOperation::Sign, either(&keeps_all))
        }
        IntBinaryOp::Add | IntBinaryOp::Subtract => {
            let exponents = all(width) & !fraction(width)?;
            let is_exponent = |value: ValueId| has_only(function, value, exponents, DEPTH);
            of(
                BitOperation::Scale,
                match op {
                    IntBinaryOp::Add => either(&is_exponent),
                    _ => is_exponent(right).then_some(left),
                },
            )
        }
        IntBinaryOp::Multiply
        | IntBinaryOp::UnsignedDivide
        | IntBinaryOp::SignedDivide
        | IntBinaryOp::UnsignedRemainder
        | IntBinaryOp::SignedRemainder
        | IntBinaryOp::ShiftLeft
        | IntBinaryOp::LogicalShiftRight
        | IntBinaryOp::ArithmeticShiftRight => None,
    }
}

/// Whether an integer is known to be the bits of a float of its own width: it was made from one, or becomes one.
pub(super) fn is_bits_of_float(function: &Function, uses: &Uses, value: ValueId) -> bool {
    float_of_bits(function, uses, value).is_some()
}

/// The float of an integer's own width whose bits it is known to be: it was made from one, or becomes one.
pub(super) fn float_of_bits(function: &Function, uses: &Uses, value: ValueId) -> Option<FloatType> {
    let width = element_bits(function, value)?;
    let float_cast = |inst: InstId, other: Option<ValueId>| {
        let Opcode::Cast { op: CastOp::Bitcast, .. } = function.insts[inst].opcode else { return None };
        match super::role::scalar_of(function, function.values[other?].ty) {
            Type::Float(float) if float.bits() == width => Some(*float),
            _ => None,
        }
    };
    let made = function
        .as_inst(value)
        .and_then(|inst| float_cast(inst, function.insts[inst].operands.first().copied()));
    let becomes = |&user: &InstId| float_cast(user, function.insts[user].result);
    made.or_else(|| uses.of_value(value).iter().find_map(becomes))
}

/// `(x & fraction) | exponent`, where nothing of the fraction is lost.
fn normalised(function: &Function, left: ValueId, right: ValueId, width: u32) -> Option<BitArithmetic> {
    let fraction = fraction(width)?;
    let exponents = all(width) & !fraction;
    let masked = |value: ValueId, other: ValueId| {
        let data = &function.insts[function.as_inst(value)?];
        let Opcode::IntBinary { op: IntBinaryOp::And, .. } = data.opcode else { return None };
        let is_mask = constant_lanes(function, data.operands[1])?.iter().all(|lane| *lane == fraction);
        (is_mask && has_only(function, other, exponents, DEPTH)).then_some(data.operands[0])
    };
    let float = masked(left, right).or_else(|| masked(right, left))?;
    Some(BitArithmetic { operation: BitOperation::Normalise, float })
}

/// Whether all bits of an integer but those in `mask` are certainly zero.
fn has_only(function: &Function, value: ValueId, mask: u64, depth: usize) -> bool {
    if let Some(lanes) = constant_lanes(function, value) {
        return lanes.iter().all(|lane| lane & !mask == 0);
    }
    let (Some(inst), Some(depth)) = (function.as_inst(value), depth.checked_sub(1)) else { return false };
    let data = &function.insts[inst];
    let operand = |index: usize| has_only(function, data.operands[index], mask, depth);
    match &data.opcode {
        Opcode::IntBinary { op, .. } => match op {
            IntBinaryOp::And => operand(0) || operand(1),
            IntBinaryOp::Or | IntBinaryOp::Xor => operand(0) && operand(1),
            IntBinaryOp::ShiftLeft => {
                let is_far = |distance: &u64| *distance >= u64::from(mask.trailing_zeros());
                are_high_bits(function, value, mask)
                    && constant_lanes(function, data.operands[1])
                        .is_some_and(|lanes| lanes.iter().all(is_far))
            }
            // Sums of numbers without low bits have none.
            IntBinaryOp::Add | IntBinaryOp::Subtract => {
                are_high_bits(function, value, mask) && operand(0) && operand(1)
            }
            IntBinaryOp::Multiply
            | IntBinaryOp::UnsignedDivide
            | IntBinaryOp::SignedDivide
            | IntBinaryOp::UnsignedRemainder
            | IntBinaryOp::SignedRemainder
            | IntBinaryOp::LogicalShiftRight
            | IntBinaryOp::ArithmeticShiftRight => false,
        },
        Opcode::Select { .. } => operand(1) && operand(2),
        _ => false,
    }
}

/// Whether a mask has all bits of an integer from some bit on.
fn are_high_bits(function: &Function, value: ValueId, mask: u64) -> bool {
    element_bits(function, value)
        .is_some_and(|width| mask == all(width) & !((1 << mask.trailing_zeros()) - 1))
}

fn all(width: u32) -> u64 {
    u64::MAX.checked_shr(64 - width).unwrap_or(0)
}

fn sign(width: u32) -> u64 {
    1 << (width - 1)
}

/// The bits of the fraction in a float of that width, where there is only one such format.
fn fraction(width: u32) -> Option<u64> {
    match width {
        32 => Some((1 << 23) - 1),
        64 => Some((1 << 52) - 1),
        _ => None,
    }
}

/// The width of an integer, or of the elements of a vector of them, that a float may have.
fn element_bits(function: &Function, value: ValueId) -> Option<u32> {
    match super::role::scalar_of(function, function.values[value].ty) {
        Type::Integer { bits: bits @ (16 | 32 | 64) } => Some(*bits),
        _ => None,
    }
}

/// The elements of a constant vector of integers, or the only one of a scalar.
fn constant_lanes(function: &Function, value: ValueId) -> Option<Vec<u64>> {
    let width = element_bits(function, value)?;
    let lanes = lanes(function, constant_id(function, value)?, width)?;
    Some(lanes.into_iter().map(|lane| lane & all(width)).collect())
}

fn constant_id(function: &Function, value: ValueId) -> Option<ConstantId> {
    match function.values[value].definition {
        ValueDefinition::Constant(constant) => Some(constant),
        _ => None,
    }
}

fn lanes(function: &Function, constant: ConstantId, width: u32) -> Option<Vec<u64>> {
    match &function.context.constant(constant).kind {
        ConstantKind::Integer(number) => Some(vec![number.as_u64()?]),
        ConstantKind::Zero => Some(vec![0]),
        ConstantKind::Splat(element) => lanes(function, *element, width),
        ConstantKind::Aggregate(elements) => {
            elements.iter().map(|&element| lanes(function, element, width)?.first().copied()).collect()
        }
        ConstantKind::Data(bytes) => {
            let element =
                |bytes: &[u8]| bytes.iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte));
            Some(bytes.chunks(width as usize / 8).map(element).collect())
        }
        _ => None,
    }
}
