//! Every partial of every rule against finite differences of the function itself, with 256 bits.

use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{io, thread};

use enzyme::rules::{self, Expr, Function, Kind, Partial, Rule, Value};

use crate::evaluate::{Double, call, evaluate, to_exact};
use crate::points::points;
use crate::real::Real;
use crate::reference::{Number, primal};

const POINTS: usize = 64;
const TOLERANCE: f64 = 1e-10;

/// What one rule's check found.
#[derive(Default)]
struct Outcome {
    points: usize,
    comparisons: usize,
    worst: f64,
    failures: Vec<String>,
}

#[test]
fn every_partial_agrees_with_finite_differences() {
    let next = AtomicUsize::new(0);
    let outcomes = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(rule) = rules::rules().get(next.fetch_add(1, Ordering::Relaxed)) {
                    let outcome = check(rule, POINTS, |_, _, partial| partial.expr().clone());
                    outcomes.lock().expect("no panic").push((rule.function(), outcome));
                }
            });
        }
    });
    let outcomes = outcomes.into_inner().expect("no panic");

    let failures: Vec<&String> = outcomes.iter().flat_map(|(_, outcome)| &outcome.failures).collect();
    assert!(failures.is_empty(), "{} wrong partials:\n{}", failures.len(), display(&failures));

    assert_eq!(outcomes.len(), Function::ALL.len(), "every function has a rule, and every rule was checked");
    let (active, inactive): (Vec<_>, Vec<_>) =
        outcomes.iter().partition(|(function, _)| can_carry_derivative(*function));
    for (function, outcome) in &active {
        assert!(outcome.points >= 60, "only {} points for `{function}`", outcome.points);
    }
    for (function, outcome) in &inactive {
        assert_eq!(outcome.comparisons, 0, "`{function}` has nothing to differentiate");
        assert!(rules::rule(*function).is_inactive(), "`{function}` has nothing to differentiate");
    }
    report(&active, inactive.len());
}

/// Written past the test harness, which shows the output of failing tests only.
fn report(active: &[&(Function, Outcome)], inactive: usize) {
    let sum = |count: fn(&Outcome) -> usize| active.iter().map(|(_, outcome)| count(outcome)).sum::<usize>();
    let worst = active.iter().max_by(|a, b| a.1.worst.total_cmp(&b.1.worst)).expect("some rules");
    let line = format!(
        "rule table: {} rules checked ({} differentiable, {inactive} with integer operands or results only), \
         {} points, {} comparisons; largest relative error {:.1e} ({})",
        active.len() + inactive,
        active.len(),
        sum(|outcome| outcome.points),
        sum(|outcome| outcome.comparisons),
        worst.1.worst,
        worst.0,
    );
    writeln!(io::stderr(), "{line}").expect("standard error is open");
}

fn display(failures: &[&String]) -> String {
    failures.iter().take(40).map(|failure| format!("  {failure}\n")).collect()
}

fn can_carry_derivative(function: Function) -> bool {
    function.operands().contains(&Kind::Float) && function.results().contains(&Kind::Float)
}

/// Compares a rule's partials, as `partial_of` gives them, with differences at some points.
fn check(rule: &Rule, count: usize, partial_of: impl Fn(usize, usize, &Partial) -> Expr) -> Outcome {
    let function = rule.function();
    let mut outcome = Outcome::default();
    for operands in points(function, count) {
        outcome.points += 1;
        let results = call(function, &operands);
        let exact = jacobian(function, &operands);
        let scale = exact.iter().map(|(_, _, slope)| slope.abs()).fold(0.0, f64::max);
        for (result, operand, expected) in exact {
            let partial = partial_of(result, operand, rule.partial(result, operand));
            let found = evaluate(&partial, &operands, &results);
            let error = (found - expected).abs();
            // A small part of a complex number is only as accurate as the number.
            let noise = if function.is_complex() { 1e-14 * scale } else { 0.0 };
            let agrees = error <= TOLERANCE * expected.abs() + noise;
            if !agrees {
                let (result, operand) = (rule.result_names()[result], rule.operand_names()[operand]);
                outcome.failures.push(format!(
                    "{function}: d{result}/d{operand} at {operands:?} is {found:e}, should be {expected:e}"
                ));
            }
            outcome.comparisons += 1;
            if error > noise {
                outcome.worst = outcome.worst.max(error / expected.abs());
            }
        }
    }
    outcome
}

