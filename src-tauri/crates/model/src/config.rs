//! Where a model is and how to ask it.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;

use crate::address::Reach;
use crate::api_key::ApiKey;
use crate::model::ToolUse;
use crate::wire::Wire;

/// Where a model is and how to ask it.
#[derive(Debug, Clone)]
pub struct RemoteConfig {
    /// How requests are written.
    pub wire: Wire,
    /// The address up to and with its version, for example `http://127.0.0.1:11434/v1`.
    pub base_url: String,
    /// The account's key; servers nearby need none, see [`needs_key`](crate::needs_key).
    pub api_key: Option<ApiKey>,
    /// The model's name as the server knows it.
    pub model: String,
    /// Whether the model looks at pictures. When it does not, pictures are left out.
    pub images: bool,
    /// How the model asks for tools; `None` finds out from the server's refusals.
    pub tools: Option<ToolUse>,
    /// A PEM file with certificates to trust besides the system's, as company networks need it.
    pub extra_ca: Option<PathBuf>,
    /// What [`Model::learnt`](crate::Model::learnt) said of the same address and model before.
    pub learnt: Option<Value>,
    /// How long the server may be silent; `None` waits longer for servers nearby.
    pub limits: Option<Limits>,
}

impl RemoteConfig {
    /// A model without a key that does not look at pictures, of which nothing is known.
    pub fn new(wire: Wire, base_url: impl Into<String>, model: impl Into<String>) -> Self {
        Self {
            wire,
            base_url: base_url.into(),
            api_key: None,
            model: model.into(),
            images: false,
            tools: None,
            extra_ca: None,
            learnt: None,
            limits: None,
        }
    }
}

/// How long a server may be silent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Before the first piece of an answer; a local model reads a long conversation for minutes.
    pub first_token: Duration,
    /// Before each further piece. Models think, and servers hold tool calls back until they are whole.
    pub idle: Duration,
}

impl Limits {
    pub(crate) fn for_reach(reach: Reach) -> Self {
        let (first_token_min, idle_min) = match reach {
            Reach::ThisComputer | Reach::LocalNetwork => (20, 10),
            Reach::Internet => (5, 5),
        };
        Self { first_token: Duration::from_mins(first_token_min), idle: Duration::from_mins(idle_min) }
    }
}
