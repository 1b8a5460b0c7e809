//! What a derived function takes and gives.

use crate::ir::{Function, Type};
use enzyme::activity::ArgumentActivity;
use enzyme::types::CallTypes;
use std::rc::Rc;

/// Which derivative of a function: two requests with equal keys share one derived function.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct DerivativeKey {
    /// The function differentiated.
    pub function: Function,
    /// Forward or reverse.
    pub mode: Mode,
    /// How each parameter takes part.
    pub arguments: Vec<ArgumentActivity>,
    /// The number of directions.
    pub width: usize,
    /// Whether the primal's result is returned.
    pub primal: PrimalReturn,
    /// Whether the result carries a derivative.
    pub result: ResultActivity,
    /// What is known of arguments and result where it is called; nothing when that is only what the signature says.
    pub types: Option<Rc<CallTypes>>,
}

/// The direction of differentiation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Mode {
    /// Tangents from arguments to result.
    Forward,
    /// Adjoints from result to arguments, in one function.
    Reverse,
}

/// Whether a derived function returns the primal's result beside the derivative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum PrimalReturn {
    /// It does.
    Yes,
    /// It does not.
    No,
}

/// Whether the result of the primal takes part in the derivative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ResultActivity {
    /// It does: its tangent is returned, or its adjoint is an argument.
    Active,
    /// It does not.
    Inactive,
}

/// The type of a derived function, and what its result holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Signature {
    /// Types of the parameters: each primal followed by its shadows; in reverse mode the result's adjoint, one a
    /// direction, comes last.
    pub parameters: Vec<Type>,
    /// What the result holds, in order: the primal's result, then the tangent (forward) or the adjoint of each
    /// `Out` parameter in order (reverse). A derivative in several directions is an array of them.
    pub fields: Vec<Type>,
    /// The result: nothing, the one field, or a struct of the fields.
    pub result: Type,
}

impl Signature {
    /// The signature that belongs to a key.
    pub(crate) fn of(key: &DerivativeKey) -> Signature {
        let types = key.function.parameter_types();
        let returned = key.function.return_type();
        let across = |ty: Type| if key.width == 1 { ty } else { ty.array(key.width as u64) };
        let mut parameters = Vec::new();
        for (&ty, activity) in types.iter().zip(&key.arguments) {
            parameters.push(ty);
            if activity.has_shadow() {
                parameters.extend(std::iter::repeat_n(ty, key.width));
            }
        }
        let mut fields = Vec::new();
        if key.primal == PrimalReturn::Yes {
            fields.push(returned);
        }
        match (key.mode, key.result) {
            (Mode::Forward, ResultActivity::Active) => fields.push(across(returned)),
            (Mode::Reverse, ResultActivity::Active) => {
                parameters.extend(std::iter::repeat_n(returned, key.width));
            }
            (Mode::Forward | Mode::Reverse, ResultActivity::Inactive) => {}
        }
        if key.mode == Mode::Reverse {
            let adjoints =
                types.iter().zip(&key.arguments).filter(|(_, activity)| **activity == ArgumentActivity::Out);
            fields.extend(adjoints.map(|(&ty, _)| across(ty)));
        }
        let context = key.function.function_type().context();
        let result = match fields.as_slice() {
            [] => Type::void(context),
            [only] => *only,
            several => Type::structure(context, several),
        };
        Signature { parameters, fields, result }
    }

    /// The function type.
    pub(crate) fn function_type(&self) -> Type {
        Type::function(self.result, &self.parameters)
    }
}
