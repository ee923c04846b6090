//! The tables that the steps left, read cell by cell.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use csv::ByteRecord;

use super::chance::{Days, Density, Finds, Found, Frequencies, weigh};
use super::stems::{Stem, day_stem, stems, value_stem};
use super::wanted::{Keys, Wanted};
use super::{TableSource, Verdict};
use crate::figures::{Moment, date};

/// So many finds of one figure in one table are kept; a value that is everywhere proves nothing anyway.
const MOST_FINDS: u32 = 500;
/// So many rows tell how frequent words are.
const SAMPLE: u64 = 2_000;
/// So many different texts of a column are counted.
const MOST_GROUPS: usize = 60;
/// So many different texts of a column are remembered with their words.
const MOST_WORDS: usize = 1_000;
/// So large a table is counted by its texts.
const MOST_COUNTED: usize = 2 << 20;

/// Looks for the figures in the tables.
pub(super) fn look(wanted: &Wanted<'_>, tables: &[TableSource<'_>], finds: &mut Finds) {
    search_all(wanted, tables).into_iter().flatten().for_each(|found| finds.merge(found));
}

/// Searches the tables beside one another, as many at a time as there are processors.
fn search_all(wanted: &Wanted<'_>, tables: &[TableSource<'_>]) -> Vec<Option<Finds>> {
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(tables.len());
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(table) = tables.get(at) else { return done };
            let found = read(wanted, table.content).map(|read| {
                let mut finds = Finds::new(wanted.figures.len());
                read.settle(wanted, table, &mut finds);
                finds
            });
            done.push((at, found));
        }
    };
    let mut found: Vec<Option<Finds>> = tables.iter().map(|_| None).collect();
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..workers).map(|_| scope.spawn(work)).collect();
        let own = work();
        // A thread that broke has found nothing.
        let theirs = others.into_iter().flat_map(|thread| thread.join().unwrap_or_default());
        for (at, finds) in theirs.chain(own) {
            found[at] = finds;
        }
    });
    found
}

/// What a reader sees of a whole table, in the words of its verdicts.
pub(crate) fn facts_of_table(table: TableSource<'_>) -> Vec<(String, f64)> {
    read(&Wanted::new(&[]), table.content).map(|read| read.facts(table.path)).unwrap_or_default()
}

/// A row with something that is wanted.
struct Row {
    number: u64,
    raw: Vec<Raw>,
    stems: Vec<Stem>,
}

struct Raw {
    figure: usize,
    column: usize,
    /// Value and width of the span, for a number.
    value: Option<(f64, f64)>,
    doubt: f64,
}

/// What is known of one column.
struct Column {
    name: String,
    stems: Vec<Stem>,
    density: Density,
    days: Days,
    numbers: u64,
    sum: f64,
    least: f64,
    most: f64,
    /// How often each text is there; `None` when there are too many.
    groups: Option<HashMap<Vec<u8>, u64>>,
    /// The words of texts that were met before.
    words: HashMap<Vec<u8>, Vec<Stem>>,
}

/// A table as far as it is wanted.
struct Read {
    columns: Vec<Column>,
    rows: u64,
    hits: Vec<Row>,
    sample: Vec<Vec<Stem>>,
    /// The cells of the present row.
    row: Vec<Cell>,
    /// Those of figures that are still looked for.
    keys: Keys,
}

fn read(wanted: &Wanted<'_>, content: &[u8]) -> Option<Read> {
    let content = content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(content);
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(content);
    let columns: Vec<Column> = reader
        .byte_headers()
        .ok()?
        .iter()
        .map(|name| {
            let name = String::from_utf8_lossy(name).into_owned();
            let mut own = stems(&name);
            own.sort_unstable();
            Column {
                stems: own,
                name,
                density: Density::new(),
                days: Days::default(),
                numbers: 0,
                sum: 0.0,
                least: f64::INFINITY,
                most: f64::NEG_INFINITY,
                groups: (content.len() <= MOST_COUNTED).then(HashMap::new),
                words: HashMap::new(),
            }
        })
        .collect();
    let mut read =
        Read { columns, rows: 0, hits: Vec::new(), sample: Vec::new(), row: Vec::new(), keys: wanted.keys() };
    let mut counts = vec![0_u32; wanted.figures.len()];
    let mut record = ByteRecord::new();
    while reader.read_byte_record(&mut record).ok()? {
        read.row(wanted, &record, &mut counts);
    }
    Some(read)
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
            && let Some(value) = number(cell)
        {
            return Self::Number(value);
        }
        if is_digit { moment(cell).map_or(Self::Text, Self::Moment) } else { Self::Text }
    }
}

