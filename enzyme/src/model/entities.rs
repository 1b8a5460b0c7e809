//! The typed dense ids of everything a function is made of.
//!
//! An id is an index into the arena that owns the entity, so it is only meaningful together with the
//! [`Function`](super::Function) (or [`Context`](super::Context)) it came from. `Display` prints the
//! name that dumps and error messages use.

use cranelift_entity::entity_impl;

/// One value of a function: a parameter, the result of an instruction, a constant, a global …
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ValueId(u32);
entity_impl!(ValueId, "v");

/// One instruction of a function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InstId(u32);
entity_impl!(InstId, "inst");

/// One basic block of a function. Blocks are numbered in the order of the text; `bb0` is the entry.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(u32);
entity_impl!(BlockId, "bb");

/// One type, interned: equal ids of one context mean equal types.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(u32);
entity_impl!(TypeId, "type");

/// One constant, interned: equal ids of one context mean equal constants.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConstantId(u32);
entity_impl!(ConstantId, "const");

/// One global symbol: a variable, a function, an alias.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GlobalId(u32);
entity_impl!(GlobalId, "global");

/// One metadata node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MetadataId(u32);
entity_impl!(MetadataId, "meta");
