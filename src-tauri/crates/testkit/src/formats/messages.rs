//! Messages, in the shape of Anthropic's API reference.

use serde_json::{Value, json};

use super::{Answer, call_id, portions};

pub(super) fn events(answer: &Answer, request: usize) -> Vec<Value> {
    let (input, output) = answer.usage.unwrap_or((100, 10));
    let mut stream = Stream { events: Vec::new(), blocks: 0 };
    let usage = json!({
        "input_tokens": input, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0,
        "output_tokens": 1,
    });
    let message = json!({
        "id": format!("msg_{request}"), "type": "message", "role": "assistant", "model": "scripted",
        "content": [], "stop_reason": null, "stop_sequence": null, "usage": usage,
    });
    stream.events.push(json!({"type": "message_start", "message": message}));
    stream.events.push(json!({"type": "ping"}));
    if !answer.thought.is_empty() {
        let thoughts =
            portions(&answer.thought, 7).map(|part| json!({"type": "thinking_delta", "thinking": part}));
        let signature = json!({"type": "signature_delta", "signature": "c2lnbmVk"});
        stream.block(
            &json!({"type": "thinking", "thinking": "", "signature": ""}),
            thoughts.chain([signature]),
        );
    }
    if !answer.text.is_empty() {
        let texts = portions(&answer.text, 7).map(|part| json!({"type": "text_delta", "text": part}));
        stream.block(&json!({"type": "text", "text": ""}), texts);
    }
    for (place, (tool, arguments)) in answer.calls.iter().enumerate() {
        let block = json!({"type": "tool_use", "id": call_id(request, place), "name": tool, "input": {}});
        let pieces = [String::new()].into_iter().chain(portions(arguments, 11));
        stream.block(&block, pieces.map(|part| json!({"type": "input_json_delta", "partial_json": part})));
    }
    let reason = match answer.finish.as_deref() {
        Some("length") => "max_tokens",
        Some("content_filter") => "refusal",
        Some(reason) => reason,
        None if answer.calls.is_empty() => "end_turn",
        None => "tool_use",
    };
    stream.events.push(json!({
        "type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": null},
        "usage": {"output_tokens": output},
    }));
    stream.events.push(json!({"type": "message_stop"}));
    stream.events
}

struct Stream {
    events: Vec<Value>,
    blocks: usize,
}

impl Stream {
    fn block(&mut self, block: &Value, deltas: impl Iterator<Item = Value>) {
        let index = self.blocks;
        self.blocks += 1;
        self.events.push(json!({"type": "content_block_start", "index": index, "content_block": block}));
        let delta = |delta| json!({"type": "content_block_delta", "index": index, "delta": delta});
        self.events.extend(deltas.map(delta));
        self.events.push(json!({"type": "content_block_stop", "index": index}));
    }
}
