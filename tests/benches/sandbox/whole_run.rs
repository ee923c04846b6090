//! What a person waits for besides the model and the code.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use assay_engine::{
    Desk, DockerSettings, Engine, Give, ModelChoice, RemoteConfig, RunAsk, RunEvent, RunRequest, RunStatus,
    StopToken, Wire,
};
use assay_testkit::{Reply, ScriptedServer};
use serde_json::{Value, json};

use crate::median;

const TABLE: &str = "region,amount\nNorth,10\nSouth,20\nNorth,30\n";
const ROUNDS: usize = 7;
/// A sandbox that is opened ahead is there by then.
const OPENED: Duration = Duration::from_secs(4);
/// How long the model of a measured run takes for each answer, and its code for each step.
const THINKING: Duration = Duration::from_millis(500);
const COMPUTING: Duration = Duration::from_millis(300);

/// From the question to a sandbox that is ready, with one that was opened when the file was dropped and without.
pub(crate) async fn ahead() {
    let (mut with, mut without) = (vec![], vec![]);
    for _ in 0..ROUNDS {
        with.push(opening(OPENED).await);
        without.push(opening(Duration::ZERO).await);
    }
    let [with, without] = [with, without].map(|times| median(times).as_secs_f64() * 1000.0);
    println!(
        "session ready, opened ahead: {with:.1} ms from its event; opened when asked: {without:.0} ms; aim 50 ms"
    );
}

/// Drops a file, waits, asks, and measures from the word that the sandbox is being opened to the word that it is ready.
async fn opening(wait: Duration) -> Duration {
    let home = tempfile::tempdir().expect("a folder");
    let table = home.path().join("sales.csv");
    std::fs::write(&table, TABLE).expect("a file");
    let desk = Desk::new(Some(home.path().join("home")));
    let file = desk.add_files(&[table]).files.remove(0).id;
    tokio::time::sleep(wait).await;
    let heard: Arc<Mutex<Vec<Value>>> = Arc::default();
    let sink = {
        let heard = heard.clone();
        Box::new(move |events: Vec<assay_engine::WindowEvent>| {
            let events = events.iter().map(|event| serde_json::to_value(event).expect("an event"));
            heard.lock().expect("the events").extend(events);
        })
    };
    let ask = RunAsk { files: vec![file], ask: "Give an overview".into(), ..RunAsk::default() };
    let run = desk.start_run(&ask, sink).await.expect("a run");
    while !heard.lock().expect("the events").iter().any(|event| event["event"] == "run_closed") {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    desk.close().await;
    between(&home.path().join("home/assay.db"), &run)
}

/// The time between the two events as they were put on record.
fn between(store: &Path, run: &str) -> Duration {
    let events = assay_store::Store::open(store).expect("the store").events(run).expect("the events");
    let at = |kind: &str| {
        let is_it =
            |body: &str| serde_json::from_str::<Value>(body).is_ok_and(|event| event["event"] == kind);
        let row = events.iter().find(|row| is_it(&row.body)).expect("the event");
        row.at.parse::<jiff::Timestamp>().expect("a time")
    };
    let between = at("sandbox_ready").duration_since(at("opening_sandbox"));
    between.try_into().expect("a later time")
}

/// A run of ten answers: what it takes longer than the model and the code.
pub(crate) async fn ten_turns() {
    let code = format!("import time\ntime.sleep({})\nprint(sum(range(1000)))", COMPUTING.as_secs_f64());
    let step = |number: usize| {
        let arguments =
            json!({"title": format!("Step {number}"), "code": format!("{code}\nprint({number})")});
        Reply::call("run_python", arguments).after(THINKING)
    };
    let content = format!("# Sums\n\n{}", "The sum of the first thousand numbers is 499500. ".repeat(4));
    let report = Reply::call("write_file", json!({"path": "output/report.md", "content": content}));
    let script =
        (1..=8).map(step).chain([report.after(THINKING), Reply::text("It is 499500.").after(THINKING)]);
    let server = ScriptedServer::start(script.collect());
    let home = tempfile::tempdir().expect("a folder");
    let table = home.path().join("sales.csv");
    std::fs::write(&table, TABLE).expect("a file");
    let config = RemoteConfig::new(Wire::ChatCompletions, server.url(), ScriptedServer::MODEL);
    let request = RunRequest {
        files: vec![table],
        ask: "How much is it?".into(),
        model: ModelChoice::Remote(Box::new(config)),
        give: Give { report: true, charts: false, tables: false },
        ..RunRequest::default()
    };
    let engine = Engine::new(Some(home.path().join("home")), DockerSettings::default()).expect("an engine");
    let (mut computed, mut ready, mut ended) = (Duration::ZERO, None, None);
    let watch = |event: &RunEvent| {
        let event = serde_json::to_value(event).expect("an event");
        match event["event"].as_str() {
            Some("sandbox_ready") => ready = Some(Instant::now()),
            Some("step_ended") => {
                let ms = event["outcome"]["duration_ms"].as_f64().unwrap_or_default();
                computed += Duration::from_secs_f64(ms / 1000.0);
            }
            Some("run_ended") => ended = Some(Instant::now()),
            _ => {}
        }
    };
    let begun = Instant::now();
    let result = engine.run(&request, watch, &StopToken::new()).await.expect("a result");
    let whole = begun.elapsed();
    assert_eq!(result.spent.turns, 10, "{result:?}");
    assert_ne!(result.status, RunStatus::Failed);
    let needed = computed + THINKING * 10;
    let loop_took = ended.expect("an end").duration_since(ready.expect("a sandbox"));
    println!(
        "a run of 10 answers: {:.2} s for model and code, {:.2} s from the open sandbox to the end ({:+.1} %; aim 5 %), \
         {:.2} s with opening and closing",
        needed.as_secs_f64(),
        loop_took.as_secs_f64(),
        (loop_took.as_secs_f64() / needed.as_secs_f64() - 1.0) * 100.0,
        whole.as_secs_f64()
    );
}
