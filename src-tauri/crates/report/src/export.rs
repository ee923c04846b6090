//! A report in the forms that other programs read.
//!
//! Each exporter is one file, made from the same [`Parcel`]: a [`Document`], what was found of its figures, and
//! the folder in which its pictures and tables lie. None asks for anything on the web, and none leaves a
//! picture out in silence.

mod archive;
mod docx;
mod html;
mod markdown;
mod notebook;
mod pdf;
mod picture;
mod text;
mod web;
mod xlsx;

pub use docx::docx;
pub use html::html;
pub use markdown::markdown;
pub use notebook::notebook;
pub use pdf::pdf;
pub use xlsx::xlsx;

use std::path::{Path, PathBuf};

use crate::document::Document;
use crate::evidence::Verdict;

/// What an export is made from.
#[derive(Debug, Clone, Copy)]
pub struct Parcel<'a> {
    /// The report.
    pub document: &'a Document,
    /// One for each of [`Document::figures`], or none where they were not looked for.
    pub verdicts: &'a [Verdict],
    /// What the run is called.
    pub title: &'a str,
    /// The folder in which the files of [`Target::File`](crate::Target::File) lie.
    pub files: &'a Path,
    /// The steps by which it was worked out, in order.
    pub cells: &'a [Cell],
}

/// A step of a run, as Python that can be run again in a workspace with the folders `input`, `output` and `work`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cell {
    /// Its number in the run.
    pub step: u32,
    /// What it was for, in plain words.
    pub title: String,
    /// The code.
    pub code: String,
    /// The class of the exception with which it ended. What it had done until then is kept.
    pub error: Option<String>,
    /// What it printed.
    pub printed: String,
    /// The pictures that it saved, below the run's folder.
    pub pictures: Vec<String>,
}

/// How far an export has come: called with the parts that are done and all there are. An error from it ends
/// the export.
pub type Progress<'a> = &'a dyn Fn(usize, usize) -> Result<(), ExportError>;

/// What an exporter has made.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Export {
    /// The file.
    pub bytes: Vec<u8>,
    /// What a reader should know of it, a plain sentence each, such as that a font is missing.
    pub remarks: Vec<String>,
}

/// Why an export was not made.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// A file of the run cannot be read.
    #[error("{path} cannot be read: {reason}")]
    Unreadable {
        /// The file, below the run's folder.
        path: String,
        /// Why.
        reason: String,
    },
    /// The form itself could not be written.
    #[error("the document cannot be written: {0}")]
    Unwritable(String),
    /// Whoever waits for it does not wait any more.
    #[error("the export was stopped")]
    Stopped,
}

impl Parcel<'_> {
    /// Whether a figure was looked for and not found.
    pub fn is_not_found(&self, figure: usize) -> bool {
        self.verdicts.get(figure) == Some(&Verdict::NotFound)
    }

    /// The bytes of a file of the run.
    pub fn read(&self, path: &str) -> Result<Vec<u8>, ExportError> {
        let unreadable = |error: std::io::Error| ExportError::Unreadable {
            path: path.to_owned(),
            reason: error.to_string(),
        };
        std::fs::read(self.place(path)).map_err(unreadable)
    }

    /// Where a file of the run lies.
    pub fn place(&self, path: &str) -> PathBuf {
        self.files.join(path)
    }
}
