//! Finds an engine that answers. A socket file that is there proves nothing: each candidate is asked.

mod candidates;
mod contexts;
mod seen;
mod ssh;
mod transport;

use std::path::Path;

use bollard::Docker;
use futures_util::{StreamExt, stream};

use super::DockerSettings;
use crate::error::SandboxError;
use candidates::{Candidate, Computer, Platform, candidates};
pub use seen::{EngineFacts, EngineSeen, EngineState};

/// Candidates that are looked at at the same time.
const AT_ONCE: usize = 16;

/// Programs that are there when an engine is installed. Podman is not among them: it serves only where it is told to.
const PROGRAMS: [&str; 7] = [
    "/usr/bin/dockerd",
    "/usr/sbin/dockerd",
    "/usr/local/bin/dockerd",
    "/snap/bin/docker",
    "/Applications/Docker.app",
    "/Applications/OrbStack.app",
    "C:\\Program Files\\Docker\\Docker\\Docker Desktop.exe",
];

/// A connected engine.
pub(crate) struct Engine {
    pub(crate) docker: Docker,
    /// Where it was reached.
    pub(crate) address: String,
    /// Whether its disk is this computer's, so that inputs can be mounted.
    pub(crate) is_local: bool,
    /// What it says of itself.
    pub(crate) product: Product,
    pub(crate) version: String,
}

/// Whose engine it is, as far as they understand the same request differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Product {
    Docker,
    Podman,
}

impl Product {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Docker => "Docker",
            Self::Podman => "Podman",
        }
    }
}

impl Engine {
    /// The engine that the settings name, or the first that answers: `DOCKER_HOST`, the current context, then
    /// the usual places. One that is named stands alone: no other takes its place unasked.
    pub(crate) async fn find(settings: &DockerSettings) -> Result<Self, SandboxError> {
        let mut candidates = here(settings);
        let is_named = candidates.first().is_some_and(|first| first.origin.is_named());
        if is_named {
            candidates.truncate(1);
        }
        let first = candidates.first().map(|first| first.address.clone()).unwrap_or_default();
        let mut trouble = SandboxError::EngineMissing;
        let looks = candidates.iter().map(transport::connect);
        let mut looks = stream::iter(looks).buffered(AT_ONCE);
        while let Some(look) = looks.next().await {
            match look {
                Ok(engine) => return Ok(engine),
                Err(error) => trouble = more_telling(trouble, error),
            }
        }
        let is_installed = is_named || PROGRAMS.iter().any(|path| Path::new(path).exists());
        Err(absent_or_stopped(trouble, first, is_installed))
    }

    /// Every engine that may be there, best first, with what came of asking it.
    pub(crate) async fn all(settings: &DockerSettings) -> Vec<EngineSeen> {
        look_at(&here(settings)).await
    }

    /// The engine that the settings name, with what came of asking it.
    pub(crate) async fn named(settings: &DockerSettings) -> Option<EngineSeen> {
        let first = here(settings).into_iter().next().filter(|first| first.origin.is_named())?;
        look_at(&[first]).await.pop()
    }
}

impl Engine {
    /// Asks an engine whether it can limit memory. Podman says yes in any case; there a session's own word decides.
    pub(crate) async fn check_limits(&self) -> Result<(), SandboxError> {
        if self.product == Product::Docker && self.docker.info().await?.memory_limit == Some(false) {
            return Err(self.without_limits());
        }
        Ok(())
    }

    pub(crate) fn without_limits(&self) -> SandboxError {
        let reason = "it does not limit the memory of a sandbox; without root it needs a system with cgroups of \
                      version 2 for that";
        SandboxError::EngineUnusable { address: self.address.clone(), reason: reason.into() }
    }
}

async fn look_at(candidates: &[Candidate]) -> Vec<EngineSeen> {
    let looks = candidates.iter().map(seen::look);
    let looks: Vec<_> = stream::iter(looks).buffered(AT_ONCE).collect().await;
    seen::choose(candidates, looks)
}

