//! Replaces a marker call with a call of the derived function.

use super::arguments::{Argument, Primal, Request, ResultPlace, ReturnDerivative, Shadows};
use super::variables::clear_adjoints;
use super::{EntryPoint, is_entry_point, markers};
use crate::error::Error;
use crate::ffi;
use crate::ir::{Block, Builder, Function, Instruction, Kind, Module, Type, Value};
use crate::write::{DerivativeKey, Mode, PrimalReturn, ResultActivity, Signature, TapePlace};
use enzyme::activity::ArgumentActivity;
use enzyme::plan::{Direction, ShadowLayout};
use inkwell::llvm_sys::LLVMOpcode;

/// The greatest distance of shadows that derived functions are made for.
const LONGEST_STRIDE: u64 = 1 << 40;

impl Request {
    fn mode(&self) -> Mode {
        match self.entry {
            EntryPoint::Autodiff => Mode::Reverse,
            EntryPoint::Fwddiff => Mode::Forward,
            EntryPoint::AugmentForward => self.fills_tape(self.tape.place()),
            EntryPoint::AugmentSize => self.fills_tape(TapePlace::User),
            EntryPoint::ForwardSplit => Mode::SecondPart(self.tape.place(), self.tape.afterwards),
            EntryPoint::Reverse => Mode::ReverseSweep(self.tape.place(), self.tape.afterwards),
        }
    }

    /// Which derived function answers the request.
    pub(crate) fn key(&self) -> DerivativeKey {
        let mode = self.mode();
        let result_type = self.function.return_type();
        let returns = result_type != Type::void(result_type.context());
        let active = match self.returns.derivative {
            ReturnDerivative::Active => true,
            ReturnDerivative::Inactive => false,
            ReturnDerivative::ByType if self.direction == Direction::Forward => {
                // A small struct may be returned as an integer; its tangent is asked for as one, too.
                let as_integer = result_type.is_integer()
                    && mode == Mode::Forward
                    && self.call.value().ty() == result_type
                    && !self.returns.primal
                    && !self.call.value().users().is_empty();
                result_type.may_carry_derivative() || as_integer
            }
            // The forward sweep alone gives the shadow of an address.
            ReturnDerivative::ByType => {
                result_type.may_carry_derivative() && (!self.entry.is_whole() || !result_type.is_pointer())
            }
        };
        let returns_primal = match self.entry {
            EntryPoint::Autodiff | EntryPoint::Fwddiff => self.returns.primal,
            EntryPoint::AugmentForward | EntryPoint::AugmentSize => returns,
            EntryPoint::Reverse | EntryPoint::ForwardSplit => false,
        };
        let activity = |argument: &Argument| match (self.direction, argument.activity) {
            // What has an adjoint in one direction has a tangent in the other.
            (Direction::Forward, ArgumentActivity::Out) => ArgumentActivity::Duplicated,
            (_, activity) => activity,
        };
        DerivativeKey {
            function: self.function,
            mode,
            arguments: self.arguments.iter().map(activity).collect(),
            layouts: self.arguments.iter().map(|argument| self.layout(argument)).collect(),
            width: self.width,
            primal: if returns && returns_primal { PrimalReturn::Yes } else { PrimalReturn::No },
            result: if returns && active { ResultActivity::Active } else { ResultActivity::Inactive },
            types: None,
            memory: Vec::new(),
            settings: self.settings,
        }
    }

    /// How the shadows of an argument are found from the first, where forward mode need not be given all of them.
    fn layout(&self, argument: &Argument) -> Option<ShadowLayout> {
        match (self.mode(), &argument.shadows) {
            (Mode::Forward, Shadows::Strided { stride, .. }) if self.width > 1 => {
                let stride = stride.constant_integer().filter(|&stride| stride <= LONGEST_STRIDE);
                stride.map(ShadowLayout::strided)
            }
            _ => None,
        }
    }

