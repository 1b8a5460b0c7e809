//! The expression language of the rules: algebra over the operands and results of one call.
//!
//! An [`Expr`] is a shared, immutable tree. Overloaded operators and the free functions of
//! [`super::calls`] make a rule read as the algebra it is; [`super::fold`] turns it into something else
//! (instructions, numbers, text). The smart constructors fold the constants 0 and 1, so that rules
//! built by derivation (Cauchy–Riemann, for example) come out as short as written ones.

use std::ops;
use std::sync::Arc;

use super::constant::{Constant, Irrational};
use super::function::Function;

/// A floating-point expression over the operands and results of the function a rule is about.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr(pub(super) Arc<Node>);

/// What an [`Expr`] is made of.
#[derive(Debug, PartialEq)]
pub enum Node {
    /// The operand with this index.
    Operand(usize),
    /// The result with this index.
    Result(usize),
    /// A constant.
    Constant(Constant),
    /// `-x`.
    Neg(Expr),
    /// `x + y`.
    Add(Expr, Expr),
    /// `x - y`.
    Sub(Expr, Expr),
    /// `x * y`.
    Mul(Expr, Expr),
    /// `x / y`.
    Div(Expr, Expr),
    /// The first expression where the condition holds, the second elsewhere. Both may be evaluated.
    Select(Condition, Expr, Expr),
    /// An integer as a floating-point number.
    FromInt(IntExpr),
    /// One result of a call; calls with several results are shared between their results.
    Call(Arc<Call>, usize),
}

/// An integer expression.
#[derive(Clone, Debug, PartialEq)]
pub struct IntExpr(pub(super) Arc<IntNode>);

/// What an [`IntExpr`] is made of.
#[derive(Debug, PartialEq)]
pub enum IntNode {
    /// The operand with this index.
    Operand(usize),
    /// The result with this index.
    Result(usize),
    /// A constant.
    Constant(i64),
    /// `-n`.
    Neg(IntExpr),
    /// `m + n`.
    Add(IntExpr, IntExpr),
    /// One result of a call.
    Call(Arc<Call>, usize),
}

/// A call of a canonical function inside a rule.
#[derive(Debug, PartialEq)]
pub struct Call {
    /// The function called.
    pub function: Function,
    /// Its arguments, of the kinds that [`Function::operands`] lists.
    pub arguments: Vec<Argument>,
}

/// One argument of a [`Call`].
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// A floating-point argument.
    Float(Expr),
    /// An integer argument.
    Int(IntExpr),
}

/// A truth value that selects between two expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// A comparison of two floating-point numbers.
    Compare(Predicate, Expr, Expr),
    /// A comparison of two signed integers.
    CompareInt(Predicate, IntExpr, IntExpr),
    /// Whether the number is not a number.
    IsNan(Expr),
    /// Whether the sign bit is set: true of negative numbers and of `-0.0`.
    SignBit(Expr),
    /// Whether both hold.
    And(Arc<Condition>, Arc<Condition>),
    /// Whether one of them holds, or both.
    Or(Arc<Condition>, Arc<Condition>),
    /// Whether it does not hold.
    Not(Arc<Condition>),
}

/// How two numbers compare. Each predicate but [`Predicate::NotEqual`] is false when one of the
/// numbers is a NaN, as the operators of C are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Predicate {
    /// `x == y`.
    Equal,
    /// `x != y`, true of a NaN.
    NotEqual,
    /// `x < y`.
    Less,
    /// `x <= y`.
    LessOrEqual,
    /// `x > y`.
    Greater,
    /// `x >= y`.
    GreaterOrEqual,
}

impl Expr {
    /// The operand with this index.
    pub fn operand(index: usize) -> Expr {
        Node::Operand(index).into()
    }

    /// The result with this index.
    pub fn result(index: usize) -> Expr {
        Node::Result(index).into()
    }

    /// A constant.
    pub fn constant(value: impl Into<Constant>) -> Expr {
        Node::Constant(value.into()).into()
    }

    /// What the expression is made of.
    pub fn node(&self) -> &Node {
        &self.0
    }

    /// The constant this expression is, if it is one.
    pub fn as_constant(&self) -> Option<Constant> {
        if let Node::Constant(value) = self.node() { Some(*value) } else { None }
    }

