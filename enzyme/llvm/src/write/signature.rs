//! What a derived function takes and gives.

use super::ZeroProducts;
use crate::ir::{Function, Kind, Type};
use enzyme::activity::ArgumentActivity;
use enzyme::plan::{ArgumentMemory, DerivedCall, Direction, PointerCall, ResultCarries, ShadowLayout};
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
    /// For each argument how its shadows are found from the first, where only that is handed over.
    pub layouts: Vec<Option<ShadowLayout>>,
    /// The number of directions.
    pub width: usize,
    /// Whether the primal's result is returned.
    pub primal: PrimalReturn,
    /// Whether the result carries a derivative.
    pub result: ResultActivity,
    /// What is known of arguments and result where it is called; nothing when that is only what the signature says.
    pub types: Option<Rc<CallTypes>>,
    /// What becomes of the memory of each argument between two sweeps that run apart; nothing where that is not known.
    pub memory: Vec<ArgumentMemory>,
    /// How it is to be made.
    pub settings: Settings,
}

/// How derivatives are made, beyond what the command line says: the caller's wishes, which hold for all that is called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Settings {
    /// How products with zero are written.
    pub zero_products: ZeroProducts,
    /// When it is decided whether memory is active.
    pub activity: DecidedAt,
}

impl Settings {
    /// What tells apart the names of what is made with other settings.
    pub(crate) fn tag(self) -> &'static str {
        match (self.zero_products, self.activity) {
            (ZeroProducts::Ieee, DecidedAt::CompileTime) => "",
            (ZeroProducts::Strong, DecidedAt::CompileTime) => "z",
            (ZeroProducts::Ieee, DecidedAt::RunTime) => "r",
            (ZeroProducts::Strong, DecidedAt::RunTime) => "zr",
        }
    }
}

/// When something is decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum DecidedAt {
    /// When the derivative is made.
    #[default]
    CompileTime,
    /// When the derivative runs (`enzyme_runtime_activity`).
    RunTime,
}

/// Which derivative belongs to the address of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct BehindAddress {
    /// Which way it is taken.
    pub(crate) direction: Direction,
    /// For how many directions.
    pub(crate) width: usize,
    /// How it is made.
    pub(crate) settings: Settings,
}

impl BehindAddress {
    /// What tells apart the names of what is made for several directions, or with other settings.
    pub(crate) fn tag(self) -> String {
        match (self.width, self.settings.tag()) {
            (1, "") => String::new(),
            (width, tag) => format!("{width}{tag}"),
        }
    }
}

impl DerivativeKey {
    /// Which derivatives belong to the addresses of functions in the derived function.
    pub(crate) fn behind(&self) -> BehindAddress {
        BehindAddress { direction: self.mode.direction(), width: self.width, settings: self.settings }
    }

    /// A derivative that stands behind the address of a function: it fits every call through a pointer, so all that can
    /// carry a derivative by its type comes with one.
    pub(crate) fn behind_address(function: Function, behind: BehindAddress, mode: Mode) -> DerivativeKey {
        let BehindAddress { direction, width, settings } = behind;
        let ty = function.function_type();
        let takes_part = |ty: &Type| match (ty.may_carry_derivative(), direction) {
            (true, Direction::Reverse) if !ty.scalar_kinds().contains(&Kind::Pointer) => {
                ArgumentActivity::Out
            }
            (true, _) => ArgumentActivity::Duplicated,
            (false, _) => ArgumentActivity::Const,
        };
        let returned = ty.returned();
        DerivativeKey {
            function,
            mode,
            arguments: ty.parameters().iter().map(takes_part).collect(),
            layouts: vec![None; ty.parameters().len()],
            width,
            primal: mode.primal_of_call(returned),
            result: match returned.may_carry_derivative() {
                true => ResultActivity::Active,
                false => ResultActivity::Inactive,
            },
            types: None,
            memory: Vec::new(),
            settings,
        }
    }

    /// How many shadows the derived function takes beside an argument that has any.
    pub(crate) fn shadows(&self) -> usize {
        if self.mode.takes_shadows() { self.width } else { 0 }
    }

    /// How many parameters the derived function has for the shadows of one argument.
    pub(crate) fn shadow_parameters(&self, index: usize) -> usize {
        match (self.arguments[index].has_shadow(), self.layouts[index]) {
            (false, _) => 0,
            (true, Some(_)) => 1,
            (true, None) => self.shadows(),
        }
    }

