//! The conversation, independent of any provider's wire format.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use ts_rs::TS;

/// One entry of a conversation, oldest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "snake_case")]
pub enum Message {
    /// What the person, or the loop on their behalf, says.
    User {
        /// Plain text.
        text: String,
        /// Pictures the model is asked to look at; empty for models that do not see.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        images: Vec<Image>,
    },
    /// What the model answered.
    Assistant(AssistantMessage),
    /// What came of one tool call.
    Tool(ToolResult),
}

impl Message {
    /// A user message without pictures.
    pub fn user(text: impl Into<String>) -> Self {
        Self::User { text: text.into(), images: Vec::new() }
    }
}

/// A model's answer as it is kept in the history.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct AssistantMessage {
    /// The text of the answer; may be empty when there are tool calls.
    pub text: String,
    /// The tool calls, in the order in which they were made. Arguments are always valid.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<ToolCall>,
    /// Fields of the provider's message that this crate does not know (reasoning, signatures).
    /// Sent back unchanged to the same provider and model, dropped for any other.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub extra: Map<String, Value>,
}

impl AssistantMessage {
    /// Drops what only the provider and model that wrote the message understand. To be done with a
    /// conversation that another one continues: it may refuse foreign fields.
    pub fn forget_provider(&mut self) {
        self.extra.clear();
        self.calls.iter_mut().for_each(|call| call.extra.clear());
    }
}

/// A request of the model to run one tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ToolCall {
    /// The provider's id of the call, or one made up where it sent none; unique in the run.
    pub id: String,
    /// The tool's name as the model wrote it.
    pub name: String,
    /// The arguments: a JSON object, or `{}` when what the model sent could not be read.
    pub arguments: Value,
    /// Why the arguments could not be read; such a call is never executed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broken: Option<String>,
    /// Unknown fields of the call, sent back unchanged to the same provider and model.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub extra: Map<String, Value>,
}

/// The bounded answer of a tool, as the model reads it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolResult {
    /// The id of the call that this answers.
    pub call_id: String,
    /// Plain text; never image bytes.
    pub text: String,
}

/// A picture shown to the model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Image {
    /// For example `image/png`.
    pub media_type: String,
    /// The file's bytes in standard base64.
    pub base64: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn field_081_another_provider_gets_no_foreign_fields() {
        let extra = Map::from_iter([("reasoning_content".to_owned(), json!("Hm."))]);
        let call = |extra| ToolCall {
            id: "a".into(),
            name: "run_python".into(),
            arguments: json!({}),
            broken: None,
            extra,
        };
        let mut message = AssistantMessage { calls: vec![call(extra.clone())], extra, ..Default::default() };
        message.forget_provider();
        assert_eq!(message, AssistantMessage { calls: vec![call(Map::new())], ..Default::default() });
    }
}
