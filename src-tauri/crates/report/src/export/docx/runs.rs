//! Parts of a line as runs.

use super::super::ExportError;
use super::super::text::{Direction, escaped, file_behind, missing_picture};
use super::super::web::Web;
use super::story::{Place, Relation, Writer};
use crate::document::{Inline, Target, words};

/// The room for a picture within a line, in twentieths of a point.
const INLINE_WIDTH: u32 = 6000;

/// How words look, each way with the properties that it takes. Their order is part of the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Trait {
    Link,
    Code,
    Strong,
    Emphasis,
    Struck,
    Quiet,
    Unfound,
    Raised,
}

impl Trait {
    fn xml(self) -> &'static str {
        match self {
            Self::Link => r#"<w:rStyle w:val="Hyperlink"/>"#,
            Self::Code => r#"<w:rFonts w:ascii="Consolas" w:hAnsi="Consolas" w:cs="Consolas"/>"#,
            Self::Strong => "<w:b/><w:bCs/>",
            Self::Emphasis => "<w:i/><w:iCs/>",
            Self::Struck => "<w:strike/>",
            Self::Quiet => r#"<w:color w:val="565C64"/>"#,
            Self::Unfound => r#"<w:u w:val="dotted" w:color="B3261E"/>"#,
            Self::Raised => r#"<w:vertAlign w:val="superscript"/>"#,
        }
    }
}

/// All that words look like.
#[derive(Debug, Clone, Default)]
pub(super) struct Look(Vec<Trait>);

impl Look {
    pub(super) fn with(&self, more: Trait) -> Self {
        let mut all = self.0.clone();
        all.push(more);
        all.sort_unstable();
        all.dedup();
        Self(all)
    }

    fn has(&self, wanted: Trait) -> bool {
        self.0.contains(&wanted)
    }
}

