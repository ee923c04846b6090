//! A run with all it needs: begun or taken up again, worked on for one question after another, closed.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use assay_agent::{
    Agent, AgentError, Conversation, Event, Guidance, Person, RunEnd, RunStatus, Surroundings, Workbench,
};
use assay_agent::{instructions, opening_message, replay};
use assay_model::{Model, Sending};
use assay_sandbox::{Manifest, OpenRequest, Runtime, Session};
use assay_store::Store;
use assay_tabular::Table;
use tokio_util::sync::CancellationToken;

use crate::contract::Expected;
use crate::discreet::Discreet;
use crate::engine::Engine;
use crate::event::{EngineEvent, RunEvent};
use crate::evidence::Grounded;
use crate::input::{Input, manifest, name_inputs, read_table};
use crate::model_choice::ModelChoice;
use crate::problem::{Code, Problem};
use crate::recorder::{Journal, Watcher, now};
use crate::run::{Rows, RunRecord, RunRequest};
use crate::surroundings::{surroundings, told};

/// A run and, while it is open, its sandbox.
pub(crate) struct OpenRun {
    engine: Engine,
    record: RunRecord,
    manifest: Manifest,
    model: Box<dyn Model>,
    store: Store,
    output: PathBuf,
    talk: Talk,
    surroundings: Surroundings,
    /// The name under which what the model's server taught is kept.
    lesson: Option<String>,
    /// What has left for the model's server before the run was on record.
    asides: Vec<Sending>,
    session: Option<Box<dyn Session>>,
}

/// Where the conversation stands.
enum Talk {
    /// Nothing was said yet; the tables and what the person says of them.
    Opening(Vec<Table>, String),
    /// It goes on from here.
    Going(Conversation),
}

impl OpenRun {
    /// Checks that everything is usable and puts the run on record. Nothing is sent to a model before the
    /// files, the engine, the image and the model itself have been found usable.
    pub(crate) async fn begin(
        engine: &Engine,
        request: &RunRequest,
        watch: &mut Watcher<'_>,
        stop: &CancellationToken,
    ) -> Result<Self, Problem> {
        if request.ask.trim().is_empty() {
            return Err(Problem::new(Code::Input, "No question was asked.", "Say what you want to know."));
        }
        let inputs = name_inputs(&request.files)?;
        let (tables, manifest) = read_inputs(&inputs, &request.leave_out, watch, stop).await?;
        let Ready { mut model, guidance, asides } = ready(engine, &request.model, request.guidance).await?;
        if request.rows == Rows::KeptHere && model.card().is_ai {
            model = Box::new(Discreet::new(model, words(&inputs, tables.clone()).await?));
        }
        let names: Vec<String> = inputs.iter().map(|input| input.destination.clone()).collect();
        let record = RunRecord {
            id: run_id(),
            version: env!("CARGO_PKG_VERSION").into(),
            request: request.ask.trim().into(),
            files: manifest.files().to_vec(),
            model: model.card(),
            runtime: engine.runtime().name().into(),
            policy: request.policy.clone(),
            budget: request.budget,
            guidance,
            rows: request.rows,
            expected: Expected::of_request(&request.ask, &names).with_choice(request.give),
        };
        let output = engine.run_folder(&record.id).join("output");
        std::fs::create_dir_all(&output).map_err(|error| Problem::storage(&error))?;
        let store = engine.open_store()?;
        let kept = serde_json::to_string(&record).map_err(|error| Problem::storage(&error))?;
        store.begin(&record.id, &now(), &record.request, &kept)?;
        let talk = Talk::Opening(tables, request.notes.clone());
        let (surroundings, lesson) = (Surroundings::default(), request.model.lesson());
        let engine = engine.clone();
        Ok(Self {
            engine,
            record,
            manifest,
            model,
            store,
            output,
            talk,
            surroundings,
            lesson,
            asides,
            session: None,
        })
    }

    /// Takes up a run of the history. Its files must still be what they were.
    pub(crate) async fn take_up(engine: &Engine, id: &str, choice: &ModelChoice) -> Result<Self, Problem> {
        let store = engine.open_store()?;
        let unknown = || Problem::new(Code::Input, "This run is not in the history.", "Start a new one.");
        let row = store.run(id)?.ok_or_else(unknown)?;
        let record: RunRecord =
            serde_json::from_str(&row.record).map_err(|error| Problem::storage(&error))?;
        let files: Vec<PathBuf> = record.files.iter().filter_map(|file| file.source.clone()).collect();
        let inputs: Vec<Input> = record
            .files
            .iter()
            .zip(files)
            .map(|(file, path)| Input { path, destination: file.destination.clone() })
            .collect();
        let manifest = manifest(&inputs)?;
        if manifest.files() != record.files {
            return Err(Problem::new(
                Code::Input,
                "A file of this run has changed since.",
                "Start a new run on the file as it is now.",
            ));
        }
        let events = loop_events(&store, id)?;
        let talk = Conversation::from_events(&events).map(Talk::Going).ok_or_else(|| {
            Problem::new(Code::Input, "This run never got as far as a question.", "Start a new one.")
        })?;
        let surroundings = events.iter().find_map(|event| match event {
            Event::Briefed { surroundings, .. } => Some(surroundings.clone()),
            _ => None,
        });
        let (surroundings, lesson) = (surroundings.unwrap_or_default(), choice.lesson());
        let Ready { mut model, asides, .. } = ready(engine, choice, Some(record.guidance)).await?;
        if record.rows == Rows::KeptHere && model.card().is_ai {
            let tables = inputs.iter().map(read_table).collect::<Result<Vec<_>, _>>()?;
            model = Box::new(Discreet::new(model, words(&inputs, tables).await?));
        }
        let output = engine.run_folder(id).join("output");
        let engine = engine.clone();
        Ok(Self {
            engine,
            record,
            manifest,
            model,
            store,
            output,
            talk,
            surroundings,
            lesson,
            asides,
            session: None,
        })
    }

