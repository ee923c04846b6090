//! The real window, as it is shipped, beside an empty one: how soon it is there, what it takes, and whether
//! it stays smooth with much in it. `cargo bench -p assay-desktop --features custom-protocol`, with the names
//! of some parts behind `--` for these only.
//!
//! The machine may be busy: each number is a median of several turns, or stands beside a floor of the same
//! run.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a bench ends where its own set-up fails")]
#![allow(
    clippy::cast_precision_loss,
    clippy::format_collect,
    clippy::cast_possible_truncation,
    reason = "counts are small"
)]

#[path = "../../e2e/drag.rs"]
mod drag;
#[path = "../../e2e/driver.rs"]
mod driver;
mod empty;
mod frames;
mod kept_run;
mod large_file;
mod memory;
mod screen;
mod scroll;
mod stage;
mod start;
mod table;

use stage::Stage;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == empty::ARGUMENT) {
        empty::open();
        return;
    }
    let mut stage = match Stage::set() {
        Ok(stage) => stage,
        Err(missing) => {
            eprintln!("The window cannot be measured: {missing}.");
            std::process::exit(1);
        }
    };
    let is_wanted = |part: &str| {
        let mut named = arguments.iter().filter(|argument| !argument.starts_with('-')).peekable();
        named.peek().is_none() || named.any(|name| name == part)
    };
    let mut rows = Vec::new();
    if is_wanted("start") {
        rows.extend(start::measure(&stage));
    }
    if is_wanted("memory") {
        rows.extend(memory::measure(&stage));
    }
    let asking = tokio::runtime::Runtime::new().unwrap();
    if is_wanted("large_file") {
        rows.extend(asking.block_on(large_file::measure(&mut stage)));
    }
    if is_wanted("scroll") {
        rows.extend(asking.block_on(scroll::measure(&mut stage)));
    }
    if is_wanted("stream") {
        rows.extend(asking.block_on(scroll::measure_streaming(&mut stage)));
    }
    table::print(&rows);
}
