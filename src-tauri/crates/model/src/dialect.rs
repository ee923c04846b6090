//! How one server wants its requests written where servers differ.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::chat_completions::{KNOWN_CALL_FIELDS, KNOWN_FIELDS};
use crate::failure::Failure;
use crate::model::{ToolUse, TurnRequest};
use crate::stated_limits::{smaller_output, stated_context};
use crate::wire::{Images, text};

/// The form that a server is known, or hoped, to accept. Learnt from its refusals, kept between runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Dialect {
    pub(crate) output_limit: OutputLimit,
    pub(crate) empty_content: EmptyContent,
    pub(crate) usage: UsageWish,
    pub(crate) unknown_fields: UnknownFields,
    pub(crate) reasoning: SealedReasoning,
    pub(crate) temperature: Temperature,
    /// Thoughts are refused where another model made them, or the key changed: that is a matter of one
    /// conversation, and not kept.
    #[serde(skip)]
    pub(crate) thoughts: Thoughts,
    /// Pictures may be refused for what they are as well as for being pictures, so this is not kept either.
    #[serde(skip)]
    pub(crate) images: Images,
    /// How the model asks for tools; nothing is known as long as nothing was refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tools: Option<ToolUse>,
    /// The longest answer that the server lets a request ask for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) longest_output: Option<u32>,
    /// The length of a conversation and its answer, as a refusal told it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) context_tokens: Option<u64>,
}

/// The name of the output limit in Chat Completions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum OutputLimit {
    #[default]
    MaxTokens,
    MaxCompletionTokens,
}

/// The content of an assistant message that has tool calls and no text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum EmptyContent {
    #[default]
    Null,
    EmptyText,
}

/// Whether the request asks for the token counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum UsageWish {
    #[default]
    Sent,
    LeftOut,
}

/// Whether what the provider added to an answer beyond the format is sent back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum UnknownFields {
    #[default]
    Sent,
    LeftOut,
}

/// Whether the model's own thoughts, sealed or signed, go back with its answers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Thoughts {
    #[default]
    Sent,
    LeftOut,
}

/// Whether the wished temperature is sent; models that reason refuse it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Temperature {
    #[default]
    Sent,
    LeftOut,
}

/// Whether Responses is asked for its reasoning in sealed form, to be sent back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SealedReasoning {
    #[default]
    AskedFor,
    LeftOut,
}

impl Dialect {
    /// What was learnt before. What cannot be read is learnt anew.
    pub(crate) fn from_learnt(learnt: Option<&Value>) -> Self {
        learnt.and_then(|learnt| serde_json::from_value(learnt.clone()).ok()).unwrap_or_default()
    }

    /// How long an answer to ask for.
    pub(crate) fn output_tokens(self, request: &TurnRequest) -> u32 {
        self.longest_output.map_or(request.max_output_tokens, |most| most.min(request.max_output_tokens))
    }

    /// Writes the wished temperature where there is one and the server takes it.
    pub(crate) fn write_temperature(self, body: &mut Value, request: &TurnRequest) {
        if let (Some(temperature), Temperature::Sent) = (request.temperature, self.temperature) {
            body["temperature"] = json!(temperature);
        }
    }

    /// Keeps what a refusal says of the length of conversations.
    pub(crate) fn noting(self, failure: &Failure) -> Self {
        let stated = failure.is_too_long().then(|| stated_context(&failure.body)).flatten();
        Self { context_tokens: stated.or(self.context_tokens), ..self }
    }

    /// The form to try next after a server found fault with this one, if its words point to
    /// something in the request that can be written otherwise. Each point changes once at most; the
    /// output limit only falls.
    pub(crate) fn after(self, failure: &Failure, body: &Value) -> Option<Self> {
        let mut next = self;
        let names = |field: &str| failure.body.contains(field);
        let refuses_thoughts = || REFUSED_THOUGHTS.iter().any(|words| names(words));
        if failure.is_about_tools() && body.get("tools").is_some() {
            next.tools = Some(ToolUse::Text);
        } else if matches!(failure.status, 400 | 404) && has_thoughts(body) && refuses_thoughts() {
            next.thoughts = Thoughts::LeftOut;
        } else if failure.is_about_images() && has_images(body) {
            next.images = Images::LeftOut;
        } else if failure.is_about_the_form() {
            next = self.after_fault(failure, body);
        }
        (next != self).then_some(next)
    }

    fn after_fault(self, failure: &Failure, body: &Value) -> Self {
        let mut next = self;
        let names = |field: &str| failure.body.contains(field);
        let asked = ["max_tokens", "max_completion_tokens", "max_output_tokens"]
            .iter()
            .find_map(|name| body.get(*name)?.as_u64());
        if let Some(most) = asked.and_then(|asked| smaller_output(&failure.body, asked)) {
            next.longest_output = Some(most);
        } else if body.get("max_tokens").is_some() && names("max_completion_tokens") {
            next.output_limit = OutputLimit::MaxCompletionTokens;
        } else if body.get("stream_options").is_some() && names("stream_options") {
            next.usage = UsageWish::LeftOut;
        } else if body.get("include").is_some() && (names("ncrypted content") || names("encrypted_content")) {
            next.reasoning = SealedReasoning::LeftOut;
        } else if body.get("temperature").is_some() && names("temperature") {
            next.temperature = Temperature::LeftOut;
        } else if unknown_fields(body).any(names) {
            next.unknown_fields = UnknownFields::LeftOut;
        } else if messages(body).any(|message| message["content"].is_null()) && names("content") {
            next.empty_content = EmptyContent::EmptyText;
        }
        next
    }
}

