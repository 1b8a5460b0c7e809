//! Vectors of which some elements may have no value.
//!
//! What the optimiser packs into vectors often fills only some of their elements, and leaves the others poison. Those have
//! adjoints of zero, but a product of zero and poison is poison, and spoils whatever it is added to. So products with such
//! vectors are written with care (`Strong` zeros); with others they need none.

use crate::model::{
    ConstantId, ConstantKind, Function, InstId, Opcode, SecondaryMap, Type, ValueDefinition, ValueId,
    VectorLength,
};
use crate::plan::Direction;
use crate::plan::role::{Role, role};
use rustc_hash::FxHashSet;

/// The vectors of floats that may have elements without a value.
pub(super) fn incomplete_vectors(function: &Function) -> SecondaryMap<ValueId, bool> {
    let mut incomplete = SecondaryMap::new();
    for (value, data) in function.values.iter() {
        let is_vector = matches!(function.ty(data.ty), Type::Vector { .. });
        incomplete[value] = is_vector
            && match data.definition {
                ValueDefinition::Constant(constant) => has_no_value(function, constant),
                // Nobody knows what the caller leaves out.
                ValueDefinition::Parameter(_) => true,
                ValueDefinition::Instruction(_)
                | ValueDefinition::Global(_)
                | ValueDefinition::Metadata(_)
                | ValueDefinition::InlineAsm(_) => false,
            };
    }
    // More is found to be incomplete until no more is: phis may come before what they are made of.
    loop {
        let mut is_done = true;
        for inst in function.insts_in_order() {
            let Some(result) = function.insts[inst].result else { continue };
            let is_vector = matches!(function.type_of(result), Type::Vector { .. });
            if is_vector && !incomplete[result] && is_incomplete(function, &incomplete, inst) {
                incomplete[result] = true;
                is_done = false;
            }
        }
        if is_done {
            return incomplete;
        }
    }
}

/// Whether a constant, or a part of it, is no value.
fn has_no_value(function: &Function, constant: ConstantId) -> bool {
    match &function.context.constant(constant).kind {
        ConstantKind::Undef | ConstantKind::Poison | ConstantKind::Expression(_) => true,
        ConstantKind::Aggregate(parts) => parts.iter().any(|&part| has_no_value(function, part)),
        ConstantKind::Splat(part) => has_no_value(function, *part),
        ConstantKind::Integer(_)
        | ConstantKind::Float(_)
        | ConstantKind::Null
        | ConstantKind::Zero
        | ConstantKind::NoneToken
        | ConstantKind::Data(_)
        | ConstantKind::Global(_)
        | ConstantKind::BlockAddress { .. }
        | ConstantKind::DsoLocalEquivalent(_)
        | ConstantKind::NoCfi(_)
        | ConstantKind::PointerAuthentication(_) => false,
    }
}

fn is_incomplete(function: &Function, incomplete: &SecondaryMap<ValueId, bool>, inst: InstId) -> bool {
    let data = &function.insts[inst];
    let operands = data.operands.as_slice();
    match &data.opcode {
        Opcode::Load { .. } | Opcode::Freeze => false,
        Opcode::ShuffleVector { mask } => {
            let first = vector_length(function, operands[0]);
            mask.iter().any(|lane| match (lane, first) {
                (Some(index), Some(first)) => incomplete[operands[usize::from(u64::from(*index) >= first)]],
                (None, _) | (_, None) => true,
            })
        }
        Opcode::InsertElement => incomplete[operands[0]] && !fills_all(function, inst),
        Opcode::Call(_) => match role(function, inst, Direction::Reverse) {
            Role::Scalar(call) => call.operands.iter().any(|&operand| incomplete[operand]),
            _ => true,
        },
        Opcode::FloatNegate { .. }
        | Opcode::FloatBinary { .. }
        | Opcode::IntBinary { .. }
        | Opcode::Cast { .. }
        | Opcode::Select { .. }
        | Opcode::Phi { .. } => operands.iter().any(|&operand| incomplete[operand]),
        _ => true,
    }
}

/// Whether an insertion is the last of those that fill every element of a vector one by one.
fn fills_all(function: &Function, last: InstId) -> bool {
    let Some(length) = function.insts[last].result.and_then(|result| vector_length(function, result)) else {
        return false;
    };
    let mut filled = FxHashSet::default();
    let mut next = Some(last);
    while let Some(inst) = next {
        let data = &function.insts[inst];
        if data.opcode != Opcode::InsertElement {
            break;
        }
        let Some(ConstantKind::Integer(index)) = function.as_constant(data.operands[2]) else { return false };
        filled.insert(index.as_u64());
        next = function.as_inst(data.operands[0]);
    }
    filled.len() as u64 >= length
}

fn vector_length(function: &Function, vector: ValueId) -> Option<u64> {
    match function.type_of(vector) {
        Type::Vector { length: VectorLength::Fixed(length), .. } => Some(u64::from(*length)),
        _ => None,
    }
}
