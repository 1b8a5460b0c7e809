//! What the analysis may assume.

/// What is assumed of global variables that nobody marked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnmarkedGlobals {
    /// They may carry derivatives, when they can be written to.
    #[default]
    MayBeActive,
    /// They carry none (`-enzyme-globals-default-inactive`).
    AreInactive,
}

/// What is assumed of functions without a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnknownFunctions {
    /// They may do anything to what they are given.
    #[default]
    MayBeActive,
    /// They carry no derivative (`-enzyme-emptyfn-inactive`).
    AreInactive,
}

/// How much of the user's program the functions are that the analysis is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extent {
    /// There may be others, which use the same variables.
    #[default]
    Part,
    /// All functions that can name the variables that are private to the module.
    WholeModule,
}

/// Whether anything is analysed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// As much as is known how.
    #[default]
    Full,
    /// Whatever can hold a derivative counts as active (`-enzyme-disable-activity-analysis`).
    None,
}

/// What the analysis may assume, and how far it goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Of global variables that nobody marked.
    pub globals: UnmarkedGlobals,
    /// Of functions without a body.
    pub unknown_functions: UnknownFunctions,
    /// How much of the program is seen.
    pub extent: Extent,
    /// How far it goes.
    pub effort: Effort,
}
