//! What a run works with, as far as hints to the model are drawn from it.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The names of what is there.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Surroundings {
    /// The tables.
    pub tables: Vec<TableNames>,
    /// The packages that can be imported.
    pub packages: Vec<String>,
    /// Python that loads the tables into their data frames; it is run again when the process was lost.
    pub prelude: Option<String>,
}

/// How a table is called.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TableNames {
    /// The file, such as `input/sales.csv`.
    pub path: String,
    /// The variable that holds it from the start, where one does.
    pub frame: Option<String>,
    /// The columns.
    pub columns: Vec<String>,
}