    /// What a call in a derived function asks for of the function that it calls.
    pub(crate) fn of_call(
        function: Function,
        mode: Mode,
        caller: &DerivativeKey,
        call: &DerivedCall,
    ) -> DerivativeKey {
        DerivativeKey {
            function,
            mode,
            arguments: call.arguments.clone(),
            layouts: vec![None; call.arguments.len()],
            width: caller.width,
            primal: mode.primal_of_call(function.return_type()),
            result: match call.result {
                ResultCarries::Derivative => ResultActivity::Active,
                ResultCarries::Nothing => ResultActivity::Inactive,
            },
            types: Some(Rc::new(call.types.clone())),
            memory: call.memory.clone(),
            settings: caller.settings,
        }
    }
}

/// The direction of differentiation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Mode {
    /// Tangents from arguments to result.
    Forward,
    /// Adjoints from result to arguments, both sweeps in one function.
    Reverse,
    /// The forward sweep alone: it fills a tape.
    Augmented(TapePlace),
    /// The reverse sweep alone: it reads the tape.
    ReverseSweep(TapePlace, TapeAfterwards),
    /// The first of two parts of forward mode: the primal, which fills a tape.
    FirstPart(TapePlace),
    /// The second part: tangents alone, with the tape.
    SecondPart(TapePlace, TapeAfterwards),
}

impl Mode {
    /// Which way derivatives are taken.
    pub(crate) fn direction(self) -> Direction {
        match self {
            Mode::Forward | Mode::FirstPart(_) | Mode::SecondPart(..) => Direction::Forward,
            Mode::Reverse | Mode::Augmented(_) | Mode::ReverseSweep(..) => Direction::Reverse,
        }
    }

    /// Whether a derived function that another one calls gives the primal's result, which has that type: where the primal
    /// would have been called.
    fn primal_of_call(self, returned: Type) -> PrimalReturn {
        match self {
            Mode::Forward | Mode::Augmented(_) | Mode::FirstPart(_)
                if returned != Type::void(returned.context()) =>
            {
                PrimalReturn::Yes
            }
            Mode::Forward
            | Mode::Augmented(_)
            | Mode::FirstPart(_)
            | Mode::Reverse
            | Mode::ReverseSweep(..)
            | Mode::SecondPart(..) => PrimalReturn::No,
        }
    }

    /// Whether a derived function takes the shadows of arguments.
    pub(crate) fn takes_shadows(self) -> bool {
        match self {
            Mode::FirstPart(_) => false,
            Mode::Forward
            | Mode::Reverse
            | Mode::Augmented(_)
            | Mode::ReverseSweep(..)
            | Mode::SecondPart(..) => true,
        }
    }

    /// Where the tape lies that a derived function fills.
    pub(crate) fn fills_tape(self) -> Option<TapePlace> {
        match self {
            Mode::Augmented(place) | Mode::FirstPart(place) => Some(place),
            Mode::Forward | Mode::Reverse | Mode::ReverseSweep(..) | Mode::SecondPart(..) => None,
        }
    }

    /// Where the tape lies that a derived function reads, and what becomes of it.
    pub(crate) fn reads_tape(self) -> Option<(TapePlace, TapeAfterwards)> {
        match self {
            Mode::ReverseSweep(place, afterwards) | Mode::SecondPart(place, afterwards) => {
                Some((place, afterwards))
            }
            Mode::Forward | Mode::Reverse | Mode::Augmented(_) | Mode::FirstPart(_) => None,
        }
    }
}

/// Where the tape of one sweep alone lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum TapePlace {
    /// In the arena of the derivative that calls it.
    Caller,
    /// In memory of its own on the heap, which outlives both sweeps' callers.
    Heap,
    /// In memory that the user gives (`enzyme_tape`); what does not fit there is on the heap.
    User,
}

/// What becomes of a tape once the reverse sweep has read it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum TapeAfterwards {
    /// The reverse sweep frees it, unless it is part of the caller's.
    #[default]
    Freed,
    /// It is there for another reverse sweep (`enzyme_nofree`).
    Left,
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

impl From<ResultActivity> for ResultCarries {
    fn from(result: ResultActivity) -> ResultCarries {
        match result {
            ResultActivity::Active => ResultCarries::Derivative,
            ResultActivity::Inactive => ResultCarries::Nothing,
        }
    }
}

