//! Modules: functions with the globals around them.

use super::transfer::Transfer;
use super::{Context, Function, Global, GlobalFunction, GlobalId, GlobalKind, HasBody, MetadataId};

/// A module: global symbols and functions.
///
/// Each [`Function`] carries a context of its own, so that it can be taken out and used alone; the module's
/// context holds every symbol of the module, those of the functions included.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// The file it was made from (`source_filename`).
    pub source_name: Option<String>,
    /// Assembler at module level.
    pub assembler: Vec<String>,
    /// Comdats: name and how duplicates are settled (`any`, `largest` …).
    pub comdats: Vec<(String, String)>,
    /// All symbols of the module, types and constants they need, the target.
    pub context: Context,
    /// Named metadata of the module (without debug information): name and nodes.
    pub named_metadata: Vec<(String, Vec<MetadataId>)>,
    /// The functions with a body.
    pub functions: Vec<Function>,
}

impl Module {
    /// A module of functions that come from one program: the symbols that they name, told by their names, and
    /// the functions themselves.
    pub fn of_functions(functions: Vec<Function>) -> Self {
        let mut module = Self::default();
        for function in &functions {
            let mut transfer = Transfer::out_of(function, std::mem::take(&mut module.context));
            // A function that nothing calls is a symbol, too.
            if transfer.to.find_global(&function.name).is_none() {
                let own =
                    GlobalFunction { signature: transfer.signature(&function.signature), body: HasBody::Yes };
                let value_type = transfer.ty(function.function_type);
                let traits = transfer.traits(&function.traits);
                transfer.to.globals.push(Global {
                    name: function.name.clone(),
                    value_type,
                    linkage: function.linkage,
                    address_space: function.address_space,
                    traits,
                    kind: GlobalKind::Function(own),
                });
            }
            for global in function.context.globals.keys() {
                transfer.global(global);
            }
            module.context = transfer.finish();
            module.context.data_layout.clone_from(&function.context.data_layout);
            module.context.target_triple.clone_from(&function.context.target_triple);
        }
        for global in module.context.globals.values() {
            let Some(comdat) = &global.traits.comdat else { continue };
            if !module.comdats.iter().any(|(name, _)| name == comdat) {
                module.comdats.push((comdat.clone(), "any".to_owned()));
            }
        }
        module.functions = functions;
        module
    }

    /// The function of this name, if it has a body.
    pub fn function(&self, name: &str) -> Option<&Function> {
        self.functions.iter().find(|function| function.name == name)
    }

    /// The symbol of this name.
    pub fn global(&self, name: &str) -> Option<GlobalId> {
        self.context.find_global(name)
    }
}