impl Read {
    fn row(&mut self, wanted: &Wanted<'_>, record: &ByteRecord, counts: &mut [u32]) {
        self.rows += 1;
        self.row.clear();
        let mut raw = Vec::new();
        for (index, (cell, column)) in record.iter().zip(&mut self.columns).enumerate() {
            let seen = Cell::read(cell);
            self.row.push(seen);
            let mut found = |figure, value, doubt| {
                counts[figure] += 1;
                if counts[figure] <= MOST_FINDS {
                    raw.push(Raw { figure, column: index, value, doubt });
                }
            };
            match seen {
                Cell::Number(value) => {
                    column.add(value);
                    if !self.keys.may_hold(value) {
                        continue;
                    }
                    let mut hits = wanted.numbers(value).peekable();
                    let is_hit = hits.peek().is_some();
                    for hit in hits {
                        found(hit.figure, Some((value, hit.width)), hit.doubt);
                    }
                    if is_hit && wanted.are_all(value, |figure| counts[figure] >= MOST_FINDS) {
                        self.keys.remove(value);
                    }
                }
                Cell::Moment(moment) => {
                    if wanted.has_dates() {
                        column.days.add(&moment);
                        wanted.dates(&moment).for_each(|figure| found(figure, None, 1.0));
                    }
                }
                Cell::Text if cell.is_empty() => {}
                Cell::Text => {
                    column.count(cell);
                    if let Ok(text) = std::str::from_utf8(cell) {
                        wanted.quoted(text).iter().for_each(|figure| found(*figure, None, 1.0));
                    }
                }
            }
        }
        if self.rows <= SAMPLE || !raw.is_empty() {
            let stems = self.labels(wanted, record);
            if self.rows <= SAMPLE {
                self.sample.push(stems.clone());
            }
            if !raw.is_empty() {
                self.hits.push(Row { number: self.rows, raw, stems });
            }
        }
    }

