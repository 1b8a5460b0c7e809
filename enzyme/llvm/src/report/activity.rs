//! What `print-activity-analysis` prints: for each argument whether it is constant as a value (`icv`), for each
//! instruction also whether it is as an instruction (`ici`).

use std::fmt::Write as _;

use enzyme::activity::{Activity, AnalysedTypes, Analyser, Extent, Verdict};
use enzyme::explain::activity::{assumed_arguments, assumed_result};
use enzyme::model::Function;
use enzyme::program::FunctionId;
use enzyme::types::{BarePointers, CallTypes};

use super::{Text, type_error};
use crate::error::Error;
use crate::options::Options;
use crate::read::ReadProgram;
use crate::stage::{Stage, during};

/// The activity of a function whose arguments and result are as the options say.
pub(super) fn report(
    read: &ReadProgram,
    root: FunctionId,
    extent: Extent,
    options: &Options,
) -> Result<String, Error> {
    let program = &read.program;
    let function = &program[root];
    let mut types = enzyme::types::Analyser::new(program, options.types());
    let call = CallTypes::of_signature(function, BarePointers::Unsaid);
    during(Stage::Types, Some(&function.name), || types.analyse(root, call))
        .map_err(|why| type_error(read, root, &why))?;
    let types = AnalysedTypes::of(&types);
    let mut analyser =
        Analyser::new(program, &types, enzyme::activity::Options { extent, ..options.activity() });
    let arguments = assumed_arguments(function, options.arguments_are());
    let result = assumed_result(function, options.pointer_results());
    let activity =
        during(Stage::Activity, Some(&function.name), || analyser.activity(root, &arguments, result));
    Ok(during(Stage::Report, Some(&function.name), || block(function, &activity, &Text::of(read, root))))
}

pub(super) fn block(function: &Function, activity: &Activity, text: &Text) -> String {
    let constant = |verdict: Verdict| u8::from(!verdict.is_active());
    let mut out = String::new();
    for (parameter, text) in function.parameters.iter().zip(&text.parameters) {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{text}: icv:{}", constant(activity.value(*parameter)));
    }
    for block in function.blocks.values() {
        let _ = writeln!(out, "{}", block.name.as_deref().unwrap_or_default());
        for &inst in &block.insts {
            let value = function.insts[inst].result.map_or(1, |result| constant(activity.value(result)));
            let _ = writeln!(out, "{}: icv:{value} ici:{}", text.insts[inst], constant(activity.inst(inst)));
        }
    }
    out
}
