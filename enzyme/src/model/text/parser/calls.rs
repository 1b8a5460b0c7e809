//! Reads calls.

use smallvec::SmallVec;

use super::super::super::{Bundle, Call, InlineAsm, TailKind, Type, TypeId, ValueId, Variadic};
use super::super::lexer::TokenKind;
use super::body::BodyReader;
use super::cursor::Result;
use super::globals::trim;

type CallAndOperands = (Call, SmallVec<[ValueId; 4]>);

impl BodyReader<'_> {
    /// From `call` or the word in front of it.
    pub(super) fn call(&mut self) -> Result<CallAndOperands> {
        let tail = self.cursor.eat_mapped(TailKind::from_mnemonic).unwrap_or(TailKind::None);
        self.cursor.expect_word("call")?;
        let (mut call, operands) = self.call_after_word()?;
        call.tail = tail;
        Ok((call, operands))
    }

    /// From after `call`, `invoke` or `callbr`, up to the operand bundles.
    pub(super) fn call_after_word(&mut self) -> Result<CallAndOperands> {
        let fast_math = self.fast_math();
        let calling_convention = self.entities().calling_convention()?;
        let return_attributes = self.entities().attributes()?;
        let address_space = self.entities().address_space()?;
        let written_type = self.entities().ty()?;
        let callee_position = self.cursor.position;
        self.skip_callee()?;

        let mut operands: SmallVec<[ValueId; 4]> = SmallVec::new();
        let mut argument_attributes = Vec::new();
        self.cursor.expect('(')?;
        while !self.cursor.eat(')') {
            if !operands.is_empty() && !self.cursor.eat(',') {
                return Err(self.cursor.expected("`,` or `)`"));
            }
            // `...` stands for the rest of the caller's arguments (`musttail`); it is no operand.
            if *self.cursor.peek() == TokenKind::Dots {
                self.cursor.advance();
                continue;
            }
            let ty = self.entities().value_type()?;
            argument_attributes.push(self.entities().attributes()?);
            operands.push(self.value(ty)?);
        }
        trim(&mut argument_attributes);
        let function_type = self.called_type(written_type, &operands);
        let argument_count = u32::try_from(operands.len()).unwrap_or(u32::MAX);
        let function_attributes = self.entities().function_attributes()?;
        let bundles = self.bundles(&mut operands)?;

        let end = std::mem::replace(&mut self.cursor.position, callee_position);
        operands.push(self.callee(function_type, address_space)?);
        self.cursor.position = end;

        let mut call = Call::new(function_type, argument_count);
        call.calling_convention = calling_convention;
        call.fast_math = fast_math;
        call.address_space = address_space;
        call.return_attributes = return_attributes;
        call.argument_attributes = argument_attributes;
        call.function_attributes = function_attributes;
        call.bundles = bundles;
        Ok((call, operands))
    }

    /// The type of the callee: as written, or from the result and the arguments.
    fn called_type(&mut self, written: TypeId, arguments: &[ValueId]) -> TypeId {
        if matches!(self.function.ty(written), Type::Function(_)) {
            return written;
        }
        let parameters = arguments.iter().map(|argument| self.function.values[*argument].ty).collect();
        self.function.context.function_type(written, parameters, Variadic::No)
    }

    /// Goes past the callee, which is read when the arguments, and with them its type, are known.
    fn skip_callee(&mut self) -> Result<()> {
        match self.cursor.peek() {
            TokenKind::Global(_) | TokenKind::Local(_) | TokenKind::Word("null" | "undef" | "poison") => {
                self.cursor.advance();
            }
            TokenKind::Word("asm") => {
                self.inline_asm()?;
            }
            TokenKind::Word("no_cfi" | "dso_local_equivalent") => self.cursor.position += 2,
            TokenKind::Word(_) => {
                while matches!(self.cursor.peek(), TokenKind::Word(_)) {
                    self.cursor.advance();
                }
                self.cursor.text_in_parentheses()?;
            }
            _ => return Err(self.cursor.expected("what is called, as in `@f`")),
        }
        Ok(())
    }

    fn callee(&mut self, function_type: TypeId, address_space: u32) -> Result<ValueId> {
        match self.cursor.peek() {
            TokenKind::Global(name) => {
                let name = name.clone().into_text();
                self.global_value(&name, function_type)
            }
            TokenKind::Word("asm") => {
                let asm = self.inline_asm()?;
                Ok(self.function.inline_asm_value(asm))
            }
            _ => {
                let ty = self.function.context.intern_type(Type::Pointer { address_space });
                self.value(ty)
            }
        }
    }

    fn inline_asm(&mut self) -> Result<InlineAsm> {
        self.cursor.expect_word("asm")?;
        let side_effect = self.cursor.eat_word("sideeffect");
        let align_stack = self.cursor.eat_word("alignstack");
        let intel_dialect = self.cursor.eat_word("inteldialect");
        let may_unwind = self.cursor.eat_word("unwind");
        let template = self.cursor.expect_string("assembler text")?;
        self.cursor.expect(',')?;
        let constraints = self.cursor.expect_string("constraints")?;
        Ok(InlineAsm { template, constraints, side_effect, align_stack, intel_dialect, may_unwind })
    }

    fn bundles(&mut self, operands: &mut SmallVec<[ValueId; 4]>) -> Result<Vec<Bundle>> {
        let mut bundles = Vec::new();
        if !self.cursor.eat('[') {
            return Ok(bundles);
        }
        loop {
            let tag = self.cursor.expect_string("the tag of an operand bundle")?;
            self.cursor.expect('(')?;
            let mut operand_count = 0;
            while !self.cursor.eat(')') {
                if operand_count > 0 && !self.cursor.eat(',') {
                    return Err(self.cursor.expected("`,` or `)`"));
                }
                operands.push(self.typed_value()?);
                operand_count += 1;
            }
            bundles.push(Bundle { tag, operand_count });
            if self.cursor.eat(']') {
                return Ok(bundles);
            }
            if !self.cursor.eat(',') {
                return Err(self.cursor.expected("`,` or `]`"));
            }
        }
    }
}
