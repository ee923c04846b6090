//! An answer put together from the pieces in which it streams in.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

use serde::de::IgnoredAny;
use serde_json::{Map, Value, json};

use crate::base64_images::without_base64_images;
use crate::chat_completions::arguments::{Arguments, CUT_OFF, read_arguments};
use crate::chat_completions::request::{KNOWN_CALL_FIELDS, KNOWN_FIELDS};
use crate::chat_completions::written_calls::{Recovered, WrittenCall, recover, showable};
use crate::message::{AssistantMessage, Message, ToolCall};
use crate::model::{Delta, DeltaSink, ModelError, StopReason, Turn, TurnRequest, Usage};

/// The largest answer that is accepted, reasoning and arguments included.
const ANSWER_LIMIT: usize = 8 * 1024 * 1024;

const THOUGHT_START: &str = "<think>";
const THOUGHT_END: &str = "</think>";

/// What has arrived so far.
#[derive(Debug)]
pub(super) struct Assembly<'a> {
    tools: Vec<&'a str>,
    /// The ids of calls that the conversation already has.
    ids: HashSet<String>,
    text: String,
    /// How much of the text has gone to the sink.
    shown: usize,
    thought: Thought,
    calls: Vec<Draft>,
    extra: Map<String, Value>,
    refused: bool,
    finish: Option<String>,
    usage: Option<Usage>,
    size: usize,
}

/// Whether the text begins with reasoning that the server did not take out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Thought {
    Awaited,
    Open,
    Over,
}

/// A tool call that is still being written.
#[derive(Debug, Default)]
struct Draft {
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
    extra: Map<String, Value>,
}

impl<'a> Assembly<'a> {
    pub(super) fn new(request: &'a TurnRequest) -> Self {
        let calls = request.messages.iter().flat_map(|message| match message {
            Message::Assistant(answer) => answer.calls.as_slice(),
            _ => &[],
        });
        Self {
            tools: request.tools.iter().map(|tool| tool.name.as_str()).collect(),
            ids: calls.map(|call| call.id.clone()).collect(),
            text: String::new(),
            shown: 0,
            thought: Thought::Awaited,
            calls: Vec::new(),
            extra: Map::new(),
            refused: false,
            finish: None,
            usage: None,
            size: 0,
        }
    }

    /// Takes one chunk of a stream, or a whole answer. Chunks without choices carry nothing but,
    /// at times, the usage.
    pub(super) fn push(&mut self, chunk: &Value, sink: &mut DeltaSink<'_>) -> Result<(), ModelError> {
        if let Some(usage) = chunk.get("usage").filter(|usage| usage.is_object()) {
            let count = |name| usage.get(name).and_then(Value::as_u64).unwrap_or_default();
            self.usage = Some(Usage {
                input_tokens: count("prompt_tokens"),
                output_tokens: count("completion_tokens"),
                cost_microdollars: cost(usage),
            });
        }
        let choice = chunk.get("choices").and_then(|choices| choices.get(0)).unwrap_or(&Value::Null);
        let delta = choice.get("delta").or_else(|| choice.get("message")).unwrap_or(&Value::Null);
        self.size += weight(delta);
        if self.size > ANSWER_LIMIT {
            return Err(ModelError::Protocol("the answer is larger than 8 MiB".into()));
        }
        if let Value::Object(delta) = delta {
            self.take(delta, sink);
        }
        if let Some(reason) = choice.get("finish_reason").and_then(Value::as_str) {
            self.finish = Some(reason.to_lowercase());
        }
        Ok(())
    }

    /// Whether the server has said that the answer is whole.
    pub(super) fn is_finished(&self) -> bool {
        self.finish.is_some()
    }

    /// The whole answer. Text that was held back and is no call goes to the sink.
    pub(super) fn finish(mut self, sink: &mut DeltaSink<'_>) -> Turn {
        let cut = matches!(self.finish.as_deref(), Some("length" | "max_tokens"));
        if self.thought == Thought::Open {
            self.text.clear();
        }
        let mut calls = self.whole_calls(cut);
        let written = if calls.is_empty() { recover(&self.text, &self.tools) } else { None };
        if let Some(Recovered { text, calls: written }) = written {
            self.text = text;
            for WrittenCall { name, arguments } in written {
                sink(Delta::ToolCall(name.clone()));
                calls.push(self.whole_call(Draft { name, ..Draft::default() }, arguments));
            }
        } else if let Some(rest) = self.text.get(self.shown..).filter(|rest| !rest.is_empty()) {
            sink(Delta::Text(without_base64_images(rest).into_owned()));
        }
        let stop = match self.finish.as_deref() {
            _ if cut => StopReason::Length,
            _ if !calls.is_empty() => StopReason::ToolCalls,
            Some("content_filter") => StopReason::Refused,
            _ if self.refused => StopReason::Refused,
            _ => StopReason::End,
        };
        let text = without_base64_images(&self.text).into_owned();
        Turn { message: AssistantMessage { text, calls, extra: self.extra }, stop, usage: self.usage }
    }

