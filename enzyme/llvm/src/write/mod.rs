//! Writes a plan as LLVM IR. Decides nothing.
//!
//! The derived function begins as LLVM's own clone of the prepared primal, to which tangents or a reverse sweep are
//! added; the primal is never written anew.

mod bits;
mod checkpoint;
mod complex;
mod directions;
mod emitter;
mod forward;
mod guard;
mod intervals;
mod memory;
mod one_address;
mod pointer_call;
mod primal;
mod reverse;
mod ruled;
mod ruled_pair;
mod scalar;
mod shadows;
mod signature;
pub(crate) mod stop;
mod tape;
mod waiting;

pub(crate) use checkpoint::{regions_of, write_checkpointed};
pub(crate) use forward::write_forward;
pub(crate) use intervals::{Order, write_loop};
pub(crate) use primal::Prepared;
use primal::Primal;
pub(crate) use reverse::{bytes_in_users_memory, write_part, write_reverse};
pub(crate) use ruled::write_ruled;
pub(crate) use ruled_pair::{PairRule, bytes_of_tape, write_ruled_pair};
pub(crate) use shadows::{Shadows, variable_of_adjoint};
pub(crate) use signature::{
    BehindAddress, DecidedAt, DerivativeKey, Mode, PrimalReturn, ResultActivity, Settings, Signature,
    TapeAfterwards, TapePlace,
};
pub(crate) use tape::Tape;

use crate::error::Error;
use crate::ir::{Builder, Function, Type, Value};

/// Supplies the derived functions that a derived function calls.
pub(crate) trait Derivatives {
    /// The derived function for a key; it may be written later.
    ///
    /// # Errors
    /// When it is known already that it cannot be made.
    fn derived(&mut self, key: DerivativeKey) -> Result<(Function, Signature), Error>;

    /// The shadow of a function's address: the address of a constant that holds the address of its derivative; in
    /// reverse mode those of two functions, one for each sweep.
    fn holder(&mut self, function: Function, behind: BehindAddress) -> Value;

    /// A function `ptr (ptr called, ptr shadow, ptr place)` that finds the derivative of the function at `called`, which
    /// has the type `function_type`: what its shadow holds, or, where the shadow is no shadow but the function itself
    /// or null, what is found among the functions of the module. In forward mode it gives the derivative, in reverse
    /// mode the place that holds the two. Where nothing is found, it ends the program with a message that names the
    /// place.
    fn lookup(&mut self, function_type: Type, behind: BehindAddress) -> Function;
}

/// How products with a tangent or an adjoint that is zero are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum ZeroProducts {
    /// As IEEE 754 has it: 0 times infinity is no number.
    #[default]
    Ieee,
    /// Zero times anything is zero (`-enzyme-strong-zero`, `enzyme_strong_zero`).
    Strong,
}

/// What the writer is told beside the plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Style {
    /// How products with zero are written.
    pub zero_products: ZeroProducts,
    /// How freely what it computes may be rearranged.
    pub fast_math: FastMath,
    /// Whether adjoints are sums whose terms may be added in any order (`-enzyme-reassociate`): the program says what the
    /// terms are, not which comes first, and loops that add them up can be vectorised.
    pub adds_in_any_order: bool,
}

/// How freely what a derivative computes may be rearranged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum FastMath {
    /// As what it is the derivative of.
    #[default]
    OfPrimal,
    /// In every way (`-enzyme-fast-math`).
    All,
}

impl Style {
    /// What `builder` writes from here on is the derivative of `primal`.
    fn set_fast_math(self, builder: &Builder, primal: Value) {
        match self.fast_math {
            FastMath::OfPrimal => builder.fast_math_of(primal),
            FastMath::All => builder.all_fast_math(),
        }
    }

    /// One term more of an adjoint.
    fn add_to_adjoint(self, builder: &Builder, sum: Value, term: Value) -> Value {
        if self.adds_in_any_order {
            builder.float_add_in_any_order(sum, term)
        } else {
            builder.float_add(sum, term)
        }
    }
}

/// One derived function to write.
#[derive(Clone, Copy)]
pub(crate) struct Task<'a> {
    /// What it is.
    pub(crate) key: &'a DerivativeKey,
    /// What it takes and gives: the signature that belongs to `key`.
    pub(crate) signature: &'a Signature,
    /// The function, which has that signature and no body yet.
    pub(crate) derived: Function,
    /// The primal.
    pub(crate) prepared: &'a Prepared,
    /// How to write it.
    pub(crate) style: Style,
}
