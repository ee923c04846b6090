//! Where tools work: one session, the run's copy of `output/`, and the record of what happens.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use assay_model::{Sending, ToolCall};
use assay_sandbox::{Action, OpenRequest, Policy, Runtime, Session, Step, StepOutcome, StepStatus};
use tokio_util::sync::CancellationToken;

use crate::agent::AgentError;
use crate::event::{Event, Recorder};
use crate::hints::hint;
use crate::outbox::Outbox;
use crate::question::{Nobody, Person, Waited};
use crate::recovery::Spare;
use crate::stuck::Repeats;
use crate::surroundings::Surroundings;
use crate::tools::Observed;

/// One open session with the places its results go to.
pub struct Workbench<'a> {
    session: &'a mut Box<dyn Session>,
    spare: Option<Spare<'a>>,
    policy: &'a Policy,
    output: &'a Path,
    recorder: &'a mut dyn Recorder,
    repeats: Repeats,
    surroundings: Option<&'a Surroundings>,
    person: &'a dyn Person,
    may_ask: bool,
    /// The modules that steps have brought in, as far as code is mended with them.
    imported: BTreeSet<&'static str>,
    /// The files that steps have made.
    made: BTreeSet<String>,
    /// Texts that were put into the workspace beside the steps, by their path.
    put: BTreeMap<String, String>,
    /// How many steps did what they were meant to.
    worked: u32,
    installs: u32,
    minds_loss: bool,
    waited: Arc<Waited>,
    /// What is being answered.
    request: String,
    outbox: Outbox,
}

/// So many attempts to install something are one too many.
const INSTALLS: u32 = 3;

impl<'a> Workbench<'a> {
    /// `output` is the host's folder that `output/` of the sandbox is copied to after each step.
    pub fn new(
        session: &'a mut Box<dyn Session>,
        policy: &'a Policy,
        output: &'a Path,
        recorder: &'a mut dyn Recorder,
    ) -> Self {
        Self {
            session,
            spare: None,
            policy,
            output,
            recorder,
            repeats: Repeats::default(),
            surroundings: None,
            person: &Nobody,
            may_ask: true,
            imported: BTreeSet::new(),
            made: BTreeSet::new(),
            put: BTreeMap::new(),
            worked: 0,
            installs: 0,
            minds_loss: true,
            waited: Arc::default(),
            request: String::new(),
            outbox: Outbox::default(),
        }
    }

    /// The same bench with the names that hints are drawn from.
    #[must_use]
    pub fn among(mut self, surroundings: &'a Surroundings) -> Self {
        self.surroundings = Some(surroundings);
        self
    }

    /// The same bench with a place where another sandbox comes from, when this one is lost.
    #[must_use]
    pub fn with_spare(mut self, runtime: &'a dyn Runtime, request: OpenRequest<'a>) -> Self {
        self.spare = Some(Spare { runtime, request });
        self
    }

