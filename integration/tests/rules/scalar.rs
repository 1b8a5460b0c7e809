//! The number types of the generated programs, as C and as LLVM spell them.

use enzyme::rules::Precision;

/// A type of operands and results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Scalar {
    Half,
    BFloat,
    Float,
    Double,
    LongDouble,
    Quad,
    Bool,
    Char,
    Short,
    Int,
    Unsigned,
    Long,
    UnsignedLong,
    Int128,
}

impl Scalar {
    /// The type of a precision on x86-64; none for PowerPC's.
    pub(crate) fn of(precision: Precision) -> Option<Scalar> {
        match precision {
            Precision::Half => Some(Scalar::Half),
            Precision::BFloat => Some(Scalar::BFloat),
            Precision::Single => Some(Scalar::Float),
            Precision::Double => Some(Scalar::Double),
            Precision::LongDouble | Precision::X86Fp80 => Some(Scalar::LongDouble),
            Precision::Fp128 => Some(Scalar::Quad),
            Precision::PpcFp128 => None,
        }
    }

    pub(crate) fn is_float(self) -> bool {
        self <= Scalar::Quad
    }

    pub(crate) fn c(self) -> &'static str {
        match self {
            Scalar::Half => "_Float16",
            Scalar::BFloat => "__bf16",
            Scalar::Float => "float",
            Scalar::Double => "double",
            Scalar::LongDouble => "long double",
            Scalar::Quad => "__float128",
            Scalar::Bool => "_Bool",
            Scalar::Char => "signed char",
            Scalar::Short => "short",
            Scalar::Int => "int",
            Scalar::Unsigned => "unsigned",
            Scalar::Long => "long",
            Scalar::UnsignedLong => "unsigned long",
            Scalar::Int128 => "__int128",
        }
    }

    pub(crate) fn llvm(self) -> &'static str {
        match self {
            Scalar::Half => "half",
            Scalar::BFloat => "bfloat",
            Scalar::Float => "float",
            Scalar::Double => "double",
            Scalar::LongDouble => "x86_fp80",
            Scalar::Quad => "fp128",
            Scalar::Bool => "i1",
            Scalar::Char => "i8",
            Scalar::Short => "i16",
            Scalar::Int | Scalar::Unsigned => "i32",
            Scalar::Long | Scalar::UnsignedLong => "i64",
            Scalar::Int128 => "i128",
        }
    }

    /// The type suffix of intrinsics.
    pub(crate) fn suffix(self) -> &'static str {
        match self {
            Scalar::Half => "f16",
            Scalar::BFloat => "bf16",
            Scalar::Float => "f32",
            Scalar::Double => "f64",
            Scalar::LongDouble => "f80",
            Scalar::Quad => "f128",
            integer => integer.llvm(),
        }
    }

    /// A word for test names and for the names of C's functions.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Scalar::Half => "half",
            Scalar::BFloat => "bfloat",
            Scalar::LongDouble => "long-double",
            Scalar::Quad => "quad",
            other => other.c(),
        }
    }

    /// Bits of the significand that count: `long double` carries the numbers to the check.
    pub(crate) fn digits(self) -> u32 {
        match self {
            Scalar::BFloat => 8,
            Scalar::Half => 11,
            Scalar::Float => 24,
            Scalar::Double => 53,
            _ => 64,
        }
    }

    /// How far a derivative may be from the reference, relative to it or to 1/16, whichever is larger.
    ///
    /// The references are good to 1e-14 or better. The narrow types get about 64 units in their last place, for
    /// the rounding of the primal result that many rules read, and for C's own libraries, which promise no
    /// better.
    pub(crate) fn tolerance(self) -> f64 {
        match self {
            Scalar::BFloat => 0.15,
            Scalar::Half => 0.02,
            Scalar::Float => 1e-5,
            Scalar::Double => 1e-12,
            _ => 1e-13,
        }
    }
}

impl Scalar {
    /// The type as a part of identifiers, signed and unsigned apart.
    pub(crate) fn word_in_names(self) -> &'static str {
        match self {
            Scalar::Unsigned => "u32",
            Scalar::UnsignedLong => "u64",
            other => other.suffix(),
        }
    }
}
