//! The names programs use.

use enzyme::rules::names::{self, Abi, Dialect, Reduction, lookup, reduction};
use enzyme::rules::{Function, Precision};

fn function(name: &str) -> Option<Function> {
    lookup(name).map(|named| named.function)
}

/// Asserts what each name of a list computes.
macro_rules! assert_names {
    ($($function:ident: $($name:literal)+;)*) => { $($(
        assert_eq!(function($name), Some(Function::$function), "{}", $name);
    )+)* };
}

#[test]
fn the_names_users_know() {
    assert_names! {
        Sin: "sin" "sinf" "sinl" "sinf128" "sinq" "sinf64" "_ZSt3sinf" "_ZSt3sine" "__nv_sin" "__nv_sinf"
            "__nv_fast_sinf" "__fd_sin_1" "__fs_sin_1" "__ocml_sin_f64" "_gfortran_specific__sin_r8";
        Cos: "cos" "__nv_cosf" "__nv_fast_cosf";
        Tan: "tan" "__nv_tan" "_ZGVdN4v_tan" "_ZGVbN4v_tanf";
        Asin: "asin" "__asin_finite" "__nv_asin";
        Acos: "acos" "__acosf_finite" "__nv_acosf";
        Atan: "atan" "__fd_atan_1" "__nv_atan";
        Atan2: "atan2" "__atan2_finite" "_ZSt5atan2ff" "__nv_atan2";
        Sinpi: "sinpi" "__nv_sinpi";
        Cospi: "cospi" "__nv_cospi";
        Tanpi: "tanpi";
        Sincospi: "sincospi" "__nv_sincospi" "__sincospi";
        Sinc: "sinc";
        Sincn: "sincn";
        Sincos: "sincos" "sincosf" "sincosl" "__fd_sincos_1" "__nv_sincos" "__sincos_stret";
        Sinh: "sinh" "__sinh_finite";
        Cosh: "cosh" "__cosh_finite";
        Tanh: "tanh";
        Asinh: "asinh" "__nv_asinh";
        Acosh: "acosh" "__nv_acosh";
        Atanh: "atanh" "__nv_atanh";
        Exp: "exp" "__exp_finite" "__expf_finite" "__nv_exp" "__nv_fast_expf";
        Exp2: "exp2" "__exp2_finite" "__nv_exp2";
        Exp10: "exp10" "pow10" "__exp10_finite" "__nv_exp10";
        Expm1: "expm1";
        Exp2m1: "exp2m1";
        Exp10m1: "exp10m1";
        Log: "log" "__log_finite" "__nv_log" "__nv_fast_logf";
        Log2: "log2" "__log2_finite";
        Log10: "log10" "__log10_finite";
        Log1p: "log1p" "logp1";
        Log2p1: "log2p1";
        Log10p1: "log10p1";
        Pow: "pow" "powf" "powl" "__pow_finite" "_ZSt3powff" "_ZSt3powee" "__nv_pow" "__nv_fast_powf";
        Powr: "powr" "__ocml_powr_f64";
        Powi: "pown" "__powidf2" "__powisf2" "__powixf2" "__powitf2" "__nv_powi" "__nv_powif"
            "_gfortran_pow_r8_i4" "_FortranAFPow8i";
        Rootn: "rootn";
        Compoundn: "compoundn";
        Sqrt: "sqrt" "sqrtf" "__sqrt_finite" "__nv_sqrt" "__nv_dsqrt_rn" "fsqrt" "f32sqrtf64";
        Rsqrt: "rsqrt" "__nv_rsqrt" "__nv_frsqrt_rn";
        Cbrt: "cbrt" "cbrtl";
        Rcbrt: "__nv_rcbrt";
        Hypot: "hypot" "__hypot_finite" "__hypotf_finite" "__nv_hypot";
        Rhypot: "__nv_rhypot";
        Norm3d: "__nv_norm3d" "__ocml_len3_f32";
        Norm4d: "__nv_norm4df";
        Rnorm3d: "__nv_rnorm3d";
        Rnorm4d: "__nv_rnorm4d";
        Erf: "erf" "erff" "erfl" "Faddeeva_erf_re";
        Erfc: "erfc" "Faddeeva_erfc_re";
        Erfi: "erfi" "Faddeeva_erfi_re";
        Erfinv: "erfinv" "__nv_erfinv";
        Erfcinv: "erfcinv" "__nv_erfcinv";
        Erfcx: "Faddeeva_erfcx_re" "__nv_erfcx" "_FortranAErfcScaled8" "_gfortran_erfc_scaled_r8";
        Dawson: "Faddeeva_Dawson_re";
        FaddeevaIm: "Faddeeva_w_im";
        Spacing: "_FortranASpacing8" "_FortranASpacing2By4";
        Normcdf: "normcdf" "__nv_normcdf";
        Normcdfinv: "__nv_normcdfinv";
        Tgamma: "tgamma" "tgammaf" "__tgammaf_finite";
        Lgamma: "lgamma" "lgammaf" "gamma" "__lgamma_finite" "__nv_lgamma";
        LgammaR: "lgamma_r" "lgammaf_r" "lgammal_r" "__lgamma_r_finite" "__gamma_r_finite" "logabsgamma";
        Digamma: "digamma";
        J0: "j0" "j0f" "__j0_finite" "__nv_j0";
        J1: "j1" "j1l";
        Jn: "jn" "__jn_finite" "__nv_jn";
        Y0: "y0";
        Y1: "y1";
        Yn: "yn" "ynf" "__yn_finite";
        BesselI0: "__nv_cyl_bessel_i0";
        BesselI1: "__nv_cyl_bessel_i1f";
        Xlogy: "xlogy" "xlogy_jl";
        Fabs: "fabs" "fabsf" "_ZSt3absd" "_ZSt3absf" "_ZSt4fabse" "__nv_fabs";
        Copysign: "copysign" "__nv_copysign";
        Fmod: "fmod" "__fmod_finite" "__nv_fmod" "_FortranAModReal8";
        Modulo: "_FortranAModuloReal4";
        Remainder: "remainder" "drem" "__remainder_finite";
        Remquo: "remquo" "remquof" "_ZSt6remquoffPi" "__nv_remquo";
        Fdim: "fdim" "__nv_fdim";
        Modf: "modf" "modff" "_ZSt4modffPf" "__nv_modf";
        Frexp: "frexp" "_ZSt5frexpePi" "__nv_frexp";
        Ldexp: "ldexp" "scalbn" "scalbln" "_ZSt7scalblnfl" "__nv_ldexp" "__nv_scalbn" "_FortranAScale8";
        Scalb: "scalb" "__scalb_finite";
        SetExponent: "_FortranASetExponent8" "_gfortran_set_exponent_r8";
        Fraction: "_FortranAFraction8" "_gfortran_fraction_r4";
        Significand: "significand";
        Fmax: "fmax" "fmaxf" "_ZSt4fmaxff" "__nv_fmax";
        Fmin: "fmin" "fminl";
        Fmaximum: "fmaximum" "fmaximumf";
        FminimumNum: "fminimum_num" "fminimum_numf";
        FmaximumMagNum: "fmaximum_mag_num";
        Fma: "fma" "fmaf" "__nv_fma" "__nv_fma_rn" "ffma" "dfmal";
        Fadd: "fadd" "daddl" "f32xaddf64" "__nv_dadd_rn" "f32addf64";
        Fdiv: "fdiv" "__nv_fdividef" "__nv_fast_fdividef" "__nv_ddiv_rn";
        Reciprocal: "__nv_frcp_rn" "__nv_frcp_rz" "__nv_drcp_ru" "__nv_drcp_rd";
        Rem2pi: "jl_rem2pi";
        Floor: "floor" "floorf";
        Ceil: "ceil";
        Trunc: "trunc";
        Round: "round";
        Roundeven: "roundeven";
        Rint: "rint";
        Nearbyint: "nearbyint";
        Lround: "lround" "_FortranANint8_4";
        Llround: "llround";
        Lrint: "lrint";
        Llrint: "llrint" "__nv_llrint";
        Logb: "logb";
        Ilogb: "ilogb" "llogb" "_FortranAExponent8_4";
        Nextafter: "nextafter" "__nv_nextafter";
        Nexttoward: "nexttoward" "_ZSt10nexttowardfe";
        Nextup: "nextup";
        Nan: "nan" "nanf";
        Classify: "isnan" "__isnan" "__isinff" "__fpclassify" "__signbit" "finite" "__nv_isnand";
        Cmul: "__mulsc3" "__muldc3" "__multc3" "__mulxc3";
        Cdiv: "__divsc3" "__divdc3" "__divtc3" "__divxc3";
        Cabs: "cabs" "cabsf";
        Carg: "carg";
        Cexp: "cexp" "cexpl";
        Cpow: "cpow";
        Cpowi: "_FortranAzpowi" "_FortranAcpowk" "_gfortran_pow_c8_i4";
        Csqrt: "csqrt" "cmplx_sqrt";
        Cinv: "cmplx_inv";
        Cjn: "cmplx_jn";
        Cyn: "cmplx_yn";
        Cerf: "Faddeeva_erf";
        Cerfc: "Faddeeva_erfc";
        Cerfi: "Faddeeva_erfi";
        Cerfcx: "Faddeeva_erfcx";
        Clog10: "clog10" "__clog10";
        Catanh: "catanhf";
        Cproj: "cproj";
        Conj: "conjl";
    }
    for unknown in [
        "",
        "sinx",
        "printf",
        "__sin_finity",
        "_ZSt3sinx",
        "_ZGVbM2v_sin",
        "_ZGVbN2vl8_sin",
        "__nv_roundeven",
        "select",
        "freeze",
        "fcmp",
    ] {
        assert_eq!(function(unknown), None, "{unknown}");
    }
}

