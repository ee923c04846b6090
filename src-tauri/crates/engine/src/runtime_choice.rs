//! Where code runs: what a person chooses, and what is really used.

use assay_sandbox::{
    DockerRuntime, DockerSettings, HostedKey, HostedRuntime, HostedSettings, ImageBuild, ImageProgress,
    LocalRuntime, OpenRequest, Readiness, Runtime, SandboxError, Sent, Session,
};
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use std::path::Path;
use tokio_util::sync::CancellationToken;
use ts_rs::TS;

/// Where code runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum RuntimeChoice {
    /// In the Docker engine, or sealed by this computer itself where no engine answers.
    #[default]
    Auto,
    /// In the Docker engine only.
    Docker,
    /// Sealed by this computer itself, whether there is an engine or not.
    Local,
    /// In a provider's containers, to which the files are sent. Nothing chooses it but the person.
    Hosted,
}

/// What a person may choose about the sandbox.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SandboxSettings {
    /// Where code runs.
    pub runtime: RuntimeChoice,
    /// The engine and the image.
    pub docker: DockerSettings,
    /// The provider, and whether files may leave for it.
    pub hosted: HostedSettings,
    /// The key of the account there.
    pub hosted_key: Option<HostedKey>,
}

impl From<DockerSettings> for SandboxSettings {
    fn from(docker: DockerSettings) -> Self {
        Self { docker, ..Self::default() }
    }
}

/// The runtimes of this computer, and which of them is meant.
#[derive(Debug, Clone)]
pub(crate) struct ChosenRuntime {
    choice: RuntimeChoice,
    docker: DockerRuntime,
    local: LocalRuntime,
    hosted: HostedRuntime,
}

/// The runtime that is used, and whether it could open a session now.
pub(crate) type Found<'a> = (&'a dyn Runtime, Result<Readiness, SandboxError>);

impl ChosenRuntime {
    /// The local runtime keeps its packages below `home`.
    pub(crate) fn new(settings: SandboxSettings, home: &Path) -> Self {
        let SandboxSettings { runtime, docker, hosted, hosted_key } = settings;
        // Whoever names an engine or an image means Docker.
        let choice = match runtime {
            RuntimeChoice::Auto if docker.address.is_some() || docker.image.is_some() => {
                RuntimeChoice::Docker
            }
            other => other,
        };
        Self {
            choice,
            docker: DockerRuntime::new(docker),
            local: LocalRuntime::new(home.join("local")),
            hosted: HostedRuntime::new(hosted, hosted_key),
        }
    }

    /// The runtime that is used now.
    pub(crate) async fn find(&self) -> Found<'_> {
        match self.choice {
            RuntimeChoice::Docker => (&self.docker, self.docker.readiness().await),
            RuntimeChoice::Local => (&self.local, self.local.readiness().await),
            RuntimeChoice::Hosted => (&self.hosted, self.hosted.readiness().await),
            RuntimeChoice::Auto => match self.docker.readiness().await {
                Err(engine) if nobody_answers(&engine) => match self.local.readiness().await {
                    Err(SandboxError::Local(local)) => {
                        (&self.docker, Err(SandboxError::NoRuntime { engine: Box::new(engine), local }))
                    }
                    other => (&self.local, other),
                },
                other => (&self.docker, other),
            },
        }
    }

    /// The same on this engine only.
    pub(crate) fn on(&self, docker: DockerRuntime) -> Self {
        Self { choice: RuntimeChoice::Docker, docker, ..self.clone() }
    }

    /// The same without a choice left, for a run stays in the runtime that it began in; and what that says of itself.
    pub(crate) async fn settled(&self) -> (Self, Option<Readiness>) {
        let (used, ready) = self.find().await;
        let choice = match self.choice {
            RuntimeChoice::Auto if used.name() == self.local.name() => RuntimeChoice::Local,
            RuntimeChoice::Auto => RuntimeChoice::Docker,
            other => other,
        };
        (Self { choice, ..self.clone() }, ready.ok())
    }

    /// Whether files leave this computer for it.
    pub(crate) fn is_hosted(&self) -> bool {
        self.choice == RuntimeChoice::Hosted
    }

    /// The engine.
    pub(crate) fn docker(&self) -> &DockerRuntime {
        &self.docker
    }

    /// Makes what sessions of the runtime that is used start from.
    pub(crate) async fn make(
        &self,
        progress: &mut (dyn FnMut(ImageProgress) + Send),
        stop: &CancellationToken,
    ) -> Result<(), SandboxError> {
        if self.is_hosted() {
            return Ok(()); // the provider has made it
        }
        let (runtime, _) = self.find().await;
        if runtime.name() == self.local.name() {
            self.local.make(progress, stop).await
        } else {
            ImageBuild::new(self.docker.clone()).run(progress, stop).await
        }
    }
}

