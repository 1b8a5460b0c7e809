//! Where each function is tested: a few points inside its domain, and the edges of the rulebook.

use enzyme::rules::{Function, Kind};

/// The operands of one call: floats and integers in order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Point {
    pub(crate) floats: Vec<f64>,
    pub(crate) integers: Vec<i64>,
}

/// What the rulebook says at one point where no difference quotient can.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) function: Function,
    operands: &'static [f64],
    /// All partials, row by row; only of floats.
    partials: &'static [f64],
}

// All numbers here have at most eight significant bits, so that every type holds them exactly.
const ANY: &[&[f64]] = &[&[-2.375], &[-0.75], &[0.375], &[1.25], &[3.25]];
const UNIT: &[&[f64]] = &[&[-0.875], &[-0.25], &[0.125], &[0.5], &[0.75]];
const UNIT_AWAY_FROM_POLES: &[&[f64]] = &[&[-0.875], &[-0.25], &[0.125], &[1.25]];
const INSIDE_UNIT: &[&[f64]] = &[&[0.125], &[0.25], &[0.625], &[0.75], &[0.875]];
const POSITIVE: &[&[f64]] = &[&[0.125], &[0.75], &[1.5], &[4.5], &[20.0]];
const FROM_HALF: &[&[f64]] = &[&[0.75], &[1.5], &[2.75], &[4.5], &[20.0]];
const TWO: &[&[f64]] = &[&[1.5], &[-2.5]];
const ABOVE_ONE: &[&[f64]] = &[&[1.125], &[1.5], &[2.75], &[10.0]];
const ABOVE_MINUS_ONE: &[&[f64]] = &[&[-0.875], &[-0.25], &[0.375], &[4.5]];
const BETWEEN_INTEGERS: &[&[f64]] = &[&[0.375], &[1.25], &[4.75]];
const NO_POLE: &[&[f64]] = &[&[-2.375], &[-0.75], &[0.375], &[1.25], &[4.5]];
const PAIRS: &[&[f64]] = &[&[1.5, -0.75], &[-2.25, 0.5], &[0.375, 3.0], &[-1.75, -2.5], &[5.5, 1.25]];
const POWERS: &[&[f64]] = &[&[1.5, -0.75], &[0.25, 0.5], &[0.375, 3.0], &[2.0, -2.5], &[5.5, 1.25]];
const SECOND_POSITIVE: &[&[f64]] = &[&[1.5, 0.75], &[-2.25, 0.5], &[0.375, 3.0], &[-1.75, 2.5]];
const SECOND_INTEGER: &[&[f64]] = &[&[1.5, -2.0], &[-2.25, 3.0], &[0.375, 0.0]];
const QUOTIENTS: &[&[f64]] = &[&[5.5, 2.25], &[-7.25, 3.0], &[1.25, -0.5625], &[-9.0, -2.5]];
const TRIPLES: &[&[f64]] =
    &[&[1.5, -0.75, 2.0], &[-2.25, 0.5, -0.375], &[0.375, 3.0, -1.0], &[-1.75, -2.5, 0.5]];
const QUADRUPLES: &[&[f64]] = &[
    &[1.5, -0.75, 2.0, 0.625],
    &[-0.25, 0.5, -0.375, 1.25],
    &[0.375, 1.75, -1.0, -0.5],
    &[-1.75, -0.5, 0.5, 0.75],
];
const FIVES: &[&[f64]] = &[&[1.5, -0.75, 2.0, 0.625, -3.0], &[-0.25, 0.5, -0.375, 1.25, 4.0]];
const COMPLEX: &[&[f64]] = &[&[0.5, 0.25], &[-0.75, 0.5], &[0.625, -1.25], &[-1.5, -0.875], &[2.25, 0.375]];

