//! The built app in a real window, driven as a person would.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test ends where its own set-up fails")]

mod desk;
mod drag;
mod driver;
mod engine_switch;
mod journeys;
mod look;
mod screen;
mod script;
mod stage;
