//! The conventions of the rulebook at edges, where derivatives are infinite, one-sided or undefined.

use std::f64::consts::{FRAC_PI_2, LN_2, PI};

use enzyme::rules::{self, Function, Value};

use crate::evaluate::{Double, evaluate};

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

/// A point at an edge: the operands, the results C gives there, and all partials, row by row.
struct Edge {
    function: Function,
    operands: &'static [f64],
    results: &'static [f64],
    partials: &'static [f64],
}

/// One edge a line: function, operands, results, partials.
macro_rules! edges {
    ($($function:ident($($operand:expr),*) -> ($($result:expr),*): [$($partial:expr),*];)*) => {
        &[$(Edge {
            function: Function::$function,
            operands: &[$($operand),*],
            results: &[$($result),*],
            partials: &[$($partial),*],
        }),*]
    };
}

const EDGES: &[Edge] = edges! {
    // Roots at 0: an infinite slope is 0.
    Sqrt(0.0) -> (0.0): [0.0];
    Sqrt(-0.0) -> (-0.0): [0.0];
    Cbrt(0.0) -> (0.0): [0.0];
    Pow(0.0, 0.5) -> (0.0): [0.0, 0.0];
    Pow(0.0, 0.25) -> (0.0): [0.0, 0.0];
    Rootn(0.0, 3.0) -> (0.0): [0.0];
    Rootn(0.0, 1.0) -> (0.0): [1.0];
    Csqrt(0.0, 0.0) -> (0.0, 0.0): [0.0, 0.0, 0.0, 0.0];
    // Norms at the origin: 0, like the absolute value of a complex number.
    Hypot(0.0, 0.0) -> (0.0): [0.0, 0.0];
    Hypot(-3.0, 0.0) -> (3.0): [-1.0, 0.0];
    Norm3d(0.0, 0.0, 0.0) -> (0.0): [0.0, 0.0, 0.0];
    Norm4d(0.0, 0.0, 0.0, 0.0) -> (0.0): [0.0, 0.0, 0.0, 0.0];
    Cabs(0.0, 0.0) -> (0.0): [0.0, 0.0];
    // Angles at the origin: 0.
    Atan2(0.0, 0.0) -> (0.0): [0.0, 0.0];
    Atan2(0.0, -1.0) -> (PI): [-1.0, 0.0];
    Atan2pi(0.0, 0.0) -> (0.0): [0.0, 0.0];
    Carg(0.0, 0.0) -> (0.0): [0.0, 0.0];
    // The ends of inverse functions with a vertical tangent: 0; where the value is infinite, infinite.
    Asin(1.0) -> (FRAC_PI_2): [0.0];
    Asin(-1.0) -> (-FRAC_PI_2): [0.0];
    Acos(1.0) -> (0.0): [0.0];
    Acos(-1.0) -> (PI): [0.0];
    Asinpi(1.0) -> (0.5): [0.0];
    Acospi(-1.0) -> (1.0): [0.0];
    Acosh(1.0) -> (0.0): [0.0];
    Casin(1.0, 0.0) -> (FRAC_PI_2, 0.0): [0.0, 0.0, 0.0, 0.0];
    Cacosh(1.0, 0.0) -> (0.0, 0.0): [0.0, 0.0, 0.0, 0.0];
    Atanh(1.0) -> (INF): [INF];
    Atanh(-1.0) -> (-INF): [INF];
    Log(0.0) -> (-INF): [INF];
    Log1p(-1.0) -> (-INF): [INF];
    Erfinv(1.0) -> (INF): [INF];
    // Powers with exponent 0, 1 and 2 at base 0, and with negative bases.
    Pow(0.0, 0.0) -> (1.0): [0.0, 0.0];
    Pow(0.0, 1.0) -> (0.0): [1.0, 0.0];
    Pow(0.0, 2.0) -> (0.0): [0.0, 0.0];
    Pow(-0.0, 1.0) -> (-0.0): [1.0, 0.0];
    Pow(0.0, 3.0) -> (0.0): [0.0, 0.0];
    Pow(5.0, 0.0) -> (1.0): [0.0, 1.6094379124341003];
    Pow(-2.0, 3.0) -> (-8.0): [12.0, 0.0];
    Pow(-2.0, 0.0) -> (1.0): [0.0, 0.0];
    Pow(-2.0, -1.0) -> (-0.5): [-0.25, 0.0];
    Pow(INF, -1.0) -> (0.0): [-0.0, 0.0];
    Powr(0.0, 2.0) -> (0.0): [0.0, 0.0];
    Powi(0.0, 0.0) -> (1.0): [0.0];
    Powi(0.0, 1.0) -> (0.0): [1.0];
    Powi(0.0, 2.0) -> (0.0): [0.0];
    Powi(-3.0, 2.0) -> (9.0): [-6.0];
    Powi(0.0, -1.0) -> (INF): [-INF];
    Compoundn(-1.0, 0.0) -> (1.0): [0.0];
    Compoundn(-1.0, 1.0) -> (0.0): [1.0];
    Compoundn(-1.0, 2.0) -> (0.0): [0.0];
    Cpow(0.0, 0.0, 1.0, 0.0) -> (0.0, 0.0): [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0];
    Cpow(0.0, 0.0, 2.0, 0.0) -> (0.0, 0.0): [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    Cpowi(0.0, 0.0, 0.0) -> (1.0, 0.0): [0.0, 0.0, 0.0, 0.0];
    Cpowi(0.0, 0.0, 1.0) -> (0.0, 0.0): [1.0, 0.0, 0.0, 1.0];
    // x·log(y).
    Xlogy(0.0, 0.0) -> (0.0): [0.0, 0.0];
    Xlogy(0.0, 2.0) -> (0.0): [LN_2, 0.0];
    Xlogy(1.0, 0.0) -> (-INF): [-INF, INF];
    // Absolute value and copied signs: the right-hand slope at 0; the sign bit counts for copysign.
    Fabs(0.0) -> (0.0): [1.0];
    Fabs(-0.0) -> (0.0): [1.0];
    Fabs(-2.0) -> (2.0): [-1.0];
    Copysign(0.0, -1.0) -> (-0.0): [-1.0, 0.0];
    Copysign(-0.0, -1.0) -> (-0.0): [1.0, 0.0];
    Copysign(-2.0, 0.0) -> (2.0): [-1.0, 0.0];
    Copysign(-2.0, -0.0) -> (-2.0): [1.0, 0.0];
    // Ties go to the first operand; a NaN is skipped or returned, and so is its derivative.
    Fmax(1.0, 1.0) -> (1.0): [1.0, 0.0];
    Fmin(1.0, 1.0) -> (1.0): [1.0, 0.0];
    Fmax(0.0, -0.0) -> (0.0): [1.0, 0.0];
    Fmax(NAN, 1.0) -> (1.0): [0.0, 1.0];
    Fmax(1.0, NAN) -> (1.0): [1.0, 0.0];
    Fmin(NAN, 1.0) -> (1.0): [0.0, 1.0];
    Fmin(1.0, NAN) -> (1.0): [1.0, 0.0];
    Fmaximum(1.0, 1.0) -> (1.0): [1.0, 0.0];
    Fmaximum(NAN, 1.0) -> (NAN): [1.0, 0.0];
    Fmaximum(1.0, NAN) -> (NAN): [0.0, 1.0];
    Fminimum(1.0, 1.0) -> (1.0): [1.0, 0.0];
    Fminimum(NAN, 1.0) -> (NAN): [1.0, 0.0];
    Fminimum(1.0, NAN) -> (NAN): [0.0, 1.0];
    FmaximumNum(NAN, 1.0) -> (1.0): [0.0, 1.0];
    FminimumNum(1.0, NAN) -> (1.0): [1.0, 0.0];
    Fmaxmag(-2.0, 2.0) -> (2.0): [0.0, 1.0];
    Fmaxmag(2.0, 2.0) -> (2.0): [1.0, 0.0];
    Fmaxmag(NAN, 1.0) -> (1.0): [0.0, 1.0];
    Fminmag(-2.0, 2.0) -> (-2.0): [1.0, 0.0];
    Fminmag(1.0, NAN) -> (1.0): [1.0, 0.0];
    FmaximumMag(-2.0, 1.0) -> (-2.0): [1.0, 0.0];
    FmaximumMag(NAN, 1.0) -> (NAN): [1.0, 0.0];
    FminimumMag(-2.0, 1.0) -> (1.0): [0.0, 1.0];
    FminimumMag(1.0, NAN) -> (NAN): [0.0, 1.0];
    FmaximumMagNum(1.0, NAN) -> (1.0): [1.0, 0.0];
    FminimumMagNum(NAN, 1.0) -> (1.0): [0.0, 1.0];
    X86Max(1.0, 1.0) -> (1.0): [0.0, 1.0];
    X86Max(NAN, 1.0) -> (1.0): [0.0, 1.0];
    X86Min(1.0, 1.0) -> (1.0): [0.0, 1.0];
    X86Min(1.0, NAN) -> (NAN): [0.0, 1.0];
    Fdim(1.0, 1.0) -> (0.0): [0.0, 0.0];
    Saturate(0.0) -> (0.0): [1.0];
    Saturate(1.0) -> (1.0): [1.0];
    // Rounding and remainders at a jump: the piece the result belongs to.
    Floor(2.0) -> (2.0): [0.0];
    Round(0.5) -> (1.0): [0.0];
    Fmod(6.0, 3.0) -> (0.0): [1.0, -2.0];
    Fmod(-7.0, 3.0) -> (-1.0): [1.0, 2.0];
    Fmod(2.0, INF) -> (2.0): [1.0, 0.0];
    Frem(6.0, 3.0) -> (0.0): [1.0, -2.0];
    Remainder(1.5, 1.0) -> (-0.5): [1.0, -2.0];
    Modulo(-7.0, 3.0) -> (2.0): [1.0, 3.0];
    Modf(2.0) -> (0.0, 2.0): [1.0, 0.0];
    Fraction(0.0) -> (0.0): [1.0];
    Significand(0.0) -> (0.0): [1.0];
    SetExponent(0.0, 4.0) -> (0.0): [0.0];
    ReciprocalSpacing(0.0) -> (0.0): [0.0];
    Ldexp(0.0, 3.0) -> (0.0): [8.0];
    Scalb(3.0, 2.0) -> (12.0): [4.0, 0.0];
    Nextafter(1.0, 1.0) -> (1.0): [1.0, 0.0];
    Logb(1.0) -> (0.0): [0.0];
    // Removable singularities.
    Sinc(0.0) -> (1.0): [0.0];
    Sincn(0.0) -> (1.0): [0.0];
    J1(0.0) -> (0.0): [0.5];
    BesselI1(0.0) -> (0.0): [0.5];
    // Poles.
    Fdiv(1.0, 0.0) -> (INF): [INF, -INF];
    Reciprocal(0.0) -> (INF): [-INF];
    Rsqrt(0.0) -> (INF): [-INF];
};

#[test]
fn edges_have_the_documented_values() {
    for edge in EDGES {
        let rule = rules::rule(edge.function);
        let operands = numbers(edge.operands, edge.function.operands());
        let results = numbers(edge.results, edge.function.results());
        let columns = operands.len();
        let floats: Vec<usize> =
            (0..columns).filter(|&operand| edge.function.is_float_operand(operand)).collect();
        assert_eq!(edge.partials.len(), floats.len() * results.len(), "all partials of {}", edge.function);
        for (index, &expected) in edge.partials.iter().enumerate() {
            let (result, operand) = (index / floats.len(), floats[index % floats.len()]);
            let partial = rule.partial(result, operand);
            let found = evaluate(partial.expr(), &operands, &results);
            let is_right = found == expected || (found - expected).abs() < 1e-15;
            assert!(
                is_right,
                "{} at {:?}: d{}/d{} is {found}, the rulebook says {expected}",
                edge.function,
                edge.operands,
                rule.result_names()[result],
                rule.operand_names()[operand],
            );
        }
    }
    assert!(EDGES.len() >= 120, "{} edges", EDGES.len());
}

fn numbers(values: &[f64], kinds: &[rules::Kind]) -> Vec<Double> {
    assert_eq!(values.len(), kinds.len());
    let number = |(&value, kind): (&f64, &rules::Kind)| match kind {
        rules::Kind::Float => Value::Float(value),
        rules::Kind::Int | rules::Kind::Opaque => Value::Int(value as i64),
    };
    values.iter().zip(kinds).map(number).collect()
}
