//! The bits of floating-point numbers.

use super::FloatBits;
use super::types::FloatType;

/// How the bits of a binary format are shared out.
#[derive(Clone, Copy)]
struct Format {
    exponent_bits: u32,
    fraction_bits: u32,
    /// Whether the leading one of the significand is stored.
    explicit_one: bool,
}

impl Format {
    const fn of(ty: FloatType) -> Self {
        let (exponent_bits, fraction_bits) = match ty {
            FloatType::Half => (5, 10),
            FloatType::BFloat => (8, 7),
            FloatType::Float => (8, 23),
            // A ppc_fp128 is a pair of these.
            FloatType::Double | FloatType::PpcFp128 => (11, 52),
            FloatType::X86Fp80 => (15, 63),
            FloatType::Fp128 => (15, 112),
        };
        Self { exponent_bits, fraction_bits, explicit_one: matches!(ty, FloatType::X86Fp80) }
    }

    const fn bias(self) -> i32 {
        (1 << (self.exponent_bits - 1)) - 1
    }

    const fn maximum_exponent(self) -> u32 {
        (1 << self.exponent_bits) - 1
    }

    const fn exponent_position(self) -> u32 {
        self.fraction_bits + self.explicit_one as u32
    }

    /// The bits of a number that is not finite: an infinity, or a NaN with this payload.
    const fn special(self, negative: bool, fraction: u128) -> u128 {
        self.assemble(negative, self.maximum_exponent(), 1 << self.fraction_bits | fraction)
    }

    const fn assemble(self, negative: bool, exponent: u32, significand: u128) -> u128 {
        let stored =
            if self.explicit_one { significand } else { significand & ((1 << self.fraction_bits) - 1) };
        let sign = (negative as u128) << (self.exponent_position() + self.exponent_bits);
        sign | (exponent as u128) << self.exponent_position() | stored
    }
}

impl FloatBits {
    /// The nearest number of this type, ties to even.
    pub fn from_f64(ty: FloatType, value: f64) -> Self {
        Self(convert(value.to_bits().into(), FloatType::Double, ty).bits)
    }

    /// The number of this type that is exactly `value`; a NaN must fit with its payload.
    pub fn from_f64_exact(ty: FloatType, value: f64) -> Option<Self> {
        let converted = convert(value.to_bits().into(), FloatType::Double, ty);
        converted.exact.then_some(Self(converted.bits))
    }

    /// The nearest `f64`, when the bits are read as this type.
    pub fn to_f64(self, ty: FloatType) -> f64 {
        match ty {
            FloatType::PpcFp128 => f64::from_bits(self.0 as u64) + f64::from_bits((self.0 >> 64) as u64),
            FloatType::Half
            | FloatType::BFloat
            | FloatType::Float
            | FloatType::Double
            | FloatType::X86Fp80
            | FloatType::Fp128 => f64::from_bits(convert(self.0, ty, FloatType::Double).bits as u64),
        }
    }
}

struct Converted {
    bits: u128,
    exact: bool,
}

/// Converts bits from one binary format to another, ties to even. NaN payloads keep their high bits.
fn convert(bits: u128, from: FloatType, to: FloatType) -> Converted {
    let (source, target) = (Format::of(from), Format::of(to));
    let negative = bits >> (source.exponent_position() + source.exponent_bits) & 1 == 1;
    let exponent = (bits >> source.exponent_position()) as u32 & source.maximum_exponent();
    let fraction = bits & ((1 << source.fraction_bits) - 1);
    if exponent == source.maximum_exponent() {
        let payload = scale(fraction, source.fraction_bits, target.fraction_bits);
        // A NaN whose payload is cut to nothing must not become an infinity.
        let kept = if fraction != 0 && payload == 0 { 1 << (target.fraction_bits - 1) } else { payload };
        let exact = scale(kept, target.fraction_bits, source.fraction_bits) == fraction;
        return Converted { bits: target.special(negative, kept), exact };
    }
    let one = if source.explicit_one { bits >> source.fraction_bits & 1 } else { u128::from(exponent != 0) };
    let significand = one << source.fraction_bits | fraction;
    if significand == 0 {
        return Converted { bits: target.assemble(negative, 0, 0), exact: true };
    }
    // The value is significand * 2^(power - fraction_bits). Bring the leading one to its place first.
    let power = exponent.max(1) as i32 - source.bias();
    let leading = 127 - significand.leading_zeros();
    let power = power + leading as i32 - source.fraction_bits as i32;
    let normal = significand << (127 - leading);
    round(normal, power, negative, target)
}

