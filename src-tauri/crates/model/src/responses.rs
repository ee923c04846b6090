//! OpenAI's Responses format, as its API reference defines it, without any state on the server: nothing
//! is stored there, and what the model thought comes sealed and goes back with the conversation.
//!
//! The history keeps the places of an answer's items under [`ITEMS`]: reasoning and items of unknown kinds
//! whole, messages and calls without what the message itself has.

mod reader;
mod request;

use serde_json::Value;

use crate::wire::{Ask, Format, Reader};

/// The field of an answer that holds its items.
const ITEMS: &str = "items";

/// The fields of a message item that are written from the history.
const MESSAGE_FIELDS: &[&str] = &["type", "role", "content"];

/// The fields of a call item that are written from the history.
const CALL_FIELDS: &[&str] = &["type", "call_id", "name", "arguments"];

/// The format.
pub(crate) struct Responses;

impl Format for Responses {
    fn path(&self) -> &'static [&'static str] {
        &["responses"]
    }

    fn body(&self, ask: &Ask<'_>) -> Value {
        request::body(ask)
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(reader::EventReader::default())
    }
}
