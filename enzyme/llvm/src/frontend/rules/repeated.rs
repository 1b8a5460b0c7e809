//! Whether a rule for one direction may be called once for each of several: not when it changes memory that it reads,
//! for then the second call would begin where the first one ended.

use super::forward::{ForwardRule, RuleParameter};
use crate::ffi::{self, MemoryEffects};
use crate::ir::{Function, Instruction, Value};
use inkwell::llvm_sys::LLVMOpcode;

/// What is done with the memory behind a pointer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Access {
    reads: bool,
    writes: bool,
}

impl Access {
    const UNKNOWN: Access = Access { reads: true, writes: true };

    fn and(self, other: Access) -> Access {
        Access { reads: self.reads || other.reads, writes: self.writes || other.writes }
    }
}

/// The number of the argument, from 1, whose memory the rule both reads and changes.
pub(super) fn changes_what_it_reads(rule: &ForwardRule) -> Option<usize> {
    let function = rule.rule;
    let reads_only = ffi::memory_effects(function.value().raw()).within(MemoryEffects::READ);
    if reads_only {
        return None;
    }
    let parameters = function.parameters();
    // Behind the memory for the result, if there is any.
    let taken: usize = rule.parameters.iter().map(|parameter| parameter.values()).sum();
    let mut next = parameters.len() - taken;
    for (number, parameter) in (1..).zip(&rule.parameters) {
        let primal = parameters[next];
        next += parameter.values();
        if primal.ty().is_pointer() && access(function, primal) == Access::UNKNOWN {
            return Some(number);
        }
    }
    None
}

impl RuleParameter {
    /// How many values the rule takes for it.
    fn values(self) -> usize {
        match self {
            RuleParameter::Alone => 1,
            RuleParameter::WithShadow => 2,
        }
    }
}

fn access(function: Function, pointer: Value) -> Access {
    if function.is_declaration() {
        return Access::UNKNOWN;
    }
    let mut found = Access::default();
    let mut seen = vec![pointer];
    let mut next = 0;
    while let Some(&value) = seen.get(next) {
        next += 1;
        for user in value.users() {
            let Some(user) = user.as_instruction() else { return Access::UNKNOWN };
            let (accessed, derived) = one_use(user, value);
            found = found.and(accessed);
            for value in derived {
                if !seen.contains(&value) {
                    seen.push(value);
                }
            }
        }
    }
    found
}

/// What one use does with the memory, and which pointers into it come of it.
fn one_use(user: Instruction, pointer: Value) -> (Access, Vec<Value>) {
    let operands = user.value().operands();
    let (reads, writes) = (Access { reads: true, writes: false }, Access { reads: false, writes: true });
    match user.opcode() {
        LLVMOpcode::LLVMLoad => (reads, vec![]),
        LLVMOpcode::LLVMStore if operands[0] != pointer => (writes, vec![]),
        // Without optimisation every parameter is kept in a variable.
        LLVMOpcode::LLVMStore => match variable_loads(operands[1]) {
            Some(loads) => (Access::default(), loads),
            None => (Access::UNKNOWN, vec![]),
        },
        LLVMOpcode::LLVMGetElementPtr
        | LLVMOpcode::LLVMBitCast
        | LLVMOpcode::LLVMAddrSpaceCast
        | LLVMOpcode::LLVMPHI
        | LLVMOpcode::LLVMSelect
        | LLVMOpcode::LLVMFreeze => (Access::default(), vec![user.value()]),
        LLVMOpcode::LLVMICmp => (Access::default(), vec![]),
        LLVMOpcode::LLVMCall => match user.called_function().map(Function::name) {
            Some(name) if name.starts_with("llvm.memcpy.") || name.starts_with("llvm.memmove.") => {
                let (to, from) = (operands[0] == pointer, operands[1] == pointer);
                (Access { reads: from, writes: to }, vec![])
            }
            Some(name) if name.starts_with("llvm.memset.") => (writes, vec![]),
            _ => (Access::UNKNOWN, vec![]),
        },
        _ => (Access::UNKNOWN, vec![]),
    }
}

/// What is loaded of a local variable that is only stored to and loaded.
fn variable_loads(place: Value) -> Option<Vec<Value>> {
    place.as_instruction().filter(|variable| variable.opcode() == LLVMOpcode::LLVMAlloca)?;
    let mut loads = Vec::new();
    for user in place.users() {
        let user = user.as_instruction()?;
        match user.opcode() {
            LLVMOpcode::LLVMLoad => loads.push(user.value()),
            LLVMOpcode::LLVMStore if user.value().operands()[1] == place => {}
            _ => return None,
        }
    }
    Some(loads)
}
