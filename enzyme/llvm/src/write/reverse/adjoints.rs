//! The adjoints of arithmetic, and of what moves values.

use super::super::bits::BitEffect;
use super::super::emitter::{Emitter, Factor};
use super::super::{Style, ZeroProducts};
use super::{Known, Places, ResultActivity, Writer};
use crate::error::Error;
use crate::ir::{Builder, Instruction, Kind, Type, Value};
use enzyme::model::{InstId, Opcode, ShuffleLane, ValueId};
use enzyme::plan::{BitArithmetic, BitOperation, Results, ScalarCall};
use enzyme::rules::{self, Folder};
use inkwell::llvm_sys::LLVMOpcode;

impl Writer<'_> {
    /// The adjoint of the result comes from whoever called.
    pub(super) fn seed(&self, inst: InstId) -> Result<(), Error> {
        self.builder.no_debug_location();
        if self.key.result == ResultActivity::Inactive {
            return Ok(());
        }
        if let Some(&value) = self.read.model.insts[inst].operands.first() {
            for (direction, &seed) in self.seeds.iter().enumerate() {
                self.add(value, direction, seed)?;
            }
        }
        Ok(())
    }

    /// A value of the primal.
    fn primal_value(&mut self, value: ValueId) -> Result<Value, Error> {
        Ok(self.known(Known::Primal(value))?[0])
    }

    /// The adjoints of a value, one a direction, which are zero from here on: its instruction passes them on now.
    pub(super) fn take_adjoints(&self, value: ValueId) -> Result<Places, Error> {
        let mut taken = Places::new();
        for (direction, &place) in self.adjoints[value].iter().enumerate() {
            let adjoint = self.adjoint(value, direction)?;
            self.builder.store(nothing_yet(adjoint.ty()), place);
            taken.push(adjoint);
        }
        Ok(taken)
    }

    /// The adjoint of a value so far.
    pub(super) fn adjoint(&self, value: ValueId, direction: usize) -> Result<Value, Error> {
        match (self.adjoints[value].get(direction), self.adjoint_type(value)?) {
            (Some(&place), Some(ty)) => Ok(self.builder.load(ty, place, "")),
            _ => Ok(Value::zero(self.type_of(value)?)),
        }
    }

    /// Adds to the adjoint of a value; to nothing when it carries none.
    pub(super) fn add(&self, value: ValueId, direction: usize, term: Value) -> Result<(), Error> {
        let (Some(&place), Some(ty)) = (self.adjoints[value].get(direction), self.adjoint_type(value)?)
        else {
            return Ok(());
        };
        // Floats may travel as the integer of their bits.
        let term = if term.ty() == ty { term } else { self.builder.cast(LLVMOpcode::LLVMBitCast, term, ty) };
        let before = self.builder.load(ty, place, "");
        let after = add_parts(&self.builder, self.style, before, term);
        self.builder.store(after, place);
        Ok(())
    }

    /// A final adjoint as the user gets it: an adjoint to which nothing was added is 0.0.
    pub(super) fn settled(&self, adjoint: Value) -> Value {
        if adjoint.ty().is_float_or_vector() {
            self.builder.float_add(adjoint, Value::zero(adjoint.ty()))
        } else {
            adjoint
        }
    }

    /// An adjoint of a value as another function takes or gives it: where the value is an integer, as the bits of floats.
    pub(super) fn in_own_type(&self, value: ValueId, adjoint: Value) -> Result<Value, Error> {
        let ty = self.type_of(value)?;
        Ok(if adjoint.ty() == ty { adjoint } else { self.builder.cast(LLVMOpcode::LLVMBitCast, adjoint, ty) })
    }

    fn is_active(&self, value: ValueId) -> bool {
        !self.adjoints[value].is_empty()
    }

    /// Operand adjoint += partial times result adjoint.
    pub(super) fn scalar(&mut self, inst: InstId, call: &ScalarCall) -> Result<(), Error> {
        let Some(result) = self.read.model.insts[inst].result else { return Ok(()) };
        let rule = rules::rule(call.function);
        let partials: Vec<_> =
            rule.nonzero_partials().filter(|(_, column, _)| self.is_active(call.operands[*column])).collect();
        let mut operands = Vec::new();
        for (index, &operand) in call.operands.iter().enumerate() {
            let needed = partials.iter().any(|(_, _, partial)| partial.needs_operand(index));
            operands.push(if needed {
                self.primal_value(operand)?
            } else {
                Value::poison(self.type_of(operand)?)
            });
        }
        let count = call.function.results().len();
        let needs_result =
            partials.iter().any(|(_, _, partial)| (0..count).any(|index| partial.needs_result(index)));
        let outcome =
            if needs_result { self.primal_value(result)? } else { Value::poison(self.type_of(result)?) };
        let results: Vec<Value> = self.split(outcome, call);
        let Some(ty) = results
            .iter()
            .zip(call.function.results())
            .find(|(_, kind)| **kind == rules::Kind::Float)
            .map(|(value, _)| value.ty())
        else {
            return Ok(());
        };
        let mut adjoints = Vec::new();
        for adjoint in self.take_adjoints(result)? {
            adjoints.push(self.split(adjoint, call));
        }
        let mut emitter = Emitter::new(&self.builder, self.module, ty, &operands, &results);
        // What has no value has the adjoint zero, and must not become a part of the adjoints of others.
        let has_no_value = |value: &ValueId| self.plan.incomplete[*value];
        let zero_products = match call.operands.iter().chain([&result]).any(has_no_value) {
            true => ZeroProducts::Strong,
            false => self.style.zero_products,
        };
        let mut folder = Folder::new(&mut emitter);
        for (row, column, partial) in partials {
            let factor = Factor::of(partial.expr(), &mut folder)?;
            let operand_type = operands[column].ty();
            for (direction, adjoints) in adjoints.iter().enumerate() {
                let term = factor.times(&self.builder, adjoints[row], zero_products);
                let term = self.builder.float_cast(term, operand_type);
                self.add(call.operands[column], direction, term)?;
            }
        }
        Ok(())
    }

    /// The results of a rule, taken from the instruction's result.
    fn split(&self, whole: Value, call: &ScalarCall) -> Vec<Value> {
        match call.results {
            Results::Single => vec![whole],
            Results::Fields => (0..call.function.results().len() as u32)
                .map(|index| self.builder.extract_value(whole, index))
                .collect(),
        }
    }

    /// The adjoint of a result that is made of parts of the operands.
    pub(super) fn moved(&mut self, inst: InstId, primal: Instruction) -> Result<(), Error> {
        let read = self.read;
        let data = &read.model.insts[inst];
        let Some(result) = data.result else { return Ok(()) };
        let operands = &data.operands;
        let chooser = match &data.opcode {
            Opcode::Select { .. } => Some(self.primal_value(operands[0])?),
            Opcode::ExtractElement => Some(self.primal_value(operands[1])?),
            Opcode::InsertElement => Some(self.primal_value(operands[2])?),
            _ => None,
        };
        let chooser = chooser.unwrap_or_else(|| Value::zero(self.integer(1)));
        let builder = &self.builder;
        for (direction, &adjoint) in self.take_adjoints(result)?.iter().enumerate() {
            match &data.opcode {
                Opcode::Select { .. } => {
                    let zero = Value::zero(adjoint.ty());
                    self.add(operands[1], direction, builder.select(chooser, adjoint, zero))?;
                    self.add(operands[2], direction, builder.select(chooser, zero, adjoint))?;
                }
                Opcode::Freeze => self.add(operands[0], direction, adjoint)?,
                Opcode::Cast { .. } => {
                    self.add(operands[0], direction, adjoint)?;
                }
                Opcode::ExtractValue { indices } => {
                    let zero = Value::zero(self.type_of(operands[0])?);
                    self.add(operands[0], direction, insert_at(builder, zero, adjoint, indices))?;
                }
                Opcode::InsertValue { indices } => {
                    let part = extract_at(builder, adjoint, indices);
                    let hole = insert_at(builder, adjoint, Value::zero(part.ty()), indices);
                    self.add(operands[1], direction, part)?;
                    self.add(operands[0], direction, hole)?;
                }
                Opcode::ExtractElement => {
                    let zero = Value::zero(self.clothes(operands[0])?);
                    self.add(operands[0], direction, builder.insert_element_at(zero, adjoint, chooser))?;
                }
                Opcode::InsertElement => {
                    let part = builder.extract_element_at(adjoint, chooser);
                    let hole = builder.insert_element_at(adjoint, Value::zero(part.ty()), chooser);
                    self.add(operands[1], direction, part)?;
                    self.add(operands[0], direction, hole)?;
                }
                Opcode::ShuffleVector { mask } => self.shuffled(operands, mask, direction, adjoint)?,
                other => {
                    return Err(Error::internal(
                        primal,
                        format!("`{}` was planned as a move", other.mnemonic()),
                    ));
                }
            }
        }
        Ok(())
    }

    /// The type of a value's adjoint, or that of the value where it has none.
    fn clothes(&self, value: ValueId) -> Result<Type, Error> {
        self.adjoint_type(value)?.map_or_else(|| self.type_of(value), Ok)
    }

    /// The adjoint of a float on whose bits integer arithmetic is done.
    pub(super) fn bits(
        &mut self,
        inst: InstId,
        source: Instruction,
        bits: BitArithmetic,
    ) -> Result<(), Error> {
        let read = self.read;
        let data = &read.model.insts[inst];
        let Some(result) = data.result else { return Ok(()) };
        let effect = match bits.operation {
            BitOperation::Scale => {
                let operand = bits.operand_that_is_float(&read.model, inst);
                let by = self.primal_value(data.operands[1 - operand])?;
                BitEffect::scale(&self.builder, source.opcode(), by, operand)
            }
            BitOperation::Sign => {
                let (float, result) = (self.primal_value(bits.float)?, self.primal_value(result)?);
                BitEffect::sign(&self.builder, float, result)
            }
            BitOperation::Normalise => {
                let (float, result) = (self.primal_value(bits.float)?, self.primal_value(result)?);
                BitEffect::normalise(&self.builder, float, result)
            }
        };
        let clothes = self.type_of(result)?;
        for (direction, &adjoint) in self.take_adjoints(result)?.iter().enumerate() {
            let adjoint = self.builder.cast(LLVMOpcode::LLVMBitCast, adjoint, clothes);
            let term = effect.apply(&self.builder, adjoint, self.style.zero_products);
            self.add(bits.float, direction, term)?;
        }
        Ok(())
    }

    fn shuffled(
        &self,
        operands: &[ValueId],
        mask: &[ShuffleLane],
        direction: usize,
        adjoint: Value,
    ) -> Result<(), Error> {
        let builder = &self.builder;
        // One of the two may have no adjoint: they are vectors of the same length.
        let ty = match self.adjoint_type(operands[0])? {
            Some(ty) => ty,
            None => self.clothes(operands[1])?,
        };
        let length = self.type_of(operands[0])?.element_count() as u32;
        let mut sources = [nothing_yet(ty); 2];
        for (to, lane) in (0..).zip(mask) {
            let Some(from) = *lane else { continue };
            let (source, from) = if from < length { (0, from) } else { (1, from - length) };
            let so_far = builder.extract_element(sources[source], from);
            let sum = builder.float_add(so_far, builder.extract_element(adjoint, to));
            sources[source] = builder.insert_element(sources[source], sum, from);
        }
        self.add(operands[0], direction, sources[0])?;
        self.add(operands[1], direction, sources[1])
    }

    pub(super) fn sum_elements(&self, inst: InstId) -> Result<(), Error> {
        let data = &self.read.model.insts[inst];
        let Some(result) = data.result else { return Ok(()) };
        let vector = self.type_of(data.operands[1])?;
        for (direction, &adjoint) in self.take_adjoints(result)?.iter().enumerate() {
            self.add(data.operands[0], direction, adjoint)?;
            if let Kind::Vector(length) = vector.kind() {
                let spread = (0..length).fold(Value::poison(vector), |spread, index| {
                    self.builder.insert_element(spread, adjoint, index)
                });
                self.add(data.operands[1], direction, spread)?;
            }
        }
        Ok(())
    }
}

