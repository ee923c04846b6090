//! From a report to the text that the typesetter reads: calls of the functions of `page.typ`.
//!
//! Whatever comes from the report is written as a string (see [`super::text`]) or as a number.

use std::fmt::Write;

use super::address::{host, is_address};
use super::formula;
use super::table;
use super::text::{Way, language, literal, push_letters, push_words};
use crate::document::{Align, Block, Inline, Item, Target, words};
use crate::export::Parcel;

/// What lies deeper than this is set as if it lay here.
const DEEPEST: usize = 8;
/// With fewer headings below the title there are no contents.
const FEWEST_HEADINGS: usize = 4;
/// The width of the text on a page, and the size of its letters.
const TEXT_WIDTH_PT: f64 = 438.0;
const TEXT_SIZE_PT: f64 = 11.0;
const CODE_SIZE_PT: f64 = 8.4;
/// How much of the width a level of a list or quotation takes.
const LEVEL_PT: f64 = 22.0;
const RUNNING_TITLE: usize = 80;

/// Whether formulas are set, or shown as they are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Formulas {
    Set,
    Letters,
}

/// The text, and the pictures that it names by their place here.
pub(super) struct Source {
    pub(super) text: String,
    pub(super) pictures: Vec<String>,
}

impl Source {
    pub(super) fn write(parcel: &Parcel<'_>, formulas: Formulas) -> Self {
        let mut writer = Writer {
            parcel,
            formulas,
            out: include_str!("page.typ").to_owned(),
            pictures: Vec::new(),
            noted: vec![false; parcel.document.notes.len()],
            way: Way::LeftToRight,
            depth: 0,
            size_pt: TEXT_SIZE_PT,
            room_pt: TEXT_WIDTH_PT,
        };
        writer.report();
        Self { text: writer.out, pictures: writer.pictures }
    }
}

pub(super) struct Writer<'a> {
    parcel: &'a Parcel<'a>,
    formulas: Formulas,
    pub(super) out: String,
    pictures: Vec<String>,
    /// Which footnotes are set already.
    noted: Vec<bool>,
    /// Which way the words around run.
    way: Way,
    depth: usize,
    pub(super) size_pt: f64,
    pub(super) room_pt: f64,
}

