//! A provider whose containers run the code: what it means, and what the person has said to it.

use std::collections::BTreeMap;

use assay_sandbox::{Consent, HOSTED_CAVEATS, HostedKey, HostedSettings};
use assay_store::KeyPlace;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{Desk, ModelSettings, Settings};
use crate::problem::Problem;
use crate::recorder::now;
use crate::runtime_choice::{RuntimeChoice, SandboxSettings};

/// Under this name it is kept when the person agreed, by address.
const CONSENTS: &str = "hosted_consents";

/// A provider whose containers run the code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct HostedProvider {
    /// Its address, up to and with its version.
    pub base_url: String,
    /// The model that lets the code run; a small one will do.
    pub model: String,
    /// Where its key is kept, or is to be kept; `None` when there is none, or the model at the same address has it.
    pub key_place: Option<KeyPlace>,
    /// A new key, or an empty one to forget it; write-only, never answered and never stored here.
    #[serde(skip_serializing)]
    pub key: Option<String>,
}

impl Default for HostedProvider {
    fn default() -> Self {
        let HostedSettings { base_url, model, .. } = HostedSettings::default();
        Self { base_url, model, key_place: None, key: None }
    }
}

/// What is agreed to when files may leave for a provider.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct HostedTerms {
    /// What such a sandbox cannot promise, a plain sentence each.
    pub caveats: Vec<String>,
    /// When the person agreed for this address, RFC 3339 in UTC; `None` when they have not.
    pub agreed_at: Option<String>,
}

impl Desk {
    /// What it means that code runs at this address, and whether the person has agreed.
    pub fn hosted_terms(&self, base_url: &str) -> Result<HostedTerms, Problem> {
        let agreed_at = self.consents()?.remove(name_of(base_url));
        Ok(HostedTerms { caveats: HOSTED_CAVEATS.map(str::to_owned).into(), agreed_at })
    }

    /// The person agrees that files leave this computer for this address, and for no other.
    pub fn agree_to_hosted(&self, base_url: &str) -> Result<(), Problem> {
        let mut consents = self.consents()?;
        consents.insert(name_of(base_url).to_owned(), now());
        self.keep_consents(&consents)
    }

    /// The person does not agree any more; from the next run on nothing leaves for this address.
    pub fn withdraw_from_hosted(&self, base_url: &str) -> Result<(), Problem> {
        let mut consents = self.consents()?;
        consents.remove(name_of(base_url));
        self.keep_consents(&consents)
    }

    /// The settings of the sandbox with those of the provider, where code is to run there.
    pub(super) fn with_provider(
        &self,
        sandbox: SandboxSettings,
        settings: &Settings,
    ) -> Result<SandboxSettings, Problem> {
        if sandbox.runtime != RuntimeChoice::Hosted {
            return Ok(sandbox);
        }
        let HostedProvider { base_url, model, key_place, .. } = &settings.hosted;
        let of_model = match &settings.model {
            ModelSettings::Remote(remote) if remote.base_url == *base_url => remote.key_place,
            _ => None,
        };
        let key = match key_place.or(of_model) {
            Some(place) => self.keys()?.find(base_url, place),
            None => None,
        };
        let has_agreed = self.hosted_terms(base_url)?.agreed_at.is_some();
        let extra_ca = settings.extra_ca.as_deref().filter(|path| !path.trim().is_empty());
        let hosted = HostedSettings {
            base_url: base_url.clone(),
            model: model.clone(),
            extra_ca: extra_ca.map(Into::into),
            consent: if has_agreed { Consent::FilesMayLeave } else { Consent::Missing },
        };
        let hosted_key = key.as_deref().and_then(HostedKey::new);
        Ok(SandboxSettings { hosted, hosted_key, ..sandbox })
    }

    fn consents(&self) -> Result<BTreeMap<String, String>, Problem> {
        let kept = self.engine()?.open_store()?.setting(CONSENTS)?;
        // What cannot be read is no consent.
        Ok(kept.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default())
    }

    fn keep_consents(&self, consents: &BTreeMap<String, String>) -> Result<(), Problem> {
        let text = serde_json::to_string(consents).map_err(|error| Problem::storage(&error))?;
        Ok(self.engine()?.open_store()?.set_setting(CONSENTS, &text)?)
    }
}

/// An address as a consent is kept for it.
fn name_of(base_url: &str) -> &str {
    base_url.trim().trim_end_matches('/')
}
