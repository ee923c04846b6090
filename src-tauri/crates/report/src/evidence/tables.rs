//! The tables that the steps left.

mod read;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::chance::{Density, Finds, Found, Frequencies, sharing, weigh};
use super::stems::{Stem, stems};
use super::wanted::Wanted;
use super::{TableSource, Verdict};
use read::{Column, MOST_FINDS, Rows, SAMPLE};

/// So large a table is counted by its texts.
const MOST_COUNTED: usize = 2 << 20;

/// Looks for the figures in the tables.
pub(super) fn look(wanted: &Wanted<'_>, tables: &[TableSource<'_>]) -> Finds {
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let size: usize = tables.iter().map(|table| table.content.len()).sum();
    let heads: Vec<Option<(Vec<Column>, &[u8])>> = tables.iter().map(|table| head(table.content)).collect();
    let mut stretches = Vec::new();
    for (table, head) in heads.iter().enumerate() {
        let Some((columns, rows)) = head else { continue };
        stretches.extend(cut(rows, size.div_ceil(workers)).into_iter().map(|rows| (table, columns, rows)));
    }
    let reads =
        side_by_side(workers, &stretches, |(_, columns, rows)| Rows::read(wanted, (*columns).clone(), rows));
    let mut read: Vec<(&TableSource<'_>, Vec<Rows>)> =
        tables.iter().map(|table| (table, Vec::new())).collect();
    for ((table, ..), rows) in stretches.iter().zip(reads) {
        read[*table].1.extend(rows.flatten());
    }
    let mut finds = Finds::default();
    let settled =
        side_by_side(workers, &read, |(source, rows)| Some(Table::of(rows)?.settle(wanted, source)));
    settled.into_iter().flatten().flatten().for_each(|found| finds.extend(found));
    finds
}

/// Does some work for each thing, on so many threads.
fn side_by_side<T: Sync, R: Send>(
    workers: usize,
    things: &[T],
    work: impl Fn(&T) -> R + Sync,
) -> Vec<Option<R>> {
    let next = AtomicUsize::new(0);
    let work_on = || {
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(thing) = things.get(at) else { return done };
            done.push((at, work(thing)));
        }
    };
    let mut results: Vec<Option<R>> = things.iter().map(|_| None).collect();
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..workers.min(things.len())).map(|_| scope.spawn(work_on)).collect();
        let own = work_on();
        // A thread that broke has done nothing.
        let theirs = others.into_iter().flat_map(|thread| thread.join().unwrap_or_default());
        for (at, result) in theirs.chain(own) {
            results[at] = Some(result);
        }
    });
    results
}

/// The columns of a table, and its rows below the header.
fn head(content: &[u8]) -> Option<(Vec<Column>, &[u8])> {
    let content = content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(content);
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(content);
    let counted = content.len() <= MOST_COUNTED;
    let columns = reader.byte_headers().ok()?.iter().map(|name| Column::new(name, counted)).collect();
    let end = usize::try_from(reader.position().byte()).ok()?;
    Some((columns, content.get(end..)?))
}

/// Cuts a large table into stretches of whole rows that are no longer than `most`, about.
fn cut(rows: &[u8], most: usize) -> Vec<&[u8]> {
    // Within quotation marks a line's end need not be a row's.
    if rows.len() <= most || rows.len() <= MOST_COUNTED || rows.contains(&b'"') {
        return vec![rows];
    }
    let length = rows.len().div_ceil(rows.len().div_ceil(most));
    let mut stretches = Vec::new();
    let mut rest = rows;
    while let Some(end) = rest.get(length..).and_then(|beyond| beyond.iter().position(|byte| *byte == b'\n'))
    {
        let (stretch, beyond) = rest.split_at(length + end + 1);
        stretches.push(stretch);
        rest = beyond;
    }
    stretches.push(rest);
    stretches
}

/// What a reader sees of a whole table, in the words of its verdicts.
pub(crate) fn facts_of_table(table: TableSource<'_>) -> Vec<(String, f64)> {
    let facts = || {
        let (columns, rows) = head(table.content)?;
        let rows = [Rows::read(&Wanted::new(&[]), columns, rows)?];
        Some(Table::of(&rows)?.facts(table.path))
    };
    facts().unwrap_or_default()
}

