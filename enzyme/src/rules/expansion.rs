//! Functions that no library offers, written out in functions it does.
//!
//! The derivative of the gamma function needs the digamma function ψ, and its second derivative the
//! trigamma function ψ′. For positive arguments the recurrence moves the argument up by eight, where
//! the asymptotic series is good to 15 digits; reflection serves negative arguments. No loops, so the
//! expansion can be put in the place of a call, and be differentiated again.

use std::sync::LazyLock;

use super::calls::{log, rint, sin, tan};
use super::constant::Irrational::Pi;
use super::expr::{Expr, less, select};
use super::function::Function;

/// How far the recurrence moves the argument up.
const SHIFT: u8 = 8;

impl Function {
    /// The function as an expression over its operands, for those that no library offers.
    pub fn expansion(self) -> Option<&'static Expr> {
        static DIGAMMA: LazyLock<Expr> = LazyLock::new(|| expand_digamma(&Expr::operand(0)));
        static TRIGAMMA: LazyLock<Expr> = LazyLock::new(|| expand_trigamma(&Expr::operand(0)));
        if self == Function::Digamma {
            Some(&DIGAMMA)
        } else if self == Function::Trigamma {
            Some(&TRIGAMMA)
        } else {
            None
        }
    }
}

/// ψ(x) = ln z - 1/2z - Σ B₂ₖ/(2k z²ᵏ) - Σ 1/(x+i), z = x + 8; ψ(x) = ψ(1-x) - π/tan(πx).
fn expand_digamma(x: &Expr) -> Expr {
    let positive = &reflected(x);
    let z = &(positive + f64::from(SHIFT));
    let inverse = &(1.0 / z);
    let series = bernoulli_series(inverse, |k, bernoulli| bernoulli / (2.0 * k));
    let value = log(z) - 0.5 * inverse - series - recurrence(positive, |inverse| inverse.clone());
    value - select(less(x, 0.0), Pi / tan(Pi * distance(x)), 0.0)
}

/// ψ′(x) = 1/z + 1/2z² + Σ B₂ₖ/z²ᵏ⁺¹ + Σ 1/(x+i)²; ψ′(x) = π²/sin²(πx) - ψ′(1-x).
fn expand_trigamma(x: &Expr) -> Expr {
    let positive = &reflected(x);
    let inverse = &(1.0 / (positive + f64::from(SHIFT)));
    let series = inverse * bernoulli_series(inverse, |_, bernoulli| bernoulli);
    let value =
        &(inverse + 0.5 * (inverse * inverse) + series + recurrence(positive, |inverse| inverse * inverse));
    let ratio = &(Pi / sin(Pi * distance(x)));
    select(less(x, 0.0), ratio * ratio - value, value)
}

/// The derivative of the trigamma function, which no rule has to name.
///
/// ψ″(x) = -1/z² - 1/z³ - Σ (2k+1) B₂ₖ/z²ᵏ⁺² - 2 Σ 1/(x+i)³; ψ″(x) = ψ″(1-x) - 2π³ cos(πx)/sin³(πx).
pub(super) fn tetragamma(x: &Expr) -> Expr {
    let positive = &reflected(x);
    let inverse = &(1.0 / (positive + f64::from(SHIFT)));
    let square = &(inverse * inverse);
    let series = square * bernoulli_series(inverse, |k, bernoulli| (2.0 * k + 1.0) * bernoulli);
    let cubes = recurrence(positive, |inverse| inverse * inverse * inverse);
    let value = -(square + square * inverse + series + 2.0 * cubes);
    let angle = &(Pi * distance(x));
    let ratio = &(Pi / sin(angle));
    value - select(less(x, 0.0), 2.0 * (ratio * ratio * Pi / tan(angle)), 0.0)
}

/// The argument itself, or its reflection at ½ where it is negative.
fn reflected(x: &Expr) -> Expr {
    select(less(x, 0.0), 1.0 - x, x)
}

/// The signed distance to the nearest integer: π times it has the sine, cosine and tangent of π·x up to
/// sign, without the error of a large product.
fn distance(x: &Expr) -> Expr {
    x - rint(x)
}

/// Σ term(1/(x+i)) for i below [`SHIFT`].
fn recurrence(x: &Expr, term: impl Fn(&Expr) -> Expr) -> Expr {
    // The largest term comes last.
    (0..SHIFT).rev().fold(Expr::from(0.0), |sum, i| sum + term(&(1.0 / (x + f64::from(i)))))
}

/// Σ coefficient(k, B₂ₖ) inverse²ᵏ for k from 1 to 8.
fn bernoulli_series(inverse: &Expr, coefficient: impl Fn(f64, Expr) -> Expr) -> Expr {
    const BERNOULLI: [(f64, f64); 8] = [
        (1.0, 6.0),
        (-1.0, 30.0),
        (1.0, 42.0),
        (-1.0, 30.0),
        (5.0, 66.0),
        (-691.0, 2730.0),
        (7.0, 6.0),
        (-3617.0, 510.0),
    ];
    let square = &(inverse * inverse);
    let terms = BERNOULLI.iter().zip(1_u8..=8).rev();
    terms.fold(Expr::from(0.0), |sum, (&(numerator, denominator), k)| {
        square * (coefficient(f64::from(k), Expr::from(numerator) / denominator) + sum)
    })
}
