//! Library functions whose calling convention hides values in memory or in vectors.
//!
//! `frexp(x, &e)` stores a result through a pointer; `cexpf` packs a complex number into a vector, `cexpl` into memory.
//! Such a call becomes a call of a small wrapper that takes and gives plain scalars,
//! `{double, i32} @__enzyme_math_frexp(double)`, so that memory disappears from the user's function and a rule can be
//! applied. The wrapper holds the library call; it is inlined again once the derivative is written.

use super::overwritten;
use crate::ffi;
use crate::frontend::rules::attribute;
use crate::ir::{Builder, Function, Instruction, Kind, Module, Type, Value};
use enzyme::plan::WRAPPER_PREFIX;
use enzyme::rules::{self, Abi, Named, Precision};
use inkwell::llvm_sys::LLVMLinkage;

/// Whether a function is a wrapper of this module's making, or another that is inlined once derivatives are written.
pub(super) fn is_wrapper(function: Function) -> bool {
    function.name().starts_with(WRAPPER_PREFIX) || overwritten::is_statement(function)
}

/// Replaces the library calls of a function that need it by calls of wrappers.
pub(super) fn wrap_calls(function: Function) {
    for call in function.instructions().collect::<Vec<_>>() {
        let Some(callee) = call.called_function() else { continue };
        let like = callee.string_attribute(attribute::MATHEMATICS);
        let has_meaning = callee.is_declaration() || like.is_some();
        if !has_meaning || is_wrapper(callee) || call.invoke_destinations().is_some() {
            continue;
        }
        let Some(named) = rules::names::lookup(&like.unwrap_or_else(|| callee.name())) else { continue };
        if let Some(shape) = Shape::of(call, callee, &named) {
            shape.replace(call, callee);
        }
    }
}

/// A function that does what a library function does, by calling it.
pub(super) fn forward_to(callee: Function, name: &str) -> Function {
    let ty = callee.function_type();
    let function = callee.module().add_function(name, ty);
    let builder = Builder::new(ty.context());
    builder.position_at_end(function.append_block("entry"));
    let result = builder.call(callee, &function.parameters());
    result.copy_parameter_attributes(callee);
    result.copy_calling_convention(callee);
    if callee.return_type() == Type::void(ty.context()) {
        builder.ret_void();
    } else {
        builder.ret(result.value());
    }
    function
}

/// Inlines the wrappers that a function calls.
pub(super) fn unwrap_calls(function: Function) {
    for call in function.instructions().collect::<Vec<_>>() {
        if call.called_function().is_some_and(is_wrapper) {
            // A wrapper is straight-line code of one block: LLVM has no reason to refuse.
            let _ = ffi::inline_function(call.value().raw());
        }
    }
}

/// Deletes the wrappers that nobody calls.
pub(super) fn remove_wrappers(module: Module) {
    for function in module.functions().collect::<Vec<_>>() {
        if is_wrapper(function) && function.value().users().is_empty() {
            function.delete();
        }
    }
}

/// One argument of the library function, as the C ABI hands it over.
#[derive(Clone, Copy)]
enum Passed {
    /// A scalar.
    Scalar(Type),
    /// A complex number in a vector, array or struct of this type.
    Packed(Type),
    /// A complex number in memory, of this element type.
    InMemory(Type),
    /// A scalar in memory.
    Behind(Type),
    /// Memory for a result of this type.
    ResultPointer(Type),
}

/// The result of the library function, as the C ABI hands it over.
#[derive(Clone, Copy)]
enum Returned {
    /// Nothing; results are stored.
    Nothing,
    /// A scalar.
    Scalar(Type),
    /// A complex number in a vector, array or struct of this type.
    Packed(Type),
    /// A complex number in the memory of the first argument, of this element type.
    InMemory(Type),
}

/// How one library call hands values over.
struct Shape {
    passed: Vec<Passed>,
    returned: Returned,
}

/// Whether arguments begin with so many scalars, and none after them is packed: a tolerance, as the Faddeeva package has.
fn is_followed_by_scalars(passed: &[Passed], count: usize) -> bool {
    let mut missing = Some(count);
    for argument in passed {
        missing = match (missing, argument) {
            (Some(0), Passed::Scalar(_)) => Some(0),
            (Some(0), _) | (None, _) => None,
            (Some(missing), argument) => missing.checked_sub(argument.scalar_count()),
        };
    }
    missing == Some(0)
}

