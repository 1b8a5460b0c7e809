//! LLVM's intrinsics, instructions that C has no operator for, and vector functions: subjects written in LLVM IR.

use std::fmt::Write;

use enzyme::rules::{Abi, Function, Kind, Named, Reduction, names};

use crate::case::{Body, Case, Subject};
use crate::functions::{self, Point};
use crate::program::literal;
use crate::prototype::{Excluded, Prototype, reference};
use crate::scalar::Scalar;

/// The type on which an intrinsic is tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// One number.
    Scalar(Scalar),
    /// Two doubles or four floats: the last is the operand, the others are 1.
    Vector(Scalar, u32),
}

impl Shape {
    fn scalar(self) -> Scalar {
        match self {
            Shape::Scalar(ty) | Shape::Vector(ty, _) => ty,
        }
    }

    /// The shape with another element.
    fn of(self, element: Scalar) -> String {
        match self {
            Shape::Scalar(_) => element.llvm().to_owned(),
            Shape::Vector(_, length) => format!("<{length} x {}>", element.llvm()),
        }
    }

    fn suffix(self, element: Scalar) -> String {
        match self {
            Shape::Scalar(_) => element.suffix().to_owned(),
            Shape::Vector(_, length) => format!("v{length}{}", element.suffix()),
        }
    }
}

/// The element and length of the fixed types of x86's intrinsics, and what the processor needs for them.
const X86: &[(&str, Scalar, u32, &str)] = &[
    ("x86.sse.min.ps", Scalar::Float, 4, ""),
    ("x86.sse.max.ps", Scalar::Float, 4, ""),
    ("x86.sse.min.ss", Scalar::Float, 4, ""),
    ("x86.sse.max.ss", Scalar::Float, 4, ""),
    ("x86.sse2.min.pd", Scalar::Double, 2, ""),
    ("x86.sse2.max.pd", Scalar::Double, 2, ""),
    ("x86.sse2.min.sd", Scalar::Double, 2, ""),
    ("x86.sse2.max.sd", Scalar::Double, 2, ""),
    ("x86.avx.min.ps.256", Scalar::Float, 8, "+avx"),
    ("x86.avx.max.ps.256", Scalar::Float, 8, "+avx"),
    ("x86.avx.min.pd.256", Scalar::Double, 4, "+avx"),
    ("x86.avx.max.pd.256", Scalar::Double, 4, "+avx"),
];

/// The constrained forms that LLVM has, by the version that has them first.
const CONSTRAINED: &[(u32, &[&str])] = &[
    (
        15,
        &[
            "fadd",
            "fsub",
            "fmul",
            "fdiv",
            "frem",
            "fma",
            "fmuladd",
            "fptosi",
            "fptoui",
            "sitofp",
            "uitofp",
            "fptrunc",
            "fpext",
            "fcmp",
            "fcmps",
            "ceil",
            "cos",
            "exp",
            "exp2",
            "floor",
            "log",
            "log10",
            "log2",
            "lrint",
            "llrint",
            "lround",
            "llround",
            "maxnum",
            "minnum",
            "maximum",
            "minimum",
            "nearbyint",
            "pow",
            "powi",
            "rint",
            "round",
            "roundeven",
            "sin",
            "sqrt",
            "trunc",
        ],
    ),
    (17, &["ldexp"]),
    (19, &["acos", "asin", "atan", "cosh", "sinh", "tan", "tanh"]),
    (20, &["atan2"]),
];

/// Whether this LLVM has an intrinsic, and this machine runs it.
pub(crate) fn available(base: &str, function: Function, llvm: u32) -> Result<(), Excluded> {
    if base.starts_with("nvvm.") || base.starts_with("amdgcn.") || base.starts_with("aarch64.") {
        return Err("an instruction of another machine");
    }
    if base.starts_with("vp.") {
        return Err("vector-predicated operations come from vectorisers for machines that have them");
    }
    if base.contains("avx512") {
        return Err("needs AVX-512, which few machines have");
    }
    if base.contains(".rcp.") || base.contains(".rsqrt.") {
        return Err("its 12-bit result is no function to take differences of");
    }
    if base == "sincospi" {
        return Err("the code generator knows no library that computes it on this machine");
    }
    let selected_since = match base {
        "canonicalize" => 20,
        "maximum" | "minimum" => 17,
        _ => 15,
    };
    if llvm < selected_since
        || base == "experimental.constrained.maximum"
        || base == "experimental.constrained.minimum"
    {
        return Err("the code generator cannot select it on this machine");
    }
    if base == "fptrunc.round" {
        return Err("an instruction of another machine");
    }
    let since = match base.strip_prefix("experimental.constrained.") {
        Some(name) => CONSTRAINED.iter().find(|(_, names)| names.contains(&name)).map(|(since, _)| *since),
        None => match function.llvm_intrinsic() {
            Some((name, since)) if name == base => Some(since),
            _ => Some(15),
        },
    };
    match since {
        Some(since) if since <= llvm => Ok(()),
        Some(_) => Err("newer than this LLVM"),
        None => Err("no LLVM has it"),
    }
}

