//! The memory of an outlined loop: what its annotation names, and what need not be named.

use super::shape::Shape;
use crate::error::Error;
use crate::ffi;
use crate::frontend::{self, Wish};
use crate::ir::{Builder, Function, Instruction, Type, Value};
use enzyme::memory::sizes_of_allocation;
use inkwell::llvm_sys::{LLVMOpcode, LLVMValueKind};

/// Computes before the loop what the annotation says: memory and sizes are those that there are on entry.
///
/// # Errors
/// What cannot be computed there.
pub(super) fn evaluate_on_entry(call: Instruction, shape: &Shape) -> Result<(), Error> {
    for (index, argument) in (0..).zip(call.arguments()) {
        call.set_operand(index, on_entry(call, argument, shape)?);
    }
    Ok(())
}

fn on_entry(call: Instruction, value: Value, shape: &Shape) -> Result<Value, Error> {
    let Some(inst) = value.as_instruction().filter(|inst| shape.blocks.contains(&inst.block())) else {
        return Ok(value);
    };
    let is_understood = match inst.opcode() {
        LLVMOpcode::LLVMLoad => !inst.is_atomic(),
        LLVMOpcode::LLVMGetElementPtr
        | LLVMOpcode::LLVMAdd
        | LLVMOpcode::LLVMSub
        | LLVMOpcode::LLVMMul
        | LLVMOpcode::LLVMShl
        | LLVMOpcode::LLVMAnd
        | LLVMOpcode::LLVMOr
        | LLVMOpcode::LLVMZExt
        | LLVMOpcode::LLVMSExt
        | LLVMOpcode::LLVMTrunc
        | LLVMOpcode::LLVMBitCast
        | LLVMOpcode::LLVMPtrToInt
        | LLVMOpcode::LLVMIntToPtr
        | LLVMOpcode::LLVMICmp
        | LLVMOpcode::LLVMSelect
        | LLVMOpcode::LLVMFreeze => true,
        _ => false,
    };
    if !is_understood {
        return Err(Error::program(call, "what the annotation of a loop names changes while the loop runs")
            .help("give it a pointer and a size that are computed before the loop"));
    }
    let operands = value
        .operands()
        .into_iter()
        .map(|operand| on_entry(call, operand, shape))
        .collect::<Result<Vec<_>, _>>()?;
    let builder = Builder::new(value.ty().context());
    if let Some(end) = shape.preheader.terminator() {
        builder.position_before(end);
    }
    let copy = inst.clone_detached();
    for (index, operand) in (0..).zip(operands) {
        copy.set_operand(index, operand);
    }
    builder.insert(copy);
    Ok(copy.value())
}

/// The memory behind pointers whose size the function shows, unless the annotation names some of it.
pub(super) fn found(pointers: &[Value], wish: &Wish, builder: &Builder) -> Vec<(Value, Value)> {
    let named: Vec<Value> = wish.regions.iter().map(|(pointer, _)| object(*pointer)).collect();
    let mut found: Vec<(Value, Value)> = Vec::new();
    for object in pointers.iter().filter(|value| value.ty().is_pointer()).map(|&pointer| object(pointer)) {
        if named.contains(&object) || found.iter().any(|(known, _)| *known == object) {
            continue;
        }
        if let Some(bytes) = size(object, builder) {
            found.push((object, bytes));
        }
    }
    found
}

/// What a pointer was computed from.
pub(super) fn object(pointer: Value) -> Value {
    let inst = pointer.as_instruction().filter(|inst| leads_elsewhere(*inst));
    inst.map_or(pointer, |inst| object(inst.value().operands()[0]))
}

/// Whether an instruction computes an address from another one in the same memory.
pub(super) fn leads_elsewhere(inst: Instruction) -> bool {
    matches!(
        inst.opcode(),
        LLVMOpcode::LLVMGetElementPtr | LLVMOpcode::LLVMBitCast | LLVMOpcode::LLVMAddrSpaceCast
    ) && inst.value().ty().is_pointer()
}

/// The attribute of functions whose parameters point to as many bytes as they say, and no more.
pub(super) const KNOWS_SIZES: &str = "enzyme_knows_sizes";

