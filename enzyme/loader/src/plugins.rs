//! The plugins that are installed beside the loader, and why none of them can be used.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::host::LlvmVersion;

/// The name of the plugin for a version of LLVM.
pub(crate) fn file_name(major: u32) -> String {
    format!("LLVMEnzymeRS-{major}.so")
}

/// The name of the plugin for a version of clang.
pub(crate) fn clang_file_name(major: u32) -> String {
    format!("ClangEnzymeRS-{major}.so")
}

/// The versions of LLVM that plugins in `folder` are for, in order.
pub(crate) fn installed(folder: &Path) -> Vec<u32> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut versions = entries
        .filter_map(|entry| {
            let name = entry.file_name();
            name.to_str()?.strip_prefix("LLVMEnzymeRS-")?.strip_suffix(".so")?.parse().ok()
        })
        .collect::<Vec<u32>>();
    versions.sort_unstable();
    versions
}

/// Why no plugin could be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The loader does not know where it lies.
    NoFolder,
    /// The host has no LLVM that a plugin could bind to.
    NoLlvm { program: String },
    /// There is no plugin for the host's LLVM.
    NoPlugin { program: String, llvm: LlvmVersion, installed: Vec<u32>, folder: PathBuf },
    /// There is one, but it cannot be opened.
    NotLoaded { program: String, llvm: LlvmVersion, plugin: PathBuf, reason: String },
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("EnzymeRS: ")?;
        match self {
            Refusal::NoFolder => formatter.write_str("the folder of EnzymeRS.so cannot be found out"),
            Refusal::NoLlvm { program } => write!(
                formatter,
                "this {program} carries no LLVM that a plugin can bind to (it may be linked statically); use an \
                 opt, clang, ld.lld or flang that loads libLLVM as a shared library"
            ),
            Refusal::NoPlugin { program, llvm, installed, folder } if installed.is_empty() => write!(
                formatter,
                "this {program} carries {llvm}, but no plugin is installed here (in {}); the plugins \
                 LLVMEnzymeRS-<major>.so belong beside EnzymeRS.so",
                folder.display()
            ),
            Refusal::NoPlugin { program, llvm, installed, folder } => write!(
                formatter,
                "this {program} carries {llvm}, but plugins are installed here only for LLVM {} (in {}); use a \
                 program of such a version, or install LLVMEnzymeRS-{}.so",
                enumeration(installed),
                folder.display(),
                llvm.major
            ),
            Refusal::NotLoaded { program, llvm, plugin, reason } => write!(
                formatter,
                "{} cannot be loaded into this {program}, which carries {llvm}: {reason}",
                plugin.display()
            ),
        }
    }
}

/// `15, 16, 19 and 22`.
fn enumeration(versions: &[u32]) -> String {
    let texts = versions.iter().map(u32::to_string).collect::<Vec<_>>();
    match texts.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, first)) => format!("{} and {last}", first.join(", ")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_enumerated_as_one_says_them() {
        assert_eq!(enumeration(&[22]), "22");
        assert_eq!(enumeration(&[15, 22]), "15 and 22");
        assert_eq!(enumeration(&[15, 16, 19, 22]), "15, 16, 19 and 22");
    }

    #[test]
    fn installed_plugins_are_found_by_name() {
        let folder = std::env::temp_dir().join(format!("enzyme-loader-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        for name in ["LLVMEnzymeRS-22.so", "LLVMEnzymeRS-15.so", "EnzymeRS.so", "LLVMEnzymeRS-x.so"] {
            std::fs::write(folder.join(name), "").unwrap();
        }
        let found = installed(&folder);
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(found, [15, 22]);
        assert_eq!(installed(&folder), []);
    }

    #[test]
    fn a_statically_linked_host_is_told_so() {
        let sentence = Refusal::NoLlvm { program: "opt".to_owned() }.to_string();
        assert!(sentence.starts_with("EnzymeRS: this opt carries no LLVM"), "{sentence}");
        assert!(sentence.contains("linked statically"), "{sentence}");
    }
}