/// The number `normal * 2^(power - 127)`, with the top bit of `normal` set, in a format.
fn round(normal: u128, power: i32, negative: bool, target: Format) -> Converted {
    let minimum = 1 - target.bias();
    let subnormal = (minimum - power).max(0) as u32;
    let cut = 127 - target.fraction_bits + subnormal;
    let (kept, rest, half) = match cut {
        0 => (normal, 0, 1),
        1..=127 => (normal >> cut, normal & ((1 << cut) - 1), 1 << (cut - 1)),
        128 => (0, normal, 1 << 127),
        // Below half of the smallest number: anything but zero, and less than half.
        _ => (0, 1, 2),
    };
    let exact = rest == 0;
    let up = rest > half || rest == half && kept & 1 == 1;
    let mut significand = kept + u128::from(up);
    let mut power = power.max(minimum);
    if significand >> (target.fraction_bits + 1) != 0 {
        significand >>= 1;
        power += 1;
    }
    if power > target.bias() {
        return Converted { bits: target.special(negative, 0), exact: false };
    }
    let is_normal = significand >> target.fraction_bits != 0;
    let exponent = if is_normal { (power + target.bias()) as u32 } else { 0 };
    Converted { bits: target.assemble(negative, exponent, significand), exact }
}

fn scale(fraction: u128, from: u32, to: u32) -> u128 {
    if to >= from { fraction << (to - from) } else { fraction >> (from - to) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_of_double_agree_with_the_machine() {
        for value in
            [0.0, -0.0, 1.0, -1.5, 0.1, 1e-40, 1e-46, 7e-46, 1e39, 3.4028235677973366e38, f64::MIN_POSITIVE]
        {
            let bits = FloatBits::from_f64(FloatType::Float, value);
            assert_eq!(bits.0, u128::from((value as f32).to_bits()), "{value}");
            assert_eq!(bits.to_f64(FloatType::Float), f64::from(value as f32), "{value}");
        }
    }

    #[test]
    fn exact_conversions_are_told_from_rounded_ones() {
        assert_eq!(FloatBits::from_f64_exact(FloatType::Half, 1.5), Some(FloatBits(0x3e00)));
        assert_eq!(FloatBits::from_f64_exact(FloatType::Half, 0.1), None);
        assert_eq!(FloatBits::from_f64_exact(FloatType::Half, 65520.0), None);
        assert_eq!(FloatBits::from_f64(FloatType::Half, 65520.0), FloatBits(0x7c00));
        assert_eq!(FloatBits::from_f64_exact(FloatType::BFloat, f64::INFINITY), Some(FloatBits(0x7f80)));
        let signalling = f64::from_bits(0x7ff0_0000_0000_0001);
        assert_eq!(FloatBits::from_f64_exact(FloatType::Float, signalling), None);
    }

    #[test]
    fn every_half_survives_the_way_to_double_and_back() {
        for bits in 0..=u16::MAX {
            let half = FloatBits(bits.into());
            let double = half.to_f64(FloatType::Half);
            assert_eq!(FloatBits::from_f64_exact(FloatType::Half, double), Some(half), "{bits:#x}");
        }
    }

    #[test]
    fn wide_formats() {
        let one = FloatBits::from_f64(FloatType::X86Fp80, 1.0);
        assert_eq!(one.0, 0x3fff_8000_0000_0000_0000);
        assert_eq!(FloatBits::from_f64(FloatType::X86Fp80, f64::NEG_INFINITY).0, 0xffff_8000_0000_0000_0000);
        let two = FloatBits::from_f64(FloatType::Fp128, -2.0);
        assert_eq!(two.0, 0xc000 << 112);
        assert_eq!(two.to_f64(FloatType::Fp128), -2.0);
        let smallest = FloatBits::from_f64(FloatType::X86Fp80, 5e-324);
        assert_eq!(smallest.to_f64(FloatType::X86Fp80), 5e-324);
    }
}
