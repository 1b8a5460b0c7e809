//! What the analysis costs: steps, which do not depend on the machine.

use enzyme::types::{Analyser, CallTypes, Options};

use crate::shapes::{CALLS, FUNCTIONS, Family, TABLES};
use crate::support::{first, program};

/// How many instructions are looked at, in all contexts.
fn steps(family: &Family, size: usize) -> usize {
    let text = family.1(size);
    let program = program(&text);
    let mut analyser = Analyser::new(&program, Options::default());
    analyser
        .analyse(first(&program), CallTypes::default())
        .unwrap_or_else(|error| panic!("{} of size {size}: {error}", family.0));
    analyser.steps()
}

/// Asserts that steps grow no faster than N log N, but for a constant part.
fn assert_near_linear(family: &Family, sizes: &[usize]) {
    let counted: Vec<usize> = sizes.iter().map(|&size| steps(family, size)).collect();
    let per_unit = |(&size, &steps): (&usize, &usize)| steps as f64 / (size as f64 * (size as f64).log2());
    let ratios: Vec<f64> = sizes.iter().zip(&counted).map(per_unit).collect();
    let grows = ratios.windows(2).any(|pair| pair[1] > 1.2 * pair[0]);
    assert!(!grows, "{}: {counted:?} steps for sizes {sizes:?}", family.0);
}

#[test]
fn steps_grow_with_the_number_of_instructions() {
    for family in &FUNCTIONS {
        assert_near_linear(family, &[250, 1_000, 4_000]);
    }
}

#[test]
fn steps_of_an_instruction_are_few() {
    for family in &FUNCTIONS {
        let size = 4_000;
        let steps = steps(family, size);
        assert!(steps <= 12 * size, "{}: {steps} steps for about {size} instructions", family.0);
    }
}

#[test]
fn steps_do_not_depend_on_the_size_of_tables() {
    for family in &TABLES {
        let sizes = [100, 10_000, 1_000_000];
        let counted: Vec<usize> = sizes.iter().map(|&size| steps(family, size)).collect();
        assert!(counted.iter().all(|&steps| steps == counted[0]), "{}: {counted:?}", family.0);
    }
}

#[test]
fn steps_grow_with_the_depth_of_calls() {
    for family in &CALLS {
        assert_near_linear(family, &[10, 100, 1_000]);
    }
}

#[test]
fn a_tree_of_calls_has_as_many_contexts_as_there_are_types() {
    let family = &CALLS[1];
    let text = family.1(1_000);
    let program = program(&text);
    let mut analyser = Analyser::new(&program, Options::default());
    analyser.analyse(first(&program), CallTypes::default()).expect("no contradiction");
    let contexts = analyser.contexts().count();
    assert!(contexts <= 2 * program.len(), "{contexts} contexts of {} functions", program.len());
}
