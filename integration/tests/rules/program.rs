//! The text of one generated program: its cases, the table that `check.c` walks, and what stands in for libraries.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::case::{Body, Case, Tangents, Tested};
use crate::prototype::Prototype;
use crate::scalar::Scalar;

/// The source files of a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    pub(crate) cases: Vec<Case>,
    /// Functions that no library on this machine has.
    pub(crate) missing: Vec<Prototype>,
    /// Definitions in LLVM IR of such functions.
    pub(crate) missing_llvm: String,
    /// What those definitions call.
    pub(crate) missing_llvm_callees: BTreeSet<String>,
}

/// What every generated file of C begins with.
const HEADER: &str = "#include \"check.h\"\n\n";

impl Program {
    /// The C file: functions written in C, the plugin's entry points, and the table.
    pub(crate) fn c_source(&self) -> String {
        let mut entry_points = EntryPoints::default();
        let (mut functions, mut rows, mut data) = (String::new(), String::new(), String::new());
        let mut declared = BTreeSet::new();
        for case in &self.cases {
            match &case.body {
                Body::C { declarations, statements } => {
                    if declared.insert(declarations) {
                        functions.push_str(declarations);
                    }
                    write_c(case, statements, &mut functions, &mut entry_points);
                }
                Body::Llvm { .. } => write_glue(case, &mut functions),
            }
            case.row(&mut rows, &mut data);
        }
        let structs: String = entry_points.structs.into_iter().collect();
        let prototypes: String = entry_points.prototypes.into_iter().collect();
        format!(
            "{HEADER}{structs}{prototypes}\n{functions}\n{data}\nconst struct test tests[] = {{\n{rows}}};\n\
             const int test_count = sizeof tests / sizeof *tests;\n"
        )
    }

    /// The file of LLVM IR, if any case is written in it.
    pub(crate) fn llvm_source(&self) -> Option<String> {
        let (mut declarations, mut functions) = (BTreeSet::new(), String::new());
        for case in &self.cases {
            if let Body::Llvm { declarations: needed, instructions, attributes } = &case.body {
                declarations.extend(needed.iter().cloned());
                write_llvm(case, instructions, attributes, &mut functions, &mut declarations);
            }
        }
        if functions.is_empty() {
            return None;
        }
        let declarations: Vec<String> = declarations.into_iter().collect();
        Some(format!("{}\n\n{functions}", declarations.join("\n")))
    }

    /// The C file with what stands in for libraries.
    pub(crate) fn missing_source(&self) -> String {
        let mut source = String::from(HEADER);
        let mut defined = BTreeSet::new();
        for prototype in &self.missing {
            if defined.insert(&prototype.name) {
                source.push_str(&prototype.definition());
            }
        }
        source
    }

    /// The file of LLVM IR with what stands in for libraries.
    pub(crate) fn missing_llvm_source(&self) -> Option<String> {
        let callees: String = self.missing_llvm_callees.iter().map(String::as_str).collect();
        (!self.missing_llvm.is_empty()).then(|| format!("{callees}\n{}", self.missing_llvm))
    }
}

/// The declarations of the plugin's entry points, one for each shape of call.
#[derive(Default)]
struct EntryPoints {
    structs: BTreeSet<String>,
    prototypes: BTreeSet<String>,
}

fn c_parameters(case: &Case) -> String {
    let parameters: Vec<String> =
        case.parameters.iter().map(|(name, ty)| format!("{} {name}", ty.c())).collect();
    parameters.join(", ")
}

fn returned_in_c(case: &Case) -> String {
    let (carrier, ty) = (case.carrier(), case.result.c());
    match case.tested {
        Tested::Float(index) => format!("r{index}"),
        Tested::Integer(index) => format!("{carrier} * ({ty})r{index}"),
        Tested::Truth(index) => format!("{carrier} * ({ty})(r{index} ? 2 : 1)"),
        Tested::Nan(index) => format!("{carrier} * ({ty})(r{index} != r{index} ? 3 : 2)"),
    }
}

