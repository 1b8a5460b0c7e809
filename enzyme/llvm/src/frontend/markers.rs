//! The markers of an argument list: `enzyme_const`, `enzyme_dup`, `enzyme_width` and their kin.

use crate::ir::Value;
use inkwell::llvm_sys::LLVMOpcode;

/// A marker that says how the arguments after it are meant, or what the call returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Marker {
    /// The next value is inactive.
    Const,
    /// The next two values are a primal and its shadow.
    Dup,
    /// As `Dup`; the primal's final value is not needed.
    DupNoNeed,
    /// As `Dup`, with a byte stride before the primal and one base pointer for all shadows.
    DupStrided,
    /// As `DupNoNeed`, likewise.
    DupNoNeedStrided,
    /// The next value is an active scalar whose derivative is returned.
    Out,
    /// The next value is the number of directions.
    Width,
    /// Return the primal's result too.
    PrimalReturn,
    /// Return no derivative.
    NoReturn,
    /// The result is inactive.
    ConstReturn,
    /// The result is active.
    ActiveReturn,
    /// The result comes with its shadow.
    DupReturn,
    /// The next value is the same for every lane of a batch.
    Scalar,
    /// The next values are one for each lane of a batch.
    Vector,
    /// The next values are a stride in bytes and a pointer, from which those of the lanes follow.
    Buffer,
    /// The next value is a number of bytes, and the value after it points to the argument.
    ByReference,
    /// From here on come the shadows of all arguments before.
    Interleave,
    /// The memory of the next argument is not changed between the two passes of reverse mode.
    NotOverwritten,
    /// The reverse pass does not free what the forward pass kept.
    NoFree,
    /// The next value points to memory of the user's for the tape.
    Tape,
    /// The next value is the number of bytes of that memory.
    Allocated,
    /// Whether memory is active is decided when the program runs.
    RuntimeActivity,
    /// Zero times anything is zero in derivatives.
    StrongZero,
    /// The next values are the scheme of a checkpointed loop, and its number or data.
    Scheme,
    /// The next values point to memory that a checkpointed loop keeps, and say how many bytes.
    Region,
    /// A name that users know but that this entry point does not take.
    Foreign(&'static str),
}

/// Every marker's name, and what it means here.
const MARKERS: [(&str, Marker); 33] = [
    ("enzyme_const", Marker::Const),
    ("enzyme_dup", Marker::Dup),
    ("enzyme_dupnoneed", Marker::DupNoNeed),
    ("enzyme_dupv", Marker::DupStrided),
    ("enzyme_dupnoneedv", Marker::DupNoNeedStrided),
    ("enzyme_out", Marker::Out),
    ("enzyme_width", Marker::Width),
    ("enzyme_primal_return", Marker::PrimalReturn),
    ("enzyme_noret", Marker::NoReturn),
    ("enzyme_const_return", Marker::ConstReturn),
    ("enzyme_active_return", Marker::ActiveReturn),
    ("enzyme_dup_return", Marker::DupReturn),
    ("enzyme_interleave", Marker::Interleave),
    ("enzyme_byref", Marker::ByReference),
    ("enzyme_not_overwritten", Marker::NotOverwritten),
    ("enzyme_tape", Marker::Tape),
    ("enzyme_allocated", Marker::Allocated),
    ("enzyme_nofree", Marker::NoFree),
    ("enzyme_runtime_activity", Marker::RuntimeActivity),
    ("enzyme_strong_zero", Marker::StrongZero),
    ("enzyme_scalar", Marker::Scalar),
    ("enzyme_vector", Marker::Vector),
    ("enzyme_buffer", Marker::Buffer),
    ("enzyme_trace", Marker::Foreign("enzyme_trace")),
    ("enzyme_duptrace", Marker::Foreign("enzyme_duptrace")),
    ("enzyme_likelihood", Marker::Foreign("enzyme_likelihood")),
    ("enzyme_duplikelihood", Marker::Foreign("enzyme_duplikelihood")),
    ("enzyme_observations", Marker::Foreign("enzyme_observations")),
    ("enzyme_active_rand_var", Marker::Foreign("enzyme_active_rand_var")),
    ("enzyme_interface", Marker::Foreign("enzyme_interface")),
    ("enzyme_scheme", Marker::Scheme),
    ("enzyme_checkpoint_region", Marker::Region),
    ("enzyme_fp_state", Marker::Foreign("enzyme_fp_state")),
];

