//! Whole requests and results against a scripted server.

#![allow(clippy::expect_used, reason = "a failure here is a failed test")]

use std::time::{Duration, Instant};

use assay_model::{
    ApiKey, AssistantMessage, Limits, Message, Model, ModelError, RemoteConfig, StopReason, ToolCall,
    ToolResult, ToolSpec, Turn, TurnRequest, Usage, Wire, connect,
};
use assay_testkit::{Reply, ScriptedServer};
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

const KEY: &str = "sk-very-secret";

const LONG: Duration = Duration::from_secs(20);

fn config(server: &ScriptedServer) -> RemoteConfig {
    RemoteConfig {
        api_key: ApiKey::new(KEY),
        images: true,
        limits: Some(Limits { first_token: LONG, idle: LONG }),
        ..RemoteConfig::new(Wire::ChatCompletions, server.url(), ScriptedServer::MODEL)
    }
}

fn model(server: &ScriptedServer) -> Box<dyn Model> {
    connect(config(server)).expect("a model")
}

fn request(messages: Vec<Message>) -> TurnRequest {
    TurnRequest {
        instructions: "Analyse.".into(),
        messages,
        tools: vec![ToolSpec {
            name: "run_python".into(),
            description: "Runs Python.".into(),
            parameters: json!({"type": "object", "properties": {"code": {"type": "string"}}}),
            fence: None,
        }],
        max_output_tokens: 500,
        temperature: None,
    }
}

fn hello() -> TurnRequest {
    request(vec![Message::user("Hello")])
}

fn call(id: &str, arguments: Value) -> ToolCall {
    ToolCall { id: id.into(), name: "run_python".into(), arguments, broken: None, extra: Map::new() }
}

/// A turn whose conversation has an assistant message without text.
fn after_a_call(extra: Value) -> TurnRequest {
    let Value::Object(extra) = extra else { panic!("an object") };
    let answer =
        AssistantMessage { calls: vec![call("c1", json!({"code": "1"}))], extra, ..Default::default() };
    request(vec![
        Message::user("Hello"),
        Message::Assistant(answer),
        Message::Tool(ToolResult { call_id: "c1".into(), text: "1".into() }),
    ])
}

async fn turn(model: &dyn Model, request: &TurnRequest) -> Result<Turn, ModelError> {
    model.turn(request, &mut |_| {}, &CancellationToken::new()).await
}

async fn error(reply: Reply) -> ModelError {
    let server = ScriptedServer::start(vec![reply]);
    turn(&*model(&server), &hello()).await.expect_err("an error")
}

fn bodies(server: &ScriptedServer) -> Vec<Value> {
    server.requests().into_iter().map(|request| request.body).collect()
}

#[tokio::test]
async fn the_name_of_the_output_limit_is_learnt_once() {
    let told = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
    let server = ScriptedServer::start(vec![
        Reply::status(
            400,
            &[],
            json!({"error": {"message": told, "param": "max_tokens", "code": "unsupported_parameter"}}),
        ),
        Reply::text("one"),
        Reply::text("two"),
    ]);
    let model = model(&server);
    for expected in ["one", "two"] {
        assert_eq!(turn(&*model, &hello()).await.expect("an answer").message.text, expected);
    }
    let limits: Vec<_> = bodies(&server)
        .iter()
        .map(|body| (body["max_tokens"].as_u64(), body["max_completion_tokens"].as_u64()))
        .collect();
    assert_eq!(limits, [(Some(500), None), (None, Some(500)), (None, Some(500))]);
}

#[tokio::test]
async fn field_087_empty_content_is_null_then_empty_text_where_null_is_refused() {
    let refusal = json!({"error": {"message": "messages[2].content: expected a string, got null"}});
    let server =
        ScriptedServer::start(vec![Reply::status(422, &[], refusal), Reply::text("one"), Reply::text("two")]);
    let model = model(&server);
    let request = after_a_call(json!({}));
    turn(&*model, &request).await.expect("an answer");
    turn(&*model, &request).await.expect("an answer");
    let contents: Vec<_> =
        bodies(&server).iter().map(|body| body["messages"][2]["content"].clone()).collect();
    assert_eq!(contents, [Value::Null, json!(""), json!("")]);
    assert_eq!(bodies(&server)[0]["messages"][1], json!({"role": "user", "content": "Hello"}));
}

