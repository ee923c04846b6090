//! Which model thinks.

use assay_analyst::Analyst;
use assay_model::{ApiKey, Model, RemoteConfig, Wire, connect};

use crate::problem::Problem;

/// The word for the built-in analyst.
pub const BUILT_IN: &str = "built-in";

/// Which model thinks.
#[derive(Debug, Clone, Default)]
pub enum ModelChoice {
    /// Rules and statistics, no AI, nothing leaves the computer.
    #[default]
    BuiltIn,
    /// An endpoint that speaks Chat Completions.
    ChatCompletions {
        /// The address up to and with its version, such as `https://api.openai.com/v1`.
        base_url: String,
        /// The model's name there.
        model: String,
        /// The key, where one is needed.
        key: Option<ApiKey>,
        /// Whether the model looks at pictures.
        images: bool,
    },
}

impl ModelChoice {
    pub(crate) fn build(&self) -> Result<Box<dyn Model>, Problem> {
        match self {
            Self::BuiltIn => Ok(Box::new(Analyst)),
            Self::ChatCompletions { base_url, model, key, images } => {
                let mut config = RemoteConfig::new(Wire::ChatCompletions, base_url, model);
                config.api_key.clone_from(key);
                config.images = *images;
                Ok(connect(config)?)
            }
        }
    }
}
