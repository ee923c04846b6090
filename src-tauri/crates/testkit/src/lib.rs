//! What tests need in place of the outside world: a model server that answers by a script.
//!
//! It is used by tests only. It knows the Chat Completions format as real servers speak it, and
//! nothing of this project's own types, so that it cannot agree with them by mistake.

#![allow(clippy::expect_used, reason = "a failure here is a failed test")]

mod reply;
mod scripted_server;

pub use reply::Reply;
pub use scripted_server::{Recorded, ScriptedServer};
