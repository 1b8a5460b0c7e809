//! The run-time libraries of compilers and languages, and libraries of special functions.

use super::super::function::{Function, Precision};
use super::{Abi, Dialect, NameError, Named, Names};

/// Names that follow no system, in double precision, called as C would.
const DOUBLE: &[(&str, Function)] = &[
    ("Faddeeva_erf_re", Function::Erf),
    ("Faddeeva_erfc_re", Function::Erfc),
    ("Faddeeva_erfcx_re", Function::Erfcx),
    ("Faddeeva_erfi_re", Function::Erfi),
    ("Faddeeva_Dawson_re", Function::Dawson),
    ("Faddeeva_w_im", Function::FaddeevaIm),
    ("jl_rem2pi", Function::Rem2pi),
    ("xlogy", Function::Xlogy),
    ("xlogy_jl", Function::Xlogy),
    ("cmplx_inv", Function::Cinv),
    ("cmplx_sqrt", Function::Csqrt),
    ("cmplx_jn", Function::Cjn),
    ("cmplx_yn", Function::Cyn),
];

/// The complex functions of the Faddeeva package, whose last argument is a tolerance.
const FADDEEVA: &[(&str, Function)] = &[
    ("Faddeeva_w", Function::Cfaddeeva),
    ("Faddeeva_erf", Function::Cerf),
    ("Faddeeva_erfc", Function::Cerfc),
    ("Faddeeva_erfcx", Function::Cerfcx),
    ("Faddeeva_erfi", Function::Cerfi),
    ("Faddeeva_Dawson", Function::Cdawson),
];

/// The letters by which compiler-rt and libgcc name precisions.
const BUILTIN_MODES: &[(&str, Precision)] = &[
    ("h", Precision::Half),
    ("s", Precision::Single),
    ("d", Precision::Double),
    ("x", Precision::LongDouble),
    ("t", Precision::Fp128),
    ("k", Precision::Fp128),
];

/// The kinds of Fortran reals, by their size in bytes.
const FORTRAN_KINDS: &[(&str, Precision)] = &[
    ("2", Precision::Half),
    ("3", Precision::BFloat),
    ("4", Precision::Single),
    ("8", Precision::Double),
    ("10", Precision::X86Fp80),
    ("16", Precision::Fp128),
    // gfortran's name for IEEE quadruples on machines with another 16-byte format.
    ("17", Precision::Fp128),
];

/// Flang's run-time functions of one real kind: `_FortranA` + name + kind.
const FLANG: &[(&str, Function)] = &[
    ("Fraction", Function::Fraction),
    ("Nearest", Function::Nearest),
    ("Scale", Function::Ldexp),
    ("SetExponent", Function::SetExponent),
    ("Spacing", Function::Spacing),
    ("RRSpacing", Function::ReciprocalSpacing),
    ("ErfcScaled", Function::Erfcx),
    ("IsNaN", Function::Classify),
];

/// Flang's conversions to an integer kind: `_FortranA` + name + real kind + `_` + integer kind.
const FLANG_TO_INTEGER: &[(&str, Function)] = &[
    ("Exponent", Function::Ilogb),
    ("Nint", Function::Lround),
    ("Floor", Function::Lfloor),
    ("Ceiling", Function::Lceil),
];

/// gfortran's run-time functions of one real kind: `_gfortran_` + name + `_r` + kind.
const GFORTRAN: &[(&str, Function)] = &[
    ("exponent", Function::Ilogb),
    ("fraction", Function::Fraction),
    ("nearest", Function::Nearest),
    ("set_exponent", Function::SetExponent),
    ("spacing", Function::Spacing),
    ("rrspacing", Function::ReciprocalSpacing),
    ("erfc_scaled", Function::Erfcx),
];

/// Functions that classic Flang calls as `__fd_sin_1` (fast, double, one element), and that gfortran
/// passes as procedure arguments as `_gfortran_specific__sin_r8`.
const ELEMENTAL: &[(&str, Function)] = &[
    ("sin", Function::Sin),
    ("cos", Function::Cos),
    ("tan", Function::Tan),
    ("asin", Function::Asin),
    ("acos", Function::Acos),
    ("atan", Function::Atan),
    ("atan2", Function::Atan2),
    ("sinh", Function::Sinh),
    ("cosh", Function::Cosh),
    ("tanh", Function::Tanh),
    ("exp", Function::Exp),
    ("log", Function::Log),
    ("log10", Function::Log10),
    ("pow", Function::Pow),
    ("sqrt", Function::Sqrt),
    ("mod", Function::Fmod),
];

pub(super) fn add(names: &mut Names) -> Result<(), NameError> {
    for &(name, function) in DOUBLE {
        names.add(name, Named::new(Dialect::Runtime, function, Precision::Double))?;
    }
    for &(name, function) in FADDEEVA {
        names.add(name, Named::new(Dialect::Runtime, function, Precision::Double).ignoring(1))?;
    }
    let logabsgamma = Named::new(Dialect::Runtime, Function::LgammaR, Precision::Double);
    names.add("logabsgamma", logabsgamma.with_abi(Abi::Aggregate))?;
    add_apple(names)?;
    add_compiler_builtins(names)?;
    add_classic_flang(names)?;
    add_flang(names)?;
    add_gfortran(names)
}

