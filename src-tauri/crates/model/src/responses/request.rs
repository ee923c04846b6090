//! A turn's request as the Responses format writes it.

use std::collections::VecDeque;

use serde_json::{Map, Value, json};

use crate::base64_images::without_base64_images;
use crate::dialect::{Dialect, SealedReasoning, Thoughts};
use crate::message::{AssistantMessage, Image, Message, ToolCall};
use crate::model::ToolSpec;
use crate::responses::ITEMS;
use crate::wire::{Ask, Images, call_id, text, tool_name};

pub(super) fn body(&Ask { model, images, request, dialect }: &Ask<'_>) -> Value {
    let mut body = json!({"model": model});
    if !request.instructions.is_empty() {
        body["instructions"] = json!(request.instructions);
    }
    let items = request.messages.iter().flat_map(|message| wire_items(message, images, dialect));
    body["input"] = items.collect();
    if !request.tools.is_empty() {
        body["tools"] = request.tools.iter().map(wire_tool).collect();
    }
    body["max_output_tokens"] = json!(dialect.output_tokens(request));
    dialect.write_temperature(&mut body, request);
    body["stream"] = json!(true);
    body["store"] = json!(false);
    if dialect.reasoning == SealedReasoning::AskedFor {
        body["include"] = json!(["reasoning.encrypted_content"]);
    }
    body
}

/// Strict arguments would ask for schemas without optional fields.
fn wire_tool(tool: &ToolSpec) -> Value {
    json!({
        "type": "function", "name": tool.name, "description": tool.description,
        "parameters": tool.parameters, "strict": false,
    })
}

fn wire_items(message: &Message, images: Images, dialect: Dialect) -> Vec<Value> {
    match message {
        Message::User { text, images: shown } if shown.is_empty() || images == Images::LeftOut => {
            vec![json!({"type": "message", "role": "user", "content": text})]
        }
        Message::User { text, images: shown } => {
            let mut parts = vec![json!({"type": "input_text", "text": text})];
            parts.extend(shown.iter().map(wire_image));
            vec![json!({"type": "message", "role": "user", "content": parts})]
        }
        Message::Tool(result) => vec![json!({
            "type": "function_call_output",
            "call_id": call_id(&result.call_id),
            "output": without_base64_images(&result.text),
        })],
        Message::Assistant(answer) => answer_items(answer, dialect),
    }
}

fn wire_image(image: &Image) -> Value {
    let url = format!("data:{};base64,{}", image.media_type, image.base64);
    json!({"type": "input_image", "image_url": url})
}

/// The answer's items in the order in which they came; what has no place of its own comes at the end.
fn answer_items(answer: &AssistantMessage, dialect: Dialect) -> Vec<Value> {
    let mut text_left = (!answer.text.is_empty()).then_some(answer.text.as_str());
    let mut calls: VecDeque<&ToolCall> = answer.calls.iter().collect();
    let mut items = Vec::new();
    for item in answer.extra.get(ITEMS).and_then(Value::as_array).into_iter().flatten() {
        match text(item, "type") {
            "message" => {
                items.extend(text_left.take().map(|text| wire_text(text, item.as_object(), dialect)));
            }
            "function_call" => items.extend(calls.pop_front().map(|call| wire_call(call, dialect))),
            _ if dialect.thoughts == Thoughts::Sent => items.push(item.clone()),
            _ => {}
        }
    }
    items.extend(text_left.map(|text| wire_text(text, None, dialect)));
    items.extend(calls.into_iter().map(|call| wire_call(call, dialect)));
    items
}

fn wire_text(text: &str, kept: Option<&Map<String, Value>>, dialect: Dialect) -> Value {
    let mut wire = Map::new();
    wire.insert("type".into(), json!("message"));
    wire.insert("role".into(), json!("assistant"));
    wire.insert("content".into(), json!([{"type": "output_text", "text": text, "annotations": []}]));
    add_unknown(&mut wire, kept, dialect);
    Value::Object(wire)
}

fn wire_call(call: &ToolCall, dialect: Dialect) -> Value {
    let mut wire = Map::new();
    wire.insert("type".into(), json!("function_call"));
    wire.insert("call_id".into(), json!(call_id(&call.id)));
    wire.insert("name".into(), json!(tool_name(&call.name)));
    wire.insert("arguments".into(), json!(call.arguments.to_string()));
    add_unknown(&mut wire, Some(&call.extra), dialect);
    Value::Object(wire)
}

fn add_unknown(wire: &mut Map<String, Value>, unknown: Option<&Map<String, Value>>, dialect: Dialect) {
    if dialect.thoughts == Thoughts::Sent {
        for (name, value) in unknown.into_iter().flatten() {
            wire.entry(name).or_insert_with(|| value.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn field_081_items_go_back_in_their_order_and_only_where_they_are_welcome() {
        let reasoning = json!({"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "abc"});
        let items = json!([
            reasoning,
            {"type": "message", "id": "msg_1", "status": "completed"},
            {"type": "function_call"},
            {"type": "something_new", "x": 1},
        ]);
        let call = |id: &str| ToolCall {
            id: id.into(),
            name: "run_python".into(),
            arguments: json!({"code": "1"}),
            broken: None,
            extra: Map::from_iter([("id".to_owned(), json!("fc_1"))]),
        };
        let answer = AssistantMessage {
            text: "So.".into(),
            calls: vec![call("a"), call("b")],
            extra: Map::from_iter([(ITEMS.to_owned(), items)]),
        };
        let content = json!([{"type": "output_text", "text": "So.", "annotations": []}]);
        let wire = |id: &str| {
            json!({
                "type": "function_call", "call_id": id, "name": "run_python", "arguments": "{\"code\":\"1\"}", "id": "fc_1",
            })
        };
        assert_eq!(
            answer_items(&answer, Dialect::default()),
            [
                reasoning,
                json!({"type": "message", "role": "assistant", "content": content, "id": "msg_1", "status": "completed"}),
                wire("a"),
                json!({"type": "something_new", "x": 1}),
                wire("b"),
            ]
        );
        let plain = Dialect { thoughts: Thoughts::LeftOut, ..Dialect::default() };
        let kinds: Vec<Value> =
            answer_items(&answer, plain).iter().map(|item| item["type"].clone()).collect();
        assert_eq!(kinds, ["message", "function_call", "function_call"]);
        assert!(answer_items(&answer, plain).iter().all(|item| item.get("id").is_none()));
    }
}