/// The function, calls of the entry points, and their prototypes.
fn write_c(case: &Case, statements: &str, functions: &mut String, entry_points: &mut EntryPoints) {
    let id = case.identifier();
    let result = case.result.c();
    let floats: Vec<Scalar> = case.floats().map(|(_, ty)| *ty).collect();
    let gradient_suffix: Vec<&str> = floats.iter().map(|ty| ty.suffix()).collect();
    let gradient_suffix = gradient_suffix.join("_");
    let types: Vec<&str> = case.parameters.iter().map(|(_, ty)| ty.c()).collect();
    let with_tangents: Vec<String> = case
        .parameters
        .iter()
        .map(|(_, ty)| if ty.is_float() { format!("{0}, {0}", ty.c()) } else { ty.c().to_owned() })
        .collect();
    let signature: Vec<&str> = case.parameters.iter().map(|(_, ty)| ty.word_in_names()).collect();
    let signature = format!("{}_to_{}", signature.join("_"), case.result.suffix());
    let gradient = match floats.as_slice() {
        [only] => only.c().to_owned(),
        several => {
            let fields: String =
                several.iter().enumerate().map(|(index, ty)| format!(" {} d{index};", ty.c())).collect();
            entry_points.structs.insert(format!("struct __gradient_{gradient_suffix} {{{fields} }};\n"));
            format!("struct __gradient_{gradient_suffix}")
        }
    };
    entry_points
        .prototypes
        .insert(format!("{result} __enzyme_fwddiff_{signature}(void *, {});\n", with_tangents.join(", ")));
    entry_points
        .prototypes
        .insert(format!("{gradient} __enzyme_autodiff_{signature}(void *, {});\n", types.join(", ")));
    let delivered: String = match floats.len() {
        1 => format!(
            "gradient[0] = __enzyme_autodiff_{signature}((void *)primal_{id}, {});",
            case.arguments(Tangents::None)
        ),
        count => {
            let stores: String =
                (0..count).map(|index| format!(" gradient[{index}] = g.d{index};")).collect();
            format!(
                "{gradient} g = __enzyme_autodiff_{signature}((void *)primal_{id}, {});{stores}",
                case.arguments(Tangents::None)
            )
        }
    };
    let _ = write!(
        functions,
        "static {result} primal_{id}({}) {{\n{statements}    return {};\n}}\n\
         static number value_{id}(const number *x, const long *n) {{ return primal_{id}({}); }}\n\
         static number forward_{id}(const number *x, const number *dx, const long *n) {{\n    \
         return __enzyme_fwddiff_{signature}((void *)primal_{id}, {});\n}}\n\
         static void reverse_{id}(const number *x, const long *n, number *gradient) {{\n    {delivered}\n}}\n\n",
        c_parameters(case),
        returned_in_c(case),
        case.arguments(Tangents::None),
        case.arguments(Tangents::Given),
    );
}

/// What calls functions written in LLVM IR.
fn write_glue(case: &Case, functions: &mut String) {
    let id = case.identifier();
    let result = case.result.c();
    let mut with_tangents = Vec::new();
    let mut with_gradient: Vec<String> = Vec::new();
    let (mut locals, mut stores, mut outputs) = (String::new(), String::new(), Vec::new());
    let mut floats = 0;
    for (_, ty) in &case.parameters {
        with_tangents.push(ty.c().to_owned());
        with_gradient.push(ty.c().to_owned());
        if ty.is_float() {
            with_tangents.push(ty.c().to_owned());
            let _ = write!(locals, "{} d{floats}; ", ty.c());
            let _ = write!(stores, " gradient[{floats}] = d{floats};");
            outputs.push(format!("&d{floats}"));
            floats += 1;
        }
    }
    with_gradient.extend(case.floats().map(|(_, ty)| format!("{} *", ty.c())));
    let _ = write!(
        functions,
        "extern {result} primal_{id}({parameters});\n\
         extern {result} tangent_{id}({});\n\
         extern void gradient_{id}({});\n\
         static number value_{id}(const number *x, const long *n) {{ return primal_{id}({arguments}); }}\n\
         static number forward_{id}(const number *x, const number *dx, const long *n) {{ return tangent_{id}({}); }}\n\
         static void reverse_{id}(const number *x, const long *n, number *gradient) {{\n    \
         {locals}gradient_{id}({arguments}, {});{stores}\n}}\n\n",
        with_tangents.join(", "),
        with_gradient.join(", "),
        case.arguments(Tangents::Given),
        outputs.join(", "),
        parameters = c_parameters(case),
        arguments = case.arguments(Tangents::None),
    );
}

