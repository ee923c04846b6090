//! How a text separates its cells: delimiter, quote, escape.
//!
//! Every candidate splits the first records, and the one whose records are alike in width and whose
//! cells make sense wins, as in van den Burg, Nazábal and Sutton, "Wrangling messy CSV files by detecting
//! row and type patterns" (2019). Lines that cannot be data (blank ones, ones of delimiters only) do not
//! count.

use crate::cell::is_null_word;
use crate::records::{CUT_OFF_LINES, Record, Records, Trouble};
use crate::settings::{Settings, Sign};
use crate::{date, number};
use std::collections::HashMap;

/// Records that candidates are tried on.
const SAMPLE_RECORDS: usize = 300;

/// Text that candidates are tried on, in bytes.
const SAMPLE_BYTES: usize = 64 * 1024;

/// Delimiters that tables are written with, the usual one first.
const STRONG: [u8; 4] = [b',', b';', b'\t', b'|'];

/// Delimiters that are more often part of the text: every record has to agree on them.
const WEAK: [Delimiter; 5] = [
    Delimiter::Byte(b':'),
    Delimiter::Byte(b'^'),
    Delimiter::Byte(b'~'),
    Delimiter::Byte(0x1F),
    Delimiter::Blanks,
];

/// What stands between two cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Delimiter {
    /// One ASCII character.
    Byte(u8),
    /// Blanks and tabs, as many as there are.
    Blanks,
}

impl Delimiter {
    pub(crate) fn is(self, byte: u8) -> bool {
        match self {
            Self::Byte(delimiter) => byte == delimiter,
            Self::Blanks => matches!(byte, b' ' | b'\t'),
        }
    }
}

/// How a text separates its cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Dialect {
    pub(crate) delimiter: Delimiter,
    pub(crate) quote: Option<u8>,
    pub(crate) escape: Option<u8>,
    /// Blanks behind a delimiter belong to it.
    pub(crate) skip_blanks: bool,
    /// The first line says what the delimiter is, `sep=;`, and is no record.
    pub(crate) declared: bool,
}

impl Default for Dialect {
    fn default() -> Self {
        Self {
            delimiter: Delimiter::Byte(b','),
            quote: Some(b'"'),
            escape: None,
            skip_blanks: false,
            declared: false,
        }
    }
}

/// Decides from the beginning of a text; `complete` says that it is the whole text.
pub(crate) fn decide(text: &str, complete: bool) -> Dialect {
    decide_as(text, complete, &Settings::default())
}

/// As [`decide`], where what a person has set counts before what the text says.
pub(crate) fn decide_as(text: &str, complete: bool, settings: &Settings) -> Dialect {
    let sample = Sample::new(text, complete);
    let base = Dialect::default();
    let declared = declared_delimiter(text);
    let wish = match settings.get("delimiter") {
        Some("blanks") => Some(Delimiter::Blanks),
        _ => settings.byte("delimiter").and_then(Sign::byte).map(Delimiter::Byte),
    };
    let mut dialect = match (wish, declared) {
        (Some(delimiter), _) => Dialect { delimiter, declared: declared.is_some(), ..base },
        (None, Some(delimiter)) => Dialect { delimiter: Delimiter::Byte(delimiter), declared: true, ..base },
        (None, None) => sample.best_delimiter(base),
    };
    dialect.skip_blanks = sample.blanks_follow_delimiters(dialect);
    let mut score = sample.score(dialect);
    for alternative in [
        Dialect { escape: Some(sample.likely_escape(dialect)), ..dialect },
        Dialect { skip_blanks: dialect.delimiter != Delimiter::Blanks, ..dialect },
        Dialect { quote: None, ..dialect },
        Dialect { quote: Some(b'\''), ..dialect },
    ] {
        let other = sample.score(alternative);
        if other > score * 1.001 {
            (dialect, score) = (alternative, other);
        }
    }
    if let Some(quote) = settings.byte("quote") {
        dialect.quote = quote.byte();
    }
    if let Some(escape) = settings.byte("escape") {
        dialect.escape = escape.byte();
    }
    dialect
}

