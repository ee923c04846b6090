//! One pass over all rows of a table, in bounded memory.

mod account;
mod formats;

use crate::cell::shown;
use crate::column::{self, Aim, Described, NumberFormat, Tally, Wish};
use crate::date::DayOrder;
use crate::distinct;
use crate::header::Header;
use crate::ledger::{Entry, Ledger, Place};
use crate::note;
use crate::records::Record;
use crate::repeats::Repeats;
use crate::settings::Settings;
use crate::table::Kind;
use crate::timeline::OrderHint;

/// Rows that are shown as they are.
pub(crate) const FIRST_ROWS: usize = 5;

/// Different values that are counted over all columns.
const COUNTED_IN_ALL: usize = 4_000_000;

/// Lines at the end that may turn out to be no part of the table.
const HELD: usize = 200;

/// Rows of another width that are listed one by one.
const PLACES: usize = 20;

/// Remarks between the rows that are left out one by one.
const REMARKS: usize = 1000;

/// What rows of another width than the header mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Widths {
    /// Text: rows may be short or long, and lines below the table are short.
    Vary,
    /// A grid: every row has the width of the grid.
    Fixed,
}

/// Rows whose width is not that of the header.
#[derive(Debug, Default)]
struct Uneven {
    count: u64,
    /// Row of the file from 0, number of cells, and the first cell beyond the header.
    first: Option<(u64, usize, String)>,
    /// The first of them, for the ledger.
    places: Vec<Place>,
}

impl Profiled {
    /// Whether the file holds nothing but a header row and rows that are written as the prepared table
    /// writes them.
    pub(crate) fn is_plain(&self) -> bool {
        self.header.row == Some(0)
            && self.header.data_row == 1
            && self.header.written.as_ref() == Some(&self.header.names)
            && !self.widened
            && !self.has_footer
            && self.remarks.is_empty()
            && self.ledger.rows_marked.is_empty()
            && self.ledger.rows_skipped.is_empty()
            && self.columns.iter().all(|column| column.plain)
    }
}

/// What has been gathered so far.
pub(crate) struct Profile {
    header: Header,
    header_width: usize,
    widths: Widths,
    tallies: Vec<Tally>,
    repeats: Repeats,
    rows: u64,
    first_rows: Vec<Vec<String>>,
    shown_rows: usize,
    short: Uneven,
    long: Uneven,
    remarks: Vec<u64>,
    /// Short rows behind a gap, which are the end of the file or rows after all.
    held: Vec<Record>,
    after_gap: bool,
    distinct_limit: usize,
    aim: Aim,
    blank: Entry,
    remark: Entry,
    again: Entry,
    cut_off: Entry,
    broken: Entry,
}

/// What the pass has found.
pub(crate) struct Profiled {
    pub(crate) header: Header,
    pub(crate) rows: u64,
    /// Rows that are like an earlier one in every cell.
    pub(crate) repeated_rows: Option<u64>,
    pub(crate) first_rows: Vec<Vec<String>>,
    pub(crate) format: NumberFormat,
    pub(crate) columns: Vec<Described>,
    /// Whether the columns are wider than the header says.
    pub(crate) widened: bool,
    /// Rows between the others that are remarks.
    pub(crate) remarks: Vec<u64>,
    /// Whether lines below the table are left out.
    pub(crate) has_footer: bool,
    pub(crate) notes: Vec<String>,
    pub(crate) ledger: Ledger,
    /// What decided about point and comma, a plain sentence.
    pub(crate) format_evidence: String,
}

impl Profile {
    /// Nothing yet; the first `shown_rows` will be kept as they are.
    pub(crate) fn new(header: Header, widths: Widths, shown_rows: usize, aim: Aim) -> Self {
        let columns = header.names.len();
        let distinct_limit = distinct::COUNTED.min(COUNTED_IN_ALL / columns.max(1));
        Self {
            header_width: columns,
            header,
            widths,
            tallies: (0..columns).map(|_| Tally::new(0, distinct_limit, aim)).collect(),
            repeats: Repeats::new(),
            rows: 0,
            first_rows: Vec::new(),
            shown_rows,
            short: Uneven::default(),
            long: Uneven::default(),
            remarks: Vec::new(),
            held: Vec::new(),
            after_gap: false,
            distinct_limit,
            aim,
            blank: Entry::new("a blank line"),
            remark: Entry::new("a remark between the rows"),
            again: Entry::new("the header once more"),
            cut_off: Entry::new("the file ends in the middle of it"),
            broken: Entry::new("the file ends in the middle of it; what is there is kept"),
        }
    }

