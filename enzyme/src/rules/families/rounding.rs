//! Rounding, remainders, and the parts of a number.
//!
//! These are piecewise linear. At a jump the partial is that of the piece the result belongs to, so no
//! jump ever shows.

use super::ratio_or_zero;
use crate::rules::calls::{exp2, ldexp};
use crate::rules::expr::{equal, select};
use crate::rules::table::RuleLine;

pub(super) fn rules() -> Vec<RuleLine> {
    vec![
        rule!(Floor(x) -> r { x: 0.0 }),
        rule!(Ceil(x) -> r { x: 0.0 }),
        rule!(Trunc(x) -> r { x: 0.0 }),
        rule!(Round(x) -> r { x: 0.0 }),
        rule!(Roundeven(x) -> r { x: 0.0 }),
        rule!(Rint(x) -> r { x: 0.0 }),
        rule!(Nearbyint(x) -> r { x: 0.0 }),
        rule!(Lround(x) -> n: int {}),
        rule!(Llround(x) -> n: int {}),
        rule!(Lrint(x) -> n: int {}),
        rule!(Llrint(x) -> n: int {}),
        rule!(Lfloor(x) -> n: int {}),
        rule!(Lceil(x) -> n: int {}),
        rule!(Fromfp(x, direction: int, width: int) -> n: int {}),
        // For all remainders `r = x - q·y` with an integer q, so d/dy = -q = (r - x) / y.
        rule!(Fmod(x, y) -> r { x: 1.0, y: (r - x) / y }),
        rule!(Modulo(x, y) -> r { x: 1.0, y: (r - x) / y }),
        rule!(Remainder(x, y) -> r { x: 1.0, y: (r - x) / y }),
        rule!(Remquo(x, y) -> r, q: int { r / x: 1.0, r / y: (r - x) / y }),
        rule!(Rem2pi(x, mode: opaque) -> r { x: 1.0 }),
        rule!(Modf(x) -> fractional, integral { fractional / x: 1.0, integral / x: 0.0 }),
        rule!(Frexp(x) -> m, e: int { m / x: ldexp(1.0, -e) }),
        rule!(Ldexp(x, n: int) -> r { x: ldexp(1.0, n) }),
        rule!(Scalb(x, y) -> r { x: exp2(y), y: 0.0 }),
        rule!(SetExponent(x, n: int) -> r { x: ratio_or_zero(r, x) }),
        rule!(Fraction(x) -> r { x: select(equal(x, 0.0), 1.0, r / x) }),
        rule!(Significand(x) -> r { x: select(equal(x, 0.0), 1.0, r / x) }),
        rule!(Logb(x) -> r { x: 0.0 }),
        rule!(Ilogb(x) -> n: int {}),
        rule!(Nextafter(x, y) -> r { x: 1.0, y: 0.0 }),
        rule!(Nexttoward(x, y) -> r { x: 1.0, y: 0.0 }),
        rule!(Nextup(x) -> r { x: 1.0 }),
        rule!(Nextdown(x) -> r { x: 1.0 }),
        rule!(Nearest(x, positive: int) -> r { x: 1.0 }),
        rule!(Spacing(x) -> r { x: 0.0 }),
        rule!(ReciprocalSpacing(x) -> r { x: ratio_or_zero(r, x) }),
        rule!(Classify(x) -> n: int {}),
        rule!(IsFpclass(x, classes: int) -> n: int {}),
        rule!(Nan(text: opaque) -> r {}),
        rule!(Getpayload(x: opaque) -> r {}),
        rule!(Totalorder(x: opaque, y: opaque) -> n: int {}),
    ]
}