    /// Whether this is the constant 0.
    pub fn is_zero(&self) -> bool {
        self.as_constant() == Some(Constant::Exact(0.0))
    }

    /// Whether this is the constant 1.
    pub fn is_one(&self) -> bool {
        self.as_constant() == Some(Constant::Exact(1.0))
    }

    /// Whether this is the constant -1.
    pub fn is_minus_one(&self) -> bool {
        self.as_constant() == Some(Constant::Exact(-1.0))
    }
}

impl IntExpr {
    /// The operand with this index.
    pub fn operand(index: usize) -> IntExpr {
        IntExpr(Arc::new(IntNode::Operand(index)))
    }

    /// The result with this index.
    pub fn result(index: usize) -> IntExpr {
        IntExpr(Arc::new(IntNode::Result(index)))
    }

    /// A constant.
    pub fn constant(value: i64) -> IntExpr {
        IntExpr(Arc::new(IntNode::Constant(value)))
    }

    /// What the expression is made of.
    pub fn node(&self) -> &IntNode {
        &self.0
    }

    /// The integer as a floating-point number.
    pub fn to_float(&self) -> Expr {
        match self.node() {
            IntNode::Constant(value) => Expr::from(*value as f64),
            IntNode::Operand(_)
            | IntNode::Result(_)
            | IntNode::Neg(_)
            | IntNode::Add(..)
            | IntNode::Call(..) => Node::FromInt(self.clone()).into(),
        }
    }
}

/// The first expression where the condition holds, the second elsewhere.
pub fn select(condition: Condition, then: impl Into<Expr>, otherwise: impl Into<Expr>) -> Expr {
    Node::Select(condition, then.into(), otherwise.into()).into()
}

/// Whether the number is not a number.
pub fn is_nan(x: impl Into<Expr>) -> Condition {
    Condition::IsNan(x.into())
}

/// Whether the sign bit is set: true of negative numbers and of `-0.0`.
pub fn sign_bit(x: impl Into<Expr>) -> Condition {
    Condition::SignBit(x.into())
}

/// Declares comparison functions for floating-point expressions and for integers.
macro_rules! comparisons {
    ($($predicate:ident: $float:ident, $int:ident, $symbol:literal;)*) => { $(
        #[doc = concat!("`x ", $symbol, " y` for floating-point numbers.")]
        pub fn $float(x: impl Into<Expr>, y: impl Into<Expr>) -> Condition {
            Condition::Compare(Predicate::$predicate, x.into(), y.into())
        }

        #[doc = concat!("`m ", $symbol, " n` for integers.")]
        pub fn $int(m: impl Into<IntExpr>, n: impl Into<IntExpr>) -> Condition {
            Condition::CompareInt(Predicate::$predicate, m.into(), n.into())
        }
    )* };
}

comparisons! {
    Equal: equal, int_equal, "==";
    NotEqual: not_equal, int_not_equal, "!=";
    Less: less, int_less, "<";
    LessOrEqual: less_or_equal, int_less_or_equal, "<=";
    Greater: greater, int_greater, ">";
    GreaterOrEqual: greater_or_equal, int_greater_or_equal, ">=";
}

impl Condition {
    /// Whether both hold.
    pub fn and(self, other: Condition) -> Condition {
        Condition::And(Arc::new(self), Arc::new(other))
    }

    /// Whether one of them holds, or both.
    pub fn or(self, other: Condition) -> Condition {
        Condition::Or(Arc::new(self), Arc::new(other))
    }
}

impl ops::Not for Condition {
    type Output = Condition;

    fn not(self) -> Condition {
        Condition::Not(Arc::new(self))
    }
}

impl From<Node> for Expr {
    fn from(node: Node) -> Self {
        Expr(Arc::new(node))
    }
}

impl From<&Expr> for Expr {
    fn from(expr: &Expr) -> Self {
        expr.clone()
    }
}

impl From<f64> for Expr {
    fn from(value: f64) -> Self {
        Expr::constant(value)
    }
}

impl From<Irrational> for Expr {
    fn from(name: Irrational) -> Self {
        Expr::constant(name)
    }
}

impl From<&IntExpr> for IntExpr {
    fn from(expr: &IntExpr) -> Self {
        expr.clone()
    }
}