/// The check is worth something only if it fails: one partial at a time is made wrong in its tenth digit.
#[test]
fn a_wrong_partial_is_noticed() {
    for rule in rules::rules().iter().filter(|rule| can_carry_derivative(rule.function())) {
        for wrong_result in 0..rule.result_names().len() {
            for wrong_operand in 0..rule.operand_names().len() {
                let carries = rule.function().is_float_result(wrong_result)
                    && rule.function().is_float_operand(wrong_operand);
                if !carries {
                    continue;
                }
                let outcome = check(rule, 2, |result, operand, partial| {
                    let is_wrong = (result, operand) == (wrong_result, wrong_operand);
                    // Wrong where it is large, and wrong where it is zero.
                    if is_wrong { partial.expr() * (1.0 + 1e-9) + 3e-9 } else { partial.expr().clone() }
                });
                let function = rule.function();
                assert!(
                    !outcome.failures.is_empty(),
                    "{function}: a wrong d{wrong_result}/d{wrong_operand} passes"
                );
            }
        }
    }
}

/// All partials of a function by central differences: (result, operand, slope).
fn jacobian(function: Function, operands: &[Double]) -> Vec<(usize, usize, f64)> {
    let exact: Vec<Number> = operands.iter().map(to_exact).collect();
    let mut slopes = Vec::new();
    for (operand, value) in exact.iter().enumerate() {
        let Value::Float(x) = value else { continue };
        // The error of the difference is of the order of the step squared: 24 digits.
        let scale = if x.is_zero() { Real::from(1.0) } else { x.abs() };
        let step = scale * Real::power_of_two(-40);
        let above = primal(function, &moved(&exact, operand, x + &step));
        let below = primal(function, &moved(&exact, operand, x - &step));
        for (result, pair) in above.into_iter().zip(below).enumerate() {
            if let (Value::Float(above), Value::Float(below)) = pair {
                slopes.push((result, operand, ((above - below) / (2.0 * &step)).to_f64()));
            }
        }
    }
    slopes
}

fn moved(operands: &[Number], index: usize, value: Real) -> Vec<Number> {
    let mut operands = operands.to_vec();
    operands[index] = Value::Float(value);
    operands
}

/// The expansions stand for functions that have a reference too.
#[test]
fn expansions_agree_with_the_functions_they_stand_for() {
    let mut expanded = 0;
    for &function in Function::ALL {
        let Some(expansion) = function.expansion() else { continue };
        expanded += 1;
        for operands in points(function, POINTS) {
            let [Value::Float(expected)] = call(function, &operands)[..] else { panic!("one number") };
            let found = evaluate(expansion, &operands, &[]);
            // Near its zeros digamma is the difference of numbers of the order of 1.
            let error = (found - expected).abs() / expected.abs().max(0.1);
            assert!(error < 1e-12, "{function} at {operands:?}: {found:e}, should be {expected:e}");
        }
    }
    assert_eq!(expanded, 2, "digamma and trigamma");
}

/// C's own functions, for functions whose reference is a series of ours.
mod libm {
    // SAFETY: functions of the C library's mathematical part that read nothing but their operands.
    unsafe extern "C" {
        pub(super) safe fn erf(x: f64) -> f64;
        pub(super) safe fn erfc(x: f64) -> f64;
        pub(super) safe fn tgamma(x: f64) -> f64;
        pub(super) safe fn lgamma(x: f64) -> f64;
        pub(super) safe fn j0(x: f64) -> f64;
        pub(super) safe fn j1(x: f64) -> f64;
        pub(super) safe fn y0(x: f64) -> f64;
        pub(super) safe fn y1(x: f64) -> f64;
        pub(super) safe fn cbrt(x: f64) -> f64;
        pub(super) safe fn expm1(x: f64) -> f64;
        pub(super) safe fn log1p(x: f64) -> f64;
        pub(super) safe fn atan2(y: f64, x: f64) -> f64;
        pub(super) safe fn remainder(x: f64, y: f64) -> f64;
        pub(super) safe fn fmod(x: f64, y: f64) -> f64;
        pub(super) safe fn fdim(x: f64, y: f64) -> f64;
        pub(super) safe fn logb(x: f64) -> f64;
        pub(super) safe fn nextafter(x: f64, y: f64) -> f64;
        pub(super) safe fn hypot(x: f64, y: f64) -> f64;
        pub(super) safe fn jn(n: i32, x: f64) -> f64;
        pub(super) safe fn yn(n: i32, x: f64) -> f64;
        pub(super) safe fn ldexp(x: f64, n: i32) -> f64;
    }
}

