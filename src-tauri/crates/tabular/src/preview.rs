//! The first rows of a table, before all of it has been read.

use crate::plan::Plan;
use crate::prepare::prepared_cells;
use crate::profile::Profiled;
use crate::settings::Settings;

/// The first rows of a table, under the decisions that the whole table is read with, as far as its beginning tells
/// them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preview {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// The first rows as the prepared table has them, as wide as the columns; long cells are cut.
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
    pub(crate) fn new(profiled: &Profiled, seen: Seen, settings: &Settings) -> Self {
        let planned = Plan::columns(&profiled.columns, settings);
        Self {
            columns: planned.iter().filter(|column| !column.omit).map(|column| column.name.clone()).collect(),
            rows: profiled.first_rows.iter().map(|row| prepared_cells(row, &planned)).collect(),
            total_rows: (seen == Seen::Whole).then_some(profiled.rows),
        }
    }
}
