//! From Markdown to a [`Document`].

use std::collections::HashMap;
use std::iter::Peekable;
use std::ops::Range;

use pulldown_cmark::{Alignment, CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::written;
use super::{Align, Block, Document, Inline, Item, Target};
use crate::links::{LinkKind, destination, is_web, local_path};

/// How the readers call the syntax that is understood beside plain CommonMark.
pub(crate) const OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS);

/// What lies deeper than this is read as if it lay here.
const MAX_DEPTH: usize = 64;

type Events<'a> = Peekable<Box<dyn Iterator<Item = (Event<'a>, Range<usize>)> + 'a>>;

pub(super) fn read(markdown: &str, exists: &dyn Fn(&str) -> bool) -> Document {
    let events: Box<dyn Iterator<Item = _>> = Box::new(Parser::new_ext(markdown, OPTIONS).into_offset_iter());
    let mut reader = Reader {
        source: markdown,
        exists,
        events: events.peekable(),
        ids: HashMap::new(),
        note_names: Vec::new(),
        note_texts: HashMap::new(),
        depth: 0,
    };
    let blocks = reader.blocks();
    let mut texts = std::mem::take(&mut reader.note_texts);
    let notes = reader.note_names.iter().map(|name| texts.remove(name).unwrap_or_default()).collect();
    let ids = std::mem::take(&mut reader.ids);
    let mut document = Document { blocks, notes, figures: Vec::new() };
    document.for_each_line(&mut |content| reader.check_line(content, &ids));
    document
}

/// How far a line of words goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Until {
    /// To the end of what holds it, which is taken away.
    ItsEnd,
    /// To the next block or the end of what holds it, which both stay.
    NextBlock,
}

struct Reader<'a> {
    source: &'a str,
    exists: &'a dyn Fn(&str) -> bool,
    events: Events<'a>,
    /// How often each id of a heading was given.
    ids: HashMap<String, usize>,
    /// The names of the footnotes in the order of their first reference.
    note_names: Vec<String>,
    note_texts: HashMap<String, Vec<Block>>,
    depth: usize,
}

impl<'a> Reader<'a> {
    /// Blocks up to the end of what holds them, whose own end is taken away.
    fn blocks(&mut self) -> Vec<Block> {
        let mut blocks = Vec::new();
        self.depth += 1;
        // What lies too deep is not gone into, but read here.
        let mut ignored = 0_usize;
        while let Some((event, range)) = self.events.next() {
            match event {
                Event::Start(Tag::BlockQuote(_) | Tag::List(_) | Tag::Item) if self.depth > MAX_DEPTH => {
                    ignored += 1;
                }
                Event::End(_) if ignored > 0 => ignored -= 1,
                Event::End(_) => break,
                Event::Start(tag) => self.block(tag, range, &mut blocks),
                Event::Rule => blocks.push(Block::Rule),
                Event::Html(text) => self.markup_block(&text, &mut blocks),
                // An item of a tight list holds its words without a paragraph.
                other => {
                    let content = self.inlines_from(Some((other, range)), Until::NextBlock);
                    push_paragraph(&mut blocks, content);
                }
            }
        }
        self.depth -= 1;
        blocks
    }

    fn block(&mut self, tag: Tag<'a>, range: Range<usize>, blocks: &mut Vec<Block>) {
        match tag {
            Tag::Paragraph => {
                let content = self.inlines();
                push_paragraph(blocks, content);
            }
            Tag::Heading { level, .. } => {
                let content = self.inlines();
                let id = self.id_of(&super::words(&content));
                blocks.push(Block::Heading { level: number_of(level), id, content });
            }
            Tag::BlockQuote(_) => {
                let inner = self.blocks();
                blocks.push(Block::Quote { blocks: inner });
            }
            Tag::CodeBlock(kind) => {
                let language = match kind {
                    CodeBlockKind::Fenced(language) => language.to_string(),
                    CodeBlockKind::Indented => String::new(),
                };
                blocks.push(Block::Code { language, text: self.raw_text() });
            }
            Tag::HtmlBlock => {
                let text = self.raw_text();
                self.markup_block(&text, blocks);
            }
            Tag::List(start) => {
                let start = start.map(|first| u32::try_from(first).unwrap_or(1));
                let items = self.items();
                blocks.push(Block::List { start, items });
            }
            Tag::FootnoteDefinition(name) => {
                let text = self.blocks();
                self.note_texts.entry(name.to_string()).or_insert(text);
            }
            Tag::Table(columns) => blocks.push(self.table(&columns)),
            // What begins a line among blocks: its words are a paragraph of their own.
            inline => {
                let content = self.inlines_from(Some((Event::Start(inline), range)), Until::NextBlock);
                push_paragraph(blocks, content);
            }
        }
    }