impl Writer<'_> {
    fn report(&mut self) {
        let document = self.parcel.document;
        let mut all = String::new();
        words_of(&document.blocks, &mut all);
        self.way = Way::of(&format!("{} {all}", self.parcel.title)).unwrap_or(Way::LeftToRight);
        let running: String = self.parcel.title.chars().take(RUNNING_TITLE).collect();
        let _ = writeln!(
            self.out,
            "#show: report.with(title: {}, running: {}, lang: \"{}\", dir: {})",
            literal(self.parcel.title),
            literal(&running),
            language(&all),
            self.way.name()
        );
        self.out.push_str("#{\n");
        let rest =
            if let Some((Block::Heading { level: 1, id, content }, rest)) = document.blocks.split_first() {
                self.call(&format!("first({}, ", place(id)), |writer| writer.heading(1, content));
                rest
            } else {
                let title = [Inline::Text { text: self.parcel.title.to_owned() }];
                self.call("first(\"/title\", ", |writer| writer.heading(1, &title));
                &document.blocks[..]
            };
        let levels: Vec<u8> = rest.iter().filter_map(level).collect();
        if let Some(top) = levels.iter().min()
            && levels.len() >= FEWEST_HEADINGS
        {
            let _ = writeln!(self.out, "contents({top});");
        }
        self.blocks(rest);
        self.last_line();
        self.out.push_str("}\n");
    }

    fn last_line(&mut self) {
        let all = self.parcel.document.figures.len();
        let count = (0..all).filter(|&figure| self.parcel.is_not_found(figure)).count();
        if count > 0 {
            let words = format!(
                "Figures with a dotted line under them were not found in what was computed ({count} of {all})."
            );
            let _ = writeln!(self.out, "turned(ltr, \"en\", last-line({}));", literal(&words));
        }
    }

    /// Writes a call: its name with what comes first, then what `inner` writes as its last argument.
    pub(super) fn call(&mut self, start: &str, inner: impl FnOnce(&mut Self)) {
        self.out.push_str(start);
        self.out.push('{');
        inner(self);
        self.out.push_str("});");
    }

    pub(super) fn blocks(&mut self, blocks: &[Block]) {
        for (at, block) in blocks.iter().enumerate() {
            if at > 0 {
                self.out.push_str("parbreak();\n");
            }
            self.block(block);
        }
    }

    fn block(&mut self, block: &Block) {
        match block {
            Block::Heading { level, id, content } => {
                let start = format!("head({level}, {}, ", place(id));
                self.call(&start, |writer| writer.heading(*level, content));
            }
            Block::Paragraph { content } => {
                self.turned(&words(content), |writer| writer.inlines(content));
            }
            Block::Quote { blocks } => {
                let mut all = String::new();
                words_of(blocks, &mut all);
                self.turned(&all, |writer| writer.deeper("quoted(", |writer| writer.blocks(blocks)));
            }
            Block::List { start, items } => self.list(*start, items),
            Block::Code { text, .. } => self.code(text),
            Block::Table { columns, head, rows } => {
                let first = if head.iter().any(|cell| !cell.is_empty()) {
                    head
                } else {
                    rows.first().unwrap_or(head)
                };
                let all: Vec<String> = first.iter().map(|cell| words(cell)).collect();
                self.turned(&all.join(" "), |writer| table::write(writer, columns, head, rows));
            }
            Block::Formula { tex } => self.formula(tex, "display("),
            Block::Rule => self.out.push_str("rule;"),
        }
    }

    fn heading(&mut self, level: u8, content: &[Inline]) {
        let size = self.size_pt;
        self.size_pt = if level <= 1 { 22.0 } else { 15.5 };
        self.turned(&words(content), |writer| writer.inlines(content));
        self.size_pt = size;
    }

    /// Turns what `inner` writes the way that its words run.
    fn turned(&mut self, words: &str, inner: impl FnOnce(&mut Self)) {
        let way = Way::of(words).unwrap_or(self.way);
        if way == self.way {
            inner(self);
            return;
        }
        let around = std::mem::replace(&mut self.way, way);
        self.call(&format!("turned({}, \"{}\", ", way.name(), language(words)), inner);
        self.way = around;
    }

    /// What `inner` writes stands a level deeper, unless that would be too deep.
    fn deeper(&mut self, start: &str, inner: impl FnOnce(&mut Self)) {
        self.depth += 1;
        if self.depth > DEEPEST {
            inner(self);
        } else {
            self.room_pt -= LEVEL_PT;
            self.call(start, inner);
            self.room_pt += LEVEL_PT;
        }
        self.depth -= 1;
    }

    fn list(&mut self, start: Option<u32>, items: &[Item]) {
        self.depth += 1;
        if self.depth > DEEPEST {
            for item in items {
                self.blocks(&item.blocks);
                self.out.push_str("parbreak();");
            }
        } else {
            self.room_pt -= LEVEL_PT;
            let mut all = String::new();
            for item in items {
                words_of(&item.blocks, &mut all);
            }
            self.turned(&all, |writer| writer.shallow_list(start, items));
            self.room_pt += LEVEL_PT;
        }
        self.depth -= 1;
    }

    fn shallow_list(&mut self, start: Option<u32>, items: &[Item]) {
        let tight = items
            .iter()
            .all(|item| item.blocks.iter().filter(|block| !matches!(block, Block::List { .. })).count() <= 1);
        let call = if items.iter().any(|item| item.done.is_some()) {
            let marks: String = items
                .iter()
                .map(|item| match item.done {
                    Some(true) => "\"☑\",",
                    Some(false) => "\"☐\",",
                    None => "\"•\",",
                })
                .collect();
            format!("tasks({tight}, ({marks})")
        } else if let Some(start) = start {
            format!("numbers({tight}, {start}")
        } else {
            format!("bullets({tight}")
        };
        self.out.push_str(&call);
        for item in items {
            self.out.push_str(", {");
            self.blocks(&item.blocks);
            self.out.push('}');
        }
        self.out.push_str(");");
    }

    fn code(&mut self, text: &str) {
        let room = (self.room_pt - 20.0) / CODE_SIZE_PT;
        self.out.push_str("code(");
        for line in text.trim_end_matches('\n').split('\n') {
            self.out.push('{');
            push_letters(&mut self.out, &line.replace('\t', "    "), room, &str::to_owned);
            self.out.push_str("},");
        }
        self.out.push_str(");");
    }

    fn formula(&mut self, tex: &str, call: &str) {
        let set = if self.formulas == Formulas::Set { formula::set(tex) } else { None };
        if let Some(set) = set {
            let _ = write!(self.out, "{call}{set});");
        } else {
            let room = self.room_pt / self.size_pt;
            push_letters(&mut self.out, tex, room, &|piece| format!("tex({piece})"));
        }
    }

    pub(super) fn inlines(&mut self, content: &[Inline]) {
        for inline in content {
            self.inline(inline);
        }
    }

    fn inline(&mut self, inline: &Inline) {
        let room = self.room_pt / self.size_pt;
        match inline {
            Inline::Figure { text, number } if self.parcel.is_not_found(*number) => {
                self.call("not-found(", |writer| push_words(&mut writer.out, text, room));
            }
            Inline::Text { text } | Inline::Figure { text, .. } => push_words(&mut self.out, text, room),
            Inline::Emphasis { content } => self.call("emph(", |writer| writer.inlines(content)),
            Inline::Strong { content } => self.call("strong(", |writer| writer.inlines(content)),
            Inline::Struck { content } => self.call("strike(", |writer| writer.inlines(content)),
            Inline::Code { text } => {
                push_letters(&mut self.out, text, room / 0.9, &|piece| format!("raw({piece})"));
            }
            Inline::Formula { tex } => self.formula(tex, "formula("),
            Inline::Link { to, content } => self.link(to, content),
            Inline::Picture { to, alt } => self.picture(to, alt),
            Inline::Note { number } => self.note(*number),
            Inline::Break => self.out.push_str("linebreak();"),
        }
    }

    fn link(&mut self, to: &Target, content: &[Inline]) {
        match to {
            Target::Web { address } if is_address(address) => {
                let host = match host(address) {
                    Some(host) if !words(content).contains(host) => literal(host),
                    _ => "none".to_owned(),
                };
                self.call(&format!("web({}, {host}, ", literal(address)), |writer| writer.inlines(content));
            }
            Target::Place { id } if has_place(&self.parcel.document.blocks, id) => {
                self.call(&format!("place-link({}, ", place(id)), |writer| writer.inlines(content));
            }
            _ => self.inlines(content),
        }
    }

    fn picture(&mut self, to: &Target, alt: &str) {
        match to {
            Target::File { path } => {
                let known = self.pictures.iter().position(|picture| picture == path);
                let at = known.unwrap_or_else(|| {
                    self.pictures.push(path.clone());
                    self.pictures.len() - 1
                });
                let _ = write!(self.out, "picture(\"{at}\", {});", literal(alt));
            }
            Target::Missing { path } => {
                self.absent(alt, &format!("{path} is not among the files of this run."));
            }
            Target::Web { address } => self.absent(alt, &format!("{address} is not fetched.")),
            Target::Place { id } => self.absent(alt, &format!("#{id} is no picture.")),
        }
    }

    fn absent(&mut self, alt: &str, words: &str) {
        let words = if alt.is_empty() { words.to_owned() } else { format!("{alt}: {words}") };
        let room = self.room_pt / self.size_pt;
        self.call("absent(", |writer| push_words(&mut writer.out, &words, room));
    }

    fn note(&mut self, number: usize) {
        let Some(blocks) = number.checked_sub(1).and_then(|at| self.parcel.document.notes.get(at)) else {
            return;
        };
        let place = literal(&format!("/note {number}"));
        if std::mem::replace(&mut self.noted[number - 1], true) {
            let _ = write!(self.out, "note-again({place});");
            return;
        }
        let around = (self.depth, self.room_pt, self.size_pt);
        (self.depth, self.room_pt, self.size_pt) = (DEEPEST / 2, TEXT_WIDTH_PT - LEVEL_PT, 9.0);
        self.call(&format!("note({place}, "), |writer| writer.blocks(blocks));
        (self.depth, self.room_pt, self.size_pt) = around;
    }
}

