//! Hyperbolic functions.

use super::{inverse_sqrt_or_zero, ratio_or_zero};
use crate::rules::calls::{cosh, sinh, sqrt};
use crate::rules::table::RuleLine;

pub(super) fn rules() -> Vec<RuleLine> {
    vec![
        rule!(Sinh(x) -> r { x: cosh(x) }),
        rule!(Cosh(x) -> r { x: sinh(x) }),
        rule!(Tanh(x) -> r { x: 1.0 - r * r }),
        rule!(Asinh(x) -> r { x: inverse_sqrt_or_zero(1.0 + x * x) }),
        rule!(Acosh(x) -> r { x: ratio_or_zero(1.0, sqrt(x - 1.0) * sqrt(x + 1.0)) }),
        rule!(Atanh(x) -> r { x: 1.0 / ((1.0 - x) * (1.0 + x)) }),
    ]
}