    pub(crate) fn record(&self) -> &RunRecord {
        &self.record
    }

    pub(crate) fn output(&self) -> &Path {
        &self.output
    }

    /// Whether what the steps have worked out is still at hand. After a failure it is not.
    pub(crate) fn has_sandbox(&self) -> bool {
        self.session.is_some()
    }

    /// Adds a further question; [`OpenRun::work`] answers it.
    pub(crate) fn ask(&mut self, ask: &str, watch: &mut Watcher<'_>) -> Result<(), Problem> {
        crate::versions::keep(&self.output).map_err(|error| Problem::storage(&error))?;
        Journal::new(&mut self.store, self.record.id.clone(), watch)
            .keep(Event::Asked { ask: ask.trim().into() })
            .map_err(|error| Problem::storage(&AgentError::Record(error)))?;
        if let Talk::Going(conversation) = &mut self.talk {
            conversation.ask(ask);
        }
        Ok(())
    }

    /// Opens the sandbox where it is not open, lets the agent work to its end, and records the end.
    pub(crate) async fn work(
        &mut self,
        watch: &mut Watcher<'_>,
        person: &dyn Person,
        stop: &CancellationToken,
    ) -> Result<RunEnd, Problem> {
        let end = match self.open(watch, stop).await {
            Ok(()) => self.answer(watch, person, stop).await,
            Err(error) => failed(error, stop),
        };
        if let (Some(lesson), Some(learnt)) = (&self.lesson, self.model.learnt()) {
            self.store.set_setting(lesson, &learnt.to_string())?;
        }
        let status = serde_json::to_value(end.status).map_err(|error| Problem::storage(&error))?;
        self.store.end(&self.record.id, &now(), status.as_str().unwrap_or("failed"))?;
        if end.status == RunStatus::Failed {
            self.close().await;
        }
        Ok(end)
    }

    /// Ends the sandbox.
    pub(crate) async fn close(&mut self) {
        if let Some(session) = self.session.take()
            && let Err(error) = session.close().await
        {
            tracing::warn!(%error, "the sandbox could not be closed; the next start removes it");
        }
    }

    async fn open(&mut self, watch: &mut Watcher<'_>, stop: &CancellationToken) -> Result<(), AgentError> {
        if self.session.is_some() {
            return Ok(());
        }
        let id = self.record.id.clone();
        let past = match self.talk {
            Talk::Opening(..) => Vec::new(),
            Talk::Going(_) => {
                loop_events(&self.store, &id).map_err(|problem| AgentError::Record(problem.detail))?
            }
        };
        let mut journal = Journal::new(&mut self.store, id, watch);
        let keep =
            |journal: &mut Journal<'_>, event: RunEvent| journal.keep(event).map_err(AgentError::Record);
        if past.is_empty() {
            let (run, model, runtime) =
                (self.record.id.clone(), self.record.model.clone(), self.record.runtime.clone());
            keep(&mut journal, EngineEvent::RunStarted { run, model, runtime }.into())?;
        }
        for Sending { host, body } in self.asides.drain(..) {
            let bytes = body.len() as u64;
            keep(&mut journal, Event::RequestSent { turn: 0, host, bytes, as_before: 0, text: body }.into())?;
        }
        keep(&mut journal, EngineEvent::OpeningSandbox.into())?;
        let request =
            OpenRequest { run: &self.record.id, manifest: &self.manifest, policy: &self.record.policy };
        let mut session = self.engine.runtime().open(request, stop).await?;
        keep(&mut journal, Event::SandboxReady { facts: session.facts().clone() }.into())?;
        replay(&past, &mut *session, self.record.policy.step_limit_s, &mut journal, stop).await?;
        if let Talk::Opening(tables, notes) = &self.talk {
            let (facts, guidance) = (session.facts(), self.record.guidance);
            let bytes = self.record.files.iter().map(|file| file.size).sum();
            self.surroundings = surroundings(tables, bytes, facts, guidance);
            let told = told(tables, &self.surroundings, guidance, self.record.rows);
            let opening = opening_message(&told, notes, &self.record.request, guidance);
            let instructions = instructions(facts, &self.record.policy, &self.record.expected, guidance);
            let briefed = Event::Briefed {
                instructions: instructions.clone(),
                opening: opening.clone(),
                surroundings: self.surroundings.clone(),
            };
            keep(&mut journal, briefed.into())?;
            self.talk = Talk::Going(Conversation::open(instructions, opening));
        }
        self.session = Some(session);
        Ok(())
    }

