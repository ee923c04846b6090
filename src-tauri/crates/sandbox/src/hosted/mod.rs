//! The hosted runtime: a provider's container, in which its code interpreter runs what a model asks it to.
//!
//! The interface of OpenAI's containers lets nobody but a model run code. So the code of a step is not asked for:
//! it is uploaded as a command for the same supervisor that other sandboxes have, and the model is asked to run one
//! line that lets the supervisor go on. What it ran must be that line, or the step is not believed. What the model
//! says is never read.
//!
//! The files of a run leave this computer. Nothing is sent before the person has agreed to that ([`Consent`]).

mod api;
mod container;
mod course;
mod error;
mod session;

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tokio_util::sync::CancellationToken;

use crate::error::SandboxError;
use crate::owner::Owner;
use crate::policy::{Network, Policy};
use crate::proof::Limit;
use crate::runtime::{OpenRequest, Readiness, Runtime, Sent, Session};
use api::Api;
pub use error::HostedError;
use session::{HostedSession, Opening};

/// What a hosted sandbox cannot promise, each in a plain sentence for the person who is asked to agree.
pub const HOSTED_CAVEATS: [&str; 10] = [
    "The files, the code and all that it prints are sent to the provider; how long they are kept there is for the \
     provider to say.",
    "That the code has no network is asked of the provider and cannot be checked from here.",
    "Each step asks the provider's model to run one line, which costs time and money beside the container itself.",
    "Memory comes in 1, 4, 16 or 64 GB; the number of processors and processes, and the sizes of the folders, are \
     the provider's.",
    "The input files are copies that the code could change there; those on this computer stay as they are.",
    "Time is kept beside the code, not around it: code that means harm can end what keeps it. Its container is then \
     given up about three minutes after the limit.",
    "Code that means harm can also make up what is reported of its own run.",
    "A stop reaches a running step within seconds only if the provider takes files meanwhile; otherwise its \
     container is deleted after half a minute.",
    "What a step prints is shown at its end, or every half minute.",
    "A container that is not used for 20 minutes ends. The next step makes another, to which the files are sent \
     again, and the steps before it are run again there.",
];

/// What a person may choose about the provider. The key is not among it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HostedSettings {
    /// The address up to and with its version.
    pub base_url: String,
    /// The model that runs the line; a small one will do.
    pub model: String,
    /// A PEM file with certificates to trust besides the system's.
    pub extra_ca: Option<PathBuf>,
    /// Whether files may leave this computer.
    pub consent: Consent,
}

/// Whether the person has agreed that the files of a run leave this computer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Consent {
    /// Nobody has, so no session is opened.
    #[default]
    Missing,
    /// The person has.
    FilesMayLeave,
}

impl Default for HostedSettings {
    fn default() -> Self {
        Self {
            base_url: "https://api.openai.com/v1".into(),
            model: "gpt-4.1-mini".into(),
            extra_ca: None,
            consent: Consent::Missing,
        }
    }
}

/// The key of an account. It is shown by nothing, and cannot be serialised.
#[derive(Clone, PartialEq, Eq)]
pub struct HostedKey(String);

impl HostedKey {
    /// The key without the white space around it; `None` when nothing is left.
    pub fn new(key: &str) -> Option<Self> {
        let key = key.trim();
        (!key.is_empty()).then(|| Self(key.to_owned()))
    }

    fn expose(&self) -> &str {
        &self.0
    }

    fn redact(&self, text: &str) -> String {
        text.replace(&self.0, "[key]")
    }
}

impl fmt::Debug for HostedKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("HostedKey([hidden])")
    }
}

/// What has left this computer, until it is taken.
#[derive(Debug, Clone, Default)]
struct Outgoing(Arc<Mutex<Vec<Sent>>>);

impl Outgoing {
    fn push(&self, sent: Sent) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(sent);
    }

    fn take(&self) -> Vec<Sent> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Opens sessions in a provider's containers.
#[derive(Debug)]
pub struct HostedRuntime {
    settings: HostedSettings,
    key: Option<HostedKey>,
    outgoing: Outgoing,
}

impl Clone for HostedRuntime {
    /// A runtime with the same settings, whose sessions are told apart from those of this one.
    fn clone(&self) -> Self {
        Self::new(self.settings.clone(), self.key.clone())
    }
}

impl HostedRuntime {
    /// A runtime with these settings. Nothing is connected to yet.
    pub fn new(settings: HostedSettings, key: Option<HostedKey>) -> Self {
        Self { settings, key, outgoing: Outgoing::default() }
    }

    /// The provider's interface, for whoever has the person's consent.
    fn api(&self) -> Result<Arc<Api>, HostedError> {
        let host = api::host_of(&api::base_url(&self.settings.base_url)?);
        if self.settings.consent != Consent::FilesMayLeave {
            return Err(HostedError::ConsentMissing { host });
        }
        let key = self.key.clone().ok_or(HostedError::WrongKey { host })?;
        Ok(Arc::new(Api::new(&self.settings, key, self.outgoing.clone())?))
    }
}