#[tokio::test]
async fn a_refusal_that_persists_is_not_repeated() {
    let refusal = || Reply::status(400, &[], json!({"error": {"message": "content must not be empty"}}));
    let server = ScriptedServer::start(vec![refusal(), refusal(), refusal()]);
    let error = turn(&*model(&server), &after_a_call(json!({}))).await.expect_err("a refusal");
    assert_eq!(error, ModelError::Rejected("HTTP 400: content must not be empty".into()));
    assert_eq!(server.remaining(), 1);
}

#[tokio::test]
async fn field_081_fields_that_a_server_refuses_are_left_out() {
    let server = ScriptedServer::start(vec![
        Reply::status(400, &[], json!({"error": {"message": "property 'reasoning' is unsupported"}})),
        Reply::text("one"),
    ]);
    turn(&*model(&server), &after_a_call(json!({"reasoning": "Hm."}))).await.expect("an answer");
    let sent: Vec<_> =
        bodies(&server).iter().map(|body| body["messages"][2].get("reasoning").cloned()).collect();
    assert_eq!(sent, [Some(json!("Hm.")), None]);
}

#[tokio::test]
async fn an_answer_that_is_not_streamed_is_understood() {
    let body = json!({
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "Hi"}}],
        "usage": {"prompt_tokens": 3, "completion_tokens": 1},
    });
    let server = ScriptedServer::start(vec![Reply::status(200, &[], body)]);
    let turn = turn(&*model(&server), &hello()).await.expect("an answer");
    let usage = Some(Usage { input_tokens: 3, output_tokens: 1, ..Usage::default() });
    let message = AssistantMessage { text: "Hi".into(), ..Default::default() };
    assert_eq!(turn, Turn { message, stop: StopReason::End, usage });
}

#[tokio::test]
async fn streams_end_with_done_or_with_a_reason() {
    let text = r#"data: {"choices":[{"delta":{"content":"Hi"}}]}"#;
    let end = r#"data: {"choices":[{"delta":{},"finish_reason":"stop"}]}"#;
    for lines in
        [vec![text, "", end, ""], vec![text, "", "data: [DONE]"], vec![": ping", "", text, "\r", end]]
    {
        let server = ScriptedServer::start(vec![Reply::raw_sse(&lines)]);
        let turn = turn(&*model(&server), &hello()).await.expect("an answer");
        assert_eq!(turn.message.text, "Hi", "{lines:?}");
    }
    let broken = ModelError::Server("the answer broke off before its end".into());
    assert_eq!(error(Reply::raw_sse([text, ""])).await, broken);
}

#[tokio::test]
async fn failures_have_their_class() {
    let limited = Reply::status(429, &[("retry-after", "30")], "");
    let expected = ModelError::RateLimited { retry_after: Some(Duration::from_secs(30)) };
    assert_eq!(error(limited).await, expected);
    assert!(matches!(error(Reply::cut()).await, ModelError::Server(_)));
    assert!(matches!(error(Reply::raw_sse(["data: {nonsense", ""])).await, ModelError::Protocol(_)));
    let page = Reply::status(200, &[("content-type", "text/html")], "<html>");
    assert!(matches!(error(page).await, ModelError::Protocol(_)));
    let in_stream = Reply::chunks([json!({"error": {"code": 503, "message": "overloaded"}})]);
    assert_eq!(error(in_stream).await, ModelError::Server("HTTP 503: overloaded".into()));
    let elsewhere = Reply::status(302, &[("location", "https://elsewhere.example/v1")], "");
    let expected = "HTTP 302: the address redirects to https://elsewhere.example/v1";
    assert_eq!(error(elsewhere).await, ModelError::Rejected(expected.into()));
    let endless = Reply::raw_sse([format!("data: {}", "x".repeat(2 * 1024 * 1024 + 1))]);
    assert_eq!(
        error(endless).await,
        ModelError::Protocol("one event of the stream is larger than 2 MiB".into())
    );
}

#[tokio::test]
async fn a_server_at_the_end_of_its_script_says_so() {
    let server = ScriptedServer::start(Vec::new());
    let mut long = hello();
    long.instructions = "x".repeat(3 << 20);
    let error = turn(&*model(&server), &long).await.expect_err("no reply");
    assert_eq!(error, ModelError::Server("HTTP 500: the script has no reply for request 1".into()));
    assert_eq!(bodies(&server)[0]["messages"][0]["content"], long.instructions);
}

