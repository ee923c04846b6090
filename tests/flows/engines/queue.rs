//! Runs over several engines: the first with a free place, the wait for one, and a stop while waiting.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use assay_engine::{
    Desk, DockerSettings, Engine, EngineChoice, ListedEngine, ModelChoice, RemoteConfig, RunEvent,
    RunRequest, RunResult, RunStatus, StopToken, WindowEvent, Wire,
};
use assay_testkit::{Reply, ScriptedServer};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

/// A run in the background, with what it has told so far.
struct Going {
    told: Arc<Mutex<Vec<Value>>>,
    stop: StopToken,
    end: JoinHandle<RunResult>,
}

impl Going {
    fn start(home: &Path, choice: &EngineChoice, model: ModelChoice) -> Self {
        let table = home.join("sales.csv");
        std::fs::write(&table, "region,amount\nNorth,10\nSouth,20\nNorth,30\n").unwrap();
        let engine = Engine::new(Some(home.into()), DockerSettings::default()).unwrap().on(choice).unwrap();
        let ask = "Give an overview".into();
        let request = RunRequest { files: vec![table], ask, model, ..RunRequest::default() };
        let (told, stop) = (Arc::default(), StopToken::new());
        let (hears, ends): (Arc<Mutex<Vec<Value>>>, _) = (Arc::clone(&told), stop.clone());
        let end = tokio::spawn(async move {
            let watch = |event: &RunEvent| hears.lock().unwrap().push(serde_json::to_value(event).unwrap());
            engine.run(&request, watch, &ends).await.unwrap()
        });
        Self { told, stop, end }
    }

    fn heard(&self, event: &str) -> Option<Value> {
        self.told.lock().unwrap().iter().find(|told| told["event"] == event).cloned()
    }

    async fn hears(&self, event: &str) -> Value {
        let begun = Instant::now();
        loop {
            if let Some(told) = self.heard(event) {
                return told;
            }
            assert!(begun.elapsed() < Duration::from_mins(2), "{event} is not told: {:?}", self.told);
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    async fn stopped(self) -> RunStatus {
        self.stop.cancel();
        self.end.await.unwrap().status
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn runs_go_to_the_first_engine_with_a_free_place_and_wait_where_all_are_full() {
    if assay_tests::docker().await.is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path();
    let engine = Engine::new(Some(home.into()), DockerSettings::default()).unwrap();
    let found = engine.engines().await.unwrap().found;
    let address = super::chosen(&found).address.clone();
    let listed = |name: &str, address: &str| ListedEngine {
        name: name.into(),
        address: address.into(),
        certificates: None,
        runs_at_once: 1,
    };
    engine
        .list_engines(&[
            listed("dead", "tcp://127.0.0.1:1"),
            listed("one", &address),
            listed("two", &address),
        ])
        .unwrap();

    let code = "import time\nprint('on', flush=True)\ntime.sleep(600)";
    let sleep = || Reply::call("run_python", json!({"title": "Sleeping", "code": code}));
    let server = ScriptedServer::start(vec![sleep(), sleep()]);
    let sleeping = || {
        let config = RemoteConfig::new(Wire::ChatCompletions, server.url(), ScriptedServer::MODEL);
        ModelChoice::Remote(Box::new(config))
    };
    let first = Going::start(home, &EngineChoice::FirstFree, sleeping());
    first.hears("output").await;
    assert_eq!(first.heard("opening_sandbox").unwrap()["engine"], "one");
    let second = Going::start(home, &EngineChoice::FirstFree, sleeping());
    second.hears("output").await;
    assert_eq!(second.heard("opening_sandbox").unwrap()["engine"], "two");

    let now = engine.engines().await.unwrap().listed;
    let told: Vec<_> =
        now.iter().map(|one| (one.engine.name.as_str(), one.runs, one.seen.facts.is_some())).collect();
    assert_eq!(told, [("dead", 0, false), ("one", 1, true), ("two", 1, true)]);

    let stopped = Going::start(home, &EngineChoice::FirstFree, ModelChoice::BuiltIn);
    assert_eq!(stopped.hears("waiting_for_engine").await["engines"], json!(["one", "two"]));
    assert_eq!(stopped.heard("opening_sandbox"), None);
    assert_eq!(stopped.stopped().await, RunStatus::Stopped);

    let waiting = Going::start(home, &EngineChoice::Listed { name: "Two".into() }, ModelChoice::BuiltIn);
    assert_eq!(waiting.hears("waiting_for_engine").await["engines"], json!(["two"]));
    assert_eq!(second.stopped().await, RunStatus::Stopped);
    assert_eq!(waiting.hears("opening_sandbox").await["engine"], "two");
    let done = waiting.end.await.unwrap();
    assert_eq!(done.status, RunStatus::Done);

    // A further question goes to the engine that the run was on.
    let (told, mut telling) = tokio::sync::watch::channel(Vec::<Value>::new());
    let sink = Box::new(move |events: Vec<WindowEvent>| {
        let events = events.iter().map(|event| serde_json::to_value(event).unwrap());
        told.send_modify(|told| told.extend(events));
    });
    let desk = Desk::new(Some(home.into()));
    desk.follow_up(&done.id, Some("Which region sells most?"), sink).await.unwrap();
    let is_over = |told: &Vec<Value>| told.iter().any(|event| event["event"] == "run_closed");
    let told = tokio::time::timeout(Duration::from_mins(2), telling.wait_for(is_over))
        .await
        .unwrap()
        .unwrap()
        .clone();
    let opening = told.iter().find(|event| event["event"] == "opening_sandbox").unwrap();
    assert_eq!(opening["engine"], "two", "{told:?}");
    desk.close().await;

    assert_eq!(first.stopped().await, RunStatus::Stopped);
    let now = engine.engines().await.unwrap().listed;
    assert!(now.iter().all(|one| one.runs == 0), "{now:?}");
}

#[tokio::test]
async fn a_run_on_a_listed_engine_that_does_not_answer_says_so_and_does_not_wait() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::new(Some(folder.path().into()), DockerSettings::default()).unwrap();
    let address = "tcp://127.0.0.1:1".to_owned();
    let dead = ListedEngine { name: "dead".into(), address, certificates: None, runs_at_once: 1 };
    engine.list_engines(&[dead]).unwrap();
    let table = folder.path().join("t.csv");
    std::fs::write(&table, "a,b\n1,2\n").unwrap();
    let request = RunRequest { files: vec![table], ask: "Give an overview".into(), ..RunRequest::default() };
    let engine = engine.on(&EngineChoice::FirstFree).unwrap();
    let problem = engine.run(&request, |_| {}, &StopToken::new()).await.unwrap_err();
    assert_eq!(problem.message, "The sandbox engine at tcp://127.0.0.1:1 does not answer.");
}
