//! A place in the tokens of a document, and what to do there.

use super::super::error::{ParseError, Position};
use super::super::lexer::{Token, TokenKind, text_of};
use super::document::Document;

pub(super) type Result<T> = std::result::Result<T, ParseError>;

/// How deep types, constants and metadata may be nested: enough for any real program, and little enough
/// for the stack.
const MAXIMUM_DEPTH: u32 = 256;

/// A place in the tokens.
#[derive(Clone)]
pub(super) struct Cursor<'d> {
    pub(super) document: &'d Document<'d>,
    pub(super) position: usize,
    depth: u32,
}

impl<'d> Cursor<'d> {
    pub(super) fn new(document: &'d Document<'d>, position: usize) -> Self {
        Self { document, position, depth: 0 }
    }

    // Looking.

    pub(super) fn peek(&self) -> &'d TokenKind<'d> {
        self.peek_at(0)
    }

    pub(super) fn peek_at(&self, distance: usize) -> &'d TokenKind<'d> {
        self.document.token(self.position + distance)
    }

    pub(super) fn peek_word(&self) -> Option<&'d str> {
        match self.peek() {
            TokenKind::Word(word) => Some(word),
            _ => None,
        }
    }

    pub(super) fn at_word(&self, word: &str) -> bool {
        self.peek_word() == Some(word)
    }

    pub(super) fn at(&self, punctuation: char) -> bool {
        *self.peek() == TokenKind::Punctuation(punctuation)
    }

    // Going on.

    pub(super) fn advance(&mut self) -> &'d TokenKind<'d> {
        let token = self.peek();
        self.position += 1;
        token
    }

    /// Goes past a word when it is the next one.
    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        self.position += usize::from(found);
        found
    }

    /// Goes past a word that stands for something.
    pub(super) fn eat_mapped<T>(&mut self, map: impl Fn(&str) -> Option<T>) -> Option<T> {
        let mapped = map(self.peek_word()?)?;
        self.position += 1;
        Some(mapped)
    }

    pub(super) fn eat(&mut self, punctuation: char) -> bool {
        let found = self.at(punctuation);
        self.position += usize::from(found);
        found
    }

    pub(super) fn expect(&mut self, punctuation: char) -> Result<()> {
        if self.eat(punctuation) { Ok(()) } else { Err(self.expected(&format!("`{punctuation}`"))) }
    }

    pub(super) fn expect_word(&mut self, word: &str) -> Result<()> {
        if self.eat_word(word) { Ok(()) } else { Err(self.expected(&format!("`{word}`"))) }
    }

    pub(super) fn expect_mapped<T>(&mut self, what: &str, map: impl Fn(&str) -> Option<T>) -> Result<T> {
        self.eat_mapped(map).ok_or_else(|| self.expected(what))
    }

    /// An integer that is part of the syntax.
    pub(super) fn expect_number<T: std::str::FromStr>(&mut self, what: &str) -> Result<T> {
        if let TokenKind::Integer(text) = self.peek() {
            let number =
                text.parse().map_err(|_| self.error_here(&format!("`{text}` is out of range for {what}")))?;
            self.position += 1;
            return Ok(number);
        }
        Err(self.expected(what))
    }

    pub(super) fn expect_bytes(&mut self, what: &str) -> Result<Vec<u8>> {
        if let TokenKind::String(bytes) = self.peek() {
            self.position += 1;
            return Ok(bytes.clone());
        }
        Err(self.expected(what))
    }

    pub(super) fn expect_string(&mut self, what: &str) -> Result<String> {
        self.expect_bytes(what).map(text_of)
    }

    /// `( number )`.
    pub(super) fn expect_number_in_parentheses<T: std::str::FromStr>(&mut self, what: &str) -> Result<T> {
        self.expect('(')?;
        let number = self.expect_number(what)?;
        self.expect(')')?;
        Ok(number)
    }

    /// What stands between this and the matching parenthesis, as written; the cursor goes beyond it.
    pub(super) fn text_in_parentheses(&mut self) -> Result<String> {
        let open = self.position;
        self.expect('(')?;
        let mut depth = 1;
        while depth > 0 {
            match self.advance() {
                TokenKind::Punctuation('(') => depth += 1,
                TokenKind::Punctuation(')') => depth -= 1,
                TokenKind::End => {
                    return Err(self.error_at(open, "the parenthesis is not closed"));
                }
                _ => {}
            }
        }
        let start = self.document.tokens[open].end;
        let end = self.document.tokens[self.position - 1].start;
        Ok(self.document.source[start..end].trim().to_owned())
    }

    /// Does something one level deeper.
    pub(super) fn enter(&mut self) -> Result<()> {
        if self.depth == MAXIMUM_DEPTH {
            return Err(self.error_here(&format!("nested more than {MAXIMUM_DEPTH} levels deep")));
        }
        self.depth += 1;
        Ok(())
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    // Errors.

    /// Something else was expected here.
    pub(super) fn expected(&self, what: &str) -> ParseError {
        let found = match self.peek() {
            TokenKind::End => "the end of the text".to_owned(),
            _ => {
                let Token { start, end, .. } = &self.document.tokens[self.position];
                let text: String = self.document.source[*start..*end].chars().take(40).collect();
                format!("`{text}`")
            }
        };
        self.error_here(&format!("expected {what}, found {found}"))
    }

    pub(super) fn error_here(&self, message: &str) -> ParseError {
        self.error_at(self.position, message)
    }

    pub(super) fn error_at(&self, position: usize, message: &str) -> ParseError {
        let token = &self.document.tokens[position.min(self.document.tokens.len() - 1)];
        ParseError::new(Position::of(self.document.source, token.start), message)
    }
}
