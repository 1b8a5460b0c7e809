//! The larger and the smaller of two numbers: the derivative is that of the operand returned, the first
//! one on ties.

use crate::rules::calls::fabs;
use crate::rules::expr::{
    Condition, Expr, equal, greater, greater_or_equal, is_nan, less, less_or_equal, select,
};
use crate::rules::table::RuleLine;

pub(super) fn rules() -> Vec<RuleLine> {
    vec![
        rule!(Fmax(x, y) -> r { x: one_if(numeric(max(x, y), y)), y: zero_if(numeric(max(x, y), y)) }),
        rule!(Fmin(x, y) -> r { x: one_if(numeric(min(x, y), y)), y: zero_if(numeric(min(x, y), y)) }),
        rule!(Fmaximum(x, y) -> r { x: one_if(any(max(x, y), x)), y: zero_if(any(max(x, y), x)) }),
        rule!(Fminimum(x, y) -> r { x: one_if(any(min(x, y), x)), y: zero_if(any(min(x, y), x)) }),
        rule!(FmaximumNum(x, y) -> r { x: one_if(numeric(max(x, y), y)), y: zero_if(numeric(max(x, y), y)) }),
        rule!(FminimumNum(x, y) -> r { x: one_if(numeric(min(x, y), y)), y: zero_if(numeric(min(x, y), y)) }),
        rule!(Fmaxmag(x, y) -> r { x: one_if(numeric(max_mag(x, y), y)), y: zero_if(numeric(max_mag(x, y), y)) }),
        rule!(Fminmag(x, y) -> r { x: one_if(numeric(min_mag(x, y), y)), y: zero_if(numeric(min_mag(x, y), y)) }),
        rule!(FmaximumMag(x, y) -> r { x: one_if(any(max_mag(x, y), x)), y: zero_if(any(max_mag(x, y), x)) }),
        rule!(FminimumMag(x, y) -> r { x: one_if(any(min_mag(x, y), x)), y: zero_if(any(min_mag(x, y), x)) }),
        rule!(FmaximumMagNum(x, y) -> r { x: one_if(numeric(max_mag(x, y), y)), y: zero_if(numeric(max_mag(x, y), y)) }),
        rule!(FminimumMagNum(x, y) -> r { x: one_if(numeric(min_mag(x, y), y)), y: zero_if(numeric(min_mag(x, y), y)) }),
        // The instructions are defined as `x > y ? x : y`, so ties and NaNs give the second operand.
        rule!(X86Max(x, y) -> r { x: one_if(greater(x, y)), y: zero_if(greater(x, y)) }),
        rule!(X86Min(x, y) -> r { x: one_if(less(x, y)), y: zero_if(less(x, y)) }),
    ]
}

fn one_if(condition: Condition) -> Expr {
    select(condition, 1.0, 0.0)
}

fn zero_if(condition: Condition) -> Expr {
    select(condition, 0.0, 1.0)
}

/// The first operand is returned where it wins, or the second is no number.
fn numeric(first_wins: Condition, y: &Expr) -> Condition {
    first_wins.or(is_nan(y))
}

/// The first operand is returned where it wins, or is no number itself.
fn any(first_wins: Condition, x: &Expr) -> Condition {
    first_wins.or(is_nan(x))
}

fn max(x: &Expr, y: &Expr) -> Condition {
    greater_or_equal(x, y)
}

fn min(x: &Expr, y: &Expr) -> Condition {
    less_or_equal(x, y)
}

/// The larger magnitude wins; the larger number where the magnitudes are equal.
fn max_mag(x: &Expr, y: &Expr) -> Condition {
    greater(fabs(x), fabs(y)).or(equal(fabs(x), fabs(y)).and(max(x, y)))
}

/// The smaller magnitude wins; the smaller number where the magnitudes are equal.
fn min_mag(x: &Expr, y: &Expr) -> Condition {
    less(fabs(x), fabs(y)).or(equal(fabs(x), fabs(y)).and(min(x, y)))
}
