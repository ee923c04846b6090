//! The steps of an earlier run as a model: in each turn the next one.

use assay_agent::{Event, Gap};
use assay_model::{
    AssistantMessage, Capabilities, Delta, DeltaSink, Model, ModelCard, ModelError, StopReason, ToolCall,
    Turn, TurnRequest,
};
use assay_sandbox::StepOutcome;
use async_trait::async_trait;
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use super::plan::{NAMING, Plan, STEP};
use crate::contract::REPORT;
use crate::engine::Engine;
use crate::open_run::loop_events;

/// More of what was printed does not go into an answer.
const MOST_PRINTED: usize = 4000;
/// How an answer begins when a step did not work on the new file.
const BROKEN_OFF: &str = "The steps could not be done again on ";

/// An earlier run's steps behind the same trait as any model. It holds no state: the journal of the run tells
/// how far it is.
pub(crate) struct Again {
    pub(super) engine: Engine,
    /// The run that is going on.
    pub(super) run: String,
    pub(super) plan: Plan,
    /// The day on which the earlier run began.
    pub(super) day: String,
}

/// Who "thinks" when steps are done again.
pub(crate) fn card() -> ModelCard {
    ModelCard {
        name: "the steps of an earlier run".into(),
        host: None,
        is_ai: false,
        capabilities: Capabilities::default(),
    }
}

/// What is missing of a run that broke off, from its answer.
pub(crate) fn broken_off(answer: &str) -> Option<Gap> {
    let (_, rest) = answer.split_once(BROKEN_OFF)?;
    let (_, what) = rest.split_once(": ")?;
    Some(Gap(what.trim().trim_end_matches('.').to_owned()))
}

/// A call that was made in this run.
pub(super) struct Done<'a> {
    pub(super) call: &'a str,
    pub(super) step: u32,
    pub(super) turn: u32,
    pub(super) title: &'a str,
    /// Whether it worked, once it has ended.
    pub(super) ok: Option<bool>,
    pub(super) outcome: Option<&'a StepOutcome>,
}

/// What comes next.
enum Next<'a> {
    /// A call of this id.
    Call(String, &'a str, Value),
    /// The last words.
    End(String),
}

impl Again {
    pub(crate) fn new(engine: Engine, run: String, plan: Plan, day: String) -> Self {
        Self { engine, run, plan, day }
    }

    fn next(&self, events: &[Event]) -> Next<'_> {
        let done = done(events);
        let of = |id: &str| done.iter().rfind(|done| base(done.call) == id);
        if let Some(code) = &self.plan.naming {
            match of(NAMING).map(|done| (done, done.ok)) {
                Some((_, Some(true))) => {}
                Some((failed, Some(false))) => return Next::End(self.broken_off(failed)),
                _ => {
                    let arguments = json!({"title": "Naming the columns as before", "code": code});
                    return Next::Call(NAMING.into(), "run_python", arguments);
                }
            }
        }
        for planned in &self.plan.steps {
            if planned.loads
                && let Some(loaded) = done.iter().find(|done| done.turn == 0)
            {
                match loaded.ok {
                    Some(false) if planned.worked => return Next::End(self.broken_off(loaded)),
                    _ => continue,
                }
            }
            let id = format!("{STEP}{}", planned.step);
            match of(&id).map(|done| (done, done.ok)) {
                Some((_, Some(true))) => {}
                Some((_, Some(false))) if !planned.worked => {}
                Some((failed, Some(false))) => return Next::End(self.broken_off(failed)),
                _ => return Next::Call(id, &planned.tool, planned.arguments.clone()),
            }
        }
        Next::End(self.answer(&done))
    }

    /// The last words when a step did not work.
    fn broken_off(&self, failed: &Done<'_>) -> String {
        format!(
            "{BROKEN_OFF}{}: step {}, “{}”, did not work there ({}). Choose a model in the settings that may \
             mend it, or ask the question anew on this file.",
            self.plan.of.file.now,
            failed.step,
            failed.title,
            trouble(failed.outcome)
        )
    }

    /// The last words when all is done.
    fn answer(&self, done: &[Done<'_>]) -> String {
        let count =
            done.iter().filter(|done| done.call.starts_with(STEP) && base(done.call) != NAMING).count();
        let steps = match count {
            1 => "The step".to_owned(),
            count => format!("The {count} steps"),
        };
        let was = if count == 1 { "was" } else { "were" };
        let mut answer =
            format!("{steps} of the run of {} {was} done again on {}.", self.day, self.plan.of.file.now);
        if self.engine.run_folder(&self.run).join("output").join(REPORT).is_file() {
            if let Ok(compared) = self.engine.compare(&self.run) {
                answer.push_str(&changed(compared.changed()));
            }
            return answer;
        }
        let printed = done.iter().rev().find_map(|done| printed(done.outcome?));
        match printed {
            Some(text) => answer.push_str(&format!(" The last of them printed:\n\n{text}")),
            None => answer.push_str(" None of them printed anything."),
        }
        answer
    }
}

