//! What each instruction says of its operands and its result.
//!
//! One method for each kind of instruction; each looks both ways: from the operands to the result, and from the result
//! to the operands.

use super::arithmetic;
use super::kind::Kind;
use super::local::Local;
use super::reasons::Because;
use super::tree::{EVERY, TypeTree};
use crate::model::{CastOp, ConstantKind, InstId, IntBinaryOp, Opcode, Type, ValueId};

impl Local<'_> {
    /// Applies the rule of an instruction.
    pub(super) fn instruction(&mut self, inst: InstId) {
        let function = self.function;
        let data = &function.insts[inst];
        match &data.opcode {
            Opcode::FloatNegate { .. } | Opcode::FloatBinary { .. } => self.floats(inst),
            Opcode::IntBinary { op, .. } => self.int_binary(inst, *op),
            Opcode::IntCompare { .. } | Opcode::FloatCompare { .. } => self.compare(inst),
            Opcode::Cast { op, .. } => self.cast(inst, *op),
            Opcode::Freeze => self.same(inst, data.operands[0], "freezing changes nothing"),
            Opcode::Select { .. } => self.select(inst),
            Opcode::Phi { .. } => self.phi(inst),
            Opcode::ExtractElement => self.extract_element(inst),
            Opcode::InsertElement => self.insert_element(inst),
            Opcode::ShuffleVector { mask } => self.shuffle(inst, mask),
            Opcode::ExtractValue { indices } => self.extract_value(inst, indices),
            Opcode::InsertValue { indices } => self.insert_value(inst, indices),
            Opcode::Alloca { allocated, .. } => self.alloca(inst, *allocated),
            Opcode::Load { .. } => self.load(inst),
            Opcode::Store { .. } => self.store(inst),
            Opcode::GetElementPointer { source, flags } => {
                self.element_pointer(inst, *source, flags.in_bounds)
            }
            Opcode::AtomicReadModifyWrite(update) => self.atomic_update(inst, update.op),
            Opcode::CompareExchange(_) => self.compare_exchange(inst),
            Opcode::Call(_) | Opcode::Invoke { .. } | Opcode::CallBranch { .. } => self.call(inst),
            // An address may be compared with null and others besides.
            Opcode::Switch { .. } if self.is_made_of_address(data.operands[0]) => {}
            Opcode::Switch { .. } => {
                self.learn_kind(
                    data.operands[0],
                    Kind::Integer,
                    Because::new(inst, "a switch compares it with integers"),
                );
            }
            Opcode::LandingPad { .. }
            | Opcode::CatchPad
            | Opcode::CleanupPad
            | Opcode::CatchSwitch { .. } => {}
            Opcode::Return
            | Opcode::Branch { .. }
            | Opcode::ConditionalBranch { .. }
            | Opcode::IndirectBranch { .. }
            | Opcode::Resume
            | Opcode::Unreachable
            | Opcode::CleanupReturn { .. }
            | Opcode::CatchReturn { .. }
            | Opcode::Fence { .. }
            | Opcode::VaArg => {}
        }
    }

    /// Result and operand hold the same bytes.
    pub(super) fn same(&mut self, inst: InstId, operand: ValueId, text: &'static str) {
        let Some(result) = self.function.insts[inst].result else { return };
        let because = Because::new(inst, text);
        self.learn(result, self.tree(operand), because);
        self.learn(operand, self.tree(result), because);
    }

    /// Result and operands are floats of the types that the program gives them.
    pub(super) fn floats(&mut self, inst: InstId) {
        let data = &self.function.insts[inst];
        for &value in data.operands.iter().chain(&data.result) {
            if let Some(kind) = self.float_kind(value) {
                self.learn_kind(value, kind, Because::new(inst, "floating-point arithmetic"));
            }
        }
    }

    /// Whether an integer is computed from the number of an address.
    fn is_made_of_address(&self, integer: ValueId) -> bool {
        /// So much arithmetic is looked through.
        const STEPS: usize = 8;
        let mut pending = vec![integer];
        for _ in 0..STEPS {
            let Some(inst) = pending.pop().and_then(|value| self.function.as_inst(value)) else { continue };
            let data = &self.function.insts[inst];
            match &data.opcode {
                Opcode::Cast { op: CastOp::PointerToInteger, .. } => return true,
                Opcode::IntBinary { .. } => pending.extend_from_slice(&data.operands),
                _ => {}
            }
        }
        false
    }

    fn compare(&mut self, inst: InstId) {
        let data = &self.function.insts[inst];
        let [left, right] = data.operands[..] else { return };
        if let Some(result) = data.result {
            self.learn_kind(result, Kind::Integer, Because::new(inst, "the outcome of a comparison"));
        }
        if let Opcode::FloatCompare { .. } = data.opcode {
            self.floats(inst);
            return;
        }
        for (to, from) in [(left, right), (right, left)] {
            match self.tree(from).first_kind() {
                None | Some(Kind::Anything) => {}
                // Whether an address is in some range, or aligned, makes it no number.
                Some(Kind::Integer) if self.is_made_of_address(to) => {}
                Some(kind) => {
                    self.learn_kind(to, kind, Because::new(inst, "it is compared with such a value"))
                }
            }
        }
    }

    fn cast(&mut self, inst: InstId, op: CastOp) {
        let data = &self.function.insts[inst];
        let (Some(result), operand) = (data.result, data.operands[0]) else { return };
        let conversion = Because::new(inst, "a conversion of numbers");
        match op {
            CastOp::Bitcast
            | CastOp::AddressSpaceCast
            | CastOp::PointerToInteger
            | CastOp::PointerToAddress => self.same(inst, operand, "the same bits as another type"),
            CastOp::IntegerToPointer => match self.function.as_constant(operand) {
                Some(ConstantKind::Integer(_)) => {
                    self.learn_kind(result, Kind::Anything, Because::new(inst, "a constant as an address"));
                }
                _ => self.same(inst, operand, "the same bits as another type"),
            },
            CastOp::Truncate => self.truncate(inst, operand, result),
            CastOp::ZeroExtend => self.zero_extend(inst, operand, result),
            CastOp::SignExtend => {
                self.learn_kind(result, Kind::Integer, Because::new(inst, "only numbers are sign-extended"));
                self.learn_kind(operand, Kind::Integer, Because::new(inst, "only numbers are sign-extended"));
            }
            CastOp::FloatTruncate
            | CastOp::FloatExtend
            | CastOp::FloatToUnsigned
            | CastOp::FloatToSigned
            | CastOp::UnsignedToFloat
            | CastOp::SignedToFloat => {
                for value in [operand, result] {
                    let kind = self.float_kind(value).unwrap_or(Kind::Integer);
                    self.learn_kind(value, kind, conversion);
                }
            }
        }
    }

    fn truncate(&mut self, inst: InstId, operand: ValueId, result: ValueId) {
        let (from, to) = (self.size(operand), self.size(result));
        // A flag may be any bit of a byte.
        if to != 1 {
            let all = self.window(&self.tree(operand), 0, Some(from), 0);
            let low = self.window(&all, 0, Some(to), 0);
            self.learn(result, low, Because::new(inst, "the low bytes of it"));
        }
        if to != 1 || from == 1 {
            let low = self.window(&self.tree(result), 0, Some(to), 0);
            self.learn(operand, low, Because::new(inst, "its low bytes are used as such"));
        }
    }

    fn zero_extend(&mut self, inst: InstId, operand: ValueId, result: ValueId) {
        let is_flag = match self.function.type_of(operand) {
            Type::Integer { bits } => *bits == 1,
            Type::Vector { element, .. } => matches!(self.function.ty(*element), Type::Integer { bits: 1 }),
            _ => false,
        };
        let shown = self.shown(operand);
        let tree = match (is_flag, shown.is_known()) {
            (true, _) => TypeTree::of(Kind::Anything),
            (false, true) => shown,
            // A byte of something, perhaps: put together with others it may become a float again.
            (false, false) if self.integer_uses.stays_integer(self.id, result) => self.tree(operand),
            (false, false) => TypeTree::unknown(),
        };
        let tree = self.settle_integer(result, tree);
        self.learn(result, tree, Because::new(inst, "the same number, widened"));
        self.learn(operand, self.tree(result), Because::new(inst, "widened, it is used as such"));
    }

    /// An integer that could be anything is an integer if all its uses are.
    pub(super) fn settle_integer(&self, value: ValueId, tree: TypeTree) -> TypeTree {
        let open = self.is_integer(value) && tree.first_kind() == Some(Kind::Anything);
        if open && self.integer_uses.stays_integer(self.id, value) {
            TypeTree::of(Kind::Integer)
        } else {
            tree
        }
    }

    fn select(&mut self, inst: InstId) {
        let data = &self.function.insts[inst];
        let (Some(result), [condition, yes, no]) = (data.result, &data.operands[..]) else { return };
        let (condition, yes, no) = (*condition, *yes, *no);
        let chosen = self.tree(result).without_anything();
        if self.options.strict_aliasing == super::analyser::StrictAliasing::Yes || yes == no {
            for value in [yes, no] {
                self.learn(
                    value,
                    chosen.clone(),
                    Because::new(inst, "what is chosen from it is used as such"),
                );
            }
        }
        let because = Because::new(inst, "both choices are such");
        if self.is_extremum(condition, yes, no) {
            let kind = Kind::either(self.tree(yes).first_kind(), self.tree(no).first_kind());
            if let Some(kind) = kind {
                self.learn_kind(result, kind, because);
                return;
            }
        }
        let both = |see: fn(&TypeTree) -> TypeTree| {
            let mut tree = see(&self.tree(yes));
            tree.meet(&see(&self.tree(no)));
            tree
        };
        let mut tree = both(TypeTree::without_anything);
        let anything = both(TypeTree::just_anything);
        let _ = tree.merge(&anything, super::kind::Addresses::AreAddresses, self.limits());
        self.learn(result, tree, because);
    }

    /// Whether a choice is between the two sides of an ordering comparison: a minimum or maximum.
    fn is_extremum(&self, condition: ValueId, yes: ValueId, no: ValueId) -> bool {
        let Some(compare) = self.function.as_inst(condition).map(|inst| &self.function.insts[inst]) else {
            return false;
        };
        let orders = match &compare.opcode {
            Opcode::IntCompare { predicate, .. } => {
                !matches!(predicate, crate::model::IntPredicate::Equal | crate::model::IntPredicate::NotEqual)
            }
            Opcode::FloatCompare { predicate, .. } => !matches!(
                predicate,
                crate::model::FloatPredicate::OrderedEqual
                    | crate::model::FloatPredicate::UnorderedEqual
                    | crate::model::FloatPredicate::OrderedNotEqual
                    | crate::model::FloatPredicate::UnorderedNotEqual
            ),
            _ => return false,
        };
        orders && (compare.operands[..] == [yes, no] || compare.operands[..] == [no, yes])
    }

    fn int_binary(&mut self, inst: InstId, op: IntBinaryOp) {
        let data = &self.function.insts[inst];
        let (Some(result), [left, right]) = (data.result, &data.operands[..]) else { return };
        let (left, right) = (*left, *right);
        self.operands_of_binary(inst, op, left, right, result);
        let tree =
            self.result_of_binary(op, [left, right], [self.tree(left), self.tree(right)], self.size(result));
        let tree = self.settle_integer(result, tree);
        self.learn(result, tree, Because::new(inst, "what the operands make"));
    }

    fn operands_of_binary(
        &mut self,
        inst: InstId,
        op: IntBinaryOp,
        left: ValueId,
        right: ValueId,
        result: ValueId,
    ) {
        let because = Because::new(inst, "what the result needs");
        let made = self.tree(result);
        let kind = |tree: &TypeTree| tree.first_kind().filter(|kind| *kind != Kind::Anything);
        match op {
            IntBinaryOp::Add | IntBinaryOp::Multiply => {
                if made.first_kind() == Some(Kind::Integer) {
                    self.learn_kind(left, Kind::Integer, because);
                    self.learn_kind(right, Kind::Integer, because);
                }
            }
            IntBinaryOp::Subtract => {
                let (of_left, of_right) = (kind(&self.tree(left)), kind(&self.tree(right)));
                match made.first_kind() {
                    Some(Kind::Integer) => {
                        // The distance of two addresses, or the difference of two numbers.
                        for (to, from) in [(left, of_right), (right, of_left)] {
                            if let Some(kind) = from {
                                self.learn_kind(to, kind, because);
                            }
                        }
                    }
                    Some(Kind::Pointer) => {
                        if of_left == Some(Kind::Pointer) {
                            self.learn_kind(right, Kind::Integer, because);
                        }
                        if of_right == Some(Kind::Integer) {
                            self.learn_kind(left, Kind::Pointer, because);
                        }
                    }
                    Some(Kind::Anything | Kind::Float(_)) | None => {}
                }
            }
            IntBinaryOp::Xor | IntBinaryOp::Or | IntBinaryOp::And => {
                if let Some(float) = made.all_float(self.size(result)) {
                    for (to, other) in [(left, right), (right, left)] {
                        if arithmetic::keeps_float(self.function, op, other, float) {
                            self.learn_kind(to, Kind::Float(float), because);
                        }
                    }
                }
            }
            IntBinaryOp::UnsignedDivide
            | IntBinaryOp::SignedDivide
            | IntBinaryOp::UnsignedRemainder
            | IntBinaryOp::SignedRemainder
            | IntBinaryOp::ShiftLeft
            | IntBinaryOp::LogicalShiftRight
            | IntBinaryOp::ArithmeticShiftRight => {}
        }
    }

    /// What integer arithmetic gives, in all of its bytes.
    pub(super) fn result_of_binary(
        &mut self,
        op: IntBinaryOp,
        operands: [ValueId; 2],
        trees: [TypeTree; 2],
        size: u64,
    ) -> TypeTree {
        let kinds = [trees[0].first_kind(), trees[1].first_kind()];
        let mut result = arithmetic::result(op, kinds[0], kinds[1]).map(TypeTree::root).unwrap_or_default();
        let whole = |index: usize| trees[index].first(self.options.limits);
        let constant = |index: usize| match self.function.as_constant(operands[index]) {
            Some(ConstantKind::Integer(number)) => Some(number),
            _ => None,
        };
        match op {
            IntBinaryOp::And => {
                for index in [0, 1] {
                    let other = 1 - index;
                    for number in self.numbers(operands[index]) {
                        if (0..=16).contains(&number) {
                            // Some low bits: a number, whatever they were part of.
                            result = TypeTree::root(Kind::Integer);
                        } else if (-64..0).contains(&number) {
                            // Low bits cleared: rounding an address down leaves an address.
                            result = trees[other].first(self.options.limits);
                        }
                    }
                    let is_constant =
                        matches!(self.function.as_constant(operands[index]), Some(ConstantKind::Integer(_)));
                    if is_constant && kinds[other] == Some(Kind::Integer) {
                        result = TypeTree::root(Kind::Integer);
                    }
                }
            }
            IntBinaryOp::Add | IntBinaryOp::Subtract => {
                for index in [0, 1] {
                    let counts = index == 1 || op == IntBinaryOp::Add;
                    let small = |number: &crate::model::Integer| {
                        number.is_negative() || number.as_u64().is_some_and(|number| number <= 4096)
                    };
                    if counts && constant(index).is_some_and(small) {
                        result = whole(1 - index);
                    }
                }
            }
            IntBinaryOp::Multiply => {
                for index in [0, 1] {
                    if constant(index).is_some() && kinds[1 - index] == Some(Kind::Integer) {
                        result = TypeTree::root(Kind::Integer);
                    }
                }
            }
            IntBinaryOp::UnsignedRemainder => {
                if constant(1).and_then(|number| number.as_u64()).is_some_and(|number| number <= 4096) {
                    result = TypeTree::root(Kind::Integer);
                }
            }
            IntBinaryOp::Or | IntBinaryOp::Xor => {}
            IntBinaryOp::UnsignedDivide
            | IntBinaryOp::SignedDivide
            | IntBinaryOp::SignedRemainder
            | IntBinaryOp::ShiftLeft
            | IntBinaryOp::LogicalShiftRight
            | IntBinaryOp::ArithmeticShiftRight => {}
        }
        if matches!(op, IntBinaryOp::And | IntBinaryOp::Or | IntBinaryOp::Xor) {
            for index in [0, 1] {
                if let Some(float) = trees[index].all_float(size)
                    && arithmetic::keeps_float(self.function, op, operands[1 - index], float)
                {
                    result = TypeTree::root(Kind::Float(float));
                }
            }
        }
        result.at(EVERY, self.limits())
    }
}