/// How providers say that thoughts cannot go back.
const REFUSED_THOUGHTS: &[&str] = &[
    "Item with id",
    "Item '",
    "could not be verified",
    "could not be decrypted",
    "`signature`",
    "`thinking`",
];

fn messages(body: &Value) -> impl Iterator<Item = &Value> {
    body["messages"].as_array().into_iter().flatten()
}

fn has_images(body: &Value) -> bool {
    let entries = messages(body).chain(body["input"].as_array().into_iter().flatten());
    let mut parts = entries.flat_map(|entry| entry["content"].as_array().into_iter().flatten());
    parts.any(|part| matches!(text(part, "type"), "image_url" | "input_image" | "image"))
}

/// Whether a request sends back what only its provider can read: items under its own ids, or signed blocks.
fn has_thoughts(body: &Value) -> bool {
    let mut items = body["input"].as_array().into_iter().flatten();
    let mut blocks = messages(body).flat_map(|message| message["content"].as_array().into_iter().flatten());
    items.any(|item| item["type"] == "reasoning" || item.get("id").is_some())
        || blocks.any(|block| matches!(text(block, "type"), "thinking" | "redacted_thinking"))
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

    fn after(status: u16, told: &str, body: &Value) -> Option<Dialect> {
        Dialect::default().after(&Failure { status, retry_after: None, body: told.into() }, body)
    }

    #[test]
    fn each_point_is_learnt_from_a_refusal_that_names_it() {
        let body = json!({
            "max_tokens": 1,
            "stream_options": {},
            "temperature": 0.0,
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
        let temperature = Dialect { temperature: Temperature::LeftOut, ..default };
        assert_eq!(
            after(400, "Unsupported value: 'temperature' does not support 0 with this model.", &body),
            Some(temperature)
        );
        assert_eq!(after(422, "stream_options: extra fields not permitted", &body), Some(usage));
        assert_eq!(after(400, "property 'reasoning' is unsupported", &body), Some(unknown));
        assert_eq!(after(400, "extra_content: unknown field", &body), Some(unknown));
        assert_eq!(after(400, "content must be a string", &body), Some(content));
        assert_eq!(after(400, "something else", &body), None);
        assert_eq!(after(500, "content must be a string", &body), None);
        assert_eq!(after(400, "content must be a string", &json!({"messages": []})), None);
    }

    #[test]
    fn responses_without_sealed_reasoning_or_kept_items_are_asked_for_less() {
        let body = json!({"include": ["reasoning.encrypted_content"], "input": [{"type": "reasoning", "id": "rs_1"}]});
        let sealed = Dialect { reasoning: SealedReasoning::LeftOut, ..Dialect::default() };
        let items = Dialect { thoughts: Thoughts::LeftOut, ..Dialect::default() };
        assert_eq!(after(400, "Encrypted content is not supported with this model.", &body), Some(sealed));
        assert_eq!(after(404, "Item with id 'rs_1' not found.", &body), Some(items));
        assert_eq!(
            after(400, "The encrypted content for item rs_1 could not be verified.", &body),
            Some(items)
        );
        assert_eq!(after(404, "Item with id 'rs_1' not found.", &json!({"input": []})), None);
        let signed = json!({"messages": [{"role": "assistant", "content": [{"type": "thinking"}]}]});
        let told = "messages.1.content.0: Invalid `signature` in `thinking` block";
        assert_eq!(after(400, told, &signed), Some(items));
        assert_eq!(serde_json::to_value(items).ok(), serde_json::to_value(Dialect::default()).ok());
    }

    #[test]
    fn field_085_models_without_tools_are_asked_in_text() {
        let text = Dialect { tools: Some(ToolUse::Text), ..Dialect::default() };
        for (status, told) in [
            (400, "registry.ollama.ai/library/gemma:2b does not support tools"),
            (404, "No endpoints found that support tool use."),
            (500, "tools param requires --jinja flag"),
            (
                400,
                "\\\"auto\\\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set",
            ),
            (400, "`tool calling` is not supported with this model"),
            (400, "deepseek-reasoner does not support Function Calling"),
        ] {
            assert_eq!(after(status, told, &json!({"tools": []})), Some(text), "{told}");
            assert_eq!(after(status, told, &json!({"messages": []})), None, "{told}");
        }
        assert_eq!(after(400, "tools[0].function.name is invalid", &json!({"tools": []})), None);
    }

    #[test]
    fn pictures_that_are_refused_are_left_out() {
        let blind = Dialect { images: Images::LeftOut, ..Dialect::default() };
        let seeing = json!({"messages": [{"role": "user", "content": [{"type": "image_url"}]}]});
        for (status, told) in [
            (400, "image input is not supported by this model"),
            (404, "No endpoints found that support image input"),
            (
                500,
                "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj",
            ),
            (400, "unknown variant `image_url`, expected `text`"),
            (400, "This model does not support vision"),
        ] {
            assert_eq!(after(status, told, &seeing), Some(blind), "{told}");
            assert_eq!(after(status, told, &json!({"messages": []})), None, "{told}");
        }
    }

    #[test]
    fn a_smaller_output_is_learnt_and_kept() {
        let told = "max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens";
        let next = after(400, told, &json!({"max_tokens": 100_000})).expect("another form");
        assert_eq!(next, Dialect { longest_output: Some(64_000), ..Dialect::default() });
        assert_eq!(Dialect::from_learnt(serde_json::to_value(next).ok().as_ref()), next);
        assert_eq!(Dialect::from_learnt(Some(&json!({"usage": "often"}))), Dialect::default());
        assert_eq!(Dialect::from_learnt(None), Dialect::default());
    }
}
