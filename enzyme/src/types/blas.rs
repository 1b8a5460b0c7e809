//! What the routines of BLAS take and give, however they are called.
//!
//! A routine is written down once, with one letter for each argument: a character or a choice (`c`), a size or a stride
//! (`n`), a number (`s`), an array (`a`). From the letter of the type in a name follows which numbers; from its prefix, how
//! they are passed: Fortran gets addresses, C's interface values, and the layout of matrices first. Complex numbers are
//! pairs, which C's interface gets by address, too.

use super::library::Signature;

/// A routine, what it gives (`s`, or nothing), what it takes, and whether it has matrices.
type Routine = (&'static str, &'static str, &'static str, Level);

/// Whether a routine has a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    /// It has vectors alone.
    Vectors,
    /// It has matrices.
    Matrices,
}

use Level::{Matrices, Vectors};

/// Sorted by names, without the letter of the type.
const ROUTINES: [Routine; 19] = [
    ("asum", "s", "nan", Vectors),
    ("axpy", "", "nsanan", Vectors),
    ("copy", "", "nanan", Vectors),
    ("dot", "s", "nanan", Vectors),
    ("gemm", "", "ccnnnsanansan", Matrices),
    ("gemv", "", "cnnsanansan", Matrices),
    ("ger", "", "nnsananan", Matrices),
    ("nrm2", "s", "nan", Vectors),
    ("scal", "", "nsan", Vectors),
    ("spmv", "", "cnsaansan", Matrices),
    ("spr2", "", "cnsanana", Matrices),
    ("symm", "", "ccnnsanansan", Matrices),
    ("symv", "", "cnsanansan", Matrices),
    ("syr2", "", "cnsananan", Matrices),
    ("syr2k", "", "ccnnsanansan", Matrices),
    ("syrk", "", "ccnnsansan", Matrices),
    ("trmm", "", "ccccnnsanan", Matrices),
    ("trmv", "", "cccnanan", Matrices),
    ("trsm", "", "ccccnnsanan", Matrices),
];

/// What may follow the name of a routine: nothing in C, an underscore in Fortran, a sign that integers have 64 bits.
const SUFFIXES: [&str; 5] = ["", "_", "64_", "_64", "_64_"];

/// The signature of a routine under one of its names.
pub(super) fn signature(name: &str) -> Option<Signature> {
    let (interface, rest) = match name.strip_prefix("cblas_") {
        Some(rest) => (Interface::C, rest),
        None => (Interface::Fortran, name),
    };
    let numbers = match rest.as_bytes().first()? {
        b's' => Numbers { code: "f", address: "pf", are_complex: Complex::No },
        b'd' => Numbers { code: "d", address: "pd", are_complex: Complex::No },
        b'c' => Numbers { code: "f", address: "pf", are_complex: Complex::Yes },
        b'z' => Numbers { code: "d", address: "pd", are_complex: Complex::Yes },
        _ => return None,
    };
    let rest = &rest[1..];
    // Of two names, one of which begins with the other, just one goes with a suffix.
    let (_, result, letters, level) = ROUTINES
        .iter()
        .find(|(routine, ..)| rest.strip_prefix(routine).is_some_and(|suffix| SUFFIXES.contains(&suffix)))?;
    if !result.is_empty() && numbers.are_complex == Complex::Yes {
        // Those that return complex numbers, or the size of some, have names of their own.
        return None;
    }
    let layout = (interface == Interface::C && *level == Matrices).then_some("i");
    let arguments = letters.bytes().map(|letter| numbers.argument(letter, interface));
    Some(Signature {
        result: if result.is_empty() { "_" } else { numbers.code },
        arguments: layout.into_iter().chain(arguments).collect(),
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Interface {
    Fortran,
    C,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Complex {
    No,
    Yes,
}

/// The numbers of a routine.
struct Numbers {
    /// One of them, or the parts of one.
    code: &'static str,
    /// The address of one.
    address: &'static str,
    are_complex: Complex,
}

impl Numbers {
    fn argument(&self, letter: u8, interface: Interface) -> &'static str {
        match (letter, interface) {
            (b'a', _) | (b's', Interface::Fortran) => self.address,
            (b's', Interface::C) if self.are_complex == Complex::Yes => self.address,
            (b's', Interface::C) => self.code,
            (_, Interface::Fortran) => "pi",
            (_, Interface::C) => "i",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_order_and_its_letters_are_known() {
        assert!(ROUTINES.is_sorted_by(|one, next| one.0 < next.0));
        for (name, result, letters, _) in ROUTINES {
            assert!(letters.bytes().all(|letter| b"cnsa".contains(&letter)), "{name}: {letters}");
            assert!(["", "s"].contains(&result), "{name}: {result}");
        }
    }

    #[test]
    fn one_routine_has_many_names() {
        let fortran = signature("dgemm_").expect("a routine");
        assert_eq!(
            fortran.arguments[..],
            ["pi", "pi", "pi", "pi", "pi", "pd", "pd", "pi", "pd", "pi", "pd", "pd", "pi"]
        );
        for name in ["dgemm", "dgemm64_", "dgemm_64", "dgemm_64_"] {
            assert_eq!(signature(name).as_ref(), Some(&fortran), "{name}");
        }
        let c = signature("cblas_sgemm").expect("a routine");
        assert_eq!(
            c.arguments[..],
            ["i", "i", "i", "i", "i", "i", "f", "pf", "i", "pf", "i", "f", "pf", "i"]
        );
        let complex = signature("cblas_zaxpy").expect("a routine");
        assert_eq!(complex.arguments[..], ["i", "pd", "pd", "i", "pd", "i"]);
        assert_eq!(signature("ddot_").map(|signature| signature.result), Some("d"));
        assert_eq!(signature("cblas_snrm2").map(|signature| signature.result), Some("f"));
        assert_ne!(signature("dsyr2_"), signature("dsyr2k_"));
    }

    #[test]
    fn other_names_are_not_taken_for_routines() {
        for name in ["", "d", "dgemmish", "gemm", "zdot_", "dcopysign", "scale", "dscalar_", "cblas_"] {
            assert_eq!(signature(name), None, "{name}");
        }
    }
}
