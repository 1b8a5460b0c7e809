//! Tables of words.

use super::super::super::{FloatType, Type};

/// A type that is a single word.
pub(super) fn simple_type(word: &str) -> Option<Type> {
    if let Some(float) = FloatType::from_mnemonic(word) {
        return Some(Type::Float(float));
    }
    if let Some(bits) = word.strip_prefix('i').and_then(|bits| bits.parse().ok())
        && (1..=1 << 23).contains(&bits)
    {
        return Some(Type::Integer { bits });
    }
    match word {
        "void" => Some(Type::Void),
        "token" => Some(Type::Token),
        "metadata" => Some(Type::Metadata),
        "label" => Some(Type::Label),
        "x86_mmx" => Some(Type::X86Mmx),
        "x86_amx" => Some(Type::X86Amx),
        _ => None,
    }
}

/// Whether a word is an attribute: needed to tell where attributes end.
pub(super) fn is_attribute(word: &str) -> bool {
    ATTRIBUTES.binary_search(&word).is_ok()
}

/// Whether an attribute is followed by a type in parentheses.
pub(super) fn has_type(attribute: &str) -> bool {
    matches!(attribute, "byref" | "byval" | "elementtype" | "inalloca" | "preallocated" | "sret")
}

/// Whether an attribute is followed by one number in parentheses.
pub(super) fn has_number(attribute: &str) -> bool {
    matches!(
        attribute,
        "align" | "alignstack" | "dereferenceable" | "dereferenceable_or_null" | "dead_on_return"
    )
}

/// The attributes of LLVM 15 to 22, sorted.
const ATTRIBUTES: &[&str] = &[
    "align",
    "alignstack",
    "allocalign",
    "allockind",
    "allocptr",
    "allocsize",
    "allow_direct_access_in_hot_patch_function",
    "alwaysinline",
    "argmemonly",
    "builtin",
    "byref",
    "byval",
    "captures",
    "cold",
    "convergent",
    "coro_elide_safe",
    "coro_only_destroy_when_complete",
    "dead_on_return",
    "dead_on_unwind",
    "dereferenceable",
    "dereferenceable_or_null",
    "disable_sanitizer_instrumentation",
    "elementtype",
    "fn_ret_thunk_extern",
    "hot",
    "hybrid_patchable",
    "immarg",
    "inaccessiblemem_or_argmemonly",
    "inaccessiblememonly",
    "inalloca",
    "initializes",
    "inlinehint",
    "inreg",
    "isEqual",
    "jumptable",
    "marked_for_windows_hot_patching",
    "memory",
    "minsize",
    "mustprogress",
    "naked",
    "nest",
    "noalias",
    "nobuiltin",
    "nocallback",
    "nocapture",
    "nocf_check",
    "nocreateundeforpoison",
    "nodivergencesource",
    "noduplicate",
    "noext",
    "nofpclass",
    "nofree",
    "noimplicitfloat",
    "noinline",
    "nomerge",
    "nonlazybind",
    "nonnull",
    "noprofile",
    "norecurse",
    "noredzone",
    "noreturn",
    "nosanitize_bounds",
    "nosanitize_coverage",
    "nosync",
    "noundef",
    "nounwind",
    "null_pointer_is_valid",
    "optdebug",
    "optforfuzzing",
    "optnone",
    "optsize",
    "preallocated",
    "presplitcoroutine",
    "range",
    "readnone",
    "readonly",
    "returned",
    "returns_twice",
    "safestack",
    "sanitize_address",
    "sanitize_alloc_token",
    "sanitize_hwaddress",
    "sanitize_memory",
    "sanitize_memtag",
    "sanitize_numerical_stability",
    "sanitize_realtime",
    "sanitize_realtime_blocking",
    "sanitize_thread",
    "sanitize_type",
    "shadowcallstack",
    "signext",
    "skipprofile",
    "speculatable",
    "speculative_load_hardening",
    "sret",
    "ssp",
    "sspreq",
    "sspstrong",
    "strictfp",
    "swiftasync",
    "swifterror",
    "swiftself",
    "uwtable",
    "vscale_range",
    "willreturn",
    "writable",
    "writeonly",
    "zeroext",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_sorted_for_the_search() {
        assert!(ATTRIBUTES.is_sorted());
        assert!(is_attribute("nounwind") && is_attribute("align") && !is_attribute("ret"));
    }
}