impl Shape {
    /// The shape of a call that needs a wrapper; none for a call that is plain already, or that does not look as its
    /// name promises.
    fn of(call: Instruction, callee: Function, named: &Named) -> Option<Shape> {
        let types: Vec<Type> = callee.parameter_types();
        if call.called_type() != callee.function_type() || callee.is_variadic() {
            return None;
        }
        let returned = callee.return_type();
        let operand_count = named.function.operands().len();
        match named.abi {
            Abi::Value | Abi::LowestElement => None,
            // C returns a struct of two floats as a vector.
            Abi::Aggregate if matches!(returned.kind(), Kind::Vector(2)) && types.len() == operand_count => {
                let passed = types.iter().map(|&ty| Passed::Scalar(ty)).collect();
                Some(Shape { passed, returned: Returned::Packed(returned) })
            }
            Abi::Aggregate => None,
            Abi::FirstReturned | Abi::AllStored => {
                let results = named.function.results();
                let stored = if named.abi == Abi::AllStored { results } else { &results[1..] };
                let (values, pointers) = types.split_at_checked(operand_count)?;
                if pointers.len() != stored.len() || !pointers.iter().all(|ty| ty.is_pointer()) {
                    return None;
                }
                let float = *values.iter().find(|ty| ty.is_float())?;
                let int = Type::integer(float.context(), 32);
                let mut passed: Vec<Passed> = values.iter().map(|&ty| Passed::Scalar(ty)).collect();
                passed.extend(stored.iter().map(|kind| match kind {
                    rules::Kind::Float => Passed::ResultPointer(float),
                    rules::Kind::Int | rules::Kind::Opaque => Passed::ResultPointer(int),
                }));
                let returned =
                    if named.abi == Abi::AllStored { Returned::Nothing } else { Returned::Scalar(returned) };
                Some(Shape { passed, returned })
            }
            Abi::ByReference => {
                let float = float_type(callee, named.precision)?;
                let int = Type::integer(float.context(), 32);
                if types.len() < operand_count || !types[..operand_count].iter().all(|ty| ty.is_pointer()) {
                    return None;
                }
                let passed = named.function.operands().iter().map(|kind| match kind {
                    rules::Kind::Float => Passed::Behind(float),
                    rules::Kind::Int | rules::Kind::Opaque => Passed::Behind(int),
                });
                Some(Shape { passed: passed.collect(), returned: Returned::Scalar(returned) })
            }
            Abi::Complex => Shape::complex(callee, named, &types, returned),
        }
    }

    fn complex(callee: Function, named: &Named, types: &[Type], returned: Type) -> Option<Shape> {
        let by_memory = |index: usize, attribute| callee.has_attribute(index as u32 + 1, attribute);
        let element = float_type(callee, named.precision)?;
        let mut passed = Vec::new();
        let mut result = None;
        for (index, &ty) in types.iter().enumerate() {
            passed.push(match ty.kind() {
                Kind::Float | Kind::Integer(_) => Passed::Scalar(ty),
                Kind::Vector(2) | Kind::Array(2) | Kind::Struct(2) => Passed::Packed(ty),
                Kind::Pointer if index == 0 && by_memory(0, "sret") => {
                    result = Some(Returned::InMemory(element));
                    continue;
                }
                Kind::Pointer => Passed::InMemory(element),
                _ => return None,
            });
        }
        let result = match (result, returned.kind()) {
            (Some(result), _) => result,
            (None, Kind::Float) => Returned::Scalar(returned),
            (None, Kind::Vector(2) | Kind::Array(2) | Kind::Struct(2)) => Returned::Packed(returned),
            _ => return None,
        };
        let plain = passed.iter().all(|passed| matches!(passed, Passed::Scalar(_)))
            && matches!(returned.kind(), Kind::Float | Kind::Struct(2));
        let fits = is_followed_by_scalars(&passed, named.function.operands().len());
        (!plain && fits).then_some(Shape { passed, returned: result })
    }

