//! The canonical scalar functions: one variant for each mathematical function, however many names,
//! precisions and calling conventions programs know it by.

use std::fmt;

/// What kind of value an operand or a result is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A floating-point number: it can carry a derivative.
    Float,
    /// An integer or a truth value.
    Int,
    /// Something rules never look at, like the text operand of C's `nan`.
    Opaque,
}

/// How precise a floating-point function is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Precision {
    /// IEEE half, 16 bits.
    Half,
    /// The 16-bit format with the exponent range of single precision.
    BFloat,
    /// IEEE single, 32 bits.
    Single,
    /// IEEE double, 64 bits.
    Double,
    /// C's `long double`, whatever format the target gives it.
    LongDouble,
    /// The x87 format with 80 bits.
    X86Fp80,
    /// IEEE quadruple, 128 bits.
    Fp128,
    /// The PowerPC format that is a pair of doubles.
    PpcFp128,
}

impl Precision {
    /// Every precision, narrow ones first.
    pub const ALL: [Precision; 8] = [
        Precision::Half,
        Precision::BFloat,
        Precision::Single,
        Precision::Double,
        Precision::LongDouble,
        Precision::X86Fp80,
        Precision::Fp128,
        Precision::PpcFp128,
    ];
}

/// Where the symbol comes from with which a function is called when a derivative needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Symbol {
    /// C's mathematical library, in the spellings of all its precisions.
    Libm(&'static str),
    /// A library that has the function in double precision only, under this name.
    DoubleOnly(&'static str),
    /// No library function.
    None,
}

/// Declares the canonical functions, with their signature and the symbols to call them by.
///
/// `F`, `I` and `O` stand for [`Kind::Float`], [`Kind::Int`] and [`Kind::Opaque`]. A complex number is
/// two floats, the real part first.
macro_rules! functions {
    (@symbol) => { Symbol::None };
    (@symbol libm) => { compile_error!("libm needs a name") };
    (@symbol libm $name:literal) => { Symbol::Libm($name) };
    (@symbol double_only $name:literal) => { Symbol::DoubleOnly($name) };
    (@llvm) => { None };
    (@llvm $name:literal $since:literal) => { Some(($name, $since)) };
    ($(
        $variant:ident $name:literal ($($operand:ident)*) -> ($($result:ident)*)
        $([ $($symbol:tt)* ])? $(llvm $intrinsic:literal since $since:literal)?;
    )*) => {
        /// A canonical scalar function, or a scalar instruction that acts like one.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Function {
            $(
                #[doc = concat!("`", $name, "`")]
                $variant,
            )*
        }

        impl Function {
            /// Every function, in the order of the table.
            pub const ALL: &[Function] = &[$(Function::$variant),*];

            /// The canonical name, unique among all functions.
            pub fn name(self) -> &'static str {
                match self { $(Function::$variant => $name),* }
            }

            /// The kinds of the operands.
            pub fn operands(self) -> &'static [Kind] {
                #[allow(unused_imports, reason = "not every function has every kind")]
                use Kind::{Float as F, Int as I, Opaque as O};
                match self { $(Function::$variant => &[$($operand),*]),* }
            }

            /// The kinds of the results.
            pub fn results(self) -> &'static [Kind] {
                use Kind::{Float as F, Int as I};
                match self { $(Function::$variant => &[$($result),*]),* }
            }

            /// The LLVM intrinsic that computes the function, without `llvm.` and the type suffixes,
            /// and the LLVM version that has it first.
            pub fn llvm_intrinsic(self) -> Option<(&'static str, u32)> {
                match self { $(Function::$variant => functions!(@llvm $($intrinsic $since)?)),* }
            }

            fn symbol(self) -> Symbol {
                match self { $(Function::$variant => functions!(@symbol $($($symbol)*)?)),* }
            }
        }
    };
}

