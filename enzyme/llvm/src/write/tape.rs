//! The tape: memory that the forward sweep fills and the reverse sweep reads.
//!
//! A derived function that runs both sweeps owns an *arena*, in its frame. Memory is taken from it by moving a pointer on;
//! when a chunk is full, one twice as large follows. All chunks are given back at once when the reverse sweep is done. So
//! nothing is allocated one by one, whatever loops and calls there are, and memory that fits the first chunk, which lies in
//! the frame too, is never asked of the heap. The largest chunk is not freed, but left to the next derivative ([`spares`]).
//!
//! A program may bound what one derivative keeps: in [`LIMIT`], a variable, there is a number of bytes.
//!
//! The functions here are written into the module that needs them, each once; there is no library to link. Their attributes
//! say what they are to a derivative of the derivative: one allocates memory, one frees some, and the others are inactive.
//! So its tape is memory like any other, whose shadow lies on the same tape.

mod spares;

use super::stop;
use crate::ffi;
use crate::frontend::rules::attribute;
use crate::ir::{self, Block, Builder, Function, Instruction, Module, Type, Value, intrinsic};
use inkwell::llvm_sys::{LLVMIntPredicate, LLVMLinkage, LLVMOpcode};

/// Bytes of the first chunk, in the frame.
const FIRST_CHUNK: u64 = 1024;

/// Bytes of the first chunk on the heap.
const SECOND_CHUNK: i64 = 16 * 1024;

/// How far before a piece of the tape the processor is to look, in bytes.
const PREFETCH_DISTANCE: i64 = 512;

/// What every piece of the tape is aligned to, in bytes.
const ALIGNMENT: i64 = 16;

/// Bytes of an arena: its fields, and what keeps what follows it aligned.
pub(super) const ARENA_BYTES: u64 = 48;

/// Iterations that the slots of a loop have room for at first, where their number is not known.
const FIRST_ITERATIONS: i64 = 16;

/// Makes an empty arena.
const BEGIN: &str = "__enzyme_tape_begin";
/// Takes memory from an arena.
const ALLOCATE: &str = "__enzyme_tape_allocate";
/// Makes room for the slots of more iterations.
const RESERVE: &str = "__enzyme_tape_reserve";
/// Notes what is freed with an arena.
const FREE_LATER: &str = "__enzyme_tape_free_later";

/// The variable that says how many bytes the chunks of one arena on the heap may have, if it is not zero.
const LIMIT: &str = "__enzyme_tape_limit";

/// The fields of an arena.
#[derive(Clone, Copy)]
enum Field {
    /// Where the next piece begins.
    Top,
    /// Where the chunk ends.
    End,
    /// The last chunk on the heap; each begins with the address of the one before, and with how large it is.
    Chunks,
    /// How large the next chunk will be.
    NextSize,
    /// The last piece of the list of what is to be freed at the end.
    Later,
    /// The bytes of all chunks on the heap but the last one.
    Filled,
}

/// The functions of the tape, in one module.
#[derive(Clone, Copy)]
pub(crate) struct Tape {
    module: Module,
    pointer: Type,
    wide: Type,
}

impl Tape {
    pub(super) fn new(module: Module, void: Type) -> Tape {
        let context = void.context();
        Tape { module, pointer: Type::pointer(context), wide: Type::integer(context, 64) }
    }

    fn arena_type(self) -> Type {
        let (pointer, wide) = (self.pointer, self.wide);
        Type::structure(pointer.context(), &[pointer, pointer, pointer, wide, pointer, wide])
    }

    fn field(self, builder: &Builder, arena: Value, field: Field) -> Value {
        builder.offset(arena, 8 * field as u64)
    }

    fn number(self, value: i64) -> Value {
        Value::integer(self.wide, value)
    }

    /// The bytes that may be lost where memory of unknown alignment is aligned.
    pub(super) const PADDING: u64 = ALIGNMENT as u64 - 1;

