//! Activity analysis.

use std::rc::Rc;

use enzyme::activity::{Activity, Analyser, Options, ResultActivity, TypeFacts};
use enzyme::model::{EntityRef, InstId, ValueId};
use enzyme::program::{FunctionId, Program};
use enzyme::types::TypeTree;

use super::Verdicts;
use crate::execution::{ACTIVITIES, ENTRY};

/// What activity analysis says.
pub(crate) struct FoundActivity<'p> {
    program: &'p Program,
    analyser: Analyser<'p>,
}

/// A function with given activities of its arguments and its result.
#[derive(Clone)]
pub(crate) struct Scope {
    function: FunctionId,
    activity: Rc<Activity>,
}

impl<'p> FoundActivity<'p> {
    pub(crate) fn new(program: &'p Program, types: &'p dyn TypeFacts, options: Options) -> Self {
        Self { program, analyser: Analyser::new(program, types, options) }
    }
}

impl Verdicts for FoundActivity<'_> {
    type Scope = Scope;

    fn entry(&mut self) -> Scope {
        let function = self.program.find(ENTRY).expect("programs have an entry function");
        Scope { function, activity: self.analyser.activity(function, &ACTIVITIES, ResultActivity::Active) }
    }

    fn callee(&mut self, caller: &Scope, call: InstId, function: usize) -> Scope {
        let (arguments, result) = caller.activity.of_call(&self.program[caller.function], call);
        let function = FunctionId::new(function);
        Scope { function, activity: self.analyser.activity(function, &arguments, result) }
    }

    fn inactive_value(&self, scope: &Scope, value: ValueId) -> bool {
        !scope.activity.value(value).is_active()
    }

    fn inactive_instruction(&self, scope: &Scope, inst: InstId) -> bool {
        !scope.activity.inst(inst).is_active()
    }

    fn types(&self, _: &Scope, _: ValueId) -> TypeTree {
        TypeTree::unknown()
    }
}
