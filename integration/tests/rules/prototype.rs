//! How the functions behind the names of the rule table are declared, called and stood in for in C.

use std::fmt::Write;

use enzyme::rules::{Abi, Dialect, Function, Kind, Named};

use crate::scalar::Scalar;

/// The declaration of one known function.
#[derive(Clone, Debug)]
pub(crate) struct Prototype {
    pub(crate) name: String,
    pub(crate) function: Function,
    /// The rule's operands in order; what a rule never looks at is `None`.
    pub(crate) operands: Vec<Option<Scalar>>,
    /// The rule's results in order.
    pub(crate) results: Vec<Scalar>,
    passing: Passing,
    /// The types of trailing parameters that mean nothing to the rule.
    ignored: &'static [&'static str],
}

/// How operands and results are handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passing {
    /// By value; one result.
    Value,
    /// The first result is returned, the others are stored.
    FirstReturned,
    /// All results are stored.
    AllStored,
    /// All results are returned in a struct.
    Struct,
    /// Every operand by a pointer.
    ByReference,
    /// Pairs of floats are complex numbers.
    Complex,
    /// Complex operands come as scalars, the result is complex.
    ComplexResult,
    /// Vectors of this length in and out.
    Vectors(u32),
}

/// Why a name is not tested here.
pub(crate) type Excluded = &'static str;

impl Prototype {
    /// The prototype behind a name of the table.
    pub(crate) fn of(name: &str, named: &Named) -> Result<Prototype, Excluded> {
        let function = named.function;
        let float = Scalar::of(named.precision).ok_or("this machine has no such type")?;
        let passing = passing(name, named, float)?;
        if name.starts_with("__nv_float2half") {
            return Err("it returns the bits of a `half` as an integer, which GPUs alone do");
        }
        if matches!(function, Function::BesselI0 | Function::BesselI1) && float > Scalar::Double {
            return Err("its derivative is a function that no library offers beyond `double`");
        }
        let operand = |index: usize, kind: &Kind| match kind {
            Kind::Float if function == Function::Nexttoward && index == 1 => Some(Scalar::LongDouble),
            Kind::Float => Some(float),
            Kind::Int => Some(integer_operand(name, function)),
            Kind::Opaque => None,
        };
        let operands =
            function.operands().iter().enumerate().map(|(index, kind)| operand(index, kind)).collect();
        let results = function.results().iter().map(|kind| match kind {
            Kind::Float => float_result(name, function, float),
            Kind::Int | Kind::Opaque => integer_result(name, function),
        });
        let results = results.collect();
        let ignored = ignored(name, named)?;
        Ok(Prototype { name: name.to_owned(), function, operands, results, passing, ignored })
    }

    /// The length of the vectors it works on.
    pub(crate) fn vector_length(&self) -> Option<u32> {
        match self.passing {
            Passing::Vectors(length) => Some(length),
            _ => None,
        }
    }

    /// The function with its parameters: `double pow(double x0, double x1)`.
    fn header(&self) -> String {
        let mut parameters = Vec::new();
        let mut index = 0;
        while index < self.operands.len() {
            let Some(ty) = self.operands[index] else {
                parameters.push(format!("const {} *x{index}", self.opaque_target()));
                index += 1;
                continue;
            };
            let packed = self.passing == Passing::Complex && ty.is_float();
            parameters.push(match self.passing {
                Passing::Complex if packed => format!("{} _Complex x{index}", ty.c()),
                Passing::ByReference => format!("{} *x{index}", ty.c()),
                _ => format!("{} x{index}", ty.c()),
            });
            index += if packed { 2 } else { 1 };
        }
        for (index, ty) in self.stored() {
            parameters.push(format!("{} *r{index}", ty.c()));
        }
        parameters.extend(self.ignored.iter().enumerate().map(|(index, ty)| format!("{ty} ignored{index}")));
        format!("{} {}({})", self.return_type(), self.name, parameters.join(", "))
    }

