//! Points-to sets, escapes, and what instructions read and write: each fact beside the cautious answer.

mod calls;
mod cost;
mod flows;
mod library;
mod overwritten;
mod probe;
mod queries;
mod random;
mod summaries;
