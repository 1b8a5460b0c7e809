//! What attributes say of the memory that a call reads, writes and remembers, in the words of LLVM 15 to 22.
//!
//! Until LLVM 15 the memory of a function is told by flags (`readonly`, `argmemonly` …), since LLVM 16 by `memory(…)`;
//! `nocapture` became `captures(…)` in LLVM 21. All of them are understood in any version.

use crate::model::{Attribute, AttributeSet};

/// What is done to memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Access {
    /// Neither read nor written.
    #[default]
    None,
    /// Read.
    Read,
    /// Written.
    Write,
    /// Both.
    ReadWrite,
}

impl Access {
    /// Whether memory is read.
    pub const fn reads(self) -> bool {
        matches!(self, Self::Read | Self::ReadWrite)
    }

    /// Whether memory is written.
    pub const fn writes(self) -> bool {
        matches!(self, Self::Write | Self::ReadWrite)
    }

    /// What both allow.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self::from_parts(self.reads() && other.reads(), self.writes() && other.writes())
    }

    /// What one of the two allows.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self::from_parts(self.reads() || other.reads(), self.writes() || other.writes())
    }

    const fn from_parts(reads: bool, writes: bool) -> Self {
        match (reads, writes) {
            (false, false) => Self::None,
            (true, false) => Self::Read,
            (false, true) => Self::Write,
            (true, true) => Self::ReadWrite,
        }
    }

    fn from_word(word: &str) -> Option<Self> {
        match word {
            "none" => Some(Self::None),
            "read" => Some(Self::Read),
            "write" => Some(Self::Write),
            "readwrite" => Some(Self::ReadWrite),
            _ => None,
        }
    }
}

/// What a function may do to each kind of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Effects {
    /// Memory that arguments point to.
    pub(crate) arguments: Access,
    /// Memory that no instruction of the program can name.
    pub(crate) inaccessible: Access,
    /// C's `errno`.
    pub(crate) error_number: Access,
    /// All other memory.
    pub(crate) other: Access,
}

impl Effects {
    pub(super) const ALL: Self = Self::same(Access::ReadWrite);

    const fn same(access: Access) -> Self {
        Self { arguments: access, inaccessible: access, error_number: access, other: access }
    }

    /// What the attributes of a function, or of a call, allow.
    pub(super) fn of(attributes: &AttributeSet) -> Self {
        let mut effects = attributes.text("memory").map_or(Self::ALL, Self::parse);
        let only_arguments = Self { arguments: Access::ReadWrite, ..Self::same(Access::None) };
        let only_inaccessible = Self { inaccessible: Access::ReadWrite, ..Self::same(Access::None) };
        for (word, allowed) in [
            ("readnone", Self::same(Access::None)),
            ("readonly", Self::same(Access::Read)),
            ("writeonly", Self::same(Access::Write)),
            ("argmemonly", only_arguments),
            ("inaccessiblememonly", only_inaccessible),
            ("inaccessiblemem_or_argmemonly", Self { arguments: Access::ReadWrite, ..only_inaccessible }),
        ] {
            if attributes.has(word) {
                effects = effects.and(allowed);
            }
        }
        effects
    }

    /// What both allow.
    #[must_use]
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            arguments: self.arguments.and(other.arguments),
            inaccessible: self.inaccessible.and(other.inaccessible),
            error_number: self.error_number.and(other.error_number),
            other: self.other.and(other.other),
        }
    }

    /// Reads the text between the parentheses of `memory(…)`: `read, argmem: readwrite`. What is not understood
    /// allows everything.
    fn parse(text: &str) -> Self {
        let parts: Vec<(Option<&str>, &str)> = text
            .split(',')
            .map(|part| match part.split_once(':') {
                Some((kind, access)) => (Some(kind.trim()), access.trim()),
                None => (None, part.trim()),
            })
            .collect();
        // Without an access for the rest, the kinds that are not named are not accessed.
        let rest = parts.iter().find(|(kind, _)| kind.is_none());
        let Some(rest) = rest.map_or(Some(Access::None), |(_, word)| Access::from_word(word)) else {
            return Self::ALL;
        };
        let mut effects = Self::same(rest);
        for (kind, word) in parts {
            let Some(kind) = kind else { continue };
            let Some(access) = Access::from_word(word) else { return Self::ALL };
            match kind {
                "argmem" => effects.arguments = access,
                "inaccessiblemem" => effects.inaccessible = access,
                "errnomem" => effects.error_number = access,
                // Parts of the inaccessible memory of one target.
                _ if kind.starts_with("target_mem") => effects.inaccessible = effects.inaccessible.or(access),
                _ => return Self::ALL,
            }
        }
        effects
    }
}

/// Where a callee may leave a pointer it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Capture {
    /// Nowhere.
    No,
    /// In its result.
    Result,
    /// Anywhere.
    Anywhere,
}

