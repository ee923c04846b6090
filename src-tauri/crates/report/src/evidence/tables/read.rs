//! The rows of a table, read cell by cell.

use std::collections::HashMap;
use std::ops::Range;

use csv::ByteRecord;

use super::super::chance::{Days, Density};
use super::super::stems::{Stem, day_stem, stems, value_stem};
use super::super::wanted::{Keys, Wanted};
use crate::figures::{Moment, date, plain_number};

/// So many finds of one figure in one table are kept; a value that is everywhere proves nothing anyway.
pub(super) const MOST_FINDS: u32 = 500;
/// So many rows tell how frequent words are.
pub(super) const SAMPLE: u64 = 2_000;
/// So many different texts of a column are counted.
const MOST_GROUPS: usize = 60;
/// So many different texts of a column are remembered with their words.
const MOST_WORDS: usize = 1_000;

/// A row with something that is wanted, or one of the first.
pub(super) struct Row {
    /// From 1, within the rows that were read together.
    pub(super) number: u64,
    found: Range<usize>,
    labels: Range<usize>,
}

/// A find before it is weighed.
pub(super) struct Raw {
    pub(super) figure: usize,
    pub(super) column: usize,
    /// Value and width of the span, for a number.
    pub(super) value: Option<(f64, f64)>,
    pub(super) doubt: f64,
}

/// What is known of one column.
#[derive(Clone)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) stems: Vec<Stem>,
    pub(super) density: Density,
    pub(super) days: Days,
    pub(super) numbers: u64,
    pub(super) sum: f64,
    pub(super) least: f64,
    pub(super) most: f64,
    /// How often each text is there; `None` when there are too many.
    pub(super) groups: Option<HashMap<Vec<u8>, u64>>,
}

/// Rows that follow each other, as far as they are wanted.
pub(super) struct Rows {
    pub(super) columns: Vec<Column>,
    /// How many there are.
    pub(super) count: u64,
    /// Those that are kept.
    pub(super) kept: Vec<Row>,
    /// The finds of all kept rows, one behind the other.
    found: Vec<Raw>,
    /// The words, days and whole numbers by which the kept rows can be named.
    labels: Vec<Stem>,
}

impl Rows {
    /// Reads rows without their header.
    pub(super) fn read(wanted: &Wanted<'_>, columns: Vec<Column>, content: &[u8]) -> Option<Self> {
        let mut reading = Reading {
            wanted,
            words: columns.iter().map(|_| HashMap::new()).collect(),
            rows: Self { columns, count: 0, kept: Vec::new(), found: Vec::new(), labels: Vec::new() },
            cells: Vec::new(),
            keys: wanted.keys(),
            counts: vec![0; wanted.figures.len()],
        };
        if content.contains(&b'"') {
            let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(content);
            let mut record = ByteRecord::new();
            while reader.read_byte_record(&mut record).ok()? {
                reading.row(record.iter());
            }
        } else {
            // Without quotation marks a row is a line and commas are all there is between its cells.
            let lines = content.split(|byte| matches!(byte, b'\n' | b'\r'));
            for line in lines.filter(|line| !line.is_empty()) {
                reading.row(line.split(|byte| *byte == b','));
            }
        }
        Some(reading.rows)
    }

    pub(super) fn found(&self, row: &Row) -> &[Raw] {
        &self.found[row.found.clone()]
    }

    pub(super) fn labels(&self, row: &Row) -> &[Stem] {
        &self.labels[row.labels.clone()]
    }
}

/// What a cell is read as.
#[derive(Clone, Copy)]
enum Cell {
    Number(f64),
    Moment(Moment),
    Text,
}

impl Cell {
    fn read(cell: &[u8]) -> Self {
        let Some(first) = cell.first() else { return Self::Text };
        let is_digit = first.is_ascii_digit();
        if (is_digit || matches!(first, b'-' | b'.' | b'+'))
            && let Some(value) = plain_number(cell)
        {
            return Self::Number(value);
        }
        if is_digit { moment(cell).map_or(Self::Text, Self::Moment) } else { Self::Text }
    }
}

struct Reading<'w, 'f> {
    wanted: &'w Wanted<'f>,
    rows: Rows,
    /// The cells of the present row.
    cells: Vec<Cell>,
    /// Those of figures that are still looked for.
    keys: Keys,
    /// How often each figure was found.
    counts: Vec<u32>,
    /// For each column the words of texts that were met before.
    words: Vec<HashMap<Vec<u8>, Vec<Stem>>>,
}

