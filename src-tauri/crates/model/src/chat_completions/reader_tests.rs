#![allow(clippy::needless_pass_by_value, reason = "JSON written in place reads better")]

use std::collections::HashSet;

use serde_json::json;

use super::*;
use crate::answer::arguments::CUT_OFF;
use crate::message::{AssistantMessage, Message, ToolCall};
use crate::model::{StopReason, ToolSpec, ToolUse, Turn, TurnRequest};

/// What came out of chunks: the answer, and what the person saw meanwhile.
fn assembled(chunks: &[Value]) -> (Turn, Vec<Delta>) {
    let tool = |name: &str| ToolSpec {
        name: name.into(),
        description: String::new(),
        parameters: json!({}),
        fence: None,
    };
    let history =
        AssistantMessage { calls: vec![call("used", "run_python", json!({}))], ..Default::default() };
    let request = TurnRequest {
        instructions: String::new(),
        messages: vec![Message::Assistant(history)],
        tools: vec![tool("run_python"), tool("run_shell")],
        max_output_tokens: 100,
        temperature: None,
    };
    let mut deltas = Vec::new();
    let mut sink = |delta| deltas.push(delta);
    let mut answer = Answer::new(&request, ToolUse::Calls);
    let mut reader = ChunkReader::default();
    for chunk in chunks {
        reader.push(chunk, &mut answer, &mut sink).expect("chunks without errors");
    }
    let turn = answer.finish(&mut sink);
    (turn, deltas)
}

fn delta(delta: Value) -> Value {
    json!({"choices": [{"index": 0, "delta": delta, "finish_reason": null}]})
}

fn calls(pieces: Value) -> Value {
    delta(json!({"tool_calls": pieces}))
}

fn end(reason: &str) -> Value {
    json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
}

fn call(id: &str, name: &str, arguments: Value) -> ToolCall {
    ToolCall { id: id.into(), name: name.into(), arguments, broken: None, extra: Map::new() }
}

fn text(pieces: &[&str]) -> Vec<Value> {
    pieces.iter().map(|piece| delta(json!({"content": piece}))).chain([end("stop")]).collect()
}

#[test]
fn a_text_arrives_in_pieces() {
    let (turn, deltas) = assembled(&text(&["The mean", " is 4."]));
    let message = AssistantMessage { text: "The mean is 4.".into(), ..Default::default() };
    assert_eq!(turn, Turn { message, stop: StopReason::End, usage: None });
    assert_eq!(deltas, [Delta::Text("The mean".into()), Delta::Text(" is 4.".into())]);
}

