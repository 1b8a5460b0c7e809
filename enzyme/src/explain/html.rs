//! Explanations as one page that needs nothing but itself.
//!
//! Each verdict opens and shuts its chain of reasons by a click or by the keyboard; a step of a chain leads to the line
//! that it is about. The page is well-formed XML besides, so that any reader of XML can check it.

use std::fmt::{self, Display, Formatter, Write as _};

use super::{Explanation, Line, LineKind, ShownClaim, ShownStep, ShownVerdict, SourceLine, Tone};
use crate::model::DebugLocation;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The page of some explanations.
pub fn page(title: &str, explanations: &[Explanation], source: SourceLine<'_>) -> String {
    let mut page = String::new();
    // Writing to a string cannot fail.
    let _ = write_page(&mut page, title, explanations, source);
    page
}

fn write_page(
    out: &mut String,
    title: &str,
    explanations: &[Explanation],
    source: SourceLine<'_>,
) -> fmt::Result {
    let title = Escaped(title);
    write!(
        out,
        "<!DOCTYPE html>\n\
         <html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n\
         <head>\n\
         <meta charset=\"utf-8\" />\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n\
         <title>{title}</title>\n\
         <style>\n{STYLE}</style>\n\
         </head>\n\
         <body>\n\
         <header>\n<h1>{title}</h1>\n"
    )?;
    writeln!(
        out,
        "<p class=\"tools\"><button type=\"button\" id=\"open\">Show all reasons</button> \
         <button type=\"button\" id=\"shut\">Hide all reasons</button></p>"
    )?;
    if explanations.len() > 1 {
        out.push_str("<nav aria-label=\"Functions\">\n<ul>\n");
        for (index, explanation) in explanations.iter().enumerate() {
            writeln!(out, "<li><a href=\"#f{index}\">{}</a></li>", Escaped(&explanation.function))?;
        }
        out.push_str("</ul>\n</nav>\n");
    }
    out.push_str("</header>\n<main>\n");
    for (index, explanation) in explanations.iter().enumerate() {
        Section { out, index, lines: &explanation.lines, source, place: None }.write(explanation)?;
    }
    // In this form a script is text to a reader of XML, and a comment to a reader of HTML.
    write!(out, "</main>\n<script>\n//<![CDATA[\n{SCRIPT}//]]>\n</script>\n</body>\n</html>\n")
}

/// One function on the page.
struct Section<'a> {
    out: &'a mut String,
    index: usize,
    lines: &'a [Line],
    source: SourceLine<'a>,
    /// The line of the user's program that was shown last.
    place: Option<DebugLocation>,
}

