//! Drawing programs until one shows a mistake, and making that one small.

use std::fmt::Write;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};

use enzyme::model::Module;

use crate::execution::{Execution, execute};
use crate::machine::Stop;
use crate::program::{Kind, Program, drawn, text};

/// What a test says of a program that ran: what is wrong, line by line.
pub(crate) type Judge<'a> = &'a (dyn Fn(&Module, &Program, &Execution) -> Vec<String> + Sync);

/// Which programs are drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Draw {
    pub(crate) seed: u64,
    pub(crate) programs: usize,
    pub(crate) kind: Kind,
}

/// What came of all programs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Found {
    /// Programs that ran to their end.
    pub(crate) ran: usize,
    /// Programs that did something without meaning, with one reason.
    pub(crate) discarded: usize,
    pub(crate) reason: Option<String>,
    /// The first program that shows a mistake, made small.
    pub(crate) mistake: Option<Mistake>,
}

/// A program that shows a mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mistake {
    /// Which of the programs it was.
    index: usize,
    /// The smallest program found, as IR.
    pub(crate) text: String,
    /// What is wrong in it.
    pub(crate) lines: Vec<String>,
    inputs: String,
}

/// Lines of a report that say what is wrong.
const MOST_LINES: usize = 8;

/// The interpreter follows calls on its own stack.
const STACK_SIZE: usize = 64 << 20;

impl Draw {
    /// As the environment asks for.
    pub(crate) fn from_environment(default_programs: usize, kind: Kind) -> Self {
        let number = |name: &str| {
            let text = std::env::var(name).ok()?;
            Some(text.parse::<u64>().unwrap_or_else(|_| panic!("{name} is not a number: {text}")))
        };
        Self {
            seed: number("ENZYME_SEED").unwrap_or(0),
            programs: number("ENZYME_PROGRAMS").map_or(default_programs, |programs| programs as usize),
            kind,
        }
    }

    /// Draws the programs, on all processors. What is found does not depend on their number.
    pub(crate) fn search(self, judge: Judge<'_>) -> Found {
        let threads = std::thread::available_parallelism().map_or(1, NonZero::get).min(self.programs.max(1));
        // Programs after the first mistake need not be looked at.
        let first_mistake = AtomicUsize::new(usize::MAX);
        let search = |thread: usize| {
            let mut found = Found::default();
            for index in (thread..self.programs).step_by(threads) {
                if index > first_mistake.load(Ordering::Relaxed) {
                    break;
                }
                self.look_at(index, judge, &mut found);
                if found.mistake.is_some() {
                    first_mistake.fetch_min(index, Ordering::Relaxed);
                    break;
                }
            }
            found
        };
        let search = &search;
        let parts: Vec<Found> = std::thread::scope(|scope| {
            let start = |thread| {
                let builder = std::thread::Builder::new().stack_size(STACK_SIZE);
                builder.spawn_scoped(scope, move || search(thread)).expect("a thread starts")
            };
            let handles: Vec<_> = (0..threads).map(start).collect();
            handles.into_iter().map(|handle| handle.join().expect("the search does not panic")).collect()
        });
        parts.into_iter().fold(Found::default(), Found::joined_with)
    }

    fn look_at(self, index: usize, judge: Judge<'_>, found: &mut Found) {
        let seed = self.seed.wrapping_add(index as u64);
        let program = drawn(self.kind, seed);
        match look(&program, judge) {
            Ok(lines) if lines.is_empty() => found.ran += 1,
            Ok(lines) => {
                found.ran += 1;
                let first = Mistake::new(index, &program, lines);
                found.mistake = Some(shrink(index, program, first, judge));
            }
            Err(stop) => {
                found.discarded += 1;
                found.reason = Some(format!("{stop:?}"));
            }
        }
    }

    /// Fails the test when there is a mistake, and says how to come back to it; also when too few programs ran.
    pub(crate) fn expect_no_mistake(self, test: &str, found: &Found) {
        if let Some(mistake) = &found.mistake {
            panic!("{}", mistake.report(test, self.seed));
        }
        assert!(
            found.discarded <= 1 + self.programs / 50,
            "{} of {} programs were discarded, one of them because of {:?}",
            found.discarded,
            self.programs,
            found.reason
        );
    }
}

