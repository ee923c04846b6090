//! The local runtime: a session without an engine, sealed by the system's own means (bubblewrap on Linux).

mod environment;
mod filter;
mod groups;
mod inputs;
mod limits;
mod means;
mod obstacle;
mod process;
mod scratch;
mod walls;

use std::path::PathBuf;

use async_trait::async_trait;
use futures_util::StreamExt;
use tempfile::TempDir;
use tokio_util::io::ReaderStream;
use tokio_util::sync::CancellationToken;

use crate::docker::{ImageProgress, stage};
use crate::error::SandboxError;
use crate::kernel_session::KernelSession;
use crate::link::{BOOTSTRAP, ByteStream, Bytes, Link};
use crate::policy::Policy;
use crate::proof::Limit;
use crate::runtime::{OpenRequest, Readiness, Runtime, Session, Staging};
use crate::text::printable;
use environment::Environment;
use filter::filter;
use limits::Limits;
use means::Means;
pub use obstacle::LocalObstacle;
use process::Process;
use scratch::{scratch, sweep};
use walls::{PYTHON, Walls};

/// Opens sessions in processes that the system's own means seal.
#[derive(Debug, Clone)]
pub struct LocalRuntime {
    home: PathBuf,
}

impl LocalRuntime {
    /// A runtime that keeps its Python packages in `home`. Nothing is made yet.
    pub fn new(home: PathBuf) -> Self {
        Self { home }
    }

    /// Makes the Python packages ready, telling of each step. A stop leaves nothing half made.
    pub async fn make(
        &self,
        progress: &mut (dyn FnMut(ImageProgress) + Send),
        stop: &CancellationToken,
    ) -> Result<(), SandboxError> {
        let means = Means::find()?;
        self.try_walls(&means, &Limits::new(&Policy::default())).await?;
        Environment::of(&self.home, &means).make(&means, progress, stop).await
    }

    fn sessions(&self) -> PathBuf {
        self.home.join("sessions")
    }

    /// Starts a program that does nothing within a session's walls: only that shows whether they can be made.
    async fn try_walls(&self, means: &Means, limits: &Limits) -> Result<(), SandboxError> {
        let folder = scratch(&self.sessions())?;
        let policy = Policy::default();
        let walls = Walls::of_session(means, folder.path(), &policy, limits);
        let filter = filter(limits.counting())?;
        let command = walls.command(folder.path(), &filter, Some(limits), &["/usr/bin/true"])?;
        let ended =
            tokio::process::Command::from(command).stdin(std::process::Stdio::null()).output().await?;
        if ended.status.success() {
            return Ok(());
        }
        let words = printable(&ended.stderr);
        let last = words.trim().lines().last().unwrap_or("it gave no reason").to_owned();
        Err(LocalObstacle::Forbidden(last).into())
    }
}

#[async_trait]
impl Runtime for LocalRuntime {
    fn name(&self) -> &'static str {
        "local"
    }

    async fn readiness(&self) -> Result<Readiness, SandboxError> {
        let means = Means::find()?;
        let limits = Limits::new(&Policy::default());
        self.try_walls(&means, &limits).await?;
        let environment = Environment::of(&self.home, &means);
        let Some(image_bytes) = environment.size() else {
            environment::check_venv(&means)?;
            return Err(SandboxError::EnvironmentMissing);
        };
        Ok(Readiness {
            runtime: self.name().into(),
            engine: format!("bubblewrap {}", means.version),
            address: "this computer".into(),
            image: environment.name,
            image_bytes,
            gaps: limits.gaps(),
        })
    }

    async fn open(
        &self,
        request: OpenRequest<'_>,
        stop: &CancellationToken,
    ) -> Result<Box<dyn Session>, SandboxError> {
        // A sandbox that is half open when the stop comes is dropped, and so killed.
        tokio::select! {
            session = self.open_here(request) => session.map(|session| Box::new(session) as Box<dyn Session>),
            () = stop.cancelled() => Err(SandboxError::Stopped),
        }
    }

    fn unenforced(&self) -> Vec<Limit> {
        Limits::new(&Policy::default()).unenforced()
    }

    async fn sweep(&self) -> Result<usize, SandboxError> {
        Ok(sweep(&self.sessions())? + sweep(&self.home.join("environments"))? + groups::sweep())
    }
}

impl LocalRuntime {
    /// Mounts the inputs; where they cannot be seen inside as they are outside, mounts copies instead.
    async fn open_here(&self, request: OpenRequest<'_>) -> Result<KernelSession, SandboxError> {
        match self.open_with(request, Staging::Mounted).await {
            Err(error @ (SandboxError::Staging { .. } | SandboxError::Vanished(_))) => {
                tracing::info!(%error, "inputs could not be mounted and are copied instead");
                self.open_with(request, Staging::Uploaded).await
            }
            other => other,
        }
    }

    async fn open_with(
        &self,
        request: OpenRequest<'_>,
        staging: Staging,
    ) -> Result<KernelSession, SandboxError> {
        let means = Means::find()?;
        let environment = Environment::of(&self.home, &means);
        environment.size().ok_or(SandboxError::EnvironmentMissing)?;
        let expected = stage::expected(request.manifest);
        let folder = scratch(&self.sessions())?;
        let limits = Limits::new(request.policy);
        let mut walls = Walls::of_session(&means, &environment.folder, request.policy, &limits);
        for (source, destination) in inputs::place(request.manifest, staging, folder.path()).await? {
            walls.shown(&source, &format!("{}/{destination}", stage::INPUT));
        }
        let mut session = start(walls, &folder, limits, &environment.name, request.policy).await?;
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

/// Starts a supervisor within the walls. What lies in `folder` is not needed afterwards: it is open or mounted.
async fn start(
    walls: Walls<'_>,
    folder: &TempDir,
    limits: Limits,
    environment: &str,
    policy: &Policy,
) -> Result<KernelSession, SandboxError> {
    let gaps = limits.gaps();
    let program = [PYTHON, "-u", "-c", BOOTSTRAP];
    let command = walls.command(folder.path(), &filter(limits.counting())?, Some(&limits), &program)?;
    let (process, (input, output, complaints)) = Process::start(command, limits).await?;
    let input = tokio::process::ChildStdin::from_std(input)?;
    let (link, python) = Link::start(Box::pin(input), bytes(output, complaints)?, policy).await?;
    let image = environment.to_owned();
    Ok(KernelSession::new(link, Box::new(process), "local", image, python, policy.interrupt_grace_s)
        .with_gaps(gaps))
}

fn bytes(
    output: std::process::ChildStdout,
    complaints: std::process::ChildStderr,
) -> std::io::Result<ByteStream> {
    let output = ReaderStream::new(tokio::process::ChildStdout::from_std(output)?);
    let complaints = ReaderStream::new(tokio::process::ChildStderr::from_std(complaints)?);
    Ok(Box::pin(futures_util::stream::select(
        output.map(|bytes| Ok(Bytes::Events(bytes?))),
        complaints.map(|bytes| Ok(Bytes::Complaint(printable(&bytes?)))),
    )))
}
