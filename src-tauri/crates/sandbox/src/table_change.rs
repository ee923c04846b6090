//! What a step did to the tables in the kernel, as the kernel tells it.
//!
//! The kernel shares its process with the code, so this is the code's own word: it serves a person who wants to
//! see what happened to the data, and nothing is decided by it. The supervisor checks form and size
//! (`sandbox/changes.py`).

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::text::printable;

/// One change of a table: rows that went or came, values that were filled or lost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TableChange {
    /// What was done.
    pub kind: ChangeKind,
    /// The line of the step's code.
    pub line: u32,
    /// The code that did it, as one line, shortened.
    pub code: String,
    /// The variable that holds the result; `None` for one that has no name of its own.
    pub name: Option<String>,
    /// The tables that went in.
    pub from: Vec<TableRows>,
    /// Rows before; `None` for a table that is read or put together.
    pub rows_before: Option<u64>,
    /// Rows after.
    pub rows_after: u64,
    /// Columns before; `None` for a single column.
    pub columns_before: Option<u64>,
    /// Columns after; `None` for a single column.
    pub columns_after: Option<u64>,
    /// Missing values before, where they were counted.
    pub missing_before: Option<u64>,
    /// Missing values after, where they were counted.
    pub missing_after: Option<u64>,
}

/// A table with its rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TableRows {
    /// Its name, or the short expression that makes it.
    pub name: String,
    /// How many rows it has.
    pub rows: u64,
}

/// What was done to a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// It was read from a file.
    Read,
    /// Rows were left out by a condition or by number.
    Filter,
    /// Rows or columns with missing values were left out.
    DropMissing,
    /// Repeated rows were left out.
    DropRepeats,
    /// Missing values were filled.
    Fill,
    /// Values became missing ones.
    Lost,
    /// Tables were put together.
    Join,
    /// Its rows changed in another way.
    Other,
}

impl ChangeKind {
    /// What was done, in plain words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Filter => "filtered",
            Self::DropMissing => "missing left out",
            Self::DropRepeats => "repeats left out",
            Self::Fill => "missing filled",
            Self::Lost => "became missing",
            Self::Join => "put together",
            Self::Other => "rows changed",
        }
    }
}

impl TableChange {
    /// The same with texts that are safe to show.
    pub(crate) fn made_printable(mut self) -> Self {
        let safe = |text: &str| printable(text.as_bytes());
        self.code = safe(&self.code);
        self.name = self.name.as_deref().map(safe);
        for table in &mut self.from {
            table.name = safe(&table.name);
        }
        self
    }
}
