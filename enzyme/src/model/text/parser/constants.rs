//! Reads constants.

use smallvec::SmallVec;

use super::super::super::flags::{CastFlags, ElementPointerFlags, FastMath, InRange, IntFlags};
use super::super::super::typing::{self, ResultType};
use super::super::super::{
    BlockReference, CastOp, Constant, ConstantExpression, ConstantId, ConstantKind, FloatBinaryOp,
    FloatPredicate, GlobalId, IntBinaryOp, IntPredicate, Integer, Opcode, PointerAuthentication, Type,
    TypeId, VectorLength,
};
use super::super::float;
use super::super::lexer::TokenKind;
use super::cursor::{Cursor, Result};
use super::entities::EntityReader;

impl EntityReader<'_, '_> {
    /// `type constant`.
    pub(super) fn typed_constant(&mut self) -> Result<ConstantId> {
        let ty = self.value_type()?;
        self.constant(ty)
    }

    /// A constant of a type that is known.
    pub(super) fn constant(&mut self, ty: TypeId) -> Result<ConstantId> {
        self.cursor.enter()?;
        let constant = self.constant_inside(ty)?;
        self.cursor.leave();
        Ok(constant)
    }

    fn constant_inside(&mut self, ty: TypeId) -> Result<ConstantId> {
        let kind = match self.cursor.peek() {
            TokenKind::Integer(_) => return self.integer(ty),
            TokenKind::Float(text) => {
                let Some(float) = self.as_float(ty) else {
                    return Err(self
                        .cursor
                        .error_here("a floating-point number needs a floating-point type"));
                };
                let bits = float::parse(float, text).map_err(|message| self.cursor.error_here(&message))?;
                ConstantKind::Float(bits)
            }
            TokenKind::Bytes(bytes) => {
                self.check_string(ty, bytes.len())?;
                let bytes = bytes.clone();
                self.cursor.advance();
                return Ok(self.context.data(ty, bytes));
            }
            TokenKind::Global(name) => return self.global_constant(ty, &name.clone().into_text()),
            TokenKind::Punctuation('[' | '{' | '<') => return self.aggregate(ty),
            TokenKind::Word(word) => return self.word_constant(ty, word),
            _ => return Err(self.cursor.expected("a constant")),
        };
        self.cursor.advance();
        Ok(self.context.intern_constant(Constant { ty, kind }))
    }

    fn integer(&mut self, ty: TypeId) -> Result<ConstantId> {
        let TokenKind::Integer(text) = self.cursor.peek() else {
            return Err(self.cursor.expected("an integer"));
        };
        let value = match self.context.ty(ty) {
            Type::Integer { bits } => parse_integer(*bits, text)
                .ok_or_else(|| self.cursor.error_here(&format!("`{text}` does not fit in `i{bits}`")))?,
            _ => return Err(self.cursor.error_here("an integer needs an integer type")),
        };
        self.cursor.advance();
        Ok(self.context.integer(value))
    }

    fn check_string(&self, ty: TypeId, length: usize) -> Result<()> {
        match self.context.ty(ty) {
            Type::Array { length: expected, element }
                if *self.context.ty(*element) == Type::Integer { bits: 8 } =>
            {
                if *expected == length as u64 {
                    return Ok(());
                }
                Err(self.cursor.error_here(&format!("expected {expected} bytes, found {length}")))
            }
            _ => Err(self.cursor.error_here("a string needs the type of an array of `i8`")),
        }
    }

    fn global_constant(&mut self, ty: TypeId, name: &str) -> Result<ConstantId> {
        let global = self.global(name, None)?;
        let constant = self.context.global_address(global);
        if self.context.constant(constant).ty != ty {
            let text = format!(
                "`@{name}` is a pointer to address space {}, which is not the type given",
                self.context.globals[global].address_space
            );
            return Err(self.cursor.error_here(&text));
        }
        self.cursor.advance();
        Ok(constant)
    }

