//! Where each rule is checked: the domain of each operand, away from jumps and poles, which the table of
//! edges covers.

use enzyme::rules::{Function, Kind, Value};

use crate::evaluate::Double;

/// Where an operand is taken from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Range {
    /// Evenly from an interval.
    Even(f64, f64),
    /// Positive numbers of all magnitudes between two.
    Magnitude(f64, f64),
    /// Numbers of both signs, of all magnitudes between two.
    Signed(f64, f64),
    /// Every integer between two, both included.
    Integers(i64, i64),
}

use Range::{Even, Integers, Magnitude, Signed};

/// The operands' ranges. One range serves all floating-point operands of a function whose operands are
/// alike.
fn ranges(function: Function) -> Vec<Range> {
    let alike = |range| vec![range; function.operands().len()];
    match function {
        Function::Fneg
        | Function::Fadd
        | Function::Fsub
        | Function::Fmul
        | Function::Fdiv
        | Function::Fma
        | Function::Freeze
        | Function::Fpext
        | Function::Fptrunc
        | Function::Fabs
        | Function::Copysign
        | Function::Canonicalize
        | Function::ArithmeticFence
        | Function::Reciprocal
        | Function::Fdim => alike(Signed(1e-6, 1e6)),
        Function::Select => vec![Integers(0, 1), Signed(1e-3, 1e3), Signed(1e-3, 1e3)],
        Function::Saturate => alike(Even(-1.0, 2.0)),
        Function::Fmax
        | Function::Fmin
        | Function::Fmaximum
        | Function::Fminimum
        | Function::FmaximumNum
        | Function::FminimumNum
        | Function::Fmaxmag
        | Function::Fminmag
        | Function::FmaximumMag
        | Function::FminimumMag
        | Function::FmaximumMagNum
        | Function::FminimumMagNum
        | Function::X86Max
        | Function::X86Min => alike(Signed(1e-2, 1e2)),
        Function::Frem | Function::Fmod | Function::Modulo | Function::Remainder | Function::Remquo => {
            vec![Signed(1e-2, 1e4), Signed(1e-2, 1e2)]
        }
        // The rounding mode is nearest.
        Function::Rem2pi => vec![Signed(1e-2, 1e4), Integers(0, 0)],
        Function::Floor
        | Function::Ceil
        | Function::Trunc
        | Function::Round
        | Function::Roundeven
        | Function::Rint
        | Function::Nearbyint
        | Function::Modf
        | Function::Frexp
        | Function::Fraction
        | Function::Significand
        | Function::Logb
        | Function::Nextup
        | Function::Nextdown
        | Function::Spacing
        | Function::ReciprocalSpacing => alike(Signed(1e-6, 1e6)),
        Function::Nextafter | Function::Nexttoward => alike(Signed(1e-3, 1e3)),
        Function::Nearest => vec![Signed(1e-3, 1e3), Integers(0, 1)],
        Function::Ldexp | Function::SetExponent => vec![Signed(1e-3, 1e3), Integers(-30, 30)],
        Function::Scalb => vec![Signed(1e-3, 1e3), Integers(-30, 30)],

        Function::Sin | Function::Cos | Function::Tan | Function::Sincos => alike(Signed(1e-4, 1e3)),
        Function::Sinpi | Function::Cospi | Function::Tanpi | Function::Sincospi => alike(Signed(1e-4, 1e2)),
        Function::Asin | Function::Acos | Function::Asinpi | Function::Acospi => {
            alike(Even(-0.999_999, 0.999_999))
        }
        Function::Atan | Function::Atanpi => alike(Signed(1e-4, 1e4)),
        Function::Atan2 | Function::Atan2pi => alike(Signed(1e-3, 1e3)),
        Function::Sinc | Function::Sincn => alike(Signed(1e-6, 30.0)),

        Function::Sinh | Function::Cosh => alike(Signed(1e-3, 50.0)),
        // Nearer to ±1 the result alone cannot tell the slope: see the rulebook.
        Function::Tanh => alike(Signed(1e-4, 6.0)),
        Function::Asinh => alike(Signed(1e-4, 1e6)),
        Function::Acosh => alike(Even(1.000_001, 50.0)),
        Function::Atanh => alike(Even(-0.999_999, 0.999_999)),

        Function::Exp | Function::Expm1 => alike(Signed(1e-4, 100.0)),
        Function::Exp2 | Function::Exp2m1 => alike(Signed(1e-4, 100.0)),
        Function::Exp10 | Function::Exp10m1 => alike(Signed(1e-4, 30.0)),
        Function::Log | Function::Log2 | Function::Log10 => alike(Magnitude(1e-8, 1e8)),
        Function::Log1p | Function::Log2p1 | Function::Log10p1 => alike(Even(-0.999, 50.0)),
        Function::Xlogy => vec![Signed(1e-3, 1e3), Magnitude(1e-3, 1e3)],
        Function::Pow | Function::Powr => vec![Magnitude(1e-3, 1e3), Even(-6.0, 6.0)],
        Function::Powi => vec![Signed(1e-2, 1e2), Integers(-9, 9)],
        Function::Rootn => vec![Magnitude(1e-3, 1e3), Integers(1, 9)],
        Function::Compoundn => vec![Even(-0.99, 2.0), Integers(-9, 9)],
        Function::Sqrt | Function::Rsqrt => alike(Magnitude(1e-8, 1e8)),
        Function::Cbrt | Function::Rcbrt => alike(Signed(1e-8, 1e8)),
        Function::Hypot
        | Function::Rhypot
        | Function::Norm3d
        | Function::Rnorm3d
        | Function::Norm4d
        | Function::Rnorm4d => alike(Signed(1e-3, 1e3)),

        Function::Erf | Function::Erfc => alike(Signed(1e-3, 7.0)),
        Function::Erfcx => alike(Even(-3.0, 100.0)),
        Function::Erfi => alike(Signed(1e-3, 5.0)),
        Function::Erfinv => alike(Even(-0.9999, 0.9999)),
        Function::Erfcinv => alike(Even(1e-4, 1.9999)),
        Function::Dawson | Function::FaddeevaIm => alike(Signed(1e-3, 100.0)),
        Function::Normcdf => alike(Signed(1e-3, 9.0)),
        Function::Normcdfinv => alike(Even(1e-4, 0.9999)),
        Function::Tgamma | Function::Lgamma | Function::LgammaR | Function::Digamma | Function::Trigamma => {
            alike(Signed(1e-2, 40.0))
        }
        Function::J0 | Function::J1 => alike(Signed(1e-2, 30.0)),
        Function::Jn => vec![Integers(-3, 6), Magnitude(1e-1, 30.0)],
        Function::Y0 | Function::Y1 => alike(Magnitude(1e-2, 30.0)),
        Function::Yn => vec![Integers(-3, 6), Magnitude(1e-1, 30.0)],
        Function::BesselI0 | Function::BesselI1 => alike(Signed(1e-2, 20.0)),

        Function::Cabs
        | Function::Carg
        | Function::Creal
        | Function::Cimag
        | Function::Conj
        | Function::Cproj
        | Function::Cmul
        | Function::Cdiv
        | Function::Cinv
        | Function::Clog
        | Function::Clog10
        | Function::Csqrt => alike(Signed(1e-2, 1e2)),
        Function::Cpow => alike(Signed(1e-1, 3.0)),
        Function::Cpowi => vec![Signed(1e-1, 3.0), Signed(1e-1, 3.0), Integers(-6, 6)],
        Function::Cexp
        | Function::Csin
        | Function::Ccos
        | Function::Ctan
        | Function::Casin
        | Function::Cacos
        | Function::Catan
        | Function::Csinh
        | Function::Ccosh
        | Function::Ctanh
        | Function::Casinh
        | Function::Cacosh
        | Function::Catanh => alike(Signed(1e-2, 3.0)),
        Function::Cerf
        | Function::Cerfc
        | Function::Cerfcx
        | Function::Cerfi
        | Function::Cfaddeeva
        | Function::Cdawson => alike(Signed(1e-2, 2.0)),
        Function::Cjn | Function::Cyn => vec![Integers(-2, 4), Signed(1e-1, 5.0), Signed(1e-1, 5.0)],

        // No floating-point operand, or no floating-point result: nothing to differentiate.
        Function::Fcmp
        | Function::Sitofp
        | Function::Uitofp
        | Function::Fptosi
        | Function::Fptoui
        | Function::Lround
        | Function::Llround
        | Function::Lrint
        | Function::Llrint
        | Function::Lfloor
        | Function::Lceil
        | Function::Fromfp
        | Function::Ilogb
        | Function::Classify
        | Function::IsFpclass
        | Function::Nan
        | Function::Getpayload
        | Function::Totalorder => Vec::new(),
    }
}

