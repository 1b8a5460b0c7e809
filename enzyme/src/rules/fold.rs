//! Turning expressions into something else: instructions, numbers, text.
//!
//! An [`Algebra`] says what each operation of the rule language becomes; a [`Folder`] walks expressions
//! bottom up and asks the algebra once for every shared node, however many partials mention it.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::constant::Constant;
use super::expr::{Argument, Call, Condition, Expr, IntExpr, IntNode, Node, Predicate};
use super::function::Function;

/// A value of an algebra: a floating-point number or an integer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value<Float, Int> {
    /// A floating-point number.
    Float(Float),
    /// An integer.
    Int(Int),
}

/// The arguments or the results of a call in an algebra.
pub type Values<A> = Vec<Value<<A as Algebra>::Float, <A as Algebra>::Int>>;

/// What the operations of the rule language become.
///
/// Both branches of a select are always asked for, so no operation may have side effects.
pub trait Algebra {
    /// What a floating-point expression becomes.
    type Float: Clone;
    /// What an integer expression becomes.
    type Int: Clone;
    /// What a condition becomes.
    type Bool: Clone;
    /// What goes wrong; [`std::convert::Infallible`] when nothing can.
    type Error;

    /// The floating-point operand with this index.
    fn operand(&mut self, index: usize) -> Result<Self::Float, Self::Error>;
    /// The floating-point result with this index.
    fn result(&mut self, index: usize) -> Result<Self::Float, Self::Error>;
    /// The integer operand with this index.
    fn int_operand(&mut self, index: usize) -> Result<Self::Int, Self::Error>;
    /// The integer result with this index.
    fn int_result(&mut self, index: usize) -> Result<Self::Int, Self::Error>;
    /// A floating-point constant.
    fn constant(&mut self, value: Constant) -> Result<Self::Float, Self::Error>;
    /// An integer constant.
    fn int_constant(&mut self, value: i64) -> Result<Self::Int, Self::Error>;

    /// `-x`.
    fn neg(&mut self, x: Self::Float) -> Result<Self::Float, Self::Error>;
    /// `x + y`.
    fn add(&mut self, x: Self::Float, y: Self::Float) -> Result<Self::Float, Self::Error>;
    /// `x - y`.
    fn sub(&mut self, x: Self::Float, y: Self::Float) -> Result<Self::Float, Self::Error>;
    /// `x * y`.
    fn mul(&mut self, x: Self::Float, y: Self::Float) -> Result<Self::Float, Self::Error>;
    /// `x / y`.
    fn div(&mut self, x: Self::Float, y: Self::Float) -> Result<Self::Float, Self::Error>;
    /// `-n`.
    fn int_neg(&mut self, n: Self::Int) -> Result<Self::Int, Self::Error>;
    /// `m + n`, wrapping around.
    fn int_add(&mut self, m: Self::Int, n: Self::Int) -> Result<Self::Int, Self::Error>;
    /// A signed integer as a floating-point number.
    fn int_to_float(&mut self, n: Self::Int) -> Result<Self::Float, Self::Error>;

    /// A comparison of floating-point numbers.
    fn compare(
        &mut self,
        predicate: Predicate,
        x: Self::Float,
        y: Self::Float,
    ) -> Result<Self::Bool, Self::Error>;
    /// A comparison of signed integers.
    fn compare_int(
        &mut self,
        predicate: Predicate,
        m: Self::Int,
        n: Self::Int,
    ) -> Result<Self::Bool, Self::Error>;
    /// Whether the number is not a number.
    fn is_nan(&mut self, x: Self::Float) -> Result<Self::Bool, Self::Error>;
    /// Whether the sign bit is set.
    fn sign_bit(&mut self, x: Self::Float) -> Result<Self::Bool, Self::Error>;
    /// Whether both hold.
    fn and(&mut self, a: Self::Bool, b: Self::Bool) -> Result<Self::Bool, Self::Error>;
    /// Whether one of them holds, or both.
    fn or(&mut self, a: Self::Bool, b: Self::Bool) -> Result<Self::Bool, Self::Error>;
    /// Whether it does not hold.
    fn not(&mut self, a: Self::Bool) -> Result<Self::Bool, Self::Error>;

    /// The first number where the condition holds, the second elsewhere.
    fn select(
        &mut self,
        condition: Self::Bool,
        then: Self::Float,
        otherwise: Self::Float,
    ) -> Result<Self::Float, Self::Error>;

    /// All results of a call, in the order and of the kinds that [`Function::results`] lists.
    fn call(&mut self, function: Function, arguments: Values<Self>) -> Result<Values<Self>, Self::Error>;
}

/// Folds expressions with one algebra, asking it once for every shared node.
pub struct Folder<'a, A: Algebra> {
    algebra: &'a mut A,
    // Keyed by address. The nodes are kept alive beside the value, so an address is never reused.
    floats: FxHashMap<*const Node, (Expr, A::Float)>,
    calls: FxHashMap<*const Call, (Arc<Call>, Values<A>)>,
}

