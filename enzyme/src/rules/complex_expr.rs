//! Complex expressions: pairs of real ones, with complex algebra on top.
//!
//! A holomorphic rule is written once, as a complex derivative `f' = a + b·i`; the real partials follow
//! from the Cauchy–Riemann equations: `[[a, -b], [b, a]]`, rows real and imaginary part of the result,
//! columns those of the operand.
//!
//! The functions of complex numbers that derivatives need are written in real ones, so that a derivative
//! calls no complex function, whose calling convention depends on the target; the Bessel functions, which
//! call themselves, are the exception.

use std::ops;

use super::calls::{atan2, call_pair, copysign, cos, cosh, exp, fabs, hypot, log, sin, sinh, sqrt};
use super::constant::Irrational;
use super::expr::{Condition, Expr, IntExpr, equal, less, select};
use super::function::Function;

/// A complex number as two real expressions.
#[derive(Clone, Debug, PartialEq)]
pub struct ComplexExpr {
    /// The real part.
    pub re: Expr,
    /// The imaginary part.
    pub im: Expr,
}

impl ComplexExpr {
    /// A complex number from its parts.
    pub fn new(re: impl Into<Expr>, im: impl Into<Expr>) -> Self {
        ComplexExpr { re: re.into(), im: im.into() }
    }

    /// The imaginary unit.
    pub fn i() -> Self {
        ComplexExpr::new(0.0, 1.0)
    }

    /// The operand whose real part has this index.
    pub fn operand(index: usize) -> Self {
        ComplexExpr::new(Expr::operand(index), Expr::operand(index + 1))
    }

    /// The result whose real part has this index.
    pub fn result(index: usize) -> Self {
        ComplexExpr::new(Expr::result(index), Expr::result(index + 1))
    }

    /// The real 2×2 block of a holomorphic function with this derivative, by Cauchy–Riemann: row by
    /// row, `[[re, -im], [im, re]]`.
    pub fn cauchy_riemann(&self) -> [[Expr; 2]; 2] {
        [[self.re.clone(), -&self.im], [self.im.clone(), self.re.clone()]]
    }
}

impl From<&ComplexExpr> for ComplexExpr {
    fn from(z: &ComplexExpr) -> Self {
        z.clone()
    }
}

impl From<Expr> for ComplexExpr {
    fn from(re: Expr) -> Self {
        ComplexExpr::new(re, 0.0)
    }
}

impl From<Irrational> for ComplexExpr {
    fn from(re: Irrational) -> Self {
        ComplexExpr::new(re, 0.0)
    }
}

impl From<f64> for ComplexExpr {
    fn from(re: f64) -> Self {
        ComplexExpr::new(re, 0.0)
    }
}

/// The first number where the condition holds, the second elsewhere.
pub fn complex_select(
    condition: Condition,
    then: impl Into<ComplexExpr>,
    otherwise: impl Into<ComplexExpr>,
) -> ComplexExpr {
    let (then, otherwise) = (then.into(), otherwise.into());
    ComplexExpr::new(
        select(condition.clone(), then.re, otherwise.re),
        select(condition, then.im, otherwise.im),
    )
}

fn add(x: ComplexExpr, y: ComplexExpr) -> ComplexExpr {
    ComplexExpr::new(x.re + y.re, x.im + y.im)
}

fn sub(x: ComplexExpr, y: ComplexExpr) -> ComplexExpr {
    ComplexExpr::new(x.re - y.re, x.im - y.im)
}

fn mul(x: ComplexExpr, y: ComplexExpr) -> ComplexExpr {
    ComplexExpr::new(&x.re * &y.re - &x.im * &y.im, x.re * y.im + x.im * y.re)
}

/// Smith's division, which neither overflows nor underflows before the quotient does.
fn div(x: ComplexExpr, y: ComplexExpr) -> ComplexExpr {
    if y.im.is_zero() {
        return ComplexExpr::new(x.re / &y.re, x.im / y.re);
    }
    let is_steep = less(fabs(&y.re), fabs(&y.im));
    let larger_first =
        |z: &ComplexExpr| (select(is_steep.clone(), &z.im, &z.re), select(is_steep.clone(), &z.re, &z.im));
    let (larger, smaller) = &larger_first(&y);
    let (first, second) = &larger_first(&x);
    let ratio = &(smaller / larger);
    let divisor = &(larger + smaller * ratio);
    let im = &((second - first * ratio) / divisor);
    ComplexExpr::new((first + second * ratio) / divisor, select(is_steep, -im, im))
}

