//! The program that loaded us, and the LLVM that it carries.

use std::ffi::{c_uint, c_void};
use std::fmt;
use std::path::Path;

use crate::object;

/// A version of LLVM, as far as it could be found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LlvmVersion {
    pub(crate) major: u32,
    /// The whole version, or no more than the major one.
    text: String,
}

impl LlvmVersion {
    fn new(text: &str) -> Option<LlvmVersion> {
        let major = text.split('.').next()?.parse().ok()?;
        Some(LlvmVersion { major, text: text.to_owned() })
    }
}

impl fmt::Display for LlvmVersion {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "LLVM {}", self.text)
    }
}

/// The name of the host's executable.
pub(crate) fn program() -> String {
    let executable = std::env::current_exe().unwrap_or_default();
    match executable.file_name() {
        Some(name) => name.to_string_lossy().into_owned(),
        None => "program".to_owned(),
    }
}

/// The LLVM of this process; `None` when there is none that a plugin could bind to.
pub(crate) fn llvm() -> Option<LlvmVersion> {
    version_by_itself().or_else(|| object::loaded().iter().find_map(|path| version_in_name(path)))
}

/// Whether the host has what a plugin for clang binds to: it exports `clang::ParsedAttrInfo::get`, by which clang knows
/// attributes.
pub(crate) fn is_clang() -> bool {
    object::symbol_of_program(c"_ZN5clang14ParsedAttrInfo3getERKNS_19AttributeCommonInfoE").is_some()
}

/// What LLVM says of itself, from 16 on.
fn version_by_itself() -> Option<LlvmVersion> {
    let address = object::symbol_of_program(c"LLVMGetVersion")?;
    // SAFETY: a function of this name and signature is in LLVM's C API, and nobody else's.
    let get_version = unsafe {
        std::mem::transmute::<*mut c_void, unsafe extern "C" fn(*mut c_uint, *mut c_uint, *mut c_uint)>(
            address,
        )
    };
    let (mut major, mut minor, mut patch) = (0, 0, 0);
    // SAFETY: each pointer leads to an integer of ours.
    unsafe { get_version(&raw mut major, &raw mut minor, &raw mut patch) };
    LlvmVersion::new(&format!("{major}.{minor}.{patch}"))
}

/// The version in a library's name: `libLLVM-15.so.1`, `libLLVM.so.19.1`, `libLLVM.so.22.1-rust-1.95.0-stable`.
fn version_in_name(path: &Path) -> Option<LlvmVersion> {
    let name = path.file_name()?.to_str()?.strip_prefix("libLLVM")?;
    let version = match name.strip_prefix('-') {
        Some(rest) => rest.split_once(".so")?.0,
        None => name.strip_prefix(".so.")?.split('-').next()?,
    };
    LlvmVersion::new(version)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_of(path: &str) -> Option<String> {
        version_in_name(Path::new(path)).map(|version| version.to_string())
    }

    #[test]
    fn library_names_tell_the_version() {
        assert_eq!(text_of("/lib/x86_64-linux-gnu/libLLVM-14.so.1").as_deref(), Some("LLVM 14"));
        assert_eq!(text_of("/usr/lib/llvm-15/lib/libLLVM-15.so.1").as_deref(), Some("LLVM 15"));
        assert_eq!(text_of("/opt/llvm/lib/libLLVM-15.0.7.so").as_deref(), Some("LLVM 15.0.7"));
        assert_eq!(text_of("libLLVM.so.19.1").as_deref(), Some("LLVM 19.1"));
        assert_eq!(text_of("/x/libLLVM.so.22.1-rust-1.95.0-stable").as_deref(), Some("LLVM 22.1"));
    }

    #[test]
    fn other_libraries_tell_nothing() {
        for name in ["libLLVMEnzyme-15.so", "libc.so.6", "libLLVM.so", "", "libLLVM-.so.1"] {
            assert_eq!(text_of(name), None, "{name}");
        }
    }
}
