//! What reverse-mode plans keep, told while they are made: `-enzyme-print-plan`, `-enzyme-print-perf`, and remarks.

use enzyme::explain::plan::PlanVerdicts;
use enzyme::explain::{Explanation, text};
use enzyme::plan::{Context, Held, Kept, ReversePlan};

use crate::ffi;
use crate::ir::Instruction;
use crate::options::Options;
use crate::write::{DerivativeKey, Mode, Prepared};

/// Tells what a plan keeps, as far as anybody asks. Both sweeps of a function share one plan; it is told once.
pub(crate) fn tell_plan(
    key: &DerivativeKey,
    prepared: &Prepared,
    plan: &ReversePlan,
    context: &Context<'_>,
    options: &Options,
) {
    let function = prepared.function.value().raw();
    let wants_remarks = ffi::wants_analysis_remarks(function);
    let is_told = matches!(key.mode, Mode::ReverseSweep(..));
    if is_told || !(options.print_plan || options.print_perf || wants_remarks) {
        return;
    }
    let model = &prepared.read.model;
    let verdicts = PlanVerdicts::new(model, plan, &key.arguments, context);
    if options.print_plan {
        let mut told = String::new();
        let explanation = Explanation::new(model, &verdicts).of_form_of(&key.function.name());
        // Writing to a string cannot fail.
        let _ = text::write(&mut told, &explanation, &|_| None, text::Colours::No);
        eprintln!("{told}");
    }
    for kept in verdicts.kept().iter().filter(|kept| is_of_interest(kept)) {
        let sentence = verdicts.sentence(kept);
        if options.print_perf {
            let name = key.function.written_name();
            match kept.location(model, plan) {
                Some(location) => eprintln!("{location}: in `{name}`: {sentence}"),
                None => eprintln!("in `{name}`: {sentence}"),
            }
        }
        if wants_remarks {
            let inst = kept.inst(model, plan).and_then(|inst| prepared.read.instruction(inst));
            let at = inst.map_or(prepared.function.value(), Instruction::value);
            ffi::emit_analysis_remark(at.raw(), "Kept", &sentence);
        }
    }
}

/// Whether users can do something about it: what lies in loops, and is not there for something else's sake.
fn is_of_interest(kept: &Kept) -> bool {
    let is_for_others = matches!(kept.holds, Held::Iterations(_));
    !kept.trips.is_empty() && !is_for_others
}
