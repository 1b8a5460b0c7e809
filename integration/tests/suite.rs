//! Runs `test-suite`, once for each LLVM that a plugin has been built for.
//!
//! The arguments are those of cargo's own harness. What it has no argument for comes by environment
//! variables, which `cargo xtask test` sets:
//!
//! | variable | meaning |
//! |---|---|
//! | `ENZYME_TEST_LLVM=19,22` | only these LLVMs |
//! | `ENZYME_TEST_ONLY=a.c,forward/` | only tests whose name contains one of these |
//! | `ENZYME_TEST_TIME_LIMIT=120` | seconds that a test may take which sets no limit itself |
//! | `ENZYME_TEST_REPORT=FILE` | write the report as JSON |
//! | `ENZYME_TEST_SANITIZE=address` | programs are compiled with this sanitizer; tests that look at output may fail |
//! | `ENZYME_TEST_BLESS=1` | write expected output instead of comparing with it; newest LLVM only |

use std::collections::BTreeSet;
use std::env;
use std::error::Error;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use integration::artifacts::Artifacts;
use integration::case::{Environment, Outcome, Policy, Status};
use integration::features;
use integration::llvm::{self, Llvm};
use integration::report::{Record, Report};
use integration::stage::{self, BLESS_VARIABLE, Launcher, Stage};
use integration::substitution::{SOURCE, Substitutions, Unknown, add_plugin, add_programs, lld_load};
use integration::suite::{TestFile, find_tests};
use integration::workspace_root;
use libtest_mimic::{Arguments, Completion, Failed, Trial};

/// The limit of a test that sets none.
const DEFAULT_TIME_LIMIT: Duration = Duration::from_secs(60);
/// How much longer than that a test may take with a sanitizer.
const SANITIZED: u32 = 5;

/// The first argument that makes this program one of its own stages.
const STAGE_ARGUMENT: &str = "--stage";

type Records = Arc<Mutex<Vec<Record>>>;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if let Some((first, rest)) = arguments.split_first()
        && first == STAGE_ARGUMENT
    {
        return stage::run(rest);
    }
    run_suite().unwrap_or_else(|error| {
        eprintln!("error: {error}");
        ExitCode::from(2)
    })
}

fn run_suite() -> Result<ExitCode, Box<dyn Error>> {
    let arguments = Arguments::from_args();
    let artifacts = Artifacts::of_workspace();
    let environments = environments(&artifacts)?;
    let mut tests = find_tests(&workspace_root().join("test-suite"))?;
    if let Ok(only) = env::var("ENZYME_TEST_ONLY") {
        tests.retain(|test| only.split(',').any(|part| test.name.contains(part)));
    }
    let records = Records::default();
    let mut trials = Vec::new();
    for environment in environments.into_iter().map(Arc::new) {
        trials.extend(tests.iter().map(|test| trial(test.clone(), &environment, &records)));
    }
    let conclusion = libtest_mimic::run(&arguments, trials);
    if let Some(path) = env::var_os("ENZYME_TEST_REPORT")
        && !arguments.list
    {
        let records = std::mem::take(&mut *records.lock().unwrap_or_else(|poisoned| poisoned.into_inner()));
        Report::new(records).write(Path::new(&path))?;
    }
    Ok(conclusion.exit_code())
}

fn trial(test: TestFile, environment: &Arc<Environment>, records: &Records) -> Trial {
    let name = format!("{}::{}", environment.llvm.major(), test.name);
    let (environment, records) = (environment.clone(), records.clone());
    Trial::ignorable_test(name, move || {
        let outcome = environment.run(&test);
        let record = Record::new(&test.name, environment.llvm.major(), &outcome);
        records.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(record);
        completion(outcome)
    })
}

fn completion(outcome: Outcome) -> Result<Completion, Failed> {
    match outcome.status {
        Status::Passed | Status::ExpectedFailure => Ok(Completion::Completed),
        Status::Unsupported | Status::NothingRan => {
            Ok(Completion::ignored_with(outcome.reason.unwrap_or_default()))
        }
        Status::Failed | Status::TimedOut => Err(outcome.details.into()),
    }
}

