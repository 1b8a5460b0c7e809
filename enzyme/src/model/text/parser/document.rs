//! Where everything in a text stands.
//!
//! Types, globals, attribute groups and metadata may be named before they are defined, and each function
//! collects those it names in a context of its own. So the text is first cut into its top-level entities,
//! and an entity is read wherever its name is met.

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::super::error::{ParseError, Position};
use super::super::lexer::{Name, Token, TokenKind, text_of, tokenize};

/// A text, its tokens, and where in them its entities start.
pub(super) struct Document<'s> {
    pub(super) source: &'s str,
    pub(super) tokens: Vec<Token<'s>>,
    /// `%name = type`: the token after `type`.
    pub(super) types: FxHashMap<Name, usize>,
    /// Global symbols in order of the text.
    pub(super) globals: IndexMap<String, GlobalEntity, FxBuildHasher>,
    /// `attributes #0 = {`: the tokens after `{`.
    pub(super) groups: FxHashMap<u32, Vec<usize>>,
    /// `!0 =`: the token after `=`.
    pub(super) metadata: FxHashMap<u32, usize>,
    /// `!name = !{`: the name, and the token after `{`.
    pub(super) named_metadata: Vec<(String, usize)>,
    pub(super) source_name: Option<String>,
    pub(super) data_layout: Option<String>,
    pub(super) target_triple: Option<String>,
    pub(super) assembler: Vec<String>,
    pub(super) comdats: Vec<(String, String)>,
}

/// What a global symbol is, and where it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GlobalEntity {
    /// `@name =`: the token after `=`.
    Value(usize),
    /// The token after `declare`.
    Declaration(usize),
    /// The token after `define`.
    Definition(usize),
}

impl<'s> Document<'s> {
    pub(super) fn new(source: &'s str) -> Result<Self, ParseError> {
        let mut document = Self {
            source,
            tokens: tokenize(source)?,
            types: FxHashMap::default(),
            globals: IndexMap::default(),
            groups: FxHashMap::default(),
            metadata: FxHashMap::default(),
            named_metadata: Vec::new(),
            source_name: None,
            data_layout: None,
            target_triple: None,
            assembler: Vec::new(),
            comdats: Vec::new(),
        };
        let mut position = 0;
        while *document.token(position) != TokenKind::End {
            position = document.entity(position)?;
        }
        Ok(document)
    }

