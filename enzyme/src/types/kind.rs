//! What a byte can be, and what follows when two statements about it meet.

use std::fmt;

use crate::model::FloatType;

/// What some bytes hold. That nothing is known of them is said by the absence of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Bytes that may be taken for whatever suits: a zero, an undefined value.
    Anything,
    /// An integer, or part of one: nothing to differentiate.
    Integer,
    /// An address.
    Pointer,
    /// A floating-point number of this type.
    Float(FloatType),
}

/// Whether addresses and integers count as the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Addresses {
    /// An address is not an integer.
    #[default]
    AreAddresses,
    /// An address may be called an integer, and an integer an address.
    MayBeIntegers,
}

/// Two statements about the same bytes that cannot both hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{known} and {new} cannot both be true")]
pub struct KindConflict {
    /// What was known.
    pub known: Kind,
    /// What was said later.
    pub new: Kind,
}

impl Kind {
    /// What holds when both statements do.
    ///
    /// # Errors
    /// When they contradict each other.
    pub fn both(self, other: Self, addresses: Addresses) -> Result<Self, KindConflict> {
        match (self, other) {
            (Self::Anything, _) | (_, Self::Anything) => Ok(Self::Anything),
            _ if self == other => Ok(self),
            (Self::Pointer, Self::Integer) | (Self::Integer, Self::Pointer)
                if addresses == Addresses::MayBeIntegers =>
            {
                Ok(self)
            }
            (Self::Integer | Self::Pointer | Self::Float(_), _) => {
                Err(KindConflict { known: self, new: other })
            }
        }
    }

    /// What holds when one of the statements does, and it is not known which.
    pub fn either(this: Option<Self>, other: Option<Self>) -> Option<Self> {
        match (this, other) {
            (Some(Self::Anything), _) => other,
            (_, Some(Self::Anything)) => this,
            _ if this == other => this,
            _ => None,
        }
    }

    /// Bytes from one such thing to the next in an array of them; 1 where each byte stands for itself.
    pub fn stride(self, pointer_size: u64) -> u64 {
        match self {
            Self::Anything | Self::Integer => 1,
            Self::Pointer => pointer_size,
            Self::Float(float) => u64::from(float.bits()) / 8,
        }
    }

    /// The floating-point type, for a float.
    pub fn as_float(self) -> Option<FloatType> {
        match self {
            Self::Float(float) => Some(float),
            Self::Anything | Self::Integer | Self::Pointer => None,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Anything => f.write_str("Anything"),
            Self::Integer => f.write_str("Integer"),
            Self::Pointer => f.write_str("Pointer"),
            Self::Float(float) => write!(f, "Float@{}", float_name(*float)),
        }
    }
}

impl std::str::FromStr for Kind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "Anything" => Ok(Self::Anything),
            "Integer" => Ok(Self::Integer),
            "Pointer" => Ok(Self::Pointer),
            _ => text
                .strip_prefix("Float@")
                .and_then(|name| FloatType::ALL.iter().find(|float| float_name(**float) == name))
                .map(|float| Self::Float(*float))
                .ok_or_else(|| format!("`{text}` is not one of Anything, Integer, Pointer, Float@double …")),
        }
    }
}

/// How type trees spell a floating-point type: not always as LLVM does.
fn float_name(float: FloatType) -> &'static str {
    match float {
        FloatType::BFloat => "bf16",
        FloatType::X86Fp80 => "fp80",
        FloatType::PpcFp128 => "ppc128",
        FloatType::Half | FloatType::Float | FloatType::Double | FloatType::Fp128 => float.mnemonic(),
    }
}
