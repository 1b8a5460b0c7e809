//! Prints instructions.

use std::fmt::{self, Write as _};

use super::super::super::{
    Atomic, BlockId, Call, CastFlags, FastMath, Function, Inst, InstId, IntPredicate, MemoryAccess, Opcode,
    SyncScope, TailKind, Type, ValueId, Variadic,
};
use super::super::escape::{Label, Quoted};
use super::scope::{Scope, element_pointer_flags, int_flags, separated};
use super::{convention, metadata};

/// Prints the blocks of a function.
pub(super) fn body(out: &mut String, function: &Function, scope: &Scope<'_>) -> fmt::Result {
    for (id, block) in &function.blocks {
        let is_entry = function.entry() == Some(id);
        match &block.name {
            Some(name) if is_entry => writeln!(out, "{}", Label(name))?,
            Some(name) => writeln!(out, "\n{}", Label(name))?,
            // The entry takes its number without a label.
            None if is_entry => {}
            None => {
                let name = scope.locals.map_or("", |locals| locals.block(id));
                writeln!(out, "\n{}:", name.trim_start_matches('%'))?;
            }
        }
        for inst in &block.insts {
            Line { out, function, scope }.instruction(*inst)?;
        }
    }
    Ok(())
}

/// Prints one instruction, without debug location and metadata, and without a line's end.
pub(super) fn plain(out: &mut String, function: &Function, scope: &Scope<'_>, inst: InstId) -> fmt::Result {
    Line { out, function, scope }.without_attachments(&function.insts[inst])
}

struct Line<'o, 'a> {
    out: &'o mut String,
    function: &'a Function,
    scope: &'a Scope<'a>,
}