/// How far the rows at the beginning of a text agree.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Agreement {
    /// Rows that were looked at.
    pub(crate) rows: usize,
    /// Rows that have the width that most have.
    pub(crate) alike: usize,
    /// The width that most rows have.
    pub(crate) width: usize,
    /// The width of the widest row.
    pub(crate) widest: usize,
}

/// How far the rows agree when they are split in that way.
pub(crate) fn agreement(text: &str, complete: bool, dialect: Dialect) -> Agreement {
    let rows = Sample::new(text, complete).rows(dialect).unwrap_or_default();
    let mut counts: HashMap<usize, usize> = HashMap::new();
    for row in &rows {
        *counts.entry(row.len()).or_default() += 1;
    }
    let (width, alike) =
        counts.iter().map(|(w, c)| (*w, *c)).max_by_key(|(w, c)| (*c, *w)).unwrap_or_default();
    Agreement { rows: rows.len(), alike, width, widest: counts.into_keys().max().unwrap_or_default() }
}

/// The records at the beginning of a text, as far as they can be split.
pub(crate) fn first_records(text: &str, complete: bool, dialect: Dialect, limit: usize) -> Vec<Record> {
    let mut records = Records::new(text.as_bytes(), dialect);
    let mut all = Vec::new();
    let mut record = Record::default();
    while all.len() < limit {
        match records.read(&mut record) {
            Ok(true) => all.push(record.clone()),
            Ok(false) => {
                if !complete && all.len() > 1 {
                    all.pop();
                }
                break;
            }
            Err(_) => break,
        }
    }
    all
}

fn declared_delimiter(text: &str) -> Option<u8> {
    let line = text.lines().next()?.trim().trim_matches('"');
    match line.strip_prefix("sep=")?.as_bytes() {
        [delimiter] if delimiter.is_ascii() => Some(*delimiter),
        [] => Some(b'\t').filter(|_| text.starts_with("sep=\t")),
        _ => None,
    }
}

/// The beginning of a text, to try candidates on.
struct Sample<'a> {
    text: &'a str,
    complete: bool,
}

impl<'a> Sample<'a> {
    fn new(text: &'a str, complete: bool) -> Self {
        let end =
            (0..=text.len().min(SAMPLE_BYTES)).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
        Self { text: &text[..end], complete: complete && end == text.len() }
    }

    /// The rows that may be data, under one candidate. None when a quote swallows the rest.
    fn rows(&self, dialect: Dialect) -> Option<Vec<Vec<String>>> {
        let mut records = Records::new(self.text.as_bytes(), dialect);
        let mut record = Record::default();
        let mut rows = Vec::new();
        while rows.len() < SAMPLE_RECORDS {
            match records.read(&mut record) {
                Ok(true) => {
                    let cells = record.texts();
                    if cells.iter().any(|cell| !cell.trim().is_empty()) {
                        rows.push(cells);
                    }
                }
                Ok(false) => {
                    if !self.complete && rows.len() > 1 {
                        rows.pop();
                    }
                    break;
                }
                Err(Trouble::QuoteNeverCloses { .. }) if record.line_breaks() > self.longest_cell() => {
                    return None;
                }
                Err(_) => break,
            }
        }
        Some(rows)
    }

    /// Line breaks that a cell at the end of the sample may have without its quote being in doubt.
    fn longest_cell(&self) -> usize {
        if self.complete { CUT_OFF_LINES } else { 100 }
    }

    fn score(&self, dialect: Dialect) -> f64 {
        self.rows(dialect).map_or(0.0, |rows| score(&rows))
    }

