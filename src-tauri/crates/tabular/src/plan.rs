//! The decisions as the reader needs them to show every row of the table once more.

use crate::TableError;
use crate::cell::is_null_word;
use crate::column::{Described, Form};
use crate::delimited::{self, Decisions};
use crate::named::Format;
use crate::progress::Progress;
use crate::records::Record;
use crate::settings::Settings;
use crate::source::{Source, WorkbookFormat};
use crate::workbook;
use std::io;
use std::path::PathBuf;

/// How the rows of a table are found again. They are read from the file each time; nothing but the
/// decisions is kept.
#[derive(Debug, Clone, Default)]
pub(crate) struct Plan {
    pub(crate) path: PathBuf,
    pub(crate) content: Option<Content>,
    /// The file within a zip archive.
    pub(crate) member: Option<String>,
    /// What stands above each column, in all rows of the header; empty without a header.
    pub(crate) written: Vec<String>,
    /// The columns of the prepared table.
    pub(crate) columns: Vec<PlannedColumn>,
    /// Whether the file is what the prepared table would be.
    pub(crate) is_plain: bool,
    /// Rows between the others that are remarks, ascending.
    pub(crate) remarks: Vec<u64>,
    /// Rows of the table; what follows is no part of it.
    pub(crate) rows: u64,
}

/// One column of the prepared table.
#[derive(Debug, Clone)]
pub(crate) struct PlannedColumn {
    /// Its name there.
    pub(crate) name: String,
    pub(crate) form: Form,
    pub(crate) omit: bool,
    /// Words that stand for no value and are left empty.
    pub(crate) null_words: Vec<String>,
    /// Cells that are no values and are kept, all of them words that pandas does not take for missing by itself.
    pub(crate) no_values: Vec<String>,
    /// Whether its values are text that looks like numbers.
    pub(crate) keep_text: bool,
    /// Whether some of them do.
    pub(crate) some_look_like_numbers: bool,
}

/// Where the rows are.
#[derive(Debug, Clone)]
pub(crate) enum Content {
    Text(Box<Decisions>),
    Sheet(WorkbookFormat, String, u64),
    Named(Format, Vec<String>),
}

impl Plan {
    /// The columns of the prepared table, as a person wants them.
    pub(crate) fn columns(columns: &[Described], settings: &Settings) -> Vec<PlannedColumn> {
        let planned = columns.iter().map(|described| {
            let name = &described.column.name;
            PlannedColumn {
                name: settings.of_column("name", name).unwrap_or(name).to_owned(),
                form: described.form,
                omit: settings.of_column("omit", name) == Some("yes"),
                null_words: described.null_words.iter().filter(|word| is_null_word(word)).cloned().collect(),
                no_values: described.null_words.clone(),
                keep_text: described.keep_text && described.form == Form::Text,
                some_look_like_numbers: described.some_look_like_numbers && described.form == Form::Text,
            }
        });
        planned.collect()
    }

    /// Shows every row of the table, in the order of the file, until `visit` says false.
    pub(crate) fn each_row(
        &self,
        progress: &mut Progress,
        visit: &mut dyn FnMut(&Record) -> io::Result<bool>,
    ) -> Result<(), TableError> {
        let Some(content) = &self.content else { return Ok(()) };
        let source = Source::open_member(&self.path, self.member.as_deref())?;
        let mut left = self.rows;
        let mut remarks = self.remarks.iter().peekable();
        let mut sieve = |record: &Record| {
            if remarks.next_if(|row| **row == record.row()).is_some() || record.len() == 0 {
                return Ok(true);
            }
            if left == 0 {
                return Ok(false);
            }
            left -= 1;
            Ok(visit(record)? && left > 0)
        };
        match content {
            Content::Text(decisions) => delimited::each_record(&source, decisions, progress, &mut sieve),
            Content::Sheet(format, name, data_row) => {
                workbook::each_record(&source, *format, name, *data_row, &mut sieve)
            }
            Content::Named(format, names) => format.each_record(&source, names, progress, &mut sieve),
        }
    }
}