impl Writer<'_> {
    pub(super) fn inlines(
        &mut self,
        content: &[Inline],
        direction: Direction,
        look: &Look,
    ) -> Result<(), ExportError> {
        content.iter().try_for_each(|inline| self.inline(inline, direction, look))
    }

    fn inline(&mut self, inline: &Inline, direction: Direction, look: &Look) -> Result<(), ExportError> {
        match inline {
            Inline::Figure { text, number } if self.parcel.is_not_found(*number) => {
                self.words(text, direction, &look.with(Trait::Unfound));
            }
            Inline::Text { text } | Inline::Figure { text, .. } => self.words(text, direction, look),
            Inline::Emphasis { content } => self.inlines(content, direction, &look.with(Trait::Emphasis))?,
            Inline::Strong { content } => self.inlines(content, direction, &look.with(Trait::Strong))?,
            Inline::Struck { content } => self.inlines(content, direction, &look.with(Trait::Struck))?,
            Inline::Code { text } | Inline::Formula { tex: text } => {
                self.words(text, direction, &look.with(Trait::Code));
            }
            Inline::Link { to, content } => self.link(to, content, direction, look)?,
            Inline::Picture { to, alt } => self.picture(to, alt, direction, look)?,
            Inline::Note { number } => self.reference(*number),
            Inline::Break => self.push("<w:r><w:br/></w:r>"),
        }
        Ok(())
    }

    /// Words, in pieces that each run in one direction.
    pub(super) fn words(&mut self, text: &str, direction: Direction, look: &Look) {
        for (piece, runs) in pieces(text, direction) {
            let mut properties: String = look.0.iter().map(|one| one.xml()).collect();
            if runs == Direction::Rtl {
                properties.push_str("<w:rtl/>");
            }
            if !properties.is_empty() {
                properties = format!("<w:rPr>{properties}</w:rPr>");
            }
            let piece = escaped(&piece.replace(['\n', '\t'], " "));
            self.push(&format!(r#"<w:r>{properties}<w:t xml:space="preserve">{piece}</w:t></w:r>"#));
        }
    }

    fn link(
        &mut self,
        to: &Target,
        content: &[Inline],
        direction: Direction,
        look: &Look,
    ) -> Result<(), ExportError> {
        let opened = match to {
            // A picture from the web is a link of its own, and a link holds no other.
            _ if look.has(Trait::Link) || holds_link(content) => None,
            Target::Place { id } => {
                self.bookmark(id).map(|(_, name)| format!(r#"<w:hyperlink w:anchor="{name}">"#))
            }
            Target::Web { address } => Web::read(address).map(|web| {
                let id = self.relate(Relation::Web(web.address));
                format!(r#"<w:hyperlink r:id="{id}">"#)
            }),
            Target::File { .. } | Target::Missing { .. } => None,
        };
        match opened {
            Some(opened) => {
                self.push(&opened);
                self.inlines(content, direction, &look.with(Trait::Link))?;
                self.push("</w:hyperlink>");
            }
            None => self.inlines(content, direction, look)?,
        }
        let words = words(content);
        let behind = match to {
            Target::Web { address } => Web::read(address).and_then(|web| web.behind(&words)),
            _ => file_behind(&words, to),
        };
        if let Some(behind) = behind {
            self.words(&format!(" ({behind})"), direction, &look.with(Trait::Quiet));
        }
        Ok(())
    }

    fn picture(
        &mut self,
        to: &Target,
        alt: &str,
        direction: Direction,
        look: &Look,
    ) -> Result<(), ExportError> {
        match to {
            Target::File { path } => self.drawing(path, alt, INLINE_WIDTH)?,
            Target::Missing { path } => {
                self.words(&missing_picture(alt, path), direction, &look.with(Trait::Quiet));
            }
            Target::Web { .. } => {
                let shown = if alt.trim().is_empty() { "a picture" } else { alt.trim() };
                let content = [Inline::Text { text: shown.to_owned() }];
                self.link(to, &content, direction, look)?;
            }
            Target::Place { .. } => self.words(alt, direction, look),
        }
        Ok(())
    }

    /// A reference to a note. The first is the note's place; a note has no other, so the rest refer to that.
    fn reference(&mut self, number: usize) {
        const LOOK: &str = r#"<w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr>"#;
        let Some(note) = number.checked_sub(1).filter(|note| *note < self.used_notes.len()) else { return };
        if self.story.place == Place::Notes {
            self.words(&number.to_string(), Direction::Ltr, &Look::default().with(Trait::Raised));
        } else if std::mem::replace(&mut self.used_notes[note], true) {
            self.push(&format!(
                r#"<w:fldSimple w:instr=" NOTEREF _note{number} \f \h "><w:r>{LOOK}<w:t>{number}</w:t></w:r></w:fldSimple>"#
            ));
        } else {
            // Bookmarks of headings are numbered from 0.
            let id = 1_000_000 + number;
            self.push(&format!(
                r#"<w:bookmarkStart w:id="{id}" w:name="_note{number}"/><w:r>{LOOK}<w:footnoteReference w:id="{number}"/></w:r><w:bookmarkEnd w:id="{id}"/>"#
            ));
        }
    }
}

fn holds_link(content: &[Inline]) -> bool {
    content.iter().any(|inline| match inline {
        Inline::Picture { to: Target::Web { .. }, .. } | Inline::Link { .. } | Inline::Note { .. } => true,
        Inline::Emphasis { content } | Inline::Strong { content } | Inline::Struck { content } => {
            holds_link(content)
        }
        _ => false,
    })
}

/// Parts a text where its direction changes. What has none of its own, such as digits, goes with the letters
/// on both of its sides, or else with the paragraph.
fn pieces(text: &str, base: Direction) -> Vec<(&str, Direction)> {
    let mut pieces: Vec<(usize, Direction)> = Vec::new();
    // Where the letters of the other direction end so far.
    let mut foreign_end = None;
    for (at, c) in text.char_indices() {
        let Some(direction) = Direction::of_char(c) else { continue };
        if direction == base {
            if let Some(end) = foreign_end.take() {
                pieces.push((end, base));
            }
        } else {
            if foreign_end.is_none() {
                pieces.push((at, direction));
            }
            foreign_end = Some(at + c.len_utf8());
        }
    }
    if let Some(end) = foreign_end {
        pieces.push((end, base));
    }
    pieces.insert(0, (0, base));
    let ends = pieces.iter().skip(1).map(|(start, _)| *start).chain([text.len()]);
    pieces
        .iter()
        .zip(ends)
        .map(|((start, direction), end)| (&text[*start..end], *direction))
        .filter(|(piece, _)| !piece.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use Direction::{Ltr, Rtl};

    #[test]
    fn a_text_is_parted_where_its_direction_changes() {
        assert_eq!(pieces("plain 12", Ltr), [("plain 12", Ltr)]);
        assert_eq!(pieces("", Ltr), []);
        assert_eq!(
            pieces("of (הר ברכה 5 נמכרה), 12", Ltr),
            [("of (", Ltr), ("הר ברכה 5 נמכרה", Rtl), ("), 12", Ltr)]
        );
        assert_eq!(pieces("طلب 12 a b, ג", Rtl), [("طلب 12 ", Rtl), ("a b", Ltr), (", ג", Rtl)]);
        assert_eq!(pieces("ab", Rtl), [("ab", Ltr)]);
    }
}