    /// Whether what the derived function returns fits what the call is declared to return.
    ///
    /// # Errors
    /// Says what the derivative is, and what the call was declared with.
    pub(crate) fn check_result(&self, signature: &Signature) -> Result<(), Error> {
        let module = self.call.function().module();
        let given = signature.result;
        let wanted = match self.place {
            ResultPlace::Value => self.call.value().ty(),
            ResultPlace::Memory { ty, .. } => ty,
        };
        let void = Type::void(given.context());
        let unused = self.place == ResultPlace::Value && self.call.value().users().is_empty();
        if self.entry == EntryPoint::AugmentSize {
            return self.check_size(wanted);
        }
        if unused || wanted == void || wanted == given || (given.is_float() && wanted.is_float()) {
            return Ok(());
        }
        // One declaration may serve functions whose derivative is returned, and functions that have it in memory.
        let returns_nothing =
            given == void && (self.function.return_type() == void || self.entry == EntryPoint::Autodiff);
        if self.returns_through_memory() || returns_nothing || self.wants_first(given, wanted) {
            return Ok(());
        }
        if self.entry == EntryPoint::AugmentForward && Delivery::of(given, wanted).is_some() {
            return Ok(());
        }
        let same_size = given != void && module.allocation_size(given) == module.allocation_size(wanted);
        if same_size && (!given.is_float() || wanted_holds_float(wanted)) {
            return Ok(());
        }
        // Three floats come as a vector of two and one, which is padded; three halves as a vector of four.
        if given != void {
            let (parts, wanted_parts) = (module.scalars_in_memory(given), module.scalars_in_memory(wanted));
            let padded = matches!(wanted.kind(), Kind::Vector(_))
                && module.allocation_size(given).next_power_of_two() == module.allocation_size(wanted);
            if parts == wanted_parts || (padded && wanted_parts.starts_with(&parts)) {
                return Ok(());
            }
        }
        let (what, derivative) = match self.entry {
            EntryPoint::Autodiff | EntryPoint::Reverse | EntryPoint::AugmentSize => {
                ("gradient", "the derivative of each `enzyme_out` argument, in order")
            }
            EntryPoint::Fwddiff | EntryPoint::ForwardSplit => ("tangent", "the derivative of the result"),
            EntryPoint::AugmentForward => (
                "forward sweep",
                "the tape (`void *`), the result, and the shadow of the result if it is a pointer",
            ),
        };
        let shown = if given == void { "nothing".to_owned() } else { format!("`{given}`") };
        Err(Error::program(
            self.call,
            format!(
                "the call of `{}` returns `{wanted}`, but the {what} of `{}` is {shown}",
                self.entry.name(),
                self.function.written_name()
            ),
        )
        .help(format!(
            "declare it to return {derivative}: one value, or a struct that holds them one after another{}",
            if self.returns.primal { ", the primal's result first" } else { "" }
        )))
    }
}

impl Request {
    /// Whether a call that is declared to return one number is to have the first of several.
    fn wants_first(&self, given: Type, wanted: Type) -> bool {
        self.entry == EntryPoint::Autodiff
            && self.place == ResultPlace::Value
            && wanted.is_float_or_vector()
            && given.fields().len() > 1
            && given.fields().first() == Some(&wanted)
    }

    fn fills_tape(&self, place: TapePlace) -> Mode {
        match self.direction {
            Direction::Forward => Mode::FirstPart(place),
            Direction::Reverse => Mode::Augmented(place),
        }
    }

    fn check_size(&self, wanted: Type) -> Result<(), Error> {
        if wanted.is_integer() {
            return Ok(());
        }
        let message =
            format!("the call of `{}` returns `{wanted}`, not a number of bytes", self.entry.name());
        Err(Error::program(self.call, message).help("declare it to return `size_t`"))
    }
}

/// Whether a declared result type can stand for one floating-point number.
fn wanted_holds_float(wanted: Type) -> bool {
    wanted.may_carry_derivative() && !wanted.is_pointer()
}

