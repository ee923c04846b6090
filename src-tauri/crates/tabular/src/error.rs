//! Why a file could not be read as a table, in plain words.

use crate::packing::PackingTrouble;
use crate::progress::Stopped;
use std::path::Path;
use thiserror::Error;

/// Why a file could not be read as a table. The message names the file, [`TableError::hint`] says what
/// to do next.
#[derive(Debug, Error)]
pub enum TableError {
    /// Nothing lies at the path.
    #[error("There is no file called {file}.")]
    Missing {
        /// Name of the file.
        file: String,
    },
    /// The path leads to a folder.
    #[error("{file} is a folder, not a table file.")]
    IsFolder {
        /// Name of the folder.
        file: String,
    },
    /// The file has no content.
    #[error("{file} is empty.")]
    Empty {
        /// Name of the file.
        file: String,
    },
    /// A header and nothing below it.
    #[error("{file} has a header but no rows.")]
    NoRows {
        /// Name of the file.
        file: String,
    },
    /// The content is something else.
    #[error("{file} is not a table: it looks like {looks_like}.")]
    NotATable {
        /// Name of the file.
        file: String,
        /// What the content looks like, with its article: `a PDF document`.
        looks_like: &'static str,
    },
    /// The system does not give the content.
    #[error("{file} could not be opened: {reason}.")]
    Unreadable {
        /// Name of the file.
        file: String,
        /// The reason in plain words.
        reason: &'static str,
        /// What the system said.
        source: std::io::Error,
    },
    /// A table of a kind that is not read.
    #[error("{file} cannot be read: {what}.")]
    Unsupported {
        /// Name of the file.
        file: String,
        /// What is not supported, as a clause: `it has more than 16,384 columns`.
        what: &'static str,
    },
    /// A table too long for the order that was asked for.
    #[error("{file} has too many rows to be shown in this order.")]
    TooManyRows {
        /// Name of the file.
        file: String,
    },
    /// Reading was stopped by whoever asked for it.
    #[error("Reading {file} was stopped.")]
    Cancelled {
        /// Name of the file.
        file: String,
    },
    /// The content breaks the rules of its format.
    #[error("{file} cannot be read: {what}.")]
    Broken {
        /// Name of the file.
        file: String,
        /// What is broken, as a clause.
        what: String,
    },
    /// A packed file that cannot be unpacked.
    #[error("{file} cannot be unpacked: {what}.")]
    Packed {
        /// Name of the file.
        file: String,
        /// What is wrong, as a clause: `the packed content is damaged or ends too early`.
        what: String,
    },
    /// The prepared table cannot be written.
    #[error("{file} could not be written: {reason}.")]
    Unwritable {
        /// Name of the file.
        file: String,
        /// The reason in plain words.
        reason: &'static str,
        /// What the system said.
        source: std::io::Error,
    },
    /// What a person has set does not fit the file.
    #[error("{file} cannot be read that way: {what}.")]
    Setting {
        /// Name of the file.
        file: String,
        /// What does not fit, as a clause: ``it has no sheet called `May` ``.
        what: String,
    },
    /// A workbook that its format's reader refuses.
    #[error("{file} is a workbook that could not be read; it may be damaged or protected by a password.")]
    DamagedWorkbook {
        /// Name of the file.
        file: String,
        /// What the reader of the format said.
        source: calamine::Error,
    },
}

impl TableError {
    /// The next thing to do.
    pub fn hint(&self) -> &str {
        match self {
            Self::Missing { .. } => "Check the name, or drop the file again from where it is now.",
            Self::IsFolder { .. } => "Choose the table files inside the folder.",
            Self::Empty { .. } => "Save the file again from the program that made it, or choose another one.",
            Self::NoRows { .. } => "Check that the export was complete, or choose another file.",
            Self::NotATable { .. } => "Save the table as CSV or as an Excel workbook and choose that file.",
            Self::Unreadable { .. } => {
                "Check that you may read the file and that no other program holds it, then try again."
            }
            Self::Unsupported { .. } => "Save the part that you need as CSV and choose that file.",
            Self::TooManyRows { .. } => "Filter the rows first, or order them by a column of numbers.",
            Self::Cancelled { .. } => "Choose the file again to read it.",
            Self::Broken { .. } => {
                "Save the file again from the program that made it, or save the table as CSV."
            }
            Self::Packed { .. } => {
                "Unpack it with the program that packed it, and choose the table file inside."
            }
            Self::Unwritable { .. } => "Choose another place, or make room there, and try again.",
            Self::Setting { .. } => "Take that setting back, or choose another value.",
            Self::DamagedWorkbook { .. } => {
                "Open it in a spreadsheet program, save it again without a password, and choose that file."
            }
        }
    }

    /// The trouble that an error while writing means for the file at `path`.
    pub(crate) fn from_writing(path: &Path, source: std::io::Error) -> Self {
        use std::io::ErrorKind;
        let file = file_name(path);
        let reason = match source.kind() {
            ErrorKind::NotFound => "there is no such folder",
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => "this user may not write there",
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "there is no room left",
            ErrorKind::BrokenPipe => "whoever read it has gone",
            _ => "the system reported an error while writing it",
        };
        Self::Unwritable { file, reason, source }
    }

    /// The trouble that `error` means for the file at `path`.
    pub(crate) fn from_io(path: &Path, source: std::io::Error) -> Self {
        use std::io::ErrorKind;
        let file = file_name(path);
        if Stopped::is_inside(&source) {
            return Self::Cancelled { file };
        }
        if let Some(trouble) = PackingTrouble::inside(&source) {
            return Self::Packed { file, what: trouble.to_string() };
        }
        let reason = match source.kind() {
            ErrorKind::NotFound => return Self::Missing { file },
            ErrorKind::PermissionDenied => "this user may not read it",
            ErrorKind::ResourceBusy => "another program is using it",
            _ => "the system reported an error while reading it",
        };
        Self::Unreadable { file, reason, source }
    }
}

/// The last part of the path, which is how people know the file.
pub(crate) fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}
