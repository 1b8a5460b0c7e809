//! Reads instructions.

use smallvec::{SmallVec, smallvec};

use super::super::super::{
    AllocaStorage, Atomic, AtomicOp, AtomicOrdering, AtomicReadModifyWrite, BlockId, CastFlags, CastOp,
    CompareExchange, FastMath, FloatBinaryOp, FloatPredicate, IntBinaryOp, IntPredicate, Integer,
    LandingPadClause, MemoryAccess, Opcode, SwitchCase, SyncScope, Type, TypeId, ValueId,
};

use super::body::BodyReader;
use super::constants::{element_pointer_flags, int_flags};
use super::cursor::{Cursor, Result};

/// An instruction before it has a place.
pub(super) struct Draft {
    pub(super) opcode: Opcode,
    pub(super) operands: SmallVec<[ValueId; 4]>,
    /// The type of the result, where operands do not say it.
    pub(super) result_type: Option<TypeId>,
}

impl Draft {
    fn new(opcode: Opcode, operands: SmallVec<[ValueId; 4]>) -> Self {
        Self { opcode, operands, result_type: None }
    }

    fn with_type(opcode: Opcode, operands: SmallVec<[ValueId; 4]>, ty: TypeId) -> Self {
        Self { opcode, operands, result_type: Some(ty) }
    }
}

