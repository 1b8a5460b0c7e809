//! The step of an outlined loop: a function that runs once through the loop's body.

use super::regions::object;
use super::shape::{Shape, phis};
use super::slots::Slots;
use crate::ffi;
use crate::ir::{Block, Builder, Function, Instruction, Type, Value};
use inkwell::llvm_sys::prelude::LLVMValueRef;
use inkwell::llvm_sys::{LLVMLinkage, LLVMOpcode, LLVMValueKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// A step, and what it is given after the number of the iteration and the state.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) function: Function,
    pub(super) arguments: Vec<Value>,
}

/// What the body uses of what is around it.
struct Surroundings {
    /// Values that the step is given.
    arguments: Vec<Value>,
    /// Variables that are new in each iteration, and addresses in them: the step has its own.
    own: Vec<Instruction>,
}

impl Step {
    /// Writes the step of a loop: it runs from the header to where that is reached again, or to an exit.
    pub(super) fn write(original: Function, shape: &Shape, slots: &Slots, counter: Instruction) -> Step {
        let around = Surroundings::of(shape);
        let module = original.module();
        let context = original.function_type().context();
        let wide = Type::integer(context, 64);
        let has_state = slots.bytes(module) > 0;
        let mut types = vec![wide];
        types.extend(has_state.then(|| Type::pointer(context)));
        types.extend(around.arguments.iter().map(|value| value.ty()));
        let function = module.add_function(
            &format!("{}_loop", original.name()),
            Type::function(Type::void(context), &types),
        );
        function.set_linkage(LLVMLinkage::LLVMInternalLinkage);
        function.copy_target(shape.header.function());
        let parameters = function.parameters();
        let state = has_state.then(|| parameters[1]);
        let given = &parameters[parameters.len() - around.arguments.len()..];
        if has_state {
            function.say_dereferenceable(2, slots.bytes(module));
        }
        for (index, (value, parameter)) in (1..).zip(around.arguments.iter().zip(given)) {
            parameter.set_name(&value.name());
            if let Some(bytes) = known_size(*value) {
                function.say_dereferenceable(index + 1 + u32::from(has_state), bytes);
            }
        }

        let builder = Builder::new(context);
        let entry = function.append_block("entry");
        let mut known: Vec<(Value, Value)> =
            around.arguments.iter().copied().zip(given.iter().copied()).collect();
        builder.position_at_end(entry);
        for inst in &around.own {
            let copy = inst.clone_detached();
            for (old, new) in &known {
                copy.value().replace_operand(*old, *new);
            }
            builder.insert(copy);
            known.push((inst.value(), copy.value()));
        }
        let exits: Vec<Block> = shape.exits.iter().map(|_| function.append_block("left")).collect();
        let again = function.append_block("again");
        known.extend(shape.exits.iter().zip(&exits).map(|(old, new)| (old.as_value(), new.as_value())));

        let outlined: Vec<_> = shape.outlined().map(|block| block.0).collect();
        let raw: Vec<_> = known.iter().map(|(old, new)| (old.raw(), new.raw())).collect();
        let clones = ffi::clone_basic_blocks(function.value().raw(), &outlined, &raw);
        let map: FxHashMap<LLVMValueRef, LLVMValueRef> = raw.into_iter().chain(clones).collect();
        let clone_of = |value: Value| map.get(&value.raw()).map_or(value, |&raw| Value::from_raw(raw));
        let block_of = |block: Block| clone_of(block.as_value()).as_block().unwrap_or(block);

        // What is carried around comes from the state, and goes there.
        builder.position_at_end(again);
        for &(phi, field) in &slots.carried {
            let next = phi.incoming().into_iter().find(|(_, block)| *block == shape.latch);
            if let (Some((next, _)), Some(state)) = (next, state) {
                slots.store(&builder, state, field, clone_of(next));
            }
        }
        builder.ret_void();
        redirect(block_of(shape.latch), block_of(shape.header), again);
        builder.position_at_end(entry);
        let mut taken_over = vec![(counter, parameters[0])];
        if let Some(state) = state {
            taken_over.extend(
                slots.carried.iter().map(|&(phi, field)| (phi, slots.load(&builder, state, field))),
            );
        }
        builder.branch(block_of(shape.header));
        for (phi, value) in taken_over {
            if let Some(phi) = clone_of(phi.value()).as_instruction() {
                phi.value().replace_all_uses_with(value);
                phi.erase();
            }
        }

        // What is used behind the loop goes to the state where the loop is left.
        for (exit, (&left, used)) in exits.iter().zip(&slots.used).enumerate() {
            builder.position_at_end(left);
            let mut kept = Vec::new();
            for &(phi, field) in used {
                let here = builder.phi(phi.value().ty(), "");
                for (value, from) in phi.incoming() {
                    here.add_incoming(clone_of(value), block_of(from));
                }
                kept.push((here.value(), field));
            }
            if let Some(state) = state {
                kept.iter().for_each(|&(value, field)| slots.store(&builder, state, field, value));
            }
            slots.store_way(&builder, state, exit);
            builder.ret_void();
        }
        drop_foreign_lifetimes(function);
        Step { function, arguments: around.arguments }
    }
}