/// Puts a call of `derived` in the place of the request's call; gives what stands for its result now, if anybody uses it.
pub(crate) fn lower(request: &Request, derived: Function, signature: &Signature) -> Option<Value> {
    let call = request.call;
    let builder = Builder::new(derived.function_type().context());
    builder.position_before(call);
    builder.debug_location_of(call);
    match request.entry {
        EntryPoint::Autodiff => clear_adjoints(derived, &builder),
        EntryPoint::Fwddiff
        | EntryPoint::ForwardSplit
        | EntryPoint::AugmentForward
        | EntryPoint::Reverse
        | EntryPoint::AugmentSize => {}
    }
    let arguments = arguments(request, signature, &builder);
    let result = match call.invoke_destinations() {
        None => builder.call(derived, &arguments),
        Some((_, unwind)) => {
            let normal: Block = crate::ir::split_normal_edge(call);
            let invoke = builder.invoke(derived, &arguments, normal, unwind);
            if let Some(first) = normal.instructions().next() {
                builder.position_before(first);
            }
            invoke
        }
    };
    result.copy_calling_convention(derived);
    let delivered = deliver(request, result.value(), signature, &builder);
    call.erase();
    delivered
}

fn arguments(request: &Request, signature: &Signature, builder: &Builder) -> Vec<Value> {
    let mut given = Vec::with_capacity(signature.parameters.len());
    let returned_before_tangent = request.returns.primal;
    // The first part of forward mode does not look at tangents.
    let takes_shadows =
        request.direction == Direction::Reverse || request.entry != EntryPoint::AugmentForward;
    for argument in &request.arguments {
        let wanted = signature.parameters[given.len()];
        match (argument.primal, &argument.shadows, request.place) {
            (Primal::ReturnMemory, Shadows::Each(adjoints), _) => {
                given.push(result_memory(request, wanted));
                given.extend(adjoints.iter().map(|&adjoint| convert(builder, adjoint, wanted)));
            }
            (Primal::ReturnMemory, shadows, ResultPlace::Memory { pointer, ty }) => {
                // The result's memory holds the tangent, after the primal's result when that is wanted too.
                let primal_type = request.function.return_memory_type();
                let size = request.function.module().allocation_size(primal_type.unwrap_or(ty));
                if returned_before_tangent {
                    given.push(pointer);
                } else {
                    given.push(result_memory(request, ty));
                }
                let first = if returned_before_tangent { size } else { 0 };
                let directions = match shadows {
                    Shadows::None => 0,
                    Shadows::ReturnMemory | Shadows::Each(_) | Shadows::Strided { .. } => {
                        request.width as u64
                    }
                };
                given.extend(
                    (0..directions).map(|direction| builder.offset(pointer, first + direction * size)),
                );
            }
            // The result itself is not asked for, but the function writes it.
            (
                Primal::ReturnMemory,
                Shadows::None | Shadows::ReturnMemory | Shadows::Strided { .. },
                ResultPlace::Value,
            ) => {
                given.push(result_memory(request, wanted));
            }
            (Primal::Given(value) | Primal::Behind(value), shadows, _) => {
                given.push(match argument.primal {
                    Primal::Behind(pointer) => builder.load(wanted, pointer, ""),
                    Primal::Given(_) | Primal::ReturnMemory => convert(builder, value, wanted),
                });
                match shadows {
                    Shadows::None | Shadows::ReturnMemory => {}
                    Shadows::Each(_) | Shadows::Strided { .. } if !takes_shadows => {}
                    Shadows::Each(values) => {
                        given.extend(values.iter().map(|&value| convert(builder, value, wanted)));
                    }
                    Shadows::Strided { base, stride } => {
                        let base = convert(builder, *base, wanted);
                        let count = if request.layout(argument).is_some() { 1 } else { request.width };
                        given.extend(
                            (0..count).map(|direction| builder.strided(base, *stride, direction as u64)),
                        );
                    }
                }
            }
        }
    }
    let last = request.tape.last_argument();
    // Reverse mode: the adjoint of the result.
    for direction in 0.. {
        let wanted = match signature.parameters.get(given.len()) {
            Some(&wanted) if given.len() + usize::from(last.is_some()) < signature.parameters.len() => wanted,
            Some(_) | None => break,
        };
        let seed = request.seed.map(|seed| match seed {
            Primal::Behind(memory) => builder.load(wanted, memory, ""),
            Primal::Given(seed) => seed,
            Primal::ReturnMemory => Value::zero(wanted),
        });
        given.push(match seed {
            Some(seed) if seed.ty() == wanted => seed,
            Some(seed) if seed.ty().is_array() => builder.extract_value(seed, direction),
            Some(seed) => convert(builder, seed, wanted),
            None => one_everywhere(builder, wanted),
        });
    }
    let pointer = Type::pointer(signature.result.context());
    given.extend(last.map(|tape| convert(builder, tape, pointer)));
    given
}