/// A table as far as it is wanted.
struct Table<'r> {
    columns: Vec<Column>,
    count: u64,
    /// Its rows, as they were read.
    rows: &'r [Rows],
}

impl<'r> Table<'r> {
    fn of(rows: &'r [Rows]) -> Option<Self> {
        let (first, others) = rows.split_first()?;
        let mut columns = first.columns.clone();
        for other in others {
            columns.iter_mut().zip(&other.columns).for_each(|(column, further)| column.extend(further));
        }
        Some(Self { columns, count: rows.iter().map(|rows| rows.count).sum(), rows })
    }

    fn settle(&self, wanted: &Wanted<'_>, table: &TableSource<'_>) -> Finds {
        let mut finds = Finds::default();
        let kept = || {
            let starts = self.rows.iter().scan(0, |next, rows| {
                *next += rows.count;
                Some(*next - rows.count)
            });
            let numbered = self.rows.iter().zip(starts);
            numbered
                .flat_map(|(rows, start)| rows.kept.iter().map(move |row| (start + row.number, rows, row)))
        };
        let sample = kept().filter(|(number, ..)| *number <= SAMPLE);
        let frequencies = Frequencies::of(sample.map(|(_, rows, row)| rows.labels(row)));
        let names = Frequencies::of(self.columns.iter().map(|column| column.stems.as_slice()));
        let names: Vec<_> = self.columns.iter().map(|column| names.shares(&column.stems)).collect();
        let days: Vec<f64> = self.columns.iter().map(|column| column.days.expected()).collect();
        let mut counts = vec![0_u32; wanted.figures.len()];
        let mut here: Vec<Found> = Vec::new();
        for (number, rows, row) in kept() {
            here.clear();
            for raw in rows.found(row) {
                counts[raw.figure] += 1;
                if counts[raw.figure] > MOST_FINDS {
                    continue;
                }
                let column = &self.columns[raw.column];
                let expected = match raw.value {
                    Some((value, width)) => column.density.expected(value, width),
                    None => days[raw.column],
                };
                let named = sharing(&names[raw.column], &wanted.near[raw.figure]);
                here.push(Found {
                    figure: raw.figure,
                    expected: expected * named,
                    doubt: raw.doubt,
                    part: raw.column,
                });
            }
            let weighed = weigh(wanted, &here, rows.labels(row), &frequencies);
            for ((figure, chance), found) in weighed.zip(&here) {
                finds.offer(figure, chance, || Verdict::Tabled {
                    step: table.step,
                    path: table.path.to_owned(),
                    row: Some(number),
                    column: self.columns[found.part].name.clone(),
                });
            }
        }
        self.totals(wanted, table, &mut finds);
        finds
    }

    /// How many rows there are, and of which kind; their ends and their sums.
    fn facts(&self, path: &str) -> Vec<(String, f64)> {
        let mut facts: Vec<(String, f64)> = Vec::new();
        #[allow(clippy::cast_precision_loss, reason = "a count of rows")]
        let float = |count: u64| count as f64;
        facts.push((format!("number of rows of {}", words_of(path)), float(self.count)));
        for column in &self.columns {
            if column.numbers > 0 {
                facts.push((format!("sum of {}", column.name), column.sum));
                facts.push((format!("least {} minimum", column.name), column.least));
                facts.push((format!("most {} maximum", column.name), column.most));
            }
            let groups = column.groups.iter().flatten().filter(|_| column.numbers == 0);
            // Sorted, so that of equal counts it is always the same one that is told.
            for (text, count) in groups.collect::<BTreeMap<_, _>>() {
                let text = String::from_utf8_lossy(text);
                facts.push((format!("number of rows with {} {text}", column.name), float(*count)));
                if *count < self.count {
                    facts.push((
                        format!("share of {} {text}", column.name),
                        float(*count) / float(self.count),
                    ));
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

/// The words of a file's name.
fn words_of(path: &str) -> String {
    path.rsplit('/').next().unwrap_or(path).trim_end_matches(".csv").replace('_', " ")
}
