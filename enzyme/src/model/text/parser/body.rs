//! Reads functions: labels, names, statements.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::super::super::typing::{self, ResultType};
use super::super::super::{
    Block, BlockId, Context, DebugLocation, Function, Inst, InstId, Metadata, MetadataId, MetadataIdentity,
    Opcode, Type, TypeId, Value, ValueDefinition, ValueId,
};
use super::super::error::ParseError;
use super::super::lexer::{Name, TokenKind};
use super::super::printer::type_text;
use super::cursor::{Cursor, Result};
use super::document::Document;
use super::entities::{EntityReader, Names};
use super::instructions::Draft;
use super::metadata;

/// Reads a function from after `define`.
pub(super) fn read(document: &Document<'_>, position: usize) -> Result<Function> {
    let first = BodyReader::start(document, position, &[])?.body()?;
    if first.implicit_blocks.is_empty() {
        return Ok(first.function);
    }
    // Blocks without a label were met, of which the labels in front of them gave no sign. Now that their
    // places are known, the blocks can be numbered in order.
    Ok(BodyReader::start(document, position, &first.implicit_blocks)?.body()?.function)
}

/// A block without a label: the token it starts at, and its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ImplicitBlock {
    position: usize,
    number: u32,
}

/// The value of names that were used but not defined yet.
const UNDEFINED: ValueDefinition = ValueDefinition::Parameter(u32::MAX);

/// Reads one function.
pub(super) struct BodyReader<'d> {
    pub(super) cursor: Cursor<'d>,
    pub(super) function: Function,
    names: Names,
    locals: FxHashMap<Name, ValueId>,
    /// Names that were used but not defined, and where.
    pending: FxHashMap<Name, usize>,
    /// The first unused number for values and blocks without a name.
    next_number: u32,
    /// The block that each label, or each start of a block without one, begins.
    block_starts: FxHashMap<usize, BlockId>,
    implicit_blocks: Vec<ImplicitBlock>,
    /// Labels that were named but not found, and where.
    missing_labels: Vec<(Name, usize)>,
    locations: FxHashMap<usize, Option<DebugLocation>>,
}

impl<'d> BodyReader<'d> {
    /// Reads everything before the body, and the labels in it.
    fn start(document: &'d Document<'d>, position: usize, implicit: &[ImplicitBlock]) -> Result<Self> {
        let mut cursor = Cursor::new(document, position);
        let mut context = new_context(document);
        let mut names = Names::default();
        let header = EntityReader { cursor: &mut cursor, context: &mut context, names: &mut names }
            .function_header()?;
        let mut function = Function::new(&header.name, context, header.function_type);
        function.signature = header.signature;
        function.linkage = header.linkage;
        function.address_space = header.address_space;
        function.traits = header.traits;
        let mut reader = Self {
            cursor,
            function,
            names,
            locals: FxHashMap::default(),
            pending: FxHashMap::default(),
            next_number: 0,
            block_starts: FxHashMap::default(),
            implicit_blocks: Vec::new(),
            missing_labels: Vec::new(),
            locations: FxHashMap::default(),
        };
        reader.name_parameters(header.parameter_names)?;
        reader.rest_of_header()?;
        reader.cursor.expect('{')?;
        reader.find_blocks(implicit, header.name)?;
        Ok(reader)
    }

    pub(super) fn entities(&mut self) -> EntityReader<'_, 'd> {
        EntityReader { cursor: &mut self.cursor, context: &mut self.function.context, names: &mut self.names }
    }

    fn name_parameters(&mut self, names: Vec<(Option<Name>, usize)>) -> Result<()> {
        for (parameter, (name, position)) in self.function.parameters.clone().into_iter().zip(names) {
            let name = self.take_name(name, position)?;
            if let Name::Word(word) = &name {
                self.function.values[parameter].name = Some(word.clone());
            }
            if self.locals.insert(name, parameter).is_some() {
                return Err(self.cursor.error_at(position, "two parameters have the same name"));
            }
        }
        Ok(())
    }

    fn rest_of_header(&mut self) -> Result<()> {
        loop {
            if self.cursor.eat_word("gc") {
                self.function.garbage_collector = Some(self.cursor.expect_string("the name of a strategy")?);
            } else if self.cursor.eat_word("prefix") {
                self.function.prefix = Some(self.entities().typed_constant()?);
            } else if self.cursor.eat_word("prologue") {
                self.function.prologue = Some(self.entities().typed_constant()?);
            } else if self.cursor.eat_word("personality") {
                self.function.personality = Some(self.entities().typed_constant()?);
            } else if let TokenKind::MetadataName(kind) = self.cursor.peek() {
                self.cursor.advance();
                if let Some(node) = self.entities().metadata()? {
                    self.function.traits.metadata.push((kind.clone(), node));
                }
            } else {
                return Ok(());
            }
        }
    }