#[async_trait]
impl Runtime for HostedRuntime {
    fn name(&self) -> &'static str {
        "hosted"
    }

    async fn readiness(&self) -> Result<Readiness, SandboxError> {
        let api = self.api()?;
        api.check().await?;
        Ok(Readiness {
            engine: format!("code interpreter of {}", api.host()),
            address: self.settings.base_url.clone(),
            image: image_of(&self.settings.model),
            image_bytes: 0,
            runtime: self.name().into(),
            gaps: HOSTED_CAVEATS.map(str::to_owned).into(),
        })
    }

    async fn open(
        &self,
        request: OpenRequest<'_>,
        stop: &CancellationToken,
    ) -> Result<Box<dyn Session>, SandboxError> {
        let opening = Opening {
            api: self.api()?,
            name: name_of(request.run),
            memory: memory_of(request.policy),
            grace_s: request.policy.interrupt_grace_s,
            manifest: request.manifest.clone(),
            image: image_of(&self.settings.model),
        };
        match request.policy.network {
            Network::None => {} // the one that is asked for when a container is made
        }
        // A container that is half open when the stop comes is dropped, and deleted.
        tokio::select! {
            session = HostedSession::open(opening) => session.map(|session| Box::new(session) as Box<dyn Session>),
            () = stop.cancelled() => Err(SandboxError::Stopped),
        }
    }

    /// All of them are for the provider to hold; of the network and the memory it is asked for something, and that
    /// cannot be enforced from here either.
    fn unenforced(&self) -> Vec<Limit> {
        Limit::ALL.into()
    }

    fn take_sent(&self) -> Vec<Sent> {
        self.outgoing.take()
    }

    /// Deletes the containers whose name says that their owner is dead.
    async fn sweep(&self) -> Result<usize, SandboxError> {
        let api = self.api()?;
        let mut removed = 0;
        for row in api.containers().await? {
            let has_ended = matches!(row.status.as_deref(), Some("expired" | "deleted"));
            let owner = row.name.as_deref().and_then(owner_of);
            if !has_ended && owner.is_some_and(|owner| owner.is_dead()) && api.delete(&row.id).await? {
                removed += 1;
            }
        }
        Ok(removed)
    }
}

fn image_of(model: &str) -> String {
    format!("code interpreter, asked through {model}")
}

/// The smallest of the provider's sizes that has the policy's memory.
fn memory_of(policy: &Policy) -> &'static str {
    match policy.memory_mib {
        0..=1024 => "1g",
        1025..=4096 => "4g",
        4097..=16384 => "16g",
        _ => "64g",
    }
}

/// The name of a container: the app, this computer (as a hash, so that the provider does not learn its name), the
/// process with its start time, and the run.
fn name_of(run: &str) -> String {
    let owner = Owner::current().to_string();
    let (host, process) = split_host(&owner);
    format!("assay/{}/{process}/{run}", hashed(host))
}

/// Who made a container of this name, if this computer did.
fn owner_of(name: &str) -> Option<Owner> {
    let own = Owner::current().to_string();
    let (host, _) = split_host(&own);
    let rest = name.strip_prefix("assay/")?.strip_prefix(&hashed(host))?.strip_prefix('/')?;
    let mut parts = rest.splitn(3, '/');
    Owner::parse(&format!("{host}/{}/{}", parts.next()?, parts.next()?))
}

/// An owner's label in two: the host, which may hold any character, and the process.
fn split_host(label: &str) -> (&str, &str) {
    let at = label.rmatch_indices('/').nth(1).map_or(0, |(at, _)| at);
    (&label[..at], label[at..].trim_start_matches('/'))
}

fn hashed(host: &str) -> String {
    crate::docker::stage::hex(&Sha256::digest(host)[..6])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_container_tells_its_owner_on_the_same_computer_only() {
        let name = name_of("r-1/odd");
        let owner = owner_of(&name).unwrap();
        assert_eq!(owner.to_string(), Owner::current().to_string());
        assert!(!owner.is_dead());
        let own = Owner::current().to_string();
        let (host, _) = split_host(&own);
        assert!(host.is_empty() || !name.contains(host), "{name}");
        assert!(owner_of(&name.replacen(&hashed(host), "0123456789ab", 1)).is_none());
        assert!(owner_of(&format!("assay/{}/999999999/5/r", hashed(host))).unwrap().is_dead());
        assert!(owner_of("somebody's own container").is_none());
    }

    #[test]
    fn memory_is_the_next_size_that_holds_it() {
        let size = |memory_mib| memory_of(&Policy { memory_mib, ..Policy::default() });
        assert_eq!(
            [size(512), size(1024), size(2048), size(4097), size(70_000)],
            ["1g", "1g", "4g", "16g", "64g"]
        );
    }

    #[test]
    fn nothing_is_agreed_to_by_default_and_no_key_is_shown() {
        let settings: HostedSettings = serde_json::from_str("{}").unwrap();
        assert_eq!(settings, HostedSettings::default());
        let key = HostedKey::new(" sk-secret\n");
        let runtime = HostedRuntime::new(settings, key.clone());
        assert!(
            matches!(runtime.api(), Err(HostedError::ConsentMissing { host }) if host == "api.openai.com")
        );
        assert!(!format!("{runtime:?}").contains("secret"));
        assert_eq!(key.unwrap().redact("wrong key sk-secret."), "wrong key [key].");
        let agreed = HostedSettings { consent: Consent::FilesMayLeave, ..HostedSettings::default() };
        assert!(matches!(HostedRuntime::new(agreed.clone(), None).api(), Err(HostedError::WrongKey { .. })));
        let plain = HostedSettings { base_url: "http://example.org/v1".into(), ..agreed };
        assert!(matches!(
            HostedRuntime::new(plain, HostedKey::new("k")).api(),
            Err(HostedError::Settings(_))
        ));
    }
}
