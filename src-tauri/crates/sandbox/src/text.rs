//! Makes a program's output safe to show and to store.

/// Turns bytes into text without control characters: broken UTF-8 becomes U+FFFD, terminal escape
/// sequences vanish, a carriage return that rewrites a line becomes a line break, and other controls and
/// direction overrides become U+FFFD. Tabs and line breaks stay.
pub fn printable(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\u{1b}' => skip_escape(&mut characters),
            '\r' => {
                if characters.peek() != Some(&'\n') {
                    out.push('\n');
                }
            }
            '\n' | '\t' => out.push(character),
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => out.push('\u{fffd}'),
            control if control.is_control() => out.push('\u{fffd}'),
            other => out.push(other),
        }
    }
    out
}

/// Skips an ECMA-48 escape sequence after its ESC: CSI up to its final byte, OSC up to BEL or ST. Every
/// sequence ends at the next ESC at the latest.
fn skip_escape(characters: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    match characters.next_if(|c| ('\u{20}'..='\u{7e}').contains(c)) {
        Some('[') => {
            while let Some(next) = characters.next_if(|c| ('\u{20}'..='\u{7e}').contains(c)) {
                if ('\u{40}'..='\u{7e}').contains(&next) {
                    break;
                }
            }
        }
        Some(']') => {
            while characters.next_if(|c| !matches!(c, '\n' | '\u{7}' | '\u{1b}')).is_some() {}
            characters.next_if_eq(&'\u{7}');
        }
        _ => {}
    }
}

/// Decodes a stream that arrives in pieces without breaking characters at their borders.
#[derive(Debug, Default)]
pub(crate) struct PrintableStream {
    held: Vec<u8>,
}

impl PrintableStream {
    /// The printable text of what can be decided now.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> String {
        self.held.extend_from_slice(bytes);
        let keep = incomplete_suffix(&self.held);
        let rest = self.held.split_off(self.held.len() - keep);
        let text = printable(&self.held);
        self.held = rest;
        text
    }

    /// What was held back at the end of the stream.
    pub(crate) fn finish(&mut self) -> String {
        printable(&std::mem::take(&mut self.held))
    }
}

/// How many bytes at the end may be the beginning of a longer character or escape sequence.
fn incomplete_suffix(bytes: &[u8]) -> usize {
    if let Some(at) = bytes.iter().rposition(|byte| *byte == 0x1b) {
        let started = &bytes[at..];
        let ended = match started.get(1) {
            Some(b'[') => started[2..].iter().any(|byte| (0x40..=0x7e).contains(byte)),
            Some(b']') => started[2..].iter().any(|byte| matches!(byte, 0x07 | b'\n')),
            Some(_) => true,
            None => false,
        };
        if !ended && started.len() < 64 {
            return started.len();
        }
    }
    if bytes.last() == Some(&b'\r') {
        return 1;
    }
    let tail = bytes.len().saturating_sub(3);
    for at in (tail..bytes.len()).rev() {
        let needed = match bytes[at] {
            0xc2..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf4 => 4,
            0x80..=0xbf => continue,
            _ => return 0,
        };
        return if bytes.len() - at < needed { bytes.len() - at } else { 0 };
    }
    0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn colours_titles_and_controls_do_not_reach_the_reader() {
        let raw = b"\x1b[31mred\x1b[0m \x1b]0;title\x07plain\x00\x08 \xff tab\there\r\nnext\rprogress \xe2\x80\xaeevil";
        assert_eq!(
            printable(raw),
            "red plain\u{fffd}\u{fffd} \u{fffd} tab\there\nnext\nprogress \u{fffd}evil"
        );
    }

    proptest! {
        #[test]
        fn pieces_read_as_the_whole(text in "[a-zé€😀\r\n\u{1b}\\[3m]{0,80}", piece in 1usize..9) {
            let mut stream = PrintableStream::default();
            let mut pieces = String::new();
            for part in text.as_bytes().chunks(piece) {
                pieces.push_str(&stream.push(part));
            }
            pieces.push_str(&stream.finish());
            prop_assert_eq!(pieces, printable(text.as_bytes()));
        }

        #[test]
        fn any_bytes_become_printable(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            prop_assert!(printable(&bytes).chars().all(|c| !c.is_control() || matches!(c, '\n' | '\t')));
        }
    }
}
