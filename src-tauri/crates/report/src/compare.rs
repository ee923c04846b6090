//! Two reports on the same question side by side: which figures stand in the same place, and what changed.
//!
//! Lines are compared without their figures. Those that are alike are put beside each other in order, the
//! rows of a table by their first cell; the figures of two such lines are pairs.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::document::{Block, Document, Inline, words};
use crate::figures::{Figure, Kind};

/// Stands for a figure in a line.
const FIGURE: char = '\u{1}';
/// Lines that share less of their words are different ones.
const ALIKE: f64 = 0.6;
/// Longer reports are compared up to here.
const MOST_LINES: usize = 1500;
/// More of a line is not shown.
const MOST_SHOWN: usize = 160;

/// What two reports have in common and what not.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct Difference {
    /// Figures in the same place, in the order of the later report.
    pub pairs: Vec<FigurePair>,
    /// Lines with figures that only the earlier report has.
    pub only_before: Vec<String>,
    /// Lines with figures that only the later report has.
    pub only_now: Vec<String>,
}

/// A figure of the earlier report and the one in its place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct FigurePair {
    /// The words around it in the later report.
    pub place: String,
    /// As the earlier report writes it.
    pub before: String,
    /// As the later report writes it.
    pub now: String,
    /// What became of it.
    pub change: Change,
    /// Its number among the earlier report's figures.
    pub before_figure: usize,
    /// Its number among the later report's figures.
    pub now_figure: usize,
}

/// What became of a figure.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum Change {
    /// It is written as before.
    Same,
    /// It is another one.
    Changed {
        /// By how much of the earlier one, where both are numbers of one sign and no percentages: 0.5 is half
        /// as much again.
        relative: Option<f64>,
    },
}

/// Compares two reports.
pub fn compare(before: &Document, now: &Document) -> Difference {
    let (old, new) = (lines(before), lines(now));
    let mut difference = Difference::default();
    let mut pairs = Vec::new();
    let matched = align(old.len(), new.len(), |one, two| old[one].likeness(&new[two]));
    let lone = |units: &[Unit], of: &[usize]| {
        let rest = units.iter().enumerate().filter(|(at, unit)| !of.contains(at) && unit.has_figures());
        rest.flat_map(|(_, unit)| unit.texts()).collect::<Vec<_>>()
    };
    difference.only_before = lone(&old, &matched.iter().map(|pair| pair.0).collect::<Vec<_>>());
    difference.only_now = lone(&new, &matched.iter().map(|pair| pair.1).collect::<Vec<_>>());
    for (one, two) in matched {
        old[one].pair(&new[two], &mut pairs, &mut difference);
    }
    pairs.sort_by_key(|(_, now)| *now);
    difference.pairs = pairs
        .into_iter()
        .filter_map(|(one, two)| pair(before.figures.get(one)?, now.figures.get(two)?, one, two))
        .collect();
    difference
}

fn pair(before: &Figure, now: &Figure, before_figure: usize, now_figure: usize) -> Option<FigurePair> {
    if before.kind != now.kind {
        return None;
    }
    let change = if before.text == now.text {
        Change::Same
    } else {
        // What is a share itself, or turned its sign, is not said as a share of what it was.
        let sizes = size(before).zip(size(now)).filter(|(before, now)| before * now > 0.0);
        Change::Changed { relative: sizes.map(|(before, now)| (now - before) / before.abs()) }
    };
    Some(FigurePair {
        place: now.place.clone(),
        before: before.text.clone(),
        now: now.text.clone(),
        change,
        before_figure,
        now_figure,
    })
}

fn size(figure: &Figure) -> Option<f64> {
    match &figure.reads {
        Kind::Number(written) if !written.percent => Some(written.readings[0].value),
        _ => None,
    }
}

/// A sentence, or a table.
enum Unit {
    Line(Line),
    Table { head: Line, rows: Vec<Row> },
}

/// Words with their figures taken out.
#[derive(Debug, Default)]
struct Line {
    /// With a mark for each figure.
    mask: String,
    text: String,
    figures: Vec<usize>,
    words: Vec<String>,
}

struct Row {
    key: String,
    cells: Vec<Line>,
}

impl Unit {
    fn has_figures(&self) -> bool {
        match self {
            Self::Line(line) => !line.figures.is_empty(),
            Self::Table { rows, .. } => rows.iter().any(Row::has_figures),
        }
    }

    fn texts(&self) -> Vec<String> {
        match self {
            Self::Line(line) => vec![shown(&line.text)],
            Self::Table { rows, .. } => rows.iter().filter(|row| row.has_figures()).map(Row::text).collect(),
        }
    }