    async fn answer(
        &mut self,
        watch: &mut Watcher<'_>,
        person: &dyn Person,
        stop: &CancellationToken,
    ) -> RunEnd {
        let (Talk::Going(conversation), Some(session)) = (&mut self.talk, &mut self.session) else {
            let error = AgentError::Record("the run was not opened".into());
            return failed(error, stop);
        };
        let mut journal = Journal::new(&mut self.store, self.record.id.clone(), watch);
        let contract = Grounded {
            expected: &self.record.expected,
            engine: &self.engine,
            run: &self.record.id,
            request: &self.record.request,
        };
        let agent = Agent {
            model: &*self.model,
            contract: &contract,
            budget: self.record.budget,
            guidance: self.record.guidance,
        };
        let mut bench = Workbench::new(&mut **session, &self.record.policy, &self.output, &mut journal)
            .among(&self.surroundings)
            .with_person(person);
        agent.run(conversation, &mut bench, stop).await
    }
}

/// A model that was found usable.
struct Ready {
    model: Box<dyn Model>,
    guidance: Guidance,
    /// What was asked of its server to find that out.
    asides: Vec<Sending>,
}

/// Checks engine, image and model, and removes what dead owners have left. How much the model is told is found
/// out where it is not said.
async fn ready(engine: &Engine, choice: &ModelChoice, guidance: Option<Guidance>) -> Result<Ready, Problem> {
    engine.runtime().readiness().await?;
    if let Err(error) = engine.runtime().sweep().await {
        tracing::warn!(%error, "what earlier runs left could not be removed");
    }
    let learnt = match choice.lesson() {
        Some(lesson) => engine.open_store()?.setting(&lesson)?,
        None => None,
    };
    let learnt = learnt.and_then(|learnt| serde_json::from_str(&learnt).ok());
    let choice = choice.clone().taught(learnt);
    let model = choice.build()?;
    model.check().await?;
    let guidance = match guidance {
        Some(guidance) => guidance,
        None => choice.guidance(&*model).await,
    };
    let asides = model.take_asides();
    Ok(Ready { model: choice.guided(guidance).build()?, guidance, asides })
}

async fn read_inputs(
    inputs: &[Input],
    leave_out: &[(PathBuf, String)],
    watch: &mut Watcher<'_>,
    stop: &CancellationToken,
) -> Result<(Vec<Table>, Manifest), Problem> {
    let mut tables = Vec::new();
    for input in inputs {
        watch(&EngineEvent::ReadingFile { name: input.destination.clone() }.into());
        let own = input.clone();
        let reading = tokio::task::spawn_blocking(move || read_table(&own));
        let mut table = tokio::select! {
            table = reading => table.map_err(|error| Problem::storage(&error))??,
            () = stop.cancelled() => return Err(Problem::stopped()),
        };
        let chosen: Vec<String> =
            leave_out.iter().filter(|(path, _)| *path == input.path).map(|(_, id)| id.clone()).collect();
        assay_tabular::leave_out(&mut table, &chosen);
        watch(&EngineEvent::FileRead { table: Box::new(table.clone()) }.into());
        tables.push(table);
    }
    Ok((tables, manifest(inputs)?))
}

/// The words of all the files' cells.
async fn words(inputs: &[Input], tables: Vec<Table>) -> Result<HashSet<Box<str>>, Problem> {
    let files: Vec<(PathBuf, Table)> = inputs.iter().map(|input| input.path.clone()).zip(tables).collect();
    let reading = tokio::task::spawn_blocking(move || -> Result<_, Problem> {
        let mut found = HashSet::new();
        for (path, table) in files {
            found.extend(assay_tabular::words(&path, &table)?);
        }
        Ok(found)
    });
    reading.await.map_err(|error| Problem::internal(&error))?
}

/// The loop's own events of a run, in order.
pub(crate) fn loop_events(store: &Store, id: &str) -> Result<Vec<Event>, Problem> {
    let events = store.events(id)?;
    Ok(events.iter().filter_map(|row| serde_json::from_str(&row.body).ok()).collect())
}

fn failed(error: AgentError, stop: &CancellationToken) -> RunEnd {
    let status = if stop.is_cancelled() { RunStatus::Stopped } else { RunStatus::Failed };
    RunEnd {
        status,
        answer: String::new(),
        remarks: Vec::new(),
        spent: assay_agent::Spent::default(),
        error: (status == RunStatus::Failed).then_some(error),
    }
}

/// A short id that sorts by time: `20260131-142501-k3fq`.
fn run_id() -> String {
    let time = jiff::Timestamp::now().strftime("%Y%m%d-%H%M%S");
    let tail: String = (0..4).map(|_| fastrand::alphanumeric().to_ascii_lowercase()).collect();
    format!("{time}-{tail}")
}