    fn items(&mut self) -> Vec<Item> {
        let mut items = Vec::new();
        while let Some((event, _)) = self.events.next() {
            match event {
                Event::Start(Tag::Item) => {
                    let done = match self.events.peek() {
                        Some((Event::TaskListMarker(done), _)) => Some(*done),
                        _ => None,
                    };
                    if done.is_some() {
                        self.events.next();
                    }
                    items.push(Item { done, blocks: self.blocks() });
                }
                Event::End(_) => break,
                _ => {}
            }
        }
        items
    }

    fn table(&mut self, columns: &[Alignment]) -> Block {
        let columns = columns
            .iter()
            .map(|align| match align {
                Alignment::None | Alignment::Left => Align::Start,
                Alignment::Center => Align::Center,
                Alignment::Right => Align::End,
            })
            .collect();
        let (mut head, mut rows) = (Vec::new(), Vec::new());
        while let Some((event, _)) = self.events.next() {
            match event {
                Event::Start(Tag::TableHead) => head = self.cells(),
                Event::Start(Tag::TableRow) => rows.push(self.cells()),
                Event::End(TagEnd::Table) => break,
                _ => {}
            }
        }
        Block::Table { columns, head, rows }
    }

    fn cells(&mut self) -> Vec<Vec<Inline>> {
        let mut cells = Vec::new();
        while let Some((event, _)) = self.events.next() {
            match event {
                Event::Start(Tag::TableCell) => cells.push(self.inlines()),
                Event::End(_) => break,
                _ => {}
            }
        }
        cells
    }

    /// The words up to the end of what holds them, whose own end is taken away.
    fn inlines(&mut self) -> Vec<Inline> {
        self.inlines_from(None, Until::ItsEnd)
    }

