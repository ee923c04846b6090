//! Which model thinks.

use assay_analyst::Analyst;
use assay_model::{Model, RemoteConfig, ToolUse, connect};
use serde_json::Value;

use crate::problem::Problem;

/// The word for the built-in analyst.
pub const BUILT_IN: &str = "built-in";

/// Models with no more room than this are told as little as does, in tokens.
const SHORT_CONTEXT: u64 = 16_384;

/// Which model thinks.
#[derive(Debug, Clone, Default)]
pub enum ModelChoice {
    /// Rules and statistics, no AI, nothing leaves the computer.
    #[default]
    BuiltIn,
    /// A model that is asked over the network, or of a program on this computer.
    Remote(Box<RemoteConfig>),
}

impl ModelChoice {
    pub(crate) fn build(&self) -> Result<Box<dyn Model>, Problem> {
        match self {
            Self::BuiltIn => Ok(Box::new(Analyst)),
            Self::Remote(config) => Ok(connect(*config.clone())?),
        }
    }

    /// Whether it is one of the language models that are told as little as does.
    pub(crate) async fn wants_short_guidance(&self, model: &dyn Model) -> bool {
        let by_text = matches!(self, Self::Remote(config) if config.tools == Some(ToolUse::Text));
        by_text || model.context_tokens().await.is_some_and(|tokens| tokens <= SHORT_CONTEXT)
    }

    /// The name under which what the server taught is kept.
    pub(crate) fn lesson(&self) -> Option<String> {
        match self {
            Self::BuiltIn => None,
            Self::Remote(config) => Some(format!("learnt {} {}", config.base_url, config.model)),
        }
    }

    /// The same choice with what the server taught before.
    pub(crate) fn taught(mut self, learnt: Option<Value>) -> Self {
        if let Self::Remote(config) = &mut self {
            config.learnt = learnt;
        }
        self
    }
}
