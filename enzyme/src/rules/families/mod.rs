//! The rules, one file a family.

mod arithmetic;
mod complex;
mod exponential;
mod extremum;
mod hyperbolic;
mod rounding;
mod special;
mod trigonometric;

use super::calls::sqrt;
use super::expr::{Condition, Expr, equal, select};
use super::table::{Family, RuleLine};

/// All rules, by family.
pub(super) fn all() -> Vec<(Family, Vec<RuleLine>)> {
    vec![
        (Family::Arithmetic, arithmetic::rules()),
        (Family::Extremum, extremum::rules()),
        (Family::Rounding, rounding::rules()),
        (Family::Trigonometric, trigonometric::rules()),
        (Family::Hyperbolic, hyperbolic::rules()),
        (Family::Exponential, exponential::rules()),
        (Family::Special, special::rules()),
        (Family::Complex, complex::rules()),
    ]
}

/// Zero where the condition holds, the expression elsewhere.
fn zero_if(condition: Condition, expr: impl Into<Expr>) -> Expr {
    select(condition, 0.0, expr)
}

/// `x / y`, and zero where `y` is: the quotient at an edge where the slope is a matter of convention.
fn ratio_or_zero(x: impl Into<Expr>, y: impl Into<Expr>) -> Expr {
    let y = &y.into();
    zero_if(equal(y, 0.0), x.into() / y)
}

/// `1 / √x`, and zero where `x` is.
fn inverse_sqrt_or_zero(x: impl Into<Expr>) -> Expr {
    ratio_or_zero(1.0, sqrt(x))
}

/// `c₀ + x·(c₁ + x·(c₂ + …))`.
fn polynomial(x: &Expr, coefficients: &[Expr]) -> Expr {
    coefficients.iter().rev().fold(Expr::from(0.0), |sum, coefficient| coefficient + x * sum)
}

/// A fraction of two small integers, exact in every precision.
fn fraction(numerator: i32, denominator: i32) -> Expr {
    Expr::from(f64::from(numerator)) / f64::from(denominator)
}
