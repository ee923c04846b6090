//! One streaming answer from one provider.
//!
//! This crate owns the provider-neutral conversation ([`Message`], [`ToolCall`]), the [`Model`]
//! trait, and one file per provider format. It never loops: a call to [`Model::turn`] is one
//! request and one answer. It knows nothing of tools' meaning, of sandboxes or of files; whoever
//! calls it runs the tool calls and comes back with their results.

mod api_key;
mod base64_images;
mod chat_completions;
mod endpoint;
mod failure;
mod message;
mod model;
mod sse;

pub use api_key::ApiKey;
pub use chat_completions::{ChatCompletions, ChatCompletionsConfig};
pub use endpoint::{needs_key, stays_here};
pub use message::{AssistantMessage, Image, Message, ToolCall, ToolResult};
pub use model::{
    Capabilities, Delta, DeltaSink, Fence, Model, ModelCard, ModelError, Obstacle, Sending, StopReason,
    ToolSpec, ToolUse, Turn, TurnRequest, Usage,
};
