//! What the analysis needs to know of a function whatever it is called with: uses, loops, trip counts.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use cranelift_entity::EntitySet;
use rustc_hash::FxHashMap;

use super::tbaa;
use super::tree::{Limits, TypeTree};
use crate::loops::{ControlFlow, DominatorTree, Loop, LoopId, LoopNest, PostDominatorTree};
use crate::model::{
    BlockId, CastOp, ConstantId, ConstantKind, DataLayout, Function, GlobalId, Inst, InstId, IntBinaryOp,
    IntPredicate, MetadataId, Opcode, SecondaryMap, Uses, ValueDefinition, ValueId,
};

/// Facts about one function.
pub(super) struct FunctionFacts {
    pub(super) layout: DataLayout,
    pub(super) uses: Uses,
    pub(super) flow: ControlFlow,
    pub(super) dominators: DominatorTree,
    pub(super) post_dominators: PostDominatorTree,
    pub(super) nest: LoopNest,
    /// How often each loop goes back to its header, where that is a constant.
    repetitions: FxHashMap<LoopId, u64>,
    /// Position of each instruction in the text.
    pub(super) order: SecondaryMap<InstId, u32>,
    /// Blocks from which every way ends where the program cannot be.
    pub(super) doomed: EntitySet<BlockId>,
    /// Constants that are addresses in globals.
    pub(super) addresses: FxHashMap<ValueId, Address>,
    /// The values that are addresses in each global, and the one that is its own address, if there are any.
    pub(super) addresses_in: FxHashMap<GlobalId, Vec<ValueId>>,
    pub(super) global_values: FxHashMap<GlobalId, ValueId>,
    /// What is known of values and globals before anything is said of a context, once it was asked for.
    pub(super) initial_trees: OnceCell<Vec<TypeTree>>,
    /// What each TBAA tag says of the memory that is accessed, once it was asked for.
    tagged: RefCell<FxHashMap<MetadataId, Option<TypeTree>>>,
    /// The loops that count a value, once they were asked for.
    counted_by: RefCell<FxHashMap<ValueId, Rc<[BlockId]>>>,
}

/// How far trip counts are followed. Larger ones make no difference, as offsets end before.
const MOST_REPETITIONS: u64 = 4096;

/// An induction variable: its value in the first pass of its loop, and what each pass adds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Induction {
    pub(super) start: i64,
    pub(super) step: i64,
}

/// An address in a global, as a constant: so many bytes behind its start.
#[derive(Clone, Copy, Debug)]
pub(super) struct Address {
    pub(super) global: GlobalId,
    pub(super) offset: i64,
    /// The size of what is there, when the address is one of a part of the global.
    pub(super) part: Option<u64>,
}

impl FunctionFacts {
    pub(super) fn of(function: &Function) -> Self {
        let flow = ControlFlow::of(function);
        let dominators = DominatorTree::of(&flow);
        let post_dominators = PostDominatorTree::of(&flow);
        let nest = LoopNest::of(&flow, &dominators);
        let mut order = SecondaryMap::new();
        for (inst, position) in function.insts_in_order().zip(0..) {
            order[inst] = position;
        }
        let mut facts = Self {
            layout: DataLayout::of(&function.context),
            uses: Uses::of(function),
            flow,
            dominators,
            post_dominators,
            nest,
            repetitions: FxHashMap::default(),
            order,
            doomed: doomed(function),
            addresses: FxHashMap::default(),
            addresses_in: FxHashMap::default(),
            global_values: FxHashMap::default(),
            initial_trees: OnceCell::new(),
            tagged: RefCell::default(),
            counted_by: RefCell::default(),
        };
        facts.find_addresses(function);
        facts.count_repetitions(function);
        facts
    }

    /// What type-based alias information says of the memory that an instruction accesses; see [`tbaa::accessed`].
    pub(super) fn accessed(&self, function: &Function, inst: &Inst, limits: Limits) -> Option<TypeTree> {
        let read = || tbaa::accessed(&function.context, inst, self.layout.pointer_size(0), limits);
        let node = |kind: &str| inst.metadata.iter().find(|(name, _)| name == kind).map(|(_, node)| *node);
        match (node("tbaa"), node("tbaa.struct")) {
            (None, None) => None,
            (Some(tag), None) => self.tagged.borrow_mut().entry(tag).or_insert_with(read).clone(),
            (_, Some(_)) => read(),
        }
    }

