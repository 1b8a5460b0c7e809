//! Dual numbers: floats with their tangents, also when their bits travel as integers.

use enzyme::model::{FloatBits, FloatPredicate, FloatType};
use enzyme::rules::{self, Kind};

use super::scalar::{self, Number};
use super::value::{Byte, Value, bits};
use super::{Machine, Stop};
use crate::trace::{Entry, NodeId, Origin};
use crate::uses::Uses;

/// A float that is computed with.
#[derive(Clone, Debug)]
pub(crate) struct Dual {
    pub(crate) value: f64,
    pub(crate) tangent: f64,
    /// How far another way of computing the tangent may be off, by rounding.
    pub(crate) error: f64,
    /// The bytes that hold the tangent.
    sources: Vec<NodeId>,
}

impl Dual {
    /// Whether it has a tangent, or one that is zero but for rounding.
    fn carries_derivative(&self) -> bool {
        self.tangent != 0.0 || self.error != 0.0
    }
}

impl Machine<'_> {
    /// Reads bytes as a float of this type.
    pub(crate) fn float_operand(&mut self, bytes: &[Byte], ty: FloatType) -> Result<Dual, Stop> {
        let dual = self.dual(bytes, ty)?;
        for (index, byte) in bytes.iter().enumerate() {
            self.trace.mark_use(byte.node, Uses::float(ty, index));
        }
        Ok(dual)
    }

    /// Looks at bytes as a float of this type, without taking part in the program.
    pub(crate) fn dual(&self, bytes: &[Byte], ty: FloatType) -> Result<Dual, Stop> {
        let bits = bits(bytes)?;
        let value = finite(FloatBits(bits).to_f64(ty))?;
        let none = Dual { value, tangent: 0.0, error: 0.0, sources: Vec::new() };
        let Some(Origin::Active(id)) = self.whole_fraction(bytes, ty) else { return Ok(none) };
        let entry = self.trace.entry(id);
        let Some(scale) = scale(entry, bits) else { return Ok(none) };
        let (tangent, error) = (scale * entry.tangent, scale.abs() * entry.error);
        let sources =
            bytes.iter().filter(|byte| byte.origin == Origin::Active(id)).map(|byte| byte.node).collect();
        Ok(Dual { value, tangent, error, sources })
    }

    /// The float whose fraction all these bytes hold, in place.
    fn whole_fraction(&self, bytes: &[Byte], ty: FloatType) -> Option<Origin> {
        let origin = bytes.first()?.origin;
        let Origin::Active(id) = origin else { return None };
        let in_place = |(byte, position): (&Byte, u8)| byte.origin == origin && byte.position == position;
        let fraction_bytes = (fraction_bits(ty) as usize).div_ceil(8);
        (self.trace.entry(id).ty == ty && bytes[..fraction_bytes].iter().zip(0..).all(in_place))
            .then_some(origin)
    }

    /// A float computed from others.
    fn float_result(&mut self, ty: FloatType, value: f64, terms: &[(f64, &Dual)]) -> Result<Value, Stop> {
        let bits = FloatBits::from_f64(ty, finite(value)?).0;
        let tangent = finite(terms.iter().map(|(partial, operand)| partial * operand.tangent).sum())?;
        // Terms that cancel leave a derivative behind: what they are off by rounding goes on.
        if terms.iter().all(|(partial, operand)| *partial == 0.0 || !operand.carries_derivative()) {
            return Ok(Value::float(ty, bits, Origin::Float(ty)));
        }
        let error = terms.iter().map(|(partial, operand)| error_of_term(ty, *partial, operand)).sum();
        let sources = terms.iter().flat_map(|(_, operand)| &operand.sources).copied().collect();
        Ok(self.active_float(ty, bits, (tangent, error), sources))
    }

    fn active_float(
        &mut self,
        ty: FloatType,
        bits: u128,
        tangent: (f64, f64),
        sources: Vec<NodeId>,
    ) -> Value {
        let entry = self.trace.float(ty, bits, tangent, sources);
        Value::float(ty, bits, Origin::Active(entry))
    }

    /// A float that the test gives, with its tangent.
    pub(crate) fn given_float(&mut self, ty: FloatType, value: f64, tangent: f64) -> Value {
        let bits = FloatBits::from_f64(ty, value).0;
        if tangent == 0.0 {
            return Value::float(ty, bits, Origin::Float(ty));
        }
        self.active_float(ty, bits, (tangent, 0.0), Vec::new())
    }

    /// A function of the table of rules, of scalars.
    pub(crate) fn apply(
        &mut self,
        function: rules::Function,
        operands: &[Operand],
        result_types: &[Option<FloatType>],
    ) -> Result<Vec<Value>, Stop> {
        let unknown = || Stop::unsupported(format!("the function {function}"));
        let mut duals = Vec::with_capacity(operands.len());
        let mut numbers: Vec<Number> = Vec::with_capacity(operands.len());
        for (operand, kind) in operands.iter().zip(function.operands()) {
            let dual = match (operand, kind) {
                (Operand::Float(bytes, ty), Kind::Float) => Some(self.float_operand(bytes, *ty)?),
                (Operand::Integer(_), Kind::Int) => None,
                (Operand::Float(..) | Operand::Integer(_), _) => return Err(unknown()),
            };
            numbers.push(match (&dual, operand) {
                (Some(dual), _) => Number::Float(dual.value),
                (None, Operand::Integer(number)) => Number::Int(*number),
                (None, Operand::Float(..)) => return Err(unknown()),
            });
            duals.push(dual);
        }
        let mut results = scalar::primal(function, &numbers).ok_or_else(unknown)?;
        for (result, ty) in results.iter_mut().zip(result_types) {
            if let (Number::Float(value), Some(ty)) = (result, ty) {
                *value = FloatBits::from_f64(*ty, finite(*value)?).to_f64(*ty);
            }
        }
        let rule = rules::rule(function);
        let mut values = Vec::with_capacity(results.len());
        for (index, (result, ty)) in results.iter().zip(result_types).enumerate() {
            let (Number::Float(value), Some(ty)) = (result, ty) else { return Err(unknown()) };
            let mut terms = Vec::new();
            for (column, dual) in duals.iter().enumerate() {
                let Some(dual) = dual.as_ref().filter(|dual| dual.carries_derivative()) else { continue };
                let partial = rule.partial(index, column);
                if partial.is_zero() {
                    continue;
                }
                let partial = scalar::evaluate(partial.expr(), &numbers, &results).ok_or_else(unknown)?;
                if finite(partial)? != 0.0 {
                    terms.push((partial, dual));
                }
            }
            values.push(self.float_result(*ty, *value, &terms)?);
        }
        Ok(values)
    }

    /// A comparison of floats. It is no use of theirs: no derivative goes through it.
    pub(crate) fn compare_floats(
        &mut self,
        predicate: FloatPredicate,
        left: &[Byte],
        right: &[Byte],
        ty: FloatType,
    ) -> Result<bool, Stop> {
        use FloatPredicate as P;
        let (x, y) = (self.dual(left, ty)?.value, self.dual(right, ty)?.value);
        // Neither is a NaN: those end a run.
        Ok(match predicate {
            P::False | P::Unordered => false,
            P::True | P::Ordered => true,
            P::OrderedEqual | P::UnorderedEqual => x == y,
            P::OrderedNotEqual | P::UnorderedNotEqual => x != y,
            P::OrderedGreater | P::UnorderedGreater => x > y,
            P::OrderedGreaterOrEqual | P::UnorderedGreaterOrEqual => x >= y,
            P::OrderedLess | P::UnorderedLess => x < y,
            P::OrderedLessOrEqual | P::UnorderedLessOrEqual => x <= y,
        })
    }
}

