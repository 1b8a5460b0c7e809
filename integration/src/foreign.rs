//! Running a suite that lives elsewhere, as it is.
//!
//! The suite is copied for every LLVM, because such tests write beside their sources; nothing is ever written
//! in the original. What leads out of its folder (`#include "../../x.h"` at its root) is not found in the copy.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use walkdir::WalkDir;

use crate::artifacts::Artifacts;
use crate::case::{Environment, Outcome, Policy, Status};
use crate::features;
use crate::llvm::Llvm;
use crate::report::{FolderTable, Record};
use crate::stage::{Launcher, Stage};
use crate::substitution::{Substitutions, Unknown, add_enzyme_names, add_programs};
use crate::suite::{SuiteError, TestFile, find_tests};

/// The memory that one process of a foreign test may have, in KiB: such tests can run away.
const MEMORY_LIMIT: u64 = 8 << 20;

/// What to ask of the tests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Checking {
    /// What they say.
    #[default]
    Full,
    /// What they say, with typed pointers in expected text rewritten to `ptr`.
    OpaqueText,
    /// Success of their commands, and valid IR where FileCheck would have looked.
    SuccessOnly,
}

/// What to run, and how.
#[derive(Debug, Clone)]
pub struct Options {
    /// The suite's root.
    pub suite: PathBuf,
    /// What to ask of the tests.
    pub checking: Checking,
    /// Only tests whose name contains one of these; all, if there are none.
    pub filters: Vec<String>,
    /// How many tests run at a time.
    pub jobs: usize,
    /// The limit for one test.
    pub time_limit: Duration,
}

/// What a run of a suite gave.
#[derive(Debug, Default)]
pub struct Results {
    /// Counts by folder.
    pub table: FolderTable,
    /// One record a test.
    pub records: Vec<Record>,
    /// Where the output of each test that failed is.
    pub logs: PathBuf,
}

/// A suite that cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum ForeignError {
    /// It cannot be read.
    #[error(transparent)]
    Suite(#[from] SuiteError),
    /// It cannot be copied.
    #[error("cannot copy the suite: {0}")]
    Copy(#[from] io::Error),
}

/// Told about the run as it goes on.
pub trait Observer: Sync {
    /// So many tests will run.
    fn started(&self, tests: usize);
    /// This one is done.
    fn finished(&self, name: &str, outcome: &Outcome);
}

/// Runs a suite with one LLVM.
pub fn run(
    options: &Options,
    llvm: &Llvm,
    artifacts: &Artifacts,
    launcher: &Launcher,
    observer: &dyn Observer,
) -> Result<Results, ForeignError> {
    let folders = Folders::create(&artifacts.root().join("foreign").join(llvm.major().to_string()))?;
    copy_tree(&options.suite, &folders.suite)?;
    let environment = environment(options, llvm, artifacts, launcher, &folders)?;
    let mut tests = find_tests(&folders.suite)?;
    let is_wanted = |test: &TestFile| {
        options.filters.is_empty() || options.filters.iter().any(|filter| test.name.contains(filter.as_str()))
    };
    tests.retain(is_wanted);
    observer.started(tests.len());
    let outcomes = run_all(&tests, &environment, options.jobs, observer);
    let mut results = Results { logs: folders.logs, ..Results::default() };
    for (test, outcome) in tests.iter().zip(outcomes) {
        results.table.add(&test.name, outcome.status);
        results.records.push(Record::new(&test.name, llvm.major(), &outcome));
        if matches!(outcome.status, Status::Failed | Status::TimedOut | Status::ExpectedFailure) {
            write_log(&results.logs, &test.name, &outcome)?;
        }
    }
    Ok(results)
}

fn run_all(
    tests: &[TestFile],
    environment: &Environment,
    jobs: usize,
    observer: &dyn Observer,
) -> Vec<Outcome> {
    let next = AtomicUsize::new(0);
    let outcomes: Mutex<Vec<(usize, Outcome)>> = Mutex::default();
    thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(|| {
                while let Some((index, test)) = take(tests, &next) {
                    let outcome = environment.run(test);
                    observer.finished(&test.name, &outcome);
                    outcomes.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push((index, outcome));
                }
            });
        }
    });
    let mut outcomes = outcomes.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    outcomes.sort_by_key(|(index, _)| *index);
    outcomes.into_iter().map(|(_, outcome)| outcome).collect()
}

fn take<'tests>(tests: &'tests [TestFile], next: &AtomicUsize) -> Option<(usize, &'tests TestFile)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    Some((index, tests.get(index)?))
}

fn environment(
    options: &Options,
    llvm: &Llvm,
    artifacts: &Artifacts,
    launcher: &Launcher,
    folders: &Folders,
) -> io::Result<Environment> {
    let mut substitutions = Substitutions::new(Unknown::Keep);
    add_programs(&mut substitutions, llvm, artifacts);
    add_enzyme_names(&mut substitutions, llvm, artifacts, &options.suite);
    if let Some(filecheck) = checker(options.checking, llvm, launcher) {
        let path = folders.programs.join("FileCheck");
        fs::write(&path, format!("#!/bin/sh\nexec {filecheck} \"$@\"\n"))?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
        substitutions.set("%FileCheck", path.display().to_string());
    }
    let mut path = OsString::from(&folders.programs);
    path.push(":");
    path.push(&llvm.programs);
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    Ok(Environment {
        llvm: llvm.clone(),
        features: features::detect(llvm, artifacts),
        substitutions,
        scratch: folders.scratch.clone(),
        time_limit: options.time_limit,
        memory_limit: Some(MEMORY_LIMIT),
        variables: vec![
            ("PATH", path),
            ("LD_LIBRARY_PATH", llvm.libraries.clone().into()),
            ("LC_ALL", "C.UTF-8".into()),
        ],
        policy: Policy::Foreign,
        rerun: format!("cargo xtask test --llvm {} --suite {}", llvm.major(), options.suite.display()),
    })
}

