//! From the arguments of a marker call to a [`Request`], with every way in which they can be wrong.

use super::EntryPoint;
use super::markers::{Marker, marker_of};
use super::resolve::resolve_function;
use super::rules::attribute;
use super::split::TapeRequest;
use crate::error::Error;
use crate::ir::{Function, Instruction, Kind, Type, Value};
use crate::write::{DecidedAt, Settings, TapeAfterwards, ZeroProducts};
use enzyme::activity::ArgumentActivity;
use enzyme::plan::Direction;
use std::iter::Peekable;
use std::vec::IntoIter;

/// One call of an entry point, understood.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    /// Which derivative is asked for.
    pub entry: EntryPoint,
    /// The call, which the derivative's call replaces.
    pub call: Instruction,
    /// The function to differentiate.
    pub function: Function,
    /// One for each parameter of `function`.
    pub arguments: Vec<Argument>,
    /// The number of directions.
    pub width: usize,
    /// What the call is to return.
    pub returns: ReturnRequest,
    /// Where the call's result goes.
    pub place: ResultPlace,
    /// The adjoint of the result, when it is not the scalar 1.
    pub seed: Option<Primal>,
    /// How the derivative is to be made.
    pub settings: Settings,
    /// What is said of the tape, where each sweep has a call of its own.
    pub tape: TapeRequest,
    /// Which way derivatives are taken.
    pub direction: Direction,
}

/// What is handed over for one parameter.
#[derive(Clone, Debug)]
pub(crate) struct Argument {
    /// How it takes part.
    pub activity: ArgumentActivity,
    /// Its value.
    pub primal: Primal,
    /// Its shadows, one a direction; none unless the activity says so.
    pub shadows: Shadows,
}

/// The value of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Primal {
    /// The caller gave it.
    Given(Value),
    /// The caller gave a pointer to it (`enzyme_byref`).
    Behind(Value),
    /// The parameter through which a large struct is returned: memory made for the call.
    ReturnMemory,
}

/// The shadows of an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shadows {
    /// None.
    None,
    /// One value a direction.
    Each(Vec<Value>),
    /// All at a fixed distance in bytes from one pointer.
    Strided {
        /// The first shadow.
        base: Value,
        /// Bytes from one shadow to the next.
        stride: Value,
    },
    /// Where the call's own result goes.
    ReturnMemory,
}

/// What a call is to return beside the gradient of `enzyme_out` arguments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ReturnRequest {
    /// The primal's result.
    pub primal: bool,
    /// Whether the result carries a derivative; by default, when its type can.
    pub derivative: ReturnDerivative,
}

/// Whether the result of the primal takes part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ReturnDerivative {
    /// When its type can carry one.
    #[default]
    ByType,
    /// It does.
    Active,
    /// It does not.
    Inactive,
}

/// Where the result of the call goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResultPlace {
    /// Into the value of the call.
    Value,
    /// Into memory of that type, by the C ABI's rule for large structs.
    Memory {
        /// The memory.
        pointer: Value,
        /// What it holds.
        ty: Type,
    },
}

impl Request {
    /// Reads one call.
    ///
    /// # Errors
    /// Says what was expected of the call and what came.
    pub(crate) fn read(entry: EntryPoint, call: Instruction) -> Result<Request, Error> {
        let mut given = call.arguments();
        let place = match call.call_type_attribute(1, "sret") {
            Some(ty) if !given.is_empty() => ResultPlace::Memory { pointer: given.remove(0), ty },
            _ => ResultPlace::Value,
        };
        if given.is_empty() {
            return Err(Error::program(call, format!("`{}` is called without arguments", entry.name()))
                .help("its first argument is the function to differentiate"));
        }
        let function = target(entry, call, given.remove(0))?;
        let interleaved = given.iter().position(|&value| marker_of(value) == Some(Marker::Interleave));
        let shadows = interleaved.map(|position| {
            let behind = given.split_off(position);
            behind.into_iter().skip(1).collect::<Vec<_>>().into_iter().peekable()
        });
        Reader {
            entry,
            call,
            function,
            width: 1,
            returns: ReturnRequest::default(),
            settings: Settings::default(),
            tape: TapeRequest::default(),
            given: given.into_iter().peekable(),
            shadows,
            kind: None,
        }
        .read(place)
    }
}