    /// An empty arena, in the frame of the function that the builder writes.
    pub(super) fn arena(self, builder: &Builder) -> Value {
        let arena = builder.entry_alloca(self.arena_type(), "tape").value();
        let wide_chunk = self.wide.vector(2).array(FIRST_CHUNK / 16);
        let first = builder.entry_alloca(wide_chunk, "tape.first").value();
        self.begin(builder, arena, first, FIRST_CHUNK);
        arena
    }

    /// An arena on the heap that outlives the function, with so many bytes for what is kept once right behind it.
    pub(super) fn heap_arena(self, builder: &Builder, kept: u64) -> Value {
        let before = ARENA_BYTES + kept.next_multiple_of(ALIGNMENT as u64);
        let arena = self.heap_memory(builder, before + FIRST_CHUNK);
        self.begin(builder, arena, builder.offset(arena, before), FIRST_CHUNK);
        arena
    }

    /// An arena in the user's memory, with so many bytes for what is kept once right behind it. All else is on the heap.
    pub(super) fn arena_in(self, builder: &Builder, memory: Value, kept: u64) -> Value {
        let arena = self.aligned(builder, memory);
        self.begin(builder, arena, builder.offset(arena, ARENA_BYTES + kept), 0);
        arena
    }

    /// The first address from there on that is aligned as an arena is.
    pub(super) fn aligned(self, builder: &Builder, memory: Value) -> Value {
        let address = builder.cast(LLVMOpcode::LLVMPtrToInt, memory, self.wide);
        let distance = builder.binary(LLVMOpcode::LLVMSub, self.rounded(builder, address), address);
        builder.bytes_after(memory, distance)
    }

    /// Makes an empty arena, whose first chunk has so many bytes.
    fn begin(self, builder: &Builder, arena: Value, first: Value, bytes: u64) {
        let void = Type::void(self.pointer.context());
        let parameters = [self.pointer, self.pointer, self.wide];
        let function = self.function(BEGIN, void, &parameters, |f, b| {
            f.add_string_attribute(attribute::INACTIVE);
            self.write_begin(f, b);
        });
        builder.call(function, &[arena, first, self.number(bytes as i64)]);
    }

    fn write_begin(self, function: Function, builder: &Builder) {
        let [arena, first, bytes] = function.parameters()[..] else { return };
        let null = Value::zero(self.pointer);
        builder.store(first, self.field(builder, arena, Field::Top));
        let end = builder.bytes_after(first, bytes);
        builder.store(end, self.field(builder, arena, Field::End));
        builder.store(null, self.field(builder, arena, Field::Chunks));
        builder.store(self.number(SECOND_CHUNK), self.field(builder, arena, Field::NextSize));
        builder.store(null, self.field(builder, arena, Field::Later));
        builder.store(self.number(0), self.field(builder, arena, Field::Filled));
        builder.ret_void();
    }

    /// Memory on the heap. Without any the program ends, with a message.
    pub(super) fn heap_memory(self, builder: &Builder, bytes: u64) -> Value {
        let function = self.function("__enzyme_tape_new", self.pointer, &[self.wide], |f, b| {
            b.ret(self.checked_memory(f, b, f.parameters()[0]));
        });
        builder.call(function, &[self.number(bytes as i64)]).value()
    }

    /// Frees memory on the heap.
    pub(super) fn free(self, builder: &Builder, memory: Value) {
        self.call_library(builder, "free", Type::void(self.pointer.context()), &[memory]);
    }

    /// A new piece of the tape.
    pub(super) fn allocate(self, builder: &Builder, arena: Value, bytes: Value) -> Value {
        let function = self.function(ALLOCATE, self.pointer, &[self.pointer, self.wide], |f, b| {
            f.set_string_attribute(attribute::ALLOCATOR, "1");
            self.write_allocate(f, b);
        });
        let call = builder.call(function, &[arena, bytes]);
        call.value()
    }

