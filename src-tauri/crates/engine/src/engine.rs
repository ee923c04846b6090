//! One run, from files to results.

use std::path::{Path, PathBuf};

use assay_agent::{Agent, RunEnd, RunStatus, Workbench, instructions, opening_message};
use assay_model::Model;
use assay_sandbox::{DockerRuntime, DockerSettings, Manifest, OpenRequest, Runtime, Session};
use assay_store::Store;
use assay_tabular::Table;
use tokio_util::sync::CancellationToken;

use crate::contract::{Expected, files_below, is_picture};
use crate::doctor::{Diagnosis, diagnose};
use crate::event::{EngineEvent, RunEvent};
use crate::export::{check_folder, export};
use crate::input::{Input, manifest, name_inputs, read_table};
use crate::model_choice::ModelChoice;
use crate::problem::{Code, Problem};
use crate::recorder::{Journal, now};
use crate::run::{RunRecord, RunRequest, RunResult};

/// The largest opening message; a table with thousands of columns is described by its first ones.
const MAX_COLUMNS_TOLD: usize = 300;

/// The app without a front.
#[derive(Debug, Clone)]
pub struct Engine {
    home: PathBuf,
    runtime: DockerRuntime,
}

impl Engine {
    /// An engine that keeps its runs in `home`, or in the system's place for the app's data.
    pub fn new(home: Option<PathBuf>, docker: DockerSettings) -> Result<Self, Problem> {
        let home = home.or_else(|| dirs::data_dir().map(|folder| folder.join("assay"))).ok_or_else(|| {
            Problem::new(
                Code::Storage,
                "This system names no folder for the app's data.",
                "Set ASSAY_HOME to a folder.",
            )
        })?;
        Ok(Self { home, runtime: DockerRuntime::new(docker) })
    }

    /// What is ready, and what to do about what is not.
    pub async fn doctor(&self, model: &ModelChoice) -> Diagnosis {
        diagnose(&self.runtime, model).await
    }

    /// Runs a request to its end. Nothing is sent to a model before the files, the engine, the image and
    /// the model itself have been found usable. `watch` is called for each event, in order.
    ///
    /// # Errors
    /// What kept the run from starting. A run that started always ends in a result, whatever came of it.
    pub async fn run(
        &self,
        request: &RunRequest,
        mut watch: impl FnMut(&RunEvent) + Send,
        stop: &CancellationToken,
    ) -> Result<RunResult, Problem> {
        if request.ask.trim().is_empty() {
            return Err(Problem::new(
                Code::Input,
                "No question was asked.",
                "Say what you want to know with --ask.",
            ));
        }
        if let Some(folder) = &request.out {
            check_folder(folder)?;
        }
        let inputs = name_inputs(&request.files)?;
        let (tables, manifest) = self.read_inputs(&inputs, &mut watch, stop).await?;
        self.runtime.readiness().await?;
        if let Err(error) = self.runtime.sweep().await {
            tracing::warn!(%error, "what earlier runs left could not be removed");
        }
        let model = request.model.build()?;
        model.check().await?;

        let mut store = self.open_store()?;
        let names: Vec<String> = inputs.iter().map(|input| input.destination.clone()).collect();
        let record = RunRecord {
            id: run_id(),
            version: env!("CARGO_PKG_VERSION").into(),
            request: request.ask.trim().into(),
            files: manifest.files().to_vec(),
            model: model.card(),
            runtime: self.runtime.name().into(),
            policy: request.policy.clone(),
            budget: request.budget,
            expected: Expected::of_request(&request.ask, &names),
        };
        let output = self.home.join("runs").join(&record.id).join("output");
        std::fs::create_dir_all(&output).map_err(|error| Problem::storage(&error))?;
        let kept = serde_json::to_string(&record).map_err(|error| Problem::storage(&error))?;
        store.begin(&record.id, &now(), &record.request, &kept)?;

        let mut journal = Journal::new(&mut store, record.id.clone(), &mut watch);
        let end = self.work(&record, &tables, &manifest, &*model, &output, &mut journal, stop).await;
        let status = serde_json::to_value(end.status).map_err(|error| Problem::storage(&error))?;
        store.end(&record.id, &now(), status.as_str().unwrap_or("failed"))?;
        Ok(result(&record, end, output, request.out.as_deref()))
    }

    async fn read_inputs(
        &self,
        inputs: &[Input],
        watch: &mut (impl FnMut(&RunEvent) + Send),
        stop: &CancellationToken,
    ) -> Result<(Vec<Table>, Manifest), Problem> {
        let mut tables = Vec::new();
        for input in inputs {
            watch(&EngineEvent::ReadingFile { name: input.destination.clone() }.into());
            let own = input.clone();
            let reading = tokio::task::spawn_blocking(move || read_table(&own));
            let table = tokio::select! {
                table = reading => table.map_err(|error| Problem::storage(&error))??,
                () = stop.cancelled() => return Err(Problem::stopped()),
            };
            watch(&EngineEvent::FileRead { table: Box::new(table.clone()) }.into());
            tables.push(table);
        }
        Ok((tables, manifest(inputs)?))
    }