/// One in every floating-point number of a type, zero in the rest.
fn one_everywhere(builder: &Builder, ty: Type) -> Value {
    let parts: Vec<Type> = match ty.kind() {
        Kind::Array(length) => vec![ty.element(); length as usize],
        _ if ty.is_float_or_vector() => return Value::float(ty, "1.0"),
        _ => ty.fields(),
    };
    (0..).zip(parts).fold(Value::zero(ty), |whole, (index, part)| {
        builder.insert_value(whole, one_everywhere(builder, part), index)
    })
}

/// How a declared result takes what a forward sweep alone gives.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Delivery {
    /// The first field: the tape, of which all that is asked.
    First,
    /// The fields in another order, which their types tell: for each declared field the number of the one given.
    Permuted(Vec<u32>),
}

impl Delivery {
    fn of(given: Type, wanted: Type) -> Option<Delivery> {
        let (fields, declared) = (given.fields(), wanted.fields());
        if fields.first() == Some(&wanted) {
            return Some(Delivery::First);
        }
        let places: Option<Vec<u32>> = declared
            .iter()
            .map(|ty| {
                let same: Vec<u32> =
                    (0..).zip(&fields).filter(|(_, field)| *field == ty).map(|(index, _)| index).collect();
                match same.as_slice() {
                    [only] => Some(*only),
                    _ => None,
                }
            })
            .collect();
        places.filter(|places| !places.is_empty()).map(Delivery::Permuted)
    }

    fn deliver(self, wanted: Type, result: Value, builder: &Builder) -> Value {
        match self {
            Delivery::First => builder.extract_value(result, 0),
            Delivery::Permuted(places) => {
                (0..).zip(places).fold(Value::poison(wanted), |whole, (to, from)| {
                    builder.insert_value(whole, builder.extract_value(result, from), to)
                })
            }
        }
    }
}

/// C hands a `float` over as a `double`, and small integers as `int`, where it sees no prototype.
pub(super) fn convert(builder: &Builder, value: Value, wanted: Type) -> Value {
    if wanted.is_float() {
        builder.float_cast(value, wanted)
    } else if wanted.is_integer() {
        builder.signed_integer_cast(value, wanted)
    } else {
        builder.pointer_cast(value, wanted)
    }
}

/// Memory for the large struct that a function returns, where nobody asks for it.
fn result_memory(request: &Request, otherwise: Type) -> Value {
    stack_memory(request.call, request.function.return_memory_type().unwrap_or(otherwise))
}

/// Memory for one call, reserved where the function begins.
pub(super) fn stack_memory(call: Instruction, ty: Type) -> Value {
    let builder = Builder::new(ty.context());
    let first = call.function().instructions().next().unwrap_or(call);
    builder.position_before(first);
    builder.alloca(ty, "primal_result").value()
}

/// Hands the derivative to whoever used the call's result.
fn deliver(request: &Request, result: Value, signature: &Signature, builder: &Builder) -> Option<Value> {
    let void = Type::void(signature.result.context());
    let given = signature.result;
    if given == void && !request.returns_through_memory() {
        return deliver_nothing(request, builder);
    }
    match request.place {
        ResultPlace::Memory { .. } if given == void => None,
        ResultPlace::Memory { pointer, .. } => {
            builder.store(result, pointer);
            None
        }
        ResultPlace::Value => {
            let wanted = request.call.value().ty();
            let delivery = match request.entry {
                EntryPoint::AugmentForward if wanted != given => Delivery::of(given, wanted),
                EntryPoint::Autodiff
                | EntryPoint::Fwddiff
                | EntryPoint::ForwardSplit
                | EntryPoint::AugmentForward
                | EntryPoint::Reverse
                | EntryPoint::AugmentSize => None,
            };
            let result = delivery.map_or(result, |delivery| delivery.deliver(wanted, result, builder));
            if request.wants_first(given, wanted) && !request.call.value().users().is_empty() {
                warn_of_first(request, given);
                return deliver_value(request.call, builder.extract_value(result, 0), builder);
            }
            deliver_value(request.call, result, builder)
        }
    }
}

