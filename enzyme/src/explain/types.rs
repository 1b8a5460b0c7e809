//! What type analysis found out, as verdicts.

use std::fmt::{self, Write as _};

use rustc_hash::FxHashMap;

use super::{Claim, Part, Step, Tone, Verdict, Verdicts};
use crate::model::{InstId, Listing, ValueId};
use crate::types::{self, CallTypes, EVERY, FunctionTypes, Kind, Path, TypeTree};

/// The types of a function's values in one context.
pub struct TypeVerdicts<'a> {
    types: FunctionTypes<'a>,
    listing: Listing,
    call: &'a CallTypes,
    /// The values by the names that reasons give them.
    names: FxHashMap<String, ValueId>,
}

impl<'a> TypeVerdicts<'a> {
    /// The types of a function's values, found for this call.
    pub fn new(types: FunctionTypes<'a>, call: &'a CallTypes) -> Self {
        let function = types.function();
        let names = function.values.keys().map(|value| (function.display_name(value), value)).collect();
        Self { listing: function.listing(), types, call, names }
    }

    fn verdict(&self, value: ValueId) -> Verdict {
        let tree = self.types.of(value);
        if !tree.is_known() {
            return Verdict { summary: "unknown".to_owned(), tone: Tone::Unknown, claims: Vec::new() };
        }
        let mut runs: Vec<(Run, Vec<types::Step>)> = Vec::new();
        for (path, kind) in tree.iter() {
            let why = self.types.why(value, path);
            let joined = runs
                .last_mut()
                .is_some_and(|(run, chain)| same_reasons(chain, &why) && run.extend(path, kind));
            if !joined {
                runs.push((Run::new(path, kind), why));
            }
        }
        let is_alone = runs.len() == 1;
        let claims = runs.into_iter().map(|(run, why)| Claim {
            statement: (!is_alone).then(|| run.to_string()),
            chain: self.chain(value, &run, &why),
        });
        let claims = claims.filter(|claim| !(is_alone && claim.chain.is_empty())).collect();
        Verdict { summary: summary(&tree), tone: Tone::Plain, claims }
    }

    /// The reasons for what is known of a run of bytes of a value.
    fn chain(&self, value: ValueId, run: &Run, why: &[types::Step]) -> Vec<Step> {
        let steps = why.iter().enumerate().map(|(index, step)| {
            let about = self.names.get(&step.value).copied();
            let repeats = index == 0 && about == Some(value) && step.path[..] == run.path[..];
            let text = if repeats {
                step.reason.to_owned()
            } else if run.length() > 1 {
                // Where exactly differs from byte to byte.
                format!("{} - {}", step.kind, step.reason)
            } else {
                format!("{} - {}", Run::new(&step.path, step.kind), step.reason)
            };
            Step { about: about.map(Part::Value), text, by: step.inst }
        });
        steps.collect()
    }
}

/// Whether two chains of reasons differ at most in which bytes they are about.
fn same_reasons(left: &[types::Step], right: &[types::Step]) -> bool {
    left.len() == right.len()
        && left.iter().zip(right).all(|(left, right)| {
            (&left.value, left.kind, left.inst, left.reason)
                == (&right.value, right.kind, right.inst, right.reason)
        })
}

/// Neighbouring bytes of one kind.
struct Run {
    /// The way to the first one.
    path: Path,
    /// The offset of the last one, in the place of the path's last.
    last: i32,
    kind: Kind,
}

impl Run {
    fn new(path: &[i32], kind: Kind) -> Self {
        Self { path: path.into(), last: path.last().copied().unwrap_or(EVERY), kind }
    }

    /// Takes a byte in, when it follows on the last one.
    fn extend(&mut self, path: &[i32], kind: Kind) -> bool {
        let (Some((_, own)), Some((last, outer))) = (self.path.split_last(), path.split_last()) else {
            return false;
        };
        let follows = self.last != EVERY && kind == self.kind && own == outer && *last == self.last + 1;
        if follows {
            self.last = *last;
        }
        follows
    }

    fn length(&self) -> i32 {
        self.last - self.path.last().copied().unwrap_or(self.last) + 1
    }
}

/// `Integer at bytes 8 to 15 behind it`.
impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.kind)?;
        let Some((first, outer)) = self.path.split_last() else { return Ok(()) };
        match *first {
            EVERY if outer.is_empty() => return Ok(()),
            EVERY => f.write_str(" at every byte")?,
            first if first == self.last => write!(f, " at byte {first}")?,
            first => write!(f, " at bytes {first} to {}", self.last)?,
        }
        if outer.is_empty() {
            return f.write_str(" of it");
        }
        // From the bytes back to the value: each offset is one of a pointer that leads there.
        for (depth, offset) in outer.iter().enumerate().rev() {
            let pointer = if depth == 0 { "it" } else { "what" };
            match *offset {
                EVERY | 0 => write!(f, " behind {pointer}")?,
                offset => write!(f, " behind the pointer at byte {offset} of {pointer}")?,
            }
            if depth > 0 {
                f.write_str(" is")?;
            }
        }
        Ok(())
    }
}

