//! The loop.

use std::convert::Infallible;
use std::time::Duration;

use assay_model::{Image, Message, Model, ModelError, ToolCall, ToolResult, ToolUse};
use assay_sandbox::{Action, SandboxError, StepOutcome, StepStatus};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio_util::sync::CancellationToken;
use ts_rs::TS;

use crate::budget::{Budget, Spent};
use crate::context::Room;
use crate::contract::{Contract, Gap};
use crate::conversation::Conversation;
use crate::event::Event;
use crate::form;
use crate::observation::observe;
use crate::prompt::{self, Guidance};
use crate::question::Waited;
use crate::recovery::{self, Recovered};
use crate::retry::LONGEST_WAIT;
use crate::tools::{self, Observed, Tool};
use crate::workbench::{Workbench, succeeded};

/// How often a model that ended too early is told what is missing.
const REMINDERS: u32 = 2;

/// What the model reads instead of the result of code that used up all memory a moment ago.
const EXHAUSTING: &str = "Nothing was run: this code has just used up the sandbox's memory, and would again. Read fewer columns, \
                          work in chunks, or use a sample.";

/// Model + tools + output contract; the instructions are the conversation's.
pub struct Agent<'a> {
    /// Who thinks.
    pub model: &'a dyn Model,
    /// What must be left behind.
    pub contract: &'a dyn Contract,
    /// What may be used.
    pub budget: Budget,
    /// How much the model is told and offered.
    pub guidance: Guidance,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// The model ended and the contract holds.
    Done,
    /// The model ended, but something is missing even after it was told.
    Incomplete,
    /// The person stopped it.
    Stopped,
    /// The provider asks for a long wait, or there is no sandbox any more; the run can be gone on with afterwards.
    Paused,
    /// A limit was reached.
    OutOfBudget,
    /// The model asked for the very same thing again and again.
    Stuck,
    /// Something outside the analysis went wrong.
    Failed,
}

/// What is left of a run besides its artifacts.
#[derive(Debug)]
pub struct RunEnd {
    /// How it ended.
    pub status: RunStatus,
    /// The model's last words.
    pub answer: String,
    /// What is missing of the contract, or which limit was reached, in plain words.
    pub remarks: Vec<String>,
    /// What was used.
    pub spent: Spent,
    /// The trouble, when it failed.
    pub error: Option<AgentError>,
}

/// Trouble outside the analysis.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    /// The model gives no answer.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The sandbox is not there any more.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    /// What happened could not be put on disk.
    #[error("the run could not be recorded: {0}")]
    Record(String),
    /// An artifact could not be put on disk.
    #[error("an artifact could not be kept: {0}")]
    Io(#[from] std::io::Error),
}

/// Why the loop is left before the contract holds.
enum Cut {
    Limit(String),
    Stuck,
    Error(AgentError),
}

impl<E: Into<AgentError>> From<E> for Cut {
    fn from(error: E) -> Self {
        Self::Error(error.into())
    }
}