    /// Types of the wrapper's results: what is returned, then what is stored.
    fn results(&self) -> Vec<Type> {
        let mut results = match self.returned {
            Returned::Nothing => vec![],
            Returned::Scalar(ty) => vec![ty],
            Returned::Packed(ty) => vec![ty.at(0); 2],
            Returned::InMemory(element) => vec![element; 2],
        };
        results.extend(self.passed.iter().filter_map(|passed| match passed {
            Passed::ResultPointer(ty) => Some(*ty),
            Passed::Scalar(_) | Passed::Packed(_) | Passed::InMemory(_) | Passed::Behind(_) => None,
        }));
        results
    }

    fn parameters(&self) -> Vec<Type> {
        self.passed
            .iter()
            .flat_map(|passed| match *passed {
                Passed::Scalar(ty) | Passed::Behind(ty) => vec![ty],
                Passed::Packed(ty) => vec![ty.at(0); 2],
                Passed::InMemory(element) => vec![element; 2],
                Passed::ResultPointer(_) => vec![],
            })
            .collect()
    }

    /// Puts a call of the wrapper in the place of the library call.
    fn replace(&self, call: Instruction, callee: Function) {
        let wrapper = self.wrapper(callee);
        let builder = Builder::new(callee.function_type().context());
        builder.position_before(call);
        builder.debug_location_of(call);
        let mut arguments = call.arguments();
        let result_memory = match self.returned {
            Returned::InMemory(_) => Some(arguments.remove(0)),
            Returned::Nothing | Returned::Scalar(_) | Returned::Packed(_) => None,
        };
        let flat: Vec<Value> = self
            .passed
            .iter()
            .zip(&arguments)
            .flat_map(|(passed, &argument)| match *passed {
                Passed::Scalar(_) => vec![argument],
                Passed::Behind(ty) => vec![builder.load(ty, argument, "")],
                Passed::Packed(_) => unpack(&builder, argument),
                Passed::InMemory(element) => load_pair(&builder, callee.module(), element, argument),
                Passed::ResultPointer(_) => vec![],
            })
            .collect();
        let outcome = builder.call(wrapper, &flat).value();
        let count = self.results().len() as u32;
        let result = |index: u32| if count == 1 { outcome } else { builder.extract_value(outcome, index) };
        let mut next = match (self.returned, result_memory) {
            (Returned::Scalar(_), _) => {
                call.value().replace_all_uses_with(result(0));
                1
            }
            (Returned::Packed(ty), _) => {
                let packed = pack(&builder, ty, [result(0), result(1)]);
                call.value().replace_all_uses_with(packed);
                2
            }
            (Returned::InMemory(element), Some(memory)) => {
                store_pair(&builder, callee.module(), element, memory, [result(0), result(1)]);
                2
            }
            (Returned::InMemory(_), None) | (Returned::Nothing, _) => 0,
        };
        for (passed, &pointer) in self.passed.iter().zip(&arguments) {
            if let Passed::ResultPointer(_) = passed {
                builder.store(result(next), pointer);
                next += 1;
            }
        }
        call.erase();
    }

    /// The wrapper of a library function, made when there is none yet.
    fn wrapper(&self, callee: Function) -> Function {
        let module = callee.module();
        let name = format!("{WRAPPER_PREFIX}{}", callee.name());
        if let Some(existing) = module.function(&name) {
            return existing;
        }
        let context = callee.function_type().context();
        let results = self.results();
        let result = match results.as_slice() {
            [only] => *only,
            several => Type::structure(context, several),
        };
        let wrapper = module.add_function(&name, Type::function(result, &self.parameters()));
        wrapper.set_linkage(LLVMLinkage::LLVMInternalLinkage);
        for attribute in ["nounwind", "willreturn", "alwaysinline"] {
            wrapper.add_attribute(crate::ir::FUNCTION_ATTRIBUTES, attribute);
        }
        if let Some(like) = callee.string_attribute(attribute::MATHEMATICS) {
            wrapper.set_string_attribute(attribute::MATHEMATICS, &like);
        }
        ffi::set_memory_effects(wrapper.value().raw(), ffi::MemoryEffects::NONE);
        self.write_body(wrapper, callee, result, results.len());
        wrapper
    }

