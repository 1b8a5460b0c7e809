//! Derivatives in two calls: `__enzyme_augmentfwd` runs the primal and gives a tape; `__enzyme_reverse` takes the tape and
//! gives adjoints, or `__enzyme_fwdsplit` takes it and gives tangents.

use super::EntryPoint;
use super::arguments::{Argument, Primal, Reader, Request, Shadows, show};
use super::markers::{Marker, marker_of};
use super::resolve::resolve_integer;
use crate::error::Error;
use crate::ir::{Builder, Function, Instruction, Type, Value};
use crate::write::{TapeAfterwards, TapePlace};
use enzyme::plan::Direction;

/// What a call says of the tape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TapeRequest {
    /// The tape, which a reverse sweep is given as its last argument.
    pub(super) given: Option<Value>,
    /// Memory of the user's where the tape lies (`enzyme_tape`).
    pub(super) memory: Option<Value>,
    /// How many bytes that has (`enzyme_allocated`).
    pub(super) allocated: Option<Value>,
    /// What becomes of it after the reverse sweep: another one may read it again (`enzyme_nofree`).
    pub(super) afterwards: TapeAfterwards,
}

impl TapeRequest {
    /// Where it lies.
    pub(super) fn place(self) -> TapePlace {
        if self.memory.is_some() { TapePlace::User } else { TapePlace::Heap }
    }

    /// The values that it names.
    pub(super) fn values(&mut self) -> impl Iterator<Item = &mut Value> {
        [&mut self.given, &mut self.memory, &mut self.allocated].into_iter().flatten()
    }

    /// What the sweep is given last.
    pub(super) fn last_argument(self) -> Option<Value> {
        self.memory.or(self.given)
    }
}

impl Reader {
    /// What stands for one parameter where only the size of the tape is asked for: a marker, if anything.
    pub(super) fn argument_by_marker(&mut self, index: usize, wanted: Type) -> Result<Argument, Error> {
        self.settings()?;
        let marker = self.given.next_if(|&value| marker_of(value).is_some()).and_then(marker_of);
        let (activity, _) = self.activity(index, wanted, marker)?;
        Ok(Argument { activity, primal: Primal::Given(Value::zero(wanted)), shadows: Shadows::None })
    }

    /// Takes the memory that comes after `enzyme_tape`.
    pub(super) fn memory_for_tape(&mut self) -> Result<Value, Error> {
        match self.given.next() {
            Some(memory) if memory.ty().is_pointer() => Ok(memory),
            Some(other) => {
                let shown = show(other);
                Err(self.wrong(format!("`enzyme_tape` is followed by {shown}, not by a pointer to memory")))
            }
            None => Err(self.wrong("`enzyme_tape` is not followed by a pointer to memory".into())),
        }
    }

    /// Takes the number that comes after `enzyme_allocated`.
    pub(super) fn bytes_for_tape(&mut self) -> Result<Value, Error> {
        match self.given.next() {
            Some(bytes) if bytes.ty().is_integer() => Ok(bytes),
            Some(_) | None => {
                Err(self.wrong("`enzyme_allocated` is not followed by a number of bytes".into()))
            }
        }
    }

    /// Takes the tape of a reverse sweep, where it is not in the user's memory.
    pub(super) fn tape(&mut self) -> Result<(), Error> {
        if self.tape.memory.is_some() && self.tape.allocated.is_none() {
            return Err(self.wrong("`enzyme_tape` without `enzyme_allocated`".into()).help(
                "say how many bytes the memory has: `enzyme_allocated, n, enzyme_tape, memory`; `__enzyme_augmentsize` \
                 says how many are needed",
            ));
        }
        match self.entry {
            EntryPoint::Reverse | EntryPoint::ForwardSplit if self.tape.memory.is_none() => {}
            EntryPoint::Reverse
            | EntryPoint::ForwardSplit
            | EntryPoint::Autodiff
            | EntryPoint::Fwddiff
            | EntryPoint::AugmentForward
            | EntryPoint::AugmentSize => return Ok(()),
        }
        match self.given.next() {
            Some(tape) if tape.ty().is_pointer() => {
                self.tape.given = Some(tape);
                self.settings()
            }
            Some(other) => {
                let shown = show(other);
                Err(self.wrong(format!("the tape, which comes last, is {shown}")))
            }
            None => Err(self.wrong("the tape is missing".into()).help(
                "give what `__enzyme_augmentfwd` returned for the same arguments as the last argument",
            )),
        }
    }

