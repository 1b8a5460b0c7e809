//! What tests of plans share.

use enzyme::activity::{self, Activity, AnalysedTypes, ArgumentActivity, ResultActivity};
use enzyme::memory::Memory;
use enzyme::model::{Function, Module, ValueId};
use enzyme::plan::{Context, Keeping, MemoryActivity, NoCallees, UnknownTypes};
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
