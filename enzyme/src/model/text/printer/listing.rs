//! The text of each part of a function alone, for those who write something beside it.

use std::cell::RefCell;

use cranelift_entity::SecondaryMap;

use super::super::super::{BlockId, Function, InstId, ValueDefinition, ValueId};
use super::super::escape::Named;
use super::instructions;
use super::metadata::Slots;
use super::scope::{LocalNames, Scope};

/// The text of each part of a function, without debug locations and metadata. Each is one line, but for `switch`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// The function's name: `@f`.
    pub name: String,
    /// How the function begins: `define double @f(double %x)`.
    pub header: String,
    /// The labels of the blocks: names or numbers, without `%`.
    pub blocks: SecondaryMap<BlockId, String>,
    /// The instructions: `%y = fmul double %x, %x`.
    pub insts: SecondaryMap<InstId, String>,
    /// The values as operands: `%x` for parameters and results, `@g` for globals, with their types for constants.
    pub values: SecondaryMap<ValueId, String>,
}

impl Function {
    /// The text of each of its parts.
    pub fn listing(&self) -> Listing {
        let slots = RefCell::new(Slots::default());
        let names = LocalNames::of(self);
        let scope = Scope::new(&self.context, Some(&names), &slots);
        let name = Named('@', &self.name).to_string();
        let mut listing = Listing { name, header: header(self, &scope), ..Listing::default() };
        for block in self.blocks.keys() {
            names.block(block).trim_start_matches('%').clone_into(&mut listing.blocks[block]);
        }
        for inst in self.insts_in_order() {
            let mut line = String::new();
            // Writing to a string cannot fail.
            let _ = instructions::plain(&mut line, self, &scope, inst);
            listing.insts[inst] = line;
        }
        for (value, described) in &self.values {
            listing.values[value] = match described.definition {
                ValueDefinition::Constant(_) => scope.typed_value(self, value).to_string(),
                ValueDefinition::Parameter(_)
                | ValueDefinition::Instruction(_)
                | ValueDefinition::Global(_)
                | ValueDefinition::Metadata(_)
                | ValueDefinition::InlineAsm(_) => scope.value(self, value).to_string(),
            };
        }
        listing
    }
}

fn header(function: &Function, scope: &Scope<'_>) -> String {
    let mut header = String::from("define ");
    // Writing to a string cannot fail.
    let _ = super::signature(
        &mut header,
        scope,
        &function.name,
        function.function_type,
        &function.signature,
        &super::Parameters::Of(function),
    );
    header
}