    fn best_delimiter(&self, base: Dialect) -> Dialect {
        let mut best = None;
        let mut best_score = 0.0;
        for delimiter in STRONG {
            let dialect = Dialect { delimiter: Delimiter::Byte(delimiter), ..base };
            let rows = self.rows(dialect).or_else(|| self.rows(Dialect { quote: None, ..dialect }));
            let Some(rows) = rows.filter(|rows| !self.is_part_of_numbers(delimiter) && splits_most(rows))
            else {
                continue;
            };
            let score = score(&rows);
            if score > best_score {
                (best, best_score) = (Some(dialect), score);
            }
        }
        best.or_else(|| self.best_weak_delimiter(base)).unwrap_or_else(|| self.single_column(base))
    }

    fn best_weak_delimiter(&self, base: Dialect) -> Option<Dialect> {
        WEAK.iter().map(|delimiter| Dialect { delimiter: *delimiter, ..base }).find(|dialect| {
            let rows = self.rows(*dialect).unwrap_or_default();
            let width = rows.last().map_or(0, Vec::len);
            let first = rows.first().map_or(0, Vec::len);
            // R leaves the name of the first column out.
            let alike = rows.len() > 1
                && width > 1
                && (first == width || first + 1 == width)
                && rows.iter().skip(1).all(|row| row.len() == width);
            let part = matches!(dialect.delimiter, Delimiter::Byte(byte) if self.is_part_of_numbers(byte));
            alike && !part && (dialect.delimiter != Delimiter::Blanks || has_number_column(&rows, width))
        })
    }

    /// A table of one column: any delimiter does that is not in the text.
    fn single_column(&self, base: Dialect) -> Dialect {
        let lines = || self.text.split(['\n', '\r']);
        let absent = |delimiter: &u8| {
            let delimiter = char::from(*delimiter);
            lines().all(|line| !line.contains(delimiter) || line.trim_matches([delimiter, ' ']).is_empty())
        };
        let delimiter = STRONG.into_iter().chain([0x1F]).find(absent).unwrap_or(0x1F);
        Dialect { delimiter: Delimiter::Byte(delimiter), ..base }
    }

    /// Whether the character only ever stands between digits, as a decimal comma or in a time of day, and
    /// not in the first line, where the names are.
    fn is_part_of_numbers(&self, delimiter: u8) -> bool {
        let bytes = self.text.as_bytes();
        let first = self.text.split(['\n', '\r']).find(|line| !line.trim().is_empty()).unwrap_or("");
        let digit =
            |index: Option<usize>| index.and_then(|index| bytes.get(index)).is_some_and(u8::is_ascii_digit);
        !first.as_bytes().contains(&delimiter)
            && bytes
                .iter()
                .enumerate()
                .filter(|(_, byte)| **byte == delimiter)
                .all(|(index, _)| digit(index.checked_sub(1)) && digit(Some(index + 1)))
    }

    /// The backslash, or a control character that only ever stands before a quote.
    fn likely_escape(&self, dialect: Dialect) -> u8 {
        let bytes = self.text.as_bytes();
        let only_before_quotes = |control: &u8| {
            let mut places = bytes.iter().enumerate().filter(|(_, byte)| *byte == control).peekable();
            places.peek().is_some() && places.all(|(at, _)| bytes.get(at + 1).copied() == dialect.quote)
        };
        let unseen = |byte: &u8| matches!(byte, 0..=8 | 14..=26 | 28..=31);
        bytes
            .iter()
            .find(|byte| unseen(byte))
            .filter(|byte| only_before_quotes(byte))
            .copied()
            .unwrap_or(b'\\')
    }

    fn blanks_follow_delimiters(&self, dialect: Dialect) -> bool {
        let rows = self.rows(dialect).unwrap_or_default();
        let cells = || rows.iter().flat_map(|row| row.iter().skip(1)).filter(|cell| !cell.is_empty());
        let blanks = cells().filter(|cell| cell.starts_with(' ')).count();
        dialect.delimiter != Delimiter::Blanks && blanks > 0 && blanks * 10 >= cells().count() * 9
    }
}

