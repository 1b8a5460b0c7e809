//! Flags and small parts of opcodes.

use super::mnemonic::mnemonic_enum;

/// What a floating-point operation may assume or do beyond IEEE 754.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FastMath {
    /// Sums and products may be reassociated (`reassoc`).
    pub reassociate: bool,
    /// No operand or result is a NaN (`nnan`).
    pub no_nans: bool,
    /// No operand or result is an infinity (`ninf`).
    pub no_infinities: bool,
    /// The sign of a zero does not matter (`nsz`).
    pub no_signed_zeros: bool,
    /// A division may become a multiplication with the reciprocal (`arcp`).
    pub allow_reciprocal: bool,
    /// A multiplication and an addition may be fused (`contract`).
    pub allow_contract: bool,
    /// Functions may be approximated (`afn`).
    pub approximate_functions: bool,
}

impl FastMath {
    /// Strict IEEE 754.
    pub const NONE: Self = Self {
        reassociate: false,
        no_nans: false,
        no_infinities: false,
        no_signed_zeros: false,
        allow_reciprocal: false,
        allow_contract: false,
        approximate_functions: false,
    };

    /// All seven (`fast`).
    pub const FAST: Self = Self {
        reassociate: true,
        no_nans: true,
        no_infinities: true,
        no_signed_zeros: true,
        allow_reciprocal: true,
        allow_contract: true,
        approximate_functions: true,
    };

    /// Whether no flag is set.
    pub fn is_none(self) -> bool {
        self == Self::NONE
    }
}

/// Promises of an integer operation; breaking one gives poison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct IntFlags {
    /// No unsigned overflow (`nuw`).
    pub no_unsigned_wrap: bool,
    /// No signed overflow (`nsw`).
    pub no_signed_wrap: bool,
    /// Nothing is lost by the division or right shift (`exact`).
    pub exact: bool,
    /// No bit is set in both operands (`disjoint`).
    pub disjoint: bool,
}

/// Promises of a cast; breaking one gives poison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CastFlags {
    /// The operand is not negative (`nneg`).
    pub non_negative: bool,
    /// No set bit is cut off (`nuw`).
    pub no_unsigned_wrap: bool,
    /// Nothing but copies of the sign bit is cut off (`nsw`).
    pub no_signed_wrap: bool,
    /// Fast-math flags of a conversion between floats.
    pub fast_math: FastMath,
}

/// Promises of an address computation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ElementPointerFlags {
    /// The result stays in the object (`inbounds`, which implies `nusw`).
    pub in_bounds: bool,
    /// No overflow when the offset is read as signed (`nusw`).
    pub no_unsigned_signed_wrap: bool,
    /// No unsigned overflow (`nuw`).
    pub no_unsigned_wrap: bool,
    /// Which part of the object the result may be used for, in constants (`inrange`).
    pub in_range: Option<Box<InRange>>,
}

/// The `inrange` of an address computation in a constant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum InRange {
    /// `inrange(-16, 16)`: byte offsets from the result (since LLVM 19).
    Bytes {
        /// First byte.
        start: i64,
        /// First byte beyond.
        end: i64,
    },
    /// `inrange` on this index (up to LLVM 18).
    Index(u32),
}

mnemonic_enum! {
    /// How strongly an atomic access is ordered.
    pub enum AtomicOrdering {
        /// No tearing, nothing else.
        Unordered = "unordered",
        /// One total order for each address.
        Monotonic = "monotonic",
        /// Later accesses stay later.
        Acquire = "acquire",
        /// Earlier accesses stay earlier.
        Release = "release",
        /// Both.
        AcquireRelease = "acq_rel",
        /// One total order of all such accesses.
        SequentiallyConsistent = "seq_cst",
    }
}

/// Between which threads an atomic access is ordered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum SyncScope {
    /// All threads of the system.
    #[default]
    System,
    /// A named scope: `singlethread`, or one of a target (`agent`, `workgroup` …).
    Named(String),
}

/// How an atomic access behaves between threads.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Atomic {
    /// How strongly it is ordered.
    pub ordering: AtomicOrdering,
    /// Between which threads.
    pub scope: SyncScope,
}

/// What a load and a store have in common.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct MemoryAccess {
    /// The access itself is observable (`volatile`).
    pub volatile: bool,
    /// Set for an atomic access.
    pub atomic: Option<Box<Atomic>>,
    /// Alignment of the address in bytes; `None` means that of the type.
    pub alignment: Option<u64>,
}

mnemonic_enum! {
    /// Whether a call may or must reuse its caller's frame.
    pub enum TailKind {
        /// An ordinary call.
        None = "",
        /// May be a tail call.
        Tail = "tail",
        /// Must be a tail call.
        MustTail = "musttail",
        /// Must not be a tail call.
        NoTail = "notail",
    }
}

/// A calling convention, by LLVM's number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CallingConvention(pub u32);

impl CallingConvention {
    /// C's.
    pub const C: Self = Self(0);
}

/// One place of a shuffle's mask: an index into both operands put together, or `None` for poison.
pub type ShuffleLane = Option<u32>;