    /// What an operand points to that a rule never looks at.
    fn opaque_target(&self) -> &'static str {
        if self.function == Function::Nan { "char" } else { self.float().c() }
    }

    /// The type of what is computed.
    fn float(&self) -> Scalar {
        let floats = self.operands.iter().copied().flatten().chain(self.results.iter().copied());
        floats.filter(|ty| ty.is_float()).max().unwrap_or_else(|| precision_of_opaque(&self.name))
    }

    fn return_type(&self) -> String {
        match (self.passing, self.results.as_slice()) {
            (Passing::AllStored, _) => "void".to_owned(),
            (Passing::Struct, [first, second]) => {
                format!("struct {}", pair_name(*first, *second))
            }
            (Passing::Complex | Passing::ComplexResult, [part, _]) => format!("{} _Complex", part.c()),
            (_, [first, ..]) => first.c().to_owned(),
            (_, []) => "void".to_owned(),
        }
    }

    /// The results that are stored through pointers.
    fn stored(&self) -> impl Iterator<Item = (usize, Scalar)> {
        let first = match self.passing {
            Passing::AllStored => 0,
            Passing::FirstReturned => 1,
            _ => self.results.len(),
        };
        self.results.iter().copied().enumerate().skip(first)
    }

    /// Declares the function, and the struct it returns.
    pub(crate) fn declaration(&self) -> String {
        let pair = match (self.passing, self.results.as_slice()) {
            (Passing::Struct, &[first, second]) => {
                let name = pair_name(first, second);
                format!(
                    "#ifndef {name}\n#define {name} {name}\nstruct {name} {{ {} r0; {} r1; }};\n#endif\n",
                    first.c(),
                    second.c()
                )
            }
            _ => String::new(),
        };
        format!("{pair}extern {};\n", self.header())
    }

    /// Statements that call it with the variables `x0`, `x1` …, and put its results into `r0`, `r1` ….
    pub(crate) fn call(&self) -> String {
        let mut text = String::new();
        let mut line = |line: String| {
            let _ = writeln!(text, "    {line}");
        };
        for (index, ty) in self.results.iter().enumerate() {
            line(format!("{} r{index};", ty.c()));
        }
        let mut arguments = Vec::new();
        let mut index = 0;
        while index < self.operands.len() {
            match self.operands[index] {
                None if self.function == Function::Nan => arguments.push("\"\"".to_owned()),
                None => {
                    line(format!("{} v{index} = 1.5;", self.opaque_target()));
                    arguments.push(format!("&v{index}"));
                }
                Some(ty) if self.passing == Passing::Complex && ty.is_float() => {
                    let next = index + 1;
                    line(format!("{} _Complex z{index};", ty.c()));
                    line(format!("__real__ z{index} = x{index}; __imag__ z{index} = x{next};"));
                    arguments.push(format!("z{index}"));
                    index += 1;
                }
                Some(_) if self.passing == Passing::ByReference => arguments.push(format!("&x{index}")),
                Some(_) => arguments.push(format!("x{index}")),
            }
            index += 1;
        }
        arguments.extend(self.stored().map(|(index, _)| format!("&r{index}")));
        arguments.extend(self.ignored.iter().map(|_| "0".to_owned()));
        let call = format!("{}({})", self.name, arguments.join(", "));
        match (self.passing, self.results.len()) {
            (Passing::AllStored, _) => line(format!("{call};")),
            (Passing::Struct, _) => line(format!("{} s = {call}; r0 = s.r0; r1 = s.r1;", self.return_type())),
            (Passing::Complex | Passing::ComplexResult, 2) => {
                line(format!("{} w = {call}; r0 = __real__ w; r1 = __imag__ w;", self.return_type()));
            }
            _ => line(format!("r0 = {call};")),
        }
        text
    }

    /// Defines it by the reference, for names that no library on this machine has. The definition is weak, since
    /// two objects of a program may have it.
    pub(crate) fn definition(&self) -> String {
        let mut body = String::from("    number x[MOST_FLOATS] = {0}, r[MOST_RESULTS] = {0};\n");
        body += "    long n[MOST_INTEGERS] = {0}, m[MOST_RESULTS] = {0};\n";
        let (mut floats, mut integers, mut index) = (0, 0, 0);
        while index < self.operands.len() {
            match self.operands[index] {
                None => {}
                Some(ty) if self.passing == Passing::Complex && ty.is_float() => {
                    let _ = writeln!(body, "    x[{floats}] = __real__ x{index};");
                    let _ = writeln!(body, "    x[{}] = __imag__ x{index};", floats + 1);
                    floats += 2;
                    index += 1;
                }
                Some(ty) => {
                    let value = if self.passing == Passing::ByReference { "*" } else { "" };
                    let (array, place) =
                        if ty.is_float() { ("x", &mut floats) } else { ("n", &mut integers) };
                    let _ = writeln!(body, "    {array}[{place}] = {value}x{index};");
                    *place += 1;
                }
            }
            index += 1;
        }
        let reference = reference(&self.name, self.function);
        let precision = self.float().digits();
        let _ = writeln!(body, "    significand_digits = {precision};");
        let _ = writeln!(body, "    reference_{reference}(x, n, r, m);");
        let mut values = self.result_places();
        for (index, value) in values.iter_mut().enumerate() {
            let ty = self.results[index].c();
            *value = format!("({ty}){value}");
        }
        for (index, _) in self.stored() {
            let _ = writeln!(body, "    *r{index} = {};", values[index]);
        }
        let returned = match (self.passing, values.as_slice()) {
            (Passing::AllStored, _) => String::new(),
            (Passing::Struct, [first, second]) => {
                format!("    return ({}){{ {first}, {second} }};\n", self.return_type())
            }
            (Passing::Complex | Passing::ComplexResult, [re, im]) => format!(
                "    {} w;\n    __real__ w = {re};\n    __imag__ w = {im};\n    return w;\n",
                self.return_type()
            ),
            (_, [first, ..]) => format!("    return {first};\n"),
            (_, []) => String::new(),
        };
        let declaration = self.declaration();
        format!(
            "{declaration}extern reference_function reference_{reference};\n\
             __attribute__((weak)) {} {{\n{body}{returned}}}\n\n",
            self.header()
        )
    }

    /// Where the reference leaves each result.
    fn result_places(&self) -> Vec<String> {
        let (mut floats, mut integers) = (0, 0);
        let place = |kind: &Kind| match kind {
            Kind::Float => {
                floats += 1;
                format!("r[{}]", floats - 1)
            }
            Kind::Int | Kind::Opaque => {
                integers += 1;
                format!("m[{}]", integers - 1)
            }
        };
        self.function.results().iter().map(place).collect()
    }
}

