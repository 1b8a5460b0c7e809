//! Soundness by execution: random programs run over dual numbers, and what the analyses said of them beforehand is held
//! against what happened. See [`check`] for what contradicts what.
//!
//! `ENZYME_PROGRAMS` says how many programs are drawn, `ENZYME_SEED` from which seed on. A failure prints how to come
//! back to it, and the smallest program found that shows it.

mod check;
mod closed_forms;
mod differences;
#[path = "../shared/doubles.rs"]
mod doubles;
mod execution;
mod machine;
mod program;
mod search;
mod trace;
mod uses;
mod verdicts;

use std::sync::atomic::{AtomicUsize, Ordering};

use enzyme::activity::{self, DeclaredTypes, Extent};
use enzyme::program::Program;
use enzyme::types::{Options, StrictAliasing};

use program::{Contents, Kind};
use search::{Draw, Judge};
use verdicts::{ForwardPlans, FoundActivity, FoundTypes};

/// Few enough for a debug build; continuous integration asks for many more.
const PROGRAMS: usize = 150;

#[test]
fn nothing_that_carries_a_derivative_is_called_inactive_by_forward_plans() {
    let planned = AtomicUsize::new(0);
    let judge: Judge<'_> = &|module, _, execution| {
        let program = Program::from(module.clone());
        let mut plans = ForwardPlans::new(&program);
        let wrong = check::contradictions(module, &execution.trace, &mut plans);
        planned.fetch_add(plans.planned.into(), Ordering::Relaxed);
        wrong.iter().map(ToString::to_string).collect()
    };
    let draw = Draw::from_environment(PROGRAMS, Kind::TYPED);
    draw.expect_no_mistake(
        "nothing_that_carries_a_derivative_is_called_inactive_by_forward_plans",
        &draw.search(judge),
    );
    let planned = planned.into_inner();
    assert!(planned >= draw.programs / 20, "{planned} plans are too few to say anything");
}

#[test]
fn nothing_that_carries_a_derivative_is_called_inactive() {
    let judge: Judge<'_> = &|module, _, execution| {
        let program = Program::from(module.clone());
        let mut activity = FoundActivity::new(&program, &DeclaredTypes, activity::Options::default());
        let wrong = check::contradictions(module, &execution.trace, &mut activity);
        wrong.iter().map(ToString::to_string).collect()
    };
    let draw = Draw::from_environment(PROGRAMS, Kind::ANY);
    draw.expect_no_mistake("nothing_that_carries_a_derivative_is_called_inactive", &draw.search(judge));
}

#[test]
fn nothing_that_carries_a_derivative_is_called_inactive_where_types_are_known() {
    let judge: Judge<'_> = &|module, _, execution| {
        let program = Program::from(module.clone());
        let types = FoundTypes::analysed(&program, Options::default());
        let whole = activity::Options { extent: Extent::WholeModule, ..activity::Options::default() };
        let mut activity = FoundActivity::new(&program, &types, whole);
        let wrong = check::contradictions(module, &execution.trace, &mut activity);
        wrong.iter().map(ToString::to_string).collect()
    };
    let draw = Draw::from_environment(PROGRAMS, Kind::TYPED);
    draw.expect_no_mistake(
        "nothing_that_carries_a_derivative_is_called_inactive_where_types_are_known",
        &draw.search(judge),
    );
}

#[test]
fn no_byte_is_used_otherwise_than_type_analysis_says() {
    types_hold(
        "no_byte_is_used_otherwise_than_type_analysis_says",
        Contents::KeepTheirTypes,
        StrictAliasing::Yes,
    );
}

#[test]
fn no_byte_is_used_otherwise_than_type_analysis_says_of_memory_that_changes() {
    types_hold(
        "no_byte_is_used_otherwise_than_type_analysis_says_of_memory_that_changes",
        Contents::Change,
        StrictAliasing::No,
    );
}

fn types_hold(test: &str, memory: Contents, strict_aliasing: StrictAliasing) {
    let found = AtomicUsize::new(0);
    let judge: Judge<'_> = &|module, _, execution| {
        let program = Program::from(module.clone());
        let mut types = FoundTypes::new(&program, Options { strict_aliasing, ..Options::default() });
        let wrong = check::contradictions(module, &execution.trace, &mut types);
        found.fetch_add(types.found.into(), Ordering::Relaxed);
        wrong.iter().map(ToString::to_string).collect()
    };
    let kind = Kind { memory, ..Kind::TYPED };
    let draw = Draw::from_environment(PROGRAMS, kind);
    draw.expect_no_mistake(test, &draw.search(judge));
    let found = found.into_inner();
    assert!(found >= draw.programs / 2, "types of {found} programs are too few to say anything");
}
