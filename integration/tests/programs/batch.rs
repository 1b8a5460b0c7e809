//! Some programs in one module, each under names of its own, with a function that calls it and one that calls its
//! derivative.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::program::{Program, text};

/// A program, and along how many directions it is differentiated.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) seed: u64,
    pub(crate) program: Program,
    pub(crate) mode: Mode,
    pub(crate) width: Width,
}

/// Which way programs are differentiated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Forward,
    Reverse,
}

impl Mode {
    /// How many directions there are when there are several.
    pub(crate) fn several(self) -> Width {
        match self {
            Self::Forward => Width::Three,
            Self::Reverse => Width::Two,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Forward => "forward",
            Self::Reverse => "reverse",
        }
    }
}

/// How many directions there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    One,
    Two,
    Three,
}

impl Width {
    /// By what the shadows of memory are multiplied in each direction: powers of two, which round nothing.
    pub(crate) fn scales(self) -> &'static [f64] {
        match self {
            Self::One => &[1.0],
            Self::Two => &[1.0, -2.0],
            Self::Three => &[1.0, -2.0, 0.5],
        }
    }

    pub(crate) fn count(self) -> usize {
        self.scales().len()
    }
}

/// What a name of a program's own is after in the module: `p17_f` is the `f` of the program with the seed 17.
pub(crate) fn prefix(seed: u64) -> String {
    format!("p{seed}_")
}

/// The names that programs define.
const OWN_NAMES: [&str; 18] = [
    "f",
    "scalar",
    "other",
    "element",
    "update",
    "bits",
    "choose",
    "of_record",
    "pair",
    "recursive",
    "even",
    "odd",
    "table",
    "state",
    "singles",
    "record",
    "cell",
    "functions",
];

/// The module.
pub(crate) fn module(cases: &[Case]) -> String {
    let mut once = BTreeSet::new();
    let mut metadata = Vec::new();
    let mut rest = String::new();
    for case in cases {
        for line in text(&case.program).lines() {
            let line = renamed(line, &prefix(case.seed));
            if let Some(place) =
                ["target ", "%record = ", "declare "].iter().position(|start| line.starts_with(start))
            {
                once.insert((place, line));
            } else if line.starts_with('!') {
                if !metadata.contains(&line) {
                    metadata.push(line);
                }
            } else {
                rest.push_str(&line);
                rest.push('\n');
            }
        }
        rest.push_str(&callers(case));
    }
    let markers = ["const", "dup", "out", "primal_return", "width"]
        .map(|name| format!("@enzyme_{name} = external global i32"));
    let lines = once.into_iter().map(|(_, line)| line).chain(markers).chain([rest]).chain(metadata);
    lines.fold(String::new(), |text, line| text + &line + "\n")
}

/// A line with a prefix before all names that programs define.
fn renamed(line: &str, prefix: &str) -> String {
    let mut parts = line.split('@');
    let mut renamed = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end =
            part.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '.').unwrap_or(part.len());
        let prefix = if OWN_NAMES.contains(&&part[..end]) { prefix } else { "" };
        let _ = write!(renamed, "@{prefix}{part}");
    }
    renamed
}

const PARAMETERS: &str = "double %c, double %x, ptr %constants, ptr %data, ptr %record, i64 %n, ptr %to";

/// A function that stores what the program returns, and one that stores after it the tangents of that, or the adjoints of
/// `%x`.
fn callers(case: &Case) -> String {
    let (seed, function) = (case.seed, format!("@{}f", prefix(case.seed)));
    let arguments = "double %c, double %x, ptr %constants, ptr %data, ptr %record, i64 %n";
    let mut text = format!(
        "define void @primal_{seed}({PARAMETERS}) {{\n  %result = call double {function}({arguments})\n  \
         store double %result, ptr %to\n  ret void\n}}\n"
    );
    let width = case.width.count();
    let (mut shadows, mut dx, mut ddata, mut drecord) =
        (String::new(), String::new(), String::new(), String::new());
    for direction in 0..width {
        let _ = write!(
            shadows,
            "  %dx_at{direction} = getelementptr double, ptr %dx, i64 {direction}\n  \
             %dx{direction} = load double, ptr %dx_at{direction}\n  \
             %ddata{direction} = getelementptr [4 x double], ptr %ddata, i64 {direction}\n  \
             %drecord{direction} = getelementptr [32 x i8], ptr %drecord, i64 {direction}\n"
        );
        let _ = write!(dx, ", double %dx{direction}");
        let _ = write!(ddata, ", ptr %ddata{direction}");
        let _ = write!(drecord, ", ptr %drecord{direction}");
    }
    let returned = match case.width {
        Width::One => "{ double, double }".to_owned(),
        Width::Two | Width::Three => format!("{{ double, [{width} x double] }}"),
    };
    let (entry, x) = match case.mode {
        Mode::Forward => ("fwddiff", format!("ptr @enzyme_dup, double %x{dx}")),
        Mode::Reverse => ("autodiff", "ptr @enzyme_out, double %x".to_owned()),
    };
    let _ = write!(
        text,
        "declare {returned} @__enzyme_{entry}_{seed}(...)\n\
         define void @derivative_{seed}({PARAMETERS}, ptr %dx, ptr %ddata, ptr %drecord) {{\n{shadows}  \
         %both = call {returned} (...) @__enzyme_{entry}_{seed}(ptr {function}, ptr @enzyme_width, i32 {width}, \
         ptr @enzyme_primal_return, ptr @enzyme_const, double %c, {x}, \
         ptr @enzyme_const, ptr %constants, ptr @enzyme_dup, ptr %data{ddata}, \
         ptr @enzyme_dup, ptr %record{drecord}, ptr @enzyme_const, i64 %n)\n  \
         store {returned} %both, ptr %to\n  ret void\n}}\n"
    );
    text
}
