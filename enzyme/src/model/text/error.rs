//! What can be wrong with a text.

/// A text that is not a module: where, and what was expected there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct ParseError {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in characters.
    pub column: u32,
    /// What was expected, and what came.
    pub message: String,
}

impl ParseError {
    pub(super) fn new(position: Position, message: impl Into<String>) -> Self {
        Self { line: position.line, column: position.column, message: message.into() }
    }
}

/// A place in a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Position {
    line: u32,
    column: u32,
}

impl Position {
    /// The place of a byte of the text.
    pub(super) fn of(source: &str, offset: usize) -> Self {
        let before = &source[..offset];
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let count = |text: &str, of: fn(&char) -> bool| {
            u32::try_from(text.chars().filter(of).count()).unwrap_or(u32::MAX - 1) + 1
        };
        Self { line: count(before, |c| *c == '\n'), column: count(&before[start..], |_| true) }
    }
}
