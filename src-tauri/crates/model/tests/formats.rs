//! The same script in every wire format: what is sent, and what comes back.

#![allow(clippy::expect_used, reason = "a failure here is a failed test")]

use std::time::{Duration, Instant};

use assay_model::{
    ApiKey, Delta, Image, Message, Model, ModelError, RemoteConfig, Sending, StopReason, ToolResult,
    ToolSpec, Turn, TurnRequest, Usage, Wire, connect,
};
use assay_testkit::{Reply, ScriptedServer};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

const KEY: &str = "sk-very-secret";

const WIRES: [Wire; 3] = [Wire::ChatCompletions, Wire::Responses, Wire::Messages];

fn config(server: &ScriptedServer, wire: Wire) -> RemoteConfig {
    RemoteConfig {
        api_key: ApiKey::new(KEY),
        images: true,
        ..RemoteConfig::new(wire, server.url(), ScriptedServer::MODEL)
    }
}

fn model(server: &ScriptedServer, wire: Wire) -> Box<dyn Model> {
    connect(config(server, wire)).expect("a model")
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

async fn turn(model: &dyn Model, request: &TurnRequest) -> Result<Turn, ModelError> {
    model.turn(request, &mut |_| {}, &CancellationToken::new()).await
}

async fn error(wire: Wire, reply: Reply) -> ModelError {
    let server = ScriptedServer::start(vec![reply]);
    turn(&*model(&server, wire), &request(vec![Message::user("Hello")])).await.expect_err("an error")
}

#[tokio::test]
async fn a_conversation_is_written_as_each_format_asks() {
    for wire in WIRES {
        let server = ScriptedServer::start(vec![
            Reply::calls(vec![
                ("run_python", json!({"code": "print('é漢😀')"})),
                ("run_python", json!({"code": "2"})),
            ])
            .thinking("I should look at it.")
            .saying("Let me see: 漢字 😀.")
            .using(40, 21),
            Reply::text("Done."),
        ]);
        let model = model(&server, wire);
        let image = Image { media_type: "image/png".into(), base64: "aGk=".into() };
        let mut request = request(vec![Message::User { text: "Hello".into(), images: vec![image] }]);

        let mut deltas = Vec::new();
        let first = model
            .turn(&request, &mut |delta| deltas.push(delta), &CancellationToken::new())
            .await
            .expect("an answer");
        assert_eq!(first.message.text, "Let me see: 漢字 😀.", "{wire:?}");
        assert_eq!(first.stop, StopReason::ToolCalls);
        assert_eq!(first.usage, Some(Usage { input_tokens: 40, output_tokens: 21, ..Usage::default() }));
        let calls: Vec<(&str, &Value)> =
            first.message.calls.iter().map(|call| (call.id.as_str(), &call.arguments)).collect();
        let (one, two) = (json!({"code": "print('é漢😀')"}), json!({"code": "2"}));
        assert_eq!(calls, [("call_1_1", &one), ("call_1_2", &two)]);
        let said = |kind: fn(&Delta) -> Option<&str>| deltas.iter().filter_map(kind).collect::<String>();
        assert_eq!(
            said(|delta| if let Delta::Text(text) = delta { Some(text) } else { None }),
            first.message.text
        );
        assert_eq!(
            said(|delta| if let Delta::Reasoning(text) = delta { Some(text) } else { None }),
            "I should look at it."
        );
        let begun = deltas.iter().filter(|delta| **delta == Delta::ToolCall("run_python".into())).count();
        assert_eq!(begun, 2);

        request.messages.push(Message::Assistant(first.message));
        for call_id in ["call_1_1", "call_1_2"] {
            request
                .messages
                .push(Message::Tool(ToolResult { call_id: call_id.into(), text: "é漢😀".into() }));
        }
        let second = turn(&*model, &request).await.expect("an answer");
        assert_eq!((second.message.text.as_str(), second.stop), ("Done.", StopReason::End));
        let bodies: Vec<Value> = server.requests().into_iter().map(|request| request.body).collect();
        insta::assert_json_snapshot!(format!("{wire:?}"), bodies);
    }
}

#[tokio::test]
async fn what_is_sent_is_told_before_it_leaves_and_holds_no_key() {
    for wire in WIRES {
        let server = ScriptedServer::start(vec![
            Reply::status(400, &[], json!({"error": {"message": "max_tokens: 500 > 300, output tokens"}})),
            Reply::text("Hi."),
        ]);
        let model = model(&server, wire);
        let mut told: Vec<(Sending, usize)> = Vec::new();
        let mut sink = |delta| {
            if let Delta::Sending(sending) = delta {
                told.push((sending, server.requests().len()));
            }
        };
        let request = request(vec![Message::user("Hello")]);
        model.turn(&request, &mut sink, &CancellationToken::new()).await.expect("an answer");
        let sent = server.requests();
        assert_eq!(told.len(), 2, "{wire:?}");
        for (place, (sending, sent_before)) in told.iter().enumerate() {
            assert_eq!(*sent_before, place);
            assert_eq!(Some(&sending.host), model.card().host.as_ref());
            let body: Value = serde_json::from_str(&sending.body).expect("JSON");
            assert_eq!(body, sent[place].body);
            assert_eq!(sent[place].headers["content-length"], sending.body.len().to_string());
            assert!(!sending.body.contains("secret"));
        }
        assert_eq!(model.learnt().expect("something")["longest_output"], 300);
    }
}

#[tokio::test]
async fn what_was_learnt_is_taken_back() {
    for wire in WIRES {
        let server = ScriptedServer::start(vec![Reply::text("Hi.")]);
        let learnt = Some(json!({"longest_output": 300, "from_a_later_version": true}));
        let model = connect(RemoteConfig { learnt, ..config(&server, wire) }).expect("a model");
        turn(&*model, &request(vec![Message::user("Hello")])).await.expect("an answer");
        let body = &server.requests()[0].body;
        let asked = ["max_tokens", "max_output_tokens"].iter().find_map(|name| body[*name].as_u64());
        assert_eq!(asked, Some(300), "{wire:?}");
    }
}

#[tokio::test]
async fn each_format_has_its_own_way_to_show_the_key() {
    for (wire, path, header, value) in [
        (Wire::ChatCompletions, "/v1/chat/completions", "authorization", "Bearer sk-very-secret"),
        (Wire::Responses, "/v1/responses", "authorization", "Bearer sk-very-secret"),
        (Wire::Messages, "/v1/messages", "x-api-key", KEY),
    ] {
        let server = ScriptedServer::start(vec![Reply::text("Hi.")]);
        turn(&*model(&server, wire), &request(vec![Message::user("Hello")])).await.expect("an answer");
        let sent = &server.requests()[0];
        assert_eq!((sent.path.as_str(), sent.headers[header].as_str()), (path, value));
        assert_eq!(sent.headers["content-type"], "application/json");
        assert_eq!(sent.headers.contains_key("anthropic-version"), wire == Wire::Messages);
    }
}

#[tokio::test]
async fn field_091_cut_arguments_are_neither_kept_nor_run() {
    for wire in WIRES {
        let cut = Reply::raw_call("run_python", r#"{"code": "impo"#).thinking("Hm.").finishing("length");
        let server = ScriptedServer::start(vec![cut, Reply::text("Hi.")]);
        let model = model(&server, wire);
        let mut request = request(vec![Message::user("Hello")]);
        let turn_cut = turn(&*model, &request).await.expect("an answer");
        assert_eq!(turn_cut.stop, StopReason::Length, "{wire:?}");
        let [call] = turn_cut.message.calls.as_slice() else { panic!("{:?}", turn_cut.message) };
        assert_eq!(call.arguments, json!({}));
        assert_eq!(call.broken.as_deref(), Some("the arguments were cut off before their end"));
        let call_id = call.id.clone();
        request.messages.push(Message::Assistant(turn_cut.message));
        request.messages.push(Message::Tool(ToolResult { call_id, text: "cut".into() }));
        turn(&*model, &request).await.expect("an answer");
        assert!(!server.requests()[1].body.to_string().contains("impo"));
    }
}

#[tokio::test]
async fn failures_have_their_class_in_every_format() {
    for wire in WIRES {
        let limited = Reply::status(429, &[("retry-after", "30")], "");
        let expected = ModelError::RateLimited { retry_after: Some(Duration::from_secs(30)) };
        assert_eq!(error(wire, limited).await, expected);
        assert!(matches!(error(wire, Reply::cut()).await, ModelError::Server(_)), "{wire:?}");
        let page = Reply::status(200, &[("content-type", "text/html")], "<html>");
        assert!(matches!(error(wire, page).await, ModelError::Protocol(_)));
        let text = format!("Incorrect API key provided: {KEY}.");
        let wrong = error(wire, Reply::status(401, &[], json!({"error": {"message": text}}))).await;
        assert_eq!(wrong, ModelError::WrongKey("HTTP 401: Incorrect API key provided: [key].".into()));
    }
    let in_stream = json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}});
    let overloaded = ModelError::Server("HTTP 529: Overloaded".into());
    assert_eq!(error(Wire::Messages, Reply::events([in_stream])).await, overloaded);
    let in_stream =
        json!({"type": "error", "code": "rate_limit_exceeded", "message": format!("{KEY} in 1s")});
    let limited = ModelError::RateLimited { retry_after: None };
    assert_eq!(error(Wire::Responses, Reply::events([in_stream])).await, limited);
}

#[tokio::test]
async fn field_077_stop_closes_the_connection_in_every_format() {
    for wire in WIRES {
        let server =
            ScriptedServer::start(vec![Reply::text("This is slow.").slow(Duration::from_millis(300))]);
        let (model, stop) = (model(&server, wire), CancellationToken::new());
        let canceller = stop.clone();
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(300)).await;
            canceller.cancel();
        });
        let begun = Instant::now();
        let request = request(vec![Message::user("Hello")]);
        let error = model.turn(&request, &mut |_| {}, &stop).await.expect_err("stopped");
        assert_eq!(error, ModelError::Stopped);
        while server.open_answers() > 0 {
            assert!(begun.elapsed() < Duration::from_secs(3), "the connection is still open");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}
