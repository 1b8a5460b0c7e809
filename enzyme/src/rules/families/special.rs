//! Error, gamma and Bessel functions.

use super::polynomial;
use crate::rules::calls::{bessel_i0, bessel_i1, digamma, exp, j0, j1, jn, trigamma, y0, y1, yn};
use crate::rules::constant::Irrational::{HalfSqrtPi, InverseSqrtTwoPi, SqrtTwoPi, TwoOverSqrtPi};
use crate::rules::expansion::tetragamma;
use crate::rules::expr::{Expr, equal, greater, select};
use crate::rules::table::RuleLine;

pub(super) fn rules() -> Vec<RuleLine> {
    vec![
        rule!(Erf(x) -> r { x: TwoOverSqrtPi * exp(-(x * x)) }),
        rule!(Erfc(x) -> r { x: -(TwoOverSqrtPi * exp(-(x * x))) }),
        rule!(Erfcx(x) -> r {
            x: select(greater(x, 50.0), -0.5 * TwoOverSqrtPi * decay(x, -1.0), 2.0 * x * r - TwoOverSqrtPi)
        }),
        rule!(Erfi(x) -> r { x: TwoOverSqrtPi * exp(x * x) }),
        rule!(Erfinv(x) -> r { x: HalfSqrtPi * exp(r * r) }),
        rule!(Erfcinv(x) -> r { x: -(HalfSqrtPi * exp(r * r)) }),
        rule!(Dawson(x) -> r { x: select(greater(x * x, 2500.0), -0.5 * decay(x, 1.0), 1.0 - 2.0 * x * r) }),
        // 2/√π times Dawson's function.
        rule!(FaddeevaIm(x) -> r {
            x: select(greater(x * x, 2500.0), -0.5 * TwoOverSqrtPi * decay(x, 1.0), TwoOverSqrtPi - 2.0 * x * r)
        }),
        rule!(Normcdf(x) -> r { x: InverseSqrtTwoPi * exp(-0.5 * (x * x)) }),
        rule!(Normcdfinv(x) -> r { x: SqrtTwoPi * exp(0.5 * (r * r)) }),
        rule!(Tgamma(x) -> r { x: r * digamma(x) }),
        rule!(Lgamma(x) -> r { x: digamma(x) }),
        rule!(LgammaR(x) -> r, sign: int { r / x: digamma(x) }),
        rule!(Digamma(x) -> r { x: trigamma(x) }),
        rule!(Trigamma(x) -> r { x: tetragamma(x) }),
        rule!(J0(x) -> r { x: -j1(x) }),
        rule!(J1(x) -> r { x: select(equal(x, 0.0), 0.5, j0(x) - r / x) }),
        rule!(Jn(n: int, x) -> r { x: 0.5 * (jn(n - 1, x) - jn(n + 1, x)) }),
        rule!(Y0(x) -> r { x: -y1(x) }),
        rule!(Y1(x) -> r { x: y0(x) - r / x }),
        rule!(Yn(n: int, x) -> r { x: 0.5 * (yn(n - 1, x) - yn(n + 1, x)) }),
        rule!(BesselI0(x) -> r { x: bessel_i1(x) }),
        rule!(BesselI1(x) -> r { x: select(equal(x, 0.0), 0.5, bessel_i0(x) - r / x) }),
    ]
}

/// `1/x² · Σ (2k+1)!! (sign / 2x²)ᵏ`: how the derivatives of `erfcx` (sign -1) and of Dawson's function
/// (sign 1) fall off, for |x| ≥ 50, where the exact formulas cancel.
fn decay(x: &Expr, sign: f64) -> Expr {
    let square = &(x * x);
    let coefficients = [1.0, 3.0, 15.0, 105.0, 945.0].map(Expr::from);
    polynomial(&(0.5 * sign / square), &coefficients) / square
}
