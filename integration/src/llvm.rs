//! Which LLVMs EnzymeRS is built for, and which of them this machine has.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// One LLVM release that EnzymeRS supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Release {
    /// The major version, which names the plugin.
    pub major: u32,
    /// The cargo feature that the LLVM-facing crates are built with.
    pub feature: &'static str,
}

/// Every supported release, oldest first.
pub const SUPPORTED: [Release; 4] = [
    Release { major: 15, feature: "llvm15-0" },
    Release { major: 16, feature: "llvm16-0" },
    Release { major: 19, feature: "llvm19-1" },
    Release { major: 22, feature: "llvm22-1" },
];

/// The supported release with this major version.
pub fn release(major: u32) -> Option<Release> {
    SUPPORTED.into_iter().find(|release| release.major == major)
}

/// An LLVM installation on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Llvm {
    /// Its release.
    pub release: Release,
    /// Its whole version, such as `22.1.8`.
    pub version: String,
    /// The `llvm-config` that describes it.
    pub config: PathBuf,
    /// Where its programs are.
    pub programs: PathBuf,
    /// Where its libraries are.
    pub libraries: PathBuf,
}

impl Llvm {
    /// Finds the installation of one release: by `$LLVM_CONFIG`, on the `PATH`, or in the folders where
    /// distributions put it.
    pub fn find(release: Release) -> Option<Self> {
        config_candidates(release.major).iter().find_map(|config| Self::from_config(config, release))
    }

    /// All installations of supported releases, oldest first.
    pub fn find_all() -> Vec<Self> {
        SUPPORTED.into_iter().filter_map(Self::find).collect()
    }

    fn from_config(config: &Path, release: Release) -> Option<Self> {
        let output = Command::new(config).args(["--version", "--bindir", "--libdir"]).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        let mut lines = text.lines().map(str::trim);
        let (version, programs, libraries) = (lines.next()?, lines.next()?, lines.next()?);
        let major: u32 = version.split('.').next()?.parse().ok()?;
        (major == release.major).then(|| Self {
            release,
            version: version.to_owned(),
            config: config.to_path_buf(),
            programs: programs.into(),
            libraries: libraries.into(),
        })
    }

    /// The major version.
    pub fn major(&self) -> u32 {
        self.release.major
    }

    /// One of its programs: beside `llvm-config`, else on the `PATH` as `name-22`.
    pub fn tool(&self, name: &str) -> Option<PathBuf> {
        let beside = self.programs.join(name);
        if is_program(&beside) {
            return Some(beside);
        }
        find_on_path(&format!("{name}-{}", self.major()))
    }

    /// The folder with the headers that the C++ shim is compiled against.
    pub fn headers(&self) -> Option<PathBuf> {
        let output = Command::new(&self.config).arg("--includedir").output().ok()?;
        let folder = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
        folder.join("llvm/IR/Module.h").is_file().then_some(folder)
    }

    /// The folder with the headers of clang, of the same version: `$CLANG_INCLUDE_DIR`, or where LLVM's are.
    pub fn clang_headers(&self) -> Option<PathBuf> {
        let from_environment = env::var_os("CLANG_INCLUDE_DIR").map(PathBuf::from);
        let folders = from_environment.into_iter().chain(self.headers());
        folders.into_iter().find(|folder| {
            let version = std::fs::read_to_string(folder.join("clang/Basic/Version.inc"));
            let ours = format!("CLANG_VERSION_MAJOR {}\n", self.major());
            version.is_ok_and(|version| version.contains(&ours))
                && folder.join("clang/AST/Attrs.inc").is_file()
        })
    }
}

/// A program on the `PATH`.
pub fn find_on_path(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(name)).find(|candidate| is_program(candidate))
}

fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

fn config_candidates(major: u32) -> Vec<PathBuf> {
    let from_environment =
        [format!("LLVM_CONFIG_{major}"), "LLVM_CONFIG".to_owned()].into_iter().filter_map(env::var_os);
    let on_path = [format!("llvm-config-{major}"), "llvm-config".to_owned()]
        .into_iter()
        .filter_map(|n| find_on_path(&n));
    let usual = [
        format!("/usr/lib/llvm-{major}/bin/llvm-config"),
        format!("/opt/homebrew/opt/llvm@{major}/bin/llvm-config"),
        format!("/usr/local/opt/llvm@{major}/bin/llvm-config"),
    ];
    let mut candidates: Vec<PathBuf> = from_environment.map(PathBuf::from).collect();
    candidates.extend(on_path);
    candidates.extend(usual.map(PathBuf::from).into_iter().filter(|path| is_program(path)));
    candidates
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_is_found_by_its_major_version() {
        assert_eq!(release(22).map(|release| release.feature), Some("llvm22-1"));
        assert_eq!(release(17), None);
    }

    #[test]
    fn programs_are_found_on_the_path_and_only_there() {
        assert!(find_on_path("sh").is_some());
        assert_eq!(find_on_path("surely-no-such-program"), None);
    }

    #[test]
    fn a_config_of_another_version_is_refused() {
        for llvm in Llvm::find_all() {
            let other = SUPPORTED.into_iter().find(|release| *release != llvm.release);
            assert_eq!(other.and_then(|release| Llvm::from_config(&llvm.config, release)), None);
        }
    }
}
