//! One answer of the scripted server.

use std::fmt::Display;
use std::time::Duration;

use bytes::Bytes;
use serde_json::{Value, json};

/// What the server does with one request.
#[derive(Debug, Clone)]
pub struct Reply {
    pub(crate) content: Content,
    pub(crate) pause: Duration,
    pub(crate) end: End,
}

#[derive(Debug, Clone)]
pub(crate) enum Content {
    /// A streamed answer.
    Answer { text: String, calls: Vec<(String, String)>, finish: Option<String>, usage: (u64, u64) },
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
        Self { content, pause: Duration::ZERO, end: End::Whole }
    }

    /// A text and nothing else.
    pub fn text(text: impl Into<String>) -> Self {
        Self::new(Content::Answer { text: text.into(), calls: Vec::new(), finish: None, usage: (100, 10) })
    }

    /// One tool call.
    pub fn call(tool: &str, arguments: Value) -> Self {
        Self::calls(vec![(tool, arguments)])
    }

    /// Several tool calls in one answer. Their ids are `call_REQUEST_PLACE`, both from 1.
    pub fn calls(calls: Vec<(&str, Value)>) -> Self {
        let calls =
            calls.into_iter().map(|(tool, arguments)| (tool.to_owned(), arguments.to_string())).collect();
        Self::new(Content::Answer { text: String::new(), calls, finish: None, usage: (100, 10) })
    }

    /// A tool call whose arguments are exactly this text, for example JSON that was cut.
    pub fn raw_call(tool: &str, arguments: &str) -> Self {
        let calls = vec![(tool.to_owned(), arguments.to_owned())];
        Self::new(Content::Answer { text: String::new(), calls, finish: None, usage: (100, 10) })
    }

    /// A stream of exactly these lines, each ended by a line feed.
    pub fn raw_sse<L: AsRef<str>>(lines: impl IntoIterator<Item = L>) -> Self {
        Self::new(Content::Raw(
            lines.into_iter().flat_map(|line| format!("{}\n", line.as_ref()).into_bytes()).collect(),
        ))
    }

    /// A stream with one event for each of these chunks, and `[DONE]`.
    pub fn chunks(chunks: impl IntoIterator<Item = Value>) -> Self {
        Self::new(Content::Raw(events(chunks)))
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
        if let Content::Answer { text, .. } = &mut self.content {
            words.clone_into(text);
        }
        self
    }

    /// The same answer with this `finish_reason`, for example `length`.
    #[must_use]
    pub fn finishing(mut self, reason: &str) -> Self {
        if let Content::Answer { finish, .. } = &mut self.content {
            *finish = Some(reason.to_owned());
        }
        self
    }

    /// The same answer with these token counts.
    #[must_use]
    pub fn using(mut self, input_tokens: u64, output_tokens: u64) -> Self {
        if let Content::Answer { usage, .. } = &mut self.content {
            *usage = (input_tokens, output_tokens);
        }
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

/// The stream of an answer, in the shape of the OpenAI API reference.
pub(crate) fn answer_stream(
    request: usize,
    text: &str,
    calls: &[(String, String)],
    finish: Option<&str>,
    (input, output): (u64, u64),
) -> Vec<u8> {
    let chunk = |delta: Value, finish: Value| {
        json!({
            "id": format!("chatcmpl-{request}"),
            "object": "chat.completion.chunk",
            "created": 1_700_000_000,
            "model": "scripted",
            "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
        })
    };
    let mut chunks = vec![chunk(json!({"role": "assistant", "content": null}), Value::Null)];
    chunks.extend(portions(text, 7).map(|part| chunk(json!({"content": part}), Value::Null)));
    for (index, (tool, arguments)) in calls.iter().enumerate() {
        let id = format!("call_{request}_{}", index + 1);
        let opening = json!({
            "index": index, "id": id, "type": "function", "function": {"name": tool, "arguments": ""},
        });
        chunks.push(chunk(json!({"tool_calls": [opening]}), Value::Null));
        chunks.extend(portions(arguments, 11).map(|part| {
            let more = json!({"index": index, "function": {"arguments": part}});
            chunk(json!({"tool_calls": [more]}), Value::Null)
        }));
    }
    let natural = if calls.is_empty() { "stop" } else { "tool_calls" };
    chunks.push(chunk(json!({}), finish.unwrap_or(natural).into()));
    let mut last = chunk(Value::Null, Value::Null);
    last["choices"] = json!([]);
    last["usage"] = json!({
        "prompt_tokens": input, "completion_tokens": output, "total_tokens": input + output,
    });
    chunks.push(last);
    events(chunks)
}

fn events(chunks: impl IntoIterator<Item = Value>) -> Vec<u8> {
    let data = chunks.into_iter().map(|chunk| chunk.to_string()).chain(["[DONE]".to_owned()]);
    data.flat_map(|data| format!("data: {data}\n\n").into_bytes()).collect()
}

fn portions(text: &str, length: usize) -> impl Iterator<Item = String> {
    let letters: Vec<char> = text.chars().collect();
    let portions: Vec<String> = letters.chunks(length).map(|portion| portion.iter().collect()).collect();
    portions.into_iter()
}