/// Apple's library returns sine and cosine together, or stores both.
fn add_apple(names: &mut Names) -> Result<(), NameError> {
    for (suffix, precision) in [("", Precision::Double), ("f", Precision::Single)] {
        for (base, function) in [("sincos", Function::Sincos), ("sincospi", Function::Sincospi)] {
            let named = Named::new(Dialect::Runtime, function, precision);
            names.add(format!("__{base}{suffix}"), named)?;
            names.add(format!("__{base}{suffix}_stret"), named.with_abi(Abi::Aggregate))?;
        }
        for (base, function) in [
            ("sinpi", Function::Sinpi),
            ("cospi", Function::Cospi),
            ("tanpi", Function::Tanpi),
            ("exp10", Function::Exp10),
        ] {
            names.add(format!("__{base}{suffix}"), Named::new(Dialect::Runtime, function, precision))?;
        }
    }
    Ok(())
}

/// `__powidf2`, `__muldc3`, `__divdc3` and their siblings in compiler-rt and libgcc.
fn add_compiler_builtins(names: &mut Names) -> Result<(), NameError> {
    for &(mode, precision) in BUILTIN_MODES {
        for (name, function) in [
            (format!("__powi{mode}f2"), Function::Powi),
            (format!("__mul{mode}c3"), Function::Cmul),
            (format!("__div{mode}c3"), Function::Cdiv),
        ] {
            names.add(name, Named::new(Dialect::Runtime, function, precision))?;
        }
    }
    Ok(())
}

fn add_classic_flang(names: &mut Names) -> Result<(), NameError> {
    // Fast, relaxed and precise; single and double; scalar and vectors.
    for accuracy in ["f", "r", "p"] {
        for (letter, precision) in [("s", Precision::Single), ("d", Precision::Double)] {
            for width in ["1", "2", "4", "8", "16"] {
                for &(base, function) in ELEMENTAL {
                    let name = format!("__{accuracy}{letter}_{base}_{width}");
                    names.add(name, Named::new(Dialect::Runtime, function, precision))?;
                }
                let name = format!("__{accuracy}{letter}_sincos_{width}");
                let named = Named::new(Dialect::Runtime, Function::Sincos, precision);
                names.add(name, named.with_abi(Abi::Aggregate))?;
            }
        }
    }
    Ok(())
}

fn add_flang(names: &mut Names) -> Result<(), NameError> {
    for &(kind, precision) in FORTRAN_KINDS {
        let named = |function| Named::new(Dialect::Runtime, function, precision);
        for &(base, function) in FLANG {
            names.add(format!("_FortranA{base}{kind}"), named(function))?;
        }
        for &(base, function) in FLANG_TO_INTEGER {
            for integer in ["1", "2", "4", "8", "16"] {
                names.add(format!("_FortranA{base}{kind}_{integer}"), named(function))?;
            }
        }
        // The source file and line come last, for error messages.
        names.add(format!("_FortranAModReal{kind}"), named(Function::Fmod).ignoring(2))?;
        names.add(format!("_FortranAModuloReal{kind}"), named(Function::Modulo).ignoring(2))?;
        for integer in ["i", "k"] {
            names.add(format!("_FortranAFPow{kind}{integer}"), named(Function::Powi))?;
        }
    }
    // The spacing of the narrow formats, for operands that are passed as singles.
    for name in ["_FortranASpacing2By4", "_FortranASpacing3By4"] {
        names.add(name, Named::new(Dialect::Runtime, Function::Spacing, Precision::Single))?;
    }
    for (letters, precision) in [("c", Precision::Single), ("z", Precision::Double), ("cq", Precision::Fp128)]
    {
        for integer in ["i", "k"] {
            let named = Named::new(Dialect::Runtime, Function::Cpowi, precision);
            names.add(format!("_FortranA{letters}pow{integer}"), named)?;
        }
    }
    Ok(())
}

fn add_gfortran(names: &mut Names) -> Result<(), NameError> {
    for &(kind, precision) in FORTRAN_KINDS {
        let named = |function| Named::new(Dialect::Runtime, function, precision);
        for &(base, function) in GFORTRAN {
            names.add(format!("_gfortran_{base}_r{kind}"), named(function))?;
        }
        for integer in ["4", "8", "16"] {
            names.add(format!("_gfortran_pow_r{kind}_i{integer}"), named(Function::Powi))?;
            names.add(format!("_gfortran_pow_c{kind}_i{integer}"), named(Function::Cpowi))?;
        }
        for &(base, function) in ELEMENTAL {
            let name = format!("_gfortran_specific__{base}_r{kind}");
            names.add(name, named(function).with_abi(Abi::ByReference))?;
        }
    }
    Ok(())
}
