//! Derivative rules as data.
//!
//! One table says, for every scalar function, what the partial derivative of each result with respect to
//! each operand is, as an expression over operands and results. Everything else is derived from it: the
//! tangent, the adjoint, which primal values the adjoint reads, the reference page, the self-test.
//!
//! - [`Function`] names the canonical functions with the kinds of their operands and results;
//! - [`rule`] gives the [`Rule`] of one, its [`Partial`]s as [`Expr`]s;
//! - [`Folder`] with an [`Algebra`] turns an [`Expr`] into instructions, numbers or text;
//! - [`names`] maps the names programs use to functions.
//!
//! What the partials are at edges, and why, is written in `RULEBOOK.md` beside this file.

pub mod calls;
pub mod complex_expr;
pub mod constant;
pub mod expansion;
pub mod expr;
pub mod fold;
pub mod function;
pub mod names;
mod reference;
pub mod table;
pub mod text;

#[macro_use]
mod macros;
mod families;

pub use constant::{Constant, Irrational};
pub use expr::{Argument, Call, Condition, Expr, IntExpr, Predicate};
pub use fold::{Algebra, Folder, Value, Values};
pub use function::{Function, Kind, Precision};
pub use names::{Abi, Dialect, Named, Reduction};
pub use reference::reference_markdown;
pub use table::{Family, Partial, Rule, Table, TableError};

use std::sync::LazyLock;

/// The rule of a function.
pub fn rule(function: Function) -> &'static Rule {
    table().rule(function)
}

/// All rules, in the order of [`Function::ALL`].
pub fn rules() -> &'static [Rule] {
    table().rules()
}

/// All rules, family by family.
fn rules_by_family() -> Vec<&'static Rule> {
    let mut rules: Vec<&Rule> = rules().iter().collect();
    // A stable sort: within a family the order of the table stays.
    rules.sort_by_key(|rule| rule.family());
    rules
}

/// The table of all rules.
pub fn table() -> &'static Table {
    static TABLE: LazyLock<Table> = LazyLock::new(|| match Table::new(families::all()) {
        Ok(table) => table,
        // The table is a constant of this crate, so this is a mistake of its authors that any use, and
        // so any test, brings to light.
        Err(error) => panic!("the rule table is wrong: {error}"),
    });
    &TABLE
}
