//! Finds an engine that answers. A socket file that is there proves nothing: each candidate is pinged.

use std::path::{Path, PathBuf};
use std::time::Duration;

use bollard::{API_DEFAULT_VERSION, Docker};
use serde_json::Value;

use crate::error::SandboxError;

/// An engine that does not answer a ping within this time is passed over.
const PING_LIMIT: Duration = Duration::from_secs(3);
/// The client's own limit for one request; long because a large upload is one request.
const REQUEST_LIMIT_S: u64 = 3600;

/// Programs that are there when an engine is installed.
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
}

impl Engine {
    /// The engine at `address`, or the first that answers: `DOCKER_HOST`, the current context, then the
    /// usual sockets.
    pub(crate) async fn find(address: Option<&str>) -> Result<Self, SandboxError> {
        let named = address
            .map(str::to_owned)
            .or_else(|| std::env::var("DOCKER_HOST").ok().filter(|v| !v.is_empty()));
        let candidates = match named {
            Some(address) => vec![address],
            None => candidates(),
        };
        let mut trouble = SandboxError::EngineMissing;
        let first = candidates.first().cloned().unwrap_or_default();
        for address in candidates {
            match Self::ping(&address).await {
                Ok(engine) => return Ok(engine),
                Err(error) => trouble = more_telling(trouble, error),
            }
        }
        Err(absent_or_stopped(trouble, first, PROGRAMS.iter().any(|path| Path::new(path).exists())))
    }

    async fn ping(address: &str) -> Result<Self, SandboxError> {
        let stopped = || SandboxError::EngineStopped { address: address.into() };
        if let Some((_, path)) =
            address.split_once("://").filter(|(kind, _)| matches!(*kind, "unix" | "npipe"))
        {
            check_socket(Path::new(path), address)?;
        }
        let docker = open(address)?;
        let answered = tokio::time::timeout(PING_LIMIT, docker.ping()).await;
        match answered {
            Ok(Ok(_)) => {}
            Ok(Err(error)) => {
                tracing::debug!(%error, address, "an engine did not answer a ping");
                return Err(stopped());
            }
            Err(_) => return Err(stopped()),
        }
        let docker = docker.negotiate_version().await?;
        let is_local = address.starts_with("unix://") || address.starts_with("npipe://");
        Ok(Self { docker, address: address.into(), is_local })
    }
}

fn open(address: &str) -> Result<Docker, SandboxError> {
    let unsupported = || SandboxError::EngineStopped { address: address.into() };
    let docker = match address.split_once("://") {
        #[cfg(unix)]
        Some(("unix", path)) => Docker::connect_with_unix(path, REQUEST_LIMIT_S, API_DEFAULT_VERSION)?,
        #[cfg(windows)]
        Some(("npipe", _)) => Docker::connect_with_named_pipe(address, REQUEST_LIMIT_S, API_DEFAULT_VERSION)?,
        Some(("tcp" | "http", _)) => {
            Docker::connect_with_http(address, REQUEST_LIMIT_S, API_DEFAULT_VERSION)?
        }
        _ => return Err(unsupported()),
    };
    Ok(docker)
}

/// Tells a socket or pipe that is absent, forbidden or dead apart from one that can be tried.
fn check_socket(path: &Path, address: &str) -> Result<(), SandboxError> {
    match knock(path) {
        Ok(()) => Ok(()),
        Err(error) => Err(match error.kind() {
            std::io::ErrorKind::NotFound if !path.is_symlink() => SandboxError::EngineMissing,
            std::io::ErrorKind::PermissionDenied => SandboxError::EngineForbidden { address: address.into() },
            _ => SandboxError::EngineStopped { address: address.into() },
        }),
    }
}

#[cfg(unix)]
fn knock(path: &Path) -> std::io::Result<()> {
    std::os::unix::net::UnixStream::connect(path).map(drop)
}

/// A pipe is opened as a file is. One that is busy is there, so a ping tells the rest.
#[cfg(not(unix))]
fn knock(path: &Path) -> std::io::Result<()> {
    use std::io::ErrorKind::{NotFound, PermissionDenied};
    match std::fs::OpenOptions::new().read(true).write(true).open(path) {
        Err(error) if matches!(error.kind(), NotFound | PermissionDenied) => Err(error),
        _ => Ok(()),
    }
}

/// An engine takes its socket or pipe away when it stops: with its program on the disk, a missing one means
/// stopped, not absent.
fn absent_or_stopped(trouble: SandboxError, address: String, is_installed: bool) -> SandboxError {
    match trouble {
        SandboxError::EngineMissing if is_installed => SandboxError::EngineStopped { address },
        other => other,
    }
}