/// The points at which a function is tested.
pub(crate) fn points(function: Function) -> Vec<Point> {
    let (floats, integers): (&[&[f64]], &[i64]) = match function {
        Function::Asin
        | Function::Acos
        | Function::Asinpi
        | Function::Acospi
        | Function::Atanh
        | Function::Erfinv => (UNIT, &[]),
        Function::Erfcinv | Function::Normcdfinv => (INSIDE_UNIT, &[]),
        Function::Log
        | Function::Log2
        | Function::Log10
        | Function::Sqrt
        | Function::Rsqrt
        | Function::Y0
        | Function::Y1 => (POSITIVE, &[]),
        // Nearer to 0 the functions that the derivative subtracts are too large for a `half`.
        Function::Yn => (FROM_HALF, &[3, -2, 1, 2, 0]),
        Function::Jn => (ANY, &[3, -2, 1, 2, 0]),
        Function::Acosh => (ABOVE_ONE, &[]),
        Function::Log1p | Function::Log2p1 | Function::Log10p1 => (ABOVE_MINUS_ONE, &[]),
        Function::Compoundn => (ABOVE_MINUS_ONE, &[3, -2, 1, 0]),
        Function::Rootn => (POSITIVE, &[3, 2, 1, 5]),
        Function::Tgamma | Function::Lgamma | Function::LgammaR | Function::Digamma | Function::Trigamma => {
            (NO_POLE, &[])
        }
        Function::Tanpi => (UNIT_AWAY_FROM_POLES, &[]),
        Function::Pow | Function::Powr => (POWERS, &[]),
        Function::Xlogy => (SECOND_POSITIVE, &[]),
        Function::Scalb => (SECOND_INTEGER, &[]),
        Function::Fptoui => (BETWEEN_INTEGERS, &[]),
        // To the nearest, ties to even, in 32 bits.
        Function::Fromfp => (BETWEEN_INTEGERS, &[4, 32]),
        Function::Sitofp => (TWO, &[-7, 12]),
        Function::Uitofp => (TWO, &[7, 12]),
        Function::Select => (PAIRS, &[0, 1]),
        Function::Powi | Function::Ldexp | Function::SetExponent => (ANY, &[3, -2, 1, 2, 0]),
        Function::Nearest => (ANY, &[0, 1]),
        Function::Rem2pi => (ANY, &[0]),
        Function::Classify
        | Function::IsFpclass
        | Function::Nan
        | Function::Getpayload
        | Function::Totalorder => (TWO, &[]),
        Function::Cpowi => (COMPLEX, &[3, -2, 1, 2, 0]),
        Function::Cjn | Function::Cyn => (COMPLEX, &[3, -2, 1, 2, 0]),
        Function::Fmod | Function::Frem | Function::Remainder | Function::Remquo | Function::Modulo => {
            (QUOTIENTS, &[])
        }
        other if other.is_complex() && other.operands().len() == 2 => (COMPLEX, &[]),
        other => (of_any_numbers(other.operands().iter().filter(|kind| **kind == Kind::Float).count()), &[]),
    };
    let count = function.operands().iter().filter(|kind| **kind == Kind::Int).count();
    let integers_at = |index: usize| match (function, integers) {
        (Function::Fromfp, both) => both.to_vec(),
        (_, []) => vec![0; count],
        (_, some) => vec![some[index % some.len()]],
    };
    let point =
        |(index, floats): (usize, &&[f64])| Point { floats: floats.to_vec(), integers: integers_at(index) };
    floats.iter().enumerate().map(point).collect()
}

/// Points for a function that is defined for all numbers, of as many operands as it has.
pub(crate) fn of_any_numbers(count: usize) -> &'static [&'static [f64]] {
    match count {
        0 | 1 => ANY,
        2 => PAIRS,
        3 => TRIPLES,
        4 => QUADRUPLES,
        _ => FIVES,
    }
}

/// The edges of one result of a function: the point, and the partials there.
pub(crate) fn edges(function: Function, result: usize) -> Vec<(Point, Vec<f64>)> {
    let columns = function.operands().iter().filter(|kind| **kind == Kind::Float).count();
    EDGES
        .iter()
        .filter(|edge| edge.function == function)
        .map(|edge| {
            let mut point = Point { floats: vec![], integers: vec![] };
            for (&operand, kind) in edge.operands.iter().zip(function.operands()) {
                match kind {
                    Kind::Float => point.floats.push(operand),
                    Kind::Int | Kind::Opaque => point.integers.push(operand as i64),
                }
            }
            (point, edge.partials[result * columns..][..columns].to_vec())
        })
        .collect()
}

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

/// One edge a line: function, operands, partials.
macro_rules! edges {
    ($($function:ident($($operand:expr),*): [$($partial:expr),*];)*) => {
        &[$(Edge {
            function: Function::$function,
            operands: &[$($operand),*],
            partials: &[$($partial),*],
        }),*]
    };
}

