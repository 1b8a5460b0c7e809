//! The reference page, generated from the table.

use std::fmt::Write;

use super::constant::Irrational;
use super::function::{Function, Precision};
use super::names::{self, lookup};
use super::table::{ComplexPartial, Family, Rule};
use super::text::algebra;

/// The longest formula that is written out; the others are in the source that the page points to.
const LONGEST_FORMULA: usize = 400;

/// The table of rules as a page of Markdown: for each function its names and its partial derivatives.
pub fn reference_markdown() -> String {
    let mut page = String::from(
        "# Scalar functions and their derivatives\n\n\
         This page is generated from the rule table. `[c ? a : b]` is `a` where `c` holds and `b` elsewhere; \
         a derivative with respect to a complex operand is \
         complex, and stands for four real ones by the Cauchy–Riemann equations. Names are those in double precision; the other \
         precisions follow each library's system (`sinf`, `sinl`, `sinf128`, `__nv_sinf`, …). Operands and \
         results that are integers have no derivative and are left out. Conventions at edges are explained in \
         the rulebook.\n\n",
    );
    let symbols: Vec<&str> = Irrational::ALL.into_iter().map(Irrational::symbol).collect();
    // Writing to a string cannot fail.
    let _ = writeln!(page, "Constants are exact in every precision: {}.", symbols.join(", "));
    let mut family = None;
    for rule in super::rules_by_family() {
        if family != Some(rule.family()) {
            family = Some(rule.family());
            start_family(&mut page, rule.family());
        }
        let _ =
            writeln!(page, "| `{}` | {} | {} |", signature(rule), spellings(rule.function()), partials(rule));
    }
    page
}

fn start_family(page: &mut String, family: Family) {
    let _ = write!(page, "\n## {family}\n\n| function | names | derivatives |\n|---|---|---|\n");
}

/// `sincos(x) → s, c`.
fn signature(rule: &Rule) -> String {
    let (operands, results) = (rule.operand_names().join(", "), rule.result_names().join(", "));
    format!("{}({operands}) → {results}", rule.function())
}

/// The names in double precision. Of systematic variants one stands for all: those in other rounding
/// modes, for more vector elements, and with the precision spelled out are left away.
fn spellings(function: Function) -> String {
    let is_double = |name: &&str| lookup(name).is_some_and(|named| named.precision == Precision::Double);
    let names =
        names::spellings(function).into_iter().filter(is_double).filter(|name| stands_for_others(name));
    let intrinsics = names::intrinsics(function)
        .into_iter()
        .filter(|name| stands_for_others(name))
        .map(|name| format!("`llvm.{name}`"));
    let all: Vec<String> = names.map(|name| format!("`{name}`")).chain(intrinsics).collect();
    if all.is_empty() { "(an instruction)".to_owned() } else { all.join(", ") }
}

fn stands_for_others(name: &str) -> bool {
    const LEFT_AWAY_STARTS: [&str; 4] = ["vp.", "experimental.", "__pd_", "__rd_"];
    const LEFT_AWAY_ENDS: [&str; 6] = ["_rd", "_ru", "_rz", ".rm", ".rp", ".rz"];
    let is_variant = LEFT_AWAY_STARTS.iter().any(|start| name.starts_with(start))
        || LEFT_AWAY_ENDS.iter().any(|end| name.ends_with(end))
        || name.starts_with("__fd_") && !name.ends_with("_1")
        || name.starts_with("_FortranA") && ["_1", "_2", "_8", "_16"].iter().any(|end| name.ends_with(end));
    let repeats_precision = !name.starts_with("__") && (name.ends_with("f64") || name.ends_with("f32x"));
    !is_variant && !repeats_precision
}

fn partials(rule: &Rule) -> String {
    if !rule.complex_partials().is_empty() {
        let formula = |partial: &ComplexPartial| format!("∂/∂{} = `{}`", partial.operand, partial.formula);
        return rule.complex_partials().iter().map(formula).collect::<Vec<_>>().join("<br>");
    }
    let (operands, results) = (rule.operand_names(), rule.result_names());
    let mut formulas = Vec::new();
    for (row, result) in results.iter().enumerate() {
        for (column, operand) in operands.iter().enumerate() {
            let function = rule.function();
            if function.is_float_result(row) && function.is_float_operand(column) {
                let formula = algebra(rule.partial(row, column).expr(), operands, results);
                formulas.push(if formula.len() > LONGEST_FORMULA {
                    format!("∂{result}/∂{operand}: a series, see `expansion.rs`")
                } else {
                    format!("∂{result}/∂{operand} = `{formula}`")
                });
            }
        }
    }
    if formulas.is_empty() { "none".to_owned() } else { formulas.join("<br>") }
}
