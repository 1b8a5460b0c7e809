//! Modules: functions with the globals around them.

use super::{Context, Function, GlobalId, MetadataId};

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
    /// The function of this name, if it has a body.
    pub fn function(&self, name: &str) -> Option<&Function> {
        self.functions.iter().find(|function| function.name == name)
    }

    /// The symbol of this name.
    pub fn global(&self, name: &str) -> Option<GlobalId> {
        self.context.find_global(name)
    }
}
