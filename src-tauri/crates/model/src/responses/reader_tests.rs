#![allow(clippy::needless_pass_by_value, reason = "JSON written in place reads better")]

use super::*;
use crate::answer::arguments::CUT_OFF;
use crate::message::{AssistantMessage, ToolCall};
use crate::model::{Delta, ModelError, StopReason, ToolUse, Turn, TurnRequest};

fn try_read(events: &[Value]) -> Result<(Turn, Vec<Delta>), Failure> {
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
        reader.push(event, &mut answer, &mut sink)?;
    }
    let turn = answer.finish(&mut sink);
    Ok((turn, deltas))
}

fn read(events: &[Value]) -> (Turn, Vec<Delta>) {
    try_read(events).expect("events without errors")
}

fn event(kind: &str, mut fields: Value) -> Value {
    fields["type"] = json!(format!("response.{kind}"));
    fields
}

fn call(id: &str, arguments: &str) -> Value {
    json!({"type": "function_call", "id": format!("fc_{id}"), "call_id": id, "name": "run_python",
           "arguments": arguments, "status": "completed"})
}

fn message(text: &str) -> Value {
    json!({"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
           "content": [{"type": "output_text", "text": text, "annotations": []}]})
}

fn completed(output: Value) -> Value {
    let usage = json!({"input_tokens": 40, "output_tokens": 21, "total_tokens": 61});
    event("completed", json!({"response": {"status": "completed", "output": output, "usage": usage}}))
}

