//! What is wrong with what a derivative left behind.

use crate::batch::{Case, Mode};
use crate::driver::{ADJOINTS, DERIVATIVES, OUTPUTS};
use crate::execution::{Execution, TANGENTS};
use crate::toolchain::Keeping;

/// What is wrong with a program that is differentiated wrongly.
pub(crate) type Mistake = Vec<String>;

/// How far from zero a tangent may be that cancels to nothing: the inputs' tangents are about 1, and some programs compute
/// in single precision.
const CANCELLED: f64 = 1e-5;

/// How far adjoints may be off, as a part of what is added up.
const RELATIVE: f64 = 1e-12;

/// What is wrong.
pub(crate) fn mistakes(case: &Case, execution: &Execution, primal: &[f64], derivative: &[f64]) -> Mistake {
    let mut wrong = Vec::new();
    for output in 0..OUTPUTS {
        if primal[output].to_bits() != derivative[output].to_bits() {
            wrong.push(format!(
                "output {output} is {} with the derivative, and {} without",
                derivative[output], primal[output]
            ));
        }
    }
    let directions = derivative[OUTPUTS..].chunks(DERIVATIVES).enumerate();
    for ((direction, derivatives), scale) in directions.zip(case.width.scales()) {
        match case.mode {
            Mode::Forward => wrong.extend(
                wrong_tangents(execution, derivatives, *scale)
                    .into_iter()
                    .map(|what| format!("{what} in direction {direction}")),
            ),
            Mode::Reverse => wrong.extend(
                wrong_adjoints(execution, derivatives, *scale)
                    .map(|what| format!("{what} in direction {direction}")),
            ),
        }
    }
    wrong
}

fn wrong_tangents(execution: &Execution, tangents: &[f64], scale: f64) -> Mistake {
    let mut wrong = Vec::new();
    // What cancels to nothing in one way of computing may do so only nearly in another, in the precision of its operands.
    let noise = execution.outputs.iter().fold(CANCELLED, |most: f64, output| most.max(output.error));
    for (index, output) in execution.outputs.iter().enumerate() {
        let (got, wanted) = (tangents[index], scale * output.tangent);
        let error = scale.abs() * if output.tangent == 0.0 { noise } else { output.error };
        if (got - wanted).abs() > error || got.is_nan() {
            wrong.push(format!("output {index} has the tangent {got} instead of {wanted} ± {error}"));
        }
    }
    wrong
}

/// Whether the adjoints of the inputs lead to the same number as the tangents of the outputs.
fn wrong_adjoints(execution: &Execution, adjoints: &[f64], scale: f64) -> Option<String> {
    let (mut wanted, mut got, mut size, mut error) = (0.0, 0.0, 0.0, 0.0);
    for (index, output) in execution.outputs.iter().enumerate() {
        // The adjoint of the result is 1 in each direction.
        let adjoint = if index == 0 { ADJOINTS[0] } else { scale * ADJOINTS[index] };
        wanted += adjoint * output.tangent;
        size += (adjoint * output.tangent).abs();
        error += (adjoint * output.error).abs();
    }
    for (adjoint, tangent) in adjoints.iter().zip(TANGENTS) {
        got += adjoint * tangent;
        size += (adjoint * tangent).abs();
    }
    let error = error + RELATIVE * size;
    ((got - wanted).abs() > error || got.is_nan()).then(|| {
        format!(
            "the adjoints {adjoints:?} lead to {got} instead of {wanted} ± {error}, what the tangents lead to"
        )
    })
}

/// Where a derivative that keeps other values comes to something else.
pub(crate) fn of_other_keeping(
    keeping: Keeping,
    derivative: &[f64],
    other: Option<&[f64]>,
) -> Option<String> {
    let Some(other) = other else {
        return Some(format!("{keeping:?} kept, the derivative does not run to its end"));
    };
    let differs = |(one, other): (&f64, &f64)| one.to_bits() != other.to_bits();
    let index = derivative.iter().zip(other).position(differs)?;
    Some(format!("{keeping:?} kept, number {index} is {} instead of {}", other[index], derivative[index]))
}
