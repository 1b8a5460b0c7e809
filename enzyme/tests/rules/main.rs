//! The self-test of the rule table, derived from the table: nothing in here knows a derivative, save
//! the conventions at edges.

mod complex;
#[path = "../shared/doubles.rs"]
mod doubles;
mod edges;
mod evaluate;
mod gradients;
mod names;
mod points;
mod real;
mod reference;
mod special;
mod table;
