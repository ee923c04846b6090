//! One answer of the scripted server.

use std::fmt::Display;
use std::time::Duration;

use bytes::Bytes;
use serde_json::Value;

use crate::formats::{Answer, done_stream, named_stream};

/// What the server does with one request.
#[derive(Debug, Clone)]
pub struct Reply {
    pub(crate) content: Content,
    pub(crate) wait: Duration,
    pub(crate) pause: Duration,
    pub(crate) end: End,
}

#[derive(Debug, Clone)]
pub(crate) enum Content {
    /// A streamed answer, in the format of the route that was asked.
    Answer(Answer),
    /// Lines of a stream, as they are.
    Raw(Vec<u8>),
    /// Something else than a stream.
    Plain { status: u16, headers: Vec<(String, String)>, body: String },
    /// Not even a status.
    Silence,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Whole,
    Cut,
    Hang,
}

impl Reply {
    fn new(content: Content) -> Self {
        Self { content, wait: Duration::ZERO, pause: Duration::ZERO, end: End::Whole }
    }

    /// A text and nothing else.
    pub fn text(text: impl Into<String>) -> Self {
        Self::new(Content::Answer(Answer { text: text.into(), ..Answer::default() }))
    }

    /// One tool call.
    pub fn call(tool: &str, arguments: Value) -> Self {
        Self::calls(vec![(tool, arguments)])
    }

    /// Several tool calls in one answer. Their ids are `call_REQUEST_PLACE`, both from 1.
    pub fn calls(calls: Vec<(&str, Value)>) -> Self {
        let calls =
            calls.into_iter().map(|(tool, arguments)| (tool.to_owned(), arguments.to_string())).collect();
        Self::new(Content::Answer(Answer { calls, ..Answer::default() }))
    }

    /// A tool call whose arguments are exactly this text, for example JSON that was cut.
    pub fn raw_call(tool: &str, arguments: &str) -> Self {
        let calls = vec![(tool.to_owned(), arguments.to_owned())];
        Self::new(Content::Answer(Answer { calls, ..Answer::default() }))
    }

    /// A stream of exactly these lines, each ended by a line feed.
    pub fn raw_sse<L: AsRef<str>>(lines: impl IntoIterator<Item = L>) -> Self {
        Self::new(Content::Raw(
            lines.into_iter().flat_map(|line| format!("{}\n", line.as_ref()).into_bytes()).collect(),
        ))
    }

    /// A stream with one event for each of these chunks, and `[DONE]`.
    pub fn chunks(chunks: impl IntoIterator<Item = Value>) -> Self {
        Self::new(Content::Raw(done_stream(chunks)))
    }

    /// A stream with one event for each of these values, each named by its `type`.
    pub fn events(events: impl IntoIterator<Item = Value>) -> Self {
        Self::new(Content::Raw(named_stream(events)))
    }

    /// A plain answer with this status, usually an error.
    pub fn status(status: u16, headers: &[(&str, &str)], body: impl Display) -> Self {
        let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Self::new(Content::Plain { status, headers, body: body.to_string() })
    }

    /// No answer at all, for as long as the server lives.
    pub fn hang() -> Self {
        Self::new(Content::Silence)
    }

    /// A text whose connection breaks in the middle.
    pub fn cut() -> Self {
        Self::text("This answer will never come to its end.").breaking()
    }

    /// The same answer with a text before its tool calls.
    #[must_use]
    pub fn saying(mut self, words: &str) -> Self {
        if let Content::Answer(answer) = &mut self.content {
            words.clone_into(&mut answer.text);
        }
        self
    }

    /// The same answer after this thought, with the seal or signature that the format has for thoughts.
    #[must_use]
    pub fn thinking(mut self, thought: &str) -> Self {
        if let Content::Answer(answer) = &mut self.content {
            thought.clone_into(&mut answer.thought);
        }
        self
    }

    /// The same answer with this `finish_reason`, for example `length`. The other formats' words for
    /// `length` and `content_filter` take their place there.
    #[must_use]
    pub fn finishing(mut self, reason: &str) -> Self {
        if let Content::Answer(answer) = &mut self.content {
            answer.finish = Some(reason.to_owned());
        }
        self
    }

    /// The same answer with these token counts.
    #[must_use]
    pub fn using(mut self, input_tokens: u64, output_tokens: u64) -> Self {
        if let Content::Answer(answer) = &mut self.content {
            answer.usage = Some((input_tokens, output_tokens));
        }
        self
    }

    /// The same answer with token counts, for a request of so many bytes.
    pub(crate) fn counted(mut self, request_bytes: usize) -> Self {
        if let Content::Answer(answer) = &mut self.content {
            answer.count(request_bytes);
        }
        self
    }

    /// The same answer, begun after this time.
    #[must_use]
    pub fn after(mut self, wait: Duration) -> Self {
        self.wait = wait;
        self
    }

    /// The same answer with a pause before each piece of its stream.
    #[must_use]
    pub fn slow(mut self, pause: Duration) -> Self {
        self.pause = pause;
        self
    }

    /// The same answer, its connection broken in the middle.
    #[must_use]
    pub fn breaking(mut self) -> Self {
        self.end = End::Cut;
        self
    }

    /// The same answer, silent from the middle on.
    #[must_use]
    pub fn stalling(mut self) -> Self {
        self.end = End::Hang;
        self
    }

    /// The bytes of the stream in small pieces, whose borders fall inside lines and characters.
    pub(crate) fn pieces(bytes: &[u8]) -> Vec<Bytes> {
        let mut pieces = Vec::new();
        let mut rest = bytes;
        for length in [1, 3, 89, 7, 233, 2, 1021].into_iter().cycle() {
            if rest.is_empty() {
                break;
            }
            let (piece, after) = rest.split_at(length.min(rest.len()));
            pieces.push(Bytes::copy_from_slice(piece));
            rest = after;
        }
        pieces
    }
}