/// The subject that calls an intrinsic with scalars or vectors of this shape; none where it has no such form.
pub(crate) fn subject(base: &str, function: Function, shape: Shape) -> Option<Subject> {
    let named = names::lookup(&format!("llvm.{base}"))?;
    // LLVM's code generator gives up on these for x87.
    if shape == Shape::Scalar(Scalar::LongDouble)
        && matches!(function, Function::Fmaximum | Function::Fminimum)
    {
        return None;
    }
    // And on these for vectors.
    let is_constrained = base.starts_with("experimental.constrained.");
    let is_vector = matches!(shape, Shape::Vector(..));
    if is_vector && (function == Function::Frexp || (is_constrained && function == Function::Ldexp)) {
        return None;
    }
    if base.starts_with("x86.") {
        return x86(base, function, &named, shape);
    }
    let ty = shape.scalar();
    // Casts are tested in one place: from and to another type than the shape's.
    let (operand, result) = match function {
        Function::Fpext if ty == Scalar::Double => (Scalar::Float, ty),
        Function::Fptrunc if ty == Scalar::Double => (ty, Scalar::Float),
        Function::Fpext | Function::Fptrunc => return None,
        _ => (ty, ty),
    };
    let operands: Vec<Scalar> = function
        .operands()
        .iter()
        // The classes that `is.fpclass` asks for are a constant.
        .filter(|kind| function != Function::IsFpclass || **kind == Kind::Float)
        .map(|kind| if *kind == Kind::Float { operand } else { Scalar::Int })
        .collect();
    let results: Vec<Scalar> = function
        .results()
        .iter()
        .map(|kind| match (kind, function) {
            (Kind::Float, _) => result,
            (_, Function::Fcmp | Function::IsFpclass) => Scalar::Bool,
            (_, Function::Lround | Function::Llround | Function::Lrint | Function::Llrint) => Scalar::Long,
            (_, _) => Scalar::Int,
        })
        .collect();
    // The integer of `powi` is one for all elements.
    let lone_integer = function == Function::Powi;
    let suffixes = match function {
        Function::Powi if is_constrained => shape.suffix(ty),
        Function::Powi => format!("{}.i32", shape.suffix(ty)),
        Function::Ldexp | Function::Frexp => format!("{}.{}", shape.suffix(ty), shape.suffix(Scalar::Int)),
        Function::Lround | Function::Llround | Function::Lrint | Function::Llrint => {
            format!("{}.{}", shape.suffix(results[0]), shape.suffix(ty))
        }
        Function::Fptosi | Function::Fptoui | Function::Fpext | Function::Fptrunc => {
            format!("{}.{}", shape.suffix(results[0]), shape.suffix(operand))
        }
        Function::Sitofp | Function::Uitofp => format!("{}.{}", shape.suffix(ty), shape.suffix(Scalar::Int)),
        _ => shape.suffix(ty),
    };
    let vector_of_integers =
        matches!(function, Function::Lround | Function::Llround | Function::Lrint | Function::Llrint);
    if vector_of_integers && is_vector {
        return None;
    }
    let mut text = Instructions::default();
    let mut arguments = Vec::new();
    let mut parameters = Vec::new();
    for (index, &ty) in operands.iter().enumerate() {
        let one_for_all = lone_integer && !ty.is_float();
        let whole = if one_for_all { ty.llvm().to_owned() } else { shape.of(ty) };
        let value = if one_for_all { format!("%x{index}") } else { text.spread(shape, ty, index) };
        arguments.push(format!("{whole} {value}"));
        parameters.push(whole);
    }
    let mut metadata = Vec::new();
    if function == Function::IsFpclass {
        arguments.push("i32 3".to_owned());
        parameters.push("i32 immarg".to_owned());
    }
    if base.ends_with(".sat") {
        // No trailing operands: the suffix names the width.
    } else if function == Function::Fcmp {
        metadata.extend(["olt", "fpexcept.strict"]);
    } else if is_constrained {
        metadata.extend(if named.ignored == 2 {
            &["round.tonearest", "fpexcept.strict"][..]
        } else {
            &["fpexcept.strict"]
        });
    }
    arguments.extend(metadata.iter().map(|text| format!("metadata !\"{text}\"")));
    parameters.extend(metadata.iter().map(|_| "metadata".to_owned()));
    let returned = match results.as_slice() {
        [only] => shape.of(*only),
        several => {
            let fields: Vec<String> = several.iter().map(|ty| shape.of(*ty)).collect();
            format!("{{ {} }}", fields.join(", "))
        }
    };
    let strict = if is_constrained { " strictfp" } else { "" };
    let name = format!("llvm.{base}.{suffixes}");
    text.line(format!("%call = call {returned} @{name}({}){strict}", arguments.join(", ")));
    text.take_results(shape, &returned, &results);
    Some(Subject {
        label: name.clone(),
        function,
        reference: reference(base, function).to_owned(),
        operands: operands.into_iter().map(Some).collect(),
        results,
        body: Body::Llvm {
            declarations: vec![format!("declare {returned} @{name}({})", parameters.join(", "))],
            instructions: text.0,
            attributes: strict.trim().to_owned(),
        },
    })
}

