//! The memory that the program's global names stand for, and its shadows.

use super::flow::Carries;
use super::forward::{Planner, reaches_memory};
use super::{Reason, Role};
use crate::activity::is_marked_inactive;
use crate::model::{
    CastOp, ConstantId, ConstantKind, Function, GlobalId, GlobalKind, InstId, Opcode, Uses, ValueDefinition,
    ValueId,
};
use rustc_hash::FxHashSet;
use smallvec::{SmallVec, smallvec};

/// Memory that a global names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GlobalMemory {
    /// It may carry derivatives, and has a shadow: its own, or one that the user gives.
    Shadowed,
    /// Nothing in it carries a derivative: the program never writes it. Its shadow is zero throughout.
    Constant,
    /// It may carry derivatives, but is defined elsewhere, and so would be its shadow.
    Elsewhere,
    /// It is said to be inactive.
    Inactive,
    /// No memory at all.
    Function,
}

impl GlobalMemory {
    /// What a global names.
    pub(super) fn of(function: &Function, global: GlobalId) -> GlobalMemory {
        let data = &function.context.globals[global];
        let has_metadata = |name: &str| data.traits.metadata.iter().any(|(kind, _)| kind == name);
        match &data.kind {
            GlobalKind::Variable(variable) => {
                if variable.attributes.has("enzyme_inactive") || has_metadata("enzyme_inactive") {
                    GlobalMemory::Inactive
                } else if has_metadata("enzyme_shadow") {
                    GlobalMemory::Shadowed
                } else if variable.is_constant {
                    match leads_to_shadows(function, global) {
                        LeadsToShadows::Yes => GlobalMemory::Shadowed,
                        LeadsToShadows::No => GlobalMemory::Constant,
                    }
                } else if variable.initializer.is_some() {
                    GlobalMemory::Shadowed
                } else {
                    GlobalMemory::Elsewhere
                }
            }
            GlobalKind::Alias { target } => base_of_constant(function, *target)
                .filter(|&target| target != global)
                .map_or(GlobalMemory::Inactive, |target| GlobalMemory::of(function, target)),
            GlobalKind::Function(_) => GlobalMemory::Function,
            GlobalKind::IndirectFunction { .. } => GlobalMemory::Inactive,
        }
    }
}

/// Whether the addresses in a constant lead to a variable that may be written, or to a function: their shadows are others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LeadsToShadows {
    Yes,
    No,
}

fn leads_to_shadows(function: &Function, constant: GlobalId) -> LeadsToShadows {
    let mut seen = FxHashSet::default();
    let mut pending = vec![constant];
    while let Some(global) = pending.pop() {
        let variable = match &function.context.globals[global].kind {
            GlobalKind::Variable(variable) => variable,
            GlobalKind::Function(_) => return LeadsToShadows::Yes,
            GlobalKind::Alias { .. } | GlobalKind::IndirectFunction { .. } => continue,
        };
        if !variable.is_constant && variable.initializer.is_some() {
            return LeadsToShadows::Yes;
        }
        let contents = variable.initializer.filter(|_| seen.insert(global));
        if let Some(contents) = contents {
            addresses(function, contents, &mut pending);
        }
    }
    LeadsToShadows::No
}

/// The globals whose addresses a constant holds.
fn addresses(function: &Function, constant: ConstantId, found: &mut Vec<GlobalId>) {
    match &function.context.constant(constant).kind {
        ConstantKind::Global(global) => found.push(*global),
        ConstantKind::Aggregate(parts) => {
            for &part in parts {
                addresses(function, part, found);
            }
        }
        ConstantKind::Splat(part) => addresses(function, *part, found),
        ConstantKind::Expression(_) => found.extend(base_of_constant(function, constant)),
        ConstantKind::Integer(_)
        | ConstantKind::Float(_)
        | ConstantKind::Null
        | ConstantKind::Undef
        | ConstantKind::Poison
        | ConstantKind::Zero
        | ConstantKind::NoneToken
        | ConstantKind::Data(_)
        | ConstantKind::BlockAddress { .. }
        | ConstantKind::DsoLocalEquivalent(_)
        | ConstantKind::NoCfi(_)
        | ConstantKind::PointerAuthentication(_) => {}
    }
}

/// The global that a value is an address in, by constant offsets.
pub(super) fn base_global(function: &Function, value: ValueId) -> Option<GlobalId> {
    match function.values[value].definition {
        ValueDefinition::Global(global) => Some(global),
        ValueDefinition::Constant(constant) => base_of_constant(function, constant),
        ValueDefinition::Parameter(_)
        | ValueDefinition::Instruction(_)
        | ValueDefinition::Metadata(_)
        | ValueDefinition::InlineAsm(_) => None,
    }
}

fn base_of_constant(function: &Function, constant: ConstantId) -> Option<GlobalId> {
    match &function.context.constant(constant).kind {
        ConstantKind::Global(global) => Some(*global),
        ConstantKind::Expression(expression) => match &expression.opcode {
            Opcode::GetElementPointer { .. }
            | Opcode::Cast { op: CastOp::Bitcast | CastOp::AddressSpaceCast, .. } => {
                base_of_constant(function, expression.operands[0])
            }
            _ => None,
        },
        _ => None,
    }
}

