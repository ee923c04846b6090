//! The app without a front: runs a request from files to results.

//! One run, from files to results.

use std::path::{Path, PathBuf};

use assay_agent::{Nobody, Person, RunEnd};
use assay_sandbox::{ImageProgress, Runtime, SandboxError, check_space};
use assay_store::Store;
use tokio_util::sync::CancellationToken;

use crate::again::AgainRequest;
use crate::contract::{INTERACTIVE, REPORT, files_below, is_picture};
use crate::data_story::DataStory;
use crate::doctor::{Diagnosis, diagnose};
use crate::engine_list::ListedEngine;
use crate::event::RunEvent;
use crate::evidence::{ReportCheck, examine};
use crate::export::{check_folder, copy_to};
use crate::model_choice::ModelChoice;
use crate::open_run::{OpenRun, loop_events};
use crate::problem::{Code, Problem};
use crate::recorder::Watcher;
use crate::run::{Rows, RunRequest, RunResult};
use crate::runtime_choice::{ChosenRuntime, SandboxSettings};

/// Room for what a run leaves: its journal and its artifacts.
const RUN_NEEDS_BYTES: u64 = 100 << 20;

/// The app without a front.
#[derive(Debug, Clone)]
pub struct Engine {
    home: PathBuf,
    runtime: ChosenRuntime,
    /// The engines of the list that a run may go to; empty for the usual one.
    pub(crate) among: Vec<ListedEngine>,
}

impl Engine {
    /// An engine that keeps its runs in `home`, or in the system's place for the app's data.
    pub fn new(home: Option<PathBuf>, sandbox: impl Into<SandboxSettings>) -> Result<Self, Problem> {
        let home = home.or_else(|| dirs::data_dir().map(|folder| folder.join("assay"))).ok_or_else(|| {
            Problem::new(
                Code::Storage,
                "This system names no folder for the app's data.",
                "Set ASSAY_HOME to a folder.",
            )
        })?;
        let runtime = ChosenRuntime::new(sandbox.into(), &home);
        Ok(Self { home, runtime, among: Vec::new() })
    }

    /// What is ready, and what to do about what is not.
    pub async fn doctor(&self, model: &ModelChoice) -> Diagnosis {
        let mut all = self.runtimes().into_iter();
        let mut diagnosis = diagnose(&all.next().unwrap_or_else(|| self.runtime.clone()), model).await;
        for runtime in all {
            if diagnosis.is_ready() {
                break;
            }
            diagnosis = diagnose(&runtime, model).await;
        }
        diagnosis
    }

    /// Whether the sandbox has to be made before the first run, and can be.
    pub async fn lacks_sandbox(&self) -> bool {
        lacks_sandbox(&self.runtime).await
    }

    /// Makes what sandboxes start from, telling of each step: the image, on the first engine of the choice that
    /// lacks it, or where there is no engine the local runtime's Python packages.
    pub async fn make_sandbox(
        &self,
        progress: &mut (dyn FnMut(ImageProgress) + Send),
        stop: &CancellationToken,
    ) -> Result<(), Problem> {
        let mut chosen = self.runtime.clone();
        for runtime in self.runtimes() {
            if lacks_sandbox(&runtime).await {
                chosen = runtime;
                break;
            }
        }
        Ok(chosen.make(progress, stop).await?)
    }

    /// Runs a request to its end and closes its sandbox. `watch` is called for each event, in order.
    ///
    /// # Errors
    /// What kept the run from starting. A run that started always ends in a result, whatever came of it.
    pub async fn run(
        &self,
        request: &RunRequest,
        watch: impl FnMut(&RunEvent) + Send,
        stop: &CancellationToken,
    ) -> Result<RunResult, Problem> {
        self.run_with(request, watch, &Nobody, stop).await
    }

    /// The same, with somebody whom the model may ask.
    pub async fn run_with(
        &self,
        request: &RunRequest,
        mut watch: impl FnMut(&RunEvent) + Send,
        person: &dyn Person,
        stop: &CancellationToken,
    ) -> Result<RunResult, Problem> {
        if let Some(folder) = &request.out {
            check_folder(folder)?;
        }
        let run = OpenRun::begin(self, request, None, &mut watch, stop).await?;
        self.to_its_end(run, request.out.as_deref(), &mut watch, person, stop).await
    }

    /// Does an earlier run again on a new file, to its end, and closes its sandbox.
    ///
    /// # Errors
    /// What kept the run from starting. A run that started always ends in a result, whatever came of it.
    pub async fn run_again(
        &self,
        request: &AgainRequest,
        mut watch: impl FnMut(&RunEvent) + Send,
        stop: &CancellationToken,
    ) -> Result<RunResult, Problem> {
        if let Some(folder) = &request.out {
            check_folder(folder)?;
        }
        let run = OpenRun::again(self, request, &mut watch, stop).await?;
        self.to_its_end(run, request.out.as_deref(), &mut watch, &Nobody, stop).await
    }

    async fn to_its_end(
        &self,
        mut run: OpenRun,
        out: Option<&Path>,
        watch: &mut Watcher<'_>,
        person: &dyn Person,
        stop: &CancellationToken,
    ) -> Result<RunResult, Problem> {
        let end = run.work(watch, person, stop).await?;
        run.close().await;
        let mut result = result(&run, end, out);
        if result.report.is_some() {
            // A run that has ended is not lost for want of what is said about it.
            let (engine, run) = (self.clone(), result.id.clone());
            let checked = tokio::task::spawn_blocking(move || engine.check_report(&run)).await;
            result.figures = checked.ok().and_then(Result::ok).map(|check| check.summary);
        }
        Ok(result)
    }

