//! Responses, in the shape of the OpenAI API reference.

use serde_json::{Value, json};

use super::{Answer, call_id, portions};

pub(super) fn events(answer: &Answer, request: usize) -> Vec<Value> {
    let mut stream = Stream { events: Vec::new(), output: Vec::new() };
    let begun = json!({
        "id": format!("resp_{request}"), "object": "response", "created_at": 1_700_000_000,
        "model": "scripted", "status": "in_progress", "error": null, "incomplete_details": null,
        "output": [], "usage": null,
    });
    stream.push("created", json!({"response": begun}));
    stream.push("in_progress", json!({"response": begun}));
    if !answer.thought.is_empty() {
        stream.reasoning(&answer.thought, &format!("rs_{request}"));
    }
    if !answer.text.is_empty() {
        stream.message(&answer.text, &format!("msg_{request}"));
    }
    let cut = answer.finish.as_deref() == Some("length");
    for (place, (tool, arguments)) in answer.calls.iter().enumerate() {
        let is_last = place + 1 == answer.calls.len();
        let status = if cut && is_last { "incomplete" } else { "completed" };
        stream.call(tool, arguments, &call_id(request, place), status);
    }
    let (input, read) = answer.usage.unwrap_or((100, 10));
    let mut response = begun;
    response["output"] = stream.output.clone().into();
    response["usage"] = json!({
        "input_tokens": input, "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": read, "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": input + read,
    });
    let reason = match answer.finish.as_deref() {
        Some("length") => Some("max_output_tokens"),
        Some("content_filter") => Some("content_filter"),
        _ => None,
    };
    let status = if reason.is_some() { "incomplete" } else { "completed" };
    response["status"] = json!(status);
    if let Some(reason) = reason {
        response["incomplete_details"] = json!({"reason": reason});
    }
    stream.push(status, json!({"response": response}));
    stream.events
}

struct Stream {
    events: Vec<Value>,
    output: Vec<Value>,
}

impl Stream {
    fn push(&mut self, kind: &str, mut fields: Value) {
        fields["type"] = json!(format!("response.{kind}"));
        fields["sequence_number"] = json!(self.events.len());
        self.events.push(fields);
    }

    fn done(&mut self, item: Value) {
        self.push("output_item.done", json!({"output_index": self.output.len(), "item": item}));
        self.output.push(item);
    }

    fn reasoning(&mut self, thought: &str, id: &str) {
        let index = self.output.len();
        let begun = json!({"type": "reasoning", "id": id, "summary": []});
        self.push("output_item.added", json!({"output_index": index, "item": begun}));
        for part in portions(thought, 7) {
            let fields = json!({"output_index": index, "item_id": id, "summary_index": 0, "delta": part});
            self.push("reasoning_summary_text.delta", fields);
        }
        self.done(json!({
            "type": "reasoning", "id": id, "summary": [{"type": "summary_text", "text": thought}],
            "encrypted_content": "c2VhbGVk",
        }));
    }

    fn message(&mut self, text: &str, id: &str) {
        let index = self.output.len();
        let begun =
            json!({"type": "message", "id": id, "role": "assistant", "status": "in_progress", "content": []});
        self.push("output_item.added", json!({"output_index": index, "item": begun}));
        let part = json!({"type": "output_text", "text": "", "annotations": []});
        let place = json!({"output_index": index, "item_id": id, "content_index": 0, "part": part});
        self.push("content_part.added", place);
        for part in portions(text, 7) {
            let fields = json!({"output_index": index, "item_id": id, "content_index": 0, "delta": part});
            self.push("output_text.delta", fields);
        }
        let fields = json!({"output_index": index, "item_id": id, "content_index": 0, "text": text});
        self.push("output_text.done", fields);
        self.done(json!({
            "type": "message", "id": id, "role": "assistant", "status": "completed",
            "content": [{"type": "output_text", "text": text, "annotations": []}],
        }));
    }

    fn call(&mut self, tool: &str, arguments: &str, call_id: &str, status: &str) {
        let index = self.output.len();
        let id = call_id.replace("call_", "fc_");
        let item = |arguments: &str, status: &str| {
            json!({
                "type": "function_call", "id": id, "call_id": call_id, "name": tool,
                "arguments": arguments, "status": status,
            })
        };
        self.push("output_item.added", json!({"output_index": index, "item": item("", "in_progress")}));
        for part in portions(arguments, 11) {
            let fields = json!({"output_index": index, "item_id": id, "delta": part});
            self.push("function_call_arguments.delta", fields);
        }
        let fields = json!({"output_index": index, "item_id": id, "arguments": arguments});
        self.push("function_call_arguments.done", fields);
        self.done(item(arguments, status));
    }
}
