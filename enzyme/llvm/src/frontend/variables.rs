//! Adjoints of the program's variables.
//!
//! A variable that active values go through has adjoints in a variable beside it, which only derivatives know of. When a
//! gradient is done, the adjoint of what the variable held before is left there. It is no part of the next gradient, for which
//! nobody could have set it: so that begins with zero. Where the sweeps are called one by one, adjoints may go from one
//! reverse sweep to the next, and stay.

use crate::ir::{Builder, FUNCTION_ATTRIBUTES, Function, Kind, Module, Type, Value};
use crate::write::{Order, variable_of_adjoint, write_loop};
use inkwell::llvm_sys::{LLVMLinkage, LLVMOpcode};

/// How many elements of an array that holds addresses, too, are cleared without a loop.
const FEW_ELEMENTS: u64 = 4;

/// Sets the adjoints to zero of all variables that what `derived` calls may have written.
pub(super) fn clear_adjoints(derived: Function, builder: &Builder) {
    let module = derived.module();
    let functions = reachable(derived);
    for adjoint in adjoints(module, &functions) {
        let is_written = variable_of_adjoint(adjoint)
            .and_then(|name| module.global(&name))
            .is_none_or(|variable| !variable.is_global_constant() && may_be_written(variable, &functions));
        if is_written {
            clear(adjoint.global_value_type(), adjoint, builder);
        }
    }
}

/// A function, and all whose address it or one of them names.
fn reachable(function: Function) -> Vec<Function> {
    let mut found = vec![function];
    let mut next = 0;
    while next < found.len() {
        for operand in found[next].instructions().flat_map(|inst| inst.value().operands()) {
            let named = operand.named_function();
            found.extend(named.filter(|named| !named.is_declaration() && !found.contains(named)));
        }
        next += 1;
    }
    found
}

/// The adjoints that functions use, by name or by an address in another variable, in the order of the module.
fn adjoints(module: Module, functions: &[Function]) -> Vec<Value> {
    let (mut found, rest): (Vec<Value>, Vec<Value>) = module
        .globals()
        .filter(|global| variable_of_adjoint(*global).is_some())
        .partition(|adjoint| uses(*adjoint).iter().any(|user| is_in(*user, functions)));
    let mut next = 0;
    while next < found.len() {
        let held = addresses_in(found[next]);
        let new: Vec<Value> =
            rest.iter().copied().filter(|other| held.contains(other) && !found.contains(other)).collect();
        found.extend(new);
        next += 1;
    }
    found
}

/// The variables whose addresses a variable begins with.
fn addresses_in(variable: Value) -> Vec<Value> {
    let mut found = Vec::new();
    let mut pending: Vec<Value> = variable.initializer().into_iter().collect();
    while let Some(constant) = pending.pop() {
        match constant.base_global() {
            Some(base) => found.push(base),
            None if constant.holds_addresses() => pending.extend(constant.operands()),
            None => {}
        }
    }
    found
}

/// The instructions and variables that use a global, or a constant made from it.
fn uses(global: Value) -> Vec<Value> {
    let mut found = Vec::new();
    let mut pending = vec![global];
    while let Some(value) = pending.pop() {
        for user in value.users() {
            match user.as_instruction().is_some() || user.is_global_variable() {
                true => found.push(user),
                false => pending.push(user),
            }
        }
    }
    found
}

fn is_in(user: Value, functions: &[Function]) -> bool {
    user.as_instruction().is_some_and(|inst| functions.contains(&inst.function()))
}

/// Whether functions may do more with a variable than load from it.
fn may_be_written(variable: Value, functions: &[Function]) -> bool {
    let mut pending = uses(variable);
    while let Some(user) = pending.pop() {
        // Who has the address from another variable is not known.
        let Some(inst) = user.as_instruction() else { return true };
        match inst.opcode() {
            _ if !functions.contains(&inst.function()) => {}
            LLVMOpcode::LLVMLoad => {}
            LLVMOpcode::LLVMGetElementPtr => pending.extend(user.users()),
            _ => return true,
        }
    }
    false
}

/// Sets the floats to zero in memory of some type; addresses are led to shadows again by what stores them.
fn clear(ty: Type, memory: Value, builder: &Builder) {
    let module = builder.function().module();
    let kinds = ty.scalar_kinds();
    if !kinds.contains(&Kind::Float) {
        return;
    }
    if !kinds.contains(&Kind::Pointer) {
        let (byte, length) = (Type::integer(ty.context(), 8), Type::integer(ty.context(), 64));
        let size = Value::integer(length, module.allocation_size(ty).cast_signed());
        builder.fill(memory, Value::zero(byte), size, 1);
        return;
    }
    match ty.kind() {
        Kind::Struct(_) => {
            for (index, field) in (0..).zip(ty.fields()) {
                clear(field, builder.offset(memory, module.field_offset(ty, index)), builder);
            }
        }
        Kind::Array(count) if count <= FEW_ELEMENTS => {
            let size = module.allocation_size(ty.element());
            for index in 0..count {
                clear(ty.element(), builder.offset(memory, index * size), builder);
            }
        }
        Kind::Array(count) => {
            builder.call(clears_elements(module, ty.element(), count), &[memory]);
        }
        Kind::Vector(_)
        | Kind::ScalableVector
        | Kind::Void
        | Kind::Float
        | Kind::Integer(_)
        | Kind::Pointer
        | Kind::Function
        | Kind::Other => {}
    }
}

/// A function that does so in every element of an array.
fn clears_elements(module: Module, element: Type, count: u64) -> Function {
    let (pointer, void) = (Type::pointer(element.context()), Type::void(element.context()));
    let function = module.add_function("__enzyme_clear_elements", Type::function(void, &[pointer]));
    function.set_linkage(LLVMLinkage::LLVMInternalLinkage);
    function.add_attribute(FUNCTION_ATTRIBUTES, "nounwind");
    if let [memory] = function.parameters()[..] {
        let length = Type::integer(element.context(), 64);
        let [count, size] = [count, module.allocation_size(element)]
            .map(|number| Value::integer(length, number.cast_signed()));
        write_loop(function, [memory, memory], [count, size], Order::Upward, |body, [place, _]| {
            clear(element, place, body);
        });
    }
    function
}
