//! Random programs.
//!
//! A [`Program`] is a small tree that makes sense whatever its parts are: operands are picked among the values that
//! are there, so that proptest can drop and simplify parts as it likes. [`text`] writes it as LLVM IR.

mod control;
mod memory;
mod numbers;
mod shrink;
mod strategy;
mod trips;
mod writer;

pub(crate) use strategy::{Contents, FloatTypes, Kind, drawn};
pub(crate) use writer::text;

/// Which of the values that are there is meant: 0 is a constant, higher numbers count from the newest value back.
pub(crate) type Pick = u8;

/// A module and what its entry function `@f` is called with.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) style: Style,
    pub(crate) tbaa: Tbaa,
    /// That of the entry function first; the others share the rest.
    pub(crate) bodies: Vec<Body>,
    pub(crate) inputs: Inputs,
}

/// How values are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// In registers, with phis where ways meet.
    Registers,
    /// In memory of the frame, as compilers do that do not optimise.
    Frame,
}

/// Whether accesses say what type they have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tbaa {
    Absent,
    Present,
}

/// The numbers that the entry function gets.
#[derive(Clone, Debug)]
pub(crate) struct Inputs {
    pub(crate) numbers: [f64; 16],
    pub(crate) integer: i64,
}

/// What a function does, and which value it returns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Body {
    pub(crate) statements: Vec<Statement>,
    pub(crate) result: Pick,
}

/// What kind of value there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Sort {
    Double,
    Float,
    Long,
    Int,
    Truth,
    /// An integer that holds a double.
    Bits,
    /// An integer that holds the address of an [`Self::Array`].
    Address,
    /// Address of four doubles.
    Array,
    /// Address of four doubles that are only read.
    Constants,
    /// Address of four floats.
    Floats,
    /// Address of a structure of a double, an integer, an array's address, a float and an integer.
    Record,
    /// Address of an array's address.
    Cell,
    /// A vector of two doubles.
    Vector,
    /// A vector of four floats.
    Quad,
    /// A double and an integer.
    Pair,
}

/// The functions besides the entry, each with a signature of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Callee {
    /// Of two doubles.
    Scalar,
    /// As [`Self::Scalar`].
    Other,
    /// Of an array and an index.
    Element,
    /// Of two arrays; returns nothing.
    Update,
    /// Of a double in an integer.
    Bits,
    /// Gives one of two arrays.
    Choose,
    /// Of a record.
    Record,
    /// Of a pair, gives a pair.
    Pair,
    /// Calls itself so many times.
    Recursive,
    /// Calls [`Self::Odd`], and that one it.
    Even,
    /// See [`Self::Even`].
    Odd,
}

impl Callee {
    pub(crate) const ALL: [Self; 11] = [
        Self::Scalar,
        Self::Other,
        Self::Element,
        Self::Update,
        Self::Bits,
        Self::Choose,
        Self::Record,
        Self::Pair,
        Self::Recursive,
        Self::Even,
        Self::Odd,
    ];
}

/// One step of a function.
#[derive(Clone, Debug)]
pub(crate) enum Statement {
    /// Arithmetic of doubles.
    Doubles(DoubleOp, Pick, Pick),
    /// Arithmetic of floats: 0 to 2 are sum, difference and product.
    Floats(u8, Pick, Pick),
    /// A library function of doubles.
    Math(MathOp, Pick, Pick),
    Convert(Conversion, Pick),
    /// Arithmetic of integers.
    Longs(LongOp, Pick, Pick),
    /// A comparison of doubles or of integers.
    Compare(Compared, Pick, Pick),
    /// `select`.
    Select(Sort, Pick, Pick, Pick),
    /// Work on the bits of doubles.
    BitTrick(BitTrick, Pick, Pick),
    /// Two floats in one integer, and out again.
    PackFloats(Pick, Pick),
    /// New memory, all of it written.
    Allocate(Place, Sort, [Pick; 4]),
    /// A heap allocation that holds a double for a moment.
    Temporary(Pick),
    /// An element read.
    Load(Sort, Pick, Index),
    /// An element written.
    Store(Sort, Pick, Index, Pick),
    /// All elements of an array added up in a loop.
    Sum(Sort, Pick, Walk),
    /// A field read.
    GetField(Pick, u8),
    /// A field written.
    SetField(Pick, u8, Pick),
    /// All of an array or a record copied: from, to.
    Copy(Sort, CopyWay, Pick, Pick),
    /// An array set to zero.
    Clear(Pick),
    /// An array of which the rest only reads.
    OnlyRead(Pick),
    /// Bytes that are one thing after the other.
    Union(Place, Vec<UnionUse>),
    /// An address as an integer, and back.
    Address(AddressTrick, Pick),
    Vector(VectorOp, Pick, Pick),
    Pair(PairOp, Pick, Pick),
    /// Two ways, and values that are one thing on the one and another on the other.
    If(Pick, Vec<Self>, Vec<Self>, Vec<(Sort, Pick, Pick)>),
    /// Some ways by a number.
    Switch(Pick, Vec<Vec<Self>>),
    /// So many rounds, and values that each round changes.
    Loop(u8, Vec<Self>, Vec<(Sort, Pick, Pick)>),
    Call(Callee, [Pick; 3]),
    /// A call through a pointer that was chosen, or that was kept in memory.
    CallPointer(PointerSource, [Pick; 3]),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DoubleOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    Negate,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MathOp {
    Sin,
    Cos,
    Tanh,
    Root,
    Bell,
    Power,
    Absolute,
    CopySign,
    Maximum,
    FusedMultiply,
    Angle,
    Floor,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Conversion {
    DoubleToFloat,
    FloatToDouble,
    LongToDouble,
    DoubleToLong,
    IntToLong,
    IntToLongUnsigned,
    LongToInt,
    IntToFloat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LongOp {
    Add,
    Subtract,
    Multiply,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
    Minimum,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compared {
    Doubles,
    Longs,
    Pointers,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BitTrick {
    ToBits,
    FromBits,
    Negate,
    Absolute,
    CopySign,
    /// The exponent grows by one.
    Double,
    /// The exponent is set to that of numbers between 1 and 2.
    Significand,
    Halves,
    IsNegative,
    /// A number made of all bits.
    Hash,
    Exponent,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Frame,
    Heap,
    /// Heap memory that is clear at first.
    ClearedHeap,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Index {
    Known(u8),
    Computed(Pick),
}

/// How a loop goes over an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Walk {
    ByIndex,
    ByPointer,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CopyWay {
    Memcpy,
    Memmove,
    Words,
    Bytes,
    /// As one value of the type.
    Whole,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnionUse {
    Double(Pick),
    Integer(Pick),
    Pointer(Pick),
    TwoFloats(Pick, Pick),
    /// Written as a double, read as its bits.
    BitsOfDouble(Pick),
    /// Written as bits, read as a double.
    DoubleOfBits(Pick),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AddressTrick {
    ToAddress,
    FromAddress,
    /// There and back over another element.
    Detour,
    /// Stored as an address, loaded as an integer.
    LoadAsInteger,
    /// Stored as an integer, loaded as an address.
    LoadAsPointer,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VectorOp {
    Build,
    Add,
    Multiply,
    First,
    Second,
    Swap,
    Load,
    Store,
    Sum,
    ThroughInteger,
    Quad,
    QuadElement,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PairOp {
    Build,
    Number,
    Integer,
    ThroughMemory,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PointerSource {
    Selected,
    Memory,
    Table,
}
