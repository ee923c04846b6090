//! What the person has set.

use assay_agent::{Budget, Guidance, Prices};
use assay_model::{ApiKey, RemoteConfig, ToolUse, Wire};
use assay_sandbox::{DockerSettings, Policy};
use assay_store::{KeyPlace, Keys};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::Desk;
use super::hosted::HostedProvider;
use crate::engine::Engine;
use crate::model_choice::ModelChoice;
use crate::problem::Problem;
use crate::run::Rows;
use crate::runtime_choice::{RuntimeChoice, SandboxSettings};

const SETTINGS: &str = "settings";

/// What the person has set. Keys are not part of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct Settings {
    /// Light or dark.
    pub theme: Theme,
    /// Which model thinks.
    pub model: ModelSettings,
    /// The language model that was set last, kept by itself while the built-in analyst thinks.
    pub last_remote: Option<RemoteModel>,
    /// Whether a model gets to read rows of the files.
    pub rows: Rows,
    /// What one question may use.
    pub limits: LimitSettings,
    /// A file with certificates to trust besides the system's.
    pub extra_ca: Option<String>,
    /// Where code runs.
    pub runtime: RuntimeChoice,
    /// Another sandbox image.
    pub image: Option<String>,
    /// Another engine address.
    pub docker_host: Option<String>,
    /// The provider whose containers run the code, where that is chosen.
    pub hosted: HostedProvider,
    /// What is wished for every answer.
    pub wishes: String,
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
    /// A language model at an address.
    Remote(RemoteModel),
}

/// A language model at an address.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct RemoteModel {
    /// The id of the preset it was made from.
    pub preset: String,
    /// How requests are written.
    pub wire: Wire,
    /// Its address.
    pub base_url: String,
    /// The model's name there.
    pub model: String,
    /// Whether it looks at pictures.
    pub images: bool,
    /// How it asks for tools; `None` finds out.
    pub tools: Option<ToolUse>,
    /// How much it is told; `None` decides by how much it can read.
    pub guidance: Option<Guidance>,
    /// What its tokens cost.
    pub prices: Option<Prices>,
    /// Where its key is kept, or is to be kept; `None` when there is none.
    pub key_place: Option<KeyPlace>,
    /// A new key, or an empty one to forget it; write-only, never answered and never stored here.
    #[serde(skip_serializing)]
    pub key: Option<String>,
}

/// What one question may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct LimitSettings {
    /// Tool calls.
    pub steps: u32,
    /// Tokens read and written together.
    pub tokens: u64,
    /// Minutes.
    pub minutes: u64,
    /// US cents; `None` for no limit.
    pub cents: Option<u64>,
}

impl Default for LimitSettings {
    fn default() -> Self {
        let budget = Budget::default();
        let minutes = Policy::default().run_limit_s / 60;
        Self { steps: budget.steps, tokens: budget.tokens, minutes, cents: None }
    }
}

impl LimitSettings {
    pub(super) fn budget(&self, model: &ModelSettings) -> Budget {
        let prices = match model {
            ModelSettings::BuiltIn => None,
            ModelSettings::Remote(remote) => remote.prices,
        };
        Budget {
            steps: self.steps.max(1),
            tokens: self.tokens.max(1),
            cost_microdollars: self.cents.map(|cents| cents.saturating_mul(10_000)),
            prices,
            ..Budget::default()
        }
    }

    pub(super) fn policy(&self) -> Policy {
        Policy { run_limit_s: self.minutes.max(1).saturating_mul(60), ..Policy::default() }
    }
}

impl Settings {
    pub(super) fn sandbox(&self) -> SandboxSettings {
        let named = |value: &Option<String>| value.clone().filter(|text| !text.trim().is_empty());
        let docker = DockerSettings {
            address: named(&self.docker_host),
            image: named(&self.image),
            ..DockerSettings::default()
        };
        SandboxSettings { runtime: self.runtime, docker, ..SandboxSettings::default() }
    }
}

impl Desk {
    /// The settings as they are kept. A key that was kept for another session is gone.
    pub fn settings(&self) -> Result<Settings, Problem> {
        let store = Engine::new(self.home.clone(), DockerSettings::default())?.open_store()?;
        let kept = store.setting(SETTINGS)?;
        let mut settings: Settings =
            kept.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
        let Settings { model, last_remote, hosted, .. } = &mut settings;
        let set = if let ModelSettings::Remote(remote) = model { Some(remote) } else { None };
        let of_models =
            set.into_iter().chain(last_remote).map(|remote| (&remote.base_url, &mut remote.key_place));
        for (base_url, place) in of_models.chain([(&hosted.base_url, &mut hosted.key_place)]) {
            if *place == Some(KeyPlace::Session) && self.keys()?.find(base_url, KeyPlace::Session).is_none() {
                *place = None;
            }
        }
        Ok(settings)
    }