#[test]
fn field_081_a_whole_answer_keeps_its_sealed_reasoning() {
    let reasoning = json!({"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "abc"});
    let whole = json!([reasoning, message("Let me see."), call("a", "{\"code\":\"1\"}")]);
    let (turn, deltas) = read(&[
        event("created", json!({"response": {"status": "in_progress", "output": []}})),
        event("output_item.added", json!({"output_index": 0, "item": {"type": "reasoning", "id": "rs_1"}})),
        event("reasoning_summary_text.delta", json!({"output_index": 0, "delta": "Hm."})),
        event("output_item.done", json!({"output_index": 0, "item": reasoning})),
        event(
            "output_item.added",
            json!({"output_index": 1, "item": {"type": "message", "id": "msg_1", "content": []}}),
        ),
        event("output_text.delta", json!({"output_index": 1, "item_id": "msg_1", "delta": "Let me"})),
        event("output_text.delta", json!({"output_index": 1, "item_id": "msg_1", "delta": " see."})),
        event("something_new", json!({"delta": "?"})),
        event("output_item.done", json!({"output_index": 1, "item": message("Let me see.")})),
        event("output_item.added", json!({"output_index": 2, "item": call("a", "")})),
        event("function_call_arguments.delta", json!({"output_index": 2, "delta": "{\"code\":"})),
        event("function_call_arguments.delta", json!({"output_index": 2, "delta": "\"1\"}"})),
        event("output_item.done", json!({"output_index": 2, "item": call("a", "{\"code\":\"1\"}")})),
        completed(whole),
    ]);
    let items = json!([
        reasoning,
        {"type": "message", "id": "msg_1", "status": "completed"},
        {"type": "function_call"},
    ]);
    let call = ToolCall {
        id: "a".into(),
        name: "run_python".into(),
        arguments: json!({"code": "1"}),
        broken: None,
        extra: Map::from_iter([("id".to_owned(), json!("fc_a")), ("status".to_owned(), json!("completed"))]),
    };
    assert_eq!(
        turn,
        Turn {
            message: AssistantMessage {
                text: "Let me see.".into(),
                calls: vec![call],
                extra: Map::from_iter([(ITEMS.to_owned(), items)]),
            },
            stop: StopReason::ToolCalls,
            usage: Some(Usage { input_tokens: 40, output_tokens: 21, ..Usage::default() }),
        }
    );
    assert_eq!(
        deltas,
        [
            Delta::Reasoning("Hm.".into()),
            Delta::Text("Let me".into()),
            Delta::Text(" see.".into()),
            Delta::ToolCall("run_python".into()),
        ]
    );
}

#[test]
fn field_079_events_without_numbers_are_told_apart_by_their_item() {
    let added = |id: &str| json!({"item": {"type": "function_call", "id": format!("fc_{id}"), "call_id": id, "name": "f"}});
    let (turn, _) = read(&[
        event("output_item.added", added("a")),
        event("output_item.added", added("b")),
        event("function_call_arguments.delta", json!({"item_id": "fc_a", "delta": "{\"x\":1}"})),
        event("function_call_arguments.delta", json!({"item_id": "fc_b", "delta": "{\"x\":2}"})),
        completed(json!([])),
    ]);
    let seen: Vec<_> =
        turn.message.calls.iter().map(|call| (call.id.as_str(), call.arguments["x"].as_u64())).collect();
    assert_eq!(seen, [("a", Some(1)), ("b", Some(2))]);
}

#[test]
fn what_did_not_stream_in_is_taken_from_the_end() {
    let output = json!([message("Hello."), call("a", "{\"x\":1}")]);
    let whole = json!({"object": "response", "status": "completed", "error": null, "output": output});
    for events in [vec![completed(output)], vec![whole]] {
        let (turn, deltas) = read(&events);
        assert_eq!(turn.message.text, "Hello.");
        assert_eq!(turn.message.calls[0].arguments, json!({"x": 1}));
        assert_eq!(deltas, [Delta::Text("Hello.".into()), Delta::ToolCall("run_python".into())]);
    }
}

#[test]
fn field_091_an_incomplete_response_has_broken_calls() {
    let cut =
        json!({"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}, "output": []});
    for pieces in [&["{\"code\": \"impo"][..], &[]] {
        let mut events = vec![event("output_item.added", json!({"output_index": 0, "item": call("a", "")}))];
        let delta =
            |piece: &&str| event("function_call_arguments.delta", json!({"output_index": 0, "delta": piece}));
        events.extend(pieces.iter().map(delta));
        events.push(event("incomplete", json!({"response": cut})));
        let (turn, _) = read(&events);
        assert_eq!((turn.stop, turn.message.calls[0].broken.as_deref()), (StopReason::Length, Some(CUT_OFF)));
        assert_eq!(turn.message.extra, Map::new());
    }
}

#[test]
fn refusals_and_filters_are_understood() {
    let refusal = json!([{"type": "message", "content": [{"type": "refusal", "refusal": "I will not."}]}]);
    let filtered = json!({"status": "incomplete", "incomplete_details": {"reason": "content_filter"}});
    let delta = event("refusal.delta", json!({"output_index": 0, "delta": "I will not."}));
    for (events, words) in [
        (vec![completed(refusal)], "I will not."),
        (vec![delta, completed(json!([]))], "I will not."),
        (vec![event("incomplete", json!({"response": filtered}))], ""),
    ] {
        let (turn, _) = read(&events);
        assert_eq!((turn.message.text.as_str(), turn.stop), (words, StopReason::Refused));
    }
}

#[test]
fn failures_inside_the_stream_have_their_class() {
    let class = |event: Value| try_read(&[event]).expect_err("a failure").into_error(None);
    let error = json!({"code": "context_length_exceeded", "message": "m"});
    let failed = event("failed", json!({"response": {"status": "failed", "error": error}}));
    assert_eq!(class(failed), ModelError::TooLong("HTTP 500: m".into()));
    let flat = json!({"type": "error", "code": "rate_limit_exceeded", "message": "m"});
    assert_eq!(class(flat), ModelError::RateLimited { retry_after: None });
    let whole = json!({"object": "response", "status": "failed", "error": null});
    assert!(matches!(class(whole), ModelError::Server(_)));
}
