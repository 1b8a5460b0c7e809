//! C's mathematical library in all its spellings, and C++'s manglings of them.

use super::super::function::{Function, Kind, Precision, suffixed};
use super::{Dialect, NameError, Named, Names};

/// The suffixes of C's function names: the standard's, ISO/IEC TS 18661's, and libquadmath's.
const SUFFIXES: &[(&str, Precision)] = &[
    ("", Precision::Double),
    ("f", Precision::Single),
    ("l", Precision::LongDouble),
    ("f16", Precision::Half),
    ("f32", Precision::Single),
    ("f64", Precision::Double),
    ("f128", Precision::Fp128),
    ("f32x", Precision::Double),
    ("f64x", Precision::LongDouble),
    ("q", Precision::Fp128),
];

/// Names with C's suffixes beside the canonical one.
const ALIASES: &[(&str, Function)] = &[
    ("drem", Function::Remainder),
    ("gamma", Function::Lgamma),
    ("gamma_r", Function::LgammaR),
    ("pow10", Function::Exp10),
    ("scalbn", Function::Ldexp),
    ("scalbln", Function::Ldexp),
    ("llogb", Function::Ilogb),
    ("logp1", Function::Log1p),
    ("powi", Function::Powi),
    ("pown", Function::Powi),
    ("fromfpx", Function::Fromfp),
    ("ufromfp", Function::Fromfp),
    ("ufromfpx", Function::Fromfp),
    ("totalordermag", Function::Totalorder),
    ("isnan", Function::Classify),
    ("isinf", Function::Classify),
    ("finite", Function::Classify),
    ("__isnan", Function::Classify),
    ("__isinf", Function::Classify),
    ("__finite", Function::Classify),
    ("__fpclassify", Function::Classify),
    ("__signbit", Function::Classify),
    ("__issignaling", Function::Classify),
    ("__iscanonical", Function::Classify),
    ("__iseqsig", Function::Fcmp),
    ("__clog10", Function::Clog10),
    // Names of libraries of special functions that follow C's suffixes.
    ("rcbrt", Function::Rcbrt),
    ("rhypot", Function::Rhypot),
    ("erfcx", Function::Erfcx),
    ("erfi", Function::Erfi),
    ("erfinv", Function::Erfinv),
    ("erfcinv", Function::Erfcinv),
    ("normcdf", Function::Normcdf),
    ("normcdfinv", Function::Normcdfinv),
    ("cyl_bessel_i0", Function::BesselI0),
    ("cyl_bessel_i1", Function::BesselI1),
    ("sinc", Function::Sinc),
    ("sincn", Function::Sincn),
    ("digamma", Function::Digamma),
    ("trigamma", Function::Trigamma),
];

/// C23's functions that compute in one format and round once to a narrower one.
const NARROWING: &[(&str, Function)] = &[
    ("add", Function::Fadd),
    ("sub", Function::Fsub),
    ("mul", Function::Fmul),
    ("div", Function::Fdiv),
    ("sqrt", Function::Sqrt),
    ("fma", Function::Fma),
];

/// The formats of their names, narrow ones first: `f32` of the result before the operation, `f64x` of
/// the operands after it.
const NARROWING_FORMATS: &[(&str, Precision)] = &[
    ("f16", Precision::Half),
    ("f32", Precision::Single),
    ("f32x", Precision::Double),
    ("f64", Precision::Double),
    ("f64x", Precision::LongDouble),
    ("f128", Precision::Fp128),
];

/// glibc's functions without checks for errors, which its headers put in under `-ffast-math`.
const FINITE: &[Function] = &[
    Function::Acos,
    Function::Acosh,
    Function::Asin,
    Function::Atan2,
    Function::Atanh,
    Function::Cosh,
    Function::Exp,
    Function::Exp10,
    Function::Exp2,
    Function::Fmod,
    Function::Hypot,
    Function::J0,
    Function::J1,
    Function::Jn,
    Function::Lgamma,
    Function::LgammaR,
    Function::Log,
    Function::Log10,
    Function::Log2,
    Function::Pow,
    Function::Remainder,
    Function::Scalb,
    Function::Sinh,
    Function::Sqrt,
    Function::Tgamma,
    Function::Y0,
    Function::Y1,
    Function::Yn,
];

