//! A run with all it needs: begun or taken up again, worked on for one question after another, closed.

mod begin;

pub(crate) use begin::run_id;

use std::path::{Path, PathBuf};

use assay_agent::{
    Agent, AgentError, Conversation, Event, Person, Recipient, RunEnd, RunStatus, Surroundings, Workbench,
    instructions, opening_message, replay,
};
use assay_model::{Model, Sending};
use assay_sandbox::{Manifest, OpenRequest, Runtime, SandboxError, Session};
use assay_store::Store;
use assay_tabular::Table;
use tokio_util::sync::CancellationToken;

use crate::engine::Engine;
use crate::event::{EngineEvent, RunEvent};
use crate::evidence::Grounded;
use crate::place::Seat;
use crate::problem::Problem;
use crate::recorder::{Journal, Watcher, now};
use crate::run::RunRecord;
use crate::runtime_choice::ChosenRuntime;
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
    /// The variables that hold the tables, where they are not to be named anew.
    frames: Vec<String>,
    /// The name under which what the model's server taught is kept.
    lesson: Option<String>,
    /// What has left for the model's server before the run was on record.
    asides: Vec<Sending>,
    /// A sandbox that was opened ahead, until the run opens its own with it.
    ahead: Option<Ahead>,
    session: Option<Box<dyn Session>>,
    /// Where its sandbox is, held as long as that is open.
    seat: Option<Seat>,
}

/// A sandbox that was opened for a run before anybody has asked for one.
pub(crate) struct Ahead {
    /// The id that the run will have: its sandbox bears it.
    pub(crate) run: String,
    pub(crate) seat: Seat,
    pub(crate) session: Box<dyn Session>,
}

impl Ahead {
    /// Closes one that is of no use.
    pub(crate) async fn let_go(ahead: Option<Self>) {
        if let Some(Self { session, .. }) = ahead
            && let Err(error) = session.close().await
        {
            tracing::warn!(%error, "a sandbox that was opened ahead could not be closed; the next start removes it");
        }
    }
}

/// Where the conversation stands.
enum Talk {
    /// Nothing was said yet; the tables and what the person says of them.
    Opening(Vec<Table>, String),
    /// It goes on from here.
    Going(Conversation),
}

impl OpenRun {
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

    /// Whether its files leave this computer for its sandbox.
    pub(crate) fn is_hosted(&self) -> bool {
        self.engine.runtimes().iter().any(ChosenRuntime::is_hosted)
    }

    /// Whether its sandbox is not to be kept for a further question: others may wait for its place, or it costs, and
    /// holds the files, at a provider.
    pub(crate) fn ends_with_answer(&self) -> bool {
        self.seat.as_ref().is_some_and(|seat| seat.place.is_some()) || self.is_hosted()
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
            Err(error) => self.not_opened(error, stop),
        };
        if let (Some(lesson), Some(learnt)) = (&self.lesson, self.model.learnt()) {
            self.store.set_setting(lesson, &learnt.to_string())?;
        }
        let status = serde_json::to_value(end.status).map_err(|error| Problem::storage(&error))?;
        self.store.end(&self.record.id, &now(), status.as_str().unwrap_or("failed"))?;
        // A pause may be long.
        if matches!(end.status, RunStatus::Failed | RunStatus::Paused) {
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
        self.seat = None;
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
            let to = Recipient::Model;
            let event = Event::RequestSent { turn: 0, host, bytes, as_before: 0, text: body, to };
            keep(&mut journal, event.into())?;
        }
        let waiting = |engines| {
            let told = keep(&mut journal, EngineEvent::WaitingForEngine { engines }.into());
            told.map_err(|error| SandboxError::Io(std::io::Error::other(error)))
        };
        let (seat, ahead) = match self.ahead.take() {
            Some(Ahead { seat, session, .. }) => (seat, Some(session)),
            None => (self.engine.seat(waiting, stop).await?, None),
        };
        let seat = self.seat.insert(seat);
        let (engine, ready) = (seat.name.clone(), seat.ready.clone());
        keep(&mut journal, EngineEvent::OpeningSandbox { engine, ready }.into())?;
        let request =
            OpenRequest { run: &self.record.id, manifest: &self.manifest, policy: &self.record.policy };
        let keep_sent = |journal: &mut Journal<'_>| {
            let mut sent = seat.runtime.take_sent().into_iter();
            sent.try_for_each(|sent| keep(journal, Event::sent_to_sandbox(0, sent).into()))
        };
        let opened = match ahead {
            Some(session) => Ok(session),
            None => seat.runtime.open(request, stop).await,
        };
        keep_sent(&mut journal)?;
        let mut session = opened?;
        keep(&mut journal, Event::SandboxReady { facts: session.facts().clone() }.into())?;
        let replayed =
            replay(&past, &mut *session, self.record.policy.step_limit_s, &mut journal, stop).await;
        keep_sent(&mut journal)?;
        replayed?;
        if let Talk::Opening(tables, notes) = &self.talk {
            let (facts, guidance) = (session.facts(), self.record.guidance);
            let bytes = self.record.files.iter().map(|file| file.size).sum();
            self.surroundings = surroundings(tables, bytes, facts, guidance, &self.frames);
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

    /// A run that was taken up again, and whose sandbox is lost before it has got that far, can be taken up once more.
    fn not_opened(&self, error: AgentError, stop: &CancellationToken) -> RunEnd {
        let pause = matches!(self.talk, Talk::Going(_)).then(|| error.pause()).flatten();
        let end = failed(error, stop);
        match pause.filter(|_| end.status == RunStatus::Failed) {
            Some(remark) => RunEnd { status: RunStatus::Paused, remarks: vec![remark], error: None, ..end },
            None => end,
        }
    }

    async fn answer(
        &mut self,
        watch: &mut Watcher<'_>,
        person: &dyn Person,
        stop: &CancellationToken,
    ) -> RunEnd {
        let (Talk::Going(conversation), Some(session), Some(seat)) =
            (&mut self.talk, &mut self.session, &self.seat)
        else {
            let error = AgentError::Record("the run was not opened".into());
            return failed(error, stop);
        };
        let mut journal = Journal::new(&mut self.store, self.record.id.clone(), watch);
        let contract = Grounded { engine: &self.engine, record: &self.record };
        let agent = Agent {
            model: &*self.model,
            contract: &contract,
            budget: self.record.budget,
            guidance: self.record.guidance,
        };
        let request =
            OpenRequest { run: &self.record.id, manifest: &self.manifest, policy: &self.record.policy };
        let mut bench = Workbench::new(session, &self.record.policy, &self.output, &mut journal)
            .with_spare(&seat.runtime, request)
            .among(&self.surroundings)
            .with_person(person);
        agent.run(conversation, &mut bench, stop).await
    }
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
