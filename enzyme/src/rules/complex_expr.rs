//! Complex expressions: pairs of real ones, with complex algebra on top.
//!
//! A holomorphic rule is written once, as a complex derivative `f' = a + b·i`; the real partials follow
//! from the Cauchy–Riemann equations: `[[a, -b], [b, a]]`, rows real and imaginary part of the result,
//! columns those of the operand.

use std::ops;

use super::calls::call_pair;
use super::expr::{Argument, Condition, Expr, IntExpr, select};
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

    fn parts(self) -> (Expr, Expr) {
        (self.re, self.im)
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

/// Divides through [`Function::Cdiv`], which scales as C does, or by a real number part by part.
fn div(x: ComplexExpr, y: ComplexExpr) -> ComplexExpr {
    if y.im.is_zero() {
        return ComplexExpr::new(x.re / &y.re, x.im / y.re);
    }
    let (re, im) = call_pair(Function::Cdiv, vec![x.re.into(), x.im.into(), y.re.into(), y.im.into()]);
    ComplexExpr::new(re, im)
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

/// Declares functions of complex expressions with a complex result.
macro_rules! complex_calls {
    ($($name:ident($($argument:ident),*) = $function:ident;)*) => { $(
        #[doc = concat!("Calls [`Function::", stringify!($function), "`].")]
        pub fn $name($($argument: impl Into<ComplexExpr>),*) -> ComplexExpr {
            let mut arguments: Vec<Argument> = Vec::new();
            $(
                let (re, im) = $argument.into().parts();
                arguments.extend([re.into(), im.into()]);
            )*
            let (re, im) = call_pair(Function::$function, arguments);
            ComplexExpr::new(re, im)
        }
    )* };
}

complex_calls! {
    cexp(z) = Cexp;
    clog(z) = Clog;
    csqrt(z) = Csqrt;
    csin(z) = Csin;
    ccos(z) = Ccos;
    csinh(z) = Csinh;
    ccosh(z) = Ccosh;
}

/// Calls a complex function with an integer order before its operand.
pub fn ordered_call(function: Function, n: impl Into<IntExpr>, z: impl Into<ComplexExpr>) -> ComplexExpr {
    let (re, im) = z.into().parts();
    let (re, im) = call_pair(function, vec![n.into().into(), re.into(), im.into()]);
    ComplexExpr::new(re, im)
}

/// A complex number to an integer power.
pub fn cpowi(z: impl Into<ComplexExpr>, n: impl Into<IntExpr>) -> ComplexExpr {
    let (re, im) = z.into().parts();
    let (re, im) = call_pair(Function::Cpowi, vec![re.into(), im.into(), n.into().into()]);
    ComplexExpr::new(re, im)
}