/// What stands in for FileCheck, if anything does.
fn checker(checking: Checking, llvm: &Llvm, launcher: &Launcher) -> Option<String> {
    let stand_in = |stage, program| {
        let path = llvm.tool(program)?;
        Some(launcher.command(stage, &format!("'{}'", path.display())))
    };
    match checking {
        Checking::Full => None,
        Checking::OpaqueText => stand_in(Stage::OpaqueFileCheck, "FileCheck"),
        Checking::SuccessOnly => stand_in(Stage::ValidIr, "opt"),
    }
}

/// The folders of one run, made anew.
struct Folders {
    suite: PathBuf,
    scratch: PathBuf,
    logs: PathBuf,
    programs: PathBuf,
}

impl Folders {
    fn create(root: &Path) -> io::Result<Self> {
        if root.exists() {
            fs::remove_dir_all(root)?;
        }
        let folder = |name: &str| root.join(name);
        let folders = Self {
            suite: folder("suite"),
            scratch: folder("scratch"),
            logs: folder("logs"),
            programs: folder("bin"),
        };
        [&folders.suite, &folders.scratch, &folders.logs, &folders.programs]
            .into_iter()
            .try_for_each(fs::create_dir_all)?;
        Ok(folders)
    }
}

fn copy_tree(from: &Path, to: &Path) -> io::Result<()> {
    for entry in WalkDir::new(from).follow_links(true) {
        let entry = entry?;
        let target = to.join(entry.path().strip_prefix(from).unwrap_or(entry.path()));
        if entry.file_type().is_dir() {
            fs::create_dir_all(target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

fn write_log(logs: &Path, name: &str, outcome: &Outcome) -> io::Result<()> {
    let path = logs.join(format!("{name}.log"));
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, &outcome.details)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llvm::SUPPORTED;
    use crate::report::Counts;

    /// A FileCheck that wants the one expected line, word for word.
    const FILECHECK: &str = "#!/bin/sh\ngrep -q -F \"$(sed -n 's/.*CHECK: //p' \"$1\")\"\n";

    struct Silent;

    impl Observer for Silent {
        fn started(&self, _tests: usize) {}
        fn finished(&self, _name: &str, _outcome: &Outcome) {}
    }

    fn write(root: &Path, file: &str, text: &str) {
        let path = root.join(file);
        fs::create_dir_all(path.parent().expect("a file in a folder")).expect("a folder");
        fs::write(&path, text).expect("a file");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("its mode");
    }

    fn run_suite(root: &Path, filters: &[&str]) -> Results {
        let llvm = Llvm {
            release: SUPPORTED[3],
            version: "22.1.8".into(),
            config: root.join("llvm/bin/llvm-config"),
            programs: root.join("llvm/bin"),
            libraries: root.join("llvm/lib"),
        };
        let options = Options {
            suite: root.join("suite"),
            checking: Checking::Full,
            filters: filters.iter().map(|filter| (*filter).to_owned()).collect(),
            jobs: 2,
            time_limit: Duration::from_secs(20),
        };
        let launcher = Launcher::current("stage").expect("a running program");
        let artifacts = Artifacts::at(root.join("artifacts"));
        run(&options, &llvm, &artifacts, &launcher, &Silent).expect("a suite that can be run")
    }

    #[test]
    fn a_suite_is_run_in_a_copy_and_counted_by_folder() {
        let root = std::env::temp_dir().join(format!("enzymers-foreign-{}", std::process::id()));
        write(&root, "llvm/bin/FileCheck", FILECHECK);
        write(
            &root,
            "suite/a/good.ll",
            "; RUN: echo one %unknown two | FileCheck %s\n; CHECK: one %unknown\n",
        );
        write(&root, "suite/a/bad.ll", "; RUN: echo one | %FileCheck %s\n; CHECK: two\n");
        write(&root, "suite/a/writes.c", "// RUN: echo x > %s.out && test -e %s.out\n");
        write(&root, "suite/b/old.ll", "; RUN: if [ %llvmver -lt 16 ]; then false; fi\n");
        write(&root, "suite/b/malformed.ll", "; RUN: if [ %llvmver -ge 15]; then false; fi\n");
        write(&root, "suite/b/mlir.mlir", "// RUN: %eopt %s\n");
        write(&root, "suite/b/fails.ll", "; XFAIL: *\n; RUN: false\n");

        let results = run_suite(&root, &[]);
        let expected = Counts {
            passed: 2,
            failed: 1,
            timed_out: 0,
            expected_failures: 1,
            unsupported: 1,
            nothing_ran: 2,
        };
        assert_eq!(results.table.total(), expected, "{:?}", results.records);
        assert!(results.logs.join("a/bad.ll.log").is_file());
        assert!(!root.join("suite/a/writes.c.out").exists(), "the original was written to");
        assert_eq!(run_suite(&root, &["a/good", "b/old"]).records.len(), 2);
        fs::remove_dir_all(root).expect("removing it");
    }
}
