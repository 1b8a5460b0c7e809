//! What type analysis found out, as verdicts.

use rustc_hash::FxHashMap;

use super::{Claim, Part, Step, Tone, Verdict, Verdicts};
use crate::model::{Function, InstId, Type, ValueId};
use crate::types::{CallTypes, EVERY, FunctionTypes, Kind, Numbers, TypeTree};

/// The types of a function's values in one context.
pub struct TypeVerdicts<'a> {
    types: FunctionTypes<'a>,
    call: &'a CallTypes,
    /// The values by the names that reasons give them.
    names: FxHashMap<String, ValueId>,
}

/// Whether pointers that a function gets or gives are said to be pointers where nobody says what they point to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BarePointers {
    /// They are.
    Said,
    /// Nothing is said of them.
    Unsaid,
}

/// What is assumed of a function's arguments and result when nothing but their types in the program is known.
pub fn assumed_call(function: &Function, pointers: BarePointers) -> CallTypes {
    let of = |ty: &Type| assumed_type(function, ty, pointers);
    CallTypes {
        result: of(function.ty(function.return_type())),
        arguments: function.parameters.iter().map(|parameter| of(function.type_of(*parameter))).collect(),
        known_integers: vec![Numbers::new(); function.parameters.len()],
    }
}

fn assumed_type(function: &Function, ty: &Type, pointers: BarePointers) -> TypeTree {
    let kind = match ty {
        Type::Float(float) => Kind::Float(*float),
        Type::Integer { .. } => Kind::Integer,
        Type::Pointer { .. } if pointers == BarePointers::Said => Kind::Pointer,
        Type::Vector { element, .. } => match function.ty(*element) {
            Type::Float(float) => Kind::Float(*float),
            Type::Integer { .. } => Kind::Integer,
            // A vector of pointers is not one.
            _ => return TypeTree::unknown(),
        },
        _ => return TypeTree::unknown(),
    };
    TypeTree::of(kind)
}

impl<'a> TypeVerdicts<'a> {
    /// The types of a function's values, found for this call.
    pub fn new(types: FunctionTypes<'a>, call: &'a CallTypes) -> Self {
        let function = types.function();
        let names = function.values.keys().map(|value| (function.display_name(value), value)).collect();
        Self { types, call, names }
    }

    fn verdict(&self, value: ValueId) -> Verdict {
        let tree = self.types.of(value);
        let tone = if tree.is_known() { Tone::Plain } else { Tone::Unknown };
        let summary = if tree.is_known() { tree.to_string() } else { "unknown".to_owned() };
        let claims = tree.iter().map(|(path, kind)| Claim {
            statement: Some(statement(path, kind)),
            chain: self.chain(value, path),
        });
        Verdict { summary, tone, claims: claims.collect() }
    }

    fn chain(&self, value: ValueId, path: &[i32]) -> Vec<Step> {
        let steps = self.types.why(value, path).into_iter();
        steps
            .map(|step| Step {
                about: self.names.get(&step.value).map(|value| Part::Value(*value)),
                text: format!("{} {} - {}", step.kind, place(&step.path), step.reason),
                by: step.inst,
            })
            .collect()
    }
}

impl Verdicts for TypeVerdicts<'_> {
    fn topic(&self) -> &str {
        "types"
    }

    fn assumptions(&self) -> Vec<String> {
        let function = self.types.function();
        let mut assumptions = Vec::new();
        for (index, (parameter, tree)) in function.parameters.iter().zip(&self.call.arguments).enumerate() {
            let name = function.display_name(*parameter);
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

fn statement(path: &[i32], kind: Kind) -> String {
    format!("{kind} {}", place(path))
}

/// Where the bytes of a path are: `everywhere`, `at byte 8 behind it`.
fn place(path: &[i32]) -> String {
    let Some((offset, outer)) = path.split_last() else { return "as a whole".to_owned() };
    let mut place = match *offset {
        EVERY => "at every byte".to_owned(),
        offset => format!("at byte {offset}"),
    };
    // From the bytes back to the value: each offset is one of a pointer that leads there.
    for (depth, offset) in outer.iter().enumerate().rev() {
        let pointer = if depth == 0 { "it" } else { "what" };
        match *offset {
            EVERY | 0 => place += &format!(" behind {pointer}"),
            offset => place += &format!(" behind the pointer at byte {offset} of {pointer}"),
        }
        if depth > 0 {
            place += " is";
        }
    }
    if path.len() == 1 { place + " of it" } else { place }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_told_in_words() {
        let told = [
            (&[][..], "as a whole"),
            (&[-1], "at every byte of it"),
            (&[8], "at byte 8 of it"),
            (&[-1, 16], "at byte 16 behind it"),
            (&[8, -1], "at every byte behind the pointer at byte 8 of it"),
            (&[-1, 0, 24], "at byte 24 behind what is behind it"),
            (&[-1, 8, 24], "at byte 24 behind the pointer at byte 8 of what is behind it"),
        ];
        for (path, expected) in told {
            assert_eq!(place(path), expected, "{path:?}");
        }
    }

    #[test]
    fn calls_are_assumed_from_the_types_in_the_program() {
        let function = Function::parse(
            "define <2 x float> @f(double %x, ptr %p, i32 %n, <2 x ptr> %v) {\n  ret <2 x float> zeroinitializer\n}",
        )
        .expect("parses");
        let told = |pointers| {
            let call = assumed_call(&function, pointers);
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
