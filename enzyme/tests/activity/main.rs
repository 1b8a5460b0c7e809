//! Activity analysis of small programs, given as text.

mod calls;
mod cost;
mod marks;
mod memory;
mod numbers;
mod unknown;
mod variables;

use enzyme::activity::{
    Activity, Analyser, ArgumentActivity as A, DeclaredTypes, Effort, Extent, Options, ResultActivity as R,
    UnknownFunctions, UnmarkedGlobals, Verdict,
};
use enzyme::model::{Function, InstId, Module, Opcode, ValueId};
use enzyme::program::Program;
use std::rc::Rc;

/// A whole module: what is private to it is used by nobody else.
const WHOLE: Options = Options {
    globals: UnmarkedGlobals::MayBeActive,
    unknown_functions: UnknownFunctions::MayBeActive,
    extent: Extent::WholeModule,
    effort: Effort::Full,
};

struct Case {
    program: Program,
    activity: Rc<Activity>,
}

fn program(text: &str) -> Program {
    Program::from(text.parse::<Module>().expect("the text is valid IR"))
}

/// Analyses `@f`.
fn analyse_with(text: &str, options: Options, arguments: &[A], result: R) -> Case {
    let program = program(text);
    let f = program.find("f").expect("there is an @f");
    let activity = Analyser::new(&program, &DeclaredTypes, options).activity(f, arguments, result);
    Case { program, activity }
}

fn analyse(text: &str, arguments: &[A], result: R) -> Case {
    analyse_with(text, WHOLE, arguments, result)
}

impl Case {
    fn function(&self) -> &Function {
        &self.program[self.program.find("f").expect("there is an @f")]
    }

    fn value(&self, name: &str) -> ValueId {
        let mut values = self.function().values.iter();
        let named = values.find(|(_, value)| value.name.as_deref() == Some(name));
        named.unwrap_or_else(|| panic!("no value %{name}")).0
    }

    fn verdict(&self, name: &str) -> Verdict {
        self.activity.value(self.value(name))
    }

    /// The verdict about the instruction that makes a value.
    fn maker(&self, name: &str) -> Verdict {
        self.activity.inst(self.function().as_inst(self.value(name)).expect("an instruction"))
    }

    /// The instructions of a kind, in order.
    fn insts(&self, kind: impl Fn(&Opcode) -> bool) -> Vec<InstId> {
        let function = self.function();
        function.insts_in_order().filter(|&inst| kind(&function.insts[inst].opcode)).collect()
    }

    fn stores(&self) -> Vec<Verdict> {
        let stores = self.insts(|opcode| matches!(opcode, Opcode::Store { .. }));
        stores.into_iter().map(|inst| self.activity.inst(inst)).collect()
    }

    fn calls(&self) -> Vec<Verdict> {
        let calls = self.insts(|opcode| opcode.call().is_some());
        calls.into_iter().map(|inst| self.activity.inst(inst)).collect()
    }

    #[track_caller]
    fn expect_active(&self, names: &[&str]) {
        for name in names {
            assert!(self.verdict(name).is_active(), "%{name} is {:?}", self.verdict(name));
        }
    }

    #[track_caller]
    fn expect_constant(&self, names: &[&str]) {
        for name in names {
            assert!(!self.verdict(name).is_active(), "%{name} is {:?}", self.verdict(name));
        }
    }
}
