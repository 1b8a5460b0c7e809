//! Writes the two sweeps of a checkpointed loop.
//!
//! What drives them is the same for all loops (`runtime.c`). A derived function hands it four small functions that run a
//! step (as it is; its forward sweep; its reverse sweep; both), and an *environment* in its frame with what these need: the
//! arguments of the step, each followed by its shadows, and where the adjoints of numbers are added up.
//!
//! Only the last step runs its forward sweep in that of the loop, and keeps its tape; all others run both sweeps at once, so
//! that there is never more than one tape.

mod runtime;

use super::tape::Tape;
use super::{
    DerivativeKey, Derivatives, Mode, PrimalReturn, ResultActivity, Signature, TapeAfterwards, TapePlace,
};
use crate::error::Error;
use crate::ir::{Builder, FUNCTION_ATTRIBUTES, Function, Kind, Type, Value};
use enzyme::activity::ArgumentActivity;
use enzyme::memory::Access;
use enzyme::plan::{
    ARGUMENTS_BEFORE_REGIONS, CHECKPOINT_PLACE, CHECKPOINT_REGIONS, CHECKPOINT_SWEEP, CHECKPOINT_UNTIL,
    CHECKPOINTED, StepEffects,
};
use enzyme::types::{self, CallTypes, Numbers, TypeTree};
use inkwell::llvm_sys::{LLVMLinkage, LLVMOpcode};
use std::rc::Rc;

/// What is known of a region when the program is compiled: as `runtime.c` has it.
const UNKNOWN: i64 = 0;
const CHANGES: i64 = 1;
const STAYS: i64 = 2;

/// The number of regions of a checkpointed loop.
pub(crate) fn regions_of(function: Function) -> Option<usize> {
    function
        .has_string_attribute(CHECKPOINTED)
        .then(|| function.string_attribute(CHECKPOINT_REGIONS)?.parse().ok())?
}

/// Writes the body of `derived`, one of the sweeps of a checkpointed loop: the forward sweep where it is said what steps do to
/// memory, else the reverse sweep.
///
/// # Errors
/// When the derivatives of the step cannot be made, or the machine is none that the runtime is for.
pub(crate) fn write_checkpointed(
    key: &DerivativeKey,
    signature: &Signature,
    derived: Function,
    effects: Option<&StepEffects>,
    derivatives: &mut dyn Derivatives,
) -> Result<(), Error> {
    let writer = Writer::new(key, signature, derived)?;
    derived.add_string_attribute(CHECKPOINT_SWEEP);
    derived.add_attribute(FUNCTION_ATTRIBUTES, "noinline");
    match effects {
        Some(effects) => writer.forward_sweep(effects, derivatives),
        None => writer.reverse_sweep(derivatives),
    }
}

struct Writer<'a> {
    key: &'a DerivativeKey,
    signature: &'a Signature,
    derived: Function,
    builder: Builder,
    step: Function,
    /// What the loop's function takes, each with its shadows.
    arguments: Vec<Vec<Value>>,
    regions: usize,
    environment: Environment,
}

/// What the small functions find in the frame of the derived function.
#[derive(Clone, Debug)]
struct Environment {
    ty: Type,
    /// For each argument of the step after the first: where its value and its shadows are.
    arguments: Vec<Vec<u32>>,
    /// For each of them: where its adjoint is added up.
    adjoints: Vec<Option<u32>>,
    /// The number of the first step.
    start: u32,
    /// Where the last step's tape is put, or found.
    tape: u32,
    /// The arena that the last step's tape is part of.
    arena: u32,
}

impl Environment {
    fn field(&self, builder: &Builder, memory: Value, index: u32) -> (Type, Value) {
        let offset = builder.function().module().field_offset(self.ty, index);
        (self.ty.at(index), builder.offset(memory, offset))
    }

    fn load(&self, builder: &Builder, memory: Value, index: u32) -> Value {
        let (ty, place) = self.field(builder, memory, index);
        builder.load(ty, place, "")
    }

    fn store(&self, builder: &Builder, memory: Value, index: u32, value: Value) {
        let (_, place) = self.field(builder, memory, index);
        builder.store(value, place);
    }
}

/// What a small function does with a step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Runs {
    Primal,
    Sweeps(Mode),
}