/// One environment for each LLVM that was asked for, or that a plugin has been built for.
fn environments(artifacts: &Artifacts) -> Result<Vec<Environment>, Box<dyn Error>> {
    let built = artifacts.built();
    let mut wanted = match env::var("ENZYME_TEST_LLVM") {
        Ok(list) => list.split(',').map(|major| major.trim().parse()).collect::<Result<Vec<u32>, _>>()?,
        Err(_) => built.clone(),
    };
    if wanted.is_empty() {
        eprintln!(
            "note: no plugin has been built, so there is nothing to test; `cargo xtask build` builds one"
        );
    }
    let bless = env::var_os(BLESS_VARIABLE).is_some();
    if bless {
        wanted = wanted.into_iter().max().into_iter().collect();
    }
    let mut environments = Vec::new();
    for major in wanted {
        let release = llvm::release(major).ok_or_else(|| format!("LLVM {major} is not supported"))?;
        if !built.contains(&major) {
            return Err(format!(
                "the plugin for LLVM {major} is not built: cargo xtask build --llvm {major}"
            )
            .into());
        }
        let found = Llvm::find(release);
        let llvm = found
            .ok_or_else(|| format!("LLVM {major} is not installed: cargo xtask setup --llvm {major}"))?;
        environments.push(environment(llvm, artifacts)?);
    }
    Ok(environments)
}

fn environment(llvm: Llvm, artifacts: &Artifacts) -> Result<Environment, Box<dyn Error>> {
    let launcher = Launcher::current(STAGE_ARGUMENT)?;
    let major = llvm.major();
    let mut substitutions = Substitutions::new(Unknown::Reject);
    add_programs(&mut substitutions, &llvm, artifacts);
    add_plugin(&mut substitutions, &llvm, artifacts);
    let mut features = features::detect(&llvm, artifacts);
    let mut variables = variables(&llvm);
    if let Ok(sanitizer) = env::var("ENZYME_TEST_SANITIZE") {
        for (name, program) in [("%clang", "clang"), ("%clang++", "clang++")] {
            let options = format!(" -g -fno-omit-frame-pointer -fsanitize={sanitizer}");
            substitutions.set_program(name, llvm.tool(program), &options);
        }
        // Tests may ask for more than there is, and for an alignment that cannot be.
        let strict = "detect_leaks=1:detect_stack_use_after_return=1:allocator_may_return_null=1";
        variables.push(("ASAN_OPTIONS", strict.into()));
        features.insert(features::SANITIZER.to_owned());
        // Before the linker differentiates, the compiler would have put the sanitizer's own code in.
        let plugin = artifacts.plugin(major).display().to_string();
        substitutions.set("%lldEnzyme", format!("{} -fno-sanitize=all", lld_load(&plugin)));
    }
    substitutions
        .set("%diff-expected", launcher.command(Stage::DiffExpected, &format!("'{SOURCE}' {major}")));
    substitutions.set("%install", launcher.command(Stage::Install, ""));
    substitutions.set("%stage", launcher.prefix());
    substitutions.set("%root", workspace_root().display().to_string());
    Ok(Environment {
        features,
        scratch: artifacts.root().join("scratch").join(major.to_string()),
        time_limit: time_limit()?,
        memory_limit: None,
        variables,
        policy: Policy::Own,
        rerun: format!("cargo xtask test --llvm {major}"),
        substitutions,
        llvm,
    })
}

fn time_limit() -> Result<Duration, Box<dyn Error>> {
    match env::var("ENZYME_TEST_TIME_LIMIT") {
        Ok(seconds) => Ok(Duration::from_secs(seconds.parse()?)),
        Err(_) if env::var_os("ENZYME_TEST_SANITIZE").is_some() => Ok(SANITIZED * DEFAULT_TIME_LIMIT),
        Err(_) => Ok(DEFAULT_TIME_LIMIT),
    }
}

/// The LLVM's programs come first, and cargo's library path is of no use to them.
fn variables(llvm: &Llvm) -> Vec<(&'static str, OsString)> {
    let mut folders: Vec<PathBuf> = vec![llvm.programs.clone()];
    folders.extend(env::split_paths(&env::var_os("PATH").unwrap_or_default()));
    let mut seen = BTreeSet::new();
    folders.retain(|folder| seen.insert(folder.clone()));
    let path = env::join_paths(folders).unwrap_or_default();
    vec![("PATH", path), ("LD_LIBRARY_PATH", OsString::new()), ("LC_ALL", "C.UTF-8".into())]
}
