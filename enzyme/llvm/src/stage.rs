//! Which stage of the work is on, and what becomes of a panic in it.
//!
//! A panic must not leave Rust: it would abort the compiler that hosts the plugin. [`catch`] makes a value of it,
//! which the pass reports as one diagnostic.
//!
//! Stages are also what LLVM's time profiler shows of the work (`clang -ftime-trace`, `opt -time-trace`), as
//! `EnzymeRS <stage>` with the function.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::Once;

use crate::ffi::TimeTraceScope;

/// The stages that one derivative goes through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Finding out what the module asks for.
    Frontend,
    /// Bringing the function into one canonical form.
    Prepare,
    /// Reading it into the model.
    Read,
    /// Type analysis.
    Types,
    /// Activity analysis.
    Activity,
    /// Deciding.
    Plan,
    /// Writing the derivative.
    Write,
    /// Cleaning the derivative up.
    Tidy,
    /// Verifying it.
    Verify,
    /// Printing what an analysis found out.
    Report,
}

impl Stage {
    /// Every stage, in order.
    pub const ALL: [Stage; 10] = [
        Stage::Frontend,
        Stage::Prepare,
        Stage::Read,
        Stage::Types,
        Stage::Activity,
        Stage::Plan,
        Stage::Write,
        Stage::Tidy,
        Stage::Verify,
        Stage::Report,
    ];

    /// The name that messages and `-enzyme-debug-panic` use.
    pub const fn name(self) -> &'static str {
        match self {
            Stage::Frontend => "frontend",
            Stage::Prepare => "prepare",
            Stage::Read => "read",
            Stage::Types => "types",
            Stage::Activity => "activity",
            Stage::Plan => "plan",
            Stage::Write => "write",
            Stage::Tidy => "tidy",
            Stage::Verify => "verify",
            Stage::Report => "report",
        }
    }

    /// The name that LLVM's time profiler shows.
    fn entry(self) -> String {
        format!("EnzymeRS {}", self.name())
    }

    /// The stage of that name.
    pub fn named(name: &str) -> Option<Stage> {
        Stage::ALL.into_iter().find(|stage| stage.name() == name)
    }
}

/// Where the work stands: a stage, and the function it is at work on.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Position {
    stage: Stage,
    function: Option<String>,
}

/// A panic that was caught.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Panic {
    message: String,
    /// Where in EnzymeRS.
    place: Option<String>,
    position: Option<Position>,
}

impl Panic {
    /// The function that was being worked on.
    pub(crate) fn function(&self) -> Option<&str> {
        self.position.as_ref()?.function.as_deref()
    }
}

impl fmt::Display for Panic {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "internal error in EnzymeRS, please report: {}", self.message)?;
        if let Some(Position { stage, function }) = &self.position {
            write!(formatter, "\n  note: in stage `{}`", stage.name())?;
            if let Some(function) = function {
                write!(formatter, " of function `{function}`")?;
            }
        }
        match &self.place {
            Some(place) => write!(formatter, "\n  note: at {place}"),
            None => Ok(()),
        }
    }
}

thread_local! {
    static POSITION: RefCell<Option<Position>> = const { RefCell::new(None) };
    static PROVOKED: Cell<Option<Stage>> = const { Cell::new(None) };
    static CATCHING: Cell<bool> = const { Cell::new(false) };
    static CAUGHT: RefCell<Option<Panic>> = const { RefCell::new(None) };
}

/// Does the work of a stage on a function (`None`: on the module as a whole). A panic inside is reported with
/// both.
pub(crate) fn during<T>(stage: Stage, function: Option<&str>, work: impl FnOnce() -> T) -> T {
    let position = Position { stage, function: function.map(str::to_owned) };
    let outer = POSITION.replace(Some(position));
    assert!(PROVOKED.get() != Some(stage), "this panic was asked for by -enzyme-debug-panic");
    let result = {
        let _timed = TimeTraceScope::new(|| stage.entry(), function.unwrap_or_default());
        work()
    };
    // Not reached by a panic, which thereby finds the innermost position.
    POSITION.set(outer);
    result
}

/// Does work that may panic; `provoked` names the stage that shall, for tests.
pub(crate) fn catch<T>(provoked: Option<Stage>, work: impl FnOnce() -> T) -> Result<T, Panic> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| match CATCHING.get() {
            true => CAUGHT.set(Some(describe(info))),
            false => previous(info),
        }));
    });

    PROVOKED.set(provoked);
    let outer = CATCHING.replace(true);
    // After a panic nothing of what the work touched is used again, but the module, which `Rollback` mended.
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    CATCHING.set(outer);
    PROVOKED.set(None);
    let position = POSITION.take();

    result.map_err(|_| {
        let message =
            || Panic { message: "a panic without a message".to_owned(), place: None, position: None };
        Panic { position, ..CAUGHT.take().unwrap_or_else(message) }
    })
}

fn describe(info: &PanicHookInfo<'_>) -> Panic {
    Panic {
        message: info.payload_as_str().unwrap_or("a panic without a message").to_owned(),
        place: info.location().map(ToString::to_string),
        position: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_tells_its_stage_and_function() {
        let panic = catch(None, || {
            during(Stage::Prepare, None, || {});
            during(Stage::Write, Some("f"), || panic!("no such value"))
        })
        .map(|(): ()| ())
        .unwrap_err();
        let text = panic.to_string();
        assert!(text.starts_with("internal error in EnzymeRS, please report: no such value\n"), "{text}");
        assert!(text.contains("in stage `write` of function `f`"), "{text}");
        assert!(text.contains("stage.rs:"), "{text}");
        assert_eq!(panic.function(), Some("f"));
    }

    #[test]
    fn every_stage_can_be_made_to_panic() {
        for stage in Stage::ALL {
            assert_eq!(Stage::named(stage.name()), Some(stage));
            let panic = catch(Some(stage), || during(stage, None, || ())).unwrap_err();
            assert!(panic.to_string().contains(&format!("in stage `{}`", stage.name())));
        }
        assert_eq!(catch(None, || during(Stage::Read, None, || 3)), Ok(3));
    }
}