/// Says that a call hands over one number of several.
fn warn_of_first(request: &Request, given: Type) {
    ffi::emit_warning(
        request.call.value().raw(),
        &format!(
            "this call of `{}` gives only the first part of the gradient of `{}`, which is `{given}`; declare it to return \
             a struct of all parts",
            request.entry.name(),
            request.function.written_name()
        ),
    );
}

/// Whoever uses the result of a derivative that returns nothing gets zero, and is told so.
fn deliver_nothing(request: &Request, builder: &Builder) -> Option<Value> {
    let call = request.call.value();
    let delivered = match request.place {
        ResultPlace::Memory { pointer, ty } => {
            builder.store(Value::zero(ty), pointer);
            None
        }
        ResultPlace::Value if call.users().is_empty() => return None,
        ResultPlace::Value => {
            let zero = Value::zero(call.ty());
            call.replace_all_uses_with(zero);
            Some(zero)
        }
    };
    ffi::emit_warning(
        call.raw(),
        &format!(
            "the result of this call of `{}` is zero, because {}; declare it to return nothing, too",
            request.entry.name(),
            if request.function.return_type() == Type::void(builder.function().return_type().context()) {
                format!("`{}` returns nothing", request.function.written_name())
            } else {
                format!("the gradient of `{}` is in memory", request.function.written_name())
            }
        ),
    );
    delivered
}

/// Puts a result in the place of a call, which may be declared to return it in other clothes; gives what it became.
pub(super) fn deliver_value(call: Instruction, result: Value, builder: &Builder) -> Option<Value> {
    let (wanted, given) = (call.value().ty(), result.ty());
    if wanted == Type::void(wanted.context()) || call.value().users().is_empty() {
        return None;
    }
    let delivered = if wanted == given {
        result
    } else if wanted.is_float() && given.is_float() {
        builder.float_cast(result, wanted)
    } else {
        // The C ABI returns small structs in other clothes; in memory they look the same.
        let module = call.function().module();
        let size = |ty| module.allocation_size(ty);
        let memory = stack_memory(call, if size(wanted) > size(given) { wanted } else { given });
        builder.store(result, memory);
        builder.load(wanted, memory, "")
    };
    call.value().replace_all_uses_with(delivered);
    Some(delivered)
}

/// Removes what the marker calls leave behind: reads of the markers, and the markers and entry points themselves,
/// so that no object file asks for `enzyme_dup` to be linked.
pub(crate) fn remove_markers(module: Module) {
    for global in module.globals().collect::<Vec<_>>() {
        if markers::named(&global.name()).is_none() {
            continue;
        }
        for user in global.users() {
            if let Some(read) = user.as_instruction() {
                erase_unused_read(read);
            }
        }
        if global.users().is_empty() && global.initializer().is_none() {
            global.delete_global();
        }
    }
    for function in module.functions().collect::<Vec<_>>() {
        if is_entry_point(&function.name())
            && function.is_declaration()
            && function.value().users().is_empty()
        {
            function.delete();
        }
    }
}

/// Erases a read of a marker, and what made it another type, when no call uses it any more.
fn erase_unused_read(instruction: Instruction) {
    if !matches!(
        instruction.opcode(),
        LLVMOpcode::LLVMLoad
            | LLVMOpcode::LLVMSExt
            | LLVMOpcode::LLVMZExt
            | LLVMOpcode::LLVMTrunc
            | LLVMOpcode::LLVMPtrToInt
            | LLVMOpcode::LLVMIntToPtr
            | LLVMOpcode::LLVMAddrSpaceCast
    ) {
        return;
    }
    for user in instruction.value().users() {
        if let Some(user) = user.as_instruction() {
            erase_unused_read(user);
        }
    }
    if instruction.value().users().is_empty() {
        instruction.erase();
    }
}
