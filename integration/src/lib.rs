//! The test harness: finds the tests in `test-suite`, runs each once for every LLVM that a plugin
//! was built for, and reports.
//!
//! A test is a source file with `RUN:` lines in its comments, in the manner of LLVM's own `lit`; see
//! `integration/README.md` for the directives, substitutions and features. The parts, in the order in
//! which a test meets them:
//!
//! | module | job |
//! |---|---|
//! | [`llvm`], [`artifacts`] | what is installed on the machine, what this workspace has built |
//! | [`suite`] | walk the folders, read each file's [`directive`]s |
//! | [`condition`], [`features`] | decide whether a test applies here |
//! | [`substitution`], [`script`] | turn its `RUN:` lines into one shell script |
//! | [`process`], [`case`] | run that under a time limit and judge it |
//! | [`report`] | totals, tables, JSON |
//! | [`foreign`], [`opaque`] | run a suite that lives elsewhere, unmodified |
//! | [`stage`] | the small programs that stand in a test's pipelines |
//! | [`installation`] | lay out an installed tree, for `cargo xtask install` and its tests |

pub mod artifacts;
pub mod case;
pub mod condition;
pub mod directive;
pub mod features;
pub mod foreign;
pub mod installation;
pub mod llvm;
pub mod opaque;
pub mod process;
pub mod report;
pub mod script;
pub mod stage;
pub mod substitution;
pub mod suite;

use std::path::{Path, PathBuf};

/// The root folder of the workspace this crate was compiled in.
pub fn workspace_root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).to_path_buf()
}
