//! What a plan asks of the derivatives of functions that are called, which are planned for the answer.

use std::cell::RefCell;

use enzyme::model;
use enzyme::plan::{self, DerivedCall, ForwardPlan, GivenShadows, Obstacle, ShadowLayout};

use super::{Analysed, Factory};
use crate::ir::Function;
use crate::stage::{Stage, during};
use crate::write::{DerivativeKey, Mode, Prepared};
use enzyme::memory::Memory;

/// The functions that the derivative of a key calls.
struct CalleesOf<'f, 'a> {
    factory: RefCell<&'f mut Factory<'a>>,
    caller: &'f DerivativeKey,
}

impl plan::Callees for CalleesOf<'_, '_> {
    fn elements(&self, caller: &model::Function, call: &DerivedCall) -> Vec<Option<u64>> {
        let mut factory = self.factory.borrow_mut();
        match factory.module.function(&caller.context.globals[call.callee].name) {
            Some(callee) => {
                factory.elements_of(&DerivativeKey::of_call(callee, Mode::Forward, self.caller, call))
            }
            None => vec![None; call.arguments.len()],
        }
    }
}

impl Factory<'_> {
    /// Plans a derivative in forward mode.
    ///
    /// # Errors
    /// Every instruction that stands in the way.
    pub(super) fn plan_forward(
        &mut self,
        key: &DerivativeKey,
        prepared: &Prepared,
        analysed: &Analysed,
        shadows: &[GivenShadows],
    ) -> Result<ForwardPlan, Vec<Obstacle>> {
        let memory = Memory::of(&analysed.program);
        let context = self.context(key, analysed, &memory);
        let callees = CalleesOf { factory: RefCell::new(self), caller: key };
        let context = plan::Context { shadows, callees: &callees, ..context };
        during(Stage::Plan, Some(&key.function.name()), || {
            plan::forward(&prepared.read.model, &key.arguments, key.result.into(), &context)
        })
    }

    /// Where the shadows lie that a key's derivative is given.
    pub(super) fn given_shadows(key: &DerivativeKey) -> Vec<GivenShadows> {
        let given = |layout: &Option<ShadowLayout>| layout.map_or(GivenShadows::Apart, GivenShadows::Laid);
        key.layouts.iter().map(given).collect()
    }

    /// For each argument of a derivative the size of the elements of the memory behind it, if the derivative can work
    /// with shadows that lie side by side. The answer for a key is always the same.
    fn elements_of(&mut self, key: &DerivativeKey) -> Vec<Option<u64>> {
        if let Some(known) = self.elements.get(key) {
            return known.clone();
        }
        // While it is being found out, and where the function calls itself: none.
        let none = vec![None; key.arguments.len()];
        self.elements.insert(key.clone(), none.clone());
        let is_ruled =
            self.rules.forward.contains_key(&key.function) || self.rules.split.contains_key(&key.function);
        if is_ruled || self.at_work.contains(&key.function) {
            return none;
        }
        let found = self.working_on(key.function, |factory| factory.wished_elements(key));
        if let Some(found) = &found {
            self.elements.insert(key.clone(), found.clone());
        }
        found.unwrap_or(none)
    }

    /// Does some work on a function, whose canonical form it takes out of the memo meanwhile.
    pub(super) fn working_on<T>(&mut self, function: Function, work: impl FnOnce(&mut Self) -> T) -> T {
        self.at_work.push(function);
        let outcome = work(self);
        self.at_work.pop();
        outcome
    }

    /// Nothing where the derivative cannot be made; whoever makes it says why.
    fn wished_elements(&mut self, key: &DerivativeKey) -> Option<Vec<Option<u64>>> {
        let prepared = self.prepare(key.function, key.mode).ok()?;
        let plan = self.analyses.of(key, &prepared.read).ok().and_then(|analysed| {
            let shadows = vec![GivenShadows::AsWished; key.arguments.len()];
            self.plan_forward(key, &prepared, &analysed, &shadows).ok()
        });
        let elements = plan.map(|plan| {
            let element = |&parameter| {
                plan.layouts[parameter].filter(|layout| layout.is_side_by_side()).map(|layout| layout.step)
            };
            prepared.read.model.parameters.iter().map(element).collect()
        });
        self.put_back(key.function, key.mode, prepared);
        elements
    }
}
