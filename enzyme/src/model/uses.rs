//! Which instructions use a value.

use cranelift_entity::SecondaryMap;
use smallvec::SmallVec;

use super::{Function, InstId, ValueId};

/// For each value the instructions that have it as an operand, in the order of the text. An instruction
/// that has a value twice is listed once.
#[derive(Clone, Debug, PartialEq)]
pub struct Uses {
    users: SecondaryMap<ValueId, SmallVec<[InstId; 2]>>,
}

impl Uses {
    /// Collects the uses of all values of a function.
    pub fn of(function: &Function) -> Self {
        let mut users: SecondaryMap<ValueId, SmallVec<[InstId; 2]>> = SecondaryMap::new();
        users.resize(function.values.len());
        for inst in function.insts_in_order() {
            for operand in &function.insts[inst].operands {
                if users[*operand].last() != Some(&inst) {
                    users[*operand].push(inst);
                }
            }
        }
        Self { users }
    }

    /// The users of a value.
    pub fn of_value(&self, value: ValueId) -> &[InstId] {
        &self.users[value]
    }

    /// Whether nothing uses a value.
    pub fn is_unused(&self, value: ValueId) -> bool {
        self.users[value].is_empty()
    }
}