/// Some points in a function's domain, always the same; none if it has nothing to differentiate.
pub(crate) fn points(function: Function, count: usize) -> Vec<Vec<Double>> {
    let ranges = ranges(function);
    if ranges.is_empty() {
        return Vec::new();
    }
    let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ (function as u64) << 32);
    let mut points = Vec::with_capacity(count);
    for index in 0..count {
        let operand = |(range, kind): (&Range, &Kind)| match (range.sample(&mut random, index), kind) {
            // A step function of an integer operand that happens to be passed as a number.
            (Value::Int(n), Kind::Float) => Value::Float(n as f64),
            (value, _) => value,
        };
        points.push(ranges.iter().zip(function.operands()).map(operand).collect());
    }
    points
}

impl Range {
    fn sample(self, random: &mut Random, index: usize) -> Double {
        match self {
            Even(low, high) => Value::Float(low + (high - low) * random.next()),
            Magnitude(low, high) => Value::Float((low.ln() + (high / low).ln() * random.next()).exp()),
            Signed(low, high) => {
                let magnitude = (low.ln() + (high / low).ln() * random.next()).exp();
                Value::Float(if random.next() < 0.5 { -magnitude } else { magnitude })
            }
            Integers(low, high) => Value::Int(low + index as i64 % (high - low + 1)),
        }
    }
}

/// SplitMix64, so that the points are the same everywhere.
struct Random(u64);

impl Random {
    /// A number in [0, 1).
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^= bits >> 31;
        (bits >> 11) as f64 * 2f64.powi(-53)
    }
}
