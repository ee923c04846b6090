//! Figures of a report: what in its words can be checked.

mod date;
mod number;
mod scan;

pub(crate) use date::{Moment, date};
pub(crate) use number::{Span, Written, numeral, plain_number};
pub(crate) use scan::{Kind, Token, scan, unit_in_words};

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::document::{Block, Inline, for_each_line, words};

/// A number, a date or quoted words of a report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Figure {
    /// As it is written.
    pub text: String,
    /// What kind of thing it is.
    pub kind: FigureKind,
    /// The beginning of the sentence in which it stands, or the head and the row of its cell.
    pub place: String,
    /// The words around it, by which it is told which of several equal values is meant.
    #[serde(skip)]
    pub(crate) context: Context,
    #[serde(skip)]
    pub(crate) reads: Kind,
}

/// What kind of thing a figure is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum FigureKind {
    /// A number.
    Number,
    /// A date or a time.
    Date,
    /// Words in quotation marks.
    Words,
}

/// The beginning of the sentence in which a figure stands, or the head and the row of its cell.
fn place(near: &str) -> String {
    let words = near.replace('\u{1f}', " ");
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(MOST_SHOWN) {
        Some((at, _)) => format!("{} …", &words[..at]),
        None => words,
    }
}

/// So much of a sentence is shown.
const MOST_SHOWN: usize = 80;

/// Where a figure stands.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Context {
    /// The sentence, or the head, the row and the column of a cell.
    pub(crate) near: String,
    /// The sentence before it, in the same paragraph.
    pub(crate) before: String,
    /// Figures with the same number stand in the same sentence or row.
    pub(crate) group: usize,
    /// Figures with the same number stand in the same paragraph, list or table.
    pub(crate) block: usize,
    /// The row and the column of a cell.
    pub(crate) cell: Option<(usize, usize)>,
    /// What it counts or measures, as far as that can be told.
    pub(crate) unit: Unit,
}

/// What a number counts or measures. Only numbers of one kind are added up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Unit {
    /// Percent, or percentage points.
    Percent,
    /// Money.
    Money,
    /// Anything else.
    #[default]
    Other,
}

/// Marks the figures of a document and lists them.
pub(crate) fn mark(blocks: &mut [Block], notes: &mut [Vec<Block>]) -> Vec<Figure> {
    let mut marker = Marker { figures: Vec::new(), block: 0, group: 0, last: String::new() };
    marker.blocks(blocks);
    for note in notes {
        marker.blocks(note);
    }
    settle_marks(&mut marker.figures);
    marker.figures
}

/// Reads `1.234` as the other numbers of the report tell: with a decimal point, or with a mark of thousands.
fn settle_marks(figures: &mut [Figure]) {
    let commas = figures.iter().filter(|figure| figure.reads.decimal_mark() == Some(',')).count();
    let points = figures.iter().filter(|figure| figure.reads.decimal_mark() == Some('.')).count();
    if commas > points {
        for figure in figures {
            figure.reads.turn();
        }
    }
}

struct Marker {
    figures: Vec<Figure>,
    block: usize,
    group: usize,
    /// The paragraph or heading before.
    last: String,
}

impl Marker {
    fn blocks(&mut self, blocks: &mut [Block]) {
        for block in blocks {
            self.block += 1;
            match block {
                Block::Heading { content, .. } => {
                    self.last = words(content);
                    self.line(content, &Context::default(), Numbering::Leads);
                }
                Block::Table { head, rows, .. } => self.table(head, rows),
                Block::Quote { blocks } => self.blocks(blocks),
                Block::List { items, .. } => {
                    // What stands in one list belongs together.
                    let block = self.block;
                    for item in items {
                        for_each_line(&mut item.blocks, &mut |content| {
                            self.block = block;
                            self.line(content, &Context::default(), Numbering::None);
                        });
                    }
                }
                Block::Paragraph { content } => {
                    self.last = words(content);
                    self.line(content, &Context::default(), Numbering::None);
                }
                Block::Code { .. } | Block::Formula { .. } | Block::Rule => {}
            }
        }
    }

