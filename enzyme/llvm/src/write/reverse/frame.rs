//! Where adjoints and slots live.

use super::{Known, LoopId, Mode, SlotId, Sweeps, TapePlace, Writer};
use crate::error::Error;
use crate::ir::{Block, Instruction, Kind, Type, Value};
use enzyme::model::{FloatType, Opcode, SecondaryMap, ValueId};
use enzyme::plan::{Adjoint, Counter, Reuse};
use inkwell::llvm_sys::LLVMOpcode;
use smallvec::SmallVec;

/// The places of one value's adjoints in the frame, one a direction.
pub(super) type Places = SmallVec<[Value; 1]>;

/// Where a slot lies.
#[derive(Clone, Debug)]
pub(super) enum Place {
    /// In the frame of the function; for each direction where there are several.
    Frame(Places),
    /// So many bytes into what the function keeps for a reverse sweep by itself.
    Kept(u64),
    /// Among the slots of a loop's iterations.
    Iteration {
        /// The loop.
        natural: LoopId,
        /// The bytes of all slots before it, for one iteration.
        before: u64,
        /// Its own bytes, for one iteration.
        bytes: u64,
    },
}

/// What is known in a sweep of the iterations of a loop, in places in the frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct IterationPlaces {
    /// Where its slots begin.
    pub(super) base: Value,
    /// The number of the current iteration.
    pub(super) index: Value,
    /// How often the header runs, where that is known when the loop is entered.
    pub(super) trips: Option<Value>,
    /// The number of the iteration that the loop chose last, counted from one; zero where it has chosen none.
    pub(super) chosen: Option<Value>,
    /// How many iterations there is room for, where the number is not known.
    pub(super) capacity: Value,
    /// The bytes of all slots of one iteration.
    pub(super) bytes: u64,
}

