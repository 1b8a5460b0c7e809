//! Drawing programs until one is differentiated wrongly, and making that one small.

use std::collections::BTreeMap;
use std::fmt::Write;

use enzyme::model::Module;

use crate::batch::{Case, Mode, Width};
use crate::driver::{Printed, What};
use crate::execution::{Execution, execute};
use crate::mistakes::{Mistake, mistakes, of_other_keeping};
use crate::program::{FloatTypes, Kind, Program, drawn, text};
use crate::toolchain::{Compiled, Keeping, Toolchain};

/// Programs in one module.
const BATCH: usize = 50;

/// Lines of a report that say what is wrong.
const MOST_LINES: usize = 8;

/// Which programs are drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Draw {
    pub(crate) seed: u64,
    pub(crate) programs: usize,
}

/// What came of the programs so far.
#[derive(Debug, Default)]
struct Found {
    compared: usize,
    with_tangents: usize,
    /// Programs that do something without meaning, or that the interpreter does not know.
    discarded: usize,
    /// The programs that the plugin refused, by reason.
    refused: BTreeMap<String, Vec<u64>>,
}

impl Draw {
    /// An eighth of the programs, for each index from another quarter of them.
    pub(crate) fn part(self, index: usize) -> Self {
        let first = index * self.programs.div_ceil(4);
        Self { seed: self.seed.wrapping_add(first as u64), programs: self.programs.div_ceil(8) }
    }

    /// Draws the programs, compiles and runs them; fails with the first that is differentiated wrongly, made small.
    pub(crate) fn check(self, toolchain: &Toolchain) -> Result<(), String> {
        let mut found = Found::default();
        let seeds: Vec<u64> = (0..self.programs as u64).map(|index| self.seed.wrapping_add(index)).collect();
        for (index, seeds) in seeds.chunks(BATCH).enumerate() {
            let cases: Vec<Case> = seeds.iter().map(|&seed| case_of(seed, toolchain.mode)).collect();
            if let Some((case, mistake)) =
                check_batch(toolchain, &format!("batch{index}"), cases, &mut found)?
            {
                return Err(report(toolchain, shrink(toolchain, case, mistake)));
            }
        }
        eprintln!("{}", found.summary(toolchain));
        found.says_something(self.programs)
    }
}

impl Found {
    fn summary(&self, toolchain: &Toolchain) -> String {
        let refused: usize = self.refused.values().map(Vec::len).sum();
        let mut text = format!(
            "{toolchain}: {} programs compared, {} of them with tangents that are not zero; {} without meaning; {refused} refused",
            self.compared, self.with_tangents, self.discarded
        );
        for (reason, seeds) in &self.refused {
            let _ = write!(text, "\n  {:4} {reason} (first: {})", seeds.len(), seeds[0]);
        }
        text
    }

    /// Too few programs that could be compared would let everything pass.
    fn says_something(&self, drawn: usize) -> Result<(), String> {
        if 2 * self.compared >= drawn && 3 * self.with_tangents >= drawn {
            return Ok(());
        }
        Err(format!(
            "only {} of {drawn} programs were compared, {} with tangents that are not zero",
            self.compared, self.with_tangents
        ))
    }
}

/// Runs some derivatives under valgrind, as many as fit one module.
pub(crate) fn check_memory(toolchain: &Toolchain, seed: u64) -> Result<(), String> {
    let drawn = (0..BATCH as u64).map(|index| case_of(seed.wrapping_add(index), toolchain.mode));
    let mut cases: Vec<Case> = drawn.filter(|case| interpreted(&case.program).is_some()).collect();
    while !cases.is_empty() {
        match toolchain.compile("valgrind", &cases, Keeping::Cheapest)? {
            Compiled::Program(program) => return toolchain.check_memory(&program),
            Compiled::Refused(refused) => cases.retain(|case| !refused.contains_key(&case.seed)),
        }
    }
    Err("every program is refused".to_owned())
}

/// The program of a seed: every other one in double precision alone, every other one along several directions.
fn case_of(seed: u64, mode: Mode) -> Case {
    let floats = if (seed / 2).is_multiple_of(2) { FloatTypes::Doubles } else { FloatTypes::All };
    let width = if seed.is_multiple_of(2) { Width::One } else { mode.several() };
    Case { seed, program: drawn(Kind { floats, ..Kind::TYPED }, seed), mode, width }
}

fn interpreted(program: &Program) -> Option<Execution> {
    let text = text(program);
    let module = Module::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    execute(&module, &program.inputs, 0.0).ok()
}

