//! One streaming answer from one provider.
//!
//! This crate owns the provider-neutral conversation ([`Message`], [`ToolCall`]), the [`Model`]
//! trait, one module per wire format, and the one way by which all of them reach their servers. It never
//! loops: a call to [`Model::turn`] is one request and one answer. It knows nothing of tools' meaning, of
//! sandboxes or of files; whoever calls it runs the tool calls and comes back with their results.

mod address;
mod answer;
mod api_key;
mod base64_images;
mod chat_completions;
mod config;
mod context;
mod dialect;
mod estimate;
mod failure;
mod listing;
mod local_servers;
mod message;
mod messages;
mod model;
mod obstacle;
mod preset;
mod probe;
mod remote;
mod responses;
mod sse;
mod stated_limits;
mod text_protocol;
mod transport;
mod trust;
mod wire;

pub use address::{needs_key, stays_here};
pub use api_key::ApiKey;
pub use config::{Limits, RemoteConfig};
pub use listing::{ListedModel, Price};
pub use local_servers::{LocalServer, find_local_servers, find_local_servers_at};
pub use message::{AssistantMessage, Image, Message, ToolCall, ToolResult};
pub use model::{
    Capabilities, Delta, DeltaSink, Fence, Model, ModelCard, ModelError, Obstacle, Sending, StopReason,
    ToolSpec, ToolUse, Turn, TurnRequest, Usage,
};
pub use preset::{PRESETS, Place, Preset, preset};
pub use probe::{Probe, probe};
pub use remote::{connect, list_models};
pub use wire::Wire;