impl<'a> Line<'_, 'a> {
    fn instruction(&mut self, id: InstId) -> fmt::Result {
        let inst = &self.function.insts[id];
        self.out.push_str("  ");
        self.without_attachments(inst)?;
        if let Some(location) = &inst.location {
            let slot = self.scope.slots.borrow_mut().location(location);
            slot.map_or(Ok(()), |slot| write!(self.out, ", !dbg !{slot}"))?;
        }
        for (kind, node) in &inst.metadata {
            let reference = self.scope.metadata_reference(*node);
            write!(self.out, ", !{} {reference}", metadata::escaped_name(kind))?;
        }
        self.out.push('\n');
        Ok(())
    }

    fn without_attachments(&mut self, inst: &Inst) -> fmt::Result {
        if let Some(result) = inst.result {
            write!(self.out, "{} = ", self.scope.value(self.function, result))?;
        }
        self.opcode(inst)
    }

    fn opcode(&mut self, inst: &Inst) -> fmt::Result {
        let operands = &inst.operands;
        let opcode = &inst.opcode;
        match opcode {
            Opcode::Call(call) => return self.call(call, inst),
            Opcode::Return if operands.is_empty() => return self.word("ret void"),
            _ => self.word(opcode.mnemonic())?,
        }
        match opcode {
            Opcode::Return | Opcode::Resume | Opcode::Freeze => self.typed(operands),
            Opcode::Unreachable | Opcode::Call(_) => Ok(()),
            Opcode::Branch { target } => write!(self.out, " label {}", self.block(*target)),
            Opcode::ConditionalBranch { then_block, else_block } => {
                self.typed(operands)?;
                write!(self.out, ", label {}, label {}", self.block(*then_block), self.block(*else_block))
            }
            Opcode::Switch { default, cases } => {
                self.typed(operands)?;
                writeln!(self.out, ", label {} [", self.block(*default))?;
                for case in cases {
                    let target = self.block(case.target);
                    writeln!(self.out, "    {}, label {target}", self.scope.typed_constant(case.value))?;
                }
                self.word("  ]")
            }
            Opcode::IndirectBranch { targets } => {
                self.typed(operands)?;
                write!(self.out, ", [{}]", self.blocks(targets))
            }
            Opcode::Invoke { call, normal, unwind } => {
                self.call_after_word(call, inst)?;
                write!(self.out, " to label {} unwind label {}", self.block(*normal), self.block(*unwind))
            }
            Opcode::CallBranch { call, fallthrough, indirect } => {
                self.call_after_word(call, inst)?;
                write!(self.out, " to label {} [{}]", self.block(*fallthrough), self.blocks(indirect))
            }
            Opcode::CleanupReturn { unwind } => {
                write!(self.out, " from {} {}", self.value(operands[0]), self.unwind(*unwind))
            }
            Opcode::CatchReturn { target } => {
                write!(self.out, " from {} to label {}", self.value(operands[0]), self.block(*target))
            }
            Opcode::CatchSwitch { handlers, unwind } => {
                let (parent, handlers) = (self.value(operands[0]), self.blocks(handlers));
                write!(self.out, " within {parent} [{handlers}] {}", self.unwind(*unwind))
            }
            Opcode::LandingPad { cleanup, clauses } => {
                self.result_type(inst)?;
                if *cleanup {
                    self.word(" cleanup")?;
                }
                for (clause, operand) in clauses.iter().zip(operands) {
                    write!(self.out, " {clause} {}", self.scope.typed_value(self.function, *operand))?;
                }
                Ok(())
            }
            Opcode::CatchPad | Opcode::CleanupPad => {
                write!(self.out, " within {} [{}]", self.value(operands[0]), self.list(&operands[1..]))
            }
            Opcode::FloatNegate { fast_math } | Opcode::Select { fast_math } => {
                self.fast_math(*fast_math)?;
                self.typed(operands)
            }
            Opcode::IntBinary { flags, .. } => {
                self.word(&int_flags(*flags))?;
                self.pair(operands)
            }
            Opcode::FloatBinary { fast_math, .. } => {
                self.fast_math(*fast_math)?;
                self.pair(operands)
            }
            Opcode::IntCompare { predicate, same_sign } => self.int_compare(*predicate, *same_sign, operands),
            Opcode::FloatCompare { predicate, fast_math } => {
                self.fast_math(*fast_math)?;
                write!(self.out, " {predicate}")?;
                self.pair(operands)
            }
            Opcode::Cast { flags, .. } => {
                self.cast_flags(*flags)?;
                self.typed(operands)?;
                self.word(" to")?;
                self.result_type(inst)
            }
            Opcode::ExtractElement | Opcode::InsertElement => self.typed(operands),
            Opcode::ShuffleVector { mask } => {
                self.typed(operands)?;
                let Some(result) = inst.result else { return Ok(()) };
                write!(self.out, ", {}", self.scope.shuffle_mask(self.function.values[result].ty, mask))
            }
            Opcode::ExtractValue { indices } | Opcode::InsertValue { indices } => {
                self.typed(operands)?;
                indices.iter().try_for_each(|index| write!(self.out, ", {index}"))
            }
            Opcode::Alloca { allocated, alignment, storage } => {
                if !storage.mnemonic().is_empty() {
                    write!(self.out, " {storage}")?;
                }
                write!(self.out, " {}", self.scope.ty(*allocated))?;
                let count = self.scope.typed_value(self.function, operands[0]).to_string();
                if count != "i32 1" {
                    write!(self.out, ", {count}")?;
                }
                self.alignment(*alignment)?;
                let result = inst.result.map(|result| self.function.type_of(result));
                match result {
                    Some(Type::Pointer { address_space }) if *address_space != 0 => {
                        write!(self.out, ", addrspace({address_space})")
                    }
                    _ => Ok(()),
                }
            }
            Opcode::Load { access } => {
                self.access_words(access)?;
                self.result_type(inst)?;
                self.word(",")?;
                self.typed(operands)?;
                self.access(access)
            }
            Opcode::Store { access } => {
                self.access_words(access)?;
                self.typed(operands)?;
                self.access(access)
            }
            Opcode::Fence { atomic } => self.atomic(atomic),
            Opcode::CompareExchange(payload) => {
                self.word(if payload.weak { " weak" } else { "" })?;
                self.word(if payload.volatile { " volatile" } else { "" })?;
                self.typed(operands)?;
                self.atomic(&payload.success)?;
                write!(self.out, " {}", payload.failure)?;
                self.alignment(payload.alignment)
            }
            Opcode::AtomicReadModifyWrite(payload) => {
                self.word(if payload.volatile { " volatile" } else { "" })?;
                write!(self.out, " {}", payload.op)?;
                self.typed(operands)?;
                self.atomic(&payload.atomic)?;
                self.alignment(payload.alignment)
            }
            Opcode::GetElementPointer { source, flags } => {
                write!(self.out, "{} {},", element_pointer_flags(flags), self.scope.ty(*source))?;
                self.typed(operands)
            }
            Opcode::Phi { fast_math, .. } => {
                self.fast_math(*fast_math)?;
                self.result_type(inst)?;
                for (index, (value, block)) in inst.incoming().enumerate() {
                    let comma = if index == 0 { "" } else { "," };
                    write!(self.out, "{comma} [ {}, {} ]", self.value(value), self.block(block))?;
                }
                Ok(())
            }
            Opcode::VaArg => {
                self.typed(operands)?;
                self.word(",")?;
                self.result_type(inst)
            }
        }
    }

    // Parts.

    fn word(&mut self, word: &str) -> fmt::Result {
        self.out.push_str(word);
        Ok(())
    }

    fn value(&self, value: ValueId) -> String {
        self.scope.value(self.function, value).to_string()
    }

    fn list(&self, values: &[ValueId]) -> String {
        separated(values, |f, value| write!(f, "{}", self.scope.typed_value(self.function, *value)))
            .to_string()
    }

    /// Operands with their types, after a blank.
    fn typed(&mut self, values: &[ValueId]) -> fmt::Result {
        let list = self.list(values);
        write!(self.out, " {list}")
    }

    /// Two operands of one type, which is written once.
    fn pair(&mut self, values: &[ValueId]) -> fmt::Result {
        self.typed(&values[..1])?;
        write!(self.out, ", {}", self.value(values[1]))
    }

    fn block(&self, block: BlockId) -> &'a str {
        self.scope.locals.map_or("%", |locals| locals.block(block))
    }

    fn blocks(&self, blocks: &[BlockId]) -> String {
        separated(blocks, |f, block| write!(f, "label {}", self.block(*block))).to_string()
    }

    fn unwind(&self, unwind: Option<BlockId>) -> String {
        match unwind {
            Some(block) => format!("unwind label {}", self.block(block)),
            None => "unwind to caller".to_owned(),
        }
    }

    fn result_type(&mut self, inst: &Inst) -> fmt::Result {
        let Some(result) = inst.result else { return Ok(()) };
        write!(self.out, " {}", self.scope.ty(self.function.values[result].ty))
    }

    fn int_compare(&mut self, predicate: IntPredicate, same_sign: bool, operands: &[ValueId]) -> fmt::Result {
        self.word(if same_sign { " samesign" } else { "" })?;
        write!(self.out, " {predicate}")?;
        self.pair(operands)
    }

    fn fast_math(&mut self, flags: FastMath) -> fmt::Result {
        if flags == FastMath::FAST {
            return self.word(" fast");
        }
        let words = [
            (flags.reassociate, " reassoc"),
            (flags.no_nans, " nnan"),
            (flags.no_infinities, " ninf"),
            (flags.no_signed_zeros, " nsz"),
            (flags.allow_reciprocal, " arcp"),
            (flags.allow_contract, " contract"),
            (flags.approximate_functions, " afn"),
        ];
        words.iter().filter(|(set, _)| *set).try_for_each(|(_, word)| self.word(word))
    }

    fn cast_flags(&mut self, flags: CastFlags) -> fmt::Result {
        self.word(if flags.non_negative { " nneg" } else { "" })?;
        self.word(if flags.no_unsigned_wrap { " nuw" } else { "" })?;
        self.word(if flags.no_signed_wrap { " nsw" } else { "" })?;
        self.fast_math(flags.fast_math)
    }

    fn access_words(&mut self, access: &MemoryAccess) -> fmt::Result {
        self.word(if access.atomic.is_some() { " atomic" } else { "" })?;
        self.word(if access.volatile { " volatile" } else { "" })
    }

    fn access(&mut self, access: &MemoryAccess) -> fmt::Result {
        if let Some(atomic) = &access.atomic {
            self.atomic(atomic)?;
        }
        self.alignment(access.alignment)
    }

    fn atomic(&mut self, atomic: &Atomic) -> fmt::Result {
        if let SyncScope::Named(name) = &atomic.scope {
            write!(self.out, " syncscope({})", Quoted(name.as_bytes()))?;
        }
        write!(self.out, " {}", atomic.ordering)
    }

    fn alignment(&mut self, alignment: Option<u64>) -> fmt::Result {
        alignment.map_or(Ok(()), |alignment| write!(self.out, ", align {alignment}"))
    }

    // Calls.

    fn call(&mut self, call: &Call, inst: &Inst) -> fmt::Result {
        if call.tail != TailKind::None {
            write!(self.out, "{} ", call.tail)?;
        }
        self.word("call")?;
        self.call_after_word(call, inst)
    }

    fn call_after_word(&mut self, call: &Call, inst: &Inst) -> fmt::Result {
        self.fast_math(call.fast_math)?;
        let convention = convention(call.calling_convention);
        if !convention.is_empty() {
            write!(self.out, " {}", convention.trim_end())?;
        }
        write!(self.out, "{}", self.scope.attributes(&call.return_attributes))?;
        if call.address_space != 0 {
            write!(self.out, " addrspace({})", call.address_space)?;
        }
        let Type::Function(ty) = self.scope.context.ty(call.function_type) else { return Ok(()) };
        let written = if ty.variadic == Variadic::Yes { call.function_type } else { ty.result };
        let callee = inst.callee().map_or_else(String::new, |callee| self.value(callee));
        write!(self.out, " {} {callee}(", self.scope.ty(written))?;
        for (index, argument) in inst.arguments().iter().enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            write!(self.out, "{}", self.scope.ty(self.function.values[*argument].ty))?;
            if let Some(attributes) = call.argument_attributes(index) {
                write!(self.out, "{}", self.scope.attributes(attributes))?;
            }
            write!(self.out, " {}", self.value(*argument))?;
        }
        write!(self.out, "){}", self.scope.attributes(&call.function_attributes))?;
        self.bundles(inst)
    }

    fn bundles(&mut self, inst: &Inst) -> fmt::Result {
        let mut first = true;
        for (tag, operands) in inst.bundles() {
            let open = if first { " [ " } else { ", " };
            write!(self.out, "{open}{}({})", Quoted(tag.as_bytes()), self.list(operands))?;
            first = false;
        }
        self.word(if first { "" } else { " ]" })
    }
}
