//! The order of work on one module: find the requests, make the derivatives, and only then touch the user's code.

mod callees;
mod explain;
mod loops;
mod pointers;

use std::collections::VecDeque;

use enzyme::memory::Memory;
use enzyme::model;
use enzyme::plan::{
    self, CHECKPOINT_PLACE, MemoryActivity, NoCallees, Obstacle, Reason, StepEffects, Sweeps, UnknownTypes,
};
use enzyme::types::{Contents, Limits};
use inkwell::llvm_sys::LLVMLinkage;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analyses::{Analysed, Analyses};
use crate::error::{Error, Fault};
use crate::ffi::Phase;
use crate::frontend::rules::{ForwardRule, GradientRule, Held, Registrations, SplitForwardRule};
use crate::frontend::{self, Batch, EntryPoint, Request, Statements, UserRules, VirtualReverse};
use crate::ir::{Function, Instruction, Module, Type, Value};
use crate::options::Options;
use crate::prepare::{AnnotatedLoops, Preparation};
use crate::read::{ReadFunction, read_function};
use crate::report::{prepared_activity, prepared_types, tell_plan};
use crate::rollback::Rollback;
use crate::stage::{Stage, during};
use crate::write::{
    BehindAddress, DecidedAt, DerivativeKey, Derivatives, FastMath, Mode, PairRule, Prepared, Signature,
    Style, Tape, Task, ZeroProducts, bytes_in_users_memory, bytes_of_tape, regions_of, write_checkpointed,
    write_forward, write_part, write_reverse, write_ruled, write_ruled_pair,
};
use crate::{ffi, prepare};
pub(crate) use explain::explain_plans;
use pointers::Pointers;

/// What became of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Nothing in it asked for a derivative.
    Unchanged,
    /// Derivatives were written into it.
    Changed,
    /// It asked for something that cannot be done. The user was told, and the module is as it was.
    Failed,
}

/// Who may go on where this run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rest {
    /// Nobody.
    Nobody,
    /// An optimising linker, which sees the functions of all files (`-flto`).
    Linker,
}

impl Rest {
    fn of(module: Module, phase: Phase) -> Rest {
        // Clang's word for full link-time optimisation.
        match phase == Phase::Compiling && module.has_flag("ThinLTO") {
            true => Rest::Linker,
            false => Rest::Nobody,
        }
    }
}

/// What a module asks for, and the rules that it gives.
struct Asked {
    requests: Vec<Request>,
    batches: Vec<Batch>,
    shadows: Vec<VirtualReverse>,
    rules: UserRules,
}

/// Differentiates what `module` asks for.
pub(crate) fn run_on_module(module: Module, options: &Options, phase: Phase) -> Outcome {
    let rest = Rest::of(module, phase);
    let released = frontend::rules::release(module);
    let inactive_calls = frontend::lower_inactive_calls(module);
    let annotations = match during(Stage::Frontend, None, || frontend::protect(module)) {
        Ok(annotations) => annotations,
        Err(errors) => return fail(&errors),
    };
    let loops = match rest {
        Rest::Linker => Ok(Statements::None),
        Rest::Nobody => during(Stage::Frontend, None, || frontend::lower_checkpointed_loops(module)),
    };
    let loops = match loops {
        Ok(loops) => loops,
        Err(errors) => return fail(&errors),
    };
    let outcome = match during(Stage::Frontend, None, || read_requests(module, rest)) {
        Err(errors) => fail(&errors),
        Ok(None) => Outcome::Unchanged,
        Ok(Some(asked)) => answer(module, asked, options),
    };
    if outcome == Outcome::Failed {
        return outcome;
    }
    let registrations = UserRules::remove_registrations(module, rest);
    let heard = match rest {
        Rest::Linker => Statements::None,
        Rest::Nobody => frontend::remove_heard(module),
    };
    let annotations = match rest {
        Rest::Linker => annotations,
        Rest::Nobody => frontend::remove_annotations(module),
    };
    let unchanged = released == Held::Nothing
        && registrations == Registrations::None
        && [inactive_calls, loops, annotations, heard] == [Statements::None; 4];
    if unchanged { outcome } else { Outcome::Changed }
}

fn fail(errors: &[Error]) -> Outcome {
    for error in errors {
        ffi::emit_error(error.at.raw(), &error.to_string());
    }
    Outcome::Failed
}

