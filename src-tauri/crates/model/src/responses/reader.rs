//! Reads the events of a Responses stream, or a whole response.

use serde_json::{Map, Value, json};

use crate::answer::{Answer, DraftCall, Ending};
use crate::failure::Failure;
use crate::model::{DeltaSink, Usage};
use crate::responses::{CALL_FIELDS, ITEMS, MESSAGE_FIELDS};
use crate::wire::{Progress, Reader, count, list, text};

/// Puts an answer together from its events.
#[derive(Debug, Default)]
pub(super) struct EventReader {
    items: Vec<Item>,
}

/// An item of the output.
#[derive(Debug)]
struct Item {
    /// Its place in the output.
    index: u64,
    id: String,
    /// As it is kept.
    kept: Value,
    /// How many bytes of its text have come.
    text: usize,
}

impl Reader for EventReader {
    fn push(
        &mut self,
        event: &Value,
        answer: &mut Answer<'_>,
        sink: &mut DeltaSink<'_>,
    ) -> Result<Progress, Failure> {
        match text(event, "type") {
            "error" | "response.failed" => return Err(Failure::in_stream(event)),
            "response.output_item.added" => {
                self.item(event, &event["item"], answer, sink);
            }
            "response.output_item.done" => self.complete(event, &event["item"], answer, sink),
            "response.output_text.delta" => self.add_text(event, answer, sink),
            "response.refusal.delta" => {
                answer.ending = Some(Ending::Refused);
                self.add_text(event, answer, sink);
            }
            "response.reasoning_text.delta" | "response.reasoning_summary_text.delta" => {
                answer.grow(text(event, "delta").len());
                Answer::add_reasoning(text(event, "delta"), sink);
            }
            "response.function_call_arguments.delta" => {
                let place = self.place(event);
                if let Some(call) = answer.call_at(place) {
                    call.arguments.push_str(text(event, "delta"));
                }
                answer.grow(text(event, "delta").len());
            }
            "response.completed" | "response.incomplete" => {
                return self.end(&event["response"], answer, sink);
            }
            // A response that came whole has no type.
            "" if event["object"] == "response" => return self.end(event, answer, sink),
            _ => {}
        }
        Ok(Progress::Going)
    }
}

impl EventReader {
    /// Where in the output the event's item is. Some servers number nothing but name the item.
    fn place(&self, event: &Value) -> u64 {
        let by_id = || {
            let id =
                [text(event, "item_id"), text(&event["item"], "id")].into_iter().find(|id| !id.is_empty())?;
            self.items.iter().find(|item| item.id == id).map(|item| item.index)
        };
        event["output_index"].as_u64().or_else(by_id).unwrap_or(self.items.len().saturating_sub(1) as u64)
    }

    /// The item that an event speaks of; a new one when it was not heard of before.
    fn item(
        &mut self,
        event: &Value,
        item: &Value,
        answer: &mut Answer<'_>,
        sink: &mut DeltaSink<'_>,
    ) -> &mut Item {
        let number = event["output_index"].as_u64();
        let id = text(item, "id");
        let known = self.items.iter().position(|known| match number {
            Some(number) => known.index == number,
            None => !id.is_empty() && known.id == id,
        });
        let place = known.unwrap_or_else(|| {
            let index = number.unwrap_or(self.items.len() as u64);
            if text(item, "type") == "function_call" {
                let (id, name) = (text(item, "call_id").to_owned(), text(item, "name").to_owned());
                answer.open_call(DraftCall { index: Some(index), id, name, ..DraftCall::default() }, sink);
            }
            self.items.push(Item { index, id: id.to_owned(), kept: Value::Null, text: 0 });
            self.items.len() - 1
        });
        &mut self.items[place]
    }

