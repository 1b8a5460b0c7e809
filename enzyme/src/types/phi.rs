//! Phis: what all ways into a block agree on.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;

use super::analyser::StrictAliasing;
use super::arithmetic;
use super::kind::Kind;
use super::local::Local;
use super::reasons::Because;
use super::tree::{EVERY, TypeTree};
use crate::model::{ConstantKind, InstId, IntBinaryOp, Opcode, ValueId};

/// How many phis are looked through for the sources of one. What lies behind more of them is taken from their own trees,
/// so that a web of phis does not cost its square.
const MOST_PHIS: usize = 64;

/// Whether the sources of a phi are looked for behind other phis.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Through {
    Phis,
    Nothing,
}

/// Where the values of a phi come from, seen through choices, sums with constants and, perhaps, other phis.
struct Sources {
    values: Vec<ValueId>,
    /// Sums of one of the values, or the phi itself, and a constant.
    sums: Vec<InstId>,
}

impl Local<'_> {
    pub(super) fn phi(&mut self, inst: InstId) {
        self.phi_operands(inst);
        for through in [Through::Phis, Through::Nothing] {
            self.phi_result(inst, through);
        }
    }

    fn phi_operands(&mut self, inst: InstId) {
        let data = &self.function.insts[inst];
        let Some(result) = data.result else { return };
        let mut tree = self.tree(result);
        let first = data.operands[0];
        let same = data.operands.iter().all(|&operand| operand == first);
        if !same {
            tree = tree.without_anything();
            if self.options.strict_aliasing == StrictAliasing::No {
                return;
            }
        }
        let around = self.facts.nest.with_header(data.block);
        let incoming: Vec<_> = data.incoming().collect();
        for (value, from) in incoming {
            let goes_round = around.is_some_and(|id| self.facts.nest.loops[id].contains(from));
            if !goes_round {
                self.learn(
                    value,
                    tree.clone(),
                    Because::new(inst, "what the phi makes of it is used as such"),
                );
            }
        }
    }

    fn sources(&self, inst: InstId, through: Through) -> Sources {
        let function = self.function;
        let mut sources = Sources { values: Vec::new(), sums: Vec::new() };
        let data = &function.insts[inst];
        let mut seen: FxHashSet<ValueId> = data.result.into_iter().collect();
        let mut pending: VecDeque<ValueId> = data.operands.iter().copied().collect();
        let mut phis = 0;
        let is_constant = |value: ValueId| function.as_constant(value).is_some();
        while let Some(mut value) = pending.pop_front() {
            if let Some(sum) = function.as_inst(value)
                && let Opcode::IntBinary { op: IntBinaryOp::Add, .. } = function.insts[sum].opcode
            {
                let [left, right] = function.insts[sum].operands[..] else { continue };
                if is_constant(left) {
                    sources.sums.push(sum);
                    value = right;
                } else if is_constant(right) {
                    sources.sums.push(sum);
                    value = left;
                }
            }
            if !seen.insert(value) {
                continue;
            }
            match function.as_inst(value).map(|inst| &function.insts[inst]) {
                Some(data)
                    if matches!(data.opcode, Opcode::Phi { .. })
                        && through == Through::Phis
                        && phis < MOST_PHIS =>
                {
                    phis += 1;
                    pending.extend(&data.operands);
                }
                Some(data) if matches!(data.opcode, Opcode::Select { .. }) => {
                    pending.extend(&data.operands[1..])
                }
                _ => sources.values.push(value),
            }
        }
        sources
    }

    fn phi_result(&mut self, inst: InstId, through: Through) {
        let Some(result) = self.function.insts[inst].result else { return };
        let sources = self.sources(inst, through);
        let mut all = self.recurrence(result, &sources.values).unwrap_or_else(|| {
            let mut trees = sources.values.iter().map(|&value| self.tree(value));
            let first = trees.next().unwrap_or_default();
            trees.fold(first, |mut all, tree| {
                all.meet(&tree);
                all
            })
        });
        if !sources.sums.is_empty()
            && let [only] = sources.values[..]
            && let Some(ConstantKind::Integer(number)) = self.function.as_constant(only)
            && number.as_u64().is_some_and(|number| number <= 1)
        {
            // Counting from zero or one.
            all = TypeTree::of(Kind::Integer);
        }
        for &sum in &sources.sums {
            let kind = |index: usize| {
                let operand = self.function.insts[sum].operands[index];
                match self.function.as_constant(operand) {
                    Some(_) => self.tree(operand).first_kind(),
                    None => all.first_kind(),
                }
            };
            let kind = arithmetic::result(IntBinaryOp::Add, kind(0), kind(1));
            all.meet(&kind.map(TypeTree::of).unwrap_or_default());
        }
        let all = self.settle_integer(result, all);
        self.learn(result, all, Because::new(inst, "all ways into the block agree"));
    }

    /// For a phi of some start and a sum or product of itself: what the start is, if the operation keeps it so.
    fn recurrence(&self, phi: ValueId, values: &[ValueId]) -> Option<TypeTree> {
        let [first, second] = *values else { return None };
        for (step, start) in [(first, second), (second, first)] {
            let Some(data) = self.function.as_inst(step).map(|inst| &self.function.insts[inst]) else {
                continue;
            };
            let Opcode::IntBinary { op, .. } = data.opcode else { continue };
            let kind = match self.function.as_constant(start) {
                Some(_) => Some(Kind::Integer),
                None => self.tree(start).first_kind(),
            };
            let [left, right] = data.operands[..] else { continue };
            let made = match op {
                IntBinaryOp::Add | IntBinaryOp::Multiply if left == phi => {
                    arithmetic::result(op, kind, self.tree(right).first_kind())
                }
                IntBinaryOp::Add | IntBinaryOp::Multiply if right == phi => {
                    arithmetic::result(op, self.tree(left).first_kind(), kind)
                }
                IntBinaryOp::Subtract if left == phi => kind,
                _ => continue,
            };
            return Some(made.map(|kind| TypeTree::root(kind).at(EVERY, self.limits())).unwrap_or_default());
        }
        None
    }
}