impl Capture {
    /// What the attributes of a parameter or argument allow.
    pub(super) fn of(attributes: &AttributeSet) -> Self {
        if attributes.has("nocapture") {
            return Self::No;
        }
        let Some(text) = attributes.text("captures") else { return Self::Anywhere };
        // Components that say nothing of where the pointer points do not let it be used.
        let harmless = |list: &str| {
            list.split(',').all(|part| matches!(part.trim(), "none" | "address" | "address_is_null"))
        };
        match text.split_once("ret:") {
            None if harmless(text) => Self::No,
            Some((before, result))
                if harmless(before.trim().trim_end_matches(',')) || before.trim().is_empty() =>
            {
                if harmless(result) { Self::No } else { Self::Result }
            }
            None | Some(_) => Self::Anywhere,
        }
    }
}

/// What a callee may do to the memory that an argument points to.
pub(super) fn argument_access(attributes: &AttributeSet) -> Access {
    if attributes.has("readnone") {
        Access::None
    } else if attributes.has("readonly") {
        Access::Read
    } else if attributes.has("writeonly") {
        Access::Write
    } else {
        Access::ReadWrite
    }
}

/// Whether the attributes of a function say that its result is new memory.
pub(super) fn is_allocator(attributes: &AttributeSet) -> bool {
    let kind = attributes.text("allockind").unwrap_or_default();
    let kinds = kind.trim_matches('"').split(',').map(str::trim);
    attributes.has("enzyme_allocator") || kinds.into_iter().any(|kind| kind == "alloc" || kind == "realloc")
}

/// Whether the attributes of a function say that it frees memory and does no more to it.
pub(super) fn is_deallocator(attributes: &AttributeSet) -> bool {
    attributes.has("enzyme_frees")
        || attributes.text("allockind").is_some_and(|kind| kind.trim_matches('"') == "free")
}

/// Whether a set holds this word as a flag or with anything after it.
pub(super) fn says(attributes: Option<&AttributeSet>, word: &str) -> bool {
    attributes
        .is_some_and(|attributes| attributes.iter().any(|attribute: &Attribute| attribute.name() == word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(attributes: &[Attribute]) -> AttributeSet {
        attributes.iter().cloned().collect()
    }

    fn memory(text: &str) -> Effects {
        Effects::of(&set(&[Attribute::Text("memory".to_owned(), text.to_owned())]))
    }

    fn flags(words: &[&str]) -> AttributeSet {
        words.iter().map(|word| Attribute::Flag((*word).to_owned())).collect()
    }

    #[test]
    fn the_new_spelling_is_read() {
        assert_eq!(memory("none"), Effects::same(Access::None));
        assert_eq!(memory("read").other, Access::Read);
        let arguments = memory("argmem: readwrite");
        assert_eq!((arguments.arguments, arguments.other), (Access::ReadWrite, Access::None));
        let mixed = memory("read, argmem: readwrite, inaccessiblemem: write");
        assert_eq!(mixed.arguments, Access::ReadWrite);
        assert_eq!(mixed.inaccessible, Access::Write);
        assert_eq!((mixed.other, mixed.error_number), (Access::Read, Access::Read));
        assert_eq!(memory("errnomem: write").error_number, Access::Write);
        assert_eq!(memory("target_mem0: read").inaccessible, Access::Read);
        assert_eq!(memory("a kind of tomorrow: read"), Effects::ALL);
        assert_eq!(memory("mystery"), Effects::ALL);
    }

    #[test]
    fn the_old_flags_are_read_and_add_up() {
        assert_eq!(Effects::of(&flags(&["readnone"])), Effects::same(Access::None));
        let both = Effects::of(&flags(&["readonly", "argmemonly"]));
        assert_eq!((both.arguments, both.other), (Access::Read, Access::None));
        let hidden = Effects::of(&flags(&["inaccessiblememonly", "writeonly"]));
        assert_eq!((hidden.inaccessible, hidden.arguments), (Access::Write, Access::None));
        let either = Effects::of(&flags(&["inaccessiblemem_or_argmemonly"]));
        assert_eq!((either.arguments, either.other), (Access::ReadWrite, Access::None));
        assert_eq!(Effects::of(&flags(&["nounwind"])), Effects::ALL);
    }

    #[test]
    fn captures_are_read_in_both_spellings() {
        let captures =
            |text: &str| Capture::of(&set(&[Attribute::Text("captures".to_owned(), text.to_owned())]));
        assert_eq!(Capture::of(&flags(&["nocapture"])), Capture::No);
        assert_eq!(captures("none"), Capture::No);
        assert_eq!(captures("address"), Capture::No);
        assert_eq!(captures("ret: address, provenance"), Capture::Result);
        assert_eq!(captures("address_is_null, ret: address, provenance"), Capture::Result);
        assert_eq!(captures("address, read_provenance"), Capture::Anywhere);
        assert_eq!(captures("address, provenance"), Capture::Anywhere);
        assert_eq!(captures("provenance, ret: none"), Capture::Anywhere);
        assert_eq!(Capture::of(&flags(&["nonnull"])), Capture::Anywhere);
    }
}
