//! Writes a table down as UTF-8, with commas and one header row.

use crate::TableError;
use crate::progress::Progress;
use crate::reading::Reading;
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;

/// How cells are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writing {
    /// As they stand in the file.
    AsRead,
}

impl Reading {
    /// Writes every row of the table to `out`, streaming.
    ///
    /// # Errors
    /// A [`TableError`] when the file can no longer be read as it was, or `out` takes no more.
    pub fn write(
        &self,
        _writing: Writing,
        out: impl Write,
        progress: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<(), TableError> {
        let mut out = BufWriter::with_capacity(1 << 16, out);
        let total = std::fs::metadata(&self.plan.path).map_or(0, |facts| facts.len());
        let mut progress = Progress { total, report: progress };
        let mut line = Vec::new();
        let trouble = |error| TableError::from_io(&self.plan.path, error);
        let mut write = |line: &mut Vec<u8>| -> io::Result<()> {
            line.push(b'\n');
            out.write_all(line)?;
            line.clear();
            Ok(())
        };
        for (place, name) in self.plan.written.iter().enumerate() {
            push_cell(&mut line, place, name.as_bytes());
        }
        if !line.is_empty() {
            write(&mut line).map_err(trouble)?;
        }
        self.plan.each_row(&mut progress, &mut |record| {
            for (place, cell) in record.cells().enumerate() {
                push_cell(&mut line, place, cell);
            }
            write(&mut line)
        })?;
        out.flush().map_err(trouble)
    }
}

/// Adds a cell to the line, in quotes where it needs them.
fn push_cell(line: &mut Vec<u8>, place: usize, cell: &[u8]) {
    if place > 0 {
        line.push(b',');
    }
    if cell.iter().any(|byte| matches!(byte, b',' | b'"' | b'\n' | b'\r')) {
        line.push(b'"');
        for byte in cell {
            if *byte == b'"' {
                line.push(b'"');
            }
            line.push(*byte);
        }
        line.push(b'"');
    } else {
        line.extend_from_slice(cell);
    }
}
