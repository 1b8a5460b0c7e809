//! The global symbols of a program. Each function has a context of its own; names tell which symbols are the same.

use cranelift_entity::{PrimaryMap, SecondaryMap};
use rustc_hash::FxHashMap;

use super::object::{Mutability, SymbolId};
use crate::model::{ConstantKind, DataLayout, Function, Global, GlobalId, GlobalKind, Linkage};
use crate::program::{FunctionId, Program};

/// A global variable or function of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Its name, without `@`.
    pub name: String,
    /// Bytes of a variable that is defined here.
    pub size: Option<u64>,
    /// Whether it changes.
    pub mutability: Mutability,
    /// For a function: the body that calls of it run.
    pub body: Option<FunctionId>,
}

/// All symbols.
#[derive(Clone, Debug, Default)]
pub(super) struct Symbols {
    pub(super) table: PrimaryMap<SymbolId, Symbol>,
    names: FxHashMap<String, SymbolId>,
    /// For each function the symbols that its globals are; none for those that only stand for another address.
    own: SecondaryMap<FunctionId, SecondaryMap<GlobalId, Option<SymbolId>>>,
}

impl Symbols {
    pub(super) fn of(program: &Program) -> Self {
        let mut symbols = Self::default();
        for (id, function) in program.iter() {
            let layout = DataLayout::of(&function.context);
            let mut own = SecondaryMap::new();
            for (global, data) in &function.context.globals {
                own[global] = symbols.intern(program, function, &layout, data);
            }
            symbols.own[id] = own;
        }
        symbols
    }

    /// The symbol that a global of a function is; `None` for another name of an address.
    pub(super) fn of_global(&self, function: FunctionId, global: GlobalId) -> Option<SymbolId> {
        self.own[function][global]
    }

    fn intern(
        &mut self,
        program: &Program,
        function: &Function,
        layout: &DataLayout,
        global: &Global,
    ) -> Option<SymbolId> {
        let (size, mutability, body) = match &global.kind {
            GlobalKind::Variable(variable) => {
                let size = (variable.initializer.is_some() && !global.linkage.is_interposable())
                    .then(|| layout.allocation_size(&function.context, global.value_type));
                let is_constant = variable.is_constant && !variable.externally_initialized;
                (size, if is_constant { Mutability::Constant } else { Mutability::Mutable }, None)
            }
            GlobalKind::Function(_) => (None, Mutability::Constant, body(program, &global.name)),
            GlobalKind::Alias { .. } | GlobalKind::IndirectFunction { .. } => return None,
        };
        if let Some(&known) = self.names.get(&global.name) {
            // One function may have read more of the symbol than another.
            let symbol = &mut self.table[known];
            symbol.size = symbol.size.or(size);
            return Some(known);
        }
        let symbol = self.table.push(Symbol { name: global.name.clone(), size, mutability, body });
        self.names.insert(global.name.clone(), symbol);
        Some(symbol)
    }
}

/// The body that a call of this name runs, if no other definition can take its place.
pub(super) fn body(program: &Program, name: &str) -> Option<FunctionId> {
    let id = program.find(name)?;
    (!program[id].linkage.is_interposable()).then_some(id)
}

/// What another name stands for, if that is known: the target of an alias that nothing can replace.
pub(super) fn alias_target(global: &Global) -> Option<crate::model::ConstantId> {
    match &global.kind {
        GlobalKind::Alias { target } if !global.linkage.is_interposable() => Some(*target),
        GlobalKind::Alias { .. }
        | GlobalKind::IndirectFunction { .. }
        | GlobalKind::Variable(_)
        | GlobalKind::Function(_) => None,
    }
}

/// The first contents of a variable that never changes, if they are known: another definition may not say something else.
pub(super) fn known_initializer(global: &Global) -> Option<crate::model::ConstantId> {
    let GlobalKind::Variable(variable) = &global.kind else { return None };
    let is_definite = match global.linkage {
        Linkage::External
        | Linkage::AvailableExternally
        | Linkage::LinkOnceOdr
        | Linkage::WeakOdr
        | Linkage::Internal
        | Linkage::Private => !variable.externally_initialized,
        Linkage::ExternalWeak | Linkage::LinkOnce | Linkage::Weak | Linkage::Appending | Linkage::Common => {
            false
        }
    };
    variable.initializer.filter(|_| is_definite)
}

/// Whether a constant can hold no pointers whatever its size, by its outermost kind.
pub(super) fn holds_no_pointers(kind: &ConstantKind) -> bool {
    match kind {
        ConstantKind::Integer(_)
        | ConstantKind::Float(_)
        | ConstantKind::Null
        | ConstantKind::Undef
        | ConstantKind::Poison
        | ConstantKind::Zero
        | ConstantKind::NoneToken
        | ConstantKind::Data(_)
        | ConstantKind::BlockAddress { .. } => true,
        ConstantKind::Aggregate(_)
        | ConstantKind::Splat(_)
        | ConstantKind::Expression(_)
        | ConstantKind::Global(_)
        | ConstantKind::DsoLocalEquivalent(_)
        | ConstantKind::NoCfi(_)
        | ConstantKind::PointerAuthentication(_) => false,
    }
}