/// A tree with one entry for neighbouring bytes of one kind: `{[-1]:Pointer, [-1,8..15]:Integer}`.
fn summary(tree: &TypeTree) -> String {
    let mut runs: Vec<Run> = Vec::new();
    for (path, kind) in tree.iter() {
        if !runs.last_mut().is_some_and(|run| run.extend(path, kind)) {
            runs.push(Run::new(path, kind));
        }
    }
    let mut summary = String::from("{");
    for (index, run) in runs.iter().enumerate() {
        let path: Vec<String> = run.path.iter().map(ToString::to_string).collect();
        let comma = if index == 0 { "" } else { ", " };
        // Writing to a string cannot fail.
        let _ = write!(summary, "{comma}[{}", path.join(","));
        if run.length() > 1 {
            let _ = write!(summary, "..{}", run.last);
        }
        let _ = write!(summary, "]:{}", run.kind);
    }
    summary + "}"
}

impl Verdicts for TypeVerdicts<'_> {
    fn topic(&self) -> &str {
        "types"
    }

    fn assumptions(&self) -> Vec<String> {
        let function = self.types.function();
        let mut assumptions = Vec::new();
        for (index, (parameter, tree)) in function.parameters.iter().zip(&self.call.arguments).enumerate() {
            let name = &self.listing.values[*parameter];
            if tree.is_known() {
                assumptions.push(format!("{name} is {tree}"));
            }
            let numbers = self.call.known_integers.get(index).filter(|numbers| !numbers.is_empty());
            if let Some(numbers) = numbers {
                let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
                assumptions.push(format!("{name} is one of {}", numbers.join(", ")));
            }
        }
        if self.call.result.is_known() {
            assumptions.push(format!("the result is {}", self.call.result));
        }
        assumptions
    }

    fn parameter(&self, value: ValueId) -> Option<Verdict> {
        Some(self.verdict(value))
    }

    fn instruction(&self, inst: InstId) -> Option<Verdict> {
        self.types.function().insts[inst].result.map(|result| self.verdict(result))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Function;
    use crate::types::BarePointers;

    #[test]
    fn paths_are_told_in_words() {
        let told = [
            (&[][..], "Integer"),
            (&[-1], "Integer"),
            (&[8], "Integer at byte 8 of it"),
            (&[-1, 16], "Integer at byte 16 behind it"),
            (&[8, -1], "Integer at every byte behind the pointer at byte 8 of it"),
            (&[-1, 0, 24], "Integer at byte 24 behind what is behind it"),
            (&[-1, 8, 24], "Integer at byte 24 behind the pointer at byte 8 of what is behind it"),
        ];
        for (path, expected) in told {
            assert_eq!(Run::new(path, Kind::Integer).to_string(), expected, "{path:?}");
        }
    }

    #[test]
    fn neighbouring_bytes_of_a_kind_are_told_together() {
        let mut run = Run::new(&[-1, 8], Kind::Integer);
        assert!(run.extend(&[-1, 9], Kind::Integer) && run.extend(&[-1, 10], Kind::Integer));
        assert_eq!(run.to_string(), "Integer at bytes 8 to 10 behind it");
        for (path, kind) in [
            (&[-1, 12][..], Kind::Integer),
            (&[-1, 11], Kind::Pointer),
            (&[0, 11], Kind::Integer),
            (&[11], Kind::Integer),
        ] {
            assert!(!run.extend(path, kind), "{path:?} {kind}");
        }
        assert!(!Run::new(&[-1], Kind::Pointer).extend(&[0], Kind::Pointer));
        let tree: TypeTree =
            "{[-1]:Pointer, [-1,0]:Integer, [-1,1]:Integer, [-1,8]:Float@double}".parse().expect("a tree");
        assert_eq!(summary(&tree), "{[-1]:Pointer, [-1,0..1]:Integer, [-1,8]:Float@double}");
    }

    #[test]
    fn calls_are_assumed_from_the_types_in_the_program() {
        let function = Function::parse(
            "define <2 x float> @f(double %x, ptr %p, i32 %n, <2 x ptr> %v) {\n  ret <2 x float> zeroinitializer\n}",
        )
        .expect("parses");
        let told = |pointers| {
            let call = CallTypes::of_signature(&function, pointers);
            let arguments: Vec<String> = call.arguments.iter().map(ToString::to_string).collect();
            (call.result.to_string(), arguments.join(" "))
        };
        let result = "{[-1]:Float@float}".to_owned();
        let said = "{[-1]:Float@double} {[-1]:Pointer} {[-1]:Integer} {}".to_owned();
        let unsaid = "{[-1]:Float@double} {} {[-1]:Integer} {}".to_owned();
        assert_eq!(told(BarePointers::Said), (result.clone(), said));
        assert_eq!(told(BarePointers::Unsaid), (result, unsaid));
    }
}
