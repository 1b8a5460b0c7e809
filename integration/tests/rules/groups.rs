//! Which programs there are: the names and intrinsics of the rule table, sorted into groups.

use std::collections::{BTreeMap, BTreeSet};

use enzyme::rules::names::Dialect;
use enzyme::rules::{Abi, Function, Named, Precision, names};

use crate::case::{Body, Case, Subject};
use crate::intrinsics::{self, Shape};
use crate::program::Program;
use crate::prototype::{Excluded, Prototype, family};
use crate::scalar::Scalar;

/// How many cases one program has at most, so that failures are located and all processors are busy.
const CASES_OF_A_PROGRAM: usize = 160;

/// The programs of one LLVM.
#[derive(Debug, Default)]
pub(crate) struct Groups {
    /// By name: `libm-double`, `intrinsics-f64`.
    pub(crate) programs: BTreeMap<String, Program>,
    /// Names and intrinsics that are not tested here, by reason.
    pub(crate) excluded: BTreeMap<Excluded, BTreeSet<String>>,
}

/// What generation depends on.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    /// The major version of LLVM.
    pub(crate) llvm: u32,
    /// The functions that this machine's libraries offer for linking.
    pub(crate) offered: BTreeSet<String>,
    /// Whether the processor has AVX.
    pub(crate) avx: bool,
}

impl Groups {
    /// All programs for a target.
    pub(crate) fn new(target: &Target) -> Groups {
        let mut groups = Groups::default();
        for &function in Function::ALL {
            for name in names::spellings(function) {
                groups.add_name(name, target);
            }
            for base in names::intrinsics(function) {
                groups.add_intrinsic(base, function, target);
            }
        }
        for ty in [Scalar::Float, Scalar::Double, Scalar::LongDouble] {
            let subjects = operators(ty).into_iter().chain(intrinsics::instructions(ty));
            groups.add(&format!("instructions-{}", ty.word()), subjects.flat_map(|subject| subject.cases()));
        }
        for ty in [Scalar::Float, Scalar::Double] {
            groups.add("reductions", intrinsics::reductions(ty, target.llvm));
        }
        groups.split()
    }

    /// The functions that some program tests.
    pub(crate) fn covered(&self) -> BTreeSet<Function> {
        self.programs.values().flat_map(|program| program.cases.iter().map(|case| case.function)).collect()
    }

    fn add(&mut self, group: &str, cases: impl IntoIterator<Item = Case>) -> &mut Program {
        let program = self.programs.entry(group.to_owned()).or_default();
        program.cases.extend(cases);
        program
    }

    fn exclude(&mut self, name: &str, reason: Excluded) {
        self.excluded.entry(reason).or_default().insert(name.to_owned());
    }

    fn add_name(&mut self, name: &str, target: &Target) {
        let Some(named) = names::lookup(name) else {
            return self.exclude(name, "the table does not find its own name");
        };
        let prototype = match Prototype::of(name, &named) {
            Ok(prototype) => prototype,
            Err(reason) => return self.exclude(name, reason),
        };
        let uses_bfloat = |ty: &Scalar| *ty == Scalar::BFloat;
        let has_bfloat = prototype.results.iter().chain(prototype.operands.iter().flatten()).any(uses_bfloat);
        if target.llvm < 17 && has_bfloat {
            return self.exclude(name, "this clang has no arithmetic on `__bf16`");
        }
        if target.llvm < 20 && has_bfloat && named.dialect == Dialect::Runtime {
            return self
                .exclude(name, "this clang cannot compile a stand-in: no library function of `__bf16`");
        }
        let is_complex_power =
            named.abi == Abi::Complex && prototype.operands.contains(&Some(Scalar::Int128));
        if target.llvm < 20 && is_complex_power {
            return self.exclude(name, "this clang hands 128-bit integers over in two halves");
        }
        if let Some(length) = prototype.vector_length() {
            return self.add_vector_function(&prototype, length, &named);
        }
        let program = self.add(&group_of(name, &named), Subject::of(&prototype).cases());
        if !target.offered.contains(name) {
            program.missing.push(prototype);
        }
    }

    fn add_vector_function(&mut self, prototype: &Prototype, length: u32, named: &Named) {
        let (subject, definition) = intrinsics::vector_function(prototype, length);
        let word = prototype.results[0].word();
        let program = self.add(&format!("{}-vectors-{word}", family(named)), subject.cases());
        program.missing_llvm.push_str(&definition);
        let scalar = prototype.name.rsplit_once('_').map(|(base, _)| format!("{base}_1"));
        let scalar = scalar.and_then(|name| Some((names::lookup(&name)?, name)));
        if let Some(Ok(scalar)) = scalar.map(|(named, name)| Prototype::of(&name, &named)) {
            program.missing_llvm_callees.insert(intrinsics::scalar_declaration(&scalar));
            program.missing.push(scalar);
        }
    }

