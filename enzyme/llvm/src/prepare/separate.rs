//! Tells LLVM which memory of a function is which.
//!
//! LLVM takes two allocations for the same memory as soon as their addresses come through phis, as those of containers
//! that may be empty do, and then reads again in each round of a loop what the loop does not change. Each of these values
//! would be kept for the reverse sweep. The analysis of memory knows better, and says so in the way in which an inlined
//! function says that its arguments are `restrict`: accesses are in alias scopes, one for each object, and `noalias` of
//! those of other objects.

use crate::ir::{AliasScopes, Function, Instruction};
use crate::read::read_function;
use enzyme::memory::{Memory, ObjectId};
use enzyme::model::{InstId, Opcode};
use enzyme::program::Program;
use inkwell::llvm_sys::LLVMOpcode;
use std::collections::BTreeSet;

/// In a function with more objects than that nothing is said.
const MOST_OBJECTS: usize = 64;

/// States what is known of a function's own memory; says whether there was anything to state.
pub(super) fn state(function: Function) -> bool {
    if !may_have_own_memory(function) {
        return false;
    }
    // What cannot be read is an error when the function is read at last.
    let Ok(read) = read_function(function.value().raw()) else { return false };
    let mut program = Program::default();
    let id = program.add(read.model.clone());
    let memory = Memory::of(&program);
    let touched = |inst: InstId| -> BTreeSet<ObjectId> {
        let (reads, writes) = (memory.reads(id, inst), memory.writes(id, inst));
        reads.iter().chain(&writes).map(|region| region.location.object).collect()
    };
    let accesses: Vec<(InstId, BTreeSet<ObjectId>)> = read
        .model
        .insts_in_order()
        .filter(|&inst| matches!(read.model.insts[inst].opcode, Opcode::Load { .. } | Opcode::Store { .. }))
        .map(|inst| (inst, touched(inst)))
        .filter(|(_, objects)| !objects.is_empty())
        .collect();
    let objects: BTreeSet<ObjectId> = accesses.iter().flat_map(|(_, objects)| objects).copied().collect();
    let objects: Vec<ObjectId> = objects.into_iter().collect();
    let is_own = |object: ObjectId| memory.object(id, object).kind.is_made_by_the_function();
    if objects.len() < 2 || objects.len() > MOST_OBJECTS || !objects.iter().any(|&object| is_own(object)) {
        return false;
    }
    // A shadow is never in the way of another object's: of memory that is handed over, nobody knows.
    let are_separate =
        |one: ObjectId, other: ObjectId| (is_own(one) || is_own(other)) && !memory.may_share(id, one, other);
    let scopes = AliasScopes::new(function, objects.len());
    for (inst, touched) in &accesses {
        let Some(access) = read.instruction(*inst) else { continue };
        let indices = |wanted: &dyn Fn(ObjectId) -> bool| -> Vec<usize> {
            (0..objects.len()).filter(|&index| wanted(objects[index])).collect()
        };
        let inside = indices(&|object| touched.contains(&object));
        let outside = indices(&|object| touched.iter().all(|&own| are_separate(own, object)));
        scopes.add_to(access, &inside, &outside);
    }
    true
}

/// Whether a function may have memory of its own that LLVM has not made values of.
fn may_have_own_memory(function: Function) -> bool {
    let gives_an_address = |inst: &Instruction| {
        inst.opcode() == LLVMOpcode::LLVMAlloca || (inst.is_call() && inst.value().ty().is_pointer())
    };
    function.instructions().any(|inst| gives_an_address(&inst))
}
