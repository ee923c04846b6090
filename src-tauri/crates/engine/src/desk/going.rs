//! Runs that go on behind a window, and the last one's sandbox, kept open for further questions.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use assay_agent::{Person, Question};
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;
use ts_rs::TS;

use super::{Desk, ModelSettings, lock};
use crate::again::{AgainRequest, MovedColumn};
use crate::contract::Give;
use crate::engine_list::EngineChoice;
use crate::event::RunEvent;
use crate::open_run::OpenRun;
use crate::problem::{Code, Problem};
use crate::run::{Rows, RunRequest};

/// Events of this long are sent to the window together.
const BATCH: Duration = Duration::from_millis(40);

/// How long a question waits for its answer; somebody who went to lunch still finds a report.
const PATIENCE: Duration = Duration::from_mins(10);

/// What a window asks for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RunAsk {
    /// Ids of the files.
    pub files: Vec<String>,
    /// The question.
    pub ask: String,
    /// What the table means.
    pub meaning: String,
    /// Whether charts should come out.
    pub charts: bool,
    /// Whether tables should come out.
    pub tables: bool,
    /// Whether the model gets to read rows.
    #[serde(default)]
    pub rows: Rows,
    /// What is left out of the files.
    #[serde(default)]
    pub leave_out: Vec<LeaveOut>,
    /// Where it runs; without a choice, where every run does.
    #[serde(default)]
    #[ts(optional)]
    pub engine: Option<EngineChoice>,
}

/// Something to be left out of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LeaveOut {
    /// The file's id.
    pub file: String,
    /// The id of one of the file's choices.
    pub choice: String,
}

/// What a window hears of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(untagged)]
#[ts(rename = "RunEvent")]
pub enum WindowEvent {
    /// Something happened.
    Run(Box<RunEvent>),
    /// The last one: nothing more comes until the next question.
    Closed(Closed),
}

/// The end of a question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Closed {
    /// The run is over.
    RunClosed {
        /// What went wrong, where something did.
        problem: Option<Problem>,
    },
}

/// Receives batches of events, in order.
pub(crate) type Sink = Box<dyn Fn(Vec<WindowEvent>) + Send>;

#[derive(Default)]
pub(super) struct Going {
    running: Arc<Mutex<HashMap<String, CancellationToken>>>,
    /// The questions that wait for an answer, by run.
    asked: Arc<Mutex<HashMap<String, oneshot::Sender<Option<String>>>>>,
    /// The run whose sandbox is open and idle.
    idle: Arc<Mutex<Option<OpenRun>>>,
}

impl Going {
    pub(super) fn is_running(&self, run: &str) -> bool {
        lock(&self.running).contains_key(run)
    }

    pub(super) fn is_open(&self, run: &str) -> bool {
        lock(&self.idle).as_ref().is_some_and(|open| open.record().id == run && open.has_sandbox())
    }

    /// Lets an idle sandbox go; dropping it ends it.
    pub(super) fn forget(&self, run: &str) {
        let mut idle = lock(&self.idle);
        if idle.as_ref().is_some_and(|open| open.record().id == run) {
            *idle = None;
        }
    }
}

impl Desk {
    /// Starts a run and returns its id as soon as it is on record.
    pub async fn start_run(&self, ask: &RunAsk, sink: Sink) -> Result<String, Problem> {
        let settings = self.settings()?;
        let paths: Vec<PathBuf> = ask.files.iter().map(|id| self.file_path(id)).collect::<Result<_, _>>()?;
        for id in &ask.files {
            self.save_file_note(id, &ask.meaning)?;
        }
        let notes: Vec<String> = [ask.meaning.clone(), settings.wishes.clone()]
            .into_iter()
            .filter(|text| !text.trim().is_empty())
            .collect();
        let request = RunRequest {
            settings: self.reading_settings_of(&paths),
            files: paths,
            ask: ask.ask.clone(),
            notes: notes.join("\n"),
            leave_out: self.left_out(&ask.leave_out)?,
            give: Give { report: true, charts: ask.charts, tables: ask.tables },
            model: self.model_choice(&settings)?,
            rows: ask.rows,
            budget: settings.limits.budget(&settings.model),
            policy: settings.limits.policy(),
            guidance: match &settings.model {
                ModelSettings::Remote(remote) => remote.guidance,
                ModelSettings::BuiltIn => None,
            },
            ..RunRequest::default()
        };
        self.close_idle().await;
        let ahead = match ask.engine {
            None | Some(EngineChoice::Usual) => self.take_ahead(&request.files).await,
            Some(_) => None,
        };
        let engine = self.engine_for_runs()?.on(ask.engine.as_ref().unwrap_or(&EngineChoice::Usual))?;
        let stop = CancellationToken::new();
        let (events, batches) = mpsc::unbounded_channel();
        let mut watch = telling(&events);
        let run = OpenRun::begin(&engine, &request, ahead, &mut watch, &stop).await?;
        Ok(self.show(run, stop, events, batches, sink))
    }

    /// Does an earlier run again on a chosen file and returns the new run's id as soon as it is on record. The
    /// model of the settings may mend a step that does not work on the new file.
    pub async fn run_again(
        &self,
        run: &str,
        file_id: &str,
        columns: Vec<MovedColumn>,
        sink: Sink,
    ) -> Result<String, Problem> {
        let settings = self.settings()?;
        let request = AgainRequest {
            run: run.to_owned(),
            file: self.file_path(file_id)?,
            columns,
            model: self.model_choice(&settings)?,
            budget: settings.limits.budget(&settings.model),
            policy: settings.limits.policy(),
            ..AgainRequest::default()
        };
        self.close_idle().await;
        let engine = self.engine_for_runs()?.on_engine_of(run)?;
        let (events, batches) = mpsc::unbounded_channel();
        let stop = CancellationToken::new();
        let run = OpenRun::again(&engine, &request, &mut telling(&events), &stop).await?;
        Ok(self.show(run, stop, events, batches, sink))
    }

