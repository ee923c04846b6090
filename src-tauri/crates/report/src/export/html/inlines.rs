//! Parts of a line as HTML.

use super::super::ExportError;
use super::super::text::{escaped, file_behind};
use super::super::web::Web;
use super::blocks::Page;
use super::formula::mathml;
use crate::document::{Inline, Target, words};

impl Page<'_> {
    pub(super) fn inlines(&mut self, content: &[Inline]) -> Result<(), ExportError> {
        content.iter().try_for_each(|inline| self.inline(inline))
    }

    fn inline(&mut self, inline: &Inline) -> Result<(), ExportError> {
        match inline {
            Inline::Figure { text, number } if self.parcel.is_not_found(*number) => self.push(&format!(
                "<span class=\"unfound\" title=\"Not found in what was computed\">{}</span>",
                escaped(text)
            )),
            Inline::Text { text } | Inline::Figure { text, .. } => self.push(&escaped(text)),
            Inline::Emphasis { content } => self.within("em", content)?,
            Inline::Strong { content } => self.within("strong", content)?,
            Inline::Struck { content } => self.within("s", content)?,
            Inline::Code { text } => self.push(&format!("<code>{}</code>", escaped(text))),
            Inline::Formula { tex } => self.push(&mathml(tex, math_core::MathDisplay::Inline)),
            Inline::Link { to, content } => self.link(to, content)?,
            Inline::Picture { to, alt } => self.picture(to, alt)?,
            Inline::Note { number } => self.note(*number),
            Inline::Break => self.push("<br>\n"),
        }
        Ok(())
    }

    fn within(&mut self, element: &str, content: &[Inline]) -> Result<(), ExportError> {
        self.push(&format!("<{element}>"));
        self.inlines(content)?;
        self.push(&format!("</{element}>"));
        Ok(())
    }

    fn link(&mut self, to: &Target, content: &[Inline]) -> Result<(), ExportError> {
        match to {
            Target::Place { id } => {
                self.push(&format!("<a href=\"#{}\">", escaped(id)));
                self.inlines(content)?;
                self.push("</a>");
            }
            Target::Web { address } => {
                // The words are written by themselves, since they may hold a picture that is a link already.
                let before = std::mem::take(&mut self.text);
                self.inlines(content)?;
                let html = std::mem::replace(&mut self.text, before);
                let web = Web::read(address).filter(|_| !html.contains("<a "));
                self.web(web.as_ref(), &words(content), &html);
            }
            Target::File { .. } | Target::Missing { .. } => {
                self.inlines(content)?;
                if let Some(behind) = file_behind(&words(content), to) {
                    self.push(&format!(" <span class=\"behind\">({})</span>", escaped(&behind)));
                }
            }
        }
        Ok(())
    }

    /// Words that lead to the web, with the host behind them; without an address, the words.
    pub(super) fn web(&mut self, web: Option<&Web>, words: &str, html: &str) {
        let Some(web) = web else { return self.push(html) };
        let address = escaped(&web.address);
        self.push(&format!("<a href=\"{address}\" rel=\"noopener noreferrer\">{html}</a>"));
        if let Some(host) = web.behind(words) {
            self.push(&format!(" <span class=\"behind\">({})</span>", escaped(&host)));
        }
    }

    fn note(&mut self, number: usize) {
        let Some(count) = number.checked_sub(1).and_then(|note| self.references.get_mut(note)) else {
            return;
        };
        *count += 1;
        let reference = *count;
        self.push(&format!(
            "<sup><a id=\"note.{number}.{reference}\" href=\"#note.{number}\" aria-label=\"Note {number}\">{number}</a></sup>"
        ));
    }
}
