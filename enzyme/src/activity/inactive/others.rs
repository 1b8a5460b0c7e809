//! Run-time libraries of Fortran, Swift and Enzyme's own statements.

/// Whether a function of a run-time library is inactive.
pub(super) fn is_inactive(name: &str) -> bool {
    let flang = name.strip_prefix("_FortranAio").is_some_and(|rest| !rest.starts_with("Input"));
    flang || PREFIXES.iter().any(|prefix| name.starts_with(prefix)) || NAMES.contains(&name)
}

/// Whether a function says something to an analysis and does nothing else: `__enzyme_double`.
pub(super) fn is_statement(name: &str) -> bool {
    ["__enzyme_float", "__enzyme_double", "__enzyme_integer", "__enzyme_pointer", "enzyme_zerotype"]
        .iter()
        .any(|statement| name.contains(statement))
}

/// Families: printing in Swift, what reports undefined behaviour, input and output of PGI's Fortran.
const PREFIXES: [&str; 3] = ["$ss5print", "__ubsan_handle_", "f90io"];

/// Whole names.
const NAMES: [&str; 8] = [
    "_FortranACommandArgumentCount",
    "_FortranACpuTime",
    "_FortranAProgramEndStatement",
    "_FortranAProgramStart",
    "_FortranAStopStatement",
    "__swift_instantiateConcreteTypeFromMangledName",
    "f90_strcmp_klen",
    "ftnio_fmt_write64",
];
