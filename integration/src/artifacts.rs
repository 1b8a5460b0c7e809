//! What `cargo xtask build` has put together in this workspace.

use std::env;
use std::path::PathBuf;

use crate::llvm::SUPPORTED;
use crate::workspace_root;

/// The folder with the built plugins, loader and tools: `target/enzymers`, or `$ENZYMERS_ARTIFACTS`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Artifacts {
    root: PathBuf,
}

impl Artifacts {
    /// The artifacts of this workspace.
    pub fn of_workspace() -> Self {
        let root = env::var_os("ENZYMERS_ARTIFACTS").map(PathBuf::from);
        Self { root: root.unwrap_or_else(|| workspace_root().join("target/enzymers")) }
    }

    /// The artifacts in a given folder.
    pub fn at(root: PathBuf) -> Self {
        Self { root }
    }

    /// The folder itself.
    pub fn root(&self) -> &PathBuf {
        &self.root
    }

    /// The plugin for one LLVM.
    pub fn plugin(&self, major: u32) -> PathBuf {
        self.root.join(format!("LLVMEnzymeRS-{major}.so"))
    }

    /// The plugin for one clang, which knows our attributes and opens the plugin for its LLVM.
    pub fn clang_plugin(&self, major: u32) -> PathBuf {
        self.root.join(format!("ClangEnzymeRS-{major}.so"))
    }

    /// The loader that opens the plugin fitting its host.
    pub fn loader(&self) -> PathBuf {
        self.root.join("EnzymeRS.so")
    }

    /// A command-line tool, one for every LLVM.
    pub fn tool(&self, name: &str, major: u32) -> PathBuf {
        self.root.join(format!("{name}-{major}"))
    }

    /// The MLIR driver, which exists for one LLVM only.
    pub fn mlir_driver(&self) -> PathBuf {
        self.root.join("enzymemlir-opt")
    }

    /// The public headers.
    pub fn headers(&self) -> PathBuf {
        workspace_root().join("enzyme/capi/include")
    }

    /// The major versions that a plugin has been built for, oldest first.
    pub fn built(&self) -> Vec<u32> {
        SUPPORTED.iter().map(|release| release.major).filter(|major| self.plugin(*major).is_file()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plugins_that_exist_count_as_built() {
        let folder = env::temp_dir().join(format!("enzymers-artifacts-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a temporary folder");
        let artifacts = Artifacts::at(folder.clone());
        assert_eq!(artifacts.built(), Vec::<u32>::new());
        std::fs::write(artifacts.plugin(19), "").expect("a file in it");
        assert_eq!(artifacts.built(), vec![19]);
        std::fs::remove_dir_all(folder).expect("removing it");
    }
}