#[test]
fn the_intrinsics_of_all_versions() {
    assert_names! {
        Sin: "llvm.sin.f64" "llvm.sin.v4f32" "llvm.sin.nxv2f64" "llvm.experimental.constrained.sin.f64";
        Tan: "llvm.tan.f32";
        Asin: "llvm.asin.f32";
        Atan2: "llvm.atan2.f64";
        Sincos: "llvm.sincos.f64";
        Sincospi: "llvm.sincospi.v2f64";
        Modf: "llvm.modf.f64";
        Sinh: "llvm.sinh.f64";
        Exp10: "llvm.exp10.f64";
        Powi: "llvm.powi.f64" "llvm.powi.f64.i32" "llvm.experimental.constrained.powi.f64";
        Ldexp: "llvm.ldexp.f64.i32";
        Frexp: "llvm.frexp.f64.i32";
        Fmax: "llvm.maxnum.f64" "llvm.nvvm.fmax.d" "llvm.nvvm.fmax.ftz.f";
        Fmin: "llvm.minnum.f64";
        Fmaximum: "llvm.maximum.f64" "llvm.nvvm.fmax.nan.f";
        Fminimum: "llvm.minimum.f64";
        FmaximumNum: "llvm.maximumnum.f64";
        FminimumNum: "llvm.minimumnum.f64";
        Fma: "llvm.fma.f64" "llvm.fmuladd.f64" "llvm.experimental.constrained.fmuladd.f64" "llvm.nvvm.fma.rn.d";
        Lround: "llvm.lround.i64.f64";
        Llrint: "llvm.llrint.i64.f64";
        Canonicalize: "llvm.canonicalize.f64";
        IsFpclass: "llvm.is.fpclass.f64";
        ArithmeticFence: "llvm.arithmetic.fence.f64";
        Fptrunc: "llvm.fptrunc.round.f16.f32" "llvm.experimental.constrained.fptrunc.f32.f64";
        Fpext: "llvm.experimental.constrained.fpext.f64.f32" "llvm.vp.fpext.v2f64.v2f32";
        Fadd: "llvm.experimental.constrained.fadd.f64" "llvm.vp.fadd.v2f64" "llvm.nvvm.add.rn.d";
        Frem: "llvm.experimental.constrained.frem.f64";
        Fcmp: "llvm.experimental.constrained.fcmp.f64" "llvm.experimental.constrained.fcmps.f64";
        Sitofp: "llvm.experimental.constrained.sitofp.f64.i32";
        Fptosi: "llvm.fptosi.sat.i32.f64" "llvm.experimental.constrained.fptosi.i32.f64";
        X86Min: "llvm.x86.sse.min.ps" "llvm.x86.sse2.min.sd" "llvm.x86.avx.min.pd.256";
        X86Max: "llvm.x86.sse.max.ss" "llvm.x86.avx512.max.ps.512";
        Fneg: "llvm.vp.fneg.v2f64";
        Trunc: "llvm.vp.roundtozero.v2f64" "llvm.trunc.f64";
    }
    let unknown = ["llvm.memcpy.p0.p0.i64", "llvm.sin.cos.f64", "llvm.", "llvm.sin.other", "llvm.fshl.i32"];
    for unknown in unknown {
        assert_eq!(function(unknown), None, "{unknown}");
    }
}

