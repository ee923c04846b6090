//! Blocks of a report as HTML.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::super::picture::Picture;
use super::super::text::{Direction, each_line, escaped, missing_picture, only_pictures};
use super::super::web::Web;
use super::super::{ExportError, Parcel};
use super::formula::mathml;
use crate::document::{Align, Block, Inline, Item, Target, words};

/// A table with more columns is wide.
const MOST_COLUMNS: usize = 7;

/// The body of the page as far as it is written.
pub(super) struct Page<'a> {
    pub(super) parcel: &'a Parcel<'a>,
    pub(super) text: String,
    /// How often each note was referred to.
    pub(super) references: Vec<usize>,
}

impl<'a> Page<'a> {
    pub(super) fn new(parcel: &'a Parcel<'a>) -> Self {
        Self { parcel, text: String::new(), references: vec![0; parcel.document.notes.len()] }
    }

    pub(super) fn push(&mut self, html: &str) {
        self.text.push_str(html);
    }

    pub(super) fn into_text(self) -> String {
        self.text
    }

    fn blocks(&mut self, blocks: &[Block]) -> Result<(), ExportError> {
        blocks.iter().try_for_each(|block| self.block(block))
    }

    pub(super) fn block(&mut self, block: &Block) -> Result<(), ExportError> {
        match block {
            Block::Heading { level, id, content } => {
                let level = (*level).clamp(1, 6);
                self.push(&format!("<h{level} id=\"{}\" dir=\"auto\">", escaped(id)));
                self.inlines(content)?;
                self.push(&format!("</h{level}>\n"));
            }
            Block::Paragraph { content } => match only_pictures(content) {
                Some(pictures) => {
                    for (to, alt) in pictures {
                        self.figure(to, alt)?;
                    }
                }
                None => self.paragraph(content)?,
            },
            Block::Quote { blocks } => {
                self.push(&format!("<blockquote dir=\"{}\">\n", direction(blocks)));
                self.blocks(blocks)?;
                self.push("</blockquote>\n");
            }
            Block::List { start, items } => self.list(*start, items)?,
            Block::Code { language, text } => {
                let class = match language.split_whitespace().next() {
                    Some(language) => format!(" class=\"language-{}\"", escaped(language)),
                    None => String::new(),
                };
                self.push(&format!(
                    "<pre dir=\"ltr\" tabindex=\"0\"><code{class}>{}</code></pre>\n",
                    escaped(text)
                ));
            }
            Block::Table { columns, head, rows } => self.table(columns, head, rows)?,
            Block::Formula { tex } => {
                let formula = mathml(tex, math_core::MathDisplay::Block);
                self.push(&format!("<p class=\"formula\" dir=\"ltr\">{formula}</p>\n"));
            }
            Block::Rule => self.push("<hr>\n"),
        }
        Ok(())
    }

    fn paragraph(&mut self, content: &[Inline]) -> Result<(), ExportError> {
        self.push("<p dir=\"auto\">");
        self.inlines(content)?;
        self.push("</p>\n");
        Ok(())
    }

    fn list(&mut self, start: Option<u32>, items: &[Item]) -> Result<(), ExportError> {
        let direction = items.first().map_or("ltr", |item| direction(&item.blocks));
        let (name, start) = match start {
            None => ("ul", String::new()),
            Some(1) => ("ol", String::new()),
            Some(first) => ("ol", format!(" start=\"{first}\"")),
        };
        self.push(&format!("<{name}{start} dir=\"{direction}\">\n"));
        for item in items {
            self.push(match item.done {
                None => "<li>\n",
                Some(true) => "<li class=\"task\"><span role=\"img\" aria-label=\"done\">☑</span>\n",
                Some(false) => "<li class=\"task\"><span role=\"img\" aria-label=\"open\">☐</span>\n",
            });
            self.blocks(&item.blocks)?;
            self.push("</li>\n");
        }
        self.push(&format!("</{name}>\n"));
        Ok(())
    }

