//! From the name of a symbol to the canonical function it computes.
//!
//! The spellings are derived where they follow a system (C's suffixes, C++'s mangling, LLVM's type
//! suffixes, libdevice's prefixes) and listed where they do not. One table holds them all; a name that
//! two entries claim with different meanings is an error that names both.
//!
//! A name only says what a *declaration* computes: a program may define its own `y1`.

mod c;
mod gpu;
mod llvm;
mod runtime;

use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use thiserror::Error;

use super::function::{Function, Kind, Precision};
pub use llvm::{Reduction, reduction};

/// What a known symbol computes, and how it is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    /// The canonical function.
    pub function: Function,
    /// The precision of its floating-point operands; the types at the call have the last word.
    pub precision: Precision,
    /// How operands and results are handed over.
    pub abi: Abi,
    /// How many trailing arguments mean nothing to the rule: rounding metadata, tolerances, masks.
    pub ignored: u8,
    /// The family of names it belongs to. What a derivative calls should come from the same one.
    pub dialect: Dialect,
}

/// How a call hands operands and results over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Abi {
    /// Operands by value, one argument each; the single result is returned. Vectors are element by
    /// element.
    Value,
    /// Operands by value; all results are returned together, in a struct, array or vector
    /// (`llvm.sincos`, `llvm.frexp`).
    Aggregate,
    /// Operands by value; the first result is returned, the others are stored through trailing
    /// pointers (`frexp`, `modf`, `remquo`, `lgamma_r`).
    FirstReturned,
    /// Operands by value; nothing is returned, all results are stored through trailing pointers
    /// (`sincos`).
    AllStored,
    /// Complex operands and results as the target's C ABI passes them: two scalars, a vector of two, a
    /// struct, an array, or a pointer with `byval` or `sret`. Flattened, they are the rule's floats.
    Complex,
    /// As [`Abi::Value`], but every operand comes through a pointer (Fortran).
    ByReference,
    /// Vectors of which only element 0 is computed; the others are those of the first operand (x86's
    /// `minss`).
    LowestElement,
}

/// A family of names, as programs for one kind of target use them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dialect {
    /// C's mathematical library, under C's, C++'s or a Fortran compiler's names.
    Libm,
    /// LLVM's intrinsics.
    Llvm,
    /// NVIDIA's libdevice.
    Libdevice,
    /// AMD's device library.
    Ocml,
    /// The run-time library of a language, or a library of special functions.
    Runtime,
}

/// Two entries claim the same name.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("the name `{name}` is given to `{}` and to `{}`", first.function, second.function)]
pub struct NameError {
    /// The name.
    pub name: String,
    /// What it meant first.
    pub first: Named,
    /// What the second entry says.
    pub second: Named,
}

/// What a symbol computes, if it is a known scalar function.
///
/// LLVM's intrinsics are found by their full name with type suffixes (`llvm.sin.v4f32`), vector variants
/// by that of the vector function ABI (`_ZGVbN2v_sin`); sums and products over vectors are
/// [`reduction`]s.
pub fn lookup(symbol: &str) -> Option<Named> {
    if let Some(intrinsic) = symbol.strip_prefix("llvm.") {
        return llvm::lookup(intrinsic);
    }
    names().by_name.get(vector_variant(symbol).unwrap_or(symbol)).copied()
}

/// The scalar function of which a symbol is an unmasked vector variant, by the names of the vector
/// function ABI: `_ZGVbN2v_sin` takes and gives vectors of two.
fn vector_variant(symbol: &str) -> Option<&str> {
    let (shape, scalar) = symbol.strip_prefix("_ZGV")?.split_once('_')?;
    let parameters = shape.get(1..)?.strip_prefix('N')?.trim_start_matches(|c: char| c.is_ascii_digit());
    let all_vectors = !parameters.is_empty() && parameters.bytes().all(|parameter| parameter == b'v');
    all_vectors.then_some(scalar)
}

/// The names of a function that are not intrinsics, sorted.
pub fn spellings(function: Function) -> Vec<&'static str> {
    names().of(function)
}

/// The intrinsics of a function, without `llvm.` and the type suffixes, sorted.
pub fn intrinsics(function: Function) -> Vec<&'static str> {
    llvm::intrinsics(function)
}

/// The symbol with which a dialect offers a function, if it does.
pub fn symbol(dialect: Dialect, function: Function, precision: Precision) -> Option<String> {
    match dialect {
        Dialect::Libm | Dialect::Llvm | Dialect::Runtime => function.libm_name(precision),
        Dialect::Libdevice => gpu::libdevice_name(function, precision),
        Dialect::Ocml => gpu::ocml_name(function, precision),
    }
}

fn names() -> &'static Names {
    static NAMES: LazyLock<Names> = LazyLock::new(|| match Names::all() {
        Ok(names) => names,
        // The table is a constant of this crate: a mistake of its authors that any test brings to light.
        Err(error) => panic!("the name table is wrong: {error}"),
    });
    &NAMES
}

/// A table of names: one of LLVM's intrinsics, and one of all others.
#[derive(Debug, Default)]
struct Names {
    by_name: FxHashMap<String, Named>,
}

impl Names {
    fn all() -> Result<Names, NameError> {
        let mut names = Names::default();
        c::add(&mut names)?;
        gpu::add(&mut names)?;
        runtime::add(&mut names)?;
        Ok(names)
    }

    /// The names of a function, sorted.
    fn of(&self, function: Function) -> Vec<&str> {
        let mut names: Vec<&str> = self
            .by_name
            .iter()
            .filter(|(_, named)| named.function == function)
            .map(|(name, _)| name.as_str())
            .collect();
        names.sort_unstable();
        names
    }

    /// Adds a name; the same meaning twice is no error, since systems of spelling overlap.
    fn add(&mut self, name: impl Into<String>, named: Named) -> Result<(), NameError> {
        let name = name.into();
        match self.by_name.get(&name) {
            Some(first) if first.function == named.function && first.abi == named.abi => Ok(()),
            Some(first) => Err(NameError { name, first: *first, second: named }),
            None => {
                self.by_name.insert(name, named);
                Ok(())
            }
        }
    }
}

impl Named {
    /// A name for a function, called as C would.
    fn new(dialect: Dialect, function: Function, precision: Precision) -> Named {
        Named { function, precision, abi: c_abi(function), ignored: 0, dialect }
    }

    fn with_abi(self, abi: Abi) -> Named {
        Named { abi, ..self }
    }

    fn ignoring(self, ignored: u8) -> Named {
        Named { ignored, ..self }
    }
}

/// How C passes the operands and results of a function.
fn c_abi(function: Function) -> Abi {
    if function.is_complex() {
        return Abi::Complex;
    }
    match function.results() {
        [_] => Abi::Value,
        // Two equal results are both stored, save that `modf` returns one.
        [Kind::Float, Kind::Float] if function != Function::Modf => Abi::AllStored,
        _ => Abi::FirstReturned,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_two_meanings_is_rejected() {
        let mut names = Names::default();
        let sine = Named::new(Dialect::Libm, Function::Sin, Precision::Double);
        let cosine = Named::new(Dialect::Libm, Function::Cos, Precision::Double);
        names.add("sin", sine).expect("a first name");
        names.add("sin", sine).expect("the same meaning again");
        let error = names.add("sin", cosine).expect_err("another meaning");
        assert_eq!(error.to_string(), "the name `sin` is given to `sin` and to `cos`");
    }
}
