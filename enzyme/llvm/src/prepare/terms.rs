//! `__enzyme_iter(n, k)`: a number of terms that grows by k with each derivative.
//!
//! A derivative of a truncated series has fewer right digits than the series itself: of a polynomial of degree n, one term
//! less counts. With the number written like this, derivatives sum more terms, and agree with the series of the derivative. The program
//! itself sums n.

use crate::error::Error;
use crate::ffi;
use crate::frontend::{NUMBER_OF_TERMS, number_and_step};
use crate::ir::{Builder, FUNCTION_ATTRIBUTES, Function};
use inkwell::llvm_sys::LLVMOpcode;

/// Adds to each such number of a function that is about to be differentiated what it grows by.
///
/// # Errors
/// For a call with other arguments than two integers of one type.
pub(super) fn grow(function: Function) -> Result<(), Error> {
    for call in function.instructions().collect::<Vec<_>>() {
        let Some(callee) = call.called_function().filter(|callee| callee.name() == NUMBER_OF_TERMS) else {
            continue;
        };
        let Some((number, step)) = number_and_step(call) else {
            return Err(Error::program(
                call,
                format!("`{NUMBER_OF_TERMS}` takes and gives integers of one type"),
            )
            .help(format!(
                "declare it as `int {NUMBER_OF_TERMS}(int number, int step);`, with your integers"
            )));
        };
        ffi::set_memory_effects(callee.value().raw(), ffi::MemoryEffects::NONE);
        callee.add_attribute(FUNCTION_ATTRIBUTES, "nounwind");
        callee.add_attribute(FUNCTION_ATTRIBUTES, "willreturn");
        let builder = Builder::new(number.ty().context());
        builder.position_before(call);
        call.set_operand(0, builder.binary(LLVMOpcode::LLVMAdd, number, step));
    }
    Ok(())
}
