//! What known library functions do to memory: what they read, write, keep, allocate, free and return. Whoever needs to
//! know that asks here.
//!
//! A table by name, with one letter for each argument (a `*` repeats the last):
//!
//! | letter | the callee |
//! |---|---|
//! | `-` | does not look at what it points to |
//! | `r` | reads what it points to |
//! | `a` | reads all that can be reached from it |
//! | `w` | writes numbers or text there, that it was not given as numbers |
//! | `z` | fills what it points to with one byte |
//! | `m` | reads what it points to, and writes there as with `w` |
//! | `v` | writes the other arguments there |
//! | `p` | reads it, and writes pointers there: into what the other arguments point to, or to anything elsewhere |
//! | `n` | puts the address of new memory there |
//! | `e` | frees what it points to |
//! | `f` | reads what it points to, and copies it … |
//! | `x` | as `f`, and frees it afterwards |
//! | `t` | … to what this one points to, or else to the new memory that is returned |
//! | `s` | puts it, or what lies there, into the new memory that is returned |
//! | `l` | takes this number for the bytes behind `w`, `z`, `f` and `t` that it touches at most |
//! | `c` | may do anything with it, and may keep it, but computes with no numbers that lie there |
//!
//! None of them keeps an argument but with `c`; none touches other memory that the program can name, but for `errno`.
//! None of them computes: the numbers that they move, they move as they are (those that compute are in the table of
//! [rules]). Like any knowledge by name it is about declarations: a program may define its own `malloc`.

mod names;

use crate::rules::{self, Abi, Dialect};

/// What a known library function does to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Library {
    letters: &'static str,
    /// What it returns.
    pub(crate) returned: Returned,
    /// Whether it reads or writes memory that the program cannot name, or `errno`.
    pub(crate) state: State,
}

/// What a known library function does with one argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Handling {
    /// Nothing (`-`).
    Ignore,
    /// Reads what it points to (`r`).
    Read,
    /// Reads all that can be reached from it (`a`).
    ReadAll,
    /// Writes numbers or text there (`w`).
    Write,
    /// Fills what it points to with one byte (`z`).
    Fill,
    /// Reads and writes numbers there (`m`).
    ReadWrite,
    /// Writes the other arguments there (`v`).
    WriteOthers,
    /// Writes pointers there (`p`).
    WritePointers,
    /// Writes the address of new memory there (`n`).
    WriteNew,
    /// Frees it (`e`).
    Free,
    /// Copies from there (`f`).
    CopyFrom,
    /// Copies from there, and frees it (`x`).
    MoveFrom,
    /// How many bytes it touches at most (`l`).
    Length,
    /// Copies to there (`t`).
    CopyTo,
    /// Puts it, or what lies there, into new memory (`s`).
    PutIntoNew,
    /// Anything (`c`).
    Keep,
}

/// What a known library function returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Returned {
    /// No pointer.
    Number,
    /// A pointer to memory of the library's.
    Elsewhere,
    /// The address of `errno`.
    ErrorNumber,
    /// New memory without pointers in it, of this size.
    New(Size),
    /// New memory of this size with pointers in it, to more new memory or to memory of the library's.
    NewObject(Size),
    /// New memory with a copy of all that can be reached from this argument.
    Clone(usize),
    /// New memory if the flags in argument 3 say that it is private and anonymous, else memory of the library's: `mmap`.
    NewMapping,
    /// This argument.
    Argument(usize),
    /// A pointer into what this argument points to.
    Within(usize),
    /// This argument, or a pointer that is found on the way from it.
    Reachable(usize),
    /// What it reads, or any argument: a load under a mask.
    Loaded,
    /// Something made of all arguments.
    Mixture,
}

/// The size of new memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    /// The value of this argument.
    Argument(usize),
    /// The product of two.
    Product(usize, usize),
    /// Not told.
    Unknown,
}

/// What a function does besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// Nothing.
    Pure,
    /// It may set `errno`.
    SetsErrorNumber,
    /// It reads or writes memory that the program cannot name, and may set `errno`.
    Hidden,
}

impl Library {
    /// What is done with an argument.
    pub(crate) fn handling(&self, index: usize) -> Handling {
        let letters = self.letters.as_bytes();
        let letter = match letters.split_last() {
            Some((b'*', rest)) => rest.get(index).or(rest.last()),
            _ => letters.get(index),
        };
        letter.and_then(|letter| handling(*letter)).unwrap_or(Handling::Keep)
    }

    /// How large the memory is that it returns, if it does no more than to make it.
    pub(crate) fn allocates(self) -> Option<Size> {
        let moves = self.letters.contains(['x', 'f', 's']);
        match self.returned {
            Returned::New(size) | Returned::NewObject(size) if !moves => Some(size),
            Returned::Number
            | Returned::Elsewhere
            | Returned::ErrorNumber
            | Returned::New(_)
            | Returned::NewObject(_)
            | Returned::Clone(_)
            | Returned::NewMapping
            | Returned::Argument(_)
            | Returned::Within(_)
            | Returned::Reachable(_)
            | Returned::Loaded
            | Returned::Mixture => None,
        }
    }

    /// What is done with each argument, without end.
    pub(crate) fn handlings(self) -> impl Iterator<Item = Handling> {
        (0..).map(move |index| self.handling(index))
    }
}

const fn handling(letter: u8) -> Option<Handling> {
    Some(match letter {
        b'-' => Handling::Ignore,
        b'r' => Handling::Read,
        b'a' => Handling::ReadAll,
        b'w' => Handling::Write,
        b'z' => Handling::Fill,
        b'm' => Handling::ReadWrite,
        b'v' => Handling::WriteOthers,
        b'p' => Handling::WritePointers,
        b'n' => Handling::WriteNew,
        b'e' => Handling::Free,
        b'f' => Handling::CopyFrom,
        b'x' => Handling::MoveFrom,
        b'l' => Handling::Length,
        b't' => Handling::CopyTo,
        b's' => Handling::PutIntoNew,
        b'c' => Handling::Keep,
        _ => return None,
    })
}