#[tokio::test]
async fn the_key_is_shown_nowhere() {
    let server = ScriptedServer::start(vec![
        Reply::status(401, &[], json!({"error": {"message": format!("Incorrect API key provided: {KEY}.")}})),
        Reply::chunks([json!({"error": {"code": 400, "message": format!("what is {KEY}?")}})]),
    ]);
    let model = model(&server);
    let wrong = turn(&*model, &hello()).await.expect_err("a refusal");
    assert_eq!(wrong, ModelError::WrongKey("HTTP 401: Incorrect API key provided: [key].".into()));
    let in_stream = turn(&*model, &hello()).await.expect_err("a refusal");
    assert_eq!(in_stream, ModelError::Rejected("HTTP 400: what is [key]?".into()));
    assert!(!format!("{:?} {:?}", config(&server), model.card()).contains("secret"));

    let unsendable = RemoteConfig { api_key: ApiKey::new("sk-very-secret\u{7}"), ..config(&server) };
    let error = turn(&*connect(unsendable).expect("a model"), &hello()).await.expect_err("a refusal");
    assert!(matches!(&error, ModelError::WrongKey(text) if !text.contains("secret")), "{error:?}");
}

#[tokio::test]
async fn nobody_at_the_address_is_named_with_its_host() {
    let server = ScriptedServer::start(Vec::new());
    let unencrypted = server.url().replace("http://", "https://");
    for (base_url, expected) in [("http://127.0.0.1:1/v1", "onnection refused"), (&unencrypted, "")] {
        let config = RemoteConfig { base_url: base_url.into(), ..config(&server) };
        let model = connect(config).expect("a model");
        let errors =
            [turn(&*model, &hello()).await.expect_err("nobody"), model.check().await.expect_err("nobody")];
        for error in errors {
            let ModelError::Unreachable { host, reason, .. } = error else { panic!("{error:?}") };
            assert_eq!(Some(host), model.card().host);
            assert!(reason.contains(expected) && !reason.contains("/v1"), "{reason}");
        }
    }
}

#[tokio::test]
async fn silence_ends_at_its_limit() {
    let short = Duration::from_millis(200);
    for (reply, first_token, idle) in
        [(Reply::hang(), short, LONG), (Reply::text("This stops in the middle.").stalling(), LONG, short)]
    {
        let server = ScriptedServer::start(vec![reply]);
        let config = RemoteConfig { limits: Some(Limits { first_token, idle }), ..config(&server) };
        let error = turn(&*connect(config).expect("a model"), &hello()).await.expect_err("silence");
        assert_eq!(error, ModelError::Server("nothing came for 0.2 seconds".into()));
    }
}

#[tokio::test]
async fn field_077_stop_ends_the_answer_and_closes_the_connection() {
    for reply in [
        Reply::hang(),
        Reply::text("This stops in the middle.").stalling(),
        Reply::text("This is slow.").slow(Duration::from_millis(300)),
    ] {
        let server = ScriptedServer::start(vec![reply]);
        let (model, stop) = (model(&server), CancellationToken::new());
        let canceller = stop.clone();
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(300)).await;
            canceller.cancel();
        });
        let begun = Instant::now();
        let error = model.turn(&hello(), &mut |_| {}, &stop).await.expect_err("stopped");
        assert_eq!(error, ModelError::Stopped);
        assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
        while server.open_answers() > 0 {
            assert!(begun.elapsed() < Duration::from_secs(3), "the connection is still open");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        assert_eq!(server.requests().len(), 1);
    }
}

#[tokio::test]
async fn a_check_says_whether_the_model_is_there() {
    let server = ScriptedServer::start(Vec::new());
    let known = model(&server);
    assert_eq!(known.check().await, Ok(()));

    let config = RemoteConfig { model: "scripter".into(), ..config(&server) };
    let unknown = connect(config).expect("a model");
    assert_eq!(unknown.check().await, Err(ModelError::UnknownModel("scripter; there are scripted".into())));

    for (reply, expected) in [
        (Reply::status(404, &[], "not here"), Ok(())),
        (Reply::status(405, &[], ""), Ok(())),
        (Reply::status(200, &[], json!({"object": "list", "data": []})), Ok(())),
        (Reply::status(403, &[], "no"), Err(ModelError::WrongKey("HTTP 403: no".into()))),
        (Reply::status(401, &[], ""), Err(ModelError::WrongKey("HTTP 401".into()))),
    ] {
        server.list_models(reply);
        assert_eq!(known.check().await, expected);
    }
    server.list_models(Reply::status(200, &[], "<html>"));
    assert!(matches!(known.check().await, Err(ModelError::Protocol(_))));
    assert!(server.requests().is_empty(), "a check asks for no answer");
}
