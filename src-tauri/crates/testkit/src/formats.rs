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
#[derive(Debug, Clone, Default)]
pub(crate) struct Answer {
    pub(crate) thought: String,
    pub(crate) text: String,
    /// Tools with their arguments as text.
    pub(crate) calls: Vec<(String, String)>,
    pub(crate) finish: Option<String>,
    /// Tokens read and written, where the script says so.
    pub(crate) usage: Option<(u64, u64)>,
}

/// Bytes from which on a request is counted by its length, as a server that reads all of it does.
const LONG: usize = 6000;

impl Answer {
    /// Counts the tokens for a request of so many bytes, where the script has not.
    pub(crate) fn count(&mut self, request_bytes: usize) {
        let read = if request_bytes < LONG { 100 } else { request_bytes as u64 / 4 };
        self.usage.get_or_insert((read, 10));
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