    fn table(&mut self, head: &mut [Vec<Inline>], rows: &mut [Vec<Vec<Inline>>]) {
        let heads: Vec<String> = head.iter().map(|cell| words(cell)).collect();
        let in_corner = scan::scale_in_words(heads.first().map_or("", String::as_str));
        let first_cell = self.figures.len();
        for (at, cell) in head.iter_mut().enumerate() {
            self.line(cell, &Context { cell: Some((0, at)), ..Context::default() }, Numbering::None);
        }
        for (row, cells) in rows.iter_mut().enumerate() {
            self.group += 1;
            let first = cells.first().map(|cell| words(cell)).unwrap_or_default();
            for (at, cell) in cells.iter_mut().enumerate() {
                // The first column may just count the rows.
                let head = heads.get(at).map_or("", String::as_str);
                if at == 0 && is_count_of_rows(head, cell, row + 1) {
                    continue;
                }
                let near = format!("{head} \u{1f} {first} \u{1f} {}", words(cell));
                let before = self.figures.len();
                let context = Context { near, cell: Some((row + 1, at)), ..Context::default() };
                self.line(cell, &context, Numbering::None);
                let scale = scan::scale_in_words(head).or(in_corner);
                if let Some(power) = scale.or_else(|| scan::scale_in_caption(&self.last, head)) {
                    for figure in &mut self.figures[before..] {
                        figure.reads.scale(power);
                    }
                }
            }
        }
        for figure in &mut self.figures[first_cell..] {
            let column = figure.context.cell.and_then(|(_, at)| heads.get(at)).map_or("", String::as_str);
            let heads = [column, heads.first().map_or("", String::as_str)];
            let named = heads.into_iter().map(scan::unit_in_words).find(|unit| *unit != Unit::Other);
            if figure.context.unit == Unit::Other {
                figure.context.unit = named.unwrap_or_default();
            }
        }
    }

    /// Splits the words of a line at its figures.
    fn line(&mut self, content: &mut Vec<Inline>, context: &Context, numbering: Numbering) {
        let mut leaves = Vec::new();
        let text = flat(content, &mut leaves);
        let mut tokens = scan(&text);
        if numbering == Numbering::Leads
            && tokens.first().is_some_and(|token| text[..token.start].trim().is_empty())
            && tokens[0].is_plain_number()
        {
            tokens.remove(0);
        }
        let tokens: Vec<Token> = tokens
            .into_iter()
            .filter(|token| {
                leaves.iter().any(|leaf| leaf.checked && leaf.start <= token.start && token.start < leaf.end)
            })
            .collect();
        if tokens.is_empty() {
            return;
        }
        let first = self.figures.len();
        let mut last_sentence = None;
        for token in &tokens {
            let (mut near, mut before) = (context.near.clone(), String::new());
            if near.is_empty() {
                let sentence = sentence(&text, token.start);
                let start = sentence.as_ptr().addr() - text.as_ptr().addr();
                if let Some(last) = text[..start].trim_end().char_indices().next_back() {
                    self::sentence(&text, last.0).clone_into(&mut before);
                }
                if last_sentence != Some(sentence.as_ptr()) {
                    self.group += 1;
                }
                last_sentence = Some(sentence.as_ptr());
                sentence.clone_into(&mut near);
            }
            self.figures.push(Figure {
                text: text[token.start..token.end].to_owned(),
                kind: token.kind.of_figure(),
                place: place(&near),
                context: Context {
                    near,
                    before,
                    group: self.group,
                    block: self.block,
                    cell: context.cell,
                    unit: scan::unit(&text, token),
                },
                reads: token.kind.clone(),
            });
        }
        let mut splitter = Splitter { tokens: &tokens, first, at: 0 };
        *content = splitter.split(std::mem::take(content));
    }
}

/// Whether a line begins with a number that only counts, such as that of a heading.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbering {
    Leads,
    None,
}

fn is_count_of_rows(head: &str, cell: &[Inline], row: usize) -> bool {
    let head = head.trim().trim_end_matches('.').to_lowercase();
    let counts = ["", "#", "no", "nr", "number", "rank", "row", "event", "id"].contains(&head.as_str());
    counts && words(cell).trim().trim_end_matches('.') == row.to_string()
}