impl Request {
    /// Whether the memory of the call's own result is the memory that the function returns through.
    pub(crate) fn returns_through_memory(&self) -> bool {
        self.place != ResultPlace::Value
            && self.arguments.first().is_some_and(|argument| {
                argument.primal == Primal::ReturnMemory && !matches!(argument.shadows, Shadows::Each(_))
            })
    }

    /// Notes that `old`, the result of a call that is gone, is `new` now.
    pub(crate) fn replace(&mut self, old: Value, new: Value) {
        let replace = |value: &mut Value| {
            if *value == old {
                *value = new;
            }
        };
        for argument in &mut self.arguments {
            argument.primal.values().for_each(replace);
            match &mut argument.shadows {
                Shadows::None | Shadows::ReturnMemory => {}
                Shadows::Each(values) => values.iter_mut().for_each(replace),
                Shadows::Strided { base, stride } => [base, stride].into_iter().for_each(replace),
            }
        }
        self.seed.iter_mut().flat_map(Primal::values).for_each(replace);
        self.tape.values().for_each(replace);
        if let ResultPlace::Memory { pointer, .. } = &mut self.place {
            replace(pointer);
        }
    }
}

impl Primal {
    fn values(&mut self) -> impl Iterator<Item = &mut Value> {
        match self {
            Primal::Given(value) | Primal::Behind(value) => Some(value),
            Primal::ReturnMemory => None,
        }
        .into_iter()
    }
}

/// Whether there is a body, or a rule in the place of one.
fn is_known(entry: EntryPoint, function: Function) -> bool {
    !function.is_declaration()
        || function.has_string_attribute(attribute::MATHEMATICS)
        || match entry.direction() {
            Direction::Forward => function.has_string_attribute(attribute::DERIVATIVE),
            Direction::Reverse => function.has_string_attribute(attribute::GRADIENT),
        }
        || enzyme::rules::names::lookup(&function.name()).is_some()
}

/// Whether a call asks for the derivative of a function that another file defines.
pub(crate) fn only_linker_sees_function(entry: EntryPoint, call: Instruction) -> bool {
    let position = usize::from(call.call_type_attribute(1, "sret").is_some());
    let function = call.arguments().get(position).and_then(|&argument| resolve_function(argument).ok());
    function.is_some_and(|function| !is_known(entry, function))
}

fn target(entry: EntryPoint, call: Instruction, argument: Value) -> Result<Function, Error> {
    let function = resolve_function(argument).map_err(|why| {
        Error::program(call, format!("the function to differentiate {why}")).help(format!(
            "name the function in the call: `{}(f, ...)`; a function that is chosen at run time needs one call for each choice",
            entry.name()
        ))
        .known_as("Enzyme: failed to find fn to differentiate")
    })?;
    let name = function.written_name();
    if !is_known(entry, function) {
        return Err(Error::program(call, format!("`{name}` is only declared here, so it cannot be differentiated"))
            .help("define it in this file, or differentiate when linking: `-flto -fuse-ld=lld` with the plugin given to lld"));
    }
    if function.is_variadic() {
        return Err(Error::unsupported(
            call,
            format!("`{name}` takes a variable number of arguments, which cannot be differentiated"),
        )
        .help("wrap it in a function with a fixed number of arguments"));
    }
    Ok(function)
}

/// The argument stands behind a pointer, and has the size that was said.
#[derive(Clone, Copy)]
struct BehindPointer;

/// The state of reading one argument list.
pub(super) struct Reader {
    pub(super) entry: EntryPoint,
    pub(super) call: Instruction,
    pub(super) function: Function,
    pub(super) width: usize,
    pub(super) returns: ReturnRequest,
    settings: Settings,
    pub(super) tape: TapeRequest,
    pub(super) given: Peekable<IntoIter<Value>>,
    /// The shadows of all arguments, where they come after all arguments (`enzyme_interleave`).
    shadows: Option<Peekable<IntoIter<Value>>>,
    /// The marker of the argument before; in a call with `enzyme_interleave` it holds until the next.
    kind: Option<Marker>,
}

/// The list that a value is taken from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    /// What the call was given, in order.
    Given,
    /// The shadows after `enzyme_interleave`.
    Shadows,
}

