//! What happens in a run, for the person and for the record.

use assay_model::{AssistantMessage, StopReason, Usage};
use assay_sandbox::{OutputChunk, Sent, SessionFacts, StepOutcome};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use crate::agent::RunStatus;
use crate::contract::Gap;
use crate::question::Question;
use crate::surroundings::Surroundings;

/// Something that happened. Events come in order; a step's events lie between its start and its end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "event", rename_all = "snake_case")]
#[ts(rename = "AgentEvent")]
pub enum Event {
    /// The sandbox is open and its inputs are verified.
    SandboxReady {
        /// What is true of it.
        facts: SessionFacts,
    },
    /// The instructions and the opening message, as the model reads them.
    Briefed {
        /// The standing instructions.
        instructions: String,
        /// The opening message.
        opening: String,
        /// The names of what there is to work with.
        #[serde(default)]
        surroundings: Surroundings,
    },
    /// The person asks a further question.
    Asked {
        /// The question.
        ask: String,
    },
    /// A step of a session that has ended is run again, so that its variables are there. Live only.
    Replaying {
        /// The step.
        step: u32,
        /// What it is for.
        title: String,
    },
    /// The sandbox is gone and is being set up again. Live only.
    SandboxLost {
        /// Why, as far as it is known.
        reason: String,
    },
    /// The sandbox was lost and has been set up again.
    SandboxRestored {
        /// How many steps were run again.
        steps: u32,
        /// Those of them that came out differently this time.
        different: Vec<u32>,
    },
    /// The model is asked for its next answer.
    TurnStarted {
        /// Number in the run, from 1.
        turn: u32,
    },
    /// A piece of the answer's text. Live only.
    Text {
        /// The turn.
        turn: u32,
        /// The piece.
        text: String,
    },
    /// A piece of the model's reasoning. Live only.
    Reasoning {
        /// The turn.
        turn: u32,
        /// The piece.
        text: String,
    },
    /// The request failed for a passing reason and is sent again after a while.
    Waiting {
        /// The turn.
        turn: u32,
        /// How long, in seconds.
        wait_s: f64,
        /// Why.
        reason: String,
    },
    /// The model has answered.
    TurnEnded {
        /// The turn.
        turn: u32,
        /// The whole answer.
        message: AssistantMessage,
        /// Why it ended.
        stop: StopReason,
        /// Tokens, and what they cost where it is known.
        usage: Option<Usage>,
        /// Whether the tokens are an estimate, for want of the provider's count.
        #[serde(default)]
        estimated: bool,
    },
    /// A request is about to leave for a model's server, or has left that is no part of the conversation: how
    /// much the model can read, which models there are, what a hosted sandbox was sent.
    RequestSent {
        /// The turn; 0 before the first.
        turn: u32,
        /// The host it goes to.
        host: String,
        /// Size of the whole text in bytes, or of a file that the text only names.
        bytes: u64,
        /// How many bytes at its beginning are as in the request before it to the model.
        as_before: u64,
        /// The rest of the body; beside the conversation the method and address come before it.
        text: String,
        /// Whom it was for.
        #[serde(default, skip_serializing_if = "Recipient::is_model")]
        #[ts(as = "Option<Recipient>", optional)]
        to: Recipient,
    },
    /// Results of older steps were shortened, so that the model has room to go on.
    Shortened {
        /// How many.
        results: u32,
    },
    /// The model asks the person something, and waits.
    QuestionAsked {
        /// The step.
        step: u32,
        /// What it asks.
        question: Question,
    },
    /// The question is answered.
    QuestionAnswered {
        /// The step.
        step: u32,
        /// The answer; `None` when it is left to the model.
        answer: Option<String>,
    },
    /// A tool call begins.
    StepStarted {
        /// Number in the run, from 1.
        step: u32,
        /// The turn that asked for it.
        turn: u32,
        /// The id of the call.
        #[serde(default)]
        call: String,
        /// The tool's name.
        tool: String,
        /// What it is for, in plain words.
        title: String,
        /// The call's arguments.
        #[ts(type = "Record<string, unknown>")]
        arguments: Value,
        /// What was mended of the arguments before the step ran, a plain sentence each.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        mended: Vec<String>,
    },
    /// Output while it is produced. Live only.
    Output(OutputChunk),
    /// A tool call has ended.
    StepEnded {
        /// The step.
        step: u32,
        /// Whether it did what it was meant to.
        ok: bool,
        /// What the sandbox says, for steps that ran there.
        outcome: Option<Box<StepOutcome>>,
        /// What the model reads of it.
        observation: String,
    },
    /// A file of `output/` is on the host's disk.
    ArtifactSaved {
        /// The step that made it.
        step: u32,
        /// Path below `output/`.
        path: String,
        /// Size in bytes.
        size: u64,
    },
    /// A file of `output/` was deleted by a step, and its copy with it.
    ArtifactRemoved {
        /// The step.
        step: u32,
        /// Path below `output/`.
        path: String,
    },
    /// A file of `output/` stays in the sandbox.
    ArtifactRefused {
        /// The step.
        step: u32,
        /// The path, shown safely.
        path: String,
        /// Why.
        reason: String,
    },
    /// The model ended, but something is missing; it is told.
    ContractBroken {
        /// What is missing.
        gaps: Vec<Gap>,
    },
    /// The run is over.
    RunEnded {
        /// How.
        status: RunStatus,
        /// The model's last words.
        answer: String,
        /// What is missing of the contract, or what went wrong, in plain words.
        remarks: Vec<String>,
    },
}

/// Whom a request was for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Recipient {
    /// The model that thinks.
    #[default]
    Model,
    /// The provider whose containers run the code.
    Sandbox,
}

impl Recipient {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "the form that serde asks for")]
    fn is_model(&self) -> bool {
        *self == Self::Model
    }
}

impl Event {
    /// What a hosted sandbox was sent.
    pub fn sent_to_sandbox(turn: u32, sent: Sent) -> Self {
        let Sent { host, text, bytes } = sent;
        Self::RequestSent { turn, host, bytes, as_before: 0, text, to: Recipient::Sandbox }
    }

    /// Whether the event only shows progress and is contained in a later one.
    pub fn is_live_only(&self) -> bool {
        matches!(
            self,
            Self::Text { .. }
                | Self::Reasoning { .. }
                | Self::Output(_)
                | Self::Replaying { .. }
                | Self::SandboxLost { .. }
        )
    }
}

/// Keeps events, then shows them. The loop goes on only after `record` has returned.
pub trait Recorder: Send {
    /// Puts the event on disk unless it is live only, and hands it to whoever watches.
    fn record(&mut self, event: Event) -> Result<(), String>;

    /// What has been put on disk so far, in order.
    fn past(&self) -> Result<Vec<Event>, String>;
}
