//! The adjoints of what reads, writes and copies memory.

use super::super::intervals::{self, Member, Order};
use super::super::memory::{ALIGNMENT_OF_SHADOWS, size_in_both};
use super::super::stop;
use super::atomics::Place;
use super::{Known, Writer};
use crate::error::Error;
use crate::ir::{Builder, Function, Instruction, Type, Value};
use enzyme::model::{FloatType, InstId};
use enzyme::plan::{Bytes, Extent, FloatPiece};
use inkwell::llvm_sys::{LLVMIntPredicate, LLVMLinkage, LLVMOpcode};

impl Writer<'_> {
    /// Shadow memory += the adjoint of what was read.
    pub(super) fn load(&mut self, inst: InstId, source: Instruction) -> Result<(), Error> {
        let data = &self.read.model.insts[inst];
        let (Some(result), pointer) = (data.result, data.operands[0]) else { return Ok(()) };
        let adjoints = self.take_adjoints(result)?;
        let Some(&first) = adjoints.first() else { return Ok(()) };
        let shadows = self.places_behind(pointer, first.ty())?;
        for (&shadow, &adjoint) in shadows.iter().zip(&adjoints) {
            // Other threads may read the same number.
            if source.is_atomic() && adjoint.ty().is_float() {
                self.add_atomically(
                    Place { pointer: shadow, alignment: source.alignment().min(ALIGNMENT_OF_SHADOWS) },
                    adjoint,
                );
                continue;
            }
            let before = self.builder.load(adjoint.ty(), shadow, "");
            if let Some(load) = before.as_instruction() {
                load.set_alignment_at_most(source.alignment().min(ALIGNMENT_OF_SHADOWS));
            }
            let after = super::adjoints::add_parts(&self.builder, self.style, before, adjoint);
            self.builder
                .store(after, shadow)
                .set_alignment_at_most(source.alignment().min(ALIGNMENT_OF_SHADOWS));
        }
        Ok(())
    }

    /// The adjoint of what was written += shadow memory, which becomes zero.
    pub(super) fn store(&mut self, inst: InstId, source: Instruction) -> Result<(), Error> {
        let data = &self.read.model.insts[inst];
        let (value, pointer) = (data.operands[0], data.operands[1]);
        let adjoint_type = self.adjoint_type(value)?;
        let ty = match adjoint_type {
            Some(ty) => ty,
            None => self.type_of(value)?,
        };
        let shadows = self.places_behind(pointer, ty)?;
        for (direction, &shadow) in shadows.iter().enumerate() {
            if source.is_atomic() && ty.is_float() {
                let place =
                    Place { pointer: shadow, alignment: source.alignment().min(ALIGNMENT_OF_SHADOWS) };
                let adjoint = self.exchange(place, Value::zero(ty));
                self.add(value, direction, adjoint)?;
                continue;
            }
            if adjoint_type.is_some() {
                let adjoint = self.builder.load(ty, shadow, "");
                if let Some(load) = adjoint.as_instruction() {
                    load.set_alignment_at_most(source.alignment().min(ALIGNMENT_OF_SHADOWS));
                }
                self.add(value, direction, adjoint)?;
            }
            self.builder
                .store(Value::zero(ty), shadow)
                .set_alignment_at_most(source.alignment().min(ALIGNMENT_OF_SHADOWS));
        }
        Ok(())
    }

    /// Shadow memory becomes zero.
    pub(super) fn clear(&mut self, inst: InstId, operands: [usize; 2]) -> Result<(), Error> {
        let data = &self.read.model.insts[inst];
        let [to, length] = operands.map(|index| data.operands[index]);
        let shadows = self.known(Known::Shadow(to))?;
        let length = self.known(Known::Primal(length))?[0];
        let zero = Value::zero(self.integer(8));
        for &shadow in &shadows {
            let length = self.unless_own(to, shadow, length)?;
            self.builder.fill(shadow, zero, length, 1);
        }
        Ok(())
    }

    /// Shadow memory that was read += shadow memory that was written, which becomes zero.
    pub(super) fn copy(
        &mut self,
        inst: InstId,
        source: Instruction,
        float: FloatType,
        operands: [usize; 3],
    ) -> Result<(), Error> {
        let data = &self.read.model.insts[inst];
        let [to, from, length] = operands.map(|index| data.operands[index]);
        let targets = self.known(Known::Shadow(to))?;
        let sources = self.known(Known::Shadow(from))?;
        let length = self.known(Known::Primal(length))?[0];
        let length = self.builder.signed_integer_cast(length, self.integer(64));
        let function = self.adjoint_of_copy(float, order_of(source));
        for (&target, &source) in targets.iter().zip(&sources) {
            let bytes = self.unless_own(to, target, length)?;
            let added = self.unless_own(from, source, bytes)?;
            self.builder.call(function, &[target, source, added]);
            self.clear_copy_of_own(from, [target, source], bytes)?;
        }
        Ok(())
    }

    /// The shadow of memory before it was moved += that of what it became, as far as both go.
    pub(super) fn moved_memory(
        &mut self,
        inst: InstId,
        floats: &[FloatPiece],
        period: u64,
        pointer: usize,
        size: Bytes,
    ) -> Result<(), Error> {
        let data = &self.read.model.insts[inst];
        let Some(result) = data.result else { return Ok(()) };
        let old = self.known(Known::Shadow(data.operands[pointer]))?;
        let new = self.known(Known::Shadow(result))?;
        let mut factors = Vec::new();
        for index in size.operands() {
            factors.push(self.known(Known::Primal(data.operands[index]))?[0]);
        }
        let product = |left, right| self.builder.binary(LLVMOpcode::LLVMMul, left, right);
        let Some(bytes) = factors.into_iter().reduce(product) else { return Ok(()) };
        for (&old, &new) in old.iter().zip(&new) {
            let both = size_in_both(&self.builder, self.module, old, bytes);
            let both = self.builder.signed_integer_cast(both, self.integer(64));
            self.adjoint_of_structures(floats, [new, old, both], period, Order::Upward);
        }
        Ok(())
    }

    /// The same for the floats among other things that were copied at once; without a shadow to copy from, the adjoints
    /// become zero.
    pub(super) fn pieces(
        &mut self,
        inst: InstId,
        source: Instruction,
        [to, from]: [Option<usize>; 2],
        floats: &[FloatPiece],
        extent: Extent,
    ) -> Result<(), Error> {
        let data = &self.read.model.insts[inst];
        let mut shadows = |place: Option<usize>| {
            place.map(|index| self.known(Known::Shadow(data.operands[index]))).transpose()
        };
        let (Some(to), from) = (shadows(to)?, shadows(from)?) else { return Ok(()) };
        let (length, period) = match extent {
            Extent::Once => (None, 0),
            Extent::Repeated { period, length } => {
                let length = self.known(Known::Primal(data.operands[length]))?[0];
                (Some(self.builder.signed_integer_cast(length, self.integer(64))), period)
            }
        };
        for (direction, &to) in to.iter().enumerate() {
            match (&from, length) {
                (Some(from), Some(length)) => {
                    let places = [to, from[direction], length];
                    self.adjoint_of_structures(floats, places, period, order_of(source));
                }
                (Some(from), None) => {
                    for piece in floats {
                        let places = [to, from[direction]];
                        let [to, from] = places.map(|place| self.builder.offset(place, piece.offset));
                        let length = self.wide(piece.length.cast_signed());
                        let function = self.adjoint_of_copy(piece.float, Order::Upward);
                        self.builder.call(function, &[to, from, length]);
                    }
                }
                (None, Some(length)) => {
                    for piece in floats {
                        let member = Member { offset: piece.offset, size: piece.length, period };
                        intervals::clear(&self.builder, to, length, member);
                    }
                }
                (None, None) => {
                    for piece in floats {
                        let place = self.builder.offset(to, piece.offset);
                        let length = self.wide(piece.length.cast_signed());
                        self.builder.fill(place, Value::zero(self.integer(8)), length, 1);
                    }
                }
            }
        }
        Ok(())
    }

    /// The same for the floats at the beginning of what is copied, as far as that goes. Ends the program when more bytes are
    /// copied than are known.
    pub(super) fn prefix(
        &mut self,
        inst: InstId,
        [to, from, length]: [Option<usize>; 3],
        floats: &[FloatPiece],
        known: u64,
    ) -> Result<(), Error> {
        let data = &self.read.model.insts[inst];
        let mut shadows = |place: Option<usize>| {
            place.map(|index| self.known(Known::Shadow(data.operands[index]))).transpose()
        };
        let (Some(to), from, Some(length)) = (shadows(to)?, shadows(from)?, length) else { return Ok(()) };
        let copied = self.known(Known::Primal(data.operands[length]))?[0];
        let copied = self.builder.signed_integer_cast(copied, self.integer(64));
        self.builder.call(self.check_of_copies(), &[copied, self.wide(known.cast_signed())]);
        for piece in floats {
            let length = self.bytes_of_piece(piece, copied);
            for (direction, &to) in to.iter().enumerate() {
                let to = self.builder.offset(to, piece.offset);
                match &from {
                    Some(from) => {
                        let from = self.builder.offset(from[direction], piece.offset);
                        let function = self.adjoint_of_copy(piece.float, Order::Upward);
                        self.builder.call(function, &[to, from, length]);
                    }
                    None => {
                        self.builder.fill(to, Value::zero(self.integer(8)), length, 1);
                    }
                }
            }
        }
        Ok(())
    }

    /// How many bytes of a piece are among the first so many that are copied.
    fn bytes_of_piece(&self, piece: &FloatPiece, copied: Value) -> Value {
        let [offset, length] = [piece.offset, piece.length].map(|bytes| self.wide(bytes.cast_signed()));
        let is_less = |left, right| self.builder.integer_compare(LLVMIntPredicate::LLVMIntULT, left, right);
        let from_offset = self.builder.binary(LLVMOpcode::LLVMSub, copied, offset);
        let from_offset = self.builder.select(is_less(copied, offset), self.wide(0), from_offset);
        self.builder.select(is_less(from_offset, length), from_offset, length)
    }

    /// The function that compares how many bytes are copied with how many are known: written once in a module.
    fn check_of_copies(&self) -> Function {
        const NAME: &str = "__enzyme_check_mixed_copy";
        if let Some(existing) = self.module.function(NAME) {
            return existing;
        }
        let wide = self.integer(64);
        let void = Type::void(wide.context());
        let function = self.module.add_function(NAME, Type::function(void, &[wide, wide]));
        function.set_linkage(LLVMLinkage::LLVMLinkOnceODRLinkage);
        function.add_attribute(crate::ir::FUNCTION_ATTRIBUTES, "nounwind");
        let builder = Builder::new(wide.context());
        let (entry, more, done) =
            (function.append_block("entry"), function.append_block("more"), function.append_block("done"));
        builder.position_at_end(entry);
        let [copied, known] = function.parameters()[..] else { return function };
        let is_more = builder.integer_compare(LLVMIntPredicate::LLVMIntUGT, copied, known);
        builder.conditional_branch(is_more, more, done);
        builder.position_at_end(more);
        let message = "%lu bytes of floats and other things are copied at once, and only of the first %lu it is known \
                       which are floats\n";
        stop::write(&builder, self.module, message, &[copied, known]);
        builder.position_at_end(done);
        builder.ret_void();
        function
    }

    /// Memory that was read += memory that was written, which becomes zero, for the same floats in each structure of an array.
    fn adjoint_of_structures(
        &self,
        floats: &[FloatPiece],
        [to, from, length]: [Value; 3],
        period: u64,
        order: Order,
    ) {
        for piece in floats {
            if piece.length == period {
                self.builder.call(self.adjoint_of_copy(piece.float, order), &[to, from, length]);
                continue;
            }
            let size = self.module.allocation_size(self.float(piece.float));
            let function = self.adjoint_of_members(piece.float, order);
            for number in 0..piece.length / size {
                let member = Member { offset: piece.offset + number * size, size, period };
                let [to, from] = [to, from].map(|place| self.builder.offset(place, member.offset));
                let count = intervals::count(&self.builder, length, member);
                self.builder.call(function, &[to, from, count, self.wide(period.cast_signed())]);
            }
        }
    }

    /// The function that does it for floats of a type: written once in a module.
    fn adjoint_of_copy(&self, float: FloatType, order: Order) -> Function {
        let (function, is_new) = self.function_for_adjoints(float, order, "", 3);
        if let (true, [to, from, length]) = (is_new, &function.parameters()[..]) {
            let builder = Builder::new(length.ty().context());
            builder.position_at_end(function.append_block("entry"));
            let size = self.wide(self.module.allocation_size(self.float(float)).cast_signed());
            let count = builder.binary(LLVMOpcode::LLVMUDiv, *length, size);
            self.write_adjoint_of_copy(function, self.float(float), [*to, *from], [count, size], order);
        }
        function
    }

    /// The same for floats that lie so many bytes apart: it is told how many there are, and the distance.
    fn adjoint_of_members(&self, float: FloatType, order: Order) -> Function {
        let (function, is_new) = self.function_for_adjoints(float, order, "_at_intervals", 4);
        if let (true, [to, from, count, distance]) = (is_new, &function.parameters()[..]) {
            self.write_adjoint_of_copy(function, self.float(float), [*to, *from], [*count, *distance], order);
        }
        function
    }

    /// A function of two pointers and numbers, and whether it is still to be written.
    fn function_for_adjoints(
        &self,
        float: FloatType,
        order: Order,
        suffix: &str,
        parameters: usize,
    ) -> (Function, bool) {
        let copied = match order {
            Order::Upward | Order::OfCopy => "memcpy",
            Order::OfAdjoint => "memmove",
        };
        let name = format!("__enzyme_adjoint_of_{copied}_{float}{suffix}");
        if let Some(existing) = self.module.function(&name) {
            return (existing, false);
        }
        let pointer = Type::pointer(self.signature.result.context());
        let mut types = vec![pointer, pointer];
        types.resize(parameters, self.integer(64));
        let void = Type::void(pointer.context());
        let function = self.module.add_function(&name, Type::function(void, &types));
        function.set_linkage(LLVMLinkage::LLVMLinkOnceODRLinkage);
        function.add_attribute(crate::ir::FUNCTION_ATTRIBUTES, "nounwind");
        (function, true)
    }

    fn write_adjoint_of_copy(
        &self,
        function: Function,
        float: Type,
        places: [Value; 2],
        [count, distance]: [Value; 2],
        order: Order,
    ) {
        intervals::write_loop(function, places, [count, distance], order, |builder, [to, from]| {
            let take = |place: Value| {
                let value = builder.load(float, place, "");
                if let Some(load) = value.as_instruction() {
                    load.set_alignment_at_most(1);
                }
                value
            };
            let put = |value: Value, place: Value| builder.store(value, place).set_alignment_at_most(1);
            let adjoint = take(to);
            put(Value::zero(float), to);
            put(builder.float_add(take(from), adjoint), from);
        });
    }
}

/// How to go through the places of a copy to pass the adjoints on.
fn order_of(copy: Instruction) -> Order {
    match copy.called_function() {
        Some(callee) if callee.name().contains("memmove") => Order::OfAdjoint,
        Some(_) | None => Order::Upward,
    }
}