impl Section<'_> {
    fn write(&mut self, explanation: &Explanation) -> fmt::Result {
        let index = self.index;
        writeln!(self.out, "<section id=\"f{index}\" aria-labelledby=\"f{index}-name\">")?;
        writeln!(
            self.out,
            "<h2 id=\"f{index}-name\">{} of {}</h2>\n<p class=\"header\"><code>{}</code></p>",
            Escaped(&explanation.topic),
            Escaped(&explanation.function),
            Escaped(&explanation.header)
        )?;
        if !explanation.assumptions.is_empty() {
            self.out.push_str("<ul class=\"given\">\n");
            for assumption in &explanation.assumptions {
                writeln!(self.out, "<li>{}</li>", Escaped(assumption))?;
            }
            self.out.push_str("</ul>\n");
        }
        self.out.push_str("<div class=\"lines\">\n");
        for (number, line) in explanation.lines.iter().enumerate() {
            self.line(number, line)?;
        }
        self.out.push_str("</div>\n</section>\n");
        Ok(())
    }

    fn line(&mut self, number: usize, line: &Line) -> fmt::Result {
        if line.kind == LineKind::Instruction {
            self.source_line(line.location.as_ref())?;
        }
        let kind = match line.kind {
            LineKind::Parameter => "parameter",
            LineKind::Label => "label",
            LineKind::Instruction => "instruction",
        };
        let id = format!("f{}-{number}", self.index);
        let text = Escaped(&line.text);
        match &line.verdict {
            None => writeln!(self.out, "<div class=\"line {kind}\" id=\"{id}\"><code>{text}</code></div>"),
            Some(verdict) => {
                writeln!(
                    self.out,
                    "<details class=\"line {kind}\" id=\"{id}\">\n\
                     <summary><code>{text}</code> <span class=\"verdict {}\">{}</span></summary>",
                    tone(verdict.tone),
                    Escaped(&verdict.summary)
                )?;
                self.verdict(verdict)?;
                self.out.push_str("</details>\n");
                Ok(())
            }
        }
    }

    fn source_line(&mut self, location: Option<&DebugLocation>) -> fmt::Result {
        let Some(location) = location else { return Ok(()) };
        let same = |shown: &DebugLocation| shown.file == location.file && shown.line == location.line;
        if location.line == 0 || self.place.as_ref().is_some_and(same) {
            return Ok(());
        }
        self.place = Some(location.clone());
        let place = format!("{}:{}", location.file, location.line);
        let text = (self.source)(location).unwrap_or_default();
        writeln!(
            self.out,
            "<div class=\"source\"><span class=\"place\">{}</span> <code>{}</code></div>",
            Escaped(&place),
            Escaped(text.trim())
        )
    }

    fn verdict(&mut self, verdict: &ShownVerdict) -> fmt::Result {
        if verdict.claims.iter().all(|claim| claim.chain.is_empty()) {
            self.out.push_str("<p class=\"none\">There is nothing that it follows from.</p>\n");
        }
        verdict.claims.iter().try_for_each(|claim| self.claim(claim))
    }

    fn claim(&mut self, claim: &ShownClaim) -> fmt::Result {
        if let Some(statement) = &claim.statement {
            writeln!(self.out, "<p class=\"claim\">{}</p>", Escaped(statement))?;
        }
        if claim.chain.is_empty() {
            return Ok(());
        }
        self.out.push_str("<ol class=\"chain\">\n");
        claim.chain.iter().try_for_each(|step| self.step(step))?;
        self.out.push_str("</ol>\n");
        Ok(())
    }

    fn step(&mut self, step: &ShownStep) -> fmt::Result {
        self.out.push_str("<li>");
        match (&step.about, step.line) {
            (Some(about), Some(line)) => {
                write!(
                    self.out,
                    "<a href=\"#f{}-{line}\"><code>{}</code></a>: ",
                    self.index,
                    Escaped(about)
                )?;
            }
            (Some(about), None) => write!(self.out, "<code>{}</code>: ", Escaped(about))?,
            (None, _) => {}
        }
        write!(self.out, "{}", Escaped(&step.text))?;
        if let Some(by) = step.by.filter(|by| step.line != Some(*by)) {
            let text = Escaped(&self.lines[by].text);
            write!(self.out, "<br /><a class=\"by\" href=\"#f{}-{by}\"><code>{text}</code></a>", self.index)?;
        }
        let place = step.by.and_then(|by| self.lines[by].location.as_ref());
        if let Some(location) = place.filter(|location| location.line != 0) {
            write!(self.out, " <span class=\"place\">{}</span>", Escaped(&location.to_string()))?;
        }
        self.out.push_str("</li>\n");
        Ok(())
    }
}

fn tone(tone: Tone) -> &'static str {
    match tone {
        Tone::Active => "active",
        Tone::Inactive => "inactive",
        Tone::Unknown => "unknown",
        Tone::Plain => "plain",
    }
}

/// A text as content or as an attribute's value. Control characters, which XML does not allow, are shown as `\x07`.
struct Escaped<'a>(&'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                '\n' | '\t' => f.write_char(c)?,
                c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {
                    write!(f, "\\x{:02x}", u32::from(c))?;
                }
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}