fn level(block: &Block) -> Option<u8> {
    match block {
        Block::Heading { level, .. } => Some(*level),
        _ => None,
    }
}

/// What a heading is called as the goal of a link; other goals begin with another sign.
fn place(id: &str) -> String {
    literal(&format!("#{id}"))
}

/// The words of blocks, for what they tell of script and direction.
fn words_of(blocks: &[Block], into: &mut String) {
    for block in blocks {
        match block {
            Block::Heading { content, .. } | Block::Paragraph { content } => into.push_str(&words(content)),
            Block::Quote { blocks } => words_of(blocks, into),
            Block::List { items, .. } => items.iter().for_each(|item| words_of(&item.blocks, into)),
            Block::Table { head, rows, .. } => {
                for cell in head.iter().chain(rows.iter().flatten()) {
                    into.push_str(&words(cell));
                }
            }
            Block::Code { .. } | Block::Formula { .. } | Block::Rule => {}
        }
        into.push(' ');
    }
}

fn has_place(blocks: &[Block], id: &str) -> bool {
    blocks.iter().any(|block| match block {
        Block::Heading { id: known, .. } => known == id,
        Block::Quote { blocks } => has_place(blocks, id),
        Block::List { items, .. } => items.iter().any(|item| has_place(&item.blocks, id)),
        _ => false,
    })
}

/// How the typesetter calls an alignment.
pub(super) fn align(align: Align) -> &'static str {
    match align {
        Align::Start => "start",
        Align::Center => "center",
        Align::End => "end",
    }
}
