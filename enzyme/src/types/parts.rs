//! Rules of the instructions that take vectors, arrays and structures apart and put them together.

use super::kind::{Addresses, Kind};
use super::local::Local;
use super::reasons::Because;
use super::tree::TypeTree;
use crate::model::{InstId, ShuffleLane, Type, TypeId, ValueId};

impl Local<'_> {
    /// The type of a vector's elements, and their size in bits.
    fn element(&self, vector: ValueId) -> Option<(TypeId, u64)> {
        match self.function.type_of(vector) {
            Type::Vector { element, .. } => {
                Some((*element, self.facts.layout.size_in_bits(&self.function.context, *element)))
            }
            _ => None,
        }
    }

    fn constant_index(&self, index: ValueId) -> Option<u64> {
        super::facts::constant(self.function, index).and_then(|index| u64::try_from(index).ok())
    }

    pub(super) fn extract_element(&mut self, inst: InstId) {
        let data = &self.function.insts[inst];
        let (Some(result), [vector, index]) = (data.result, &data.operands[..]) else { return };
        let (vector, index) = (*vector, *index);
        self.learn_kind(index, Kind::Integer, Because::new(inst, "an index"));
        let Some((_, bits)) = self.element(vector) else { return };
        let size = bits.div_ceil(8);
        let because = Because::new(inst, "an element of a vector");
        match self.constant_index(index) {
            Some(index) => {
                let offset = index * bits / 8;
                self.learn(result, self.window(&self.tree(vector), offset, Some(size), 0), because);
                self.learn(vector, self.window(&self.tree(result), 0, Some(size), offset), because);
            }
            None => {
                let tree = self.tree(vector);
                // Only what holds for each byte holds for an element that is not known.
                let every = tree.iter().filter(|(path, _)| path.first() == Some(&super::tree::EVERY));
                let mut all = TypeTree::unknown();
                for (path, kind) in every {
                    let _ = all.add(path, kind, Addresses::AreAddresses, self.limits());
                }
                self.learn(result, all, because);
            }
        }
    }

    pub(super) fn insert_element(&mut self, inst: InstId) {
        let data = &self.function.insts[inst];
        let (Some(result), [vector, element, index]) = (data.result, &data.operands[..]) else { return };
        let (vector, element, index) = (*vector, *element, *index);
        self.learn_kind(index, Kind::Integer, Because::new(inst, "an index"));
        let because = Because::new(inst, "a vector with an element put in");
        let Some((ty, bits)) = self.element(vector) else { return };
        if matches!(self.function.ty(ty), Type::Integer { bits: 1 }) {
            for value in [result, vector, element] {
                self.learn_kind(value, Kind::Integer, because);
            }
            return;
        }
        let size = bits.div_ceil(8);
        let whole = self.size(result);
        match self.constant_index(index) {
            Some(index) => self.put(inst, result, vector, element, index * size, size),
            None => {
                // Whatever place it takes, all places hold what both sides agree on.
                let inserted = self.tree(element);
                let mut everywhere = TypeTree::unknown();
                for offset in (0..whole).step_by(size.max(1) as usize) {
                    let place = self.window(&inserted, 0, Some(size), offset);
                    // Places do not overlap.
                    let _ = everywhere.merge(&place, Addresses::AreAddresses, self.limits());
                }
                let mut tree = self.tree(vector);
                tree.meet(&everywhere.canonical(whole, self.pointer_size(), self.limits()));
                self.learn(result, tree, because);
            }
        }
    }

    /// A part of a value is replaced, the others stay.
    fn put(&mut self, inst: InstId, result: ValueId, old: ValueId, part: ValueId, offset: u64, size: u64) {
        let whole = self.size(result);
        let limits = self.limits();
        let end = offset + size;
        let rest = self.tree(result).cleared(offset, end, whole, self.pointer_size(), limits);
        self.learn(old, rest, Because::new(inst, "what it becomes is used as such"));
        let part_size = self.size(part);
        let needed = self.window(&self.tree(result), offset, Some(part_size), 0);
        self.learn(part, needed, Because::new(inst, "what it becomes a part of is used as such"));
        let mut made = self.tree(old).cleared(offset, end, whole, self.pointer_size(), limits);
        // The two do not overlap.
        let _ = made.merge(
            &self.window(&self.tree(part), 0, Some(size), offset),
            Addresses::AreAddresses,
            limits,
        );
        self.learn(result, made, Because::new(inst, "its parts are such"));
    }

    pub(super) fn shuffle(&mut self, inst: InstId, mask: &[ShuffleLane]) {
        let data = &self.function.insts[inst];
        let (Some(result), [first, second]) = (data.result, &data.operands[..]) else { return };
        let operands = [*first, *second];
        let Some((_, bits)) = self.element(result) else { return };
        let size = bits.div_ceil(8);
        let length = match self.function.type_of(operands[0]) {
            Type::Vector { length, .. } => u64::from(length.minimum()),
            _ => return,
        };
        let because = Because::new(inst, "elements of vectors, in another order");
        let mut made = TypeTree::unknown();
        for (lane, position) in mask.iter().zip(0_u64..) {
            let to = position * bits / 8;
            let part = match lane {
                None => self.window(&TypeTree::of(Kind::Anything), 0, Some(size), to),
                Some(index) => {
                    let index = u64::from(*index);
                    let operand = operands[usize::from(index >= length)];
                    let from = index % length * bits / 8;
                    self.learn(operand, self.window(&self.tree(result), to, Some(size), from), because);
                    self.window(&self.tree(operand), from, Some(size), to)
                }
            };
            // Lanes of flags share bytes; they are integers all.
            let _ = made.merge(&part, Addresses::AreAddresses, self.limits());
        }
        self.learn(result, made, because);
    }

    pub(super) fn extract_value(&mut self, inst: InstId, indices: &[u32]) {
        let data = &self.function.insts[inst];
        let (Some(result), aggregate) = (data.result, data.operands[0]) else { return };
        // A part of a constant is a constant, known from the start.
        if self.function.constant_part(aggregate, indices).is_some() {
            return;
        }
        let Some((offset, _)) = self.part(aggregate, indices) else { return };
        let size = self.size(result);
        let because = Because::new(inst, "a part of a structure");
        self.learn(result, self.window(&self.tree(aggregate), offset, Some(size), 0), because);
        self.learn(aggregate, self.window(&self.tree(result), 0, Some(size), offset), because);
    }

    pub(super) fn insert_value(&mut self, inst: InstId, indices: &[u32]) {
        let data = &self.function.insts[inst];
        let (Some(result), [aggregate, part]) = (data.result, &data.operands[..]) else { return };
        let (aggregate, part) = (*aggregate, *part);
        let Some((offset, _)) = self.part(aggregate, indices) else { return };
        let size = self.span(aggregate, indices, offset).unwrap_or_else(|| self.size(part));
        self.put(inst, result, aggregate, part, offset, size);
    }

    fn part(&self, aggregate: ValueId, indices: &[u32]) -> Option<(u64, TypeId)> {
        let ty = self.function.values[aggregate].ty;
        self.facts.layout.part_at(&self.function.context, ty, indices.iter().map(|&index| index.into()))
    }

    /// Bytes from the start of a part to that of the next one, or to the end: padding belongs to the part before it.
    fn span(&self, aggregate: ValueId, indices: &[u32], offset: u64) -> Option<u64> {
        for length in (1..=indices.len()).rev() {
            let mut next = indices[..length].to_vec();
            next[length - 1] += 1;
            let container = match length {
                1 => Some((0, self.function.values[aggregate].ty)),
                _ => self.part(aggregate, &indices[..length - 1]),
            }?;
            let count = match self.function.ty(container.1) {
                Type::Array { length, .. } => *length,
                Type::Struct(structure) => structure.body.as_ref()?.fields.len() as u64,
                _ => return None,
            };
            if u64::from(next[length - 1]) < count {
                return Some(self.part(aggregate, &next)?.0 - offset);
            }
        }
        Some(self.size(aggregate) - offset)
    }
}
