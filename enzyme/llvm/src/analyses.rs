//! What the values of a function that is to be differentiated are, and which of them are active.

use std::rc::Rc;
use std::sync::Arc;

use enzyme::activity::{self, Activity, AnalysedTypes, ArgumentActivity};
use enzyme::model::{self, GlobalKind, HasBody, InstId};
use enzyme::plan::CHECKPOINT_SWEEP;
use enzyme::program::{FunctionId, Program};
use enzyme::types::{Analyser, BarePointers, CallTypes, Options, Step, TypeError, ValueTypes};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::error::Error;
use crate::frontend;
use crate::ir::{Function, Instruction, Module};
use crate::prepare;
use crate::read::{ReadFunction, read_function};
use crate::stage::{Stage, during};
use crate::write::{DerivativeKey, ResultActivity};

/// What the analyses found out about a function in one context.
pub(crate) struct Analysed {
    /// What its values are.
    pub(crate) types: ValueTypes,
    /// Which of them are active.
    pub(crate) activity: Rc<Activity>,
    /// The function, and those that it calls.
    pub(crate) program: Program,
    /// Which of them it is.
    pub(crate) root: FunctionId,
}

/// Analyses functions, and keeps what it read of those that they call.
pub(crate) struct Analyses {
    module: Module,
    types: Options,
    activity: activity::Options,
    /// Functions that are called, most as the user wrote them but for local variables, which are registers; nothing for
    /// those that cannot be read.
    callees: FxHashMap<Function, Option<Arc<model::Function>>>,
}

impl Analyses {
    pub(crate) fn new(module: Module, types: Options, activity: activity::Options) -> Self {
        Self { module, types, activity, callees: FxHashMap::default() }
    }

    /// Lets a function that others call be looked at in its canonical form.
    pub(crate) fn look_at(&mut self, function: Function, prepared: &model::Function) {
        let mut model = prepared.clone();
        model.name = function.name();
        self.callees.insert(function, Some(Arc::new(model)));
    }

    /// Looks at a prepared function for the arguments and the result that the key speaks of. Where the key does not say
    /// what they are, their types are what the signature says.
    ///
    /// # Errors
    /// Two statements about the same bytes that contradict each other.
    pub(crate) fn of(&mut self, key: &DerivativeKey, read: &ReadFunction) -> Result<Analysed, Error> {
        let name = key.function.name();
        let mut program = Program::default();
        let root = program.add(read.model.clone());
        for callee in self.reached_from(&read.model) {
            program.add(callee);
        }
        let mut from_signature = CallTypes::of_signature(&read.model, BarePointers::Said)
            .with_any_arguments(|index| key.arguments[index] != ArgumentActivity::Const);
        if key.result == ResultActivity::Active {
            from_signature = from_signature.with_any_result();
        }
        let analyse = |call: CallTypes| {
            let mut analyser = Analyser::new(&program, self.types);
            let context = analyser.analyse(root, call)?;
            Ok((analyser.types(context).values(), AnalysedTypes::of(&analyser)))
        };
        let found = during(Stage::Types, Some(&name), || match &key.types {
            Some(call) => analyse(CallTypes::clone(call)),
            // A small struct may be passed in an integer, its floats too.
            None => analyse(from_signature.clone())
                .or_else(|_| analyse(from_signature.with_any_result().with_any_arguments(|_| true))),
        });
        let (types, facts) = found.map_err(|why: Box<TypeError>| explain(key.function, read, &why))?;
        let result = match key.result {
            ResultActivity::Inactive => activity::ResultActivity::Constant,
            ResultActivity::Active => activity::ResultActivity::asked_for(&read.model),
        };
        let activity = during(Stage::Activity, Some(&name), || {
            activity::Analyser::new(&program, &facts, self.activity).activity(root, &key.arguments, result)
        });
        Ok(Analysed { types, activity, program, root })
    }

    /// The functions that a function calls, directly or not, and that have annotated loops.
    pub(crate) fn with_annotated_loops(&mut self, read: &ReadFunction) -> Vec<Function> {
        let reached = self.reached_from(&read.model);
        let reached = reached.iter().filter_map(|model| self.module.function(&model.name));
        reached.filter(|function| !frontend::annotations_in(*function).is_empty()).collect()
    }

    /// The functions with a body that a function calls, directly or not. One that cannot be read counts as unknown.
    fn reached_from(&mut self, root: &model::Function) -> Vec<Arc<model::Function>> {
        let mut seen = FxHashSet::default();
        let mut reached = Vec::new();
        let mut pending: Vec<Function> = self.named_by(root);
        while let Some(function) = pending.pop() {
            if !seen.insert(function) {
                continue;
            }
            let known = self.callees.entry(function).or_insert_with(|| read_callee(function).map(Arc::new));
            if let Some(model) = known.clone() {
                pending.extend(self.named_by(&model));
                reached.push(model);
            }
        }
        reached
    }

    fn named_by(&self, function: &model::Function) -> Vec<Function> {
        let bodies = function.context.globals.values().filter(|global| match &global.kind {
            GlobalKind::Function(function) => function.body == HasBody::Yes,
            GlobalKind::Variable(_) | GlobalKind::Alias { .. } | GlobalKind::IndirectFunction { .. } => false,
        });
        let functions = bodies.filter_map(|global| self.module.function(&global.name));
        // What drives a checkpointed loop is our own, and never looked into.
        functions.filter(|function| !function.has_string_attribute(CHECKPOINT_SWEEP)).collect()
    }
}

/// A function that is called, with its local variables as registers: what is stored to one and loaded again is the same
/// value to the analyses then, at every level of optimisation.
fn read_callee(function: Function) -> Option<model::Function> {
    let Some(copy) = prepare::copy_in_registers(function) else {
        return read_function(function.value().raw()).ok().map(|read| read.model);
    };
    let read = read_function(copy.value().raw());
    copy.delete();
    let mut model = read.ok()?.model;
    model.name = function.name();
    Some(model)
}

/// A contradiction in the terms of the module, with both derivations.
fn explain(function: Function, read: &ReadFunction, why: &TypeError) -> Error {
    let TypeError::Conflict { function: in_function, known, new, location, .. } = why;
    let here = *in_function == read.model.name;
    let instruction = |inst: Option<InstId>| inst.filter(|_| here).and_then(|inst| read.instruction(inst));
    let last = new.first().and_then(|step| instruction(step.inst));
    let at = last
        .filter(|instruction| !instruction.debug_location().is_null())
        .map_or(function.value(), Instruction::value);
    let mut error = Error::program(at, format!("types contradict each other: {why}"));
    if let Some(location) = location.as_ref().filter(|_| !here) {
        error = error.note(format!("at {location}"));
    }
    for (title, steps) in [("it is known", known), ("it is said", new)] {
        for (position, step) in steps.iter().take(8).enumerate() {
            let place = instruction(step.inst).and_then(Instruction::source_place);
            let place = place.map(|place| format!(" ({place})")).unwrap_or_default();
            error = error.note(match position {
                0 => format!("{title}: {}{place}", sentence(step)),
                _ => format!("  since {}{place}", sentence(step)),
            });
        }
    }
    error.help(why.help())
}

fn sentence(step: &Step) -> String {
    format!("{} is {}: {}", step.value, step.kind, step.reason)
}
