//! The first rows of a table, before all of it has been read.

use crate::profile::Profiled;

/// The first rows of a table, under the decisions that the whole table is read with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preview {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// The first rows, as wide as the columns; long cells are cut.
    pub rows: Vec<Vec<String>>,
    /// Number of data rows, when the whole file was seen.
    pub total_rows: Option<u64>,
}

/// How much of a file was seen for its preview.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Seen {
    Whole,
    Beginning,
}

impl Preview {
    pub(crate) fn new(profiled: Profiled, seen: Seen) -> Self {
        Self {
            columns: profiled.header.names,
            rows: profiled.first_rows,
            total_rows: (seen == Seen::Whole).then_some(profiled.rows),
        }
    }
}
