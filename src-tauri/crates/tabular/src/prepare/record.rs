//! What is written beside prepared tables, so that everybody can see what was decided: `tables.json`.

use crate::TableError;
use crate::decision::Decision;
use crate::ledger::Ledger;
use crate::reading::Reading;
use crate::settings::Settings;
use crate::table::Kind;
use serde::{Deserialize, Serialize};
use std::path::Path;
use ts_rs::TS;

/// The tables of a run: which file each was made from, and how.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TablesFile {
    /// The tables.
    pub tables: Vec<PreparedTable>,
}

/// One prepared table.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PreparedTable {
    /// The prepared table.
    pub path: String,
    /// The file that it was made from.
    pub original: String,
    /// Number of rows.
    pub rows: u64,
    /// The columns in their order; those that are left out are not in the prepared table.
    pub columns: Vec<PreparedColumn>,
    /// What was decided, with what speaks for it.
    pub decisions: Vec<Decision>,
    /// What a person had set.
    pub settings: Settings,
    /// What became of every row and cell.
    pub ledger: Ledger,
    /// What a person should know about the way the file was read.
    pub notes: Vec<String>,
}

/// One column of a prepared table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct PreparedColumn {
    /// Its name in the prepared table.
    pub name: String,
    /// Its name in the file, where that is another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub original_name: Option<String>,
    /// What the values are. Spans of time are seconds.
    pub kind: Kind,
    /// The unit, where the values or the name say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Rows without a value.
    pub missing: u64,
    /// A person chose to leave it out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub left_out: bool,
}

impl Reading {
    /// What is written about the table that [`Reading::prepare`] writes to `path`.
    pub fn record(&self, path: &str) -> PreparedTable {
        let columns =
            self.table.columns.iter().zip(&self.plan.columns).map(|(column, planned)| PreparedColumn {
                name: planned.name.clone(),
                original_name: (planned.name != column.name).then(|| column.name.clone()),
                kind: column.kind,
                unit: column.unit.clone(),
                missing: column.missing,
                left_out: planned.omit,
            });
        PreparedTable {
            path: path.to_owned(),
            original: self.table.path.clone(),
            rows: self.table.rows,
            columns: columns.collect(),
            decisions: self.decisions.iter().filter(|decision| self.may_tell(decision)).cloned().collect(),
            settings: self.settings.clone(),
            ledger: self.ledger_to_tell(),
            notes: self.notes_to_tell(),
        }
    }

    /// What a person should know, unless it may quote a column that is left out.
    pub(crate) fn notes_to_tell(&self) -> Vec<String> {
        if self.leaves_out_columns() { Vec::new() } else { self.table.notes.clone() }
    }

    fn may_tell(&self, decision: &Decision) -> bool {
        let column = decision.id.split_once(':').map(|(_, column)| column);
        let columns = self.table.columns.iter().zip(&self.plan.columns);
        !columns.filter(|(_, planned)| planned.omit).any(|(own, _)| Some(own.name.as_str()) == column)
    }

    /// The ledger; without its places, which quote whole rows, and without cells where a column is left out.
    fn ledger_to_tell(&self) -> Ledger {
        let mut ledger = self.ledger.clone();
        if self.leaves_out_columns() {
            (ledger.cells_flagged, ledger.null_words) = (Vec::new(), Vec::new());
            let rows = ledger.rows_skipped.iter_mut().chain(&mut ledger.rows_marked);
            rows.for_each(|entry| entry.first.clear());
        }
        ledger
    }
}

impl TablesFile {
    /// The record of these tables.
    pub fn new(tables: impl IntoIterator<Item = PreparedTable>) -> Self {
        Self { tables: tables.into_iter().collect() }
    }

    /// Writes the record to the file at `path`.
    ///
    /// # Errors
    /// [`TableError::Unwritable`] when the place cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), TableError> {
        let trouble = |error| TableError::from_writing(path, error);
        let text = serde_json::to_vec_pretty(self).map_err(|error| trouble(error.into()))?;
        std::fs::write(path, text).map_err(trouble)
    }
}
