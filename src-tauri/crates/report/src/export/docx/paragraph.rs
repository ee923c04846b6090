//! How a paragraph is set.

use super::super::text::Direction;

/// The marks before the items of lists, by their numbers in the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// A dot.
    Bullet,
    /// The box of a task that is open.
    Open,
    /// The box of a task that is done.
    Done,
    /// The number of an item, in the numbered list of this index.
    Number(usize),
}

impl Mark {
    /// Numbered lists come after the others.
    pub(super) const FIRST_NUMBERED: usize = 4;

    fn number(self) -> usize {
        match self {
            Self::Bullet => 1,
            Self::Open => 2,
            Self::Done => 3,
            Self::Number(list) => Self::FIRST_NUMBERED + list,
        }
    }
}

/// How a paragraph is set. Lengths are in twentieths of a point, as everywhere in such documents.
#[derive(Debug, Clone, Copy)]
pub(super) struct Setting {
    pub(super) style: &'static str,
    /// The mark before it, and how deep its list lies.
    pub(super) mark: Option<(Mark, usize)>,
    pub(super) left: u32,
    pub(super) direction: Direction,
    pub(super) align: Option<&'static str>,
}

/// How far a mark hangs out of its paragraph.
pub(super) const HANGING: u32 = 340;

impl Setting {
    /// Its properties. Their order is part of the format.
    pub(super) fn xml(&self) -> String {
        let mark = self.mark.map(|(mark, level)| {
            let number = mark.number();
            format!(r#"<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>"#)
        });
        let bidi = if self.direction == Direction::Rtl { "<w:bidi/>" } else { "" };
        let indent = match (self.left, self.mark) {
            (0, _) => String::new(),
            (left, None) => format!(r#"<w:ind w:left="{left}"/>"#),
            (left, Some(_)) => format!(r#"<w:ind w:left="{left}" w:hanging="{HANGING}"/>"#),
        };
        let align = self.align.map(|align| format!(r#"<w:jc w:val="{align}"/>"#));
        let (style, mark, align) = (self.style, mark.unwrap_or_default(), align.unwrap_or_default());
        format!(r#"<w:pPr><w:pStyle w:val="{style}"/>{mark}{bidi}{indent}{align}</w:pPr>"#)
    }
}