    fn add_text(&mut self, event: &Value, answer: &mut Answer<'_>, sink: &mut DeltaSink<'_>) {
        let (place, piece) = (self.place(event), text(event, "delta"));
        if let Some(item) = self.items.iter_mut().find(|item| item.index == place) {
            item.text += piece.len();
        }
        answer.grow(piece.len());
        answer.add_text(piece, sink);
    }

    /// An item is whole. What of it had not streamed in is taken from it.
    fn complete(&mut self, event: &Value, whole: &Value, answer: &mut Answer<'_>, sink: &mut DeltaSink<'_>) {
        let item = self.item(event, whole, answer, sink);
        let index = item.index;
        item.kept = match text(whole, "type") {
            "message" => {
                let said = said(whole, answer);
                if let Some(rest) = said.get(item.text..).filter(|rest| !rest.is_empty()) {
                    answer.grow(rest.len());
                    answer.add_text(rest, sink);
                }
                item.text = item.text.max(said.len());
                marker("message", &unknown(whole, MESSAGE_FIELDS))
            }
            "function_call" => {
                if let Some(call) = answer.call_at(index) {
                    let arguments = text(whole, "arguments");
                    if call.arguments.len() < arguments.len() {
                        arguments.clone_into(&mut call.arguments);
                    }
                    call.extra = unknown(whole, CALL_FIELDS);
                }
                marker("function_call", &Map::new())
            }
            _ => whole.clone(),
        };
    }

    fn end(
        &mut self,
        response: &Value,
        answer: &mut Answer<'_>,
        sink: &mut DeltaSink<'_>,
    ) -> Result<Progress, Failure> {
        if text(response, "status") == "failed" {
            return Err(Failure::in_stream(response));
        }
        for (index, item) in (0u64..).zip(list(response, "output")) {
            if self.items.iter().all(|known| known.index != index || known.kept.is_null()) {
                self.complete(&json!({"output_index": index}), item, answer, sink);
            }
        }
        if let Some(usage) = response.get("usage").filter(|usage| usage.is_object()) {
            answer.usage = Some(Usage {
                input_tokens: count(usage, "input_tokens"),
                output_tokens: count(usage, "output_tokens"),
                ..Usage::default()
            });
        }
        let is_incomplete = text(response, "status") == "incomplete";
        let reason = text(&response["incomplete_details"], "reason");
        answer.ending = match reason {
            "content_filter" => Some(Ending::Refused),
            _ if is_incomplete => Some(Ending::Cut),
            _ => answer.ending.or(Some(Ending::Whole)),
        };
        self.keep_items(answer);
        Ok(Progress::Over)
    }

    /// Items that never became whole are not sent back.
    fn keep_items(&mut self, answer: &mut Answer<'_>) {
        let mut items = std::mem::take(&mut self.items);
        items.sort_by_key(|item| item.index);
        let kept: Vec<Value> =
            items.into_iter().map(|item| item.kept).filter(|kept| !kept.is_null()).collect();
        if kept.iter().any(|item| item["type"] != "function_call") {
            answer.extra.insert(ITEMS.into(), kept.into());
        }
    }
}

/// The text of a message item; what it refuses to say counts as its text.
fn said(message: &Value, answer: &mut Answer<'_>) -> String {
    let mut said = String::new();
    for part in list(message, "content") {
        if !text(part, "refusal").is_empty() {
            answer.ending = Some(Ending::Refused);
        }
        said.push_str(text(part, "text"));
        said.push_str(text(part, "refusal"));
    }
    said
}

fn marker(kind: &str, fields: &Map<String, Value>) -> Value {
    let mut marker = Map::from_iter([("type".to_owned(), json!(kind))]);
    marker.extend(fields.clone());
    Value::Object(marker)
}

fn unknown(item: &Value, known: &[&str]) -> Map<String, Value> {
    let fields = item.as_object().into_iter().flatten();
    fields
        .filter(|(name, _)| !known.contains(&name.as_str()))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

#[cfg(test)]
#[path = "reader_tests.rs"]
mod tests;
