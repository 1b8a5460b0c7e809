//! Free functions that build calls of canonical functions, so that rules read as algebra.

use std::sync::Arc;

use super::expr::{Argument, Call, Expr, IntExpr, IntNode, Node};
use super::function::{Function, Kind};

/// Calls a function and gives its floating-point result with this index.
pub fn call_result(function: Function, arguments: Vec<Argument>, index: usize) -> Expr {
    debug_assert_eq!(function.results()[index], Kind::Float, "{function} result {index}");
    Node::Call(shared_call(function, arguments), index).into()
}

/// Calls a function and gives its integer result with this index.
pub fn call_int_result(function: Function, arguments: Vec<Argument>, index: usize) -> IntExpr {
    debug_assert_eq!(function.results()[index], Kind::Int, "{function} result {index}");
    IntExpr(Arc::new(IntNode::Call(shared_call(function, arguments), index)))
}

/// Calls a function with two floating-point results, a complex number for example.
pub(super) fn call_pair(function: Function, arguments: Vec<Argument>) -> (Expr, Expr) {
    debug_assert_eq!(function.results(), [Kind::Float, Kind::Float], "{function}");
    let call = shared_call(function, arguments);
    (Node::Call(call.clone(), 0).into(), Node::Call(call, 1).into())
}

fn shared_call(function: Function, arguments: Vec<Argument>) -> Arc<Call> {
    debug_assert_eq!(function.operands().len(), arguments.len(), "{function}");
    Arc::new(Call { function, arguments })
}

/// Declares functions of floating-point expressions with one floating-point result.
macro_rules! calls {
    ($($name:ident($($argument:ident),*) = $function:ident;)*) => { $(
        #[doc = concat!("Calls [`Function::", stringify!($function), "`].")]
        pub fn $name($($argument: impl Into<Expr>),*) -> Expr {
            call_result(Function::$function, vec![$(Argument::Float($argument.into())),*], 0)
        }
    )* };
}

calls! {
    fabs(x) = Fabs;
    copysign(x, y) = Copysign;
    rint(x) = Rint;
    sin(x) = Sin;
    cos(x) = Cos;
    tan(x) = Tan;
    atan2(y, x) = Atan2;
    hypot(x, y) = Hypot;
    sinpi(x) = Sinpi;
    cospi(x) = Cospi;
    sinh(x) = Sinh;
    cosh(x) = Cosh;
    exp(x) = Exp;
    exp2(x) = Exp2;
    exp10(x) = Exp10;
    log(x) = Log;
    pow(x, y) = Pow;
    sqrt(x) = Sqrt;
    digamma(x) = Digamma;
    trigamma(x) = Trigamma;
    j0(x) = J0;
    j1(x) = J1;
    y0(x) = Y0;
    y1(x) = Y1;
    bessel_i0(x) = BesselI0;
    bessel_i1(x) = BesselI1;
}

/// `x` to an integer power.
pub fn powi(x: impl Into<Expr>, n: impl Into<IntExpr>) -> Expr {
    call_result(Function::Powi, vec![x.into().into(), n.into().into()], 0)
}

/// `1 + x` to an integer power.
pub fn compoundn(x: impl Into<Expr>, n: impl Into<IntExpr>) -> Expr {
    call_result(Function::Compoundn, vec![x.into().into(), n.into().into()], 0)
}

/// `x` times 2 to an integer power.
pub fn ldexp(x: impl Into<Expr>, n: impl Into<IntExpr>) -> Expr {
    call_result(Function::Ldexp, vec![x.into().into(), n.into().into()], 0)
}

/// The Bessel function of the first kind and integer order.
pub fn jn(n: impl Into<IntExpr>, x: impl Into<Expr>) -> Expr {
    call_result(Function::Jn, vec![n.into().into(), x.into().into()], 0)
}

/// The Bessel function of the second kind and integer order.
pub fn yn(n: impl Into<IntExpr>, x: impl Into<Expr>) -> Expr {
    call_result(Function::Yn, vec![n.into().into(), x.into().into()], 0)
}
