//! The boolean expressions of `REQUIRES:`, `UNSUPPORTED:` and `XFAIL:`.
//!
//! ```text
//! expression := and ("||" and)*
//! and        := not ("&&" not)*
//! not        := "!" not | "(" expression ")" | feature | "*" | "true" | "false"
//! ```

use std::collections::BTreeSet;
use std::fmt;

/// What a feature's name may consist of besides letters and digits.
const NAME_PUNCTUATION: [char; 5] = ['-', '_', '.', '+', '='];

/// A condition that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cannot read the condition `{text}`: {problem}")]
pub struct ConditionError {
    text: String,
    problem: String,
}

/// A condition over the features of the machine and the LLVM.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// Holds always (`*`, `true`) or never (`false`).
    Constant(Truth),
    /// Holds when the feature is present.
    Feature(String),
    /// Holds when the inner one does not.
    Not(Box<Condition>),
    /// Holds when both do.
    And(Box<Condition>, Box<Condition>),
    /// Holds when one does.
    Or(Box<Condition>, Box<Condition>),
}

/// A constant condition's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Truth {
    /// Holds everywhere.
    Always,
    /// Holds nowhere.
    Never,
}

impl Condition {
    /// Reads one condition.
    pub fn parse(text: &str) -> Result<Self, ConditionError> {
        let mut parser = Parser { text, rest: text.trim_start() };
        let condition = parser.or()?;
        if parser.rest.is_empty() { Ok(condition) } else { Err(parser.error("unexpected text at its end")) }
    }

    /// Whether it holds where exactly these features are present.
    pub fn holds(&self, features: &BTreeSet<String>) -> bool {
        match self {
            Self::Constant(truth) => *truth == Truth::Always,
            Self::Feature(name) => features.contains(name),
            Self::Not(inner) => !inner.holds(features),
            Self::And(left, right) => left.holds(features) && right.holds(features),
            Self::Or(left, right) => left.holds(features) || right.holds(features),
        }
    }

    /// Every feature it mentions.
    pub fn mentioned(&self) -> Vec<&str> {
        match self {
            Self::Constant(_) => Vec::new(),
            Self::Feature(name) => vec![name],
            Self::Not(inner) => inner.mentioned(),
            Self::And(left, right) | Self::Or(left, right) => {
                let mut names = left.mentioned();
                names.extend(right.mentioned());
                names
            }
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constant(Truth::Always) => f.write_str("*"),
            Self::Constant(Truth::Never) => f.write_str("false"),
            Self::Feature(name) => f.write_str(name),
            Self::Not(inner) => write!(f, "!{inner}"),
            Self::And(left, right) => write!(f, "({left} && {right})"),
            Self::Or(left, right) => write!(f, "({left} || {right})"),
        }
    }
}

struct Parser<'text> {
    text: &'text str,
    rest: &'text str,
}

impl Parser<'_> {
    fn or(&mut self) -> Result<Condition, ConditionError> {
        let mut left = self.and()?;
        while self.take("||") {
            left = Condition::Or(Box::new(left), Box::new(self.and()?));
        }
        Ok(left)
    }

    fn and(&mut self) -> Result<Condition, ConditionError> {
        let mut left = self.not()?;
        while self.take("&&") {
            left = Condition::And(Box::new(left), Box::new(self.not()?));
        }
        Ok(left)
    }

    fn not(&mut self) -> Result<Condition, ConditionError> {
        if self.take("!") {
            return Ok(Condition::Not(Box::new(self.not()?)));
        }
        if self.take("(") {
            let inner = self.or()?;
            return if self.take(")") { Ok(inner) } else { Err(self.error("a `)` is missing")) };
        }
        if self.take("*") {
            return Ok(Condition::Constant(Truth::Always));
        }
        self.feature()
    }

    fn feature(&mut self) -> Result<Condition, ConditionError> {
        let is_part = |c: char| c.is_ascii_alphanumeric() || NAME_PUNCTUATION.contains(&c);
        let end = self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        self.rest = rest.trim_start();
        match name {
            "" => Err(self.error("the name of a feature is missing")),
            "true" => Ok(Condition::Constant(Truth::Always)),
            "false" => Ok(Condition::Constant(Truth::Never)),
            name => Ok(Condition::Feature(name.to_owned())),
        }
    }

    fn take(&mut self, token: &str) -> bool {
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest.trim_start();
                true
            }
            None => false,
        }
    }

    fn error(&self, problem: &str) -> ConditionError {
        ConditionError { text: self.text.trim().to_owned(), problem: problem.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(text: &str) -> bool {
        let features = ["clang", "llvm-22", "llvm-ge-19"].map(str::to_owned).into_iter().collect();
        Condition::parse(text).expect("a readable condition").holds(&features)
    }

    #[test]
    fn operators_bind_as_in_c() {
        assert!(holds("clang"));
        assert!(!holds("flang"));
        assert!(holds("!flang && clang"));
        assert!(holds("flang && clang || llvm-22"));
        assert!(!holds("flang && (clang || llvm-22)"));
        assert!(holds("!(flang || !clang)"));
        assert!(holds("*"));
        assert!(!holds("false"));
    }

    #[test]
    fn mentioned_features_are_listed_in_order() {
        let condition = Condition::parse("a && !(b || c)").expect("a readable condition");
        assert_eq!(condition.mentioned(), ["a", "b", "c"]);
    }

    #[test]
    fn broken_conditions_are_errors_that_quote_them() {
        for (text, problem) in [
            ("", "the name of a feature is missing"),
            ("clang &&", "the name of a feature is missing"),
            ("(clang", "a `)` is missing"),
            ("clang flang", "unexpected text at its end"),
        ] {
            let error = Condition::parse(text).expect_err("an unreadable condition");
            assert_eq!(error.to_string(), format!("cannot read the condition `{text}`: {problem}"));
        }
    }
}
