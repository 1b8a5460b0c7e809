//! Derivative rules as data.
