//! The local runtime where there is none: it refuses, and never runs anything.

use std::path::PathBuf;

use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use crate::docker::ImageProgress;
use crate::error::SandboxError;
use crate::runtime::{OpenRequest, Readiness, Runtime, Session};

#[path = "obstacle.rs"]
mod obstacle;
pub use obstacle::LocalObstacle;

/// Would open sessions in processes that the system's own means seal; only Linux has such means yet.
#[derive(Debug, Clone)]
pub struct LocalRuntime;

impl LocalRuntime {
    /// A runtime that refuses.
    pub fn new(_home: PathBuf) -> Self {
        Self
    }

    /// Refuses.
    pub async fn make(
        &self,
        _progress: &mut (dyn FnMut(ImageProgress) + Send),
        _stop: &CancellationToken,
    ) -> Result<(), SandboxError> {
        Err(LocalObstacle::NotLinux.into())
    }
}

#[async_trait]
impl Runtime for LocalRuntime {
    fn name(&self) -> &'static str {
        "local"
    }

    async fn readiness(&self) -> Result<Readiness, SandboxError> {
        Err(LocalObstacle::NotLinux.into())
    }

    async fn open(
        &self,
        _request: OpenRequest<'_>,
        _stop: &CancellationToken,
    ) -> Result<Box<dyn Session>, SandboxError> {
        Err(LocalObstacle::NotLinux.into())
    }

    async fn sweep(&self) -> Result<usize, SandboxError> {
        Ok(0)
    }
}