/// Implements a binary operator for every mix of complex and real numbers.
macro_rules! binary_operator {
    ($trait:ident, $method:ident) => {
        binary_operator!(@ $trait, $method, ComplexExpr, ComplexExpr);
        binary_operator!(@ $trait, $method, ComplexExpr, &ComplexExpr);
        binary_operator!(@ $trait, $method, &ComplexExpr, ComplexExpr);
        binary_operator!(@ $trait, $method, &ComplexExpr, &ComplexExpr);
        binary_operator!(@ $trait, $method, f64, ComplexExpr);
        binary_operator!(@ $trait, $method, f64, &ComplexExpr);
        binary_operator!(@ $trait, $method, ComplexExpr, f64);
        binary_operator!(@ $trait, $method, &ComplexExpr, f64);
        binary_operator!(@ $trait, $method, Expr, ComplexExpr);
        binary_operator!(@ $trait, $method, Expr, &ComplexExpr);
        binary_operator!(@ $trait, $method, ComplexExpr, Expr);
        binary_operator!(@ $trait, $method, &ComplexExpr, Expr);
        binary_operator!(@ $trait, $method, Irrational, ComplexExpr);
        binary_operator!(@ $trait, $method, Irrational, &ComplexExpr);
        binary_operator!(@ $trait, $method, ComplexExpr, Irrational);
        binary_operator!(@ $trait, $method, &ComplexExpr, Irrational);
    };
    (@ $trait:ident, $method:ident, $left:ty, $right:ty) => {
        impl ops::$trait<$right> for $left {
            type Output = ComplexExpr;

            fn $method(self, right: $right) -> ComplexExpr {
                $method(self.into(), right.into())
            }
        }
    };
}

binary_operator!(Add, add);
binary_operator!(Sub, sub);
binary_operator!(Mul, mul);
binary_operator!(Div, div);

impl ops::Neg for ComplexExpr {
    type Output = ComplexExpr;

    fn neg(self) -> ComplexExpr {
        ComplexExpr::new(-self.re, -self.im)
    }
}

impl ops::Neg for &ComplexExpr {
    type Output = ComplexExpr;

    fn neg(self) -> ComplexExpr {
        -self.clone()
    }
}

/// The exponential.
pub fn cexp(z: impl Into<ComplexExpr>) -> ComplexExpr {
    let z = z.into();
    let radius = &exp(z.re);
    ComplexExpr::new(radius * cos(&z.im), radius * sin(z.im))
}

/// The principal logarithm.
pub fn clog(z: impl Into<ComplexExpr>) -> ComplexExpr {
    let z = z.into();
    ComplexExpr::new(log(hypot(&z.re, &z.im)), atan2(z.im, z.re))
}

/// The principal square root; its imaginary part has the sign of the operand's, signed zeros included.
pub fn csqrt(z: impl Into<ComplexExpr>) -> ComplexExpr {
    let z = z.into();
    let larger = &sqrt(0.5 * (hypot(&z.re, &z.im) + fabs(&z.re)));
    let smaller = &select(equal(larger, 0.0), 0.0, fabs(&z.im) / (2.0 * larger));
    let is_left = less(&z.re, 0.0);
    let im = select(is_left.clone(), larger, smaller);
    ComplexExpr::new(select(is_left, smaller, larger), copysign(im, z.im))
}

/// The sine.
pub fn csin(z: impl Into<ComplexExpr>) -> ComplexExpr {
    let z = z.into();
    ComplexExpr::new(sin(&z.re) * cosh(&z.im), cos(z.re) * sinh(z.im))
}

/// The cosine.
pub fn ccos(z: impl Into<ComplexExpr>) -> ComplexExpr {
    let z = z.into();
    ComplexExpr::new(cos(&z.re) * cosh(&z.im), -(sin(z.re) * sinh(z.im)))
}

/// The hyperbolic sine.
pub fn csinh(z: impl Into<ComplexExpr>) -> ComplexExpr {
    let z = z.into();
    ComplexExpr::new(sinh(&z.re) * cos(&z.im), cosh(z.re) * sin(z.im))
}

/// The hyperbolic cosine.
pub fn ccosh(z: impl Into<ComplexExpr>) -> ComplexExpr {
    let z = z.into();
    ComplexExpr::new(cosh(&z.re) * cos(&z.im), sinh(z.re) * sin(z.im))
}

/// Calls a complex function with an integer order before its operand.
pub fn ordered_call(function: Function, n: impl Into<IntExpr>, z: impl Into<ComplexExpr>) -> ComplexExpr {
    let z = z.into();
    let (re, im) = call_pair(function, vec![n.into().into(), z.re.into(), z.im.into()]);
    ComplexExpr::new(re, im)
}
