//! The prepared table as it is told of and shown, without being written.

use super::cells;
use crate::TableError;
use crate::pandas;
use crate::plan::PlannedColumn;
use crate::progress::Progress;
use crate::reading::Reading;
use crate::table::{Column, Kind, Table};
use std::ops::ControlFlow;

impl Reading {
    /// What is in the table that [`Reading::prepare`] writes; `path` is its name where the code runs.
    pub fn prepared_table(&self, path: &str) -> Table {
        let table = &self.table;
        let planned: Vec<&PlannedColumn> = self.plan.columns.iter().filter(|column| !column.omit).collect();
        let kept = table.columns.iter().zip(&self.plan.columns).filter(|(_, planned)| !planned.omit);
        let columns = kept.map(|(column, planned)| Column {
            name: planned.name.clone(),
            date_format: column.date_format.as_deref().map(|format| plain_format(column.kind, format)),
            ..column.clone()
        });
        let rows = table.first_rows.iter();
        Table {
            path: path.to_owned(),
            prepared_from: Some(table.path.clone()),
            format: "csv".to_owned(),
            sheet: table.sheet.clone(),
            encoding: Some("utf-8".to_owned()),
            delimiter: Some(",".to_owned()),
            decimal: ".".to_owned(),
            thousands: None,
            header_row: 1,
            read_with: pandas::prepared(path, &planned, table.rows),
            columns: columns.collect(),
            notes: self.notes_to_tell(),
            first_rows: rows.map(|row| prepared_cells(row, &self.plan.columns)).collect(),
            ..table.clone()
        }
    }

    /// Whether no cell of the table has a value.
    pub fn has_no_value(&self) -> bool {
        self.table.columns.iter().all(|column| column.kind == Kind::Empty)
    }

    /// Whether a person has left a column out.
    pub fn leaves_out_columns(&self) -> bool {
        self.plan.columns.iter().any(|column| column.omit)
    }

    /// Rows of the prepared table from `offset` on, at most `limit` of them. They are looked for from the beginning
    /// of the file; a [`Grid`](crate::Grid) is quicker where the file is text.
    ///
    /// # Errors
    /// As [`Reading::write`].
    pub fn rows(&self, offset: u64, limit: usize) -> Result<Vec<Vec<String>>, TableError> {
        let report = &mut |_, _| ControlFlow::Continue(());
        let mut progress = Progress { total: 0, report };
        let (mut before, mut rows) = (offset, Vec::new());
        if limit == 0 {
            return Ok(rows);
        }
        self.plan.each_row(&mut progress, &mut |record| {
            if before > 0 {
                before -= 1;
                return Ok(true);
            }
            rows.push(prepared_cells(&record.texts(), &self.plan.columns));
            Ok(rows.len() < limit)
        })?;
        Ok(rows)
    }
}

/// The cells of a row as the prepared table has them, as many as it has columns.
pub(crate) fn prepared_cells(cells: &[String], columns: &[PlannedColumn]) -> Vec<String> {
    let cells = cells.iter().map(String::as_str).chain(std::iter::repeat(""));
    let kept = cells.zip(columns).filter(|(_, column)| !column.omit);
    kept.map(|(cell, column)| {
        let mut prepared = Vec::new();
        cells::prepare(cell.as_bytes(), column, &mut prepared);
        String::from_utf8_lossy(&prepared).into_owned()
    })
    .collect()
}

/// How the prepared table writes what the file writes as `format`.
fn plain_format(kind: Kind, format: &str) -> String {
    if kind == Kind::Date && !format.contains("%d") {
        return "%Y-%m".to_owned();
    }
    let fraction = if format.contains("%f") { ".%f" } else { "" };
    let offset = if format.contains("%z") { "%z" } else { "" };
    format!("{}{fraction}{offset}", kind.plain_format())
}
