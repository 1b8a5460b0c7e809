//! Of the values that can carry a derivative, those that a derivative is wanted of.
//!
//! [`flow`](super::flow) says what *can* carry one; activity analysis what *matters*. A float that does not matter has the
//! tangent zero wherever it goes. A pointer that does not matter may still be handed to where a shadow is looked for (a
//! field of a struct beside active ones, one of the ways into a join): it keeps its shadow there.

use super::flow::{Carries, holds};
use super::library_call::may_free;
use super::{Context, Role};
use crate::model::{Function, InstId, SecondaryMap, Type, Uses, ValueDefinition, ValueId};
use rustc_hash::FxHashSet;

/// Takes what is carried away from the values whose derivative nobody asks for.
pub(super) fn keep_wanted(
    function: &Function,
    roles: &SecondaryMap<InstId, Role>,
    context: &Context<'_>,
    carries: &mut SecondaryMap<ValueId, Carries>,
) {
    let wanted = Search { function, roles, context, carries, uses: Uses::of(function) }.run();
    for value in function.values.keys() {
        let drop = match carries[value] {
            Carries::Nothing | Carries::MemoryBits | Carries::Address => false,
            Carries::Derivative => !wanted[value],
            // What became of bits is of no interest where nothing that matters is made of it.
            Carries::Lost => {
                !context.activity.value(value).is_active() && !function.type_of(value).is_pointer()
            }
        };
        if drop {
            carries[value] = Carries::Nothing;
        }
    }
}

struct Search<'a> {
    function: &'a Function,
    roles: &'a SecondaryMap<InstId, Role>,
    context: &'a Context<'a>,
    carries: &'a SecondaryMap<ValueId, Carries>,
    uses: Uses,
}

