//! What can carry a derivative.

pub mod flow;
pub mod inactive;

pub use flow::{Callees, LocalMemory, base_global, flow, holds, may_carry};

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
