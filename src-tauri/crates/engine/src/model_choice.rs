//! Which model thinks.

use assay_agent::Guidance;
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

    /// How much the model is told, where the person has not said: by how much it can read.
    pub(crate) async fn guidance(&self, model: &dyn Model) -> Guidance {
        let by_text = matches!(self, Self::Remote(config) if config.tools == Some(ToolUse::Text));
        if by_text || model.context_tokens().await.is_some_and(|tokens| tokens <= SHORT_CONTEXT) {
            Guidance::Short
        } else {
            Guidance::Full
        }
    }

    /// The same choice for a model that is told this much. Small models write a block of code more surely than
    /// a call.
    pub(crate) fn guided(mut self, guidance: Guidance) -> Self {
        if let (Self::Remote(config), Guidance::Short) = (&mut self, guidance) {
            config.tools.get_or_insert(ToolUse::Text);
        }
        self
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
