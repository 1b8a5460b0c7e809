//! Exponentials, logarithms, powers and roots.

use super::{ratio_or_zero, zero_if};
use crate::rules::calls::{compoundn, exp, exp2, exp10, log, pow, powi};
use crate::rules::constant::Irrational::{Ln2, Ln10};
use crate::rules::expr::{Expr, equal, greater, int_equal, int_greater, less, less_or_equal, select};
use crate::rules::table::RuleLine;

pub(super) fn rules() -> Vec<RuleLine> {
    vec![
        rule!(Exp(x) -> r { x: r }),
        rule!(Exp2(x) -> r { x: Ln2 * r }),
        rule!(Exp10(x) -> r { x: Ln10 * r }),
        // Not r + 1: that loses all digits where r is close to -1.
        rule!(Expm1(x) -> r { x: exp(x) }),
        rule!(Exp2m1(x) -> r { x: Ln2 * exp2(x) }),
        rule!(Exp10m1(x) -> r { x: Ln10 * exp10(x) }),
        rule!(Log(x) -> r { x: 1.0 / x }),
        rule!(Log2(x) -> r { x: 1.0 / (Ln2 * x) }),
        rule!(Log10(x) -> r { x: 1.0 / (Ln10 * x) }),
        rule!(Log1p(x) -> r { x: 1.0 / (1.0 + x) }),
        rule!(Log2p1(x) -> r { x: 1.0 / (Ln2 * (1.0 + x)) }),
        rule!(Log10p1(x) -> r { x: 1.0 / (Ln10 * (1.0 + x)) }),
        rule!(Xlogy(x, y) -> r { x: zero_if(equal(x, 0.0).and(equal(y, 0.0)), log(y)), y: zero_if(equal(x, 0.0), x / y) }),
        rule!(Pow(x, y) -> r { x: pow_slope(x, y), y: zero_if(less_or_equal(x, 0.0).or(equal(r, 0.0)), r * log(x)) }),
        rule!(Powr(x, y) -> r { x: pow_slope(x, y), y: zero_if(less_or_equal(x, 0.0).or(equal(r, 0.0)), r * log(x)) }),
        rule!(Powi(x, n: int) -> r { x: zero_if(int_equal(n, 0), n.to_float() * powi(x, n - 1)) }),
        rule!(Rootn(x, n: int) -> r {
            x: select(
                int_equal(n, 1),
                1.0,
                zero_if(equal(x, 0.0).and(int_greater(n, 1)), r / (n.to_float() * x)),
            )
        }),
        rule!(Compoundn(x, n: int) -> r { x: zero_if(int_equal(n, 0), n.to_float() * compoundn(x, n - 1)) }),
        rule!(Sqrt(x) -> r { x: ratio_or_zero(0.5, r) }),
        rule!(Rsqrt(x) -> r { x: -0.5 * r / x }),
        rule!(Cbrt(x) -> r { x: ratio_or_zero(1.0, 3.0 * (r * r)) }),
        rule!(Rcbrt(x) -> r { x: -r / (3.0 * x) }),
        rule!(Hypot(x, y) -> r { x: ratio_or_zero(x, r), y: ratio_or_zero(y, r) }),
        rule!(Rhypot(x, y) -> r { x: -x * (r * r * r), y: -y * (r * r * r) }),
        rule!(Norm3d(x, y, z) -> r { x: ratio_or_zero(x, r), y: ratio_or_zero(y, r), z: ratio_or_zero(z, r) }),
        rule!(Rnorm3d(x, y, z) -> r { x: -x * (r * r * r), y: -y * (r * r * r), z: -z * (r * r * r) }),
        rule!(Norm4d(x, y, z, w) -> r {
            x: ratio_or_zero(x, r),
            y: ratio_or_zero(y, r),
            z: ratio_or_zero(z, r),
            w: ratio_or_zero(w, r),
        }),
        rule!(Rnorm4d(x, y, z, w) -> r {
            x: -x * (r * r * r),
            y: -y * (r * r * r),
            z: -z * (r * r * r),
            w: -w * (r * r * r),
        }),
    ]
}

/// The derivative of `x` to the power `y` with respect to `x`. A constant power has slope 0 even at
/// base 0, and so have the roots there, like `sqrt`.
fn pow_slope(x: &Expr, y: &Expr) -> Expr {
    let root_at_zero = equal(x, 0.0).and(greater(y, 0.0)).and(less(y, 1.0));
    zero_if(equal(y, 0.0).or(root_at_zero), y * pow(x, y - 1.0))
}
