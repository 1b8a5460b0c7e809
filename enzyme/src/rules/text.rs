//! Expressions as text, for documentation and error messages.

use std::convert::Infallible;

use super::constant::Constant;
use super::expr::{Expr, Predicate};
use super::fold::{Algebra, Folder, Value};
use super::function::{Function, Kind};

/// The expression as a line of algebra, with the given names for operands and results.
pub fn algebra(expr: &Expr, operands: &[&str], results: &[&str]) -> String {
    let mut writer = Writer { operands, results };
    let Ok(text) = Folder::new(&mut writer).float(expr);
    text.text
}

struct Writer<'a> {
    operands: &'a [&'a str],
    results: &'a [&'a str],
}

/// Text, and how tightly its outermost operator binds.
#[derive(Clone)]
struct Text {
    text: String,
    binding: Binding,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Sum,
    Product,
    Atom,
}

impl Text {
    fn atom(text: impl Into<String>) -> Self {
        Text { text: text.into(), binding: Binding::Atom }
    }

    /// The text, in parentheses unless it binds at least this tightly.
    fn within(&self, binding: Binding) -> String {
        if self.binding >= binding { self.text.clone() } else { format!("({})", self.text) }
    }
}

fn binary(x: &Text, symbol: &str, y: &Text, binding: Binding, right: Binding) -> Result<Text, Infallible> {
    let text = format!("{} {symbol} {}", x.within(binding), y.within(right));
    Ok(Text { text, binding })
}

impl Algebra for Writer<'_> {
    type Float = Text;
    type Int = Text;
    type Bool = String;
    type Error = Infallible;

    fn operand(&mut self, index: usize) -> Result<Text, Infallible> {
        Ok(Text::atom(self.operands[index]))
    }

    fn result(&mut self, index: usize) -> Result<Text, Infallible> {
        Ok(Text::atom(self.results[index]))
    }

    fn int_operand(&mut self, index: usize) -> Result<Text, Infallible> {
        self.operand(index)
    }

    fn int_result(&mut self, index: usize) -> Result<Text, Infallible> {
        self.result(index)
    }

    fn constant(&mut self, value: Constant) -> Result<Text, Infallible> {
        Ok(Text::atom(value.to_string()))
    }

    fn int_constant(&mut self, value: i64) -> Result<Text, Infallible> {
        Ok(Text::atom(value.to_string()))
    }

    fn neg(&mut self, x: Text) -> Result<Text, Infallible> {
        Ok(Text { text: format!("-{}", x.within(Binding::Product)), binding: Binding::Product })
    }

    fn add(&mut self, x: Text, y: Text) -> Result<Text, Infallible> {
        match y.text.strip_prefix('-') {
            Some(rest) if y.binding >= Binding::Product => binary(
                &x,
                "-",
                &Text { text: rest.to_owned(), binding: y.binding },
                Binding::Sum,
                Binding::Product,
            ),
            _ => binary(&x, "+", &y, Binding::Sum, Binding::Sum),
        }
    }

    fn sub(&mut self, x: Text, y: Text) -> Result<Text, Infallible> {
        binary(&x, "-", &y, Binding::Sum, Binding::Product)
    }

    fn mul(&mut self, x: Text, y: Text) -> Result<Text, Infallible> {
        binary(&x, "·", &y, Binding::Product, Binding::Product)
    }

    fn div(&mut self, x: Text, y: Text) -> Result<Text, Infallible> {
        binary(&x, "/", &y, Binding::Product, Binding::Atom)
    }

    fn int_neg(&mut self, n: Text) -> Result<Text, Infallible> {
        self.neg(n)
    }

    fn int_add(&mut self, m: Text, n: Text) -> Result<Text, Infallible> {
        self.add(m, n)
    }

    fn int_to_float(&mut self, n: Text) -> Result<Text, Infallible> {
        Ok(n)
    }

    fn compare(&mut self, predicate: Predicate, x: Text, y: Text) -> Result<String, Infallible> {
        Ok(format!("{} {} {}", x.text, symbol(predicate), y.text))
    }

    fn compare_int(&mut self, predicate: Predicate, m: Text, n: Text) -> Result<String, Infallible> {
        self.compare(predicate, m, n)
    }

    fn is_nan(&mut self, x: Text) -> Result<String, Infallible> {
        Ok(format!("isnan({})", x.text))
    }

    fn sign_bit(&mut self, x: Text) -> Result<String, Infallible> {
        Ok(format!("signbit({})", x.text))
    }

    fn and(&mut self, a: String, b: String) -> Result<String, Infallible> {
        Ok(format!("({a}) and ({b})"))
    }

    fn or(&mut self, a: String, b: String) -> Result<String, Infallible> {
        Ok(format!("({a}) or ({b})"))
    }

    fn not(&mut self, a: String) -> Result<String, Infallible> {
        Ok(format!("not ({a})"))
    }

    fn select(&mut self, condition: String, then: Text, otherwise: Text) -> Result<Text, Infallible> {
        Ok(Text::atom(format!("[{condition} ? {} : {}]", then.text, otherwise.text)))
    }

    fn call(
        &mut self,
        function: Function,
        arguments: Vec<Value<Text, Text>>,
    ) -> Result<Vec<Value<Text, Text>>, Infallible> {
        let arguments: Vec<String> = arguments
            .into_iter()
            .map(|argument| match argument {
                Value::Float(text) | Value::Int(text) => text.text,
            })
            .collect();
        let call = format!("{function}({})", arguments.join(", "));
        let results = function.results();
        Ok(results
            .iter()
            .enumerate()
            .map(|(index, kind)| {
                let text = match (results.len(), function.is_complex()) {
                    (1, _) => Text::atom(&call),
                    (_, true) => Text::atom(format!("{} {call}", if index == 0 { "re" } else { "im" })),
                    (_, false) => Text::atom(format!("{call}.{index}")),
                };
                match kind {
                    Kind::Float => Value::Float(text),
                    Kind::Int | Kind::Opaque => Value::Int(text),
                }
            })
            .collect())
    }
}

fn symbol(predicate: Predicate) -> &'static str {
    match predicate {
        Predicate::Equal => "==",
        Predicate::NotEqual => "!=",
        Predicate::Less => "<",
        Predicate::LessOrEqual => "<=",
        Predicate::Greater => ">",
        Predicate::GreaterOrEqual => ">=",
    }
}
