//! How long conversations may be: asked of the server, or learnt from its refusals.

#![allow(clippy::expect_used, reason = "a failure here is a failed test")]

use assay_model::{Message, Model, ModelError, RemoteConfig, TurnRequest, Wire, connect};
use assay_testkit::{Reply, ScriptedServer};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

fn model(server: &ScriptedServer) -> Box<dyn Model> {
    connect(RemoteConfig::new(Wire::ChatCompletions, server.url(), ScriptedServer::MODEL)).expect("a model")
}

async fn told(places: &[(&str, Value)]) -> Option<u64> {
    let server = ScriptedServer::start(Vec::new());
    for (path, body) in places {
        server.answer_at(path, Reply::status(200, &[], body));
    }
    model(&server).context_tokens().await
}

#[tokio::test]
async fn field_083_each_server_is_asked_in_its_own_way() {
    let name = ScriptedServer::MODEL;
    let ollama =
        |length: u64| json!({"models": [{"name": format!("{name}:latest"), "context_length": length}]});
    let not_loaded = json!({"models": []});
    let shown = json!({"parameters": "stop \"x\"\nnum_ctx                        8192", "model_info": {"q.context_length": 32_768}});
    let vllm = json!({"data": [{"id": name, "max_model_len": 16_384}]});
    let lm_studio = json!({"data": [
        {"id": "other", "loaded_context_length": 1},
        {"id": name, "loaded_context_length": 4096, "max_context_length": 131_072},
    ]});
    for (places, expected) in [
        (vec![("/props", json!({"default_generation_settings": {"n_ctx": 8192}}))], Some(8192)),
        (vec![("/api/ps", ollama(4096)), ("/v1/models", json!({"data": [{"id": name}]}))], Some(4096)),
        (
            vec![
                ("/api/ps", not_loaded.clone()),
                ("/api/show", shown),
                ("/api/generate", json!({"done": true})),
            ],
            Some(8192),
        ),
        (vec![("/api/v0/models", lm_studio)], Some(4096)),
        (vec![("/v1/models", vllm)], Some(16_384)),
        (vec![("/props", json!("<html>")), ("/api/ps", not_loaded)], None),
        (vec![], None),
    ] {
        assert_eq!(told(&places).await, expected, "{places:?}");
    }
}

#[tokio::test]
async fn field_083_a_refusal_that_states_the_limit_is_remembered() {
    let refusal = json!({"error": {"code": 400, "message": "too long", "type": "exceed_context_size_error", "n_ctx": 8192}});
    let server = ScriptedServer::start(vec![Reply::status(400, &[], refusal)]);
    let remembering = model(&server);
    let request = TurnRequest {
        instructions: String::new(),
        messages: vec![Message::user("Hello")],
        tools: Vec::new(),
        max_output_tokens: 100,
        temperature: None,
    };
    let error =
        remembering.turn(&request, &mut |_| {}, &CancellationToken::new()).await.expect_err("too long");
    assert!(matches!(error, ModelError::TooLong(_)), "{error:?}");
    assert_eq!(remembering.context_tokens().await, Some(8192));
    assert_eq!(remembering.learnt().expect("something")["context_tokens"], 8192);
}

#[tokio::test]
async fn nobody_at_the_address_is_no_error() {
    let config = RemoteConfig::new(Wire::ChatCompletions, "http://127.0.0.1:1/v1", "m");
    assert_eq!(connect(config).expect("a model").context_tokens().await, None);
}
