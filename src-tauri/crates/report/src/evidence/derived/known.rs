//! The numbers of a report that others may follow from, by where they stand.

use std::collections::BTreeMap;

use super::super::Verdict;
use super::super::lines::holds_words;
use super::super::stems::{Stem, stems};
use crate::figures::{Figure, Kind, Unit};

/// So many figures of a paragraph are combined with each other.
const MOST_PARTS: usize = 60;
/// So many numbers stand beside another.
const BESIDE: usize = 2;
/// So many of the largest counts in a report may be what a share is a share of.
const MOST_WHOLES: usize = 8;

/// The numbers of a report that others may follow from.
pub(super) struct Known<'a> {
    pub(super) figures: &'a [Figure],
    /// For each figure its number, if it was found.
    pub(super) parts: Vec<Option<Part<'a>>>,
    /// The largest counts.
    pub(super) largest: Vec<Part<'a>>,
    rows: Vec<NamedRow<'a>>,
}

/// A row of one of the report's tables, by its first cell.
struct NamedRow<'a> {
    block: usize,
    line: usize,
    label: &'a str,
    lower: String,
    stems: Vec<Stem>,
    /// The columns of its figures, and their numbers.
    cells: Vec<(usize, Part<'a>)>,
}

impl<'a> Known<'a> {
    pub(super) fn new(figures: &'a [Figure], verdicts: &[Verdict]) -> Self {
        let parts: Vec<Option<Part>> = (figures.iter().zip(verdicts).enumerate())
            .map(|(index, (figure, verdict))| {
                Part::of(index, figure).filter(|_| *verdict != Verdict::NotFound)
            })
            .collect();
        let mut rows: Vec<NamedRow> = Vec::new();
        for (figure, part) in figures.iter().zip(&parts) {
            let (Some((line, column)), Some(part)) = (figure.context.cell, part) else { continue };
            let block = figure.context.block;
            let label = figure.context.near.split('\u{1f}').nth(1).unwrap_or_default().trim();
            match rows.last_mut() {
                Some(row) if (row.block, row.line, row.label) == (block, line, label) => {
                    row.cells.push((column, *part));
                }
                _ => rows.push(NamedRow {
                    block,
                    line,
                    label,
                    lower: label.to_lowercase(),
                    stems: stems(label),
                    cells: vec![(column, *part)],
                }),
            }
        }
        Self { figures, largest: largest(&parts), parts, rows }
    }

    /// The numbers within reach of a figure.
    pub(super) fn within(&self, reach: Reach, index: usize) -> Vec<Part<'a>> {
        let figure = &self.figures[index];
        // The figures stand in the order of their blocks.
        let block = figure.context.block;
        let first = self.figures.partition_point(|other| other.context.block + 1 < block);
        let around = &self.figures[first..];
        let others = around.iter().zip(&self.parts[first..]);
        others
            .take_while(|(other, _)| other.context.block <= block + 1)
            .filter(|(other, _)| reach.holds(figure, other))
            .filter_map(|(_, part)| *part)
            .filter(|part| reach != Reach::Beside || (part.index < index && index - part.index <= BESIDE))
            .take(MOST_PARTS)
            .collect()
    }

    /// The cells of the report's tables whose rows a figure's sentence or the one before it names, row by row
    /// and column by column.
    pub(super) fn named(&self, figure: &Figure) -> Vec<Vec<Part<'a>>> {
        let mut near = stems(&figure.context.near);
        near.extend(stems(&figure.context.before));
        let words = format!("{}\n{}", figure.context.before, figure.context.near).to_lowercase();
        let mut lines: BTreeMap<(usize, bool, usize), Vec<Part>> = BTreeMap::new();
        let is_named = |row: &&NamedRow| {
            (!row.stems.is_empty() && row.stems.iter().all(|stem| near.contains(stem)))
                || (!row.label.is_empty() && holds_words(&words, &row.lower))
        };
        for row in self.rows.iter().filter(is_named) {
            for (column, part) in &row.cells {
                lines.entry((row.block, false, row.line)).or_default().push(*part);
                lines.entry((row.block, true, *column)).or_default().push(*part);
            }
        }
        lines.into_values().collect()
    }
}

/// The largest counts, one for each size.
fn largest<'a>(parts: &[Option<Part<'a>>]) -> Vec<Part<'a>> {
    let counts = parts.iter().flatten().copied();
    let mut counts: Vec<Part> = counts
        .filter(|part| part.unit == Unit::Other && part.value.fract() == 0.0 && !part.is_year)
        .collect();
    counts.sort_by(|one, other| other.value.total_cmp(&one.value));
    counts.dedup_by(|one, other| one.value.total_cmp(&other.value).is_eq());
    counts.truncate(MOST_WHOLES);
    counts
}

/// Which figures are combined.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// The few numbers right before it in the sentence.
    Beside,
    Sentence,
    /// The sentence and the one before it.
    LastTwo,
    Row,
    Column,
    Block,
    Near,
}

impl Reach {
    pub(super) fn holds(self, figure: &Figure, other: &Figure) -> bool {
        let (one, two) = (&figure.context, &other.context);
        let cells = one.cell.zip(two.cell).filter(|_| one.block == two.block);
        match self {
            Self::Beside | Self::Sentence => one.group == two.group,
            Self::LastTwo => one.block == two.block && (one.group == two.group || one.group == two.group + 1),
            Self::Row => cells.is_some_and(|(a, b)| a.0 == b.0),
            Self::Column => cells.is_some_and(|(a, b)| a.1 == b.1),
            Self::Block => one.block == two.block,
            Self::Near => one.block.abs_diff(two.block) <= 1,
        }
    }
}

/// A figure that others follow from.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    pub(super) index: usize,
    pub(super) text: &'a str,
    pub(super) value: f64,
    pub(super) place: f64,
    pub(super) unit: Unit,
    pub(super) is_year: bool,
    pub(super) in_table: bool,
}

impl<'a> Part<'a> {
    /// Whether it may be added to what is measured in `unit`. The head of a table does not always say.
    pub(super) fn is_of(&self, unit: Unit) -> bool {
        !self.is_year && (self.unit == unit || (self.in_table && self.unit == Unit::Other))
    }

    fn of(index: usize, figure: &'a Figure) -> Option<Self> {
        let Kind::Number(written) = &figure.reads else { return None };
        Some(Self {
            index,
            text: &figure.text,
            value: written.readings[0].value,
            place: written.readings[0].place,
            unit: figure.context.unit,
            is_year: written.year.is_some(),
            in_table: figure.context.cell.is_some(),
        })
    }
}
