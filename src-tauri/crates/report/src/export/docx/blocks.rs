//! Blocks of a report as paragraphs.

use super::super::ExportError;
use super::super::text::{Direction, missing_picture, only_pictures};
use super::paragraph::{HANGING, Mark, Setting};
use super::runs::Look;
use super::story::{Numbered, Place, Writer};
use crate::document::{Block, Inline, Item, Target, words};

/// The room between the margins of A4, in twentieths of a point.
const PAGE_WIDTH: u32 = 9412;
/// Lists lie no deeper, by the file format.
const MOST_LEVELS: usize = 9;
/// How far a quotation is set in.
const QUOTE: u32 = 284;
/// What lies deeper is not set in further, so that room is left for words.
const MOST_LEFT: u32 = 5000;

/// Where paragraphs are set.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    /// The style of a plain paragraph.
    pub(super) style: &'static str,
    /// How far it is set in.
    pub(super) left: u32,
    /// How many lists it lies in.
    level: usize,
    /// The mark before the first paragraph.
    mark: Option<Mark>,
    align: Option<&'static str>,
}

impl Frame {
    /// The page itself.
    pub(super) fn page() -> Self {
        Self { style: "BodyText", left: 0, level: 0, mark: None, align: None }
    }

    /// A cell of a table.
    pub(super) fn cell(style: &'static str, align: Option<&'static str>) -> Self {
        Self { style, align, ..Self::page() }
    }

    pub(super) fn styled(self, style: &'static str) -> Self {
        Self { style, ..self }
    }

    /// The same, set in further.
    fn within(self, style: &'static str, by: u32) -> Self {
        Self { style, left: (self.left + by).min(MOST_LEFT), mark: None, ..self }
    }

    /// The room that is left for words.
    pub(super) fn room(&self) -> u32 {
        PAGE_WIDTH - self.left
    }

    fn setting(&self, direction: Direction) -> Setting {
        let level = self.level.saturating_sub(1).min(MOST_LEVELS - 1);
        let mark = self.mark.map(|mark| (mark, level));
        Setting { style: self.style, mark, left: self.left, direction, align: self.align }
    }
}