functions! {
    // Instructions.
    Fneg "fneg" (F) -> (F);
    Fadd "fadd" (F F) -> (F);
    Fsub "fsub" (F F) -> (F);
    Fmul "fmul" (F F) -> (F);
    Fdiv "fdiv" (F F) -> (F);
    Frem "frem" (F F) -> (F) [libm "fmod"];
    Fcmp "fcmp" (F F) -> (I);
    Freeze "freeze" (F) -> (F);
    Select "select" (I F F) -> (F);
    Fpext "fpext" (F) -> (F);
    Fptrunc "fptrunc" (F) -> (F);
    Sitofp "sitofp" (I) -> (F);
    Uitofp "uitofp" (I) -> (F);
    Fptosi "fptosi" (F) -> (I);
    Fptoui "fptoui" (F) -> (I);

    // Arithmetic.
    Fma "fma" (F F F) -> (F) [libm "fma"] llvm "fma" since 15;
    Fdim "fdim" (F F) -> (F) [libm "fdim"];
    Fabs "fabs" (F) -> (F) [libm "fabs"] llvm "fabs" since 15;
    Copysign "copysign" (F F) -> (F) [libm "copysign"] llvm "copysign" since 15;
    Canonicalize "canonicalize" (F) -> (F) llvm "canonicalize" since 15;
    ArithmeticFence "arithmetic_fence" (F) -> (F) llvm "arithmetic.fence" since 15;
    Reciprocal "reciprocal" (F) -> (F);
    Saturate "saturate" (F) -> (F);

    // The larger and the smaller of two numbers, in all the ways to treat NaN and signed zeros.
    Fmax "fmax" (F F) -> (F) [libm "fmax"] llvm "maxnum" since 15;
    Fmin "fmin" (F F) -> (F) [libm "fmin"] llvm "minnum" since 15;
    Fmaximum "fmaximum" (F F) -> (F) [libm "fmaximum"] llvm "maximum" since 15;
    Fminimum "fminimum" (F F) -> (F) [libm "fminimum"] llvm "minimum" since 15;
    FmaximumNum "fmaximum_num" (F F) -> (F) [libm "fmaximum_num"] llvm "maximumnum" since 20;
    FminimumNum "fminimum_num" (F F) -> (F) [libm "fminimum_num"] llvm "minimumnum" since 20;
    Fmaxmag "fmaxmag" (F F) -> (F) [libm "fmaxmag"];
    Fminmag "fminmag" (F F) -> (F) [libm "fminmag"];
    FmaximumMag "fmaximum_mag" (F F) -> (F) [libm "fmaximum_mag"];
    FminimumMag "fminimum_mag" (F F) -> (F) [libm "fminimum_mag"];
    FmaximumMagNum "fmaximum_mag_num" (F F) -> (F) [libm "fmaximum_mag_num"];
    FminimumMagNum "fminimum_mag_num" (F F) -> (F) [libm "fminimum_mag_num"];
    X86Max "x86_max" (F F) -> (F);
    X86Min "x86_min" (F F) -> (F);

    // Rounding, and the parts of a number.
    Floor "floor" (F) -> (F) [libm "floor"] llvm "floor" since 15;
    Ceil "ceil" (F) -> (F) [libm "ceil"] llvm "ceil" since 15;
    Trunc "trunc" (F) -> (F) [libm "trunc"] llvm "trunc" since 15;
    Round "round" (F) -> (F) [libm "round"] llvm "round" since 15;
    Roundeven "roundeven" (F) -> (F) [libm "roundeven"] llvm "roundeven" since 15;
    Rint "rint" (F) -> (F) [libm "rint"] llvm "rint" since 15;
    Nearbyint "nearbyint" (F) -> (F) [libm "nearbyint"] llvm "nearbyint" since 15;
    Lround "lround" (F) -> (I) [libm "lround"] llvm "lround" since 15;
    Llround "llround" (F) -> (I) [libm "llround"] llvm "llround" since 15;
    Lrint "lrint" (F) -> (I) [libm "lrint"] llvm "lrint" since 15;
    Llrint "llrint" (F) -> (I) [libm "llrint"] llvm "llrint" since 15;
    Lfloor "lfloor" (F) -> (I);
    Lceil "lceil" (F) -> (I);
    Fromfp "fromfp" (F I I) -> (I) [libm "fromfp"];
    Fmod "fmod" (F F) -> (F) [libm "fmod"];
    Modulo "modulo" (F F) -> (F);
    Remainder "remainder" (F F) -> (F) [libm "remainder"];
    Remquo "remquo" (F F) -> (F I) [libm "remquo"];
    Rem2pi "rem2pi" (F O) -> (F) [double_only "jl_rem2pi"];
    Modf "modf" (F) -> (F F) [libm "modf"] llvm "modf" since 21;
    Frexp "frexp" (F) -> (F I) [libm "frexp"] llvm "frexp" since 17;
    Ldexp "ldexp" (F I) -> (F) [libm "ldexp"] llvm "ldexp" since 17;
    Scalb "scalb" (F F) -> (F) [libm "scalb"];
    SetExponent "set_exponent" (F I) -> (F);
    Fraction "fraction" (F) -> (F);
    Significand "significand" (F) -> (F) [libm "significand"];
    Logb "logb" (F) -> (F) [libm "logb"];
    Ilogb "ilogb" (F) -> (I) [libm "ilogb"];
    Nextafter "nextafter" (F F) -> (F) [libm "nextafter"];
    Nexttoward "nexttoward" (F F) -> (F) [libm "nexttoward"];
    Nextup "nextup" (F) -> (F) [libm "nextup"];
    Nextdown "nextdown" (F) -> (F) [libm "nextdown"];
    Nearest "nearest" (F I) -> (F);
    Spacing "spacing" (F) -> (F);
    ReciprocalSpacing "reciprocal_spacing" (F) -> (F);
    Classify "classify" (F) -> (I);
    IsFpclass "is_fpclass" (F I) -> (I) llvm "is.fpclass" since 15;
    Nan "nan" (O) -> (F) [libm "nan"];
    Getpayload "getpayload" (O) -> (F) [libm "getpayload"];
    Totalorder "totalorder" (O O) -> (I) [libm "totalorder"];

    // Trigonometric functions.
    Sin "sin" (F) -> (F) [libm "sin"] llvm "sin" since 15;
    Cos "cos" (F) -> (F) [libm "cos"] llvm "cos" since 15;
    Tan "tan" (F) -> (F) [libm "tan"] llvm "tan" since 19;
    Asin "asin" (F) -> (F) [libm "asin"] llvm "asin" since 19;
    Acos "acos" (F) -> (F) [libm "acos"] llvm "acos" since 19;
    Atan "atan" (F) -> (F) [libm "atan"] llvm "atan" since 19;
    Atan2 "atan2" (F F) -> (F) [libm "atan2"] llvm "atan2" since 20;
    Sincos "sincos" (F) -> (F F) [libm "sincos"] llvm "sincos" since 20;
    Sinpi "sinpi" (F) -> (F) [libm "sinpi"];
    Cospi "cospi" (F) -> (F) [libm "cospi"];
    Tanpi "tanpi" (F) -> (F) [libm "tanpi"];
    Asinpi "asinpi" (F) -> (F) [libm "asinpi"];
    Acospi "acospi" (F) -> (F) [libm "acospi"];
    Atanpi "atanpi" (F) -> (F) [libm "atanpi"];
    Atan2pi "atan2pi" (F F) -> (F) [libm "atan2pi"];
    Sincospi "sincospi" (F) -> (F F) [libm "sincospi"] llvm "sincospi" since 21;
    Sinc "sinc" (F) -> (F) [double_only "sinc"];
    Sincn "sincn" (F) -> (F) [double_only "sincn"];

    // Hyperbolic functions.
    Sinh "sinh" (F) -> (F) [libm "sinh"] llvm "sinh" since 19;
    Cosh "cosh" (F) -> (F) [libm "cosh"] llvm "cosh" since 19;
    Tanh "tanh" (F) -> (F) [libm "tanh"] llvm "tanh" since 19;
    Asinh "asinh" (F) -> (F) [libm "asinh"];
    Acosh "acosh" (F) -> (F) [libm "acosh"];
    Atanh "atanh" (F) -> (F) [libm "atanh"];

    // Exponentials, logarithms, powers and roots.
    Exp "exp" (F) -> (F) [libm "exp"] llvm "exp" since 15;
    Exp2 "exp2" (F) -> (F) [libm "exp2"] llvm "exp2" since 15;
    Exp10 "exp10" (F) -> (F) [libm "exp10"] llvm "exp10" since 18;
    Expm1 "expm1" (F) -> (F) [libm "expm1"];
    Exp2m1 "exp2m1" (F) -> (F) [libm "exp2m1"];
    Exp10m1 "exp10m1" (F) -> (F) [libm "exp10m1"];
    Log "log" (F) -> (F) [libm "log"] llvm "log" since 15;
    Log2 "log2" (F) -> (F) [libm "log2"] llvm "log2" since 15;
    Log10 "log10" (F) -> (F) [libm "log10"] llvm "log10" since 15;
    Log1p "log1p" (F) -> (F) [libm "log1p"];
    Log2p1 "log2p1" (F) -> (F) [libm "log2p1"];
    Log10p1 "log10p1" (F) -> (F) [libm "log10p1"];
    Xlogy "xlogy" (F F) -> (F) [double_only "xlogy"];
    Pow "pow" (F F) -> (F) [libm "pow"] llvm "pow" since 15;
    Powr "powr" (F F) -> (F) [libm "powr"];
    Powi "powi" (F I) -> (F) llvm "powi" since 15;
    Rootn "rootn" (F I) -> (F) [libm "rootn"];
    Compoundn "compoundn" (F I) -> (F) [libm "compoundn"];
    Sqrt "sqrt" (F) -> (F) [libm "sqrt"] llvm "sqrt" since 15;
    Rsqrt "rsqrt" (F) -> (F) [libm "rsqrt"];
    Cbrt "cbrt" (F) -> (F) [libm "cbrt"];
    Rcbrt "rcbrt" (F) -> (F);
    Hypot "hypot" (F F) -> (F) [libm "hypot"];
    Rhypot "rhypot" (F F) -> (F);
    Norm3d "norm3d" (F F F) -> (F);
    Rnorm3d "rnorm3d" (F F F) -> (F);
    Norm4d "norm4d" (F F F F) -> (F);
    Rnorm4d "rnorm4d" (F F F F) -> (F);

    // Special functions.
    Erf "erf" (F) -> (F) [libm "erf"];
    Erfc "erfc" (F) -> (F) [libm "erfc"];
    Erfcx "erfcx" (F) -> (F) [double_only "Faddeeva_erfcx_re"];
    Erfi "erfi" (F) -> (F) [double_only "erfi"];
    Erfinv "erfinv" (F) -> (F) [double_only "erfinv"];
    Erfcinv "erfcinv" (F) -> (F) [double_only "erfcinv"];
    Dawson "dawson" (F) -> (F) [double_only "Faddeeva_Dawson_re"];
    FaddeevaIm "faddeeva_w_im" (F) -> (F) [double_only "Faddeeva_w_im"];
    Normcdf "normcdf" (F) -> (F) [double_only "normcdf"];
    Normcdfinv "normcdfinv" (F) -> (F) [double_only "normcdfinv"];
    Tgamma "tgamma" (F) -> (F) [libm "tgamma"];
    Lgamma "lgamma" (F) -> (F) [libm "lgamma"];
    LgammaR "lgamma_r" (F) -> (F I) [libm "lgamma_r"];
    Digamma "digamma" (F) -> (F);
    Trigamma "trigamma" (F) -> (F);
    J0 "j0" (F) -> (F) [libm "j0"];
    J1 "j1" (F) -> (F) [libm "j1"];
    Jn "jn" (I F) -> (F) [libm "jn"];
    Y0 "y0" (F) -> (F) [libm "y0"];
    Y1 "y1" (F) -> (F) [libm "y1"];
    Yn "yn" (I F) -> (F) [libm "yn"];
    BesselI0 "cyl_bessel_i0" (F) -> (F) [double_only "cyl_bessel_i0"];
    BesselI1 "cyl_bessel_i1" (F) -> (F) [double_only "cyl_bessel_i1"];

    // Complex numbers.
    Cabs "cabs" (F F) -> (F) [libm "cabs"];
    Carg "carg" (F F) -> (F) [libm "carg"];
    Creal "creal" (F F) -> (F) [libm "creal"];
    Cimag "cimag" (F F) -> (F) [libm "cimag"];
    Conj "conj" (F F) -> (F F) [libm "conj"];
    Cproj "cproj" (F F) -> (F F) [libm "cproj"];
    Cmul "cmul" (F F F F) -> (F F);
    Cdiv "cdiv" (F F F F) -> (F F);
    Cinv "cinv" (F F) -> (F F) [double_only "cmplx_inv"];
    Cexp "cexp" (F F) -> (F F) [libm "cexp"];
    Clog "clog" (F F) -> (F F) [libm "clog"];
    Clog10 "clog10" (F F) -> (F F) [libm "clog10"];
    Cpow "cpow" (F F F F) -> (F F) [libm "cpow"];
    Cpowi "cpowi" (F F I) -> (F F) [double_only "_FortranAzpowi"];
    Csqrt "csqrt" (F F) -> (F F) [libm "csqrt"];
    Csin "csin" (F F) -> (F F) [libm "csin"];
    Ccos "ccos" (F F) -> (F F) [libm "ccos"];
    Ctan "ctan" (F F) -> (F F) [libm "ctan"];
    Casin "casin" (F F) -> (F F) [libm "casin"];
    Cacos "cacos" (F F) -> (F F) [libm "cacos"];
    Catan "catan" (F F) -> (F F) [libm "catan"];
    Csinh "csinh" (F F) -> (F F) [libm "csinh"];
    Ccosh "ccosh" (F F) -> (F F) [libm "ccosh"];
    Ctanh "ctanh" (F F) -> (F F) [libm "ctanh"];
    Casinh "casinh" (F F) -> (F F) [libm "casinh"];
    Cacosh "cacosh" (F F) -> (F F) [libm "cacosh"];
    Catanh "catanh" (F F) -> (F F) [libm "catanh"];
    Cerf "cerf" (F F) -> (F F) [double_only "Faddeeva_erf"];
    Cerfc "cerfc" (F F) -> (F F) [double_only "Faddeeva_erfc"];
    Cerfcx "cerfcx" (F F) -> (F F) [double_only "Faddeeva_erfcx"];
    Cerfi "cerfi" (F F) -> (F F) [double_only "Faddeeva_erfi"];
    Cfaddeeva "cfaddeeva" (F F) -> (F F) [double_only "Faddeeva_w"];
    Cdawson "cdawson" (F F) -> (F F) [double_only "Faddeeva_Dawson"];
    Cjn "cjn" (I F F) -> (F F) [double_only "cmplx_jn"];
    Cyn "cyn" (I F F) -> (F F) [double_only "cmplx_yn"];
}

