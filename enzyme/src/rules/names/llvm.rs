//! LLVM's intrinsics: `llvm.` + base name + type suffixes.

use std::sync::LazyLock;

use super::super::function::{Function, Kind, Precision};
use super::{Abi, Dialect, NameError, Named, Names};

/// A fold of a whole vector to one number. Its derivative is written with vectors, so it is no scalar
/// rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reduction {
    /// `start + v₀ + v₁ + …`: each element's partial is 1.
    Fadd,
    /// `start · v₀ · v₁ · …`: each element's partial is the product of the others.
    Fmul,
    /// The smallest element, as [`Function::Fmin`] compares.
    Fmin,
    /// The largest element, as [`Function::Fmax`] compares.
    Fmax,
    /// The smallest element, as [`Function::Fminimum`] compares.
    Fminimum,
    /// The largest element, as [`Function::Fmaximum`] compares.
    Fmaximum,
}

impl Reduction {
    /// The function of two numbers that is folded.
    pub fn function(self) -> Function {
        match self {
            Reduction::Fadd => Function::Fadd,
            Reduction::Fmul => Function::Fmul,
            Reduction::Fmin => Function::Fmin,
            Reduction::Fmax => Function::Fmax,
            Reduction::Fminimum => Function::Fminimum,
            Reduction::Fmaximum => Function::Fmaximum,
        }
    }

    /// Whether a scalar start value comes before the vector.
    pub fn has_start(self) -> bool {
        match self {
            Reduction::Fadd | Reduction::Fmul => true,
            Reduction::Fmin | Reduction::Fmax | Reduction::Fminimum | Reduction::Fmaximum => false,
        }
    }
}

/// The reduction an intrinsic computes, by its full name.
pub fn reduction(symbol: &str) -> Option<Reduction> {
    let rest = symbol
        .strip_prefix("llvm.vector.reduce.")
        .or_else(|| symbol.strip_prefix("llvm.vp.reduce."))
        .or_else(|| symbol.strip_prefix("llvm.experimental.vector.reduce.v2."))?;
    match rest.split('.').next()? {
        "fadd" => Some(Reduction::Fadd),
        "fmul" => Some(Reduction::Fmul),
        "fmin" => Some(Reduction::Fmin),
        "fmax" => Some(Reduction::Fmax),
        "fminimum" => Some(Reduction::Fminimum),
        "fmaximum" => Some(Reduction::Fmaximum),
        _ => None,
    }
}

/// Intrinsics beside the one that [`Function::llvm_intrinsic`] gives.
const ALIASES: &[(&str, Function)] = &[
    ("fmuladd", Function::Fma),
    ("fptosi.sat", Function::Fptosi),
    ("fptoui.sat", Function::Fptoui),
    ("aarch64.neon.fmax", Function::Fmaximum),
    ("aarch64.neon.fmin", Function::Fminimum),
    ("aarch64.neon.fmaxnm", Function::Fmax),
    ("aarch64.neon.fminnm", Function::Fmin),
    ("x86.sse.min.ps", Function::X86Min),
    ("x86.sse.max.ps", Function::X86Max),
    ("x86.sse2.min.pd", Function::X86Min),
    ("x86.sse2.max.pd", Function::X86Max),
    ("x86.avx.min.ps.256", Function::X86Min),
    ("x86.avx.max.ps.256", Function::X86Max),
    ("x86.avx.min.pd.256", Function::X86Min),
    ("x86.avx.max.pd.256", Function::X86Max),
    ("x86.sse.rcp.ps", Function::Reciprocal),
    ("x86.sse.rsqrt.ps", Function::Rsqrt),
    ("x86.avx.rcp.ps.256", Function::Reciprocal),
    ("x86.avx.rsqrt.ps.256", Function::Rsqrt),
    ("nvvm.fabs", Function::Fabs),
    ("nvvm.saturate", Function::Saturate),
    ("nvvm.sin.approx", Function::Sin),
    ("nvvm.cos.approx", Function::Cos),
    ("nvvm.ex2.approx", Function::Exp2),
    ("nvvm.lg2.approx", Function::Log2),
    ("nvvm.tanh.approx", Function::Tanh),
    ("nvvm.sqrt.approx", Function::Sqrt),
    ("nvvm.sqrt.f", Function::Sqrt),
    ("nvvm.rsqrt.approx", Function::Rsqrt),
    ("nvvm.rcp.approx.ftz", Function::Reciprocal),
    ("nvvm.div.approx", Function::Fdiv),
    ("nvvm.fmax", Function::Fmax),
    ("nvvm.fmin", Function::Fmin),
    ("nvvm.fmax.nan", Function::Fmaximum),
    ("nvvm.fmin.nan", Function::Fminimum),
    ("nvvm.floor", Function::Floor),
    ("nvvm.ceil", Function::Ceil),
    ("nvvm.round", Function::Roundeven),
    ("nvvm.trunc", Function::Trunc),
    ("amdgcn.rcp", Function::Reciprocal),
    ("amdgcn.rsq", Function::Rsqrt),
    ("amdgcn.sqrt", Function::Sqrt),
    ("amdgcn.exp2", Function::Exp2),
    ("amdgcn.log", Function::Log2),
];

