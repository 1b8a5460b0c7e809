//! What the analyses cost on programs of growing size: `cargo xtask bench analysis`.
//!
//! For each family of programs and each size: the median time of several runs, the spread, and how the time compares
//! with N log N of the smallest size. A ratio that stays near or below 1 is a curve that grows no faster.

#![allow(clippy::print_stdout, reason = "a benchmark talks to the person who runs it")]

#[path = "../tests/types/shapes.rs"]
mod shapes;

use std::time::{Duration, Instant};

use enzyme::activity::{self, AnalysedTypes, ArgumentActivity, ResultActivity};
use enzyme::memory::Memory;
use enzyme::model::Module;
use enzyme::program::{FunctionId, Program};
use enzyme::types::{Analyser, CallTypes, Options};

use shapes::{CALLS, FUNCTIONS, Family, TABLES};

/// How often each program is analysed.
const RUNS: usize = 7;

fn main() {
    println!("{:<36} {:>9} {:>12} {:>8} {:>22}", "types", "size", "median", "spread", "against N log N");
    FUNCTIONS.iter().for_each(|family| curve(family, &[1_000, 4_000, 16_000], Growth::NearLinear, types));
    TABLES.iter().for_each(|family| curve(family, &[100, 10_000, 1_000_000], Growth::None, types));
    CALLS.iter().for_each(|family| curve(family, &[10, 100, 1_000], Growth::NearLinear, types));
    println!(
        "\n{:<36} {:>9} {:>12} {:>8} {:>22}",
        "types, activity", "size", "median", "spread", "against N log N"
    );
    FUNCTIONS.iter().for_each(|family| curve(family, &[1_000, 4_000, 16_000], Growth::NearLinear, activity));
    println!("\n{:<36} {:>9} {:>12} {:>8} {:>22}", "memory", "size", "median", "spread", "against N log N");
    FUNCTIONS.iter().for_each(|family| curve(family, &[1_000, 4_000, 16_000], Growth::NearLinear, memory));
}

/// What the time is compared with.
#[derive(Clone, Copy)]
enum Growth {
    NearLinear,
    None,
}

fn curve(family: &Family, sizes: &[usize], growth: Growth, analyse: fn(&Program, FunctionId)) {
    let mut unit: Option<f64> = None;
    for &size in sizes {
        let text = family.1(size);
        let module: Module = text.parse().unwrap_or_else(|error| panic!("{}: {error}", family.0));
        let program = Program::from(module);
        let Some((root, _)) = program.iter().next() else { continue };
        let mut times: Vec<Duration> = (0..RUNS)
            .map(|_| {
                let start = Instant::now();
                analyse(&program, root);
                start.elapsed()
            })
            .collect();
        times.sort_unstable();
        let median = times[RUNS / 2].as_secs_f64();
        let spread = (times[RUNS - 1] - times[0]).as_secs_f64() / median;
        let n = size as f64;
        let expected = match growth {
            Growth::NearLinear => n * n.log2(),
            Growth::None => 1.0,
        };
        let per_unit = median / expected;
        let ratio = per_unit / *unit.get_or_insert(per_unit);
        println!(
            "{:<36} {size:>9} {:>9.3} ms {:>7.0}% {ratio:>22.2}",
            family.0,
            median * 1e3,
            spread * 100.0
        );
    }
}

fn types(program: &Program, root: FunctionId) {
    let mut analyser = Analyser::new(program, Options::default());
    analyser.analyse(root, CallTypes::default()).unwrap_or_else(|error| panic!("{error}"));
}

fn activity(program: &Program, root: FunctionId) {
    let mut types = Analyser::new(program, Options::default());
    types.analyse(root, CallTypes::default()).unwrap_or_else(|error| panic!("{error}"));
    let types = AnalysedTypes::of(&types);
    let mut analyser = activity::Analyser::new(program, &types, activity::Options::default());
    let arguments = vec![ArgumentActivity::Duplicated; program[root].parameters.len()];
    let found = analyser.activity(root, &arguments, ResultActivity::Active);
    assert!(found.visits() > 0, "something was looked at");
}

fn memory(program: &Program, _: FunctionId) {
    assert!(Memory::of(program).steps() > 0, "something was looked at");
}
