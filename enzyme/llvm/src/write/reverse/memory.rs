//! The adjoints of what reads, writes and copies memory.

use super::super::memory::size_in_both;
use super::atomics::Place;
use super::{Known, Writer};
use crate::error::Error;
use crate::ir::{Builder, Function, Instruction, Type, Value};
use enzyme::model::{FloatType, InstId};
use enzyme::plan::{Bytes, FloatPiece};
use inkwell::llvm_sys::{LLVMIntPredicate, LLVMLinkage, LLVMOpcode};

impl Writer<'_> {
    /// Shadow memory += the adjoint of what was read.
    pub(super) fn load(&mut self, inst: InstId, source: Instruction) -> Result<(), Error> {
        let data = &self.read.model.insts[inst];
        let (Some(result), pointer) = (data.result, data.operands[0]) else { return Ok(()) };
        let shadows = self.known(Known::Shadow(pointer))?;
        let adjoints = self.take_adjoints(result)?;
        for (&shadow, &adjoint) in shadows.iter().zip(&adjoints) {
            // Other threads may read the same number.
            if source.is_atomic() && adjoint.ty().is_float() {
                self.add_atomically(Place { pointer: shadow, alignment: source.alignment() }, adjoint);
                continue;
            }
            let before = self.builder.load(adjoint.ty(), shadow, "");
            if let Some(load) = before.as_instruction() {
                load.set_alignment_at_most(source.alignment());
            }
            let after = super::adjoints::add_parts(&self.builder, before, adjoint);
            self.builder.store(after, shadow).set_alignment_at_most(source.alignment());
        }
        Ok(())
    }

    /// The adjoint of what was written += shadow memory, which becomes zero.
    pub(super) fn store(&mut self, inst: InstId, source: Instruction) -> Result<(), Error> {
        let data = &self.read.model.insts[inst];
        let (value, pointer) = (data.operands[0], data.operands[1]);
        let shadows = self.known(Known::Shadow(pointer))?;
        let adjoint_type = self.adjoint_type(value)?;
        let ty = match adjoint_type {
            Some(ty) => ty,
            None => self.type_of(value)?,
        };
        for (direction, &shadow) in shadows.iter().enumerate() {
            if source.is_atomic() && ty.is_float() {
                let place = Place { pointer: shadow, alignment: source.alignment() };
                let adjoint = self.exchange(place, Value::zero(ty));
                self.add(value, direction, adjoint)?;
                continue;
            }
            if adjoint_type.is_some() {
                let adjoint = self.builder.load(ty, shadow, "");
                if let Some(load) = adjoint.as_instruction() {
                    load.set_alignment_at_most(source.alignment());
                }
                self.add(value, direction, adjoint)?;
            }
            self.builder.store(Value::zero(ty), shadow).set_alignment_at_most(source.alignment());
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
        let to = self.known(Known::Shadow(to))?;
        let from = self.known(Known::Shadow(from))?;
        let length = self.known(Known::Primal(length))?[0];
        let length = self.builder.signed_integer_cast(length, self.integer(64));
        let may_overlap = source.called_function().is_some_and(|callee| callee.name().contains("memmove"));
        let overlap = if may_overlap { Overlap::Possible } else { Overlap::Impossible };
        let function = self.adjoint_of_copy(float, overlap);
        for (&to, &from) in to.iter().zip(&from) {
            self.builder.call(function, &[to, from, length]);
        }
        Ok(())
    }

    /// The shadow of memory before it was moved += that of what it became, as far as both go.
    pub(super) fn moved_memory(
        &mut self,
        inst: InstId,
        float: FloatType,
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
        let function = self.adjoint_of_copy(float, Overlap::Impossible);
        for (&old, &new) in old.iter().zip(&new) {
            let both = size_in_both(&self.builder, self.module, old, bytes);
            let both = self.builder.signed_integer_cast(both, self.integer(64));
            self.builder.call(function, &[new, old, both]);
        }
        Ok(())
    }

    /// The same for the floats among other things that were copied at once; without a shadow to copy from, the adjoints
    /// become zero.
    pub(super) fn pieces(
        &mut self,
        inst: InstId,
        to: usize,
        from: Option<usize>,
        floats: &[FloatPiece],
    ) -> Result<(), Error> {
        let data = &self.read.model.insts[inst];
        let to = self.known(Known::Shadow(data.operands[to]))?;
        let from = from.map(|from| self.known(Known::Shadow(data.operands[from]))).transpose()?;
        let zero = Value::zero(self.integer(8));
        for piece in floats {
            let length = self.wide(piece.length as i64);
            let function = self.adjoint_of_copy(piece.float, Overlap::Impossible);
            for (direction, &to) in to.iter().enumerate() {
                let to = self.builder.offset(to, piece.offset);
                match &from {
                    Some(from) => {
                        let from = self.builder.offset(from[direction], piece.offset);
                        self.builder.call(function, &[to, from, length]);
                    }
                    None => {
                        self.builder.fill(to, zero, length, 1);
                    }
                }
            }
        }
        Ok(())
    }

    /// The function that does it for floats of a type: written once in a module.
    fn adjoint_of_copy(&self, float: FloatType, overlap: Overlap) -> Function {
        let copied = match overlap {
            Overlap::Impossible => "memcpy",
            Overlap::Possible => "memmove",
        };
        let name = format!("__enzyme_adjoint_of_{copied}_{float}");
        if let Some(existing) = self.module.function(&name) {
            return existing;
        }
        let pointer = Type::pointer(self.signature.result.context());
        let wide = self.integer(64);
        let void = Type::void(pointer.context());
        let function = self.module.add_function(&name, Type::function(void, &[pointer, pointer, wide]));
        function.set_linkage(LLVMLinkage::LLVMLinkOnceODRLinkage);
        function.add_attribute(crate::ir::FUNCTION_ATTRIBUTES, "nounwind");
        self.write_adjoint_of_copy(function, self.float(float), overlap);
        function
    }

    fn write_adjoint_of_copy(&self, function: Function, float: Type, overlap: Overlap) {
        let [to, from, length] = function.parameters()[..] else { return };
        let builder = Builder::new(float.context());
        let wide = self.integer(64);
        let (entry, body, done) =
            (function.append_block("entry"), function.append_block("body"), function.append_block("done"));
        builder.position_at_end(entry);
        let bytes = self.wide(self.module.allocation_size(float) as i64);
        let count = builder.binary(LLVMOpcode::LLVMUDiv, length, bytes);
        // Where the two overlap, each adjoint is taken before another one is added to its place.
        let is_upward = match overlap {
            Overlap::Impossible => None,
            Overlap::Possible => Some(builder.integer_compare(LLVMIntPredicate::LLVMIntUGE, to, from)),
        };
        let is_empty = builder.integer_compare(LLVMIntPredicate::LLVMIntEQ, count, self.wide(0));
        builder.conditional_branch(is_empty, done, body);
        builder.position_at_end(body);
        let number = builder.phi(wide, "number");
        let next = builder.binary(LLVMOpcode::LLVMAdd, number.value(), self.wide(1));
        let index = match is_upward {
            None => number.value(),
            Some(is_upward) => {
                let downward = builder.binary(LLVMOpcode::LLVMSub, count, next);
                builder.select(is_upward, number.value(), downward)
            }
        };
        number.add_incoming(self.wide(0), entry);
        number.add_incoming(next, body);
        let offset = builder.binary(LLVMOpcode::LLVMMul, index, bytes);
        let (to, from) = (builder.bytes_after(to, offset), builder.bytes_after(from, offset));
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
        let is_last = builder.integer_compare(LLVMIntPredicate::LLVMIntEQ, next, count);
        builder.conditional_branch(is_last, done, body);
        builder.position_at_end(done);
        builder.ret_void();
    }
}

/// Whether what is copied and where it goes may be the same memory.
#[derive(Clone, Copy)]
enum Overlap {
    Impossible,
    Possible,
}
