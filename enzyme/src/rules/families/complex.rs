//! Complex numbers: real parts, and the holomorphic functions, whose real partials are derived.

use super::ratio_or_zero;
use crate::rules::complex_expr::{
    ComplexExpr, ccos, ccosh, cexp, clog, complex_select, csin, csinh, csqrt, ordered_call,
};
use crate::rules::constant::Irrational::{Ln10, TwoOverSqrtPi};
use crate::rules::expr::{Condition, IntExpr, equal, int_equal};
use crate::rules::function::Function::{Cjn, Cyn};
use crate::rules::table::RuleLine;

pub(super) fn rules() -> Vec<RuleLine> {
    let i = &ComplexExpr::i();
    vec![
        rule!(Cabs(x, y) -> r { x: ratio_or_zero(x, r), y: ratio_or_zero(y, r) }),
        rule!(Carg(x, y) -> r { x: ratio_or_zero(-y, x * x + y * y), y: ratio_or_zero(x, x * x + y * y) }),
        rule!(Creal(x, y) -> r { x: 1.0, y: 0.0 }),
        rule!(Cimag(x, y) -> r { x: 0.0, y: 1.0 }),
        rule!(Conj(x, y) -> u, v { u / x: 1.0, u / y: 0.0, v / x: 0.0, v / y: -1.0 }),
        rule!(Cproj(x, y) -> u, v { u / x: 1.0, u / y: 0.0, v / x: 0.0, v / y: 1.0 }),
        complex_rule!(Cmul(z, w) -> r { z: w, w: z }),
        complex_rule!(Cdiv(z, w) -> r { z: 1.0 / w, w: -r / w }),
        complex_rule!(Cinv(z) -> r { z: -(r * r) }),
        complex_rule!(Cexp(z) -> r { z: r }),
        complex_rule!(Clog(z) -> r { z: 1.0 / z }),
        complex_rule!(Clog10(z) -> r { z: 1.0 / (Ln10 * z) }),
        complex_rule!(Cpow(z, w) -> r { z: complex_pow_slope(z, w, r), w: zero_if(is_zero(z), r * clog(z)) }),
        complex_rule!(Cpowi(z, n: int) -> r { z: integer_pow_slope(z, n, r) }),
        complex_rule!(Csqrt(z) -> r { z: inverse_or_zero(2.0 * r) }),
        complex_rule!(Csin(z) -> r { z: ccos(z) }),
        complex_rule!(Ccos(z) -> r { z: -csin(z) }),
        complex_rule!(Ctan(z) -> r { z: 1.0 + r * r }),
        complex_rule!(Casin(z) -> r { z: inverse_or_zero(csqrt((1.0 - z) * (1.0 + z))) }),
        complex_rule!(Cacos(z) -> r { z: -inverse_or_zero(csqrt((1.0 - z) * (1.0 + z))) }),
        complex_rule!(Catan(z) -> r { z: 1.0 / ((z - i) * (z + i)) }),
        complex_rule!(Csinh(z) -> r { z: ccosh(z) }),
        complex_rule!(Ccosh(z) -> r { z: csinh(z) }),
        complex_rule!(Ctanh(z) -> r { z: 1.0 - r * r }),
        complex_rule!(Casinh(z) -> r { z: inverse_or_zero(csqrt((z - i) * (z + i))) }),
        complex_rule!(Cacosh(z) -> r { z: inverse_or_zero(csqrt(z - 1.0) * csqrt(z + 1.0)) }),
        complex_rule!(Catanh(z) -> r { z: 1.0 / ((1.0 - z) * (1.0 + z)) }),
        complex_rule!(Cerf(z) -> r { z: TwoOverSqrtPi * cexp(-(z * z)) }),
        complex_rule!(Cerfc(z) -> r { z: -(TwoOverSqrtPi * cexp(-(z * z))) }),
        complex_rule!(Cerfcx(z) -> r { z: 2.0 * z * r - TwoOverSqrtPi }),
        complex_rule!(Cerfi(z) -> r { z: TwoOverSqrtPi * cexp(z * z) }),
        complex_rule!(Cfaddeeva(z) -> r { z: TwoOverSqrtPi * i - 2.0 * z * r }),
        complex_rule!(Cdawson(z) -> r { z: 1.0 - 2.0 * z * r }),
        complex_rule!(Cjn(n: int, z) -> r { z: 0.5 * (ordered_call(Cjn, n - 1, z) - ordered_call(Cjn, n + 1, z)) }),
        complex_rule!(Cyn(n: int, z) -> r { z: 0.5 * (ordered_call(Cyn, n - 1, z) - ordered_call(Cyn, n + 1, z)) }),
    ]
}

/// The derivative of `z` to the power `w`, whose value is `r`, with respect to `z`.
fn complex_pow_slope(z: &ComplexExpr, w: &ComplexExpr, r: &ComplexExpr) -> ComplexExpr {
    let is_identity = is_zero(&(w - 1.0));
    complex_select(is_identity, 1.0, zero_if(is_zero(z), w * r / z))
}

/// The derivative of `z` to the integer power `n`, whose value is `r`.
fn integer_pow_slope(z: &ComplexExpr, n: &IntExpr, r: &ComplexExpr) -> ComplexExpr {
    complex_select(int_equal(n, 1), 1.0, zero_if(is_zero(z), n.to_float() * r / z))
}

fn is_zero(z: &ComplexExpr) -> Condition {
    equal(&z.re, 0.0).and(equal(&z.im, 0.0))
}

fn zero_if(condition: Condition, z: ComplexExpr) -> ComplexExpr {
    complex_select(condition, 0.0, z)
}

fn inverse_or_zero(z: ComplexExpr) -> ComplexExpr {
    zero_if(is_zero(&z), 1.0 / z)
}