impl Reading<'_, '_> {
    fn row<'c>(&mut self, cells: impl Iterator<Item = &'c [u8]> + Clone) {
        let first = self.rows.found.len();
        self.rows.count += 1;
        self.cells.clear();
        for (index, cell) in cells.clone().enumerate().take(self.rows.columns.len()) {
            let seen = Cell::read(cell);
            self.cells.push(seen);
            match seen {
                Cell::Number(value) => self.number(index, value),
                Cell::Moment(moment) => {
                    if self.wanted.has_dates() {
                        self.rows.columns[index].days.add(&moment);
                        self.wanted.dates(&moment).for_each(|figure| self.find(figure, index, None, 1.0));
                    }
                }
                Cell::Text if cell.is_empty() => {}
                Cell::Text => {
                    self.rows.columns[index].count(cell);
                    if let Ok(text) = std::str::from_utf8(cell) {
                        for figure in self.wanted.quoted(text) {
                            self.find(*figure, index, None, 1.0);
                        }
                    }
                }
            }
        }
        let found = first..self.rows.found.len();
        if self.rows.count <= SAMPLE || !found.is_empty() {
            let labels = self.labels(cells);
            self.rows.kept.push(Row { number: self.rows.count, found, labels });
        }
    }

    fn number(&mut self, column: usize, value: f64) {
        self.rows.columns[column].add(value);
        // Nearly every number is none of the report's.
        if !self.keys.may_hold(value) {
            return;
        }
        let (mut is_hit, mut is_over) = (false, true);
        for hit in self.wanted.numbers(value) {
            self.find(hit.figure, column, Some((value, hit.width)), hit.doubt);
            is_hit = true;
            is_over &= self.counts[hit.figure] >= MOST_FINDS;
        }
        if is_hit && is_over && self.wanted.are_all(value, |figure| self.counts[figure] >= MOST_FINDS) {
            self.keys.remove(value);
        }
    }

    fn find(&mut self, figure: usize, column: usize, value: Option<(f64, f64)>, doubt: f64) {
        self.counts[figure] += 1;
        if self.counts[figure] <= MOST_FINDS {
            self.rows.found.push(Raw { figure, column, value, doubt });
        }
    }

    /// Keeps the words, days and whole numbers by which a row can be named.
    fn labels<'c>(&mut self, cells: impl Iterator<Item = &'c [u8]>) -> Range<usize> {
        let labels = &mut self.rows.labels;
        let first = labels.len();
        let mut offer = |stem| {
            if self.wanted.is_of_interest(stem) && !labels[first..].contains(&stem) {
                labels.push(stem);
            }
        };
        for ((cell, seen), words) in cells.zip(&self.cells).zip(&mut self.words) {
            match seen {
                Cell::Number(value) if value.fract() == 0.0 => offer(value_stem(*value)),
                Cell::Number(_) => {}
                Cell::Moment(moment) => day_of(moment).into_iter().for_each(&mut offer),
                Cell::Text => words_of(words, cell).iter().copied().for_each(&mut offer),
            }
        }
        labels[first..].sort_unstable();
        first..labels.len()
    }
}

impl Column {
    /// A column of which only the name is known; its texts are counted if `counted`.
    pub(super) fn new(name: &[u8], counted: bool) -> Self {
        let name = String::from_utf8_lossy(name).into_owned();
        Self {
            stems: stems(&name),
            name,
            density: Density::new(),
            days: Days::default(),
            numbers: 0,
            sum: 0.0,
            least: f64::INFINITY,
            most: f64::NEG_INFINITY,
            groups: counted.then(HashMap::new),
        }
    }

    fn add(&mut self, value: f64) {
        self.density.add(value);
        self.numbers += 1;
        self.sum += value;
        self.least = self.least.min(value);
        self.most = self.most.max(value);
    }

    /// Takes what is known of further rows, whose texts were not counted.
    pub(super) fn extend(&mut self, further: &Self) {
        self.density.extend(&further.density);
        self.days.extend(&further.days);
        self.numbers += further.numbers;
        self.sum += further.sum;
        self.least = self.least.min(further.least);
        self.most = self.most.max(further.most);
    }

    fn count(&mut self, cell: &[u8]) {
        let Some(groups) = &mut self.groups else { return };
        if let Some(count) = groups.get_mut(cell) {
            *count += 1;
        } else if groups.len() < MOST_GROUPS {
            groups.insert(cell.to_vec(), 1);
        } else {
            self.groups = None;
        }
    }
}

fn words_of<'k>(known: &'k mut HashMap<Vec<u8>, Vec<Stem>>, cell: &[u8]) -> &'k [Stem] {
    if !known.contains_key(cell) {
        if known.len() > MOST_WORDS {
            known.clear();
        }
        let words = match moment(cell) {
            Some(moment) => day_of(&moment).into_iter().collect(),
            None => std::str::from_utf8(cell).map(stems).unwrap_or_default(),
        };
        known.insert(cell.to_vec(), words);
    }
    &known[cell]
}

fn day_of(moment: &Moment) -> Option<Stem> {
    Some(day_stem(moment.month?, moment.day?))
}

fn moment(cell: &[u8]) -> Option<Moment> {
    if let Some(moment) = Moment::iso(cell) {
        return Some(moment);
    }
    let text = std::str::from_utf8(cell).ok()?;
    let (moments, length) = date(text)?;
    let rest = text[length..].trim_start_matches([':', '.', '+', 'Z', ' ']);
    // More than a date is a name.
    rest.bytes().all(|byte| byte.is_ascii_digit() || byte == b':').then(|| moments[0])
}
