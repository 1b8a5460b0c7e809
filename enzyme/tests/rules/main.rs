//! The rule table checks itself.

use enzyme::rules::{self, names};

#[test]
fn table_builds() {
    assert_eq!(rules::rules().len(), rules::Function::ALL.len());
    assert_eq!(names::lookup("__expf_finite").map(|named| named.function), Some(rules::Function::Exp));
    for rule in rules::rules() {
        for (result, operand, partial) in rule.nonzero_partials() {
            println!(
                "{} d{result}/d{operand} = {}",
                rule.function(),
                rules::text::algebra(partial.expr(), rule.operand_names(), rule.result_names())
            );
        }
    }
}
