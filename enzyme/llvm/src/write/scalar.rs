//! Forward mode: the tangents of what is computed by a rule.

use super::directions::{Directions, Group, Tangents};
use super::emitter::{Emitter, Factor};
use super::forward::Writer;
use crate::error::Error;
use crate::ir::{Instruction, Type, Value};
use enzyme::model::{InstId, ValueId};
use enzyme::plan::{Carries, Results, ScalarCall};
use enzyme::rules::{self, Folder};
use smallvec::SmallVec;

/// The tangents of a rule's results.
pub(super) struct Sums {
    /// The type of the results that are floats.
    pub(super) ty: Option<Type>,
    /// One list a group of directions, with an entry for each result; `None` is zero.
    pub(super) by_group: Vec<Vec<Option<Value>>>,
}

/// A partial derivative, and what it is multiplied with.
struct Product {
    /// The result it is a part of.
    row: usize,
    /// The operand whose tangent it goes with.
    column: usize,
    factor: Factor,
}

impl Writer<'_> {
    /// The tangent of each result: the sum over the operands of partial times tangent.
    pub(super) fn scalar(&mut self, inst: InstId, call: &ScalarCall) -> Result<(), Error> {
        let Some(result) = self.read.model.insts[inst].result else { return Ok(()) };
        let outcome = self.primal.value(result)?;
        let operands =
            call.operands.iter().map(|&operand| self.primal.value(operand)).collect::<Result<Vec<_>, _>>()?;
        let results: Vec<Value> = match call.results {
            Results::Single => vec![outcome],
            Results::Fields => (0..call.function.results().len() as u32)
                .map(|index| self.builder.extract_value(outcome, index))
                .collect(),
        };
        if self.can_wait(inst) {
            let is_active = |column: usize| self.plan.carries[call.operands[column]] == Carries::Derivative;
            let products = self.products(call.function, &operands, &results, outcome.ty(), is_active)?;
            let factors = products.into_iter().map(|product| (product.factor, call.operands[product.column]));
            return self.wait_for_sum(inst, factors.collect());
        }
        let groups = self.groups_of_rule(outcome, &operands, call.results);
        let mut tangents = Vec::with_capacity(operands.len());
        for &operand in &call.operands {
            tangents.push(self.tangent(operand, &groups)?);
        }
        let sums = self.combine(call.function, &operands, &results, &groups, tangents)?;
        if call.results == Results::Fields {
            // A field that no partial reads must not ask for the call: a second part leaves it out.
            let unused = results.iter().filter(|field| field.users().is_empty());
            unused.filter_map(|field| field.as_instruction()).for_each(Instruction::erase);
        }
        let Some(ty) = sums.ty else { return Ok(()) };
        let tangents: Tangents = groups
            .iter()
            .zip(sums.by_group)
            .map(|(group, sums)| match call.results {
                Results::Single => sums[0].unwrap_or_else(|| Value::zero(group.of(ty))),
                Results::Fields => {
                    sums.into_iter().enumerate().fold(Value::zero(outcome.ty()), |whole, (index, sum)| {
                        match sum {
                            Some(sum) => self.builder.insert_value(whole, sum, index as u32),
                            None => whole,
                        }
                    })
                }
            })
            .collect();
        match groups.len() == self.directions.groups(outcome.ty()).len() {
            true => self.set(inst, tangents),
            false => self.set_one_by_one(inst, &tangents),
        }
    }

    /// The groups of directions in which a rule is written: those of the result where the operands have the same.
    fn groups_of_rule(&self, outcome: Value, operands: &[Value], results: Results) -> SmallVec<[Group; 1]> {
        let groups = self.directions.groups(outcome.ty());
        match results {
            Results::Single if operands.iter().all(|&operand| self.has_groups_of(operand, outcome)) => groups,
            Results::Single | Results::Fields => Directions::apart(self.key.width).groups(outcome.ty()),
        }
    }

    /// Whether the tangents of an operand, if it is a float, are held in the same groups as those of a result.
    pub(super) fn has_groups_of(&self, operand: Value, outcome: Value) -> bool {
        let groups = |value: Value| self.directions.groups(value.ty()).len();
        !operand.ty().is_float_or_vector() || groups(operand) == groups(outcome)
    }

    /// The partials of a rule, each a factor of the tangent of an operand that is active.
    fn products(
        &self,
        function: rules::Function,
        operands: &[Value],
        results: &[Value],
        ty: Type,
        is_active: impl Fn(usize) -> bool,
    ) -> Result<Vec<Product>, Error> {
        let mut emitter = Emitter::new(&self.builder, self.module, ty, operands, results);
        let mut folder = Folder::new(&mut emitter);
        let partials = rules::rule(function).nonzero_partials().filter(|&(_, column, _)| is_active(column));
        partials
            .map(|(row, column, partial)| {
                Ok(Product { row, column, factor: Factor::of(partial.expr(), &mut folder)? })
            })
            .collect()
    }

    /// The sum of products with tangents in some directions, in the type of a result.
    pub(super) fn sum(&self, group: Group, ty: Type, terms: Vec<(&Factor, Value)>) -> Value {
        let ty = group.of(ty);
        let mut sum = None;
        for (factor, tangent) in terms {
            let tangent = self.builder.float_cast(tangent, ty);
            let factor = factor.in_every(|value| group.spread(&self.builder, value));
            let term = factor.times(&self.builder, tangent, self.style.zero_products);
            sum = Some(match sum {
                None => term,
                Some(before) => self.builder.float_add(before, term),
            });
        }
        sum.unwrap_or_else(|| Value::zero(ty))
    }

    /// The tangents of an operand; none where it carries no derivative.
    fn tangent(&mut self, operand: ValueId, groups: &[Group]) -> Result<Option<Tangents>, Error> {
        match self.plan.carries[operand] {
            Carries::Derivative if groups.len() == self.key.width => {
                self.shadow_one_by_one(operand).map(Some)
            }
            Carries::Derivative => self.shadow(operand).map(Some),
            Carries::Nothing | Carries::MemoryBits | Carries::Address | Carries::Lost => Ok(None),
        }
    }

    /// For each group of directions and each result of a function the sum over the operands of partial times tangent.
    pub(super) fn combine(
        &self,
        function: rules::Function,
        operands: &[Value],
        results: &[Value],
        groups: &[Group],
        tangents: Vec<Option<Tangents>>,
    ) -> Result<Sums, Error> {
        let is_float = |index: &usize| function.results()[*index] == rules::Kind::Float;
        let ty = (0..results.len()).find(is_float).map(|index| results[index].ty());
        let Some(result_type) = ty else { return Ok(Sums { ty, by_group: Vec::new() }) };
        let is_active = |column: usize| tangents[column].is_some();
        let products = self.products(function, operands, results, result_type, is_active)?;
        let sum = |index: usize, group: Group, row: usize| {
            let in_row = products.iter().filter(|product| product.row == row);
            let terms: Vec<_> = in_row
                .filter_map(|product| Some((&product.factor, tangents[product.column].as_ref()?[index])))
                .collect();
            (!terms.is_empty()).then(|| self.sum(group, result_type, terms))
        };
        let by_group = groups
            .iter()
            .enumerate()
            .map(|(index, &group)| (0..results.len()).map(|row| sum(index, group, row)).collect())
            .collect();
        Ok(Sums { ty, by_group })
    }
}
