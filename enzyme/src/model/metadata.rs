//! Metadata nodes.

use super::{ConstantId, MetadataId, ValueId};

/// A piece of metadata. Owned by a [`Context`](super::Context), named by [`MetadataId`].
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// Debug information and the like, as written: `!DIExpression(DW_OP_deref)`.
    Specialized {
        /// Whether it is told from others by identity.
        identity: MetadataIdentity,
        /// Its text after `!`, with the nodes it names.
        pieces: Vec<MetadataPiece>,
    },
}

/// Whether a node is told from others by what it holds or by identity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MetadataIdentity {
    /// By what it holds.
    #[default]
    Uniqued,
    /// By identity (`distinct`).
    Distinct,
}

/// A piece of the text of specialized metadata.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MetadataPiece {
    /// Literal text.
    Text(String),
    /// Another node.
    Node(MetadataId),
}
