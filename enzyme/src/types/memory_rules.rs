//! Rules of the instructions that touch memory or compute addresses.

use std::collections::BTreeSet;

use super::analyser::StrictAliasing;
use super::kind::{Addresses, Kind};
use super::local::Local;
use super::reasons::Because;
use super::tree::{EVERY, TypeTree};
use crate::model::{
    AtomicOp, ConstantKind, ElementOffset, GlobalKind, InstId, IntBinaryOp, Opcode, TypeId, ValueDefinition,
    ValueId,
};

/// How many offsets of one address computation are looked at.
const MOST_OFFSETS: usize = 4096;

impl Local<'_> {
    pub(super) fn alloca(&mut self, inst: InstId, allocated: TypeId) {
        let data = &self.function.insts[inst];
        let (Some(result), count) = (data.result, data.operands[0]) else { return };
        self.learn_kind(count, Kind::Integer, Because::new(inst, "the number of elements"));
        let mut memory = TypeTree::unknown();
        if let Some(count) =
            super::facts::constant(self.function, count).and_then(|count| u64::try_from(count).ok())
        {
            let size = self.facts.layout.allocation_size(&self.function.context, allocated);
            memory = self.loaded(&self.tree(result), count.saturating_mul(size));
        }
        self.learn(
            result,
            TypeTree::pointer_to(&memory, self.limits()),
            Because::new(inst, "new frame memory"),
        );
    }

    pub(super) fn load(&mut self, inst: InstId) {
        let data = &self.function.insts[inst];
        let (Some(result), pointer) = (data.result, data.operands[0]) else { return };
        // An empty structure has no bytes that could say anything.
        let size = self.size(result);
        let value = self.window(&self.shown(result).without_anything(), 0, Some(size), 0);
        let memory = TypeTree::pointer_to(&value, self.limits());
        self.learn(pointer, memory, Because::new(inst, "what is loaded from it is used as such"));
        let loaded = self.loaded(&self.tree(pointer), size);
        self.learn(result, loaded, Because::new(inst, "the memory it is loaded from holds such"));
    }

    pub(super) fn store(&mut self, inst: InstId) {
        let data = &self.function.insts[inst];
        let [value, pointer] = data.operands[..] else { return };
        // rustc writes the alignment of a type where a pointer to nothing is wanted.
        if self.options.rust_types == super::analyser::RustTypes::Yes
            && let Opcode::Store { access } = &data.opcode
            && let Some(ConstantKind::Integer(number)) = self.function.as_constant(value)
            && number.as_u64().is_some_and(|number| access.alignment == Some(number))
        {
            return;
        }
        let size = self.size(value);
        let stored =
            self.window(&self.shown(value).without_anything(), 0, Some(size), 0).at_zero(self.limits());
        let memory = TypeTree::pointer_to(&stored, self.limits());
        self.learn(pointer, memory, Because::new(inst, "such is stored to it"));
        let held = self.loaded(&self.tree(pointer).without_anything(), size);
        self.learn(value, held, Because::new(inst, "the memory it is stored to holds such"));
    }

    pub(super) fn element_pointer(&mut self, inst: InstId, source: TypeId, in_bounds: bool) {
        let data = &self.function.insts[inst];
        let Some(result) = data.result else { return };
        let (pointer, indices) = (data.operands[0], &data.operands[1..]);
        let of_null = Because::new(inst, "a number written as an address");
        match self.function.as_constant(pointer) {
            Some(ConstantKind::Undef | ConstantKind::Poison) => {
                self.learn_kind(result, Kind::Anything, of_null);
                return;
            }
            Some(ConstantKind::Null) if self.counts_from_null(indices) => {
                self.learn_kind(result, Kind::Integer, of_null);
                return;
            }
            _ => {}
        }
        if indices.is_empty() {
            self.same(inst, pointer, "the same address");
            return;
        }
        let is_pointer = |value: ValueId| self.tree(value).first_kind() == Some(Kind::Pointer);
        let loosely = self.options.strict_aliasing == StrictAliasing::No;
        if in_bounds || (loosely && is_pointer(pointer) && is_pointer(result)) {
            for &index in indices {
                self.learn_kind(index, Kind::Integer, Because::new(inst, "an index"));
            }
        }
        let integral =
            |index: &ValueId| matches!(self.tree(*index).first_kind(), Some(Kind::Integer | Kind::Anything));
        if !in_bounds && !indices.iter().all(integral) {
            return;
        }
        let of_pointer = self.tree(pointer);
        let because = Because::new(inst, "an address in the same memory");
        let element = self.facts.layout.element_offset(self.function, source, indices);
        if !element.as_ref().is_some_and(|offset| self.leads_into_the_middle(&of_pointer, offset)) {
            self.learn(result, of_pointer.every_offset(), because);
        }
        for (to, from) in [(result, pointer), (pointer, result)] {
            if let Some(kind) = self.tree(from).first_kind() {
                self.learn_kind(to, kind, because);
            }
        }
        let Some(offset) = element else { return };
        let Some(offsets) = self.offsets(inst, &offset) else { return };
        let ahead = of_pointer.first(self.limits());
        let behind = self.tree(result).first(self.limits());
        let (mut down, mut up): (Option<TypeTree>, TypeTree) = (None, TypeTree::unknown());
        for (bytes, first_is_zero) in offsets {
            let size = first_is_zero
                .then(|| self.facts.layout.allocation_size(&self.function.context, offset.element));
            let part = self.window(&ahead, bytes, size, 0);
            match &mut down {
                Some(all) => all.meet(&part),
                None => down = Some(part),
            }
            // Where two offsets disagree, the conflict shows when the pointer learns of both.
            let _ = up.merge(&self.window(&behind, 0, None, bytes), Addresses::AreAddresses, self.limits());
        }
        let down = down.unwrap_or_default();
        self.learn(result, self.everywhere(&down), Because::new(inst, "what lies at this offset"));
        self.learn(
            pointer,
            self.everywhere(&up),
            Because::new(inst, "what lies at this offset is used as such"),
        );
    }

    /// Whether an offset leads into the middle of one of the values that fill memory, so that none begins there.
    fn leads_into_the_middle(&self, pointer: &TypeTree, offset: &ElementOffset) -> bool {
        let filling = pointer.get(&[EVERY, EVERY]).or_else(|| pointer.get(&[0, EVERY]));
        let stride = filling.map_or(1, |kind| kind.stride(self.pointer_size()).max(1));
        offset.variable.is_empty() && !offset.constant.unsigned_abs().is_multiple_of(stride)
    }

    /// Whether an offset from the null pointer is a number in disguise.
    fn counts_from_null(&self, indices: &[ValueId]) -> bool {
        let mut moves = false;
        let all_numbers = indices.iter().all(|&index| match self.function.as_constant(index) {
            Some(ConstantKind::Integer(number)) if !number.is_zero() => {
                moves = true;
                true
            }
            _ => self.tree(index).first_kind() == Some(Kind::Integer),
        });
        moves && all_numbers
    }

    /// The byte offsets that an address computation is known to take, each with whether its first index is zero. `None`
    /// when one of the indices is unknown.
    fn offsets(&mut self, inst: InstId, offset: &ElementOffset) -> Option<Vec<(u64, bool)>> {
        let function = self.function;
        let data = &function.insts[inst];
        let first = data.operands[1];
        let first_is_zero = super::facts::constant(function, first) == Some(0);
        let mut counted_before = None;
        let mut offsets: BTreeSet<(i64, bool)> = [(offset.constant, first_is_zero)].into();
        for &(index, scale) in &offset.variable {
            let numbers: Vec<i64> = self.numbers(index).into_iter().filter(|&number| number >= 0).collect();
            if numbers.is_empty() {
                return None;
            }
            // Two indices that one loop counts go together; each alone does not say where.
            if numbers.len() != 1 {
                let before =
                    counted_before.get_or_insert_with(|| self.loops_of_addresses_before(data.operands[0]));
                let counts = self.facts.loops_counted_by(function, index);
                if counts.iter().any(|header| before.contains(header)) {
                    return None;
                }
            }
            let mut next = BTreeSet::new();
            for &(sum, was_zero) in &offsets {
                for &number in &numbers {
                    let zero = if index == first { number == 0 } else { was_zero };
                    next.insert((sum.checked_add(scale.checked_mul(number)?)?, zero));
                    if next.len() > MOST_OFFSETS {
                        return None;
                    }
                }
            }
            offsets = next;
        }
        Some(
            offsets
                .into_iter()
                .filter_map(|(bytes, zero)| Some((u64::try_from(bytes).ok()?, zero)))
                .collect(),
        )
    }

    /// The heads of the loops that count indices of the addresses that an address is computed from.
    fn loops_of_addresses_before(&self, pointer: ValueId) -> Vec<crate::model::BlockId> {
        let mut headers = Vec::new();
        let mut pointer = pointer;
        for _ in 0..64 {
            let Some(inst) = self.function.as_inst(pointer) else { break };
            let data = &self.function.insts[inst];
            match &data.opcode {
                Opcode::GetElementPointer { .. } => {
                    for &index in &data.operands[1..] {
                        headers.extend(self.facts.loops_counted_by(self.function, index).iter().copied());
                    }
                }
                Opcode::Cast { .. } => {}
                _ => break,
            }
            pointer = data.operands[0];
        }
        headers
    }

    pub(super) fn atomic_update(&mut self, inst: InstId, op: AtomicOp) {
        let data = &self.function.insts[inst];
        let (Some(result), [pointer, operand]) = (data.result, &data.operands[..]) else { return };
        let (pointer, operand) = (*pointer, *operand);
        let size = self.size(operand);
        let memory = self.loaded(&self.tree(pointer), size);
        let because = Because::new(inst, "an atomic update of such memory");
        let arithmetic = match op {
            AtomicOp::Exchange => {
                // What was there comes out, what goes in is there next.
                self.learn_memory(inst, pointer, &self.tree(operand), size);
                self.learn_memory(inst, pointer, &self.tree(result), size);
                let held = self.loaded(&self.tree(pointer), size);
                self.learn(result, held.clone(), because);
                self.learn(operand, held.without_anything(), because);
                return;
            }
            AtomicOp::FloatAdd
            | AtomicOp::FloatSubtract
            | AtomicOp::FloatMax
            | AtomicOp::FloatMin
            | AtomicOp::FloatMaximum
            | AtomicOp::FloatMinimum => {
                if let Some(kind) = self.float_kind(operand) {
                    self.learn_kind(operand, kind, because);
                    self.learn_kind(result, kind, because);
                    self.learn_memory(inst, pointer, &TypeTree::of(kind), size);
                }
                return;
            }
            AtomicOp::Add => IntBinaryOp::Add,
            AtomicOp::Subtract => IntBinaryOp::Subtract,
            AtomicOp::And | AtomicOp::Nand => IntBinaryOp::And,
            AtomicOp::Or => IntBinaryOp::Or,
            AtomicOp::Xor => IntBinaryOp::Xor,
            AtomicOp::Max
            | AtomicOp::Min
            | AtomicOp::UnsignedMax
            | AtomicOp::UnsignedMin
            | AtomicOp::UnsignedIncrementWrap
            | AtomicOp::UnsignedDecrementWrap
            | AtomicOp::UnsignedSubtractConditional
            | AtomicOp::UnsignedSubtractSaturating => {
                self.learn_memory(inst, pointer, &self.tree(result), size);
                self.learn(result, memory, because);
                return;
            }
        };
        let made =
            self.result_of_binary(arithmetic, [pointer, operand], [memory.clone(), self.tree(operand)], size);
        let anything = |tree: &TypeTree| tree.first_kind() == Some(Kind::Anything);
        let made = if anything(&made) && !anything(&memory) { memory } else { made };
        let made = self.settle_integer(result, made);
        self.learn(result, made, because);
        self.learn_memory(inst, pointer, &self.tree(result), size);
    }

    pub(super) fn compare_exchange(&mut self, inst: InstId) {
        let data = &self.function.insts[inst];
        let [pointer, expected, new] = data.operands[..] else { return };
        let size = self.size(new);
        for value in [expected, new] {
            self.learn_memory(inst, pointer, &self.tree(value), size);
        }
        let held = self.loaded(&self.tree(pointer).without_anything(), size);
        let because = Because::new(inst, "it is exchanged with such memory");
        for value in [expected, new] {
            self.learn(value, held.clone(), because);
        }
        if let Some(result) = data.result {
            let mut old = self.window(&held, 0, Some(size), 0);
            let _ = old.add(
                &[i32::try_from(size).unwrap_or(0)],
                Kind::Integer,
                Addresses::AreAddresses,
                self.limits(),
            );
            self.learn(result, old, because);
        }
    }

    /// The memory behind a pointer holds a value like this.
    fn learn_memory(&mut self, inst: InstId, pointer: ValueId, value: &TypeTree, size: u64) {
        let memory = self.window(&value.without_anything(), 0, Some(size), 0);
        self.learn(
            pointer,
            TypeTree::pointer_to(&memory, self.limits()),
            Because::new(inst, "such is kept in it"),
        );
    }

    /// Memory is copied: both sides hold the same in so many bytes.
    pub(super) fn copy(&mut self, inst: InstId, to: ValueId, from: ValueId, size: ValueId) {
        let bytes = self.bytes(size);
        let side = |local: &Self, pointer: ValueId| {
            local.window(&local.tree(pointer).without_anything().first(local.limits()), 0, Some(bytes), 0)
        };
        let because = Because::new(inst, "it is copied from or to such memory");
        for (pointer, other) in [(to, from), (from, to)] {
            let memory = side(self, other);
            self.learn(pointer, TypeTree::pointer_to(&memory, self.limits()), because);
        }
        // What the first has learnt by now the second may not know.
        let memory = side(self, to);
        self.learn(from, TypeTree::pointer_to(&memory, self.limits()), because);
        self.learn_kind(size, Kind::Integer, Because::new(inst, "a number of bytes"));
    }

    /// Whether a value is the address of a global variable of this name.
    pub(super) fn is_global(&self, value: ValueId, name: &str) -> bool {
        match self.function.values[value].definition {
            ValueDefinition::Global(global) => {
                let global = &self.function.context.globals[global];
                global.name == name && matches!(global.kind, GlobalKind::Variable(_))
            }
            _ => false,
        }
    }
}
