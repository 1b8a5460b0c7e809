//! Chunks that derivatives leave to the next ones.
//!
//! Programs compute gradients over and over. Were the memory of a large tape given back to the system each time, the next
//! derivative would have to wait for the system to hand it out again, page by page, which takes longer than to fill and to
//! read it. So the largest chunk of a tape, unless it is very large, becomes a spare one, which the next tape begins with:
//! a tape that grows in several chunks is one chunk the next time, or soon after.
//!
//! There are [`PLACES`] for spare chunks, and never more of them. Derivatives that run at the same time in different threads
//! have arenas in different stacks, far from each other, and so they mostly use different places. Where they meet, one finds
//! none, and asks the heap. The program frees what is left when it ends.

use super::Tape;
use crate::ir::{Builder, Function, Module, Type, Value};
use crate::write::stop;
use inkwell::llvm_sys::{LLVMIntPredicate, LLVMLinkage, LLVMOpcode};

/// How many spare chunks there may be. A power of two.
const PLACES: u64 = 16;

/// Two stacks lie at least so many bytes from each other, as a power of two, where threads are made in the usual way.
const DISTANCE_OF_STACKS: i64 = 23;

/// The largest chunk that is kept for the next derivative, in bytes.
pub(super) const LARGEST: i64 = 128 << 20;

/// The places of spare chunks: the addresses of these, or zero.
const SPARES: &str = "__enzyme_tape_spares";
/// Frees what is left.
const FORGET: &str = "__enzyme_tape_forget_spares";

impl Tape {
    /// A chunk of at least so many bytes, which says how large it is: a spare one, or a new one of the bytes wanted. Without
    /// memory the program ends here, with a message.
    pub(super) fn spare_or_new_chunk(
        self,
        builder: &Builder,
        arena: Value,
        [least, wanted]: [Value; 2],
    ) -> Value {
        if !self.has_spares() {
            return self.new_chunk(builder, wanted);
        }
        let parameters = [self.pointer, self.wide, self.wide];
        let function =
            self.function("__enzyme_tape_chunk", self.pointer, &parameters, |f, b| self.write_chunk(f, b));
        builder.call(function, &[arena, least, wanted]).value()
    }

    /// Leaves a chunk to the next derivative, or frees it.
    pub(super) fn leave_as_spare(self, builder: &Builder, arena: Value, chunk: Value) {
        if !self.has_spares() {
            return self.free(builder, chunk);
        }
        let void = Type::void(self.pointer.context());
        let parameters = [self.pointer, self.pointer];
        let function = self.function("__enzyme_tape_leave", void, &parameters, |f, b| self.write_leave(f, b));
        builder.call(function, &[arena, chunk]);
    }

    /// Sees to it that the program frees spare chunks when it ends, if derivatives in the module leave any. To be called when
    /// nothing can fail any more.
    pub(crate) fn forget_spares_at_exit(module: Module) {
        let forget = module.function(FORGET).map(Function::value);
        if let Some(forget) = forget.filter(|forget| forget.users().is_empty()) {
            forget.call_at_exit();
        }
    }

    /// Whether programs for the module's target have memory that threads share, and an end.
    fn has_spares(self) -> bool {
        stop::has_posix(self.module)
    }

    fn new_chunk(self, builder: &Builder, bytes: Value) -> Value {
        let chunk = self.checked_memory(builder.function(), builder, bytes);
        builder.store(bytes, self.size_of_chunk(builder, chunk));
        chunk
    }

    fn write_chunk(self, function: Function, builder: &Builder) {
        let [arena, least, wanted] = function.parameters()[..] else { return };
        let names = ["found", "fits", "small", "none"];
        let [found, fits, small, none] = names.map(|name| function.append_block(name));
        let spare =
            self.exchange_spare(builder, self.place_of_spare(builder, arena), Value::zero(self.pointer));
        builder.conditional_branch(builder.is_null(spare), none, found);
        builder.position_at_end(found);
        let bytes = builder.load(self.wide, self.size_of_chunk(builder, spare), "bytes");
        let is_enough = builder.integer_compare(LLVMIntPredicate::LLVMIntUGE, bytes, least);
        builder.conditional_branch(is_enough, fits, small);
        builder.position_at_end(fits);
        builder.ret(spare);
        builder.position_at_end(small);
        self.free(builder, spare);
        builder.branch(none);
        builder.position_at_end(none);
        builder.ret(self.new_chunk(builder, wanted));
    }

    fn write_leave(self, function: Function, builder: &Builder) {
        let [arena, chunk] = function.parameters()[..] else { return };
        let (keep, free) = (function.append_block("keep"), function.append_block("free"));
        let entry = builder.block();
        let bytes = builder.load(self.wide, self.size_of_chunk(builder, chunk), "bytes");
        let is_small = builder.integer_compare(LLVMIntPredicate::LLVMIntULE, bytes, self.number(LARGEST));
        builder.conditional_branch(is_small, keep, free);
        builder.position_at_end(keep);
        // What another thread has left there meanwhile, or a derivative inside this one.
        let before = self.exchange_spare(builder, self.place_of_spare(builder, arena), chunk);
        builder.branch(free);
        builder.position_at_end(free);
        let superfluous = builder.phi(self.pointer, "superfluous");
        superfluous.add_incoming(chunk, entry);
        superfluous.add_incoming(before, keep);
        self.free(builder, superfluous.value());
        builder.ret_void();
    }

    /// Puts a chunk, or none, into a place; gives what was there.
    fn exchange_spare(self, builder: &Builder, place: Value, chunk: Value) -> Value {
        let number = builder.cast(LLVMOpcode::LLVMPtrToInt, chunk, self.wide);
        let before = builder.exchange(place, number);
        builder.cast(LLVMOpcode::LLVMIntToPtr, before, self.pointer)
    }

    /// The place of spare chunks that the derivative with that arena uses.
    fn place_of_spare(self, builder: &Builder, arena: Value) -> Value {
        let address = builder.cast(LLVMOpcode::LLVMPtrToInt, arena, self.wide);
        let stack = builder.binary(LLVMOpcode::LLVMLShr, address, self.number(DISTANCE_OF_STACKS));
        let index = builder.binary(LLVMOpcode::LLVMAnd, stack, self.number(PLACES as i64 - 1));
        builder.element(self.wide, self.spares(), index)
    }

    /// The places of spare chunks, and what frees these.
    fn spares(self) -> Value {
        if let Some(spares) = self.module.global(SPARES) {
            return spares;
        }
        let ty = self.wide.array(PLACES);
        let spares = self.module.add_global(SPARES, ty);
        spares.set_initializer(Value::zero(ty));
        spares.set_linkage(LLVMLinkage::LLVMLinkOnceODRLinkage);
        let void = Type::void(self.pointer.context());
        self.function(FORGET, void, &[], |_, b| self.write_forget(b, spares));
        spares
    }

    fn write_forget(self, builder: &Builder, spares: Value) {
        for index in 0..PLACES {
            let place = builder.element(self.wide, spares, self.number(index as i64));
            let spare = self.exchange_spare(builder, place, Value::zero(self.pointer));
            self.free(builder, spare);
        }
        builder.ret_void();
    }
}