    fn inlines_from(&mut self, first: Option<(Event<'a>, Range<usize>)>, until: Until) -> Vec<Inline> {
        let mut content: Vec<Inline> = Vec::new();
        let (mut first, mut ignored) = (first, 0_usize);
        self.depth += 1;
        loop {
            let next = match first.take() {
                Some(next) => next,
                None if until == Until::NextBlock
                    && self.events.peek().is_none_or(|(event, _)| !is_inline(event)) =>
                {
                    break;
                }
                None => match self.events.next() {
                    Some(next) => next,
                    None => break,
                },
            };
            let (event, range) = next;
            match event {
                Event::Start(_) if self.depth > MAX_DEPTH => ignored += 1,
                Event::End(_) if ignored > 0 => ignored -= 1,
                Event::End(_) => break,
                Event::Text(text) => self.text(&text, range, &mut content),
                Event::Code(text) => content.push(Inline::Code { text: text.to_string() }),
                Event::InlineHtml(text) | Event::Html(text) => self.markup(&text, &mut content),
                Event::InlineMath(tex) | Event::DisplayMath(tex) => {
                    content.push(Inline::Formula { tex: tex.to_string() });
                }
                Event::SoftBreak => push_text(&mut content, " "),
                Event::HardBreak => content.push(Inline::Break),
                Event::FootnoteReference(name) => {
                    let number = self.note(&name);
                    content.push(Inline::Note { number });
                }
                Event::Start(Tag::Emphasis) => content.push(Inline::Emphasis { content: self.inlines() }),
                Event::Start(Tag::Strong) => content.push(Inline::Strong { content: self.inlines() }),
                Event::Start(Tag::Strikethrough) => content.push(Inline::Struck { content: self.inlines() }),
                Event::Start(Tag::Link { dest_url, .. }) => {
                    let to = self.target(&dest_url, LinkKind::Text);
                    content.push(Inline::Link { to, content: self.inlines() });
                }
                Event::Start(Tag::Image { dest_url, .. }) => {
                    let to = self.target(&dest_url, LinkKind::Picture);
                    let alt = super::words(&self.inlines());
                    content.push(Inline::Picture { to, alt });
                }
                Event::Start(_) => content.extend(self.inlines()),
                Event::TaskListMarker(done) => push_text(&mut content, if done { "☑ " } else { "☐ " }),
                Event::Rule => {}
            }
        }
        self.depth -= 1;
        content
    }

    /// Words, or the formula that begins with them.
    fn text(&mut self, text: &str, range: Range<usize>, content: &mut Vec<Inline>) {
        let (mut text, mut start) = (text, range.start);
        loop {
            // An escaped bracket begins a piece of text of its own; its stroke lies before the piece.
            let (before, opened) = if text.starts_with(['(', '[']) && self.source[..start].ends_with('\\') {
                (0, Some((1, if text.starts_with('(') { "\\)" } else { "\\]" })))
            } else {
                match text.find("$$") {
                    Some(at) => (at, Some((2, "$$"))),
                    None => (0, None),
                }
            };
            let Some((width, close)) = opened else { break };
            let from = start + before + width;
            let Some(length) = self.source.get(from..).and_then(|rest| closing(rest, close)) else { break };
            if !self.skip_to(from + length + close.len(), range.end) {
                break;
            }
            push_text(content, &text[..before]);
            content.push(Inline::Formula { tex: self.source[from..from + length].trim().to_owned() });
            let end = from + length + close.len();
            if end >= range.end {
                // The piece of text in which the formula ends may go on behind it.
                return;
            }
            text = &text[end - start..];
            start = end;
        }
        push_text(content, text);
    }

    /// Takes away the events before a place in the source, where that takes no half of a pair.
    fn skip_to(&mut self, end: usize, have: usize) -> bool {
        if end <= have {
            return true;
        }
        // Looked at in a copy first: a formula does not reach beyond what holds it.
        let mut taken = Vec::new();
        let mut open = 0_i32;
        let fits = loop {
            match self.events.peek() {
                Some((Event::Start(_), range)) if range.start < end => open += 1,
                Some((Event::End(_), _)) if open > 0 => open -= 1,
                Some((Event::End(_), _)) | None => {
                    break open == 0
                        && taken
                            .last()
                            .is_some_and(|(_, range): &(Event<'a>, Range<usize>)| range.end >= end);
                }
                Some((_, range)) if range.start >= end => break open == 0,
                Some(_) => {}
            }
            if let Some(event) = self.events.next() {
                taken.push(event);
            }
        };
        let keep_from = if fits { self.rest_of_text(&mut taken, end) } else { taken };
        let rest = std::mem::replace(&mut self.events, empty().peekable());
        let all: Box<dyn Iterator<Item = _> + 'a> = Box::new(keep_from.into_iter().chain(rest));
        self.events = all.peekable();
        fits
    }

    /// What of the last piece of text lies behind a place in the source.
    fn rest_of_text(
        &self,
        taken: &mut Vec<(Event<'a>, Range<usize>)>,
        end: usize,
    ) -> Vec<(Event<'a>, Range<usize>)> {
        match taken.pop() {
            Some((Event::Text(_), range)) if range.end > end => {
                let source: &'a str = self.source;
                vec![(Event::Text(source[end..range.end].into()), end..range.end)]
            }
            _ => Vec::new(),
        }
    }

    /// The text up to the end of what holds it.
    fn raw_text(&mut self) -> String {
        let mut text = String::new();
        for (event, _) in self.events.by_ref() {
            match event {
                Event::End(_) => break,
                Event::Text(piece) | Event::Html(piece) | Event::InlineHtml(piece) => text.push_str(&piece),
                _ => {}
            }
        }
        text
    }

    fn note(&mut self, name: &str) -> usize {
        let at = self.note_names.iter().position(|known| known == name).unwrap_or_else(|| {
            self.note_names.push(name.to_owned());
            self.note_names.len() - 1
        });
        at + 1
    }

    /// The words of a heading as the readers of Markdown on the web make an id of them.
    fn id_of(&mut self, words: &str) -> String {
        let id: String = words
            .to_lowercase()
            .chars()
            .filter_map(|c| match c {
                ' ' | '-' => Some('-'),
                c if c.is_alphanumeric() || c == '_' => Some(c),
                _ => None,
            })
            .collect();
        let count = self.ids.entry(id.clone()).or_default();
        *count += 1;
        if *count == 1 { id } else { format!("{id}-{}", *count - 1) }
    }

    fn target(&self, written: &str, kind: LinkKind) -> Target {
        let written = written.trim();
        if let Some(id) = written.strip_prefix('#').filter(|_| kind == LinkKind::Text) {
            return Target::Place { id: destination(id) };
        }
        if is_web(written) {
            return Target::Web { address: written.to_owned() };
        }
        let whole = destination(written);
        // What follows `?` or `#` is a part of the name where there is such a file.
        let meant = local_path(written).unwrap_or_else(|| whole.clone());
        let mut found = [&whole, &meant].into_iter().flat_map(|path| written::spellings(path));
        match found.find(|path| (self.exists)(path)) {
            Some(path) => Target::File { path },
            None => Target::Missing { path: meant.clone() },
        }
    }

    /// HTML is shown as it is written, but for a picture that it names.
    fn markup(&self, text: &str, content: &mut Vec<Inline>) {
        match written::lone_image(text) {
            Some((source, alt)) => content.push(self.picture(&source, alt)),
            None => push_text(content, text),
        }
    }

    fn markup_block(&self, text: &str, blocks: &mut Vec<Block>) {
        let text = text.trim();
        if text.is_empty() || (text.starts_with("<!--") && text.ends_with("-->")) {
            return;
        }
        let mut content = Vec::new();
        self.markup(text, &mut content);
        blocks.push(Block::Paragraph { content });
    }

    fn picture(&self, source: &str, alt: String) -> Inline {
        Inline::Picture { to: self.target(source, LinkKind::Picture), alt }
    }

    /// Finds pictures that Markdown overlooks, and takes links to headings that are not there for their words.
    fn check_line(&self, content: &mut Vec<Inline>, ids: &HashMap<String, usize>) {
        let mut checked = Vec::with_capacity(content.len());
        for mut inline in content.drain(..) {
            match &mut inline {
                Inline::Text { text } => {
                    let mut rest = text.as_str();
                    while let Some((before, alt, source, behind)) = written::picture_with_blanks(rest) {
                        push_text(&mut checked, before);
                        checked.push(self.picture(source, alt.to_owned()));
                        rest = behind;
                    }
                    push_text(&mut checked, rest);
                    continue;
                }
                Inline::Emphasis { content } | Inline::Strong { content } | Inline::Struck { content } => {
                    self.check_line(content, ids);
                }
                Inline::Link { to, content } => {
                    self.check_line(content, ids);
                    if let Target::Place { id } = to
                        && !ids.contains_key(id.as_str())
                    {
                        checked.append(content);
                        continue;
                    }
                }
                _ => {}
            }
            checked.push(inline);
        }
        *content = checked;
    }
}

fn empty<'a>() -> Box<dyn Iterator<Item = (Event<'a>, Range<usize>)> + 'a> {
    Box::new(std::iter::empty())
}

/// Where a formula ends: at its closing mark, in the same paragraph, and not at once.
fn closing(rest: &str, mark: &str) -> Option<usize> {
    let end = rest.find("\n\n").unwrap_or(rest.len());
    rest[..end].find(mark).filter(|length| !rest[..*length].trim().is_empty())
}

fn is_inline(event: &Event<'_>) -> bool {
    match event {
        Event::Start(tag) => matches!(
            tag,
            Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Link { .. } | Tag::Image { .. }
        ),
        Event::End(_) | Event::Rule | Event::Html(_) => false,
        _ => true,
    }
}

fn number_of(level: HeadingLevel) -> u8 {
    level as u8
}

fn push_text(content: &mut Vec<Inline>, text: &str) {
    if text.is_empty() {
        return;
    }
    match content.last_mut() {
        Some(Inline::Text { text: before }) => before.push_str(text),
        _ => content.push(Inline::Text { text: text.to_owned() }),
    }
}

/// A paragraph; one that is a formula alone stands as one.
fn push_paragraph(blocks: &mut Vec<Block>, content: Vec<Inline>) {
    match content.as_slice() {
        [] => {}
        [Inline::Formula { tex }] => blocks.push(Block::Formula { tex: tex.clone() }),
        _ => blocks.push(Block::Paragraph { content }),
    }
}