    /// Has the processor fetch what lies before a piece of the tape: reverse sweeps, from call to call, go through the tape
    /// from its end to its beginning, in steps too uneven for a processor to foresee.
    pub(super) fn prefetch_before(self, builder: &Builder, piece: Value) {
        let Some(prefetch) = intrinsic(self.module, "prefetch", &[self.pointer]) else { return };
        let int = |value| Value::integer(Type::integer(self.pointer.context(), 32), value);
        let before = builder.bytes_after(piece, self.number(-PREFETCH_DISTANCE));
        // To read it, soon and often, as data.
        let (read, often, data) = (int(0), int(3), int(1));
        builder.call(prefetch, &[before, read, often, data]);
    }

    /// Sees to it that the slots of a loop have room for one iteration more.
    ///
    /// `base` and `capacity` are places: of the address of the slots, and of the number of iterations there is room for.
    pub(super) fn reserve(
        self,
        builder: &Builder,
        arena: Value,
        [base, capacity]: [Value; 2],
        used: Value,
        bytes_each: Value,
    ) -> Instruction {
        let (pointer, wide) = (self.pointer, self.wide);
        let parameters = [pointer, pointer, pointer, wide, wide];
        let void = Type::void(pointer.context());
        let function = self.function(RESERVE, void, &parameters, |f, b| self.write_reserve(f, b));
        builder.call(function, &[arena, base, capacity, used, bytes_each])
    }

    /// Frees memory once both sweeps are done, with the function given.
    pub(super) fn free_later(self, builder: &Builder, arena: Value, memory: Value, free: Value) {
        let void = Type::void(self.pointer.context());
        let function = self.function(FREE_LATER, void, &[self.pointer; 3], |f, b| {
            f.set_string_attribute(attribute::FREES, "1");
            self.write_free_later(f, b);
        });
        builder.call(function, &[arena, memory, free]);
    }

    fn write_free_later(self, function: Function, builder: &Builder) {
        let [arena, memory, free] = function.parameters()[..] else { return };
        let node = self.allocate(builder, arena, self.number(24));
        let list = self.field(builder, arena, Field::Later);
        builder.store(builder.load(self.pointer, list, ""), node);
        builder.store(memory, builder.offset(node, 8));
        builder.store(free, builder.offset(node, 16));
        builder.store(node, list);
        builder.ret_void();
    }

    /// Frees all memory of an arena, and what was to be freed later.
    pub(super) fn release(self, builder: &Builder, arena: Value) {
        let void = Type::void(self.pointer.context());
        let function = self.function("__enzyme_tape_release", void, &[self.pointer], |f, b| {
            f.add_string_attribute(attribute::INACTIVE);
            self.write_release(f, b);
        });
        builder.call(function, &[arena]);
    }

    /// Inlines what makes room for more iterations, where it is called: LLVM sees then what it does to the places handed
    /// over.
    pub(super) fn inline_growth(function: Function) {
        inline(function, RESERVE);
    }

    /// Inlines what takes memory from the tape. That is done last: until then a derivative of the derivative knows the calls
    /// for what they are.
    pub(crate) fn inline_calls(function: Function) {
        inline(function, BEGIN);
        inline(function, ALLOCATE);
    }

    /// Whether a function takes memory from a tape: it is a derivative that runs both sweeps, or had one inlined.
    pub(super) fn is_used_in(function: &enzyme::model::Function) -> bool {
        function
            .insts_in_order()
            .filter_map(|inst| function.callee_name(inst))
            .any(|name| [ALLOCATE, FREE_LATER].contains(&name))
    }

    /// Lets a function, the clone of one that has tapes of its own, take its memory from another arena: what it keeps for its
    /// reverse sweeps must outlive them.
    pub(super) fn take_from(function: Function, arena: Value) {
        let takes = |call: &Instruction| {
            call.called_function()
                .is_some_and(|callee| [ALLOCATE, FREE_LATER].contains(&callee.name().as_str()))
        };
        for call in function.instructions().filter(takes) {
            call.set_operand(0, arena);
        }
    }