impl<'a> Writer<'a> {
    fn new(key: &'a DerivativeKey, signature: &'a Signature, derived: Function) -> Result<Self, Error> {
        let module = derived.module();
        let context = derived.function_type().context();
        let pointer = Type::pointer(context);
        let called = key.function.instructions().find_map(|call| call.called_function());
        let (Some(step), Some(regions)) = (called, regions_of(key.function)) else {
            return Err(Error::internal(key.function, "a checkpointed loop has no step"));
        };
        if module.bits(pointer) != 64 {
            return Err(Error::unsupported(
                step,
                "a checkpointed loop on a machine whose addresses have not 64 bits",
            ));
        }
        let builder = Builder::new(context);
        builder.position_at_end(derived.append_block("entry"));
        let mut given = derived.parameters().into_iter();
        let arguments: Vec<Vec<Value>> = (0..key.arguments.len())
            .map(|index| given.by_ref().take(1 + key.shadow_parameters(index)).collect())
            .collect();
        let first = ARGUMENTS_BEFORE_REGIONS + 2 * regions;
        let mut fields: Vec<Type> = Vec::new();
        let mut field = |ty: Type| {
            fields.push(ty);
            fields.len() as u32 - 1
        };
        let of_step = || arguments[first..].iter().zip(&key.arguments[first..]);
        let places =
            of_step().map(|(values, _)| values.iter().map(|value| field(value.ty())).collect()).collect();
        let adjoints = of_step()
            .map(|(values, activity)| {
                let ty = values[0].ty();
                let across = if key.width == 1 { ty } else { ty.array(key.width as u64) };
                (*activity == ArgumentActivity::Out).then(|| field(across))
            })
            .collect();
        let start = field(Type::integer(context, 64));
        let (tape, arena) = (field(pointer), field(pointer));
        let ty = Type::structure(context, &fields);
        let environment = Environment { ty, arguments: places, adjoints, start, tape, arena };
        Ok(Writer { key, signature, derived, builder, step, arguments, regions, environment })
    }

    fn wide(&self, number: i64) -> Value {
        Value::integer(Type::integer(self.derived.function_type().context(), 64), number)
    }

    /// The environment in the frame, filled with the arguments.
    fn environment(&self) -> Value {
        let environment = self.builder.entry_alloca(self.environment.ty, "environment").value();
        let first = ARGUMENTS_BEFORE_REGIONS + 2 * self.regions;
        let store =
            |index: u32, value: Value| self.environment.store(&self.builder, environment, index, value);
        for (values, places) in self.arguments[first..].iter().zip(&self.environment.arguments) {
            places.iter().zip(values).for_each(|(&place, &value)| store(place, value));
        }
        store(self.environment.start, self.arguments[0][0]);
        environment
    }

    fn forward_sweep(&self, effects: &StepEffects, derivatives: &mut dyn Derivatives) -> Result<(), Error> {
        let Some(&arena) = self.derived.parameters().last() else {
            return Err(Error::internal(self.key.function, "a forward sweep has no arena"));
        };
        let environment = self.environment();
        self.environment.store(&self.builder, environment, self.environment.arena, arena);
        let (regions, count) = self.regions(effects)?;
        let (written, writes) = self.written(effects);
        let run = self.small_function("run", Runs::Primal, derivatives)?;
        let run_last = Runs::Sweeps(Mode::Augmented(TapePlace::Caller));
        let run_last = self.small_function("run_last", run_last, derivatives)?;
        let module = self.derived.module();
        let context = self.derived.function_type().context();
        let drive = runtime::function(module, context, runtime::FORWARD)?;
        let first = ARGUMENTS_BEFORE_REGIONS + 2 * self.regions;
        let left = match self.key.function.has_string_attribute(CHECKPOINT_UNTIL) {
            true => self.arguments[first][0],
            false => Value::zero(Type::pointer(context)),
        };
        let given = [
            self.arguments[2][0],
            self.arguments[3][0],
            self.arguments[1][0],
            left,
            regions,
            self.wide(count),
            written,
            self.wide(writes),
            run.value(),
            run_last.value(),
            environment,
        ];
        let state = self.builder.call(drive, &given).value();
        // What the reverse sweep is given: the state of the loop, and the tape of the last step.
        let kept = Tape::new(module, self.signature.result).allocate(&self.builder, arena, self.wide(16));
        self.builder.store(state, kept);
        let tape = self.environment.load(&self.builder, environment, self.environment.tape);
        self.builder.store(tape, self.builder.offset(kept, 8));
        self.builder.return_fields(self.signature.result, &[kept]);
        Ok(())
    }

