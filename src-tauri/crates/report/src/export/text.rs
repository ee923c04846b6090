//! Words as the exporters write them.

use super::Parcel;
use crate::document::{Block, Inline, Target, words};

/// Which way a piece of text runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    /// From left to right.
    Ltr,
    /// From right to left.
    Rtl,
}

impl Direction {
    /// The direction of a character that has one of its own.
    pub(super) fn of_char(c: char) -> Option<Self> {
        match c {
            '\u{0590}'..='\u{08ff}'
            | '\u{fb1d}'..='\u{fdff}'
            | '\u{fe70}'..='\u{feff}'
            | '\u{10800}'..='\u{10fff}'
            | '\u{1e800}'..='\u{1efff}'
                if c.is_alphabetic() =>
            {
                Some(Self::Rtl)
            }
            c if c.is_alphabetic() => Some(Self::Ltr),
            _ => None,
        }
    }

    /// The direction of the first character that has one (rule P2 of Unicode's UAX #9).
    pub(super) fn of(text: &str) -> Self {
        text.chars().find_map(Self::of_char).unwrap_or(Self::Ltr)
    }

    /// The direction in which most of some blocks run.
    pub(super) fn of_most(blocks: &[Block]) -> Self {
        let mut balance = 0_i64;
        each_line(blocks, &mut |line| match Self::of(line) {
            Self::Rtl => balance += 1,
            Self::Ltr => balance -= 1,
        });
        if balance > 0 { Self::Rtl } else { Self::Ltr }
    }
}

/// Calls `visit` with the words of each heading, paragraph and cell.
pub(super) fn each_line(blocks: &[Block], visit: &mut dyn FnMut(&str)) {
    for block in blocks {
        match block {
            Block::Heading { content, .. } | Block::Paragraph { content } => visit(&words(content)),
            Block::Quote { blocks } => each_line(blocks, visit),
            Block::List { items, .. } => {
                for item in items {
                    each_line(&item.blocks, visit);
                }
            }
            Block::Table { head, rows, .. } => {
                for cell in head.iter().chain(rows.iter().flatten()) {
                    visit(&words(cell));
                }
            }
            Block::Code { .. } | Block::Formula { .. } | Block::Rule => {}
        }
    }
}

/// The pictures of a paragraph that holds nothing else; such a paragraph is shown as figures with captions.
pub(super) fn only_pictures(content: &[Inline]) -> Option<Vec<(&Target, &str)>> {
    let mut pictures = Vec::new();
    for inline in content {
        match inline {
            Inline::Picture { to, alt } => pictures.push((to, alt.as_str())),
            Inline::Text { text } if text.trim().is_empty() => {}
            Inline::Break => {}
            _ => return None,
        }
    }
    (!pictures.is_empty()).then_some(pictures)
}

/// What stands in place of a picture that is not there.
pub(super) fn missing_picture(alt: &str, path: &str) -> String {
    let sentence = format!("{path} is not among the files of this run.");
    if alt.trim().is_empty() { sentence } else { format!("{}: {sentence}", alt.trim()) }
}

/// What stands behind the words of a link to a file that does not come with the document: its path, unless
/// the words are the path.
pub(super) fn file_behind(words: &str, to: &Target) -> Option<String> {
    match to {
        Target::File { path } if words.trim() == path => None,
        Target::File { path } => Some(path.clone()),
        Target::Missing { path } => Some(format!("{path} is not among the files of this run")),
        Target::Place { .. } | Target::Web { .. } => None,
    }
}

/// What a reader is told of figures that were not found.
pub(super) fn closing_line(parcel: &Parcel<'_>) -> Option<String> {
    let all = parcel.verdicts.len();
    let not_found = (0..all).filter(|figure| parcel.is_not_found(*figure)).count();
    (not_found > 0).then(|| {
        format!(
            "Figures with a dotted line under them were not found in what was computed. \
             That is {not_found} of {all}."
        )
    })
}

/// The width of the widest line in letters; those of East Asia are twice as wide.
pub(super) fn width(text: &str) -> usize {
    let of_line = |line: &str| line.chars().map(|c| if c >= '\u{1100}' { 2 } else { 1 }).sum::<usize>();
    text.lines().map(of_line).max().unwrap_or(0)
}

/// Escapes text for XML and HTML, also within attributes. What no XML may hold (XML 1.0, section 2.2) becomes
/// the replacement character.
pub(super) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len() + text.len() / 16);
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\t' | '\n' => safe.push(c),
            '\u{fffe}' | '\u{ffff}' => safe.push('\u{fffd}'),
            c if c.is_control() => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_text_is_more_than_text() {
        assert_eq!(
            escaped("<a b='c' d=\"e\">&\u{0}\u{1b}\n"),
            "&lt;a b=&#39;c&#39; d=&quot;e&quot;&gt;&amp;\u{fffd}\u{fffd}\n"
        );
    }

    #[test]
    fn the_first_letter_says_which_way_a_text_runs() {
        for (text, direction) in [
            ("12 % of טחינה", Direction::Ltr),
            ("«زيت» 12 l", Direction::Rtl),
            ("(860) צנצנות", Direction::Rtl),
            ("١٢", Direction::Ltr),
            ("", Direction::Ltr),
            ("龍井", Direction::Ltr),
        ] {
            assert_eq!(Direction::of(text), direction, "{text}");
        }
    }

    #[test]
    fn a_link_to_a_file_names_it_once() {
        let file = Target::File { path: "a.csv".into() };
        assert_eq!(file_behind("a.csv", &file), None);
        assert_eq!(file_behind("the rows", &file).as_deref(), Some("a.csv"));
        let missing = Target::Missing { path: "b.csv".into() };
        assert_eq!(
            file_behind("b.csv", &missing).as_deref(),
            Some("b.csv is not among the files of this run")
        );
    }
}