#[test]
fn field_078_calls_that_share_an_index_stay_apart() {
    let piece = |id: &str, arguments: &str| json!([{"index": 0, "id": id, "function": {"name": "run_python", "arguments": arguments}}]);
    let (turn, deltas) =
        assembled(&[calls(piece("a", r#"{"x":1}"#)), calls(piece("b", r#"{"x":2}"#)), end("tool_calls")]);
    let expected = [call("a", "run_python", json!({"x": 1})), call("b", "run_python", json!({"x": 2}))];
    assert_eq!(turn.message.calls, expected);
    assert_eq!(turn.stop, StopReason::ToolCalls);
    assert_eq!(deltas, [Delta::ToolCall("run_python".into()), Delta::ToolCall("run_python".into())]);
}

#[test]
fn field_078_a_new_name_or_whole_arguments_begin_another_call() {
    let (turn, _) = assembled(&[
        calls(json!([{"index": 0, "function": {"name": "run_python", "arguments": "{\"x\":"}}])),
        calls(json!([{"index": 0, "function": {"arguments": "1}"}}])),
        calls(json!([{"index": 0, "function": {"arguments": "\n"}}])),
        calls(json!([{"index": 0, "function": {"arguments": "{\"x\":2}"}}])),
        calls(json!([{"index": 0, "function": {"name": "run_shell", "arguments": {"x": 3}}}])),
        end("stop"),
    ]);
    let seen: Vec<_> =
        turn.message.calls.iter().map(|call| (call.name.as_str(), call.arguments["x"].as_u64())).collect();
    assert_eq!(seen, [("run_python", Some(1)), ("run_python", Some(2)), ("run_shell", Some(3))]);
    assert_eq!(turn.stop, StopReason::ToolCalls);
}

#[test]
fn a_call_sent_twice_under_one_id_is_one_call() {
    let piece = || {
        calls(json!([{"index": 0, "id": "a", "function": {"name": "run_python", "arguments": "{\"x\":1}"}}]))
    };
    let (turn, _) = assembled(&[piece(), piece(), end("tool_calls")]);
    assert_eq!(turn.message.calls, [call("a", "run_python", json!({"x": 1}))]);
}

#[test]
fn interleaved_calls_are_told_apart_by_their_index() {
    let (turn, _) = assembled(&[
        calls(json!([{"index": 0, "id": "a", "function": {"name": "run_python", "arguments": "{\"x\""}},
                     {"index": 1, "id": "b", "function": {"name": "run_shell", "arguments": "{\"y\""}}])),
        calls(
            json!([{"index": 0, "function": {"arguments": ":1}"}}, {"index": 1, "function": {"arguments": ":2}"}}]),
        ),
        end("tool_calls"),
    ]);
    let expected = [call("a", "run_python", json!({"x": 1})), call("b", "run_shell", json!({"y": 2}))];
    assert_eq!(turn.message.calls, expected);
}

#[test]
fn field_079_calls_without_an_index_are_told_apart_by_their_id() {
    let (turn, _) = assembled(&[
        calls(json!([{"id": "a", "function": {"name": "run_python", "arguments": "{\"x\""}}])),
        calls(json!([{"function": {"arguments": ":1}"}}])),
        calls(json!([{"id": "b", "function": {"name": "run_python", "arguments": "{\"x\":2}"}}])),
        end("tool_calls"),
    ]);
    let expected = [call("a", "run_python", json!({"x": 1})), call("b", "run_python", json!({"x": 2}))];
    assert_eq!(turn.message.calls, expected);
}

#[test]
fn missing_and_repeated_ids_are_replaced_by_fresh_ones() {
    let piece = |id: Value| json!({"id": id, "function": {"name": "run_python", "arguments": "{}"}});
    let (turn, _) =
        assembled(&[calls(json!([piece(json!("used"))])), calls(json!([piece(Value::Null)])), end("stop")]);
    let ids: HashSet<_> = turn.message.calls.iter().map(|call| call.id.as_str()).collect();
    assert_eq!(ids.len(), 2);
    assert!(ids.iter().all(|id| id.len() == 9 && *id != "used"), "{ids:?}");
}

#[test]
fn field_081_reasoning_is_kept_for_the_way_back() {
    let (turn, deltas) = assembled(&[
        delta(json!({"role": "assistant", "content": null, "reasoning_content": "Let me", "refusal": null})),
        delta(json!({"reasoning_content": " see.", "reasoning_details": [{"text": "Let me"}]})),
        delta(
            json!({"content": "Done.", "reasoning_content": null, "reasoning_details": [{"text": " see."}]}),
        ),
        end("stop"),
    ]);
    let extra = json!({
        "reasoning_content": "Let me see.", "reasoning_details": [{"text": "Let me"}, {"text": " see."}],
    });
    assert_eq!(Value::Object(turn.message.extra), extra);
    assert_eq!(turn.message.text, "Done.");
    let reasoning = |text: &str| Delta::Reasoning(text.into());
    assert_eq!(deltas, [reasoning("Let me"), reasoning(" see."), Delta::Text("Done.".into())]);
}

#[test]
fn field_082_the_signature_of_a_call_is_kept_for_the_way_back() {
    let signature = json!({"google": {"thought_signature": "c2ln"}});
    let (turn, _) = assembled(&[
        calls(json!([{"index": 0, "id": "a", "type": "function", "extra_content": signature,
                      "function": {"name": "run_python", "arguments": "{}"}}])),
        end("tool_calls"),
    ]);
    assert_eq!(turn.message.calls[0].extra, Map::from_iter([("extra_content".to_owned(), signature)]));
}

#[test]
fn field_084_a_written_call_is_made_and_never_shown() {
    let pieces = [
        "I look",
        " first.\n``",
        "`json\n{\"name\": \"run_python\", ",
        "\"arguments\": {\"code\": \"1\"}}\n```",
    ];
    let (turn, deltas) = assembled(&text(&pieces));
    assert_eq!(turn.message.text, "I look first.");
    let seen: Vec<_> = turn.message.calls.iter().map(|call| (call.name.as_str(), &call.arguments)).collect();
    assert_eq!(seen, [("run_python", &json!({"code": "1"}))]);
    assert_eq!(turn.stop, StopReason::ToolCalls);
    assert_eq!(
        deltas,
        [Delta::Text("I look".into()), Delta::Text(" first.\n".into()), Delta::ToolCall("run_python".into())]
    );
}

#[test]
fn a_code_fence_that_is_no_call_is_shown_in_the_end() {
    let pieces = ["So:\n", "```python\nprint(1)\n", "```\nThat is all."];
    let (turn, deltas) = assembled(&text(&pieces));
    assert_eq!(turn.message.text, pieces.concat());
    assert_eq!(deltas, [Delta::Text("So:\n".into()), Delta::Text(pieces[1..].concat())]);
}

#[test]
fn a_thought_at_the_beginning_of_the_text_is_reasoning() {
    let (turn, deltas) = assembled(&text(&["<th", "ink>Hm, ```json", " no.</think>\n\nThe ", "answer."]));
    assert_eq!(turn.message.text, "The answer.");
    let reasoning = |text: &str| Delta::Reasoning(text.into());
    assert_eq!(
        deltas,
        [
            reasoning("<think>Hm, ```json"),
            reasoning(" no.</think>"),
            Delta::Text("The ".into()),
            Delta::Text("answer.".into())
        ]
    );
}

#[test]
fn a_thought_whose_beginning_the_template_wrote_is_taken_out_in_the_end() {
    let (turn, _) = assembled(&text(&["Hm, no.</think>\n\n", "The answer."]));
    assert_eq!(turn.message.text, "The answer.");
    let quoted = "It writes <think>…</think> first.";
    assert_eq!(assembled(&text(&[quoted])).0.message.text, quoted);
}

#[test]
fn field_052_base64_pictures_do_not_enter_the_history() {
    let (turn, deltas) = assembled(&text(&["![c](data:image/png;base64,", "iVBORw0KGgo=) it is"]));
    let kept = "![c]([image/png, 12 characters of base64 left out]) it is";
    assert_eq!(turn.message.text, kept);
    assert_eq!(deltas, [Delta::Text("![c](".into()), Delta::Text(kept["![c](".len()..].into())]);
}

#[test]
fn field_089_chunks_without_choices_carry_the_usage_at_most() {
    let (turn, _) = assembled(&[
        json!({"choices": [], "prompt_filter_results": [{"prompt_index": 0}]}),
        delta(json!({"content": "Hi"})),
        end("stop"),
        json!({"choices": [], "usage": {"prompt_tokens": 40, "completion_tokens": 21, "total_tokens": 61}}),
        json!({"usage": null}),
    ]);
    assert_eq!(turn.message.text, "Hi");
    assert_eq!(turn.usage, Some(Usage { input_tokens: 40, output_tokens: 21, ..Usage::default() }));
}

#[test]
fn field_091_cut_arguments_are_neither_kept_nor_run() {
    for (arguments, finish, stop) in [
        (r#"{"code": "import pan"#, "length", StopReason::Length),
        (r#"{"code": "import pan"#, "tool_calls", StopReason::ToolCalls),
        ("", "length", StopReason::Length),
    ] {
        let piece =
            json!([{"index": 0, "id": "a", "function": {"name": "run_python", "arguments": arguments}}]);
        let (turn, _) = assembled(&[calls(piece), end(finish)]);
        let broken = ToolCall { broken: Some(CUT_OFF.into()), ..call("a", "run_python", json!({})) };
        assert_eq!((turn.message.calls, turn.stop), (vec![broken], stop), "{arguments} {finish}");
    }
}

#[test]
fn content_in_parts_refusals_and_filters_are_understood() {
    let parts = json!({"content": [{"type": "text", "text": "a"}, {"type": "thinking"}, {"type": "text", "text": "b"}]});
    let (turn, _) = assembled(&[delta(parts), end("content_filter")]);
    assert_eq!((turn.message.text.as_str(), turn.stop), ("ab", StopReason::Refused));

    let (turn, _) = assembled(&[delta(json!({"refusal": "I will not."})), end("stop")]);
    assert_eq!((turn.message.text.as_str(), turn.stop), ("I will not.", StopReason::Refused));
}

#[test]
fn an_answer_without_end_is_refused() {
    let request = TurnRequest {
        instructions: String::new(),
        messages: Vec::new(),
        tools: Vec::new(),
        max_output_tokens: 1,
        temperature: None,
    };
    let mut answer = Answer::new(&request, ToolUse::Calls);
    let mut reader = ChunkReader::default();
    let chunk = delta(json!({"content": "x".repeat(2 << 20)}));
    let taken = (0..10).take_while(|_| {
        reader.push(&chunk, &mut answer, &mut |_| {}).expect("no error");
        answer.check_size().is_ok()
    });
    assert_eq!(taken.count(), 3);
}