/// What the module asks for; nothing when it asks for nothing.
fn read_requests(module: Module, rest: Rest) -> Result<Option<Asked>, Vec<Error>> {
    let calls = frontend::find_calls(module)?;
    let calls_of_batches = Batch::find(module);
    let shadows = VirtualReverse::find(module)?;
    if calls.is_empty() && calls_of_batches.is_empty() && shadows.is_empty() {
        return Ok(None);
    }
    let rules = UserRules::read(module)?;
    let mut requests = Vec::new();
    let mut batches = Vec::new();
    let mut errors = Vec::new();
    for (entry, call) in calls {
        if rest == Rest::Linker && frontend::only_linker_sees_function(entry, call) {
            continue;
        }
        match read_request(entry, call) {
            Ok(request) => requests.push(request),
            Err(error) => errors.push(error),
        }
    }
    for call in calls_of_batches {
        match Batch::read(call) {
            Ok(batch) => batches.push(batch),
            Err(error) => errors.push(error),
        }
    }
    errors.extend(frontend::find_directions(&mut requests));
    if errors.is_empty() { Ok(Some(Asked { requests, batches, shadows, rules })) } else { Err(errors) }
}

fn read_request(entry: EntryPoint, call: Instruction) -> Result<Request, Error> {
    let request = Request::read(entry, call)?;
    request.check_result(&Signature::of(&request.key()))?;
    Ok(request)
}

/// Makes every derivative that is asked for, and then puts calls of them in the place of the requests.
fn answer(module: Module, asked: Asked, options: &Options) -> Outcome {
    let Asked { requests, batches, shadows, rules } = asked;
    let rollback = Rollback::new(module.raw());
    let mut factory = Factory::new(module, rules, options);
    let mut errors = factory.prepare_loops();
    let mut answers = Answers::default();
    for request in requests {
        errors.extend(factory.answer(request, &mut answers).err());
    }
    let shadows: Vec<_> =
        shadows.into_iter().map(|asked| (asked, factory.shadow_asked_for(&asked))).collect();
    errors.extend(factory.take_errors());
    if errors.is_empty() {
        errors.extend(factory.check_memory(&answers));
    }
    if errors.is_empty() {
        factory.write_stops();
    }
    if errors.is_empty() {
        errors.extend(factory.tidy().err());
    }
    if !errors.is_empty() {
        let outcome = fail(&errors);
        // The messages point at what is erased now.
        drop(rollback);
        return outcome;
    }
    rollback.keep();
    factory.lower(answers);
    shadows.into_iter().for_each(|(asked, shadow)| asked.lower(shadow));
    batches.iter().for_each(Batch::lower);
    factory.clean_up();
    Tape::forget_spares_at_exit(module);
    frontend::remove_markers(module);
    Outcome::Changed
}

/// What is put in the place of calls: each with the index of the derived function that answers it.
#[derive(Default)]
struct Answers(Vec<(Request, usize)>);

/// Makes derived functions, each once.
struct Factory<'a> {
    module: Module,
    options: &'a Options,
    rules: UserRules,
    analyses: Analyses,
    prepared: FxHashMap<(Function, AnnotatedLoops), Prepared>,
    /// Whether loops are annotated anywhere.
    has_annotated_loops: bool,
    /// Functions with annotated loops that were looked at in their canonical form, as far as they have one.
    annotated: FxHashSet<Function>,
    /// In the order in which they were asked for, so that the output does not depend on a hash.
    derived: Vec<Derived>,
    known: FxHashMap<DerivativeKey, usize>,
    pending: VecDeque<usize>,
    /// The one that is being written.
    current: Option<usize>,
    /// The functions whose canonical form is taken out of the memo, the innermost last.
    at_work: Vec<Function>,
    /// For each argument of a derivative the elements of its memory, as far as anybody asked.
    elements: FxHashMap<DerivativeKey, Vec<Option<u64>>>,
    pointers: Pointers,
}

/// A derived function, and what became of it.
struct Derived {
    key: DerivativeKey,
    function: Function,
    signature: Signature,
    need: Need,
    /// The derived functions that it calls by name.
    calls: Vec<usize>,
    /// Why it cannot be made.
    errors: Vec<Error>,
    /// How many bytes its tape takes of memory that the user gives for it.
    tape_bytes: u64,
}