impl BodyReader<'_> {
    /// Reads an instruction from its opcode up to its metadata.
    pub(super) fn draft(&mut self) -> Result<Draft> {
        let Some(word) = self.cursor.peek_word() else { return Err(self.cursor.expected("an instruction")) };
        if let Some(op) = self.cursor.eat_mapped(IntBinaryOp::from_mnemonic) {
            let flags = int_flags(&mut self.cursor);
            return self.binary(Opcode::IntBinary { op, flags });
        }
        if let Some(op) = self.cursor.eat_mapped(FloatBinaryOp::from_mnemonic) {
            let fast_math = self.fast_math();
            return self.binary(Opcode::FloatBinary { op, fast_math });
        }
        if let Some(op) = self.cursor.eat_mapped(CastOp::from_mnemonic) {
            return self.cast(op);
        }
        if matches!(word, "tail" | "musttail" | "notail" | "call") {
            let (call, operands) = self.call()?;
            return Ok(Draft::new(Opcode::Call(Box::new(call)), operands));
        }
        let position = self.cursor.position;
        self.cursor.advance();
        match word {
            "ret" => self.ret(),
            "br" => self.branch(),
            "switch" => self.switch(),
            "indirectbr" => self.indirect_branch(),
            "invoke" => self.invoke(),
            "callbr" => self.call_branch(),
            "resume" => Ok(Draft::new(Opcode::Resume, smallvec![self.typed_value()?])),
            "unreachable" => Ok(Draft::new(Opcode::Unreachable, smallvec![])),
            "cleanupret" => self.cleanup_return(),
            "catchret" => self.catch_return(),
            "catchswitch" => self.catch_switch(),
            "landingpad" => self.landing_pad(),
            "catchpad" => self.pad(Opcode::CatchPad),
            "cleanuppad" => self.pad(Opcode::CleanupPad),
            "fneg" => {
                let fast_math = self.fast_math();
                Ok(Draft::new(Opcode::FloatNegate { fast_math }, smallvec![self.typed_value()?]))
            }
            "icmp" => {
                let same_sign = self.cursor.eat_word("samesign");
                let predicate =
                    self.cursor.expect_mapped("a comparison, as in `eq`", IntPredicate::from_mnemonic)?;
                self.compare(Opcode::IntCompare { predicate, same_sign })
            }
            "fcmp" => {
                let fast_math = self.fast_math();
                let predicate =
                    self.cursor.expect_mapped("a comparison, as in `oeq`", FloatPredicate::from_mnemonic)?;
                self.compare(Opcode::FloatCompare { predicate, fast_math })
            }
            "extractelement" => self.operands(Opcode::ExtractElement, 2),
            "insertelement" => self.operands(Opcode::InsertElement, 3),
            "shufflevector" => self.shuffle(),
            "extractvalue" => {
                let aggregate = self.typed_value()?;
                let indices = self.indices()?;
                Ok(Draft::new(Opcode::ExtractValue { indices }, smallvec![aggregate]))
            }
            "insertvalue" => {
                let aggregate = self.typed_value()?;
                self.cursor.expect(',')?;
                let element = self.typed_value()?;
                let indices = self.indices()?;
                Ok(Draft::new(Opcode::InsertValue { indices }, smallvec![aggregate, element]))
            }
            "alloca" => self.alloca(),
            "load" => self.load(),
            "store" => self.store(),
            "fence" => Ok(Draft::new(Opcode::Fence { atomic: Box::new(self.atomic()?) }, smallvec![])),
            "cmpxchg" => self.compare_exchange(),
            "atomicrmw" => self.read_modify_write(),
            "getelementptr" => self.element_pointer(),
            "phi" => self.phi(),
            "select" => {
                let fast_math = self.fast_math();
                self.operands(Opcode::Select { fast_math }, 3)
            }
            "freeze" => Ok(Draft::new(Opcode::Freeze, smallvec![self.typed_value()?])),
            "va_arg" => {
                let list = self.typed_value()?;
                self.cursor.expect(',')?;
                let ty = self.entities().value_type()?;
                Ok(Draft::with_type(Opcode::VaArg, smallvec![list], ty))
            }
            _ => {
                self.cursor.position = position;
                Err(self.cursor.expected("an instruction"))
            }
        }
    }

    // Terminators.

    fn ret(&mut self) -> Result<Draft> {
        let start = self.cursor.position;
        let expected = self.function.return_type();
        if self.cursor.eat_word("void") {
            if !self.function.ty(expected).is_void() {
                return Err(self.cursor.error_at(start, "the function returns a value, not `void`"));
            }
            return Ok(Draft::new(Opcode::Return, smallvec![]));
        }
        let value = self.typed_value()?;
        if self.function.values[value].ty != expected {
            return Err(self.cursor.error_at(start, "this is not the type that the function returns"));
        }
        Ok(Draft::new(Opcode::Return, smallvec![value]))
    }

    fn branch(&mut self) -> Result<Draft> {
        if self.cursor.at_word("label") {
            let target = self.label()?;
            return Ok(Draft::new(Opcode::Branch { target }, smallvec![]));
        }
        let condition = self.typed_value()?;
        self.cursor.expect(',')?;
        let then_block = self.label()?;
        self.cursor.expect(',')?;
        let else_block = self.label()?;
        Ok(Draft::new(Opcode::ConditionalBranch { then_block, else_block }, smallvec![condition]))
    }

    fn switch(&mut self) -> Result<Draft> {
        let value = self.typed_value()?;
        let ty = self.function.values[value].ty;
        self.cursor.expect(',')?;
        let default = self.label()?;
        self.cursor.expect('[')?;
        let mut cases = Vec::new();
        while !self.cursor.eat(']') {
            let start = self.cursor.position;
            let value = self.entities().typed_constant()?;
            if self.function.context.constant(value).ty != ty {
                return Err(self.cursor.error_at(start, "a case must be of the type of the value"));
            }
            self.cursor.expect(',')?;
            cases.push(SwitchCase { value, target: self.label()? });
        }
        Ok(Draft::new(Opcode::Switch { default, cases }, smallvec![value]))
    }

    fn indirect_branch(&mut self) -> Result<Draft> {
        let address = self.typed_value()?;
        self.cursor.expect(',')?;
        let targets = self.label_list()?;
        Ok(Draft::new(Opcode::IndirectBranch { targets }, smallvec![address]))
    }

    /// `[label %a, label %b]`.
    fn label_list(&mut self) -> Result<Vec<BlockId>> {
        self.cursor.expect('[')?;
        let mut labels = Vec::new();
        if self.cursor.eat(']') {
            return Ok(labels);
        }
        loop {
            labels.push(self.label()?);
            if self.cursor.eat(']') {
                return Ok(labels);
            }
            if !self.cursor.eat(',') {
                return Err(self.cursor.expected("`,` or `]`"));
            }
        }
    }

    fn invoke(&mut self) -> Result<Draft> {
        let (call, operands) = self.call_after_word()?;
        self.cursor.expect_word("to")?;
        let normal = self.label()?;
        self.cursor.expect_word("unwind")?;
        let unwind = self.label()?;
        Ok(Draft::new(Opcode::Invoke { call: Box::new(call), normal, unwind }, operands))
    }

    fn call_branch(&mut self) -> Result<Draft> {
        let (call, operands) = self.call_after_word()?;
        self.cursor.expect_word("to")?;
        let fallthrough = self.label()?;
        let indirect = self.label_list()?;
        Ok(Draft::new(Opcode::CallBranch { call: Box::new(call), fallthrough, indirect }, operands))
    }

    /// `unwind to caller` or `unwind label %x`.
    fn unwind(&mut self) -> Result<Option<BlockId>> {
        self.cursor.expect_word("unwind")?;
        if self.cursor.eat_word("to") {
            self.cursor.expect_word("caller")?;
            return Ok(None);
        }
        self.label().map(Some)
    }

    fn cleanup_return(&mut self) -> Result<Draft> {
        self.cursor.expect_word("from")?;
        let pad = self.token_value()?;
        let unwind = self.unwind()?;
        Ok(Draft::new(Opcode::CleanupReturn { unwind }, smallvec![pad]))
    }

    fn catch_return(&mut self) -> Result<Draft> {
        self.cursor.expect_word("from")?;
        let pad = self.token_value()?;
        self.cursor.expect_word("to")?;
        let target = self.label()?;
        Ok(Draft::new(Opcode::CatchReturn { target }, smallvec![pad]))
    }

    fn catch_switch(&mut self) -> Result<Draft> {
        self.cursor.expect_word("within")?;
        let parent = self.token_value()?;
        let handlers = self.label_list()?;
        let unwind = self.unwind()?;
        Ok(Draft::new(Opcode::CatchSwitch { handlers, unwind }, smallvec![parent]))
    }

    fn token_value(&mut self) -> Result<ValueId> {
        let ty = self.function.context.intern_type(Type::Token);
        self.value(ty)
    }

    // Pads.

    fn landing_pad(&mut self) -> Result<Draft> {
        let ty = self.entities().value_type()?;
        let cleanup = self.cursor.eat_word("cleanup");
        let mut clauses = SmallVec::new();
        let mut operands = SmallVec::new();
        while let Some(clause) = self.cursor.eat_mapped(LandingPadClause::from_mnemonic) {
            clauses.push(clause);
            operands.push(self.typed_value()?);
        }
        Ok(Draft::with_type(Opcode::LandingPad { cleanup, clauses }, operands, ty))
    }

    fn pad(&mut self, opcode: Opcode) -> Result<Draft> {
        self.cursor.expect_word("within")?;
        let mut operands = smallvec![self.token_value()?];
        self.cursor.expect('[')?;
        if self.cursor.eat(']') {
            return Ok(Draft::new(opcode, operands));
        }
        loop {
            operands.push(self.typed_value()?);
            if self.cursor.eat(']') {
                return Ok(Draft::new(opcode, operands));
            }
            self.cursor.expect(',')?;
        }
    }

    // Arithmetic.

    fn binary(&mut self, opcode: Opcode) -> Result<Draft> {
        let left = self.typed_value()?;
        self.cursor.expect(',')?;
        let right = self.value(self.function.values[left].ty)?;
        Ok(Draft::new(opcode, smallvec![left, right]))
    }

    fn compare(&mut self, opcode: Opcode) -> Result<Draft> {
        self.binary(opcode)
    }

    fn cast(&mut self, op: CastOp) -> Result<Draft> {
        let mut flags = CastFlags::default();
        loop {
            if self.cursor.eat_word("nneg") {
                flags.non_negative = true;
            } else if self.cursor.eat_word("nuw") {
                flags.no_unsigned_wrap = true;
            } else if self.cursor.eat_word("nsw") {
                flags.no_signed_wrap = true;
            } else {
                break;
            }
        }
        flags.fast_math = self.fast_math();
        let value = self.typed_value()?;
        self.cursor.expect_word("to")?;
        let to = self.entities().value_type()?;
        Ok(Draft::with_type(Opcode::Cast { op, flags }, smallvec![value], to))
    }

    pub(super) fn fast_math(&mut self) -> FastMath {
        let mut flags = FastMath::NONE;
        loop {
            match self.cursor.peek_word() {
                Some("fast") => flags = FastMath::FAST,
                Some("reassoc") => flags.reassociate = true,
                Some("nnan") => flags.no_nans = true,
                Some("ninf") => flags.no_infinities = true,
                Some("nsz") => flags.no_signed_zeros = true,
                Some("arcp") => flags.allow_reciprocal = true,
                Some("contract") => flags.allow_contract = true,
                Some("afn") => flags.approximate_functions = true,
                _ => return flags,
            }
            self.cursor.advance();
        }
    }

    /// So many operands, each with its type.
    fn operands(&mut self, opcode: Opcode, count: usize) -> Result<Draft> {
        let mut operands = smallvec![self.typed_value()?];
        while operands.len() < count {
            self.cursor.expect(',')?;
            operands.push(self.typed_value()?);
        }
        Ok(Draft::new(opcode, operands))
    }

    fn shuffle(&mut self) -> Result<Draft> {
        let first = self.typed_value()?;
        self.cursor.expect(',')?;
        let second = self.typed_value()?;
        self.cursor.expect(',')?;
        let start = self.cursor.position;
        let lanes = self.entities().typed_constant()?;
        let mask = self.entities().shuffle_mask(lanes);
        let mask = mask.map_err(|message| self.cursor.error_at(start, &message))?;
        Ok(Draft::new(Opcode::ShuffleVector { mask }, smallvec![first, second]))
    }

    fn indices(&mut self) -> Result<SmallVec<[u32; 4]>> {
        let mut indices = SmallVec::new();
        while self.eat_comma_before_operand() {
            indices.push(self.cursor.expect_number("an index")?);
        }
        Ok(indices)
    }

    // Memory.

    fn alloca(&mut self) -> Result<Draft> {
        let storage = if self.cursor.eat_word("inalloca") {
            AllocaStorage::InAlloca
        } else if self.cursor.eat_word("swifterror") {
            AllocaStorage::SwiftError
        } else {
            AllocaStorage::Ordinary
        };
        let allocated = self.entities().value_type()?;
        let (mut count, mut alignment, mut address_space) = (None, None, 0);
        while self.eat_comma_before_operand() {
            match self.cursor.peek_word() {
                Some("align") => alignment = self.alignment()?,
                Some("addrspace") => address_space = self.entities().address_space()?,
                _ => count = Some(self.typed_value()?),
            }
        }
        let count = match count {
            Some(count) => count,
            None => {
                let one = self.function.context.integer(Integer::from_u64(32, 1));
                self.function.constant_value(one)
            }
        };
        let ty = self.function.context.intern_type(Type::Pointer { address_space });
        Ok(Draft::with_type(Opcode::Alloca { allocated, alignment, storage }, smallvec![count], ty))
    }

    /// `align n`, when it comes next.
    fn alignment(&mut self) -> Result<Option<u64>> {
        if self.cursor.eat_word("align") {
            return self.cursor.expect_number("an alignment").map(Some);
        }
        Ok(None)
    }

    /// `, align n`, when it comes next.
    fn late_alignment(&mut self) -> Result<Option<u64>> {
        if self.eat_comma_before_operand() {
            let alignment = self.alignment()?;
            return alignment.map(Some).ok_or_else(|| self.cursor.expected("`align`"));
        }
        Ok(None)
    }

    fn load(&mut self) -> Result<Draft> {
        let is_atomic = self.cursor.eat_word("atomic");
        let volatile = self.cursor.eat_word("volatile");
        let ty = self.entities().value_type()?;
        self.cursor.expect(',')?;
        let pointer = self.typed_value()?;
        let access = self.access(is_atomic, volatile)?;
        Ok(Draft::with_type(Opcode::Load { access }, smallvec![pointer], ty))
    }

    fn store(&mut self) -> Result<Draft> {
        let is_atomic = self.cursor.eat_word("atomic");
        let volatile = self.cursor.eat_word("volatile");
        let value = self.typed_value()?;
        self.cursor.expect(',')?;
        let pointer = self.typed_value()?;
        let access = self.access(is_atomic, volatile)?;
        Ok(Draft::new(Opcode::Store { access }, smallvec![value, pointer]))
    }

    fn access(&mut self, is_atomic: bool, volatile: bool) -> Result<MemoryAccess> {
        let atomic = if is_atomic { Some(Box::new(self.atomic()?)) } else { None };
        Ok(MemoryAccess { volatile, atomic, alignment: self.late_alignment()? })
    }

    /// `syncscope("name") ordering`.
    fn atomic(&mut self) -> Result<Atomic> {
        let scope = self.sync_scope()?;
        Ok(Atomic { ordering: ordering(&mut self.cursor)?, scope })
    }

    fn sync_scope(&mut self) -> Result<SyncScope> {
        if !self.cursor.eat_word("syncscope") {
            return Ok(SyncScope::System);
        }
        self.cursor.expect('(')?;
        let name = self.cursor.expect_string("the name of a scope")?;
        self.cursor.expect(')')?;
        Ok(if name.is_empty() { SyncScope::System } else { SyncScope::Named(name) })
    }

    fn compare_exchange(&mut self) -> Result<Draft> {
        let weak = self.cursor.eat_word("weak");
        let volatile = self.cursor.eat_word("volatile");
        let pointer = self.typed_value()?;
        self.cursor.expect(',')?;
        let expected = self.typed_value()?;
        self.cursor.expect(',')?;
        let new = self.typed_value()?;
        let success = self.atomic()?;
        let failure = ordering(&mut self.cursor)?;
        let alignment = self.late_alignment()?;
        let payload = CompareExchange { weak, volatile, success, failure, alignment };
        Ok(Draft::new(Opcode::CompareExchange(Box::new(payload)), smallvec![pointer, expected, new]))
    }

    fn read_modify_write(&mut self) -> Result<Draft> {
        let volatile = self.cursor.eat_word("volatile");
        let op = self.cursor.expect_mapped("an atomic operation, as in `add`", AtomicOp::from_mnemonic)?;
        let pointer = self.typed_value()?;
        self.cursor.expect(',')?;
        let value = self.typed_value()?;
        let atomic = self.atomic()?;
        let alignment = self.late_alignment()?;
        let payload = AtomicReadModifyWrite { op, volatile, atomic, alignment };
        Ok(Draft::new(Opcode::AtomicReadModifyWrite(Box::new(payload)), smallvec![pointer, value]))
    }

    fn element_pointer(&mut self) -> Result<Draft> {
        let flags = element_pointer_flags(&mut self.cursor)?;
        let source = self.entities().value_type()?;
        self.cursor.expect(',')?;
        let mut operands = smallvec![self.typed_value()?];
        while self.eat_comma_before_operand() {
            operands.push(self.typed_value()?);
        }
        Ok(Draft::new(Opcode::GetElementPointer { source, flags }, operands))
    }

    fn phi(&mut self) -> Result<Draft> {
        let fast_math = self.fast_math();
        let ty = self.entities().value_type()?;
        let mut operands = SmallVec::new();
        let mut incoming = SmallVec::new();
        while self.cursor.at('[') || (!operands.is_empty() && self.eat_comma_before_operand()) {
            self.cursor.expect('[')?;
            operands.push(self.value(ty)?);
            self.cursor.expect(',')?;
            incoming.push(self.bare_label()?);
            self.cursor.expect(']')?;
        }
        Ok(Draft::with_type(Opcode::Phi { incoming, fast_math }, operands, ty))
    }
}

fn ordering(cursor: &mut Cursor<'_>) -> Result<AtomicOrdering> {
    cursor.expect_mapped("a memory ordering, as in `seq_cst`", AtomicOrdering::from_mnemonic)
}