    // Blocks.

    /// Makes the blocks, in the order of the text.
    fn find_blocks(&mut self, implicit: &[ImplicitBlock], own_name: String) -> Result<()> {
        let mut starts = Vec::new();
        let first = self.cursor.position;
        if !matches!(self.cursor.peek(), TokenKind::Label(_)) {
            starts.push((first, Name::Number(self.next_number)));
        }
        starts.extend(implicit.iter().map(|block| (block.position, Name::Number(block.number))));
        let mut depth = 1;
        let mut scan = self.cursor.clone();
        while depth > 0 {
            let position = scan.position;
            match scan.advance() {
                TokenKind::Punctuation('(' | '[' | '{') => depth += 1,
                TokenKind::Punctuation(')' | ']' | '}') => depth -= 1,
                TokenKind::Label(name) if depth == 1 => starts.push((position, name.clone())),
                TokenKind::End => return Err(scan.expected("`}`")),
                _ => {}
            }
        }
        starts.sort_by_key(|(position, _)| *position);
        let mut labels = FxHashMap::default();
        for (position, name) in starts {
            let text = match &name {
                Name::Word(word) => Some(word.clone()),
                Name::Number(_) => None,
            };
            let block = self.function.blocks.push(Block { name: text, insts: Vec::new() });
            if labels.insert(name, block).is_some() {
                return Err(self.cursor.error_at(position, "this block is defined a second time"));
            }
            self.block_starts.insert(position, block);
        }
        self.names.own_blocks = Some((own_name, labels));
        Ok(())
    }

    /// `label %name`.
    pub(super) fn label(&mut self) -> Result<BlockId> {
        self.cursor.expect_word("label")?;
        self.bare_label()
    }

    /// `%name`, where only a block can stand.
    pub(super) fn bare_label(&mut self) -> Result<BlockId> {
        let TokenKind::Local(name) = self.cursor.peek() else {
            return Err(self.cursor.expected("the label of a block, as in `%entry`"));
        };
        let position = self.cursor.position;
        self.cursor.advance();
        let labels = self.names.own_blocks.get_or_insert_default();
        if let Some(block) = labels.1.get(name) {
            return Ok(*block);
        }
        // Perhaps a block without a label takes this number; that is seen at the end.
        self.missing_labels.push((name.clone(), position));
        let block = self.function.blocks.push(Block::default());
        labels.1.insert(name.clone(), block);
        Ok(block)
    }

    /// The block that starts here. One without a label takes the next number.
    fn start_block(&mut self) -> Result<BlockId> {
        let position = self.cursor.position;
        if let TokenKind::Label(name) = self.cursor.peek() {
            self.take_name(Some(name.clone()), position)?;
            self.cursor.advance();
        } else {
            let number = self.next_number;
            self.next_number += 1;
            if !self.block_starts.contains_key(&position) {
                self.implicit_blocks.push(ImplicitBlock { position, number });
                self.missing_labels.retain(|(name, _)| *name != Name::Number(number));
                return Ok(self.function.blocks.push(Block::default()));
            }
        }
        Ok(self.block_starts[&position])
    }

    // Statements.

    fn body(mut self) -> Result<Self> {
        if self.cursor.at('}') {
            return Err(self.cursor.expected("a block"));
        }
        while !self.cursor.eat('}') {
            let block = self.start_block()?;
            while !self.statement(block)? {
                if matches!(self.cursor.peek(), TokenKind::Label(_) | TokenKind::Punctuation('}')) {
                    return Err(self
                        .cursor
                        .expected("a terminator, as in `ret` or `br`, at the end of the block"));
                }
            }
        }
        if let Some((name, position)) = self.missing_labels.first() {
            let name = name.clone().into_text();
            return Err(self.cursor.error_at(*position, &format!("there is no block `%{name}`")));
        }
        if let Some((name, position)) = self.pending.iter().min_by_key(|(_, position)| **position) {
            let name = name.clone().into_text();
            return Err(self.cursor.error_at(*position, &format!("`%{name}` is not defined")));
        }
        self.entities().fill_globals()?;
        Ok(self)
    }

