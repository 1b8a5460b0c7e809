//! The activity that plans of forward-mode derivatives rest on.

use std::rc::Rc;

use enzyme::activity::{self, AnalysedTypes, ArgumentActivity, ResultActivity};
use enzyme::memory::Memory;
use enzyme::model::{EntityRef, InstId, ValueId};
use enzyme::plan::{
    self, Carries, Context, ForwardPlan, ForwardStep, Keeping, MemoryActivity, ResultCarries, UnknownTypes,
};
use enzyme::program::{FunctionId, Program};
use enzyme::types::{Analyser, BarePointers, CallTypes, Options, TypeTree};

use super::Verdicts;
use crate::execution::{ACTIVITIES, ENTRY};

/// Plans of forward-mode derivatives, function by function.
pub(crate) struct ForwardPlans<'p> {
    program: &'p Program,
    /// Whether there was a plan for the entry function.
    pub(crate) planned: bool,
}

/// What is known of a function as it is called in one way.
#[derive(Clone)]
pub(crate) enum Scope {
    /// Its derivative is planned.
    Planned { function: FunctionId, plan: Rc<ForwardPlan> },
    /// It is called as it is: nothing in it carries a derivative.
    Plain,
    /// Something stands in the way, and so nothing is said.
    Silent,
}

impl<'p> ForwardPlans<'p> {
    pub(crate) fn new(program: &'p Program) -> Self {
        Self { program, planned: false }
    }

    fn plan(
        &self,
        function: FunctionId,
        call: CallTypes,
        arguments: &[ArgumentActivity],
        result: ResultCarries,
    ) -> Scope {
        let mut analyser = Analyser::new(self.program, Options::default());
        let Ok(context) = analyser.analyse(function, call) else { return Scope::Silent };
        let types = analyser.types(context).values();
        let facts = AnalysedTypes::of(&analyser);
        let is_asked_for = match result {
            ResultCarries::Derivative => ResultActivity::asked_for(&self.program[function]),
            ResultCarries::Nothing => ResultActivity::Constant,
        };
        let activity = activity::Analyser::new(self.program, &facts, activity::Options::default()).activity(
            function,
            arguments,
            is_asked_for,
        );
        let unknown_types = UnknownTypes::AreErrors;
        let memory = Memory::of(self.program);
        let context = Context {
            types: &types,
            activity: &activity,
            memory: &memory,
            function,
            unknown_types,
            memory_activity: MemoryActivity::Known,
            keeping: Keeping::Cheapest,
            argument_memory: &[],
            width: 1,
            shadows: &[],
            callees: &plan::NoCallees,
        };
        match plan::forward(&self.program[function], arguments, result, &context) {
            Ok(plan) => Scope::Planned { function, plan: Rc::new(plan) },
            Err(_) => Scope::Silent,
        }
    }
}

impl Verdicts for ForwardPlans<'_> {
    type Scope = Scope;

    fn entry(&mut self) -> Scope {
        let entry = self.program.find(ENTRY).expect("programs have an entry function");
        let call = CallTypes::of_signature(&self.program[entry], BarePointers::Said);
        let scope = self.plan(entry, call, &ACTIVITIES, ResultCarries::Derivative);
        self.planned = matches!(scope, Scope::Planned { .. });
        scope
    }

    fn callee(&mut self, caller: &Scope, call: InstId, function: usize) -> Scope {
        match caller {
            Scope::Planned { plan, .. } => match &plan.steps[call] {
                ForwardStep::Call(derived) => {
                    let function = FunctionId::new(function);
                    self.plan(function, derived.types.clone(), &derived.arguments, derived.result)
                }
                // What is behind an address is derived for all that its type lets carry a derivative.
                ForwardStep::CallThroughPointer(derived) => {
                    let function = FunctionId::new(function);
                    let call = CallTypes::of_signature(&self.program[function], BarePointers::Said);
                    self.plan(function, call, &derived.arguments, derived.result)
                }
                ForwardStep::Keep
                | ForwardStep::Scalar(_)
                | ForwardStep::Mirror { .. }
                | ForwardStep::Bits(_)
                | ForwardStep::Displace(_)
                | ForwardStep::ClearShadow { .. }
                | ForwardStep::CopyPieces { .. }
                | ForwardStep::CopyElements { .. }
                | ForwardStep::FillElements { .. }
                | ForwardStep::AtomicExtremum(_)
                | ForwardStep::CompareExchange { .. }
                | ForwardStep::Augment(_)
                | ForwardStep::AugmentThroughPointer(_)
                | ForwardStep::CallAgain(_)
                | ForwardStep::FreeLater(_)
                | ForwardStep::MoveShadow { .. }
                | ForwardStep::Return => Scope::Plain,
            },
            Scope::Plain => Scope::Plain,
            Scope::Silent => Scope::Silent,
        }
    }

    fn inactive_value(&self, scope: &Scope, value: ValueId) -> bool {
        match scope {
            Scope::Planned { plan, .. } => match plan.carries[value] {
                Carries::Nothing | Carries::MemoryBits | Carries::Address => true,
                Carries::Derivative | Carries::Lost => false,
            },
            Scope::Plain => true,
            Scope::Silent => false,
        }
    }

    fn inactive_instruction(&self, scope: &Scope, inst: InstId) -> bool {
        match scope {
            Scope::Planned { function, plan } => {
                // A step that returns a result as it is, or copies into memory without a shadow, is the caller's word.
                let result = self.program[*function].insts[inst].result;
                match &plan.steps[inst] {
                    ForwardStep::Keep => result.is_none_or(|result| self.inactive_value(scope, result)),
                    ForwardStep::Scalar(_)
                    | ForwardStep::Mirror { .. }
                    | ForwardStep::Bits(_)
                    | ForwardStep::Displace(_)
                    | ForwardStep::ClearShadow { .. }
                    | ForwardStep::CopyPieces { .. }
                    | ForwardStep::CopyElements { .. }
                    | ForwardStep::FillElements { .. }
                    | ForwardStep::AtomicExtremum(_)
                    | ForwardStep::CompareExchange { .. }
                    | ForwardStep::CallThroughPointer(_)
                    | ForwardStep::Augment(_)
                    | ForwardStep::AugmentThroughPointer(_)
                    | ForwardStep::CallAgain(_)
                    | ForwardStep::FreeLater(_)
                    | ForwardStep::MoveShadow { .. }
                    | ForwardStep::Call(_)
                    | ForwardStep::Return => false,
                }
            }
            Scope::Plain => true,
            Scope::Silent => false,
        }
    }

    fn types(&self, _: &Scope, _: ValueId) -> TypeTree {
        TypeTree::unknown()
    }
}
