//! Writes a table down as UTF-8, with commas and one header row.

mod cells;
mod record;
mod shown;

use crate::TableError;
use crate::plan::PlannedColumn;
use crate::progress::Progress;
use crate::reading::Reading;
use crate::records::Record;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::Path;

pub(crate) use shown::prepared_cells;

pub use record::{PreparedColumn, PreparedTable, TablesFile};

/// How cells are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writing {
    /// As they stand in the file, below what stands in all rows of its header, if it has one.
    AsRead,
    /// Below one row of unique names: ISO dates, plain decimals, seconds for spans of time, nothing where a
    /// word stands for no value. No digit is lost, and a cell that does not fit is kept as it is. Every row
    /// is as long as the header.
    Prepared,
}

impl Reading {
    /// Whether the file is such that its prepared table would be the file itself.
    pub fn is_plain(&self) -> bool {
        self.plan.is_plain
    }

    /// Writes every row of the table to `out`, streaming; memory does not grow with the rows.
    ///
    /// # Errors
    /// A [`TableError`] when the file can no longer be read as it was, or `out` takes no more.
    pub fn write(
        &self,
        writing: Writing,
        out: impl Write,
        progress: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<(), TableError> {
        let total = std::fs::metadata(&self.plan.path).map_or(0, |facts| facts.len());
        let mut progress = Progress { total, report: progress };
        let mut lines = Lines { out: BufWriter::with_capacity(1 << 16, out), line: Vec::new(), cells: 0 };
        let trouble = |error| TableError::from_writing(&self.plan.path, error);
        // An error of writing ends the reading and must not be taken for one of reading.
        let mut failed = None;
        let read = match writing {
            Writing::AsRead => {
                if !self.plan.written.is_empty() {
                    self.plan.written.iter().for_each(|name| lines.push(name.as_bytes()));
                    lines.end().map_err(trouble)?;
                }
                self.plan.each_row(&mut progress, &mut |record| {
                    record.cells().for_each(|cell| lines.push(cell));
                    lines.end_or(&mut failed).map(|()| true)
                })
            }
            Writing::Prepared => {
                let kept = || self.plan.columns.iter().filter(|column| !column.omit);
                kept().for_each(|column| lines.push(column.name.as_bytes()));
                lines.end().map_err(trouble)?;
                let mut cell = Vec::new();
                self.plan.each_row(&mut progress, &mut |record| {
                    prepare(record, &self.plan.columns, &mut cell, &mut lines);
                    lines.end_or(&mut failed).map(|()| true)
                })
            }
        };
        if let Some(error) = failed {
            return Err(trouble(error));
        }
        read?;
        lines.out.flush().map_err(trouble)
    }

    /// Writes the prepared table to the file at `path`, replacing it only when all of it is there.
    ///
    /// # Errors
    /// As [`Reading::write`].
    pub fn prepare(
        &self,
        path: &Path,
        progress: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<(), TableError> {
        let trouble = |error| TableError::from_writing(path, error);
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let file = tempfile::Builder::new().prefix(".assay-").tempfile_in(folder).map_err(trouble)?;
        self.write(Writing::Prepared, file.as_file(), progress)?;
        make_readable(file.as_file()).map_err(trouble)?;
        file.persist(path).map_err(|error| trouble(error.error))?;
        Ok(())
    }
}

/// Files that are only there for a while are kept to oneself; this one is like any other.
#[cfg(unix)]
fn make_readable(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn make_readable(_: &File) -> io::Result<()> {
    Ok(())
}

/// The row as the prepared table has it.
fn prepare<W: Write>(record: &Record, columns: &[PlannedColumn], cell: &mut Vec<u8>, lines: &mut Lines<W>) {
    let mut written = record.cells();
    for column in columns {
        let text = written.next().unwrap_or_default();
        if column.omit {
            continue;
        }
        cell.clear();
        cells::prepare(text, column, cell);
        lines.push(cell);
    }
}

/// The lines of a table in the making.
struct Lines<W: Write> {
    out: BufWriter<W>,
    line: Vec<u8>,
    cells: usize,
}

impl<W: Write> Lines<W> {
    /// Adds a cell, in quotes where it needs them.
    fn push(&mut self, cell: &[u8]) {
        if self.cells > 0 {
            self.line.push(b',');
        }
        self.cells += 1;
        if cell.iter().any(|byte| matches!(byte, b',' | b'"' | b'\n' | b'\r')) {
            self.line.push(b'"');
            for byte in cell {
                if *byte == b'"' {
                    self.line.push(b'"');
                }
                self.line.push(*byte);
            }
            self.line.push(b'"');
        } else {
            self.line.extend_from_slice(cell);
        }
    }

    /// Ends the line; what the reader is not to see of an error is kept in `failed`.
    fn end_or(&mut self, failed: &mut Option<io::Error>) -> io::Result<()> {
        self.end().map_err(|error| {
            let kind = error.kind();
            *failed = Some(error);
            kind.into()
        })
    }

    fn end(&mut self) -> io::Result<()> {
        // A line with nothing on it is no row to any reader.
        if self.line.is_empty() {
            self.line.extend_from_slice(b"\"\"");
        }
        self.line.push(b'\n');
        let written = self.out.write_all(&self.line);
        self.line.clear();
        self.cells = 0;
        written
    }
}
