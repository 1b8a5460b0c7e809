//! Calls that allocate, move, free, copy and fill memory, by the table of library functions and by attributes.

use super::role::Role;
use crate::memory::call_attributes::CallAttributes;
use crate::memory::library::{self, Handling, Library, Returned, Size, State};
use crate::model::{ConstantKind, Function, InstId, ValueDefinition};
use crate::program::{FunctionId, Program};
use rustc_hash::FxHashSet;
use smallvec::{SmallVec, smallvec};

/// A number of bytes, by the operands of a call that say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bytes {
    /// The value of this operand.
    Operand(usize),
    /// The product of two.
    Product(usize, usize),
}

impl Bytes {
    /// The operands that say it.
    pub fn operands(self) -> SmallVec<[usize; 2]> {
        match self {
            Bytes::Operand(index) => smallvec![index],
            Bytes::Product(left, right) => smallvec![left, right],
        }
    }
}

/// What a function that allocates memory leaves in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allocation {
    /// Anything, as `malloc`: so many bytes.
    Uncleared(Bytes),
    /// Zeros, as `calloc`.
    Cleared,
}

/// The function of the table that puts the address of new memory in memory.
const THROUGH_POINTER: &str = "posix_memalign";

/// The functions of the table that may copy fewer bytes than they are told.
const STOPPING: [&str; 1] = ["memccpy"];

/// The functions of the table whose memory is not the program's to keep: the run-time library of C++ ends its life.
const EXCEPTIONS: [&str; 2] = ["__cxa_allocate_exception", "__cxa_free_exception"];

/// The function of the table that `dynamic_cast` calls.
const DOWNCAST: &str = "__dynamic_cast";

/// How memory grows when it is reallocated, where the function is told its old size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Growth {
    /// The operand that says how many bytes there were.
    pub old: usize,
    /// How many there are afterwards.
    pub new: Bytes,
}

/// The functions of the table that clear the memory they allocate.
const CLEARING: [&str; 2] = ["__rust_alloc_zeroed", "calloc"];

/// The role of a call of a function of that name that does one of these things and no more, as far as the table of
/// library functions knows.
pub(super) fn of_library(function: &Function, inst: InstId, name: &str) -> Option<Role> {
    // Compilers are told by `nobuiltin` not to take it for what its name says, so that it can be exchanged for another
    // that does the same; a derivative goes by what it does.
    library_role(function, inst, name, library::known(name)?)
}

/// Whether the table of library functions knows of one by that name what its shadow has to do with memory.
pub(super) fn is_known(name: &str) -> bool {
    let Some(library) = library::known(name) else { return false };
    let does = |wanted: Handling| library.handlings().take(4).any(|handling| handling == wanted);
    let copies = does(Handling::Length) && library.state == State::Pure && !STOPPING.contains(&name);
    let allocates = match library.returned {
        Returned::New(size) => bytes(size).is_some(),
        Returned::NewMapping => true,
        _ => name == THROUGH_POINTER,
    };
    let follows = matches!(library.returned, Returned::Reachable(from) if follows(library, from, from + 1));
    !EXCEPTIONS.contains(&name) && (allocates || copies || frees(name) || follows || name == DOWNCAST)
}

/// Whether calling a function of the program, by its name, may free memory.
pub(super) fn may_free(program: &Program, name: &str) -> bool {
    let mut seen = FxHashSet::default();
    let mut pending: Vec<FunctionId> = program.find(name).into_iter().collect();
    while let Some(id) = pending.pop() {
        if !seen.insert(id) {
            continue;
        }
        let function = &program[id];
        for inst in function.insts_in_order().filter(|&inst| function.insts[inst].opcode.call().is_some()) {
            let Some(name) = function.callee_name(inst) else {
                let is_assembler = function.insts[inst].callee().is_some_and(|callee| {
                    matches!(function.values[callee].definition, ValueDefinition::InlineAsm(_))
                });
                if is_assembler { continue } else { return true }
            };
            match program.find(name) {
                Some(callee) => pending.push(callee),
                None if frees(name) || matches!(by_attributes(function, inst, name), Some(Role::Free(_))) => {
                    return true;
                }
                None => {}
            }
        }
    }
    false
}

/// Whether a library function frees memory, by its name.
fn frees(name: &str) -> bool {
    let frees = |handling| matches!(handling, Handling::Free | Handling::MoveFrom);
    // None of them takes more arguments than that before the one that it frees.
    library::known(name).is_some_and(|library| library.handlings().take(4).any(frees))
}