    /// How often the loop goes back to its header, if that is a constant (cut off at some thousands).
    pub(super) fn repetitions(&self, id: LoopId) -> Option<u64> {
        self.repetitions.get(&id).copied()
    }

    /// Whether a loop is left from its last block (`do … while`), so that its body sees every value of an induction
    /// variable that the header sees.
    pub(super) fn is_left_at_the_end(&self, id: LoopId) -> bool {
        let data = &self.nest.loops[id];
        let mut latches = self.flow.predecessors(data.header).iter().filter(|from| data.contains(**from));
        let (Some(&latch), None) = (latches.next(), latches.next()) else { return false };
        self.flow.successors(latch).iter().any(|to| !data.contains(*to))
    }

    /// The induction variable that a phi at the head of a loop is, when it starts with a constant and a constant is
    /// added in each pass.
    pub(super) fn induction(&self, function: &Function, phi: InstId) -> Option<(LoopId, Induction)> {
        let data = &function.insts[phi];
        let id = self.nest.with_header(data.block)?;
        let around = &self.nest.loops[id];
        let (mut start, mut step) = (None, None);
        for (value, from) in data.incoming() {
            if around.contains(from) {
                let added = step_of(function, value, data.result?)?;
                if step.replace(added).is_some_and(|other| other != added) {
                    return None;
                }
            } else {
                let number = constant(function, value)?;
                if start.replace(number).is_some_and(|other| other != number) {
                    return None;
                }
            }
        }
        Some((id, Induction { start: start?, step: step? }))
    }

    fn count_repetitions(&mut self, function: &Function) {
        let counts: Vec<(LoopId, u64)> = self
            .nest
            .loops
            .iter()
            .filter_map(|(id, around)| self.repetitions_of(function, id, around).map(|count| (id, count)))
            .collect();
        self.repetitions.extend(counts);
    }

    /// The first pass, counted from 0, in which an exit of the loop is taken; every exit must be understood.
    fn repetitions_of(&self, function: &Function, id: LoopId, around: &Loop) -> Option<u64> {
        let mut fewest: Option<u64> = None;
        for &block in self.flow.reverse_post_order().iter().filter(|block| around.contains(**block)) {
            let inside = |to: &BlockId| around.contains(*to);
            let exits = self.flow.successors(block).iter().any(|to| !inside(to));
            if !exits {
                continue;
            }
            let terminator = function.terminator(block)?;
            let data = &function.insts[terminator];
            let Opcode::ConditionalBranch { then_block, .. } = data.opcode else { return None };
            // Only an exit that is tested in every pass says how many there are.
            let tested_always = self
                .flow
                .predecessors(around.header)
                .iter()
                .filter(|from| inside(from))
                .all(|&latch| self.dominators.dominates(block, latch));
            if !tested_always || self.nest.innermost(block) != Some(id) {
                return None;
            }
            let stays_when = inside(&then_block);
            let count = self.first_exit(function, id, data.operands[0], stays_when)?;
            fewest = Some(fewest.map_or(count, |other| other.min(count)));
        }
        fewest
    }

    /// The first pass in which a condition is not what keeps the loop going.
    fn first_exit(
        &self,
        function: &Function,
        id: LoopId,
        condition: ValueId,
        stays_when: bool,
    ) -> Option<u64> {
        let compare = &function.insts[function.as_inst(condition)?];
        let Opcode::IntCompare { predicate, .. } = compare.opcode else { return None };
        let bits = match function.type_of(compare.operands[0]) {
            crate::model::Type::Integer { bits } if *bits <= 64 => *bits,
            _ => return None,
        };
        let left = self.evolution(function, id, compare.operands[0], 0)?;
        let right = self.evolution(function, id, compare.operands[1], 0)?;
        if left.step == 0 && right.step == 0 {
            return None;
        }
        (0..=MOST_REPETITIONS)
            .find(|&pass| {
                let at = |value: Induction| {
                    wrapped(value.start.wrapping_add(value.step.wrapping_mul(pass as i64)), bits)
                };
                compares(predicate, at(left), at(right), bits) != stays_when
            })
            .or(Some(MOST_REPETITIONS))
    }