/// Whether the program needs a derived function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Need {
    /// A request leads to it through calls by name: that it cannot be made is an error.
    Certain,
    /// Its address is taken; whether it is called is known when the program runs. If it cannot be made, the program
    /// ends there with a message.
    WhenCalled,
}

impl<'a> Factory<'a> {
    fn new(module: Module, rules: UserRules, options: &'a Options) -> Self {
        Factory {
            module,
            options,
            rules,
            analyses: Analyses::new(module, options.types(), options.activity()),
            prepared: FxHashMap::default(),
            has_annotated_loops: frontend::has_annotated_loops(module),
            annotated: FxHashSet::default(),
            derived: Vec::new(),
            known: FxHashMap::default(),
            pending: VecDeque::new(),
            current: None,
            at_work: Vec::new(),
            elements: FxHashMap::default(),
            pointers: Pointers::new(module),
        }
    }

    /// Writes all that was asked for, by `call` at last, and is not written yet.
    fn finish(&mut self, call: Instruction) {
        let outer = self.current;
        while let Some(index) = self.pending.pop_front() {
            self.current = Some(index);
            let Derived { key, function, signature, .. } = &self.derived[index];
            let (key, derived, signature) = (key.clone(), *function, signature.clone());
            let errors = match self.write(&key, derived, &signature) {
                Ok(tape_bytes) => {
                    self.derived[index].tape_bytes = tape_bytes;
                    vec![]
                }
                Err(errors) => errors,
            };
            let place = call.source_place();
            self.derived[index].errors = errors
                .into_iter()
                .map(|error| match &place {
                    Some(place) => error.note(format!("it is reached from the call at {place}")),
                    None => error,
                })
                .collect();
        }
        self.current = outer;
    }

    /// What stands in the way of derived functions that are needed, and mistakes of our own.
    fn take_errors(&mut self) -> Vec<Error> {
        let is_failure = |derived: &&mut Derived| {
            derived.need == Need::Certain || derived.errors.iter().any(|error| error.fault == Fault::Internal)
        };
        let failures = self.derived.iter_mut().filter(is_failure);
        failures.flat_map(|derived| std::mem::take(&mut derived.errors)).collect()
    }

    /// The index of the derived function for a key, which is written later if it is new.
    fn index_of(&mut self, key: DerivativeKey) -> usize {
        if let Some(&index) = self.known.get(&key) {
            return index;
        }
        let signature = Signature::of(&key);
        let function = self.module.add_function(&derived_name(&key), signature.function_type());
        function.set_linkage(LLVMLinkage::LLVMInternalLinkage);
        let index = self.derived.len();
        let (calls, errors, need) = (Vec::new(), Vec::new(), Need::WhenCalled);
        let tape_bytes = 0;
        self.derived.push(Derived { key: key.clone(), function, signature, need, calls, errors, tape_bytes });
        self.known.insert(key, index);
        self.pending.push_back(index);
        index
    }

    /// A derived function is certain to be needed, and so is what it calls.
    fn is_needed(&mut self, index: usize) {
        let mut pending = vec![index];
        while let Some(index) = pending.pop() {
            let derived = &mut self.derived[index];
            if derived.need == Need::WhenCalled {
                derived.need = Need::Certain;
                pending.extend(derived.calls.iter().copied());
            }
        }
    }

    /// Writes a derived function; gives the bytes that its tape takes of the user's memory.
    fn write(
        &mut self,
        key: &DerivativeKey,
        derived: Function,
        signature: &Signature,
    ) -> Result<u64, Vec<Error>> {
        if let Some(written) = self.write_by_rule(key, derived, signature) {
            let tape_bytes = written.map_err(|error| vec![error])?;
            verify(key.function, derived).map_err(|error| vec![error])?;
            return Ok(tape_bytes);
        }
        let is_sweep = matches!(key.mode, Mode::Augmented(_) | Mode::ReverseSweep(..));
        if let Some(regions) = regions_of(key.function).filter(|_| is_sweep) {
            return self.working_on(key.function, |factory| {
                factory.write_checkpointed(key, derived, signature, regions).map(|()| 0)
            });
        }
        self.working_on(key.function, |factory| factory.write_planned(key, derived, signature))
    }