    fn aggregate(&mut self, ty: TypeId) -> Result<ConstantId> {
        let start = self.cursor.position;
        let packed = self.cursor.eat('<');
        let close = match self.cursor.peek() {
            TokenKind::Punctuation('{') => {
                self.cursor.advance();
                '}'
            }
            TokenKind::Punctuation('[') if !packed => {
                self.cursor.advance();
                ']'
            }
            _ if packed => '>',
            _ => return Err(self.cursor.expected("a constant")),
        };
        let mut elements = Vec::new();
        if !self.cursor.eat(close) {
            loop {
                elements.push(self.typed_constant()?);
                if self.cursor.eat(close) {
                    break;
                }
                if !self.cursor.eat(',') {
                    return Err(self.cursor.expected(&format!("`,` or `{close}`")));
                }
            }
        }
        if packed && close == '}' {
            self.cursor.expect('>')?;
        }
        self.check_elements(ty, &elements, close).map_err(|message| self.cursor.error_at(start, &message))?;
        Ok(self.context.aggregate(ty, elements))
    }

    fn check_elements(
        &self,
        ty: TypeId,
        elements: &[ConstantId],
        close: char,
    ) -> std::result::Result<(), String> {
        let ty_of = |element: &ConstantId| self.context.constant(*element).ty;
        let same = |length: u64, expected: TypeId| {
            if length != elements.len() as u64 {
                return Err(format!("expected {length} elements, found {}", elements.len()));
            }
            match elements.iter().position(|element| ty_of(element) != expected) {
                Some(index) => {
                    Err(format!("element {index} has another type than the elements of the aggregate"))
                }
                None => Ok(()),
            }
        };
        match (self.context.ty(ty), close) {
            (Type::Array { length, element }, ']') => same(*length, *element),
            (Type::Vector { length: VectorLength::Fixed(length), element }, '>') => {
                same((*length).into(), *element)
            }
            (Type::Struct(structure), '}') => {
                let fields = structure.body.as_ref().map_or(&[] as &[TypeId], |body| &body.fields);
                if fields.len() != elements.len() {
                    return Err(format!("expected {} fields, found {}", fields.len(), elements.len()));
                }
                match fields.iter().zip(elements).position(|(field, element)| *field != ty_of(element)) {
                    Some(index) => Err(format!("field {index} has another type than that of the structure")),
                    None => Ok(()),
                }
            }
            _ => Err("the constant is not of the type before it".to_owned()),
        }
    }

    fn word_constant(&mut self, ty: TypeId, word: &str) -> Result<ConstantId> {
        let kind = match (word, self.context.ty(ty)) {
            ("true" | "false", Type::Integer { bits: 1 }) => {
                ConstantKind::Integer(Integer::from_u64(1, u64::from(word == "true")))
            }
            ("true" | "false", _) => {
                return Err(self.cursor.error_here(&format!("`{word}` needs the type `i1`")));
            }
            ("null", Type::Pointer { .. }) => ConstantKind::Null,
            ("null", _) => return Err(self.cursor.error_here("`null` needs a pointer type")),
            ("undef", _) => ConstantKind::Undef,
            ("poison", _) => ConstantKind::Poison,
            ("none", Type::Token) => ConstantKind::NoneToken,
            ("zeroinitializer", _) => {
                let Some(zero) = self.context.zero(ty) else {
                    return Err(self.cursor.error_here("this type has no zero"));
                };
                self.cursor.advance();
                return Ok(zero);
            }
            _ => return self.call_like_constant(ty, word),
        };
        self.cursor.advance();
        Ok(self.context.intern_constant(Constant { ty, kind }))
    }

    fn call_like_constant(&mut self, ty: TypeId, word: &str) -> Result<ConstantId> {
        let kind = match word {
            "splat" => {
                self.cursor.advance();
                return self.splat(ty);
            }
            "blockaddress" => {
                self.cursor.advance();
                self.block_address()?
            }
            "dso_local_equivalent" => {
                self.cursor.advance();
                ConstantKind::DsoLocalEquivalent(self.global_name()?)
            }
            "no_cfi" => {
                self.cursor.advance();
                ConstantKind::NoCfi(self.global_name()?)
            }
            "ptrauth" => {
                self.cursor.advance();
                self.pointer_authentication()?
            }
            _ => return self.expression(Some(ty)),
        };
        Ok(self.context.intern_constant(Constant { ty, kind }))
    }

