//! How often there is a row, and from when to when.

use super::quoted;
use crate::note::grouped;
use crate::table::{Column, Table};
use jiff::civil::DateTime;

const MINUTE_S: u64 = 60;
const HOUR_S: u64 = 60 * MINUTE_S;
const DAY_S: u64 = 24 * HOUR_S;
const WEEK_S: u64 = 7 * DAY_S;

/// Units in a step that somebody chose.
const MOST_UNITS: u64 = 60;

/// What rows follow each other by.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Units(u64, &'static str),
    Month,
    Quarter,
    Year,
}

/// `One row an hour from 1 Jan to 31 Dec 2025`.
pub(super) fn sentence(table: &Table, time: &Column) -> Option<String> {
    let first = moment(time.first.as_deref()?)?;
    let last = moment(time.last.as_deref()?)?;
    if first == last {
        return None;
    }
    let step_s = time.step_s.filter(|_| table.rows - time.missing >= 3);
    let seconds = u64::try_from(first.until(last).ok()?.to_duration(first).ok()?.as_secs()).ok()?;
    let rows = table.rows - time.missing;
    let (step, expected) = match step_s {
        Some(step_s) => (step(step_s), seconds / step_s + 1),
        None => (None, 0),
    };
    // Rows whose times come several times are no series, whatever the steps between them.
    let series =
        rows <= expected + expected / 100 + 1 && time.distinct.is_none_or(|count| count * 100 >= rows * 99);
    let span = span(first, last, step);
    let Some(step) = step.filter(|_| series && rows * 2 >= expected) else {
        return Some(format!("{} goes {span}", quoted(time)));
    };
    let every = match step {
        Step::Units(1, "hour") => "an hour".to_owned(),
        Step::Units(1, unit) => format!("a {unit}"),
        Step::Units(number, unit) => format!("every {number} {unit}s"),
        Step::Month => "a month".to_owned(),
        Step::Quarter => "a quarter".to_owned(),
        Step::Year => "a year".to_owned(),
    };
    let gaps = expected.saturating_sub(rows);
    let gaps = match step {
        Step::Units(1, unit) if gaps * 200 >= expected && gaps > 0 => {
            format!("; about {} of {} {unit}s have no row", grouped(gaps), grouped(expected))
        }
        _ => String::new(),
    };
    Some(format!("One row {every} {span}{gaps}"))
}

fn step(step_s: u64) -> Option<Step> {
    match step_s {
        0 => None,
        _ if (28 * DAY_S..=31 * DAY_S).contains(&step_s) => Some(Step::Month),
        _ if (89 * DAY_S..=92 * DAY_S).contains(&step_s) => Some(Step::Quarter),
        _ if (365 * DAY_S..=366 * DAY_S).contains(&step_s) => Some(Step::Year),
        _ => {
            let units =
                [(WEEK_S, "week"), (DAY_S, "day"), (HOUR_S, "hour"), (MINUTE_S, "minute"), (1, "second")];
            let (unit_s, unit) = units.into_iter().find(|(unit_s, _)| step_s.is_multiple_of(*unit_s))?;
            let number = step_s / unit_s;
            // The median of steps that are only about the same is no number to tell.
            (number <= MOST_UNITS).then_some(Step::Units(number, unit))
        }
    }
}

/// `2025-01-31`, with or without ` 23:00:00` and an offset.
fn moment(text: &str) -> Option<DateTime> {
    text.strip_suffix("+00:00").unwrap_or(text).parse().ok()
}

/// `from 1 Jan to 31 Dec 2025`, as exact as the step asks for.
fn span(first: DateTime, last: DateTime, step: Option<Step>) -> String {
    let write = |moment: DateTime, format: &str| moment.strftime(format).to_string();
    match step {
        Some(Step::Year) => format!("from {} to {}", write(first, "%Y"), write(last, "%Y")),
        Some(Step::Month | Step::Quarter) => {
            format!("from {} to {}", write(first, "%b %Y"), write(last, "%b %Y"))
        }
        _ if first.date() == last.date() && first != last => format!(
            "from {} to {} on {}",
            write(first, "%H:%M"),
            write(last, "%H:%M"),
            write(first, "%-d %b %Y")
        ),
        _ if first.year() == last.year() => {
            format!("from {} to {}", write(first, "%-d %b"), write(last, "%-d %b %Y"))
        }
        _ => format!("from {} to {}", write(first, "%-d %b %Y"), write(last, "%-d %b %Y")),
    }
}