    fn add_intrinsic(&mut self, base: &str, function: Function, target: &Target) {
        let full = format!("llvm.{base}");
        if let Err(reason) = intrinsics::available(base, function, target.llvm) {
            return self.exclude(&full, reason);
        }
        if base.contains(".avx.") && !target.avx {
            return self.exclude(&full, "this processor has no AVX");
        }
        let kind = if base.starts_with("experimental.constrained.") { "constrained" } else { "intrinsics" };
        let shapes = [
            ("f32", Shape::Scalar(Scalar::Float)),
            ("f64", Shape::Scalar(Scalar::Double)),
            ("f80", Shape::Scalar(Scalar::LongDouble)),
            ("v4f32", Shape::Vector(Scalar::Float, 4)),
            ("v2f64", Shape::Vector(Scalar::Double, 2)),
        ];
        for (suffix, shape) in shapes {
            if let Some(subject) = intrinsics::subject(base, function, shape) {
                self.add(&format!("{kind}-{suffix}"), subject.cases());
            }
        }
    }

    /// Divides large programs.
    fn split(self) -> Groups {
        let mut programs = BTreeMap::new();
        for (name, program) in self.programs {
            if program.cases.len() <= CASES_OF_A_PROGRAM {
                programs.insert(name, program);
                continue;
            }
            let parts = program.cases.chunks(CASES_OF_A_PROGRAM);
            for (index, cases) in parts.enumerate() {
                let part = Program { cases: cases.to_vec(), ..program.clone() };
                programs.insert(format!("{name}-{}", index + 1), part);
            }
        }
        Groups { programs, excluded: self.excluded }
    }
}

/// The functions of C's library that this machine lacks: a derivative or LLVM's code generator may call them.
pub(crate) fn missing_from_library(target: &Target) -> Program {
    let mut program = Program::default();
    for &function in Function::ALL {
        for precision in [Precision::Single, Precision::Double, Precision::LongDouble, Precision::Fp128] {
            let name = function.libm_name(precision).filter(|name| !target.offered.contains(name));
            let prototype = name.and_then(|name| Prototype::of(&name, &names::lookup(&name)?).ok());
            program.missing.extend(prototype);
        }
    }
    program
}

/// The group of a name: C's own names by precision, all other spellings by their family and precision.
fn group_of(name: &str, named: &Named) -> String {
    let is_own = named.function.libm_name(named.precision).is_some_and(|own| own == name);
    let word = Scalar::of(named.precision).map_or("other", Scalar::word);
    match (family(named), is_own, named.abi) {
        ("libm", true, Abi::Complex) => format!("complex-{word}"),
        ("libm", true, _) => format!("libm-{word}"),
        ("libm", false, _) => format!("aliases-{word}"),
        (family, _, _) => format!("{family}-{word}"),
    }
}

/// What C writes with operators.
fn operators(ty: Scalar) -> Vec<Subject> {
    let (c, wide, narrow) = (ty.c(), "long double", "float");
    let float = |function, count: usize, expression: &str| {
        (function, vec![ty; count], vec![ty], format!("{c} r0 = {expression};"))
    };
    let complex = |function, operator: &str| {
        let setup: String = (0..4)
            .step_by(2)
            .map(|i| format!("{c} _Complex z{i}; __real__ z{i} = x{i}; __imag__ z{i} = x{}; ", i + 1))
            .collect();
        let statement =
            format!("{setup}{c} _Complex w = z0 {operator} z2; {c} r0 = __real__ w, r1 = __imag__ w;");
        (function, vec![ty; 4], vec![ty; 2], statement)
    };
    let mut lines = vec![
        float(Function::Fneg, 1, "-x0"),
        float(Function::Fadd, 2, "x0 + x1"),
        float(Function::Fsub, 2, "x0 - x1"),
        float(Function::Fmul, 2, "x0 * x1"),
        float(Function::Fdiv, 2, "x0 / x1"),
        (Function::Fcmp, vec![ty; 2], vec![Scalar::Int], "int r0 = x0 < x1;".to_owned()),
        (Function::Select, vec![Scalar::Int, ty, ty], vec![ty], format!("{c} r0 = x0 ? x1 : x2;")),
        (Function::Sitofp, vec![Scalar::Int], vec![ty], format!("{c} r0 = x0;")),
        (Function::Uitofp, vec![Scalar::Unsigned], vec![ty], format!("{c} r0 = x0;")),
        (Function::Fptosi, vec![ty], vec![Scalar::Long], "long r0 = x0;".to_owned()),
        (Function::Fptoui, vec![ty], vec![Scalar::Unsigned], "unsigned r0 = x0;".to_owned()),
        complex(Function::Cmul, "*"),
        complex(Function::Cdiv, "/"),
    ];
    if ty != Scalar::LongDouble {
        lines.push((Function::Fpext, vec![ty], vec![Scalar::LongDouble], format!("{wide} r0 = x0;")));
    }
    if ty != Scalar::Float {
        lines.push((Function::Fptrunc, vec![ty], vec![Scalar::Float], format!("{narrow} r0 = x0;")));
    }
    let subject =
        |(function, operands, results, statements): (Function, Vec<Scalar>, Vec<Scalar>, String)| Subject {
            label: format!("C {} {c}", function.name()),
            function,
            reference: function.name().to_owned(),
            operands: operands.into_iter().map(Some).collect(),
            results,
            body: Body::C { declarations: String::new(), statements: format!("    {statements}\n") },
        };
    lines.into_iter().map(subject).collect()
}