impl Search<'_> {
    fn run(&self) -> SecondaryMap<ValueId, bool> {
        let mut wanted = SecondaryMap::with_capacity(self.function.values.len());
        let mut pending: Vec<ValueId> =
            self.function.values.keys().filter(|&value| self.matters(value)).collect();
        // A call may do something to variables, whatever goes in.
        for inst in self.function.insts_in_order().filter(|&inst| self.is_active_call(inst)) {
            pending.extend(self.reached_by(inst));
        }
        loop {
            self.follow(&mut wanted, pending);
            // A shadow is freed where the program frees what it is the shadow of.
            pending = self.freed(&wanted);
            if pending.is_empty() {
                return wanted;
            }
        }
    }

    /// Adds what is needed for what is wanted.
    fn follow(&self, wanted: &mut SecondaryMap<ValueId, bool>, mut pending: Vec<ValueId>) {
        while let Some(value) = pending.pop() {
            if std::mem::replace(&mut wanted[value], true) {
                continue;
            }
            pending.extend(self.function.as_inst(value).into_iter().flat_map(|inst| self.reached_by(inst)));
            for &user in self.uses.of_value(value) {
                if self.hands_on(user, value) {
                    pending.extend(self.reached_by(user));
                }
                // What is moved is freed where the program frees what it became.
                if matches!(self.roles[user], Role::Reallocate { .. }) {
                    pending.extend(self.function.insts[user].result);
                }
            }
        }
    }

    /// The pointers that are freed, whose shadow is nowhere asked for, but is there since where they come from has one.
    fn freed(&self, wanted: &SecondaryMap<ValueId, bool>) -> Vec<ValueId> {
        let function = self.function;
        let mut found = Vec::new();
        for inst in function.insts_in_order() {
            let data = &function.insts[inst];
            match &self.roles[inst] {
                Role::Free(pointer) | Role::Reallocate { pointer, .. } => found.push(data.operands[*pointer]),
                Role::CallDefined(callee) => {
                    let name = &function.context.globals[*callee].name;
                    if data.arguments().iter().any(|&argument| function.type_of(argument).is_pointer())
                        && may_free(self.context.memory.program(), name)
                    {
                        found.extend_from_slice(data.arguments());
                    }
                }
                _ => {}
            }
        }
        found.retain(|&value| {
            self.carries[value] == Carries::Derivative
                && !wanted[value]
                && self.comes_from_wanted(wanted, value)
        });
        found
    }

    /// Whether a pointer is, or is read from, something that has a shadow.
    fn comes_from_wanted(&self, wanted: &SecondaryMap<ValueId, bool>, pointer: ValueId) -> bool {
        let mut seen = FxHashSet::default();
        let mut pending = vec![pointer];
        while let Some(value) = pending.pop() {
            if wanted[value] {
                return true;
            }
            let Some(inst) = self.function.as_inst(value).filter(|_| seen.insert(value)) else { continue };
            let operands = &self.function.insts[inst].operands;
            match &self.roles[inst] {
                Role::Move(moved) => pending.extend(moved.iter().map(|&index| operands[index])),
                Role::Displace(from) | Role::Follow(from) => pending.push(operands[*from]),
                Role::Load | Role::AtomicUpdate(_) => pending.push(operands[0]),
                Role::LoadElements { pointer, .. } | Role::Reallocate { pointer, .. } => {
                    pending.push(operands[*pointer]);
                }
                Role::CallDefined(_) if self.is_active_call(inst) => return true,
                _ => {}
            }
        }
        false
    }

    fn matters(&self, value: ValueId) -> bool {
        let is_parameter = matches!(self.function.values[value].definition, ValueDefinition::Parameter(_));
        self.carries[value] == Carries::Derivative
            && (is_parameter || self.context.activity.value(value).is_active())
    }

    fn is_active_call(&self, inst: InstId) -> bool {
        matches!(self.roles[inst], Role::CallDefined(_) | Role::CallRuled(_) | Role::CallIndirect)
            && self.context.activity.inst(inst).is_active()
    }

    /// Whether an instruction is done over shadows, too, because this operand has one.
    fn hands_on(&self, inst: InstId, operand: ValueId) -> bool {
        let operands = self.function.insts[inst].operands.as_slice();
        match &self.roles[inst] {
            Role::Store => operands[1] == operand,
            Role::StoreElements { pointer, .. } => operands[*pointer] == operand,
            Role::AtomicUpdate(_) | Role::CompareExchange => operands[0] == operand,
            Role::CopyMemory { to, .. } => operands[*to] == operand,
            Role::CallDefined(_) | Role::CallRuled(_) | Role::CallIndirect => true,
            Role::Inactive
            | Role::Scalar(_)
            | Role::Move(_)
            | Role::SumElements
            | Role::Alloca
            | Role::Load
            | Role::LoadElements { .. }
            | Role::Bits(_)
            | Role::Displace(_)
            | Role::Follow(_)
            | Role::FillMemory { .. }
            | Role::Overwrite { .. }
            | Role::Allocate(_)
            | Role::AllocateThrough { .. }
            | Role::Reallocate { .. }
            | Role::Free(_)
            | Role::CallUnknown(_)
            | Role::Unsupported(_)
            | Role::Return => false,
        }
    }

    /// The operands whose shadows an instruction takes when it is done over shadows.
    fn reached_by(&self, inst: InstId) -> impl Iterator<Item = ValueId> + '_ {
        let operands = self.function.insts[inst].operands.iter().copied();
        let may_go_without = matches!(self.roles[inst], Role::CallDefined(_));
        operands.filter(move |&value| {
            self.carries[value] == Carries::Derivative
                && !self.is_of_floats(self.function.values[value].ty)
                && !(may_go_without && self.leads_to_constants(value))
        })
    }

    /// Whether a pointer was read from memory and leads to nothing active: its shadow may never have been written there,
    /// as by a call that stored the addresses of constants.
    fn leads_to_constants(&self, pointer: ValueId) -> bool {
        let mut seen = FxHashSet::default();
        let mut pending = vec![pointer];
        while let Some(value) = pending.pop() {
            if self.context.activity.value(value).is_active() {
                return false;
            }
            let Some(inst) = self.function.as_inst(value) else { continue };
            if !seen.insert(value) {
                continue;
            }
            let operands = &self.function.insts[inst].operands;
            match &self.roles[inst] {
                Role::Load | Role::Follow(_) => return true,
                Role::Move(moved) => pending.extend(moved.iter().map(|&index| operands[index])),
                Role::Displace(from) => pending.push(operands[*from]),
                _ => {}
            }
        }
        false
    }

    /// Whether a value of the type holds floats alone: where it has no tangent, zero will do.
    fn is_of_floats(&self, ty: crate::model::TypeId) -> bool {
        !holds(self.function, ty, &|scalar: &Type| !scalar.is_float())
    }
}
