//! The words that stand in a file's cells, for whoever must know them again elsewhere.

use crate::TableError;
use crate::delimited;
use crate::json;
use crate::named::{self, Format};
use crate::reading::Reading;
use crate::source::{Content, Source};
use crate::table::Kind;
use crate::workbook;
use std::collections::HashSet;

/// Different words of one file that are kept.
const MOST: usize = 3_000_000;

/// Words of digits alone say something from this length on, such as a postal code.
const DIGITS: usize = 4;

impl Reading {
    /// The different words of the cells of a file, in lower case: of every sheet, of the lines above and below
    /// the table, of the header. Cells that are numbers, dates or times give none, unless they stand in a column
    /// of text.
    ///
    /// # Errors
    /// A [`TableError`] when the file cannot be read or has more than three million different words.
    pub fn words(&self) -> Result<HashSet<Box<str>>, TableError> {
        let source = Source::open_member(&self.plan.path, self.plan.member.as_deref())?;
        let is_text: Vec<bool> = self
            .table
            .columns
            .iter()
            .map(|column| matches!(column.kind, Kind::Category | Kind::Text | Kind::Identifier))
            .collect();
        let mut found = HashSet::new();
        let mut add = |column: usize, cell: &str| {
            let is_text = is_text.get(column).copied().unwrap_or(false);
            if found.len() <= MOST && (is_text || has_word(cell)) {
                let words = in_text(cell).filter(|word| is_telling(word, is_text));
                found.extend(words.map(|word| word.to_lowercase().into_boxed_str()));
            }
        };
        match source.content() {
            Content::Text => delimited::each_cell(&source, &mut add)?,
            Content::Workbook(format) => workbook::each_cell(&source, format, &mut add)?,
            Content::Json => named::each_cell(&source, Format::Json(json::layout(&source)), &mut add)?,
            Content::Parquet => named::each_cell(&source, Format::Parquet, &mut add)?,
        }
        if found.len() > MOST {
            let what = "it has more than three million different words";
            return Err(TableError::Unsupported { file: source.file_name(), what });
        }
        Ok(found)
    }
}

/// The words of a text: letters, digits and underscores that stand together.
fn in_text(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// Whether a cell is more than a number, a date or a time.
fn has_word(cell: &str) -> bool {
    in_text(cell).any(|word| {
        word.chars().any(char::is_alphabetic)
            && !["t", "z", "e", "am", "pm"].contains(&word.to_lowercase().as_str())
            && !word.starts_with(|c: char| c.is_ascii_digit())
    })
}

fn is_telling(word: &str, is_text: bool) -> bool {
    word.chars().any(char::is_alphabetic) || (is_text && word.chars().count() >= DIGITS)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_words_of_text_cells_are_found_and_numbers_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        let text = "Customers of 2024,,,\nname,zip,born,amount\n\"Müller, Anna\",09131,1990-01-02,1234.5\nO'Neil,10115,1985-12-31,9999\nM,04109,1999-01-01,1\n";
        std::fs::write(&path, text).unwrap();
        let go_on = &mut |_, _| std::ops::ControlFlow::Continue(());
        let reading = crate::read_as(&path, "input/a.csv", &crate::Settings::default(), go_on).unwrap();
        let mut found: Vec<String> = reading.words().unwrap().into_iter().map(String::from).collect();
        found.sort();
        let expected = [
            "04109",
            "09131",
            "10115",
            "2024",
            "amount",
            "anna",
            "born",
            "customers",
            "m",
            "müller",
            "name",
            "neil",
            "o",
            "of",
            "zip",
        ];
        assert_eq!(found, expected);
    }
}
