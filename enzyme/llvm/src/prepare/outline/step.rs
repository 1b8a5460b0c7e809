//! The step of an outlined loop: a function that runs once through the loop's body.

use super::regions::{KNOWS_SIZES, is_mark_of_lifetime, leads_elsewhere, object};
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
        let parts = slots.parts(module, context).map(|(_, bytes)| bytes);
        let mut types = vec![wide];
        types.extend(parts.iter().filter(|&&bytes| bytes > 0).map(|_| Type::pointer(context)));
        let before = types.len();
        types.extend(around.arguments.iter().map(|value| value.ty()));
        let function = module
            .add_function(&format!("{}_loop", original.name()), Type::function(Type::void(context), &types));
        function.set_linkage(LLVMLinkage::LLVMInternalLinkage);
        function.copy_target(shape.header.function());
        function.add_string_attribute(KNOWS_SIZES);
        let parameters = function.parameters();
        let (first, given) = parameters.split_at(before);
        let mut pointers = (2..).zip(&first[1..]);
        let state = parts.map(|bytes| {
            let (index, &pointer) = (bytes > 0).then(|| pointers.next())??;
            function.say_dereferenceable(index, bytes);
            Some(pointer)
        });
        for (index, (value, parameter)) in (before as u32 + 1..).zip(around.arguments.iter().zip(given)) {
            parameter.set_name(&value.name());
            if let Some(bytes) = known_size(*value) {
                function.say_dereferenceable(index, bytes);
            }
        }

        let builder = Builder::new(context);
        let entry = function.append_block("entry");
        let mut known: Vec<(Value, Value)> =
            around.arguments.iter().copied().zip(given.iter().copied()).collect();
        builder.position_at_end(entry);
        for inst in &around.own {
            let copy = inst.clone_detached();
            copy.drop_debug_information();
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
        for &(phi, slot) in &slots.carried {
            let next = phi.incoming().into_iter().find(|(_, block)| *block == shape.latch);
            if let Some((next, _)) = next {
                slots.store(&builder, &state, slot, clone_of(next));
            }
        }
        builder.ret_void();
        redirect(block_of(shape.latch), block_of(shape.header), again);
        builder.position_at_end(entry);
        let mut taken_over = vec![(counter, parameters[0])];
        let carried = slots.carried.iter();
        taken_over
            .extend(carried.filter_map(|&(phi, slot)| Some((phi, slots.load(&builder, &state, slot)?))));
        builder.branch(block_of(shape.header));
        // What is used behind the loop goes to the state where the loop is left.
        for (exit, (&left, used)) in exits.iter().zip(&slots.used).enumerate() {
            builder.position_at_end(left);
            let mut kept = Vec::new();
            for &(phi, slot) in used {
                let here = builder.phi(phi.value().ty(), "");
                for (value, from) in phi.incoming() {
                    here.add_incoming(clone_of(value), block_of(from));
                }
                kept.push((here.value(), slot));
            }
            kept.iter().for_each(|&(value, slot)| slots.store(&builder, &state, slot, value));
            slots.store_way(&builder, &state, exit + 1);
            builder.ret_void();
        }

        // Until here they stand for what is taken over, in what goes to the state too.
        for (phi, value) in taken_over {
            if let Some(phi) = clone_of(phi.value()).as_instruction() {
                phi.value().replace_all_uses_with(value);
                phi.erase();
            }
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
        inst.called_function().is_some_and(is_mark_of_lifetime)
            && !inst.arguments().iter().any(|argument| is_alloca(object(*argument)))
    };
    let foreign: Vec<Instruction> = function.instructions().filter(is_foreign).collect();
    foreign.into_iter().for_each(Instruction::erase);
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
        let mut found = Surroundings { arguments: Vec::new(), own: Vec::new() };
        let mut seen = FxHashSet::default();
        for block in shape.outlined() {
            for inst in block.instructions() {
                match inst.opcode() {
                    // What comes from elsewhere does not come in the step.
                    LLVMOpcode::LLVMPHI => {
                        let incoming = inst.incoming().into_iter();
                        incoming
                            .filter(|(_, from)| inside.contains(from))
                            .for_each(|(value, _)| found.meet(value, &inside, &mut seen));
                    }
                    _ => {
                        let operands = inst.value().operands().into_iter();
                        operands.for_each(|value| found.meet(value, &inside, &mut seen));
                    }
                }
            }
        }
        let used = shape.exits.iter().flat_map(|&exit| phis(exit)).flat_map(Instruction::incoming);
        used.for_each(|(value, _)| found.meet(value, &inside, &mut seen));
        found
    }

    /// Takes note of a value that the body uses. Addresses are computed again, so that it is seen what they point into.
    fn meet(&mut self, value: Value, inside: &FxHashSet<Block>, seen: &mut FxHashSet<Value>) {
        let is_inside = |inst: Instruction| inside.contains(&inst.block());
        let inst = match value.kind() {
            LLVMValueKind::LLVMArgumentValueKind => None,
            LLVMValueKind::LLVMInstructionValueKind => {
                value.as_instruction().filter(|inst| !is_inside(*inst))
            }
            _ => return,
        };
        if value.as_instruction().is_some_and(is_inside) || !seen.insert(value) {
            return;
        }
        match inst {
            Some(inst) if leads_elsewhere(inst) => {
                value.operands().into_iter().for_each(|operand| self.meet(operand, inside, seen));
                self.own.push(inst);
            }
            Some(inst) if is_own_variable(inst, &is_inside) => self.own.push(inst),
            _ => self.arguments.push(value),
        }
    }
}

/// Whether a variable begins to live in the body and is used nowhere else.
fn is_own_variable(variable: Instruction, is_inside: &impl Fn(Instruction) -> bool) -> bool {
    let begins = |user: Value| {
        user.as_instruction().is_some_and(|user| {
            is_inside(user)
                && user
                    .called_function()
                    .is_some_and(|callee| callee.name().starts_with("llvm.lifetime.start"))
        })
    };
    is_alloca(variable.value())
        && variable.value().operands()[0].is_constant()
        && is_used_inside(variable.value(), is_inside)
        && variable.value().users().into_iter().any(begins)
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