    /// Reads an instruction. Returns whether it was a terminator.
    fn statement(&mut self, block: BlockId) -> Result<bool> {
        if self.skip_debug_intrinsic()? {
            return Ok(false);
        }
        let name_position = self.cursor.position;
        let name = match (self.cursor.peek(), self.cursor.peek_at(1)) {
            (TokenKind::Local(name), TokenKind::Punctuation('=')) => {
                self.cursor.position += 2;
                Some(name.clone())
            }
            _ => None,
        };
        let start = self.cursor.position;
        let draft = self.draft()?;
        let result_type = self.result_type(start, &draft)?;
        let is_terminator = draft.opcode.is_terminator();
        let Draft { opcode, operands, .. } = draft;
        let (location, metadata) = (None, SmallVec::new());
        let inst =
            self.function.insts.push(Inst { opcode, operands, result: None, block, location, metadata });
        self.function.blocks[block].insts.push(inst);
        match result_type {
            Some(ty) => self.define(inst, name, ty, name_position)?,
            None if name.is_some() => {
                return Err(self
                    .cursor
                    .error_at(name_position, "an instruction without a result has no name"));
            }
            None => {}
        }
        self.attachments(inst)?;
        Ok(is_terminator)
    }

    fn result_type(&mut self, start: usize, draft: &Draft) -> Result<Option<TypeId>> {
        let types: SmallVec<[TypeId; 4]> =
            draft.operands.iter().map(|operand| self.function.values[*operand].ty).collect();
        let result = typing::result_type(&self.function.context, &draft.opcode, &types)
            .map_err(|message| self.cursor.error_at(start, &message))?;
        if let (Opcode::Cast { op, .. }, Some(to)) = (&draft.opcode, draft.result_type) {
            typing::check_cast(&self.function.context, *op, types[0], to)
                .map_err(|message| self.cursor.error_at(start, &message))?;
        }
        Ok(match result {
            ResultType::Nothing => None,
            ResultType::Known(ty) => Some(ty),
            ResultType::Derived(ty) => Some(self.function.context.intern_type(ty)),
            ResultType::Free => draft.result_type,
        })
    }

    fn attachments(&mut self, inst: InstId) -> Result<()> {
        while self.cursor.eat(',') {
            let TokenKind::MetadataName(kind) = self.cursor.peek() else {
                return Err(self.cursor.expected("metadata, as in `!tbaa !0`"));
            };
            self.cursor.advance();
            if kind == "dbg" {
                self.function.insts[inst].location = self.location();
            }
            if let Some(node) = self.entities().metadata()? {
                self.function.insts[inst].metadata.push((kind.clone(), node));
            }
        }
        Ok(())
    }

    fn location(&mut self) -> Option<DebugLocation> {
        let key = match self.cursor.peek() {
            TokenKind::MetadataNumber(number) => *self.cursor.document.metadata.get(number)?,
            _ => self.cursor.position,
        };
        let cursor = &self.cursor;
        self.locations
            .entry(key)
            .or_insert_with(|| {
                let metadata::Location { line, column, file } = metadata::location(cursor)?;
                Some(DebugLocation { file: file.unwrap_or_else(|| Arc::from("")), line, column })
            })
            .clone()
    }

    /// Goes past a call of `llvm.dbg.…`: it says nothing of what the function computes.
    fn skip_debug_intrinsic(&mut self) -> Result<bool> {
        let tail = usize::from(matches!(self.cursor.peek_word(), Some("tail" | "notail")));
        let is_call = *self.cursor.peek_at(tail) == TokenKind::Word("call")
            && *self.cursor.peek_at(tail + 1) == TokenKind::Word("void");
        match self.cursor.peek_at(tail + 2) {
            TokenKind::Global(Name::Word(name)) if is_call && is_debug_intrinsic(name) => {}
            _ => return Ok(false),
        }
        self.cursor.position += tail + 3;
        self.cursor.text_in_parentheses()?;
        self.entities().function_attributes()?;
        while self.cursor.eat(',') {
            self.cursor.advance();
            self.entities().metadata()?;
        }
        Ok(true)
    }

    // Names.

    /// The name of something, or the next number. Numbers must grow.
    fn take_name(&mut self, name: Option<Name>, position: usize) -> Result<Name> {
        let name = name.unwrap_or(Name::Number(self.next_number));
        if let Name::Number(number) = name {
            if number < self.next_number {
                let message =
                    format!("expected the number {} or a greater one, found {number}", self.next_number);
                return Err(self.cursor.error_at(position, &message));
            }
            self.next_number = number + 1;
        }
        Ok(name)
    }