fn pair_name(first: Scalar, second: Scalar) -> String {
    format!("pair_{}_{}", first.suffix(), second.suffix())
}

/// The function of `reference.c` that a name stands for: mostly the canonical function's, but names of different
/// predicates share one.
pub(crate) fn reference(name: &str, function: Function) -> &'static str {
    let holds = ["finite", "isnormal", "fpclassify", "iscanonical"];
    match function {
        Function::Classify if name.contains("signbit") => "is_negative",
        Function::Classify if holds.iter().any(|part| name.contains(part)) => "true",
        Function::Classify | Function::IsFpclass => "false",
        Function::Fcmp if name.contains("iseqsig") => "equal",
        Function::Fromfp if name.contains("ufromfp") => "ufromfp",
        // Fortran's exponents are those of a fraction below 1.
        Function::Ilogb if name.starts_with("_Fortran") || name.starts_with("_gfortran") => "exponent",
        other => other.name(),
    }
}

fn passing(name: &str, named: &Named, float: Scalar) -> Result<Passing, Excluded> {
    let is_builtin = name.starts_with("__mul") || name.starts_with("__div");
    Ok(match named.abi {
        Abi::Complex if float == Scalar::BFloat => return Err("clang has no complex `__bf16`"),
        Abi::Complex if is_builtin => Passing::ComplexResult,
        Abi::Complex => Passing::Complex,
        Abi::FirstReturned => Passing::FirstReturned,
        Abi::AllStored => Passing::AllStored,
        Abi::ByReference => Passing::ByReference,
        Abi::Value | Abi::Aggregate => match vector_length(name) {
            Some(length) => Passing::Vectors(length),
            None if named.abi == Abi::Aggregate => Passing::Struct,
            None => Passing::Value,
        },
        Abi::LowestElement => return Err("it is an intrinsic"),
    })
}

