//! Reads instructions.

use enzyme::model::{
    AllocaStorage, Atomic, AtomicOp, AtomicOrdering, AtomicReadModifyWrite, BlockId, Bundle, Call,
    CallingConvention, CompareExchange, LandingPadClause, MemoryAccess, Opcode, SwitchCase, SyncScope,
    TailKind, ValueId,
};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::{LLVMBasicBlockRef, LLVMValueRef};
use smallvec::SmallVec;

use super::attributes::AttributeOwner;
use super::opcodes::fast_math_of;
use super::shim::{self, BorrowedText, RawMemoryAccess, TypeClass};
use super::{ReadError, Reader};
use crate::ffi;
use crate::ir::{Value, llvm};

type Operands = SmallVec<[ValueId; 4]>;

impl Reader {
    /// What an instruction does, and with what.
    pub(super) fn instruction(&mut self, raw: LLVMValueRef) -> Result<(Opcode, Operands), ReadError> {
        let word = shim::opcode_name(raw);
        if let Some(opcode) = self.value_opcode(raw, &word)? {
            return Ok((opcode, self.operands(raw)?));
        }
        match word.as_str() {
            "call" | "invoke" | "callbr" => self.call_instruction(raw, &word),
            "load" => Ok((Opcode::Load { access: memory_access(raw)? }, self.operands(raw)?)),
            "store" => Ok((Opcode::Store { access: memory_access(raw)? }, self.operands(raw)?)),
            "phi" => self.phi(raw),
            "br" => self.branch(raw),
            "ret" => Ok((Opcode::Return, self.operands(raw)?)),
            "unreachable" => Ok((Opcode::Unreachable, Operands::new())),
            "alloca" => Ok((self.alloca(raw)?, self.operands(raw)?)),
            "switch" => self.switch(raw),
            "indirectbr" => {
                Ok((Opcode::IndirectBranch { targets: self.successors(raw)? }, self.first_operand(raw)?))
            }
            "fence" => {
                let atomic = Box::new(required_atomic(&shim::memory_access(raw))?);
                Ok((Opcode::Fence { atomic }, Operands::new()))
            }
            "cmpxchg" => Ok((compare_exchange(raw)?, self.operands(raw)?)),
            "atomicrmw" => Ok((atomic_update(raw)?, self.operands(raw)?)),
            "va_arg" => Ok((Opcode::VaArg, self.operands(raw)?)),
            "resume" => Ok((Opcode::Resume, self.operands(raw)?)),
            "landingpad" => Ok((landing_pad(raw), self.operands(raw)?)),
            "catchpad" => Ok((Opcode::CatchPad, self.pad_operands(raw)?)),
            "cleanuppad" => Ok((Opcode::CleanupPad, self.pad_operands(raw)?)),
            "catchswitch" => self.catch_switch(raw),
            "catchret" => {
                let target = self.block(llvm!(LLVMGetSuccessor(raw, 0)))?;
                Ok((Opcode::CatchReturn { target }, self.first_operand(raw)?))
            }
            "cleanupret" => {
                Ok((Opcode::CleanupReturn { unwind: self.unwind(raw)? }, self.first_operand(raw)?))
            }
            _ => Err(ReadError::UnknownWord { place: "an instruction", word }),
        }
    }

    /// The operands as LLVM orders them, for instructions without blocks among them.
    fn operands(&mut self, raw: LLVMValueRef) -> Result<Operands, ReadError> {
        let count = llvm!(LLVMGetNumOperands(raw)).max(0) as u32;
        (0..count).map(|index| self.operand(llvm!(LLVMGetOperand(raw, index)))).collect()
    }

    fn first_operand(&mut self, raw: LLVMValueRef) -> Result<Operands, ReadError> {
        let operand = self.operand(llvm!(LLVMGetOperand(raw, 0)))?;
        Ok(Operands::from_slice(&[operand]))
    }

    fn block(&self, raw: LLVMBasicBlockRef) -> Result<BlockId, ReadError> {
        self.known_blocks.get(&raw).copied().ok_or(ReadError::ForeignBlock)
    }

    fn successors(&self, raw: LLVMValueRef) -> Result<Vec<BlockId>, ReadError> {
        (0..llvm!(LLVMGetNumSuccessors(raw)))
            .map(|index| self.block(llvm!(LLVMGetSuccessor(raw, index))))
            .collect()
    }

