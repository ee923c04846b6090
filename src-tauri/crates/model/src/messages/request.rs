//! A turn's request as the Messages format writes it.

use std::collections::VecDeque;

use serde_json::{Map, Value, json};

use crate::base64_images::without_base64_images;
use crate::dialect::{Dialect, Thoughts};
use crate::message::{AssistantMessage, Image, Message, ToolCall};
use crate::messages::BLOCKS;
use crate::model::ToolSpec;
use crate::wire::{Ask, Images, call_id, text, tool_name};

pub(super) fn body(&Ask { model, images, request, dialect }: &Ask<'_>) -> Value {
    let mut body = json!({
        "model": model,
        "max_tokens": dialect.output_tokens(request),
        "stream": true,
    });
    dialect.write_temperature(&mut body, request);
    if !request.tools.is_empty() {
        body["tools"] = request.tools.iter().map(wire_tool).collect();
    }
    if !request.instructions.is_empty() {
        body["system"] = json!([{"type": "text", "text": request.instructions}]);
    }
    body["messages"] = wire_messages(&request.messages, images, dialect).into();
    mark_for_cache(&mut body);
    body
}

/// The server keeps what it read up to two marks: the tools and instructions, which never change, and the
/// whole conversation so far, with which the next request begins.
fn mark_for_cache(body: &mut Value) {
    let stable = if body["system"].is_array() { "/system" } else { "/tools" };
    let last_message = body["messages"].as_array().map_or(0, Vec::len).wrapping_sub(1);
    for place in [stable.to_owned(), format!("/messages/{last_message}/content")] {
        let blocks = body.pointer_mut(&place).and_then(Value::as_array_mut);
        if let Some(Value::Object(last)) = blocks.and_then(|blocks| blocks.last_mut()) {
            last.insert("cache_control".into(), json!({"type": "ephemeral"}));
        }
    }
}

fn wire_tool(tool: &ToolSpec) -> Value {
    json!({"name": tool.name, "description": tool.description, "input_schema": tool.parameters})
}

/// The results of one answer's calls have to stand in one message, right behind it, so all that follows
/// an answer becomes one message.
fn wire_messages(messages: &[Message], images: Images, dialect: Dialect) -> Vec<Value> {
    let mut wire: Vec<Value> = Vec::with_capacity(messages.len());
    for message in messages {
        let (role, blocks) = match message {
            Message::User { text, images: shown } => ("user", user_blocks(text, shown, images)),
            Message::Tool(result) => (
                "user",
                vec![json!({
                    "type": "tool_result",
                    "tool_use_id": call_id(&result.call_id),
                    "content": without_base64_images(&result.text),
                })],
            ),
            Message::Assistant(answer) => ("assistant", answer_blocks(answer, dialect)),
        };
        if blocks.is_empty() {
            continue;
        }
        match wire.last_mut() {
            Some(last) if last["role"] == role => {
                if let Some(content) = last["content"].as_array_mut() {
                    content.extend(blocks);
                }
            }
            _ => wire.push(json!({"role": role, "content": blocks})),
        }
    }
    wire
}

fn user_blocks(text: &str, shown: &[Image], images: Images) -> Vec<Value> {
    let mut blocks = text_block(text);
    if images == Images::Sent {
        blocks.extend(shown.iter().map(|image| {
            json!({"type": "image", "source": {
                "type": "base64", "media_type": image.media_type, "data": image.base64,
            }})
        }));
    }
    blocks
}

/// A text without any letter is refused.
fn text_block(text: &str) -> Vec<Value> {
    if text.trim().is_empty() { Vec::new() } else { vec![json!({"type": "text", "text": text})] }
}

