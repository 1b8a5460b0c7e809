//! Values and memory alike are bytes that know where they come from.

use enzyme::model::FloatType;

use super::Stop;
use crate::trace::{NewNode, NodeId, Origin};

/// One byte of a value or of memory.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Byte {
    pub(crate) bits: u8,
    /// Whether the byte has been given a value at all.
    pub(crate) defined: bool,
    /// What it was made as, and which byte of that it is.
    pub(crate) origin: Origin,
    pub(crate) position: u8,
    pub(crate) node: NodeId,
}

impl Byte {
    /// A byte of an integer.
    pub(crate) fn plain(bits: u8) -> Self {
        Self { bits, defined: true, ..Self::default() }
    }
}

/// A value of any first-class type: its bytes as they lie in memory, the elements of vectors in whole bytes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Value(pub(crate) Vec<Byte>);

/// Bytes of an address.
pub(crate) const POINTER_SIZE: usize = 8;

impl Value {
    /// Bytes without a value.
    pub(crate) fn undefined(size: usize) -> Self {
        Self(vec![Byte::default(); size])
    }

    /// An integer of so many bits.
    pub(crate) fn integer(bits: u32, value: u128) -> Self {
        let value = value & mask(bits);
        Self(value.to_le_bytes()[..bytes_of(bits)].iter().map(|&byte| Byte::plain(byte)).collect())
    }

    /// An address.
    pub(crate) fn pointer(address: u64) -> Self {
        Self::made_as(&address.to_le_bytes(), Origin::Pointer)
    }

    /// A float from its bits.
    pub(crate) fn float(ty: FloatType, bits: u128, origin: Origin) -> Self {
        Self::made_as(&bits.to_le_bytes()[..bytes_of(ty.bits())], origin)
    }

    fn made_as(bytes: &[u8], origin: Origin) -> Self {
        let byte = |(&bits, position)| Byte { bits, defined: true, origin, position, node: NodeId::NONE };
        Self(bytes.iter().zip(0..).map(byte).collect())
    }

    /// What its bytes become when they are written down again.
    pub(crate) fn new_nodes(&self) -> impl ExactSizeIterator<Item = NewNode> + '_ {
        (0..self.0.len()).map(|index| {
            let byte = self.0[index];
            NewNode { parent: byte.node, origin: byte.origin, pointee: self.pointee(index) }
        })
    }

    /// The address of the pointer whose first byte this is; 0 elsewhere.
    fn pointee(&self, index: usize) -> u64 {
        let starts = self.0[index].origin == Origin::Pointer && self.0[index].position == 0;
        match self.0.get(index..index + POINTER_SIZE).filter(|_| starts) {
            Some(bytes) => bits(bytes).map_or(0, |bits| bits as u64),
            None => 0,
        }
    }

    /// The bytes are those of a value of a floating-point type: what was nothing in particular is a float from now on.
    pub(crate) fn become_float(&mut self, ty: FloatType, size: usize) {
        for (index, byte) in self.0.iter_mut().enumerate().filter(|(_, byte)| byte.origin == Origin::Plain) {
            byte.origin = Origin::Float(ty);
            byte.position = (index % size) as u8;
        }
    }

    /// Whether any byte was made as part of an address.
    pub(crate) fn holds_pointer(&self) -> bool {
        self.0.iter().any(|byte| byte.origin == Origin::Pointer)
    }
}

/// The bits of bytes, the first one lowest.
pub(crate) fn bits(bytes: &[Byte]) -> Result<u128, Stop> {
    if bytes.len() > 16 {
        return Err(Stop::unsupported("an integer of more than 128 bits"));
    }
    if bytes.iter().any(|byte| !byte.defined) {
        return Err(Stop::undefined("a value that was never set is used"));
    }
    Ok(bytes.iter().rev().fold(0, |bits, byte| bits << 8 | u128::from(byte.bits)))
}

/// So many ones.
pub(crate) fn mask(bits: u32) -> u128 {
    if bits >= 128 { u128::MAX } else { (1 << bits) - 1 }
}

/// The number read as signed.
pub(crate) fn signed(bits: u32, value: u128) -> i128 {
    let unused = 128 - bits.min(128);
    ((value << unused) as i128) >> unused
}

pub(crate) fn bytes_of(bits: u32) -> usize {
    bits.div_ceil(8) as usize
}
