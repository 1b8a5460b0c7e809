//! Type analysis.

use enzyme::activity::AnalysedTypes;
use enzyme::model::{EntityRef, InstId, ValueId};
use enzyme::program::{FunctionId, Program};
use enzyme::types::{Analyser, BarePointers, CallTypes, ContextId, Options, TypeTree};

use super::Verdicts;
use crate::execution::ENTRY;

/// What type analysis says, knowing nothing of the entry function's arguments but their types in the program.
pub(crate) struct FoundTypes<'p> {
    program: &'p Program,
    analyser: Analyser<'p>,
    /// Whether the analysis came to an end without a conflict.
    pub(crate) found: bool,
}

impl<'p> FoundTypes<'p> {
    pub(crate) fn new(program: &'p Program, options: Options) -> Self {
        Self { program, analyser: Analyser::new(program, options), found: false }
    }

    /// What is found of all functions, for activity analysis; nothing where types contradict each other.
    pub(crate) fn analysed(program: &'p Program, options: Options) -> AnalysedTypes {
        let mut types = Self::new(program, options);
        types.entry();
        if types.found { AnalysedTypes::of(&types.analyser) } else { AnalysedTypes::default() }
    }

    fn contexts_of(&self, function: FunctionId) -> Vec<ContextId> {
        let contexts = self.analyser.contexts();
        contexts.filter(|(_, of, _)| *of == function).map(|(id, ..)| id).collect()
    }
}

impl Verdicts for FoundTypes<'_> {
    /// The context, or those that may be meant: what all of them agree on is said.
    type Scope = Vec<ContextId>;

    fn entry(&mut self) -> Vec<ContextId> {
        let Some(function) = self.program.find(ENTRY) else { return Vec::new() };
        let request = CallTypes::of_signature(&self.program[function], BarePointers::Said);
        match self.analyser.analyse(function, request) {
            Ok(context) => {
                self.found = true;
                vec![context]
            }
            Err(_) => Vec::new(),
        }
    }

    fn callee(&mut self, callers: &Vec<ContextId>, call: InstId, function: usize) -> Vec<ContextId> {
        let known: Option<Vec<ContextId>> =
            callers.iter().map(|&caller| self.analyser.callee(caller, call)).collect();
        // A call of which everything was known beforehand was not looked into.
        known.unwrap_or_else(|| self.contexts_of(FunctionId::new(function)))
    }

    fn inactive_value(&self, _: &Vec<ContextId>, _: ValueId) -> bool {
        false
    }

    fn inactive_instruction(&self, _: &Vec<ContextId>, _: InstId) -> bool {
        false
    }

    fn types(&self, contexts: &Vec<ContextId>, value: ValueId) -> TypeTree {
        let mut trees = contexts.iter().map(|&context| self.analyser.types(context).of(value));
        let mut common = trees.next().unwrap_or_default();
        trees.for_each(|tree| common.meet(&tree));
        common
    }
}