/// x86's instructions on the lowest element of a vector.
const LOWEST_ELEMENT: &[(&str, Function)] = &[
    ("x86.sse.min.ss", Function::X86Min),
    ("x86.sse.max.ss", Function::X86Max),
    ("x86.sse2.min.sd", Function::X86Min),
    ("x86.sse2.max.sd", Function::X86Max),
    ("x86.sse.rcp.ss", Function::Reciprocal),
    ("x86.sse.rsqrt.ss", Function::Rsqrt),
];

/// x86's instructions with a trailing rounding mode.
const ROUNDING_OPERAND: &[(&str, Function)] = &[
    ("x86.avx512.min.ps.512", Function::X86Min),
    ("x86.avx512.max.ps.512", Function::X86Max),
    ("x86.avx512.min.pd.512", Function::X86Min),
    ("x86.avx512.max.pd.512", Function::X86Max),
];

/// NVIDIA's arithmetic in a stated rounding mode: `nvvm.fma.rn.d`.
const ROUNDED: &[(&str, Function)] = &[
    ("add", Function::Fadd),
    ("mul", Function::Fmul),
    ("div", Function::Fdiv),
    ("fma", Function::Fma),
    ("rcp", Function::Reciprocal),
    ("sqrt", Function::Sqrt),
];

/// Instructions that exist as constrained and as vector-predicated intrinsics.
const INSTRUCTIONS: &[(&str, Function)] = &[
    ("fadd", Function::Fadd),
    ("fsub", Function::Fsub),
    ("fmul", Function::Fmul),
    ("fdiv", Function::Fdiv),
    ("frem", Function::Frem),
    ("fpext", Function::Fpext),
    ("fptrunc", Function::Fptrunc),
    ("sitofp", Function::Sitofp),
    ("uitofp", Function::Uitofp),
    ("fptosi", Function::Fptosi),
    ("fptoui", Function::Fptoui),
    ("fmuladd", Function::Fma),
];

/// Constrained intrinsics that have no rounding-mode operand, only the exception behaviour.
const WITHOUT_ROUNDING_MODE: &[Function] = &[
    Function::Fptosi,
    Function::Fptoui,
    Function::Fpext,
    Function::Ceil,
    Function::Floor,
    Function::Trunc,
    Function::Round,
    Function::Roundeven,
    Function::Lround,
    Function::Llround,
    Function::Fmax,
    Function::Fmin,
    Function::Fmaximum,
    Function::Fminimum,
];

/// What an intrinsic computes, by its name without `llvm.`.
pub(super) fn lookup(intrinsic: &str) -> Option<Named> {
    let table = &table().by_name;
    let mut base = intrinsic;
    loop {
        if let Some(named) = table.get(base) {
            let precision = precision(&intrinsic[base.len()..]).unwrap_or(named.precision);
            return Some(Named { precision, ..*named });
        }
        // What follows the base are type suffixes. Any other word is part of another intrinsic's name.
        let (rest, suffix) = base.rsplit_once('.')?;
        if !is_type_suffix(suffix) {
            return None;
        }
        base = rest;
    }
}

pub(super) fn intrinsics(function: Function) -> Vec<&'static str> {
    table().of(function)
}

/// The precision of the first floating-point type among the suffixes.
fn precision(suffixes: &str) -> Option<Precision> {
    suffixes.split('.').find_map(element_precision)
}

