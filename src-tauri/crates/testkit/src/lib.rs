//! What tests need in place of the outside world: a model server that answers by a script.
//!
//! It is used by tests only. It knows the providers' formats as their real servers speak them, and
//! nothing of this project's own types, so that it cannot agree with them by mistake.

#![allow(clippy::expect_used, reason = "a failure here is a failed test")]

mod formats;
mod hosted_container;
mod hosted_server;
mod reply;
mod scripted_server;

pub use hosted_server::{HostedRequest, HostedServer, HostedTrouble};
pub use reply::Reply;
pub use scripted_server::{Recorded, ScriptedServer};
