//! Instructions, casts and simple arithmetic.

use super::zero_if;
use crate::rules::calls::copysign;
use crate::rules::expr::{greater, int_not_equal, less, less_or_equal, select};
use crate::rules::table::RuleLine;

pub(super) fn rules() -> Vec<RuleLine> {
    vec![
        rule!(Fneg(x) -> r { x: -1.0 }),
        rule!(Fadd(x, y) -> r { x: 1.0, y: 1.0 }),
        rule!(Fsub(x, y) -> r { x: 1.0, y: -1.0 }),
        rule!(Fmul(x, y) -> r { x: y, y: x }),
        rule!(Fdiv(x, y) -> r { x: 1.0 / y, y: -r / y }),
        // The quotient is the integer that was subtracted, whatever way the division rounds.
        rule!(Frem(x, y) -> r { x: 1.0, y: (r - x) / y }),
        rule!(Fcmp(x, y) -> r: int {}),
        rule!(Freeze(x) -> r { x: 1.0 }),
        rule!(Select(c: int, x, y) -> r { x: select(int_not_equal(c, 0), 1.0, 0.0), y: select(int_not_equal(c, 0), 0.0, 1.0) }),
        rule!(Fpext(x) -> r { x: 1.0 }),
        rule!(Fptrunc(x) -> r { x: 1.0 }),
        rule!(Sitofp(n: int) -> r {}),
        rule!(Uitofp(n: int) -> r {}),
        rule!(Fptosi(x) -> n: int {}),
        rule!(Fptoui(x) -> n: int {}),
        rule!(Fma(x, y, z) -> r { x: y, y: x, z: 1.0 }),
        rule!(Fdim(x, y) -> r { x: select(less_or_equal(x, y), 0.0, 1.0), y: select(less_or_equal(x, y), 0.0, -1.0) }),
        rule!(Fabs(x) -> r { x: select(less(x, 0.0), -1.0, 1.0) }),
        rule!(Copysign(x, y) -> r { x: copysign(1.0, x) * copysign(1.0, y), y: 0.0 }),
        rule!(Canonicalize(x) -> r { x: 1.0 }),
        rule!(ArithmeticFence(x) -> r { x: 1.0 }),
        rule!(Reciprocal(x) -> r { x: -(r * r) }),
        rule!(Saturate(x) -> r { x: zero_if(less(x, 0.0).or(greater(x, 1.0)), 1.0) }),
    ]
}
