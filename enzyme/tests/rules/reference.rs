//! What each canonical function computes, with 256 bits. This is the independent definition that the
//! rules are checked against; the match has no default, so a function cannot enter without one.

use enzyme::rules::{Function, Value};

use crate::complex::Complex;
use crate::real::Real;
use crate::special;

/// An operand or a result.
pub(crate) type Number = Value<Real, i64>;

/// All results of a function.
///
/// Rounding functions and parts of numbers treat the operands as doubles: their steps are those of
/// doubles. Where a function has a jump, the result is that of C.
pub(crate) fn primal(function: Function, arguments: &[Number]) -> Vec<Number> {
    let call = Arguments(arguments);
    match function {
        Function::Fneg => call.one(|x| -x),
        Function::Fadd => call.two(|x, y| x + y),
        Function::Fsub => call.two(|x, y| x - y),
        Function::Fmul => call.two(|x, y| x * y),
        Function::Fdiv => call.two(|x, y| x / y),
        Function::Frem | Function::Fmod => call.two(|x, y| x - (x / y).trunc() * y),
        Function::Modulo => call.two(|x, y| x - (x / y).floor() * y),
        Function::Remainder => call.two(|x, y| x - (x / y).round_even() * y),
        Function::Remquo => {
            let (x, y) = (call.float(0), call.float(1));
            let quotient = (x / y).round_even();
            vec![Value::Float(x - &quotient * y), Value::Int(quotient.to_f64() as i64)]
        }
        Function::Rem2pi => call.one(|x| {
            let period = 2.0 * Real::pi();
            x - (x / &period).round_even() * period
        }),
        Function::Fcmp => call.integer(i64::from(call.float(0) < call.float(1))),
        Function::Freeze
        | Function::Fpext
        | Function::Fptrunc
        | Function::Canonicalize
        | Function::ArithmeticFence => call.one(Real::clone),
        Function::Select => call.float_result(call.float(if call.int(0) != 0 { 1 } else { 2 }).clone()),
        Function::Sitofp | Function::Uitofp => call.float_result(Real::from(call.int(0) as f64)),
        Function::Fptosi | Function::Fptoui => call.integer(call.float(0).trunc().to_f64() as i64),
        Function::Fma => call.float_result(call.float(0) * call.float(1) + call.float(2)),
        Function::Fdim => call.two(|x, y| if x > y { x - y } else { Real::from(0.0) }),
        Function::Fabs => call.one(Real::abs),
        Function::Copysign => call.two(|x, y| if y.is_negative() { -x.abs() } else { x.abs() }),
        Function::Reciprocal => call.one(|x| 1.0 / x),
        Function::Saturate => call.one(|x| clamp(x, 0.0, 1.0)),

        Function::Fmax | Function::Fmaximum | Function::FmaximumNum | Function::X86Max => {
            call.two(|x, y| if x > y { x } else { y }.clone())
        }
        Function::Fmin | Function::Fminimum | Function::FminimumNum | Function::X86Min => {
            call.two(|x, y| if x < y { x } else { y }.clone())
        }
        Function::Fmaxmag | Function::FmaximumMag | Function::FmaximumMagNum => {
            call.two(|x, y| if x.abs() > y.abs() { x } else { y }.clone())
        }
        Function::Fminmag | Function::FminimumMag | Function::FminimumMagNum => {
            call.two(|x, y| if x.abs() < y.abs() { x } else { y }.clone())
        }

        Function::Floor => call.one(Real::floor),
        Function::Ceil => call.one(Real::ceil),
        Function::Trunc => call.one(Real::trunc),
        Function::Round => call.one(Real::round_away),
        Function::Roundeven | Function::Rint | Function::Nearbyint => call.one(Real::round_even),
        Function::Lround | Function::Llround => call.integer(call.float(0).round_away().to_f64() as i64),
        Function::Lrint | Function::Llrint => call.integer(call.float(0).round_even().to_f64() as i64),
        Function::Lfloor => call.integer(call.float(0).floor().to_f64() as i64),
        Function::Lceil => call.integer(call.float(0).ceil().to_f64() as i64),
        Function::Fromfp => call.integer(call.float(0).round_even().to_f64() as i64),
        Function::Modf => {
            let integral = call.float(0).trunc();
            vec![Value::Float(call.float(0) - &integral), Value::Float(integral)]
        }
        Function::Frexp => {
            let exponent = call.float(0).exponent();
            vec![Value::Float(call.float(0) * Real::power_of_two(-exponent)), Value::Int(exponent)]
        }
        Function::Fraction => call.one(|x| x * Real::power_of_two(-x.exponent())),
        Function::Significand => call.one(|x| x * Real::power_of_two(1 - x.exponent())),
        Function::Ldexp => call.float_result(call.float(0) * Real::power_of_two(call.int(1))),
        Function::SetExponent => {
            call.float_result(call.float(0) * Real::power_of_two(call.int(1) - call.float(0).exponent()))
        }
        // The second operand has to be an integer; between integers C rounds it, so it is a step function.
        Function::Scalb => call.two(|x, y| x * Real::power_of_two(y.round_even().to_f64() as i64)),
        Function::Logb => call.one(|x| Real::from((x.exponent() - 1) as f64)),
        Function::Ilogb => call.integer(call.float(0).exponent() - 1),
        Function::Nextafter | Function::Nexttoward => {
            call.two(|x, y| if y > x { x + unit(x) } else { x - unit(x) })
        }
        Function::Nextup => call.one(|x| x + unit(x)),
        Function::Nextdown => call.one(|x| x - unit(x)),
        Function::Nearest => {
            let step = unit(call.float(0));
            call.float_result(if call.int(1) != 0 { call.float(0) + step } else { call.float(0) - step })
        }
        Function::Spacing => call.one(unit),
        Function::ReciprocalSpacing => call.one(|x| x.abs() / unit(x)),
        Function::Classify | Function::IsFpclass => call.integer(i64::from(call.float(0).is_zero())),
        Function::Nan | Function::Getpayload => call.float_result(Real::from(f64::NAN)),
        Function::Totalorder => call.integer(0),

        Function::Sin => call.one(Real::sin),
        Function::Cos => call.one(Real::cos),
        Function::Tan => call.one(Real::tan),
        Function::Asin => call.one(Real::asin),
        Function::Acos => call.one(Real::acos),
        Function::Atan => call.one(Real::atan),
        Function::Atan2 => call.two(|y, x| x.angle_to(y)),
        Function::Sincos => vec![Value::Float(call.float(0).sin()), Value::Float(call.float(0).cos())],
        Function::Sinpi => call.one(|x| (x * Real::pi()).sin()),
        Function::Cospi => call.one(|x| (x * Real::pi()).cos()),
        Function::Tanpi => call.one(|x| (x * Real::pi()).tan()),
        Function::Asinpi => call.one(|x| x.asin() / Real::pi()),
        Function::Acospi => call.one(|x| x.acos() / Real::pi()),
        Function::Atanpi => call.one(|x| x.atan() / Real::pi()),
        Function::Atan2pi => call.two(|y, x| x.angle_to(y) / Real::pi()),
        Function::Sincospi => {
            let angle = call.float(0) * Real::pi();
            vec![Value::Float(angle.sin()), Value::Float(angle.cos())]
        }
        Function::Sinc => call.one(sinc),
        Function::Sincn => call.one(|x| sinc(&(x * Real::pi()))),

        Function::Sinh => call.one(Real::sinh),
        Function::Cosh => call.one(Real::cosh),
        Function::Tanh => call.one(Real::tanh),
        Function::Asinh => call.one(Real::asinh),
        Function::Acosh => call.one(Real::acosh),
        Function::Atanh => call.one(Real::atanh),

        Function::Exp => call.one(Real::exp),
        Function::Exp2 => call.one(|x| (x * Real::from(2.0).ln()).exp()),
        Function::Exp10 => call.one(|x| (x * Real::from(10.0).ln()).exp()),
        Function::Expm1 => call.one(|x| x.exp() - 1.0),
        Function::Exp2m1 => call.one(|x| (x * Real::from(2.0).ln()).exp() - 1.0),
        Function::Exp10m1 => call.one(|x| (x * Real::from(10.0).ln()).exp() - 1.0),
        Function::Log => call.one(Real::ln),
        Function::Log2 => call.one(Real::log2),
        Function::Log10 => call.one(Real::log10),
        Function::Log1p => call.one(|x| (x + 1.0).ln()),
        Function::Log2p1 => call.one(|x| (x + 1.0).log2()),
        Function::Log10p1 => call.one(|x| (x + 1.0).log10()),
        Function::Xlogy => call.two(|x, y| if x.is_zero() { x.clone() } else { x * y.ln() }),
        Function::Pow | Function::Powr => call.two(Real::pow),
        Function::Powi => call.float_result(call.float(0).powi(call.int(1))),
        Function::Rootn => call.float_result(rootn(call.float(0), call.int(1))),
        Function::Compoundn => call.float_result((call.float(0) + 1.0).powi(call.int(1))),
        Function::Sqrt => call.one(Real::sqrt),
        Function::Rsqrt => call.one(|x| 1.0 / x.sqrt()),
        Function::Cbrt => call.one(Real::cbrt),
        Function::Rcbrt => call.one(|x| 1.0 / x.cbrt()),
        Function::Hypot | Function::Norm3d | Function::Norm4d => call.float_result(call.norm()),
        Function::Rhypot | Function::Rnorm3d | Function::Rnorm4d => call.float_result(1.0 / call.norm()),

        Function::Erf => call.one(special::erf),
        Function::Erfc => call.one(special::erfc),
        Function::Erfcx => call.one(special::erfcx),
        Function::Erfi => call.one(special::erfi),
        Function::Erfinv => call.one(special::erfinv),
        Function::Erfcinv => call.one(special::erfcinv),
        Function::Dawson => call.one(special::dawson),
        Function::FaddeevaIm => call.one(|x| 2.0 * special::dawson(x) / Real::pi().sqrt()),
        Function::Normcdf => call.one(|x| special::erfc(&(-x / Real::from(2.0).sqrt())) / 2.0),
        Function::Normcdfinv => call.one(|p| -(Real::from(2.0).sqrt() * special::erfcinv(&(2.0 * p)))),
        Function::Tgamma => call.one(special::tgamma),
        Function::Lgamma => call.one(special::lgamma),
        Function::LgammaR => {
            let sign = if special::tgamma(call.float(0)).is_negative() { -1 } else { 1 };
            vec![Value::Float(special::lgamma(call.float(0))), Value::Int(sign)]
        }
        Function::Digamma => call.one(special::digamma),
        Function::Trigamma => call.one(special::trigamma),
        Function::J0 => call.one(|x| special::jn(0, x)),
        Function::J1 => call.one(|x| special::jn(1, x)),
        Function::Jn => call.float_result(special::jn(call.int(0), call.float(1))),
        Function::Y0 => call.one(|x| special::yn(0, x)),
        Function::Y1 => call.one(|x| special::yn(1, x)),
        Function::Yn => call.float_result(special::yn(call.int(0), call.float(1))),
        Function::BesselI0 => call.one(|x| special::bessel_i(0, x)),
        Function::BesselI1 => call.one(|x| special::bessel_i(1, x)),

        Function::Cabs => call.float_result(call.complex(0).abs()),
        Function::Carg => call.float_result(call.complex(0).arg()),
        Function::Creal => call.float_result(call.complex(0).re),
        Function::Cimag => call.float_result(call.complex(0).im),
        Function::Conj => complex_result(Complex::new(call.float(0), -call.float(1))),
        Function::Cproj => complex_result(call.complex(0)),
        Function::Cmul => complex_result(call.complex(0) * call.complex(2)),
        Function::Cdiv => complex_result(call.complex(0) / call.complex(2)),
        Function::Cinv => complex_result(1.0 / call.complex(0)),
        Function::Cexp => complex_result(call.complex(0).exp()),
        Function::Clog => complex_result(call.complex(0).ln()),
        Function::Clog10 => complex_result(call.complex(0).ln() / Real::from(10.0).ln()),
        Function::Cpow => complex_result(call.complex(0).pow(&call.complex(2))),
        Function::Cpowi => complex_result(call.complex(0).powi(call.int(2))),
        Function::Csqrt => complex_result(call.complex(0).sqrt()),
        Function::Csin => complex_result(call.complex(0).sin()),
        Function::Ccos => complex_result(call.complex(0).cos()),
        Function::Ctan => complex_result(call.complex(0).tan()),
        Function::Casin => complex_result(call.complex(0).asin()),
        Function::Cacos => complex_result(call.complex(0).acos()),
        Function::Catan => complex_result(call.complex(0).atan()),
        Function::Csinh => complex_result(call.complex(0).sinh()),
        Function::Ccosh => complex_result(call.complex(0).cosh()),
        Function::Ctanh => complex_result(call.complex(0).tanh()),
        Function::Casinh => complex_result(call.complex(0).asinh()),
        Function::Cacosh => complex_result(call.complex(0).acosh()),
        Function::Catanh => complex_result(call.complex(0).atanh()),
        Function::Cerf => complex_result(special::complex_erf(&call.complex(0))),
        Function::Cerfc => complex_result(special::complex_erfc(&call.complex(0))),
        Function::Cerfcx => complex_result(special::complex_erfcx(&call.complex(0))),
        Function::Cerfi => complex_result(special::complex_erfi(&call.complex(0))),
        Function::Cfaddeeva => complex_result(special::faddeeva(&call.complex(0))),
        Function::Cdawson => complex_result(special::complex_dawson(&call.complex(0))),
        Function::Cjn => complex_result(special::complex_jn(call.int(0), &call.complex(1))),
        Function::Cyn => complex_result(special::complex_yn(call.int(0), &call.complex(1))),
    }
}

