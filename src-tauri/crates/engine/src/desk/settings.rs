//! What the person has set.

use assay_model::ApiKey;
use assay_sandbox::DockerSettings;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{Desk, lock};
use crate::engine::Engine;
use crate::model_choice::ModelChoice;
use crate::problem::Problem;

const SETTINGS: &str = "settings";

/// What the person has set. Keys are not part of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct Settings {
    /// Light or dark.
    pub theme: Theme,
    /// Which model thinks.
    pub model: ModelSettings,
    /// Another sandbox image.
    pub image: Option<String>,
    /// Another engine address.
    pub docker_host: Option<String>,
    /// What is wished for every answer.
    pub wishes: String,
    /// Whether a key is at hand for the model.
    pub key_kept: bool,
}

/// The colours of the window.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    /// As the system has it.
    #[default]
    System,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

/// Which model thinks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ModelSettings {
    /// Rules and statistics, no AI.
    #[default]
    BuiltIn,
    /// An endpoint that speaks Chat Completions.
    ChatCompletions {
        /// Its address.
        base_url: String,
        /// The model's name there.
        model: String,
        /// Whether it looks at pictures.
        #[serde(default)]
        images: bool,
        /// A new key; write-only, never answered and never stored.
        #[serde(default, skip_serializing)]
        key: Option<String>,
    },
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            theme: Theme::System,
            model: ModelSettings::default(),
            image: None,
            docker_host: None,
            wishes: String::new(),
            key_kept: false,
        }
    }
}

impl Settings {
    pub(super) fn docker(&self) -> DockerSettings {
        let named = |value: &Option<String>| value.clone().filter(|text| !text.trim().is_empty());
        DockerSettings {
            address: named(&self.docker_host),
            image: named(&self.image),
            ..DockerSettings::default()
        }
    }
}

impl Desk {
    /// The settings as they are kept.
    pub fn settings(&self) -> Result<Settings, Problem> {
        let store = Engine::new(self.home.clone(), DockerSettings::default())?.open_store()?;
        let kept = store.setting(SETTINGS)?;
        let mut settings: Settings =
            kept.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
        settings.key_kept = self.key().is_some();
        Ok(settings)
    }

    /// Keeps the settings; a key goes into this session's memory only.
    pub fn save_settings(&self, mut settings: Settings) -> Result<(), Problem> {
        if let ModelSettings::ChatCompletions { key, .. } = &mut settings.model
            && let Some(key) = key.take()
        {
            *lock(&self.session_key) = ApiKey::new(&key);
        }
        settings.key_kept = false;
        let store = Engine::new(self.home.clone(), DockerSettings::default())?.open_store()?;
        let text = serde_json::to_string(&settings).map_err(|error| Problem::storage(&error))?;
        Ok(store.set_setting(SETTINGS, &text)?)
    }

    /// The model as it is set.
    pub(super) fn model_choice(&self, model: &ModelSettings) -> ModelChoice {
        match model {
            ModelSettings::BuiltIn => ModelChoice::BuiltIn,
            ModelSettings::ChatCompletions { base_url, model, images, key } => ModelChoice::ChatCompletions {
                base_url: base_url.clone(),
                model: model.clone(),
                key: key.as_deref().and_then(ApiKey::new).or_else(|| self.key()),
                images: *images,
            },
        }
    }

    /// Whether a model could be used, in plain words.
    pub async fn check_model(&self, model: &ModelSettings) -> Result<String, Problem> {
        let model = self.model_choice(model).build()?;
        model.check().await?;
        let card = model.card();
        Ok(match card.host {
            Some(host) => format!("{} answers at {host}.", card.name),
            None => "The built-in analyst is always ready.".into(),
        })
    }

    fn key(&self) -> Option<ApiKey> {
        lock(&self.session_key).clone().or_else(|| ApiKey::new(&std::env::var("ASSAY_API_KEY").ok()?))
    }
}
