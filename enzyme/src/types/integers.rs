//! Which numbers an integer can be, where they are few: the offsets that indices stand for.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::facts::{FunctionFacts, constant};
use crate::model::{ConstantKind, Function, InstId, IntBinaryOp, Opcode, ValueDefinition, ValueId};

/// Numbers that an integer takes. Empty when nothing is known; not always all of them.
pub type Numbers = BTreeSet<i64>;

/// How many definitions deep numbers are followed.
const DEEPEST: usize = 64;

/// Numbers of the values of one function, found when they are asked for.
pub(super) struct Integers {
    known: FxHashMap<ValueId, Numbers>,
    /// The greatest absolute value that is told from others (`-enzyme-max-int-offset`).
    limit: i64,
}

impl Integers {
    pub(super) fn new(limit: i64) -> Self {
        Self { known: FxHashMap::default(), limit }
    }

    /// The numbers a value takes, given those of the parameters.
    pub(super) fn of(
        &mut self,
        function: &Function,
        facts: &FunctionFacts,
        parameters: &[Numbers],
        value: ValueId,
    ) -> Numbers {
        Query { integers: self, function, facts, parameters }.of(value, 0)
    }
}

struct Query<'a> {
    integers: &'a mut Integers,
    function: &'a Function,
    facts: &'a FunctionFacts,
    parameters: &'a [Numbers],
}

impl Query<'_> {
    fn of(&mut self, value: ValueId, depth: usize) -> Numbers {
        if let Some(number) = constant(self.function, value) {
            return [number].into();
        }
        match self.function.values[value].definition {
            ValueDefinition::Constant(_) => match self.function.as_constant(value) {
                Some(ConstantKind::Null) => [0].into(),
                _ => Numbers::new(),
            },
            ValueDefinition::Parameter(index) => {
                self.parameters.get(index as usize).cloned().unwrap_or_default()
            }
            ValueDefinition::Instruction(inst) => {
                if let Some(known) = self.integers.known.get(&value) {
                    return known.clone();
                }
                if depth > DEEPEST {
                    return Numbers::new();
                }
                // A value that depends on itself adds nothing.
                self.integers.known.insert(value, Numbers::new());
                let numbers = self.instruction(inst, depth + 1);
                self.integers.known.insert(value, numbers.clone());
                numbers
            }
            ValueDefinition::Global(_) | ValueDefinition::Metadata(_) | ValueDefinition::InlineAsm(_) => {
                Numbers::new()
            }
        }
    }

    /// Adds a number, unless it is too large and another one is known.
    fn add(&self, numbers: &mut Numbers, number: i64) {
        let limit = self.integers.limit;
        let large = |number: i64| number.saturating_abs() > limit;
        match (numbers.first().copied(), numbers.len()) {
            (None, _) => {
                numbers.insert(number);
            }
            (Some(only), 1) if large(only) => {
                if only.saturating_abs() > number.saturating_abs() {
                    *numbers = [number].into();
                }
            }
            _ if large(number) => {}
            _ => {
                numbers.insert(number);
            }
        }
    }

    fn instruction(&mut self, inst: InstId, depth: usize) -> Numbers {
        let data = &self.function.insts[inst];
        let mut numbers = Numbers::new();
        match &data.opcode {
            Opcode::Cast { .. } | Opcode::Freeze => numbers = self.of(data.operands[0], depth),
            Opcode::Load { .. } => {
                if let Some(stored) = self.facts.only_store(self.function, inst) {
                    for number in self.of(stored, depth) {
                        self.add(&mut numbers, number);
                    }
                }
            }
            Opcode::Phi { .. } => self.phi(inst, depth, &mut numbers),
            Opcode::IntBinary { op, .. } => {
                let left = self.of(data.operands[0], depth);
                let right = self.of(data.operands[1], depth);
                self.binary(*op, &left, &right, &mut numbers);
            }
            Opcode::Call(_) => match self.function.callee_name(inst) {
                Some(name) if name.starts_with("llvm.abs.") => {
                    for number in self.of(data.operands[0], depth) {
                        self.add(&mut numbers, number.saturating_abs());
                    }
                }
                // The first thread is always there.
                Some(name) if is_thread_index(name) => self.add(&mut numbers, 0),
                _ => {}
            },
            _ => {}
        }
        numbers
    }

    fn binary(&self, op: IntBinaryOp, left: &Numbers, right: &Numbers, numbers: &mut Numbers) {
        if op == IntBinaryOp::Multiply && (left.contains(&0) || right.contains(&0)) {
            numbers.insert(0);
        }
        if left.len() != 1 && right.len() != 1 {
            return;
        }
        for &left in left {
            for &right in right {
                let number = match op {
                    IntBinaryOp::Add => left.checked_add(right),
                    IntBinaryOp::Subtract => left.checked_sub(right),
                    IntBinaryOp::Multiply => left.checked_mul(right),
                    IntBinaryOp::SignedDivide => left.checked_div(right),
                    IntBinaryOp::ShiftLeft => u32::try_from(right)
                        .ok()
                        .filter(|&by| by < 63)
                        .and_then(|by| left.checked_mul(1 << by)),
                    IntBinaryOp::ArithmeticShiftRight | IntBinaryOp::LogicalShiftRight if left >= 0 => {
                        u32::try_from(right).ok().and_then(|by| left.checked_shr(by))
                    }
                    _ => None,
                };
                if let Some(number) = number {
                    self.add(numbers, number);
                }
            }
        }
    }

    fn phi(&mut self, inst: InstId, depth: usize, numbers: &mut Numbers) {
        let data = &self.function.insts[inst];
        if let Some((id, induction)) = self.facts.induction(self.function, inst)
            && let Some(repetitions) = self.facts.repetitions(id)
        {
            // A loop that is left at its head shows the last value to the test alone.
            let last =
                if self.facts.is_left_at_the_end(id) { repetitions } else { repetitions.saturating_sub(1) };
            let within = |number: i64| {
                number.saturating_abs() <= self.integers.limit + induction.step.saturating_abs()
            };
            for pass in 0..=last {
                let number = induction.start.saturating_add(induction.step.saturating_mul(pass as i64));
                self.add(numbers, number);
                let leaving = number.signum() == induction.step.signum();
                if leaving && !within(number) {
                    break;
                }
            }
            return;
        }
        for (value, from) in data.incoming() {
            if data.block == from || self.facts.dominators.dominates(data.block, from) {
                continue;
            }
            for number in self.of(value, depth) {
                if number.abs() < 20 {
                    self.add(numbers, number);
                }
            }
        }
    }
}

/// Whether an intrinsic of a graphics processor gives the index of a thread or block.
fn is_thread_index(name: &str) -> bool {
    [
        "llvm.nvvm.read.ptx.sreg.tid.",
        "llvm.nvvm.read.ptx.sreg.ctaid.",
        "llvm.amdgcn.workitem.id.",
        "llvm.amdgcn.workgroup.id.",
    ]
    .iter()
    .any(|prefix| name.starts_with(prefix))
}
