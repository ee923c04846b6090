//! What a report says.
//!
//! This crate reads the Markdown of a report: the links and pictures in it, and which of them lead to files
//! that are there. It knows nothing of runs, models or sandboxes.

mod links;

pub use links::{Link, LinkKind, Links, links};