impl Reader {
    fn read(mut self, place: ResultPlace) -> Result<Request, Error> {
        let returns_through_memory = place != ResultPlace::Value && self.function.has_attribute(1, "sret");
        if returns_through_memory && self.entry == EntryPoint::AugmentForward {
            return Err(Error::unsupported(
                self.call,
                format!(
                    "the tape of `{}`, which returns a large struct in memory",
                    self.function.written_name()
                ),
            )
            .help("write a function that puts the result where a pointer argument says"));
        }
        let parameters = self.function.parameters();
        let mut arguments = Vec::with_capacity(parameters.len());
        for (index, parameter) in parameters.iter().enumerate() {
            let returned_through = index == 0 && self.function.has_attribute(1, "sret");
            arguments.push(if self.entry == EntryPoint::AugmentSize {
                self.argument_by_marker(index, parameter.ty())?
            } else if returned_through && self.takes_adjoint_of_result()? {
                self.adjoint_of_result(parameter.ty())?
            } else if returned_through && place != ResultPlace::Value {
                Argument {
                    activity: ArgumentActivity::Duplicated,
                    primal: Primal::ReturnMemory,
                    shadows: Shadows::ReturnMemory,
                }
            } else {
                self.argument(index, parameter.ty())?
            });
        }
        self.settings()?;
        if self.returns.derivative == ReturnDerivative::Inactive {
            // There is memory for the result alone.
            for argument in arguments.iter_mut().filter(|argument| argument.primal == Primal::ReturnMemory) {
                argument.activity = ArgumentActivity::Const;
                argument.shadows = Shadows::None;
            }
        }
        let seed = self.seed()?;
        self.settings()?;
        self.tape()?;
        if let Some(&extra) = self.given.peek().or_else(|| self.shadows.as_mut()?.peek()) {
            let shown = show(extra);
            return Err(self.wrong(format!(
                "too many arguments: {shown} is left over after the {} of `{}`",
                count(parameters.len(), "argument"),
                self.function.written_name()
            )));
        }
        Ok(Request {
            entry: self.entry,
            call: self.call,
            function: self.function,
            arguments,
            width: self.width,
            returns: self.returns,
            place,
            seed,
            settings: self.settings,
            tape: self.tape,
            direction: self.entry.direction(),
        })
    }

    /// A mistake in the call, with the form that was expected.
    pub(super) fn wrong(&self, message: String) -> Error {
        Error::program(self.call, format!("in the call of `{}`: {message}", self.entry.name()))
            .note(format!("`{}` has the type `{}`", self.function.written_name(), self.function.function_type()))
            .help(match self.entry.direction() {
                Direction::Reverse => {
                    "after the function give, for each of its arguments in order, `enzyme_out, x` (its derivative is \
                     returned), `enzyme_dup, p, shadow_of_p`, or `enzyme_const, c`; without a marker floating-point \
                     values are out, pointers dup (two values) and integers const"
                }
                Direction::Forward => {
                    "after the function give, for each of its arguments in order, `enzyme_dup, x, tangent_of_x` or \
                     `enzyme_const, c`; without a marker floating-point values and pointers are dup (two values) and \
                     integers const"
                }
            })
    }

