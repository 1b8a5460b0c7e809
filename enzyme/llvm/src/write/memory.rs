//! Forward mode: what is done to the shadows of memory, and to floats as bits, beyond doing the program's instruction
//! once more.

use super::bits::BitEffect;
use super::directions::{Directions, Tangents};
use super::forward::{Operand, Writer};
use super::intervals::{self, Member};
use super::tape::Tape;
use crate::error::Error;
use crate::ir::{Builder, Instruction, Kind, Module, Type, Value};
use enzyme::model::InstId;
use enzyme::plan::{
    BitArithmetic, BitOperation, Bytes, Extent, Fresh, MovedShadow, Piece, PieceShadow, ShadowLayout,
};
use enzyme::rules;
use inkwell::llvm_sys::{LLVMIntPredicate, LLVMOpcode};

/// The greatest alignment of a primal that its shadow is sure to have, too. Where the program rounds an address up to more,
/// its shadow is as far from the beginning of other memory, which the heap aligns to this and no more.
pub(super) const ALIGNMENT_OF_SHADOWS: u32 = 16;

impl Writer<'_> {
    /// What gives cleared memory at once, in the place of `malloc`.
    pub(super) fn cleared_allocation(&self, primal: Instruction, fresh: Fresh) -> Option<Value> {
        let Fresh::Heap(Bytes::Operand(size)) = fresh else { return None };
        let malloc = primal.called_function().filter(|callee| callee.name() == "malloc")?;
        let ty = *malloc.parameter_types().first()?;
        let calloc_type = Type::function(malloc.return_type(), &[ty, ty]);
        let calloc = self.module.function_or_declare("calloc", calloc_type);
        let fits = calloc.function_type() == calloc_type && calloc.is_declaration();
        fits.then(|| {
            let arguments = [Value::integer(ty, 1), primal.arguments()[size]];
            self.builder.call(calloc, &arguments).value()
        })
    }

    /// Zeroes new shadow memory: nothing has a tangent yet.
    pub(super) fn clear_new(
        &self,
        primal: Instruction,
        shadow: Instruction,
        fresh: Fresh,
    ) -> Result<(), Error> {
        let zero = self.zero_byte(shadow.value());
        match fresh {
            Fresh::No => {}
            Fresh::Frame => {
                let ty = shadow.allocated_type();
                if ty.is_scalable() {
                    self.builder.store(Value::zero(ty), shadow.value());
                    return Ok(());
                }
                let wide = Type::integer(ty.context(), 64);
                let size = Value::integer(wide, self.module.allocation_size(ty) as i64);
                let count = self.builder.signed_integer_cast(primal.value().operands()[0], wide);
                let bytes = self.builder.binary(LLVMOpcode::LLVMMul, size, count);
                self.builder.fill(shadow.value(), zero, bytes, shadow.alignment());
            }
            Fresh::Heap(bytes) => {
                let bytes = self.number_of_bytes(primal, bytes);
                let bytes = match shadow.returns_nonnull() {
                    true => bytes,
                    false => self.bytes_unless(bytes, self.builder.is_null(shadow.value())),
                };
                self.builder.fill(shadow.value(), zero, bytes, 1);
            }
            Fresh::Through { pointer, size } => {
                let place = shadow.arguments()[pointer];
                let memory = self.builder.load(place.ty(), place, "");
                let failed = self.builder.integer_compare(
                    LLVMIntPredicate::LLVMIntNE,
                    shadow.value(),
                    Value::zero(shadow.value().ty()),
                );
                let bytes = self.bytes_unless(self.number_of_bytes(primal, size), failed);
                self.builder.fill(memory, zero, bytes, 1);
            }
            Fresh::Grown(growth) => {
                let old = primal.arguments()[growth.old];
                let new = self.number_of_bytes(primal, growth.new);
                let more = self.builder.binary(LLVMOpcode::LLVMSub, new, old);
                let shrinks = self.builder.integer_compare(LLVMIntPredicate::LLVMIntULT, new, old);
                let more = self.bytes_unless(more, shrinks);
                let more = self.bytes_unless(more, self.builder.is_null(shadow.value()));
                self.builder.fill(self.builder.bytes_after(shadow.value(), old), zero, more, 1);
            }
        }
        Ok(())
    }

    /// The shadow of memory that `realloc` moves: new memory, since the old shadow is read on the way back.
    pub(super) fn move_shadow(
        &mut self,
        inst: InstId,
        primal: Instruction,
        pointer: usize,
        size: Bytes,
        begins: &MovedShadow,
    ) -> Result<(), Error> {
        let (Some(callee), Some(arena)) = (primal.called_function(), self.arena) else {
            return Err(Error::internal(
                primal,
                "memory that is moved has a shadow, and nobody remembers it",
            ));
        };
        let tape = Tape::new(self.module, self.signature.result);
        let mut places = Tangents::new();
        for old in self.shadow_one_by_one(self.read.model.insts[inst].operands[pointer])? {
            let mut arguments = primal.arguments();
            arguments[pointer] = Value::zero(old.ty());
            let new = self.builder.call(callee, &arguments).value();
            let bytes = self.bytes_unless(self.number_of_bytes(primal, size), self.builder.is_null(new));
            self.builder.fill(new, self.zero_byte(new), bytes, 1);
            match begins {
                MovedShadow::Clear => {}
                MovedShadow::Copied => {
                    let both = size_in_both(&self.builder, self.module, old, bytes);
                    self.builder.copy(new, old, both);
                }
                MovedShadow::PointersCopied { period, pointers } => {
                    let both = size_in_both(&self.builder, self.module, old, bytes);
                    for &(offset, size) in pointers {
                        let member = Member { offset, size, period: *period };
                        intervals::copy_pointers(&self.builder, new, old, both, member);
                    }
                }
            }
            let free = Type::function(Type::void(old.ty().context()), &[old.ty()]);
            let free = self.module.function_or_declare("free", free);
            tape.free_later(&self.builder, arena, old, free.value());
            places.push(new);
        }
        self.set_one_by_one(inst, &places)
    }

    fn number_of_bytes(&self, call: Instruction, bytes: Bytes) -> Value {
        let arguments = call.arguments();
        match bytes {
            Bytes::Operand(index) => arguments[index],
            Bytes::Product(left, right) => {
                self.builder.binary(LLVMOpcode::LLVMMul, arguments[left], arguments[right])
            }
        }
    }

    /// So many bytes, or none.
    fn bytes_unless(&self, bytes: Value, none: Value) -> Value {
        self.builder.select(none, Value::zero(bytes.ty()), bytes)
    }

    /// Zeros where the program writes floats without a derivative.
    pub(super) fn clear_shadow(&mut self, inst: InstId, to: usize, length: usize) -> Result<(), Error> {
        let operands = &self.read.model.insts[inst].operands;
        let length = self.primal.value(operands[length])?;
        if self.layout_of(operands[to]).is_some_and(ShadowLayout::is_side_by_side) {
            let shadow = self.shadow(operands[to])?[0];
            self.builder.fill(shadow, self.zero_byte(shadow), self.in_all_directions(length), 1);
            return Ok(());
        }
        for shadow in self.shadow_one_by_one(operands[to])? {
            let length = match self.plan.guards[inst] {
                Some(_) => self.unless_own(operands[to], shadow, length)?,
                None => length,
            };
            self.builder.fill(shadow, self.zero_byte(shadow), length, 1);
        }
        self.displace(inst, to)
    }

    pub(super) fn zero_byte(&self, value: Value) -> Value {
        Value::integer(Type::integer(value.ty().context(), 8), 0)
    }

    /// Zeros for the floats, and the same integers, where the program writes both side by side.
    pub(super) fn copy_pieces(
        &mut self,
        inst: InstId,
        to: usize,
        from: usize,
        pieces: &[Piece],
        extent: Extent,
    ) -> Result<(), Error> {
        let operands = &self.read.model.insts[inst].operands;
        let target = self.primal.value(operands[to])?;
        let wide = Type::integer(target.ty().context(), 64);
        let repeated = match extent {
            Extent::Once => None,
            Extent::Repeated { period, length } => {
                let length = self.primal.value(operands[length])?;
                Some((self.builder.signed_integer_cast(length, wide), period))
            }
        };
        let copies_shadow = pieces.iter().any(|piece| piece.shadow == PieceShadow::Copied);
        let sources = if copies_shadow { self.shadow_one_by_one(operands[from])? } else { Tangents::new() };
        for (direction, shadow) in self.shadow_one_by_one(operands[to])?.into_iter().enumerate() {
            for piece in pieces {
                if let Some((length, period)) = repeated {
                    let member = Member { offset: piece.offset, size: piece.length, period };
                    match piece.shadow {
                        PieceShadow::Zero => intervals::clear(&self.builder, shadow, length, member),
                        PieceShadow::Same => intervals::copy(&self.builder, shadow, target, length, member),
                        PieceShadow::Copied => {
                            let source = sources[direction];
                            intervals::copy_pointers(&self.builder, shadow, source, length, member);
                        }
                    }
                    continue;
                }
                let place = self.builder.offset(shadow, piece.offset);
                let length = Value::integer(wide, piece.length as i64);
                match piece.shadow {
                    PieceShadow::Zero => {
                        self.builder.fill(place, self.zero_byte(place), length, 1);
                    }
                    PieceShadow::Same => {
                        let written = self.builder.offset(target, piece.offset);
                        self.builder.copy(place, written, length);
                    }
                    PieceShadow::Copied => {
                        let copied = self.builder.offset(sources[direction], piece.offset);
                        self.builder.copy(place, copied, length);
                    }
                }
            }
        }
        self.displace(inst, to)
    }

    /// The shadow of a pointer into what an operand points to: as far from the operand's shadow.
    pub(super) fn displace(&mut self, inst: InstId, operand: usize) -> Result<(), Error> {
        let data = &self.read.model.insts[inst];
        let Some(result) = data.result else { return Ok(()) };
        let result = self.primal.value(result)?;
        let base = self.primal.value(data.operands[operand])?;
        let shadows = self.shadow_one_by_one(data.operands[operand])?;
        let places = shadows.iter().map(|&shadow| self.builder.same_place(shadow, result, base)).collect();
        self.set(inst, places)
    }

    /// Arithmetic on the bits of a float, on the bits of its tangent.
    pub(super) fn bits(
        &mut self,
        inst: InstId,
        primal: Instruction,
        bits: BitArithmetic,
    ) -> Result<(), Error> {
        let float = self.primal.value(bits.float)?;
        let (result, builder) = (primal.value(), &self.builder);
        let effect = match bits.operation {
            BitOperation::Sign => BitEffect::sign(builder, float, result),
            BitOperation::Scale => {
                let operand = bits.operand_that_is_float(&self.read.model, inst);
                BitEffect::scale(builder, primal.opcode(), result.operands()[1 - operand], operand)
            }
            BitOperation::Normalise => BitEffect::normalise(builder, float, result),
        };
        let tangents = self.shadow(bits.float)?;
        let apply = |&tangent: &Value| effect.apply(&self.builder, tangent, self.style.zero_products);
        let tangents = tangents.iter().map(apply).collect();
        self.set(inst, tangents)
    }

    /// The tangent of the greater or smaller number goes where the number itself goes.
    pub(super) fn atomic_extremum(
        &mut self,
        inst: InstId,
        primal: Instruction,
        function: rules::Function,
    ) -> Result<(), Error> {
        let operands = &self.read.model.insts[inst].operands;
        let old = primal.value();
        let ty = old.ty();
        let new = self.primal.value(operands[1])?;
        let new_tangents = self.shadow_one_by_one(operands[1])?;
        let mut old_tangents = Tangents::new();
        for shadow in self.shadow_one_by_one(operands[0])? {
            old_tangents.push(self.builder.atomic_load(ty, shadow, primal.alignment()));
        }
        let pair = [old, new];
        let tangents = vec![Some(old_tangents.clone()), Some(new_tangents)];
        let groups = Directions::apart(self.key.width).groups(ty);
        let sums = self.combine(function, &pair, &pair[..1], &groups, tangents)?;
        let places = self.shadow_one_by_one(operands[0])?;
        for ((sums, &before), &place) in sums.by_group.iter().zip(&old_tangents).zip(&places) {
            let after = sums[0].unwrap_or_else(|| Value::zero(ty));
            self.replace_shadow(place, before, after, primal.alignment());
        }
        self.set_one_by_one(inst, &old_tangents)
    }

    /// Where the exchange happened, the shadow of the new value goes into the shadow.
    pub(super) fn compare_exchange(
        &mut self,
        inst: InstId,
        primal: Instruction,
        zeroed: &[usize],
    ) -> Result<(), Error> {
        let operands = &self.read.model.insts[inst].operands;
        let happened = self.builder.extract_value(primal.value(), 1);
        let new = self.shadow_of_operand(operands[2], Operand::at(2, zeroed))?;
        let places = self.shadow_one_by_one(operands[0])?;
        let mut results = Tangents::new();
        for (&place, &new) in places.iter().zip(&new) {
            let before = self.builder.atomic_load(new.ty(), place, primal.alignment());
            let after = self.builder.select(happened, new, before);
            self.replace_shadow(place, before, after, primal.alignment());
            results.push(self.builder.insert_value(primal.value(), before, 0));
        }
        self.set_one_by_one(inst, &results)
    }

    /// Puts a tangent in memory in the place of another, unless some thread was faster.
    fn replace_shadow(&self, place: Value, before: Value, after: Value, alignment: u32) {
        let as_bits = |value: Value| match value.ty().kind() {
            Kind::Float => {
                let bits = Type::integer(value.ty().context(), self.module.bits(value.ty()));
                self.builder.cast(LLVMOpcode::LLVMBitCast, value, bits)
            }
            _ => value,
        };
        self.builder.compare_exchange(place, as_bits(before), as_bits(after), alignment);
    }
}

/// How many bytes there are both in memory on the heap, which may be null, and among so many.
pub(super) fn size_in_both(builder: &Builder, module: Module, memory: Value, bytes: Value) -> Value {
    let triple = module.triple();
    let name = if triple.contains("apple") {
        "malloc_size"
    } else if triple.contains("windows") {
        "_msize"
    } else {
        "malloc_usable_size"
    };
    let function = module.function_or_declare(name, Type::function(bytes.ty(), &[memory.ty()]));
    let there = builder.call(function, &[memory]).value();
    let is_less = builder.integer_compare(LLVMIntPredicate::LLVMIntULT, there, bytes);
    builder.select(is_less, there, bytes)
}
