//! Chat Completions, in the shape of the OpenAI API reference.

use serde_json::{Value, json};

use super::{Answer, call_id, portions};

pub(super) fn chunks(answer: &Answer, request: usize) -> Vec<Value> {
    let chunk = |delta: Value, finish: Value| {
        json!({
            "id": format!("chatcmpl-{request}"),
            "object": "chat.completion.chunk",
            "created": 1_700_000_000,
            "model": "scripted",
            "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
        })
    };
    let mut chunks = vec![chunk(json!({"role": "assistant", "content": null}), Value::Null)];
    let thought = portions(&answer.thought, 7);
    chunks.extend(thought.map(|part| chunk(json!({"reasoning_content": part}), Value::Null)));
    chunks.extend(portions(&answer.text, 7).map(|part| chunk(json!({"content": part}), Value::Null)));
    for (index, (tool, arguments)) in answer.calls.iter().enumerate() {
        let opening = json!({
            "index": index, "id": call_id(request, index), "type": "function",
            "function": {"name": tool, "arguments": ""},
        });
        chunks.push(chunk(json!({"tool_calls": [opening]}), Value::Null));
        chunks.extend(portions(arguments, 11).map(|part| {
            let more = json!({"index": index, "function": {"arguments": part}});
            chunk(json!({"tool_calls": [more]}), Value::Null)
        }));
    }
    let natural = if answer.calls.is_empty() { "stop" } else { "tool_calls" };
    chunks.push(chunk(json!({}), answer.finish.as_deref().unwrap_or(natural).into()));
    let (input, output) = answer.usage.unwrap_or((100, 10));
    let mut last = chunk(Value::Null, Value::Null);
    last["choices"] = json!([]);
    last["usage"] = json!({
        "prompt_tokens": input, "completion_tokens": output, "total_tokens": input + output,
    });
    chunks.push(last);
    chunks
}
