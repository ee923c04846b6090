//! The trait every model implements, and what goes in and out of it.

use std::time::Duration;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio_util::sync::CancellationToken;
use ts_rs::TS;

use crate::message::{AssistantMessage, Message};

/// Something that answers a conversation: a hosted model, a local server, or rules.
#[async_trait]
pub trait Model: Send + Sync {
    /// Who answers, for the person and for the run's record.
    fn card(&self) -> ModelCard;

    /// Checks without cost whether the model can be used now (address answers, key accepted, name
    /// known). An error carries the same classes as a turn's.
    async fn check(&self) -> Result<(), ModelError>;

    /// How many tokens a conversation and its answer may have together, where the server says so.
    async fn context_tokens(&self) -> Option<u64> {
        None
    }

    /// What the server has taught about how it wants to be asked, to be kept and given back to a later
    /// model of the same address and name.
    fn learnt(&self) -> Option<Value> {
        None
    }

    /// What has left for the server beside the requests of [`Model::turn`] since this was last asked: whether
    /// it answers, which models it has, how much they can read.
    fn take_asides(&self) -> Vec<Sending> {
        Vec::new()
    }

    /// Whether it can do something about what is missing when it is told so. What only repeats what was
    /// recorded cannot.
    fn can_be_told(&self) -> bool {
        true
    }

    /// Streams one answer. Text and tool-call names go to `sink` while they arrive; the whole
    /// answer is returned. Ends within a second of `stop` being cancelled with
    /// [`ModelError::Stopped`], the connection closed.
    async fn turn(
        &self,
        request: &TurnRequest,
        sink: &mut DeltaSink<'_>,
        stop: &CancellationToken,
    ) -> Result<Turn, ModelError>;
}

/// Receives the answer while it streams.
pub type DeltaSink<'a> = dyn FnMut(Delta) + Send + 'a;

/// Who answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ModelCard {
    /// The model's name as the provider knows it, or `built-in analyst`.
    pub name: String,
    /// The host that requests go to; `None` when nothing leaves this computer's process.
    pub host: Option<String>,
    /// False for the built-in analyst: it is rules and statistics, and says so everywhere.
    pub is_ai: bool,
    /// What the model can take and give.
    pub capabilities: Capabilities,
}

/// What a model can take and give.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Capabilities {
    /// Looks at pictures.
    pub images: bool,
    /// How it asks for tools.
    #[serde(default)]
    pub tools: ToolUse,
}

/// How a model asks for a tool.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ToolUse {
    /// By calls in the provider's format.
    #[default]
    Calls,
    /// By a fenced block in its text, see [`Fence`]; for models that know no calls.
    Text,
}

/// One request: everything the model gets to see.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TurnRequest {
    /// The standing instructions.
    pub instructions: String,
    /// The conversation so far, oldest first.
    pub messages: Vec<Message>,
    /// The tools that may be called; empty asks for a plain text answer.
    pub tools: Vec<ToolSpec>,
    /// Upper limit of the answer's length in tokens, reasoning included.
    pub max_output_tokens: u32,
    /// How much chance there is in the answer, 0 for none; `None` leaves it to the provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
}

/// A tool as the model is told of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolSpec {
    /// The name to call it by.
    pub name: String,
    /// What it does, for the model.
    pub description: String,
    /// JSON Schema of the arguments (an object).
    pub parameters: Value,
    /// The fenced block that means the same as a call, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fence: Option<Fence>,
}

/// A fenced block of Markdown that stands for a call of a tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fence {
    /// The word after the opening fence, such as `python`.
    pub language: String,
    /// The argument that the block's content is.
    pub argument: String,
}

/// A piece of an answer that is still arriving.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Delta {
    /// More text of the answer.
    Text(String),
    /// More of the model's reasoning, where the provider shows it.
    Reasoning(String),
    /// The model has begun to write a call of this tool.
    ToolCall(String),
    /// A request is about to leave; nothing is sent before the sink has returned.
    Sending(Sending),
}

/// A request as it goes out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sending {
    /// The host it goes to.
    pub host: String,
    /// The whole body; of a request beside the conversation its method and address, then its body. The key is
    /// in a header and never in here.
    pub body: String,
}

/// One whole answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    /// The answer as it goes into the history.
    pub message: AssistantMessage,
    /// Why the model ended.
    pub stop: StopReason,
    /// Tokens used, where the provider said so.
    pub usage: Option<Usage>,
}

/// Why an answer ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// The model had nothing more to say.
    End,
    /// The model waits for tool results.
    ToolCalls,
    /// The answer was cut at the output limit.
    Length,
    /// The provider refused the content.
    Refused,
}

/// Tokens as the provider counted them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Usage {
    /// Tokens read.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// What the answer cost, in millionths of a US dollar, where the provider's answer says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_microdollars: Option<u64>,
}

/// Why there is no answer. The message of each is for the log; fronts choose their own words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// The stop token was cancelled.
    #[error("the request was stopped")]
    Stopped,
    /// No key was given where one is needed.
    #[error("no API key was given")]
    MissingKey,
    /// The provider does not accept the key.
    #[error("the key was refused: {0}")]
    WrongKey(String),
    /// The account has no credit or quota left.
    #[error("the account has no credit left: {0}")]
    NoCredit(String),
    /// The provider does not know the model.
    #[error("the model is not known there: {0}")]
    UnknownModel(String),
    /// The conversation is longer than the model can read.
    #[error("the conversation is too long for the model: {0}")]
    TooLong(String),
    /// The server read only the end of the conversation and said nothing of it.
    #[error("the server cut the conversation: about {sent} tokens were sent, {read} were read")]
    Cut {
        /// Tokens sent, as estimated.
        sent: u64,
        /// Tokens read, as the server counts them.
        read: u64,
    },
    /// The provider refuses to answer such content.
    #[error("the content was refused: {0}")]
    ContentRefused(String),
    /// Too many requests; the provider may say how long to wait.
    #[error("the provider asks to slow down")]
    RateLimited {
        /// How long the provider asks to wait.
        retry_after: Option<Duration>,
    },
    /// Nobody answers at the address.
    #[error("no answer from {host}: {reason}")]
    Unreachable {
        /// The host that was asked.
        host: String,
        /// What stands in the way, as far as it can be told.
        obstacle: Obstacle,
        /// The technical reason.
        reason: String,
    },
    /// The server failed (HTTP 5xx) or its stream broke off.
    #[error("the server failed: {0}")]
    Server(String),
    /// The server is still reading the model from its disk.
    #[error("the model is being loaded: {0}")]
    Loading(String),
    /// The server refused the request for another reason (HTTP 4xx).
    #[error("the request was refused: {0}")]
    Rejected(String),
    /// The answer does not follow the protocol.
    #[error("the answer could not be understood: {0}")]
    Protocol(String),
}

/// What stands between this computer and a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obstacle {
    /// Nothing listens there, or the network is down.
    NoAnswer,
    /// No computer has this name.
    UnknownHost,
    /// The encryption could not be agreed on, or its certificate is not trusted.
    Encryption,
    /// The system's proxy does not let the request through.
    Proxy,
}

impl ModelError {
    /// Whether the same request may succeed a little later.
    pub fn is_transient(&self) -> bool {
        matches!(
            self,
            Self::RateLimited { .. } | Self::Unreachable { .. } | Self::Server(_) | Self::Loading(_)
        )
    }
}
