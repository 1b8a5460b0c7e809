//! What is known of a program as a whole: its symbols, and what each function does.

use std::rc::Rc;

use cranelift_entity::{EntityRef, SecondaryMap};
use rustc_hash::FxHashMap;

use super::facts::TypeFacts;
use super::options::{Extent, Options};
use super::region::{Region, SymbolId};
use super::summary::Summary;
use crate::model::{Function, GlobalId, GlobalKind};
use crate::program::{FunctionId, Program};

/// A program, what is known of its types, and the summaries of its functions.
pub(super) struct Whole<'a> {
    pub(super) program: &'a Program,
    pub(super) types: &'a dyn TypeFacts,
    pub(super) options: Options,
    symbols: FxHashMap<&'a str, SymbolId>,
    /// For each symbol the functions that name it.
    users: SecondaryMap<SymbolId, Vec<FunctionId>>,
    /// The symbols that only this module can name.
    local: SecondaryMap<SymbolId, bool>,
    /// The variables that can be written to.
    mutable: SecondaryMap<SymbolId, bool>,
    names: Vec<&'a str>,
    pub(super) summaries: SecondaryMap<FunctionId, Option<Rc<Summary>>>,
}

impl<'a> Whole<'a> {
    pub(super) fn new(program: &'a Program, types: &'a dyn TypeFacts, options: Options) -> Self {
        let mut whole = Self {
            program,
            types,
            options,
            symbols: FxHashMap::default(),
            users: SecondaryMap::new(),
            local: SecondaryMap::new(),
            mutable: SecondaryMap::new(),
            names: Vec::new(),
            summaries: SecondaryMap::new(),
        };
        for (id, function) in program.iter() {
            for (global, data) in &function.context.globals {
                let symbol = whole.add(&data.name);
                whole.local[symbol] |= data.linkage.is_local();
                whole.mutable[symbol] |= is_mutable(function, global);
                if whole.users[symbol].last() != Some(&id) {
                    whole.users[symbol].push(id);
                }
            }
        }
        whole
    }

    fn add(&mut self, name: &'a str) -> SymbolId {
        let next = SymbolId::new(self.names.len());
        *self.symbols.entry(name).or_insert_with(|| {
            self.names.push(name);
            next
        })
    }

    pub(super) fn symbol(&self, name: &str) -> Option<SymbolId> {
        self.symbols.get(name).copied()
    }

    pub(super) fn name(&self, symbol: SymbolId) -> &'a str {
        self.names[symbol.index()]
    }

    /// How many symbols there are, and so how many there can be in a constant.
    pub(super) fn most_symbols(&self) -> usize {
        self.names.len() + 1
    }

    pub(super) fn summary(&self, function: FunctionId) -> Option<Rc<Summary>> {
        self.summaries[function].clone()
    }

    /// Whether just one function can use a variable.
    pub(super) fn is_used_by_one(&self, symbol: SymbolId) -> bool {
        self.options.extent == Extent::WholeModule && self.local[symbol] && self.users[symbol].len() <= 1
    }

    /// Whether a variable can be used by functions other than these.
    pub(super) fn is_used_outside(&self, symbol: SymbolId, inside: &SecondaryMap<FunctionId, bool>) -> bool {
        let seen = self.options.extent == Extent::WholeModule && self.local[symbol];
        !seen || self.users[symbol].iter().any(|&user| !inside[user])
    }

    /// The region of a global variable.
    pub(super) fn variable(&self, symbol: SymbolId) -> Region {
        if self.mutable[symbol] { Region::Variable(symbol) } else { Region::Constant(symbol) }
    }

    /// A function and all that it calls by name, directly or not.
    pub(super) fn inside(
        &self,
        root: FunctionId,
        callees: &SecondaryMap<FunctionId, Vec<FunctionId>>,
    ) -> SecondaryMap<FunctionId, bool> {
        let mut inside: SecondaryMap<FunctionId, bool> = SecondaryMap::new();
        inside.resize(self.program.len());
        let mut pending = vec![root];
        while let Some(next) = pending.pop() {
            if !std::mem::replace(&mut inside[next], true) {
                pending.extend(callees[next].iter().copied());
            }
        }
        inside
    }
}

fn is_mutable(function: &Function, global: GlobalId) -> bool {
    match &function.context.globals[global].kind {
        GlobalKind::Variable(variable) => !variable.is_constant,
        GlobalKind::Function(_) | GlobalKind::Alias { .. } | GlobalKind::IndirectFunction { .. } => false,
    }
}