    /// Takes markers that concern the whole call, wherever they stand.
    pub(super) fn settings(&mut self) -> Result<(), Error> {
        while let Some(&value) = self.given.peek() {
            match marker_of(value) {
                Some(Marker::Width) => {
                    self.given.next();
                    self.width = self.read_width()?;
                }
                Some(Marker::PrimalReturn) => self.returns.primal = true,
                Some(Marker::NoReturn | Marker::ConstReturn) => {
                    self.returns.derivative = ReturnDerivative::Inactive;
                }
                Some(Marker::ActiveReturn | Marker::DupReturn) => {
                    self.returns.derivative = ReturnDerivative::Active;
                }
                Some(marker @ (Marker::Scalar | Marker::Vector | Marker::Buffer)) => {
                    return Err(self.wrong(format!(
                        "the marker `{}` is for `__enzyme_batch`",
                        super::markers::name_of(marker)
                    )));
                }
                Some(Marker::RuntimeActivity) => self.settings.activity = DecidedAt::RunTime,
                Some(Marker::StrongZero) => self.settings.zero_products = ZeroProducts::Strong,
                // What may be read again in the reverse pass is decided without it.
                Some(Marker::NotOverwritten) => {}
                Some(Marker::NoFree) => self.tape.afterwards = TapeAfterwards::Left,
                Some(Marker::Tape) if !self.entry.is_whole() => {
                    self.given.next();
                    self.tape.memory = Some(self.memory_for_tape()?);
                }
                Some(Marker::Allocated) if !self.entry.is_whole() => {
                    self.given.next();
                    self.tape.allocated = Some(self.bytes_for_tape()?);
                }
                Some(marker @ (Marker::Tape | Marker::Allocated)) => {
                    return Err(self.wrong(format!(
                        "the marker `{}` is for `__enzyme_augmentfwd` and `__enzyme_reverse`",
                        super::markers::name_of(marker)
                    )));
                }
                Some(marker @ (Marker::Scheme | Marker::Region)) => {
                    return Err(self.wrong(format!(
                        "the marker `{}` is for `__enzyme_checkpoint_for`",
                        super::markers::name_of(marker)
                    )));
                }
                Some(Marker::Foreign(name)) => {
                    return Err(Error::unsupported(
                        self.call,
                        format!("the marker `{name}` is not supported in a call of `{}`", self.entry.name()),
                    )
                    .help("leave it out"));
                }
                Some(
                    Marker::Const
                    | Marker::Dup
                    | Marker::DupNoNeed
                    | Marker::DupStrided
                    | Marker::DupNoNeedStrided
                    | Marker::ByReference
                    | Marker::Interleave
                    | Marker::Out,
                )
                | None => return Ok(()),
            }
            match marker_of(value) {
                // The value after it was taken with it.
                Some(Marker::Width | Marker::Tape | Marker::Allocated) => {}
                Some(_) | None => {
                    self.given.next();
                }
            }
        }
        Ok(())
    }

    fn read_width(&mut self) -> Result<usize, Error> {
        let value = self
            .given
            .next()
            .ok_or_else(|| self.wrong("`enzyme_width` is not followed by a number".into()))?;
        match value.constant_integer() {
            Some(width) if (1..=4096).contains(&width) => Ok(width as usize),
            Some(width) => Err(self.wrong(format!("the width {width} is not between 1 and 4096"))),
            None => Err(self.wrong(format!("the width must be a constant integer, not {}", show(value)))),
        }
    }

    /// Reads what belongs to one parameter: an optional marker, the primal, and shadows where they belong.
    fn argument(&mut self, index: usize, wanted: Type) -> Result<Argument, Error> {
        let mut marker = None;
        let mut behind = None;
        loop {
            self.settings()?;
            match self.given.peek().and_then(|&value| marker_of(value)) {
                Some(Marker::ByReference) => {
                    self.given.next();
                    behind = Some(self.size_behind(index, wanted)?);
                }
                Some(found) if marker.is_none() => {
                    self.given.next();
                    marker = Some(found);
                }
                Some(_) | None => break,
            }
        }
        if self.shadows.is_some() {
            self.kind = marker.or(self.kind);
            marker = self.kind;
        }
        let (activity, strided) = self.activity(index, wanted, marker)?;
        let stride = if strided { Some(self.stride(index)?) } else { None };
        let primal = match behind {
            None => Primal::Given(self.value(index, wanted, "the value", Source::Given)?),
            Some(BehindPointer) => {
                let pointer = Type::pointer(wanted.context());
                Primal::Behind(self.value(index, pointer, "the pointer to the value", Source::Given)?)
            }
        };
        let from = if self.shadows.is_some() { Source::Shadows } else { Source::Given };
        let shadows = match (activity.has_shadow(), stride) {
            (false, _) => Shadows::None,
            (true, Some(stride)) => {
                Shadows::Strided { base: self.value(index, wanted, "the shadow", from)?, stride }
            }
            (true, None) => Shadows::Each(
                (0..self.width)
                    .map(|_| self.value(index, wanted, "the shadow", from))
                    .collect::<Result<_, _>>()?,
            ),
        };
        Ok(Argument { activity, primal, shadows })
    }

    /// Whether the large struct that the function returns through its first parameter is spoken of by its adjoint alone:
    /// C and C++ programs know no such parameter. Those that write it may mark it like any other.
    fn takes_adjoint_of_result(&mut self) -> Result<bool, Error> {
        self.settings()?;
        let is_marked = self.given.peek().is_some_and(|&value| marker_of(value).is_some());
        Ok(self.entry == EntryPoint::Autodiff && !is_marked)
    }