/// A piece of a line's flat text.
struct Leaf {
    start: usize,
    end: usize,
    /// Whether figures are looked for in it: not in code and not in the words of a link to a file.
    checked: bool,
}

/// The text of a line; what is not to be read stands as blanks of the same length.
fn flat(content: &[Inline], leaves: &mut Vec<Leaf>) -> String {
    let mut text = String::new();
    push_flat(content, &mut text, leaves, true);
    text
}

fn push_flat(content: &[Inline], text: &mut String, leaves: &mut Vec<Leaf>, checked: bool) {
    for inline in content {
        let start = text.len();
        match inline {
            Inline::Text { text: words } | Inline::Figure { text: words, .. } => {
                text.push_str(words);
                leaves.push(Leaf { start, end: text.len(), checked });
            }
            Inline::Emphasis { content } | Inline::Strong { content } | Inline::Struck { content } => {
                push_flat(content, text, leaves, checked);
            }
            Inline::Link { content, .. } => push_flat(content, text, leaves, false),
            // A letter that belongs to no figure, so that what is around it is not read as one.
            Inline::Code { .. } | Inline::Formula { .. } | Inline::Picture { .. } => text.push('\u{1f}'),
            Inline::Break => text.push('\n'),
            Inline::Note { .. } => {}
        }
    }
}

/// The sentence around a place.
fn sentence(text: &str, at: usize) -> &str {
    // What goes on with a small letter or a digit was an abbreviation.
    let ends = |(index, c): (usize, char)| {
        let behind = &text[index + c.len_utf8()..];
        let next = behind.trim_start().chars().next();
        let begins = next.is_none_or(|next| !next.is_lowercase() && !next.is_numeric());
        (matches!(c, '.' | '!' | '?') && behind.len() != behind.trim_start().len() && begins) || c == '\n'
    };
    let start =
        text[..at].char_indices().rev().find(|each| ends(*each)).map_or(0, |(index, c)| index + c.len_utf8());
    let end = text[at..].char_indices().map(|(index, c)| (at + index, c)).find(|each| ends(*each));
    &text[start..end.map_or(text.len(), |(index, _)| index)]
}

/// Walks over the leaves of a line and cuts them at the figures.
struct Splitter<'a> {
    tokens: &'a [Token],
    /// The number of the first of them.
    first: usize,
    at: usize,
}

impl Splitter<'_> {
    fn split(&mut self, content: Vec<Inline>) -> Vec<Inline> {
        let mut parts = Vec::with_capacity(content.len());
        for inline in content {
            match inline {
                Inline::Text { text } => self.cut(&text, &mut parts),
                Inline::Emphasis { content } => parts.push(Inline::Emphasis { content: self.split(content) }),
                Inline::Strong { content } => parts.push(Inline::Strong { content: self.split(content) }),
                Inline::Struck { content } => parts.push(Inline::Struck { content: self.split(content) }),
                Inline::Link { to, content } => parts.push(Inline::Link { to, content: self.split(content) }),
                Inline::Code { .. } | Inline::Formula { .. } | Inline::Picture { .. } | Inline::Break => {
                    self.at += 1;
                    parts.push(inline);
                }
                Inline::Figure { .. } | Inline::Note { .. } => parts.push(inline),
            }
        }
        parts
    }

    fn cut(&mut self, text: &str, parts: &mut Vec<Inline>) {
        let start = self.at;
        self.at += text.len();
        let mut done = 0;
        for (index, token) in self.tokens.iter().enumerate() {
            if token.start < start || token.start >= self.at {
                continue;
            }
            let (from, to) = (token.start - start, token.end.min(self.at) - start);
            if from > done {
                parts.push(Inline::Text { text: text[done..from].to_owned() });
            }
            parts.push(Inline::Figure { text: text[from..to].to_owned(), number: self.first + index });
            done = to;
        }
        if done < text.len() {
            parts.push(Inline::Text { text: text[done..].to_owned() });
        }
    }
}