/// How many figures are others than before, in a sentence.
fn changed((changed, all): (usize, usize)) -> String {
    match (changed, all) {
        (_, 0) => " No figure of the report stands in the earlier one.".into(),
        (0, _) => " No figure of the report changed.".into(),
        (_, 1) => " The one figure that stands in both reports changed.".into(),
        (1, all) => format!(" 1 of the {all} figures that stand in both reports changed."),
        (changed, all) => format!(" {changed} of the {all} figures that stand in both reports changed."),
    }
}

/// What a step printed, where it did.
fn printed(outcome: &StepOutcome) -> Option<String> {
    let text = format!("{}\n{}", outcome.stdout.head, outcome.stdout.tail);
    let text = text.trim();
    (!text.is_empty()).then(|| text.chars().take(MOST_PRINTED).collect())
}

/// The last line of what went wrong.
fn trouble(outcome: Option<&StepOutcome>) -> String {
    use assay_sandbox::StepStatus;
    let Some(outcome) = outcome else { return "it could not be run".into() };
    match outcome.status {
        StepStatus::Timeout => "it took too long".into(),
        StepStatus::OutOfMemory => "the sandbox ran out of memory".into(),
        StepStatus::Interrupted => "it was stopped".into(),
        StepStatus::Exited | StepStatus::Crashed => "Python was lost".into(),
        StepStatus::Ok | StepStatus::Error => match (&outcome.error, outcome.exit_code) {
            (Some(error), _) => {
                let line = error.message.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
                format!("{}: {}", error.kind, line.trim()).chars().take(200).collect()
            }
            (None, Some(code)) => format!("exit code {code}"),
            (None, None) => "it failed".into(),
        },
    }
}

/// The calls of a run, in order.
pub(super) fn done(events: &[Event]) -> Vec<Done<'_>> {
    let mut all: Vec<Done<'_>> = Vec::new();
    for event in events {
        match event {
            Event::StepStarted { step, turn, call, title, .. } => {
                all.push(Done { call, step: *step, turn: *turn, title, ok: None, outcome: None });
            }
            Event::StepEnded { step, ok, outcome, .. } => {
                if let Some(last) = all.iter_mut().rfind(|done| done.step == *step) {
                    last.ok = Some(*ok);
                    last.outcome = outcome.as_deref();
                }
            }
            _ => {}
        }
    }
    all
}

/// Stands in a call's id before a number, where the same step is asked for more than once.
const ONCE_MORE: char = '~';

/// The id of a call without what tells it from an earlier one.
pub(super) fn base(id: &str) -> &str {
    id.split(ONCE_MORE).next().unwrap_or(id)
}

/// An id that no call of the run has yet.
fn fresh(id: &str, events: &[Event]) -> String {
    match done(events).iter().filter(|done| base(done.call) == id).count() {
        0 => id.to_owned(),
        before => format!("{id}{ONCE_MORE}{}", before + 1),
    }
}

#[async_trait]
impl Model for Again {
    fn card(&self) -> ModelCard {
        card()
    }

    async fn check(&self) -> Result<(), ModelError> {
        Ok(())
    }

    fn can_be_told(&self) -> bool {
        false
    }

    async fn turn(
        &self,
        _request: &TurnRequest,
        sink: &mut DeltaSink<'_>,
        stop: &CancellationToken,
    ) -> Result<Turn, ModelError> {
        if stop.is_cancelled() {
            return Err(ModelError::Stopped);
        }
        let store = self.engine.open_store();
        let events = store
            .and_then(|store| loop_events(&store, &self.run))
            .map_err(|problem| ModelError::Protocol(problem.message))?;
        let (text, call) = match self.next(&events) {
            Next::Call(id, tool, arguments) => (String::new(), Some((fresh(&id, &events), tool, arguments))),
            Next::End(text) => (text, None),
        };
        if !text.is_empty() {
            sink(Delta::Text(text.clone()));
        }
        let calls: Vec<ToolCall> = call
            .into_iter()
            .map(|(id, tool, arguments)| ToolCall {
                id,
                name: tool.into(),
                arguments,
                broken: None,
                extra: Map::new(),
            })
            .collect();
        let stop = if calls.is_empty() { StopReason::End } else { StopReason::ToolCalls };
        Ok(Turn { message: AssistantMessage { text, calls, extra: Map::new() }, stop, usage: None })
    }
}
