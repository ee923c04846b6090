//! What changed between a run and the earlier one that it does again.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::path::Path;

use assay_report::{Change, Difference, Document};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::contract::{REPORT, files_below, has_extension};
use crate::engine::Engine;
use crate::problem::{Code, Problem};
use crate::run::RunRecord;

/// A run beside the earlier one.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct Comparison {
    /// The earlier run.
    pub before: String,
    /// The later run.
    pub now: String,
    /// The name of the earlier file.
    pub file_before: String,
    /// The name of the new file.
    pub file_now: String,
    /// The figures of the reports side by side; empty where one of the runs has no report.
    pub figures: Difference,
    /// The tables that both runs, or one of them, have left.
    pub tables: Vec<TableDifference>,
}

/// A result table before and now.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TableDifference {
    /// Its path below `output/`.
    pub path: String,
    /// Its rows in the earlier run; `None` where that has no such table.
    pub rows_before: Option<u64>,
    /// Its rows in the later run; `None` where that has no such table.
    pub rows_now: Option<u64>,
    /// Columns that are not there any more.
    pub columns_gone: Vec<String>,
    /// Columns that were not there before.
    pub columns_new: Vec<String>,
}

impl Comparison {
    /// How many figures that stand in both reports are others than before, and how many there are.
    pub fn changed(&self) -> (usize, usize) {
        let pairs = &self.figures.pairs;
        (pairs.iter().filter(|pair| pair.change != Change::Same).count(), pairs.len())
    }
}

impl Engine {
    /// What changed in a run that does an earlier one again.
    pub fn compare(&self, run: &str) -> Result<Comparison, Problem> {
        let store = self.open_store()?;
        let unknown = || Problem::new(Code::Input, "This run is not in the history.", "Choose another one.");
        let row = store.run(run)?.ok_or_else(unknown)?;
        let record: RunRecord =
            serde_json::from_str(&row.record).map_err(|error| Problem::storage(&error))?;
        let again = record.again.ok_or_else(|| {
            Problem::new(
                Code::Input,
                "This run does not do an earlier one again, so there is nothing to compare it with.",
                "Run an earlier one again on a new file.",
            )
        })?;
        if store.run(&again.run)?.is_none() {
            return Err(Problem::new(
                Code::Input,
                "The earlier run was deleted, so there is nothing to compare this one with.",
                "The report of this run is complete by itself.",
            ));
        }
        let folder = |id: &str| self.run_folder(id).join("output");
        let (old, new) = (folder(&again.run), folder(run));
        let figures = match (document(&old), document(&new)) {
            (Some(old), Some(new)) => assay_report::compare(&old, &new),
            _ => Difference::default(),
        };
        Ok(Comparison {
            before: again.run,
            now: run.to_owned(),
            file_before: again.file.before,
            file_now: again.file.now,
            figures,
            tables: tables(&old, &new),
        })
    }
}

fn document(output: &Path) -> Option<Document> {
    let markdown = std::fs::read_to_string(output.join(REPORT)).ok()?;
    Some(Document::read(&markdown, &|path| {
        assay_sandbox::check_relative_path(path).is_ok() && output.join(path).is_file()
    }))
}

fn tables(old: &Path, new: &Path) -> Vec<TableDifference> {
    let names = |output: &Path| files_below(output).into_iter().filter(|path| has_extension(path, "csv"));
    let paths: BTreeSet<String> = names(old).chain(names(new)).collect();
    let changes = paths.into_iter().map(|path| {
        let (before, now) = (shape(&old.join(&path)), shape(&new.join(&path)));
        let missing = |from: &Option<(u64, Vec<String>)>, of: &Option<(u64, Vec<String>)>| match (from, of) {
            (Some((_, from)), Some((_, of))) => {
                of.iter().filter(|name| !from.contains(name)).cloned().collect()
            }
            _ => Vec::new(),
        };
        TableDifference {
            columns_gone: missing(&now, &before),
            columns_new: missing(&before, &now),
            rows_before: before.map(|(rows, _)| rows),
            rows_now: now.map(|(rows, _)| rows),
            path,
        }
    });
    changes.collect()
}

/// The rows and the columns of a CSV table that pandas wrote.
fn shape(path: &Path) -> Option<(u64, Vec<String>)> {
    let file = std::fs::File::open(path).ok()?;
    let (mut rows, mut columns) = (0, None);
    let mut record = String::new();
    for line in BufReader::new(file).lines() {
        record.push_str(&line.ok()?);
        // A line feed within quotes is part of a cell.
        if record.matches('"').count() % 2 == 1 {
            record.push('\n');
            continue;
        }
        match columns {
            None => columns = Some(cells(&record)),
            Some(_) if record.is_empty() => {}
            Some(_) => rows += 1,
        }
        record.clear();
    }
    columns.map(|columns| (rows, columns))
}

fn cells(record: &str) -> Vec<String> {
    let (mut cells, mut cell, mut quoted) = (Vec::new(), String::new(), false);
    for c in record.trim_start_matches('\u{feff}').trim_end_matches('\r').chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(std::mem::take(&mut cell)),
            c => cell.push(c),
        }
    }
    cells.push(cell);
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_compared_by_rows_and_columns() {
        let (old, new) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::fs::write(old.path().join("a.csv"), "x,\"y, z\"\n1,\"two\nlines\"\n2,3\n").unwrap();
        std::fs::write(new.path().join("a.csv"), "x,w\n1,2\n").unwrap();
        std::fs::write(new.path().join("b.csv"), "x\n").unwrap();
        let change = |path: &str, before, now| TableDifference {
            path: path.into(),
            rows_before: before,
            rows_now: now,
            ..TableDifference::default()
        };
        assert_eq!(
            tables(old.path(), new.path()),
            [
                TableDifference {
                    columns_gone: vec!["y, z".into()],
                    columns_new: vec!["w".into()],
                    ..change("a.csv", Some(2), Some(1))
                },
                change("b.csv", None, Some(0)),
            ]
        );
    }
}
