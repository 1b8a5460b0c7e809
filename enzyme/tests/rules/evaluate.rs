//! Partials as doubles: what a program that follows the rule would compute.

use std::convert::Infallible;

use enzyme::rules::{Algebra, Constant, Expr, Folder, Function, Predicate, Value, Values};

use crate::real::Real;
use crate::reference::{Number, primal};

/// A value of an operand or a result, as a program has it.
pub(crate) type Double = Value<f64, i64>;

/// The expression as a double. Arithmetic is that of doubles; a call gives the correctly rounded value.
pub(crate) fn evaluate(expr: &Expr, operands: &[Double], results: &[Double]) -> f64 {
    let mut doubles = Doubles { operands, results };
    let Ok(value) = Folder::new(&mut doubles).float(expr);
    value
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

struct Doubles<'a> {
    operands: &'a [Double],
    results: &'a [Double],
}

fn float(value: &Double) -> f64 {
    match value {
        Value::Float(x) => *x,
        Value::Int(_) => panic!("an integer where the rule reads a number"),
    }
}

fn int(value: &Double) -> i64 {
    match value {
        Value::Int(n) => *n,
        Value::Float(_) => panic!("a number where the rule reads an integer"),
    }
}

fn compare<T: PartialOrd>(predicate: Predicate, x: T, y: T) -> bool {
    match predicate {
        Predicate::Equal => x == y,
        Predicate::NotEqual => x != y,
        Predicate::Less => x < y,
        Predicate::LessOrEqual => x <= y,
        Predicate::Greater => x > y,
        Predicate::GreaterOrEqual => x >= y,
    }
}

impl Algebra for Doubles<'_> {
    type Float = f64;
    type Int = i64;
    type Bool = bool;
    type Error = Infallible;

    fn operand(&mut self, index: usize) -> Result<f64, Infallible> {
        Ok(float(&self.operands[index]))
    }

    fn result(&mut self, index: usize) -> Result<f64, Infallible> {
        Ok(float(&self.results[index]))
    }

    fn int_operand(&mut self, index: usize) -> Result<i64, Infallible> {
        Ok(int(&self.operands[index]))
    }

    fn int_result(&mut self, index: usize) -> Result<i64, Infallible> {
        Ok(int(&self.results[index]))
    }

    fn constant(&mut self, value: Constant) -> Result<f64, Infallible> {
        Ok(value.to_f64())
    }

    fn int_constant(&mut self, value: i64) -> Result<i64, Infallible> {
        Ok(value)
    }

    fn neg(&mut self, x: f64) -> Result<f64, Infallible> {
        Ok(-x)
    }

    fn add(&mut self, x: f64, y: f64) -> Result<f64, Infallible> {
        Ok(x + y)
    }

    fn sub(&mut self, x: f64, y: f64) -> Result<f64, Infallible> {
        Ok(x - y)
    }

    fn mul(&mut self, x: f64, y: f64) -> Result<f64, Infallible> {
        Ok(x * y)
    }

    fn div(&mut self, x: f64, y: f64) -> Result<f64, Infallible> {
        Ok(x / y)
    }

    fn int_neg(&mut self, n: i64) -> Result<i64, Infallible> {
        Ok(n.wrapping_neg())
    }

    fn int_add(&mut self, m: i64, n: i64) -> Result<i64, Infallible> {
        Ok(m.wrapping_add(n))
    }

    fn int_to_float(&mut self, n: i64) -> Result<f64, Infallible> {
        Ok(n as f64)
    }

    fn compare(&mut self, predicate: Predicate, x: f64, y: f64) -> Result<bool, Infallible> {
        Ok(compare(predicate, x, y))
    }

    fn compare_int(&mut self, predicate: Predicate, m: i64, n: i64) -> Result<bool, Infallible> {
        Ok(compare(predicate, m, n))
    }

    fn is_nan(&mut self, x: f64) -> Result<bool, Infallible> {
        Ok(x.is_nan())
    }

    fn sign_bit(&mut self, x: f64) -> Result<bool, Infallible> {
        Ok(x.is_sign_negative())
    }

    fn and(&mut self, a: bool, b: bool) -> Result<bool, Infallible> {
        Ok(a && b)
    }

    fn or(&mut self, a: bool, b: bool) -> Result<bool, Infallible> {
        Ok(a || b)
    }

    fn not(&mut self, a: bool) -> Result<bool, Infallible> {
        Ok(!a)
    }

    fn select(&mut self, condition: bool, then: f64, otherwise: f64) -> Result<f64, Infallible> {
        Ok(if condition { then } else { otherwise })
    }

    fn call(&mut self, function: Function, arguments: Values<Self>) -> Result<Values<Self>, Infallible> {
        Ok(call(function, &arguments))
    }
}
