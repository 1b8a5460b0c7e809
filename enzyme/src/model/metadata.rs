//! Metadata nodes.
//!
//! Debug information is not among them: what the engine needs of it is each instruction's
//! [`DebugLocation`](super::DebugLocation), and the types of variables ([`DebugDeclaration`](super::DebugDeclaration)).

use super::{ConstantId, MetadataId, ValueId};

/// A piece of metadata. Owned by a [`Context`](super::Context), named by [`MetadataId`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Metadata {
    /// A string: `!"branch_weights"`.
    String(String),
    /// A constant: `i64 0`.
    Constant(ConstantId),
    /// A value of the function, as an operand of a call: `metadata ptr %x`.
    Value(ValueId),
    /// A tuple: `!{!"omnipotent char", !5, i64 0}`.
    Node {
        /// Whether it is told from others by identity.
        identity: MetadataIdentity,
        /// Its elements; `None` is `null`.
        elements: Vec<Option<MetadataId>>,
    },
}

/// Whether a node is told from others by what it holds or by identity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MetadataIdentity {
    /// By what it holds.
    #[default]
    Uniqued,
    /// By identity (`distinct`).
    Distinct,
}
