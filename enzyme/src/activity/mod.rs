//! What can carry a derivative.
//!
//! A value is *varied* if it depends differentiably on something that is differentiated, and *useful* if something
//! whose derivative is asked for depends on it; it is *active* if it is both. What each instruction does with numbers
//! and addresses is written down as flows between places; where addresses may point is found out; the flows then make
//! a graph of values and memory in which both questions are searches. The shortest ways that the searches found are the
//! reasons. What is not understood moves everything it could. See [`Analyser`].
//!
//! What is taken for granted:
//! - Memory behind a constant argument carries no derivative, whatever is stored there.
//! - A function without a body works on what it is given: numbers, and memory that can be reached from its arguments
//!   or was handed to such functions before. Where it may write, it may put what the caller gave away earlier.
//! - The result of a function without a body that is `noalias` is new memory, and so is what it points to at first,
//!   but for what comes from the arguments.
//! - Memory at an address that is a number in the program carries no derivative, whatever is stored there.

mod analysis;
mod attributes;
mod call;
mod effects;
mod facts;
mod graph;
pub mod inactive;
mod options;
mod region;
mod summary;
mod translate;
mod verdict;
mod whole;

pub use analysis::{Analyser, ResultActivity};
pub(crate) use attributes::is_marked_inactive;
pub use facts::{AnalysedTypes, Content, DeclaredTypes, TypeFacts};
pub use options::{Effort, Extent, Options, UnknownFunctions, UnmarkedGlobals};
pub use region::{Region, RegionId, SymbolId};
pub use verdict::{
    ActiveBecause, Activity, Chain, ConstantBecause, Destination, Origin, Reasons, Step, Subject, Verdict,
    WhyActive,
};

/// How one argument of a differentiated function takes part in the derivative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ArgumentActivity {
    /// It carries no derivative.
    Const,
    /// It comes with a shadow: the tangent of a scalar, or a pointer to memory that holds derivatives.
    Duplicated,
    /// As `Duplicated`, and nobody reads the primal's final value.
    DuplicatedNoNeed,
    /// An active value whose adjoint is returned (reverse mode).
    Out,
}

impl ArgumentActivity {
    /// Whether the argument comes with a shadow.
    pub fn has_shadow(self) -> bool {
        match self {
            ArgumentActivity::Duplicated | ArgumentActivity::DuplicatedNoNeed => true,
            ArgumentActivity::Const | ArgumentActivity::Out => false,
        }
    }
}