    /// The adjoint of the result stands before the tape; it is 1 where it is left out.
    pub(super) fn seed_of_reverse_sweep(&mut self, result: Type) -> Result<Option<Primal>, Error> {
        let Some(&next) = self.given.peek() else { return Ok(None) };
        if marker_of(next) == Some(Marker::ByReference) {
            self.given.next();
            let (bytes, memory) = (self.given.next().and_then(Value::constant_integer), self.given.next());
            let size = self.function.module().allocation_size(result);
            return match memory {
                Some(memory) if bytes == Some(size) && memory.ty().is_pointer() => {
                    Ok(Some(Primal::Behind(memory)))
                }
                Some(_) | None => Err(self.wrong(format!(
                    "`enzyme_byref` for the adjoint of the result (`{result}`) is not followed by {size} and a pointer"
                ))),
            };
        }
        let given = next.ty();
        let fits = given == result
            || (given.is_float() && result.is_float())
            || (self.width > 1 && given == result.array(self.width as u64));
        if fits {
            return Ok(self.given.next().map(Primal::Given));
        }
        let is_tape = given.is_pointer() && result.is_float();
        match is_tape {
            true => Ok(None),
            false => Err(self.wrong(format!(
                "the adjoint of the result, which comes after the arguments, has the type `{given}` instead of `{result}`"
            ))),
        }
    }
}

/// Finds out whether the tapes that calls of `__enzyme_augmentfwd` fill are for tangents or for adjoints: it depends on
/// which of the other calls there are for the same function. Gives what is wrong about it.
pub(crate) fn find_directions(requests: &mut [Request]) -> Vec<Error> {
    let named = |wanted: EntryPoint| -> Vec<Function> {
        let asked = requests.iter().filter(|request| request.entry == wanted);
        asked.map(|request| request.function).collect()
    };
    let (forward, reverse) = (named(EntryPoint::ForwardSplit), named(EntryPoint::Reverse));
    let mut errors = Vec::new();
    for request in requests {
        match request.entry {
            EntryPoint::AugmentForward | EntryPoint::AugmentSize => {}
            EntryPoint::Autodiff | EntryPoint::Fwddiff | EntryPoint::ForwardSplit | EntryPoint::Reverse => {
                continue;
            }
        }
        match (forward.contains(&request.function), reverse.contains(&request.function)) {
            (false, _) => {}
            (true, false) => request.direction = Direction::Forward,
            (true, true) => errors.push(
                Error::unsupported(
                    request.call,
                    format!(
                        "it is not known whether this tape of `{}` is for `__enzyme_reverse` or for \
                         `__enzyme_fwdsplit`, which are both called",
                        request.function.written_name()
                    ),
                )
                .help("give one of the two a function of its own that calls it"),
            ),
        }
    }
    errors
}

impl Request {
    /// Whether the user's memory for the tape is large enough, where the function that fills or reads it needs so many
    /// bytes; `size_of` gives what a call of `__enzyme_augmentsize` will give.
    ///
    /// # Errors
    /// How many bytes there are, and how many are needed.
    pub(crate) fn check_memory(
        &self,
        needed: u64,
        size_of: impl Fn(Instruction) -> Option<u64>,
    ) -> Result<(), Error> {
        let (Some(bytes), Some(_)) = (self.tape.allocated, self.tape.memory) else { return Ok(()) };
        let place = |message: String| Error::program(self.call, message);
        match resolve_integer(bytes, &size_of) {
            Some(allocated) if allocated < needed => Err(place(format!(
                "the memory for the tape of `{}` has {allocated} bytes, and {needed} are needed",
                self.function.written_name()
            ))
            .help("let it have as many as `__enzyme_augmentsize` says")
            .known_as(format!("Enzyme: need {needed} bytes have {allocated} bytes"))),
            Some(_) => Ok(()),
            None => {
                Err(place("the number after `enzyme_allocated` is not known before the program runs".into())
                    .help("give a constant, or what `__enzyme_augmentsize` returns"))
            }
        }
    }
}

/// Puts the number of bytes that a tape takes in the place of a call of `__enzyme_augmentsize`, and gives it.
pub(crate) fn lower_size(request: &Request, bytes: u64) -> Option<Value> {
    let call = request.call;
    let ty = call.value().ty();
    let number = ty.is_integer().then(|| Value::integer(ty, bytes as i64));
    if let Some(number) = number {
        call.value().replace_all_uses_with(number);
    }
    if let Some((normal, _)) = call.invoke_destinations() {
        let builder = Builder::new(ty.context());
        builder.position_before(call);
        builder.branch(normal);
    }
    call.erase();
    number
}