/// Of two failures the one that helps a person more: no permission, then stopped, then missing.
fn more_telling(one: SandboxError, other: SandboxError) -> SandboxError {
    let weight = |error: &SandboxError| match error {
        SandboxError::EngineForbidden { .. } => 2,
        SandboxError::EngineMissing => 0,
        _ => 1,
    };
    if weight(&other) > weight(&one) { other } else { one }
}

/// The addresses to try when none is named, best first.
fn candidates() -> Vec<String> {
    let home = dirs_home();
    let mut found: Vec<String> = Vec::new();
    if let Some(home) = &home {
        found.extend(context_address(&home.join(".docker")));
    }
    if cfg!(windows) {
        found.push("npipe:////./pipe/docker_engine".into());
        found.push("npipe:////./pipe/dockerDesktopLinuxEngine".into());
        return found;
    }
    let mut sockets = vec![PathBuf::from("/var/run/docker.sock")];
    if let Some(home) = &home {
        for place in [
            ".docker/run/docker.sock",
            ".docker/desktop/docker.sock",
            ".orbstack/run/docker.sock",
            ".colima/default/docker.sock",
            ".rd/docker.sock",
        ] {
            sockets.push(home.join(place));
        }
    }
    if let Some(folder) = std::env::var_os("XDG_RUNTIME_DIR") {
        sockets.push(Path::new(&folder).join("docker.sock"));
        sockets.push(Path::new(&folder).join("podman/podman.sock"));
    }
    sockets.push("/run/podman/podman.sock".into());
    found.extend(sockets.iter().map(|path| format!("unix://{}", path.display())));
    found
}

fn dirs_home() -> Option<PathBuf> {
    std::env::var_os(if cfg!(windows) { "USERPROFILE" } else { "HOME" }).map(PathBuf::from)
}

/// The address of the Docker client's current context, read from its own files.
fn context_address(folder: &Path) -> Option<String> {
    let read = |path: &Path| -> Option<Value> { serde_json::from_slice(&std::fs::read(path).ok()?).ok() };
    let name = std::env::var("DOCKER_CONTEXT")
        .ok()
        .filter(|name| !name.is_empty())
        .or_else(|| Some(read(&folder.join("config.json"))?.get("currentContext")?.as_str()?.to_owned()))?;
    std::fs::read_dir(folder.join("contexts/meta")).ok()?.flatten().find_map(|entry| {
        let meta = read(&entry.path().join("meta.json"))?;
        (meta.get("Name")?.as_str()? == name)
            .then(|| meta.pointer("/Endpoints/docker/Host")?.as_str().map(str::to_owned))
            .flatten()
    })
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[tokio::test]
    async fn field_053_056_each_kind_of_dead_engine_has_its_own_error() {
        let folder = tempfile::tempdir().unwrap();
        let absent = format!("unix://{}", folder.path().join("none.sock").display());
        assert!(matches!(Engine::ping(&absent).await, Err(SandboxError::EngineMissing)));

        let stale = folder.path().join("stale.sock");
        drop(std::os::unix::net::UnixListener::bind(&stale).unwrap());
        let stale = format!("unix://{}", stale.display());
        assert!(matches!(Engine::find(Some(&stale)).await, Err(SandboxError::EngineStopped { .. })));

        let silent = folder.path().join("silent.sock");
        let _listener = std::os::unix::net::UnixListener::bind(&silent).unwrap();
        let silent = format!("unix://{}", silent.display());
        assert!(matches!(Engine::find(Some(&silent)).await, Err(SandboxError::EngineStopped { .. })));

        assert!(matches!(
            Engine::find(Some("tcp://127.0.0.1:1")).await,
            Err(SandboxError::EngineStopped { .. })
        ));
        assert!(matches!(Engine::find(Some("nonsense")).await, Err(SandboxError::EngineStopped { .. })));
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

    #[test]
    fn field_055_the_current_context_is_read_from_the_clients_files() {
        let folder = tempfile::tempdir().unwrap();
        let meta = folder.path().join("contexts/meta/0123");
        std::fs::create_dir_all(&meta).unwrap();
        std::fs::write(folder.path().join("config.json"), r#"{"currentContext":"desktop-linux"}"#).unwrap();
        std::fs::write(
            meta.join("meta.json"),
            r#"{"Name":"desktop-linux","Endpoints":{"docker":{"Host":"unix:///home/x/.docker/desktop/docker.sock"}}}"#,
        )
        .unwrap();
        assert_eq!(
            context_address(folder.path()).as_deref(),
            Some("unix:///home/x/.docker/desktop/docker.sock")
        );
    }
}
