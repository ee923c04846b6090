//! Zip archives that are the same for the same content.

use std::fmt::Display;
use std::io::{Cursor, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::ExportError;

/// An archive that is being written.
pub(super) struct Archive(ZipWriter<Cursor<Vec<u8>>>);

impl Archive {
    pub(super) fn new() -> Self {
        Self(ZipWriter::new(Cursor::new(Vec::new())))
    }

    /// Adds a file. Its time is the first that the format knows.
    pub(super) fn add(&mut self, path: &str, bytes: &[u8]) -> Result<(), ExportError> {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(DateTime::default())
            .unix_permissions(0o644);
        self.0.start_file(path, options).map_err(unwritable)?;
        self.0.write_all(bytes).map_err(unwritable)
    }

    /// The bytes of the archive.
    pub(super) fn finish(self) -> Result<Vec<u8>, ExportError> {
        Ok(self.0.finish().map_err(unwritable)?.into_inner())
    }
}

fn unwritable(error: impl Display) -> ExportError {
    ExportError::Unwritable(error.to_string())
}
