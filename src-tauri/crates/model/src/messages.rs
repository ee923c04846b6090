//! Anthropic's Messages format, as its API reference defines it (version 2023-06-01).
//!
//! What the model thought is signed and has to come back unchanged at its place. The history keeps the
//! places of an answer's blocks under [`BLOCKS`]: thoughts whole, texts and calls as mere places, since the
//! message itself has them.

mod reader;
mod request;

use serde_json::Value;

use crate::wire::{Ask, Format, Reader};

/// The field of an answer that holds its blocks.
const BLOCKS: &str = "blocks";

/// The format.
pub(crate) struct Messages;

impl Format for Messages {
    fn path(&self) -> &'static [&'static str] {
        &["messages"]
    }

    fn body(&self, ask: &Ask<'_>) -> Value {
        request::body(ask)
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(reader::EventReader::default())
    }
}