/// The functions of `<cmath>` that overload C's names for `float` and `long double`.
const OVERLOADED: &[(&str, Function)] = &[
    ("abs", Function::Fabs),
    ("scalbn", Function::Ldexp),
    ("scalbln", Function::Ldexp),
    ("isnan", Function::Classify),
    ("isinf", Function::Classify),
    ("isfinite", Function::Classify),
    ("isnormal", Function::Classify),
    ("signbit", Function::Classify),
    ("fpclassify", Function::Classify),
];

pub(super) fn add(names: &mut Names) -> Result<(), NameError> {
    for &function in Function::ALL {
        // `frem` is computed by `fmod`, which has an entry of its own.
        if let Some(base) = function.libm_base().filter(|_| function != Function::Frem) {
            add_spellings(names, base, function)?;
            if FINITE.contains(&function) {
                add_finite(names, base, function)?;
            }
            if !function.is_complex() {
                add_mangled(names, base, function)?;
            }
        }
    }
    for &(base, function) in ALIASES {
        add_spellings(names, base, function)?;
    }
    add_finite(names, "gamma_r", Function::LgammaR)?;
    for &(base, function) in OVERLOADED {
        add_mangled(names, base, function)?;
    }
    add_narrowing(names)
}

fn add_spellings(names: &mut Names, base: &str, function: Function) -> Result<(), NameError> {
    for &(suffix, precision) in SUFFIXES {
        names.add(suffixed(base, suffix), Named::new(Dialect::Libm, function, precision))?;
    }
    Ok(())
}

/// The names that `-ffast-math` gave in glibc's headers: `__expf_finite`, `__lgamma_r_finite`.
fn add_finite(names: &mut Names, base: &str, function: Function) -> Result<(), NameError> {
    for (suffix, precision) in [
        ("", Precision::Double),
        ("f", Precision::Single),
        ("l", Precision::LongDouble),
        ("f128", Precision::Fp128),
    ] {
        let name = format!("__{}_finite", suffixed(base, suffix));
        names.add(name, Named::new(Dialect::Libm, function, precision))?;
    }
    Ok(())
}

/// Itanium's mangling of overloads in namespace `std`: `_ZSt3powff`, `_ZSt5frexpePi`.
fn add_mangled(names: &mut Names, base: &str, function: Function) -> Result<(), NameError> {
    for (letter, precision) in
        [("f", Precision::Single), ("d", Precision::Double), ("e", Precision::LongDouble)]
    {
        let parameters = mangled_parameters(base, function, letter);
        let name = format!("_ZSt{}{base}{parameters}", base.len());
        names.add(name, Named::new(Dialect::Libm, function, precision))?;
    }
    Ok(())
}

fn mangled_parameters(base: &str, function: Function, float: &str) -> String {
    if function == Function::Nexttoward {
        return format!("{float}e");
    }
    let integer = if base == "scalbln" { "l" } else { "i" };
    let mut parameters = String::new();
    for kind in function.operands() {
        parameters.push_str(match kind {
            Kind::Float => float,
            Kind::Int => integer,
            Kind::Opaque => "PKc",
        });
    }
    for kind in &function.results()[1..] {
        parameters.push('P');
        parameters.push_str(match kind {
            Kind::Float => float,
            Kind::Int | Kind::Opaque => integer,
        });
    }
    parameters
}

/// `fadd`, `daddl`, `f32addf64`: from every format to every narrower one.
fn add_narrowing(names: &mut Names) -> Result<(), NameError> {
    for &(operation, function) in NARROWING {
        let named = |precision| Named::new(Dialect::Libm, function, precision);
        names.add(format!("f{operation}"), named(Precision::Double))?;
        names.add(format!("f{operation}l"), named(Precision::LongDouble))?;
        names.add(format!("d{operation}l"), named(Precision::LongDouble))?;
        for (index, (operand, precision)) in NARROWING_FORMATS.iter().enumerate() {
            for (result, _) in &NARROWING_FORMATS[..index] {
                names.add(format!("{result}{operation}{operand}"), named(*precision))?;
            }
        }
    }
    Ok(())
}