/// The size of a piece of memory, which there may be or not.
fn size(object: Value, builder: &Builder) -> Option<Value> {
    let phi = object.as_instruction().filter(|inst| inst.opcode() == LLVMOpcode::LLVMPHI);
    let Some(phi) = phi else { return size_of_allocation(object, builder) };
    let context = object.ty().context();
    let wide = Type::integer(context, 64);
    let mut sizes = Vec::new();
    for (value, from) in phi.incoming() {
        let size = match value == Value::zero(value.ty()) {
            true => Value::zero(wide),
            false => {
                let there = Builder::new(context);
                there.position_before(from.terminator()?);
                size_of_allocation(value, &there)?
            }
        };
        sizes.push((size, from));
    }
    let there = Builder::new(context);
    there.position_at_start(phi.block());
    let size = there.phi(wide, "size");
    sizes.into_iter().for_each(|(value, from)| size.add_incoming(value, from));
    Some(size.value())
}

fn size_of_allocation(object: Value, builder: &Builder) -> Option<Value> {
    let wide = Type::integer(object.ty().context(), 64);
    let function = builder.function();
    if object.kind() == LLVMValueKind::LLVMArgumentValueKind {
        let index = (1..).zip(function.parameters()).find(|(_, parameter)| *parameter == object)?.0;
        let bytes = function.attribute_value(index, "dereferenceable")?;
        let is_all = function.has_string_attribute(KNOWS_SIZES) || is_used_within(object, 0, bytes as i64);
        if !is_all {
            return None;
        }
        return Some(Value::integer(wide, bytes as i64));
    }
    let inst = object.as_instruction()?;
    if inst.opcode() == LLVMOpcode::LLVMAlloca {
        let each = Value::integer(wide, function.module().allocation_size(inst.allocated_type()) as i64);
        let count = builder.signed_integer_cast(object.operands()[0], wide);
        return Some(builder.binary(LLVMOpcode::LLVMMul, count, each));
    }
    let callee = inst.called_function().filter(|callee| callee.is_declaration())?;
    let arguments = inst.arguments();
    let sizes = sizes_of_allocation(&callee.name())?;
    let sizes = sizes.into_iter().map(|index| arguments.get(index).copied()).collect::<Option<Vec<_>>>()?;
    let sizes = sizes.into_iter().map(|size| builder.signed_integer_cast(size, wide));
    sizes.reduce(|left, right| builder.binary(LLVMOpcode::LLVMMul, left, right))
}

/// Whether a function uses no more of memory than its first bytes, of which an address is so many bytes away.
fn is_used_within(address: Value, distance: i64, bytes: i64) -> bool {
    let reaches =
        |length: u64| distance >= 0 && i64::try_from(length).is_ok_and(|length| distance + length <= bytes);
    address.users().into_iter().all(|user| {
        let Some(inst) = user.as_instruction() else { return false };
        let module = inst.function().module();
        match inst.opcode() {
            LLVMOpcode::LLVMLoad => reaches(module.allocation_size(inst.value().ty())),
            LLVMOpcode::LLVMStore => {
                let [value, _] = inst.value().operands()[..] else { return false };
                value != address && reaches(module.allocation_size(value.ty()))
            }
            LLVMOpcode::LLVMGetElementPtr => ffi::constant_offset(user.raw())
                .is_some_and(|offset| is_used_within(user, distance + offset, bytes)),
            LLVMOpcode::LLVMICmp => true,
            LLVMOpcode::LLVMCall => match inst.called_function() {
                Some(callee) if frontend::is_annotation(inst) || is_mark_of_lifetime(callee) => true,
                Some(callee) if moves_memory(callee) => {
                    inst.arguments().get(2).and_then(|length| length.constant_integer()).is_some_and(reaches)
                }
                _ => false,
            },
            _ => false,
        }
    })
}

/// Whether a function fills, copies or moves as many bytes as its third argument says.
fn moves_memory(function: Function) -> bool {
    ["llvm.memcpy.", "llvm.memmove.", "llvm.memset."].iter().any(|name| function.name().starts_with(name))
}

/// Whether a function says where a variable begins or ends to be.
pub(super) fn is_mark_of_lifetime(function: Function) -> bool {
    function.name().starts_with("llvm.lifetime.")
}
