//! Trigonometric functions.

use super::{fraction, inverse_sqrt_or_zero, polynomial, ratio_or_zero};
use crate::rules::calls::{cos, cospi, fabs, sin, sinpi};
use crate::rules::constant::Irrational::Pi;
use crate::rules::expr::{Expr, less, select};
use crate::rules::table::RuleLine;

pub(super) fn rules() -> Vec<RuleLine> {
    vec![
        rule!(Sin(x) -> r { x: cos(x) }),
        rule!(Cos(x) -> r { x: -sin(x) }),
        rule!(Tan(x) -> r { x: 1.0 + r * r }),
        rule!(Asin(x) -> r { x: inverse_sqrt_or_zero((1.0 - x) * (1.0 + x)) }),
        rule!(Acos(x) -> r { x: -inverse_sqrt_or_zero((1.0 - x) * (1.0 + x)) }),
        rule!(Atan(x) -> r { x: 1.0 / (1.0 + x * x) }),
        rule!(Atan2(y, x) -> r { y: ratio_or_zero(x, x * x + y * y), x: ratio_or_zero(-y, x * x + y * y) }),
        rule!(Sincos(x) -> s, c { s / x: c, c / x: -s }),
        rule!(Sinpi(x) -> r { x: Pi * cospi(x) }),
        rule!(Cospi(x) -> r { x: -(Pi * sinpi(x)) }),
        rule!(Tanpi(x) -> r { x: Pi * (1.0 + r * r) }),
        rule!(Asinpi(x) -> r { x: inverse_sqrt_or_zero((1.0 - x) * (1.0 + x)) / Pi }),
        rule!(Acospi(x) -> r { x: -inverse_sqrt_or_zero((1.0 - x) * (1.0 + x)) / Pi }),
        rule!(Atanpi(x) -> r { x: 1.0 / (Pi * (1.0 + x * x)) }),
        rule!(Atan2pi(y, x) -> r {
            y: ratio_or_zero(x, x * x + y * y) / Pi,
            x: ratio_or_zero(-y, x * x + y * y) / Pi,
        }),
        rule!(Sincospi(x) -> s, c { s / x: Pi * c, c / x: -(Pi * s) }),
        // sin(x)/x and sin(πx)/(πx): the quotient rule cancels near 0, where the series takes over.
        rule!(Sinc(x) -> r { x: select(less(fabs(x), 0.1), sinc_slope_near_zero(x), (cos(x) - r) / x) }),
        rule!(Sincn(x) -> r {
            x: select(less(fabs(x), 0.03), Pi * sinc_slope_near_zero(&(Pi * x)), (cos(Pi * x) - r) / x)
        }),
    ]
}

/// The derivative of sin(x)/x by its series at 0, to full double precision for |x| < 0.1.
fn sinc_slope_near_zero(x: &Expr) -> Expr {
    x * polynomial(&(x * x), &[fraction(-1, 3), fraction(1, 30), fraction(-1, 840), fraction(1, 45360)])
}