/// The candidates of this computer. Two paths to one socket are one.
fn here(settings: &DockerSettings) -> Vec<Candidate> {
    let variable = |name: &str| std::env::var(name).ok();
    let platform = if cfg!(windows) {
        Platform::Windows
    } else if cfg!(target_os = "macos") {
        Platform::MacOs
    } else {
        Platform::Linux
    };
    let home = variable(if cfg!(windows) { "USERPROFILE" } else { "HOME" }).map(Into::into);
    let computer = Computer { platform, home, user: own_number(), variable: &variable };
    let mut sockets = Vec::new();
    let mut found = candidates(&computer, settings);
    found.retain(|candidate| {
        let path = candidate.address.strip_prefix("unix://").map(Path::new);
        let Some(real) = path.and_then(|path| path.canonicalize().ok()) else { return true };
        let is_new = !sockets.contains(&real);
        sockets.push(real);
        is_new
    });
    found
}

#[cfg(unix)]
fn own_number() -> Option<u32> {
    use std::os::unix::fs::MetadataExt;
    Some(std::fs::metadata("/proc/self").ok()?.uid())
}

#[cfg(not(unix))]
fn own_number() -> Option<u32> {
    None
}

/// An engine takes its socket or pipe away when it stops: with its program on the disk, a missing one means
/// stopped, not absent.
fn absent_or_stopped(trouble: SandboxError, address: String, is_installed: bool) -> SandboxError {
    match trouble {
        SandboxError::EngineMissing if is_installed => SandboxError::EngineStopped { address },
        other => other,
    }
}

/// Of two failures the one that helps a person more: what is in the way, no permission, stopped, missing.
fn more_telling(one: SandboxError, other: SandboxError) -> SandboxError {
    let weight = |error: &SandboxError| match error {
        SandboxError::EngineUnusable { .. } => 3,
        SandboxError::EngineForbidden { .. } => 2,
        SandboxError::EngineMissing => 0,
        _ => 1,
    };
    if weight(&other) > weight(&one) { other } else { one }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    async fn find(address: &str) -> Result<Engine, SandboxError> {
        let settings = DockerSettings { address: Some(address.into()), ..DockerSettings::default() };
        Engine::find(&settings).await
    }

    #[tokio::test]
    async fn field_053_056_each_kind_of_dead_engine_has_its_own_error() {
        let folder = tempfile::tempdir().unwrap();
        let absent = format!("unix://{}", folder.path().join("none.sock").display());
        assert!(
            matches!(find(&absent).await, Err(SandboxError::EngineStopped { .. })),
            "named, so not missing"
        );

        let stale = folder.path().join("stale.sock");
        drop(std::os::unix::net::UnixListener::bind(&stale).unwrap());
        let stale = format!("unix://{}", stale.display());
        assert!(matches!(find(&stale).await, Err(SandboxError::EngineStopped { .. })));

        let silent = folder.path().join("silent.sock");
        let _listener = std::os::unix::net::UnixListener::bind(&silent).unwrap();
        let silent = format!("unix://{}", silent.display());
        assert!(matches!(find(&silent).await, Err(SandboxError::EngineStopped { .. })));

        assert!(matches!(find("tcp://127.0.0.1:1").await, Err(SandboxError::EngineStopped { .. })));
        assert!(matches!(find("nonsense").await, Err(SandboxError::EngineUnusable { .. })));
        assert!(matches!(find("ssh://-oProxyCommand=x").await, Err(SandboxError::EngineUnusable { .. })));
    }

    #[test]
    fn field_054_an_engine_that_is_installed_and_has_no_socket_is_stopped_not_missing() {
        let told = |installed| absent_or_stopped(SandboxError::EngineMissing, "npipe:x".into(), installed);
        assert!(matches!(told(true), SandboxError::EngineStopped { address } if address == "npipe:x"));
        assert!(matches!(told(false), SandboxError::EngineMissing));
        let forbidden = SandboxError::EngineForbidden { address: "unix:x".into() };
        assert!(matches!(
            absent_or_stopped(forbidden, String::new(), true),
            SandboxError::EngineForbidden { .. }
        ));
    }
}
