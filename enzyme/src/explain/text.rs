//! Explanations as plain text, for a terminal or a file.

use std::fmt;

use super::{Explanation, Line, LineKind, ShownClaim, ShownStep, SourceLine, Tone};
use crate::model::DebugLocation;

/// Whether the text holds the codes by which terminals colour it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Colours {
    /// Only text.
    #[default]
    No,
    /// Codes as ANSI has them.
    Yes,
}

/// The column at which verdicts stand at most; behind longer lines they follow right away.
const LAST_COLUMN: usize = 64;

/// Writes an explanation.
///
/// # Errors
/// When the place that it is written to says so.
pub fn write(
    out: &mut dyn fmt::Write,
    explanation: &Explanation,
    source: SourceLine<'_>,
    colours: Colours,
) -> fmt::Result {
    let judged = explanation.lines.iter().filter(|line| line.verdict.is_some());
    let widths = judged.map(|line| indent(line.kind) + line.text.chars().count());
    let widest = widths.filter(|width| *width <= LAST_COLUMN).max();
    let paint = Paint { colours };
    let column = widest.unwrap_or(0) + 2;
    let mut writer = Writer { out, paint, column, lines: &explanation.lines, source, place: None };
    writer.heading(explanation)?;
    (0..explanation.lines.len()).try_for_each(|index| writer.line(index))
}

/// How far the text of a line stands from the margin.
fn indent(kind: LineKind) -> usize {
    match kind {
        LineKind::Label => 0,
        LineKind::Parameter => 2,
        LineKind::Instruction => 4,
    }
}

struct Writer<'a> {
    out: &'a mut dyn fmt::Write,
    paint: Paint,
    /// Where verdicts stand.
    column: usize,
    lines: &'a [Line],
    source: SourceLine<'a>,
    /// The line of the user's program that was shown last.
    place: Option<DebugLocation>,
}

impl Writer<'_> {
    fn heading(&mut self, explanation: &Explanation) -> fmt::Result {
        let heading = format!("{} of {}", explanation.topic, explanation.function);
        writeln!(self.out, "{}", self.paint.strong(&heading))?;
        writeln!(self.out, "  {}", self.paint.faint(&explanation.header))?;
        for assumption in &explanation.assumptions {
            writeln!(self.out, "  given: {assumption}")?;
        }
        writeln!(self.out)
    }

    fn line(&mut self, index: usize) -> fmt::Result {
        let line = &self.lines[index];
        match line.kind {
            LineKind::Label => return writeln!(self.out, "\n{}", self.paint.faint(&line.text)),
            LineKind::Parameter => {}
            LineKind::Instruction => self.source_line(line.location.as_ref())?,
        }
        let indent = indent(line.kind);
        write!(self.out, "{:indent$}{}", "", line.text)?;
        let Some(verdict) = &line.verdict else { return writeln!(self.out) };
        let gap = self.column.saturating_sub(indent + line.text.chars().count()).max(2);
        writeln!(self.out, "{:gap$}{}", "", self.paint.verdict(&verdict.summary, verdict.tone))?;
        verdict.claims.iter().try_for_each(|claim| self.claim(claim, indent + 2, index))
    }

    /// The line of the user's program that an instruction comes from, when it is another one than before.
    fn source_line(&mut self, location: Option<&DebugLocation>) -> fmt::Result {
        let Some(location) = location else { return Ok(()) };
        let same = |shown: &DebugLocation| shown.file == location.file && shown.line == location.line;
        if location.line == 0 || self.place.as_ref().is_some_and(same) {
            return Ok(());
        }
        self.place = Some(location.clone());
        let place = format!("{}:{}", location.file, location.line);
        match (self.source)(location) {
            Some(text) => {
                writeln!(
                    self.out,
                    "  {} {}",
                    self.paint.faint(&format!("{place} |")),
                    self.paint.strong(text.trim())
                )
            }
            None => writeln!(self.out, "  {}", self.paint.faint(&place)),
        }
    }

    fn claim(&mut self, claim: &ShownClaim, indent: usize, own: usize) -> fmt::Result {
        let indent = match &claim.statement {
            None => indent,
            Some(statement) => {
                writeln!(self.out, "{:indent$}{statement}", "")?;
                indent + 2
            }
        };
        claim.chain.iter().try_for_each(|step| self.step(step, indent, own))
    }

    /// One step of a chain under the line `own`, which need not be named again.
    fn step(&mut self, step: &ShownStep, indent: usize, own: usize) -> fmt::Result {
        write!(self.out, "{:indent$}{} ", "", self.paint.faint("<-"))?;
        if let Some(about) = step.about.as_ref().filter(|_| step.line != Some(own)) {
            write!(self.out, "{about}: ")?;
        }
        write!(self.out, "{}", step.text)?;
        let Some(by) = step.by.filter(|by| *by != own) else { return writeln!(self.out) };
        let by_line = &self.lines[by];
        if step.line != Some(by) {
            write!(self.out, "\n{:indent$}   {}", "", by_line.text)?;
        }
        if let Some(location) = by_line.location.as_ref().filter(|location| location.line != 0) {
            write!(self.out, "  {}", self.paint.faint(&format!("({location})")))?;
        }
        writeln!(self.out)
    }
}

struct Paint {
    colours: Colours,
}

impl Paint {
    fn verdict(&self, text: &str, tone: Tone) -> String {
        let code = match tone {
            Tone::Active => "1;31",
            Tone::Inactive => "32",
            Tone::Unknown => "1;33",
            Tone::Plain => "36",
        };
        self.coloured(text, code)
    }

    fn strong(&self, text: &str) -> String {
        self.coloured(text, "1")
    }

    fn faint(&self, text: &str) -> String {
        self.coloured(text, "2")
    }

    fn coloured(&self, text: &str, code: &str) -> String {
        match self.colours {
            Colours::No => text.to_owned(),
            Colours::Yes => format!("\x1b[{code}m{text}\x1b[0m"),
        }
    }
}
