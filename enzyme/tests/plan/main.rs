//! What is decided about derivatives of small functions, given as text.

mod calls;
mod checkpointed;
mod chosen;
mod forward;
mod layouts;
mod postponed;
mod reverse;
mod reverse_memory;
mod split;
mod support;
mod ways;
mod why;