    /// The report of a run, and which of its figures were computed.
    pub fn check_report(&self, run: &str) -> Result<ReportCheck, Problem> {
        let store = self.open_store()?;
        let row = store.run(run)?.ok_or_else(unknown_run)?;
        let output = self.run_folder(run).join("output");
        let markdown = std::fs::read_to_string(output.join(REPORT)).map_err(|_| {
            Problem::new(Code::Input, "This run has left no report.", "Choose another run, or ask again.")
        })?;
        Ok(examine(&markdown, &row.request, &loop_events(&store, run)?, &output))
    }

    /// What happened to the data in a run, and which of its steps the report does not rest on.
    pub fn data_story(&self, run: &str) -> Result<DataStory, Problem> {
        let store = self.open_store()?;
        let row = store.run(run)?.ok_or_else(unknown_run)?;
        let output = self.run_folder(run).join("output");
        let events = loop_events(&store, run)?;
        let report = std::fs::read_to_string(output.join(REPORT)).ok();
        let check = report.map(|markdown| examine(&markdown, &row.request, &events, &output));
        Ok(DataStory::of(&events, check.as_ref()))
    }

    /// The id of the run that is meant by an id, the beginning of one, or `latest`.
    pub fn find_run(&self, meant: &str) -> Result<String, Problem> {
        let rows = self.open_store()?.runs(u32::MAX)?;
        let found =
            if meant == "latest" { rows.first() } else { rows.iter().find(|row| row.id.starts_with(meant)) };
        found.map(|row| row.id.clone()).ok_or_else(unknown_run)
    }

    /// The folder that everything is kept in.
    pub(crate) fn home(&self) -> &Path {
        &self.home
    }

    pub(crate) fn runtime(&self) -> &ChosenRuntime {
        &self.runtime
    }

    /// Checks that rows which are to stay on this computer do.
    pub(crate) fn check_rows(&self, rows: Rows) -> Result<(), Problem> {
        if rows == Rows::KeptHere && self.runtimes().iter().any(ChosenRuntime::is_hosted) {
            return Err(Problem::new(
                Code::Input,
                "The rows of the files are to stay on this computer, but a hosted sandbox gets the whole files.",
                "Choose a sandbox on this computer, or let the rows leave it.",
            ));
        }
        Ok(())
    }

    /// The runtimes that a run may go to, at least one.
    pub(crate) fn runtimes(&self) -> Vec<ChosenRuntime> {
        if self.among.is_empty() {
            return vec![self.runtime.clone()];
        }
        self.among.iter().map(|engine| engine.runtime(&self.runtime)).collect()
    }

    /// Checks that a sandbox can be opened, and removes what dead owners have left. Returns the name of the
    /// runtime that is used.
    pub(crate) async fn make_ready(&self) -> Result<&'static str, Problem> {
        let mut ready = Err(SandboxError::EngineMissing);
        for runtime in self.runtimes() {
            let name = match runtime.find().await {
                (found, Ok(_)) => found.name(),
                (_, Err(error)) => {
                    ready = ready.or(Err(error));
                    continue;
                }
            };
            ready = ready.or(Ok(name));
            if let Err(error) = runtime.sweep().await {
                tracing::warn!(%error, "what earlier runs left could not be removed");
            }
        }
        let name = ready?;
        check_space(&self.home, RUN_NEEDS_BYTES)?;
        Ok(name)
    }

    pub(crate) fn open_store(&self) -> Result<Store, Problem> {
        std::fs::create_dir_all(&self.home).map_err(|error| Problem::storage(&error))?;
        Ok(Store::open(&self.home.join("assay.db"))?)
    }

    /// Where the prepared tables of one run are.
    pub(crate) fn input_folder(&self, id: &str) -> PathBuf {
        self.run_folder(id).join("input")
    }

    /// The folder of one run.
    pub(crate) fn run_folder(&self, id: &str) -> PathBuf {
        self.home.join("runs").join(id)
    }
}

async fn lacks_sandbox(runtime: &ChosenRuntime) -> bool {
    let (_, ready) = runtime.find().await;
    ready.err().is_some_and(|error| Problem::from(error).code == Code::Image)
}

pub(crate) fn unknown_run() -> Problem {
    Problem::new(Code::Input, "This run is not in the history.", "Choose another one.")
        .at_a_prompt("`latest` means the last one.")
}

fn result(run: &OpenRun, end: RunEnd, out: Option<&Path>) -> RunResult {
    let mut problem = end.error.map(Problem::from);
    let mut folder = run.output().to_owned();
    let files = files_below(&folder);
    if let Some(out) = out {
        match copy_to(&folder, out, run.record()) {
            Ok(()) => out.clone_into(&mut folder),
            Err(trouble) => problem = problem.or(Some(trouble)),
        }
    }
    let place = |name: &String| folder.join(name);
    let is_other = |name: &str| name != REPORT && !is_picture(name) && !name.ends_with(INTERACTIVE);
    RunResult {
        id: run.record().id.clone(),
        status: end.status,
        answer: end.answer,
        remarks: end.remarks,
        spent: end.spent,
        report: files.iter().find(|name| *name == REPORT).map(place),
        figures: None,
        charts: files.iter().filter(|name| is_picture(name)).map(place).collect(),
        tables: files.iter().filter(|name| is_other(name)).map(place).collect(),
        folder,
        problem,
    }
}
