//! One number to differentiate: a result of a function, as a function of its floats.

use std::fmt::Write;

use enzyme::rules::{Function, Kind};

use crate::functions::{self, Point};
use crate::prototype::{self, Prototype};
use crate::scalar::Scalar;

/// A function under test, with where to test it.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// The name shown in reports: `sincosf, result 1`.
    pub(crate) label: String,
    /// Which canonical function it covers.
    pub(crate) function: Function,
    /// The function of `reference.c` that it is compared with.
    pub(crate) reference: String,
    /// The parameters, by name: floats and integers as they come.
    pub(crate) parameters: Vec<(String, Scalar)>,
    /// The type of the number that is differentiated.
    pub(crate) result: Scalar,
    /// Which part of the function's results that number is made of.
    pub(crate) tested: Tested,
    /// How it is written.
    pub(crate) body: Body,
    pub(crate) points: Vec<Point>,
    pub(crate) edges: Vec<(Point, Vec<f64>)>,
}

/// How a number is made of a function's results; what results without a derivative are tested by is a product with
/// an operand, whose derivative shows their value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tested {
    /// A floating-point result, by its index.
    Float(usize),
    /// An integer, times the first float.
    Integer(usize),
    /// A truth value, of which only zero or not counts.
    Truth(usize),
    /// Whether a float without a derivative is a NaN.
    Nan(usize),
}

/// The text between a function's parameters `x0`, `x1` … and its results `r0`, `r1` ….
#[derive(Clone, Debug)]
pub(crate) enum Body {
    /// C: declarations before the function, and statements.
    C { declarations: String, statements: String },
    /// LLVM IR: declarations, instructions that define `%r0` …, their types, and attributes of the function.
    Llvm { declarations: Vec<String>, instructions: String, attributes: String },
}

/// A function with all its operands and results, from which a case for each result is made.
#[derive(Clone, Debug)]
pub(crate) struct Subject {
    pub(crate) label: String,
    pub(crate) function: Function,
    pub(crate) reference: String,
    /// As the rule has them; `None` for what takes no part.
    pub(crate) operands: Vec<Option<Scalar>>,
    pub(crate) results: Vec<Scalar>,
    pub(crate) body: Body,
}

impl Subject {
    /// A function that is called by name.
    pub(crate) fn of(prototype: &Prototype) -> Subject {
        Subject {
            label: prototype.name.clone(),
            function: prototype.function,
            reference: prototype::reference(&prototype.name, prototype.function).to_owned(),
            operands: prototype.operands.clone(),
            results: prototype.results.clone(),
            body: Body::C { declarations: prototype.declaration(), statements: prototype.call() },
        }
    }

    /// The cases: one for each result.
    pub(crate) fn cases(&self) -> Vec<Case> {
        let mut parameters: Vec<(String, Scalar)> = Vec::new();
        for (index, operand) in self.operands.iter().enumerate() {
            parameters.extend(operand.map(|ty| (format!("x{index}"), ty)));
        }
        if !parameters.iter().any(|(_, ty)| ty.is_float()) {
            // Something must carry a derivative.
            let ty = self.results.iter().copied().find(|ty| ty.is_float()).unwrap_or(Scalar::Double);
            parameters.push(("carrier".to_owned(), ty));
        }
        let count = self.results.len();
        let mut cases = Vec::new();
        for (index, &ty) in self.results.iter().enumerate() {
            let tested = self.tested(index);
            let is_float = matches!(tested, Tested::Float(_));
            let carrier = parameters.iter().find(|(_, ty)| ty.is_float()).map_or(ty, |(_, ty)| *ty);
            cases.push(Case {
                label: if count == 1 {
                    self.label.clone()
                } else {
                    format!("{}, result {index}", self.label)
                },
                function: self.function,
                reference: self.reference.clone(),
                parameters: parameters.clone(),
                result: if is_float { ty } else { carrier },
                tested,
                body: self.body.clone(),
                points: functions::points(self.function),
                edges: if is_float { functions::edges(self.function, index) } else { Vec::new() },
            });
        }
        cases
    }

    fn tested(&self, index: usize) -> Tested {
        match (self.function, self.function.results().get(index)) {
            (Function::Nan | Function::Getpayload, _) => Tested::Nan(index),
            (Function::Classify | Function::IsFpclass | Function::Fcmp | Function::Totalorder, _) => {
                Tested::Truth(index)
            }
            (_, Some(Kind::Int | Kind::Opaque)) => Tested::Integer(index),
            (_, Some(Kind::Float) | None) => Tested::Float(index),
        }
    }
}

