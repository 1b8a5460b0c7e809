//! The IR model: LLVM IR functions as plain Rust data.
//!
//! A [`Function`] holds arenas of [`Block`]s, [`Inst`]s and [`Value`]s, and a [`Context`] with the types,
//! constants, globals and metadata it names, all indexed by dense ids. There are no pointers and no
//! lifetimes, so a function can be cloned, sent and compared, and an analysis keeps its results in
//! `SecondaryMap`s keyed by those ids. Every operand of an instruction is a [`ValueId`]: parameters, results,
//! constants, globals and metadata alike.
//!
//! All instructions, types and constants of LLVM 15 to 22 are represented. The text form is LLVM IR's own
//! syntax; what is parsed prints to the same program, and parses to the same again.

mod attributes;
mod builder;
mod constants;
mod context;
mod debug;
mod entities;
mod equality;
mod flags;
mod float;
mod function;
mod globals;
mod layout;
mod metadata;
mod mnemonic;
mod module;
mod opcode;
mod text;
mod transfer;
mod types;
mod typing;
mod uses;
mod verify;

pub use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};

pub use attributes::{Attribute, AttributeSet};
pub use builder::FunctionBuilder;
pub use constants::{
    BlockReference, Constant, ConstantExpression, ConstantKind, FloatBits, Integer, PointerAuthentication,
};
pub use context::Context;
pub use debug::{
    DebugDeclaration, DebugEncoding, DebugMember, DebugType, DebugTypeId, DebugTypeKind, SourceLanguage,
};
pub use entities::{BlockId, ConstantId, GlobalId, InstId, MetadataId, TypeId, ValueId};
pub use flags::{
    Atomic, AtomicOrdering, CallingConvention, CastFlags, ElementPointerFlags, FastMath, InRange, IntFlags,
    MemoryAccess, ShuffleLane, SyncScope, TailKind,
};
pub use function::{Block, DebugLocation, Function, InlineAsm, Inst, Value, ValueDefinition};
pub use globals::{
    DllStorage, Global, GlobalFunction, GlobalKind, GlobalTraits, GlobalVariable, HasBody, Linkage,
    Signature, ThreadLocalModel, UnnamedAddress, Visibility,
};
pub use layout::{DataLayout, ElementOffset};
pub use metadata::{Metadata, MetadataIdentity};
pub use module::Module;
pub use opcode::{
    AllocaStorage, AtomicOp, AtomicReadModifyWrite, Bundle, Call, CastOp, CompareExchange, FloatBinaryOp,
    FloatPredicate, IntBinaryOp, IntPredicate, LandingPadClause, Opcode, SwitchCase,
};
pub use text::{Listing, ParseError};
pub use types::{
    FloatType, FunctionType, Packing, StructBody, StructType, TargetType, Type, Variadic, VectorLength,
};
pub use uses::Uses;
pub use verify::{Place, VerifyError};
