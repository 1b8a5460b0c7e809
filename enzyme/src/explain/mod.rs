//! Showing what an analysis found out, and why.
//!
//! An analysis says what it knows of each part of a function as [`Verdicts`]; [`Explanation::new`] puts that beside
//! the function's text, and an explanation is written as [plain text](text::write) or as [one page](html::page).
//! Nothing is decided here.

pub mod activity;
pub mod html;
pub mod plan;
#[cfg(test)]
mod tests;
pub mod text;
pub mod types;

use cranelift_entity::SecondaryMap;

use crate::model::{DebugLocation, Function, InstId, Listing, ValueDefinition, ValueId};

/// Finds the line of the user's program at a place; `None` when it cannot be had.
pub type SourceLine<'a> = &'a dyn Fn(&DebugLocation) -> Option<String>;

/// What an analysis has to say about the parts of a function.
pub trait Verdicts {
    /// What it is about, as a heading: `types`.
    fn topic(&self) -> &str;

    /// What it took for granted, one sentence each: how the function is called, what options were given.
    fn assumptions(&self) -> Vec<String>;

    /// What it says of a parameter.
    fn parameter(&self, value: ValueId) -> Option<Verdict>;

    /// What it says of an instruction and its result.
    fn instruction(&self, inst: InstId) -> Option<Verdict>;
}

/// What an analysis says of one part of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// In few words: `active`, `{[-1]:Float@double}`.
    pub summary: String,
    /// How it is shown.
    pub tone: Tone,
    /// What it rests on.
    pub claims: Vec<Claim>,
}

/// One statement of a verdict, with the reasons that led to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// What is stated; `None` when it is the verdict's summary.
    pub statement: Option<String>,
    /// Why, beginning at the part that the verdict is about; each step is the reason for the one before it.
    pub chain: Vec<Step>,
}

/// A step in a chain of reasons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The part of the function that the step is about.
    pub about: Option<Part>,
    /// What is said of it.
    pub text: String,
    /// The instruction that it is said because of.
    pub by: Option<InstId>,
}

/// A part of a function that something is said about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// A value.
    Value(ValueId),
    /// An instruction.
    Inst(InstId),
}

/// How a verdict is shown, so that the eye finds what it looks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    /// It carries a derivative.
    Active,
    /// It carries none.
    Inactive,
    /// Not known, or contradictory.
    Unknown,
    /// Anything else.
    #[default]
    Plain,
}

/// A function, and beside each part of its text what an analysis says of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The function's name: `@f`.
    pub function: String,
    /// What the analysis is about.
    pub topic: String,
    /// How the function begins.
    pub header: String,
    /// What the analysis took for granted.
    pub assumptions: Vec<String>,
    /// Parameters, labels and instructions, in order.
    pub lines: Vec<Line>,
}

/// A line of an [`Explanation`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What it shows.
    pub kind: LineKind,
    /// The text.
    pub text: String,
    /// Where it comes from in the user's program.
    pub location: Option<DebugLocation>,
    /// What the analysis says of it.
    pub verdict: Option<ShownVerdict>,
}

/// What a line shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// A parameter.
    Parameter,
    /// The label of a block.
    Label,
    /// An instruction.
    Instruction,
}

/// A [`Verdict`] whose steps lead to lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownVerdict {
    /// In few words.
    pub summary: String,
    /// How it is shown.
    pub tone: Tone,
    /// What it rests on.
    pub claims: Vec<ShownClaim>,
}

/// A [`Claim`] whose steps lead to lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownClaim {
    /// What is stated; `None` when it is the verdict's summary.
    pub statement: Option<String>,
    /// Why.
    pub chain: Vec<ShownStep>,
}

/// A [`Step`] that leads to a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownStep {
    /// What the step is about, as the text form writes it.
    pub about: Option<String>,
    /// What is said of it.
    pub text: String,
    /// The index of the line that it is about.
    pub line: Option<usize>,
    /// The index of the line of the instruction that it is said because of.
    pub by: Option<usize>,
}

impl Explanation {
    /// The same, of a function that is a form of the one of this name.
    #[must_use]
    pub fn of_form_of(mut self, name: &str) -> Self {
        let form = std::mem::replace(&mut self.function, format!("@{name}"));
        self.header = self.header.replacen(&form, &self.function, 1);
        self
    }