/// What an adjoint is before anything is added to it: -0.0, since -0.0 + x is x to the last bit, and LLVM knows.
pub(super) fn nothing_yet(ty: Type) -> Value {
    if ty.is_float_or_vector() { Value::float(ty, "-0.0") } else { Value::zero(ty) }
}

/// The sum of two values, float by float; what is no float stays as the first has it.
pub(super) fn add_parts(builder: &Builder, style: Style, left: Value, right: Value) -> Value {
    match left.ty().kind() {
        Kind::Float | Kind::Vector(_) | Kind::ScalableVector if left.ty().is_float_or_vector() => {
            style.add_to_adjoint(builder, left, right)
        }
        Kind::Struct(_) | Kind::Array(_) => (0..left.ty().element_count() as u32).fold(left, |sum, index| {
            let parts = add_parts(
                builder,
                style,
                builder.extract_value(left, index),
                builder.extract_value(right, index),
            );
            builder.insert_value(sum, parts, index)
        }),
        _ => left,
    }
}

/// The part of an aggregate at a path.
fn extract_at(builder: &Builder, aggregate: Value, path: &[u32]) -> Value {
    path.iter().fold(aggregate, |whole, &index| builder.extract_value(whole, index))
}

/// An aggregate with the part at a path replaced.
fn insert_at(builder: &Builder, aggregate: Value, part: Value, path: &[u32]) -> Value {
    match path {
        [] => part,
        [index, rest @ ..] => {
            let inner = builder.extract_value(aggregate, *index);
            builder.insert_value(aggregate, insert_at(builder, inner, part, rest), *index)
        }
    }
}
