//! The interpreter's tangents against difference quotients of its values, on random programs.

use std::sync::atomic::{AtomicUsize, Ordering};

use enzyme::model::Module;

use crate::execution::{Execution, Output, execute};
use crate::program::{FloatTypes, Kind, Program};
use crate::search::{Draw, Judge};

const STEP: f64 = 1e-5;

/// The slopes of all outputs at a step, when nothing is decided otherwise there.
fn slopes(module: &Module, program: &Program, at: &Execution, step: f64) -> Option<Vec<f64>> {
    let behind = execute(module, &program.inputs, -step).ok()?;
    let ahead = execute(module, &program.inputs, step).ok()?;
    let smooth = behind.decisions == at.decisions && ahead.decisions == at.decisions;
    let slope = |(ahead, behind): (&Output, &Output)| (ahead.value - behind.value) / (2.0 * step);
    smooth.then(|| ahead.outputs.iter().zip(&behind.outputs).map(slope).collect())
}

#[test]
fn tangents_are_difference_quotients_where_programs_are_smooth() {
    let (compared, varied) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let judge: Judge<'_> = &|module, program, execution| {
        let Some(coarse) = slopes(module, program, execution, STEP) else { return Vec::new() };
        let Some(fine) = slopes(module, program, execution, STEP / 4.0) else { return Vec::new() };
        let mut wrong = Vec::new();
        for (index, &Output { value, tangent, .. }) in execution.outputs.iter().enumerate() {
            let (coarse, fine) = (coarse[index], fine[index]);
            // Where two steps disagree, the curve is too bent for either.
            let scale = 1.0 + fine.abs() + value.abs();
            if (coarse - fine).abs() > 1e-4 * scale {
                continue;
            }
            compared.fetch_add(1, Ordering::Relaxed);
            varied.fetch_add(usize::from(tangent != 0.0), Ordering::Relaxed);
            if (tangent - fine).abs() > 1e-3 * scale {
                wrong.push(format!("output {index} has the tangent {tangent} and the slope {fine}"));
            }
        }
        wrong
    };
    let kind = Kind { floats: FloatTypes::Doubles, ..Kind::ANY };
    let draw = Draw { seed: 0x5eed, programs: 150, kind };
    let found = draw.search(judge);
    draw.expect_no_mistake("tangents_are_difference_quotients", &found);
    let (compared, varied) = (compared.into_inner(), varied.into_inner());
    assert!(compared > 8 * draw.programs && varied > 4 * draw.programs, "{compared} and {varied} outputs");
}
