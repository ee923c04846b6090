//! Cells that do not fit what the rest of a column is.

use crate::cell::{is_null_mark, is_null_word};
use crate::ledger::Entry;

/// Different stray words that are kept; a column with more has another type.
const WORDS: usize = 20;

/// Longest stray word that is kept, in bytes.
const LONGEST: usize = 120;

/// Cells that do not fit, by word.
#[derive(Debug, Clone, Default)]
pub(super) struct Strays {
    /// Each word with its number and the row, from 0, where it comes first.
    words: Vec<(String, u64, u64)>,
    total: u64,
    /// There are more different words, or longer ones, than are kept.
    overflowed: bool,
}

impl Strays {
    pub(super) fn add(&mut self, cell: &[u8], row: u64) {
        self.total += 1;
        if self.overflowed {
            return;
        }
        if let Some((_, count, _)) = self.words.iter_mut().find(|(word, ..)| word.as_bytes() == cell) {
            *count += 1;
        } else if self.words.len() < WORDS && cell.len() <= LONGEST {
            self.words.push((String::from_utf8_lossy(cell).into_owned(), 1, row));
        } else {
            self.overflowed = true;
        }
    }

    pub(super) fn total(&self) -> u64 {
        self.total
    }

    pub(super) fn distinct(&self) -> usize {
        self.words.len()
    }

    pub(super) fn words(&self) -> Vec<String> {
        self.words.iter().map(|(word, ..)| word.clone()).collect()
    }

    /// The word that comes first in the file, with its row from 0.
    pub(super) fn first(&self) -> Option<(&str, u64)> {
        self.words.iter().min_by_key(|(_, _, row)| row).map(|(word, _, row)| (word.as_str(), *row))
    }

    /// Whether the type of `fitting` other cells stands in spite of these: every one says that there is
    /// no value, or they are at most one in twenty (or a single one in a small table).
    pub(super) fn tolerable(&self, fitting: u64) -> bool {
        if self.overflowed {
            return false;
        }
        let wrong: u64 =
            self.words.iter().filter(|(word, ..)| !is_null_word(word)).map(|(_, count, _)| count).sum();
        wrong * 20 <= fitting + wrong || (wrong == 1 && fitting >= 8)
    }

    /// Whether every one is a mark that stands for no value.
    pub(super) fn are_null_marks(&self) -> bool {
        !self.overflowed && self.words.iter().all(|(word, ..)| is_null_mark(word))
    }

    /// The cells that do not fit what was `wanted`, and those that say that there is no value.
    pub(super) fn accounts(&self, column: &str, wanted: &str) -> (Entry, Entry) {
        let mut flagged = Entry::new(format!("`{column}`: could not be read as {wanted}"));
        let mut nulls = Entry::new(format!("`{column}`"));
        for (word, count, row) in &self.words {
            let entry = if is_null_word(word) { &mut nulls } else { &mut flagged };
            entry.add_many(*row, word, *count);
        }
        let listed: u64 = self.words.iter().map(|(_, count, _)| count).sum();
        flagged.count += self.total - listed;
        (flagged, nulls)
    }

    /// The words as cells that stand for no value.
    pub(super) fn entry(&self, column: &str) -> Entry {
        self.accounts(column, "").1
    }

    /// These and the others together.
    pub(super) fn merged(&self, other: &Self) -> Self {
        Self {
            words: self.words.iter().chain(&other.words).cloned().collect(),
            total: self.total + other.total,
            overflowed: self.overflowed || other.overflowed,
        }
    }
}
