//! What a table file says: its encoding, its dialect, its header, the type of each column and a
//! profile of every row.
//!
//! The crate owns the way from bytes to a [`Table`]. It refuses to know about runs, sandboxes, models
//! and windows: it is given a path, and the name that the file will have where the code runs, which
//! appears only in [`Table::read_with`].
//!
//! The order of work for delimited text, each step in its own module:
//!
//! 1. `source` opens the file and tells a table from everything else;
//! 2. `encoding`, `dialect` and `header` make decisions from the first bytes;
//! 3. `profile` reads every row once under those decisions, with bounded memory;
//! 4. `pandas` writes the decisions down as one Python expression.
//!
//! Decisions are values (`TextEncoding`, `Dialect`, `Header`) that reading receives and never makes:
//! whoever wants another reading passes other decisions.

mod cell;
mod choices;
mod column;
mod date;
mod decision;
mod decode;
mod delimited;
mod dialect;
mod distinct;
mod dress;
mod duration;
mod encoding;
mod error;
mod evidence;
mod findings;
mod grid;
mod guard;
mod header;
mod histogram;
mod json;
mod ledger;
mod named;
mod note;
mod number;
mod packing;
mod pandas;
mod parquet_file;
mod plan;
mod prepare;
mod preview;
mod profile;
mod progress;
mod reading;
mod records;
mod repeats;
mod roles;
mod settings;
mod source;
mod suggestions;
mod table;
mod timeline;
mod unit;
mod words;
mod workbook;

#[cfg(test)]
mod tests;

pub use choices::{Choice, choices, leave_out};
pub use decision::{Alternative, Decision};
pub use error::TableError;
pub use findings::findings;
pub use grid::{Direction, Grid, GridPage};
pub use ledger::{Entry, Ledger, Place};
pub use prepare::{PreparedColumn, PreparedTable, TablesFile, Writing};
pub use preview::Preview;
pub use reading::Reading;
pub use settings::{SettingError, Settings};
pub use suggestions::suggestions;
pub use table::{Column, Kind, Shape, Table};
pub use workbook::SheetPreview;

use column::Aim;
use named::Format;
use packing::Packing;
use progress::Progress;
use source::{Content, Source};
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::Path;

/// Reads the table file at `path` and says what is in it.
///
/// `destination` is the name of the file where the code will run, such as `input/x.csv`. Text is
/// streamed and memory stays bounded by the number of columns, never by the number of rows.
/// Workbooks show their first sheet that holds a table.
///
/// # Errors
/// A [`TableError`] that names the trouble in plain words: the file is missing, empty, not a table...
pub fn read(path: &Path, destination: &str) -> Result<Table, TableError> {
    Ok(read_with_shapes(path, destination, &mut |_, _| ControlFlow::Continue(()))?.0)
}

/// As [`read`], with the [`Shape`] of each column, found in the same pass.
///
/// `progress` is told the bytes that have been read and the size of the file, at least once a megabyte,
/// and ends the reading with [`ControlFlow::Break`]. The bytes begin again at 0 when the content refutes
/// what its beginning said about it and has to be read once more.
///
/// # Errors
/// As [`read`]; [`TableError::Cancelled`] when `progress` ended it.
pub fn read_with_shapes(
    path: &Path,
    destination: &str,
    progress: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<(Table, Vec<Shape>), TableError> {
    let reading = read_for(path, destination, &Settings::default(), Aim::Original, progress)?;
    if reading.has_no_value() {
        return Err(TableError::NoRows { file: error::file_name(path) });
    }
    Ok((reading.table, reading.shapes))
}

/// As [`read_with_shapes`], under what a person has set, with every decision and an account of every row.
///
/// # Errors
/// As [`read_with_shapes`]; [`TableError::Setting`] when a setting does not fit the file.
pub fn read_as(
    path: &Path,
    destination: &str,
    settings: &Settings,
    progress: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<Reading, TableError> {
    read_for(path, destination, settings, Aim::Prepared, progress)
}

fn read_for(
    path: &Path,
    destination: &str,
    settings: &Settings,
    aim: Aim,
    progress: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<Reading, TableError> {
    let source = Source::open_member(path, settings.get("member"))?;
    if aim == Aim::Original && !source.is_read_by_pandas() {
        let what = "code in a run cannot read such a file; `assay convert` writes it as CSV";
        return Err(TableError::Unsupported { file: source.file_name(), what });
    }
    let mut progress = Progress { total: source.length(), report: progress };
    let progress = &mut progress;
    let mut reading = match source.content() {
        Content::Text => delimited::read(&source, destination, settings, aim, progress)?,
        Content::Workbook(format) => workbook::read(&source, format, destination, settings, aim, progress)?,
        Content::Json => {
            let format = Format::Json(json::layout(&source));
            named::read(&source, format, destination, settings, aim, progress)?
        }
        Content::Parquet => named::read(&source, Format::Parquet, destination, settings, aim, progress)?,
    };
    if let Packing::Zip(member) = source.packing() {
        let (decision, note) = evidence::member(member, settings);
        reading.decisions.insert(0, decision);
        reading.table.notes.splice(0..0, note);
    }
    check_names(&reading, &source)?;
    Ok(reading)
}

/// The columns that are kept, as a person calls them, must be there and have names of their own.
fn check_names(reading: &Reading, source: &Source) -> Result<(), TableError> {
    let refused = |what| Err(TableError::Setting { file: source.file_name(), what });
    let mut names = HashSet::new();
    for column in reading.plan.columns.iter().filter(|column| !column.omit) {
        if !names.insert(column.name.as_str()) {
            return refused(format!("two of its columns would be called `{}`", column.name));
        }
    }
    if names.is_empty() { refused("every column is left out".to_owned()) } else { Ok(()) }
}

/// The first `rows` rows of the prepared table, quickly: only the beginning of a large text is read. Workbooks
/// have to be read whole.
///
/// # Errors
/// As [`read_as`], as far as the beginning tells.
pub fn preview(path: &Path, rows: usize, settings: &Settings) -> Result<Preview, TableError> {
    let source = Source::open_member(path, settings.get("member"))?;
    match source.content() {
        Content::Text => delimited::preview(&source, rows, settings),
        Content::Workbook(format) => workbook::preview(&source, format, rows, settings),
        Content::Json => named::preview(&source, Format::Json(json::layout(&source)), rows, settings),
        Content::Parquet => named::preview(&source, Format::Parquet, rows, settings),
    }
}

/// The sheets of a workbook, hidden ones among them, each with its first `rows` rows; none for other files.
///
/// # Errors
/// As [`read`].
pub fn sheets(path: &Path, rows: usize) -> Result<Vec<SheetPreview>, TableError> {
    let source = Source::open(path)?;
    match source.content() {
        Content::Workbook(format) => workbook::sheets(&source, format, rows),
        _ => Ok(Vec::new()),
    }
}

/// Whether the name of the file is one that [`read`] is made for. The content decides in the end.
pub fn is_supported_name(path: &Path) -> bool {
    source::is_supported_name(path)
}