/// Whether pointers of a function may lead to a variable that is said to be inactive, or to other memory, and go nowhere but
/// to where the function itself reads and writes: then it can find out which, and nobody else has to.
pub fn chooses_inactive_variable(function: &Function) -> bool {
    let is_inactive = |value: &ValueId| {
        base_global(function, *value)
            .is_some_and(|global| GlobalMemory::of(function, global) == GlobalMemory::Inactive)
    };
    let choices = function.insts_in_order().filter(|&inst| {
        let chosen = match function.insts[inst].opcode {
            Opcode::Select { .. } => &function.insts[inst].operands[1..],
            Opcode::Phi { .. } => &function.insts[inst].operands[..],
            _ => return false,
        };
        chosen.iter().any(is_inactive) && !chosen.iter().all(is_inactive)
    });
    let mut pending: Vec<ValueId> = choices.filter_map(|inst| function.insts[inst].result).collect();
    if pending.is_empty() {
        return false;
    }
    let uses = Uses::of(function);
    let mut seen = FxHashSet::default();
    while let Some(pointer) = pending.pop() {
        if !seen.insert(pointer) {
            continue;
        }
        for &user in uses.of_value(pointer) {
            let data = &function.insts[user];
            match data.opcode {
                Opcode::IntCompare { .. } => {}
                // A pointer that is read from an inactive variable is its own shadow, too.
                Opcode::Load { .. } => {
                    pending.extend(
                        data.result.filter(|&value| reaches_memory(function, function.values[value].ty)),
                    );
                }
                Opcode::Store { .. } if data.operands[0] != pointer => {}
                Opcode::GetElementPointer { .. }
                | Opcode::Select { .. }
                | Opcode::Phi { .. }
                | Opcode::Freeze
                | Opcode::Cast { op: CastOp::Bitcast | CastOp::AddressSpaceCast, .. } => {
                    pending.extend(data.result);
                }
                _ => return false,
            }
        }
    }
    true
}

/// Whether a constant is computed from the address of a variable with a shadow, as a number.
pub(super) fn names_variable(function: &Function, constant: ConstantId) -> bool {
    match &function.context.constant(constant).kind {
        ConstantKind::Expression(expression) => match &expression.opcode {
            Opcode::Cast { op: CastOp::PointerToInteger | CastOp::PointerToAddress, .. } => {
                base_of_constant(function, expression.operands[0])
                    .is_some_and(|global| GlobalMemory::of(function, global) == GlobalMemory::Shadowed)
                    || names_variable(function, expression.operands[0])
            }
            _ => expression.operands.iter().any(|&operand| names_variable(function, operand)),
        },
        _ => false,
    }
}

impl Planner<'_> {
    /// Active values that go through a variable that is defined elsewhere have nowhere to leave their derivatives.
    pub(super) fn refuse_elsewhere(&self, inst: InstId, role: &Role) -> Result<(), Reason> {
        let data = &self.function.insts[inst];
        if is_marked_inactive(self.function, inst) {
            return Ok(());
        }
        let operands = data.operands.as_slice();
        let is_active = |value: ValueId| self.context.activity.value(value).is_active();
        let written = |value: ValueId| self.carries[value] == Carries::Derivative;
        let touched: SmallVec<[ValueId; 4]> = match role {
            Role::Load if data.result.is_some_and(is_active) => smallvec![operands[0]],
            Role::Store if written(operands[0]) => smallvec![operands[1]],
            Role::CopyMemory { to, from, .. } if written(operands[*from]) => smallvec![operands[*to]],
            Role::CopyMemory { to, from, .. } if written(operands[*to]) => smallvec![operands[*from]],
            Role::CallDefined(_) if self.context.activity.inst(inst).is_active() => {
                data.arguments().iter().copied().filter(|&argument| is_active(argument)).collect()
            }
            _ => return Ok(()),
        };
        let elsewhere = touched
            .into_iter()
            .filter_map(|pointer| base_global(self.function, self.root(pointer)))
            .find(|&global| GlobalMemory::of(self.function, global) == GlobalMemory::Elsewhere);
        match elsewhere {
            Some(global) => {
                let name = self.function.context.globals[global].name.clone();
                Err(Reason::VariableElsewhere { name })
            }
            None => Ok(()),
        }
    }

    /// The pointer that another was computed from.
    fn root(&self, pointer: ValueId) -> ValueId {
        let mut root = pointer;
        while let Some(inst) = self.function.as_inst(root) {
            let data = &self.function.insts[inst];
            match data.opcode {
                Opcode::GetElementPointer { .. }
                | Opcode::Freeze
                | Opcode::Cast { op: CastOp::Bitcast | CastOp::AddressSpaceCast, .. } => {
                    root = data.operands[0]
                }
                _ => break,
            }
        }
        root
    }
}