impl Agent<'_> {
    /// Answers the last message of the conversation, whatever the end is. The end itself is recorded too.
    pub async fn run(
        &self,
        conversation: &mut Conversation,
        bench: &mut Workbench<'_>,
        stop: &CancellationToken,
    ) -> RunEnd {
        let mut answer = String::new();
        conversation.answer_lost_calls();
        // The run's own limit acts like a stop, but is told apart from the person's.
        let halt = stop.child_token();
        let limit = Duration::from_secs(bench.policy().run_limit_s);
        let waited = bench.waited().clone();
        let worked = tokio::select! {
            biased;
            worked = self.work(conversation, bench, &halt, &mut answer) => worked,
            never = halt_after(limit, &waited, &halt) => match never {},
        };
        let time_is_up = halt.is_cancelled() && !stop.is_cancelled();
        let (status, remarks, error) = match worked {
            Ok(gaps) if gaps.is_empty() => (RunStatus::Done, Vec::new(), None),
            Ok(gaps) => (RunStatus::Incomplete, gaps.into_iter().map(|gap| gap.0).collect(), None),
            Err(_) if stop.is_cancelled() => (RunStatus::Stopped, Vec::new(), None),
            Err(_) if time_is_up => {
                let minutes = limit.as_secs().div_ceil(60);
                let unit = if minutes == 1 { "minute" } else { "minutes" };
                let remark = format!("The run reached its limit of {minutes} {unit}.");
                (RunStatus::OutOfBudget, vec![remark], None)
            }
            Err(Cut::Limit(limit)) => {
                (RunStatus::OutOfBudget, vec![format!("The run reached its limit of {limit}.")], None)
            }
            Err(Cut::Stuck) => {
                (RunStatus::Stuck, vec!["The same step was asked for again and again.".into()], None)
            }
            Err(Cut::Error(error)) => match error.pause() {
                Some(remark) => (RunStatus::Paused, vec![remark], None),
                None => (RunStatus::Failed, Vec::new(), Some(error)),
            },
        };
        let mut end = RunEnd { status, answer, remarks, spent: conversation.spent(), error };
        let event =
            Event::RunEnded { status: end.status, answer: end.answer.clone(), remarks: end.remarks.clone() };
        let kept = bench.keep_what_sandbox_was_sent().and_then(|()| bench.record(event));
        if let Err(error) = kept {
            end.status = RunStatus::Failed;
            end.error = Some(error);
        }
        end
    }

    /// Turns and steps until the model ends. Returns what is missing of the contract.
    async fn work(
        &self,
        conversation: &mut Conversation,
        bench: &mut Workbench<'_>,
        stop: &CancellationToken,
        answer: &mut String,
    ) -> Result<Vec<Gap>, Cut> {
        let capabilities = self.model.card().capabilities;
        let is_short = self.guidance == Guidance::Short || capabilities.tools == ToolUse::Text;
        let offered: Vec<&dyn Tool> = tools::all()
            .into_iter()
            .filter(|tool| tool.suits(capabilities) && (tool.is_essential() || !is_short))
            .collect();
        let tools = offered.iter().map(|tool| tool.spec()).collect::<Vec<_>>();
        let mut room = Room::new(self.model.context_tokens().await);
        self.keep_asides(0, bench)?;
        let before = conversation.spent();
        self.prepare(conversation, bench, stop).await?;
        let mut reminders = 0;
        // Rules cannot be talked out of a figure.
        let mut may_doubt = self.model.card().is_ai;
        loop {
            if let Some(limit) = conversation.spent().since(&before).limit_reached(&self.budget) {
                return Err(Cut::Limit(limit));
            }
            let number = conversation.begin_turn();
            let (turn, estimated) =
                self.fitting_turn(number, conversation, &tools, &mut room, bench, stop).await?;
            let calls = turn.message.calls.clone();
            answer.clone_from(&turn.message.text);
            conversation.answered(turn.message, turn.usage, estimated);
            if calls.is_empty() {
                let mut gaps = self.contract.gaps(bench.output(), answer);
                if gaps.is_empty() && bench.worked() == 0 && before.steps == 0 {
                    gaps.push(Gap(prompt::NO_CODE.into()));
                }
                if is_short && gaps.is_empty() {
                    let messages = conversation.messages();
                    gaps = form::gaps(prompt::request_in(messages), messages, answer);
                }
                if gaps.is_empty() && may_doubt {
                    may_doubt = false;
                    let doubts = self.contract.doubts(bench.output());
                    if !doubts.is_empty() {
                        bench.record(Event::ContractBroken { gaps: doubts.clone() })?;
                        conversation.push(Message::user(prompt::missing(&doubts)));
                        continue;
                    }
                }
                if gaps.is_empty() || reminders == REMINDERS || !self.model.can_be_told() {
                    return Ok(gaps);
                }
                reminders += 1;
                bench.record(Event::ContractBroken { gaps: gaps.clone() })?;
                conversation.push(Message::user(prompt::missing(&gaps)));
                continue;
            }
            let mut images = Vec::new();
            bench.set_request(prompt::request_in(conversation.messages()));
            for call in calls {
                if conversation.spent().since(&before).steps >= self.budget.steps {
                    return Err(Cut::Limit(format!("{} steps", self.budget.steps)));
                }
                if bench.is_stuck(&call) {
                    return Err(Cut::Stuck);
                }
                let (turn, step) = (conversation.spent().turns, conversation.begin_step());
                let (result, image) = self.step(call, turn, step, &offered, bench, stop).await?;
                conversation.push(Message::Tool(result));
                images.extend(image);
            }
            if !images.is_empty() {
                conversation.push(Message::User { text: "The picture you asked for:".into(), images });
            }
        }
    }

    /// Loads the tables before the first turn, where that is wished for: a step like any other, for which
    /// no model has asked.
    async fn prepare(
        &self,
        conversation: &mut Conversation,
        bench: &mut Workbench<'_>,
        stop: &CancellationToken,
    ) -> Result<(), Cut> {
        let Some(code) = bench.prelude().filter(|_| conversation.spent().steps == 0) else { return Ok(()) };
        let step = conversation.begin_step();
        bench.record(Event::StepStarted {
            step,
            turn: 0,
            call: String::new(),
            tool: "run_python".into(),
            title: "Loading the tables".into(),
            arguments: json!({ "code": code }),
            mended: Vec::new(),
        })?;
        let action = Action::Python { code: code.into() };
        let outcome = match bench.run(step, action.clone(), stop).await {
            Ok(outcome) => outcome,
            Err(error) => match bench.recover(error, stop).await? {
                Recovered::Unfinished(_) => bench.run(step, action, stop).await?,
                Recovered::OutOfMemory(outcome) => *outcome,
            },
        };
        let (ok, observation) = (succeeded(&outcome), observe(&outcome, None));
        if !ok {
            conversation.push(Message::user(prompt::not_loaded(&observation)));
        }
        bench.record(Event::StepEnded { step, ok, outcome: Some(Box::new(outcome)), observation })?;
        Ok(())
    }

    /// One tool call.
    async fn step(
        &self,
        call: ToolCall,
        turn: u32,
        step: u32,
        offered: &[&dyn Tool],
        bench: &mut Workbench<'_>,
        stop: &CancellationToken,
    ) -> Result<(ToolResult, Option<Image>), Cut> {
        if stop.is_cancelled() {
            return Err(SandboxError::Stopped.into());
        }
        let mut arguments = call.arguments.clone();
        let found = tools::find(&call, offered);
        let title =
            found.as_ref().map_or_else(|_| "A call that cannot be run".into(), |tool| tool.title(&arguments));
        let ready = found.and_then(|tool| Ok((tool, tool.mend(&mut arguments, bench)?)));
        let mended = ready.as_ref().map_or_else(|_| Vec::new(), |(_, mended)| mended.clone());
        bench.record(Event::StepStarted {
            step,
            turn,
            call: call.id.clone(),
            tool: call.name.clone(),
            title,
            arguments: arguments.clone(),
            mended: mended.clone(),
        })?;
        let would_exhaust = bench.repeats().would_exhaust(&call);
        let Observed { ok, mut text, image, outcome } = match ready {
            Ok(_) if would_exhaust => Observed::mistake(EXHAUSTING),
            Ok((tool, _)) => {
                let called = recovery::call(tool, step, &arguments, bench, stop).await;
                bench.keep_what_sandbox_was_sent()?;
                called?
            }
            Err(mistake) => mistake,
        };
        if ok {
            bench.count_worked();
        }
        for said in mended.iter().rev() {
            let place = text.find('\n').unwrap_or(text.len());
            text.insert_str(place, &format!("\nmended: {said}"));
        }
        // The variables of a sandbox that was set up again are there, those of a new process are not.
        let is_unchanged =
            |outcome: &StepOutcome| outcome.status == StepStatus::OutOfMemory && !outcome.restarted;
        let has_exhausted = would_exhaust || outcome.as_deref().is_some_and(is_unchanged);
        bench.repeats().note_exhausted(&call, has_exhausted);
        bench.repeats().note(&call, &mut text);
        bench.repeats().note_failure(outcome.as_ref().and_then(|outcome| outcome.error.as_ref()));
        if self.guidance == Guidance::Short {
            let lost = outcome.as_ref().is_some_and(|outcome| prompt::tells_of_loss(&outcome.stderr.head));
            text.push_str(&if lost && bench.mind_loss() {
                prompt::LOST.to_owned()
            } else {
                prompt::cue(ok, bench.request())
            });
        }
        bench.record(Event::StepEnded { step, ok, outcome, observation: text.clone() })?;
        if stop.is_cancelled() {
            return Err(SandboxError::Stopped.into());
        }
        Ok((ToolResult { call_id: call.id, text }, image))
    }
}

