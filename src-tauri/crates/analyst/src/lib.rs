//! The built-in analyst: a [`Model`](assay_model::Model) that is fixed rules and statistics, no AI.
//!
//! It owns the choice of a plan and of columns from the opening message, and the Python of each
//! step (`src/python/`). It is a pure function of the messages: it keeps nothing between turns,
//! opens no file and no connection, and runs nothing itself. It refuses to know sandboxes, files on
//! disk and how its steps are carried out; all it sees of them is the observation's text.

mod analyst;
mod choice;
mod conversation;
mod intent;
mod opening;
mod plan;
mod python;
mod question;
mod words;

pub use analyst::Analyst;
