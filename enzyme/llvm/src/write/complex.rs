//! Calls of C's complex functions in the derivative: flat scalars in and out, the target's C ABI in between.

use crate::error::Error;
use crate::ffi;
use crate::ir::{Builder, Function, Instruction, Module, Type, Value};
use enzyme::rules;
use inkwell::llvm_sys::LLVMTypeKind;

/// How the target's C ABI hands complex numbers over.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Convention {
    /// Two scalars in, a struct of two out.
    Scalars,
    /// A vector of two in and out.
    Vector,
    /// A pointer to memory in, a struct of two out.
    Memory,
    /// An array of two in, a struct of two out.
    Array,
}

fn convention(module: Module, element: Type) -> Option<Convention> {
    let triple = module.triple();
    if triple.starts_with("x86_64") {
        Some(match element.raw_kind() {
            LLVMTypeKind::LLVMFloatTypeKind => Convention::Vector,
            LLVMTypeKind::LLVMX86_FP80TypeKind => Convention::Memory,
            _ => Convention::Scalars,
        })
    } else if triple.starts_with("aarch64") || triple.starts_with("arm64") {
        Some(Convention::Array)
    } else {
        None
    }
}

/// Calls a complex function with its operands flat; gives its results flat.
///
/// # Errors
/// When the calling convention of the target is not known.
pub(crate) fn call(
    builder: &Builder,
    module: Module,
    name: &str,
    function: rules::Function,
    element: Type,
    operands: &[Value],
) -> Result<Vec<Value>, Error> {
    let convention = convention(module, element).ok_or_else(|| {
        Error::unsupported(
            builder.function(),
            format!("how `{name}` takes complex numbers is not known for the target `{}`", module.triple()),
        )
    })?;
    let mut arguments = Vec::new();
    let mut floats = Vec::new();
    for &operand in operands {
        if !operand.ty().is_float() {
            arguments.push(operand);
            continue;
        }
        floats.push(operand);
        if let [re, im] = floats[..] {
            pass(builder, module, convention, element, re, im, &mut arguments);
            floats.clear();
        }
    }
    arguments.extend(floats);
    let complex_result = function.results().len() == 2;
    let result = match (complex_result, convention) {
        (false, _) => element,
        (true, Convention::Vector) => element.vector(2),
        (true, Convention::Scalars | Convention::Memory | Convention::Array) => {
            Type::structure(element.context(), &[element, element])
        }
    };
    let parameters: Vec<Type> = arguments.iter().map(|argument| argument.ty()).collect();
    let callee = declare(module, name, Type::function(result, &parameters), convention, element);
    let outcome = builder.call(callee, &arguments);
    mark_pure(outcome, callee, convention);
    Ok(match (complex_result, convention) {
        (false, _) => vec![outcome.value()],
        (true, Convention::Vector) => {
            (0..2).map(|index| builder.extract_element(outcome.value(), index)).collect()
        }
        (true, Convention::Scalars | Convention::Memory | Convention::Array) => {
            (0..2).map(|index| builder.extract_value(outcome.value(), index)).collect()
        }
    })
}

fn pass(
    builder: &Builder,
    module: Module,
    convention: Convention,
    element: Type,
    re: Value,
    im: Value,
    arguments: &mut Vec<Value>,
) {
    match convention {
        Convention::Scalars => arguments.extend([re, im]),
        Convention::Vector => {
            let half = builder.insert_element(Value::poison(element.vector(2)), re, 0);
            arguments.push(builder.insert_element(half, im, 1));
        }
        Convention::Array => {
            let half = builder.insert_value(Value::poison(element.array(2)), re, 0);
            arguments.push(builder.insert_value(half, im, 1));
        }
        Convention::Memory => {
            let memory = builder.entry_alloca(element.array(2), "complex").value();
            builder.store(re, memory);
            builder.store(im, builder.offset(memory, module.allocation_size(element)));
            arguments.push(memory);
        }
    }
}

fn declare(module: Module, name: &str, ty: Type, convention: Convention, element: Type) -> Function {
    let callee = module.function_or_declare(name, ty);
    if convention == Convention::Memory {
        let pair = Type::structure(element.context(), &[element, element]);
        for (index, parameter) in (1..).zip(callee.parameter_types()) {
            if parameter.is_pointer() && !callee.has_attribute(index, "byval") {
                callee.add_type_attribute(index, "byval", pair);
            }
        }
    }
    callee
}

fn mark_pure(call: Instruction, callee: Function, convention: Convention) {
    call.copy_parameter_attributes(callee);
    call.add_call_attribute("nounwind");
    call.add_call_attribute("willreturn");
    let effects = match convention {
        Convention::Memory => ffi::MemoryEffects::READ_ARGUMENTS,
        Convention::Scalars | Convention::Vector | Convention::Array => ffi::MemoryEffects::NONE,
    };
    ffi::set_memory_effects(call.value().raw(), effects);
}