#[test]
fn precision_is_part_of_a_name() {
    let precision = |name| lookup(name).map(|named| named.precision);
    assert_eq!(precision("sin"), Some(Precision::Double));
    assert_eq!(precision("sinf"), Some(Precision::Single));
    assert_eq!(precision("sinl"), Some(Precision::LongDouble));
    assert_eq!(precision("sinf16"), Some(Precision::Half));
    assert_eq!(precision("sinq"), Some(Precision::Fp128));
    assert_eq!(precision("__expf_finite"), Some(Precision::Single));
    assert_eq!(precision("lgammaf_r"), Some(Precision::Single));
    assert_eq!(precision("llvm.sin.f80"), Some(Precision::X86Fp80));
    assert_eq!(precision("llvm.x86.sse.min.ps"), Some(Precision::Single));
    assert_eq!(precision("llvm.x86.sse2.min.pd"), Some(Precision::Double));
    assert_eq!(precision("llvm.sin.v8bf16"), Some(Precision::BFloat));
    assert_eq!(precision("llvm.lround.i64.f32"), Some(Precision::Single));
    assert_eq!(precision("__powixf2"), Some(Precision::LongDouble));
    assert_eq!(precision("_FortranAModReal10"), Some(Precision::X86Fp80));
}

#[test]
fn calling_conventions_are_part_of_a_name() {
    let convention = |name| lookup(name).map(|named| (named.abi, named.ignored));
    assert_eq!(convention("sin"), Some((Abi::Value, 0)));
    assert_eq!(convention("sincos"), Some((Abi::AllStored, 0)));
    assert_eq!(convention("llvm.sincos.f64"), Some((Abi::Aggregate, 0)));
    assert_eq!(convention("__fd_sincos_1"), Some((Abi::Aggregate, 0)));
    assert_eq!(convention("__ocml_sincos_f64"), Some((Abi::FirstReturned, 0)));
    assert_eq!(convention("frexp"), Some((Abi::FirstReturned, 0)));
    assert_eq!(convention("modf"), Some((Abi::FirstReturned, 0)));
    assert_eq!(convention("llvm.frexp.f64.i32"), Some((Abi::Aggregate, 0)));
    assert_eq!(convention("logabsgamma"), Some((Abi::Aggregate, 0)));
    assert_eq!(convention("cexp"), Some((Abi::Complex, 0)));
    assert_eq!(convention("Faddeeva_erf"), Some((Abi::Complex, 1)));
    assert_eq!(convention("_FortranAModReal8"), Some((Abi::Value, 2)));
    assert_eq!(convention("_gfortran_specific__sin_r8"), Some((Abi::ByReference, 0)));
    assert_eq!(convention("llvm.x86.sse.min.ss"), Some((Abi::LowestElement, 0)));
    assert_eq!(convention("llvm.experimental.constrained.fadd.f64"), Some((Abi::Value, 2)));
    assert_eq!(convention("llvm.experimental.constrained.fpext.f64.f32"), Some((Abi::Value, 1)));
    assert_eq!(convention("llvm.vp.fadd.v2f64"), Some((Abi::Value, 2)));
}

