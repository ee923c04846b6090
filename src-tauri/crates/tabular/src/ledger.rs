//! The account of what was read and what was not: no row and no cell is lost in silence.

use crate::cell::shown;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Rows of one kind that are listed one by one; all of them are counted.
const LISTED: usize = 20;

/// What became of every row of a file, and of every cell that does not fit.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Ledger {
    /// Rows that were read as rows of the table.
    pub rows_read: u64,
    /// Rows that are no part of the table, by the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows_skipped: Vec<Entry>,
    /// Rows that were kept although something is odd about them, by what it is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows_marked: Vec<Entry>,
    /// Cells that do not fit the type of their column, by column; each different text once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cells_flagged: Vec<Entry>,
    /// Cells with a word for no value, such as `n/a`, by column; each different word once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub null_words: Vec<Entry>,
    /// Bytes that are no text in the encoding of the file, each shown as \u{FFFD}.
    #[serde(default)]
    pub damaged_characters: u64,
}

/// Rows or cells with the same fate.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(rename = "LedgerEntry")]
pub struct Entry {
    /// Why, in plain words; for cells the name of the column and what was expected.
    pub why: String,
    /// How many there are.
    pub count: u64,
    /// The first of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub first: Vec<Place>,
}

/// One row or cell of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(rename = "LedgerPlace")]
pub struct Place {
    /// The row of the file, from 1.
    pub row: u64,
    /// What stands there; long text is cut.
    pub text: String,
}

impl Ledger {
    /// Rows that are no part of the table.
    pub fn skipped(&self) -> u64 {
        self.rows_skipped.iter().map(|entry| entry.count).sum()
    }

    /// Cells that do not fit the type of their column.
    pub fn flagged(&self) -> u64 {
        self.cells_flagged.iter().map(|entry| entry.count).sum()
    }
}

impl Entry {
    pub(crate) fn new(why: impl Into<String>) -> Self {
        Self { why: why.into(), count: 0, first: Vec::new() }
    }

    /// Takes in what the other entry has.
    pub(crate) fn join(&mut self, other: &Self) {
        self.count += other.count;
        self.first.extend(other.first.iter().take(LISTED.saturating_sub(self.first.len())).cloned());
    }

    /// Takes in a text that stands in `count` rows of the file, first in `row`, from 0.
    pub(crate) fn add_many(&mut self, row: u64, text: &str, count: u64) {
        self.add(row, || text.to_owned());
        self.count += count - 1;
    }

    /// Takes in what stands in `row` of the file, from 0.
    pub(crate) fn add(&mut self, row: u64, text: impl FnOnce() -> String) {
        self.count += 1;
        if self.first.len() < LISTED {
            self.first.push(Place { row: row + 1, text: shown(text().trim()) });
        }
    }
}
