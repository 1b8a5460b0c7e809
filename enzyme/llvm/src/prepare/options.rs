//! What the command line says of preparation.

use crate::options::Options;

/// How functions are prepared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Preparation {
    /// Which callees are inlined.
    pub(super) inlining: Inlining,
    /// What becomes of variables of the program.
    pub(super) variables: Variables,
    /// What is done to what functions compute.
    pub(super) cleaning: Cleaning,
    /// What becomes of loops whose states are to be kept by a schedule.
    pub(super) loops: AnnotatedLoops,
}

/// What becomes of annotated loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum AnnotatedLoops {
    /// They are loops like any other: in forward mode.
    Plain,
    /// They become calls that run steps: in reverse mode.
    Outlined,
}

/// Which callees are inlined, and how many calls at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inlining {
    /// Small ones.
    Small,
    /// All (`-enzyme-inline`).
    All(usize),
    /// All, against the wish of their programmer, too (`-enzyme-always-inline`).
    Forced(usize),
}

/// What becomes of variables of the program in a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Variables {
    /// They stay where they are.
    Global,
    /// They become local ones where no one else can see them meanwhile (`-enzyme-lower-globals`).
    Local,
}

/// What is done to what functions compute, beside bringing them into the form that derivatives are written from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cleaning {
    /// LLVM's passes find out what need not be computed, or not in memory.
    Whole,
    /// It is differentiated as it stands, but for local variables that are registers (`-enzyme-preopt=0`).
    Registers,
}

impl Preparation {
    /// What the options ask for.
    pub(crate) fn of(options: &Options, loops: AnnotatedLoops) -> Preparation {
        let count = options.inline_count as usize;
        Preparation {
            inlining: match (options.always_inline, options.inline) {
                (true, _) => Inlining::Forced(count),
                (false, true) => Inlining::All(count),
                (false, false) => Inlining::Small,
            },
            variables: if options.lower_globals { Variables::Local } else { Variables::Global },
            loops,
            cleaning: if options.preopt { Cleaning::Whole } else { Cleaning::Registers },
        }
    }
}