    /// Where a `catchswitch` or `cleanupret` goes on unwinding, when that is not the caller.
    fn unwind(&self, raw: LLVMValueRef) -> Result<Option<BlockId>, ReadError> {
        let block = llvm!(LLVMGetUnwindDest(raw));
        if block.is_null() { Ok(None) } else { self.block(block).map(Some) }
    }

    fn phi(&mut self, raw: LLVMValueRef) -> Result<(Opcode, Operands), ReadError> {
        let (mut blocks, mut values) = (SmallVec::new(), Operands::new());
        for index in 0..llvm!(LLVMCountIncoming(raw)) {
            blocks.push(self.block(llvm!(LLVMGetIncomingBlock(raw, index)))?);
            values.push(self.operand(llvm!(LLVMGetIncomingValue(raw, index)))?);
        }
        Ok((Opcode::Phi { incoming: blocks, fast_math: fast_math_of(raw) }, values))
    }

    fn branch(&mut self, raw: LLVMValueRef) -> Result<(Opcode, Operands), ReadError> {
        let first = self.block(llvm!(LLVMGetSuccessor(raw, 0)))?;
        if llvm!(LLVMIsConditional(raw)) == 0 {
            return Ok((Opcode::Branch { target: first }, Operands::new()));
        }
        let second = self.block(llvm!(LLVMGetSuccessor(raw, 1)))?;
        let condition = self.operand(llvm!(LLVMGetCondition(raw)))?;
        let opcode = Opcode::ConditionalBranch { then_block: first, else_block: second };
        Ok((opcode, Operands::from_slice(&[condition])))
    }

    /// The default is the first successor, the cases follow.
    fn switch(&mut self, raw: LLVMValueRef) -> Result<(Opcode, Operands), ReadError> {
        let default = self.block(llvm!(LLVMGetSwitchDefaultDest(raw)))?;
        let mut cases = Vec::new();
        for index in 1..llvm!(LLVMGetNumSuccessors(raw)) {
            let value = self.constant(shim::switch_case_value(raw, index - 1))?;
            let target = self.block(llvm!(LLVMGetSuccessor(raw, index)))?;
            cases.push(SwitchCase { value, target });
        }
        Ok((Opcode::Switch { default, cases }, self.first_operand(raw)?))
    }

    fn catch_switch(&mut self, raw: LLVMValueRef) -> Result<(Opcode, Operands), ReadError> {
        let mut handlers = vec![std::ptr::null_mut(); llvm!(LLVMGetNumHandlers(raw)) as usize];
        llvm!(LLVMGetHandlers(raw, handlers.as_mut_ptr()));
        let handlers = handlers.into_iter().map(|block| self.block(block)).collect::<Result<_, _>>()?;
        Ok((Opcode::CatchSwitch { handlers, unwind: self.unwind(raw)? }, self.first_operand(raw)?))
    }

    /// The pad around comes last in LLVM, first in the model.
    fn pad_operands(&mut self, raw: LLVMValueRef) -> Result<Operands, ReadError> {
        let mut operands = self.operands(raw)?;
        operands.rotate_right(1);
        Ok(operands)
    }

    fn alloca(&mut self, raw: LLVMValueRef) -> Result<Opcode, ReadError> {
        Ok(Opcode::Alloca {
            allocated: self.ty(llvm!(LLVMGetAllocatedType(raw)))?,
            alignment: Some(llvm!(LLVMGetAlignment(raw)).into()),
            storage: match shim::alloca_storage(raw) {
                1 => AllocaStorage::InAlloca,
                2 => AllocaStorage::SwiftError,
                _ => AllocaStorage::Ordinary,
            },
        })
    }

    fn call_instruction(&mut self, raw: LLVMValueRef, word: &str) -> Result<(Opcode, Operands), ReadError> {
        let (mut call, operands) = self.call(raw)?;
        let opcode = match word {
            "invoke" => Opcode::Invoke {
                call: Box::new(call),
                normal: self.block(llvm!(LLVMGetNormalDest(raw)))?,
                unwind: self.block(llvm!(LLVMGetUnwindDest(raw)))?,
            },
            "callbr" => {
                let mut successors = self.successors(raw)?;
                let fallthrough = successors.remove(0);
                Opcode::CallBranch { call: Box::new(call), fallthrough, indirect: successors }
            }
            _ => {
                call.tail = tail_kind(raw);
                Opcode::Call(Box::new(call))
            }
        };
        Ok((opcode, operands))
    }

