//! An installed tree: what `cargo xtask install --prefix DIR` makes.
//!
//! ```text
//! bin/enzyme-opt-22
//! lib/enzymers/EnzymeRS.so              the loader, which looks for plugins beside it
//! lib/enzymers/LLVMEnzymeRS-22.so
//! lib/enzymers/ClangEnzymeRS-22.so      where clang's headers were there
//! lib/cmake/EnzymeRS/EnzymeRSConfig.cmake, EnzymeRSConfigVersion.cmake
//! include/enzyme/…                     the C++ headers
//! share/doc/enzymers/LICENSE
//! ```

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::artifacts::Artifacts;
use crate::workspace_root;

/// The version of this workspace.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The command-line tools there is one of for each LLVM.
pub const TOOLS: [&str; 1] = ["enzyme-opt"];

/// Installs what has been built for these LLVMs, and returns the files it wrote.
pub fn install(artifacts: &Artifacts, majors: &[u32], prefix: &Path) -> io::Result<Vec<PathBuf>> {
    let mut installer = Installer { prefix, written: Vec::new() };
    for major in majors {
        installer.copy(&artifacts.plugin(*major), "lib/enzymers")?;
        if artifacts.clang_plugin(*major).is_file() {
            installer.copy(&artifacts.clang_plugin(*major), "lib/enzymers")?;
        }
        for tool in TOOLS.map(|tool| artifacts.tool(tool, *major)).into_iter().filter(|tool| tool.is_file()) {
            installer.copy(&tool, "bin")?;
        }
    }
    installer.copy(&artifacts.loader(), "lib/enzymers")?;
    installer.copy_headers(&artifacts.headers())?;
    installer.configure("EnzymeRSConfig.cmake", majors)?;
    installer.configure("EnzymeRSConfigVersion.cmake", majors)?;
    installer.copy(&workspace_root().join("LICENSE"), "share/doc/enzymers")?;
    Ok(installer.written)
}

/// Copies a file so that a process which has the old one open keeps it: the new one is put in its place
/// in one step.
pub fn replace_file(from: &Path, to: &Path) -> io::Result<()> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    let name = to.file_name().unwrap_or_default().to_string_lossy();
    let staged = to.with_file_name(format!(".{name}.{}", std::process::id()));
    let named =
        |error: io::Error, path: &Path| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    fs::copy(from, &staged).map_err(|error| named(error, from))?;
    fs::rename(&staged, to).map_err(|error| named(error, to))
}

struct Installer<'prefix> {
    prefix: &'prefix Path,
    written: Vec<PathBuf>,
}

impl Installer<'_> {
    fn copy(&mut self, from: &Path, folder: &str) -> io::Result<()> {
        let to = self.prefix.join(folder).join(from.file_name().unwrap_or_default());
        replace_file(from, &to)?;
        self.written.push(to);
        Ok(())
    }

    fn copy_headers(&mut self, headers: &Path) -> io::Result<()> {
        if !headers.is_dir() {
            return Ok(());
        }
        for entry in WalkDir::new(headers).sort_by_file_name() {
            let entry = entry?;
            let below = entry.path().strip_prefix(headers).unwrap_or(entry.path());
            if entry.file_type().is_file() {
                let to = self.prefix.join("include").join(below);
                replace_file(entry.path(), &to)?;
                self.written.push(to);
            }
        }
        Ok(())
    }

    fn configure(&mut self, name: &str, majors: &[u32]) -> io::Result<()> {
        let template = fs::read_to_string(workspace_root().join("cmake").join(format!("{name}.in")))?;
        let majors: Vec<String> = majors.iter().map(u32::to_string).collect();
        let text = template
            .replace("@ENZYMERS_VERSION@", VERSION)
            .replace("@ENZYMERS_LLVM_VERSIONS@", &majors.join(";"));
        let to = self.prefix.join("lib/cmake/EnzymeRS").join(name);
        fs::create_dir_all(to.parent().unwrap_or(self.prefix))?;
        fs::write(&to, text)?;
        self.written.push(to);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_installed_tree_has_its_parts_in_their_places() {
        let root = std::env::temp_dir().join(format!("enzymers-install-{}", std::process::id()));
        let artifacts = Artifacts::at(root.join("built"));
        fs::create_dir_all(artifacts.root()).expect("a folder");
        let plugins = [artifacts.plugin(19), artifacts.clang_plugin(19)];
        for file in plugins.into_iter().chain([artifacts.loader(), artifacts.tool("enzyme-opt", 19)]) {
            fs::write(file, "x").expect("a file");
        }
        let prefix = root.join("prefix");
        let written = install(&artifacts, &[19], &prefix).expect("an installed tree");
        for file in [
            "bin/enzyme-opt-19",
            "lib/enzymers/EnzymeRS.so",
            "lib/enzymers/LLVMEnzymeRS-19.so",
            "lib/enzymers/ClangEnzymeRS-19.so",
            "include/enzyme/enzyme",
            "include/enzyme/utils",
            "share/doc/enzymers/LICENSE",
        ] {
            assert!(written.contains(&prefix.join(file)), "{file} is not among {written:?}");
            assert!(prefix.join(file).is_file(), "{file}");
        }
        let config = fs::read_to_string(prefix.join("lib/cmake/EnzymeRS/EnzymeRSConfig.cmake"));
        let config = config.expect("the CMake file");
        assert!(config.contains("EnzymeRS_LLVM_VERSIONS \"19\""), "{config}");
        assert!(!config.contains("@ENZYMERS"), "{config}");
        fs::remove_dir_all(root).expect("removing it");
    }

    #[test]
    fn a_plugin_that_was_not_built_is_named_in_the_error() {
        let root = std::env::temp_dir().join(format!("enzymers-install-none-{}", std::process::id()));
        let error = install(&Artifacts::at(root.join("built")), &[22], &root.join("prefix"));
        let error = error.expect_err("nothing to install").to_string();
        assert!(error.contains("LLVMEnzymeRS-22.so"), "{error}");
        fs::remove_dir_all(root).expect("removing it");
    }
}
