//! A turn's request as the Chat Completions format writes it.

use serde_json::{Map, Value, json};

use crate::base64_images::without_base64_images;
use crate::dialect::{Dialect, EmptyContent, OutputLimit, UnknownFields, UsageWish};
use crate::message::{AssistantMessage, Image, Message, ToolCall};
use crate::model::ToolSpec;
use crate::wire::{Ask, Images, tool_name};

/// The fields of an assistant message that this format defines; all others are kept as they came.
pub(crate) const KNOWN_FIELDS: &[&str] =
    &["role", "content", "tool_calls", "refusal", "annotations", "audio", "function_call", "name"];

/// The fields of a tool call that this format defines.
pub(crate) const KNOWN_CALL_FIELDS: &[&str] = &["index", "id", "type", "function"];

pub(super) fn body(&Ask { model, images, request, dialect }: &Ask<'_>) -> Value {
    let mut messages = Vec::with_capacity(request.messages.len() + 1);
    if !request.instructions.is_empty() {
        messages.push(json!({"role": "system", "content": request.instructions}));
    }
    messages.extend(request.messages.iter().map(|message| wire_message(message, images, dialect)));

    let mut body = json!({"model": model, "messages": messages, "stream": true});
    if dialect.usage == UsageWish::Sent {
        body["stream_options"] = json!({"include_usage": true});
    }
    let limit = match dialect.output_limit {
        OutputLimit::MaxTokens => "max_tokens",
        OutputLimit::MaxCompletionTokens => "max_completion_tokens",
    };
    body[limit] = json!(dialect.output_tokens(request));
    dialect.write_temperature(&mut body, request);
    if !request.tools.is_empty() {
        body["tools"] = request.tools.iter().map(wire_tool).collect();
    }
    body
}

fn wire_tool(tool: &ToolSpec) -> Value {
    json!({"type": "function", "function": {
        "name": tool.name, "description": tool.description, "parameters": tool.parameters,
    }})
}

fn wire_message(message: &Message, sees: Images, dialect: Dialect) -> Value {
    match message {
        Message::User { text, images } if images.is_empty() || sees == Images::LeftOut => {
            json!({"role": "user", "content": text})
        }
        Message::User { text, images } => {
            let mut parts = vec![json!({"type": "text", "text": text})];
            parts.extend(images.iter().map(wire_image));
            json!({"role": "user", "content": parts})
        }
        Message::Assistant(answer) => wire_answer(answer, dialect),
        Message::Tool(result) => json!({
            "role": "tool",
            "tool_call_id": result.call_id,
            "content": without_base64_images(&result.text),
        }),
    }
}

fn wire_image(image: &Image) -> Value {
    let url = format!("data:{};base64,{}", image.media_type, image.base64);
    json!({"type": "image_url", "image_url": {"url": url}})
}

fn wire_answer(answer: &AssistantMessage, dialect: Dialect) -> Value {
    let content = match dialect.empty_content {
        EmptyContent::Null if answer.text.is_empty() && !answer.calls.is_empty() => Value::Null,
        _ => json!(answer.text),
    };
    let mut message = Map::new();
    message.insert("role".into(), json!("assistant"));
    message.insert("content".into(), content);
    if !answer.calls.is_empty() {
        let calls = answer.calls.iter().map(|call| wire_call(call, dialect)).collect();
        message.insert("tool_calls".into(), calls);
    }
    add_unknown(&mut message, &answer.extra, dialect);
    Value::Object(message)
}

fn wire_call(call: &ToolCall, dialect: Dialect) -> Value {
    let mut wire = Map::new();
    wire.insert("id".into(), json!(call.id));
    wire.insert("type".into(), json!("function"));
    let function = json!({"name": tool_name(&call.name), "arguments": call.arguments.to_string()});
    wire.insert("function".into(), function);
    add_unknown(&mut wire, &call.extra, dialect);
    Value::Object(wire)
}

fn add_unknown(message: &mut Map<String, Value>, unknown: &Map<String, Value>, dialect: Dialect) {
    if dialect.unknown_fields == UnknownFields::Sent {
        for (name, value) in unknown {
            message.entry(name).or_insert_with(|| value.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::ToolResult;
    use crate::model::TurnRequest;

    fn call(name: &str, arguments: Value) -> ToolCall {
        ToolCall { id: "c1".into(), name: name.into(), arguments, broken: None, extra: Map::new() }
    }

    fn messages(messages: Vec<Message>, images: Images) -> Value {
        let request = TurnRequest {
            instructions: String::new(),
            messages,
            tools: Vec::new(),
            max_output_tokens: 1,
            temperature: None,
        };
        body(&Ask { model: "m", images, request: &request, dialect: Dialect::default() })["messages"].take()
    }

    #[test]
    fn field_051_images_are_parts_of_user_messages_only() {
        let image = Image { media_type: "image/png".into(), base64: "aGk=".into() };
        let conversation = vec![
            Message::User { text: "look".into(), images: vec![image] },
            Message::Tool(ToolResult {
                call_id: "c1".into(),
                text: format!("saved data:image/png;base64,{} done", "iVBORw0K".repeat(20)),
            }),
        ];
        assert_eq!(
            messages(conversation.clone(), Images::Sent),
            json!([
                {"role": "user", "content": [
                    {"type": "text", "text": "look"},
                    {"type": "image_url", "image_url": {"url": "data:image/png;base64,aGk="}},
                ]},
                {"role": "tool", "tool_call_id": "c1", "content": "saved [image/png, 160 characters of base64 left out] done"},
            ])
        );
        assert_eq!(messages(conversation, Images::LeftOut)[0], json!({"role": "user", "content": "look"}));
    }

    #[test]
    fn field_081_and_082_unknown_fields_go_back_where_they_came_from() {
        let signature = json!({"google": {"thought_signature": "sig"}});
        let mut call = call("run_python", json!({"code": "1"}));
        call.extra.insert("extra_content".into(), signature.clone());
        let mut answer = AssistantMessage { calls: vec![call], ..AssistantMessage::default() };
        answer.extra.insert("reasoning_content".into(), json!("hm"));
        answer.extra.insert("role".into(), json!("system"));
        assert_eq!(
            messages(vec![Message::Assistant(answer)], Images::LeftOut),
            json!([{
                "role": "assistant",
                "content": null,
                "tool_calls": [{
                    "id": "c1",
                    "type": "function",
                    "function": {"name": "run_python", "arguments": "{\"code\":\"1\"}"},
                    "extra_content": signature,
                }],
                "reasoning_content": "hm",
            }])
        );
    }
}