/// An operand of a scalar function.
pub(crate) enum Operand<'a> {
    Float(&'a [Byte], FloatType),
    Integer(i64),
}

/// How far off a term of a tangent may be: what its operand was off, and so many units in the last place for the product,
/// its partial and the sum. A partial that is a difference (`1 - x²`) is off by a unit of what it is a difference of.
fn error_of_term(ty: FloatType, partial: f64, operand: &Dual) -> f64 {
    let unit = 2f64.powi(-(fraction_bits(ty) as i32));
    partial.abs() * operand.error + UNITS * unit * (1.0 + partial.abs()) * operand.tangent.abs()
}

/// Units in the last place that an operation may be off.
const UNITS: f64 = 4.0;

/// Infinities and NaNs end a run: derivatives there mean nothing.
fn finite(value: f64) -> Result<f64, Stop> {
    if value.is_finite() { Ok(value) } else { Err(Stop::undefined("a number that is not finite")) }
}

/// By what the tangent of a float grows when its bits become these; `None` when they are no multiple of it by a power
/// of two. This is what arithmetic on sign and exponent means; arithmetic on the fraction has no derivative.
fn scale(entry: &Entry, bits: u128) -> Option<f64> {
    if bits == entry.bits {
        return Some(1.0);
    }
    let fraction = fraction_bits(entry.ty);
    let sign_place = entry.ty.bits() - 1;
    let same_fraction = (bits ^ entry.bits) & ((1 << fraction) - 1) == 0;
    let exponent = |bits: u128| bits >> fraction & ((1 << (sign_place - fraction)) - 1);
    let sign = if (bits ^ entry.bits) >> sign_place & 1 == 1 { -1.0 } else { 1.0 };
    match (exponent(entry.bits), exponent(bits)) {
        _ if !same_fraction => None,
        (0, 0) => Some(sign),
        (0, _) | (_, 0) => None,
        _ => Some(FloatBits(bits).to_f64(entry.ty) / FloatBits(entry.bits).to_f64(entry.ty)),
    }
}

/// Bits of the stored fraction, with the leading one where it is stored.
fn fraction_bits(ty: FloatType) -> u32 {
    match ty {
        FloatType::Half => 10,
        FloatType::BFloat => 7,
        FloatType::Float => 23,
        FloatType::Double => 52,
        FloatType::X86Fp80 => 64,
        FloatType::Fp128 => 112,
        // The parts of a pair of doubles are no fraction; only unchanged bits keep their tangent.
        FloatType::PpcFp128 => 127,
    }
}