/// How many choices and conversions may stand between a marker's name and the call.
const FARTHEST: usize = 16;

/// Reads a value of an argument list as a marker.
///
/// A marker is a variable of that name, a load of it (what C makes of an `int`), a metadata string, or a choice among
/// values that are all the same marker.
pub(super) fn marker_of(value: Value) -> Option<Marker> {
    named(&marker_name(value, FARTHEST)?)
}

fn marker_name(value: Value, farthest: usize) -> Option<String> {
    if let Some(text) = value.metadata_string() {
        return Some(text);
    }
    if let Some(name) = variable_name(value) {
        return Some(name);
    }
    let farthest = farthest.checked_sub(1)?;
    if let Some(instruction) = value.as_instruction() {
        let operands = value.operands();
        return match instruction.opcode() {
            LLVMOpcode::LLVMLoad => variable_name(operands[0]),
            // An `int` marker in a parameter of another width.
            LLVMOpcode::LLVMSExt
            | LLVMOpcode::LLVMZExt
            | LLVMOpcode::LLVMTrunc
            | LLVMOpcode::LLVMPtrToInt
            | LLVMOpcode::LLVMIntToPtr
            | LLVMOpcode::LLVMAddrSpaceCast => marker_name(operands[0], farthest),
            // Each way to the call has read the marker.
            LLVMOpcode::LLVMPHI => agreed_name(&operands, farthest),
            LLVMOpcode::LLVMSelect => agreed_name(&operands[1..], farthest),
            _ => None,
        };
    }
    value.constant_opcode().and_then(|_| marker_name(value.operands()[0], farthest))
}

/// The name of a global variable, or of a local one, which a program may declare instead.
fn variable_name(value: Value) -> Option<String> {
    let is_local =
        || value.as_instruction().is_some_and(|instruction| instruction.opcode() == LLVMOpcode::LLVMAlloca);
    (value.is_global_variable() || is_local()).then(|| value.name())
}

/// The name that all of these values stand for.
fn agreed_name(values: &[Value], farthest: usize) -> Option<String> {
    let (first, rest) = values.split_first()?;
    let name = marker_name(*first, farthest)?;
    rest.iter().all(|&value| marker_name(value, farthest).as_ref() == Some(&name)).then_some(name)
}

/// The marker of that name, which C++ may have mangled (`_ZL10enzyme_dup` for a `static` one).
pub(super) fn named(name: &str) -> Option<Marker> {
    let is = |name: &str, marker: &str| {
        name.strip_suffix(marker).is_some_and(|before| {
            before.is_empty() || (before.starts_with("_Z") && before.ends_with(&marker.len().to_string()))
        })
    };
    MARKERS.iter().find(|(marker, _)| is(name, marker)).map(|(_, meaning)| *meaning)
}

/// The name of a marker.
pub(super) fn name_of(marker: Marker) -> &'static str {
    MARKERS.iter().find(|(_, meaning)| *meaning == marker).map_or("enzyme marker", |(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_and_mangled_names_are_markers() {
        assert_eq!(named("enzyme_dup"), Some(Marker::Dup));
        assert_eq!(named("_ZL10enzyme_dup"), Some(Marker::Dup));
        assert_eq!(named("_ZL16enzyme_dupnoneed"), Some(Marker::DupNoNeed));
    }

    #[test]
    fn other_names_are_not() {
        assert_eq!(named("my_enzyme_dup"), None);
        assert_eq!(named("enzyme_duplex"), None);
        assert_eq!(named("_ZL9enzyme_dup"), None);
    }
}