impl Found {
    fn joined_with(mut self, other: Self) -> Self {
        self.ran += other.ran;
        self.discarded += other.discarded;
        self.reason = self.reason.or(other.reason);
        let first = |mistake: &Mistake| mistake.index;
        self.mistake = self.mistake.into_iter().chain(other.mistake).min_by_key(first);
        self
    }
}

impl Mistake {
    fn new(index: usize, program: &Program, lines: Vec<String>) -> Self {
        Self { index, text: text(program), lines, inputs: format!("{:?}", program.inputs) }
    }

    fn report(&self, test: &str, seed: u64) -> String {
        let mut report = String::from("a verdict is contradicted by what happened:\n");
        for line in self.lines.iter().take(MOST_LINES) {
            let _ = writeln!(report, "  {line}");
        }
        if self.lines.len() > MOST_LINES {
            let _ = writeln!(report, "  and {} more", self.lines.len() - MOST_LINES);
        }
        let _ = writeln!(report, "\nthe smallest program found:\n{}", self.text);
        let _ = writeln!(report, "called with {}\n", self.inputs);
        let _ = writeln!(report, "program {} of seed {seed}; to run it again:", self.index);
        let seed = seed.wrapping_add(self.index as u64);
        let _ = write!(
            report,
            "  ENZYME_SEED={seed} ENZYME_PROGRAMS=1 cargo test -p enzyme --test soundness {test}"
        );
        report
    }
}

/// Runs a program and asks the judge.
fn look(program: &Program, judge: Judge<'_>) -> Result<Vec<String>, Stop> {
    let text = text(program);
    let module = Module::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let execution = execute(&module, &program.inputs, 0.0)?;
    Ok(judge(&module, program, &execution))
}

/// The smallest program found, by taking it apart, that still shows a mistake.
fn shrink(index: usize, mut program: Program, first: Mistake, judge: Judge<'_>) -> Mistake {
    let mistake_of = |program: &Program| {
        let lines = look(program, judge).unwrap_or_default();
        (!lines.is_empty()).then(|| Mistake::new(index, program, lines))
    };
    let mut smallest = first;
    loop {
        let next = program.smaller().find_map(|smaller| Some((mistake_of(&smaller)?, smaller)));
        match next {
            Some((mistake, smaller)) => (program, smallest) = (smaller, mistake),
            None => return smallest,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRAW: Draw = Draw { seed: 3, programs: 12, kind: Kind::ANY };

    #[test]
    fn the_same_seed_draws_the_same_programs() {
        let judge: Judge<'_> = &|module, _, execution| {
            let size: usize = module.functions.iter().map(|function| function.insts.len()).sum();
            if size > 60 && execution.tangent != 0.0 {
                vec![format!("{size} instructions")]
            } else {
                Vec::new()
            }
        };
        let found = DRAW.search(judge);
        assert!(found.mistake.is_some(), "{found:?}");
        assert_eq!(DRAW.search(judge).mistake, found.mistake);
    }

    #[test]
    fn a_mistake_can_be_come_back_to_by_its_own_seed() {
        let judge: Judge<'_> = &|module, _, _| {
            let calls = module.functions.len();
            if calls > 2 { vec![format!("{calls} functions")] } else { Vec::new() }
        };
        let mistake = DRAW.search(judge).mistake.expect("some program has three functions");
        let again = Draw { seed: DRAW.seed + mistake.index as u64, programs: 1, ..DRAW };
        assert_eq!(again.search(judge).mistake, Some(Mistake { index: 0, ..mistake.clone() }));
        let report = mistake.report("some_test", DRAW.seed);
        assert!(report.contains(&format!("ENZYME_SEED={}", DRAW.seed + mistake.index as u64)), "{report}");
        assert!(report.contains("define double @f("), "{report}");
    }
}
