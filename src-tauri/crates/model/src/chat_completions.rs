//! The Chat Completions format, as the OpenAI API reference defines it and as the servers that
//! call themselves compatible with it really speak it.

mod reader;
mod request;

use serde_json::Value;

use crate::wire::{Ask, Format, Reader};

pub(crate) use request::{KNOWN_CALL_FIELDS, KNOWN_FIELDS};

/// The format.
pub(crate) struct ChatCompletions;

impl Format for ChatCompletions {
    fn path(&self) -> &'static [&'static str] {
        &["chat", "completions"]
    }

    fn body(&self, ask: &Ask<'_>) -> Value {
        request::body(ask)
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(reader::ChunkReader::default())
    }
}