fn library_role(function: &Function, inst: InstId, name: &str, library: Library) -> Option<Role> {
    if EXCEPTIONS.contains(&name) {
        return None;
    }
    let arguments = function.insts[inst].arguments().len();
    let find = |wanted: Handling| (0..arguments).find(|&index| library.handling(index) == wanted);
    if let Some(pointer) = find(Handling::Free) {
        return Some(Role::Free(pointer));
    }
    if let (Some(pointer), Returned::New(size)) = (find(Handling::MoveFrom), library.returned) {
        return Some(Role::Reallocate { pointer, size: bytes(size), growth: growth(name, size) });
    }
    if let (Some(length), State::Pure) = (find(Handling::Length), library.state)
        && !STOPPING.contains(&name)
    {
        if let (Some(to), Some(from)) = (find(Handling::CopyTo), find(Handling::CopyFrom)) {
            return Some(Role::CopyMemory { to, from, length });
        }
        if let Some(to) = find(Handling::Fill) {
            return Some(Role::FillMemory { to, length });
        }
    }
    match library.returned {
        Returned::New(_) if CLEARING.contains(&name) => Some(Role::Allocate(Allocation::Cleared)),
        Returned::New(size) if (0..arguments).all(|index| library.handling(index) == Handling::Ignore) => {
            bytes(size).map(|size| Role::Allocate(Allocation::Uncleared(size)))
        }
        Returned::NewMapping => Some(match is_private(function, inst) {
            true => Role::Allocate(Allocation::Cleared),
            false => Role::Unsupported(
                "a mapping of a file, or of memory that is shared or has a place of its own,",
            ),
        }),
        Returned::Reachable(from) if follows(library, from, arguments) => Some(Role::Follow(from)),
        // The object as a whole, or another part of it; whether it is null only the program's own pointer says.
        Returned::Within(from) if name == DOWNCAST => Some(Role::Displace(from)),
        Returned::Number if name == THROUGH_POINTER => {
            Some(Role::AllocateThrough { pointer: 0, size: Bytes::Operand(2) })
        }
        _ => None,
    }
}

/// Whether a function does no more than to follow pointers from an argument.
fn follows(library: Library, from: usize, arguments: usize) -> bool {
    let reads =
        |index| matches!(library.handling(index), Handling::Ignore | Handling::Read | Handling::ReadAll);
    library.state == State::Pure && library.handling(from) == Handling::ReadAll && (0..arguments).all(reads)
}

/// Of those that allocators of C offer, none is told the old size; Rust's is, under whatever mangled name.
fn growth(name: &str, new: Size) -> Option<Growth> {
    name.ends_with("__rust_realloc").then_some(())?;
    bytes(new).map(|new| Growth { old: 1, new })
}

fn bytes(size: Size) -> Option<Bytes> {
    match size {
        Size::Argument(index) => Some(Bytes::Operand(index)),
        Size::Product(left, right) => Some(Bytes::Product(left, right)),
        Size::Unknown => None,
    }
}

/// Whether a call of `mmap` gives new memory, for this process alone.
fn is_private(function: &Function, inst: InstId) -> bool {
    let flags = function.insts[inst].arguments().get(3).and_then(|&flags| function.as_constant(flags));
    match flags {
        Some(ConstantKind::Integer(flags)) => {
            flags.as_u64().is_some_and(|flags| library::is_private_mapping(flags as i64))
        }
        _ => false,
    }
}

/// The role of a call of a function that allocates or frees memory by the attributes that its users (`enzyme_allocator`)
/// or its compiler (`allockind`) give it.
pub(super) fn by_attributes(function: &Function, inst: InstId, name: &str) -> Option<Role> {
    let attributes = CallAttributes::of(function, inst)?;
    let number = |attribute: &str| attributes.text(attribute).and_then(|index| index.parse().ok());
    if let Some(index) = number("enzyme_allocator") {
        return Some(Role::Allocate(Allocation::Uncleared(Bytes::Operand(index))));
    }
    if let Some(index) = number("enzyme_frees") {
        return Some(Role::Free(index));
    }
    let count = function.insts[inst].arguments().len();
    let pointer = (0..count).find(|&index| attributes.says_of_argument(index, "allocptr"));
    let sizes: Vec<usize> = attributes
        .text("allocsize")
        .map(|text| text.split(',').filter_map(|index| index.trim().parse().ok()).collect())
        .unwrap_or_default();
    let size = match sizes[..] {
        [size] => Some(Bytes::Operand(size)),
        [size, count] => Some(Bytes::Product(size, count)),
        _ => None,
    };
    let kinds: Vec<&str> =
        attributes.text("allockind")?.trim_matches('"').split(',').map(str::trim).collect();
    if kinds.contains(&"free") {
        Some(Role::Free(pointer?))
    } else if kinds.contains(&"realloc") {
        let is_told = name.ends_with("__rust_realloc");
        let growth = size.filter(|_| is_told).map(|new| Growth { old: 1, new });
        Some(Role::Reallocate { pointer: pointer?, size, growth })
    } else if kinds.contains(&"zeroed") {
        Some(Role::Allocate(Allocation::Cleared))
    } else if kinds.contains(&"alloc") {
        Some(Role::Allocate(Allocation::Uncleared(size?)))
    } else {
        None
    }
}
