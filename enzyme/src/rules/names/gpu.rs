//! The device libraries of GPUs: NVIDIA's libdevice and AMD's OCML.

use super::super::function::{Function, Precision};
use super::{Abi, Dialect, NameError, Named, Names};

/// The part of C's library that libdevice has, under C's names.
const LIBDEVICE_LIKE_C: &[Function] = &[
    Function::Acos,
    Function::Acosh,
    Function::Asin,
    Function::Asinh,
    Function::Atan,
    Function::Atan2,
    Function::Atanh,
    Function::Cbrt,
    Function::Ceil,
    Function::Copysign,
    Function::Cos,
    Function::Cosh,
    Function::Cospi,
    Function::Erf,
    Function::Erfc,
    Function::Exp,
    Function::Exp10,
    Function::Exp2,
    Function::Expm1,
    Function::Fabs,
    Function::Fdim,
    Function::Floor,
    Function::Fma,
    Function::Fmax,
    Function::Fmin,
    Function::Fmod,
    Function::Frexp,
    Function::Hypot,
    Function::Ilogb,
    Function::J0,
    Function::J1,
    Function::Jn,
    Function::Ldexp,
    Function::Lgamma,
    Function::Llrint,
    Function::Llround,
    Function::Log,
    Function::Log10,
    Function::Log1p,
    Function::Log2,
    Function::Logb,
    Function::Modf,
    Function::Nearbyint,
    Function::Nextafter,
    Function::Pow,
    Function::Remainder,
    Function::Remquo,
    Function::Rint,
    Function::Round,
    Function::Sin,
    Function::Sincos,
    Function::Sincospi,
    Function::Sinh,
    Function::Sinpi,
    Function::Sqrt,
    Function::Tan,
    Function::Tanh,
    Function::Tgamma,
    Function::Trunc,
    Function::Y0,
    Function::Y1,
    Function::Yn,
];

/// Functions that libdevice has under a name of its own, as `__nv_` + name, with `f` for single
/// precision.
const LIBDEVICE: &[(&str, Function)] = &[
    ("rsqrt", Function::Rsqrt),
    ("rcbrt", Function::Rcbrt),
    ("rhypot", Function::Rhypot),
    ("norm3d", Function::Norm3d),
    ("norm4d", Function::Norm4d),
    ("rnorm3d", Function::Rnorm3d),
    ("rnorm4d", Function::Rnorm4d),
    ("normcdf", Function::Normcdf),
    ("normcdfinv", Function::Normcdfinv),
    ("erfcx", Function::Erfcx),
    ("erfinv", Function::Erfinv),
    ("erfcinv", Function::Erfcinv),
    ("cyl_bessel_i0", Function::BesselI0),
    ("cyl_bessel_i1", Function::BesselI1),
    ("powi", Function::Powi),
    ("saturate", Function::Saturate),
    ("fdivide", Function::Fdiv),
];

/// Functions of C's library that libdevice spells in another way than C.
const LIBDEVICE_ALIASES: &[(&str, Function, Precision)] = &[
    ("scalbn", Function::Ldexp, Precision::Double),
    ("scalbnf", Function::Ldexp, Precision::Single),
    ("isnand", Function::Classify, Precision::Double),
    ("isnanf", Function::Classify, Precision::Single),
    ("isinfd", Function::Classify, Precision::Double),
    ("isinff", Function::Classify, Precision::Single),
    ("isfinited", Function::Classify, Precision::Double),
    ("finitef", Function::Classify, Precision::Single),
    ("signbitd", Function::Classify, Precision::Double),
    ("signbitf", Function::Classify, Precision::Single),
    ("fast_sinf", Function::Sin, Precision::Single),
    ("fast_cosf", Function::Cos, Precision::Single),
    ("fast_tanf", Function::Tan, Precision::Single),
    ("fast_sincosf", Function::Sincos, Precision::Single),
    ("fast_expf", Function::Exp, Precision::Single),
    ("fast_exp10f", Function::Exp10, Precision::Single),
    ("fast_logf", Function::Log, Precision::Single),
    ("fast_log2f", Function::Log2, Precision::Single),
    ("fast_log10f", Function::Log10, Precision::Single),
    ("fast_powf", Function::Pow, Precision::Single),
    ("fast_fdividef", Function::Fdiv, Precision::Single),
];