    /// Lets a run that is on record go on behind the window.
    fn show(
        &self,
        run: OpenRun,
        stop: CancellationToken,
        events: mpsc::UnboundedSender<WindowEvent>,
        batches: mpsc::UnboundedReceiver<WindowEvent>,
        sink: Sink,
    ) -> String {
        let id = run.record().id.clone();
        tokio::spawn(deliver(batches, sink));
        self.go_on(run, stop, events);
        id
    }

    /// Asks a further question of a run: in its open sandbox, or in a new one after its steps were run again.
    /// Without a question an interrupted run is taken up where it was cut off.
    pub async fn follow_up(&self, id: &str, ask: Option<&str>, sink: Sink) -> Result<(), Problem> {
        if self.going.is_running(id) {
            return Err(Problem::new(
                Code::Input,
                "This run is still going on.",
                "Wait for its end, or stop it.",
            ));
        }
        let open = lock(&self.going.idle).take_if(|open| open.record().id == id);
        let mut run = if let Some(run) = open {
            run
        } else {
            self.close_idle().await;
            let settings = self.settings()?;
            let engine = self.engine_for_runs()?.on_engine_of(id)?;
            OpenRun::take_up(&engine, id, &self.model_choice(&settings)?).await?
        };
        if ask.is_some() && run.is_repeating() {
            run.think_with(&self.model_choice(&self.settings()?)?).await?;
        }
        let (events, batches) = mpsc::unbounded_channel();
        tokio::spawn(deliver(batches, sink));
        if let Some(ask) = ask {
            run.ask(ask, &mut telling(&events))?;
        }
        self.go_on(run, CancellationToken::new(), events);
        Ok(())
    }

    fn left_out(&self, chosen: &[LeaveOut]) -> Result<Vec<(PathBuf, String)>, Problem> {
        chosen.iter().map(|one| Ok((self.file_path(&one.file)?, one.choice.clone()))).collect()
    }

    /// Stops a run; what it has made is kept.
    pub fn stop_run(&self, id: &str) {
        if let Some(stop) = lock(&self.going.running).get(id) {
            stop.cancel();
        }
    }

    /// Answers the question that a run waits with; without an answer the choice is left to the model.
    pub fn answer_question(&self, id: &str, answer: Option<String>) {
        if let Some(waiting) = lock(&self.going.asked).remove(id) {
            let _ = waiting.send(answer);
        }
    }

    /// Ids of the runs that go on.
    pub fn running(&self) -> Vec<String> {
        lock(&self.going.running).keys().cloned().collect()
    }

    /// Stops everything and waits, for a while, until every sandbox is gone.
    pub async fn close(&self) {
        for stop in lock(&self.going.running).values() {
            stop.cancel();
        }
        self.close_idle().await;
        self.spare.close().await;
        for _ in 0..50 {
            if self.running().is_empty() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        self.close_idle().await;
    }

    async fn close_idle(&self) {
        let idle = lock(&self.going.idle).take();
        if let Some(mut run) = idle {
            run.close().await;
        }
    }

    fn go_on(&self, mut run: OpenRun, stop: CancellationToken, events: mpsc::UnboundedSender<WindowEvent>) {
        let id = run.record().id.clone();
        lock(&self.going.running).insert(id.clone(), stop.clone());
        let (running, idle) = (self.going.running.clone(), self.going.idle.clone());
        let person = AtTheWindow { run: id.clone(), asked: self.going.asked.clone() };
        tokio::spawn(async move {
            let mut watch = telling(&events);
            let problem = match run.work(&mut watch, &person, &stop).await {
                Ok(end) => end.error.map(Problem::from),
                Err(problem) => Some(problem),
            };
            if run.ends_with_answer() {
                run.close().await;
            }
            // A further question to a provider asks anew for the consent and the key.
            let kept = (!run.is_hosted()).then_some(run);
            let before = std::mem::replace(&mut *lock(&idle), kept);
            lock(&running).remove(&id);
            if let Some(mut before) = before {
                before.close().await;
            }
            let _ = events.send(WindowEvent::Closed(Closed::RunClosed { problem }));
        });
    }
}

/// Tells a window of what happens.
fn telling(events: &mpsc::UnboundedSender<WindowEvent>) -> impl FnMut(&RunEvent) + Send + use<> {
    let events = events.clone();
    move |event| {
        let _ = events.send(WindowEvent::Run(Box::new(event.for_window())));
    }
}

/// The person in front of a window.
struct AtTheWindow {
    run: String,
    asked: Arc<Mutex<HashMap<String, oneshot::Sender<Option<String>>>>>,
}

#[async_trait]
impl Person for AtTheWindow {
    async fn answer(&self, _question: &Question, stop: &CancellationToken) -> Option<String> {
        let (answer, waiting) = oneshot::channel();
        lock(&self.asked).insert(self.run.clone(), answer);
        let answer = tokio::select! {
            answer = waiting => answer.ok().flatten(),
            () = stop.cancelled() => None,
            () = tokio::time::sleep(PATIENCE) => None,
        };
        lock(&self.asked).remove(&self.run);
        answer
    }
}

/// Sends events on in batches, so that a flood of output does not drown the window.
async fn deliver(mut events: mpsc::UnboundedReceiver<WindowEvent>, sink: Sink) {
    while let Some(first) = events.recv().await {
        let mut batch = vec![first];
        tokio::time::sleep(BATCH).await;
        while let Ok(next) = events.try_recv() {
            batch.push(next);
        }
        sink(batch);
    }
}
