//! Streams and refusals recorded from a real server, where they are at hand.

#![allow(clippy::expect_used, reason = "a failure here is a failed test")]

use std::path::PathBuf;

use assay_model::{
    Message, ModelError, RemoteConfig, StopReason, ToolSpec, Turn, TurnRequest, Usage, Wire, connect,
};
use assay_testkit::{Reply, ScriptedServer};
use serde_json::json;
use tokio_util::sync::CancellationToken;

/// The recorded file; `None`, said aloud, where it is absent.
fn recorded(name: &str) -> Option<String> {
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../../shared/wire")).join(name);
    let text = std::fs::read_to_string(&path).ok();
    if text.is_none() {
        eprintln!("SKIPPED: {} is not at hand", path.display());
    }
    text
}

async fn answer(reply: Reply) -> Result<Turn, ModelError> {
    let server = ScriptedServer::start(vec![reply]);
    let config = RemoteConfig::new(Wire::ChatCompletions, server.url(), ScriptedServer::MODEL);
    let request = TurnRequest {
        instructions: String::new(),
        messages: vec![Message::user("Hello")],
        tools: vec![ToolSpec {
            name: "run_python".into(),
            description: String::new(),
            parameters: json!({}),
            fence: None,
        }],
        max_output_tokens: 100,
        temperature: None,
    };
    connect(config)?.turn(&request, &mut |_| {}, &CancellationToken::new()).await
}

fn refusal(recorded: &str) -> Reply {
    let (head, body) =
        recorded.split_once("\r\n\r\n").or_else(|| recorded.split_once("\n\n")).expect("a head");
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    Reply::status(status, &[], body)
}

#[tokio::test]
async fn a_streamed_text() {
    let Some(stream) = recorded("stream_chat.sse") else { return };
    let turn = answer(Reply::raw_sse(stream.lines())).await.expect("an answer");
    assert!(turn.message.text.starts_with("Pandas"), "{}", turn.message.text);
    assert_eq!(turn.message.calls, []);
    assert_eq!(turn.stop, StopReason::End);
    assert_eq!(turn.usage, Some(Usage { input_tokens: 40, output_tokens: 21, ..Usage::default() }));
}

#[tokio::test]
async fn a_streamed_tool_call() {
    let Some(stream) = recorded("stream_tool.sse") else { return };
    let turn = answer(Reply::raw_sse(stream.lines())).await.expect("an answer");
    let [call] = turn.message.calls.as_slice() else { panic!("{:?}", turn.message.calls) };
    assert_eq!((call.id.as_str(), call.name.as_str()), ("1VHV6W45rwnvWNYrEFlQkHfuOcHnWWQu", "run_python"));
    assert!(call.arguments["code"].as_str().is_some_and(|code| code.contains("read_csv")), "{call:?}");
    assert_eq!((turn.stop, &call.broken), (StopReason::ToolCalls, &None));
}

#[tokio::test]
async fn field_091_a_tool_call_cut_by_the_output_limit() {
    let Some(stream) = recorded("stream_tool_truncated.sse") else { return };
    let turn = answer(Reply::raw_sse(stream.lines())).await.expect("an answer");
    let [call] = turn.message.calls.as_slice() else { panic!("{:?}", turn.message.calls) };
    assert_eq!(call.arguments, json!({}));
    assert_eq!(call.broken.as_deref(), Some("the arguments were cut off before their end"));
    assert_eq!(turn.stop, StopReason::Length);
}

#[tokio::test]
async fn a_conversation_over_the_context() {
    let Some(text) = recorded("error_over_context.txt") else { return };
    let error = answer(refusal(&text)).await.expect_err("a refusal");
    let expected = "HTTP 400: request (16030 tokens) exceeds the available context size (8192 tokens), try increasing it";
    assert_eq!(error, ModelError::TooLong(expected.into()));
}

#[tokio::test]
async fn a_history_with_broken_arguments() {
    let Some(text) = recorded("error_broken_args_500.txt") else { return };
    let error = answer(refusal(&text)).await.expect_err("a refusal");
    assert!(matches!(error, ModelError::Server(_)), "{error:?}");
}