    fn write_body(&self, wrapper: Function, callee: Function, result: Type, count: usize) {
        let module = callee.module();
        let builder = Builder::new(result.context());
        builder.position_at_end(wrapper.append_block("entry"));
        let mut parameters = wrapper.parameters().into_iter();
        let mut next = || parameters.next().unwrap_or_else(|| Value::poison(result));
        let mut arguments = Vec::new();
        let mut stored = Vec::new();
        if let Returned::InMemory(element) = self.returned {
            let memory = builder.alloca(element.array(2), "result").value();
            stored.push((element, memory));
            stored.push((element, builder.offset(memory, module.allocation_size(element))));
            arguments.push(memory);
        }
        for passed in &self.passed {
            arguments.push(match *passed {
                Passed::Scalar(_) => next(),
                Passed::Behind(ty) => {
                    let memory = builder.alloca(ty, "operand").value();
                    builder.store(next(), memory);
                    memory
                }
                Passed::Packed(ty) => pack(&builder, ty, [next(), next()]),
                Passed::InMemory(element) => {
                    let memory = builder.alloca(element.array(2), "operand").value();
                    store_pair(&builder, module, element, memory, [next(), next()]);
                    memory
                }
                Passed::ResultPointer(ty) => {
                    let memory = builder.alloca(ty, "result").value();
                    stored.push((ty, memory));
                    memory
                }
            });
        }
        let call = builder.call(callee, &arguments);
        call.copy_parameter_attributes(callee);
        let mut results = match self.returned {
            Returned::Nothing | Returned::InMemory(_) => vec![],
            Returned::Scalar(_) => vec![call.value()],
            Returned::Packed(_) => unpack(&builder, call.value()),
        };
        results.extend(stored.into_iter().map(|(ty, memory)| builder.load(ty, memory, "")));
        if count == 1 {
            builder.ret(results[0]);
        } else {
            let mut whole = Value::poison(result);
            for (index, value) in results.into_iter().enumerate() {
                whole = builder.insert_value(whole, value, index as u32);
            }
            builder.ret(whole);
        }
    }
}

impl Passed {
    fn scalar_count(self) -> usize {
        match self {
            Passed::Scalar(_) | Passed::Behind(_) => 1,
            Passed::Packed(_) | Passed::InMemory(_) => 2,
            Passed::ResultPointer(_) => 0,
        }
    }
}

/// The type of a precision, as this target has it. `long double` is what the declaration shows, else x87's.
fn float_type(callee: Function, precision: Precision) -> Option<Type> {
    let context = callee.function_type().context();
    let declared = || {
        let shown = std::iter::once(callee.return_type()).chain(callee.parameter_types());
        shown.flat_map(|ty| [ty, if ty.element_count() > 0 { ty.at(0) } else { ty }]).find(|ty| ty.is_float())
    };
    Some(match precision {
        Precision::Single => Type::float(context),
        Precision::Double => Type::double(context),
        Precision::LongDouble => declared().unwrap_or_else(|| Type::x86_fp80(context)),
        Precision::X86Fp80 => Type::x86_fp80(context),
        Precision::Fp128 => Type::fp128(context),
        Precision::Half => Type::half(context),
        Precision::BFloat => Type::bfloat(context),
        Precision::PpcFp128 => return None,
    })
}

/// The two parts of a complex number in a register.
fn unpack(builder: &Builder, packed: Value) -> Vec<Value> {
    match packed.ty().kind() {
        Kind::Vector(_) => (0..2).map(|index| builder.extract_element(packed, index)).collect(),
        _ => (0..2).map(|index| builder.extract_value(packed, index)).collect(),
    }
}

fn pack(builder: &Builder, ty: Type, parts: [Value; 2]) -> Value {
    let mut packed = Value::poison(ty);
    for (index, part) in (0..).zip(parts) {
        packed = match ty.kind() {
            Kind::Vector(_) => builder.insert_element(packed, part, index),
            _ => builder.insert_value(packed, part, index),
        };
    }
    packed
}

fn load_pair(builder: &Builder, module: Module, element: Type, pointer: Value) -> Vec<Value> {
    let second = builder.offset(pointer, module.allocation_size(element));
    vec![builder.load(element, pointer, ""), builder.load(element, second, "")]
}

fn store_pair(builder: &Builder, module: Module, element: Type, pointer: Value, parts: [Value; 2]) {
    builder.store(parts[0], pointer);
    builder.store(parts[1], builder.offset(pointer, module.allocation_size(element)));
}
