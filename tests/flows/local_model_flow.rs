//! The whole loop with a small real model on this computer; `make test-local-model` brings one.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test ends where its own set-up fails")]

use assay_engine::{
    DockerSettings, Engine, Event, Give, ModelChoice, RemoteConfig, RunEvent, RunRequest, RunStatus,
    StopToken, Wire,
};
use assay_tests::docker;

#[tokio::test]
async fn a_small_real_model_computes_the_answer_to_a_plain_question() {
    let Ok(address) = std::env::var("ASSAY_LOCAL_MODEL_URL") else {
        eprintln!("SKIPPED: ASSAY_LOCAL_MODEL_URL names no model server");
        return;
    };
    if docker().await.is_none() {
        return;
    }
    let name = std::env::var("ASSAY_LOCAL_MODEL").unwrap_or_else(|_| "local".into());
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("orders.csv");
    let rows: Vec<String> = (1..=37).map(|day| format!("2025-01-{:02},{}", day % 28 + 1, day * 3)).collect();
    std::fs::write(&table, format!("day,amount\n{}\n", rows.join("\n"))).unwrap();
    let engine = Engine::new(Some(folder.path().join("home")), DockerSettings::default()).unwrap();
    let request = RunRequest {
        files: vec![table],
        ask: "What is the sum of the column amount?".into(),
        give: Give::ANSWER,
        model: ModelChoice::Remote(Box::new(RemoteConfig::new(Wire::ChatCompletions, address, name))),
        ..RunRequest::default()
    };
    let (mut code, mut told) = (Vec::new(), 0);
    let watch = |event: &RunEvent| match event {
        RunEvent::Agent(Event::StepStarted { turn: 1.., arguments, .. }) => code.push(arguments.clone()),
        RunEvent::Agent(Event::Briefed { instructions, .. }) => told = instructions.len(),
        _ => {}
    };
    let result = engine.run(&request, watch, &StopToken::new()).await.unwrap();
    assert_eq!(result.status, RunStatus::Done, "{result:?}");
    assert!(result.answer.contains("2109"), "{}", result.answer);
    assert!(!code.is_empty(), "the model had its code run");
    assert!((1..2000).contains(&told), "a model with little room is told little: {told} characters");
}
