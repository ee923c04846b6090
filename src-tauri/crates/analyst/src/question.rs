//! A question as one value: what is asked of which columns, for which rows, in which groups.
//!
//! [`read`] makes it from words; its `Display` is the line that the person is shown, and reading that
//! line again gives the same value.

mod calendar;
mod columns;
mod conditions;
mod follow_up;
mod reading;
mod settling;
mod shown;
mod tokens;

pub(crate) use calendar::{Cycle, Day, Grain, Span};
pub(crate) use reading::read;

use crate::intent::Intent;

/// What is asked.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Question {
    /// The kind of answer.
    pub(crate) intent: &'static Intent,
    /// What is computed; empty where the question leaves it open.
    pub(crate) aggregates: Vec<Aggregate>,
    /// The columns that are measured.
    pub(crate) measures: Vec<String>,
    /// What the rows are divided by.
    pub(crate) groups: Vec<Group>,
    /// Which rows count: all of these must hold.
    pub(crate) conditions: Vec<Condition>,
    /// Times that are set against each other.
    pub(crate) periods: Vec<Span>,
    /// How many, and from which end.
    pub(crate) top: Option<Top>,
    /// How the answer is shown first.
    pub(crate) form: Form,
    /// Words that say something that was not understood.
    pub(crate) not_understood: Vec<String>,
}

/// How an answer is shown first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Form {
    /// The chart before the table.
    #[default]
    Chart,
    /// The table before the chart.
    Table,
}

/// What is computed of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Aggregate {
    Mean,
    Median,
    Sum,
    Highest,
    Lowest,
    Spread,
    Count,
    Distinct,
    Share,
    Missing,
}

impl Aggregate {
    /// Every one, with the word it is shown with and the words that ask for it.
    pub(crate) const ALL: [(Self, &'static str, &'static str); 10] = [
        (Self::Mean, "average", "average avg mean typical typically averaged averages"),
        (Self::Median, "median", "median"),
        (Self::Sum, "total", "total sum totals altogether combined overall"),
        (Self::Highest, "highest", "highest maximum max largest biggest greatest longest best"),
        (Self::Lowest, "lowest", "lowest minimum min smallest shortest least fewest worst"),
        (Self::Spread, "standard deviation", "std stdev deviation sd"),
        (Self::Count, "count", "count counts"),
        (Self::Distinct, "distinct values", "different distinct unique"),
        (Self::Share, "share", "share shares percentage percent proportion fraction"),
        (Self::Missing, "missing", "missing empty blank null nulls"),
    ];

    /// The word it is shown with.
    pub(crate) fn word(self) -> &'static str {
        Self::ALL.iter().find(|(one, ..)| *one == self).map_or("", |(_, word, _)| word)
    }
}

/// What divides the rows.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Group {
    /// The values of a column.
    Column(String),
    /// Stretches of time: each month.
    Every(String, Grain),
    /// What comes again: each month of the year, whatever the year.
    Cycle(String, Cycle),
}

/// Which rows count.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Condition {
    /// The cell is (or is not) one of these texts, whatever their capitals.
    Is { column: String, values: Vec<String>, negated: bool },
    /// The number lies within these bounds.
    Within { column: String, bounds: Bounds },
    /// The time lies in this span.
    During { column: String, span: Span },
    /// The time lies (or does not lie) in these parts of each year, week or day.
    Recurring { column: String, cycle: Cycle, values: Vec<u32>, negated: bool },
    /// The cell has a value, or has none.
    Filled { column: String, filled: bool },
    /// Some cell of the row says this; which column, only the rows can tell.
    Says { words: String, negated: bool },
    /// One of these holds.
    AnyOf(Vec<Condition>),
    /// No unusual reading that was found before.
    WithoutEvents,
}

/// The bounds of a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Bounds {
    Over(f64),
    AtLeast(f64),
    Under(f64),
    AtMost(f64),
    Exactly(f64),
    Between(f64, f64),
}

/// How many, from which end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Top {
    /// How many.
    pub(crate) count: u32,
    /// From which end.
    pub(crate) order: Order,
}

/// From which end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    Most,
    Least,
}

#[cfg(test)]
pub(crate) mod tests;
