//! The plans of functions, for `enzyme-opt --explain plan`: made as for a derivative, which is not written.

use enzyme::explain::Explanation;
use enzyme::explain::plan::PlanVerdicts;
use enzyme::memory::Memory;
use enzyme::plan::{self, Direction, Sweeps};

use super::{Factory, explain};
use crate::error::Error;
use crate::frontend::{UserRules, lower_checkpointed_loops, protect};
use crate::ir::{Function, Module};
use crate::options::Options;
use crate::stage::{Stage, during};
use crate::write::{BehindAddress, DerivativeKey, Mode, Settings};

/// Explains the reverse-mode plans of functions of a module, of which all that can carry a derivative by its type does, in
/// one direction.
///
/// # Errors
/// What stands in the way, of functions that have no plan; those that have one come with it.
pub(crate) fn explain_plans(
    module: Module,
    wanted: impl Fn(Function) -> bool,
    options: &Options,
) -> (Vec<Explanation>, Vec<Error>) {
    let functions: Vec<Function> =
        module.functions().filter(|function| !function.is_declaration() && wanted(*function)).collect();
    let read = || {
        protect(module)?;
        lower_checkpointed_loops(module)?;
        UserRules::read(module)
    };
    let rules = match during(Stage::Frontend, None, read) {
        Ok(rules) => rules,
        Err(errors) => return (Vec::new(), errors),
    };
    let mut factory = Factory::new(module, rules, options);
    let (mut explanations, mut errors) = (Vec::new(), factory.prepare_loops());
    for function in functions {
        match factory.explain_plan(function) {
            Ok(explanation) => explanations.push(explanation),
            Err(found) => errors.extend(found),
        }
    }
    (explanations, errors)
}

impl Factory<'_> {
    fn explain_plan(&mut self, function: Function) -> Result<Explanation, Vec<Error>> {
        let behind = BehindAddress { direction: Direction::Reverse, width: 1, settings: Settings::default() };
        let key = DerivativeKey::behind_address(function, behind, Mode::Reverse);
        let prepared = self.prepare(function, key.mode)?;
        self.look_at_annotated(&prepared.read, key.mode);
        let analysed = self.analyses.of(&key, &prepared.read).map_err(|error| vec![error])?;
        let memory = Memory::of(&analysed.program);
        let context = self.context(&key, &analysed, &memory);
        let model = &prepared.read.model;
        let plan = during(Stage::Plan, Some(&function.name()), || {
            plan::reverse(model, &key.arguments, Sweeps::Together, &context)
        });
        let plan = plan.map_err(|obstacles| -> Vec<Error> {
            let told = obstacles.iter().map(|one| explain(function, &prepared.read, one, key.mode));
            told.collect()
        })?;
        let explanation = Explanation::new(model, &PlanVerdicts::new(model, &plan, &key.arguments, &context));
        self.put_back(function, key.mode, prepared);
        Ok(explanation.of_form_of(&function.name()))
    }
}