fn write_llvm(
    case: &Case,
    instructions: &str,
    attributes: &str,
    functions: &mut String,
    declarations: &mut BTreeSet<String>,
) {
    let id = case.identifier();
    let result = case.result.llvm();
    let mut parameters = Vec::new();
    let mut with_tangents = Vec::new();
    let mut gradient_types = Vec::new();
    for (name, ty) in &case.parameters {
        let parameter = format!("{} %{name}", ty.llvm());
        parameters.push(parameter.clone());
        with_tangents.push(parameter);
        if ty.is_float() {
            with_tangents.push(format!("{} %d.{name}", ty.llvm()));
            gradient_types.push(ty.llvm());
        }
    }
    let (parameters, with_tangents) = (parameters.join(", "), with_tangents.join(", "));
    let _ = writeln!(
        functions,
        "define {result} @primal_{id}({parameters}) {attributes} {{\n{instructions}{}}}\n",
        returned_in_llvm(case)
    );
    let forward = format!("__enzyme_fwddiff.{}", case.result.suffix());
    declarations.insert(format!("declare {result} @{forward}(ptr, ...)"));
    let _ = writeln!(
        functions,
        "define {result} @tangent_{id}({with_tangents}) {{\n  \
         %t = call {result} (ptr, ...) @{forward}(ptr @primal_{id}, {with_tangents})\n  ret {result} %t\n}}\n"
    );
    let several = gradient_types.len() > 1;
    let gradient =
        if several { format!("{{{}}}", gradient_types.join(", ")) } else { gradient_types.join("") };
    let suffixes: Vec<&str> = case.floats().map(|(_, ty)| ty.suffix()).collect();
    let reverse = format!("__enzyme_autodiff.{}", suffixes.join("."));
    declarations.insert(format!("declare {gradient} @{reverse}(ptr, ...)"));
    let mut stores = String::new();
    for (index, (name, ty)) in case.floats().enumerate() {
        let ty = ty.llvm();
        let value = if several { format!("%g.{name}") } else { "%g".to_owned() };
        if several {
            let _ = writeln!(stores, "  {value} = extractvalue {gradient} %g, {index}");
        }
        let _ = writeln!(stores, "  store {ty} {value}, ptr %to.{name}");
    }
    let places: Vec<String> = case.floats().map(|(name, _)| format!("ptr %to.{name}")).collect();
    let _ = writeln!(
        functions,
        "define void @gradient_{id}({parameters}, {}) {{\n  \
         %g = call {gradient} (ptr, ...) @{reverse}(ptr @primal_{id}, {parameters})\n{stores}  ret void\n}}\n",
        places.join(", ")
    );
}

/// The instructions that make one number of the results `%r0` ….
fn returned_in_llvm(case: &Case) -> String {
    let (carrier, ty) = (case.carrier(), case.result.llvm());
    match case.tested {
        Tested::Float(index) => format!("  ret {ty} %r{index}\n"),
        Tested::Integer(index) => format!(
            "  %factor = sitofp i64 %n{index} to {ty}\n  %product = fmul {ty} %{carrier}, %factor\n  ret {ty} %product\n"
        ),
        Tested::Truth(index) => format!(
            "  %holds = icmp ne i64 %n{index}, 0\n  %factor = select i1 %holds, {ty} {}, {ty} {}\n  \
             %product = fmul {ty} %{carrier}, %factor\n  ret {ty} %product\n",
            literal(case.result, 2.0),
            literal(case.result, 1.0)
        ),
        // No intrinsic gives such a result.
        Tested::Nan(index) => format!("  ret {ty} %r{index}\n"),
    }
}

/// A constant in LLVM IR.
pub(crate) fn literal(ty: Scalar, value: f64) -> String {
    match ty {
        Scalar::Float | Scalar::Double | Scalar::Half | Scalar::BFloat => format!("{value:?}e0"),
        // The formats LLVM has no decimals for: it wants 80 or 128 bits, which hold these small powers of two.
        Scalar::LongDouble => {
            let exponent = 16383 + value.abs().log2() as u32;
            format!("0xK{exponent:04X}8000000000000000")
        }
        Scalar::Quad => {
            let exponent = 16383 + value.abs().log2() as u32;
            format!("0xL0000000000000000{exponent:04X}000000000000")
        }
        integer => format!("{} {value}", integer.llvm()),
    }
}
