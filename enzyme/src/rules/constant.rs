//! Constants of the rules, exact in every precision.
//!
//! A rule serves `half` as well as `fp128`, so an irrational constant is a name with enough digits for
//! the widest type, never an `f64` that was rounded once already. Fractions are written as divisions.

use std::fmt;

/// A floating-point constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Constant {
    /// A number that every format with at least 53 bits holds exactly.
    Exact(f64),
    /// An irrational number, given by name.
    Irrational(Irrational),
}

/// The irrational constants that rules mention.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Irrational {
    /// π.
    Pi,
    /// The natural logarithm of 2.
    Ln2,
    /// The natural logarithm of 10.
    Ln10,
    /// 2/√π, the slope of the error function at 0.
    TwoOverSqrtPi,
    /// 1/√(2π), the height of the normal density at 0.
    InverseSqrtTwoPi,
    /// √(2π), its inverse.
    SqrtTwoPi,
    /// √π/2, the slope of the inverse error function at 0.
    HalfSqrtPi,
}

impl Irrational {
    /// Every constant, for tests and documentation.
    pub const ALL: [Irrational; 7] = [
        Irrational::Pi,
        Irrational::Ln2,
        Irrational::Ln10,
        Irrational::TwoOverSqrtPi,
        Irrational::InverseSqrtTwoPi,
        Irrational::SqrtTwoPi,
        Irrational::HalfSqrtPi,
    ];

    /// The value in decimal, with more digits than an IEEE quadruple holds.
    pub fn digits(self) -> &'static str {
        match self {
            Irrational::Pi => "3.14159265358979323846264338327950288419716939937511",
            Irrational::Ln2 => "0.693147180559945309417232121458176568075500134360255",
            Irrational::Ln10 => "2.30258509299404568401799145468436420760110148862877",
            Irrational::TwoOverSqrtPi => "1.12837916709551257389615890312154517168810125865800",
            Irrational::InverseSqrtTwoPi => "0.398942280401432677939946059934381868475858631164935",
            Irrational::SqrtTwoPi => "2.50662827463100050241576528481104525300698674060994",
            Irrational::HalfSqrtPi => "0.886226925452758013649083741670572591398774728061194",
        }
    }

    /// How the constant is written in documentation.
    pub fn symbol(self) -> &'static str {
        match self {
            Irrational::Pi => "π",
            Irrational::Ln2 => "ln 2",
            Irrational::Ln10 => "ln 10",
            Irrational::TwoOverSqrtPi => "2/√π",
            Irrational::InverseSqrtTwoPi => "1/√(2π)",
            Irrational::SqrtTwoPi => "√(2π)",
            Irrational::HalfSqrtPi => "√π/2",
        }
    }
}

impl Constant {
    /// The nearest `f64`.
    pub fn to_f64(self) -> f64 {
        match self {
            Constant::Exact(value) => value,
            Constant::Irrational(name) => name.digits().parse().unwrap_or(f64::NAN),
        }
    }

    /// The value in decimal, exact or with more digits than any format holds.
    pub fn digits(self) -> String {
        match self {
            // Rust prints the shortest decimal that reads back as the same f64, so small dyadic
            // fractions and integers, the only exact constants rules use, print exactly.
            Constant::Exact(value) => format!("{value:?}"),
            Constant::Irrational(name) => name.digits().to_owned(),
        }
    }
}

impl fmt::Display for Constant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Constant::Exact(value) => write!(f, "{value}"),
            Constant::Irrational(name) => f.write_str(name.symbol()),
        }
    }
}

impl From<f64> for Constant {
    fn from(value: f64) -> Self {
        Constant::Exact(value)
    }
}

impl From<Irrational> for Constant {
    fn from(name: Irrational) -> Self {
        Constant::Irrational(name)
    }
}