impl<'a, A: Algebra> Folder<'a, A> {
    /// A folder that asks the given algebra.
    pub fn new(algebra: &'a mut A) -> Self {
        Folder { algebra, floats: FxHashMap::default(), calls: FxHashMap::default() }
    }

    /// What a floating-point expression becomes.
    pub fn float(&mut self, expr: &Expr) -> Result<A::Float, A::Error> {
        let key = Arc::as_ptr(&expr.0);
        if let Some((_, value)) = self.floats.get(&key) {
            return Ok(value.clone());
        }
        let value = self.float_node(expr.node())?;
        self.floats.insert(key, (expr.clone(), value.clone()));
        Ok(value)
    }

    /// What an integer expression becomes.
    pub fn int(&mut self, expr: &IntExpr) -> Result<A::Int, A::Error> {
        match expr.node() {
            IntNode::Operand(index) => self.algebra.int_operand(*index),
            IntNode::Result(index) => self.algebra.int_result(*index),
            IntNode::Constant(value) => self.algebra.int_constant(*value),
            IntNode::Neg(n) => {
                let n = self.int(n)?;
                self.algebra.int_neg(n)
            }
            IntNode::Add(m, n) => {
                let (m, n) = (self.int(m)?, self.int(n)?);
                self.algebra.int_add(m, n)
            }
            IntNode::Call(call, index) => match self.call(call)?.swap_remove(*index) {
                Value::Int(value) => Ok(value),
                Value::Float(_) => unreachable!("{:?} result {index} is not an integer", call.function),
            },
        }
    }

    /// What a condition becomes.
    pub fn condition(&mut self, condition: &Condition) -> Result<A::Bool, A::Error> {
        match condition {
            Condition::Compare(predicate, x, y) => {
                let (x, y) = (self.float(x)?, self.float(y)?);
                self.algebra.compare(*predicate, x, y)
            }
            Condition::CompareInt(predicate, m, n) => {
                let (m, n) = (self.int(m)?, self.int(n)?);
                self.algebra.compare_int(*predicate, m, n)
            }
            Condition::IsNan(x) => {
                let x = self.float(x)?;
                self.algebra.is_nan(x)
            }
            Condition::SignBit(x) => {
                let x = self.float(x)?;
                self.algebra.sign_bit(x)
            }
            Condition::And(a, b) => {
                let (a, b) = (self.condition(a)?, self.condition(b)?);
                self.algebra.and(a, b)
            }
            Condition::Or(a, b) => {
                let (a, b) = (self.condition(a)?, self.condition(b)?);
                self.algebra.or(a, b)
            }
            Condition::Not(a) => {
                let a = self.condition(a)?;
                self.algebra.not(a)
            }
        }
    }

    fn float_node(&mut self, node: &Node) -> Result<A::Float, A::Error> {
        match node {
            Node::Operand(index) => self.algebra.operand(*index),
            Node::Result(index) => self.algebra.result(*index),
            Node::Constant(value) => self.algebra.constant(*value),
            Node::Neg(x) => {
                let x = self.float(x)?;
                self.algebra.neg(x)
            }
            Node::Add(x, y) => {
                let (x, y) = (self.float(x)?, self.float(y)?);
                self.algebra.add(x, y)
            }
            Node::Sub(x, y) => {
                let (x, y) = (self.float(x)?, self.float(y)?);
                self.algebra.sub(x, y)
            }
            Node::Mul(x, y) => {
                let (x, y) = (self.float(x)?, self.float(y)?);
                self.algebra.mul(x, y)
            }
            Node::Div(x, y) => {
                let (x, y) = (self.float(x)?, self.float(y)?);
                self.algebra.div(x, y)
            }
            Node::Select(condition, then, otherwise) => {
                let condition = self.condition(condition)?;
                let (then, otherwise) = (self.float(then)?, self.float(otherwise)?);
                self.algebra.select(condition, then, otherwise)
            }
            Node::FromInt(n) => {
                let n = self.int(n)?;
                self.algebra.int_to_float(n)
            }
            Node::Call(call, index) => match self.call(call)?.swap_remove(*index) {
                Value::Float(value) => Ok(value),
                Value::Int(_) => unreachable!("{:?} result {index} is an integer", call.function),
            },
        }
    }

    fn call(&mut self, call: &Arc<Call>) -> Result<Values<A>, A::Error> {
        let key = Arc::as_ptr(call);
        if let Some((_, results)) = self.calls.get(&key) {
            return Ok(results.clone());
        }
        let mut arguments = Vec::with_capacity(call.arguments.len());
        for argument in &call.arguments {
            arguments.push(match argument {
                Argument::Float(x) => Value::Float(self.float(x)?),
                Argument::Int(n) => Value::Int(self.int(n)?),
            });
        }
        let results = self.algebra.call(call.function, arguments)?;
        self.calls.insert(key, (call.clone(), results.clone()));
        Ok(results)
    }
}
