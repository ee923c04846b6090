//! Where code runs: what a person chooses, and what is really used.

use assay_sandbox::{
    DockerRuntime, DockerSettings, ImageBuild, ImageProgress, LocalRuntime, OpenRequest, Readiness, Runtime,
    SandboxError, Session,
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
}

/// What a person may choose about the sandbox.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SandboxSettings {
    /// Where code runs.
    pub runtime: RuntimeChoice,
    /// The engine and the image.
    pub docker: DockerSettings,
}

impl From<DockerSettings> for SandboxSettings {
    fn from(docker: DockerSettings) -> Self {
        Self { runtime: RuntimeChoice::Auto, docker }
    }
}

/// The runtimes of this computer, and which of them is meant.
#[derive(Debug, Clone)]
pub(crate) struct ChosenRuntime {
    choice: RuntimeChoice,
    docker: DockerRuntime,
    local: LocalRuntime,
}

/// The runtime that is used, and whether it could open a session now.
pub(crate) type Found<'a> = (&'a dyn Runtime, Result<Readiness, SandboxError>);

impl ChosenRuntime {
    /// The local runtime keeps its packages below `home`.
    pub(crate) fn new(settings: SandboxSettings, home: &Path) -> Self {
        let SandboxSettings { runtime, docker } = settings;
        // Whoever names an engine or an image means Docker.
        let choice = match runtime {
            RuntimeChoice::Auto if docker.address.is_some() || docker.image.is_some() => {
                RuntimeChoice::Docker
            }
            other => other,
        };
        Self { choice, docker: DockerRuntime::new(docker), local: LocalRuntime::new(home.join("local")) }
    }

    /// The runtime that is used now.
    pub(crate) async fn find(&self) -> Found<'_> {
        match self.choice {
            RuntimeChoice::Docker => (&self.docker, self.docker.readiness().await),
            RuntimeChoice::Local => (&self.local, self.local.readiness().await),
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
        Self { choice: RuntimeChoice::Docker, docker, local: self.local.clone() }
    }

    /// The same without a choice left, for a run stays in the runtime that it began in; and what that says of itself.
    pub(crate) async fn settled(&self) -> (Self, Option<Readiness>) {
        let (used, ready) = self.find().await;
        let is_local = used.name() == self.local.name();
        let choice = if is_local { RuntimeChoice::Local } else { RuntimeChoice::Docker };
        (Self { choice, ..self.clone() }, ready.ok())
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

    async fn sweep(&self) -> Result<usize, SandboxError> {
        let local = self.local.sweep().await?;
        match self.docker.sweep().await {
            Ok(removed) => Ok(local + removed),
            Err(error) if nobody_answers(&error) => Ok(local),
            Err(error) => Err(error),
        }
    }
}
