//! Where the table begins and what its columns are called.

mod names;

use crate::cell::is_null_word;
use crate::ledger::Entry;
use crate::note;
use crate::records::Record;
use crate::{date, number};
use names::{clean, join, unique, unique_names};
use std::collections::HashMap;

/// Rows below a candidate that it is compared with.
const COMPARED: usize = 50;

/// Rows that a header may have.
const HEADER_LINES: usize = 5;

/// Rows from which on names that come again below are taken for values.
const REPEATING: usize = 5;

/// Where the table begins. Rows are rows of the file, from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Header {
    /// Unique names, one for each column.
    pub(crate) names: Vec<String>,
    /// The names as they are in the row, when that one row is the header and nothing more.
    pub(crate) written: Option<Vec<String>>,
    /// What stands above each column in all rows of the header; empty where there is no header.
    pub(crate) lines: Vec<String>,
    /// The last row of the header.
    pub(crate) row: Option<u64>,
    /// The first row of data.
    pub(crate) data_row: u64,
    /// Rows before the data, apart from blank lines, that are neither header nor data.
    pub(crate) dropped: Vec<u64>,
    /// Lines that begin with `#` are remarks.
    pub(crate) remarks: bool,
    pub(crate) notes: Vec<String>,
    /// What the rows are that are neither header nor data.
    pub(crate) skipped: Vec<Entry>,
    /// What speaks for the decision, a plain sentence.
    pub(crate) evidence: String,
}

impl Header {
    /// A header in one row, from 0, with nothing dropped.
    pub(crate) fn named(written: Vec<String>, row: u64) -> Self {
        Self {
            names: written.clone(),
            lines: written.clone(),
            written: Some(written),
            row: Some(row),
            data_row: row + 1,
            dropped: Vec::new(),
            remarks: false,
            notes: Vec::new(),
            skipped: Vec::new(),
            evidence: String::new(),
        }
    }

    /// Whether the cells are those of the header once more.
    pub(crate) fn is_repeated(&self, record: &Record) -> bool {
        self.written.as_ref().is_some_and(|written| {
            written.len() > 1
                && written.len() == record.len()
                && written.iter().zip(record.cells()).all(|(name, cell)| name.as_bytes() == cell)
        })
    }

    /// A name for a column that the header does not know.
    pub(crate) fn add_name(&mut self) {
        let name = unique(&format!("column_{}", self.names.len() + 1), &self.names.iter().cloned().collect());
        self.names.push(name);
    }
}

/// Decides from the first rows; a row without cells is a blank line. None when no row has a value.
///
/// `wish` is the row, from 1, that a person said the names stand in; 0 says that there are none.
pub(crate) fn decide(rows: &[Vec<String>], wish: Option<u64>) -> Option<Header> {
    let rows = Rows { rows, width: common_width(rows)? };
    if let Some(wish) = wish {
        let row = usize::try_from(wish).ok()?;
        return match row.checked_sub(1) {
            Some(top) => (top < rows.rows.len() && rows.values(top) > 0).then(|| rows.with_header(top)),
            None => Some(rows.without_header(rows.find_top()?)),
        };
    }
    let mut top = rows.find_top()?;
    if top > 0 && !rows.looks_like_header(top) {
        // What was passed over as a title may be the header of a table whose other columns have no name.
        let before = (0..top).rev().find(|row| rows.values(*row) > 0);
        top = before.filter(|row| rows.rows[*row].len() == rows.width).unwrap_or(top);
    }
    if rows.looks_like_header(top) { Some(rows.with_header(top)) } else { Some(rows.without_header(top)) }
}

/// The width that most rows with a value have; the first row's, when several are as common.
fn common_width(rows: &[Vec<String>]) -> Option<usize> {
    let mut counts: HashMap<usize, usize> = HashMap::new();
    let with_values = || rows.iter().filter(|row| row.iter().any(|cell| !cell.trim().is_empty()));
    for row in with_values() {
        *counts.entry(row.len()).or_default() += 1;
    }
    let most = counts.values().copied().max()?;
    with_values().map(Vec::len).find(|width| counts.get(width) == Some(&most))
}