    fn reverse_sweep(&self, derivatives: &mut dyn Derivatives) -> Result<(), Error> {
        let Some(&kept) = self.derived.parameters().last() else {
            return Err(Error::internal(self.key.function, "a reverse sweep has no tape"));
        };
        let environment = self.environment();
        let pointer = Type::pointer(self.derived.function_type().context());
        let tape = self.builder.load(pointer, self.builder.offset(kept, 8), "tape");
        self.environment.store(&self.builder, environment, self.environment.tape, tape);
        for &place in self.environment.adjoints.iter().flatten() {
            let zero = Value::zero(self.environment.ty.at(place));
            self.environment.store(&self.builder, environment, place, zero);
        }
        let last = Runs::Sweeps(Mode::ReverseSweep(TapePlace::Caller, TapeAfterwards::Left));
        let run = self.small_function("run", Runs::Primal, derivatives)?;
        let last = self.small_function("reverse_last", last, derivatives)?;
        let both = self.small_function("reverse", Runs::Sweeps(Mode::Reverse), derivatives)?;
        let context = self.derived.function_type().context();
        let drive = runtime::function(self.derived.module(), context, runtime::REVERSE)?;
        self.builder.call(drive, &[kept, run.value(), last.value(), both.value(), environment]);
        let adjoints: Vec<Value> = self
            .environment
            .adjoints
            .iter()
            .flatten()
            .map(|&place| self.environment.load(&self.builder, environment, place))
            .collect();
        self.builder.return_fields(self.signature.result, &adjoints);
        Ok(())
    }

    /// The list of the regions, in the frame, and its length: those that are declared, and variables.
    fn regions(&self, effects: &StepEffects) -> Result<(Value, i64), Error> {
        let module = self.derived.module();
        let context = self.derived.function_type().context();
        let (pointer, wide, half) =
            (Type::pointer(context), Type::integer(context, 64), Type::integer(context, 32));
        let declared = (0..self.regions).map(|region| {
            let index = ARGUMENTS_BEFORE_REGIONS + 2 * region;
            (self.arguments[index][0], self.arguments[index + 1][0], UNKNOWN)
        });
        let mut regions: Vec<(Value, Value, i64)> = declared.collect();
        for variable in &effects.variables {
            let global = module.globals().find(|global| global.name() == variable.name).ok_or_else(|| {
                Error::internal(self.key.function, format!("there is no variable `{}`", variable.name))
            })?;
            let knowledge = match variable.access {
                Access::Write | Access::ReadWrite => CHANGES,
                Access::Read | Access::None => STAYS,
            };
            regions.push((global, self.wide(variable.bytes as i64), knowledge));
        }
        let region = Type::structure(context, &[pointer, wide, half, half]);
        let list = self.builder.entry_alloca(region.array(regions.len() as u64), "regions").value();
        for (index, &(address, bytes, knowledge)) in (0..).zip(&regions) {
            let place = self.builder.offset(list, index * module.allocation_size(region));
            let values = [address, bytes, Value::zero(half), Value::integer(half, knowledge)];
            for (field, value) in (0..).zip(values) {
                self.builder.store(value, self.builder.offset(place, module.field_offset(region, field)));
            }
        }
        Ok((list, regions.len() as i64))
    }

    /// The list of what steps write behind their arguments, in the frame, and its length.
    fn written(&self, effects: &StepEffects) -> (Value, i64) {
        let module = self.derived.module();
        let context = self.derived.function_type().context();
        let (pointer, wide) = (Type::pointer(context), Type::integer(context, 64));
        let written = Type::structure(context, &[pointer, wide, wide, wide, pointer]);
        let loop_name = match self.key.function.string_attribute(CHECKPOINT_PLACE) {
            Some(place) if !effects.writes.is_empty() => self.builder.text(&place),
            _ => Value::zero(pointer),
        };
        let list = self.builder.entry_alloca(written.array(effects.writes.len() as u64), "written").value();
        let first = ARGUMENTS_BEFORE_REGIONS + 2 * self.regions;
        for (index, write) in (0..).zip(&effects.writes) {
            let place = self.builder.offset(list, index * module.allocation_size(written));
            let (offset, bytes) = write.bytes.map_or((0, -1), |(offset, bytes)| (offset, bytes as i64));
            // The first argument of the step is its number.
            let number = write.argument + 2 - first;
            let [offset, bytes, number] = [offset, bytes, number as i64].map(|number| self.wide(number));
            let values = [self.arguments[write.argument][0], offset, bytes, number, loop_name];
            for (field, value) in (0..).zip(values) {
                self.builder.store(value, self.builder.offset(place, module.field_offset(written, field)));
            }
        }
        (list, effects.writes.len() as i64)
    }

