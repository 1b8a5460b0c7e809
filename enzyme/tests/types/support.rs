//! What the tests have in common: a text is analysed, and what is known of named values is compared with the text of
//! trees.

use std::fmt::Write as _;

use enzyme::model::{Function, Module, Value, ValueDefinition, ValueId};
use enzyme::program::{FunctionId, Program};
use enzyme::types::{Analyser, CallTypes, FunctionTypes, Options, RustTypes, StrictAliasing, TypeError};

/// The functions of a text, which must be in order.
pub(crate) fn program(text: &str) -> Program {
    let module = Module::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    for function in &module.functions {
        function.verify().unwrap_or_else(|error| panic!("{error}\n{text}"));
    }
    Program::from(module)
}

/// Options in which memory may change its types.
pub(crate) fn loose() -> Options {
    Options { strict_aliasing: StrictAliasing::No, ..Options::default() }
}

/// Options in which Rust's debug information is looked at.
pub(crate) fn rust() -> Options {
    Options { rust_types: RustTypes::Yes, ..Options::default() }
}

/// Trees of a request, from their texts.
pub(crate) fn request(result: &str, arguments: &[&str]) -> CallTypes {
    let tree = |text: &&str| text.parse().unwrap_or_else(|error| panic!("{error}"));
    CallTypes {
        result: tree(&result),
        arguments: arguments.iter().map(tree).collect(),
        known_integers: Vec::new(),
    }
}

/// The first function of a program.
pub(crate) fn first(program: &Program) -> FunctionId {
    program.iter().next().expect("there is a function").0
}

/// Analyses the first function of a text, of whose arguments nothing is known, and compares.
///
/// Each line of what is expected is the name of a value, `return` for the result, or a function and a value, then the
/// tree: `%x: {[-1]:Integer}`, `g %y: {}`. A function that was analysed in several contexts has several trees.
#[track_caller]
pub(crate) fn check(text: &str, expected: &str) {
    check_with(Options::default(), &CallTypes::default(), text, expected);
}

/// Compares for a function that has these parameters and this body, and returns nothing.
#[track_caller]
pub(crate) fn check_body(parameters: &str, body: &str, expected: &str) {
    check(&in_function(parameters, body), expected);
}

/// The same, when memory may change its types.
#[track_caller]
pub(crate) fn check_loosely(parameters: &str, body: &str, expected: &str) {
    check_with(loose(), &CallTypes::default(), &in_function(parameters, body), expected);
}

/// A function that has these parameters and this body, and returns nothing.
pub(crate) fn in_function(parameters: &str, body: &str) -> String {
    format!("define void @f({parameters}) {{\n{body}\n  ret void\n}}\n")
}

/// Analyses the first function of a text in a context, and compares.
#[track_caller]
pub(crate) fn check_with(options: Options, request: &CallTypes, text: &str, expected: &str) {
    let program = program(text);
    let mut analyser = Analyser::new(&program, options);
    analyser
        .analyse(first(&program), request.clone())
        .unwrap_or_else(|error| panic!("{error}\n{error:#?}\n{text}"));
    check_analysis(&analyser, &program, text, expected);
}

/// Compares what an analysis found.
#[track_caller]
pub(crate) fn check_analysis(analyser: &Analyser<'_>, program: &Program, text: &str, expected: &str) {
    let mut differences = String::new();
    for line in expected.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (what, tree) = line.split_once(": ").expect("a value and a tree");
        let (function, value) = match what.split_once(' ') {
            Some((function, value)) => {
                (program.find(function).unwrap_or_else(|| panic!("there is no @{function}")), value)
            }
            None => (first(program), what),
        };
        let found: Vec<String> = analyser
            .contexts()
            .filter(|(_, of, _)| *of == function)
            .map(|(context, ..)| found(&analyser.types(context), value))
            .collect();
        let found = found.join(" | ");
        if found != tree {
            let _ = write!(differences, "\n{what}: {found}\n  instead of {tree}");
        }
    }
    assert!(differences.is_empty(), "{differences}\n{text}");
}

fn found(types: &FunctionTypes<'_>, value: &str) -> String {
    match value {
        "return" => types.returned().to_string(),
        _ => types.of(named(types.function(), value)).to_string(),
    }
}

/// The value that a text names: `%x` or `@g`.
pub(crate) fn named(function: &Function, name: &str) -> ValueId {
    let is_named = |(_, data): &(ValueId, &Value)| match data.definition {
        ValueDefinition::Global(global) => {
            name.strip_prefix('@') == Some(&function.context.globals[global].name)
        }
        _ => data.name.is_some() && data.name.as_deref() == name.strip_prefix('%'),
    };
    function.values.iter().find(is_named).map(|(id, _)| id).unwrap_or_else(|| panic!("there is no {name}"))
}

/// The contradiction in the first function of a text.
#[track_caller]
pub(crate) fn contradiction(text: &str) -> TypeError {
    let program = program(text);
    let mut analyser = Analyser::new(&program, Options::default());
    match analyser.analyse(first(&program), CallTypes::default()) {
        Ok(_) => panic!("no contradiction was found in\n{text}"),
        Err(error) => *error,
    }
}
