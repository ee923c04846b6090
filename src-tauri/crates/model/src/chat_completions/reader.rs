//! Reads the chunks of a stream, or a whole answer.

use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use crate::answer::{Answer, DraftCall, Ending};
use crate::chat_completions::request::{KNOWN_CALL_FIELDS, KNOWN_FIELDS};
use crate::failure::Failure;
use crate::model::{Delta, DeltaSink, Usage};
use crate::wire::{Progress, Reader, count, text};

/// Puts an answer together from its chunks.
#[derive(Debug, Default)]
pub(super) struct ChunkReader {
    progress: Progress,
}

impl Reader for ChunkReader {
    /// Chunks without choices carry nothing but, at times, the usage.
    fn push(
        &mut self,
        chunk: &Value,
        answer: &mut Answer<'_>,
        sink: &mut DeltaSink<'_>,
    ) -> Result<Progress, Failure> {
        if let Some(usage) = chunk.get("usage").filter(|usage| usage.is_object()) {
            answer.usage = Some(Usage {
                input_tokens: count(usage, "prompt_tokens"),
                output_tokens: count(usage, "completion_tokens"),
                cost_microdollars: cost(usage),
            });
        }
        let choice = chunk.get("choices").and_then(|choices| choices.get(0)).unwrap_or(&Value::Null);
        let delta = choice.get("delta").or_else(|| choice.get("message"));
        if let Some(Value::Object(fields)) = delta {
            answer.grow(fields.values().map(weight).sum());
            take(fields, answer, sink);
        }
        if let Some(reason) = choice.get("finish_reason").and_then(Value::as_str) {
            self.progress = Progress::Whole;
            match reason.to_lowercase().as_str() {
                "length" | "max_tokens" | "model_length" => answer.ending = Some(Ending::Cut),
                "content_filter" | "safety" => answer.ending = Some(Ending::Refused),
                _ => {}
            }
        }
        Ok(self.progress)
    }
}

fn take(delta: &Map<String, Value>, answer: &mut Answer<'_>, sink: &mut DeltaSink<'_>) {
    let reasoning = ["reasoning_content", "reasoning"].iter().find_map(|name| delta.get(*name)?.as_str());
    Answer::add_reasoning(reasoning.unwrap_or_default(), sink);
    for (name, value) in delta.iter().filter(|(name, _)| !KNOWN_FIELDS.contains(&name.as_str())) {
        accumulate(&mut answer.extra, name, value);
    }
    if let Some(Value::String(refusal)) = delta.get("refusal").filter(|refusal| *refusal != "") {
        answer.ending = Some(Ending::Refused);
        answer.add_text(refusal, sink);
    }
    match delta.get("content") {
        Some(Value::String(text)) => answer.add_text(text, sink),
        Some(Value::Array(parts)) => parts.iter().for_each(|part| answer.add_text(text(part, "text"), sink)),
        _ => {}
    }
    for piece in delta.get("tool_calls").and_then(Value::as_array).into_iter().flatten() {
        take_call(piece, answer, sink);
    }
}

fn take_call(piece: &Value, answer: &mut Answer<'_>, sink: &mut DeltaSink<'_>) {
    let id = text(piece, "id");
    let index = piece.get("index").and_then(Value::as_u64);
    let function = piece.get("function").unwrap_or(&Value::Null);
    let name = text(function, "name");
    let arguments = match function.get("arguments") {
        Some(Value::String(text)) => text.clone(),
        Some(object @ Value::Object(_)) => object.to_string(),
        _ => String::new(),
    };

    let calls = &mut answer.calls;
    let same_id = calls.iter().rposition(|call| !id.is_empty() && call.id == id);
    let place = same_id.or_else(|| match index {
        Some(_) => calls.iter().rposition(|call| call.index == index),
        None => calls.len().checked_sub(1),
    });
    let place = match place {
        Some(place) if calls[place].continues(id, name, &arguments) => place,
        _ => {
            // A piece without a name after a whole call can only be another call of the same tool.
            let name = place.filter(|_| name.is_empty()).map(|place| calls[place].name.clone());
            calls.push(DraftCall { index, name: name.unwrap_or_default(), ..DraftCall::default() });
            calls.len() - 1
        }
    };
    let call = &mut calls[place];
    if call.id.is_empty() {
        id.clone_into(&mut call.id);
    }
    if call.name.is_empty() && !name.is_empty() {
        sink(Delta::ToolCall(name.to_owned()));
        name.clone_into(&mut call.name);
    }
    if call.arguments != arguments || !call.is_whole() {
        call.arguments.push_str(&arguments);
    }
    for (name, value) in piece.as_object().into_iter().flatten() {
        if !KNOWN_CALL_FIELDS.contains(&name.as_str()) && !value.is_null() {
            call.extra.insert(name.clone(), value.clone());
        }
    }
}
impl DraftCall {
    /// Whether a piece belongs to this call. A new id, a new name, or anything after arguments
    /// that are already whole begins another one, whatever its index says.
    fn continues(&self, id: &str, name: &str, arguments: &str) -> bool {
        if !id.is_empty() && id == self.id {
            return arguments.trim().is_empty() || arguments == self.arguments || !self.is_whole();
        }
        let another_id = !id.is_empty() && (!self.id.is_empty() || !self.arguments.is_empty());
        let another_name = !name.is_empty() && !self.name.is_empty() && name != self.name;
        !another_id && !another_name && (arguments.trim().is_empty() || !self.is_whole())
    }

    fn is_whole(&self) -> bool {
        self.arguments.trim_end().ends_with('}')
            && serde_json::from_str::<IgnoredAny>(&self.arguments).is_ok()
    }
}

/// What the answer cost, where the router says so: dollars in `usage.cost`.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to be in range")]
fn cost(usage: &Value) -> Option<u64> {
    let microdollars = usage.get("cost")?.as_f64()? * 1e6;
    (0.0..1e15).contains(&microdollars).then(|| microdollars.round() as u64)
}

/// Adds a piece of a field that streams in: texts and lists grow, objects gain fields.
fn accumulate(fields: &mut Map<String, Value>, name: &str, piece: &Value) {
    match (fields.get_mut(name), piece) {
        (_, Value::Null) => {}
        (Some(Value::String(text)), Value::String(more)) => text.push_str(more),
        (Some(Value::Array(list)), Value::Array(more)) => list.extend_from_slice(more),
        (Some(Value::Object(object)), Value::Object(more)) => object.extend(more.clone()),
        _ => {
            fields.insert(name.to_owned(), piece.clone());
        }
    }
}

/// About how many bytes a value takes.
fn weight(value: &Value) -> usize {
    1 + match value {
        Value::String(text) => text.len(),
        Value::Array(list) => list.iter().map(weight).sum(),
        Value::Object(fields) => fields.iter().map(|(name, value)| name.len() + weight(value)).sum(),
        _ => 0,
    }
}

#[cfg(test)]
#[path = "reader_tests.rs"]
mod tests;