/// Arithmetic in a stated rounding mode: `__nv_` + `d` or `f` + name + `_r` + mode.
const LIBDEVICE_ROUNDED: &[(&str, Function)] = &[
    ("add", Function::Fadd),
    ("sub", Function::Fsub),
    ("mul", Function::Fmul),
    ("div", Function::Fdiv),
    ("rcp", Function::Reciprocal),
    ("sqrt", Function::Sqrt),
    ("rsqrt", Function::Rsqrt),
];

/// Conversions in a stated rounding mode.
const LIBDEVICE_CONVERSIONS: &[(&str, Function, Precision)] = &[
    ("double2float", Function::Fptrunc, Precision::Double),
    ("float2half", Function::Fptrunc, Precision::Single),
    ("double2int", Function::Fptosi, Precision::Double),
    ("double2ll", Function::Fptosi, Precision::Double),
    ("double2uint", Function::Fptoui, Precision::Double),
    ("double2ull", Function::Fptoui, Precision::Double),
    ("float2int", Function::Fptosi, Precision::Single),
    ("float2ll", Function::Fptosi, Precision::Single),
    ("float2uint", Function::Fptoui, Precision::Single),
    ("float2ull", Function::Fptoui, Precision::Single),
    ("int2double", Function::Sitofp, Precision::Double),
    ("ll2double", Function::Sitofp, Precision::Double),
    ("uint2double", Function::Uitofp, Precision::Double),
    ("ull2double", Function::Uitofp, Precision::Double),
    ("int2float", Function::Sitofp, Precision::Single),
    ("ll2float", Function::Sitofp, Precision::Single),
    ("uint2float", Function::Uitofp, Precision::Single),
    ("ull2float", Function::Uitofp, Precision::Single),
];

/// The part of C's library that OCML has, under C's names.
const OCML_LIKE_C: &[Function] = &[
    Function::Acos,
    Function::Acosh,
    Function::Acospi,
    Function::Asin,
    Function::Asinh,
    Function::Asinpi,
    Function::Atan,
    Function::Atan2,
    Function::Atan2pi,
    Function::Atanh,
    Function::Atanpi,
    Function::Cbrt,
    Function::Ceil,
    Function::Copysign,
    Function::Cos,
    Function::Cosh,
    Function::Cospi,
    Function::Erf,
    Function::Erfc,
    Function::Exp,
    Function::Exp10,
    Function::Exp2,
    Function::Expm1,
    Function::Fabs,
    Function::Fdim,
    Function::Floor,
    Function::Fma,
    Function::Fmax,
    Function::Fmin,
    Function::Fmod,
    Function::Frexp,
    Function::Hypot,
    Function::Ilogb,
    Function::J0,
    Function::J1,
    Function::Ldexp,
    Function::Lgamma,
    Function::LgammaR,
    Function::Log,
    Function::Log10,
    Function::Log1p,
    Function::Log2,
    Function::Logb,
    Function::Modf,
    Function::Nearbyint,
    Function::Nextafter,
    Function::Pow,
    Function::Powr,
    Function::Remainder,
    Function::Remquo,
    Function::Rint,
    Function::Rootn,
    Function::Round,
    Function::Sin,
    Function::Sincos,
    Function::Sincospi,
    Function::Sinh,
    Function::Sinpi,
    Function::Sqrt,
    Function::Tan,
    Function::Tanh,
    Function::Tanpi,
    Function::Tgamma,
    Function::Trunc,
    Function::Y0,
    Function::Y1,
];

/// Functions that OCML has beside C's.
const OCML: &[(&str, Function)] = &[
    ("rsqrt", Function::Rsqrt),
    ("rcbrt", Function::Rcbrt),
    ("rhypot", Function::Rhypot),
    ("len3", Function::Norm3d),
    ("len4", Function::Norm4d),
    ("rlen3", Function::Rnorm3d),
    ("rlen4", Function::Rnorm4d),
    ("ncdf", Function::Normcdf),
    ("ncdfinv", Function::Normcdfinv),
    ("erfcx", Function::Erfcx),
    ("erfinv", Function::Erfinv),
    ("erfcinv", Function::Erfcinv),
    ("i0", Function::BesselI0),
    ("i1", Function::BesselI1),
    ("pown", Function::Powi),
];

