//! Which LLVMs a command is about.

use std::str::FromStr;

use anyhow::{Context, Result, anyhow};
use integration::llvm::{Llvm, Release, SUPPORTED, release};

/// The value of `--llvm`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum LlvmChoice {
    /// The newest that is installed; if there is none, the newest that is supported.
    #[default]
    Newest,
    /// Every supported one.
    All,
    /// These.
    These(Vec<Release>),
}

impl FromStr for LlvmChoice {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        if text == "all" {
            return Ok(Self::All);
        }
        let releases: Result<Vec<_>> = text.split(',').map(parse_release).collect();
        Ok(Self::These(releases?))
    }
}

impl LlvmChoice {
    /// The releases that are meant, on this machine.
    pub(crate) fn releases(&self) -> Vec<Release> {
        match self {
            Self::Newest => vec![Llvm::find_all().last().map_or(newest_supported(), |llvm| llvm.release)],
            Self::All => SUPPORTED.to_vec(),
            Self::These(releases) => releases.clone(),
        }
    }

    /// The installations that are meant; it is an error if one is missing.
    pub(crate) fn installed(&self) -> Result<Vec<Llvm>> {
        let find = |release: Release| {
            let major = release.major;
            Llvm::find(release)
                .with_context(|| format!("LLVM {major} is not installed: cargo xtask setup --llvm {major}"))
        };
        self.releases().into_iter().map(find).collect()
    }
}

fn newest_supported() -> Release {
    let [.., newest] = SUPPORTED;
    newest
}

fn parse_release(text: &str) -> Result<Release> {
    let known = || SUPPORTED.map(|release| release.major.to_string()).join(", ");
    let major = text.trim().parse().ok();
    major.and_then(release).ok_or_else(|| anyhow!("`{text}` is not one of {}, or all", known()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_listed_or_all_of_them() {
        assert_eq!("all".parse::<LlvmChoice>().expect("a choice"), LlvmChoice::All);
        let both = "15,22".parse::<LlvmChoice>().expect("a choice");
        assert_eq!(both.releases().iter().map(|release| release.major).collect::<Vec<_>>(), [15, 22]);
        let error = "15,17".parse::<LlvmChoice>().expect_err("17 is not supported");
        assert_eq!(error.to_string(), "`17` is not one of 15, 16, 19, 22, or all");
    }
}