    /// Writes a sweep of a checkpointed loop.
    fn write_checkpointed(
        &mut self,
        key: &DerivativeKey,
        derived: Function,
        signature: &Signature,
        regions: usize,
    ) -> Result<(), Vec<Error>> {
        let name = key.function.name();
        let effects = match key.mode.fills_tape() {
            Some(_) => Some(self.step_effects(key, regions)?),
            None => None,
        };
        during(Stage::Write, Some(&name), || {
            write_checkpointed(key, signature, derived, effects.as_ref(), self)
        })
        .and_then(|()| verify(key.function, derived))
        .map_err(|error| vec![error])
    }

    /// What the steps of a checkpointed loop do to memory.
    fn step_effects(&mut self, key: &DerivativeKey, regions: usize) -> Result<StepEffects, Vec<Error>> {
        let prepared = self.prepare(key.function, key.mode)?;
        self.look_at_annotated(&prepared.read, key.mode);
        let analysed = self.analyses.of(key, &prepared.read);
        self.put_back(key.function, key.mode, prepared);
        let Analysed { types, program, root, .. } = analysed.map_err(|error| vec![error])?;
        let copied = |pointer| match types.bytes(pointer, None) {
            Contents::Only(kind) => Some(kind),
            Contents::Mixed | Contents::Unknown => None,
        };
        let effects = during(Stage::Plan, Some(&key.function.name()), || {
            plan::step_effects(&program, root, regions, copied)
        });
        effects.map_err(|problem| {
            let reason = Reason::CheckpointedStep(problem);
            let call = key.function.instructions().find(|call| call.called_function().is_some());
            // The call of a step that is the body of a loop stands where the loop does.
            let is_body = key.function.has_string_attribute(CHECKPOINT_PLACE);
            let step = call.and_then(|call| {
                if is_body { Some(call.value()) } else { Some(call.called_function()?.value()) }
            });
            vec![
                Error::unsupported(step.unwrap_or(key.function.value()), reason.to_string())
                    .help(reason.help()),
            ]
        })
    }

    fn write_planned(
        &mut self,
        key: &DerivativeKey,
        derived: Function,
        signature: &Signature,
    ) -> Result<u64, Vec<Error>> {
        let name = key.function.name();
        let prepared = self.prepare(key.function, key.mode)?;
        let style = Style {
            zero_products: if self.options.strong_zero {
                ZeroProducts::Strong
            } else {
                key.settings.zero_products
            },
            fast_math: if self.options.fast_math { FastMath::All } else { FastMath::OfPrimal },
            adds_in_any_order: self.options.reassociate,
        };
        let model = &prepared.read.model;
        self.look_at_annotated(&prepared.read, key.mode);
        let analysed = match self.analyses.of(key, &prepared.read) {
            Ok(analysed) => analysed,
            Err(error) => {
                self.put_back(key.function, key.mode, prepared);
                return Err(vec![error]);
            }
        };
        if self.options.print_type {
            eprint!("{}", prepared_types(&name, &prepared, &analysed.types));
        }
        if self.options.print_activity {
            eprint!("{}", prepared_activity(&prepared, &analysed.activity));
        }
        let type_warning = self.options.type_warning;
        let obstacles = |obstacles: Vec<Obstacle>| -> Vec<Error> {
            obstacles
                .into_iter()
                .map(|obstacle| {
                    let error = explain(key.function, &prepared.read, &obstacle, key.mode);
                    match (&obstacle.reason, analysed.types.reached_limits().filter(|_| type_warning)) {
                        (Reason::MissingType { .. }, Some(limits)) => error.note(beyond(limits)),
                        _ => error,
                    }
                })
                .collect()
        };
        let task = Task { key, signature, derived, prepared: &prepared, style };
        let mut tape_bytes = 0;
        let written = match key.mode {
            Mode::Forward => {
                let shadows = Self::given_shadows(key);
                let plan = self.plan_forward(key, &prepared, &analysed, &shadows).map_err(obstacles)?;
                during(Stage::Write, Some(&name), || write_forward(&task, &plan, self))
            }
            Mode::FirstPart(_) | Mode::SecondPart(..) => {
                let memory = Memory::of(&analysed.program);
                let context = self.context(key, &analysed, &memory);
                let plan = during(Stage::Plan, Some(&name), || {
                    plan::split(model, &key.arguments, key.result.into(), &context)
                })
                .map_err(obstacles)?;
                tape_bytes = bytes_in_users_memory(&task, &plan.first);
                during(Stage::Write, Some(&name), || write_part(&task, &plan, self))
            }
            Mode::Reverse | Mode::Augmented(_) | Mode::ReverseSweep(..) => {
                let sweeps = if key.mode == Mode::Reverse { Sweeps::Together } else { Sweeps::Apart };
                let memory = Memory::of(&analysed.program);
                let context = self.context(key, &analysed, &memory);
                let plan = during(Stage::Plan, Some(&name), || {
                    plan::reverse(model, &key.arguments, sweeps, &context)
                })
                .map_err(obstacles)?;
                plan::check(model, &plan)
                    .map_err(|mistake| vec![Error::internal(key.function, mistake.to_string())])?;
                tell_plan(key, &prepared, &plan, &context, self.options);
                tape_bytes = bytes_in_users_memory(&task, &plan);
                during(Stage::Write, Some(&name), || write_reverse(&task, &plan, self))
            }
        };
        self.put_back(key.function, key.mode, prepared);
        written.map_err(|error| vec![error])?;
        verify(key.function, derived).map_err(|error| vec![error])?;
        Ok(tape_bytes)
    }

