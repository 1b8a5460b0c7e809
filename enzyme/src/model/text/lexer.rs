//! Splits text into tokens.

use super::error::{ParseError, Position};

/// A token, and where it stands in the text.
#[derive(Clone, Debug)]
pub(super) struct Token<'s> {
    pub(super) kind: TokenKind<'s>,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// A name after a sigil: words are told from numbers, as LLVM does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Name {
    /// `%x`, `%"x y"`.
    Word(String),
    /// `%12`.
    Number(u32),
}

impl Name {
    /// The name of a global: numbers are kept as text.
    pub(super) fn into_text(self) -> String {
        match self {
            Self::Word(word) => word,
            Self::Number(number) => number.to_string(),
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum TokenKind<'s> {
    /// `define`, `i32`, `nsw` …
    Word(&'s str),
    /// `@name`.
    Global(Name),
    /// `%name`.
    Local(Name),
    /// `$name`.
    Comdat(String),
    /// `!name`, without the exclamation mark.
    MetadataName(String),
    /// `!12`.
    MetadataNumber(u32),
    /// `!` before `{` or a string.
    Exclamation,
    /// `#12`.
    Group(u32),
    /// `name:` or `12:`.
    Label(Name),
    /// `"text"`.
    String(Vec<u8>),
    /// `c"text"`.
    Bytes(Vec<u8>),
    /// `-12`.
    Integer(&'s str),
    /// `1.5e3`, `0x3FF0000000000000`, `0xK…`.
    Float(&'s str),
    /// `( ) [ ] { } < > , = * |`.
    Punctuation(char),
    /// `...`.
    Dots,
    /// The end of the text.
    End,
}

/// Splits the whole text. The last token is [`TokenKind::End`].
pub(super) fn tokenize(source: &str) -> Result<Vec<Token<'_>>, ParseError> {
    let mut lexer = Lexer { source, position: 0 };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_blanks();
        let start = lexer.position;
        let kind = lexer.next_kind()?;
        let last = kind == TokenKind::End;
        tokens.push(Token { kind, start, end: lexer.position });
        if last {
            return Ok(tokens);
        }
    }
}

struct Lexer<'s> {
    source: &'s str,
    position: usize,
}

impl<'s> Lexer<'s> {
    fn skip_blanks(&mut self) {
        loop {
            match self.peek() {
                Some(b' ' | b'\t' | b'\r' | b'\n') => self.position += 1,
                // Comments, debug records and lines of a module summary say nothing the model keeps.
                Some(b';' | b'^') => self.skip_line(),
                Some(b'#') if self.source[self.position..].starts_with("#dbg_") => self.skip_line(),
                _ => return,
            }
        }
    }

    fn skip_line(&mut self) {
        let rest = &self.source[self.position..];
        self.position += rest.find('\n').unwrap_or(rest.len());
    }

    fn next_kind(&mut self) -> Result<TokenKind<'s>, ParseError> {
        let Some(first) = self.peek() else { return Ok(TokenKind::End) };
        match first {
            b'@' => self.sigil().map(TokenKind::Global),
            b'%' => self.sigil().map(TokenKind::Local),
            b'$' if self.peek_at(1) == Some(b'"') || self.peek_at(1).is_some_and(is_name_byte) => {
                self.sigil().map(|name| TokenKind::Comdat(name.into_text()))
            }
            b'!' => self.metadata(),
            b'#' => self.group(),
            b'"' => self.quoted(),
            b'.' if self.source[self.position..].starts_with("...") => {
                self.position += 3;
                Ok(TokenKind::Dots)
            }
            b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'<' | b'>' | b',' | b'=' | b'*' | b'|' | b':' => {
                self.position += 1;
                Ok(TokenKind::Punctuation(first as char))
            }
            b'c' if self.peek_at(1) == Some(b'"') => {
                self.position += 1;
                self.string().map(TokenKind::Bytes)
            }
            _ if is_name_byte(first) || first == b'+' => Ok(self.word_or_number()),
            _ => {
                let character = self.source[self.position..].chars().next().unwrap_or(' ');
                Err(self.error(format!("unexpected character `{character}`")))
            }
        }
    }

    fn sigil(&mut self) -> Result<Name, ParseError> {
        self.position += 1;
        if self.peek() == Some(b'"') {
            return Ok(Name::Word(text_of(self.string()?)));
        }
        let word = self.take_while(is_name_byte);
        if word.is_empty() {
            return Err(self.error("expected a name".to_owned()));
        }
        if word.bytes().all(|byte| byte.is_ascii_digit()) {
            return word
                .parse()
                .map(Name::Number)
                .map_err(|_| self.error("the number is too large".to_owned()));
        }
        Ok(Name::Word(word.to_owned()))
    }

    fn metadata(&mut self) -> Result<TokenKind<'s>, ParseError> {
        self.position += 1;
        match self.peek() {
            Some(byte) if byte.is_ascii_digit() => self.number().map(TokenKind::MetadataNumber),
            Some(byte) if is_name_byte(byte) || byte == b'\\' => {
                let word = self.take_while(|byte| is_name_byte(byte) || byte == b'\\');
                Ok(TokenKind::MetadataName(text_of(unescape(word.as_bytes()))))
            }
            _ => Ok(TokenKind::Exclamation),
        }
    }