    /// What an analysis says of a function.
    pub fn new(function: &Function, verdicts: &impl Verdicts) -> Self {
        Shown::of(function).explanation(verdicts)
    }
}

/// A function's text, and which line each part of it is on.
struct Shown<'a> {
    function: &'a Function,
    listing: Listing,
    parameters: SecondaryMap<ValueId, Option<usize>>,
    insts: SecondaryMap<InstId, Option<usize>>,
}

impl<'a> Shown<'a> {
    fn of(function: &'a Function) -> Self {
        let mut shown = Self {
            function,
            listing: function.listing(),
            parameters: SecondaryMap::new(),
            insts: SecondaryMap::new(),
        };
        let mut lines = 0;
        let mut take = |count| {
            lines += count;
            lines - 1
        };
        for parameter in &function.parameters {
            shown.parameters[*parameter] = Some(take(1));
        }
        for block in function.blocks.values() {
            take(1);
            for inst in &block.insts {
                shown.insts[*inst] = Some(take(1));
            }
        }
        shown
    }

    fn explanation(&self, verdicts: &impl Verdicts) -> Explanation {
        let function = self.function;
        let mut lines: Vec<Line> =
            function.parameters.iter().map(|parameter| self.parameter(*parameter, verdicts)).collect();
        for (id, block) in &function.blocks {
            let text = format!("{}:", self.listing.blocks[id]);
            lines.push(Line { kind: LineKind::Label, text, location: None, verdict: None });
            lines.extend(block.insts.iter().map(|inst| self.instruction(*inst, verdicts)));
        }
        Explanation {
            function: self.listing.name.clone(),
            topic: verdicts.topic().to_owned(),
            header: self.listing.header.clone(),
            assumptions: verdicts.assumptions(),
            lines,
        }
    }

    fn parameter(&self, parameter: ValueId, verdicts: &impl Verdicts) -> Line {
        Line {
            kind: LineKind::Parameter,
            text: self.listing.values[parameter].clone(),
            location: None,
            verdict: verdicts.parameter(parameter).map(|verdict| self.verdict(verdict)),
        }
    }

    fn instruction(&self, inst: InstId, verdicts: &impl Verdicts) -> Line {
        Line {
            kind: LineKind::Instruction,
            text: one_line(&self.listing.insts[inst]),
            location: self.function.insts[inst].location.clone(),
            verdict: verdicts.instruction(inst).map(|verdict| self.verdict(verdict)),
        }
    }

    fn verdict(&self, verdict: Verdict) -> ShownVerdict {
        let claims = verdict.claims.into_iter().map(|claim| ShownClaim {
            statement: claim.statement,
            chain: claim.chain.into_iter().map(|step| self.step(step)).collect(),
        });
        ShownVerdict { summary: verdict.summary, tone: verdict.tone, claims: claims.collect() }
    }

    fn step(&self, step: Step) -> ShownStep {
        let (about, line) = match step.about {
            None => (None, None),
            Some(Part::Inst(inst)) => (Some(self.name_of(inst)), self.insts[inst]),
            Some(Part::Value(value)) => {
                let line = match self.function.values[value].definition {
                    ValueDefinition::Parameter(_) => self.parameters[value],
                    ValueDefinition::Instruction(inst) => self.insts[inst],
                    ValueDefinition::Constant(_)
                    | ValueDefinition::Global(_)
                    | ValueDefinition::Metadata(_)
                    | ValueDefinition::InlineAsm(_) => None,
                };
                (Some(self.listing.values[value].clone()), line)
            }
        };
        ShownStep { about, text: step.text, line, by: step.by.and_then(|inst| self.insts[inst]) }
    }

    /// An instruction by its result, or else by its text.
    fn name_of(&self, inst: InstId) -> String {
        match self.function.insts[inst].result {
            Some(result) => self.listing.values[result].clone(),
            None => one_line(&self.listing.insts[inst]),
        }
    }
}

/// The text of an instruction that may be written on several lines (`switch`).
fn one_line(text: &str) -> String {
    text.lines().map(str::trim).collect::<Vec<_>>().join(" ")
}