impl Writer<'_> {
    pub(super) fn block(&mut self, block: &Block, frame: &Frame) -> Result<(), ExportError> {
        match block {
            Block::Heading { level, id, content } => self.heading(*level, id, content, frame),
            Block::Paragraph { content } => match only_pictures(content) {
                Some(pictures) => pictures.into_iter().try_for_each(|(to, alt)| self.figure(to, alt, frame)),
                None => self.paragraph(frame, content),
            },
            Block::Quote { blocks } => {
                let inner = frame.within("Quote", QUOTE);
                blocks.iter().try_for_each(|block| self.block(block, &inner))
            }
            Block::List { start, items } => self.list(*start, items, frame),
            Block::Code { text, .. } => {
                self.open(&frame.styled("Code"), Direction::Ltr);
                for (at, line) in text.trim_end_matches('\n').split('\n').enumerate() {
                    if at > 0 {
                        self.push("<w:r><w:br/></w:r>");
                    }
                    self.words(&line.replace('\t', "    "), Direction::Ltr, &Look::default());
                }
                self.close();
                Ok(())
            }
            Block::Table { columns, head, rows } => self.table(columns, head, rows, frame),
            Block::Formula { tex } => {
                self.open(&frame.styled("Formula"), Direction::Ltr);
                self.words(tex, Direction::Ltr, &Look::default());
                self.close();
                Ok(())
            }
            Block::Rule => {
                self.open(&frame.styled("Rule"), Direction::Ltr);
                self.close();
                Ok(())
            }
        }
    }

    fn heading(&mut self, level: u8, id: &str, content: &[Inline], frame: &Frame) -> Result<(), ExportError> {
        let style = match level {
            0 | 1 => "Heading1",
            2 => "Heading2",
            3 => "Heading3",
            4 => "Heading4",
            5 => "Heading5",
            _ => "Heading6",
        };
        let direction = Direction::of(&words(content));
        self.open(&frame.styled(style), direction);
        // A bookmark of the notes would have the number of one of the body.
        let bookmark = self.bookmark(id).filter(|_| self.story.place == Place::Body);
        if let Some((number, name)) = &bookmark {
            self.push(&format!(r#"<w:bookmarkStart w:id="{number}" w:name="{name}"/>"#));
        }
        self.inlines(content, direction, &Look::default())?;
        if let Some((number, _)) = bookmark {
            self.push(&format!(r#"<w:bookmarkEnd w:id="{number}"/>"#));
        }
        self.close();
        Ok(())
    }

    /// Opens a paragraph, which [`Self::close`] ends.
    pub(super) fn open(&mut self, frame: &Frame, direction: Direction) {
        self.push("<w:p>");
        let setting = frame.setting(direction).xml();
        self.push(&setting);
    }

    pub(super) fn close(&mut self) {
        self.push("</w:p>");
    }

    pub(super) fn paragraph(&mut self, frame: &Frame, content: &[Inline]) -> Result<(), ExportError> {
        let direction = Direction::of(&words(content));
        self.open(frame, direction);
        self.inlines(content, direction, &Look::default())?;
        self.close();
        Ok(())
    }

    /// A paragraph of words of the program itself.
    pub(super) fn text(&mut self, frame: &Frame, text: &str) {
        let direction = Direction::of(text);
        self.open(frame, direction);
        self.words(text, direction, &Look::default());
        self.close();
    }

    fn list(&mut self, start: Option<u32>, items: &[Item], frame: &Frame) -> Result<(), ExportError> {
        let level = frame.level + 1;
        let plain = match start {
            None => Mark::Bullet,
            Some(start) => {
                self.numbered.push(Numbered { level: (level - 1).min(MOST_LEVELS - 1), start });
                Mark::Number(self.numbered.len() - 1)
            }
        };
        let style = if self.story.place == Place::Notes { frame.style } else { "ListParagraph" };
        for item in items {
            let mark = match item.done {
                None => plain,
                Some(true) => Mark::Done,
                Some(false) => Mark::Open,
            };
            let inner = Frame { level, ..frame.within(style, HANGING) };
            let marked = Frame { mark: Some(mark), ..inner };
            let mut blocks = item.blocks.as_slice();
            match blocks.split_first() {
                Some((Block::Paragraph { content }, rest)) if only_pictures(content).is_none() => {
                    self.paragraph(&marked, content)?;
                    blocks = rest;
                }
                // What cannot have a mark itself stands below one.
                _ => self.text(&marked, ""),
            }
            blocks.iter().try_for_each(|block| self.block(block, &inner))?;
        }
        Ok(())
    }

    /// A footnote, by its number.
    pub(super) fn note(&mut self, number: usize, blocks: &[Block]) -> Result<(), ExportError> {
        const REFERENCE: &str = "<w:r><w:rPr><w:rStyle w:val=\"FootnoteReference\"/></w:rPr><w:footnoteRef/></w:r>\
                                 <w:r><w:t xml:space=\"preserve\"> </w:t></w:r>";
        let frame = Frame::page().styled("FootnoteText");
        self.push(&format!(r#"<w:footnote w:id="{number}">"#));
        let (first, rest) = match blocks.split_first() {
            Some((Block::Paragraph { content }, rest)) => (content.as_slice(), rest),
            _ => (&[][..], blocks),
        };
        let direction = Direction::of(&words(first));
        self.open(&frame, direction);
        self.push(REFERENCE);
        self.inlines(first, direction, &Look::default())?;
        self.close();
        rest.iter().try_for_each(|block| self.block(block, &frame))?;
        self.push("</w:footnote>");
        Ok(())
    }

    /// A picture by itself, with its words below it.
    fn figure(&mut self, to: &Target, alt: &str, frame: &Frame) -> Result<(), ExportError> {
        match to {
            Target::File { path } => {
                self.open(&frame.styled("Figure"), Direction::Ltr);
                self.drawing(path, alt, frame.room())?;
                self.close();
                if !alt.trim().is_empty() {
                    self.text(&frame.styled("Caption"), alt.trim());
                }
            }
            Target::Missing { path } => self.text(&frame.styled("Missing"), &missing_picture(alt, path)),
            Target::Web { .. } | Target::Place { .. } => {
                let picture = Inline::Picture { to: to.clone(), alt: alt.to_owned() };
                self.paragraph(frame, &[picture])?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_deep_still_has_room() {
        let deep = (0..60).map(|depth| "  ".repeat(depth) + "1. x\n\n").collect::<String>();
        let quoted = "> ".repeat(60) + "| a |\n" + &"> ".repeat(60) + "|---|\n";
        let document = crate::Document::read(&(deep + "\n# h\n\n" + &quoted), &|_| false);
        let parcel =
            crate::Parcel { document: &document, verdicts: &[], title: "", files: "".as_ref(), cells: &[] };
        let export = super::super::docx(&parcel, &|_, _| Ok(())).unwrap();
        assert!(!export.bytes.is_empty());
        let frame = (0..60).fold(Frame::page(), |frame, _| frame.within("Quote", QUOTE));
        assert_eq!((frame.left, frame.room()), (MOST_LEFT, PAGE_WIDTH - MOST_LEFT));
    }
}
