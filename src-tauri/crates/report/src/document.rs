//! A report as one value: blocks and inlines, without HTML, made from Markdown.
//!
//! The app's view and all exporters are made from it. What a report says comes from a model and from files,
//! so nothing in it is ever more than text, a link that was checked, or a picture of the run.

mod read;
#[cfg(test)]
mod tests;
mod written;

pub(crate) use read::OPTIONS;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::figures::{self, Figure};

/// A report.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct Document {
    /// What stands in it, in order.
    pub blocks: Vec<Block>,
    /// The footnotes, in the order in which they are first referred to; the first is note 1.
    pub notes: Vec<Vec<Block>>,
    /// Its numbers, dates and quoted words, in order; [`Inline::Figure`] points here.
    pub figures: Vec<Figure>,
}

/// A part of a report that stands by itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "block", rename_all = "snake_case")]
pub enum Block {
    /// A heading.
    Heading {
        /// 1 to 6.
        level: u8,
        /// What a link within the report calls it; unique.
        id: String,
        /// Its words.
        content: Vec<Inline>,
    },
    /// A paragraph.
    Paragraph {
        /// Its words.
        content: Vec<Inline>,
    },
    /// A quotation.
    Quote {
        /// What is quoted.
        blocks: Vec<Block>,
    },
    /// A list.
    List {
        /// The first number of a numbered list.
        start: Option<u32>,
        /// Its items.
        items: Vec<Item>,
    },
    /// A block of code, or of anything else that is shown letter by letter.
    Code {
        /// The language, as the report names it; may be empty.
        language: String,
        /// The text.
        text: String,
    },
    /// A table.
    Table {
        /// How each column is aligned.
        columns: Vec<Align>,
        /// The cells of the head.
        head: Vec<Vec<Inline>>,
        /// The cells of each row.
        rows: Vec<Vec<Vec<Inline>>>,
    },
    /// A formula that stands by itself, in TeX.
    Formula {
        /// The formula.
        tex: String,
    },
    /// A line across.
    Rule,
}

/// An item of a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Item {
    /// Whether a task is done; `None` for an item that is no task.
    pub done: Option<bool>,
    /// What stands in it.
    pub blocks: Vec<Block>,
}

/// How a column of a table is aligned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Align {
    /// As text is.
    Start,
    /// In the middle.
    Center,
    /// As numbers are.
    End,
}

/// A part of a line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "inline", rename_all = "snake_case")]
pub enum Inline {
    /// Words.
    Text {
        /// The words.
        text: String,
    },
    /// A number, a date or quoted words that can be checked.
    Figure {
        /// As it is written.
        text: String,
        /// Its place in [`Document::figures`].
        number: usize,
    },
    /// Emphasis.
    Emphasis {
        /// What is emphasised.
        content: Vec<Inline>,
    },
    /// Strong emphasis.
    Strong {
        /// What is emphasised.
        content: Vec<Inline>,
    },
    /// Struck through.
    Struck {
        /// What is struck through.
        content: Vec<Inline>,
    },
    /// Code, or anything else that is shown letter by letter.
    Code {
        /// The text.
        text: String,
    },
    /// A formula, in TeX.
    Formula {
        /// The formula.
        tex: String,
    },
    /// A link.
    Link {
        /// Where it leads.
        to: Target,
        /// Its words.
        content: Vec<Inline>,
    },
    /// A picture.
    Picture {
        /// Where it lies.
        to: Target,
        /// What it shows, in words.
        alt: String,
    },
    /// A reference to a footnote.
    Note {
        /// The note's number, from 1.
        number: usize,
    },
    /// A new line.
    Break,
}

/// Where a link or picture of a report leads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "to", rename_all = "snake_case")]
pub enum Target {
    /// A file of the run that is there.
    File {
        /// Its path below `output/`.
        path: String,
    },
    /// A file that is not there.
    Missing {
        /// The path as the report means it.
        path: String,
    },
    /// A heading of the report.
    Place {
        /// Its id.
        id: String,
    },
    /// An address on the web; shown as words, never asked for.
    Web {
        /// The address.
        address: String,
    },
}

impl Document {
    /// Reads Markdown: CommonMark with tables, footnotes, task lists and strikethrough; `$$` and `\( \)` for
    /// formulas only. HTML stays text. `exists` tells whether a file lies below `output/`.
    pub fn read(markdown: &str, exists: &dyn Fn(&str) -> bool) -> Self {
        let mut document = read::read(markdown, exists);
        document.figures = figures::mark(&mut document.blocks, &mut document.notes);
        document
    }

    /// Calls `visit` with each line of words, those of the footnotes last.
    fn for_each_line(&mut self, visit: &mut dyn FnMut(&mut Vec<Inline>)) {
        for_each_line(&mut self.blocks, visit);
        for note in &mut self.notes {
            for_each_line(note, visit);
        }
    }

    /// The words of its first heading.
    pub fn title(&self) -> Option<String> {
        self.blocks.iter().find_map(|block| match block {
            Block::Heading { content, .. } => Some(words(content)),
            _ => None,
        })
    }
}

/// The words of a line, without what they look like.
pub fn words(content: &[Inline]) -> String {
    let mut text = String::new();
    push_words(content, &mut text);
    text
}

fn push_words(content: &[Inline], into: &mut String) {
    for inline in content {
        match inline {
            Inline::Text { text } | Inline::Figure { text, .. } | Inline::Code { text } => {
                into.push_str(text);
            }
            Inline::Formula { tex } => into.push_str(tex),
            Inline::Emphasis { content }
            | Inline::Strong { content }
            | Inline::Struck { content }
            | Inline::Link { content, .. } => push_words(content, into),
            Inline::Picture { alt, .. } => into.push_str(alt),
            Inline::Note { .. } => {}
            Inline::Break => into.push(' '),
        }
    }
}

/// Calls `visit` with each line of words: of headings, paragraphs and cells, in the order of reading.
pub(crate) fn for_each_line(blocks: &mut [Block], visit: &mut dyn FnMut(&mut Vec<Inline>)) {
    for block in blocks {
        match block {
            Block::Heading { content, .. } | Block::Paragraph { content } => visit(content),
            Block::Quote { blocks } => for_each_line(blocks, visit),
            Block::List { items, .. } => {
                for item in items {
                    for_each_line(&mut item.blocks, visit);
                }
            }
            Block::Table { head, rows, .. } => {
                for cell in head.iter_mut().chain(rows.iter_mut().flatten()) {
                    visit(cell);
                }
            }
            Block::Code { .. } | Block::Formula { .. } | Block::Rule => {}
        }
    }
}