    /// Writes a derived function as a call of what the user wrote for it; nothing where there is no such rule.
    fn write_by_rule(
        &mut self,
        key: &DerivativeKey,
        derived: Function,
        signature: &Signature,
    ) -> Option<Result<u64, Error>> {
        let function = key.function;
        let name = function.name();
        let (forward, split) = (self.rules.forward.get(&function), self.rules.split.get(&function));
        match (key.mode, forward, split) {
            (Mode::Forward, Some(&rule), _) => Some(during(Stage::Write, Some(&name), || {
                let rule = ForwardRule::of(function, rule, key.width)?;
                write_ruled(key, signature, derived, &rule, self)?;
                Ok(0)
            })),
            (Mode::Forward | Mode::FirstPart(_) | Mode::SecondPart(..), _, Some(rule)) => {
                let rule = rule.clone();
                Some(during(Stage::Write, Some(&name), || {
                    let rule = SplitForwardRule::of(function, &rule)?;
                    let rule = PairRule::Forward(&rule);
                    write_ruled_pair(key, signature, derived, &rule, self)?;
                    Ok(bytes_of_tape(function, &rule))
                }))
            }
            (Mode::FirstPart(_) | Mode::SecondPart(..), Some(&rule), None) => {
                let message = format!(
                    "`{}` is the derivative of `{}` in one part, and one in two parts is asked for",
                    rule.written_name(),
                    function.written_name()
                );
                let help = "give one with `__enzyme_register_splitderivative_…`, or use `__enzyme_fwddiff`";
                Some(Err(Error::unsupported(rule, message).help(help)))
            }
            (Mode::Reverse | Mode::Augmented(_) | Mode::ReverseSweep(..), _, _) => {
                let rule = self.rules.reverse.get(&function)?.clone();
                Some(during(Stage::Write, Some(&name), || {
                    let rule = GradientRule::of(function, &rule)?;
                    let rule = PairRule::Reverse(&rule);
                    write_ruled_pair(key, signature, derived, &rule, self)?;
                    Ok(bytes_of_tape(function, &rule))
                }))
            }
            (Mode::Forward | Mode::FirstPart(_) | Mode::SecondPart(..), None, None) => None,
        }
    }