    /// Number of rows so far.
    pub(crate) fn rows(&self) -> u64 {
        self.rows
    }

    /// Takes in one record below the header.
    pub(crate) fn add(&mut self, record: &Record) {
        if self.widths == Widths::Vary {
            if record.len() == 0 {
                self.after_gap = true;
                self.blank.add(record.row(), String::new);
                return;
            }
            if self.remarks.len() < REMARKS {
                let entry = if self.is_remark(record) {
                    Some(&mut self.remark)
                } else if self.header.is_repeated(record) {
                    Some(&mut self.again)
                } else {
                    None
                };
                if let Some(entry) = entry {
                    entry.add(record.row(), || joined(record));
                    self.remarks.push(record.row());
                    return;
                }
            }
            if record.len() < self.header_width {
                let alone = record.len() == 1 && self.header_width > 2 && self.short.count == 0;
                if (self.after_gap || alone || !self.held.is_empty())
                    && self.held.len() < HELD
                    && self.rows > 0
                {
                    self.held.push(record.clone());
                    return;
                }
            }
            self.release_held();
        }
        self.add_row(record);
    }

    /// Takes in the last record of a file that was cut off, as far as it goes.
    pub(crate) fn add_broken(&mut self, record: &Record) {
        self.broken.add(record.row(), || joined(record));
        self.release_held();
        self.add_row(record);
    }

    /// Counts a row that the table is read without: the last one of a file that was cut off.
    pub(crate) fn leave_out(&mut self, record: &Record) {
        self.cut_off.add(record.row(), || joined(record));
    }

    fn is_remark(&self, record: &Record) -> bool {
        let marked = self.header.remarks && record.cells().next().is_some_and(|cell| cell.starts_with(b"#"));
        marked && (record.len() < self.header_width || self.header_width == 1)
    }

    /// The held rows were rows after all.
    fn release_held(&mut self) {
        self.after_gap = false;
        for record in std::mem::take(&mut self.held) {
            self.add_row(&record);
        }
    }

    fn add_row(&mut self, record: &Record) {
        let width = record.len();
        if width < self.header_width {
            self.short.note(record);
        } else if width > self.header_width {
            self.long.note(record);
            self.long.keep_extra(record, self.header_width);
            while self.tallies.len() < width {
                self.tallies.push(Tally::new(self.rows, self.distinct_limit, self.aim));
                self.header.add_name();
            }
        }
        if self.first_rows.len() < self.shown_rows {
            self.first_rows.push(record.texts().iter().map(|cell| shown(cell)).collect());
        }
        self.repeats.add(record);
        for (tally, cell) in self.tallies.iter_mut().zip(record.cells()) {
            tally.add(cell, record.row());
        }
        for tally in self.tallies.iter_mut().skip(width) {
            tally.add_missing();
        }
        self.rows += 1;
    }