/// The rulebook's conventions. What is listed there for a library that rounds an edge away (`acos(-1)` is π
/// rounded, for one) holds just as well.
const EDGES: &[Edge] = edges! {
    Sqrt(0.0): [0.0];
    Sqrt(-0.0): [0.0];
    Cbrt(0.0): [0.0];
    Pow(0.0, 0.5): [0.0, 0.0];
    Pow(0.0, 0.0): [0.0, 0.0];
    Pow(0.0, 1.0): [1.0, 0.0];
    Pow(0.0, 2.0): [0.0, 0.0];
    Pow(-0.0, 1.0): [1.0, 0.0];
    Pow(5.0, 0.0): [0.0, 1.6094379124341003];
    Pow(-2.0, 3.0): [12.0, 0.0];
    Pow(-2.0, 0.0): [0.0, 0.0];
    Pow(-2.0, -1.0): [-0.25, 0.0];
    Powr(0.0, 2.0): [0.0, 0.0];
    Powi(0.0, 0.0): [0.0];
    Powi(0.0, 1.0): [1.0];
    Powi(0.0, 2.0): [0.0];
    Powi(0.0, -1.0): [-INF];
    Rootn(0.0, 3.0): [0.0];
    Rootn(0.0, 1.0): [1.0];
    Compoundn(-1.0, 0.0): [0.0];
    Compoundn(-1.0, 1.0): [1.0];
    Compoundn(-1.0, 2.0): [0.0];
    Xlogy(0.0, 0.0): [0.0, 0.0];
    Xlogy(0.0, 2.0): [std::f64::consts::LN_2, 0.0];
    Xlogy(1.0, 0.0): [-INF, INF];
    Hypot(0.0, 0.0): [0.0, 0.0];
    Hypot(-3.0, 0.0): [-1.0, 0.0];
    Norm3d(0.0, 0.0, 0.0): [0.0, 0.0, 0.0];
    Norm4d(0.0, 0.0, 0.0, 0.0): [0.0, 0.0, 0.0, 0.0];
    Atan2(0.0, 0.0): [0.0, 0.0];
    Atan2(0.0, -1.0): [-1.0, 0.0];
    Atan2pi(0.0, 0.0): [0.0, 0.0];
    Asin(1.0): [0.0];
    Asin(-1.0): [0.0];
    Acos(1.0): [0.0];
    Acos(-1.0): [0.0];
    Asinpi(1.0): [0.0];
    Acospi(-1.0): [0.0];
    Acosh(1.0): [0.0];
    Atanh(1.0): [INF];
    Atanh(-1.0): [INF];
    Log(0.0): [INF];
    Log2(0.0): [INF];
    Log10(0.0): [INF];
    Log1p(-1.0): [INF];
    Fabs(0.0): [1.0];
    Fabs(-0.0): [1.0];
    Fabs(-2.0): [-1.0];
    Copysign(0.0, -1.0): [-1.0, 0.0];
    Copysign(-0.0, -1.0): [1.0, 0.0];
    Copysign(-2.0, -0.0): [1.0, 0.0];
    Fmax(1.0, 1.0): [1.0, 0.0];
    Fmin(1.0, 1.0): [1.0, 0.0];
    Fmax(0.0, -0.0): [1.0, 0.0];
    Fmax(NAN, 1.0): [0.0, 1.0];
    Fmax(1.0, NAN): [1.0, 0.0];
    Fmin(NAN, 1.0): [0.0, 1.0];
    Fmin(1.0, NAN): [1.0, 0.0];
    Fmaximum(1.0, 1.0): [1.0, 0.0];
    Fmaximum(NAN, 1.0): [1.0, 0.0];
    Fmaximum(1.0, NAN): [0.0, 1.0];
    Fminimum(1.0, 1.0): [1.0, 0.0];
    Fminimum(NAN, 1.0): [1.0, 0.0];
    Fminimum(1.0, NAN): [0.0, 1.0];
    FmaximumNum(NAN, 1.0): [0.0, 1.0];
    FminimumNum(1.0, NAN): [1.0, 0.0];
    Fmaxmag(-2.0, 2.0): [0.0, 1.0];
    Fmaxmag(2.0, 2.0): [1.0, 0.0];
    Fminmag(-2.0, 2.0): [1.0, 0.0];
    FmaximumMag(NAN, 1.0): [1.0, 0.0];
    FminimumMag(1.0, NAN): [0.0, 1.0];
    FmaximumMagNum(1.0, NAN): [1.0, 0.0];
    FminimumMagNum(NAN, 1.0): [0.0, 1.0];
    X86Max(1.0, 1.0): [0.0, 1.0];
    X86Min(1.0, 1.0): [0.0, 1.0];
    Fdim(1.0, 1.0): [0.0, 0.0];
    Saturate(0.0): [1.0];
    Saturate(1.0): [1.0];
    Floor(2.0): [0.0];
    Round(0.5): [0.0];
    Fmod(6.0, 3.0): [1.0, -2.0];
    Fmod(-7.0, 3.0): [1.0, 2.0];
    Frem(6.0, 3.0): [1.0, -2.0];
    Remainder(1.5, 1.0): [1.0, -2.0];
    Modulo(-7.0, 3.0): [1.0, 3.0];
    Modf(2.0): [1.0, 0.0];
    Fraction(0.0): [1.0];
    Significand(0.0): [1.0];
    SetExponent(0.0, 4.0): [0.0];
    ReciprocalSpacing(0.0): [0.0];
    Ldexp(0.0, 3.0): [8.0];
    Nextafter(1.0, 1.0): [1.0, 0.0];
    Logb(1.0): [0.0];
    Sinc(0.0): [0.0];
    Sincn(0.0): [0.0];
    J1(0.0): [0.5];
    BesselI1(0.0): [0.5];
    Fdiv(1.0, 0.0): [INF, -INF];
    Reciprocal(0.0): [-INF];
    Rsqrt(0.0): [-INF];
    Cabs(0.0, 0.0): [0.0, 0.0];
    Carg(0.0, 0.0): [0.0, 0.0];
    Csqrt(0.0, 0.0): [0.0, 0.0, 0.0, 0.0];
    Casin(1.0, 0.0): [0.0, 0.0, 0.0, 0.0];
    Cacosh(1.0, 0.0): [0.0, 0.0, 0.0, 0.0];
    Cpow(0.0, 0.0, 1.0, 0.0): [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0];
    Cpow(0.0, 0.0, 2.0, 0.0): [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    Cpowi(0.0, 0.0, 0.0): [0.0, 0.0, 0.0, 0.0];
    Cpowi(0.0, 0.0, 1.0): [1.0, 0.0, 0.0, 1.0];
};