/// Whether at least half of the rows have two cells or more.
fn splits_most(rows: &[Vec<String>]) -> bool {
    rows.iter().filter(|row| row.len() > 1).count() * 2 >= rows.len().max(1)
}

fn has_number_column(rows: &[Vec<String>], width: usize) -> bool {
    (0..width).any(|column| {
        rows.iter().skip(1).all(|row| {
            let cell = row[column].as_bytes();
            number::scan(cell).is_some() || date::scan(cell).is_some()
        })
    })
}

/// How well the rows hang together: the number of delimiters that rows of the same width agree on, less
/// the more widths there are, times the share of cells that make sense.
#[allow(clippy::cast_precision_loss, reason = "samples are small")]
fn score(rows: &[Vec<String>]) -> f64 {
    let mut widths: HashMap<usize, usize> = HashMap::new();
    let (mut sensible, mut cells) = (0, 0);
    for row in rows {
        *widths.entry(row.len()).or_default() += 1;
        cells += row.len();
        sensible += row.iter().filter(|cell| makes_sense(cell)).count();
    }
    let total = rows.len().max(1) as f64;
    let (mut pattern, mut entropy) = (0.0, 0.0);
    for (width, count) in widths {
        let (width, count) = (width as f64, count as f64);
        pattern += count * ((width - 1.0) / width).max(0.001);
        entropy -= count / total * (count / total).log2();
    }
    pattern / entropy.exp2() * (sensible as f64 / cells.max(1) as f64)
}

/// Whether a cell reads like one value: a number, a date, or text without a trace of delimiters or
/// quotes.
fn makes_sense(cell: &str) -> bool {
    let cell = cell.trim();
    if is_null_word(cell) || number::scan(cell.as_bytes()).is_some() || date::scan(cell.as_bytes()).is_some()
    {
        return true;
    }
    let quote = ['"', '\''];
    let quoted = cell.starts_with(quote) || cell.ends_with('"') || cell.ends_with('\\');
    let tight_comma = cell.split(',').skip(1).any(|after| !after.starts_with([' ', '\n', '\r']));
    !quoted && !tight_comma && !cell.contains([';', '\t', '|'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn delimiter(text: &str) -> Delimiter {
        decide(text, true).delimiter
    }

    #[test]
    fn the_delimiter_is_the_one_that_rows_agree_on() {
        for (text, expected) in [
            ("a,b\n1,2\n", b','),
            ("a;b\n1,5;2,5\n", b';'),
            ("a\tb\n1,5\t2,5\n", b'\t'),
            ("a|b\nx, y|z, w\n", b'|'),
            ("city:state\nBath:ME\nTroy:NY\n", b':'),
            ("value\n1,2\n10,5\n2,3\n", b';'),
            ("name\n,,\nAlice\n", b','),
            ("time\n12:30\n12:45\n", b','),
            ("report of the week; all sites\n\na,b,c\n1,2,3\n4,5,6\n7,8,9\n", b','),
        ] {
            assert_eq!(delimiter(text), Delimiter::Byte(expected), "{text}");
        }
        assert_eq!(delimiter("day   load\n1     20\n2     35\n"), Delimiter::Blanks);
    }

    #[test]
    fn quotes_escapes_and_declarations() {
        assert_eq!(decide("a,b\n'x, y',1\n'z, w',2\n", true).quote, Some(b'\''));
        assert_eq!(decide("a,b\nx\\, y,1\nz,2\nw,3\n", true).escape, Some(b'\\'));
        assert!(decide("a, b\n1, \"x, y\"\n", true).skip_blanks);
        let declared = decide("sep=;\na,b;c\n1;2\n", true);
        assert!(declared.declared && declared.delimiter == Delimiter::Byte(b';'));
        assert_eq!(decide("a,b\n\"x,1\ny,2\nz,3\nq,4\n", true).quote, None);
    }
}