/// Compiles and runs programs; gives the first that is differentiated wrongly.
fn check_batch(
    toolchain: &Toolchain,
    name: &str,
    drawn: Vec<Case>,
    found: &mut Found,
) -> Result<Option<(Case, Mistake)>, String> {
    let mut cases = Vec::new();
    let mut executions = Vec::new();
    for case in drawn {
        match interpreted(&case.program) {
            Some(execution) => {
                executions.push((case.seed, execution));
                cases.push(case);
            }
            None => found.discarded += 1,
        }
    }
    let program = loop {
        if cases.is_empty() {
            return Ok(None);
        }
        match toolchain.compile(name, &cases, Keeping::Cheapest)? {
            Compiled::Program(program) => break program,
            Compiled::Refused(refused) => {
                cases.retain(|case| !refused.contains_key(&case.seed));
                for (seed, reason) in refused {
                    found.refused.entry(in_general(&reason)).or_default().push(seed);
                }
            }
        }
    };
    let primal = toolchain.run(&program, What::Primal)?;
    let derivative = toolchain.run(&program, What::Derivative)?;
    let others = match toolchain.mode {
        Mode::Forward => Vec::new(),
        Mode::Reverse => vec![with_other_keeping(toolchain, name, &cases)?],
    };
    let executions: BTreeMap<u64, Execution> = executions.into_iter().collect();
    for case in cases {
        let seed = case.seed;
        let mistake = match (primal.numbers.get(&seed), derivative.numbers.get(&seed)) {
            (Some(primal), Some(derivative)) => {
                let mut mistake = mistakes(&case, &executions[&seed], primal, derivative);
                for (keeping, other) in &others {
                    let other = other.numbers.get(&seed).map(Vec::as_slice);
                    mistake.extend(of_other_keeping(*keeping, derivative, other));
                }
                mistake
            }
            (None, _) if primal.interrupted == Some(seed) => {
                return Err(format!("the program {seed} does not run to its end:\n{}", text(&case.program)));
            }
            (Some(_), None) if derivative.interrupted == Some(seed) && derivative.refusal.is_some() => {
                let reason = "when it runs: a function behind a pointer has no derivative".to_owned();
                found.refused.entry(reason).or_default().push(seed);
                continue;
            }
            (Some(_), None) if derivative.interrupted == Some(seed) => {
                vec!["the derivative does not run to its end".to_owned()]
            }
            // It was not reached.
            (_, _) => continue,
        };
        if !mistake.is_empty() {
            return Ok(Some((case, mistake)));
        }
        found.compared += 1;
        let has_tangent = executions[&seed].outputs.iter().any(|output| output.tangent != 0.0);
        found.with_tangents += usize::from(has_tangent);
    }
    Ok(None)
}

/// What derivatives leave behind that keep other values: it should be the same. All values and as few as possible take
/// turns, so that at two levels of optimisation each program sees both.
fn with_other_keeping(
    toolchain: &Toolchain,
    name: &str,
    cases: &[Case],
) -> Result<(Keeping, Printed), String> {
    let first = cases.first().map_or(0, |case| case.seed);
    let is_even = (first / BATCH as u64).is_multiple_of(2);
    let keeping = if is_even == toolchain.is_optimising() { Keeping::Everything } else { Keeping::Least };
    match toolchain.compile(name, cases, keeping)? {
        Compiled::Program(program) => Ok((keeping, toolchain.run(&program, What::Derivative)?)),
        Compiled::Refused(refused) => {
            Err(format!("{keeping:?} kept, these are refused that otherwise are not: {refused:?}"))
        }
    }
}

/// An error without what is different in each program.
fn in_general(error: &str) -> String {
    let message = error.rsplit("error: ").next().unwrap_or(error);
    let message = message.split_once("): ").map_or(message, |(_, reason)| reason);
    let parts = message.split('`').enumerate();
    parts.map(|(index, part)| if index % 2 == 0 { part } else { "`…`" }).collect()
}

/// The smallest program found, by taking it apart, that still shows a mistake.
fn shrink(toolchain: &Toolchain, mut case: Case, mut mistake: Mistake) -> (Case, Mistake) {
    let check = |case: &Case| {
        check_batch(toolchain, "smaller", vec![case.clone()], &mut Found::default()).ok().flatten()
    };
    loop {
        let narrower = Case { width: Width::One, ..case.clone() };
        let narrower = (case.width != Width::One).then_some(narrower);
        let smaller = case.program.smaller().map(|program| Case { program, ..case.clone() });
        let next = narrower.into_iter().chain(smaller).find_map(|smaller| check(&smaller));
        match next {
            Some((smaller, its_mistake)) => (case, mistake) = (smaller, its_mistake),
            None => return (case, mistake),
        }
    }
}

fn report(toolchain: &Toolchain, (case, mistake): (Case, Mistake)) -> String {
    let mut report = String::from("a program is differentiated wrongly:\n");
    for line in mistake.iter().take(MOST_LINES) {
        let _ = writeln!(report, "  {line}");
    }
    if mistake.len() > MOST_LINES {
        let _ = writeln!(report, "  and {} more", mistake.len() - MOST_LINES);
    }
    let _ = writeln!(report, "\nthe smallest program found:\n{}", text(&case.program));
    let _ = writeln!(report, "called with {:?}, {:?}\n\nto run it again:", case.program.inputs, case.width);
    let _ = write!(
        report,
        "  ENZYME_SEED={} ENZYME_COMPILED_PROGRAMS=1 cargo xtask test --llvm {} {}",
        case.seed,
        toolchain.major,
        toolchain.trial()
    );
    report
}