/// x86's intrinsics are tested once, on the vectors they have.
fn x86(base: &str, function: Function, named: &Named, shape: Shape) -> Option<Subject> {
    let &(_, ty, length, features) = X86.iter().find(|(name, ..)| *name == base)?;
    if shape != Shape::Scalar(ty) {
        return None;
    }
    let vector = Shape::Vector(ty, length);
    let whole = vector.of(ty);
    let place = if named.abi == Abi::LowestElement { Place::First } else { Place::Last };
    let mut text = Instructions::default();
    let first = text.spread_at(vector, ty, 0, place);
    let second = text.spread_at(vector, ty, 1, place);
    text.line(format!("%call = call {whole} @llvm.{base}({whole} {first}, {whole} {second})"));
    text.line(format!("%r0 = extractelement {whole} %call, i32 {}", place.index(length)));
    Some(Subject {
        label: format!("llvm.{base}"),
        function,
        reference: function.name().to_owned(),
        operands: vec![Some(ty); 2],
        results: vec![ty],
        body: Body::Llvm {
            declarations: vec![format!("declare {whole} @llvm.{base}({whole}, {whole})")],
            instructions: text.0,
            attributes: if features.is_empty() {
                String::new()
            } else {
                format!("\"target-features\"=\"{features}\"")
            },
        },
    })
}

/// Instructions that no expression of C makes.
pub(crate) fn instructions(ty: Scalar) -> Vec<Subject> {
    let llvm = ty.llvm();
    [
        (Function::Frem, 2, format!("  %r0 = frem {llvm} %x0, %x1\n")),
        (Function::Freeze, 1, format!("  %r0 = freeze {llvm} %x0\n")),
        (Function::Fneg, 1, format!("  %r0 = fneg {llvm} %x0\n")),
    ]
    .into_iter()
    .map(|(function, operands, instructions)| Subject {
        label: format!("{} {llvm}", function.name()),
        function,
        reference: function.name().to_owned(),
        operands: vec![Some(ty); operands],
        results: vec![ty],
        body: Body::Llvm { declarations: vec![], instructions, attributes: String::new() },
    })
    .collect()
}

/// Folds of a vector of four, and a start value where there is one.
pub(crate) fn reductions(ty: Scalar, llvm: u32) -> Vec<Case> {
    let folds = [
        ("fadd", Reduction::Fadd, "reduce_fadd", 15),
        ("fmul", Reduction::Fmul, "reduce_fmul", 15),
        ("fmin", Reduction::Fmin, "reduce_min", 15),
        ("fmax", Reduction::Fmax, "reduce_max", 15),
        ("fminimum", Reduction::Fminimum, "reduce_min", 18),
        ("fmaximum", Reduction::Fmaximum, "reduce_max", 18),
    ];
    folds
        .into_iter()
        .filter(|(.., since)| *since <= llvm)
        .map(|(name, reduction, reference, _)| reduction_case(name, reduction, reference, ty))
        .collect()
}