/// The flags of `mmap` that make memory private and anonymous (Linux, macOS), and the one that chooses its place.
const MAP_PRIVATE: i64 = 0x02;
const MAP_ANONYMOUS: [i64; 2] = [0x20, 0x1000];
const MAP_FIXED: i64 = 0x10;

/// Whether `mmap` gives new memory with these flags, for this process alone.
pub(crate) fn is_private_mapping(flags: i64) -> bool {
    flags & MAP_PRIVATE != 0
        && MAP_ANONYMOUS.iter().any(|anonymous| flags & anonymous != 0)
        && flags & MAP_FIXED == 0
}

/// What a function of this name does, if it is in the table and has no body in the program.
pub(crate) fn known(name: &str) -> Option<Library> {
    if let Some(intrinsic) = name.strip_prefix("llvm.") {
        return intrinsic_prefixes(intrinsic).find_map(|prefix| find(&names::INTRINSICS, prefix));
    }
    let bare = name.strip_prefix("__isoc99_").or_else(|| name.strip_prefix("__isoc23_")).unwrap_or(name);
    // Half of Julia's names have an `i` in front.
    let bare = if bare.starts_with("ijl_") { &bare[1..] } else { bare };
    find(&names::NAMES, bare).or_else(|| names::family(bare))
}

/// The same, or what it does as a function of the table of rules.
pub(super) fn lookup(name: &str) -> Option<Library> {
    known(name).or_else(|| mathematics(name))
}

/// An intrinsic's name without more and more of its type suffixes: `memcpy.p0.p0.i64`, `memcpy.p0.p0` … `memcpy`.
fn intrinsic_prefixes(name: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(name), |name| name.rsplit_once('.').map(|(front, _)| front))
}

/// Functions of the rules' table compute numbers: they touch at most what pointers they are given, and `errno`.
fn mathematics(name: &str) -> Option<Library> {
    let named = rules::names::lookup(name)?;
    let letters = match named.abi {
        Abi::Value | Abi::Aggregate | Abi::LowestElement => "-*",
        Abi::FirstReturned | Abi::AllStored => "w*",
        Abi::Complex => "m*",
        Abi::ByReference => "r*",
    };
    let state = match named.dialect {
        Dialect::Libm | Dialect::Runtime => State::SetsErrorNumber,
        Dialect::Llvm | Dialect::Libdevice | Dialect::Ocml => State::Pure,
    };
    Some(Library { letters, returned: Returned::Number, state })
}

type Entry = (&'static str, &'static str, Returned, State);

fn find(table: &[Entry], name: &str) -> Option<Library> {
    table.binary_search_by(|entry| entry.0.cmp(name)).ok().map(|index| library(&table[index]))
}

fn library(&(_, letters, returned, state): &Entry) -> Library {
    Library { letters, returned, state }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_in_order_and_the_letters_are_known() {
        for table in [&names::NAMES[..], &names::INTRINSICS[..]] {
            assert!(table.is_sorted_by(|one, next| one.0 < next.0));
            for (name, letters, ..) in table {
                let letters = letters.strip_suffix('*').unwrap_or(letters);
                assert!(letters.bytes().all(|letter| handling(letter).is_some()), "{name}: {letters}");
            }
        }
    }

    #[test]
    fn letters_go_with_arguments() {
        let handlings = |name: &str, count: usize| -> Vec<Handling> {
            let library = lookup(name).unwrap_or_else(|| panic!("{name} is known"));
            (0..count).map(|index| library.handling(index)).collect()
        };
        use Handling::{CopyFrom, CopyTo, Free, Ignore, Keep, Length, Read, Write};
        assert_eq!(handlings("memcpy", 3), [CopyTo, CopyFrom, Length]);
        assert_eq!(handlings("llvm.memcpy.p0.p1.i64", 4), [CopyTo, CopyFrom, Length, Ignore]);
        assert_eq!(handlings("printf", 3), [Read, Read, Read]);
        assert_eq!(handlings("__isoc99_sscanf", 4), [Read, Read, Write, Write]);
        assert_eq!(handlings("strlen", 2), [Read, Keep], "an argument too many is not what is meant");
        assert_eq!(handlings("free", 1), [Free]);
        assert_eq!(handlings("sin", 1), [Ignore]);
        assert_eq!(handlings("frexp", 2)[1], Write);
    }

    #[test]
    fn names_are_found_as_they_are_spelled() {
        assert_eq!(lookup("_Znwm").map(|library| library.returned), Some(Returned::New(Size::Argument(0))));
        assert_eq!(lookup("_ZnwmPv").map(|library| library.returned), Some(Returned::Argument(1)));
        assert_eq!(lookup("ijl_gc_alloc_typed"), lookup("jl_gc_alloc_typed"));
        assert_eq!(
            known("ijl_box_int64").map(|library| library.returned),
            Some(Returned::NewObject(Size::Unknown))
        );
        assert_eq!(lookup("_ZnwmR5Arena"), None, "a program's own allocator");
        assert_eq!(lookup("malloc_usable"), None);
        assert_eq!(known("llvm.memcpyish"), None);
        assert_eq!(known("sin"), None, "the rules know it");
        assert_eq!(lookup("llvm.coro.begin"), None);
        assert_eq!(lookup("llvm.sin.f64").map(|library| library.state), Some(State::Pure));
        assert_eq!(lookup("sin").map(|library| library.state), Some(State::SetsErrorNumber));
    }
}