impl AgentError {
    /// Why a run pauses instead of failing, in plain words: the provider asks for a wait that is too long to sit
    /// through, or the sandbox is lost.
    pub fn pause(&self) -> Option<String> {
        match self {
            Self::Model(ModelError::RateLimited { retry_after: Some(wait) }) if *wait > LONGEST_WAIT => {
                Some(long_wait(*wait))
            }
            Self::Sandbox(error) => recovery::pause(error),
            _ => None,
        }
    }
}

fn long_wait(wait: Duration) -> String {
    let minutes = wait.as_secs().div_ceil(60);
    let wait = match minutes {
        0..=90 => format!("{minutes} minutes"),
        _ => format!("{} hours", minutes.div_ceil(60)),
    };
    format!(
        "The model's provider asks to wait for {wait}. Go on then, or with another model: nothing is lost."
    )
}

/// Cancels `halt` after the limit and then waits for ever: the work that watches it ends by itself.
async fn halt_after(limit: Duration, waited: &Waited, halt: &CancellationToken) -> Infallible {
    let begun = tokio::time::Instant::now();
    while let Some(left) =
        (limit + waited.total()).checked_sub(begun.elapsed()).filter(|left| !left.is_zero())
    {
        tokio::time::sleep(left).await;
    }
    halt.cancel();
    std::future::pending().await
}