    fn whole_calls(&mut self, cut: bool) -> Vec<ToolCall> {
        let drafts = std::mem::take(&mut self.calls);
        let last = drafts.len().saturating_sub(1);
        let whole = drafts.into_iter().enumerate().map(|(place, draft)| {
            let arguments = match draft.arguments.trim() {
                "" if cut && place == last => Err(CUT_OFF.into()),
                text => read_arguments(text),
            };
            self.whole_call(draft, arguments)
        });
        whole.collect()
    }

    /// A call under an id of its own: servers may send none, or the same one twice.
    fn whole_call(&mut self, draft: Draft, arguments: Arguments) -> ToolCall {
        let mut id = draft.id;
        while id.is_empty() || !self.ids.insert(id.clone()) {
            id = format!("call_{:016x}", RandomState::new().hash_one(self.ids.len()));
        }
        let (arguments, broken) = match arguments {
            Ok(arguments) => (arguments, None),
            Err(reason) => (json!({}), Some(reason)),
        };
        ToolCall { id, name: draft.name, arguments, broken, extra: draft.extra }
    }

    fn take(&mut self, delta: &Map<String, Value>, sink: &mut DeltaSink<'_>) {
        let reasoning = ["reasoning_content", "reasoning"].iter().find_map(|name| delta.get(*name)?.as_str());
        if let Some(reasoning) = reasoning.filter(|reasoning| !reasoning.is_empty()) {
            sink(Delta::Reasoning(reasoning.to_owned()));
        }
        for (name, value) in delta.iter().filter(|(name, _)| !KNOWN_FIELDS.contains(&name.as_str())) {
            accumulate(&mut self.extra, name, value);
        }
        let refusal = delta.get("refusal").and_then(Value::as_str).unwrap_or_default();
        self.refused |= !refusal.is_empty();
        self.text.push_str(refusal);
        match delta.get("content") {
            Some(Value::String(text)) => self.text.push_str(text),
            Some(Value::Array(parts)) => {
                self.text.extend(parts.iter().filter_map(|part| part.get("text")?.as_str()));
            }
            _ => {}
        }
        self.show(sink);
        for piece in delta.get("tool_calls").and_then(Value::as_array).into_iter().flatten() {
            self.take_call(piece, sink);
        }
    }

    /// Passes on what can be shown of the text. A thought at its beginning is taken out of it.
    fn show(&mut self, sink: &mut DeltaSink<'_>) {
        if self.thought == Thought::Awaited {
            let text = self.text.trim_start();
            if text.starts_with(THOUGHT_START) {
                self.thought = Thought::Open;
            } else if !THOUGHT_START.starts_with(text) {
                self.thought = Thought::Over;
            }
        }
        if self.thought == Thought::Open {
            let end = self.text.find(THOUGHT_END).map(|start| start + THOUGHT_END.len());
            let piece = &self.text[self.shown..end.unwrap_or(self.text.len())];
            if !piece.is_empty() {
                sink(Delta::Reasoning(piece.to_owned()));
            }
            self.shown = self.text.len();
            if let Some(end) = end {
                self.text = self.text[end..].trim_start().to_owned();
                self.shown = 0;
                self.thought = Thought::Over;
            }
        }
        if self.thought == Thought::Over {
            let end = if self.tools.is_empty() { self.text.len() } else { showable(&self.text, self.shown) };
            if end > self.shown {
                sink(Delta::Text(self.text[self.shown..end].to_owned()));
                self.shown = end;
            }
        }
    }

    fn take_call(&mut self, piece: &Value, sink: &mut DeltaSink<'_>) {
        let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
        let id = text(piece.get("id"));
        let index = piece.get("index").and_then(Value::as_u64);
        let function = piece.get("function");
        let name = text(function.and_then(|function| function.get("name")));
        let arguments = match function.and_then(|function| function.get("arguments")) {
            Some(Value::String(text)) => text.clone(),
            Some(object @ Value::Object(_)) => object.to_string(),
            _ => String::new(),
        };

        let same_id = self.calls.iter().rposition(|call| !id.is_empty() && call.id == id);
        let place = same_id.or_else(|| match index {
            Some(_) => self.calls.iter().rposition(|call| call.index == index),
            None => self.calls.len().checked_sub(1),
        });
        let place = match place {
            Some(place) if self.calls[place].continues(&id, &name, &arguments) => place,
            _ => {
                // A piece without a name after a whole call can only be another call of the same tool.
                let name = place.filter(|_| name.is_empty()).map(|place| self.calls[place].name.clone());
                self.calls.push(Draft { index, name: name.unwrap_or_default(), ..Draft::default() });
                self.calls.len() - 1
            }
        };
        let call = &mut self.calls[place];
        if call.id.is_empty() {
            call.id = id;
        }
        if call.name.is_empty() && !name.is_empty() {
            sink(Delta::ToolCall(name.clone()));
            call.name = name;
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
}

impl Draft {
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
#[path = "assembly_tests.rs"]
mod tests;
