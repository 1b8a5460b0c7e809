//! Functions that do something at every so many bytes of memory: to one member of each structure in an array. Each is written
//! once in a module.

use crate::ir::{Builder, FUNCTION_ATTRIBUTES, Function, Module, Type, Value};
use inkwell::llvm_sys::{LLVMIntPredicate, LLVMLinkage, LLVMOpcode};

/// In which order places are gone through.
#[derive(Clone, Copy)]
pub(crate) enum Order {
    /// From the first to the last.
    Upward,
    /// So that what overlaps is read by a copy before it is written.
    OfCopy,
    /// So that what overlaps is taken by the adjoint of a copy before something is added to it.
    OfAdjoint,
}

/// A member of each structure in an array.
#[derive(Clone, Copy)]
pub(super) struct Member {
    /// Where it is in the structure.
    pub(super) offset: u64,
    /// How many bytes it has.
    pub(super) size: u64,
    /// How many bytes a structure takes.
    pub(super) period: u64,
}

/// Copies a member of each structure among so many bytes, which may overlap where they go.
pub(super) fn copy(builder: &Builder, to: Value, from: Value, length: Value, member: Member) {
    let module = builder.function().module();
    let function = function(module, "__enzyme_copy_at_intervals", length.ty(), |body, [to, from], size| {
        body.move_bytes(to, from, size);
    });
    call(builder, function, [to, from], length, member);
}

/// Copies a member of each structure that holds pointers, one pointer after the other: so that a derivative of the derivative
/// sees what is moved.
pub(super) fn copy_pointers(builder: &Builder, to: Value, from: Value, length: Value, member: Member) {
    let module = builder.function().module();
    let ty = Type::pointer(to.ty().context());
    let size = module.allocation_size(ty);
    let name = "__enzyme_copy_pointers_at_intervals";
    let function = function(module, name, length.ty(), |body, [to, from], _| {
        let moved = body.load(ty, from, "");
        if let Some(load) = moved.as_instruction() {
            load.set_alignment_at_most(1);
        }
        body.store(moved, to).set_alignment_at_most(1);
    });
    for number in 0..member.size / size {
        let pointer = Member { offset: member.offset + number * size, size, ..member };
        call(builder, function, [to, from], length, pointer);
    }
}

/// Sets a member of each structure among so many bytes to zero.
pub(super) fn clear(builder: &Builder, memory: Value, length: Value, member: Member) {
    let module = builder.function().module();
    let function = function(module, "__enzyme_clear_at_intervals", length.ty(), |body, [memory, _], size| {
        let zero = Value::zero(Type::integer(memory.ty().context(), 8));
        body.fill(memory, zero, size, 1);
    });
    call(builder, function, [memory, memory], length, member);
}

fn call(builder: &Builder, function: Function, places: [Value; 2], length: Value, member: Member) {
    let [to, from] = places.map(|place| builder.offset(place, member.offset));
    let number = |bytes: u64| Value::integer(length.ty(), bytes.cast_signed());
    let count = count(builder, length, member);
    builder.call(function, &[to, from, count, number(member.period), number(member.size)]);
}

/// How many such members have room in so many bytes.
pub(super) fn count(builder: &Builder, length: Value, member: Member) -> Value {
    let number = |bytes: u64| Value::integer(length.ty(), bytes.cast_signed());
    let end = member.offset + member.size;
    let after = builder.binary(LLVMOpcode::LLVMAdd, length, number(member.period.saturating_sub(end)));
    builder.binary(LLVMOpcode::LLVMUDiv, after, number(member.period))
}

/// A function of two places, a number of members, their distance and their size, that does something to each.
fn function(module: Module, name: &str, wide: Type, step: impl Fn(&Builder, [Value; 2], Value)) -> Function {
    if let Some(existing) = module.function(name) {
        return existing;
    }
    let pointer = Type::pointer(wide.context());
    let void = Type::void(wide.context());
    let ty = Type::function(void, &[pointer, pointer, wide, wide, wide]);
    let function = module.add_function(name, ty);
    function.set_linkage(LLVMLinkage::LLVMLinkOnceODRLinkage);
    function.add_attribute(FUNCTION_ATTRIBUTES, "nounwind");
    if let [to, from, count, period, size] = function.parameters()[..] {
        write_loop(function, [to, from], [count, period], Order::OfCopy, |body, places| {
            step(body, places, size);
        });
    }
    function
}

/// Writes all of a function that takes two places, to and from, and does something at so many places from there on, each so
/// many bytes after the one before it.
pub(crate) fn write_loop(
    function: Function,
    places: [Value; 2],
    [count, distance]: [Value; 2],
    order: Order,
    step: impl Fn(&Builder, [Value; 2]),
) {
    let wide = count.ty();
    let number = |value: i64| Value::integer(wide, value);
    let entry = function.entry().unwrap_or_else(|| function.append_block("entry"));
    let (body, done) = (function.append_block("body"), function.append_block("done"));
    let builder = Builder::new(wide.context());
    builder.position_at_end(entry);
    let [to, from] = places;
    let is_upward = match order {
        Order::Upward => None,
        Order::OfCopy => Some(builder.integer_compare(LLVMIntPredicate::LLVMIntULE, to, from)),
        Order::OfAdjoint => Some(builder.integer_compare(LLVMIntPredicate::LLVMIntUGE, to, from)),
    };
    let is_empty = builder.integer_compare(LLVMIntPredicate::LLVMIntEQ, count, number(0));
    builder.conditional_branch(is_empty, done, body);
    builder.position_at_end(body);
    let done_before = builder.phi(wide, "number");
    let next = builder.binary(LLVMOpcode::LLVMAdd, done_before.value(), number(1));
    let index = match is_upward {
        None => done_before.value(),
        Some(is_upward) => {
            let downward = builder.binary(LLVMOpcode::LLVMSub, count, next);
            builder.select(is_upward, done_before.value(), downward)
        }
    };
    done_before.add_incoming(number(0), entry);
    done_before.add_incoming(next, body);
    let offset = builder.binary(LLVMOpcode::LLVMMul, index, distance);
    step(&builder, places.map(|place| builder.bytes_after(place, offset)));
    let is_last = builder.integer_compare(LLVMIntPredicate::LLVMIntEQ, next, count);
    builder.conditional_branch(is_last, done, body);
    builder.position_at_end(done);
    builder.ret_void();
}