fn element_precision(suffix: &str) -> Option<Precision> {
    match scalar(suffix) {
        "f16" => Some(Precision::Half),
        "bf16" => Some(Precision::BFloat),
        "f32" | "f" => Some(Precision::Single),
        "f64" | "d" => Some(Precision::Double),
        "f80" => Some(Precision::X86Fp80),
        "f128" => Some(Precision::Fp128),
        "ppcf128" => Some(Precision::PpcFp128),
        _ => None,
    }
}

/// The element of a vector suffix (`v4f32`, `nxv2f64`), or the suffix itself.
fn scalar(suffix: &str) -> &str {
    let vector = suffix.strip_prefix("nxv").or_else(|| suffix.strip_prefix('v'));
    match vector {
        Some(rest) => rest.trim_start_matches(|c: char| c.is_ascii_digit()),
        None => suffix,
    }
}

fn is_type_suffix(suffix: &str) -> bool {
    let integer = scalar(suffix).strip_prefix('i').is_some_and(|bits| bits.parse::<u32>().is_ok());
    // libdevice-era NVIDIA intrinsics: `.ftz.f`, `.ftz.d`.
    integer || element_precision(suffix).is_some() || suffix == "ftz"
}

fn table() -> &'static Names {
    static TABLE: LazyLock<Names> = LazyLock::new(|| match build() {
        Ok(names) => names,
        // The table is a constant of this crate: a mistake of its authors that any test brings to light.
        Err(error) => panic!("the table of intrinsics is wrong: {error}"),
    });
    &TABLE
}

fn build() -> Result<Names, NameError> {
    let mut names = Names::default();
    for &function in Function::ALL {
        if let Some((name, _)) = function.llvm_intrinsic() {
            names.add(name, intrinsic(function))?;
            names.add(format!("experimental.constrained.{name}"), constrained(function))?;
            names.add(format!("vp.{name}"), intrinsic(function).ignoring(2))?;
        }
    }
    for &(name, function) in INSTRUCTIONS {
        names.add(format!("experimental.constrained.{name}"), constrained(function))?;
        names.add(format!("vp.{name}"), intrinsic(function).ignoring(2))?;
    }
    for (name, function, ignored) in [
        ("experimental.constrained.fcmp", Function::Fcmp, 2),
        ("experimental.constrained.fcmps", Function::Fcmp, 2),
        ("vp.fcmp", Function::Fcmp, 3),
        ("vp.fneg", Function::Fneg, 2),
        ("vp.roundtozero", Function::Trunc, 2),
        ("fptrunc.round", Function::Fptrunc, 1),
    ] {
        names.add(name, intrinsic(function).ignoring(ignored))?;
    }
    for &(name, function) in ALIASES {
        names.add(name, of_target(name, function))?;
    }
    for &(name, function) in LOWEST_ELEMENT {
        names.add(name, of_target(name, function).with_abi(Abi::LowestElement))?;
    }
    for &(name, function) in ROUNDING_OPERAND {
        names.add(name, of_target(name, function).ignoring(1))?;
    }
    for &(name, function) in ROUNDED {
        for mode in ["rn", "rz", "rm", "rp"] {
            names.add(format!("nvvm.{name}.{mode}"), intrinsic(function))?;
        }
    }
    Ok(names)
}

/// An intrinsic whose name may say its type without a suffix: x86's packed and scalar singles.
fn of_target(name: &str, function: Function) -> Named {
    let is_single = name.split('.').any(|part| part == "ps" || part == "ss");
    let precision = if is_single { Precision::Single } else { Precision::Double };
    Named { precision, ..intrinsic(function) }
}

/// An intrinsic called by value; several results come back together.
fn intrinsic(function: Function) -> Named {
    let abi = match function.results() {
        [] | [Kind::Float | Kind::Int | Kind::Opaque] => Abi::Value,
        [_, _, ..] => Abi::Aggregate,
    };
    Named::new(Dialect::Llvm, function, Precision::Double).with_abi(abi)
}

fn constrained(function: Function) -> Named {
    let ignored = if WITHOUT_ROUNDING_MODE.contains(&function) { 1 } else { 2 };
    intrinsic(function).ignoring(ignored)
}
