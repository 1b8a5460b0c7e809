//! How bytes were used.

use std::fmt;
use std::ops::BitOrAssign;

use enzyme::model::FloatType;

/// A set of uses of one byte.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Uses(u64);

/// The widest float has this many bytes.
const MOST_BYTES: u32 = 16;

impl Uses {
    /// As part of an integer that something was computed from or decided by.
    pub(crate) const INTEGER: Self = Self(1);
    /// As part of an address that was read from or written to.
    pub(crate) const POINTER: Self = Self(2);

    const FLOATS: u64 = !3;

    /// As this byte of a float in floating-point arithmetic.
    pub(crate) fn float(ty: FloatType, byte: usize) -> Self {
        Self(4 << (start(ty) + byte as u32))
    }

    /// Whether all these uses are among them.
    pub(crate) fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether the byte was part of any float.
    pub(crate) fn any_float(self) -> bool {
        self.0 & Self::FLOATS != 0
    }

    /// Whether the byte was part of a float in another way than this one.
    pub(crate) fn another_float(self, ty: FloatType, byte: usize) -> bool {
        self.0 & Self::FLOATS & !Self::float(ty, byte).0 != 0
    }
}

impl BitOrAssign for Uses {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

/// The first bit of a floating-point type: each has one for each of its bytes.
fn start(ty: FloatType) -> u32 {
    FloatType::ALL.iter().take_while(|other| **other != ty).map(|other| other.bits() / 8).sum()
}

impl fmt::Debug for Uses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words = Vec::new();
        if self.contains(Self::INTEGER) {
            words.push("integer".to_owned());
        }
        if self.contains(Self::POINTER) {
            words.push("pointer".to_owned());
        }
        for &ty in FloatType::ALL {
            let bytes = (0..(ty.bits() / 8).min(MOST_BYTES) as usize)
                .filter(|&byte| self.contains(Self::float(ty, byte)));
            words.extend(bytes.map(|byte| format!("byte {byte} of {ty}")));
        }
        f.write_str(&words.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_byte_of_each_float_is_told_from_the_others() {
        let all: Vec<(FloatType, usize)> = FloatType::ALL
            .iter()
            .flat_map(|&ty| (0..ty.bits() as usize / 8).map(move |byte| (ty, byte)))
            .collect();
        for &(ty, byte) in &all {
            let uses = Uses::float(ty, byte);
            assert!(uses.any_float() && !uses.another_float(ty, byte));
            assert!(!uses.contains(Uses::INTEGER) && !uses.contains(Uses::POINTER));
            let others = all.iter().filter(|&&(ty, byte)| uses.another_float(ty, byte)).count();
            assert_eq!(others, all.len() - 1, "{uses:?}");
        }
    }
}