    fn splat(&mut self, ty: TypeId) -> Result<ConstantId> {
        let start = self.cursor.position;
        self.cursor.expect('(')?;
        let element = self.typed_constant()?;
        self.cursor.expect(')')?;
        match self.context.ty(ty) {
            Type::Vector { length, element: expected } if *expected == self.context.constant(element).ty => {
                let length = *length;
                Ok(self.context.splat(ty, length, element))
            }
            _ => Err(self.cursor.error_at(start, "`splat` needs the type of a vector of this element")),
        }
    }

    fn block_address(&mut self) -> Result<ConstantKind> {
        self.cursor.expect('(')?;
        let TokenKind::Global(name) = self.cursor.peek() else {
            return Err(self.cursor.expected("the name of a function"));
        };
        let name = name.clone().into_text();
        let function = self.global_name()?;
        self.cursor.expect(',')?;
        let TokenKind::Local(label) = self.cursor.peek() else {
            return Err(self.cursor.expected("the label of a block, as in `%entry`"));
        };
        let block = match &self.names.own_blocks {
            Some((own, labels)) if *own == name => match labels.get(label) {
                Some(block) => BlockReference::Own(*block),
                None => return Err(self.cursor.error_here("the function has no such block")),
            },
            _ => BlockReference::Other(label.clone().into_text()),
        };
        self.cursor.advance();
        self.cursor.expect(')')?;
        Ok(ConstantKind::BlockAddress { function, block })
    }

    fn global_name(&mut self) -> Result<GlobalId> {
        let TokenKind::Global(name) = self.cursor.peek() else {
            return Err(self.cursor.expected("the name of a global, as in `@g`"));
        };
        let global = self.global(&name.clone().into_text(), None)?;
        self.cursor.advance();
        Ok(global)
    }

    fn pointer_authentication(&mut self) -> Result<ConstantKind> {
        let start = self.cursor.position;
        self.cursor.expect('(')?;
        let mut parts = vec![self.typed_constant()?];
        while self.cursor.eat(',') {
            parts.push(self.typed_constant()?);
        }
        self.cursor.expect(')')?;
        let [pointer, key, rest @ ..] = parts.as_slice() else {
            return Err(self.cursor.error_at(start, "`ptrauth` needs a pointer and a key"));
        };
        if rest.len() > 3 {
            return Err(self.cursor.error_at(start, "`ptrauth` has at most five parts"));
        }
        Ok(ConstantKind::PointerAuthentication(Box::new(PointerAuthentication {
            pointer: *pointer,
            key: *key,
            discriminator: rest.first().copied(),
            address_discriminator: rest.get(1).copied(),
            deactivation_symbol: rest.get(2).copied(),
        })))
    }

    // Expressions.

    /// An operation that says its own type, where aliases name one without it.
    pub(super) fn untyped_expression(&mut self) -> Result<ConstantId> {
        self.cursor.enter()?;
        let constant = self.expression(None)?;
        self.cursor.leave();
        Ok(constant)
    }

    fn expression(&mut self, expected: Option<TypeId>) -> Result<ConstantId> {
        let start = self.cursor.position;
        let Some(opcode) = self.expression_opcode()? else { return Err(self.cursor.expected("a constant")) };
        let (result, expression) = match opcode {
            Opcode::GetElementPointer { flags, .. } => self.element_pointer(flags)?,
            Opcode::Cast { op, flags } => {
                self.cursor.expect('(')?;
                let operand = self.typed_constant()?;
                self.cursor.expect_word("to")?;
                let to = self.value_type()?;
                self.cursor.expect(')')?;
                typing::check_cast(self.context, op, self.context.constant(operand).ty, to)
                    .map_err(|message| self.cursor.error_at(start, &message))?;
                let operands = SmallVec::from_slice(&[operand]);
                (to, ConstantExpression { opcode: Opcode::Cast { op, flags }, operands })
            }
            opcode => self.plain_expression(opcode)?,
        };
        if expected.is_some_and(|expected| expected != result) {
            return Err(self.cursor.error_at(start, "the constant is not of the type before it"));
        }
        // What a typed pointer was cast to and from is nothing any more.
        if let (Opcode::Cast { op: CastOp::Bitcast, .. }, [operand]) =
            (&expression.opcode, expression.operands.as_slice())
            && self.context.constant(*operand).ty == result
        {
            return Ok(*operand);
        }
        Ok(self.context.expression(result, expression))
    }

