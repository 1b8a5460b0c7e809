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
pub mod flow;
mod graph;
pub mod inactive;
mod library;
mod options;
mod region;
mod summary;
mod translate;
mod verdict;
mod whole;

pub use analysis::{Analyser, ResultActivity};
pub use facts::{AnalysedTypes, Content, DeclaredTypes, TypeFacts};
pub use flow::{Callees, LocalMemory, base_global, flow, holds, may_carry};
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

/// What a value carries along with itself. Ordered: where values meet, the greater one holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Carries {
    /// No derivative: it does not depend on an active value in a differentiable way.
    #[default]
    Nothing,
    /// An integer read from memory that has a shadow. It may be the bits of a float.
    MemoryBits,
    /// The address of memory with a shadow, as an integer.
    Address,
    /// A derivative: the tangent or adjoint of a float, the shadow of a pointer, the bits of either.
    Derivative,
    /// Integer arithmetic was done on the bits of an active float, and what it means for the derivative is not
    /// known.
    Lost,
}
