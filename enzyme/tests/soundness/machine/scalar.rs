//! What scalar functions compute, and their partial derivatives by the table of rules.

use enzyme::rules::{Expr, Function, Value};

use crate::doubles;
/// An operand or a result.
pub(crate) use crate::doubles::Double as Number;

/// The results of a function, when this interpreter knows it.
pub(crate) fn primal(function: Function, arguments: &[Number]) -> Option<Vec<Number>> {
    let x = |index: usize| match arguments.get(index) {
        Some(Value::Float(x)) => Some(*x),
        Some(Value::Int(_)) | None => None,
    };
    let n = |index: usize| match arguments.get(index) {
        Some(Value::Int(n)) => Some(*n),
        Some(Value::Float(_)) | None => None,
    };
    if let (Function::Sincos, Some(x)) = (function, x(0)) {
        return Some(vec![Value::Float(x.sin()), Value::Float(x.cos())]);
    }
    let result = match function {
        Function::Fneg => -x(0)?,
        Function::Fadd => x(0)? + x(1)?,
        Function::Fsub => x(0)? - x(1)?,
        Function::Fmul => x(0)? * x(1)?,
        Function::Fdiv => x(0)? / x(1)?,
        Function::Frem | Function::Fmod => x(0)? % x(1)?,
        Function::Fpext | Function::Fptrunc | Function::Freeze | Function::Canonicalize => x(0)?,
        Function::Fma => x(0)?.mul_add(x(1)?, x(2)?),
        Function::Fdim => (x(0)? - x(1)?).max(0.0),
        Function::Fabs => x(0)?.abs(),
        Function::Copysign => x(0)?.copysign(x(1)?),
        Function::Fmax | Function::Fmaximum => x(0)?.max(x(1)?),
        Function::Fmin | Function::Fminimum => x(0)?.min(x(1)?),
        Function::Floor => x(0)?.floor(),
        Function::Ceil => x(0)?.ceil(),
        Function::Trunc => x(0)?.trunc(),
        Function::Round => x(0)?.round(),
        Function::Roundeven | Function::Rint | Function::Nearbyint => x(0)?.round_ties_even(),
        Function::Sin => x(0)?.sin(),
        Function::Cos => x(0)?.cos(),
        Function::Tan => x(0)?.tan(),
        Function::Asin => x(0)?.asin(),
        Function::Acos => x(0)?.acos(),
        Function::Atan => x(0)?.atan(),
        Function::Atan2 => x(0)?.atan2(x(1)?),
        Function::Sinh => x(0)?.sinh(),
        Function::Cosh => x(0)?.cosh(),
        Function::Tanh => x(0)?.tanh(),
        Function::Exp => x(0)?.exp(),
        Function::Exp2 => x(0)?.exp2(),
        Function::Expm1 => x(0)?.exp_m1(),
        Function::Log => x(0)?.ln(),
        Function::Log2 => x(0)?.log2(),
        Function::Log10 => x(0)?.log10(),
        Function::Log1p => x(0)?.ln_1p(),
        Function::Pow => x(0)?.powf(x(1)?),
        Function::Powi => x(0)?.powi(i32::try_from(n(1)?).ok()?),
        Function::Sqrt => x(0)?.sqrt(),
        Function::Cbrt => x(0)?.cbrt(),
        Function::Hypot => x(0)?.hypot(x(1)?),
        Function::Ldexp => x(0)? * f64::from(i32::try_from(n(1)?).ok()?).exp2(),
        // The others are not made by the programs of this test.
        _ => return None,
    };
    Some(vec![Value::Float(result)])
}

/// The value of a partial derivative; `None` when it needs a function that this interpreter does not know.
pub(crate) fn evaluate(expr: &Expr, operands: &[Number], results: &[Number]) -> Option<f64> {
    doubles::evaluate(expr, operands, results, primal)
}