/// The vectors of classic Flang's elementals: `__fd_sin_4`.
fn vector_length(name: &str) -> Option<u32> {
    let is_elemental =
        ["__fs_", "__fd_", "__rs_", "__rd_", "__ps_", "__pd_"].iter().any(|p| name.starts_with(p));
    let length = name.rsplit('_').next()?.parse().ok()?;
    (is_elemental && length > 1).then_some(length)
}

fn ignored(name: &str, named: &Named) -> Result<&'static [&'static str], Excluded> {
    match named.ignored {
        0 => Ok(&[]),
        1 if name.starts_with("Faddeeva_") => Ok(&["double"]),
        2 if name.starts_with("_FortranAMod") => Ok(&["const char *", "int"]),
        _ => Err("its trailing arguments are not described in prototype.rs"),
    }
}

/// C23's narrowing operations return another type than they take.
fn float_result(name: &str, function: Function, operand: Scalar) -> Scalar {
    if name.starts_with("__nv_double2float") {
        return Scalar::Float;
    }
    let operation = match function {
        Function::Fadd => "add",
        Function::Fsub => "sub",
        Function::Fmul => "mul",
        Function::Fdiv => "div",
        Function::Sqrt => "sqrt",
        Function::Fma => "fma",
        _ => return operand,
    };
    match name.split_once(operation).map(|(prefix, _)| prefix) {
        Some("f16") => Scalar::Half,
        Some("f" | "f32") => Scalar::Float,
        Some("d" | "f32x" | "f64") => Scalar::Double,
        Some("f64x") => Scalar::LongDouble,
        _ => operand,
    }
}

fn integer_operand(name: &str, function: Function) -> Scalar {
    let is_fortran = name.starts_with("_Fortran") || name.starts_with("_gfortran");
    match function {
        Function::Nearest => Scalar::Bool,
        Function::Sitofp if name.contains("ll2") => Scalar::Long,
        Function::Uitofp if name.contains("ull2") => Scalar::UnsignedLong,
        Function::Uitofp => Scalar::Unsigned,
        Function::Ldexp if name.contains("scalbln") => Scalar::Long,
        Function::Ldexp | Function::SetExponent if name.starts_with("_Fortran") => Scalar::Long,
        Function::Powi | Function::Cpowi if name.starts_with("_Fortran") && name.ends_with('k') => {
            Scalar::Long
        }
        Function::Powi | Function::Cpowi if is_fortran && name.ends_with("_i8") => Scalar::Long,
        Function::Powi | Function::Cpowi if is_fortran && name.ends_with("_i16") => Scalar::Int128,
        // C23's take a `long long`.
        Function::Powi if name.starts_with("pown") => Scalar::Long,
        Function::Rootn | Function::Compoundn if !name.starts_with('_') => Scalar::Long,
        _ => Scalar::Int,
    }
}

fn integer_result(name: &str, function: Function) -> Scalar {
    if name.starts_with("_FortranA") && function != Function::Classify {
        return match name.rsplit('_').next() {
            Some("1") => Scalar::Char,
            Some("2") => Scalar::Short,
            Some("8") => Scalar::Long,
            Some("16") => Scalar::Int128,
            _ => Scalar::Int,
        };
    }
    match function {
        Function::Lround | Function::Llround | Function::Lrint | Function::Llrint | Function::Fromfp => {
            Scalar::Long
        }
        Function::Ilogb if name.starts_with("llogb") => Scalar::Long,
        Function::Fptosi if name.contains("2ll") => Scalar::Long,
        Function::Fptoui if name.contains("2ull") => Scalar::UnsignedLong,
        Function::Fptoui => Scalar::Unsigned,
        _ => Scalar::Int,
    }
}

/// The type that C's suffix names, for functions that only take pointers.
fn precision_of_opaque(name: &str) -> Scalar {
    let named = enzyme::rules::names::lookup(name);
    named.and_then(|named| Scalar::of(named.precision)).unwrap_or(Scalar::Double)
}

/// Whether a name belongs to a family that only other machines have; its functions stand in for here.
pub(crate) fn family(named: &Named) -> &'static str {
    match named.dialect {
        Dialect::Libm => "libm",
        Dialect::Llvm => "llvm",
        Dialect::Libdevice => "libdevice",
        Dialect::Ocml => "ocml",
        Dialect::Runtime => "runtime",
    }
}