/// The arguments of a call, and the shapes functions have.
struct Arguments<'a>(&'a [Number]);

impl Arguments<'_> {
    fn float(&self, index: usize) -> &Real {
        match &self.0[index] {
            Value::Float(x) => x,
            Value::Int(_) => panic!("argument {index} is an integer"),
        }
    }

    fn int(&self, index: usize) -> i64 {
        match &self.0[index] {
            Value::Int(n) => *n,
            Value::Float(_) => panic!("argument {index} is no integer"),
        }
    }

    /// The complex number whose real part has this index.
    fn complex(&self, index: usize) -> Complex {
        Complex::new(self.float(index), self.float(index + 1))
    }

    fn norm(&self) -> Real {
        let square = |index| self.float(index) * self.float(index);
        (0..self.0.len()).fold(Real::from(0.0), |sum, index| sum + square(index)).sqrt()
    }

    fn one(&self, function: impl Fn(&Real) -> Real) -> Vec<Number> {
        vec![Value::Float(function(self.float(0)))]
    }

    fn two(&self, function: impl Fn(&Real, &Real) -> Real) -> Vec<Number> {
        vec![Value::Float(function(self.float(0), self.float(1)))]
    }

    fn float_result(&self, value: Real) -> Vec<Number> {
        vec![Value::Float(value)]
    }

    fn integer(&self, value: i64) -> Vec<Number> {
        vec![Value::Int(value)]
    }
}

fn complex_result(z: Complex) -> Vec<Number> {
    vec![Value::Float(z.re), Value::Float(z.im)]
}

fn clamp(x: &Real, low: f64, high: f64) -> Real {
    if *x < Real::from(low) {
        Real::from(low)
    } else if *x > Real::from(high) {
        Real::from(high)
    } else {
        x.clone()
    }
}

fn sinc(x: &Real) -> Real {
    if x.is_zero() { Real::from(1.0) } else { x.sin() / x }
}

fn rootn(x: &Real, n: i64) -> Real {
    if x.is_negative() {
        -(-x).pow(&(1.0 / Real::from(n as f64)))
    } else {
        x.pow(&(1.0 / Real::from(n as f64)))
    }
}

/// The distance from one double to the next.
fn unit(x: &Real) -> Real {
    Real::power_of_two(x.exponent() - 53)
}
