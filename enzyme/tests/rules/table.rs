//! The table rejects what is missing, doubled or shadowed, and says what and where.

use std::convert::Infallible;

use enzyme::rules::expr::Expr;
use enzyme::rules::table::RuleLine;
use enzyme::rules::{
    self, Algebra, Constant, Family, Folder, Function, Irrational, Kind, Precision, Predicate, Table,
    TableError, Value, Values,
};

use crate::real::Real;

fn negation() -> RuleLine {
    RuleLine::new(Function::Fneg, vec![("x", Kind::Float)], vec![("r", Kind::Float)]).partial("r", "x", -1.0)
}

fn sum() -> RuleLine {
    RuleLine::new(Function::Fadd, vec![("x", Kind::Float), ("y", Kind::Float)], vec![("r", Kind::Float)])
}

fn error(lines: Vec<RuleLine>) -> String {
    Table::new(vec![(Family::Arithmetic, lines)]).expect_err("a wrong table").to_string()
}

#[test]
fn a_missing_rule_is_rejected() {
    assert_eq!(
        Table::new(vec![(Family::Arithmetic, vec![negation()])]).expect_err("most rules are missing"),
        TableError::Missing { function: Function::Fadd },
    );
}

#[test]
fn a_doubled_rule_is_rejected_naming_both() {
    let families = vec![(Family::Arithmetic, vec![negation()]), (Family::Rounding, vec![negation()])];
    assert_eq!(
        Table::new(families).expect_err("a second rule").to_string(),
        "two rules for `fneg`: one in family Arithmetic, one in family Rounding",
    );
}

#[test]
fn a_shadowed_partial_is_rejected_naming_both() {
    let line = sum().partial("r", "x", 1.0).partial("r", "y", 1.0).partial("r", "x", -Expr::operand(1));
    assert_eq!(error(vec![line]), "rule for `fadd`: dr/dx is given twice, as `1` and as `-y`");
}

#[test]
fn a_missing_partial_is_rejected() {
    assert_eq!(
        error(vec![sum().partial("r", "x", 1.0)]),
        "rule for `fadd`: dr/dy is missing; say `y: 0.0` if it is zero",
    );
}

#[test]
fn names_that_do_not_fit_are_rejected() {
    assert_eq!(
        error(vec![sum().partial("r", "z", 1.0)]),
        "rule for `fadd`: no floating-point value is called `z`",
    );
    let twice =
        RuleLine::new(Function::Fadd, vec![("x", Kind::Float), ("x", Kind::Float)], vec![("r", Kind::Float)]);
    assert_eq!(error(vec![twice]), "rule for `fadd`: the name `x` stands for two values");
    let few = RuleLine::new(Function::Fadd, vec![("x", Kind::Float)], vec![("r", Kind::Float)]);
    assert_eq!(error(vec![few]), "rule for `fadd`: 1 operands are named, the function has 2");
    let integer = RuleLine::new(Function::Fneg, vec![("x", Kind::Int)], vec![("r", Kind::Float)]);
    assert_eq!(error(vec![integer]), "rule for `fneg`: `x` is bound Int, the function's is Float");
}

#[test]
fn rules_say_which_primal_values_they_read() {
    let exp = rules::rule(Function::Exp);
    assert!(exp.needs_result(0) && !exp.needs_operand(0));
    let sqrt = rules::rule(Function::Sqrt);
    assert!(sqrt.needs_result(0) && !sqrt.needs_operand(0));
    let product = rules::rule(Function::Fmul);
    assert!(product.partial(0, 0).needs_operand(1) && !product.partial(0, 0).needs_operand(0));
    let powi = rules::rule(Function::Powi);
    assert!(powi.needs_operand(0) && powi.needs_operand(1) && !powi.needs_result(0));
    let difference = rules::rule(Function::Fsub);
    assert!((0..2).all(|operand| !difference.needs_operand(operand)));
    assert!(rules::rule(Function::Floor).is_inactive() && !exp.is_inactive());
}

