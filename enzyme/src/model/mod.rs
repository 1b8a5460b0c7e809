//! The IR model.