    /// Keeps the settings; a new key goes to the place that the settings name for it.
    pub fn save_settings(&self, mut settings: Settings) -> Result<(), Problem> {
        if let ModelSettings::Remote(remote) = &mut settings.model
            && let Some(key) = remote.key.take()
        {
            self.keep_key(&remote.base_url, &key, &mut remote.key_place)?;
        }
        if let Some(key) = settings.hosted.key.take() {
            self.keep_key(&settings.hosted.base_url, &key, &mut settings.hosted.key_place)?;
        }
        settings.last_remote = match &settings.model {
            ModelSettings::Remote(remote) => Some(remote.clone()),
            ModelSettings::BuiltIn => self.settings()?.last_remote,
        };
        let store = Engine::new(self.home.clone(), DockerSettings::default())?.open_store()?;
        let text = serde_json::to_string(&settings).map_err(|error| Problem::storage(&error))?;
        store.set_setting(SETTINGS, &text)?;
        // The sandbox that waits for a question may be one of other settings.
        self.open_ahead();
        Ok(())
    }

    /// Keeps a new key in its place and takes it from the one where it was before; an empty one is forgotten.
    fn keep_key(&self, base_url: &str, key: &str, place: &mut Option<KeyPlace>) -> Result<(), Problem> {
        let keys = self.keys()?;
        if key.trim().is_empty() {
            keys.forget(base_url)?;
            *place = None;
            return Ok(());
        }
        let Settings { model, hosted, .. } = self.settings()?;
        let of_model = match &model {
            ModelSettings::Remote(remote) => Some((&remote.base_url, remote.key_place)),
            ModelSettings::BuiltIn => None,
        };
        let wanted = place.unwrap_or_default();
        let is_elsewhere = |(url, kept): (&String, Option<KeyPlace>)| {
            url == base_url && kept.is_some_and(|kept| kept != wanted)
        };
        if of_model.into_iter().chain([(&hosted.base_url, hosted.key_place)]).any(is_elsewhere) {
            keys.forget(base_url)?;
        }
        keys.keep(base_url, key.trim(), wanted)?;
        *place = Some(wanted);
        Ok(())
    }

    /// The places where a key can be kept on this computer, the best first.
    pub(super) fn key_places() -> Vec<KeyPlace> {
        let keychain = Keys::has_keychain().then_some(KeyPlace::Keychain);
        keychain.into_iter().chain([KeyPlace::Session, KeyPlace::File]).collect()
    }

    /// The model as it is set.
    pub(super) fn model_choice(&self, settings: &Settings) -> Result<ModelChoice, Problem> {
        let ModelSettings::Remote(remote) = &settings.model else { return Ok(ModelChoice::BuiltIn) };
        Ok(ModelChoice::Remote(Box::new(self.remote_config(remote, settings.extra_ca.as_deref())?)))
    }

    pub(super) fn remote_config(
        &self,
        remote: &RemoteModel,
        extra_ca: Option<&str>,
    ) -> Result<RemoteConfig, Problem> {
        let typed = remote.key.as_deref().and_then(ApiKey::new);
        let kept = match (&typed, remote.key_place) {
            (None, Some(place)) => {
                self.keys()?.find(&remote.base_url, place).and_then(|key| ApiKey::new(&key))
            }
            _ => None,
        };
        let named = || ApiKey::new(&std::env::var("ASSAY_API_KEY").ok()?);
        let mut config = RemoteConfig::new(remote.wire, &remote.base_url, &remote.model);
        config.api_key = typed.or(kept).or_else(named);
        config.images = remote.images;
        config.tools = remote.tools;
        config.extra_ca = extra_ca.filter(|path| !path.trim().is_empty()).map(Into::into);
        Ok(config)
    }

    pub(super) fn keys(&self) -> Result<&Keys, Problem> {
        if let Some(keys) = self.keys.get() {
            return Ok(keys);
        }
        let engine = Engine::new(self.home.clone(), DockerSettings::default())?;
        Ok(self.keys.get_or_init(|| Keys::new(engine.home())))
    }
}