fn reduction_case(name: &str, reduction: Reduction, reference: &str, ty: Scalar) -> Case {
    let element = ty.llvm();
    let vector = format!("<4 x {element}>");
    let name = format!("llvm.vector.reduce.{name}.v4{}", ty.suffix());
    let first = usize::from(reduction.has_start());
    let mut text = Instructions::default();
    let mut so_far = "poison".to_owned();
    for lane in 0..4 {
        let operand = lane + first;
        text.line(format!("%v{lane} = insertelement {vector} {so_far}, {element} %x{operand}, i32 {lane}"));
        so_far = format!("%v{lane}");
    }
    let (start, start_type) = if reduction.has_start() {
        (format!("{element} %x0, "), format!("{element}, "))
    } else {
        Default::default()
    };
    text.line(format!("%r0 = call {element} @{name}({start}{vector} {so_far})"));
    let count = 4 + first;
    let whole = Subject {
        label: name.clone(),
        function: reduction.function(),
        reference: reference.to_owned(),
        operands: vec![Some(ty); count],
        results: vec![ty],
        body: Body::Llvm {
            declarations: vec![format!("declare {element} @{name}({start_type}{vector})")],
            instructions: text.0,
            attributes: String::new(),
        },
    };
    let mut case = whole.cases().remove(0);
    let point = |floats: &&[f64]| Point { floats: floats.to_vec(), integers: vec![] };
    case.points = functions::of_any_numbers(count).iter().map(point).collect();
    case.edges = Vec::new();
    case
}

/// A function on vectors that a run-time library has, and its definition element by element.
pub(crate) fn vector_function(prototype: &Prototype, length: u32) -> (Subject, String) {
    let ty = prototype.results[0];
    let shape = Shape::Vector(ty, length);
    let whole = shape.of(ty);
    let results = &prototype.results;
    let returned = match results.as_slice() {
        [_] => whole.clone(),
        several => format!("{{ {} }}", vec![whole.clone(); several.len()].join(", ")),
    };
    let count = prototype.operands.len();
    let mut text = Instructions::default();
    let arguments: Vec<String> =
        (0..count).map(|index| format!("{whole} {}", text.spread(shape, ty, index))).collect();
    text.line(format!("%call = call {returned} @{}({})", prototype.name, arguments.join(", ")));
    text.take_results(shape, &returned, results);
    let subject = Subject {
        label: prototype.name.clone(),
        function: prototype.function,
        reference: prototype.function.name().to_owned(),
        operands: prototype.operands.clone(),
        results: results.clone(),
        body: Body::Llvm {
            declarations: vec![format!(
                "declare {returned} @{}({})",
                prototype.name,
                vec![whole.as_str(); count].join(", ")
            )],
            instructions: text.0,
            attributes: String::new(),
        },
    };
    (subject, by_element(prototype, length, ty, &returned))
}

/// Defines a vector function by the scalar one of the same family.
fn by_element(prototype: &Prototype, length: u32, ty: Scalar, returned: &str) -> String {
    let (element, whole) = (ty.llvm(), Shape::Vector(ty, length).of(ty));
    let name = &prototype.name;
    let scalar = format!("{}_1", name.rsplit_once('_').map_or(name.as_str(), |(base, _)| base));
    let several = prototype.results.len() > 1;
    let scalar_returned = if !several {
        element.to_owned()
    } else if ty == Scalar::Float {
        // C hands two floats over in one register.
        "<2 x float>".to_owned()
    } else {
        format!("{{ {element}, {element} }}")
    };
    let parameters: Vec<String> =
        (0..prototype.operands.len()).map(|index| format!("{whole} %x{index}")).collect();
    let mut text = format!("define {returned} @{name}({}) {{\n", parameters.join(", "));
    let mut so_far = vec!["poison".to_owned(); prototype.results.len()];
    for lane in 0..length {
        let mut arguments = Vec::new();
        for index in 0..prototype.operands.len() {
            let _ = writeln!(text, "  %x{index}.{lane} = extractelement {whole} %x{index}, i32 {lane}");
            arguments.push(format!("{element} %x{index}.{lane}"));
        }
        let _ = writeln!(text, "  %r.{lane} = call {scalar_returned} @{scalar}({})", arguments.join(", "));
        for (result, so_far) in so_far.iter_mut().enumerate() {
            let value = match (several, ty) {
                (false, _) => format!("%r.{lane}"),
                (true, Scalar::Float) => {
                    let _ = writeln!(
                        text,
                        "  %e{result}.{lane} = extractelement <2 x float> %r.{lane}, i32 {result}"
                    );
                    format!("%e{result}.{lane}")
                }
                (true, _) => {
                    let _ = writeln!(
                        text,
                        "  %e{result}.{lane} = extractvalue {scalar_returned} %r.{lane}, {result}"
                    );
                    format!("%e{result}.{lane}")
                }
            };
            let _ = writeln!(
                text,
                "  %v{result}.{lane} = insertelement {whole} {so_far}, {element} {value}, i32 {lane}"
            );
            *so_far = format!("%v{result}.{lane}");
        }
    }
    if several {
        let _ = writeln!(text, "  %pair = insertvalue {returned} poison, {whole} {}, 0", so_far[0]);
        let _ = writeln!(text, "  %both = insertvalue {returned} %pair, {whole} {}, 1", so_far[1]);
        text += &format!("  ret {returned} %both\n}}\n\n");
    } else {
        text += &format!("  ret {whole} {}\n}}\n\n", so_far[0]);
    }
    text
}

