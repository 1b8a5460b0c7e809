//! Writes out the vector intrinsics that are no element-by-element operations: the reductions whose derivative is not
//! simply a sum, x86's instructions on the lowest element, and those that are written as inline assembler.
//!
//! `llvm.vector.reduce.fadd` stays: its derivative is the same reduction.

mod assembler;

use crate::ir::{self, Builder, Function, Instruction, Kind, Value};
use enzyme::rules::names::{self, Reduction};
use enzyme::rules::{self, Abi};
use inkwell::llvm_sys::LLVMRealPredicate;

/// Replaces each such call by the scalar operations that it stands for, in element order.
pub(super) fn expand(function: Function) {
    assembler::write_out(function);
    for call in function.instructions().collect::<Vec<_>>() {
        let Some(callee) = call.called_function() else { continue };
        let name = callee.name();
        let builder = Builder::new(callee.function_type().context());
        builder.position_before(call);
        builder.debug_location_of(call);
        builder.fast_math_of(call.value());
        let written_out = match (names::reduction(&name), names::lookup(&name)) {
            (Some(reduction), _) => reduce(&builder, call, reduction),
            (None, Some(named)) if named.abi == Abi::LowestElement => {
                lowest_element(&builder, call, named.function)
            }
            (None, _) => None,
        };
        if let Some(value) = written_out {
            call.value().replace_all_uses_with(value);
            call.erase();
        }
    }
}

fn reduce(builder: &Builder, call: Instruction, reduction: Reduction) -> Option<Value> {
    let arguments = call.arguments();
    let &vector = arguments.last()?;
    let Kind::Vector(length) = vector.ty().kind() else { return None };
    let pairwise = match reduction {
        Reduction::Fadd => return None,
        Reduction::Fmul => None,
        Reduction::Fmin => Some("minnum"),
        Reduction::Fmax => Some("maxnum"),
        Reduction::Fminimum => Some("minimum"),
        Reduction::Fmaximum => Some("maximum"),
    };
    let elements: Vec<Value> = (0..length).map(|index| builder.extract_element(vector, index)).collect();
    match pairwise {
        None => Some(
            elements.iter().fold(arguments[0], |product, &element| builder.float_multiply(product, element)),
        ),
        Some(name) => {
            let combine = ir::intrinsic(call.function().module(), name, &[elements[0].ty()])?;
            let rest = elements[1..].iter();
            Some(rest.fold(elements[0], |best, &element| builder.float_call(combine, &[best, element])))
        }
    }
}

/// `minss` and its kin: the second operand unless the first is less (greater), in element 0 alone.
fn lowest_element(builder: &Builder, call: Instruction, function: rules::Function) -> Option<Value> {
    let [first, second] = call.arguments()[..] else { return None };
    let predicate = match function {
        rules::Function::X86Min => LLVMRealPredicate::LLVMRealOLT,
        rules::Function::X86Max => LLVMRealPredicate::LLVMRealOGT,
        _ => return None,
    };
    let (x, y) = (builder.extract_element(first, 0), builder.extract_element(second, 0));
    let chosen = builder.select(builder.float_compare(predicate, x, y), x, y);
    Some(builder.insert_element(first, chosen, 0))
}
