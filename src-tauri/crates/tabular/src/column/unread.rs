//! Sentences about values that do not fit the type of their column.

use super::Described;
use crate::note;

/// Values that do not fit the type of their column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unread {
    pub(super) number: u64,
    pub(super) wanted: &'static str,
    pub(super) first_word: String,
    pub(super) first_row: u64,
}

/// What a person should know about the columns. Columns that lack their values alike share a sentence.
pub(crate) fn notes(columns: &[Described]) -> Vec<String> {
    let mut notes: Vec<String> = columns.iter().flat_map(|described| described.notes.clone()).collect();
    let mut told: Vec<(&Unread, Vec<String>)> = Vec::new();
    for described in columns {
        let Some(unread) = &described.unread else { continue };
        match told.iter_mut().find(|(known, _)| *known == unread) {
            Some((_, names)) => names.push(described.column.name.clone()),
            None => told.push((unread, vec![described.column.name.clone()])),
        }
    }
    notes.extend(told.into_iter().map(|(unread, names)| unread.sentence(&names)));
    notes
}

impl Unread {
    fn sentence(&self, names: &[String]) -> String {
        let Self { number, wanted, first_word, first_row } = self;
        let each = if names.len() > 1 { " each" } else { "" };
        let values = note::count(*number, "value", "values");
        let columns = note::listed(names, 4);
        if *number == 1 {
            format!(
                "{values}{each} in {columns} could not be read as {wanted} (row {first_row}): \"{first_word}\"."
            )
        } else {
            format!(
                "{values}{each} in {columns} could not be read as {wanted} and count as missing (first in row {first_row}: \"{first_word}\")."
            )
        }
    }
}