    pub(crate) fn spare(&self) -> Option<&Spare<'a>> {
        self.spare.as_ref()
    }

    /// The same bench with somebody to ask.
    #[must_use]
    pub fn with_person(mut self, person: &'a dyn Person) -> Self {
        self.person = person;
        self
    }

    pub(crate) fn person(&self) -> &'a dyn Person {
        self.person
    }

    /// What is being answered, in the person's words.
    pub(crate) fn request(&self) -> &str {
        &self.request
    }

    pub(crate) fn set_request(&mut self, request: &str) {
        request.clone_into(&mut self.request);
    }

    /// How long the run has waited for the person.
    pub(crate) fn waited(&self) -> &Arc<Waited> {
        &self.waited
    }

    /// Whether the person may be asked; once only.
    pub(crate) fn may_ask(&mut self) -> bool {
        std::mem::replace(&mut self.may_ask, false)
    }

    /// How many steps did what they were meant to.
    pub(crate) fn worked(&self) -> u32 {
        self.worked
    }

    pub(crate) fn count_worked(&mut self) {
        self.worked += 1;
    }

    pub(crate) fn imported(&mut self) -> &mut BTreeSet<&'static str> {
        &mut self.imported
    }

    /// Python that loads the tables, where they are loaded beforehand.
    pub(crate) fn prelude(&self) -> Option<&'a str> {
        self.surroundings?.prelude.as_deref()
    }

    /// The answer to an attempt to install something, plainer the second time.
    pub(crate) fn refuse_install(&mut self) -> Observed {
        self.installs += 1;
        let packages = self.surroundings.map(|around| around.packages.join(", ")).unwrap_or_default();
        Observed::mistake(if self.installs == 1 {
            format!(
                "Nothing was run: nothing can be installed, there is no network. Use what is there: the standard library{}{packages}.",
                if packages.is_empty() { "" } else { ", " }
            )
        } else {
            "Nothing was run, for the same reason as before. One more attempt to install something ends the run.".into()
        })
    }

    /// Whether the model cannot be talked out of a call.
    pub(crate) fn is_stuck(&self, call: &ToolCall) -> bool {
        self.installs >= INSTALLS || self.repeats.is_stuck(call)
    }

    /// Whether the last call was made before, with the same result.
    pub(crate) fn is_repeating(&self) -> bool {
        self.repeats.is_repeating()
    }

    /// Whether a step that lost values is to be done again; once only, for the loss may be meant.
    pub(crate) fn mind_loss(&mut self) -> bool {
        std::mem::replace(&mut self.minds_loss, false)
    }

    /// Whether the last two steps at least failed in the same way.
    pub(crate) fn is_failing_again(&self) -> bool {
        self.repeats.is_failing_again()
    }

    /// What would help after a step that failed.
    pub(crate) fn hint(&self, outcome: &StepOutcome) -> Option<String> {
        hint(outcome.error.as_ref()?, self.surroundings?, &self.made)
    }

    /// Keeps a request as it leaves.
    pub(crate) fn sent(&mut self, turn: u32, sending: Sending) -> Result<(), AgentError> {
        let entry = self.outbox.entry(turn, sending);
        self.record(entry)
    }

    /// Keeps what a hosted sandbox was sent since.
    pub(crate) fn keep_what_sandbox_was_sent(&mut self) -> Result<(), AgentError> {
        let turn = self.outbox.turn();
        let sent = self.spare.as_ref().map(|spare| spare.runtime.take_sent()).unwrap_or_default();
        sent.into_iter().try_for_each(|sent| self.record(Event::sent_to_sandbox(turn, sent)))
    }

    /// Loads the tables again after the process was lost. Whether they are there again.
    pub(crate) async fn reload(&mut self, number: u32, stop: &CancellationToken) -> Result<bool, AgentError> {
        self.imported.clear();
        let Some(code) = self.prelude() else { return Ok(false) };
        let outcome = self.run(number, Action::Python { code: code.into() }, stop).await?;
        Ok(succeeded(&outcome))
    }

    /// Puts a text into the workspace, for the model to read again.
    pub(crate) async fn put(
        &mut self,
        path: &str,
        text: &str,
        stop: &CancellationToken,
    ) -> Result<(), AgentError> {
        self.put.insert(path.to_owned(), text.to_owned());
        match self.session.write(path, text.as_bytes()).await {
            Ok(()) => Ok(()),
            // It is among what is put again.
            Err(error) => self.recover(error.into(), stop).await.map(drop),
        }
    }

    /// Puts into a new sandbox what was put into the one before it.
    pub(crate) async fn put_again(&mut self) -> Result<(), AgentError> {
        for (path, text) in &self.put {
            self.session.write(path, text.as_bytes()).await?;
        }
        Ok(())
    }

    pub(crate) fn session(&mut self) -> &mut dyn Session {
        &mut **self.session
    }

    pub(crate) fn session_box(&mut self) -> &mut Box<dyn Session> {
        self.session
    }

    pub(crate) fn session_and_recorder(&mut self) -> (&mut dyn Session, &mut dyn Recorder) {
        (&mut **self.session, self.recorder)
    }

    /// What is on record of the run.
    pub(crate) fn past(&self) -> Result<Vec<Event>, AgentError> {
        self.recorder.past().map_err(AgentError::Record)
    }

    pub(crate) fn policy(&self) -> &Policy {
        self.policy
    }

    pub(crate) fn output(&self) -> &Path {
        self.output
    }

    /// The calls that were made here.
    pub(crate) fn repeats(&mut self) -> &mut Repeats {
        &mut self.repeats
    }

    pub(crate) fn record(&mut self, event: Event) -> Result<(), AgentError> {
        self.recorder.record(event).map_err(AgentError::Record)
    }

    /// Runs a step in the sandbox and copies what it made out.
    pub(crate) async fn run(
        &mut self,
        number: u32,
        action: Action,
        stop: &CancellationToken,
    ) -> Result<StepOutcome, AgentError> {
        #[expect(clippy::cast_precision_loss, reason = "a limit in seconds is small")]
        let step = Step { number, action, limit_s: self.policy.step_limit_s as f64 };
        let recorder = &mut *self.recorder;
        let mut trouble = None;
        let mut outcome = self
            .session
            .run(
                &step,
                &mut |chunk| {
                    if let Err(error) = recorder.record(Event::Output(chunk)) {
                        trouble.get_or_insert(error);
                    }
                },
                stop,
            )
            .await?;
        if let Some(error) = trouble {
            return Err(AgentError::Record(error));
        }
        self.name_memory(&mut outcome);
        self.made.extend(outcome.changed.iter().map(|file| file.path.clone()));
        self.made.retain(|path| !outcome.removed.contains(path));
        self.collect(&outcome).await?;
        Ok(outcome)
    }

    /// Says how much memory there was, to a step that used up all of it.
    pub(crate) fn name_memory(&self, outcome: &mut StepOutcome) {
        if outcome.status == StepStatus::OutOfMemory {
            let memory = memory_words(self.policy.memory_mib);
            outcome.message.get_or_insert_with(|| format!("The sandbox ran out of memory ({memory})."));
        }
    }
}

/// `2 GB`, `1.5 GB`, `512 MB`: as computers are sold.
fn memory_words(mib: u64) -> String {
    match (mib / 1024, mib % 1024 * 10 / 1024) {
        (0, _) => format!("{mib} MB"),
        (whole, 0) => format!("{whole} GB"),
        (whole, tenths) => format!("{whole}.{tenths} GB"),
    }
}

/// Whether a step did what it was meant to.
pub(crate) fn succeeded(outcome: &StepOutcome) -> bool {
    outcome.status == StepStatus::Ok
}

/// A path as the workspace knows it, whether or not it was written from the root.
pub(crate) fn workspace_path(path: &str) -> &str {
    path.strip_prefix("/workspace/").or_else(|| path.strip_prefix("./")).unwrap_or(path)
}
