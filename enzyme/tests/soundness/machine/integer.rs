//! Integers, and what becomes of the bits of floats and addresses in them.

use enzyme::model::{IntBinaryOp, IntFlags, IntPredicate};

use super::value::{Byte, Value, bits, bytes_of, mask, signed};
use super::{Machine, Stop};
use crate::trace::{NodeId, Origin};
use crate::uses::Uses;

impl Machine<'_> {
    /// Reads bytes as an integer that something depends on.
    pub(crate) fn integer_operand(&mut self, bytes: &[Byte]) -> Result<u128, Stop> {
        for byte in bytes {
            self.trace.mark_use(byte.node, Uses::INTEGER);
        }
        bits(bytes)
    }

    /// Arithmetic on scalars.
    pub(crate) fn int_binary(
        &mut self,
        op: IntBinaryOp,
        flags: IntFlags,
        left: &[Byte],
        right: &[Byte],
        width: u32,
    ) -> Result<Value, Stop> {
        use IntBinaryOp as B;
        let (x, y) = match op {
            // These only put bits together or take them apart.
            B::And | B::Or | B::Xor => (bits(left)?, bits(right)?),
            B::ShiftLeft | B::LogicalShiftRight => (bits(left)?, self.integer_operand(right)?),
            B::Add
            | B::Subtract
            | B::Multiply
            | B::UnsignedDivide
            | B::SignedDivide
            | B::UnsignedRemainder
            | B::SignedRemainder
            | B::ArithmeticShiftRight => (self.integer_operand(left)?, self.integer_operand(right)?),
        };
        let Some(result) = compute(op, flags, x, y, width)? else {
            return Ok(Value::undefined(bytes_of(width)));
        };
        let mut value = Value::integer(width, result);
        for (index, byte) in value.0.iter_mut().enumerate() {
            if let Some(kept) = kept(op, left, right, y, index) {
                *byte = Byte { bits: byte.bits, ..kept };
            }
        }
        Ok(value)
    }

    /// A comparison of scalars.
    pub(crate) fn compare_integers(
        &mut self,
        predicate: IntPredicate,
        left: &[Byte],
        right: &[Byte],
        width: u32,
        use_as: Uses,
    ) -> Result<bool, Stop> {
        use IntPredicate as P;
        for byte in left.iter().chain(right) {
            self.trace.mark_use(byte.node, use_as);
        }
        let (x, y) = (bits(left)?, bits(right)?);
        let (sx, sy) = (signed(width, x), signed(width, y));
        Ok(match predicate {
            P::Equal => x == y,
            P::NotEqual => x != y,
            P::UnsignedGreater => x > y,
            P::UnsignedGreaterOrEqual => x >= y,
            P::UnsignedLess => x < y,
            P::UnsignedLessOrEqual => x <= y,
            P::SignedGreater => sx > sy,
            P::SignedGreaterOrEqual => sx >= sy,
            P::SignedLess => sx < sy,
            P::SignedLessOrEqual => sx <= sy,
        })
    }
}

/// The result; `None` when a promise is broken.
fn compute(op: IntBinaryOp, flags: IntFlags, x: u128, y: u128, width: u32) -> Result<Option<u128>, Stop> {
    use IntBinaryOp as B;
    let (sx, sy) = (signed(width, x), signed(width, y));
    if matches!(op, B::UnsignedDivide | B::SignedDivide | B::UnsignedRemainder | B::SignedRemainder) && y == 0
    {
        return Err(Stop::undefined("a division by zero"));
    }
    if matches!(op, B::ShiftLeft | B::LogicalShiftRight | B::ArithmeticShiftRight) && y >= width.into() {
        return Ok(None);
    }
    let overflow = || Stop::undefined("the quotient overflows");
    let result = match op {
        B::Add => x.wrapping_add(y),
        B::Subtract => x.wrapping_sub(y),
        B::Multiply => x.wrapping_mul(y),
        B::UnsignedDivide => x / y,
        B::SignedDivide => sx.checked_div(sy).ok_or_else(overflow)? as u128,
        B::UnsignedRemainder => x % y,
        B::SignedRemainder => sx.checked_rem(sy).ok_or_else(overflow)? as u128,
        B::ShiftLeft => x << y,
        B::LogicalShiftRight => x >> y,
        B::ArithmeticShiftRight => (sx >> y) as u128,
        B::And => x & y,
        B::Or => x | y,
        B::Xor => x ^ y,
    } & mask(width);
    let signed_result = signed(width, result);
    let exact_signed = match op {
        B::Add => sx.checked_add(sy),
        B::Subtract => sx.checked_sub(sy),
        B::Multiply => sx.checked_mul(sy),
        B::ShiftLeft => Some(signed_result >> y).filter(|back| *back == sx).map(|_| signed_result),
        B::UnsignedDivide
        | B::SignedDivide
        | B::UnsignedRemainder
        | B::SignedRemainder
        | B::LogicalShiftRight
        | B::ArithmeticShiftRight
        | B::And
        | B::Or
        | B::Xor => Some(signed_result),
    };
    let exact_unsigned = match op {
        B::Add => x.checked_add(y),
        B::Subtract => x.checked_sub(y),
        B::Multiply => x.checked_mul(y),
        B::ShiftLeft => Some(result).filter(|result| result >> y == x),
        B::UnsignedDivide
        | B::SignedDivide
        | B::UnsignedRemainder
        | B::SignedRemainder
        | B::LogicalShiftRight
        | B::ArithmeticShiftRight
        | B::And
        | B::Or
        | B::Xor => Some(result),
    };
    let kept = (!flags.no_signed_wrap || exact_signed == Some(signed_result))
        && (!flags.no_unsigned_wrap || exact_unsigned == Some(result))
        && (!flags.disjoint || x & y == 0)
        && (!flags.exact || exact(op, x, y, width));
    Ok(kept.then_some(result))
}

