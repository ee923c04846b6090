//! What a person needs to connect a model: finding servers, listing models, testing what works.

#![allow(clippy::expect_used, reason = "a failure here is a failed test")]

use std::time::{Duration, Instant};

use assay_model::{
    Delta, ListedModel, LocalServer, Message, ModelError, Price, Probe, RemoteConfig, ToolUse, TurnRequest,
    Wire, connect, find_local_servers_at, list_models, probe,
};
use assay_testkit::{Reply, ScriptedServer};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

const WIRES: [Wire; 3] = [Wire::ChatCompletions, Wire::Responses, Wire::Messages];

fn config(server: &ScriptedServer, wire: Wire) -> RemoteConfig {
    RemoteConfig { images: true, ..RemoteConfig::new(wire, server.url(), ScriptedServer::MODEL) }
}

fn listed(name: &str) -> ListedModel {
    ListedModel { name: name.into(), context_tokens: None, price: None }
}

#[tokio::test]
async fn local_servers_are_found_at_once() {
    let (ollama, empty, silent, page) = (
        ScriptedServer::start(Vec::new()),
        ScriptedServer::start(Vec::new()),
        ScriptedServer::start(Vec::new()),
        ScriptedServer::start(Vec::new()),
    );
    let rows = json!({"object": "list", "data": [{"id": "qwen:7b", "owned_by": "library"}]});
    ollama.list_models(Reply::status(200, &[], rows));
    empty.list_models(Reply::status(200, &[], json!({"object": "list", "data": null})));
    silent.list_models(Reply::hang());
    page.list_models(Reply::status(200, &[], json!({"hello": "world"})));
    let begun = Instant::now();
    let ports = [ollama.port(), empty.port(), silent.port(), page.port(), 1];
    let found = find_local_servers_at(&ports).await;
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    let server = |preset: &str, server: &ScriptedServer, models| LocalServer {
        preset: preset.into(),
        base_url: server.url(),
        models,
    };
    assert_eq!(
        found,
        [server("ollama", &ollama, vec![listed("qwen:7b")]), server("other", &empty, Vec::new())]
    );
}

#[tokio::test]
async fn a_list_of_models_says_what_the_server_says() {
    let server = ScriptedServer::start(Vec::new());
    let rows = json!({"data": [
        {"id": "a/b", "context_length": 200_000, "pricing": {"prompt": "0.000003", "completion": "0.000015"}},
        {"id": "c"},
    ]});
    server.list_models(Reply::status(200, &[], rows));
    for wire in WIRES {
        let expected = ListedModel {
            name: "a/b".into(),
            context_tokens: Some(200_000),
            price: Some(Price { input: 3.0, output: 15.0 }),
        };
        assert_eq!(list_models(config(&server, wire)).await, Ok(vec![expected, listed("c")]));
    }
    server.list_models(Reply::status(401, &[], ""));
    assert_eq!(list_models(config(&server, Wire::ChatCompletions)).await, Err(ModelError::MissingKey));
    server.list_models(Reply::status(404, &[], ""));
    assert_eq!(list_models(config(&server, Wire::ChatCompletions)).await, Ok(Vec::new()));
}

#[tokio::test]
async fn a_probe_shows_what_works() {
    for wire in WIRES {
        let call = Reply::call("run_python", json!({"code": "print(3)"}));
        let server = ScriptedServer::start(vec![call, Reply::text("Red.")]);
        server.answer_at(
            "/props",
            Reply::status(200, &[], json!({"default_generation_settings": {"n_ctx": 8192}})),
        );
        let mut sent = 0;
        let mut sink = |delta| sent += u32::from(matches!(delta, Delta::Sending(_)));
        let seen =
            probe(config(&server, wire), &mut sink, &CancellationToken::new()).await.expect("a result");
        let expected = Probe {
            streams: true,
            tools: Some(ToolUse::Calls),
            images: Some(true),
            context_tokens: Some(8192),
            first_piece_ms: seen.first_piece_ms,
            learnt: None,
        };
        assert_eq!((seen, sent), (expected, 2), "{wire:?}");
    }
}

#[tokio::test]
async fn a_probe_tells_each_part_by_itself() {
    let prose = || Reply::text("It has three lines.");
    let block = Reply::text("```python\nprint(3)\n```");
    let blind = Reply::status(400, &[], json!({"error": {"message": "image input is not supported"}}));
    let server = ScriptedServer::start(vec![
        prose(),
        prose(),
        blind,
        Reply::text("Red?"),
        prose(),
        block,
        Reply::text("It is blue."),
    ]);
    let mut results = Vec::new();
    for _ in 0..2 {
        let config = config(&server, Wire::ChatCompletions);
        let seen = probe(config, &mut |_| {}, &CancellationToken::new()).await.expect("a result");
        results.push((seen.tools, seen.images, seen.context_tokens));
    }
    assert_eq!(results, [(None, Some(false), None), (Some(ToolUse::Text), Some(false), None)]);
}

#[tokio::test]
async fn a_probe_without_an_answer_says_why() {
    let refusal = json!({"error": {"message": "Incorrect API key provided"}});
    let server = ScriptedServer::start(vec![Reply::status(401, &[], refusal), Reply::hang()]);
    let stop = CancellationToken::new();
    let config = RemoteConfig { images: false, ..config(&server, Wire::Responses) };
    assert_eq!(probe(config.clone(), &mut |_| {}, &stop).await, Err(ModelError::MissingKey));
    stop.cancel();
    assert_eq!(probe(config, &mut |_| {}, &stop).await, Err(ModelError::Stopped));
}

#[tokio::test]
async fn field_083_a_conversation_that_the_server_cut_is_noticed() {
    let request = TurnRequest {
        instructions: String::new(),
        messages: vec![Message::user("word ".repeat(12_600))],
        tools: Vec::new(),
        max_output_tokens: 100,
        temperature: None,
    };
    let answer = |places: Vec<(&'static str, Value)>, read: u64| {
        let request = request.clone();
        async move {
            let server = ScriptedServer::start(vec![Reply::text("Hm?").using(read, 5)]);
            for (path, body) in places {
                server.answer_at(path, Reply::status(200, &[], body));
            }
            let model = connect(config(&server, Wire::ChatCompletions)).expect("a model");
            model.turn(&request, &mut |_| {}, &CancellationToken::new()).await
        }
    };
    let context = |tokens: u64| vec![("/props", json!({"n_ctx": tokens}))];
    let cut = Err(ModelError::Cut { sent: 15_750, read: 2051 });
    assert_eq!(answer(context(4096), 2051).await, cut);
    assert_eq!(answer(Vec::new(), 2051).await, cut);
    assert!(answer(context(32_768), 2051).await.is_ok());
    assert!(answer(context(4096), 12_600).await.is_ok());
    assert!(answer(context(4096), 0).await.is_ok());
}