/// The answer's blocks in the order in which they came; what has no place of its own comes at the end.
fn answer_blocks(answer: &AssistantMessage, dialect: Dialect) -> Vec<Value> {
    let mut text_left = text_block(answer.text.trim_end());
    let mut calls: VecDeque<&ToolCall> = answer.calls.iter().collect();
    let mut blocks = Vec::new();
    for block in answer.extra.get(BLOCKS).and_then(Value::as_array).into_iter().flatten() {
        match text(block, "type") {
            "text" => blocks.append(&mut text_left),
            "tool_use" => blocks.extend(calls.pop_front().map(|call| wire_call(call, dialect))),
            _ if dialect.thoughts == Thoughts::Sent => blocks.push(block.clone()),
            _ => {}
        }
    }
    blocks.append(&mut text_left);
    blocks.extend(calls.into_iter().map(|call| wire_call(call, dialect)));
    // An answer of thoughts alone is refused.
    if blocks.iter().all(|block| !matches!(text(block, "type"), "text" | "tool_use")) {
        blocks.clear();
    }
    blocks
}

fn wire_call(call: &ToolCall, dialect: Dialect) -> Value {
    let mut wire = Map::new();
    wire.insert("type".into(), json!("tool_use"));
    wire.insert("id".into(), json!(call_id(&call.id)));
    wire.insert("name".into(), json!(tool_name(&call.name)));
    wire.insert("input".into(), call.arguments.clone());
    if dialect.thoughts == Thoughts::Sent {
        for (name, value) in &call.extra {
            wire.entry(name).or_insert_with(|| value.clone());
        }
    }
    Value::Object(wire)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::ToolResult;
    use crate::model::TurnRequest;

    fn messages(messages: Vec<Message>) -> Value {
        let request = TurnRequest {
            instructions: String::new(),
            messages,
            tools: Vec::new(),
            max_output_tokens: 1,
            temperature: None,
        };
        let ask = Ask { model: "m", images: Images::LeftOut, request: &request, dialect: Dialect::default() };
        body(&ask)["messages"].take()
    }

    fn call(id: &str) -> ToolCall {
        ToolCall {
            id: id.into(),
            name: "run_python".into(),
            arguments: json!({"code": "1"}),
            broken: None,
            extra: Map::new(),
        }
    }

    #[test]
    fn results_of_one_answer_stand_together_and_blocks_keep_their_order() {
        let thought = json!({"type": "thinking", "thinking": "Hm.", "signature": "c2ln"});
        let blocks = json!([thought, {"type": "tool_use"}, {"type": "text"}, {"type": "tool_use"}]);
        let extra = Map::from_iter([(BLOCKS.to_owned(), blocks)]);
        let calls = vec![call("a"), call("functions.b:0")];
        let result = |id: &str| Message::Tool(ToolResult { call_id: id.into(), text: "1".into() });
        let use_of =
            |id: &str| json!({"type": "tool_use", "id": id, "name": "run_python", "input": {"code": "1"}});
        assert_eq!(
            messages(vec![
                Message::user("Hello"),
                Message::Assistant(AssistantMessage { text: "So.".into(), calls, extra }),
                result("a"),
                result("functions.b:0"),
                Message::Assistant(AssistantMessage::default()),
                Message::user("Go on."),
            ]),
            json!([
                {"role": "user", "content": [{"type": "text", "text": "Hello"}]},
                {"role": "assistant", "content": [
                    thought, use_of("a"), {"type": "text", "text": "So."}, use_of("functions_b_0"),
                ]},
                {"role": "user", "content": [
                    {"type": "tool_result", "tool_use_id": "a", "content": "1"},
                    {"type": "tool_result", "tool_use_id": "functions_b_0", "content": "1"},
                    {"type": "text", "text": "Go on.", "cache_control": {"type": "ephemeral"}},
                ]},
            ])
        );
    }

    #[test]
    fn field_081_an_answer_of_another_provider_is_written_from_its_text_and_calls() {
        let extra = Map::from_iter([("reasoning_content".to_owned(), json!("Hm."))]);
        let answer = AssistantMessage { text: "So.".into(), calls: vec![call("a")], extra };
        assert_eq!(
            messages(vec![Message::Assistant(answer)])[0]["content"],
            json!([
                {"type": "text", "text": "So."},
                {"type": "tool_use", "id": "a", "name": "run_python", "input": {"code": "1"},
                 "cache_control": {"type": "ephemeral"}},
            ])
        );
    }
}