    fn group(&mut self) -> Result<TokenKind<'s>, ParseError> {
        self.position += 1;
        self.number().map(TokenKind::Group)
    }

    fn number(&mut self) -> Result<u32, ParseError> {
        let digits = self.take_while(|byte| byte.is_ascii_digit());
        digits.parse().map_err(|_| self.error("expected a number below 2^32".to_owned()))
    }

    fn quoted(&mut self) -> Result<TokenKind<'s>, ParseError> {
        let bytes = self.string()?;
        if self.peek() == Some(b':') {
            self.position += 1;
            return Ok(TokenKind::Label(Name::Word(text_of(bytes))));
        }
        Ok(TokenKind::String(bytes))
    }

    fn string(&mut self) -> Result<Vec<u8>, ParseError> {
        let body = self.position + 1;
        let Some(length) = self.source[body..].find('"') else {
            return Err(self.error("the string has no end".to_owned()));
        };
        self.position = body + length + 1;
        Ok(unescape(&self.source.as_bytes()[body..body + length]))
    }

    fn word_or_number(&mut self) -> TokenKind<'s> {
        let start = self.position;
        if self.peek() == Some(b'+') {
            self.position += 1;
        }
        self.take_while(is_name_byte);
        let mut word = &self.source[start..self.position];
        if self.peek() == Some(b':') {
            self.position += 1;
            let number = word.bytes().all(|byte| byte.is_ascii_digit()).then(|| word.parse().ok()).flatten();
            return TokenKind::Label(number.map_or_else(|| Name::Word(word.to_owned()), Name::Number));
        }
        let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
        if !digits.bytes().next().is_some_and(|byte| byte.is_ascii_digit()) {
            return TokenKind::Word(word);
        }
        if digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return TokenKind::Integer(word);
        }
        // `1.5e+3`: the sign of the exponent does not belong to a word.
        let decimal = !digits.starts_with("0x");
        if decimal && word.ends_with(['e', 'E']) && matches!(self.peek(), Some(b'+')) {
            self.position += 1;
            self.take_while(|byte| byte.is_ascii_digit());
            word = &self.source[start..self.position];
        }
        TokenKind::Float(word)
    }

    fn take_while(&mut self, accept: impl Fn(u8) -> bool) -> &'s str {
        let rest = &self.source[self.position..];
        let length = rest.bytes().position(|byte| !accept(byte)).unwrap_or(rest.len());
        self.position += length;
        &rest[..length]
    }

    fn peek(&self) -> Option<u8> {
        self.peek_at(0)
    }

    fn peek_at(&self, distance: usize) -> Option<u8> {
        self.source.as_bytes().get(self.position + distance).copied()
    }

    fn error(&self, message: String) -> ParseError {
        ParseError::new(Position::of(self.source, self.position), message)
    }
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'$' | b'.' | b'_')
}

/// Text from bytes; what is no UTF-8 is replaced.
pub(super) fn text_of(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// Replaces `\xx` and `\\`.
fn unescape(text: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        if *first != b'\\' {
            bytes.push(*first);
        } else if let [b'\\', after @ ..] = after {
            bytes.push(b'\\');
            rest = after;
        } else if let [high, low, after @ ..] = after
            && let (Some(high), Some(low)) = (hex_digit(*high), hex_digit(*low))
        {
            bytes.push(high << 4 | low);
            rest = after;
        } else {
            bytes.push(b'\\');
        }
    }
    bytes
}

fn hex_digit(byte: u8) -> Option<u8> {
    (byte as char).to_digit(16).map(|digit| digit as u8)
}
