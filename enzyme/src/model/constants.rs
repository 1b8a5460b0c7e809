//! Constants.

use std::sync::Arc;

use smallvec::{SmallVec, smallvec};

use super::{BlockId, ConstantId, GlobalId, Opcode, TypeId};

/// A constant: a type, and what it is. Interned in a [`Context`](super::Context), named by [`ConstantId`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Constant {
    /// Its type.
    pub ty: TypeId,
    /// What it is.
    pub kind: ConstantKind,
}

/// What a constant is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ConstantKind {
    /// An integer.
    Integer(Integer),
    /// A floating-point number.
    Float(FloatBits),
    /// The null pointer.
    Null,
    /// Any value, another one at each use.
    Undef,
    /// The result of an operation that had none.
    Poison,
    /// All bits zero, for aggregates, vectors and target types.
    Zero,
    /// The empty token.
    NoneToken,
    /// A structure, array or vector from its parts. [`Context::aggregate`](super::Context::aggregate) makes
    /// these, and turns them into [`Self::Zero`] or [`Self::Data`] where it can.
    Aggregate(Vec<ConstantId>),
    /// An array or vector of plain integers (8, 16, 32 or 64 bits) or floats (half, bfloat, float, double):
    /// the elements' bytes one after the other, little-endian, shared and so cheap to copy.
    Data(Arc<[u8]>),
    /// A vector whose elements are all the same.
    Splat(ConstantId),
    /// An operation on constants.
    Expression(Box<ConstantExpression>),
    /// The address of a global.
    Global(GlobalId),
    /// The address of a block, for `indirectbr`.
    BlockAddress {
        /// The function that holds the block.
        function: GlobalId,
        /// The block.
        block: BlockReference,
    },
    /// A function in this linkage unit that does the same (`dso_local_equivalent`).
    DsoLocalEquivalent(GlobalId),
    /// A function without its control-flow-integrity jump table (`no_cfi`).
    NoCfi(GlobalId),
    /// A signed pointer (`ptrauth`).
    PointerAuthentication(Box<PointerAuthentication>),
}

/// The parts of a `ptrauth` constant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PointerAuthentication {
    /// The pointer to sign.
    pub pointer: ConstantId,
    /// Which key signs.
    pub key: ConstantId,
    /// An integer mixed into the signature, if given.
    pub discriminator: Option<ConstantId>,
    /// An address mixed into the signature, if given.
    pub address_discriminator: Option<ConstantId>,
    /// A symbol that stands for the deactivation of the signature (LLVM 22), if given.
    pub deactivation_symbol: Option<ConstantId>,
}

/// A block named by a constant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum BlockReference {
    /// A block of the function that uses the constant.
    Own(BlockId),
    /// A block of another function, by its label without `%`.
    Other(String),
}

/// An operation on constants. Its opcode is one of those that LLVM allows in constants: integer arithmetic,
/// float arithmetic and comparisons (older versions), casts, select, element access, `getelementptr`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ConstantExpression {
    /// The operation.
    pub opcode: Opcode,
    /// Its operands, in the order the instruction has them.
    pub operands: SmallVec<[ConstantId; 4]>,
}

/// An integer of any width: two's complement words, least significant first, with all bits above the
/// width zero and no more words than the width needs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Integer {
    bits: u32,
    words: SmallVec<[u64; 2]>,
}

impl Integer {
    /// An integer from words, least significant first; missing words are zero, bits above the width are cut.
    pub fn from_words(bits: u32, words: &[u64]) -> Self {
        let count = bits.div_ceil(64) as usize;
        let mut own: SmallVec<[u64; 2]> = smallvec![0; count];
        for (to, from) in own.iter_mut().zip(words) {
            *to = *from;
        }
        if let Some(last) = own.last_mut()
            && !bits.is_multiple_of(64)
        {
            *last &= (1 << (bits % 64)) - 1;
        }
        Self { bits, words: own }
    }

    /// An integer from an unsigned number; bits above the width are cut.
    pub fn from_u64(bits: u32, value: u64) -> Self {
        Self::from_words(bits, &[value])
    }

    /// An integer from a signed number, sign-extended to the width.
    pub fn from_i64(bits: u32, value: i64) -> Self {
        let fill = if value < 0 { u64::MAX } else { 0 };
        let mut words: SmallVec<[u64; 2]> = smallvec![fill; bits.div_ceil(64) as usize];
        if let Some(first) = words.first_mut() {
            *first = value as u64;
        }
        Self::from_words(bits, &words)
    }

    /// The width in bits.
    pub const fn bits(&self) -> u32 {
        self.bits
    }

    /// The words, least significant first.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The number times minus one, wrapped to the width.
    pub fn negated(&self) -> Self {
        let mut carry = true;
        let words: SmallVec<[u64; 2]> = self
            .words
            .iter()
            .map(|word| {
                let (negated, overflow) = (!word).overflowing_add(carry.into());
                carry = overflow;
                negated
            })
            .collect();
        Self::from_words(self.bits, &words)
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// Whether its top bit is set, that is, whether it is negative when read as signed.
    pub fn is_negative(&self) -> bool {
        let top = self.bits - 1;
        self.words[(top / 64) as usize] >> (top % 64) & 1 == 1
    }

    /// Its value read as unsigned, when that fits.
    pub fn as_u64(&self) -> Option<u64> {
        let (first, rest) = self.words.split_first()?;
        rest.iter().all(|word| *word == 0).then_some(*first)
    }

    /// Its value read as signed, when that fits.
    pub fn as_i64(&self) -> Option<i64> {
        let first = *self.words.first()?;
        if self.bits <= 64 {
            let unused = 64 - self.bits;
            return Some(((first << unused) as i64) >> unused);
        }
        let value = first as i64;
        (Self::from_i64(self.bits, value) == *self).then_some(value)
    }
}

/// The exact bits of a floating-point number, in the low bits; the constant's type says how to read them.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct FloatBits(pub u128);

impl std::fmt::Debug for FloatBits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "FloatBits({:#x})", self.0)
    }
}
