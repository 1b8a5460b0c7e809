//! The directives in a test file's comments: `RUN:`, `REQUIRES:` and the rest.

use std::time::Duration;

use crate::condition::{Condition, ConditionError};

/// One executable line of a test, with what must be known to expand it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// `RUN: command`
    Run {
        /// Where it starts in the file, counted from 1.
        number: usize,
        /// The command, continuation lines joined.
        command: String,
    },
    /// `DEFINE: %{name} = value`: introduces a name.
    Define {
        /// The name without its braces.
        name: String,
        /// What it stands for from here on.
        value: String,
    },
    /// `REDEFINE: %{name} = value`: changes a name that exists.
    Redefine {
        /// The name without its braces.
        name: String,
        /// What it stands for from here on.
        value: String,
    },
}

/// Everything a test file says about how it is run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Directives {
    /// The commands and definitions, in order.
    pub lines: Vec<Line>,
    /// All of these must hold, or the test does not apply.
    pub requires: Vec<Condition>,
    /// If one of these holds, the test does not apply.
    pub unsupported: Vec<Condition>,
    /// If one of these holds, the test is expected to fail.
    pub expected_to_fail: Vec<Condition>,
    /// How often a failing test is tried again.
    pub retries: u32,
    /// The test's own time limit.
    pub time_limit: Option<Duration>,
}

/// A directive that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DirectiveError {
    /// A condition is malformed.
    #[error("line {line}: {source}")]
    Condition {
        /// The line in the file.
        line: usize,
        /// What is wrong with it.
        source: ConditionError,
    },
    /// A number was expected.
    #[error("line {line}: `{keyword}` takes a number, not `{text}`")]
    Number {
        /// The line in the file.
        line: usize,
        /// The directive.
        keyword: &'static str,
        /// What stands there.
        text: String,
    },
    /// A definition is malformed.
    #[error("line {line}: a definition reads `%{{name}} = value`, not `{text}`")]
    Definition {
        /// The line in the file.
        line: usize,
        /// What stands there.
        text: String,
    },
    /// The file ends within a continued line.
    #[error("line {line}: `{keyword}` ends in a backslash, but no continuation follows")]
    Unfinished {
        /// The line in the file.
        line: usize,
        /// The directive.
        keyword: &'static str,
    },
}

/// The directives, longest first where one ends like another.
const KEYWORDS: [&str; 9] = [
    "RUN:",
    "REDEFINE:",
    "DEFINE:",
    "REQUIRES:",
    "UNSUPPORTED:",
    "XFAIL:",
    "ALLOW_RETRIES:",
    "TIME-LIMIT:",
    "END.",
];

impl Directives {
    /// Reads the directives of one file, up to an `END.` if there is one.
    pub fn parse(text: &str) -> Result<Self, DirectiveError> {
        let mut directives = Self::default();
        let mut open: Option<Open> = None;
        for (index, line) in text.lines().enumerate() {
            let number = index + 1;
            let Some((keyword, rest)) = find_keyword(line) else { continue };
            if keyword == "END." {
                break;
            }
            let entry = match open.take() {
                Some(open) if open.keyword == keyword => open.continued(rest),
                Some(open) => return Err(open.unfinished()),
                None => Open { keyword, line: number, text: rest.trim().to_owned() },
            };
            match entry.text.strip_suffix('\\') {
                Some(start) => open = Some(Open { text: start.trim_end().to_owned(), ..entry }),
                None => directives.add(entry)?,
            }
        }
        match open {
            Some(open) => Err(open.unfinished()),
            None => Ok(directives),
        }
    }

    /// Whether there is anything to run.
    pub fn has_commands(&self) -> bool {
        self.lines.iter().any(|line| matches!(line, Line::Run { .. }))
    }

    fn add(&mut self, entry: Open) -> Result<(), DirectiveError> {
        match entry.keyword {
            "RUN:" => self.lines.push(Line::Run { number: entry.line, command: entry.text }),
            "DEFINE:" => {
                let (name, value) = entry.definition()?;
                self.lines.push(Line::Define { name, value });
            }
            "REDEFINE:" => {
                let (name, value) = entry.definition()?;
                self.lines.push(Line::Redefine { name, value });
            }
            "REQUIRES:" => self.requires.extend(entry.conditions()?),
            "UNSUPPORTED:" => self.unsupported.extend(entry.conditions()?),
            "XFAIL:" => self.expected_to_fail.extend(entry.conditions()?),
            "ALLOW_RETRIES:" => self.retries = entry.number()?,
            "TIME-LIMIT:" => self.time_limit = Some(Duration::from_secs(u64::from(entry.number()?))),
            keyword => unreachable!("`{keyword}` is not in the table of keywords"),
        }
        Ok(())
    }
}

/// A directive whose last line may not have come yet.
struct Open {
    keyword: &'static str,
    line: usize,
    text: String,
}