/// The scalar function that a vector function is defined by, with its signature in LLVM IR.
pub(crate) fn scalar_declaration(prototype: &Prototype) -> String {
    let ty = prototype.results[0];
    let returned = match (prototype.results.len(), ty) {
        (1, _) => ty.llvm().to_owned(),
        (_, Scalar::Float) => "<2 x float>".to_owned(),
        (_, _) => format!("{{ {0}, {0} }}", ty.llvm()),
    };
    format!(
        "declare {returned} @{}({})\n",
        prototype.name,
        vec![ty.llvm(); prototype.operands.len()].join(", ")
    )
}

/// Which element of a vector holds the operand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    First,
    Last,
}

impl Place {
    fn index(self, length: u32) -> u32 {
        match self {
            Place::First => 0,
            Place::Last => length - 1,
        }
    }
}

/// The body of a function, line by line.
#[derive(Default)]
struct Instructions(String);

impl Instructions {
    fn line(&mut self, line: String) {
        let _ = writeln!(self.0, "  {line}");
    }

    fn spread(&mut self, shape: Shape, ty: Scalar, index: usize) -> String {
        self.spread_at(shape, ty, index, Place::Last)
    }

    /// An operand in the shape: by itself, or as one element among ones.
    fn spread_at(&mut self, shape: Shape, ty: Scalar, index: usize, place: Place) -> String {
        let Shape::Vector(_, length) = shape else { return format!("%x{index}") };
        let one = if ty.is_float() { literal(ty, 1.0) } else { "1".to_owned() };
        let ones = vec![format!("{} {one}", ty.llvm()); length as usize].join(", ");
        self.line(format!(
            "%v{index} = insertelement {} <{ones}>, {} %x{index}, i32 {}",
            shape.of(ty),
            ty.llvm(),
            place.index(length)
        ));
        format!("%v{index}")
    }

    /// Names the results of `%call`: floats `%r0`, `%r1`, and integers `%n0`, `%n1` widened to 64 bits.
    fn take_results(&mut self, shape: Shape, returned: &str, results: &[Scalar]) {
        for (index, &ty) in results.iter().enumerate() {
            let mut value = "%call".to_owned();
            if results.len() > 1 {
                self.line(format!("%field{index} = extractvalue {returned} {value}, {index}"));
                value = format!("%field{index}");
            }
            if let Shape::Vector(_, length) = shape {
                self.line(format!(
                    "%element{index} = extractelement {} {value}, i32 {}",
                    shape.of(ty),
                    length - 1
                ));
                value = format!("%element{index}");
            }
            match ty {
                Scalar::Long => self.line(format!("%n{index} = add i64 {value}, 0")),
                ty if ty.is_float() => {
                    // A name for the value: nothing but an instruction gives one.
                    self.line(format!("%r{index} = bitcast {0} {value} to {0}", ty.llvm()));
                }
                Scalar::Bool => self.line(format!("%n{index} = zext i1 {value} to i64")),
                ty => self.line(format!("%n{index} = sext {} {value} to i64", ty.llvm())),
            }
        }
    }
}
