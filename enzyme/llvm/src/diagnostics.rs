//! What the user is told, and where.

/// Why a module could not be differentiated.
#[derive(Debug, thiserror::Error)]
#[error("the module could not be differentiated")]
pub struct Error;