/// The type of a derived function, and what its result holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Signature {
    /// Types of the parameters: each primal followed by its shadows; in a reverse sweep then the result's adjoint, one a
    /// direction; in a sweep of its own at last the tape, or where a forward sweep is to put it.
    pub parameters: Vec<Type>,
    /// What the result holds, in order: the tape (of a forward sweep alone), the primal's result, then the tangent or
    /// shadow of the result, or the adjoint of each `Out` parameter in order (reverse). A derivative in several directions
    /// is an array of them.
    pub fields: Vec<Type>,
    /// The result: nothing, the one field, or a struct of the fields.
    pub result: Type,
}

impl Signature {
    /// The signature that belongs to a key.
    pub(crate) fn of(key: &DerivativeKey) -> Signature {
        Signature::derived(
            key.function.function_type(),
            key.mode,
            &key.arguments,
            |index| key.shadow_parameters(index),
            key.width,
            key.primal,
            key.result,
        )
    }

    /// The signature of a derivative that is called through a pointer, where the function called has that type.
    pub(crate) fn through_pointer(
        function_type: Type,
        mode: Mode,
        call: &PointerCall,
        width: usize,
    ) -> Signature {
        let primal = mode.primal_of_call(function_type.returned());
        let result = match call.result {
            ResultCarries::Derivative => ResultActivity::Active,
            ResultCarries::Nothing => ResultActivity::Inactive,
        };
        let shadows = |index: usize| match call.arguments[index].has_shadow() && mode.takes_shadows() {
            true => width,
            false => 0,
        };
        Signature::derived(function_type, mode, &call.arguments, shadows, width, primal, result)
    }

    fn derived(
        function_type: Type,
        mode: Mode,
        arguments: &[ArgumentActivity],
        shadows: impl Fn(usize) -> usize,
        width: usize,
        primal: PrimalReturn,
        result: ResultActivity,
    ) -> Signature {
        let mut signature = Signature::beside(function_type, shadows, primal);
        let returned = function_type.returned();
        let tape = Type::pointer(returned.context());
        let is_active = result == ResultActivity::Active;
        match mode {
            Mode::Forward => signature.fields.extend(is_active.then(|| across(returned, width))),
            Mode::Reverse | Mode::ReverseSweep(..) => {
                // An address has no adjoint; the memory behind it has.
                if is_active && !returned.is_pointer() {
                    signature.parameters.extend(std::iter::repeat_n(returned, width));
                }
                signature.parameters.extend(mode.reads_tape().map(|_| tape));
                let types = function_type.parameters();
                let adjoints =
                    types.iter().zip(arguments).filter(|(_, activity)| **activity == ArgumentActivity::Out);
                signature.fields.extend(adjoints.map(|(&ty, _)| across(ty, width)));
            }
            Mode::FirstPart(place) => signature.fill_tape(place, tape),
            Mode::SecondPart(..) => {
                signature.parameters.push(tape);
                signature.fields.extend(is_active.then(|| across(returned, width)));
            }
            Mode::Augmented(place) => {
                signature.fill_tape(place, tape);
                if is_active && returned.scalar_kinds().contains(&Kind::Pointer) {
                    signature.fields.push(across(returned, width));
                }
            }
        }
        signature.with_result()
    }

    /// The tape that a sweep or part gives, or the place where it puts it.
    fn fill_tape(&mut self, place: TapePlace, tape: Type) {
        match place {
            TapePlace::Caller => {
                self.parameters.push(tape);
                self.fields.insert(0, tape);
            }
            TapePlace::Heap => self.fields.insert(0, tape),
            TapePlace::User => self.parameters.push(tape),
        }
    }

    /// The parameters with so many shadows each, and the primal's result alone.
    fn beside(function_type: Type, shadows: impl Fn(usize) -> usize, primal: PrimalReturn) -> Signature {
        let mut parameters = Vec::new();
        for (index, ty) in function_type.parameters().into_iter().enumerate() {
            parameters.extend(std::iter::repeat_n(ty, 1 + shadows(index)));
        }
        let fields = match primal {
            PrimalReturn::Yes => vec![function_type.returned()],
            PrimalReturn::No => Vec::new(),
        };
        Signature { parameters, fields, result: Type::void(function_type.context()) }
    }

    /// The same, its result being made of the fields.
    fn with_result(mut self) -> Signature {
        self.result = match self.fields.as_slice() {
            [] => self.result,
            [only] => *only,
            several => Type::structure(self.result.context(), several),
        };
        self
    }

    /// The function type.
    pub(crate) fn function_type(&self) -> Type {
        Type::function(self.result, &self.parameters)
    }
}

/// A derivative of a value of type `ty` in each direction.
fn across(ty: Type, width: usize) -> Type {
    if width == 1 { ty } else { ty.array(width as u64) }
}