    /// A function `void (environment, step)` that runs a step, or sweeps of it.
    fn small_function(
        &self,
        name: &str,
        runs: Runs,
        derivatives: &mut dyn Derivatives,
    ) -> Result<Function, Error> {
        let context = self.derived.function_type().context();
        let (pointer, wide) = (Type::pointer(context), Type::integer(context, 64));
        let ty = Type::function(Type::void(context), &[pointer, wide]);
        let function = self.derived.module().add_function(&format!("{name}_{}", self.step.name()), ty);
        function.set_linkage(LLVMLinkage::LLVMInternalLinkage);
        let [memory, number] = function.parameters()[..] else { return Ok(function) };
        let builder = Builder::new(context);
        builder.position_at_end(function.append_block("entry"));
        let environment = &self.environment;
        let load = |index: u32| environment.load(&builder, memory, index);
        let number = builder.binary(LLVMOpcode::LLVMAdd, load(environment.start), number);
        let number = builder.signed_integer_cast(number, self.step.parameter_types()[0]);
        let mut given = vec![number];
        match runs {
            Runs::Primal => {
                given.extend(environment.arguments.iter().map(|places| load(places[0])));
                let call = builder.call(self.step, &given);
                call.copy_calling_convention(self.step);
                call.copy_parameter_attributes(self.step);
            }
            Runs::Sweeps(mode) => {
                let (derived, signature) = derivatives.derived(self.key_of_step(mode))?;
                given.extend(environment.arguments.iter().flatten().map(|&place| load(place)));
                if mode.fills_tape().is_some() {
                    given.push(load(environment.arena));
                } else if mode.reads_tape().is_some() {
                    given.push(load(environment.tape));
                }
                let call = builder.call(derived, &given);
                call.copy_calling_convention(derived);
                if mode.fills_tape().is_some() {
                    environment.store(&builder, memory, environment.tape, call.value());
                } else {
                    for (field, &place) in (0..).zip(environment.adjoints.iter().flatten()) {
                        let term = match signature.fields.len() {
                            1 => call.value(),
                            _ => builder.extract_value(call.value(), field),
                        };
                        let sum = sum(&builder, load(place), term);
                        environment.store(&builder, memory, place, sum);
                    }
                }
            }
        }
        builder.ret_void();
        Ok(function)
    }

    /// Which derivative of the step is called.
    fn key_of_step(&self, mode: Mode) -> DerivativeKey {
        let first = ARGUMENTS_BEFORE_REGIONS + 2 * self.regions;
        let mut arguments = vec![ArgumentActivity::Const];
        arguments.extend(&self.key.arguments[first..]);
        let types = self.key.types.as_ref().map(|types| {
            // The number of a step is a number.
            let mut of_step = vec![TypeTree::of(types::Kind::Integer)];
            of_step.extend(types.arguments[first..].iter().cloned());
            let known_integers = vec![Numbers::new(); of_step.len()];
            Rc::new(CallTypes { arguments: of_step, known_integers, result: Default::default() })
        });
        DerivativeKey {
            function: self.step,
            mode,
            layouts: vec![None; arguments.len()],
            arguments,
            width: self.key.width,
            primal: PrimalReturn::No,
            result: ResultActivity::Inactive,
            types,
            // Steps run one after the other: what one reads, the next one writes.
            memory: Vec::new(),
            settings: self.key.settings,
        }
    }
}

/// The sum of two values, float by float.
fn sum(builder: &Builder, left: Value, right: Value) -> Value {
    let ty = left.ty();
    match ty.kind() {
        Kind::Float | Kind::Vector(_) | Kind::ScalableVector if ty.is_float_or_vector() => {
            builder.binary(LLVMOpcode::LLVMFAdd, left, right)
        }
        Kind::Array(_) | Kind::Struct(_) => (0..ty.element_count() as u32).fold(left, |whole, index| {
            let [left, right] = [left, right].map(|value| builder.extract_value(value, index));
            builder.insert_value(whole, sum(builder, left, right), index)
        }),
        // No float: nothing adds up.
        Kind::Float
        | Kind::Vector(_)
        | Kind::ScalableVector
        | Kind::Void
        | Kind::Integer(_)
        | Kind::Pointer
        | Kind::Function
        | Kind::Other => left,
    }
}