impl Open {
    fn continued(self, rest: &str) -> Self {
        Self { text: format!("{} {}", self.text, rest.trim()), ..self }
    }

    fn unfinished(&self) -> DirectiveError {
        DirectiveError::Unfinished { line: self.line, keyword: self.keyword }
    }

    fn conditions(&self) -> Result<Vec<Condition>, DirectiveError> {
        let parse = |part| Condition::parse(part);
        let conditions: Result<Vec<_>, _> = self.text.split(',').map(parse).collect();
        conditions.map_err(|source| DirectiveError::Condition { line: self.line, source })
    }

    fn number(&self) -> Result<u32, DirectiveError> {
        let error =
            |_| DirectiveError::Number { line: self.line, keyword: self.keyword, text: self.text.clone() };
        self.text.parse().map_err(error)
    }

    fn definition(&self) -> Result<(String, String), DirectiveError> {
        let error = || DirectiveError::Definition { line: self.line, text: self.text.clone() };
        let (name, value) = self.text.split_once('=').ok_or_else(error)?;
        let name = name.trim().strip_prefix("%{").and_then(|name| name.strip_suffix('}'));
        Ok((name.ok_or_else(error)?.to_owned(), value.trim().to_owned()))
    }
}

/// The first directive in a line, and what follows it. A keyword within a longer word (`NO-RUN:`) is none.
fn find_keyword(line: &str) -> Option<(&'static str, &str)> {
    let found = KEYWORDS.iter().filter_map(|keyword| {
        let at = line.find(keyword)?;
        let before = line[..at].chars().next_back();
        let stands_alone = before.is_none_or(|c| !c.is_alphanumeric() && c != '-' && c != '_');
        let alone_in_line = *keyword != "END." || line[at + keyword.len()..].trim().is_empty();
        (stands_alone && alone_in_line).then_some((at, *keyword))
    });
    let (at, keyword) = found.min()?;
    Some((keyword, &line[at + keyword.len()..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(number: usize, command: &str) -> Line {
        Line::Run { number, command: command.to_owned() }
    }

    #[test]
    fn continuation_lines_are_joined() {
        let text = "// RUN: a \\\n// RUN:   b | \\\n// RUN: c\nint x;\n;RUN: d\n";
        let directives = Directives::parse(text).expect("readable directives");
        assert_eq!(directives.lines, [run(1, "a b | c"), run(5, "d")]);
    }

    #[test]
    fn every_directive_is_read() {
        let text = "; REQUIRES: clang, llvm-ge-19 && lld\n; UNSUPPORTED: flang\n; XFAIL: *\n\
                    ; ALLOW_RETRIES: 2\n; TIME-LIMIT: 300\n; DEFINE: %{level} = -O1\n\
                    ; RUN: x %{level}\n; REDEFINE: %{level} = -O2\n; RUN: x %{level}\n";
        let directives = Directives::parse(text).expect("readable directives");
        assert_eq!(directives.requires.len(), 2);
        assert_eq!(directives.unsupported.len(), 1);
        assert_eq!(directives.expected_to_fail.len(), 1);
        assert_eq!(directives.retries, 2);
        assert_eq!(directives.time_limit, Some(Duration::from_secs(300)));
        let define = Line::Define { name: "level".into(), value: "-O1".into() };
        let redefine = Line::Redefine { name: "level".into(), value: "-O2".into() };
        assert_eq!(directives.lines, [define, run(7, "x %{level}"), redefine, run(9, "x %{level}")]);
    }

    #[test]
    fn nothing_is_read_after_the_end_marker() {
        let directives = Directives::parse("# RUN: a\n# END.\n# RUN: b\n").expect("readable directives");
        assert_eq!(directives.lines, [run(1, "a")]);
    }

    #[test]
    fn a_keyword_inside_a_word_is_no_directive() {
        let directives = Directives::parse("// NO-RUN: a\n// XRUN: b\n// PREFIX_RUN: c\n");
        assert_eq!(directives, Ok(Directives::default()));
    }

    #[test]
    fn mistakes_are_reported_with_their_line() {
        for (text, message) in [
            ("\n// RUN: a \\\n", "line 2: `RUN:` ends in a backslash, but no continuation follows"),
            ("// RUN: a \\\n// XFAIL: *", "line 1: `RUN:` ends in a backslash, but no continuation follows"),
            ("// ALLOW_RETRIES: two", "line 1: `ALLOW_RETRIES:` takes a number, not `two`"),
            ("// DEFINE: level = 1", "line 1: a definition reads `%{name} = value`, not `level = 1`"),
            ("// REQUIRES: a b", "line 1: cannot read the condition `a b`: unexpected text at its end"),
        ] {
            let error = Directives::parse(text).expect_err("unreadable directives");
            assert_eq!(error.to_string(), message);
        }
    }
}