/// Whether nothing is lost by a division or a shift to the right.
fn exact(op: IntBinaryOp, x: u128, y: u128, width: u32) -> bool {
    use IntBinaryOp as B;
    match op {
        B::UnsignedDivide => x.is_multiple_of(y),
        B::SignedDivide => signed(width, x).checked_rem(signed(width, y)) == Some(0),
        B::LogicalShiftRight | B::ArithmeticShiftRight => x & ((1 << y) - 1) == 0,
        B::Add
        | B::Subtract
        | B::Multiply
        | B::UnsignedRemainder
        | B::SignedRemainder
        | B::ShiftLeft
        | B::And
        | B::Or
        | B::Xor => true,
    }
}

/// The byte of a float or of an address that a byte of the result still is, if it is.
///
/// Arithmetic on sign and exponent leaves a float's bytes in place, and so does arithmetic on the offset of an
/// address; shifts by whole bytes move them. Where two floats or addresses meet, as when the sign of one is put on
/// another, the one with more bytes is meant.
fn kept(op: IntBinaryOp, left: &[Byte], right: &[Byte], amount: u128, index: usize) -> Option<Byte> {
    use IntBinaryOp as B;
    let known = |bytes: &[Byte]| bytes.iter().filter(|byte| byte.origin != Origin::Plain).count();
    let pointers = |bytes: &[Byte]| bytes.iter().any(|byte| byte.origin == Origin::Pointer);
    let at =
        |bytes: &[Byte], index: usize| bytes.get(index).copied().filter(|byte| byte.origin != Origin::Plain);
    let (main, other) = if known(left) >= known(right) { (left, right) } else { (right, left) };
    match op {
        B::Or | B::Xor => at(main, index).or_else(|| at(other, index)),
        // A byte that a mask clears holds nothing any more.
        B::And => at(main, index)
            .filter(|_| other[index].bits != 0 || other[index].origin != Origin::Plain)
            .or_else(|| at(other, index).filter(|_| main[index].bits != 0)),
        B::Add => at(main, index),
        // The distance of two addresses is a number.
        B::Subtract if pointers(left) && pointers(right) => None,
        B::Subtract => at(left, index),
        B::ShiftLeft if amount.is_multiple_of(8) => {
            index.checked_sub(amount as usize / 8).and_then(|index| at(left, index))
        }
        B::LogicalShiftRight if amount.is_multiple_of(8) => at(left, index + amount as usize / 8),
        B::ShiftLeft
        | B::LogicalShiftRight
        | B::Multiply
        | B::UnsignedDivide
        | B::SignedDivide
        | B::UnsignedRemainder
        | B::SignedRemainder
        | B::ArithmeticShiftRight => None,
    }
}

/// An integer made narrower or wider: the bytes it keeps are what they were.
pub(crate) fn resize(from: &[Byte], width: u32, fill: u8) -> Value {
    let mut bytes: Vec<Byte> = from.iter().copied().take(bytes_of(width)).collect();
    let all_defined = from.iter().all(|byte| byte.defined);
    let filler = if all_defined { Byte::plain(fill) } else { Byte::default() };
    bytes.resize(bytes_of(width), filler);
    if let Some(last) = bytes.last_mut()
        && !width.is_multiple_of(8)
    {
        last.bits &= mask(width % 8) as u8;
    }
    Value(bytes)
}

/// A truth value.
pub(crate) fn truth(value: bool) -> Byte {
    Byte { node: NodeId::NONE, ..Byte::plain(value.into()) }
}
