//! A test of a connection that shows what a model can really do for an analysis.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use ts_rs::TS;

use crate::config::RemoteConfig;
use crate::message::{Image, Message};
use crate::model::{DeltaSink, Fence, Model, ModelError, ToolSpec, ToolUse, Turn, TurnRequest};
use crate::remote::Remote;
use crate::transport::{Delivery, Form};
use crate::wire::Images;

/// What a model was seen to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Probe {
    /// Whether its answer came piece by piece.
    pub streams: bool,
    /// How it asked for a tool; `None` when it did not.
    pub tools: Option<ToolUse>,
    /// Whether it saw a picture; `None` when it was not said to.
    pub images: Option<bool>,
    /// How many tokens a conversation and its answer may have together, where the server says so.
    pub context_tokens: Option<u64>,
    /// How long the first piece of the answer took.
    pub first_piece_ms: u64,
    /// What the server taught, see [`Model::learnt`].
    #[ts(skip)]
    pub learnt: Option<Value>,
}

/// A model that thinks before it calls needs some room.
const ANSWER_TOKENS: u32 = 1000;

/// A red square of 64 by 64 pixels.
const RED_SQUARE: &str = "iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAAT0lEQVR42u3PQQkAAAgEsItw/dMZxQi+hcEKLNO+FgEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQGBywLQTQDx3uY1cQAAAABJRU5ErkJggg==";

/// Lets the model call a tool and, where it is said to see, look at a picture. Nothing of the person's is
/// sent. An error means that it gave no answer at all; what it merely cannot do is part of the result.
pub async fn probe(
    config: RemoteConfig,
    sink: &mut DeltaSink<'_>,
    stop: &CancellationToken,
) -> Result<Probe, ModelError> {
    tokio::select! {
        biased;
        () = stop.cancelled() => Err(ModelError::Stopped),
        probe = try_everything(config, sink) => probe,
    }
}

async fn try_everything(config: RemoteConfig, sink: &mut DeltaSink<'_>) -> Result<Probe, ModelError> {
    let mut remote = Remote::new(config.clone())?;
    let begun = Instant::now();
    let (turn, Delivery { form, first_piece }) = remote.answer(&count_request(), sink).await?;
    let mut tools = has_called(&turn).then(|| remote.tool_use());
    if tools.is_none() && config.tools.is_none() && remote.tool_use() == ToolUse::Calls {
        let in_text = Remote::new(RemoteConfig { tools: Some(ToolUse::Text), ..config.clone() })?;
        let (turn, _) = in_text.answer(&count_request(), sink).await?;
        if has_called(&turn) {
            tools = Some(ToolUse::Text);
            remote = in_text;
        }
    }
    let images = if config.images {
        let seen = remote.answer(&picture_request(), sink).await;
        let is_right = seen.is_ok_and(|(turn, _)| turn.message.text.to_lowercase().contains("red"));
        // A picture that was refused was left out, and the colour guessed.
        Some(is_right && remote.images() == Images::Sent)
    } else {
        None
    };
    Ok(Probe {
        streams: form == Form::Stream,
        tools,
        images,
        context_tokens: remote.context_tokens().await,
        first_piece_ms: milliseconds(first_piece.duration_since(begun)),
        learnt: remote.learnt(),
    })
}

fn has_called(turn: &Turn) -> bool {
    turn.message.calls.iter().any(|call| call.name == "run_python" && call.broken.is_none())
}

fn count_request() -> TurnRequest {
    let schema = json!({
        "type": "object",
        "properties": {"code": {"type": "string", "description": "The Python code"}},
        "required": ["code"],
    });
    TurnRequest {
        instructions: "You look at files with Python, and never guess what is in them.".into(),
        messages: vec![Message::user("How many lines has input/data.csv? Use Python to count them.")],
        tools: vec![ToolSpec {
            name: "run_python".into(),
            description: "Runs Python code and returns what it prints.".into(),
            parameters: schema,
            fence: Some(Fence { language: "python".into(), argument: "code".into() }),
        }],
        max_output_tokens: ANSWER_TOKENS,
        temperature: None,
    }
}

fn picture_request() -> TurnRequest {
    let image = Image { media_type: "image/png".into(), base64: RED_SQUARE.into() };
    TurnRequest {
        instructions: String::new(),
        messages: vec![Message::User {
            text: "Which colour is this picture? Answer with one English word.".into(),
            images: vec![image],
        }],
        tools: Vec::new(),
        max_output_tokens: ANSWER_TOKENS,
        temperature: None,
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
