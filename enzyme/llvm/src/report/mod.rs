//! The passes that print what the analyses find out: `print-type-analysis`, `print-activity-analysis`.
//!
//! What they print has the form that users of the field know, and tests compare. For a form that says why, there is
//! `enzyme-opt --explain`.

mod activity;
mod options;
mod plan;
mod types;

pub(crate) use plan::tell_plan;

use enzyme::activity::{Activity, Extent};
use enzyme::model::{self, InstId, SecondaryMap};
use enzyme::program::FunctionId;
use enzyme::types::ValueTypes;

use crate::error::Error;
use crate::ffi::{self, Printed};
use crate::ir::{Function, Module};
use crate::options::Options;
use crate::read::{ReadProgram, read_program};
use crate::stage::{Stage, during};
use crate::write::Prepared;

/// What an analysis says of the functions that the options name, of one function only if one is given.
pub(crate) fn report(
    module: Module,
    only: Option<Function>,
    printed: Printed,
    options: &Options,
) -> Result<String, Error> {
    let name = match printed {
        Printed::Types => &options.type_analysis_func,
        Printed::Activity => &options.activity_analysis_func,
    };
    let wanted =
        |function: &Function| !function.is_declaration() && (name.is_empty() || function.name() == *name);
    let mut report = String::new();
    for root in module.functions().filter(|function| only.is_none_or(|only| only == *function)).filter(wanted)
    {
        report += &report_on(module, root, printed, options)?;
    }
    Ok(report)
}

fn report_on(module: Module, root: Function, printed: Printed, options: &Options) -> Result<String, Error> {
    let name = root.name();
    // Who else uses a variable matters to activity. Types only need what the function leads to.
    let whole = match printed {
        Printed::Activity => {
            during(Stage::Read, Some(&name), || read_program(module, module.functions())).ok()
        }
        Printed::Types => None,
    };
    let (read, extent) = match whole {
        Some(read) => (read, Extent::WholeModule),
        None => {
            let read = during(Stage::Read, Some(&name), || read_program(module, [root]));
            (read.map_err(|why| Error::unsupported(root, why.to_string()))?, Extent::Part)
        }
    };
    let Some(id) = read.program.iter().map(|(id, _)| id).find(|id| read.function(*id) == Some(root)) else {
        return Ok(String::new());
    };
    match printed {
        Printed::Types => types::report(&read, id, options),
        Printed::Activity => activity::report(&read, id, extent, options),
    }
}

fn type_error(read: &ReadProgram, root: FunctionId, why: &enzyme::types::TypeError) -> Error {
    let at = read.function(root).map(|function| function.value());
    Error::program(at.expect("the root was read from a function"), why.to_string()).help(why.help())
}

/// The types of a function as it is differentiated, for `-enzyme-print-type`.
pub(crate) fn prepared_types(name: &str, prepared: &Prepared, types: &ValueTypes) -> String {
    let function = &prepared.read.model;
    let text = Text::of_function(prepared.function, function);
    let parameters: Vec<String> =
        function.parameters.iter().map(|parameter| format!("{}:{{}} ", types.of(*parameter))).collect();
    let heading = format!("{name} - {{}} |{}\n", parameters.concat());
    heading + &types::body(function, &text, |value| types.of(value).clone())
}

/// The activity of a function as it is differentiated, for `-enzyme-print-activity`.
pub(crate) fn prepared_activity(prepared: &Prepared, activity: &Activity) -> String {
    let function = &prepared.read.model;
    activity::block(function, activity, &Text::of_function(prepared.function, function))
}

/// LLVM's own text of the parts of a function.
struct Text {
    parameters: Vec<String>,
    insts: SecondaryMap<InstId, String>,
}

impl Text {
    fn of(read: &ReadProgram, id: FunctionId) -> Text {
        match read.function(id) {
            Some(origin) => Text::of_function(origin, &read.program[id]),
            None => Text { parameters: Vec::new(), insts: SecondaryMap::new() },
        }
    }

    /// The text of a function that was read into this model.
    fn of_function(origin: Function, function: &model::Function) -> Text {
        let mut lines = ffi::function_text(origin.value().raw());
        // The model numbers instructions in LLVM's order.
        let rest = lines.split_off(function.parameters.len().min(lines.len()));
        let mut insts = SecondaryMap::new();
        for (inst, line) in function.insts_in_order().zip(rest) {
            insts[inst] = line;
        }
        Text { parameters: lines, insts }
    }
}