impl From<i64> for IntExpr {
    fn from(value: i64) -> Self {
        IntExpr::constant(value)
    }
}

impl From<Expr> for Argument {
    fn from(expr: Expr) -> Self {
        Argument::Float(expr)
    }
}

impl From<IntExpr> for Argument {
    fn from(expr: IntExpr) -> Self {
        Argument::Int(expr)
    }
}

fn neg(x: Expr) -> Expr {
    if x.is_zero() {
        x
    } else if let Node::Constant(Constant::Exact(value)) = x.node() {
        Expr::from(-value)
    } else if let Node::Neg(inner) = x.node() {
        inner.clone()
    } else {
        Node::Neg(x).into()
    }
}

fn add(x: Expr, y: Expr) -> Expr {
    match (x.is_zero(), y.is_zero()) {
        (true, _) => y,
        (_, true) => x,
        _ => Node::Add(x, y).into(),
    }
}

fn sub(x: Expr, y: Expr) -> Expr {
    match (x.is_zero(), y.is_zero()) {
        (true, _) => neg(y),
        (_, true) => x,
        _ => Node::Sub(x, y).into(),
    }
}

/// Drops factors of one, and whole products with a literal 0: a rule that says `0 *` means it.
fn mul(x: Expr, y: Expr) -> Expr {
    if x.is_zero() || y.is_one() {
        x
    } else if y.is_zero() || x.is_one() {
        y
    } else if x.is_minus_one() {
        neg(y)
    } else if y.is_minus_one() {
        neg(x)
    } else {
        Node::Mul(x, y).into()
    }
}

fn div(x: Expr, y: Expr) -> Expr {
    if y.is_one() { x } else { Node::Div(x, y).into() }
}

/// Implements a binary operator for every mix of expressions, references and constants.
macro_rules! binary_operator {
    ($trait:ident, $method:ident) => {
        binary_operator!(@ $trait, $method, Expr, Expr);
        binary_operator!(@ $trait, $method, Expr, &Expr);
        binary_operator!(@ $trait, $method, &Expr, Expr);
        binary_operator!(@ $trait, $method, &Expr, &Expr);
        binary_operator!(@ $trait, $method, f64, Expr);
        binary_operator!(@ $trait, $method, f64, &Expr);
        binary_operator!(@ $trait, $method, Expr, f64);
        binary_operator!(@ $trait, $method, &Expr, f64);
        binary_operator!(@ $trait, $method, Irrational, Expr);
        binary_operator!(@ $trait, $method, Irrational, &Expr);
        binary_operator!(@ $trait, $method, Expr, Irrational);
        binary_operator!(@ $trait, $method, &Expr, Irrational);
        binary_operator!(@ $trait, $method, f64, Irrational);
        binary_operator!(@ $trait, $method, Irrational, f64);
    };
    (@ $trait:ident, $method:ident, $left:ty, $right:ty) => {
        impl ops::$trait<$right> for $left {
            type Output = Expr;

            fn $method(self, right: $right) -> Expr {
                $method(self.into(), right.into())
            }
        }
    };
}

binary_operator!(Add, add);
binary_operator!(Sub, sub);
binary_operator!(Mul, mul);
binary_operator!(Div, div);

impl ops::Neg for Expr {
    type Output = Expr;

    fn neg(self) -> Expr {
        neg(self)
    }
}

impl ops::Neg for Irrational {
    type Output = Expr;

    fn neg(self) -> Expr {
        neg(self.into())
    }
}

impl ops::Neg for &Expr {
    type Output = Expr;

    fn neg(self) -> Expr {
        neg(self.clone())
    }
}

impl ops::Add<i64> for &IntExpr {
    type Output = IntExpr;

    fn add(self, right: i64) -> IntExpr {
        IntExpr(Arc::new(IntNode::Add(self.clone(), IntExpr::constant(right))))
    }
}

impl ops::Sub<i64> for &IntExpr {
    type Output = IntExpr;

    fn sub(self, right: i64) -> IntExpr {
        self + -right
    }
}

impl ops::Neg for &IntExpr {
    type Output = IntExpr;

    fn neg(self) -> IntExpr {
        IntExpr(Arc::new(IntNode::Neg(self.clone())))
    }
}
