//! Links and pictures of a report, and where they lead.

use pulldown_cmark::{Event, Parser, Tag};

use crate::document::OPTIONS;

/// A link or picture in Markdown (CommonMark with tables, footnotes, strikethrough and task lists).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// Whether it shows or leads.
    pub kind: LinkKind,
    /// The destination as written.
    pub destination: String,
}

/// Whether a link shows something or leads somewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkKind {
    /// `![...](...)`
    Picture,
    /// `[...](...)`
    Text,
}

/// All links of a report, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Links(pub Vec<Link>);

/// Reads the links of a report.
pub fn links(markdown: &str) -> Links {
    let found = Parser::new_ext(markdown, OPTIONS).filter_map(|event| match event {
        Event::Start(Tag::Link { dest_url, .. }) => {
            Some(Link { kind: LinkKind::Text, destination: dest_url.to_string() })
        }
        Event::Start(Tag::Image { dest_url, .. }) => {
            Some(Link { kind: LinkKind::Picture, destination: dest_url.to_string() })
        }
        _ => None,
    });
    Links(found.collect())
}

impl Link {
    /// The path below the report's folder that the link leads to, decoded; `None` for a link within the
    /// report (`#...`) or to the web.
    pub fn local_path(&self) -> Option<String> {
        local_path(&self.destination)
    }
}

/// The same for a destination as written.
pub(crate) fn local_path(destination: &str) -> Option<String> {
    let destination = destination.trim();
    if destination.starts_with('#') || is_web(destination) {
        return None;
    }
    let path = destination.split(['#', '?']).next().unwrap_or_default();
    Some(self::destination(path))
}

/// A destination without what is only a way of writing it.
pub(crate) fn destination(written: &str) -> String {
    let path = percent_decoded(written);
    path.strip_prefix("./").unwrap_or(&path).to_owned()
}

/// Whether a destination leads out of the computer.
pub(crate) fn is_web(destination: &str) -> bool {
    ["http:", "https:", "mailto:", "//"]
        .iter()
        .any(|scheme| destination.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)))
}

/// Decodes `%20` and the like (RFC 3986, section 2.1); what is not valid stays as it is.
fn percent_decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let value = (bytes[at] == b'%')
            .then(|| bytes.get(at + 1..at + 3))
            .flatten()
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        decoded.push(value.unwrap_or(bytes[at]));
        at += if value.is_some() { 3 } else { 1 };
    }
    String::from_utf8(decoded).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_found_in_text_tables_and_references() {
        let markdown = "See ![c](charts/a%20b.png) and [data](./rows.csv#x).\n\n| a |\n|---|\n| [t](t.csv) |\n\n[r][1] <https://example.org> [top](#top)\n\n[1]: <übung 1.csv>\n\n```\n[not](a-link.csv)\n```\n";
        let local: Vec<Option<String>> = links(markdown).0.iter().map(Link::local_path).collect();
        let expected =
            ["charts/a b.png", "rows.csv", "t.csv", "übung 1.csv"].map(|path| Some(path.to_owned()));
        assert_eq!(local, [&expected[..], &[None, None]].concat());
        assert_eq!(links(markdown).0[0].kind, LinkKind::Picture);
    }

    #[test]
    fn field_095_a_link_of_an_unknown_kind_counts_as_a_file() {
        let link = &links("[Download](sandbox:/mnt/data/x.docx)").0[0];
        assert_eq!(link.local_path().as_deref(), Some("sandbox:/mnt/data/x.docx"));
    }
}