impl Function {
    /// The symbol by which a library offers the function in the given precision.
    ///
    /// C's library has nothing for `half` and `bfloat`: extend to single precision, call, truncate.
    /// `fp128` names are those of targets whose `long double` is narrower.
    pub fn libm_name(self, precision: Precision) -> Option<String> {
        match self.symbol() {
            Symbol::Libm(base) => spell(base, precision),
            Symbol::DoubleOnly(name) => (precision == Precision::Double).then(|| name.to_owned()),
            Symbol::None => None,
        }
    }

    /// The name in C's mathematical library, in double precision.
    pub(super) fn libm_base(self) -> Option<&'static str> {
        match self.symbol() {
            Symbol::Libm(base) => Some(base),
            Symbol::DoubleOnly(_) | Symbol::None => None,
        }
    }

    /// Whether operands and results contain complex numbers, each as two floats.
    pub fn is_complex(self) -> bool {
        // They are the last group of the table.
        self >= Function::Cabs
    }

    /// Whether the result with this index carries a derivative at all.
    pub fn is_float_result(self, index: usize) -> bool {
        self.results().get(index) == Some(&Kind::Float)
    }

    /// Whether the operand with this index can carry a derivative at all.
    pub fn is_float_operand(self, index: usize) -> bool {
        self.operands().get(index) == Some(&Kind::Float)
    }
}

/// Spells a name of C's mathematical library in a precision: `sin`, `sinf`, `sinl`, `sinf128`. A
/// suffix `_r` stays last.
pub(super) fn spell(base: &str, precision: Precision) -> Option<String> {
    let suffix = match precision {
        Precision::Half | Precision::BFloat => return None,
        Precision::Single => "f",
        Precision::Double => "",
        Precision::LongDouble | Precision::X86Fp80 | Precision::PpcFp128 => "l",
        Precision::Fp128 => "f128",
    };
    Some(suffixed(base, suffix))
}

/// A name with a precision suffix, put before `_r` where there is one: `lgammaf_r`.
pub(super) fn suffixed(base: &str, suffix: &str) -> String {
    match base.strip_suffix("_r") {
        Some(stem) => format!("{stem}{suffix}_r"),
        None => format!("{base}{suffix}"),
    }
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