    fn call(&mut self, raw: LLVMValueRef) -> Result<(Call, Operands), ReadError> {
        let argument_count = llvm!(LLVMGetNumArgOperands(raw));
        let mut operands = Operands::new();
        for index in 0..argument_count {
            operands.push(self.operand(llvm!(LLVMGetOperand(raw, index)))?);
        }
        let mut bundles = Vec::new();
        for (tag, inputs) in ffi::operand_bundles(raw) {
            bundles.push(Bundle { tag, operand_count: inputs.len() as u32 });
            for input in inputs {
                operands.push(self.operand(input)?);
            }
        }
        let callee = llvm!(LLVMGetCalledValue(raw));
        operands.push(self.operand(callee)?);
        let owner = AttributeOwner::Call(raw);
        let call = Call {
            function_type: self.ty(llvm!(LLVMGetCalledFunctionType(raw)))?,
            argument_count,
            tail: TailKind::None,
            calling_convention: CallingConvention(llvm!(LLVMGetInstructionCallConv(raw))),
            fast_math: fast_math_of(raw),
            address_space: llvm!(LLVMGetPointerAddressSpace(LLVMTypeOf(callee))),
            return_attributes: self.return_attributes(owner)?,
            argument_attributes: self.parameter_attributes(owner, argument_count)?,
            function_attributes: self.own_attributes(owner)?,
            bundles,
        };
        Ok((call, operands))
    }
}

fn tail_kind(call: LLVMValueRef) -> TailKind {
    match ffi::tail_call_kind(call) {
        1 => TailKind::Tail,
        2 => TailKind::MustTail,
        3 => TailKind::NoTail,
        _ => TailKind::None,
    }
}

/// A clause whose type is an array lists what it does not catch.
fn landing_pad(raw: LLVMValueRef) -> Opcode {
    let clauses = (0..llvm!(LLVMGetNumClauses(raw)))
        .map(|index| {
            let clause = Value(llvm!(LLVMGetClause(raw, index)));
            match shim::type_class(clause.ty().0) {
                TypeClass::Array => LandingPadClause::Filter,
                _ => LandingPadClause::Catch,
            }
        })
        .collect();
    Opcode::LandingPad { cleanup: llvm!(LLVMIsCleanup(raw)) != 0, clauses }
}

fn memory_access(raw: LLVMValueRef) -> Result<MemoryAccess, ReadError> {
    let access = shim::memory_access(raw);
    Ok(MemoryAccess {
        volatile: access.volatile,
        atomic: atomic(&access)?.map(Box::new),
        alignment: Some(access.alignment),
    })
}

fn compare_exchange(raw: LLVMValueRef) -> Result<Opcode, ReadError> {
    let access = shim::memory_access(raw);
    Ok(Opcode::CompareExchange(Box::new(CompareExchange {
        weak: access.weak,
        volatile: access.volatile,
        success: required_atomic(&access)?,
        failure: ordering(access.failure_ordering)?,
        alignment: Some(access.alignment),
    })))
}

fn atomic_update(raw: LLVMValueRef) -> Result<Opcode, ReadError> {
    let access = shim::memory_access(raw);
    let word = access.operation.to_text();
    let op = AtomicOp::from_mnemonic(&word).ok_or(ReadError::UnknownWord { place: "`atomicrmw`", word })?;
    Ok(Opcode::AtomicReadModifyWrite(Box::new(AtomicReadModifyWrite {
        op,
        volatile: access.volatile,
        atomic: required_atomic(&access)?,
        alignment: Some(access.alignment),
    })))
}

/// How an access behaves between threads; `None` for one that is not atomic.
fn atomic(access: &RawMemoryAccess) -> Result<Option<Atomic>, ReadError> {
    if access.ordering.is_empty() { Ok(None) } else { required_atomic(access).map(Some) }
}

fn required_atomic(access: &RawMemoryAccess) -> Result<Atomic, ReadError> {
    let scope = access.scope.to_option().map_or(SyncScope::System, SyncScope::Named);
    Ok(Atomic { ordering: ordering(access.ordering)?, scope })
}

fn ordering(word: BorrowedText) -> Result<AtomicOrdering, ReadError> {
    let word = word.to_text();
    AtomicOrdering::from_mnemonic(&word).ok_or(ReadError::UnknownWord { place: "an atomic access", word })
}
