//! Partials as doubles: what a program that follows the rule would compute.

use enzyme::rules::{Expr, Function, Value};

use crate::doubles;
pub(crate) use crate::doubles::Double;
use crate::real::Real;
use crate::reference::{Number, primal};

/// The expression as a double. Arithmetic is that of doubles; a call gives the correctly rounded value.
pub(crate) fn evaluate(expr: &Expr, operands: &[Double], results: &[Double]) -> f64 {
    let known = |function, arguments: &[Double]| Some(call(function, arguments));
    doubles::evaluate(expr, operands, results, known).expect("the reference knows every function")
}

/// The results of a function of doubles, each rounded once.
pub(crate) fn call(function: Function, arguments: &[Double]) -> Vec<Double> {
    if let Some(results) = call_at_edge(function, arguments) {
        return results;
    }
    let exact: Vec<Number> = arguments.iter().map(to_exact).collect();
    primal(function, &exact).iter().map(to_double).collect()
}

/// The functions that rules call where the reference, which knows neither signed zeros nor infinities,
/// says nothing.
fn call_at_edge(function: Function, arguments: &[Double]) -> Option<Vec<Double>> {
    let float = |index: usize| match arguments[index] {
        Value::Float(x) => Some(x),
        Value::Int(_) => None,
    };
    let value = match function {
        Function::Copysign => float(0)?.copysign(float(1)?),
        Function::Pow if special(float(0)?) || special(float(1)?) => float(0)?.powf(float(1)?),
        Function::Log if special(float(0)?) || float(0)? < 0.0 => float(0)?.ln(),
        Function::Sqrt if special(float(0)?) || float(0)? < 0.0 => float(0)?.sqrt(),
        Function::Exp if special(float(0)?) => float(0)?.exp(),
        _ if arguments.iter().any(|argument| matches!(argument, Value::Float(x) if !x.is_finite())) => {
            f64::NAN
        }
        _ => return None,
    };
    Some(vec![Value::Float(value)])
}

fn special(x: f64) -> bool {
    x == 0.0 || !x.is_finite()
}

pub(crate) fn to_exact(value: &Double) -> Number {
    match value {
        Value::Float(x) => Value::Float(Real::from(*x)),
        Value::Int(n) => Value::Int(*n),
    }
}

fn to_double(value: &Number) -> Double {
    match value {
        Value::Float(x) => Value::Float(x.to_f64()),
        Value::Int(n) => Value::Int(*n),
    }
}
