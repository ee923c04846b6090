//! Reads the events of a Messages stream, or a whole message.

use serde_json::{Map, Value, json};

use crate::answer::{Answer, DraftCall, Ending};
use crate::failure::Failure;
use crate::messages::BLOCKS;
use crate::model::{DeltaSink, Usage};
use crate::wire::{Progress, Reader, count, list, text};

/// The fields of a call that this format defines.
const KNOWN_CALL_FIELDS: &[&str] = &["type", "id", "name", "input", "cache_control"];

/// Puts an answer together from its events.
#[derive(Debug, Default)]
pub(super) struct EventReader {
    /// The blocks so far, each with the number under which the stream speaks of it.
    blocks: Vec<(u64, Value)>,
    usage: Usage,
    progress: Progress,
}

impl Reader for EventReader {
    fn push(
        &mut self,
        event: &Value,
        answer: &mut Answer<'_>,
        sink: &mut DeltaSink<'_>,
    ) -> Result<Progress, Failure> {
        match text(event, "type") {
            "message_start" => self.count(&event["message"]["usage"], answer),
            "content_block_start" => {
                self.open(event["index"].as_u64(), &event["content_block"], answer, sink);
            }
            "content_block_delta" => self.grow(event["index"].as_u64(), &event["delta"], answer, sink),
            "message_delta" => {
                self.count(&event["usage"], answer);
                self.end(&event["delta"]["stop_reason"], answer);
            }
            "message_stop" => {
                self.keep_blocks(answer);
                self.progress = Progress::Over;
            }
            "message" => {
                for (index, block) in (0..).zip(list(event, "content")) {
                    self.open(Some(index), block, answer, sink);
                }
                self.count(&event["usage"], answer);
                self.end(&event["stop_reason"], answer);
                self.keep_blocks(answer);
            }
            _ => {}
        }
        Ok(self.progress)
    }
}

impl EventReader {
    /// A block begins. Thoughts and texts are empty then, and so is a call's input, unless the message
    /// came whole.
    fn open(&mut self, index: Option<u64>, block: &Value, answer: &mut Answer<'_>, sink: &mut DeltaSink<'_>) {
        let index = index.unwrap_or(self.blocks.len() as u64);
        let kept = match text(block, "type") {
            "text" => {
                answer.grow(text(block, "text").len());
                answer.add_text(text(block, "text"), sink);
                json!({"type": "text"})
            }
            "tool_use" => {
                answer.open_call(draft(index, block), sink);
                json!({"type": "tool_use"})
            }
            _ => {
                Answer::add_reasoning(text(block, "thinking"), sink);
                if block.is_object() { block.clone() } else { json!({}) }
            }
        };
        self.blocks.push((index, kept));
    }

    fn grow(&mut self, index: Option<u64>, delta: &Value, answer: &mut Answer<'_>, sink: &mut DeltaSink<'_>) {
        let Some((index, block)) =
            self.blocks.iter_mut().rev().find(|(at, _)| index.is_none_or(|index| index == *at))
        else {
            return;
        };
        let mut append = |name: &str, piece: &str| {
            let whole = format!("{}{piece}", text(block, name));
            block[name] = whole.into();
        };
        let piece = match text(delta, "type") {
            "text_delta" => {
                answer.add_text(text(delta, "text"), sink);
                text(delta, "text")
            }
            "thinking_delta" => {
                Answer::add_reasoning(text(delta, "thinking"), sink);
                append("thinking", text(delta, "thinking"));
                text(delta, "thinking")
            }
            "signature_delta" => {
                append("signature", text(delta, "signature"));
                text(delta, "signature")
            }
            "input_json_delta" => {
                let piece = text(delta, "partial_json");
                if let Some(call) = answer.call_at(*index) {
                    call.arguments.push_str(piece);
                }
                piece
            }
            _ => "",
        };
        answer.grow(piece.len());
    }

    /// The counts come in parts, later ones replacing earlier ones. What was read from the cache, or
    /// written to it, was read as well.
    fn count(&mut self, usage: &Value, answer: &mut Answer<'_>) {
        if !usage.is_object() {
            return;
        }
        let input: u64 = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"]
            .iter()
            .map(|name| count(usage, name))
            .sum();
        self.usage.input_tokens = self.usage.input_tokens.max(input);
        self.usage.output_tokens = self.usage.output_tokens.max(count(usage, "output_tokens"));
        answer.usage = Some(self.usage);
    }

    fn end(&mut self, reason: &Value, answer: &mut Answer<'_>) {
        let Some(reason) = reason.as_str() else { return };
        self.progress = Progress::Whole;
        answer.ending = match reason {
            // A paused turn is for the caller to go on with, as one that was cut is.
            "max_tokens" | "model_context_window_exceeded" | "pause_turn" => Some(Ending::Cut),
            "refusal" => Some(Ending::Refused),
            _ => Some(Ending::Whole),
        };
    }

    /// The places of the blocks are kept where a thought, or a block of an unknown kind, is among them.
    fn keep_blocks(&mut self, answer: &mut Answer<'_>) {
        let blocks: Vec<Value> =
            std::mem::take(&mut self.blocks).into_iter().map(|(_, block)| block).collect();
        if blocks.iter().any(|block| !matches!(text(block, "type"), "text" | "tool_use")) {
            answer.extra.insert(BLOCKS.into(), blocks.into());
        }
    }
}

fn draft(index: u64, block: &Value) -> DraftCall {
    let input = block.get("input").filter(|input| input.as_object().is_some_and(|fields| !fields.is_empty()));
    let unknown = block.as_object().into_iter().flatten();
    let extra: Map<String, Value> = unknown
        .filter(|(name, _)| !KNOWN_CALL_FIELDS.contains(&name.as_str()))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    DraftCall {
        index: Some(index),
        id: text(block, "id").to_owned(),
        name: text(block, "name").to_owned(),
        arguments: input.map(ToString::to_string).unwrap_or_default(),
        extra,
    }
}

#[cfg(test)]
#[path = "reader_tests.rs"]
mod tests;
