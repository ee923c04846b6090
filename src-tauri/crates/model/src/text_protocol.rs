//! A conversation for a model that knows no tool calls: what it can run it writes as a fenced block,
//! and what came of it is told to it.

use serde_json::{Value, json};

use crate::answer::fences::block;
use crate::message::{AssistantMessage, Image, Message, ToolCall};
use crate::model::{Fence, ToolSpec, TurnRequest};

const USE: &str = "\nTo use this, write one block like this and stop after it:\n";

/// The same request with its tools explained in the instructions and its calls written out. Messages of
/// one side in a row become one: many of these models' templates refuse them apart.
pub(crate) fn written(request: &TurnRequest) -> TurnRequest {
    let mut messages: Vec<Message> = Vec::with_capacity(request.messages.len());
    for message in &request.messages {
        let (text, images): (String, &[Image]) = match message {
            Message::User { text, images } => (text.clone(), images),
            Message::Tool(result) => (format!("Result:\n{}", result.text), &[]),
            Message::Assistant(answer) => {
                messages.push(Message::Assistant(written_answer(answer, &request.tools)));
                continue;
            }
        };
        if let Some(Message::User { text: before, images: shown }) = messages.last_mut() {
            before.push_str("\n\n");
            before.push_str(&text);
            shown.extend_from_slice(images);
        } else {
            messages.push(Message::User { text, images: images.to_vec() });
        }
    }
    TurnRequest {
        instructions: format!("{}{}", request.instructions, explanation(&request.tools)),
        messages,
        tools: Vec::new(),
        max_output_tokens: request.max_output_tokens,
        temperature: request.temperature,
    }
}

fn explanation(tools: &[ToolSpec]) -> String {
    let fenced: Vec<(&ToolSpec, &Fence)> =
        tools.iter().filter_map(|tool| Some((tool, tool.fence.as_ref()?))).collect();
    if fenced.is_empty() {
        return String::new();
    }
    let mut text = String::from("\n\nHow to work:");
    for (tool, fence) in fenced {
        let shape = block(fence, &format!("({} here)", fence.argument));
        text.extend(["\n", &tool.description, USE, &shape]);
    }
    text.push_str(
        "\nThe result comes back as the next message. Never write a result yourself. Write one block in each \
         answer. An answer without such a block is your last one.",
    );
    text
}

fn written_answer(answer: &AssistantMessage, tools: &[ToolSpec]) -> AssistantMessage {
    let calls = answer.calls.iter().filter(|call| call.broken.is_none());
    let parts = [answer.text.clone()].into_iter().chain(calls.map(|call| written_call(call, tools)));
    let parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
    AssistantMessage { text: parts.join("\n\n"), calls: Vec::new(), extra: answer.extra.clone() }
}

/// A call of a tool that has no block is written as models write calls: in JSON.
fn written_call(call: &ToolCall, tools: &[ToolSpec]) -> String {
    let fence = tools.iter().find(|tool| tool.name == call.name).and_then(|tool| tool.fence.as_ref());
    let content = fence.and_then(|fence| Some((fence, call.arguments.get(&fence.argument)?.as_str()?)));
    if let Some((fence, content)) = content {
        return block(fence, content);
    }
    let json: Value = json!({"name": call.name, "arguments": call.arguments});
    block(&Fence { language: "json".into(), argument: String::new() }, &json.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::ToolResult;
    use serde_json::Map;

    #[test]
    fn field_085_calls_and_results_become_plain_text() {
        let tool = |name: &str, fence| ToolSpec {
            name: name.into(),
            description: format!("{name} does it."),
            parameters: json!({}),
            fence,
        };
        let python = Fence { language: "python".into(), argument: "code".into() };
        let call = |name: &str, arguments, broken: Option<&str>| ToolCall {
            id: "c".into(),
            name: name.into(),
            arguments,
            broken: broken.map(str::to_owned),
            extra: Map::new(),
        };
        let result = |text: &str| Message::Tool(ToolResult { call_id: "c".into(), text: text.into() });
        let calls = vec![
            call("run_python", json!({"code": "print(1)\n"}), None),
            call("view_image", json!({"path": "a.png"}), None),
            call("run_python", json!({}), Some("cut")),
        ];
        let request = TurnRequest {
            instructions: "Analyse.".into(),
            messages: vec![
                Message::user("Hello"),
                Message::Assistant(AssistantMessage {
                    text: "Let me see.".into(),
                    calls,
                    ..Default::default()
                }),
                result("1"),
                result("cut"),
                Message::user("Go on."),
            ],
            tools: vec![tool("run_python", Some(python)), tool("view_image", None)],
            max_output_tokens: 9,
            temperature: None,
        };
        let written = written(&request);
        assert_eq!(written.tools, []);
        assert_eq!(
            written.instructions,
            "Analyse.\n\nHow to work:\nrun_python does it.\nTo use this, write one block like this and stop after it:\n\
             ```python\n(code here)\n```\nThe result comes back as the next message. Never write a result yourself. \
             Write one block in each answer. An answer without such a block is your last one."
        );
        let answer = "Let me see.\n\n```python\nprint(1)\n```\n\n\
                      ```json\n{\"name\":\"view_image\",\"arguments\":{\"path\":\"a.png\"}}\n```";
        assert_eq!(
            written.messages,
            [
                Message::user("Hello"),
                Message::Assistant(AssistantMessage { text: answer.into(), ..Default::default() }),
                Message::user("Result:\n1\n\nResult:\ncut\n\nGo on."),
            ]
        );
        assert_eq!(explanation(&request.tools[1..]), "");
    }
}