#[test]
fn reductions_are_not_scalar() {
    assert_eq!(reduction("llvm.vector.reduce.fadd.v4f64"), Some(Reduction::Fadd));
    assert_eq!(reduction("llvm.vector.reduce.fmul.v4f32"), Some(Reduction::Fmul));
    assert_eq!(reduction("llvm.vector.reduce.fmin.v4f32"), Some(Reduction::Fmin));
    assert_eq!(reduction("llvm.vector.reduce.fmax.v4f32"), Some(Reduction::Fmax));
    assert_eq!(reduction("llvm.vector.reduce.fminimum.v4f32"), Some(Reduction::Fminimum));
    assert_eq!(reduction("llvm.vector.reduce.fmaximum.v4f32"), Some(Reduction::Fmaximum));
    assert_eq!(reduction("llvm.vector.reduce.add.v4i32"), None);
    assert_eq!(lookup("llvm.vector.reduce.fadd.v4f64"), None);
    assert!(Reduction::Fadd.has_start() && !Reduction::Fmax.has_start());
}

#[test]
fn derivatives_call_by_the_dialect_of_the_program() {
    let symbol = |dialect, precision| names::symbol(dialect, Function::Cos, precision);
    assert_eq!(symbol(Dialect::Libm, Precision::Single).as_deref(), Some("cosf"));
    assert_eq!(symbol(Dialect::Libm, Precision::X86Fp80).as_deref(), Some("cosl"));
    assert_eq!(symbol(Dialect::Libm, Precision::Fp128).as_deref(), Some("cosf128"));
    assert_eq!(symbol(Dialect::Libm, Precision::Half), None);
    assert_eq!(symbol(Dialect::Libdevice, Precision::Double).as_deref(), Some("__nv_cos"));
    assert_eq!(symbol(Dialect::Ocml, Precision::Single).as_deref(), Some("__ocml_cos_f32"));
    assert_eq!(Function::LgammaR.libm_name(Precision::Single).as_deref(), Some("lgammaf_r"));
    assert_eq!(Function::Cos.llvm_intrinsic(), Some(("cos", 15)));
    assert_eq!(Function::Fmax.llvm_intrinsic(), Some(("maxnum", 15)));
    for &function in Function::ALL {
        for precision in Precision::ALL {
            // `frem` is an instruction that calls `fmod`.
            let expected = if function == Function::Frem { Function::Fmod } else { function };
            if let Some(name) = function.libm_name(precision) {
                let found = lookup(&name).unwrap_or_else(|| panic!("`{name}` is a name of `{function}`"));
                assert_eq!(found.function, expected, "{name}");
            }
        }
    }
}

#[test]
fn every_function_has_a_name_or_is_an_instruction() {
    let instructions = [
        Function::Fneg,
        Function::Frem,
        Function::Freeze,
        Function::Select,
        Function::Fpext,
        Function::Sitofp,
        Function::Uitofp,
        Function::Fptoui,
    ];
    for &function in Function::ALL {
        let named = !names::spellings(function).is_empty() || !names::intrinsics(function).is_empty();
        assert!(named || instructions.contains(&function), "nothing is called `{function}`");
    }
}