    /// Reads the adjoints of a large struct that the function returns, which come before its arguments.
    fn adjoint_of_result(&mut self, wanted: Type) -> Result<Argument, Error> {
        if self.returns.primal {
            return Err(self
                .wrong(format!("`{}` returns a large struct in memory, which cannot be returned beside the gradient", self.function.written_name()))
                .help("say where it goes: `enzyme_dup, &result, &adjoint_of_result` before the arguments, without `enzyme_primal_return`"));
        }
        if self.returns.derivative == ReturnDerivative::Inactive {
            let activity = ArgumentActivity::Const;
            return Ok(Argument { activity, primal: Primal::ReturnMemory, shadows: Shadows::None });
        }
        let shadows = (0..self.width)
            .map(|_| self.value(0, wanted, "the adjoint", Source::Given))
            .collect::<Result<_, _>>()?;
        Ok(Argument {
            activity: ArgumentActivity::Duplicated,
            primal: Primal::ReturnMemory,
            shadows: Shadows::Each(shadows),
        })
    }

    pub(super) fn activity(
        &self,
        index: usize,
        wanted: Type,
        marker: Option<Marker>,
    ) -> Result<(ArgumentActivity, bool), Error> {
        let place = self.place(index, wanted);
        Ok(match marker {
            Some(Marker::Const) => (ArgumentActivity::Const, false),
            Some(Marker::Dup | Marker::DupNoNeed)
                if self.entry.direction() == Direction::Reverse && wanted.is_float_or_vector() =>
            {
                return Err(self.wrong(format!("{place} is marked enzyme_dup, but it is handed over by value")).help(
                    "mark it `enzyme_out` to have its derivative returned; only memory (a pointer) has a shadow in reverse mode",
                ));
            }
            Some(Marker::Dup) => (ArgumentActivity::Duplicated, false),
            Some(Marker::DupNoNeed) => (ArgumentActivity::DuplicatedNoNeed, false),
            Some(Marker::DupStrided | Marker::DupNoNeedStrided) if !wanted.is_pointer() => {
                return Err(self.wrong(format!("{place} is marked enzyme_dupv, which is for pointers")));
            }
            Some(Marker::DupStrided) => (ArgumentActivity::Duplicated, true),
            Some(Marker::DupNoNeedStrided) => (ArgumentActivity::DuplicatedNoNeed, true),
            Some(Marker::Out) if self.entry.direction() == Direction::Forward => {
                return Err(self
                    .wrong(format!("{place} is marked enzyme_out, which is for reverse mode"))
                    .help("in forward mode mark it `enzyme_dup` and give its tangent after it"));
            }
            Some(Marker::Out) if wanted.is_pointer() => {
                return Err(self
                    .wrong(format!("{place} is marked enzyme_out, but it is a pointer"))
                    .help("mark it `enzyme_dup` and give a pointer to its shadow after it"));
            }
            Some(Marker::Out) if !wanted.may_carry_derivative() => {
                return Err(self
                    .wrong(format!("{place} is marked enzyme_out, but its type has no derivative"))
                    .help("mark it `enzyme_const`"));
            }
            Some(Marker::Out) => (ArgumentActivity::Out, false),
            Some(
                Marker::Width
                | Marker::PrimalReturn
                | Marker::NoReturn
                | Marker::ConstReturn
                | Marker::ActiveReturn
                | Marker::DupReturn
                | Marker::Scalar
                | Marker::Vector
                | Marker::Buffer
                | Marker::ByReference
                | Marker::Interleave
                | Marker::NotOverwritten
                | Marker::NoFree
                | Marker::Tape
                | Marker::Allocated
                | Marker::RuntimeActivity
                | Marker::StrongZero
                | Marker::Scheme
                | Marker::Region
                | Marker::Foreign(_),
            ) => return Err(Error::internal(self.call, "a setting was read as an argument's marker")),
            None => (self.default_activity(wanted), false),
        })
    }

    fn default_activity(&self, wanted: Type) -> ArgumentActivity {
        if !wanted.may_carry_derivative() {
            ArgumentActivity::Const
        } else if self.entry.direction() == Direction::Forward || wanted.is_pointer() {
            ArgumentActivity::Duplicated
        } else {
            ArgumentActivity::Out
        }
    }