    /// How a value changes from pass to pass of a loop: a constant, an induction variable, or one of these plus a
    /// constant, widened or narrowed.
    fn evolution(&self, function: &Function, id: LoopId, value: ValueId, depth: usize) -> Option<Induction> {
        if let Some(start) = constant(function, value) {
            return Some(Induction { start, step: 0 });
        }
        let inst = function.as_inst(value).filter(|_| depth < 8)?;
        let data = &function.insts[inst];
        let operand = |index: usize| self.evolution(function, id, data.operands[index], depth + 1);
        match &data.opcode {
            Opcode::Phi { .. } => {
                self.induction(function, inst).filter(|(of, _)| *of == id).map(|(_, found)| found)
            }
            Opcode::IntBinary { op: IntBinaryOp::Add, .. } => {
                let (left, right) = (operand(0)?, operand(1)?);
                Some(Induction {
                    start: left.start.wrapping_add(right.start),
                    step: left.step.wrapping_add(right.step),
                })
            }
            Opcode::IntBinary { op: IntBinaryOp::Subtract, .. } => {
                let (left, right) = (operand(0)?, operand(1)?);
                Some(Induction {
                    start: left.start.wrapping_sub(right.start),
                    step: left.step.wrapping_sub(right.step),
                })
            }
            Opcode::Cast { op: CastOp::ZeroExtend | CastOp::SignExtend | CastOp::Truncate, .. } => operand(0),
            _ => None,
        }
    }

    fn find_addresses(&mut self, function: &Function) {
        for (value, data) in &function.values {
            if let ValueDefinition::Global(global) = data.definition {
                self.global_values.insert(global, value);
            }
            if let ValueDefinition::Constant(constant) = data.definition
                && matches!(function.context.constant(constant).kind, ConstantKind::Expression(_))
                && let Some(address) = self.address_of(function, constant, 0)
            {
                self.addresses.insert(value, address);
                self.addresses_in.entry(address.global).or_default().push(value);
            }
        }
    }