    fn open_store(&self) -> Result<Store, Problem> {
        std::fs::create_dir_all(&self.home).map_err(|error| Problem::storage(&error))?;
        Ok(Store::open(&self.home.join("assay.db"))?)
    }

    /// Opens the sandbox, lets the agent work, closes the sandbox.
    #[expect(clippy::too_many_arguments, reason = "the parts of a run come together here and nowhere else")]
    async fn work(
        &self,
        record: &RunRecord,
        tables: &[Table],
        manifest: &Manifest,
        model: &dyn Model,
        output: &Path,
        journal: &mut Journal<'_>,
        stop: &CancellationToken,
    ) -> RunEnd {
        let mut session = match self.open(record, manifest, journal, stop).await {
            Ok(session) => session,
            Err(error) => return failed(error, stop),
        };
        let agent = Agent {
            model,
            instructions: instructions(session.facts(), &record.policy, &record.expected),
            contract: &record.expected,
            budget: record.budget,
        };
        let opening = opening_message(&tables.iter().map(told).collect::<Vec<_>>(), &record.request);
        let mut bench = Workbench::new(&mut *session, &record.policy, output, journal);
        let end = agent.run(opening, &mut bench, stop).await;
        if let Err(error) = session.close().await {
            tracing::warn!(%error, "the sandbox could not be closed; the next start removes it");
        }
        end
    }

    async fn open(
        &self,
        record: &RunRecord,
        manifest: &Manifest,
        journal: &mut Journal<'_>,
        stop: &CancellationToken,
    ) -> Result<Box<dyn Session>, assay_agent::AgentError> {
        use assay_agent::{AgentError, Event};
        let mut keep = |event: RunEvent| journal.keep(event).map_err(AgentError::Record);
        keep(
            EngineEvent::RunStarted {
                run: record.id.clone(),
                model: record.model.clone(),
                runtime: record.runtime.clone(),
            }
            .into(),
        )?;
        keep(EngineEvent::OpeningSandbox.into())?;
        let request = OpenRequest { run: &record.id, manifest, policy: &record.policy };
        let session = self.runtime.open(request, stop).await?;
        keep(Event::SandboxReady { facts: session.facts().clone() }.into())?;
        Ok(session)
    }
}

/// What the model is told of a table.
fn told(table: &Table) -> serde_json::Value {
    let mut table = table.clone();
    let columns = table.columns.len();
    if columns > MAX_COLUMNS_TOLD {
        table.columns.truncate(MAX_COLUMNS_TOLD);
        for row in &mut table.first_rows {
            row.truncate(MAX_COLUMNS_TOLD);
        }
        table.notes.push(format!(
            "The table has {columns} columns; the first {MAX_COLUMNS_TOLD} are described here."
        ));
    }
    serde_json::to_value(table).unwrap_or_default()
}

fn failed(error: assay_agent::AgentError, stop: &CancellationToken) -> RunEnd {
    let status = if stop.is_cancelled() { RunStatus::Stopped } else { RunStatus::Failed };
    RunEnd {
        status,
        answer: String::new(),
        remarks: Vec::new(),
        spent: assay_agent::Spent::default(),
        error: (status == RunStatus::Failed).then_some(error),
    }
}

fn result(record: &RunRecord, end: RunEnd, output: PathBuf, out: Option<&Path>) -> RunResult {
    let mut problem = end.error.map(Problem::from);
    let mut folder = output;
    if let Some(out) = out {
        match export(&folder, out, record) {
            Ok(_) => out.clone_into(&mut folder),
            Err(trouble) => problem = problem.or(Some(trouble)),
        }
    }
    let files = files_below(&folder);
    let place = |name: &String| folder.join(name);
    RunResult {
        id: record.id.clone(),
        status: end.status,
        answer: end.answer,
        remarks: end.remarks,
        spent: end.spent,
        report: files.iter().find(|name| *name == "report.md").map(place),
        charts: files.iter().filter(|name| is_picture(name)).map(place).collect(),
        tables: files
            .iter()
            .filter(|name| !is_picture(name) && *name != "report.md" && *name != crate::export::RECORD_FILE)
            .map(place)
            .collect(),
        folder,
        problem,
    }
}

/// A short id that sorts by time: `20260131-142501-k3fq`.
fn run_id() -> String {
    let time = jiff::Timestamp::now().strftime("%Y%m%d-%H%M%S");
    let tail: String = (0..4).map(|_| fastrand::alphanumeric().to_ascii_lowercase()).collect();
    format!("{time}-{tail}")
}
