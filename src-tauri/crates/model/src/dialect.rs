//! How one server wants its requests written where servers differ.

use serde_json::Value;

use crate::chat_completions::request::{KNOWN_CALL_FIELDS, KNOWN_FIELDS};
use crate::failure::Failure;

/// The form that a server is known, or hoped, to accept. Learnt from its refusals.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Dialect {
    pub(super) output_limit: OutputLimit,
    pub(super) empty_content: EmptyContent,
    pub(super) usage: UsageWish,
    pub(super) unknown_fields: UnknownFields,
}

/// The name of the output limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum OutputLimit {
    #[default]
    MaxTokens,
    MaxCompletionTokens,
}

/// The content of an assistant message that has tool calls and no text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum EmptyContent {
    #[default]
    Null,
    EmptyText,
}

/// Whether the request asks for the token counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum UsageWish {
    #[default]
    Sent,
    LeftOut,
}

/// Whether message fields outside the format are sent back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum UnknownFields {
    #[default]
    Sent,
    LeftOut,
}

impl Dialect {
    /// The form to try next after a server found fault with this one, if its words point to
    /// something in the request that can be written otherwise. Each point changes once at most.
    pub(super) fn after(self, failure: &Failure, body: &Value) -> Option<Self> {
        if !failure.is_about_the_form() {
            return None;
        }
        let names = |field: &str| failure.body.contains(field);
        let mut next = self;
        if body.get("max_tokens").is_some() && names("max_completion_tokens") {
            next.output_limit = OutputLimit::MaxCompletionTokens;
        } else if body.get("stream_options").is_some() && names("stream_options") {
            next.usage = UsageWish::LeftOut;
        } else if unknown_fields(body).any(names) {
            next.unknown_fields = UnknownFields::LeftOut;
        } else if messages(body).any(|message| message["content"].is_null()) && names("content") {
            next.empty_content = EmptyContent::EmptyText;
        }
        (next != self).then_some(next)
    }
}

fn messages(body: &Value) -> impl Iterator<Item = &Value> {
    body["messages"].as_array().into_iter().flatten()
}

fn unknown_fields(body: &Value) -> impl Iterator<Item = &str> {
    messages(body).filter(|message| message["role"] == "assistant").flat_map(|message| {
        let calls = message["tool_calls"].as_array().into_iter().flatten();
        fields_outside(message, KNOWN_FIELDS)
            .chain(calls.flat_map(|call| fields_outside(call, KNOWN_CALL_FIELDS)))
    })
}

fn fields_outside<'a>(value: &'a Value, known: &'static [&str]) -> impl Iterator<Item = &'a str> {
    let fields = value.as_object().into_iter().flat_map(|fields| fields.keys());
    fields.map(String::as_str).filter(|name| !known.contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn after(status: u16, told: &str, body: &Value) -> Option<Dialect> {
        Dialect::default().after(&Failure { status, retry_after: None, body: told.into() }, body)
    }

    #[test]
    fn each_point_is_learnt_from_a_refusal_that_names_it() {
        let body = json!({
            "max_tokens": 1,
            "stream_options": {},
            "messages": [
                {"role": "user", "content": "hello"},
                {"role": "assistant", "content": null, "reasoning": "x", "tool_calls": [{"id": "1", "extra_content": 1}]},
            ],
        });
        let default = Dialect::default();
        let limit = Dialect { output_limit: OutputLimit::MaxCompletionTokens, ..default };
        let content = Dialect { empty_content: EmptyContent::EmptyText, ..default };
        let usage = Dialect { usage: UsageWish::LeftOut, ..default };
        let unknown = Dialect { unknown_fields: UnknownFields::LeftOut, ..default };

        assert_eq!(after(400, "Use 'max_completion_tokens' instead", &body), Some(limit));
        assert_eq!(after(422, "stream_options: extra fields not permitted", &body), Some(usage));
        assert_eq!(after(400, "property 'reasoning' is unsupported", &body), Some(unknown));
        assert_eq!(after(400, "extra_content: unknown field", &body), Some(unknown));
        assert_eq!(after(400, "content must be a string", &body), Some(content));
        assert_eq!(after(400, "something else", &body), None);
        assert_eq!(after(500, "content must be a string", &body), None);
        assert_eq!(after(400, "content must be a string", &json!({"messages": []})), None);
    }
}