    fn function(
        self,
        name: &str,
        result: Type,
        parameters: &[Type],
        write: impl FnOnce(Function, &Builder),
    ) -> Function {
        if let Some(existing) = self.module.function(name) {
            return existing;
        }
        let function = self.module.add_function(name, Type::function(result, parameters));
        function.set_linkage(LLVMLinkage::LLVMLinkOnceODRLinkage);
        function.add_attribute(ir::FUNCTION_ATTRIBUTES, "nounwind");
        let builder = Builder::new(self.pointer.context());
        builder.position_at_end(function.append_block("entry"));
        write(function, &builder);
        function
    }

    /// Calls a function of the C library, whatever type the program declares it with.
    fn call_library(self, builder: &Builder, name: &str, result: Type, arguments: &[Value]) -> Value {
        let parameters: Vec<Type> = arguments.iter().map(|argument| argument.ty()).collect();
        let ty = Type::function(result, &parameters);
        let callee = self.module.function_or_declare(name, ty).value();
        builder.call_as(ty, callee, arguments).value()
    }

    fn write_allocate(self, function: Function, builder: &Builder) {
        let (arena, bytes) = (function.parameters()[0], function.parameters()[1]);
        let (fits, full) = (function.append_block("fits"), function.append_block("full"));
        let size = self.rounded(builder, bytes);
        let place = self.field(builder, arena, Field::Top);
        let top = builder.load(self.pointer, place, "top");
        let end = builder.load(self.pointer, self.field(builder, arena, Field::End), "end");
        let room = self.distance(builder, top, end);
        let has_room = builder.integer_compare(LLVMIntPredicate::LLVMIntUGE, room, size);
        builder.conditional_branch(has_room, fits, full);
        builder.position_at_end(fits);
        builder.store(builder.bytes_after(top, size), place);
        builder.ret(top);
        builder.position_at_end(full);
        let more = self.function("__enzyme_tape_more", self.pointer, &[self.pointer, self.wide], |f, b| {
            self.write_more(f, b)
        });
        builder.ret(builder.call(more, &[arena, size]).value());
    }

    fn rounded(self, builder: &Builder, bytes: Value) -> Value {
        let sum = builder.binary(LLVMOpcode::LLVMAdd, bytes, self.number(ALIGNMENT - 1));
        builder.binary(LLVMOpcode::LLVMAnd, sum, self.number(-ALIGNMENT))
    }

    fn distance(self, builder: &Builder, from: Value, to: Value) -> Value {
        let number = |pointer| builder.cast(LLVMOpcode::LLVMPtrToInt, pointer, self.wide);
        builder.binary(LLVMOpcode::LLVMSub, number(to), number(from))
    }

    /// A new chunk, and the first piece of it.
    fn write_more(self, function: Function, builder: &Builder) {
        function.add_attribute(ir::FUNCTION_ATTRIBUTES, "noinline");
        function.add_attribute(ir::FUNCTION_ATTRIBUTES, "cold");
        let (arena, size) = (function.parameters()[0], function.parameters()[1]);
        let left = self.write_limit(function, builder, arena, size);
        let place = self.field(builder, arena, Field::NextSize);
        let usual = builder.load(self.wide, place, "usual");
        let least = builder.binary(LLVMOpcode::LLVMAdd, size, self.number(ALIGNMENT));
        let is_larger = builder.integer_compare(LLVMIntPredicate::LLVMIntUGT, least, usual);
        let wanted = self.smaller(builder, builder.select(is_larger, least, usual), left);
        let chunk = self.spare_or_new_chunk(builder, arena, [least, wanted]);
        let chunk_size = builder.load(self.wide, self.size_of_chunk(builder, chunk), "size");
        builder.store(self.size_after(builder, chunk_size), place);
        let chunks = self.field(builder, arena, Field::Chunks);
        builder.store(builder.load(self.pointer, chunks, ""), chunk);
        builder.store(chunk, chunks);
        let piece = builder.offset(chunk, ALIGNMENT as u64);
        builder.store(builder.bytes_after(piece, size), self.field(builder, arena, Field::Top));
        // Of a chunk that is larger than what is left, the rest is not used.
        let usable = self.smaller(builder, chunk_size, left);
        builder.store(builder.bytes_after(chunk, usable), self.field(builder, arena, Field::End));
        builder.ret(piece);
    }

