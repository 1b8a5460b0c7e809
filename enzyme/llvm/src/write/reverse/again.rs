//! The second part of a forward-mode derivative in two parts: tangents are written already, beside the clone of the
//! primal; here the primal's own instructions become reads of the tape, or go.

use super::Writer;
use crate::error::Error;
use crate::ir::{Instruction, Type, Value};
use enzyme::loops::LoopId;
use enzyme::model::{InstId, SecondaryMap};
use enzyme::plan::{Second, SlotId};
use inkwell::llvm_sys::LLVMOpcode;
use rustc_hash::FxHashSet;

impl Writer<'_> {
    /// Replaces what the first part has done.
    pub(super) fn go_again(&mut self, decisions: &SecondaryMap<InstId, Second>) -> Result<(), Error> {
        let iterations = self.find_iterations()?;
        let plan = self.plan;
        for (inst, slot) in plan.tapes.iter() {
            let (Some(slot), Some(placeholder)) = (*slot, self.tapes[inst]) else { continue };
            let tape = self.read_before(inst, slot, placeholder.as_instruction(), &iterations)?;
            placeholder.replace_all_uses_with(tape);
            placeholder.as_instruction().into_iter().for_each(Instruction::erase);
        }
        let mut gone = Vec::new();
        for inst in self.read.model.insts_in_order() {
            let data = &self.read.model.insts[inst];
            if data.opcode.is_terminator() || !plan.control.flow.is_reachable(data.block) {
                continue;
            }
            let old = self.primal()?.instruction(inst)?;
            match decisions[inst] {
                Second::Again => {}
                Second::Nothing => gone.push(old),
                Second::FromTape(slot) => {
                    let value = self.read_before(inst, slot, Some(old), &iterations)?;
                    value.set_name(&old.value().name());
                    old.value().replace_all_uses_with(value);
                    old.erase();
                }
            }
        }
        self.erase_all(&gone)?;
        self.free_before_returns();
        Ok(())
    }

    /// Counts the iterations of loops again, and finds their slots.
    fn find_iterations(&mut self) -> Result<SecondaryMap<LoopId, Option<Value>>, Error> {
        let plan = self.plan;
        let mut iterations: SecondaryMap<LoopId, Option<Value>> = SecondaryMap::new();
        for id in plan.control.nest.loops.keys() {
            iterations[id] = self.count_iterations(id)?;
        }
        for id in plan.control.nest.loops.keys() {
            let (Some(slot), Some(places)) = (plan.loops[id].iterations, self.iterations[id]) else {
                continue;
            };
            let around = plan.control.nest.loops[id].parent.and_then(|parent| iterations[parent]);
            for from in self.blocks_before(id)? {
                self.position_at_its_end(from)?;
                let base = self.read(slot, around)?[0];
                self.builder.store(base, places.base);
            }
        }
        Ok(iterations)
    }

    /// Reads a slot of an instruction's iteration before another instruction.
    fn read_before(
        &self,
        inst: InstId,
        slot: SlotId,
        place: Option<Instruction>,
        iterations: &SecondaryMap<LoopId, Option<Value>>,
    ) -> Result<Value, Error> {
        let place = place.ok_or_else(|| self.internal(format!("the place of {inst} is not known")))?;
        self.builder.position_before(place);
        let iteration = self.plan.slots[slot].region.and_then(|id| iterations[id]);
        Ok(self.read(slot, iteration)?[0])
    }

    /// Erases instructions that nobody else uses; anything else would read what is not there.
    fn erase_all(&self, gone: &[Instruction]) -> Result<(), Error> {
        let all: FxHashSet<Instruction> = gone.iter().copied().collect();
        for instruction in gone {
            let stays = |user: &Value| user.as_instruction().is_some_and(|user| !all.contains(&user));
            if let Some(user) = instruction.value().users().iter().find(|user| stays(user)) {
                let left_out = instruction.value();
                return Err(self.internal(format!("`{user}` needs `{left_out}`, which is left out")));
            }
        }
        for instruction in gone {
            let ty = instruction.value().ty();
            if ty != Type::void(ty.context()) {
                instruction.value().replace_all_uses_with(Value::poison(ty));
            }
            instruction.erase();
        }
        Ok(())
    }

    fn free_before_returns(&self) {
        let returns = self.derived.instructions().filter(|inst| inst.opcode() == LLVMOpcode::LLVMRet);
        for end in returns.collect::<Vec<_>>() {
            self.builder.position_before(end);
            self.builder.no_debug_location();
            self.free_block();
        }
    }
}
