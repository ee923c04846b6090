//! Which rows a filter lets through, and in which order they come.

use super::Direction;
use crate::number;
use crate::records::{Record, Trouble};
use std::cmp::Ordering;

/// Memory for the keys of one order, in bytes.
const KEYS_BYTES: usize = 512 * 1024 * 1024;

/// Part of a text that its place in the order depends on, in bytes.
const KEY_BYTES: usize = 256;

/// What a filter looks for.
pub(super) struct Needle {
    text: String,
    /// The cell in small letters; kept for its memory.
    cell: String,
}

impl Needle {
    pub(super) fn new(text: &str) -> Self {
        Self { text: text.to_lowercase(), cell: String::new() }
    }

    /// Whether any cell contains the text, whatever the case.
    pub(super) fn is_in(&mut self, record: &Record) -> bool {
        self.text.is_empty()
            || record.cells().any(|cell| {
                lower_into(&mut self.cell, cell);
                self.cell.contains(&self.text)
            })
    }
}

/// Writes the cell in small letters over `lower`.
fn lower_into(lower: &mut String, cell: &[u8]) {
    lower.clear();
    let text = String::from_utf8_lossy(cell);
    if text.is_ascii() {
        lower.push_str(&text);
        lower.make_ascii_lowercase();
    } else {
        lower.push_str(&text.to_lowercase());
    }
}

/// What the place of a row depends on. Numbers come before text.
#[derive(Debug, PartialEq)]
enum Key {
    Number(f64),
    Text(Box<str>),
}

impl Key {
    /// None for an empty cell.
    fn of(cell: &[u8]) -> Option<Self> {
        let cell = cell.trim_ascii();
        if cell.is_empty() || cell.eq_ignore_ascii_case(b"nan") {
            return None;
        }
        if let Some(value) = number::scan(cell).and_then(|number| number.point.or(number.comma)) {
            return Some(Self::Number(value.amount));
        }
        let mut lower = String::new();
        lower_into(&mut lower, &cell[..cell.len().min(KEY_BYTES)]);
        Some(Self::Text(lower.into()))
    }

    fn compare(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Number(left), Self::Number(right)) => left.total_cmp(right),
            (Self::Text(left), Self::Text(right)) => left.cmp(right),
            (Self::Number(_), Self::Text(_)) => Ordering::Less,
            (Self::Text(_), Self::Number(_)) => Ordering::Greater,
        }
    }
}

/// The rows of an order while they are gathered.
pub(super) struct Ranking {
    direction: Direction,
    keys: Vec<(Key, u32)>,
    empty: Vec<u32>,
    bytes: usize,
}

impl Ranking {
    pub(super) fn new(direction: Direction) -> Self {
        Self { direction, keys: Vec::new(), empty: Vec::new(), bytes: 0 }
    }

    pub(super) fn add(&mut self, cell: &[u8], row: u32) -> Result<(), Trouble> {
        let Some(key) = Key::of(cell) else {
            self.empty.push(row);
            return Ok(());
        };
        self.bytes += size_of::<(Key, u32)>() + if let Key::Text(text) = &key { text.len() } else { 0 };
        self.keys.push((key, row));
        if self.bytes > KEYS_BYTES { Err(Trouble::TooManyRows) } else { Ok(()) }
    }

    /// The numbers of the rows in order, those without a value last.
    pub(super) fn finish(mut self) -> Vec<u32> {
        let direction = self.direction;
        self.keys.sort_unstable_by(|(left, left_row), (right, right_row)| {
            let by_key = left.compare(right);
            let by_key = if direction == Direction::Descending { by_key.reverse() } else { by_key };
            by_key.then(left_row.cmp(right_row))
        });
        self.keys.into_iter().map(|(_, row)| row).chain(self.empty).collect()
    }
}
