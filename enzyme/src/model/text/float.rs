//! Floating-point numbers in text.

use std::fmt::Write as _;

use super::super::{FloatBits, FloatType};

/// The text of a number: decimal when six digits give it exactly, else hexadecimal bits.
pub(super) fn print(ty: FloatType, bits: FloatBits) -> String {
    match ty {
        FloatType::Half => format!("0xH{:04X}", bits.0),
        FloatType::BFloat => format!("0xR{:04X}", bits.0),
        FloatType::X86Fp80 => format!("0xK{:020X}", bits.0),
        // The word with the low bits comes first.
        FloatType::Fp128 => format!("0xL{:016X}{:016X}", bits.0 as u64, (bits.0 >> 64) as u64),
        FloatType::PpcFp128 => format!("0xM{:016X}{:016X}", bits.0 as u64, (bits.0 >> 64) as u64),
        FloatType::Float | FloatType::Double => {
            let value = bits.to_f64(ty);
            decimal(value).unwrap_or_else(|| format!("0x{:016X}", value.to_bits()))
        }
    }
}

/// Reads what [`print()`] writes, and any other decimal or hexadecimal number that LLVM knows for the type.
pub(super) fn parse(ty: FloatType, text: &str) -> Result<FloatBits, String> {
    if let Some(bits) = text.strip_prefix("0x") {
        return parse_bits(ty, bits);
    }
    let value: f64 = text.parse().map_err(|_| format!("`{text}` is no number"))?;
    FloatBits::from_f64_exact(ty, value).ok_or_else(|| {
        let nearest = print(ty, FloatBits::from_f64(ty, value));
        format!("`{text}` is not exactly a `{ty}`; the nearest is `{nearest}`")
    })
}

fn parse_bits(ty: FloatType, text: &str) -> Result<FloatBits, String> {
    let kinds = [
        ('H', FloatType::Half),
        ('R', FloatType::BFloat),
        ('K', FloatType::X86Fp80),
        ('L', FloatType::Fp128),
        ('M', FloatType::PpcFp128),
    ];
    for (letter, kind) in kinds {
        let Some(digits) = text.strip_prefix(letter) else { continue };
        if kind != ty {
            return Err(format!("`0x{letter}` begins a `{kind}`, but a `{ty}` is expected"));
        }
        let words_swapped = matches!(kind, FloatType::Fp128 | FloatType::PpcFp128);
        let bits = hexadecimal(digits, kind.bits())?;
        return Ok(FloatBits(if words_swapped { bits.rotate_left(64) } else { bits }));
    }
    let value = f64::from_bits(hexadecimal(text, 64)? as u64);
    match ty {
        FloatType::X86Fp80 | FloatType::Fp128 | FloatType::PpcFp128 => {
            Err(format!("a `{ty}` is written with its own letter after `0x`"))
        }
        FloatType::Half | FloatType::BFloat | FloatType::Float | FloatType::Double => {
            FloatBits::from_f64_exact(ty, value).ok_or_else(|| format!("`0x{text}` is not exactly a `{ty}`"))
        }
    }
}

fn hexadecimal(digits: &str, bits: u32) -> Result<u128, String> {
    let value =
        u128::from_str_radix(digits, 16).map_err(|_| format!("`{digits}` is no hexadecimal number"))?;
    if bits < 128 && value >> bits != 0 {
        return Err(format!("`{digits}` has more than {bits} bits"));
    }
    Ok(value)
}

/// The number as C's `%.6e` writes it, when that is exact.
fn decimal(value: f64) -> Option<String> {
    if !value.is_finite() {
        return None;
    }
    let text = format!("{value:.6e}");
    let (mantissa, exponent) = text.split_once('e')?;
    let exponent: i32 = exponent.parse().ok()?;
    let mut padded = String::with_capacity(text.len() + 2);
    let sign = if exponent < 0 { '-' } else { '+' };
    write!(padded, "{mantissa}e{sign}{:02}", exponent.abs()).ok()?;
    (padded.parse::<f64>().ok()?.to_bits() == value.to_bits()).then_some(padded)
}
