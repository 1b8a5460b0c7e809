//! The command-line options: one table, from which come LLVM's options, their `--help` and [`Options`].

use std::sync::OnceLock;

use crate::ffi::{self, OptionHandle, Visibility};
use crate::ir::c_name;

/// Whether an option changes anything yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It does what its text says.
    Works,
    /// It is accepted, so that existing build files go on working, and has no effect yet.
    Accepted,
    /// It works, and is meant for those who work on EnzymeRS.
    Hidden,
}

/// An option's value when the command line does not name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Initial {
    /// Of an option that is on or off.
    Bool(bool),
    /// Of a number.
    Integer(u32),
    /// Of a text.
    Text(&'static str),
}

/// One row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionInfo {
    /// As on the command line, without the dash.
    pub name: &'static str,
    /// Its value when it is not given; says also what kind of value it takes.
    pub initial: Initial,
    /// What it does.
    pub doc: &'static str,
    /// What `--help` prints.
    help: &'static str,
    /// Whether it does that yet.
    pub effect: Effect,
}

/// Makes [`Options`] and [`TABLE`] from rows `/// doc`, `field: type = initial, "name", Effect;`.
macro_rules! options {
    ($($(#[doc = $doc:literal])+ $field:ident: $kind:ident = $initial:literal, $name:literal, $effect:ident;)+) => {
        /// What the user asked for on the command line.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Options {
            $($(#[doc = $doc])+ pub $field: kind_of!($kind),)+
        }

        /// Every option, in the order of [`Options`]' fields.
        pub const TABLE: &[OptionInfo] = &[
            $(OptionInfo {
                name: $name,
                initial: initial_of!($kind, $initial),
                doc: concat!($($doc),+).trim_ascii_start(),
                help: concat!($($doc),+, help_suffix!($effect)).trim_ascii_start(),
                effect: Effect::$effect,
            },)+
        ];

        impl Default for Options {
            fn default() -> Options {
                Options { $($field: value_of!($kind, $initial),)+ }
            }
        }

        impl Options {
            /// What LLVM parsed from the command line of its host.
            pub fn from_command_line() -> Options {
                let mut handles = registered().iter().copied();
                // Rows and handles have the same order, and struct fields are evaluated in theirs.
                Options {
                    $($field: match handles.next().flatten() {
                        Some(handle) => read_as!($kind, handle),
                        None => value_of!($kind, $initial),
                    },)+
                }
            }
        }
    };
}

macro_rules! kind_of {
    (Bool) => {
        bool
    };
    (Integer) => {
        u32
    };
    (Text) => {
        String
    };
}

macro_rules! initial_of {
    ($kind:ident, $initial:literal) => {
        Initial::$kind($initial)
    };
}

macro_rules! value_of {
    (Text, $initial:literal) => {
        $initial.to_owned()
    };
    ($kind:ident, $initial:literal) => {
        $initial
    };
}

macro_rules! read_as {
    (Bool, $handle:expr) => {
        ffi::bool_option($handle)
    };
    (Integer, $handle:expr) => {
        ffi::integer_option($handle)
    };
    (Text, $handle:expr) => {
        ffi::text_option($handle)
    };
}

macro_rules! help_suffix {
    (Accepted) => {
        " (accepted; no effect yet)"
    };
    ($effect:ident) => {
        ""
    };
}

options! {
    /// Differentiate at all
    enable: Bool = true, "enzyme-enable", Works;

    // Before and after differentiation.
    /// Clean functions up by LLVM's passes before differentiating them
    preopt: Bool = true, "enzyme-preopt", Works;
    /// Optimise derivatives after they are written
    postopt: Bool = false, "enzyme-postopt", Works;
    /// The -O level of that optimisation
    post_opt_level: Integer = 0, "enzyme-post-opt-level", Works;
    /// Run LLVM's attributor on derivatives
    attributor: Bool = false, "enzyme-attributor", Accepted;
    /// Run LLVM's OpenMP optimisations on derivatives
    omp_opt: Bool = false, "enzyme-omp-opt", Accepted;
    /// Inline calls of a function before differentiating it
    inline: Bool = false, "enzyme-inline", Works;
    /// How many calls to inline at most
    inline_count: Integer = 10000, "enzyme-inline-count", Works;
    /// Inline every call that can be inlined
    always_inline: Bool = false, "enzyme-always-inline", Works;
    /// Assume that pointer arguments of derivatives do not alias
    noalias: Bool = false, "enzyme-noalias", Works;
    /// Use LLVM's more expensive alias analyses
    aggressive_aa: Bool = false, "enzyme-aggressive-aa", Accepted;
    /// Turn global variables into local ones where that is possible; no derivative goes through those of other files
    lower_globals: Bool = false, "enzyme-lower-globals", Works;
    /// Combine loads and stores of neighbouring memory before differentiating
    coalesce: Bool = false, "enzyme-coalese", Accepted;
    /// Restructure phi nodes before differentiating
    phi_restructure: Bool = false, "enzyme-phi-restructure", Accepted;
    /// Give a name to every instruction
    name_instructions: Bool = false, "enzyme-name-instructions", Accepted;
    /// Simplify selects before differentiating
    select_opt: Bool = true, "enzyme-select-opt", Accepted;
    /// Find sparse structure without being told
    auto_sparsity: Bool = false, "enzyme-auto-sparsity", Accepted;

    // Types.
    /// Guess a type where none can be deduced, instead of failing
    loose_types: Bool = false, "enzyme-loose-types", Works;
    /// Assume that memory keeps the type it was first used with
    strict_aliasing: Bool = true, "enzyme-strict-aliasing", Works;
    /// How far into an object types are followed, in bytes
    max_type_offset: Integer = 500, "enzyme-max-type-offset", Works;
    /// The largest integer that may be an offset
    max_int_offset: Integer = 100, "enzyme-max-int-offset", Works;
    /// How many pointers deep types are followed
    max_type_depth: Integer = 6, "enzyme-max-type-depth", Works;
    /// Warn where a type is not followed to its end
    type_warning: Bool = true, "enzyme-type-warning", Works;
    /// Read the types of Rust programs from their debug information
    rust_type: Bool = false, "enzyme-rust-type", Works;

    // What is printed.
    /// Print each derivative once it is made
    print: Bool = false, "enzyme-print", Works;
    /// Print what type analysis found
    print_type: Bool = false, "enzyme-print-type", Works;
    /// Print what activity analysis found
    print_activity: Bool = false, "enzyme-print-activity", Works;
    /// Print what the reverse sweep keeps and what it computes again, and why
    print_plan: Bool = false, "enzyme-print-plan", Works;
    /// Print what costs time and memory: values that are cached, and why
    print_perf: Bool = false, "enzyme-print-perf", Works;
    /// Print which values the derivative does not need
    print_unnecessary: Bool = false, "enzyme-print-unnecessary", Accepted;
    /// Print which values the derivative needs
    print_diffuse: Bool = false, "enzyme-print-diffuse", Accepted;

    // Activity.
    /// Take global variables without a shadow for inactive
    globals_default_inactive: Bool = false, "enzyme-globals-default-inactive", Works;
    /// Take what is loaded from unmarked global variables for inactive
    nonmarked_globals_inactive_loads: Bool = true, "enzyme_nonmarkedglobals_inactiveloads", Accepted;
    /// Take functions that are declared only for inactive
    emptyfn_inactive: Bool = false, "enzyme-emptyfn-inactive", Works;
    /// Let global variables be active
    global_activity: Bool = false, "enzyme-global-activity", Accepted;
    /// Find out when the derivative runs what is active: a pointer that is its own shadow leads to inactive memory
    runtime_activity: Bool = false, "enzyme-runtime-activity", Works;
    /// Take everything for active
    disable_activity_analysis: Bool = false, "enzyme-disable-activity-analysis", Works;
    /// Follow activity through recursive calls
    enable_recursive_activity: Bool = true, "enzyme-enable-recursive-activity", Accepted;

    // The reverse pass and what it keeps.
    /// Decide for each value whether it must be kept
    new_cache: Bool = true, "enzyme-new-cache", Accepted;
    /// Keep the values of a minimum cut
    mincut_cache: Bool = true, "enzyme-mincut-cache", Accepted;
    /// Keep a value that a loop does not change once
    loop_invariant_cache: Bool = true, "enzyme-loop-invariant-cache", Accepted;
    /// Allocate and fill memory again in the reverse pass where that is possible
    rematerialize: Bool = true, "enzyme-rematerialize", Accepted;
    /// Take loops of unknown trip count that carry no derivative for inactive
    inactive_dynamic: Bool = true, "enzyme-inactive-dynamic", Accepted;
    /// Free the primal's own allocations in the reverse pass
    free_internal_allocations: Bool = true, "enzyme-free-internal-allocations", Accepted;
    /// Split the adjoints of phi nodes of vectors
    vector_split_phi: Bool = true, "enzyme-vector-split-phi", Accepted;
    /// Keep eight booleans in a byte
    smallbool: Bool = false, "enzyme-smallbool", Accepted;
    /// Fill kept memory with zeros first
    zero_cache: Bool = false, "enzyme-zero-cache", Accepted;
    /// Keep every value that the reverse pass reads, and compute none again
    max_cache: Bool = false, "enzyme-max-cache", Works;
    /// Keep only values that cannot be computed again
    min_cache: Bool = false, "enzyme-min-cache", Hidden;
    /// Share the forward pass between blocks
    shared_forward: Bool = false, "enzyme-shared-forward", Accepted;
    /// Gather adjoints in registers
    register_reduce: Bool = false, "enzyme-register-reduce", Accepted;
    /// Compute the operands of phi nodes on both ways
    speculate_phis: Bool = false, "enzyme-speculate-phis", Accepted;
    /// Grow kept memory by other factors than two
    non_power2_cache: Bool = false, "enzyme-non-power2-cache", Accepted;
    /// Load addresses again as Julia's garbage collector needs it
    julia_addr_load: Bool = false, "enzyme-julia-addr-load", Accepted;
    /// Keep vectors by BLAS' own copy
    blas_copy: Bool = true, "enzyme-blas-copy", Accepted;
    /// Keep matrices by LAPACK's own copy
    lapack_copy: Bool = false, "enzyme-lapack-copy", Accepted;

    // Numbers.
    /// Put fast-math flags on all that the derivative computes, not only where the program has them
    fast_math: Bool = false, "enzyme-fast-math", Works;
    /// Add up the terms of an adjoint in any order, so that loops which add them can be vectorised
    reassociate: Bool = true, "enzyme-reassociate", Works;
    /// Let zero times anything be zero, infinities and NaNs included
    strong_zero: Bool = false, "enzyme-strong-zero", Works;
    /// Compute the whole program at a lower precision: `64to32` or `64to<exponent>-<mantissa>`
    truncate_all: Text = "", "enzyme-truncate-all", Accepted;

    // What goes wrong.
    /// Assume that unknown functions free no memory
    assume_unknown_nofree: Bool = false, "enzyme-assume-unknown-nofree", Accepted;
    /// Warn of a memmove whose type is unknown
    memmove_warning: Bool = true, "enzyme-memmove-warning", Accepted;
    /// Fail when the derivative runs, not when it is made
    runtime_error: Bool = false, "enzyme-runtime-error", Accepted;

    /// Find functions that only read memory or throw
    detect_readthrow: Bool = true, "enzyme-detect-readthrow", Accepted;

    // Checkpoints and fixed points.
    /// Differentiate the steps of a checkpointed loop one by one
    checkpoint_split_steps: Bool = false, "enzyme-checkpoint-split-steps", Accepted;
    /// Print what becomes of checkpointed loops
    checkpoint_loop_verbose: Bool = false, "enzyme-checkpoint-loop-verbose", Accepted;
    /// Print the memory that a checkpoint holds
    print_checkpoint_regions: Bool = false, "enzyme-print-checkpoint-regions", Accepted;
    /// Print what becomes of fixed-point loops
    print_fixed_point: Bool = false, "enzyme-print-fixed-point", Accepted;

    // Beside differentiation.
    /// Where summaries of functions are written
    summary_out: Text = "", "enzyme-summary-out", Accepted;
    /// Put fast-math flags on expressions in MLIR
    mlir_fast_math: Bool = true, "enzyme-mlir-fast-math", Accepted;
    /// Rewrite floating-point expressions
    enable_fpopt: Bool = false, "enzyme-enable-fpopt", Accepted;

    // The printing passes.
    /// The function whose types are printed
    type_analysis_func: Text = "", "type-analysis-func", Works;
    /// The function whose activity is printed
    activity_analysis_func: Text = "", "activity-analysis-func", Works;
    /// Take that function's arguments for inactive
    activity_analysis_inactive_args: Bool = false, "activity-analysis-inactive-args", Works;
    /// Take that function's result for duplicated
    activity_analysis_duplicated_ret: Bool = false, "activity-analysis-duplicated-ret", Works;

    /// Panic on entering a stage (frontend, prepare, read, …), to test that it comes out as an error
    debug_panic: Text = "", "enzyme-debug-panic", Hidden;
}

/// Makes the options known to LLVM. Done once, and before the command line is parsed: when the plugin is loaded.
pub fn register() {
    registered();
}

/// Lets LLVM parse options, for tools that are their own host; `program` begins its messages.
///
/// # Errors
/// LLVM's message when it does not know one of them, or not its value.
pub fn parse(program: &str, options: &[String]) -> Result<(), String> {
    register();
    let words = std::iter::once(program).chain(options.iter().map(String::as_str));
    ffi::parse_options(&words.map(c_name).collect::<Vec<_>>())
}

/// A handle for each row of [`TABLE`]; `None` where somebody else took the name.
fn registered() -> &'static [Option<OptionHandle>] {
    static HANDLES: OnceLock<Vec<Option<OptionHandle>>> = OnceLock::new();
    HANDLES.get_or_init(|| TABLE.iter().map(add).collect())
}

fn add(option: &OptionInfo) -> Option<OptionHandle> {
    let visibility = match option.effect {
        Effect::Works | Effect::Accepted => Visibility::Shown,
        Effect::Hidden => Visibility::Hidden,
    };
    match option.initial {
        Initial::Bool(initial) => ffi::add_bool_option(option.name, option.help, initial, visibility),
        Initial::Integer(initial) => ffi::add_integer_option(option.name, option.help, initial, visibility),
        Initial::Text(initial) => ffi::add_text_option(option.name, option.help, initial, visibility),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn names_are_unique() {
        let names = TABLE.iter().map(|option| option.name).collect::<HashSet<_>>();
        assert_eq!(names.len(), TABLE.len());
    }

    #[test]
    fn the_command_line_starts_at_the_defaults() {
        assert_eq!(Options::from_command_line(), Options::default());
    }

    #[test]
    fn the_help_says_what_has_no_effect_yet() {
        for option in TABLE {
            let says_so = option.help.ends_with("(accepted; no effect yet)");
            assert_eq!(says_so, option.effect == Effect::Accepted, "{}", option.name);
            assert!(option.help.starts_with(option.doc), "{}", option.name);
        }
    }
}
