//! Real numbers with 256 bits, on which the reference values of the self-test are computed.

use std::cell::RefCell;
use std::ops;

use astro_float_num::{BigFloat, Consts, RoundingMode, Sign};

/// Bits of the mantissa: enough to lose 40 to a finite difference and 60 to a cancelling series.
const PRECISION: usize = 256;
const ROUNDING: RoundingMode = RoundingMode::None;

thread_local! {
    static CONSTANTS: RefCell<Consts> = RefCell::new(Consts::new().expect("memory for the constants"));
}

/// A real number with 256 bits.
#[derive(Clone, Debug, PartialEq, PartialOrd)]
pub(crate) struct Real(BigFloat);

impl Real {
    /// The nearest `f64`, up to the last bit.
    pub(crate) fn to_f64(&self) -> f64 {
        if self.0.is_nan() {
            return f64::NAN;
        }
        if self.0.is_inf() {
            return if self.0.is_positive() { f64::INFINITY } else { f64::NEG_INFINITY };
        }
        let Some((words, _, sign, exponent, _)) = self.0.as_raw_parts() else { return f64::NAN };
        let Some(&top) = words.last() else { return 0.0 };
        // The mantissa is 0.words; a shift in two steps keeps the power in range for subnormals.
        let magnitude = top as f64 * 2f64.powi(-64);
        let half = exponent / 2;
        let value = magnitude * 2f64.powi(half) * 2f64.powi(exponent - half);
        if sign == Sign::Neg { -value } else { value }
    }

    /// π.
    pub(crate) fn pi() -> Real {
        CONSTANTS.with_borrow_mut(|constants| Real(constants.pi(PRECISION, ROUNDING)))
    }

    /// A number from its decimal digits.
    pub(crate) fn parse(digits: &str) -> Real {
        CONSTANTS.with_borrow_mut(|constants| {
            Real(BigFloat::parse(digits, astro_float_num::Radix::Dec, PRECISION, ROUNDING, constants))
        })
    }

    /// 2 to an integer power.
    pub(crate) fn power_of_two(exponent: i64) -> Real {
        let mut value = BigFloat::from_f64(1.0, PRECISION);
        // The mantissa of 1 is 0.1 in binary.
        value.set_exponent(i32::try_from(exponent + 1).expect("a small exponent"));
        Real(value)
    }

    /// The exponent `e` for which the magnitude lies in [2ᵉ⁻¹, 2ᵉ), as `frexp` has it; 0 for 0.
    pub(crate) fn exponent(&self) -> i64 {
        if self.is_zero() { 0 } else { self.0.exponent().map_or(0, i64::from) }
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.0.is_zero()
    }

    pub(crate) fn is_negative(&self) -> bool {
        self.0.is_negative() && !self.is_zero()
    }

    pub(crate) fn abs(&self) -> Real {
        Real(self.0.abs())
    }

    pub(crate) fn floor(&self) -> Real {
        Real(self.0.floor())
    }

    pub(crate) fn ceil(&self) -> Real {
        Real(self.0.ceil())
    }

    pub(crate) fn trunc(&self) -> Real {
        if self.is_negative() { self.ceil() } else { self.floor() }
    }

    /// The nearest integer, the even one of two.
    pub(crate) fn round_even(&self) -> Real {
        let below = self.floor();
        let distance = self - &below;
        let half = Real::from(0.5);
        let up = distance > half || (distance == half && !(&below / 2.0).is_integer());
        if up { below + 1.0 } else { below }
    }

    /// The nearest integer, the one further from 0 of two.
    pub(crate) fn round_away(&self) -> Real {
        let magnitude = (self.abs() + 0.5).floor();
        if self.is_negative() { -magnitude } else { magnitude }
    }

    pub(crate) fn is_integer(&self) -> bool {
        *self == self.floor()
    }

    pub(crate) fn sqrt(&self) -> Real {
        Real(self.0.sqrt(PRECISION, ROUNDING))
    }

    pub(crate) fn cbrt(&self) -> Real {
        Real(self.0.cbrt(PRECISION, ROUNDING))
    }

    /// An integer power, by repeated squaring.
    pub(crate) fn powi(&self, n: i64) -> Real {
        let mut power = Real::from(1.0);
        for bit in (0..64 - n.unsigned_abs().leading_zeros()).rev() {
            power = &power * &power;
            if n.unsigned_abs() >> bit & 1 == 1 {
                power = power * self;
            }
        }
        if n < 0 { 1.0 / power } else { power }
    }

    /// A real power. A negative base needs an integer exponent.
    pub(crate) fn pow(&self, y: &Real) -> Real {
        if y.is_integer() && y.abs() < Real::from(1e6) {
            return self.powi(y.to_f64() as i64);
        }
        if self.is_zero() {
            return if y.is_negative() { Real::from(f64::INFINITY) } else { Real::from(0.0) };
        }
        (self.ln() * y).exp()
    }

    /// The angle of the point (self, y) in (-π, π].
    pub(crate) fn angle_to(&self, y: &Real) -> Real {
        let (x, zero) = (self, Real::from(0.0));
        if *x > zero {
            return (y / x).atan();
        }
        if y.is_zero() {
            return if x.is_negative() { Real::pi() } else { zero };
        }
        let quarter = if y.is_negative() { -Real::pi() } else { Real::pi() } / 2.0;
        quarter - (x / y).atan()
    }
}

/// Declares functions that the arbitrary-precision library has.
macro_rules! library_functions {
    ($($name:ident),*) => {
        impl Real { $(
            pub(crate) fn $name(&self) -> Real {
                CONSTANTS.with_borrow_mut(|constants| Real(self.0.$name(PRECISION, ROUNDING, constants)))
            }
        )* }
    };
}

library_functions!(
    exp, ln, log2, log10, sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, asinh, acosh, atanh
);

impl From<f64> for Real {
    fn from(value: f64) -> Self {
        Real(BigFloat::from_f64(value, PRECISION))
    }
}

impl From<&Real> for Real {
    fn from(value: &Real) -> Self {
        value.clone()
    }
}

/// Implements a binary operator for every mix of numbers and references.
macro_rules! binary_operator {
    ($trait:ident, $method:ident) => {
        binary_operator!(@ $trait, $method, Real, Real);
        binary_operator!(@ $trait, $method, Real, &Real);
        binary_operator!(@ $trait, $method, &Real, Real);
        binary_operator!(@ $trait, $method, &Real, &Real);
        binary_operator!(@ $trait, $method, Real, f64);
        binary_operator!(@ $trait, $method, &Real, f64);
        binary_operator!(@ $trait, $method, f64, Real);
        binary_operator!(@ $trait, $method, f64, &Real);
    };
    (@ $trait:ident, $method:ident, $left:ty, $right:ty) => {
        impl ops::$trait<$right> for $left {
            type Output = Real;

            fn $method(self, right: $right) -> Real {
                let (left, right) = (Real::from(self), Real::from(right));
                Real(left.0.$method(&right.0, PRECISION, ROUNDING))
            }
        }
    };
}

binary_operator!(Add, add);
binary_operator!(Sub, sub);
binary_operator!(Mul, mul);
binary_operator!(Div, div);

impl ops::Neg for Real {
    type Output = Real;

    fn neg(self) -> Real {
        Real(self.0.neg())
    }
}

impl ops::Neg for &Real {
    type Output = Real;

    fn neg(self) -> Real {
        -self.clone()
    }
}
