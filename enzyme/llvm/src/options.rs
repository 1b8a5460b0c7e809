//! The command-line options.

/// What the user asked for on the command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {}