type Unary = fn(f64) -> f64;
type Binary = fn(f64, f64) -> f64;
type Ordered = fn(i32, f64) -> f64;

#[test]
fn the_reference_means_what_c_means() {
    use libm::*;
    let unary: [(Function, Unary); 23] = [
        (Function::Erf, |x| erf(x)),
        (Function::Erfc, |x| erfc(x)),
        (Function::Tgamma, |x| tgamma(x)),
        (Function::Lgamma, |x| lgamma(x)),
        (Function::J0, |x| j0(x)),
        (Function::J1, |x| j1(x)),
        (Function::Y0, |x| y0(x)),
        (Function::Y1, |x| y1(x)),
        (Function::Cbrt, |x| cbrt(x)),
        (Function::Expm1, |x| expm1(x)),
        (Function::Log1p, |x| log1p(x)),
        (Function::Logb, |x| logb(x)),
        (Function::Round, f64::round),
        (Function::Roundeven, f64::round_ties_even),
        (Function::Trunc, f64::trunc),
        (Function::Floor, f64::floor),
        (Function::Ceil, f64::ceil),
        (Function::Tan, f64::tan),
        (Function::Acosh, f64::acosh),
        (Function::Asinh, f64::asinh),
        (Function::Atanh, f64::atanh),
        (Function::Log2, f64::log2),
        (Function::Exp2, f64::exp2),
    ];
    for (function, c) in unary {
        for operands in points(function, POINTS) {
            let [Value::Float(x)] = operands[..] else { panic!("one number") };
            agrees(function, &operands, c(x));
        }
    }
    let binary: [(Function, Binary); 10] = [
        (Function::Atan2, |y, x| atan2(y, x)),
        (Function::Remainder, |x, y| remainder(x, y)),
        (Function::Fmod, |x, y| fmod(x, y)),
        (Function::Fdim, |x, y| fdim(x, y)),
        (Function::Nextafter, |x, y| nextafter(x, y)),
        (Function::Hypot, |x, y| hypot(x, y)),
        (Function::Copysign, f64::copysign),
        (Function::Fmax, f64::max),
        (Function::Fmin, f64::min),
        (Function::Pow, f64::powf),
    ];
    for (function, c) in binary {
        for operands in points(function, POINTS) {
            let [Value::Float(x), Value::Float(y)] = operands[..] else { panic!("two numbers") };
            agrees(function, &operands, c(x, y));
        }
    }
    let ordered: [(Function, Ordered); 4] = [
        (Function::Jn, |n, x| jn(n, x)),
        (Function::Yn, |n, x| yn(n, x)),
        (Function::Ldexp, |n, x| ldexp(x, n)),
        (Function::Powi, |n, x| x.powi(n)),
    ];
    for (function, c) in ordered {
        for operands in points(function, POINTS) {
            let ([Value::Int(n), Value::Float(x)] | [Value::Float(x), Value::Int(n)]) = operands[..] else {
                panic!("an integer and a number")
            };
            agrees(function, &operands, c(i32::try_from(n).expect("a small order"), x));
        }
    }
}

fn agrees(function: Function, operands: &[Double], expected: f64) {
    let [Value::Float(found)] = call(function, operands)[..] else { panic!("one number") };
    // C libraries promise no more than this for Bessel functions and the gamma function's logarithm.
    let error = (found - expected).abs() / expected.abs().max(1e-2);
    assert!(error < 1e-12, "{function} at {operands:?}: {found:e}, C says {expected:e}");
}
