//! Where the figures of a report stand in its Markdown.

use std::ops::Range;

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use crate::document::{Document, OPTIONS};

/// The place of each figure in the text, where it stands there as it is read.
pub(super) fn places(markdown: &str, document: &Document) -> Vec<Option<Range<usize>>> {
    let texts = texts(markdown);
    let mut at = 0;
    document
        .figures
        .iter()
        .map(|figure| {
            let found = texts.iter().filter(|text| text.end > at).find_map(|text| {
                let start = at.max(text.start);
                let is_part = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
                markdown.get(start..)?.match_indices(&figure.text).find_map(|(offset, _)| {
                    let begin = start + offset;
                    let end = begin + figure.text.len();
                    let whole = !is_part(markdown[..begin].chars().next_back())
                        || !figure.text.starts_with(char::is_alphanumeric);
                    (begin < text.end && whole).then_some(begin..end)
                })
            })?;
            at = found.end;
            Some(found)
        })
        .collect()
}

/// The parts of the text that are words: no code, no address, no words of a link.
fn texts(markdown: &str) -> Vec<Range<usize>> {
    let mut texts = Vec::new();
    let mut hidden = 0;
    for (event, range) in Parser::new_ext(markdown, OPTIONS).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(_) | Tag::Link { .. } | Tag::Image { .. }) => hidden += 1,
            Event::End(TagEnd::CodeBlock | TagEnd::Link | TagEnd::Image) => hidden -= 1,
            Event::Text(_) if hidden == 0 => texts.push(range),
            _ => {}
        }
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_found_where_they_are_words() {
        let text = "# 2 Sales\n\nIn `40` and ![40](c/40.png) [40](40.csv): **40** of 60, 40\\_x 66.7 %.\n\n| a |\n|---|\n| 60 |\n";
        let document = Document::read(text, &|_| true);
        let figures: Vec<&str> = document.figures.iter().map(|figure| figure.text.as_str()).collect();
        assert_eq!(figures, ["40", "60", "66.7 %", "60"]);
        let found: Vec<&str> =
            places(text, &document).into_iter().map(|place| &text[place.unwrap()]).collect();
        assert_eq!(found, figures);
        let starts: Vec<usize> =
            places(text, &document).into_iter().map(|place| place.unwrap().start).collect();
        assert_eq!(starts[0], text.find("**40").unwrap() + 2);
    }
}