    pub(super) fn token(&self, position: usize) -> &TokenKind<'s> {
        &self.tokens[position.min(self.tokens.len() - 1)].kind
    }

    /// Notes the entity that starts here; returns where the next one starts.
    fn entity(&mut self, start: usize) -> Result<usize, ParseError> {
        match self.token(start) {
            TokenKind::Word("define") => self.function(start, GlobalEntity::Definition(start + 1)),
            TokenKind::Word("declare") => self.function(start, GlobalEntity::Declaration(start + 1)),
            TokenKind::Word("source_filename") => {
                self.source_name = Some(self.string(start + 2)?);
                Ok(start + 3)
            }
            TokenKind::Word("target") => {
                let value = self.string(start + 3)?;
                match self.token(start + 1) {
                    TokenKind::Word("datalayout") => self.data_layout = Some(value),
                    TokenKind::Word("triple") => self.target_triple = Some(value),
                    _ => return Err(self.error(start + 1, "expected `datalayout` or `triple`")),
                }
                Ok(start + 4)
            }
            TokenKind::Word("module") => {
                let line = self.string(start + 2)?;
                self.assembler.push(line);
                Ok(start + 3)
            }
            TokenKind::Word("attributes") => {
                let TokenKind::Group(number) = *self.token(start + 1) else {
                    return Err(
                        self.error(start + 1, "expected the number of an attribute group, as in `#0`")
                    );
                };
                // A group that is given twice is the sum of both.
                self.groups.entry(number).or_default().push(start + 4);
                self.end_of_entity(start)
            }
            TokenKind::Word("uselistorder" | "uselistorder_bb") => self.end_of_entity(start),
            TokenKind::Local(name) => {
                let name = name.clone();
                if self.types.insert(name, start + 3).is_some() {
                    return Err(self.error(start, "the type is defined a second time"));
                }
                self.end_of_entity(start)
            }
            TokenKind::Global(name) => {
                let name = name.clone();
                self.global(start, name, GlobalEntity::Value(start + 2))?;
                self.end_of_entity(start)
            }
            TokenKind::Comdat(name) => {
                let TokenKind::Word(kind) = self.token(start + 3) else {
                    return Err(self.error(start + 3, "expected how the comdat is merged, as in `any`"));
                };
                let comdat = (name.clone(), (*kind).to_owned());
                self.comdats.push(comdat);
                Ok(start + 4)
            }
            TokenKind::MetadataNumber(number) => {
                let number = *number;
                if self.metadata.insert(number, start + 2).is_some() {
                    return Err(self.error(start, &format!("`!{number}` is defined a second time")));
                }
                self.end_of_entity(start)
            }
            TokenKind::MetadataName(name) => {
                let name = name.clone();
                self.named_metadata.push((name, start + 4));
                self.end_of_entity(start)
            }
            _ => {
                Err(self
                    .error(start, "expected `define`, `declare`, a global, a type, attributes or metadata"))
            }
        }
    }

    fn function(&mut self, start: usize, entity: GlobalEntity) -> Result<usize, ParseError> {
        // The name is the first global outside of brackets: attributes may name others inside of theirs.
        let end = self.end_of_entity(start)?;
        let mut depth = 0;
        for position in start..end {
            match self.token(position) {
                TokenKind::Punctuation('(' | '[' | '{') => depth += 1,
                TokenKind::Punctuation(')' | ']' | '}') => depth -= 1,
                TokenKind::Global(name) if depth == 0 => {
                    let name = name.clone();
                    self.global(position, name, entity)?;
                    return Ok(end);
                }
                _ => {}
            }
        }
        Err(self.error(start + 1, "expected the name of the function, as in `@f`"))
    }

    fn global(&mut self, position: usize, name: Name, entity: GlobalEntity) -> Result<(), ParseError> {
        let name = name.into_text();
        if self.globals.contains_key(&name) {
            return Err(self.error(position, &format!("`@{name}` is defined a second time")));
        }
        self.globals.insert(name, entity);
        Ok(())
    }

    /// Where the entity after this one starts: outside of all brackets, at what can only be a start.
    fn end_of_entity(&self, start: usize) -> Result<usize, ParseError> {
        let mut open = Vec::new();
        let mut position = start + 1;
        loop {
            match self.token(position) {
                TokenKind::End if open.is_empty() => return Ok(position),
                TokenKind::End => {
                    let last: usize = open.pop().unwrap_or(start);
                    return Err(self.error(last, "the bracket is not closed"));
                }
                TokenKind::Punctuation('(' | '[' | '{') => open.push(position),
                TokenKind::Punctuation(')' | ']' | '}') if open.pop().is_none() => {
                    return Err(self.error(position, "the bracket was not opened"));
                }
                _ if open.is_empty() && self.is_start(position) => return Ok(position),
                _ => {}
            }
            position += 1;
        }
    }

    fn is_start(&self, position: usize) -> bool {
        match self.token(position) {
            TokenKind::Word(
                "define" | "declare" | "source_filename" | "target" | "module" | "attributes"
                | "uselistorder" | "uselistorder_bb",
            ) => true,
            TokenKind::Local(_)
            | TokenKind::Global(_)
            | TokenKind::Comdat(_)
            | TokenKind::MetadataNumber(_)
            | TokenKind::MetadataName(_) => *self.token(position + 1) == TokenKind::Punctuation('='),
            _ => false,
        }
    }

    fn string(&self, position: usize) -> Result<String, ParseError> {
        match self.token(position) {
            TokenKind::String(bytes) => Ok(text_of(bytes.clone())),
            _ => Err(self.error(position, "expected a string")),
        }
    }

    fn error(&self, position: usize, message: &str) -> ParseError {
        let token = &self.tokens[position.min(self.tokens.len() - 1)];
        ParseError::new(Position::of(self.source, token.start), message)
    }
}
