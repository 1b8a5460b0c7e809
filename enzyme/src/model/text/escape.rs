//! Writing names and strings.

use std::fmt::{self, Display, Formatter};

/// Writes bytes between quotes.
pub(super) struct Quoted<'a>(pub(super) &'a [u8]);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        for byte in self.0 {
            match byte {
                b'"' | b'\\' => write!(f, "\\{byte:02X}")?,
                b' '..=b'~' => write!(f, "{}", *byte as char)?,
                _ => write!(f, "\\{byte:02X}")?,
            }
        }
        f.write_str("\"")
    }
}

/// Writes a name after its sigil, between quotes when it needs them.
pub(super) struct Named<'a>(pub(super) char, pub(super) &'a str);

impl Display for Named<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self(sigil, name) = self;
        if is_plain(name) {
            write!(f, "{sigil}{name}")
        } else {
            write!(f, "{sigil}{}", Quoted(name.as_bytes()))
        }
    }
}

/// Writes the label of a block.
pub(super) struct Label<'a>(pub(super) &'a str);

impl Display for Label<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self(name) = self;
        if is_plain(name) { write!(f, "{name}:") } else { write!(f, "{}:", Quoted(name.as_bytes())) }
    }
}

fn is_plain(name: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'$' | b'.' | b'_');
    name.bytes().all(allowed) && !name.bytes().next().is_none_or(|first| first.is_ascii_digit())
}