    fn define(&mut self, inst: InstId, name: Option<Name>, ty: TypeId, position: usize) -> Result<()> {
        let name = self.take_name(name, position)?;
        let text = match &name {
            Name::Word(word) => Some(word.clone()),
            Name::Number(_) => None,
        };
        let value = Value { ty, definition: ValueDefinition::Instruction(inst), name: text };
        let id = if let Some(known) = self.locals.get(&name).copied() {
            let Some(used) = self.pending.remove(&name) else {
                let name = name.into_text();
                return Err(self.cursor.error_at(position, &format!("`%{name}` is defined a second time")));
            };
            let used_as = self.function.values[known].ty;
            if used_as != ty {
                return Err(self.other_type(used, name, ty, used_as));
            }
            self.function.values[known] = value;
            known
        } else {
            let id = self.function.values.push(value);
            self.locals.insert(name, id);
            id
        };
        self.function.insts[inst].result = Some(id);
        Ok(())
    }

    // Operands.

    /// `type value`.
    pub(super) fn typed_value(&mut self) -> Result<ValueId> {
        let ty = self.entities().value_type()?;
        self.value(ty)
    }

    /// A value of a type that is known.
    pub(super) fn value(&mut self, ty: TypeId) -> Result<ValueId> {
        if let TokenKind::Local(name) = self.cursor.peek() {
            return self.local(name.clone(), ty);
        }
        if *self.function.ty(ty) == Type::Metadata {
            return self.metadata_operand();
        }
        let constant = self.entities().constant(ty)?;
        Ok(self.function.constant_value(constant))
    }

    fn local(&mut self, name: Name, ty: TypeId) -> Result<ValueId> {
        let position = self.cursor.position;
        self.cursor.advance();
        let Some(known) = self.locals.get(&name).copied() else {
            let value = self.function.values.push(Value { ty, definition: UNDEFINED, name: None });
            self.locals.insert(name.clone(), value);
            self.pending.insert(name, position);
            return Ok(value);
        };
        let defined_as = self.function.values[known].ty;
        if defined_as != ty {
            return Err(self.other_type(position, name, defined_as, ty));
        }
        Ok(known)
    }

    fn other_type(&self, position: usize, name: Name, defined: TypeId, used: TypeId) -> ParseError {
        let text = |ty| type_text(&self.function.context, ty);
        let (name, defined, used) = (name.into_text(), text(defined), text(used));
        self.cursor.error_at(position, &format!("`%{name}` is `{defined}`, but is used here as `{used}`"))
    }

    fn metadata_operand(&mut self) -> Result<ValueId> {
        let metadata = match self.cursor.peek() {
            TokenKind::Exclamation
            | TokenKind::MetadataNumber(_)
            | TokenKind::MetadataName(_)
            | TokenKind::Word("distinct") => {
                let node = self.entities().metadata()?;
                return Ok(self.metadata_value(node));
            }
            _ => {
                let value = self.typed_value()?;
                match self.function.values[value].definition {
                    ValueDefinition::Constant(constant) => Metadata::Constant(constant),
                    ValueDefinition::Global(global) => {
                        Metadata::Constant(self.function.context.global_address(global))
                    }
                    ValueDefinition::Parameter(_)
                    | ValueDefinition::Instruction(_)
                    | ValueDefinition::Metadata(_)
                    | ValueDefinition::InlineAsm(_) => Metadata::Value(value),
                }
            }
        };
        Ok(self.function.metadata_value(metadata))
    }

    /// Debug information as an argument becomes an empty node.
    fn metadata_value(&mut self, node: Option<MetadataId>) -> ValueId {
        let Some(node) = node else {
            let empty = Metadata::Node { identity: MetadataIdentity::Uniqued, elements: Vec::new() };
            return self.function.metadata_value(empty);
        };
        let ty = self.function.context.intern_type(Type::Metadata);
        self.function.values.push(Value { ty, definition: ValueDefinition::Metadata(node), name: None })
    }

    /// The global of this name as a value; see [`EntityReader::global`].
    pub(super) fn global_value(&mut self, name: &str, used_as: TypeId) -> Result<ValueId> {
        let global = self.entities().global(name, Some(used_as))?;
        Ok(self.function.global_value(global))
    }

    /// Goes past a comma unless metadata follows it.
    pub(super) fn eat_comma_before_operand(&mut self) -> bool {
        !matches!(self.cursor.peek_at(1), TokenKind::MetadataName(_)) && self.cursor.eat(',')
    }
}

/// A context with what all have in common.
pub(super) fn new_context(document: &Document<'_>) -> Context {
    let mut context = Context::default();
    context.data_layout = document.data_layout.as_deref().map(Arc::from);
    context.target_triple = document.target_triple.as_deref().map(Arc::from);
    // The type of comparisons is looked for where nothing can be added.
    context.int_type(1);
    context
}

/// Whether a function is one of the intrinsics that only describe the source program.
pub(super) fn is_debug_intrinsic(name: &str) -> bool {
    name.starts_with("llvm.dbg.")
}