    /// What a derivative is planned with, beside what is known of others.
    fn context<'c>(
        &self,
        key: &'c DerivativeKey,
        analysed: &'c Analysed,
        memory: &'c Memory<'c>,
    ) -> plan::Context<'c> {
        plan::Context {
            types: &analysed.types,
            activity: &analysed.activity,
            memory,
            function: analysed.root,
            unknown_types: match self.options.loose_types {
                true => UnknownTypes::AreIntegers,
                false => UnknownTypes::AreErrors,
            },
            memory_activity: self.memory_activity(key, &analysed.program[analysed.root]),
            keeping: self.options.keeping(),
            argument_memory: &key.memory,
            width: key.width,
            shadows: &[],
            callees: &NoCallees,
        }
    }

    /// When it is decided for a derivative whether memory is active.
    fn memory_activity(&self, key: &DerivativeKey, function: &model::Function) -> MemoryActivity {
        if key.settings.activity == DecidedAt::RunTime || self.options.runtime_activity {
            MemoryActivity::DecidedAtRunTime
        } else if plan::chooses_inactive_variable(function) {
            MemoryActivity::KnownButForVariables
        } else {
            MemoryActivity::Known
        }
    }

    fn put_back(&mut self, function: Function, mode: Mode, prepared: Prepared) {
        self.prepared.insert((function, self.loops_in(mode)), prepared);
    }

    /// The canonical form of a function for derivatives in a mode, taken out of the memo; the caller puts it back.
    fn prepare(&mut self, function: Function, mode: Mode) -> Result<Prepared, Vec<Error>> {
        let loops = self.loops_in(mode);
        if let Some(prepared) = self.prepared.remove(&(function, loops)) {
            return Ok(prepared);
        }
        let name = function.name();
        let preparation = Preparation::of(self.options, loops);
        let clone = during(Stage::Prepare, Some(&name), || prepare::clone(function, preparation));
        let clone = clone.map_err(|error| vec![error])?;
        self.answer_inner_requests(clone)?;
        let canonical =
            during(Stage::Prepare, Some(&name), || prepare::canonicalise(function, clone, preparation));
        for made in canonical.map_err(|error| vec![error])? {
            self.prepare_loop(made)?;
        }
        let read = during(Stage::Read, Some(&name), || read_function(clone.value().raw()))
            .map_err(|why| vec![Error::unsupported(function, format!("`{name}` cannot be read: {why}"))])?;
        Ok(Prepared { function: clone, read })
    }

    /// A function that is differentiated may ask for derivatives itself: these come first.
    fn answer_inner_requests(&mut self, clone: Function) -> Result<(), Vec<Error>> {
        for call in Batch::find_in(clone) {
            Batch::read(call).map_err(|error| vec![error])?.lower();
        }
        let mut answers = Answers::default();
        let mut requests = Vec::new();
        for (entry, call) in frontend::find_calls_in(clone) {
            requests.push(read_request(entry, call).map_err(|error| vec![error])?);
        }
        if let Some(error) = frontend::find_directions(&mut requests).into_iter().next() {
            return Err(vec![error]);
        }
        for request in requests {
            self.answer(request, &mut answers).map_err(|error| vec![error])?;
            let errors = self.take_errors();
            if !errors.is_empty() {
                return Err(errors);
            }
        }
        let errors = self.check_memory(&answers);
        if !errors.is_empty() {
            return Err(errors);
        }
        self.lower(answers);
        Ok(())
    }

    /// Makes the derived function that answers a request, and all that it calls.
    fn answer(&mut self, request: Request, answers: &mut Answers) -> Result<(), Error> {
        let index = self.needed(request.key());
        self.finish(request.call);
        answers.0.push((request, index));
        Ok(())
    }

    /// What the memory that users give for tapes lacks.
    fn check_memory(&self, answers: &Answers) -> Vec<Error> {
        let size_of = |call: Instruction| {
            let asked = |(request, _): &&(Request, usize)| {
                request.call == call && request.entry == EntryPoint::AugmentSize
            };
            answers.0.iter().find(asked).map(|(_, index)| self.derived[*index].tape_bytes)
        };
        let checked = answers
            .0
            .iter()
            .map(|(request, index)| request.check_memory(self.derived[*index].tape_bytes, size_of));
        checked.filter_map(Result::err).collect()
    }

    /// Puts calls of derived functions in the place of the requests.
    fn lower(&self, answers: Answers) {
        let Answers(mut rest) = answers;
        rest.reverse();
        while let Some((request, index)) = rest.pop() {
            let Derived { function, signature, tape_bytes, .. } = &self.derived[index];
            let old = request.call.value();
            let new = match request.entry {
                EntryPoint::AugmentSize => frontend::lower_size(&request, *tape_bytes),
                EntryPoint::Autodiff
                | EntryPoint::Fwddiff
                | EntryPoint::ForwardSplit
                | EntryPoint::AugmentForward
                | EntryPoint::Reverse => frontend::lower(&request, *function, signature),
            };
            // What one call gives, another one may take.
            if let Some(new) = new {
                rest.iter_mut().for_each(|(request, _)| request.replace(old, new));
            }
        }
    }

    /// The index of a derived function that is called by name, in the one that is being written or by the user.
    fn needed(&mut self, key: DerivativeKey) -> usize {
        let index = self.index_of(key);
        let need = self.current.map_or(Need::Certain, |caller| {
            self.derived[caller].calls.push(index);
            self.derived[caller].need
        });
        if need == Need::Certain {
            self.is_needed(index);
        }
        index
    }

    /// Optimises the derived functions.
    fn tidy(&self) -> Result<(), Error> {
        for Derived { key, function, .. } in &self.derived {
            during(Stage::Tidy, Some(&key.function.name()), || {
                if self.options.noalias {
                    function.say_pointers_do_not_alias();
                }
                Tape::inline_calls(*function);
                prepare::tidy(*function)?;
                match self.options.postopt || self.options.post_opt_level > 0 {
                    true => prepare::optimise(*function, self.options.post_opt_level),
                    false => Ok(()),
                }
            })?;
            if self.options.print {
                eprintln!("{}", function.value());
            }
        }
        Ok(())
    }

    /// Removes what was needed only to get here.
    fn clean_up(&self) {
        for prepared in self.prepared.values() {
            ffi::replace_all_uses_with_poison_and_erase(prepared.function.value().raw());
        }
        prepare::remove_wrappers(self.module);
    }
}

