//! What tests of plans share.

use enzyme::activity::ArgumentActivity as A;
use enzyme::activity::{self, Activity, AnalysedTypes, ArgumentActivity, ResultActivity};
use enzyme::memory::Memory;
use enzyme::model::{BlockId, Function, Module, ValueId};
use enzyme::plan::{
    self, Context, Held, Keeping, Known, MemoryActivity, NoCallees, Obstacle, Reuse, ReversePlan, Sweeps,
    UnknownTypes,
};
use enzyme::program::Program;
use enzyme::types::{self, BarePointers, CallTypes, ValueTypes};

pub(crate) fn parse(text: &str) -> Function {
    let module: Module = text.parse().expect("the text is valid IR");
    module.functions[0].clone()
}

/// Plans with what is known of a function by itself.
pub(crate) fn in_context<T>(
    function: &Function,
    types: &ValueTypes,
    parameters: &[ArgumentActivity],
    unknown_types: UnknownTypes,
    plan: impl FnOnce(&Context<'_>) -> T,
) -> T {
    let activity = Activity::of_function(function, types, parameters, ResultActivity::Active);
    let mut program = Program::default();
    let id = program.add(function.clone());
    let memory = Memory::of(&program);
    let memory_activity = MemoryActivity::Known;
    plan(&Context {
        types,
        activity: &activity,
        memory: &memory,
        function: id,
        unknown_types,
        memory_activity,
        keeping: Keeping::Cheapest,
        argument_memory: &[],
        width: 1,
        shadows: &[],
        callees: &NoCallees,
    })
}

pub(crate) fn value(function: &Function, name: &str) -> ValueId {
    let named = function.values.iter().find(|(_, value)| value.name.as_deref() == Some(name));
    named.unwrap_or_else(|| panic!("no value %{name}")).0
}

/// Plans the first function of a program with what is known of it and of all that it calls.
pub(crate) fn in_program<T>(
    text: &str,
    parameters: &[ArgumentActivity],
    plan: impl FnOnce(&Function, &Context<'_>) -> T,
) -> T {
    let module: Module = text.parse().expect("the text is valid IR");
    let mut program = Program::default();
    let ids: Vec<_> = module.functions.iter().map(|function| program.add(function.clone())).collect();
    let (root, function) = (ids[0], &module.functions[0]);
    let mut analyser = types::Analyser::new(&program, types::Options::default());
    let call = CallTypes::of_signature(function, BarePointers::Said).with_any_arguments(|_| true);
    let types_context = analyser.analyse(root, call).expect("the types fit");
    let types = analyser.types(types_context).values();
    let facts = AnalysedTypes::of(&analyser);
    let activity = activity::Analyser::new(&program, &facts, activity::Options::default()).activity(
        root,
        parameters,
        ResultActivity::Active,
    );
    let memory = Memory::of(&program);
    plan(
        function,
        &Context {
            types: &types,
            activity: &activity,
            memory: &memory,
            function: root,
            unknown_types: UnknownTypes::AreErrors,
            memory_activity: MemoryActivity::Known,
            keeping: Keeping::Cheapest,
            argument_memory: &[],
            width: 1,
            shadows: &[],
            callees: &NoCallees,
        },
    )
}

pub(crate) fn try_plan(
    function: &Function,
    parameters: &[A],
    sweeps: Sweeps,
) -> Result<ReversePlan, Vec<Obstacle>> {
    try_plan_keeping(function, parameters, sweeps, Keeping::Cheapest)
}

pub(crate) fn try_plan_keeping(
    function: &Function,
    parameters: &[A],
    sweeps: Sweeps,
    keeping: Keeping,
) -> Result<ReversePlan, Vec<Obstacle>> {
    let types = ValueTypes::of_function(function).expect("the types fit");
    let plan = in_context(function, &types, parameters, UnknownTypes::AreErrors, |context| {
        plan::reverse(function, parameters, sweeps, &Context { keeping, ..*context })
    })?;
    plan::check(function, &plan).expect("the plan is sound");
    Ok(plan)
}

pub(crate) fn together(function: &Function, parameters: &[A]) -> ReversePlan {
    try_plan(function, parameters, Sweeps::Together).expect("nothing stands in the way")
}

pub(crate) fn block(function: &Function, name: &str) -> BlockId {
    let named = function.blocks.iter().find(|(_, block)| block.name.as_deref() == Some(name));
    named.unwrap_or_else(|| panic!("no block %{name}")).0
}

pub(crate) fn reuse(function: &Function, plan: &ReversePlan, name: &str) -> Reuse {
    plan.reuse[Known::Primal(value(function, name))]
}

/// The names of the values that are kept, in their order.
pub(crate) fn kept(function: &Function, plan: &ReversePlan) -> Vec<String> {
    let values = plan.slots.values().filter_map(|slot| match slot.holds {
        Held::Value(known) => Some(known),
        Held::Predecessor(_)
        | Held::LastIteration(_)
        | Held::ChosenIteration(_)
        | Held::Iterations(_)
        | Held::Tape(_)
        | Held::Exit => None,
    });
    let name = |known: Known| match known {
        Known::Primal(value) => function.display_name(value),
        Known::Shadow(value) => format!("{}'", function.display_name(value)),
    };
    values.map(name).collect()
}
