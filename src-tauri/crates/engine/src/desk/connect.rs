//! Connecting a model: what there is to choose from, and whether it does what an analysis needs.

use assay_model::{ListedModel, LocalServer, PRESETS, Preset, Probe, find_local_servers, list_models, probe};
use assay_store::KeyPlace;
use serde::Serialize;
use tokio_util::sync::CancellationToken;
use ts_rs::TS;

use super::Desk;
use super::settings::{ModelSettings, RemoteModel, Settings};
use crate::model_choice::ModelChoice;
use crate::problem::Problem;

/// What a window needs to know to connect a model.
#[derive(Debug, Clone, Serialize, TS)]
pub struct Connections {
    /// The services and kinds of servers.
    pub presets: &'static [Preset],
    /// Where a key can be kept on this computer, the best place first.
    pub key_places: Vec<KeyPlace>,
    /// The model servers that run on this computer now.
    pub local: Vec<LocalServer>,
}

impl Desk {
    /// What there is to connect to. Looks for servers on this computer, for about a second.
    pub async fn connections(&self) -> Connections {
        let places = tokio::task::spawn_blocking(Self::key_places);
        let local = find_local_servers().await;
        let key_places = places.await.unwrap_or_else(|_| vec![KeyPlace::Session, KeyPlace::File]);
        Connections { presets: PRESETS, key_places, local }
    }

    /// The models that a server has.
    pub async fn list_models(&self, remote: &RemoteModel) -> Result<Vec<ListedModel>, Problem> {
        let settings = self.settings()?;
        Ok(list_models(self.remote_config(remote, settings.extra_ca.as_deref())?).await?)
    }

    /// Lets a model call a tool, and look at a picture where it is said to see. What it teaches is kept.
    pub async fn test_model(&self, remote: &RemoteModel, stop: &CancellationToken) -> Result<Probe, Problem> {
        let settings = Settings { model: ModelSettings::Remote(remote.clone()), ..self.settings()? };
        let choice = self.model_choice(&settings)?;
        let config = self.remote_config(remote, settings.extra_ca.as_deref())?;
        let found = probe(config, &mut |_| {}, stop).await?;
        if let (Some(lesson), Some(learnt)) = (ModelChoice::lesson(&choice), &found.learnt) {
            self.engine()?.open_store()?.set_setting(&lesson, &learnt.to_string())?;
        }
        Ok(found)
    }
}