/// Whether there is no engine to work with, for whatever reason.
fn nobody_answers(error: &SandboxError) -> bool {
    matches!(
        error,
        SandboxError::EngineMissing
            | SandboxError::EngineStopped { .. }
            | SandboxError::EngineForbidden { .. }
    )
}

#[async_trait]
impl Runtime for ChosenRuntime {
    fn name(&self) -> &'static str {
        match self.choice {
            RuntimeChoice::Auto => "auto",
            RuntimeChoice::Docker => self.docker.name(),
            RuntimeChoice::Local => self.local.name(),
            RuntimeChoice::Hosted => self.hosted.name(),
        }
    }

    async fn readiness(&self) -> Result<Readiness, SandboxError> {
        self.find().await.1
    }

    async fn open(
        &self,
        request: OpenRequest<'_>,
        stop: &CancellationToken,
    ) -> Result<Box<dyn Session>, SandboxError> {
        let (runtime, ready) = self.find().await;
        ready?;
        runtime.open(request, stop).await
    }

    fn take_sent(&self) -> Vec<Sent> {
        self.hosted.take_sent()
    }

    /// The provider is asked only where the person has chosen it.
    async fn sweep(&self) -> Result<usize, SandboxError> {
        if self.is_hosted() {
            return self.hosted.sweep().await;
        }
        let local = self.local.sweep().await?;
        match self.docker.sweep().await {
            Ok(removed) => Ok(local + removed),
            Err(error) if nobody_answers(&error) => Ok(local),
            Err(error) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use assay_sandbox::{Consent, HostedError};

    use super::*;

    #[tokio::test]
    async fn a_provider_is_used_only_when_it_is_named_and_then_nothing_else_is() {
        let home = tempfile::tempdir().unwrap();
        let hosted = HostedSettings { consent: Consent::FilesMayLeave, ..HostedSettings::default() };
        let nowhere = DockerSettings {
            address: Some("unix:///nonexistent/docker.sock".into()),
            ..DockerSettings::default()
        };
        let chosen = |runtime, docker: &DockerSettings| {
            let hosted_key = HostedKey::new("sk-never-sent");
            let settings =
                SandboxSettings { runtime, docker: docker.clone(), hosted: hosted.clone(), hosted_key };
            ChosenRuntime::new(settings, home.path())
        };
        for runtime in [RuntimeChoice::Auto, RuntimeChoice::Docker, RuntimeChoice::Local] {
            for docker in [&nowhere, &DockerSettings::default()] {
                let chosen = chosen(runtime, docker);
                assert!(!chosen.is_hosted() && chosen.find().await.0.name() != "hosted", "{runtime:?}");
                assert!(!chosen.settled().await.0.is_hosted());
            }
        }
        let settings =
            SandboxSettings { runtime: RuntimeChoice::Hosted, docker: nowhere, ..SandboxSettings::default() };
        let unasked = ChosenRuntime::new(settings, home.path());
        assert!(unasked.settled().await.0.is_hosted());
        let (runtime, ready) = unasked.find().await;
        assert_eq!(runtime.name(), "hosted");
        assert!(matches!(ready, Err(SandboxError::Hosted(HostedError::ConsentMissing { .. }))), "{ready:?}");
    }
}