    fn address_of(&self, function: &Function, constant: ConstantId, depth: usize) -> Option<Address> {
        let context = &function.context;
        match &context.constant(constant).kind {
            ConstantKind::Global(global) => Some(Address { global: *global, offset: 0, part: None }),
            ConstantKind::Expression(expression) if depth < 16 => match &expression.opcode {
                Opcode::Cast { .. } => self.address_of(function, expression.operands[0], depth + 1),
                Opcode::GetElementPointer { source, .. } => {
                    let base = self.address_of(function, expression.operands[0], depth + 1)?;
                    let indices = &expression.operands[1..];
                    let (offset, element) = self.layout.constant_element_offset(context, *source, indices)?;
                    let first_is_zero = indices.first().is_some_and(|&index| context.is_zero(index));
                    let part = first_is_zero.then(|| self.layout.allocation_size(context, element));
                    Some(Address { global: base.global, offset: base.offset.checked_add(offset)?, part })
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The loops at whose heads the phis stand that a value is computed from, by arithmetic and conversions alone.
    pub(super) fn loops_counted_by(&self, function: &Function, value: ValueId) -> Rc<[BlockId]> {
        if let Some(known) = self.counted_by.borrow().get(&value) {
            return Rc::clone(known);
        }
        let found: Rc<[BlockId]> = self.find_loops_counted_by(function, value).into();
        self.counted_by.borrow_mut().insert(value, Rc::clone(&found));
        found
    }

    fn find_loops_counted_by(&self, function: &Function, value: ValueId) -> Vec<BlockId> {
        let mut headers = Vec::new();
        let mut pending = vec![value];
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some(value) = pending.pop() {
            let Some(inst) = function.as_inst(value).filter(|inst| seen.insert(*inst)) else { continue };
            let data = &function.insts[inst];
            match &data.opcode {
                Opcode::Phi { .. } if self.nest.with_header(data.block).is_some() => headers.push(data.block),
                Opcode::Phi { .. } | Opcode::IntBinary { .. } | Opcode::Cast { .. } => {
                    pending.extend(&data.operands)
                }
                Opcode::Load { .. } => pending.extend(self.only_store(function, inst)),
                _ => {}
            }
        }
        headers.sort_unstable();
        headers.dedup();
        headers
    }

    /// For a load from a frame variable that is stored to in one place only, and read otherwise: the value stored, if
    /// that is before the load.
    pub(super) fn only_store(&self, function: &Function, load: InstId) -> Option<ValueId> {
        let variable = function.insts[load].operands[0];
        let alloca = function.as_inst(variable)?;
        if !matches!(function.insts[alloca].opcode, Opcode::Alloca { .. }) {
            return None;
        }
        let mut store = None;
        for &user in self.uses.of_value(variable) {
            let data = &function.insts[user];
            match &data.opcode {
                Opcode::Store { .. } if data.operands[0] != variable => {
                    if store.replace(user).is_some() {
                        return None;
                    }
                }
                Opcode::Load { .. } => {}
                // What nothing uses does nothing.
                Opcode::Cast { .. } if data.result.is_some_and(|result| self.uses.is_unused(result)) => {}
                Opcode::Call(_) => {
                    let name = function.callee_name(user).unwrap_or_default();
                    let harmless = name.starts_with("llvm.lifetime.") || name.starts_with("llvm.dbg.");
                    // The bounds that OpenMP's run-time hands out lie within those that were stored.
                    if !harmless && !name.starts_with("__kmpc_for_static_init_") {
                        return None;
                    }
                }
                _ => return None,
            }
        }
        let store = store?;
        let before = function.insts[store].block == function.insts[load].block
            && self.order[store] < self.order[load]
            || self.dominators.strictly_dominates(function.insts[store].block, function.insts[load].block);
        before.then_some(function.insts[store].operands[0])
    }
}

/// Blocks that end in `unreachable`, or from which all ways lead into such blocks.
fn doomed(function: &Function) -> EntitySet<BlockId> {
    let mut doomed = EntitySet::new();
    let predecessors = function.predecessors();
    let mut pending: Vec<BlockId> = function.blocks.keys().collect();
    while let Some(block) = pending.pop() {
        let Some(terminator) = function.terminator(block).filter(|_| !doomed.contains(block)) else {
            continue;
        };
        let successors = function.successors(block);
        let lost = match function.insts[terminator].opcode {
            Opcode::Unreachable => true,
            _ => !successors.is_empty() && successors.iter().all(|&to| doomed.contains(to)),
        };
        if lost {
            doomed.insert(block);
            pending.extend(&predecessors[block]);
        }
    }
    doomed
}

/// What is added to a phi to make this value; `None` when it is not the phi plus a constant.
fn step_of(function: &Function, value: ValueId, phi: ValueId) -> Option<i64> {
    let data = &function.insts[function.as_inst(value)?];
    match data.opcode {
        Opcode::IntBinary { op: IntBinaryOp::Add, .. } => match data.operands[..] {
            [left, right] if left == phi => constant(function, right),
            [left, right] if right == phi => constant(function, left),
            _ => None,
        },
        Opcode::IntBinary { op: IntBinaryOp::Subtract, .. } if data.operands[0] == phi => {
            constant(function, data.operands[1])?.checked_neg()
        }
        _ => None,
    }
}

/// The number that a constant integer is, read as signed.
pub(super) fn constant(function: &Function, value: ValueId) -> Option<i64> {
    match function.as_constant(value)? {
        ConstantKind::Integer(number) => number.as_i64(),
        _ => None,
    }
}

fn wrapped(value: i64, bits: u32) -> i64 {
    let unused = 64 - bits;
    (value << unused) >> unused
}

fn compares(predicate: IntPredicate, left: i64, right: i64, bits: u32) -> bool {
    let unsigned = |value: i64| if bits == 64 { value as u64 } else { value as u64 & ((1 << bits) - 1) };
    match predicate {
        IntPredicate::Equal => left == right,
        IntPredicate::NotEqual => left != right,
        IntPredicate::UnsignedGreater => unsigned(left) > unsigned(right),
        IntPredicate::UnsignedGreaterOrEqual => unsigned(left) >= unsigned(right),
        IntPredicate::UnsignedLess => unsigned(left) < unsigned(right),
        IntPredicate::UnsignedLessOrEqual => unsigned(left) <= unsigned(right),
        IntPredicate::SignedGreater => left > right,
        IntPredicate::SignedGreaterOrEqual => left >= right,
        IntPredicate::SignedLess => left < right,
        IntPredicate::SignedLessOrEqual => left <= right,
    }
}