    /// The words, days and whole numbers by which a row can be named.
    fn labels(&mut self, wanted: &Wanted<'_>, record: &ByteRecord) -> Vec<Stem> {
        let mut found = Vec::new();
        let mut offer = |stem| {
            if wanted.is_of_interest(stem) {
                found.push(stem);
            }
        };
        for ((cell, seen), column) in record.iter().zip(&self.row).zip(&mut self.columns) {
            match seen {
                Cell::Number(value) if value.fract() == 0.0 => offer(value_stem(*value)),
                Cell::Number(_) => {}
                Cell::Moment(moment) => day_of(moment).into_iter().for_each(&mut offer),
                Cell::Text => column.words_of(cell).iter().copied().for_each(&mut offer),
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn settle(self, wanted: &Wanted<'_>, table: &TableSource<'_>, finds: &mut Finds) {
        let frequencies = Frequencies::of(self.sample.iter().map(Vec::as_slice));
        let names = Frequencies::of(self.columns.iter().map(|column| column.stems.as_slice()));
        let days: Vec<f64> = self.columns.iter().map(|column| column.days.expected()).collect();
        for row in &self.hits {
            let here: Vec<Found> = row
                .raw
                .iter()
                .map(|raw| {
                    let column = &self.columns[raw.column];
                    let expected = match raw.value {
                        Some((value, width)) => column.density.expected(value, width),
                        None => days[raw.column],
                    };
                    let named = names.sharing(&column.stems, &wanted.near[raw.figure]);
                    Found {
                        figure: raw.figure,
                        expected: expected * named,
                        doubt: raw.doubt,
                        part: raw.column,
                    }
                })
                .collect();
            let weighed = weigh(wanted, &here, &row.stems, &frequencies).collect::<Vec<_>>();
            for ((figure, chance), found) in weighed.into_iter().zip(&here) {
                finds.offer(figure, chance, || Verdict::Tabled {
                    step: table.step,
                    path: table.path.to_owned(),
                    row: Some(row.number),
                    column: self.columns[found.part].name.clone(),
                });
            }
        }
        self.totals(wanted, table, finds);
    }

    /// How many rows there are, and of which kind; their ends and their sums.
    fn facts(&self, path: &str) -> Vec<(String, f64)> {
        let mut facts: Vec<(String, f64)> = Vec::new();
        #[allow(clippy::cast_precision_loss, reason = "a count of rows")]
        let float = |count: u64| count as f64;
        facts.push((format!("number of rows of {}", words_of(path)), float(self.rows)));
        for column in &self.columns {
            if column.numbers > 0 {
                facts.push((format!("sum of {}", column.name), column.sum));
                facts.push((format!("least {} minimum", column.name), column.least));
                facts.push((format!("most {} maximum", column.name), column.most));
            }
            let groups = column.groups.iter().flatten().filter(|_| column.numbers == 0);
            for (text, count) in groups {
                let text = String::from_utf8_lossy(text);
                facts.push((format!("number of rows with {} {text}", column.name), float(*count)));
                if *count < self.rows {
                    facts
                        .push((format!("share of {} {text}", column.name), float(*count) / float(self.rows)));
                }
            }
            if let Some(groups) = column.groups.as_ref().filter(|groups| groups.len() > 1) {
                facts.push((format!("number of different {}", column.name), float(groups.len() as u64)));
            }
        }
        facts
    }

    fn totals(&self, wanted: &Wanted<'_>, table: &TableSource<'_>, finds: &mut Finds) {
        let facts = self.facts(table.path);
        let stems: Vec<Vec<Stem>> = facts
            .iter()
            .map(|(words, _)| {
                let mut found = wanted.of_interest(stems(words));
                found.sort_unstable();
                found
            })
            .collect();
        let frequencies = Frequencies::of(stems.iter().map(Vec::as_slice));
        let mut density = Density::new();
        for (_, value) in &facts {
            density.add(*value);
        }
        for ((words, value), stems) in facts.iter().zip(&stems) {
            // Rows are not counted in thousands.
            for hit in wanted.numbers(*value).filter(|hit| hit.doubt <= 1.0) {
                let found = Found {
                    figure: hit.figure,
                    expected: density.expected(*value, hit.width),
                    doubt: hit.doubt,
                    part: 0,
                };
                for (figure, chance) in weigh(wanted, &[found], stems, &frequencies) {
                    finds.offer(figure, chance, || Verdict::Tabled {
                        step: table.step,
                        path: table.path.to_owned(),
                        row: None,
                        column: words.clone(),
                    });
                }
            }
        }
    }
}

impl Column {
    fn add(&mut self, value: f64) {
        self.density.add(value);
        self.numbers += 1;
        self.sum += value;
        self.least = self.least.min(value);
        self.most = self.most.max(value);
    }

    fn words_of(&mut self, cell: &[u8]) -> &[Stem] {
        if !self.words.contains_key(cell) {
            if self.words.len() > MOST_WORDS {
                self.words.clear();
            }
            let words = match moment(cell) {
                Some(moment) => day_of(&moment).into_iter().collect(),
                None => std::str::from_utf8(cell).map(stems).unwrap_or_default(),
            };
            self.words.insert(cell.to_vec(), words);
        }
        &self.words[cell]
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

fn day_of(moment: &Moment) -> Option<Stem> {
    Some(day_stem(moment.month?, moment.day?))
}

fn number(cell: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(cell).ok()?;
    text.parse().ok().filter(|value: &f64| value.is_finite())
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

/// The words of a file's name.
fn words_of(path: &str) -> String {
    path.rsplit('/').next().unwrap_or(path).trim_end_matches(".csv").replace('_', " ")
}
