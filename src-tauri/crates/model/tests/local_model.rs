//! A real model on this computer, where one is at hand: `ASSAY_LOCAL_MODEL_URL` says where its server is.

#![allow(clippy::expect_used, reason = "a failure here is a failed test")]

use assay_model::{Delta, RemoteConfig, ToolUse, Wire, list_models, probe};
use tokio_util::sync::CancellationToken;

#[tokio::test]
async fn a_real_server_shows_what_it_can() {
    let Ok(base_url) = std::env::var("ASSAY_LOCAL_MODEL_URL") else {
        eprintln!("SKIPPED: ASSAY_LOCAL_MODEL_URL does not say where a local model is");
        return;
    };
    let config = RemoteConfig::new(Wire::ChatCompletions, base_url, "");
    let models = list_models(config.clone()).await.expect("a list");
    let model = models.first().expect("a model").name.clone();
    for tools in [None, Some(ToolUse::Text)] {
        let config = RemoteConfig { model: model.clone(), tools, ..config.clone() };
        let mut sink = |delta| {
            if let Delta::Text(text) | Delta::Reasoning(text) = delta {
                eprint!("{text}");
            }
        };
        let seen = probe(config, &mut sink, &CancellationToken::new()).await.expect("an answer");
        eprintln!("{seen:?}");
        assert!(seen.streams && seen.tools.is_some() && seen.context_tokens.is_some(), "{seen:?}");
    }
}
