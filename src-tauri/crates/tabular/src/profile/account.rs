//! The account of a pass: what became of every row and every cell.

use super::{Profile, joined};
use crate::column::Described;
use crate::ledger::{Entry, Ledger};

impl Profile {
    /// The account of every row and every cell.
    pub(super) fn ledger(&self, has_footer: bool, columns: &[Described]) -> Ledger {
        let mut below = Entry::new("below the table");
        for record in self.held.iter().filter(|_| has_footer) {
            below.add(record.row(), || joined(record));
        }
        let mut rows_skipped = self.header.skipped.clone();
        for entry in [&self.again, &self.remark, &self.blank, &below, &self.cut_off] {
            match rows_skipped.iter_mut().find(|known| known.why == entry.why) {
                Some(known) => known.join(entry),
                None => rows_skipped.push(entry.clone()),
            }
        }
        let width = self.header_width;
        let short =
            self.short.entry(format!("fewer cells than the {width} of the header; the others are empty"));
        let long = self
            .long
            .entry(format!("more cells than the {width} of the header; kept in columns of their own"));
        let filled = |entry: &Entry| entry.count > 0;
        Ledger {
            rows_read: self.rows,
            rows_skipped: rows_skipped.into_iter().filter(filled).collect(),
            rows_marked: [short, long, self.broken.clone()].into_iter().filter(filled).collect(),
            cells_flagged: columns.iter().map(|column| column.flagged.clone()).filter(filled).collect(),
            null_words: columns.iter().map(|column| column.nulls.clone()).filter(filled).collect(),
            damaged_characters: 0,
        }
    }
}