/// Other names of functions that OCML has: fast variants, and OpenCL's spellings.
const OCML_ALIASES: &[(&str, Function)] = &[
    ("scalbn", Function::Ldexp),
    ("mad", Function::Fma),
    ("native_sin", Function::Sin),
    ("native_cos", Function::Cos),
    ("native_exp", Function::Exp),
    ("native_exp2", Function::Exp2),
    ("native_exp10", Function::Exp10),
    ("native_log", Function::Log),
    ("native_log2", Function::Log2),
    ("native_log10", Function::Log10),
    ("native_sqrt", Function::Sqrt),
    ("native_rsqrt", Function::Rsqrt),
    ("native_recip", Function::Reciprocal),
];

const ROUNDING_MODES: [&str; 4] = ["rn", "rz", "ru", "rd"];

pub(super) fn libdevice_name(function: Function, precision: Precision) -> Option<String> {
    let suffix = libdevice_suffix(precision)?;
    let base = base_name(function, LIBDEVICE_LIKE_C, LIBDEVICE)?;
    Some(format!("__nv_{base}{suffix}"))
}

pub(super) fn ocml_name(function: Function, precision: Precision) -> Option<String> {
    let suffix = ocml_suffix(precision)?;
    let base = base_name(function, OCML_LIKE_C, OCML)?;
    Some(format!("__ocml_{base}_{suffix}"))
}

fn base_name(
    function: Function,
    like_c: &[Function],
    own: &[(&'static str, Function)],
) -> Option<&'static str> {
    if like_c.contains(&function) {
        return function.libm_base();
    }
    own.iter().find(|(_, other)| *other == function).map(|(name, _)| *name)
}

fn libdevice_suffix(precision: Precision) -> Option<&'static str> {
    match precision {
        Precision::Single => Some("f"),
        Precision::Double => Some(""),
        Precision::Half
        | Precision::BFloat
        | Precision::LongDouble
        | Precision::X86Fp80
        | Precision::Fp128
        | Precision::PpcFp128 => None,
    }
}

fn ocml_suffix(precision: Precision) -> Option<&'static str> {
    match precision {
        Precision::Half => Some("f16"),
        Precision::Single => Some("f32"),
        Precision::Double => Some("f64"),
        Precision::BFloat
        | Precision::LongDouble
        | Precision::X86Fp80
        | Precision::Fp128
        | Precision::PpcFp128 => None,
    }
}

pub(super) fn add(names: &mut Names) -> Result<(), NameError> {
    for &function in Function::ALL {
        for precision in [Precision::Half, Precision::Single, Precision::Double] {
            if let Some(name) = libdevice_name(function, precision) {
                names.add(name, Named::new(Dialect::Libdevice, function, precision))?;
            }
            if let Some(name) = ocml_name(function, precision) {
                names.add(name, ocml(function, precision))?;
            }
        }
    }
    add_libdevice(names)?;
    for &(base, function) in OCML_ALIASES {
        for precision in [Precision::Half, Precision::Single, Precision::Double] {
            if let Some(suffix) = ocml_suffix(precision) {
                names.add(format!("__ocml_{base}_{suffix}"), ocml(function, precision))?;
            }
        }
    }
    Ok(())
}

/// OCML returns the sine of `sincos`, and stores the cosine.
fn ocml(function: Function, precision: Precision) -> Named {
    let named = Named::new(Dialect::Ocml, function, precision);
    if named.abi == Abi::AllStored { named.with_abi(Abi::FirstReturned) } else { named }
}

fn add_libdevice(names: &mut Names) -> Result<(), NameError> {
    for &(name, function, precision) in LIBDEVICE_ALIASES {
        names.add(format!("__nv_{name}"), Named::new(Dialect::Libdevice, function, precision))?;
    }
    for mode in ROUNDING_MODES {
        for &(name, function) in LIBDEVICE_ROUNDED {
            for (letter, precision) in [("d", Precision::Double), ("f", Precision::Single)] {
                let name = format!("__nv_{letter}{name}_{mode}");
                names.add(name, Named::new(Dialect::Libdevice, function, precision))?;
            }
        }
        for (name, precision) in [("fma", Precision::Double), ("fmaf", Precision::Single)] {
            let named = Named::new(Dialect::Libdevice, Function::Fma, precision);
            names.add(format!("__nv_{name}_{mode}"), named)?;
        }
        for &(name, function, precision) in LIBDEVICE_CONVERSIONS {
            names.add(format!("__nv_{name}_{mode}"), Named::new(Dialect::Libdevice, function, precision))?;
        }
    }
    Ok(())
}
