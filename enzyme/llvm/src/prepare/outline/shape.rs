//! The blocks of an annotated loop.

use crate::error::Error;
use crate::ffi;
use crate::ir::{Block, Function, Instruction};
use inkwell::llvm_sys::LLVMOpcode;
use rustc_hash::FxHashSet;

/// A loop that can be outlined.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub(super) header: Block,
    pub(super) preheader: Block,
    pub(super) latch: Block,
    /// The loop's blocks, in the order of the function.
    pub(super) blocks: Vec<Block>,
    /// Blocks behind the loop from which no return is reached: where it ends the program, or throws.
    pub(super) lost: Vec<Block>,
    /// The other blocks behind the loop. Only the loop leads to them.
    pub(super) exits: Vec<Block>,
}

impl Shape {
    /// The innermost loop around a call.
    ///
    /// # Errors
    /// Where it is entered or left in a way that cannot be outlined.
    pub(super) fn of(call: Instruction) -> Result<Option<Shape>, Error> {
        let Some(found) = ffi::loop_for(call.value().raw()) else { return Ok(None) };
        let (Some(preheader), Some(latch)) = (found.preheader.map(Block), found.latch.map(Block)) else {
            return Err(Error::unsupported(call, "the annotated loop is entered in more than one place")
                .help("write it as `for`, `while` or `do`, without a jump into its body"));
        };
        let header = Block(found.header);
        let function = header.function();
        let blocks = natural_loop(header, latch);
        let returning = blocks_before_return(function);
        let behind = |from: &Block| successors(*from).into_iter().filter(|block| !blocks.contains(block));
        let left: Vec<Block> = function.blocks().filter(|block| blocks.contains(block)).collect();
        let mut exits = Vec::new();
        let mut lost = Vec::new();
        for (from, to) in left.iter().flat_map(|from| behind(from).map(move |to| (from, to))) {
            if !returning.contains(&to) {
                lost.push(to);
            } else if !exits.contains(&to) {
                check_exit(call, *from, to, &blocks)?;
                exits.push(to);
            }
        }
        let lost = all_behind(lost);
        let in_order = |wanted: &FxHashSet<Block>| -> Vec<Block> {
            function.blocks().filter(|block| wanted.contains(block)).collect()
        };
        let (blocks, lost) = (in_order(&blocks), in_order(&lost));
        Ok(Some(Shape { header, preheader, latch, blocks, lost, exits }))
    }

    /// The blocks that become the step.
    pub(super) fn outlined(&self) -> impl Iterator<Item = Block> {
        self.blocks.iter().chain(&self.lost).copied()
    }

    /// What the header takes over from the iteration before.
    pub(super) fn phis(&self) -> impl Iterator<Item = Instruction> {
        phis(self.header)
    }
}

pub(super) fn phis(block: Block) -> impl Iterator<Item = Instruction> {
    block.instructions().take_while(|inst| inst.opcode() == LLVMOpcode::LLVMPHI)
}

fn check_exit(call: Instruction, from: Block, to: Block, blocks: &FxHashSet<Block>) -> Result<(), Error> {
    let begins_with = |opcode| {
        to.instructions()
            .find(|inst| inst.opcode() != LLVMOpcode::LLVMPHI)
            .is_some_and(|inst| inst.opcode() == opcode)
    };
    let is_caught = [LLVMOpcode::LLVMLandingPad, LLVMOpcode::LLVMCatchSwitch, LLVMOpcode::LLVMCleanupPad]
        .into_iter()
        .any(begins_with);
    let place = from.terminator().and_then(Instruction::source_place);
    let place = place.map_or(String::new(), |place| format!(" at {place}"));
    if is_caught {
        let what = format!(
            "the annotated loop leaves by an exception{place} that is caught behind it; checkpointing needs to know the way out"
        );
        return Err(Error::unsupported(call, what).help("catch it in the body of the loop, or in the caller"));
    }
    if to.predecessors().iter().any(|before| !blocks.contains(before)) {
        let what = format!(
            "the annotated loop leaves by a computed jump{place}; checkpointing needs to know the way out"
        );
        return Err(Error::unsupported(call, what).help("leave it by `break`, `return` or its condition"));
    }
    Ok(())
}

fn successors(block: Block) -> Vec<Block> {
    block.terminator().map_or(Vec::new(), Instruction::successors)
}

/// The blocks from which the latch is reached without passing the header, and the header.
fn natural_loop(header: Block, latch: Block) -> FxHashSet<Block> {
    let mut found = FxHashSet::from_iter([header]);
    let mut pending = vec![latch];
    while let Some(block) = pending.pop() {
        if found.insert(block) {
            pending.extend(block.predecessors());
        }
    }
    found
}

fn all_behind(mut pending: Vec<Block>) -> FxHashSet<Block> {
    let mut found = FxHashSet::default();
    while let Some(block) = pending.pop() {
        if found.insert(block) {
            pending.extend(successors(block));
        }
    }
    found
}

fn blocks_before_return(function: Function) -> FxHashSet<Block> {
    let returns = |block: &Block| block.terminator().is_some_and(|inst| inst.opcode() == LLVMOpcode::LLVMRet);
    let mut pending: Vec<Block> = function.blocks().filter(returns).collect();
    let mut found = FxHashSet::default();
    while let Some(block) = pending.pop() {
        if found.insert(block) {
            pending.extend(block.predecessors());
        }
    }
    found
}
