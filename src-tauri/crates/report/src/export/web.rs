//! Addresses on the web, which an export may name and never asks for.

/// An address that may be a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Web {
    /// The address, in the characters that an address may have.
    pub(super) address: String,
    /// What a reader should know of it before following it: the host, or whom a letter goes to.
    pub(super) host: String,
}

impl Web {
    /// Reads an address of the web or of a mailbox; anything else is no link.
    pub(super) fn read(address: &str) -> Option<Self> {
        let address = address.trim();
        let (scheme, rest) = address.split_once(':')?;
        let host = match scheme.to_ascii_lowercase().as_str() {
            "http" | "https" => host(rest.strip_prefix("//")?)?,
            "mailto" => recipient(rest)?,
            _ => return None,
        };
        Some(Self { address: valid(address), host })
    }

    /// What is added to the words of a link: the host, unless they are the address itself.
    pub(super) fn behind(&self, words: &str) -> Option<String> {
        let bare = self.address.strip_prefix("mailto:").unwrap_or(&self.address);
        let words = words.trim();
        (words != self.address && words != bare && words != self.host).then(|| self.host.clone())
    }
}

/// The host of an address behind its two strokes. Browsers take a backslash for a stroke.
fn host(rest: &str) -> Option<String> {
    let authority = rest.split(['/', '\\', '?', '#']).next().unwrap_or_default();
    let place = authority.rsplit_once('@').map_or(authority, |(_, place)| place);
    let (host, port) = match place.rsplit_once(':') {
        Some((host, port)) if !place.ends_with(']') => (host, port),
        _ => (place, ""),
    };
    let is_number = port.is_empty() || port.parse::<u16>().is_ok();
    let is_host = !host.is_empty()
        && host.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | '[' | ']' | ':'));
    (is_number && is_host).then(|| host.to_owned())
}

fn recipient(rest: &str) -> Option<String> {
    let recipient = rest.split('?').next().unwrap_or_default();
    let is_one = recipient.contains('@')
        && recipient.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | '+' | '@' | '%'));
    is_one.then(|| recipient.to_owned())
}

/// An address without what RFC 3986 does not allow in one: Word takes a document with such a link for broken.
fn valid(address: &str) -> String {
    let mut valid = String::with_capacity(address.len());
    for (at, c) in address.char_indices() {
        let is_escape = || {
            address.get(at + 1..at + 3).is_some_and(|hex| hex.bytes().all(|digit| digit.is_ascii_hexdigit()))
        };
        match c {
            '%' if !is_escape() => valid.push_str("%25"),
            '"' | '<' | '>' | '\\' | '^' | '`' | '{' | '|' | '}' => push_escape(c, &mut valid),
            c if c.is_whitespace() || c.is_control() => push_escape(c, &mut valid),
            c => valid.push(c),
        }
    }
    valid
}

fn push_escape(c: char, into: &mut String) {
    for byte in c.encode_utf8(&mut [0; 4]).bytes() {
        into.extend(['%', hex(byte >> 4), hex(byte & 15)]);
    }
}

fn hex(digit: u8) -> char {
    char::from_digit(u32::from(digit), 16).unwrap_or('0').to_ascii_uppercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn field_112_only_the_web_and_mailboxes_are_links() {
        for address in [
            "javascript:alert(1)",
            "data:text/html,x",
            "file:///etc/passwd",
            "vbscript:x",
            "https:example.org",
            "https:///example.org",
            "https://",
            "https://a b/",
            "https://ex\u{202e}ample.org/",
            "http://example.org:99999/",
            "mailto:nobody",
            "mailto:a@b c",
            "charts/a.png",
        ] {
            assert_eq!(Web::read(address), None, "{address}");
        }
    }

    #[test]
    fn the_host_is_where_a_link_truly_leads() {
        for (address, host, valid) in [
            ("https://example.org/a?b=c&d#e", "example.org", "https://example.org/a?b=c&d#e"),
            ("HTTP://example.org:8080", "example.org", "HTTP://example.org:8080"),
            ("https://good.example@evil.example/", "evil.example", "https://good.example@evil.example/"),
            ("https://evil.example\\@good.example/", "evil.example", "https://evil.example%5C@good.example/"),
            ("https://[2001:db8::1]/x", "[2001:db8::1]", "https://[2001:db8::1]/x"),
            ("https://example.org/a b|\"%zz%20", "example.org", "https://example.org/a%20b%7C%22%25zz%20"),
            ("mailto:a@example.org?subject=x", "a@example.org", "mailto:a@example.org?subject=x"),
        ] {
            assert_eq!(
                Web::read(address),
                Some(Web { address: valid.into(), host: host.into() }),
                "{address}"
            );
        }
    }

    #[test]
    fn a_link_that_is_its_address_names_it_once() {
        let web = Web::read("https://example.org/x").unwrap();
        assert_eq!(web.behind("https://example.org/x"), None);
        assert_eq!(web.behind("good.example").as_deref(), Some("example.org"));
        assert_eq!(Web::read("mailto:a@example.org").unwrap().behind("a@example.org"), None);
    }
}
