//! Why a function cannot be read.

/// Why a function cannot be read into the model. All but [`Self::NoBody`] mean an LLVM that has more than the
/// versions the model was made for, or a broken module.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ReadError {
    /// The function is only declared.
    #[error("it is declared, but has no body here")]
    NoBody,
    /// A word that the model does not know.
    #[error("{place} says `{word}`, which is not known")]
    UnknownWord {
        /// The instruction, or the part of it.
        place: &'static str,
        /// The word.
        word: String,
    },
    /// A type that the model does not know.
    #[error("the type `{text}` is not known")]
    UnknownType {
        /// As LLVM prints it.
        text: String,
    },
    /// A constant that the model does not know.
    #[error("the constant `{text}` is not known")]
    UnknownConstant {
        /// As LLVM prints it.
        text: String,
    },
    /// An operand that belongs to another function, or to none.
    #[error("the operand `{text}` is not part of the function")]
    ForeignOperand {
        /// As LLVM prints it.
        text: String,
    },
    /// A jump to a block that belongs to another function, or to none.
    #[error("a jump leads out of the function")]
    ForeignBlock,
}