    fn table(
        &mut self,
        columns: &[Align],
        head: &[Vec<Inline>],
        rows: &[Vec<Vec<Inline>>],
    ) -> Result<(), ExportError> {
        // A region that scrolls must be reachable by keyboard and have a name (WCAG 2.1.1).
        let wide = if columns.len() > MOST_COLUMNS { " wide" } else { "" };
        let names: Vec<String> = head.iter().map(|cell| words(cell)).collect();
        self.push(&format!(
            "<div class=\"table{wide}\" role=\"region\" aria-label=\"Table: {}\" tabindex=\"0\">\n<table>\n<thead>\n<tr>",
            escaped(&names.join(", "))
        ));
        let class = |column: usize| match columns.get(column) {
            Some(Align::Center) => " class=\"center\"",
            Some(Align::End) => " class=\"end\"",
            Some(Align::Start) | None => "",
        };
        for (column, cell) in head.iter().enumerate() {
            self.push(&format!("<th scope=\"col\"{}><bdi>", class(column)));
            self.inlines(cell)?;
            self.push("</bdi></th>");
        }
        self.push("</tr>\n</thead>\n<tbody>\n");
        for row in rows {
            self.push("<tr>");
            for (column, cell) in row.iter().enumerate() {
                self.push(&format!("<td{}><bdi>", class(column)));
                self.inlines(cell)?;
                self.push("</bdi></td>");
            }
            self.push("</tr>\n");
        }
        self.push("</tbody>\n</table>\n</div>\n");
        Ok(())
    }

    /// A picture by itself, with its words below it.
    fn figure(&mut self, to: &Target, alt: &str) -> Result<(), ExportError> {
        let Target::File { path } = to else {
            self.push("<p dir=\"auto\">");
            self.picture(to, alt)?;
            self.push("</p>\n");
            return Ok(());
        };
        self.push("<figure>\n");
        self.image(path, alt)?;
        if !alt.trim().is_empty() {
            self.push(&format!("\n<figcaption dir=\"auto\">{}</figcaption>", escaped(alt.trim())));
        }
        self.push("\n</figure>\n");
        Ok(())
    }

    /// A picture, or what is said in its place.
    pub(super) fn picture(&mut self, to: &Target, alt: &str) -> Result<(), ExportError> {
        match to {
            Target::File { path } => self.image(path, alt)?,
            Target::Missing { path } => {
                self.push(&format!("<span class=\"gone\">{}</span>", escaped(&missing_picture(alt, path))));
            }
            Target::Web { address } => {
                let shown = if alt.trim().is_empty() { "a picture" } else { alt.trim() };
                self.web(Web::read(address).as_ref(), shown, &escaped(shown));
            }
            Target::Place { .. } => self.push(&escaped(alt)),
        }
        Ok(())
    }

    fn image(&mut self, path: &str, alt: &str) -> Result<(), ExportError> {
        let picture = Picture::read(self.parcel, path)?;
        let tall = if picture.height > picture.width { " class=\"tall\"" } else { "" };
        self.push(&format!(
            "<img alt=\"{}\"{tall} width=\"{}\" height=\"{}\" src=\"data:{};base64,",
            escaped(alt),
            picture.width,
            picture.height,
            picture.kind.media_type()
        ));
        STANDARD.encode_string(&picture.bytes, &mut self.text);
        self.push("\">");
        Ok(())
    }

    /// The footnotes, each with a way back to where it is referred to.
    pub(super) fn notes(&mut self) -> Result<(), ExportError> {
        let notes = &self.parcel.document.notes;
        if notes.is_empty() {
            return Ok(());
        }
        // Written first and put in place afterwards: a note may refer to one before it.
        let before = std::mem::take(&mut self.text);
        let mut texts = Vec::with_capacity(notes.len());
        for note in notes {
            self.blocks(note)?;
            texts.push(std::mem::take(&mut self.text));
        }
        self.text = before;
        self.push("<section class=\"notes\" aria-label=\"Notes\">\n<ol>\n");
        for (note, text) in texts.iter().enumerate() {
            let number = note + 1;
            self.push(&format!("<li id=\"note.{number}\">\n{text}<p class=\"back\">"));
            for reference in 1..=self.references[note] {
                self.push(&format!(
                    "<a href=\"#note.{number}.{reference}\" aria-label=\"Back to the text\">↩</a> "
                ));
            }
            self.push("</p>\n</li>\n");
        }
        self.push("</ol>\n</section>\n");
        Ok(())
    }
}

/// The direction of what several blocks have in common, such as the side of their bullets.
fn direction(blocks: &[Block]) -> &'static str {
    let mut first = None;
    each_line(blocks, &mut |line| {
        first.get_or_insert_with(|| Direction::of(line));
    });
    if first == Some(Direction::Rtl) { "rtl" } else { "ltr" }
}
