//! A run with a scripted model over real HTTP, and the real sandbox.

use std::path::PathBuf;

use assay_engine::{
    ApiKey, DockerSettings, Engine, ModelChoice, Person, Problem, RemoteConfig, RunEvent, RunRequest,
    RunResult, Wire,
};
use assay_testkit::{Reply, ScriptedServer};
use assay_tests::docker;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

/// An engine with a home of its own, a small table and a scripted model.
pub(crate) struct Desk {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) server: ScriptedServer,
    pub(crate) request: RunRequest,
    pub(crate) events: Vec<RunEvent>,
}

impl Desk {
    pub(crate) async fn with(script: Vec<Reply>) -> Option<Self> {
        docker().await?;
        let folder = tempfile::tempdir().unwrap();
        let table = folder.path().join("sales 2025.csv");
        std::fs::write(&table, "region,amount\nNorth,10\nSouth,20\nNorth,30\n").unwrap();
        let server = ScriptedServer::start(script);
        let request = RunRequest {
            files: vec![table],
            ask: "Which region sells most?".into(),
            model: ModelChoice::Remote(Box::new(RemoteConfig {
                api_key: ApiKey::new("sk-flow-secret"),
                ..RemoteConfig::new(Wire::ChatCompletions, server.url(), ScriptedServer::MODEL)
            })),
            ..RunRequest::default()
        };
        Some(Self { folder, server, request, events: Vec::new() })
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    pub(crate) fn engine(&self) -> Engine {
        Engine::new(Some(self.home()), DockerSettings::default()).unwrap()
    }

    pub(crate) async fn run(&mut self, stop: &CancellationToken) -> Result<RunResult, Problem> {
        let engine = self.engine();
        let events = &mut self.events;
        engine.run(&self.request, |event| events.push(event.clone()), stop).await
    }

    /// Runs to the end with somebody to ask.
    pub(crate) async fn run_asking(&mut self, person: &dyn Person) -> RunResult {
        let engine = self.engine();
        let events = &mut self.events;
        let watch = |event: &RunEvent| events.push(event.clone());
        engine.run_with(&self.request, watch, person, &CancellationToken::new()).await.unwrap()
    }

    /// The messages of the nth request, from 1, with sizes of pictures blotted out.
    pub(crate) fn messages(&self, request: usize) -> Vec<Value> {
        self.server.requests()[request - 1].body["messages"].as_array().unwrap().clone()
    }

    /// The last observation in the nth request.
    pub(crate) fn observation(&self, request: usize) -> String {
        let messages = self.messages(request);
        let last = messages.iter().rev().find(|message| message["role"] == "tool").unwrap();
        last["content"].as_str().unwrap().to_owned()
    }
}

pub(crate) fn python(title: &str, code: &str) -> Reply {
    Reply::call("run_python", json!({"title": title, "code": code}))
}

pub(crate) const REPORT: &str = "# Sales\n\nNorth sells most: 40 of 60 in all, which is two thirds of everything that was sold.\n\n![By region](charts/regions.png)\n\nSee [the table](totals.csv).\n";