    /// The word and flags in front of the parenthesis; `None` (and nothing read) when it is no operation.
    fn expression_opcode(&mut self) -> Result<Option<Opcode>> {
        let cursor = &mut *self.cursor;
        if let Some(op) = cursor.eat_mapped(IntBinaryOp::from_mnemonic) {
            return Ok(Some(Opcode::IntBinary { op, flags: int_flags(cursor) }));
        }
        if let Some(op) = cursor.eat_mapped(FloatBinaryOp::from_mnemonic) {
            return Ok(Some(Opcode::FloatBinary { op, fast_math: FastMath::NONE }));
        }
        if let Some(op) = cursor.eat_mapped(CastOp::from_mnemonic) {
            return Ok(Some(Opcode::Cast { op, flags: CastFlags::default() }));
        }
        let fast_math = FastMath::NONE;
        Ok(Some(if cursor.eat_word("getelementptr") {
            let flags = element_pointer_flags(cursor)?;
            // The source type comes after the parenthesis; the one given here is not looked at.
            let source = self.context.void_type();
            Opcode::GetElementPointer { source, flags }
        } else if cursor.eat_word("icmp") {
            let same_sign = cursor.eat_word("samesign");
            let predicate = cursor.expect_mapped("a comparison, as in `eq`", IntPredicate::from_mnemonic)?;
            Opcode::IntCompare { predicate, same_sign }
        } else if cursor.eat_word("fcmp") {
            let predicate =
                cursor.expect_mapped("a comparison, as in `oeq`", FloatPredicate::from_mnemonic)?;
            Opcode::FloatCompare { predicate, fast_math }
        } else if cursor.eat_word("select") {
            Opcode::Select { fast_math }
        } else if cursor.eat_word("fneg") {
            Opcode::FloatNegate { fast_math }
        } else if cursor.eat_word("extractelement") {
            Opcode::ExtractElement
        } else if cursor.eat_word("insertelement") {
            Opcode::InsertElement
        } else if cursor.eat_word("shufflevector") {
            Opcode::ShuffleVector { mask: Vec::new() }
        } else {
            return Ok(None);
        }))
    }

    fn element_pointer(&mut self, mut flags: ElementPointerFlags) -> Result<(TypeId, ConstantExpression)> {
        let start = self.cursor.position;
        self.cursor.expect('(')?;
        let source = self.value_type()?;
        let mut operands: SmallVec<[ConstantId; 4]> = SmallVec::new();
        while self.cursor.eat(',') {
            if self.cursor.eat_word("inrange") {
                // Up to LLVM 18 an index is marked.
                let index = operands.len().saturating_sub(1);
                flags.in_range = Some(Box::new(InRange::Index(u32::try_from(index).unwrap_or(u32::MAX))));
            }
            operands.push(self.typed_constant()?);
        }
        self.cursor.expect(')')?;
        self.typed_expression(start, Opcode::GetElementPointer { source, flags }, operands)
    }

    fn plain_expression(&mut self, mut opcode: Opcode) -> Result<(TypeId, ConstantExpression)> {
        let start = self.cursor.position;
        self.cursor.expect('(')?;
        let mut operands: SmallVec<[ConstantId; 4]> = SmallVec::new();
        loop {
            operands.push(self.typed_constant()?);
            if self.cursor.eat(')') {
                break;
            }
            if !self.cursor.eat(',') {
                return Err(self.cursor.expected("`,` or `)`"));
            }
        }
        if let Opcode::ShuffleVector { mask } = &mut opcode
            && let Some(lanes) = operands.pop()
        {
            *mask = self.shuffle_mask(lanes).map_err(|message| self.cursor.error_at(start, &message))?;
        }
        self.typed_expression(start, opcode, operands)
    }

    fn typed_expression(
        &mut self,
        start: usize,
        opcode: Opcode,
        operands: SmallVec<[ConstantId; 4]>,
    ) -> Result<(TypeId, ConstantExpression)> {
        let types: SmallVec<[TypeId; 4]> =
            operands.iter().map(|operand| self.context.constant(*operand).ty).collect();
        let result = typing::result_type(self.context, &opcode, &types)
            .map_err(|message| self.cursor.error_at(start, &message))?;
        match result {
            ResultType::Known(ty) => Ok((ty, ConstantExpression { opcode, operands })),
            ResultType::Derived(ty) => {
                Ok((self.context.intern_type(ty), ConstantExpression { opcode, operands }))
            }
            ResultType::Nothing | ResultType::Free => Err(self.cursor.error_at(start, "this is no constant")),
        }
    }

