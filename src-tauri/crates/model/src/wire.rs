//! The wire formats, and what each of them has to provide.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use crate::answer::Answer;
use crate::chat_completions::ChatCompletions;
use crate::dialect::Dialect;
use crate::failure::Failure;
use crate::messages::Messages;
use crate::model::{DeltaSink, TurnRequest};
use crate::responses::Responses;

/// How requests and answers are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Wire {
    /// `/chat/completions`, which nearly every server speaks.
    #[default]
    ChatCompletions,
    /// OpenAI's `/responses`.
    Responses,
    /// Anthropic's `/messages`.
    Messages,
}

impl Wire {
    pub(crate) fn format(self) -> &'static dyn Format {
        match self {
            Self::ChatCompletions => &ChatCompletions,
            Self::Responses => &Responses,
            Self::Messages => &Messages,
        }
    }
}

/// One wire format: it writes requests and reads answers, and sends nothing itself.
pub(crate) trait Format: Send + Sync {
    /// Where requests go, below the base URL.
    fn path(&self) -> &'static [&'static str];

    /// The body to send. The same question always gives the same bytes, and a longer conversation the
    /// same beginning, so that servers can reuse what they have already read.
    fn body(&self, ask: &Ask<'_>) -> Value;

    /// A reader for one answer.
    fn reader(&self) -> Box<dyn Reader>;
}

/// What a request is made of.
pub(crate) struct Ask<'a> {
    /// The model's name there.
    pub(crate) model: &'a str,
    /// Whether the model is shown pictures.
    pub(crate) images: Images,
    /// What it is asked.
    pub(crate) request: &'a TurnRequest,
    /// How this server wants it.
    pub(crate) dialect: Dialect,
}

/// Whether pictures are sent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Images {
    #[default]
    Sent,
    LeftOut,
}

/// Reads one answer: the events of its stream, or the whole of it as one value.
pub(crate) trait Reader: Send {
    /// Takes the next piece. Kinds of pieces that are not known are passed over.
    fn push(
        &mut self,
        piece: &Value,
        answer: &mut Answer<'_>,
        sink: &mut DeltaSink<'_>,
    ) -> Result<Progress, Failure>;
}

/// How far an answer is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Progress {
    /// There is more to come.
    #[default]
    Going,
    /// The answer is whole; its token counts may follow.
    Whole,
    /// Nothing follows.
    Over,
}

/// The text at this place; empty where there is none.
pub(crate) fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// The list at this place; empty where there is none.
pub(crate) fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value.get(name).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// The count at this place; zero where there is none.
pub(crate) fn count(value: &Value, name: &str) -> u64 {
    value.get(name).and_then(Value::as_u64).unwrap_or_default()
}

/// A tool's name within the formats' rules: a model may invent one outside of them, and a history with
/// such a name would be refused for good.
pub(crate) fn tool_name(name: &str) -> String {
    within_the_rules(name, "unknown")
}

/// A call's id within the strictest format's rules, for calls that another provider's model made.
pub(crate) fn call_id(id: &str) -> String {
    within_the_rules(id, "call")
}

fn within_the_rules(name: &str, otherwise: &str) -> String {
    let allowed = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    let name: String =
        name.chars().take(64).map(|letter| if allowed(letter) { letter } else { '_' }).collect();
    if name.is_empty() { otherwise.into() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ToolUse;
    use proptest::prelude::*;

    const NAMES: &[&str] = &[
        "type",
        "index",
        "output_index",
        "item_id",
        "id",
        "call_id",
        "name",
        "item",
        "delta",
        "content_block",
        "message",
        "usage",
        "choices",
        "tool_calls",
        "function",
        "arguments",
        "content",
        "text",
        "thinking",
        "input",
        "input_tokens",
        "response",
        "output",
        "status",
        "error",
        "finish_reason",
        "stop_reason",
        "partial_json",
        "signature",
        "refusal",
        "reasoning_content",
        "object",
    ];

    const WORDS: &[&str] = &[
        "",
        "{",
        "{}",
        "text",
        "tool_use",
        "function_call",
        "message",
        "reasoning",
        "thinking",
        "completed",
        "incomplete",
        "length",
        "max_tokens",
        "response",
        "message_start",
        "message_delta",
        "message_stop",
        "content_block_start",
        "content_block_delta",
        "text_delta",
        "thinking_delta",
        "input_json_delta",
        "signature_delta",
        "response.output_item.added",
        "response.output_item.done",
        "response.completed",
        "response.output_text.delta",
        "response.function_call_arguments.delta",
        "<think>",
        "```python\n",
        "é",
    ];

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            prop_oneof![0..4_i64, any::<i64>()].prop_map(Value::from),
            prop::sample::select(WORDS).prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 24, 5, |inner| {
            let name = prop::sample::select(NAMES).prop_map(str::to_owned);
            prop_oneof![
                1 => prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                3 => prop::collection::hash_map(name, inner, 0..5)
                    .prop_map(|fields| Value::Object(fields.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn no_pieces_make_a_reader_fail(pieces in prop::collection::vec(any_json(), 0..6)) {
            let request = TurnRequest {
                instructions: String::new(),
                messages: Vec::new(),
                tools: Vec::new(),
                max_output_tokens: 1,
                temperature: None,
            };
            for wire in [Wire::ChatCompletions, Wire::Responses, Wire::Messages] {
                let mut answer = Answer::new(&request, ToolUse::Text);
                let mut reader = wire.format().reader();
                for piece in &pieces {
                    let _ = reader.push(piece, &mut answer, &mut |_| {});
                }
                let turn = answer.finish(&mut |_| {});
                prop_assert!(turn.message.calls.iter().all(|call| call.arguments.is_object()));
            }
        }
    }

    #[test]
    fn names_outside_the_rules_do_not_poison_the_history() {
        assert_eq!(tool_name("functions.run python"), "functions_run_python");
        assert_eq!(tool_name(""), "unknown");
        assert_eq!(tool_name(&"é".repeat(99)), "_".repeat(64));
        assert_eq!(call_id("functions.run_python:0"), "functions_run_python_0");
    }
}
