//! The functions that an analysis may look into: a function and what it calls, directly or not.

use std::ops::Index;
use std::sync::Arc;

use cranelift_entity::{PrimaryMap, SecondaryMap, entity_impl};
use rustc_hash::FxHashMap;

use crate::model::{Function, InstId, Module};

/// A function with a body in a [`Program`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionId(u32);
entity_impl!(FunctionId, "function");

/// Functions with bodies, told by their names.
#[derive(Clone, Debug, Default)]
pub struct Program {
    functions: PrimaryMap<FunctionId, Arc<Function>>,
    names: FxHashMap<String, FunctionId>,
}

impl Program {
    /// A program of these functions, in this order. Of two with the same name the later one is not found by name.
    pub fn new(functions: impl IntoIterator<Item = Function>) -> Self {
        let mut program = Self::default();
        for function in functions {
            program.add(function);
        }
        program
    }

    /// Adds a function.
    pub fn add(&mut self, function: impl Into<Arc<Function>>) -> FunctionId {
        let function = function.into();
        let name = function.name.clone();
        let id = self.functions.push(function);
        self.names.entry(name).or_insert(id);
        id
    }

    /// The function of this name, if it has a body here.
    pub fn find(&self, name: &str) -> Option<FunctionId> {
        self.names.get(name).copied()
    }

    /// All functions, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (FunctionId, &Function)> {
        self.functions.iter().map(|(id, function)| (id, &**function))
    }

    /// How many functions there are.
    pub fn len(&self) -> usize {
        self.functions.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.functions.is_empty()
    }

    /// The function with a body that an instruction of a function calls by name.
    pub fn callee(&self, function: &Function, inst: InstId) -> Option<FunctionId> {
        self.find(function.callee_name(inst)?)
    }

    /// For each function the functions it calls by name, each once, in order of the calls.
    pub fn callees(&self) -> SecondaryMap<FunctionId, Vec<FunctionId>> {
        let mut callees: SecondaryMap<FunctionId, Vec<FunctionId>> = SecondaryMap::new();
        callees.resize(self.functions.len());
        for (id, function) in &self.functions {
            let mut seen = rustc_hash::FxHashSet::default();
            callees[id] = function
                .insts_in_order()
                .filter_map(|inst| self.callee(function, inst))
                .filter(|callee| seen.insert(*callee))
                .collect();
        }
        callees
    }

    /// The strongly connected components of the call graph, callees before their callers: functions of one
    /// component call each other in a circle. Kosaraju's algorithm, on a stack of its own, so that deep call chains do
    /// not exhaust the machine's.
    pub fn components(&self) -> Vec<Vec<FunctionId>> {
        let callees = self.callees();
        components(self.functions.keys(), |caller| &callees[caller])
    }

    /// The same, of a function and what it calls, directly or not, by name or through OpenMP's run-time library.
    pub fn components_from(&self, root: FunctionId) -> Vec<Vec<FunctionId>> {
        let mut callees: FxHashMap<FunctionId, Vec<FunctionId>> = FxHashMap::default();
        let mut reached = vec![root];
        let mut position = 0;
        while let Some(&caller) = reached.get(position) {
            position += 1;
            let function = &self[caller];
            let called = |inst| self.callee(function, inst).or_else(|| self.parallel_region(function, inst));
            let found: Vec<FunctionId> = function.insts_in_order().filter_map(called).collect();
            for &callee in &found {
                if callee != root && !callees.contains_key(&callee) {
                    callees.insert(callee, Vec::new());
                    reached.push(callee);
                }
            }
            callees.insert(caller, found);
        }
        components(reached.into_iter(), |caller| &callees[&caller])
    }

    /// The function that OpenMP's run-time library is asked to run in parallel.
    pub fn parallel_region(&self, function: &Function, inst: InstId) -> Option<FunctionId> {
        if function.callee_name(inst)? != "__kmpc_fork_call" {
            return None;
        }
        let region = function.as_global(*function.insts[inst].arguments().get(2)?)?;
        self.find(&function.context.globals[region].name)
    }
}

fn components<'a>(
    functions: impl Iterator<Item = FunctionId>,
    callees: impl Fn(FunctionId) -> &'a Vec<FunctionId>,
) -> Vec<Vec<FunctionId>> {
    let mut graph = petgraph::graph::DiGraph::<FunctionId, ()>::new();
    let nodes: FxHashMap<FunctionId, _> = functions.map(|id| (id, graph.add_node(id))).collect();
    for caller in graph.node_indices() {
        for callee in callees(graph[caller]) {
            graph.add_edge(caller, nodes[callee], ());
        }
    }
    let components = petgraph::algo::kosaraju_scc(&graph);
    components
        .into_iter()
        .map(|component| {
            let mut functions: Vec<_> = component.into_iter().map(|node| graph[node]).collect();
            functions.sort_unstable();
            functions
        })
        .collect()
}

impl Index<FunctionId> for Program {
    type Output = Function;

    fn index(&self, id: FunctionId) -> &Function {
        &self.functions[id]
    }
}

impl From<Module> for Program {
    fn from(module: Module) -> Self {
        Self::new(module.functions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(text: &str) -> Program {
        Program::from(text.parse::<Module>().expect("parses"))
    }

    #[test]
    fn callees_come_before_callers() {
        let program = program(
            "define void @a() {\n  call void @b()\n  ret void\n}\n\
             define void @b() {\n  call void @c()\n  call void @leaf()\n  ret void\n}\n\
             define void @c() {\n  call void @b()\n  ret void\n}\n\
             define void @leaf() {\n  call void @outside()\n  ret void\n}\n\
             declare void @outside()\n",
        );
        let names: Vec<Vec<&str>> = program
            .components()
            .iter()
            .map(|component| component.iter().map(|&id| program[id].name.as_str()).collect())
            .collect();
        assert_eq!(names, [vec!["leaf"], vec!["b", "c"], vec!["a"]]);
    }

    #[test]
    fn a_deep_chain_of_calls_does_not_exhaust_the_stack() {
        let depth = 20_000;
        let mut text = String::from("define void @f0() {\n  ret void\n}\n");
        for index in 1..depth {
            text += &format!("define void @f{index}() {{\n  call void @f{}()\n  ret void\n}}\n", index - 1);
        }
        let program = program(&text);
        let components = program.components();
        assert_eq!(components.len(), depth);
        assert_eq!(program[components[0][0]].name, "f0");
    }
}
