//! Expressions of the rule table in double arithmetic, for tests that include this file.

use enzyme::rules::{Algebra, Constant, Expr, Folder, Function, Predicate, Value, Values};

/// A value of an operand or a result, as a program has it.
pub(crate) type Double = Value<f64, i64>;

/// The expression as a double. Arithmetic is that of doubles; what functions give is for `call` to say. `None` when it
/// does not know one.
pub(crate) fn evaluate(
    expr: &Expr,
    operands: &[Double],
    results: &[Double],
    call: impl FnMut(Function, &[Double]) -> Option<Vec<Double>>,
) -> Option<f64> {
    Folder::new(&mut Doubles { operands, results, call }).float(expr).ok()
}

struct Doubles<'a, C> {
    operands: &'a [Double],
    results: &'a [Double],
    call: C,
}

/// A function was called of which nothing is known.
#[derive(Debug)]
struct UnknownFunction;

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

impl<C: FnMut(Function, &[Double]) -> Option<Vec<Double>>> Algebra for Doubles<'_, C> {
    type Float = f64;
    type Int = i64;
    type Bool = bool;
    type Error = UnknownFunction;

    fn operand(&mut self, index: usize) -> Result<f64, UnknownFunction> {
        Ok(float(&self.operands[index]))
    }

    fn result(&mut self, index: usize) -> Result<f64, UnknownFunction> {
        Ok(float(&self.results[index]))
    }

    fn int_operand(&mut self, index: usize) -> Result<i64, UnknownFunction> {
        Ok(int(&self.operands[index]))
    }

    fn int_result(&mut self, index: usize) -> Result<i64, UnknownFunction> {
        Ok(int(&self.results[index]))
    }

    fn constant(&mut self, value: Constant) -> Result<f64, UnknownFunction> {
        Ok(value.to_f64())
    }

    fn int_constant(&mut self, value: i64) -> Result<i64, UnknownFunction> {
        Ok(value)
    }

    fn neg(&mut self, x: f64) -> Result<f64, UnknownFunction> {
        Ok(-x)
    }

    fn add(&mut self, x: f64, y: f64) -> Result<f64, UnknownFunction> {
        Ok(x + y)
    }

    fn sub(&mut self, x: f64, y: f64) -> Result<f64, UnknownFunction> {
        Ok(x - y)
    }

    fn mul(&mut self, x: f64, y: f64) -> Result<f64, UnknownFunction> {
        Ok(x * y)
    }

    fn div(&mut self, x: f64, y: f64) -> Result<f64, UnknownFunction> {
        Ok(x / y)
    }

    fn int_neg(&mut self, n: i64) -> Result<i64, UnknownFunction> {
        Ok(n.wrapping_neg())
    }

    fn int_add(&mut self, m: i64, n: i64) -> Result<i64, UnknownFunction> {
        Ok(m.wrapping_add(n))
    }

    fn int_to_float(&mut self, n: i64) -> Result<f64, UnknownFunction> {
        Ok(n as f64)
    }

    fn compare(&mut self, predicate: Predicate, x: f64, y: f64) -> Result<bool, UnknownFunction> {
        Ok(compare(predicate, x, y))
    }

    fn compare_int(&mut self, predicate: Predicate, m: i64, n: i64) -> Result<bool, UnknownFunction> {
        Ok(compare(predicate, m, n))
    }

    fn is_nan(&mut self, x: f64) -> Result<bool, UnknownFunction> {
        Ok(x.is_nan())
    }

    fn sign_bit(&mut self, x: f64) -> Result<bool, UnknownFunction> {
        Ok(x.is_sign_negative())
    }

    fn and(&mut self, a: bool, b: bool) -> Result<bool, UnknownFunction> {
        Ok(a && b)
    }

    fn or(&mut self, a: bool, b: bool) -> Result<bool, UnknownFunction> {
        Ok(a || b)
    }

    fn not(&mut self, a: bool) -> Result<bool, UnknownFunction> {
        Ok(!a)
    }

    fn select(&mut self, condition: bool, then: f64, otherwise: f64) -> Result<f64, UnknownFunction> {
        Ok(if condition { then } else { otherwise })
    }

    fn call(&mut self, function: Function, arguments: Values<Self>) -> Result<Values<Self>, UnknownFunction> {
        (self.call)(function, &arguments).ok_or(UnknownFunction)
    }
}
