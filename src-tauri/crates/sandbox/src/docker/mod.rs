//! The Docker runtime: one container a session, spoken to through the engine's HTTP API.

mod connect;
mod container;
mod engine_runtime;
mod image_build;
mod image_progress;
mod images;
mod ownership;
mod packages;
mod seccomp;
mod space;
pub(crate) mod stage;

use std::path::PathBuf;
use std::time::Duration;

use async_trait::async_trait;
use bollard::Docker;
use bollard::query_parameters::RemoveContainerOptionsBuilder;
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::error::SandboxError;
use crate::kernel_session::KernelSession;
use crate::runtime::{OpenRequest, Readiness, Runtime, Session, Staging};

pub(crate) use connect::{Engine, Product};
pub use connect::{EngineFacts, EngineSeen, EngineState};
use container::Presence;
#[cfg(target_os = "linux")]
pub(crate) use container::environment;
#[cfg(target_os = "linux")]
pub(crate) use image_build::{CERTIFICATE_VARIABLES, CERTIFICATES, PROXY_VARIABLES, SILENCE_LIMIT};
pub use image_build::{ImageBuild, Recipe, own_recipe};
pub use image_progress::{ImageProgress, PartProgress};
pub use images::{Images, OwnImage};
pub use packages::Packages;
pub use space::{check_space, free_bytes};

/// The image that the project builds; its number changes with what the image must hold.
const OWN_IMAGE: &str = concat!("assay-sandbox:", include_str!("../../../../../sandbox/VERSION"));

/// What was half open is gone within this time, or is left to the next sweep.
const REMOVAL_LIMIT: Duration = Duration::from_secs(5);

/// The name of the image that Assay makes.
pub fn own_image() -> &'static str {
    OWN_IMAGE.trim_ascii()
}

/// What the person may choose about the engine.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DockerSettings {
    /// The engine's address (`unix://…`, `npipe://…`, `tcp://…`, `ssh://…`); `None` looks in the usual places.
    pub address: Option<String>,
    /// A folder with `ca.pem`, `cert.pem` and `key.pem`, for a secure connection to a `tcp://` address.
    pub certificates: Option<PathBuf>,
    /// Any image with Python 3.9 or newer; `None` is the project's own.
    pub image: Option<String>,
    /// Never mount, always stream: for engines whose disk is not this computer's.
    pub upload_inputs: bool,
    /// Which of the engine's programs runs the sandbox, such as gVisor's `runsc`; `None` is the engine's default.
    pub engine_runtime: Option<String>,
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

    /// The same on another engine.
    #[must_use]
    pub fn at(&self, address: &str, certificates: Option<PathBuf>) -> Self {
        Self::new(DockerSettings { address: Some(address.into()), certificates, ..self.settings.clone() })
    }

    /// The engine that the settings name, if they name one.
    pub async fn named_engine(&self) -> Option<EngineSeen> {
        Engine::named(&self.settings).await
    }

    /// Every engine that may be there, best first: which one is in use, and why not the others.
    pub async fn engines(&self) -> Vec<EngineSeen> {
        Engine::all(&self.settings).await
    }

    /// The image by the name that it has on this engine: what was loaded into Podman from a file is `localhost/…`.
    async fn image_on(&self, engine: &Engine) -> Result<String, SandboxError> {
        let name = self.image();
        if engine.product == Product::Podman && !name.contains('/') {
            let local = format!("localhost/{name}");
            match inspect_image(&engine.docker, &local).await {
                Ok(_) => return Ok(local),
                Err(SandboxError::ImageMissing(_)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(name.to_owned())
    }

    async fn connect(&self) -> Result<Engine, SandboxError> {
        Engine::find(&self.settings).await
    }
}

#[async_trait]
impl Runtime for DockerRuntime {
    fn name(&self) -> &'static str {
        "docker"
    }

    async fn readiness(&self) -> Result<Readiness, SandboxError> {
        let engine = self.connect().await?;
        engine.check_limits().await?;
        let image = inspect_image(&engine.docker, &self.image_on(&engine).await?).await?;
        Ok(Readiness {
            runtime: self.name().into(),
            engine: format!("{} {}", engine.product.name(), engine.version),
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
        engine_runtime::check(&engine.docker, self.settings.engine_runtime.as_deref()).await?;
        let (presence, mut absence) = mpsc::channel(1);
        let opened = tokio::select! {
            session = self.open_on(&engine, request, &presence) => session,
            () = stop.cancelled() => Err(SandboxError::Stopped),
        };
        if opened.is_err() {
            // What is half open was dropped, and is being removed: the app may end right after this.
            drop(presence);
            let _ = tokio::time::timeout(REMOVAL_LIMIT, absence.recv()).await;
        }
        opened.map(|session| Box::new(session) as Box<dyn Session>)
    }

    async fn engine_runtimes(&self) -> Result<Vec<String>, SandboxError> {
        engine_runtime::names(&self.connect().await?.docker).await
    }

    async fn sweep(&self) -> Result<usize, SandboxError> {
        ownership::sweep(&self.connect().await?.docker).await
    }
}

impl DockerRuntime {
    /// Mounts the inputs where the engine shares this computer's disk; where they cannot be seen inside as
    /// they are outside, streams them instead.
    async fn open_on(
        &self,
        engine: &Engine,
        request: OpenRequest<'_>,
        presence: &Presence,
    ) -> Result<KernelSession, SandboxError> {
        let may_mount = engine.is_local && !self.settings.upload_inputs && stage::can_mount(request.manifest);
        if may_mount {
            match self.open_with(engine, request, Staging::Mounted, presence).await {
                Err(error @ (SandboxError::Staging { .. } | SandboxError::Engine(_))) => {
                    tracing::info!(%error, "inputs could not be mounted and are streamed instead");
                }
                other => return other,
            }
        }
        self.open_with(engine, request, Staging::Uploaded, presence).await
    }

    async fn open_with(
        &self,
        engine: &Engine,
        request: OpenRequest<'_>,
        staging: Staging,
        presence: &Presence,
    ) -> Result<KernelSession, SandboxError> {
        let expected = stage::expected(request.manifest);
        let image = self.image_on(engine).await?;
        let runtime = self.settings.engine_runtime.clone();
        let mut session = container::start(engine, &image, runtime, request, staging, presence).await?;
        let expected = expected.await?;
        let verified = match session.verify(&expected, staging).await {
            Ok(()) => session.settle().await,
            Err(error) => Err(error),
        };
        let verified = verified.and_then(|()| {
            if session.may_use_more_than(request.policy.memory_mib) {
                return Err(engine.without_limits());
            }
            Ok(())
        });
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
    /// The processor that it is for, such as `amd64`.
    architecture: String,
}

async fn inspect_image(docker: &Docker, name: &str) -> Result<ImageFacts, SandboxError> {
    match docker.inspect_image(name).await {
        Ok(image) => Ok(ImageFacts {
            id: image.id.unwrap_or_default(),
            architecture: image.architecture.unwrap_or_default(),
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
