//! What the reverse sweep knows of the forward sweep.

use super::super::shadows::Shadows;
use super::{Known, Places, Writer};
use crate::error::Error;
use crate::ir::{Instruction, Value};
use enzyme::loops::LoopId;
use enzyme::model::{InstId, Opcode, ValueDefinition, ValueId};
use enzyme::plan::{How, Recomputable, Reuse};
use inkwell::llvm_sys::{LLVMIntPredicate, LLVMOpcode};

impl Writer<'_> {
    /// A value of the forward sweep, as the plan says it is known: the primal's one, or a shadow for each direction.
    pub(super) fn known(&mut self, known: Known) -> Result<Places, Error> {
        if let Some(values) = &self.at_hand[known] {
            return Ok(values.clone());
        }
        let values = match self.plan.reuse[known] {
            Reuse::Cache(slot) => self.take(slot)?,
            Reuse::Recompute(recomputable) => self.recompute(recomputable)?,
            Reuse::Chosen(id) => std::iter::once(self.is_chosen(id)?).collect(),
            Reuse::Unused => {
                return Err(self.internal(format!("{known} is read in the reverse sweep against the plan")));
            }
        };
        self.at_hand[known] = Some(values.clone());
        self.in_hand.push(known);
        Ok(values)
    }

    /// The condition by which a loop chose the current iteration.
    fn is_chosen(&self, id: LoopId) -> Result<Value, Error> {
        let chosen = self.plan.loops[id].chosen.ok_or_else(|| self.internal("a loop chose no iteration"))?;
        let (index, number) = self.current_and_chosen(id)?;
        let predicate = if chosen.when { LLVMIntPredicate::LLVMIntEQ } else { LLVMIntPredicate::LLVMIntNE };
        Ok(self.builder.integer_compare(predicate, index, number))
    }

    /// The numbers, from zero, of the current iteration of a loop and of the one that it chose last.
    pub(super) fn current_and_chosen(&self, id: LoopId) -> Result<(Value, Value), Error> {
        let places = self.iterations[id].ok_or_else(|| self.internal("a loop has no places"))?;
        let chosen = places.chosen.ok_or_else(|| self.internal("a loop chose no iteration"))?;
        let [index, chosen] =
            [places.index, chosen].map(|place| self.builder.load(self.integer(64), place, ""));
        Ok((index, self.builder.binary(LLVMOpcode::LLVMSub, chosen, self.wide(1))))
    }

    /// Forgets what was known in the block before.
    pub(super) fn forget_all(&mut self) {
        self.forget_since(0);
    }

    pub(super) fn forget_since(&mut self, count: usize) {
        while self.in_hand.len() > count {
            if let Some(known) = self.in_hand.pop() {
                self.at_hand[known] = None;
            }
        }
    }

    fn recompute(&mut self, recomputable: Recomputable) -> Result<Places, Error> {
        let known = recomputable.known();
        match recomputable.how() {
            How::Given => self.given(known),
            How::Stepping { natural, start, step, by } => self.stepped(known, natural, start, step, by),
            How::Choosing { condition, if_true, if_false } => {
                let [condition, if_true, if_false] =
                    [condition, if_true, if_false].map(|value| self.known(Known::Primal(value)));
                Ok(std::iter::once(self.builder.select(condition?[0], if_true?[0], if_false?[0])).collect())
            }
            How::Again => match self.read.model.as_inst(known.value()) {
                Some(inst) => self.again(known, inst, recomputable),
                None => Err(self.internal(format!("{known} is no instruction"))),
            },
        }
    }

    /// What is there all the time.
    fn given(&mut self, known: Known) -> Result<Places, Error> {
        let value = known.value();
        match known {
            Known::Primal(_) => {
                let given = match self.read.model.values[value].definition {
                    ValueDefinition::Parameter(_) => self.parameters[value],
                    ValueDefinition::Instruction(_) => Some(self.primal()?.value(value)?),
                    _ => self.read.value(value),
                };
                let given = given.ok_or_else(|| self.internal(format!("{known} is not given")))?;
                Ok(std::iter::once(given).collect())
            }
            Known::Shadow(_) => self.forward_shadow(value),
        }
    }

    /// The shadow of a value where it was computed, or of one that is there all the time.
    pub(super) fn forward_shadow(&mut self, value: ValueId) -> Result<Places, Error> {
        if let Some(shadows) = &self.shadows[value] {
            return Ok(shadows.clone());
        }
        let primal = match self.read.model.values[value].definition {
            ValueDefinition::Parameter(_) => self.parameters[value],
            ValueDefinition::Instruction(_) => Some(self.primal()?.value(value)?),
            _ => self.read.value(value),
        };
        let primal = primal.ok_or_else(|| self.internal(format!("{value} is not given")))?;
        let mut shadows = Shadows {
            builder: &self.builder,
            module: self.module,
            behind: self.key.behind(),
            direction: 0,
            derivatives: &mut *self.derivatives,
        };
        shadows.given(primal, self.plan.carries[value]).ok_or_else(|| {
            let name = self.read.model.display_name(value);
            self.internal(format!("the shadow of {name} is not written"))
        })
    }

    /// An instruction once more.
    fn again(&mut self, known: Known, inst: InstId, recomputable: Recomputable) -> Result<Places, Error> {
        let source = self
            .read
            .instruction(inst)
            .ok_or_else(|| self.internal(format!("the instruction {inst} was not read from LLVM")))?;
        let mut operands = Vec::new();
        for operand in recomputable.operands(&self.read.model, &self.plan.forward.steps) {
            operands.push(self.known(operand)?);
        }
        let copies = match known {
            Known::Primal(_) => 1,
            Known::Shadow(_) => self.key.width,
        };
        let name = source.value().name();
        let mut values = Places::new();
        for direction in 0..copies {
            let copy = self.copy_of(source);
            for (index, operand) in (0..).zip(&operands) {
                copy.set_operand(index, operand[direction.min(operand.len() - 1)]);
            }
            if matches!(known, Known::Shadow(_)) {
                copy.drop_value_metadata();
            }
            copy.value().set_name(&name);
            values.push(copy.value());
        }
        Ok(values)
    }

    /// A copy of an instruction where the builder stands, from the same place in the source as all else there.
    fn copy_of(&self, source: Instruction) -> Instruction {
        let copy = source.clone_detached();
        copy.drop_debug_location();
        self.builder.insert(copy);
        copy
    }

    /// What steps by the same amount each iteration, in the current one.
    fn stepped(
        &mut self,
        known: Known,
        natural: LoopId,
        start: ValueId,
        step: InstId,
        by: ValueId,
    ) -> Result<Places, Error> {
        let places = self.iterations[natural].ok_or_else(|| self.internal("a loop has no places"))?;
        let starts = match known {
            Known::Primal(_) => self.known(Known::Primal(start))?,
            Known::Shadow(_) => self.known(Known::Shadow(start))?,
        };
        let by = self.known(Known::Primal(by))?[0];
        let index = self.builder.load(self.integer(64), places.index, "");
        let index = self.builder.signed_integer_cast(index, by.ty());
        let distance = self.builder.binary(LLVMOpcode::LLVMMul, index, by);
        if !matches!(self.read.model.insts[step].opcode, Opcode::GetElementPointer { .. }) {
            let sum = |start: &Value| self.builder.binary(LLVMOpcode::LLVMAdd, *start, distance);
            return Ok(starts.iter().map(sum).collect());
        }
        let source = self
            .read
            .instruction(step)
            .ok_or_else(|| self.internal(format!("the instruction {step} was not read from LLVM")))?;
        let mut values = Places::new();
        for &start in &starts {
            let copy = self.copy_of(source);
            copy.set_operand(0, start);
            copy.set_operand(1, distance);
            values.push(copy.value());
        }
        Ok(values)
    }
}
