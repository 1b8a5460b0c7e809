//! Keeping what the reverse sweep reads, counting iterations, and finding the way back.

use super::{Held, Known, LoopId, Mode, Places, SlotId, Writer};
use crate::error::Error;
use crate::ir::{Block, Instruction, Value};
use crate::write::stop;
use enzyme::model::{BlockId, InstId, Opcode, SecondaryMap};
use enzyme::plan::{Counter, Path, ReverseStep, Unchosen};
use inkwell::llvm_sys::{LLVMIntPredicate, LLVMOpcode};

impl Writer<'_> {
    /// Writes into the forward sweep what keeps things for the reverse sweep.
    pub(super) fn keep(&mut self) -> Result<(), Error> {
        self.move_frame_memory_to_tape()?;
        let plan = self.plan;
        // Loops before those in them: the places of inner slots lie in outer ones.
        let mut iterations: SecondaryMap<LoopId, Option<Value>> = SecondaryMap::new();
        for id in plan.control.nest.loops.keys() {
            iterations[id] = self.count_iterations(id)?;
        }
        for id in plan.control.nest.loops.keys() {
            self.keep_iterations(id, &iterations)?;
        }
        for id in plan.control.nest.loops.keys() {
            self.keep_chosen(id, &iterations)?;
        }
        for (slot, what) in plan.slots.iter() {
            let iteration = what.region.and_then(|id| iterations[id]);
            match what.holds {
                Held::Value(known) => self.keep_value(slot, known, iteration)?,
                Held::Predecessor(block) => self.keep_way(slot, block, iteration)?,
                Held::Tape(inst) => self.keep_tape(slot, inst, iteration)?,
                Held::LastIteration(_) | Held::ChosenIteration(_) | Held::Iterations(_) | Held::Exit => {}
            }
        }
        Ok(())
    }

    /// The number of the current iteration, in the header of a loop.
    pub(super) fn count_iterations(&mut self, id: LoopId) -> Result<Option<Value>, Error> {
        let plan = self.plan;
        let natural = &plan.control.nest.loops[id];
        let is_needed = plan.loops[id].iterations.is_some()
            || plan.loops[id].chosen.is_some()
            || matches!(plan.loops[id].counter, Some(Counter::Slot(_)));
        if !is_needed {
            return Ok(None);
        }
        let header = self.primal()?.block(natural.header)?;
        self.builder.position_at_start(header);
        let wide = self.integer(64);
        let phi = self.builder.phi(wide, "iteration");
        let (index, next) = (phi.value(), self.place_after_phis(header)?);
        self.builder.position_before(next);
        let after = self.builder.binary(LLVMOpcode::LLVMAdd, index, self.wide(1));
        for from in header.predecessors() {
            let is_inside = self.block_of_primal(from).is_some_and(|block| natural.contains(block));
            phi.add_incoming(if is_inside { after } else { self.wide(0) }, from);
        }
        Ok(Some(index))
    }

    /// The block of the primal that a block of the forward sweep is, or that it was split from.
    fn block_of_primal(&self, block: Block) -> Option<BlockId> {
        let primal = self.primal.as_ref()?;
        let found =
            self.read.model.blocks.keys().find(|&id| primal.block(id).is_ok_and(|clone| clone == block));
        match (found, block.predecessors().as_slice()) {
            (Some(id), _) => Some(id),
            (None, &[before]) => self.block_of_primal(before),
            (None, _) => None,
        }
    }

    fn place_after_phis(&self, block: Block) -> Result<Instruction, Error> {
        block
            .instructions()
            .find(|inst| inst.opcode() != LLVMOpcode::LLVMPHI)
            .ok_or_else(|| self.internal("a block has no end"))
    }

    /// Where the slots of a loop's iterations lie, and how many iterations there were.
    fn keep_iterations(
        &mut self,
        id: LoopId,
        iterations: &SecondaryMap<LoopId, Option<Value>>,
    ) -> Result<(), Error> {
        let plan = self.plan;
        let natural = &plan.control.nest.loops[id];
        let around = natural.parent.and_then(|parent| iterations[parent]);
        let Some(index) = iterations[id] else { return Ok(()) };
        let header = self.primal()?.block(natural.header)?;
        if let Some(Counter::Slot(slot)) = plan.loops[id].counter {
            self.builder.position_before(self.place_after_step(header)?);
            self.put(slot, &[index], around)?;
        }
        let Some(slot) = plan.loops[id].iterations else { return Ok(()) };
        let (Some(places), Some(arena)) = (self.iterations[id], self.arena) else {
            return Err(self.internal("a loop keeps things nowhere"));
        };
        let pointer = places.base.as_instruction().map(Instruction::allocated_type);
        let pointer = pointer.ok_or_else(|| self.internal("a place is no alloca"))?;
        if let (Some(Counter::Trips(trips)), Some(trips_place)) = (plan.loops[id].counter, places.trips) {
            let trips = self.primal()?.value(trips)?;
            for from in self.blocks_before(id)? {
                self.position_at_its_end(from)?;
                let bytes = self.builder.binary(LLVMOpcode::LLVMMul, trips, self.wide(places.bytes as i64));
                let base = self.tape.allocate(&self.builder, arena, bytes);
                self.builder.store(base, places.base);
                self.builder.store(trips, trips_place);
                self.put(slot, &[base], around)?;
            }
            return Ok(());
        }
        for from in self.blocks_before(id)? {
            self.position_at_its_end(from)?;
            self.builder.store(Value::zero(pointer), places.base);
            self.builder.store(self.wide(0), places.capacity);
        }
        self.builder.position_before(self.place_after_step(header)?);
        let room = [places.base, places.capacity];
        self.tape.reserve(&self.builder, arena, room, index, self.wide(places.bytes as i64));
        let base = self.builder.load(pointer, places.base, "");
        self.put(slot, &[base], around)
    }

    /// Notes the number of each iteration that a loop chooses.
    fn keep_chosen(
        &mut self,
        id: LoopId,
        iterations: &SecondaryMap<LoopId, Option<Value>>,
    ) -> Result<(), Error> {
        let plan = self.plan;
        let Some(chosen) = plan.loops[id].chosen else { return Ok(()) };
        let place = self.iterations[id].and_then(|places| places.chosen);
        let (Some(place), Some(index)) = (place, iterations[id]) else {
            return Err(self.internal("the iterations of a loop that chooses one are not counted"));
        };
        let around = plan.control.nest.loops[id].parent.and_then(|parent| iterations[parent]);
        let none = self.wide(0);
        for from in self.blocks_before(id)? {
            self.position_at_its_end(from)?;
            self.builder.store(none, place);
            self.put(chosen.slot, &[none], around)?;
        }
        let condition = self.primal()?.value(chosen.condition(&self.read.model))?;
        self.position_behind(chosen.select)?;
        let before = self.builder.load(self.integer(64), place, "");
        let from_one = self.builder.binary(LLVMOpcode::LLVMAdd, index, self.wide(1));
        let [if_true, if_false] = if chosen.when { [from_one, before] } else { [before, from_one] };
        let now = self.builder.select(condition, if_true, if_false);
        self.builder.store(now, place);
        self.put(chosen.slot, &[now], around)
    }

    /// The place in a header after the number of its iteration, and the next one, are known.
    fn place_after_step(&self, header: Block) -> Result<Instruction, Error> {
        let step = self.place_after_phis(header)?;
        step.next().ok_or_else(|| self.internal("a block has no end"))
    }

    /// The blocks outside of a loop that lead to its header.
    pub(super) fn blocks_before(&self, id: LoopId) -> Result<Vec<BlockId>, Error> {
        let natural = &self.plan.control.nest.loops[id];
        let before = self.plan.control.predecessors[natural.header].iter().copied();
        Ok(before.filter(|&block| !natural.contains(block)).collect())
    }

    pub(super) fn position_at_its_end(&self, block: BlockId) -> Result<(), Error> {
        let terminator = self.primal()?.block(block)?.terminator();
        let terminator = terminator.ok_or_else(|| self.internal("a block has no end"))?;
        self.builder.position_before(terminator);
        Ok(())
    }

    /// Where the value of an instruction is known: at the end of its block; for a call that may throw, where it goes on if
    /// it does not.
    fn position_behind(&self, inst: InstId) -> Result<(), Error> {
        let data = &self.read.model.insts[inst];
        match data.opcode {
            Opcode::Invoke { normal, .. } => {
                let block = self.primal()?.block(normal)?;
                self.builder.position_before(self.place_after_phis(block)?);
                Ok(())
            }
            _ => self.position_at_its_end(data.block),
        }
    }

    fn keep_value(&mut self, slot: SlotId, known: Known, iteration: Option<Value>) -> Result<(), Error> {
        let Some(inst) = self.read.model.as_inst(known.value()) else { return Ok(()) };
        self.position_behind(inst)?;
        let values: Places = match known {
            Known::Primal(value) => std::iter::once(self.primal()?.value(value)?).collect(),
            Known::Shadow(value) => self.forward_shadow(value)?,
        };
        self.put(slot, &values, iteration)
    }

    /// Notes in a block that several lead to which of them did.
    fn keep_way(&mut self, slot: SlotId, block: BlockId, iteration: Option<Value>) -> Result<(), Error> {
        let here = self.primal()?.block(block)?;
        let (ty, _) = self.type_of_slot(slot);
        self.builder.position_at_start(here);
        let phi = self.builder.phi(ty, "came_from");
        for from in here.predecessors() {
            let origin = self.block_of_primal(from);
            let mut predecessors = self.plan.control.predecessors[block].iter();
            let index = predecessors.position(|&predecessor| Some(predecessor) == origin);
            let index = index.ok_or_else(|| self.internal("a block is entered from nowhere"))?;
            phi.add_incoming(Value::integer(ty, index as i64), from);
        }
        self.position_at_its_end(block)?;
        self.put(slot, &[phi.value()], iteration)
    }

    fn keep_tape(&mut self, slot: SlotId, inst: InstId, iteration: Option<Value>) -> Result<(), Error> {
        self.position_behind(inst)?;
        match self.tapes[inst] {
            Some(tape) => self.put(slot, &[tape], iteration),
            None => Err(self.internal("a call that was planned with a tape has none")),
        }
    }

    /// Ends the inverse of a block: the adjoints of its phis go where they came from, and so does control.
    pub(super) fn leave(&mut self, block: BlockId) -> Result<(), Error> {
        self.builder.no_debug_location();
        let phis = self.take_phi_adjoints(block)?;
        if let Some(unchosen) = self.plan.unchosen[block] {
            self.pass(unchosen)?;
        }
        match self.plan.paths[block] {
            Path::Begin => self.finish(),
            Path::Never => {
                let message = "an exception was caught in what is differentiated, and derivatives do not travel with \
                               exceptions\n";
                stop::write(&self.builder, self.module, message, &[]);
                Ok(())
            }
            Path::Only(only) => self.go_back(block, only, &phis),
            Path::Loop { outside, inside } => {
                let natural = self.plan.control.nest.with_header(block);
                let places = natural.and_then(|id| self.iterations[id]);
                let places = places.ok_or_else(|| self.internal("a loop has no places"))?;
                let is_last_with_adjoints = match natural.filter(|&id| self.plan.loops[id].chosen.is_some()) {
                    // The iteration that was chosen, or none was: that has the largest number of all.
                    Some(id) => {
                        let (index, chosen) = self.current_and_chosen(id)?;
                        self.builder.integer_compare(LLVMIntPredicate::LLVMIntUGE, chosen, index)
                    }
                    None => {
                        let index = self.builder.load(self.integer(64), places.index, "iteration");
                        self.builder.integer_compare(LLVMIntPredicate::LLVMIntEQ, index, self.wide(0))
                    }
                };
                self.choose(block, is_last_with_adjoints, [outside, inside], &phis)
            }
            Path::Condition { condition, when_true, when_false } => {
                let condition = self.known(Known::Primal(condition))?[0];
                self.choose(block, condition, [when_true, when_false], &phis)
            }
            Path::Slot(slot) => {
                let (ty, _) = self.type_of_slot(slot);
                let came_from = self.take(slot)?[0];
                let from = self.builder.block();
                let mut edges = Vec::new();
                for predecessor in self.plan.control.predecessors[block].clone() {
                    edges.push(self.edge(block, predecessor, &phis)?);
                }
                self.builder.position_at_end(from);
                let cases: Vec<(Value, Block)> =
                    (1..).zip(&edges[1..]).map(|(index, &edge)| (Value::integer(ty, index), edge)).collect();
                self.builder.switch(came_from, edges[0], &cases);
                Ok(())
            }
        }
    }

    /// Goes past what was computed for an operand that a `select` did not choose; goes on here if it did.
    fn pass(&mut self, unchosen: Unchosen) -> Result<(), Error> {
        let condition = self.read.model.insts[unchosen.select].operands[0];
        let condition = self.known(Known::Primal(condition))?[0];
        let chosen = self.derived.append_block(&format!("{}_chosen", self.builder.block().name()));
        let past = self.inverse(unchosen.to)?;
        match unchosen.operand {
            1 => self.builder.conditional_branch(condition, chosen, past),
            _ => self.builder.conditional_branch(condition, past, chosen),
        };
        self.builder.position_at_end(chosen);
        Ok(())
    }

    fn choose(
        &mut self,
        block: BlockId,
        condition: Value,
        [yes, no]: [BlockId; 2],
        phis: &[(InstId, Places)],
    ) -> Result<(), Error> {
        let from = self.builder.block();
        let (yes, no) = (self.edge(block, yes, phis)?, self.edge(block, no, phis)?);
        self.builder.position_at_end(from);
        self.builder.conditional_branch(condition, yes, no);
        Ok(())
    }

    /// A block of its own for the way back from a block to one that leads to it.
    fn edge(
        &mut self,
        block: BlockId,
        predecessor: BlockId,
        phis: &[(InstId, Places)],
    ) -> Result<Block, Error> {
        let name = |block: BlockId| self.read.block(block).map(Block::name).unwrap_or_default();
        let edge = self.derived.append_block(&format!("invert{}_from_{}", name(block), name(predecessor)));
        self.builder.position_at_end(edge);
        let known = self.in_hand.len();
        self.go_back(block, predecessor, phis)?;
        self.forget_since(known);
        Ok(edge)
    }

    /// The way back from a block to one that leads to it: into the last iteration of loops that it left, or into the
    /// iteration before.
    fn go_back(
        &mut self,
        block: BlockId,
        predecessor: BlockId,
        phis: &[(InstId, Places)],
    ) -> Result<(), Error> {
        let plan = self.plan;
        for id in plan.control.left_on(predecessor, block) {
            self.enter_last_iteration(id)?;
        }
        if let Some(id) = plan.control.nest.with_header(block)
            && plan.control.nest.loops[id].contains(predecessor)
            && let Some(places) = self.iterations[id]
        {
            let next = match plan.loops[id].chosen {
                Some(_) => self.current_and_chosen(id)?.1,
                None => {
                    let index = self.builder.load(self.integer(64), places.index, "");
                    self.builder.binary(LLVMOpcode::LLVMSub, index, self.wide(1))
                }
            };
            self.builder.store(next, places.index);
            // What is known belongs to the iteration that is over.
            self.forget_all();
        }
        let model = &self.read.model;
        for (phi, adjoints) in phis {
            let incoming = model.insts[*phi].incoming().find(|(_, from)| *from == predecessor);
            if let Some((value, _)) = incoming {
                for (direction, &adjoint) in adjoints.iter().enumerate() {
                    self.add(value, direction, adjoint)?;
                }
            }
        }
        self.builder.branch(self.inverse(predecessor)?);
        Ok(())
    }

    fn enter_last_iteration(&mut self, id: LoopId) -> Result<(), Error> {
        let plan = self.plan;
        let places = self.iterations[id].ok_or_else(|| self.internal("a loop has no places"))?;
        let last = match plan.loops[id].counter {
            Some(Counter::Trips(trips)) => {
                let trips = self.known(Known::Primal(trips))?[0];
                if let Some(place) = places.trips {
                    self.builder.store(trips, place);
                }
                self.builder.binary(LLVMOpcode::LLVMSub, trips, self.wide(1))
            }
            Some(Counter::Slot(slot)) => self.take(slot)?[0],
            None => return Err(self.internal("a loop is not counted")),
        };
        let base = match plan.loops[id].iterations {
            Some(slot) => Some(self.take(slot)?[0]),
            None => None,
        };
        let chosen = match plan.loops[id].chosen {
            Some(chosen) => Some(self.take(chosen.slot)?[0]),
            None => None,
        };
        self.builder.store(last, places.index);
        if let (Some(chosen), Some(place)) = (chosen, places.chosen) {
            self.builder.store(chosen, place);
        }
        if let Some(base) = base {
            self.builder.store(base, places.base);
        }
        Ok(())
    }

    /// The adjoints of a block's phis, which are zero from here on.
    fn take_phi_adjoints(&mut self, block: BlockId) -> Result<Vec<(InstId, Places)>, Error> {
        let read = self.read;
        let mut taken = Vec::new();
        for &inst in &read.model.blocks[block].insts {
            let data = &read.model.insts[inst];
            let (Opcode::Phi { .. }, ReverseStep::Move, Some(result)) =
                (&data.opcode, &self.plan.steps[inst], data.result)
            else {
                continue;
            };
            taken.push((inst, self.take_adjoints(result)?));
        }
        Ok(taken)
    }

    /// The end of the reverse sweep: what was left until then, and what the derived function returns.
    fn finish(&mut self) -> Result<(), Error> {
        for &inst in &self.plan.writes_at_the_end {
            let write = self.primal()?.instruction(inst)?;
            write.detach();
            self.builder.insert(write);
        }
        let mut fields = Vec::new();
        if let Some(place) = self.result {
            fields.push(self.builder.load(self.signature.fields[0], place, ""));
        }
        for (&parameter, activity) in self.read.model.parameters.iter().zip(&self.key.arguments) {
            if *activity != enzyme::activity::ArgumentActivity::Out {
                continue;
            }
            let adjoints = (0..self.key.width)
                .map(|direction| {
                    self.in_own_type(parameter, self.settled(self.adjoint(parameter, direction)?))
                })
                .collect::<Result<Places, Error>>()?;
            fields.push(self.packed(&adjoints));
        }
        if let Some(arena) = self.arena.filter(|_| self.key.mode == Mode::Reverse) {
            self.tape.release(&self.builder, arena);
        }
        self.free_block();
        self.builder.return_fields(self.signature.result, &fields);
        Ok(())
    }
}
