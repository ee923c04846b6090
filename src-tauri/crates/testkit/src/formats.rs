//! Answers as the providers' servers stream them.

mod chat_completions;
mod messages;
mod responses;

use serde_json::Value;

/// A way to write answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    ChatCompletions,
    Responses,
    Messages,
}

impl Format {
    pub(crate) fn path(self) -> &'static str {
        match self {
            Self::ChatCompletions => "/v1/chat/completions",
            Self::Responses => "/v1/responses",
            Self::Messages => "/v1/messages",
        }
    }
}

/// What the scripted model says, whatever the format.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) thought: String,
    pub(crate) text: String,
    /// Tools with their arguments as text.
    pub(crate) calls: Vec<(String, String)>,
    pub(crate) finish: Option<String>,
    /// Tokens read and written.
    pub(crate) usage: (u64, u64),
}

impl Default for Answer {
    fn default() -> Self {
        Self {
            thought: String::new(),
            text: String::new(),
            calls: Vec::new(),
            finish: None,
            usage: (100, 10),
        }
    }
}

/// The bytes of the answer to the request of this number.
pub(crate) fn stream_of(answer: &Answer, format: Format, request: usize) -> Vec<u8> {
    match format {
        Format::ChatCompletions => done_stream(chat_completions::chunks(answer, request)),
        Format::Responses => named_stream(responses::events(answer, request)),
        Format::Messages => named_stream(messages::events(answer, request)),
    }
}

/// A stream that ends with `[DONE]`.
pub(crate) fn done_stream(chunks: impl IntoIterator<Item = Value>) -> Vec<u8> {
    let data = chunks.into_iter().map(|chunk| chunk.to_string()).chain(["[DONE]".to_owned()]);
    data.flat_map(|data| format!("data: {data}\n\n").into_bytes()).collect()
}

/// A stream whose events are named by their `type`.
pub(crate) fn named_stream(events: impl IntoIterator<Item = Value>) -> Vec<u8> {
    let event = |event: Value| {
        let name = event["type"].as_str().unwrap_or("message").to_owned();
        format!("event: {name}\ndata: {event}\n\n").into_bytes()
    };
    events.into_iter().flat_map(event).collect()
}

fn call_id(request: usize, place: usize) -> String {
    format!("call_{request}_{}", place + 1)
}

fn portions(text: &str, length: usize) -> impl Iterator<Item = String> {
    let letters: Vec<char> = text.chars().collect();
    let portions: Vec<String> = letters.chunks(length).map(|portion| portion.iter().collect()).collect();
    portions.into_iter()
}
