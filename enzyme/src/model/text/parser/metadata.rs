//! Reads metadata and debug locations.

use std::sync::Arc;

use super::super::super::{Metadata, MetadataId, MetadataIdentity};
use super::super::lexer::{Name, TokenKind, text_of};
use super::cursor::{Cursor, Result};
use super::entities::EntityReader;

impl EntityReader<'_, '_> {
    /// A node where one is used: `!12`, `!{…}`, `!"text"`. `None` for debug information, which the model
    /// does not keep.
    pub(super) fn metadata(&mut self) -> Result<Option<MetadataId>> {
        let TokenKind::MetadataNumber(number) = *self.cursor.peek() else {
            if self.at_debug_information() {
                self.cursor.eat_word("distinct");
                self.cursor.advance();
                self.cursor.text_in_parentheses()?;
                return Ok(None);
            }
            let node = self.node()?;
            return Ok(Some(self.context.metadata.push(node)));
        };
        let known = self.numbered(number)?;
        self.cursor.advance();
        Ok(known)
    }

    /// Nodes between commas up to `}`, debug information left out.
    pub(super) fn metadata_list(&mut self) -> Result<Vec<MetadataId>> {
        let mut nodes = Vec::new();
        while !self.cursor.eat('}') {
            nodes.extend(self.metadata()?);
            if !self.cursor.eat(',') && !self.cursor.at('}') {
                return Err(self.cursor.expected("`,` or `}`"));
            }
        }
        Ok(nodes)
    }

    fn numbered(&mut self, number: u32) -> Result<Option<MetadataId>> {
        if let Some(known) = self.names.metadata.get(&number) {
            return Ok(Some(*known));
        }
        let document = self.cursor.document;
        let Some(position) = document.metadata.get(&number) else {
            return Err(self.cursor.error_here(&format!("`!{number}` is not defined")));
        };
        self.elsewhere(*position, |reader| {
            if reader.at_debug_information() {
                return Ok(None);
            }
            // The node may name itself.
            let placeholder = Metadata::Node { identity: MetadataIdentity::Uniqued, elements: Vec::new() };
            let id = reader.context.metadata.push(placeholder);
            reader.names.metadata.insert(number, id);
            let node = reader.node()?;
            reader.context.metadata[id] = node;
            Ok(Some(id))
        })
    }

    fn at_debug_information(&self) -> bool {
        let distance = usize::from(self.cursor.at_word("distinct"));
        matches!(self.cursor.peek_at(distance), TokenKind::MetadataName(_))
    }

    fn node(&mut self) -> Result<Metadata> {
        let identity = if self.cursor.eat_word("distinct") {
            MetadataIdentity::Distinct
        } else {
            MetadataIdentity::Uniqued
        };
        if *self.cursor.peek() != TokenKind::Exclamation {
            return Err(self.cursor.expected("a metadata node, as in `!0`"));
        }
        self.cursor.advance();
        if let TokenKind::String(bytes) = self.cursor.peek() {
            self.cursor.advance();
            return Ok(Metadata::String(text_of(bytes.clone())));
        }
        self.cursor.expect('{')?;
        let mut elements = Vec::new();
        if self.cursor.eat('}') {
            return Ok(Metadata::Node { identity, elements });
        }
        loop {
            self.element(&mut elements)?;
            if self.cursor.eat('}') {
                return Ok(Metadata::Node { identity, elements });
            }
            if !self.cursor.eat(',') {
                return Err(self.cursor.expected("`,` or `}`"));
            }
        }
    }

    fn element(&mut self, elements: &mut Vec<Option<MetadataId>>) -> Result<()> {
        match self.cursor.peek() {
            TokenKind::Word("null") => {
                self.cursor.advance();
                elements.push(None);
            }
            TokenKind::Exclamation
            | TokenKind::MetadataNumber(_)
            | TokenKind::MetadataName(_)
            | TokenKind::Word("distinct") => {
                // Debug information among the elements (the place of a loop) is left out.
                elements.extend(self.metadata()?.map(Some));
            }
            _ => {
                let constant = self.typed_constant()?;
                elements.push(Some(self.context.metadata.push(Metadata::Constant(constant))));
            }
        }
        Ok(())
    }
}

/// The line, column and file of a `!DILocation`.
pub(super) struct Location {
    pub(super) line: u32,
    pub(super) column: u32,
    pub(super) file: Option<Arc<str>>,
}

/// Reads the node that a `!dbg` names; `None` when it is no location.
pub(super) fn location(cursor: &Cursor<'_>) -> Option<Location> {
    let fields = Fields::of(cursor.clone())?;
    if fields.name != "DILocation" {
        return None;
    }
    Some(Location {
        line: fields.number("line").unwrap_or(0),
        column: fields.number("column").unwrap_or(0),
        file: fields.node("scope").and_then(file_of_scope),
    })
}

/// The file of a scope, or of the scope around it.
fn file_of_scope(mut scope: Cursor<'_>) -> Option<Arc<str>> {
    // More scopes than nodes would be a circle.
    for _ in 0..=scope.document.metadata.len() {
        let fields = Fields::of(scope)?;
        if let Some(file) = fields.node("file") {
            return Fields::of(file)?.string("filename").map(Arc::from);
        }
        scope = fields.node("scope")?;
    }
    None
}

/// The fields of a node like `!DILocation(line: 1, …)`.
struct Fields<'d> {
    name: &'d str,
    /// In front of the opening parenthesis.
    start: Cursor<'d>,
}

impl<'d> Fields<'d> {
    /// The fields of the node that is written or named here.
    fn of(mut cursor: Cursor<'d>) -> Option<Self> {
        if let TokenKind::MetadataNumber(number) = cursor.peek() {
            cursor.position = *cursor.document.metadata.get(number)?;
        }
        cursor.eat_word("distinct");
        let TokenKind::MetadataName(name) = cursor.advance() else { return None };
        Some(Self { name, start: cursor })
    }

    /// The first token of a field's value.
    fn field(&self, wanted: &str) -> Option<Cursor<'d>> {
        let mut cursor = self.start.clone();
        let mut depth = 0;
        loop {
            match cursor.advance() {
                TokenKind::Punctuation('(') => depth += 1,
                TokenKind::Punctuation(')') => depth -= 1,
                TokenKind::Label(Name::Word(name)) if depth == 1 && name == wanted => return Some(cursor),
                TokenKind::End => return None,
                _ => {}
            }
            if depth == 0 {
                return None;
            }
        }
    }

    fn number(&self, name: &str) -> Option<u32> {
        self.field(name)?.expect_number(name).ok()
    }

    fn node(&self, name: &str) -> Option<Cursor<'d>> {
        self.field(name)
    }

    fn string(&self, name: &str) -> Option<String> {
        self.field(name)?.expect_string(name).ok()
    }
}
