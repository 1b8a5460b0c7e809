//! What tests of plans share.

use enzyme::activity::{Activity, ArgumentActivity, ResultActivity};
use enzyme::memory::Memory;
use enzyme::model::{Function, Module, ValueId};
use enzyme::plan::{Context, Keeping, MemoryActivity, NoCallees, UnknownTypes};
use enzyme::program::Program;
use enzyme::types::ValueTypes;

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
        width: 1,
        shadows: &[],
        callees: &NoCallees,
    })
}

pub(crate) fn value(function: &Function, name: &str) -> ValueId {
    let named = function.values.iter().find(|(_, value)| value.name.as_deref() == Some(name));
    named.unwrap_or_else(|| panic!("no value %{name}")).0
}
