//! What debug information says of the types of variables in memory.
//!
//! A declaration (`llvm.dbg.declare`, or the record `#dbg_declare` of newer LLVMs) ties a variable of the user's
//! program to the address where it lives. [`Function::debug_declarations`](super::Function::debug_declarations)
//! lists them, [`Function::debug_types`](super::Function::debug_types) holds the types. Both are a side table for
//! analyses: the text form has neither, and two functions that differ only in them are equal.

use cranelift_entity::entity_impl;

use super::{DebugLocation, ValueId};

/// A type of the user's program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DebugTypeId(u32);
entity_impl!(DebugTypeId, "debug_type");

/// A variable that lives in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DebugDeclaration {
    /// The address where it lives.
    pub address: ValueId,
    /// Its name.
    pub variable: Option<String>,
    /// What lies there.
    pub ty: DebugTypeId,
    /// The language it is written in.
    pub language: SourceLanguage,
    /// Where it is declared.
    pub location: Option<DebugLocation>,
}

/// A type as the user's program has it. Other names for a type (`typedef`) and qualifiers (`const`) are looked
/// through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DebugType {
    /// Its name, where it has one.
    pub name: Option<String>,
    /// Its size in bits; 0 when it is not known.
    pub bits: u64,
    /// Its alignment in bits; 0 when none is given.
    pub alignment: u32,
    /// What it is made of.
    pub kind: DebugTypeKind,
}

/// What a type is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DebugTypeKind {
    /// A number, a character, a truth value.
    Basic(DebugEncoding),
    /// A pointer or a reference.
    Pointer {
        /// What it points to; `None` when that is not told (`void *`).
        pointee: Option<DebugTypeId>,
    },
    /// Members one after the other: a structure, a class with its bases, a tuple.
    Structure {
        /// Those that lie in an object, in the order of the declaration.
        members: Vec<DebugMember>,
    },
    /// Members in the place of each other.
    Union {
        /// All of them.
        members: Vec<DebugMember>,
    },
    /// A union and what tells which of its members is meant: an `enum` of Rust with data.
    Variants {
        /// Where that is written.
        discriminant: Option<DebugMember>,
        /// The members, of which one is meant at a time.
        variants: Vec<DebugMember>,
    },
    /// Elements one after the other.
    Array {
        /// What each is.
        element: DebugTypeId,
        /// How many there are in each dimension, the outermost first; `None` when it is not a constant.
        counts: Vec<Option<u64>>,
    },
    /// Named integers.
    Enumeration {
        /// The type of their values.
        values: Option<DebugTypeId>,
    },
    /// Code.
    Function,
    /// Something else, something of which only the name is told, or something that lies too many pointers away
    /// from every variable to be read.
    Opaque,
}

/// A part of a structure or union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DebugMember {
    /// Its name, where it has one.
    pub name: Option<String>,
    /// How many bits into the object it begins.
    pub offset: u64,
    /// What lies there.
    pub ty: DebugTypeId,
}

/// What the bits of a basic type mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DebugEncoding {
    /// An address that is not a pointer.
    Address,
    /// A truth value.
    Boolean,
    /// A real number in floating point.
    Float,
    /// Two real numbers in floating point: real and imaginary part.
    ComplexFloat,
    /// An integer with a sign.
    Signed,
    /// An integer without a sign.
    Unsigned,
    /// A character, or any other small integer.
    Character,
    /// Something else; the number is DWARF's.
    Other(u32),
}

/// A language of source code, as far as analyses tell them apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SourceLanguage {
    /// C.
    C,
    /// C++.
    Cpp,
    /// Fortran.
    Fortran,
    /// Julia.
    Julia,
    /// Rust.
    Rust,
    /// Swift.
    Swift,
    /// Any other, or none is told.
    #[default]
    Other,
}

impl DebugType {
    /// A type of which nothing is known.
    pub fn opaque() -> Self {
        Self { name: None, bits: 0, alignment: 0, kind: DebugTypeKind::Opaque }
    }

    /// Its size in whole bytes; `None` when it is not known or not whole.
    pub fn bytes(&self) -> Option<u64> {
        (self.bits != 0 && self.bits.is_multiple_of(8)).then_some(self.bits / 8)
    }
}

impl DebugMember {
    /// Where it begins in whole bytes; `None` for what begins within a byte.
    pub fn byte_offset(&self) -> Option<u64> {
        self.offset.is_multiple_of(8).then_some(self.offset / 8)
    }
}
