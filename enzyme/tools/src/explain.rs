//! `enzyme-opt --explain`: what an analysis says of each value, and why.

use std::fs;
use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, bail};
use clap::ValueEnum;
use enzyme::activity::{self, AnalysedTypes};
use enzyme::explain::activity::{ActivityVerdicts, assumed_arguments, assumed_result};
use enzyme::explain::types::TypeVerdicts;
use enzyme::explain::{Explanation, html, text};
use enzyme::program::{FunctionId, Program};
use enzyme::types::{Analyser, BarePointers, CallTypes, Step, TypeError};
use enzyme_llvm::options::Options;

use crate::sources::Sources;

/// An analysis that can explain itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Topic {
    /// What is a float, a pointer, an integer
    Types,
    /// What carries a derivative
    Activity,
    /// What a gradient keeps of the forward sweep, what it computes again, and why
    Plan,
}

/// What is to be explained, and how.
pub(crate) struct Request<'a> {
    /// The analysis.
    pub(crate) topic: Topic,
    /// The file that is shown.
    pub(crate) file: &'a Path,
    /// Only this function.
    pub(crate) function: Option<&'a str>,
    /// Where the page goes; the standard output gets the text when there is none.
    pub(crate) page: Option<&'a Path>,
}

/// Explains the functions that were asked for. Those that cannot be analysed are reported after the others.
pub(crate) fn explain(request: &Request<'_>) -> Result<()> {
    let options = Options::from_command_line();
    let (explanations, mut errors) = match request.topic {
        Topic::Types => analysed(request, |program, id| types_of(program, id, &options))?,
        Topic::Activity => analysed(request, |program, id| activity_of(program, id, &options))?,
        Topic::Plan => enzyme_llvm::explain_plans_of_file(request.file, request.function, &options)?,
    };
    if !explanations.is_empty() {
        show(request, &explanations)?;
    }
    errors.dedup();
    if errors.is_empty() { Ok(()) } else { bail!(errors.join("\nerror: ")) }
}

/// What an analysis says of the functions that were asked for, as they are in the file.
fn analysed(
    request: &Request<'_>,
    analysis: impl Fn(&Program, FunctionId) -> Result<Explanation>,
) -> Result<(Vec<Explanation>, Vec<String>)> {
    let program = enzyme_llvm::read_program_of_file(request.file, request.function)?;
    let wanted = program
        .iter()
        .filter(|(_, function)| request.function.is_none_or(|name| name == function.name))
        .map(|(id, _)| id);
    let (mut explanations, mut errors) = (Vec::new(), Vec::new());
    for id in wanted {
        match analysis(&program, id) {
            Ok(explanation) => explanations.push(explanation),
            Err(error) => errors.push(error.to_string()),
        }
    }
    Ok((explanations, errors))
}

fn show(request: &Request<'_>, explanations: &[Explanation]) -> Result<()> {
    let folder = request.file.parent().map(Path::to_owned).unwrap_or_default();
    let sources = Sources::in_folders([PathBuf::new(), folder]);
    let source = |location: &_| sources.line(location);
    if let Some(path) = request.page {
        let topic = request.topic.to_possible_value().map(|value| value.get_name().to_owned());
        let title = format!("{} of {}", topic.unwrap_or_default(), request.file.display());
        let page = html::page(&title, explanations, &source);
        return fs::write(path, page).with_context(|| format!("cannot write {}", path.display()));
    }
    let colours = if io::stdout().is_terminal() { text::Colours::Yes } else { text::Colours::No };
    let mut out = String::new();
    for (index, explanation) in explanations.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        text::write(&mut out, explanation, &source, colours)?;
    }
    crate::print(&out)
}

fn types_of(program: &Program, id: FunctionId, options: &Options) -> Result<Explanation> {
    let mut analyser = Analyser::new(program, options.types());
    let function = &program[id];
    let call = CallTypes::of_signature(function, BarePointers::Said);
    let context = analyser.analyse(id, call.clone()).map_err(|why| told(program, &why))?;
    Ok(Explanation::new(function, &TypeVerdicts::new(analyser.types(context), &call)))
}

fn activity_of(program: &Program, id: FunctionId, options: &Options) -> Result<Explanation> {
    let function = &program[id];
    let mut types = Analyser::new(program, options.types());
    let call = CallTypes::of_signature(function, BarePointers::Unsaid);
    types.analyse(id, call).map_err(|why| told(program, &why))?;
    let types = AnalysedTypes::of(&types);
    let mut analyser = activity::Analyser::new(program, &types, options.activity());
    let arguments = assumed_arguments(function, options.arguments_are());
    let result = assumed_result(function, options.pointer_results());
    let found = analyser.activity(id, &arguments, result);
    let verdicts = ActivityVerdicts::new(function, &found, &analyser, &arguments, result);
    Ok(Explanation::new(function, &verdicts))
}

/// A contradiction, with what led to both of its sides.
fn told(program: &Program, error: &TypeError) -> anyhow::Error {
    let TypeError::Conflict { function, known, new, location, .. } = error;
    let listing = program.find(function).map(|id| program[id].listing());
    let mut message = error.to_string();
    if let Some(location) = location {
        message += &format!("\n  --> {location}");
    }
    let mut side = |heading: &str, steps: &[Step]| {
        message += &format!("\n  {heading}:");
        for step in steps {
            message += &format!("\n    {} is {}: {}", step.value, step.kind, step.reason);
            if let (Some(listing), Some(inst)) = (&listing, step.inst) {
                message += &format!("\n      {}", listing.insts[inst]);
            }
        }
    };
    side("on the one hand", known);
    side("on the other hand", new);
    anyhow!("{message}\n  help: {}", error.help())
}