    /// How much two units are the same; 0 where they are not.
    fn likeness(&self, other: &Self) -> f64 {
        match (self, other) {
            (Self::Line(one), Self::Line(two)) => one.likeness(two),
            (Self::Table { head: one, .. }, Self::Table { head: two, .. }) => one.likeness(two) * 2.0,
            _ => 0.0,
        }
    }

    fn pair(&self, other: &Self, pairs: &mut Vec<(usize, usize)>, difference: &mut Difference) {
        match (self, other) {
            (Self::Line(one), Self::Line(two)) => one.pair(two, pairs),
            (Self::Table { head: one_head, rows: one }, Self::Table { head: two_head, rows: two }) => {
                one_head.pair(two_head, pairs);
                pair_rows(one, two, pairs, difference);
            }
            _ => {}
        }
    }
}

fn pair_rows(one: &[Row], two: &[Row], pairs: &mut Vec<(usize, usize)>, difference: &mut Difference) {
    let mut left: Vec<&Row> = one.iter().collect();
    let mut found = false;
    let mut alone = Vec::new();
    for row in two {
        match left.iter().position(|other| other.key == row.key) {
            Some(at) => {
                found = true;
                left.remove(at).pair(row, pairs);
            }
            None => alone.push(row),
        }
    }
    // Where no row is called as before, their order is what they have in common.
    if !found && one.len() == two.len() {
        for (one, two) in one.iter().zip(two) {
            one.pair(two, pairs);
        }
        return;
    }
    difference.only_before.extend(left.into_iter().filter(|row| row.has_figures()).map(Row::text));
    difference.only_now.extend(alone.into_iter().filter(|row| row.has_figures()).map(Row::text));
}

impl Row {
    fn has_figures(&self) -> bool {
        self.cells.iter().any(|cell| !cell.figures.is_empty())
    }

    fn text(&self) -> String {
        shown(&self.cells.iter().map(|cell| cell.text.trim()).collect::<Vec<_>>().join(" | "))
    }

    fn pair(&self, other: &Self, pairs: &mut Vec<(usize, usize)>) {
        for (one, two) in self.cells.iter().zip(&other.cells) {
            one.pair(two, pairs);
        }
    }
}

impl Line {
    fn likeness(&self, other: &Self) -> f64 {
        if self.mask == other.mask {
            return 2.0;
        }
        let mut shared = 0;
        let mut left: Vec<&String> = other.words.iter().collect();
        for word in &self.words {
            if let Some(at) = left.iter().position(|other| *other == word) {
                left.swap_remove(at);
                shared += 1;
            }
        }
        #[expect(clippy::cast_precision_loss, reason = "a few words")]
        let likeness = 2.0 * f64::from(shared) / (self.words.len() + other.words.len()).max(1) as f64;
        if likeness >= ALIKE { likeness } else { 0.0 }
    }

    /// Pairs the figures: in order, or by the words beside them where one has more.
    fn pair(&self, other: &Self, pairs: &mut Vec<(usize, usize)>) {
        if self.figures.len() == other.figures.len() {
            pairs.extend(self.figures.iter().copied().zip(other.figures.iter().copied()));
            return;
        }
        let (one, two) = (self.beside(), other.beside());
        let matched = align(one.len(), two.len(), |a, b| {
            f64::from(u8::from(one[a].0 == two[b].0)) + f64::from(u8::from(one[a].1 == two[b].1))
        });
        pairs.extend(matched.into_iter().map(|(a, b)| (self.figures[a], other.figures[b])));
    }

    /// The words before and behind each figure.
    fn beside(&self) -> Vec<(String, String)> {
        let parts: Vec<&str> = self.mask.split(FIGURE).collect();
        let last = |text: &str| text.split_whitespace().next_back().unwrap_or_default().to_owned();
        let first = |text: &str| text.split_whitespace().next().unwrap_or_default().to_owned();
        parts.windows(2).map(|pair| (last(pair[0]), first(pair[1]))).collect()
    }

    fn finished(mut self) -> Self {
        let words = self.mask.split(|c: char| !c.is_alphanumeric() && c != FIGURE);
        self.words = words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
        self.mask = self.mask.split_whitespace().collect::<Vec<_>>().join(" ");
        self.text = self.text.split_whitespace().collect::<Vec<_>>().join(" ");
        self
    }
}

/// The lines and tables of a report, in order.
fn lines(document: &Document) -> Vec<Unit> {
    let mut units = Vec::new();
    for blocks in std::iter::once(&document.blocks).chain(&document.notes) {
        gather(blocks, &mut units);
    }
    units.truncate(MOST_LINES);
    units
}