    /// The lanes of a shuffle, from the constant that is written as its third operand.
    pub(super) fn shuffle_mask(&self, mask: ConstantId) -> std::result::Result<Vec<Option<u32>>, String> {
        let constant = self.context.constant(mask);
        let (Type::Vector { length, element }, message) =
            (self.context.ty(constant.ty), "the mask of a shuffle is a vector of `i32`")
        else {
            return Err("the mask of a shuffle is a vector of `i32`".to_owned());
        };
        if *self.context.ty(*element) != (Type::Integer { bits: 32 }) {
            return Err(message.to_owned());
        }
        let length = length.minimum() as usize;
        match &constant.kind {
            ConstantKind::Zero => Ok(vec![Some(0); length]),
            ConstantKind::Undef | ConstantKind::Poison => Ok(vec![None; length]),
            ConstantKind::Data(bytes) => Ok(bytes
                .chunks_exact(4)
                .map(|lane| Some(u32::from_le_bytes([lane[0], lane[1], lane[2], lane[3]])))
                .collect()),
            ConstantKind::Aggregate(lanes) => lanes
                .iter()
                .map(|lane| match &self.context.constant(*lane).kind {
                    ConstantKind::Integer(value) => {
                        Ok(Some(value.as_u64().and_then(|lane| u32::try_from(lane).ok()).ok_or(message)?))
                    }
                    ConstantKind::Undef | ConstantKind::Poison => Ok(None),
                    _ => Err(message.to_owned()),
                })
                .collect(),
            _ => Err(message.to_owned()),
        }
    }
}

/// `nuw`, `nsw`, `exact`, `disjoint` in any order.
pub(super) fn int_flags(cursor: &mut Cursor<'_>) -> IntFlags {
    let mut flags = IntFlags::default();
    loop {
        if cursor.eat_word("nuw") {
            flags.no_unsigned_wrap = true;
        } else if cursor.eat_word("nsw") {
            flags.no_signed_wrap = true;
        } else if cursor.eat_word("exact") {
            flags.exact = true;
        } else if cursor.eat_word("disjoint") {
            flags.disjoint = true;
        } else {
            return flags;
        }
    }
}

/// `inbounds`, `nusw`, `nuw`, `inrange(a, b)` in any order.
pub(super) fn element_pointer_flags(cursor: &mut Cursor<'_>) -> Result<ElementPointerFlags> {
    let mut flags = ElementPointerFlags::default();
    loop {
        if cursor.eat_word("inbounds") {
            flags.in_bounds = true;
        } else if cursor.eat_word("nusw") {
            flags.no_unsigned_signed_wrap = true;
        } else if cursor.eat_word("nuw") {
            flags.no_unsigned_wrap = true;
        } else if cursor.eat_word("inrange") {
            cursor.expect('(')?;
            let start = cursor.expect_number("the first byte")?;
            cursor.expect(',')?;
            let end = cursor.expect_number("the byte after the last")?;
            cursor.expect(')')?;
            flags.in_range = Some(Box::new(InRange::Bytes { start, end }));
        } else {
            // `inbounds` says it already.
            flags.no_unsigned_signed_wrap &= !flags.in_bounds;
            return Ok(flags);
        }
    }
}

/// A decimal integer, when it fits the width read as signed or as unsigned.
pub(super) fn parse_integer(bits: u32, text: &str) -> Option<Integer> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    // One word more than the width, so that what does not fit is seen.
    let mut words = vec![0_u64; bits.div_ceil(64) as usize + 1];
    for digit in digits.bytes() {
        let mut carry = u128::from(digit.wrapping_sub(b'0'));
        for word in &mut words {
            let sum = u128::from(*word) * 10 + carry;
            *word = sum as u64;
            carry = sum >> 64;
        }
        if *words.last()? > 9 {
            return None;
        }
    }
    let magnitude = Integer::from_words(bits, &words);
    let fits = words.iter().zip(magnitude.words().iter().chain(&[0])).all(|(all, kept)| all == kept);
    if !negative {
        return fits.then_some(magnitude);
    }
    let value = magnitude.negated();
    (fits && (value.is_negative() || value.is_zero())).then_some(value)
}
