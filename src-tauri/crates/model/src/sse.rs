//! Server-sent events, as the WHATWG HTML standard defines the stream format. Only the data of
//! each event is kept: the providers' events say in their JSON what they are.

/// The longest line, and the longest event, that is accepted.
const EVENT_LIMIT: usize = 2 * 1024 * 1024;

/// A line or an event longer than 2 MiB.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("one event of the stream is larger than 2 MiB")]
pub(crate) struct Oversized;

/// Cuts a byte stream, which may be split anywhere, into events.
#[derive(Debug, Default)]
pub(crate) struct SseReader {
    line: Vec<u8>,
    data: Option<String>,
    after_carriage_return: bool,
    past_first_line: bool,
}

impl SseReader {
    /// Takes the next bytes and returns the data of the events that they complete.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Result<Vec<String>, Oversized> {
        let mut events = Vec::new();
        for &byte in bytes {
            let after_carriage_return = std::mem::replace(&mut self.after_carriage_return, byte == b'\r');
            match byte {
                b'\n' if after_carriage_return => {}
                b'\n' | b'\r' => events.extend(self.end_line()?),
                _ if self.line.len() == EVENT_LIMIT => return Err(Oversized),
                _ => self.line.push(byte),
            }
        }
        Ok(events)
    }

    /// Returns the last event of a stream that ended without the closing blank line.
    pub(crate) fn finish(&mut self) -> Result<Option<String>, Oversized> {
        Ok(self.end_line()?.or_else(|| self.data.take()))
    }

    fn end_line(&mut self) -> Result<Option<String>, Oversized> {
        let line = std::mem::take(&mut self.line);
        let line = String::from_utf8_lossy(&line);
        let line = if std::mem::replace(&mut self.past_first_line, true) {
            &line
        } else {
            line.strip_prefix('\u{feff}').unwrap_or(&line)
        };
        if line.is_empty() {
            return Ok(self.data.take());
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        if field == "data" {
            let value = value.strip_prefix(' ').unwrap_or(value);
            match &mut self.data {
                Some(data) if data.len() + value.len() >= EVENT_LIMIT => return Err(Oversized),
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                None => self.data = Some(value.to_owned()),
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(pieces: &[&[u8]]) -> Vec<String> {
        let mut reader = SseReader::default();
        let mut events: Vec<String> =
            pieces.iter().flat_map(|piece| reader.push(piece).expect("small")).collect();
        events.extend(reader.finish().expect("small"));
        events
    }

    #[test]
    fn all_three_line_ends_are_read() {
        for end in ["\n", "\r\n", "\r"] {
            let stream = format!("data: one{end}{end}data: two{end}data: more{end}{end}");
            assert_eq!(read(&[stream.as_bytes()]), ["one", "two\nmore"], "{end:?}");
        }
    }

    #[test]
    fn comments_other_fields_and_a_byte_order_mark_are_skipped() {
        let stream = "\u{feff}: keep-alive\n\nevent: x\nid: 7\nretry: 3\ndata:one\nnonsense\n\n:\n\n";
        assert_eq!(read(&[stream.as_bytes()]), ["one"]);
    }

    #[test]
    fn an_event_without_its_blank_line_is_read_at_the_end() {
        assert_eq!(read(&[b"data: one\n\ndata: [DONE]"]), ["one", "[DONE]"]);
    }

    #[test]
    fn endless_lines_and_endless_events_are_refused() {
        let mut reader = SseReader::default();
        assert_eq!(reader.push(&vec![b'x'; EVENT_LIMIT + 1]), Err(Oversized));

        let mut reader = SseReader::default();
        let line = format!("data: {}\n", "x".repeat(EVENT_LIMIT / 2 - 8));
        assert_eq!(reader.push(line.repeat(2).as_bytes()), Ok(Vec::new()));
        assert_eq!(reader.push(line.as_bytes()), Err(Oversized));
    }

    proptest! {
        #[test]
        fn where_the_stream_is_split_makes_no_difference(
            texts in prop::collection::vec("[a-zé漢😀: ]{0,12}", 0..6),
            end in prop::sample::select(vec!["\n", "\r\n", "\r"]),
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..8),
        ) {
            let events = texts.iter().map(|text| format!(": comment{end}data: {text}{end}{end}"));
            let stream = events.collect::<Vec<_>>().concat();
            let bytes = stream.as_bytes();
            let mut places: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
            places.extend([0, bytes.len()]);
            places.sort_unstable();
            let pieces: Vec<&[u8]> = places.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect();
            prop_assert_eq!(read(&pieces), texts);
        }

        #[test]
        fn no_bytes_make_it_fail(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            read(&[&bytes]);
        }
    }
}