    /// Counts the last chunk, which is full. Where a piece more would be more than is allowed, the program ends with a
    /// message. Gives how many bytes are left, that piece included.
    fn write_limit(self, function: Function, builder: &Builder, arena: Value, piece: Value) -> Value {
        let (counted, go_on, stop) =
            (function.append_block("counted"), function.append_block("go_on"), function.append_block("stop"));
        let last_chunk = function.append_block("last");
        let (last, place) =
            (self.field(builder, arena, Field::Chunks), self.field(builder, arena, Field::Filled));
        let last = builder.load(self.pointer, last, "last");
        builder.conditional_branch(builder.is_null(last), counted, last_chunk);
        builder.position_at_end(last_chunk);
        let before = builder.load(self.wide, place, "before");
        let bytes = builder.load(self.wide, self.size_of_chunk(builder, last), "bytes");
        builder.store(builder.binary(LLVMOpcode::LLVMAdd, before, bytes), place);
        builder.branch(counted);
        builder.position_at_end(counted);
        let filled = builder.load(self.wide, place, "filled");
        let place = self.limit();
        let limit = builder.load(place.global_value_type(), place, "limit");
        let limit = builder.signed_integer_cast(limit, self.wide);
        let is_unlimited = builder.integer_compare(LLVMIntPredicate::LLVMIntEQ, limit, self.number(0));
        let limit = builder.select(is_unlimited, self.number(i64::MAX), limit);
        let is_full = builder.integer_compare(LLVMIntPredicate::LLVMIntUGT, filled, limit);
        let rest = builder.binary(LLVMOpcode::LLVMSub, limit, filled);
        let left = builder.select(is_full, self.number(0), rest);
        let least = builder.binary(LLVMOpcode::LLVMAdd, piece, self.number(ALIGNMENT));
        let is_enough = builder.integer_compare(LLVMIntPredicate::LLVMIntULE, least, left);
        builder.conditional_branch(is_enough, go_on, stop);
        builder.position_at_end(stop);
        let message = "a derivative has to keep more than the %llu bytes that `__enzyme_tape_limit` allows; loops with \
                       checkpoints (<enzyme/checkpoint.h>) keep less, and `-Rpass-analysis=enzyme` says what is kept\n";
        stop::write(builder, self.module, message, &[limit]);
        builder.position_at_end(go_on);
        left
    }

    /// The variable with the limit: an integer, zero unless the program says otherwise. What the program only declares is
    /// defined here.
    fn limit(self) -> Value {
        let declared = self.module.global(LIMIT).filter(|limit| limit.global_value_type().is_integer());
        let limit = declared.unwrap_or_else(|| self.module.add_global(LIMIT, self.wide));
        if limit.initializer().is_none() {
            limit.set_initializer(Value::zero(limit.global_value_type()));
            limit.set_linkage(LLVMLinkage::LLVMWeakAnyLinkage);
        }
        limit
    }

    /// Where a chunk says how large it is.
    fn size_of_chunk(self, builder: &Builder, chunk: Value) -> Value {
        builder.offset(chunk, 8)
    }

    /// How large a chunk is that follows one of that size: twice as large, but not so large that it could not be a spare one.
    fn size_after(self, builder: &Builder, size: Value) -> Value {
        let twice = builder.binary(LLVMOpcode::LLVMShl, size, self.number(1));
        self.smaller(builder, twice, self.number(spares::LARGEST))
    }

    fn smaller(self, builder: &Builder, one: Value, other: Value) -> Value {
        let is_less = builder.integer_compare(LLVMIntPredicate::LLVMIntULT, one, other);
        builder.select(is_less, one, other)
    }

