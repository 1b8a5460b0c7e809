//! How arguments travel is the business of the ABI; a derived function takes them plainly.
//!
//! Its own callers are all written here, so that no attribute need say that a small integer comes extended, or that a
//! struct lies on the stack. A parameter passed by value in memory (`byval`) becomes a pointer whose target is copied
//! where the function begins: what the function then does to it stays its own affair.

use crate::error::Error;
use crate::ir::{Builder, Function, RETURN_ATTRIBUTES, Type, Value};

/// What says how a value is handed over.
const OF_VALUES: [&str; 10] =
    ["sret", "byref", "zeroext", "signext", "noext", "inreg", "nest", "swiftself", "swiftasync", "returned"];

/// Conventions in which caller and callee share the memory of arguments or of an error.
const REFUSED: [&str; 3] = ["inalloca", "preallocated", "swifterror"];

/// Makes the parameters of a clone plain ones.
///
/// # Errors
/// When a parameter is passed in a way that has no plain counterpart.
pub(super) fn make_plain(original: Function, clone: Function) -> Result<(), Error> {
    let count = clone.parameters().len() as u32;
    for index in 1..=count {
        if let Some(refused) = REFUSED.into_iter().find(|name| clone.has_attribute(index, name)) {
            return Err(Error::unsupported(
                original,
                format!(
                    "argument {index} of `{}` is passed by the convention `{refused}`, which is not supported",
                    original.written_name()
                ),
            )
            .help("take it by pointer"));
        }
    }
    for (index, parameter) in (1..=count).zip(clone.parameters()) {
        if let Some(ty) = clone.type_attribute(index, "byval") {
            copy_at_entry(clone, index, parameter, ty);
        }
    }
    for index in RETURN_ATTRIBUTES..=count {
        OF_VALUES.into_iter().for_each(|name| clone.remove_attribute(index, name));
    }
    Ok(())
}

fn copy_at_entry(clone: Function, index: u32, parameter: Value, ty: Type) {
    let Some(first) = clone.instructions().next() else { return };
    let alignment = clone.attribute_value(index, "align").unwrap_or(1).max(1) as u32;
    clone.remove_attribute(index, "byval");
    let builder = Builder::new(ty.context());
    builder.position_before(first);
    let copy = builder.alloca(ty, &format!("{}.copy", parameter.name()));
    copy.set_alignment(alignment.max(copy.alignment()));
    let target = builder.pointer_cast(copy.value(), parameter.ty());
    parameter.replace_all_uses_with(target);
    let bytes = clone.module().allocation_size(ty) as i64;
    builder.copy(target, parameter, Value::integer(Type::integer(ty.context(), 64), bytes));
}
