#![allow(clippy::needless_pass_by_value, reason = "JSON written in place reads better")]

use super::*;
use crate::answer::arguments::CUT_OFF;
use crate::message::{AssistantMessage, ToolCall};
use crate::model::{Delta, StopReason, ToolUse, Turn, TurnRequest};

fn read(events: &[Value]) -> (Turn, Vec<Delta>) {
    let request = TurnRequest {
        instructions: String::new(),
        messages: Vec::new(),
        tools: Vec::new(),
        max_output_tokens: 100,
        temperature: None,
    };
    let mut deltas = Vec::new();
    let mut sink = |delta| deltas.push(delta);
    let mut answer = Answer::new(&request, ToolUse::Calls);
    let mut reader = EventReader::default();
    for event in events {
        reader.push(event, &mut answer, &mut sink).expect("events without errors");
    }
    let turn = answer.finish(&mut sink);
    (turn, deltas)
}

fn start(index: u64, block: Value) -> Value {
    json!({"type": "content_block_start", "index": index, "content_block": block})
}

fn delta(index: u64, delta: Value) -> Value {
    json!({"type": "content_block_delta", "index": index, "delta": delta})
}

fn input(index: u64, piece: &str) -> Value {
    delta(index, json!({"type": "input_json_delta", "partial_json": piece}))
}

fn end(reason: &str) -> [Value; 2] {
    [
        json!({"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": 15}}),
        json!({"type": "message_stop"}),
    ]
}

fn tool_use(id: &str) -> Value {
    json!({"type": "tool_use", "id": id, "name": "run_python", "input": {}})
}

#[test]
fn field_081_thoughts_are_kept_at_their_place_with_their_signature() {
    let mut events = vec![
        json!({"type": "message_start", "message": {"usage": {
            "input_tokens": 10, "cache_read_input_tokens": 90, "output_tokens": 1,
        }}}),
        json!({"type": "ping"}),
        start(0, json!({"type": "thinking", "thinking": "", "signature": ""})),
        delta(0, json!({"type": "thinking_delta", "thinking": "Let me"})),
        delta(0, json!({"type": "thinking_delta", "thinking": " see."})),
        delta(0, json!({"type": "signature_delta", "signature": "c2ln"})),
        json!({"type": "content_block_stop", "index": 0}),
        start(1, json!({"type": "redacted_thinking", "data": "abc"})),
        start(2, json!({"type": "text", "text": ""})),
        delta(2, json!({"type": "text_delta", "text": "First."})),
        delta(2, json!({"type": "something_new", "text": "?"})),
        start(3, tool_use("toolu_1")),
        input(3, ""),
        input(3, "{\"code\": "),
        input(3, "\"1\"}"),
        json!({"type": "something_new"}),
    ];
    events.extend(end("tool_use"));
    let (turn, deltas) = read(&events);
    let call = ToolCall {
        id: "toolu_1".into(),
        name: "run_python".into(),
        arguments: json!({"code": "1"}),
        broken: None,
        extra: Map::new(),
    };
    let blocks = json!([
        {"type": "thinking", "thinking": "Let me see.", "signature": "c2ln"},
        {"type": "redacted_thinking", "data": "abc"},
        {"type": "text"},
        {"type": "tool_use"},
    ]);
    let extra = Map::from_iter([(BLOCKS.to_owned(), blocks)]);
    assert_eq!(
        turn,
        Turn {
            message: AssistantMessage { text: "First.".into(), calls: vec![call], extra },
            stop: StopReason::ToolCalls,
            usage: Some(Usage { input_tokens: 100, output_tokens: 15, ..Usage::default() }),
        }
    );
    assert_eq!(
        deltas,
        [
            Delta::Reasoning("Let me".into()),
            Delta::Reasoning(" see.".into()),
            Delta::Text("First.".into()),
            Delta::ToolCall("run_python".into()),
        ]
    );
}

#[test]
fn field_078_calls_are_told_apart_by_their_block() {
    let mut events =
        vec![start(0, tool_use("a")), input(0, "{\"x\":1}"), start(1, tool_use("b")), input(1, "{\"x\":2}")];
    events.extend(end("tool_use"));
    let calls = read(&events).0.message.calls;
    let seen: Vec<_> = calls.iter().map(|call| (call.id.as_str(), call.arguments["x"].as_u64())).collect();
    assert_eq!(seen, [("a", Some(1)), ("b", Some(2))]);
}

#[test]
fn field_091_a_cut_call_is_broken() {
    for pieces in [&["{\"code\": \"impo"][..], &[]] {
        let mut events = vec![start(0, tool_use("a"))];
        events.extend(pieces.iter().map(|piece| input(0, piece)));
        events.extend(end("max_tokens"));
        let (turn, _) = read(&events);
        assert_eq!(turn.stop, StopReason::Length);
        assert_eq!(turn.message.calls[0].broken.as_deref(), Some(CUT_OFF));
        assert_eq!(turn.message.calls[0].arguments, json!({}));
    }
}

#[test]
fn each_reason_to_stop_has_its_meaning() {
    for (reason, expected) in [
        ("end_turn", StopReason::End),
        ("stop_sequence", StopReason::End),
        ("refusal", StopReason::Refused),
        ("pause_turn", StopReason::Length),
        ("model_context_window_exceeded", StopReason::Length),
        ("something_new", StopReason::End),
    ] {
        assert_eq!(read(&end(reason)).0.stop, expected, "{reason}");
    }
}

#[test]
fn a_message_that_is_not_streamed_is_understood() {
    let (turn, _) = read(&[json!({
        "type": "message",
        "content": [{"type": "text", "text": "So."}, {"type": "tool_use", "id": "a", "name": "f", "input": {"x": 1}}],
        "stop_reason": "tool_use",
        "usage": {"input_tokens": 3, "output_tokens": 2},
    })]);
    assert_eq!(turn.message.text, "So.");
    assert_eq!(turn.message.calls[0].arguments, json!({"x": 1}));
    assert_eq!(turn.message.extra, Map::new());
    assert_eq!(turn.usage, Some(Usage { input_tokens: 3, output_tokens: 2, ..Usage::default() }));
}