    /// Memory on the heap; the builder goes on where there is some.
    fn checked_memory(self, function: Function, builder: &Builder, bytes: Value) -> Value {
        let (got, failed) = (function.append_block("got"), function.append_block("failed"));
        let memory = self.call_library(builder, "malloc", self.pointer, &[bytes]);
        let null = Value::zero(self.pointer);
        let is_null = builder.integer_compare(LLVMIntPredicate::LLVMIntEQ, memory, null);
        builder.conditional_branch(is_null, failed, got);
        builder.position_at_end(failed);
        stop::write(builder, self.module, "no memory is left for what a derivative has to keep\n", &[]);
        builder.position_at_end(got);
        memory
    }

    fn write_reserve(self, function: Function, builder: &Builder) {
        let [arena, base, capacity, used, bytes_each] = function.parameters()[..] else { return };
        let (grow, done) = (function.append_block("grow"), function.append_block("done"));
        let room = builder.load(self.wide, capacity, "room");
        let is_enough = builder.integer_compare(LLVMIntPredicate::LLVMIntULT, used, room);
        builder.conditional_branch(is_enough, done, grow);
        builder.position_at_end(done);
        builder.ret_void();
        builder.position_at_end(grow);
        let is_empty = builder.integer_compare(LLVMIntPredicate::LLVMIntEQ, room, self.number(0));
        let twice = builder.binary(LLVMOpcode::LLVMShl, room, self.number(1));
        let more = builder.select(is_empty, self.number(FIRST_ITERATIONS), twice);
        let new = self.allocate(builder, arena, builder.binary(LLVMOpcode::LLVMMul, more, bytes_each));
        let old = builder.load(self.pointer, base, "old");
        builder.copy(new, old, builder.binary(LLVMOpcode::LLVMMul, used, bytes_each));
        builder.store(new, base);
        builder.store(more, capacity);
        builder.ret_void();
    }

    fn write_release(self, function: Function, builder: &Builder) {
        let arena = function.parameters()[0];
        let later = self.field(builder, arena, Field::Later);
        let chunks = self.field(builder, arena, Field::Chunks);
        let void = Type::void(self.pointer.context());
        let rest = self.write_walk(function, builder, later, |node| {
            let memory = builder.load(self.pointer, builder.offset(node, 8), "memory");
            let how = builder.load(self.pointer, builder.offset(node, 16), "how");
            builder.call_as(Type::function(void, &[self.pointer]), how, &[memory]);
        });
        builder.position_at_end(rest);
        // The last chunk is the largest.
        let (largest, done) = (function.append_block("largest"), function.append_block("done"));
        let last = builder.load(self.pointer, chunks, "last");
        builder.conditional_branch(builder.is_null(last), done, largest);
        builder.position_at_end(largest);
        builder.store(builder.load(self.pointer, last, "next"), chunks);
        self.leave_as_spare(builder, arena, last);
        let rest = self.write_walk(function, builder, chunks, |chunk| self.free(builder, chunk));
        builder.position_at_end(rest);
        builder.branch(done);
        builder.position_at_end(done);
        builder.ret_void();
    }

    /// A loop over a list; each node begins with the address of the next. Gives the block where it goes on.
    fn write_walk(
        self,
        function: Function,
        builder: &Builder,
        list: Value,
        visit: impl FnOnce(Value),
    ) -> Block {
        let (head, body, rest) =
            (function.append_block("head"), function.append_block("body"), function.append_block("rest"));
        builder.branch(head);
        builder.position_at_end(head);
        let node = builder.load(self.pointer, list, "node");
        let is_end = builder.integer_compare(LLVMIntPredicate::LLVMIntEQ, node, Value::zero(self.pointer));
        builder.conditional_branch(is_end, rest, body);
        builder.position_at_end(body);
        builder.store(builder.load(self.pointer, node, "next"), list);
        visit(node);
        builder.branch(head);
        rest
    }
}

/// Inlines the calls of a function of the tape.
fn inline(function: Function, name: &str) {
    let is_call = |call: &Instruction| call.called_function().is_some_and(|callee| callee.name() == name);
    let calls: Vec<Instruction> = function.instructions().filter(is_call).collect();
    for call in calls {
        // One that LLVM does not inline is called.
        let _ = ffi::inline_function(call.value().raw());
    }
}
