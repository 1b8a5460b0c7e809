//! Code that ends the program with a message: where it turns out only when the program runs that something cannot be
//! differentiated.

use crate::ffi;
use crate::ir::{Builder, Function, Module, Type, Value, intrinsic};
use inkwell::llvm_sys::LLVMLinkage;

/// The number of the standard error stream.
const STANDARD_ERROR: i64 = 2;

/// Writes the end of the program where the builder stands; `format` is one for `printf`.
pub(crate) fn write(builder: &Builder, module: Module, format: &str, arguments: &[Value]) {
    let context = builder.function().function_type().context();
    let (pointer, int) = (Type::pointer(context), Type::integer(context, 32));
    if has_posix(module) {
        let print_type = Type::variadic_function(int, &[int, pointer]);
        let print = module.function_or_declare("dprintf", print_type);
        let format = builder.text(&format!("EnzymeRS: {format}"));
        let mut given = vec![Value::integer(int, STANDARD_ERROR), format];
        given.extend_from_slice(arguments);
        builder.call_as(print_type, print.value(), &given);
        let abort_type = Type::function(Type::void(context), &[]);
        let abort = module.function_or_declare("abort", abort_type);
        builder.call_as(abort_type, abort.value(), &[]);
    } else if let Some(trap) = intrinsic(module, "trap", &[]) {
        builder.call(trap, &[]);
    }
    builder.unreachable();
}

/// Makes a function one that ends the program.
pub(crate) fn replace_body(function: Function, message: &str) {
    ffi::delete_body(function.value().raw());
    function.set_linkage(LLVMLinkage::LLVMInternalLinkage);
    let builder = Builder::new(function.function_type().context());
    builder.position_at_end(function.append_block("entry"));
    let text = builder.text(message);
    write(&builder, function.module(), "%s\n", &[text]);
}

/// Whether programs for the module's target run on a system with the functions of POSIX.
pub(super) fn has_posix(module: Module) -> bool {
    let triple = module.triple();
    let has_none = ["nvptx", "amdgcn", "spirv", "windows", "wasm", "-none", "bpf"];
    !has_none.iter().any(|part| triple.contains(part))
}
