//! Life and death of sandboxes: whatever ends a run, nothing of it is left with the engine, on the disk or among
//! the processes.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test ends where its own set-up fails")]

mod endings;
mod engine;
mod leftovers;
mod owners;
mod program;
mod restarts;
mod sessions;