    /// Decides what the columns are. `comma_hint` counts where no column tells how numbers are written;
    /// what a person has set counts before anything else.
    pub(crate) fn finish(mut self, comma_hint: CommaHint, settings: &Settings) -> Profiled {
        let has_footer = !self.held.is_empty() && self.held.len() as u64 <= self.rows;
        let mut notes = std::mem::take(&mut self.header.notes);
        if has_footer {
            let text =
                self.held.iter().flat_map(Record::texts).find(|cell| cell.contains(char::is_alphabetic));
            notes.push(format!(
                "{} below the table {} not part of it (\"{}\").",
                note::count(self.held.len() as u64, "line", "lines"),
                if self.held.len() == 1 { "is" } else { "are" },
                shown(text.unwrap_or_default().trim())
            ));
        } else {
            self.release_held();
        }
        if self.remark.count > 0 {
            let remarks = note::count(self.remark.count, "line with a remark", "lines with remarks");
            notes.push(format!("{remarks} between the rows left out."));
        }
        if self.again.count > 0 {
            let lines = note::count(self.again.count, "line", "lines");
            notes.push(format!("{lines} between the rows that repeat the header left out."));
        }
        notes.extend(self.uneven_notes());
        let (format, format_evidence) = self.number_format(comma_hint, settings.get("decimal"));
        if format.decimal == ',' {
            notes.push("The comma is read as the decimal mark.".to_owned());
        }
        let hint = self.order_hint(format);
        let columns: Vec<Described> = self
            .tallies
            .iter()
            .zip(&self.header.names)
            .map(|(tally, name)| {
                let order = settings.of_column("dates", name).or_else(|| settings.get("dates"));
                let hint = match order {
                    Some("day-first") => OrderHint::Chosen(DayOrder::DayFirst),
                    Some("month-first") => OrderHint::Chosen(DayOrder::MonthFirst),
                    _ => hint,
                };
                let kind = settings.of_column("type", name).and_then(Kind::named);
                tally.describe(name, format, hint, Wish { kind })
            })
            .collect();
        let ledger = self.ledger(has_footer, &columns);
        notes.extend(column::notes(&columns));
        let width = columns.len();
        for row in &mut self.first_rows {
            row.resize(width, String::new());
        }
        Profiled {
            widened: width > self.header_width,
            header: self.header,
            rows: self.rows,
            repeated_rows: self.repeats.count(),
            first_rows: self.first_rows,
            format,
            columns,
            remarks: self.remarks,
            has_footer,
            notes,
            ledger,
            format_evidence,
        }
    }

    fn uneven_notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let width = self.header_width;
        if let Some((row, cells, extra)) = &self.long.first {
            let name = self.header.names.get(width).map_or("", String::as_str);
            let row = row + 1;
            let extra = if extra.is_empty() { String::new() } else { format!(", extra value \"{extra}\"") };
            notes.push(match self.long.count {
                1 => format!("Row {row} has {cells} cells, the header has {width}{extra}; kept in `{name}`."),
                count => format!(
                    "{} rows have more cells than the header has (first: row {row} has {cells}, the header has {width}{extra}); kept from `{name}` on.",
                    note::grouped(count)
                ),
            });
        }
        if let Some((row, cells, _)) = &self.short.first {
            let row = row + 1;
            notes.push(match self.short.count {
                1 => format!("Row {row} has {cells} of {width} cells; the others count as missing."),
                count => format!(
                    "{} rows have fewer cells than the header has (first: row {row} has {cells} of {width}); the others count as missing.",
                    note::grouped(count)
                ),
            });
        }
        notes
    }

    /// Whether any column has a value.
    pub(crate) fn has_values(&self) -> bool {
        self.tallies.iter().any(Tally::has_values)
    }
}

/// What the delimiter says about commas within numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CommaHint {
    /// Semicolons stand between cells where commas are decimal marks.
    Decimal,
    /// Nothing.
    None,
}

/// The cells of a record in one line.
fn joined(record: &Record) -> String {
    record
        .texts()
        .iter()
        .map(|cell| cell.trim())
        .filter(|cell| !cell.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

impl Uneven {
    fn entry(&self, why: String) -> Entry {
        Entry { why, count: self.count, first: self.places.clone() }
    }

    fn note(&mut self, record: &Record) {
        self.count += 1;
        if self.places.len() < PLACES {
            self.places.push(Place { row: record.row() + 1, text: shown(&joined(record)) });
        }
        if self.first.is_none() {
            self.first = Some((record.row(), record.len(), String::new()));
        }
    }

    fn keep_extra(&mut self, record: &Record, width: usize) {
        if let Some((row, _, extra)) = self.first.as_mut().filter(|(row, ..)| *row == record.row()) {
            debug_assert_eq!(*row, record.row());
            let cell = record.cells().skip(width).find(|cell| !cell.is_empty()).unwrap_or_default();
            *extra = shown(&String::from_utf8_lossy(cell));
        }
    }
}