/// What a derivative calls must be there to call: a library function, an intrinsic, a device function, or
/// an expansion in such.
#[test]
fn every_function_in_a_partial_can_be_called() {
    let mut callees = Callees::default();
    for rule in rules::rules() {
        for (_, _, partial) in rule.nonzero_partials() {
            let Ok(()) = Folder::new(&mut callees).float(partial.expr());
        }
        if let Some(expansion) = rule.function().expansion() {
            let Ok(()) = Folder::new(&mut callees).float(expansion);
        }
    }
    callees.functions.sort_unstable();
    callees.functions.dedup();
    assert!(callees.functions.len() > 30, "rules call many functions: {:?}", callees.functions);
    for function in callees.functions {
        let can_be_called = function.libm_name(Precision::Double).is_some()
            || function.llvm_intrinsic().is_some()
            || function.expansion().is_some();
        let calls_itself = matches!(function, Function::Cjn | Function::Cyn);
        assert!(!function.is_complex() || calls_itself, "`{function}` has a convention of its own");
        assert!(can_be_called, "`{function}` is called by a rule, and nothing offers it");
    }
}

#[test]
fn constants_are_right_in_every_digit() {
    for name in Irrational::ALL {
        let two = Real::from(2.0);
        let expected = match name {
            Irrational::Pi => Real::pi(),
            Irrational::Ln2 => two.ln(),
            Irrational::Ln10 => Real::from(10.0).ln(),
            Irrational::TwoOverSqrtPi => 2.0 / Real::pi().sqrt(),
            Irrational::InverseSqrtTwoPi => 1.0 / (2.0 * Real::pi()).sqrt(),
            Irrational::SqrtTwoPi => (2.0 * Real::pi()).sqrt(),
            Irrational::HalfSqrtPi => Real::pi().sqrt() / 2.0,
        };
        let error = (Real::parse(name.digits()) / expected - 1.0).abs().to_f64();
        assert!(error < 1e-48, "{} is off by {error:e}", name.symbol());
        assert_eq!(Constant::from(name).digits(), name.digits());
    }
    assert_eq!(Constant::from(0.5).digits(), "0.5");
}

#[test]
fn text_keeps_the_algebra() {
    let (x, y) = (&Expr::operand(0), &Expr::operand(1));
    let text = |expr: Expr| rules::text::algebra(&expr, &["x", "y"], &["r"]);
    assert_eq!(text((x - y) * x), "(x - y) · x");
    assert_eq!(text(x - (y - x)), "x - (y - x)");
    assert_eq!(text(x / (y * x)), "x / (y · x)");
    assert_eq!(text(-(x + y)), "-(x + y)");
    assert_eq!(text(1.0 * x + 0.0), "x");
    assert_eq!(text(x / (x / y)), "x / (x / y)");
}

#[test]
fn the_reference_page_mentions_every_rule() {
    let page = rules::reference_markdown();
    for rule in rules::rules() {
        let start = format!("| `{}({}) → ", rule.function(), rule.operand_names().join(", "));
        assert_eq!(page.matches(&start).count(), 1, "{}", rule.function());
    }
    let sine = page.lines().find(|line| line.starts_with("| `sin(x) → r`")).expect("a line for the sine");
    for part in ["`sin`", "`__nv_sin`", "`__ocml_sin_f64`", "`llvm.sin`", "∂r/∂x = `cos(x)`"] {
        assert!(sine.contains(part), "{part} in {sine}");
    }
    assert!(page.contains("∂/∂z = `ccos(z)`"), "complex derivatives as they are written");
    assert!(page.contains("| `floor(x) → r` | "), "inactive functions too");
}

/// Collects the functions that expressions call.
#[derive(Default)]
struct Callees {
    functions: Vec<Function>,
}

/// Implements the operations of [`Callees`] that call nothing.
macro_rules! calls_nothing {
    ($($method:ident($($type:ty),*);)*) => { $(
        fn $method(&mut self, $(_: $type),*) -> Result<(), Infallible> {
            Ok(())
        }
    )* };
}

impl Algebra for Callees {
    type Float = ();
    type Int = ();
    type Bool = ();
    type Error = Infallible;

    fn call(&mut self, function: Function, _: Values<Self>) -> Result<Values<Self>, Infallible> {
        self.functions.push(function);
        let result = |kind: &Kind| match kind {
            Kind::Float => Value::Float(()),
            Kind::Int | Kind::Opaque => Value::Int(()),
        };
        Ok(function.results().iter().map(result).collect())
    }

    calls_nothing! {
        operand(usize);
        result(usize);
        int_operand(usize);
        int_result(usize);
        constant(Constant);
        int_constant(i64);
        neg(());
        add((), ());
        sub((), ());
        mul((), ());
        div((), ());
        int_neg(());
        int_add((), ());
        int_to_float(());
        compare(Predicate, (), ());
        compare_int(Predicate, (), ());
        is_nan(());
        sign_bit(());
        and((), ());
        or((), ());
        not(());
        select((), (), ());
    }
}