impl Case {
    /// An identifier for C and LLVM.
    pub(crate) fn identifier(&self) -> String {
        self.label.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
    }

    pub(crate) fn floats(&self) -> impl Iterator<Item = &(String, Scalar)> {
        self.parameters.iter().filter(|(_, ty)| ty.is_float())
    }

    /// The parameter whose product with an integer result is differentiated.
    pub(crate) fn carrier(&self) -> &str {
        self.floats().next().map_or("x0", |(name, _)| name)
    }

    /// The worst of the types that take part decides how precise the derivative is.
    fn narrowest(&self) -> Scalar {
        let types = self.floats().map(|(_, ty)| *ty).chain([self.result]);
        types.min_by_key(|ty| ty.digits()).unwrap_or(Scalar::Double)
    }

    /// The place of the tested result among the reference's floats or integers.
    fn result_index(&self) -> usize {
        let (index, kind) = match self.tested {
            Tested::Float(index) | Tested::Nan(index) => (index, true),
            Tested::Integer(index) | Tested::Truth(index) => (index, false),
        };
        let before = self.function.results().iter().take(index);
        before.filter(|other| (**other == Kind::Float) == kind).count()
    }

    /// The arguments for `x[0]`, `n[0]` …, each followed by its tangent where one is wanted.
    pub(crate) fn arguments(&self, tangents: Tangents) -> String {
        let (mut floats, mut integers) = (0, 0);
        let mut arguments = Vec::new();
        for (_, ty) in &self.parameters {
            if ty.is_float() {
                arguments.push(format!("x[{floats}]"));
                if tangents == Tangents::Given {
                    arguments.push(format!("dx[{floats}]"));
                }
                floats += 1;
            } else {
                arguments.push(format!("n[{integers}]"));
                integers += 1;
            }
        }
        arguments.join(", ")
    }

    /// The row of the table of tests, with its points.
    pub(crate) fn row(&self, rows: &mut String, data: &mut String) {
        let id = self.identifier();
        let tested = match self.tested {
            Tested::Float(_) => "FLOAT_RESULT",
            Tested::Integer(_) => "SCALED_INTEGER",
            Tested::Truth(_) => "SCALED_TRUTH",
            Tested::Nan(_) => "SCALED_NAN",
        };
        let _ = writeln!(data, "extern reference_function reference_{};", self.reference);
        let _ = writeln!(data, "static const struct point points_{id}[] = {{");
        for point in &self.points {
            let _ = writeln!(data, "    {},", point_literal(point));
        }
        let _ = writeln!(data, "}};");
        let edge = if self.edges.is_empty() {
            "0".to_owned()
        } else {
            let _ = writeln!(data, "static const struct edge edges_{id}[] = {{");
            for (point, partials) in &self.edges {
                let _ = writeln!(data, "    {{{}, {{{}}}}},", point_literal(point), numbers(partials));
            }
            let _ = writeln!(data, "}};");
            format!("edges_{id}")
        };
        let narrowest = self.narrowest();
        let _ = writeln!(
            rows,
            "    {{\"{}\", reference_{}, {tested}, {}, {}, {}, {:e}L, {}, points_{id}, {}, {edge}, value_{id}, \
             forward_{id}, reverse_{id}}},",
            self.label,
            self.reference,
            self.result_index(),
            self.floats().count(),
            narrowest.digits(),
            narrowest.tolerance(),
            self.points.len(),
            self.edges.len(),
        );
    }
}

/// Whether arguments come with tangents.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tangents {
    Given,
    None,
}

fn point_literal(point: &Point) -> String {
    let integers: Vec<String> = point.integers.iter().map(i64::to_string).collect();
    let integers = if integers.is_empty() { "0".to_owned() } else { integers.join(", ") };
    format!("{{{{{}}}, {{{integers}}}}}", numbers(&point.floats))
}

fn numbers(values: &[f64]) -> String {
    let literal = |value: &f64| match value {
        value if value.is_nan() => "__builtin_nanl(\"\")".to_owned(),
        value if value.is_infinite() => format!("{}__builtin_infl()", if *value < 0.0 { "-" } else { "" }),
        value => format!("{value:?}L"),
    };
    values.iter().map(literal).collect::<Vec<_>>().join(", ")
}
