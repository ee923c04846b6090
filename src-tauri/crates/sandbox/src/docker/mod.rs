//! The Docker runtime: one container a session, spoken to through the engine's HTTP API.

mod connect;
mod container;
mod image_build;
pub(crate) mod stage;

use async_trait::async_trait;
use bollard::Docker;
use bollard::query_parameters::{ListContainersOptionsBuilder, RemoveContainerOptionsBuilder};
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use crate::error::SandboxError;
use crate::kernel_session::KernelSession;
use crate::owner::Owner;
use crate::runtime::{OpenRequest, Readiness, Runtime, Session, Staging};

pub(crate) use connect::Engine;
#[cfg(target_os = "linux")]
pub(crate) use container::environment;
use container::{APP_LABEL, OWNER_LABEL};
#[cfg(target_os = "linux")]
pub(crate) use image_build::{CERTIFICATE_VARIABLES, CERTIFICATES, PROXY_VARIABLES, SILENCE_LIMIT};
pub use image_build::{ImageBuild, ImageProgress, Recipe, own_recipe};

/// The image that the project builds; its number changes with what the image must hold.
const OWN_IMAGE: &str = concat!("assay-sandbox:", include_str!("../../../../../sandbox/VERSION"));

/// The name of the image that Assay makes.
pub fn own_image() -> &'static str {
    OWN_IMAGE.trim_ascii()
}

/// What the person may choose about the engine.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DockerSettings {
    /// The engine's address (`unix://…`, `tcp://…`, `npipe://…`); `None` looks in the usual places.
    pub address: Option<String>,
    /// Any image with Python 3.9 or newer; `None` is the project's own.
    pub image: Option<String>,
    /// Never mount, always stream: for engines whose disk is not this computer's.
    pub upload_inputs: bool,
}

/// Opens sessions in containers.
#[derive(Debug, Clone, Default)]
pub struct DockerRuntime {
    settings: DockerSettings,
}

impl DockerRuntime {
    /// A runtime with these settings. Nothing is connected to yet.
    pub fn new(settings: DockerSettings) -> Self {
        Self { settings }
    }

    fn image(&self) -> &str {
        self.settings.image.as_deref().unwrap_or(own_image())
    }

    async fn connect(&self) -> Result<Engine, SandboxError> {
        Engine::find(self.settings.address.as_deref()).await
    }
}

#[async_trait]
impl Runtime for DockerRuntime {
    fn name(&self) -> &'static str {
        "docker"
    }

    async fn readiness(&self) -> Result<Readiness, SandboxError> {
        let engine = self.connect().await?;
        let version = engine.docker.version().await?.version.unwrap_or_default();
        let image = inspect_image(&engine.docker, self.image()).await?;
        Ok(Readiness {
            runtime: self.name().into(),
            engine: format!("Docker {version}"),
            address: engine.address,
            image: self.image().into(),
            image_bytes: image.bytes,
            gaps: Vec::new(),
        })
    }

    async fn open(
        &self,
        request: OpenRequest<'_>,
        stop: &CancellationToken,
    ) -> Result<Box<dyn Session>, SandboxError> {
        let engine = self.connect().await?;
        let opening = self.open_on(&engine, request);
        // A container that is half open when the stop comes is dropped, and ends with its connection.
        tokio::select! {
            session = opening => session.map(|session| Box::new(session) as Box<dyn Session>),
            () = stop.cancelled() => Err(SandboxError::Stopped),
        }
    }

    async fn sweep(&self) -> Result<usize, SandboxError> {
        let docker = self.connect().await?.docker;
        let filters = [("label", vec![APP_LABEL])].into();
        let options = ListContainersOptionsBuilder::default().all(true).filters(&filters).build();
        let mut removed = 0;
        for container in docker.list_containers(Some(options)).await? {
            let owner =
                container.labels.unwrap_or_default().get(OWNER_LABEL).and_then(|label| Owner::parse(label));
            let (Some(id), Some(owner)) = (container.id, owner) else { continue };
            if owner.is_dead() {
                remove(&docker, &id).await?;
                removed += 1;
            }
        }
        Ok(removed)
    }
}

impl DockerRuntime {
    /// Mounts the inputs where the engine shares this computer's disk; where they cannot be seen inside as
    /// they are outside, streams them instead.
    async fn open_on(
        &self,
        engine: &Engine,
        request: OpenRequest<'_>,
    ) -> Result<KernelSession, SandboxError> {
        let may_mount = engine.is_local && !self.settings.upload_inputs && stage::can_mount(request.manifest);
        if may_mount {
            match self.open_with(engine, request, Staging::Mounted).await {
                Err(error @ (SandboxError::Staging { .. } | SandboxError::Engine(_))) => {
                    tracing::info!(%error, "inputs could not be mounted and are streamed instead");
                }
                other => return other,
            }
        }
        self.open_with(engine, request, Staging::Uploaded).await
    }

    async fn open_with(
        &self,
        engine: &Engine,
        request: OpenRequest<'_>,
        staging: Staging,
    ) -> Result<KernelSession, SandboxError> {
        let expected = stage::expected(request.manifest);
        let mut session = container::start(engine, self.image(), request, staging).await?;
        let expected = expected.await?;
        let verified = match session.verify(&expected, staging).await {
            Ok(()) => session.settle().await,
            Err(error) => Err(error),
        };
        match verified {
            Ok(()) => Ok(session),
            Err(error) => {
                Session::close(Box::new(session)).await?;
                Err(error)
            }
        }
    }
}

struct ImageFacts {
    id: String,
    bytes: u64,
}

async fn inspect_image(docker: &Docker, name: &str) -> Result<ImageFacts, SandboxError> {
    match docker.inspect_image(name).await {
        Ok(image) => Ok(ImageFacts {
            id: image.id.unwrap_or_default(),
            bytes: image.size.and_then(|size| u64::try_from(size).ok()).unwrap_or_default(),
        }),
        Err(error) if status_of(&error) == Some(404) => Err(SandboxError::ImageMissing(name.into())),
        Err(error) => Err(error.into()),
    }
}

/// Removes a container by force; one that is gone or going already is fine.
async fn remove(docker: &Docker, id: &str) -> Result<(), SandboxError> {
    let options = RemoveContainerOptionsBuilder::default().force(true).v(true).build();
    match docker.remove_container(id, Some(options)).await {
        Ok(()) => Ok(()),
        Err(error) if matches!(status_of(&error), Some(404 | 409)) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// The HTTP status of an engine's refusal.
fn status_of(error: &bollard::errors::Error) -> Option<u16> {
    match error {
        bollard::errors::Error::DockerResponseServerError { status_code, .. } => Some(*status_code),
        _ => None,
    }
}