impl Derivatives for Factory<'_> {
    fn derived(&mut self, key: DerivativeKey) -> Result<(Function, Signature), Error> {
        let index = self.needed(key);
        let Derived { function, signature, .. } = &self.derived[index];
        Ok((*function, signature.clone()))
    }

    fn holder(&mut self, function: Function, behind: BehindAddress) -> Value {
        self.holder_of(function, behind)
    }

    fn lookup(&mut self, function_type: Type, behind: BehindAddress) -> Function {
        self.lookup_for(function_type, behind)
    }
}

/// Whether LLVM accepts a derived function of `function`.
fn verify(function: Function, derived: Function) -> Result<(), Error> {
    let name = function.name();
    let verified = during(Stage::Verify, Some(&name), || ffi::verify_function(derived.value().raw()));
    verified.map_err(|why| {
        Error::internal(function, format!("the derivative of `{name}` does not verify: {why}"))
    })
}

/// The name of a derived function, as users of the field know it.
fn derived_name(key: &DerivativeKey) -> String {
    let name = key.function.name();
    match (key.mode, key.width) {
        (Mode::Forward, 1) => format!("fwddiffe{name}"),
        (Mode::Forward, width) => format!("fwddiffe{width}{name}"),
        (Mode::Reverse, 1) => format!("diffe{name}"),
        (Mode::Reverse, width) => format!("diffe{width}{name}"),
        (Mode::Augmented(_), _) => format!("augmented_{name}"),
        (Mode::ReverseSweep(..), 1) => format!("reverse_{name}"),
        (Mode::FirstPart(_), _) => format!("augmented_{name}"),
        (Mode::SecondPart(..), 1) => format!("fwddiffe{name}"),
        (Mode::SecondPart(..), width) => format!("fwddiffe{width}{name}"),
        (Mode::ReverseSweep(..), width) => format!("reverse{width}_{name}"),
    }
}

/// Why a type may be missing that the program does say.
fn beyond(limits: Limits) -> String {
    let Limits { offset, depth } = limits;
    format!(
        "types are looked at up to {offset} bytes from where a pointer leads, and through {} pointers; what lies farther \
         may be what is missing (`-enzyme-max-type-offset`, `-enzyme-max-type-depth`)",
        depth - 1
    )
}

/// An obstacle in the terms of the module: at its instruction where that has a place in the source, else at the
/// function.
fn explain(function: Function, read: &ReadFunction, obstacle: &Obstacle, mode: Mode) -> Error {
    let at = read
        .instruction(obstacle.inst)
        .filter(|instruction| !instruction.debug_location().is_null())
        .map_or(function.value(), Instruction::value);
    let error = Error::unsupported(at, obstacle.reason.to_string())
        .note(format!("in `{}`", function.written_name()))
        .help(obstacle.reason.help());
    if let (Reason::UnknownFunction { name }, Mode::Forward) = (&obstacle.reason, mode) {
        return error.known_as(format!("Enzyme: No forward mode derivative found for {name}"));
    }
    error
}