/// Lets a block jump to another one instead.
fn redirect(from: Block, old: Block, new: Block) {
    let Some(end) = from.terminator() else { return };
    for (index, _) in (0..).zip(end.successors()).filter(|(_, to)| *to == old) {
        end.set_successor(index, new);
    }
}

/// Marks of lifetime are for variables of the function itself.
fn drop_foreign_lifetimes(function: Function) {
    let is_foreign = |inst: &Instruction| {
        is_mark_of_lifetime(*inst)
            && !inst.arguments().iter().any(|argument| is_alloca(object(*argument)))
    };
    let foreign: Vec<Instruction> = function.instructions().filter(is_foreign).collect();
    foreign.into_iter().for_each(Instruction::erase);
}

fn is_mark_of_lifetime(inst: Instruction) -> bool {
    inst.called_function().is_some_and(|callee| callee.name().starts_with("llvm.lifetime."))
}

fn is_alloca(value: Value) -> bool {
    value.as_instruction().is_some_and(|inst| inst.opcode() == LLVMOpcode::LLVMAlloca)
}

/// The size of a variable of the frame, when that is known and the pointer leads to where it begins.
fn known_size(pointer: Value) -> Option<u64> {
    let variable = pointer.as_instruction().filter(|_| is_alloca(pointer))?;
    let count = pointer.operands()[0].constant_integer()?;
    Some(count * variable.function().module().allocation_size(variable.allocated_type()))
}

impl Surroundings {
    fn of(shape: &Shape) -> Surroundings {
        let inside: FxHashSet<Block> = shape.outlined().collect();
        let is_inside = |inst: Instruction| inside.contains(&inst.block());
        let mut seen = FxHashSet::default();
        let mut found = Surroundings { arguments: Vec::new(), own: Vec::new() };
        let mut meet = |value: Value| {
            let is_around = match value.kind() {
                LLVMValueKind::LLVMArgumentValueKind => true,
                LLVMValueKind::LLVMInstructionValueKind => !value.as_instruction().is_some_and(is_inside),
                _ => false,
            };
            if !is_around || !seen.insert(value) {
                return;
            }
            match own_address(value, &is_inside) {
                Some(path) => {
                    for inst in path {
                        if !found.own.contains(&inst) {
                            found.own.push(inst);
                        }
                    }
                }
                None => found.arguments.push(value),
            }
        };
        for block in shape.outlined() {
            for inst in block.instructions() {
                let from_outside = |from: &Block| !inside.contains(from);
                match inst.opcode() {
                    // What comes from elsewhere does not come in the step.
                    LLVMOpcode::LLVMPHI => {
                        let incoming = inst.incoming().into_iter();
                        incoming.filter(|(_, from)| !from_outside(from)).for_each(|(value, _)| meet(value));
                    }
                    _ => inst.value().operands().into_iter().for_each(&mut meet),
                }
            }
        }
        let used = shape.exits.iter().flat_map(|&exit| phis(exit)).flat_map(Instruction::incoming);
        used.for_each(|(value, _)| meet(value));
        found
    }
}

/// An address in a variable that begins to live in the body and is used nowhere else, and what it is computed from, which comes
/// first.
fn own_address(value: Value, is_inside: &impl Fn(Instruction) -> bool) -> Option<Vec<Instruction>> {
    let variable = object(value).as_instruction().filter(|inst| is_alloca(inst.value()))?;
    let has_constant_size = variable.value().operands()[0].is_constant();
    let begins = |user: Value| {
        user.as_instruction().is_some_and(|user| {
            is_inside(user)
                && user.called_function().is_some_and(|callee| callee.name().starts_with("llvm.lifetime.start"))
        })
    };
    let is_own = has_constant_size
        && is_used_inside(variable.value(), is_inside)
        && variable.value().users().into_iter().any(begins);
    if !is_own {
        return None;
    }
    let mut path = Vec::new();
    let mut next = value.as_instruction();
    while let Some(inst) = next {
        path.push(inst);
        next = (inst != variable).then(|| inst.value().operands()[0].as_instruction()).flatten();
    }
    path.reverse();
    Some(path)
}

/// Whether an address is used only in the body, or to compute others at known distances of which that is true.
fn is_used_inside(address: Value, is_inside: &impl Fn(Instruction) -> bool) -> bool {
    address.users().into_iter().all(|user| {
        user.as_instruction().is_some_and(|user| {
            let computes = user.opcode() == LLVMOpcode::LLVMGetElementPtr
                && user.value().operands()[1..].iter().all(|index| index.is_constant());
            is_inside(user) || (computes && is_used_inside(user.value(), is_inside))
        })
    })
}