fn gather(blocks: &[Block], units: &mut Vec<Unit>) {
    for block in blocks {
        match block {
            Block::Heading { content, .. } | Block::Paragraph { content } => {
                units.extend(sentences(content).into_iter().map(Unit::Line));
            }
            Block::Quote { blocks } => gather(blocks, units),
            Block::List { items, .. } => items.iter().for_each(|item| gather(&item.blocks, units)),
            Block::Table { head, rows, .. } => {
                let heads: Vec<Inline> =
                    head.iter().flat_map(|cell| cell.iter().cloned().chain([Inline::Break])).collect();
                let rows = rows.iter().map(|cells| Row {
                    key: cells.first().map(|cell| words(cell).trim().to_owned()).unwrap_or_default(),
                    cells: cells.iter().map(|cell| whole(cell)).collect(),
                });
                units.push(Unit::Table { head: whole(&heads), rows: rows.collect() });
            }
            Block::Code { .. } | Block::Formula { .. } | Block::Rule => {}
        }
    }
}

/// A piece of a line: a character, or a figure.
enum Piece {
    Char(char),
    Figure(usize, String),
}

fn pieces(content: &[Inline], into: &mut Vec<Piece>) {
    for inline in content {
        match inline {
            Inline::Text { text } | Inline::Code { text } => into.extend(text.chars().map(Piece::Char)),
            Inline::Figure { text, number } => into.push(Piece::Figure(*number, text.clone())),
            Inline::Emphasis { content }
            | Inline::Strong { content }
            | Inline::Struck { content }
            | Inline::Link { content, .. } => pieces(content, into),
            Inline::Formula { tex } => into.extend(tex.chars().map(Piece::Char)),
            Inline::Break => into.push(Piece::Char(' ')),
            Inline::Picture { .. } | Inline::Note { .. } => {}
        }
    }
}

fn whole(content: &[Inline]) -> Line {
    let mut all = Vec::new();
    pieces(content, &mut all);
    line(&all)
}

fn sentences(content: &[Inline]) -> Vec<Line> {
    let mut all = Vec::new();
    pieces(content, &mut all);
    let mut lines = Vec::new();
    let mut start = 0;
    for at in 0..all.len() {
        let ends = matches!(all[at], Piece::Char('.' | '!' | '?'))
            && matches!(all.get(at + 1), Some(Piece::Char(c)) if c.is_whitespace())
            && match all.get(at + 2) {
                Some(Piece::Char(c)) => !c.is_lowercase(),
                Some(Piece::Figure(..)) => true,
                None => false,
            };
        if ends {
            lines.push(line(&all[start..=at]));
            start = at + 1;
        }
    }
    lines.push(line(&all[start..]));
    lines.retain(|line| !line.mask.is_empty());
    lines
}

fn line(pieces: &[Piece]) -> Line {
    let mut line = Line::default();
    for piece in pieces {
        match piece {
            Piece::Char(c) => {
                line.mask.push(*c);
                line.text.push(*c);
            }
            Piece::Figure(number, text) => {
                line.mask.push(FIGURE);
                line.text.push_str(text);
                line.figures.push(*number);
            }
        }
    }
    line.finished()
}

/// Puts two rows of things beside each other, in order, so that the likenesses add up to the most.
fn align(one: usize, two: usize, likeness: impl Fn(usize, usize) -> f64) -> Vec<(usize, usize)> {
    let width = two + 1;
    let mut alike = vec![0.0; one * two];
    let mut best = vec![0.0_f64; (one + 1) * width];
    for a in (0..one).rev() {
        for b in (0..two).rev() {
            let own = likeness(a, b);
            alike[a * two + b] = own;
            let both = if own > 0.0 { own + best[(a + 1) * width + b + 1] } else { 0.0 };
            best[a * width + b] = both.max(best[(a + 1) * width + b]).max(best[a * width + b + 1]);
        }
    }
    let (mut a, mut b) = (0, 0);
    let mut pairs = Vec::new();
    while a < one && b < two {
        let (here, own) = (best[a * width + b], alike[a * two + b]);
        if own > 0.0 && (own + best[(a + 1) * width + b + 1] - here).abs() < 1e-9 {
            pairs.push((a, b));
            (a, b) = (a + 1, b + 1);
        } else if (best[(a + 1) * width + b] - here).abs() < 1e-9 {
            a += 1;
        } else {
            b += 1;
        }
    }
    pairs
}

fn shown(text: &str) -> String {
    match text.char_indices().nth(MOST_SHOWN) {
        Some((at, _)) => format!("{} …", &text[..at]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests;
