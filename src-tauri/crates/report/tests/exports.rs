//! Exports as other programs read them.
//!
//! The report in `exports/` is long, speaks many languages, shows twelve charts and holds what has broken such
//! programs. Each export of it is opened again by programs that know nothing of this crate. The exports stay
//! in `target/tmp/exports/`, to be looked at.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test ends where its own set-up fails")]

#[path = "exports/docx.rs"]
mod docx;
#[path = "exports/fixture.rs"]
mod fixture;
#[path = "exports/html.rs"]
mod html;
#[path = "exports/markdown.rs"]
mod markdown;
#[path = "exports/pdf.rs"]
mod pdf;
#[path = "exports/xlsx.rs"]
mod xlsx;
