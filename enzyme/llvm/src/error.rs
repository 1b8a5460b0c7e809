//! Why a derivative could not be made, and what the user can do about it.

use crate::ir::Value;
use std::fmt;

/// Whose fault a failure is; it decides how the message begins and what it asks of the reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The program asks for something that makes no sense; the user mends it.
    Program,
    /// The program is fine, but this part of the language has no derivative here yet.
    Unsupported,
    /// A mistake of EnzymeRS; the user reports it.
    Internal,
}

/// One failure: what was not understood, where, and a way out.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) struct Error {
    /// Whose fault it is.
    pub(crate) fault: Fault,
    /// The instruction or function whose source location the message carries.
    pub(crate) at: Value,
    /// What went wrong, in one sentence without a full stop.
    pub(crate) message: String,
    /// What leads here, the innermost call first: one line each.
    pub(crate) notes: Vec<String>,
    /// What to do about it.
    pub(crate) help: Option<String>,
    /// How Enzyme words the same error: tests and build logs of its users look for that.
    pub(crate) known_as: Option<String>,
}

impl Error {
    fn new(fault: Fault, at: Value, message: impl Into<String>) -> Error {
        Error { fault, at, message: message.into(), notes: Vec::new(), help: None, known_as: None }
    }

    /// The program asks for something that makes no sense.
    pub(crate) fn program(at: impl Into<Value>, message: impl Into<String>) -> Error {
        Error::new(Fault::Program, at.into(), message)
    }

    /// The program asks for something that is not supported.
    pub(crate) fn unsupported(at: impl Into<Value>, message: impl Into<String>) -> Error {
        Error::new(Fault::Unsupported, at.into(), message)
    }

    /// EnzymeRS made a mistake.
    pub(crate) fn internal(at: impl Into<Value>, message: impl Into<String>) -> Error {
        Error::new(Fault::Internal, at.into(), message)
    }

    /// Adds the way out.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Error {
        self.help = Some(help.into());
        self
    }

    /// Adds how Enzyme words the same error.
    pub(crate) fn known_as(mut self, words: impl Into<String>) -> Error {
        self.known_as = Some(words.into());
        self
    }

    /// Adds a line about what leads here.
    pub(crate) fn note(mut self, note: impl Into<String>) -> Error {
        self.notes.push(note.into());
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.fault {
            Fault::Program | Fault::Unsupported => write!(formatter, "{}", self.message)?,
            Fault::Internal => {
                write!(formatter, "internal error in EnzymeRS, please report: {}", self.message)?
            }
        }
        for note in &self.notes {
            write!(formatter, "\n  note: {note}")?;
        }
        if let Some(help) = &self.help {
            write!(formatter, "\n  help: {help}")?;
        }
        if let Some(words) = &self.known_as {
            write!(formatter, "\n  note: also known as `{words}`")?;
        }
        Ok(())
    }
}