    fn stride(&mut self, index: usize) -> Result<Value, Error> {
        match self.given.next() {
            Some(value) if value.ty().is_integer() => Ok(value),
            Some(value) => {
                let shown = show(value);
                Err(self.wrong(format!("the stride of argument {} is {shown}, not an integer", index + 1)))
            }
            None => Err(self.wrong(format!("the stride of argument {} is missing", index + 1))),
        }
    }

    /// Takes the size that comes after `enzyme_byref`.
    fn size_behind(&mut self, index: usize, wanted: Type) -> Result<BehindPointer, Error> {
        let place = self.place(index, wanted);
        let size = self.function.module().allocation_size(wanted);
        match self.given.next().and_then(Value::constant_integer) {
            Some(given) if given == size => Ok(BehindPointer),
            Some(given) => {
                Err(self.wrong(format!("{place} has {size} bytes, but `enzyme_byref` says {given}")))
            }
            None => Err(self
                .wrong(format!("`enzyme_byref` for {place} is not followed by a constant number of bytes"))),
        }
    }

    /// Takes the next value of one of the lists; it must fit the parameter.
    fn value(&mut self, index: usize, wanted: Type, what: &str, from: Source) -> Result<Value, Error> {
        let place = self.place(index, wanted);
        let next = match (from, &mut self.shadows) {
            (Source::Shadows, Some(shadows)) => shadows.peek().copied(),
            (Source::Given | Source::Shadows, _) => self.given.peek().copied(),
        };
        let Some(value) = next else {
            return Err(self.wrong(format!("too few arguments: {what} of {place} is missing")));
        };
        if let Some(marker) = marker_of(value) {
            return Err(self.wrong(format!(
                "too few arguments: {what} of {place} is missing; the marker `{}` stands there",
                super::markers::name_of(marker)
            )));
        }
        match (from, &mut self.shadows) {
            (Source::Shadows, Some(shadows)) => shadows.next(),
            (Source::Given | Source::Shadows, _) => self.given.next(),
        };
        if fits(value.ty(), wanted) {
            Ok(value)
        } else {
            Err(self.wrong(format!("{what} of {place} has the type `{}`", value.ty())))
        }
    }

    fn place(&self, index: usize, wanted: Type) -> String {
        format!("argument {} (`{wanted}`) of `{}`", index + 1, self.function.written_name())
    }

    /// The adjoint of a result that is no scalar comes after the arguments; in a reverse sweep alone, any.
    fn seed(&mut self) -> Result<Option<Primal>, Error> {
        let result = self.function.return_type();
        let has_adjoint = self.entry.direction() == Direction::Reverse
            && self.returns.derivative != ReturnDerivative::Inactive
            && !result.is_pointer()
            && result.may_carry_derivative();
        match self.entry {
            EntryPoint::Reverse if has_adjoint => return self.seed_of_reverse_sweep(result),
            EntryPoint::Autodiff if has_adjoint && !result.is_float() => {}
            EntryPoint::Autodiff
            | EntryPoint::Fwddiff
            | EntryPoint::ForwardSplit
            | EntryPoint::AugmentForward
            | EntryPoint::Reverse
            | EntryPoint::AugmentSize => return Ok(None),
        }
        match self.given.next() {
            Some(value) if value.ty() == result => Ok(Some(Primal::Given(value))),
            Some(value) => Err(self.wrong(format!(
                "the adjoint of the result, which comes last, has the type `{}` instead of `{result}`",
                value.ty()
            ))),
            // Then it is one everywhere: the gradient is that of the sum of all numbers in the result.
            None => Ok(None),
        }
    }
}

/// Whether a value can be handed over for a parameter, by C's promotions of unprototyped calls at most.
pub(super) fn fits(given: Type, wanted: Type) -> bool {
    given == wanted
        || (given.is_float() && wanted.is_float())
        || (given.is_integer() && wanted.is_integer())
        || (given.kind() == Kind::Pointer && wanted.kind() == Kind::Pointer)
}

pub(super) fn show(value: Value) -> String {
    if let Some(marker) = marker_of(value) {
        return format!("the marker `{}`", super::markers::name_of(marker));
    }
    let name = value.name();
    if name.is_empty() {
        format!("a value of type `{}`", value.ty())
    } else {
        format!("`{name}` (`{}`)", value.ty())
    }
}

fn count(number: usize, what: &str) -> String {
    if number == 1 { format!("{number} {what}") } else { format!("{number} {what}s") }
}