impl Writer<'_> {
    /// Reserves what lives in the frame.
    pub(super) fn reserve_frame(&mut self) -> Result<(), Error> {
        // In a reverse sweep by itself the builder stands in the only block there is.
        if !matches!(self.key.mode, Mode::ReverseSweep(..)) {
            let entry = self.entry()?;
            self.builder.position_at_end(entry);
        }
        let plan = self.plan;
        for id in plan.control.nest.loops.keys() {
            let layout = self.slots_of_plan.layout(Some(id));
            let counter = plan.loops[id].counter;
            self.iterations[id] = Some(IterationPlaces {
                base: self.frame_place(Type::pointer(self.signature.result.context()), "iterations"),
                index: self.frame_place(self.integer(64), "iteration"),
                trips: match counter {
                    Some(Counter::Trips(_)) => Some(self.frame_place(self.integer(64), "trips")),
                    Some(Counter::Slot(_)) | None => None,
                },
                chosen: plan.loops[id].chosen.map(|_| self.frame_place(self.integer(64), "chosen")),
                capacity: self.frame_place(self.integer(64), "capacity"),
                bytes: match counter {
                    // The instances of a slot lie side by side, and all are aligned without padding.
                    Some(Counter::Trips(_)) => layout.slots.iter().map(|&(_, bytes, _)| bytes).sum(),
                    Some(Counter::Slot(_)) | None => layout.bytes,
                },
            });
        }
        self.place_slots();
        if matches!(self.key.mode, Mode::Reverse | Mode::ReverseSweep(..)) {
            self.reserve_adjoints()?;
        }
        Ok(())
    }

    fn entry(&self) -> Result<Block, Error> {
        self.derived.entry().ok_or_else(|| self.internal("a derived function has no entry"))
    }

    fn frame_place(&self, ty: Type, name: &str) -> Value {
        self.builder.entry_alloca(ty, name).value()
    }

    fn place_slots(&mut self) {
        let plan = self.plan;
        let mut places: SecondaryMap<SlotId, Option<Place>> = SecondaryMap::new();
        for id in plan.control.nest.loops.keys() {
            let mut before = 0;
            for (slot, bytes, _) in self.slots_of_plan.layout(Some(id)).slots {
                places[slot] = Some(Place::Iteration { natural: id, before, bytes });
                before += bytes;
            }
        }
        let own = self.slots_of_plan.layout(None);
        match plan.sweeps {
            Sweeps::Together => {
                for (slot, _, _) in own.slots {
                    let (ty, count) = self.type_of_slot(slot);
                    let places_of_slot = (0..count).map(|_| self.frame_place(ty, "cache")).collect();
                    places[slot] = Some(Place::Frame(places_of_slot));
                }
            }
            Sweeps::Apart => {
                let mut before = 0;
                for (slot, bytes, _) in own.slots {
                    places[slot] = Some(Place::Kept(before));
                    before += bytes;
                }
                if self.key.mode.fills_tape() == Some(TapePlace::Caller) && own.bytes > 0 {
                    self.kept = self.keep_from_the_beginning(own.bytes);
                }
            }
        }
        for slot in plan.slots.keys() {
            self.slots.push(places[slot].clone().unwrap_or(Place::Kept(0)));
        }
    }

    /// A piece of the tape, taken where the function begins.
    fn keep_from_the_beginning(&self, bytes: u64) -> Option<Value> {
        let first = self.derived.entry()?.instructions().next()?;
        self.builder.position_before(first);
        Some(self.tape.allocate(&self.builder, self.arena?, self.wide(bytes as i64)))
    }

    /// The type of what a slot holds, and how many of them there are.
    pub(super) fn type_of_slot(&self, slot: SlotId) -> (Type, usize) {
        self.slots_of_plan.type_of(slot)
    }

    fn reserve_adjoints(&mut self) -> Result<(), Error> {
        let model = &self.read.model;
        for value in model.values.keys() {
            let Some(ty) = self.adjoint_type(value)? else { continue };
            let name = self.read.value(value).map(Value::name).unwrap_or_default();
            for _ in 0..self.key.width {
                let place = self.builder.entry_alloca(ty, &format!("{name}'de"));
                self.adjoints[value].push(place.value());
            }
        }
        // All of them are zero before anything else happens.
        let first = self
            .derived
            .entry()
            .and_then(|entry| entry.instructions().find(|inst| inst.opcode() != LLVMOpcode::LLVMAlloca));
        match first {
            Some(first) => self.builder.position_before(first),
            None => self.builder.position_at_end(self.entry()?),
        }
        for places in self.adjoints.values() {
            for &place in places {
                let ty = place.as_instruction().map(Instruction::allocated_type);
                if let Some(ty) = ty {
                    self.builder.store(super::adjoints::nothing_yet(ty), place);
                }
            }
        }
        if self.key.primal == super::PrimalReturn::Yes && self.key.mode == Mode::Reverse {
            self.result = Some(self.frame_place(self.key.function.return_type(), "primal_result"));
        }
        if matches!(self.key.mode, Mode::ReverseSweep(..)) {
            let entry = self.entry()?;
            self.builder.position_at_end(entry);
        }
        Ok(())
    }

    /// The type of a value's adjoint; nothing when it has none.
    pub(super) fn adjoint_type(&self, value: ValueId) -> Result<Option<Type>, Error> {
        let ty = self.type_of(value);
        Ok(match self.plan.adjoints[value] {
            Adjoint::None => None,
            Adjoint::OwnType => Some(ty?),
            Adjoint::Floats(float) => {
                let one = self.float(float);
                let ty = ty?;
                match (self.module.allocation_size(ty), self.module.allocation_size(one)) {
                    (all, each) if all == each && !matches!(ty.kind(), Kind::Vector(_)) => Some(one),
                    (all, each) => Some(one.vector((all / each) as u32)),
                }
            }
        })
    }

    pub(super) fn float(&self, float: FloatType) -> Type {
        let context = self.signature.result.context();
        match float {
            FloatType::Half => Type::half(context),
            FloatType::BFloat => Type::bfloat(context),
            FloatType::Float => Type::float(context),
            FloatType::Double => Type::double(context),
            FloatType::X86Fp80 => Type::x86_fp80(context),
            FloatType::Fp128 | FloatType::PpcFp128 => Type::fp128(context),
        }
    }

    /// Where the instance of a slot for the current iteration lies, one place for each value in it. In the forward sweep
    /// `iteration` is the number of the current iteration of its loop.
    fn places(&self, slot: SlotId, iteration: Option<Value>) -> Result<Places, Error> {
        let (ty, count) = self.type_of_slot(slot);
        let each = self.module.allocation_size(ty);
        let first = match &self.slots[slot] {
            Place::Frame(places) => return Ok(places.clone()),
            Place::Kept(offset) => {
                let kept = self.kept.ok_or_else(|| self.internal("a slot has no place"))?;
                self.builder.offset(kept, *offset)
            }
            Place::Iteration { natural, before, bytes } => {
                self.place_of_iteration(*natural, *before, *bytes, iteration)?
            }
        };
        Ok((0..count as u64).map(|index| self.builder.offset(first, index * each)).collect())
    }

    fn place_of_iteration(
        &self,
        natural: LoopId,
        before: u64,
        bytes: u64,
        iteration: Option<Value>,
    ) -> Result<Value, Error> {
        let places = self.iterations[natural].ok_or_else(|| self.internal("a loop has no places"))?;
        let builder = &self.builder;
        let pointer = Type::pointer(self.signature.result.context());
        let base = builder.load(pointer, places.base, "");
        let index = iteration.unwrap_or_else(|| builder.load(self.integer(64), places.index, ""));
        let times = |number: Value, factor: u64| {
            builder.binary(LLVMOpcode::LLVMMul, number, self.wide(factor as i64))
        };
        Ok(match places.trips {
            // The instances of one slot lie side by side, those of the next one after them.
            Some(trips) => {
                let first = if before == 0 {
                    base
                } else {
                    builder.bytes_after(base, times(builder.load(self.integer(64), trips, ""), before))
                };
                builder.bytes_after(first, times(index, bytes))
            }
            // The slots of one iteration lie side by side: there may be more iterations than there is room for yet.
            None => builder.offset(builder.bytes_after(base, times(index, places.bytes)), before),
        })
    }

    /// Writes into the instance of a slot that belongs to an iteration; for a slot of the function itself, `None`.
    pub(super) fn put(&self, slot: SlotId, values: &[Value], iteration: Option<Value>) -> Result<(), Error> {
        let alignment = self.alignment_of(slot);
        for (&value, &place) in values.iter().zip(&self.places(slot, iteration)?) {
            self.builder.store(value, place).set_alignment_at_most(alignment);
        }
        Ok(())
    }

    /// Reads the instance of a slot for the current iteration of the reverse sweep.
    pub(super) fn take(&self, slot: SlotId) -> Result<Places, Error> {
        self.read(slot, None)
    }

    /// Reads the instance of a slot that belongs to an iteration; without one, to the current iteration of the reverse
    /// sweep.
    pub(super) fn read(&self, slot: SlotId, iteration: Option<Value>) -> Result<Places, Error> {
        let (ty, _) = self.type_of_slot(slot);
        let places = self.places(slot, iteration)?;
        let alignment = self.alignment_of(slot);
        Ok(places
            .iter()
            .map(|&place| {
                let value = self.builder.load(ty, place, "");
                if let Some(load) = value.as_instruction() {
                    load.set_alignment_at_most(alignment);
                }
                value
            })
            .collect())
    }

    /// What the instances of a slot are aligned to, in bytes, at least.
    fn alignment_of(&self, slot: SlotId) -> u32 {
        match self.slots[slot] {
            Place::Kept(_) => self.alignment_of_kept(),
            Place::Frame(_) | Place::Iteration { .. } => 8,
        }
    }

    /// Frame memory that the reverse sweep asks for by an address that is kept lies on the tape: it must outlive the
    /// frame, or the iteration that it is reserved in.
    pub(super) fn move_frame_memory_to_tape(&mut self) -> Result<(), Error> {
        let arena = self.arena;
        for value in self.read.model.values.keys() {
            let Some(inst) = self.read.model.as_inst(value) else { continue };
            if !matches!(self.read.model.insts[inst].opcode, Opcode::Alloca { .. }) {
                continue;
            }
            let is_kept = |known| matches!(self.plan.reuse[known], Reuse::Cache(_));
            if is_kept(Known::Primal(value)) {
                let old = self.primal()?.value(value)?;
                if let (Some(new), Some(primal)) = (self.on_tape(old, arena), &mut self.primal) {
                    primal.replace(value, new);
                }
            }
            if is_kept(Known::Shadow(value))
                && let Some(shadows) = self.shadows[value].clone()
            {
                let moved = shadows.iter().map(|&old| self.on_tape(old, arena).unwrap_or(old)).collect();
                self.shadows[value] = Some(moved);
            }
        }
        Ok(())
    }

    fn on_tape(&self, memory: Value, arena: Option<Value>) -> Option<Value> {
        let alloca = memory.as_instruction()?;
        self.builder.position_before(alloca);
        let each = self.module.allocation_size(alloca.allocated_type());
        let count = self.builder.signed_integer_cast(*memory.operands().first()?, self.integer(64));
        let bytes = self.builder.binary(LLVMOpcode::LLVMMul, count, self.wide(each as i64));
        let new = self.tape.allocate(&self.builder, arena?, bytes);
        let name = memory.name();
        memory.replace_all_uses_with(new);
        alloca.erase();
        new.set_name(&name);
        Some(new)
    }
}