struct Rows<'a> {
    rows: &'a [Vec<String>],
    width: usize,
}

/// What a cell can say about being a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Nothing,
    Typed,
    Word,
}

fn sort(cell: &str) -> Sort {
    let cell = cell.trim();
    if is_null_word(cell) {
        Sort::Nothing
    } else if number::scan(cell.as_bytes()).is_some() || date::scan(cell.as_bytes()).is_some() {
        Sort::Typed
    } else {
        Sort::Word
    }
}

impl Rows<'_> {
    /// Number of cells with a value.
    fn values(&self, row: usize) -> usize {
        self.rows[row].iter().filter(|cell| !cell.trim().is_empty()).count()
    }

    /// Rows below `row` that have a value.
    fn below(&self, row: usize) -> impl Iterator<Item = usize> {
        (row + 1..self.rows.len()).filter(|row| self.values(*row) > 0)
    }

    /// The first row that is more than a title, a remark or a line of empty cells.
    fn find_top(&self) -> Option<usize> {
        let with_values = || (0..self.rows.len()).filter(|row| self.values(*row) > 0);
        let first = with_values().next()?;
        if self.width == 1 {
            return with_values().find(|row| !is_remark(&self.rows[*row])).or(Some(first));
        }
        let fills = |row: usize| {
            let values = self.values(row);
            let unnamed_first = self.rows[row].len() == self.width
                && values + 1 == self.width
                && self.rows[row][0].trim().is_empty();
            unnamed_first || values >= self.width.div_ceil(2).max(2)
        };
        let remark = |row: usize| is_remark(&self.rows[row]) && self.rows[row].len() < self.width;
        let loose = with_values().find(|row| fills(*row) && !remark(*row)).unwrap_or(first);
        let full =
            with_values().find(|row| fills(*row) && self.rows[*row].len() >= self.width).unwrap_or(loose);
        // A shorter row right above the full ones is a header that misses names, unless it stands alone.
        let header_above = loose < full && loose + 1 == full && !self.looks_like_header(full);
        Some(if header_above { loose } else { full })
    }

    /// Whether the row names the columns below it. When nothing tells, it does.
    fn looks_like_header(&self, row: usize) -> bool {
        let cells = &self.rows[row];
        let below: Vec<usize> = self.below(row).take(COMPARED).collect();
        if below.is_empty() {
            return !cells.iter().all(|cell| sort(cell) == Sort::Typed);
        }
        if are_years(cells) {
            return true;
        }
        let (mut contrast, mut alike, mut repeated) = (0, 0, 0);
        for (column, cell) in cells.iter().enumerate() {
            let column_cells = || below.iter().filter_map(|row| self.rows[*row].get(column));
            let typed = column_cells().filter(|cell| sort(cell) == Sort::Typed).count();
            let words = column_cells().filter(|cell| sort(cell) == Sort::Word).count();
            let mostly_typed = typed > 0 && typed >= words * 4;
            match sort(cell) {
                Sort::Word if mostly_typed => contrast += 1,
                Sort::Typed if mostly_typed => alike += 1,
                Sort::Word if column_cells().any(|other| other.trim() == cell.trim()) => repeated += 1,
                _ => {}
            }
        }
        let words = cells.iter().filter(|cell| sort(cell) == Sort::Word).count();
        let listed = repeated * 2 >= words.max(1) && below.len() >= REPEATING;
        let twice = below.first().is_some_and(|row| self.rows[*row] == *cells);
        contrast > 0 && contrast >= alike || alike == 0 && (!listed || twice)
    }

    /// Whether a word of the row stands above a number or a date.
    fn has_contrast(&self, row: usize) -> bool {
        let Some(next) = self.below(row).next() else { return false };
        let pairs = self.rows[row].iter().zip(&self.rows[next]);
        pairs.into_iter().any(|(above, below)| sort(above) == Sort::Word && sort(below) == Sort::Typed)
    }

    fn with_header(&self, top: usize) -> Header {
        let mut cells: Vec<String> = self.rows[top].iter().map(|cell| clean(cell)).collect();
        let mut lines = cells.clone();
        let mut row = top;
        let mut notes = Vec::new();
        let mut dropped: Vec<u64> = self.filled(0, top);
        let (mut repeats, mut joined) = (0, Vec::new());
        while let Some(next) = self.below(row).next().filter(|next| next - top < HEADER_LINES * 2) {
            if self.rows[next] == self.rows[top] {
                repeats += 1;
                dropped.push(next as u64);
            } else if repeats == 0 && joined.len() + 1 < HEADER_LINES && self.continues_header(row, next) {
                cells = join(&cells, &self.rows[next]);
                joined.push(next);
                dropped.push(row as u64);
            } else {
                break;
            }
            lines = join(&lines, &self.rows[next]);
            row = next;
        }
        match repeats {
            0 => {}
            1 => notes.push("The header is there twice; the second one is left out.".to_owned()),
            more => notes.push(format!("The header is there {} times; all but one are left out.", more + 1)),
        }
        if let Some(last) = joined.last() {
            let until = if joined.len() == 1 { "and" } else { "to" };
            notes.push(format!(
                "The names of the columns are put together from rows {} {until} {}.",
                top + 1,
                last + 1
            ));
        }
        let one_row = row == top;
        let names_rows = !one_row && !joined.is_empty();
        if self.first_column_has_no_name(row, cells.len()) {
            cells.insert(0, "row".to_owned());
            lines.insert(0, String::new());
            notes.push("The first column has no name in the header; it is called `row`.".to_owned());
        }
        let names = unique_names(&cells, &mut notes);
        let data_row = self.rows[row + 1..]
            .iter()
            .position(|row| row.len() == self.width || row.iter().any(|cell| !cell.trim().is_empty()))
            .map_or(row + 1, |offset| row + 1 + offset);
        dropped.extend((row + 1..data_row).filter(|row| !self.rows[*row].is_empty()).map(|row| row as u64));
        self.note_top(top, &mut notes);
        dropped.sort_unstable();
        let evidence = if self.has_contrast(top) {
            format!("Row {} holds words above columns of numbers or dates.", top + 1)
        } else {
            format!("Row {} is the first that fills the columns, and nothing says that it is data.", top + 1)
        };
        Header {
            written: (!names_rows).then(|| self.rows[top].clone()),
            lines,
            names,
            row: Some(if names_rows { row } else { top } as u64),
            data_row: data_row as u64,
            dropped,
            remarks: self.has_remarks(top),
            notes,
            skipped: self.skipped(top, row, data_row),
            evidence,
        }
    }

    /// What the rows are that are neither header nor data.
    fn skipped(&self, top: usize, header_end: usize, data_row: usize) -> Vec<Entry> {
        let mut above = Entry::new("above the table");
        let mut empty = Entry::new("a row of empty cells");
        let mut again = Entry::new("the header once more");
        let mut blank = Entry::new("a blank line");
        for (number, row) in self.rows.iter().enumerate().take(data_row) {
            let text =
                || row.iter().map(|cell| cell.trim()).filter(|c| !c.is_empty()).collect::<Vec<_>>().join(" ");
            let entry = if row.is_empty() {
                &mut blank
            } else if self.values(number) == 0 {
                &mut empty
            } else if number < top {
                &mut above
            } else if number > top && number <= header_end && *row == self.rows[top] {
                &mut again
            } else {
                continue;
            };
            entry.add(number as u64, text);
        }
        [above, again, empty, blank].into_iter().filter(|entry| entry.count > 0).collect()
    }

    fn without_header(&self, top: usize) -> Header {
        let names =
            (1..=self.width.max(self.rows[top].len())).map(|number| format!("column_{number}")).collect();
        let mut notes = vec!["The file has no header; the columns are numbered.".to_owned()];
        self.note_top(top, &mut notes);
        Header {
            names,
            written: None,
            lines: Vec::new(),
            row: None,
            data_row: top as u64,
            dropped: self.filled(0, top),
            remarks: self.has_remarks(top),
            notes,
            skipped: self.skipped(top, top, top),
            evidence: if top == 0 {
                "The first row looks like the rows below it.".to_owned()
            } else {
                format!("Row {} looks like the rows below it, and the rows above it are no names.", top + 1)
            },
        }
    }

    fn has_remarks(&self, top: usize) -> bool {
        self.rows[..top].iter().any(|row| is_remark(row))
    }

    /// The rows from `from` to before `to` that are not blank lines.
    fn filled(&self, from: usize, to: usize) -> Vec<u64> {
        (from..to).filter(|row| !self.rows[*row].is_empty()).map(|row| row as u64).collect()
    }

    fn note_top(&self, top: usize, notes: &mut Vec<String>) {
        let lines: Vec<usize> = (0..top).filter(|row| self.values(*row) > 0).collect();
        if let Some(first) = lines.first() {
            let text = self.rows[*first].iter().map(|cell| cell.trim()).find(|cell| !cell.is_empty());
            notes.push(format!(
                "{} above the table {} not part of it (\"{}\").",
                note::count(lines.len() as u64, "line", "lines"),
                if lines.len() == 1 { "is" } else { "are" },
                crate::cell::shown(text.unwrap_or(""))
            ));
        }
    }

    /// Whether the row below the header holds more of it: words above columns of numbers or dates, and
    /// a first row with gaps or at least two such columns.
    fn continues_header(&self, top: usize, next: usize) -> bool {
        let below: Vec<usize> = self.below(next).take(COMPARED).collect();
        if below.len() < 2 || self.rows[next].iter().any(|cell| sort(cell) == Sort::Typed) {
            return false;
        }
        let typed = |column: usize| {
            let sorts = || below.iter().filter_map(|row| self.rows[*row].get(column)).map(|cell| sort(cell));
            sorts().any(|sort| sort == Sort::Typed) && sorts().all(|sort| sort != Sort::Word)
        };
        let columns: Vec<usize> = (0..self.width).filter(|column| typed(*column)).collect();
        let named =
            |column: &usize| self.rows[next].get(*column).is_some_and(|cell| sort(cell) == Sort::Word);
        let gaps = self.values(top) < self.values(next);
        !columns.is_empty() && columns.iter().all(named) && (gaps || columns.len() > 1)
    }

    /// Whether all data rows have one cell more than the header, as R writes tables with row names.
    fn first_column_has_no_name(&self, header: usize, names: usize) -> bool {
        let below: Vec<usize> = self.below(header).collect();
        let longer = below.iter().filter(|row| {
            self.rows[**row].len() == names + 1
                && self.rows[**row].last().is_some_and(|cell| !cell.is_empty())
        });
        self.width == names + 1 && below.len() > 1 && longer.count() == below.len()
    }
}

fn is_remark(row: &[String]) -> bool {
    row.first().is_some_and(|cell| cell.trim_start().starts_with('#'))
}

/// Whether the numbers of the row are years one after the other, which name columns.
fn are_years(cells: &[String]) -> bool {
    let numbers: Vec<&str> =
        cells.iter().map(|cell| cell.trim()).filter(|cell| sort(cell) == Sort::Typed).collect();
    let years: Vec<u16> = numbers.iter().filter_map(|cell| cell.parse().ok()).collect();
    years.len() >= 2
        && years.len() == numbers.len()
        && years.iter().all(|year| (1800..=2100).contains(year))
        && (years.is_sorted_by(|a, b| a < b) || years.is_sorted_by(|a, b| a > b))
}
