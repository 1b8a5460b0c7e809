//! What scalar functions compute, and their partial derivatives by the table of rules.

use std::convert::Infallible;

use enzyme::rules::{Algebra, Constant, Expr, Folder, Function, Predicate, Value, Values};

/// An operand or a result.
pub(crate) type Number = Value<f64, i64>;

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
    let mut doubles = Doubles { operands, results, known: true };
    let Ok(value) = Folder::new(&mut doubles).float(expr);
    doubles.known.then_some(value)
}

struct Doubles<'a> {
    operands: &'a [Number],
    results: &'a [Number],
    /// Whether all functions that were called are known.
    known: bool,
}

fn float(value: &Number) -> f64 {
    match value {
        Value::Float(x) => *x,
        Value::Int(_) => panic!("an integer where the rule reads a number"),
    }
}

fn int(value: &Number) -> i64 {
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
        Ok(primal(function, &arguments).unwrap_or_else(|| {
            self.known = false;
            vec![Value::Float(f64::NAN); function.results().len()]
        }))
    }
}
