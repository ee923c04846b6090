//! Connects to one candidate: a socket, a pipe, TCP with or without TLS, or a program on another computer.

use std::error::Error;
use std::io::ErrorKind;
use std::path::Path;
use std::time::Duration;

use bollard::{API_DEFAULT_VERSION, ClientVersion, Docker};

use super::candidates::{Candidate, Certificates};
use super::ssh::{LogIn, Place};
use super::{Engine, Product};
use crate::error::SandboxError;

/// An engine of this computer or network that does not answer within this time is passed over.
const ANSWER_LIMIT: Duration = Duration::from_secs(3);
/// The same where another computer has to let somebody in first.
const LOG_IN_LIMIT: Duration = Duration::from_secs(20);
/// An engine that answers says what it is within this time; Podman asks its own programs first.
const VERSION_LIMIT: Duration = Duration::from_secs(20);
/// The client's own limit for one request; long because a large upload is one request.
const REQUEST_LIMIT_S: u64 = 3600;

/// Asks a candidate whether it is an engine.
pub(super) async fn connect(candidate: &Candidate) -> Result<Engine, SandboxError> {
    let address = candidate.address.as_str();
    let unusable = |reason: String| SandboxError::EngineUnusable { address: address.into(), reason };
    if let Some(obstacle) = &candidate.obstacle {
        return Err(unusable(obstacle.clone()));
    }
    if let Some((_, path)) = address.split_once("://").filter(|(kind, _)| matches!(*kind, "unix" | "npipe")) {
        check_socket(Path::new(path), address)?;
    }
    let (docker, log_in) = open(candidate, API_DEFAULT_VERSION).map_err(&unusable)?;
    let limit = if log_in.is_some() { LOG_IN_LIMIT } else { ANSWER_LIMIT };
    let stopped = || SandboxError::EngineStopped { address: address.into() };
    let asking = async {
        match tokio::time::timeout(limit, docker.ping()).await {
            Ok(answer) => answer?,
            Err(_) => return Ok(None),
        };
        tokio::time::timeout(VERSION_LIMIT, docker.version()).await.ok().transpose()
    };
    let version = match asking.await {
        Ok(version) => version.ok_or_else(stopped)?,
        Err(error) => {
            tracing::debug!(%error, address, "an engine did not answer");
            let said = match log_in {
                Some(log_in) => log_in.last_words().await,
                None => why_not(&error, candidate.certificates.is_some()),
            };
            return Err(said.map_or_else(stopped, unusable));
        }
    };
    let docker = match log_in {
        // A new client would log in once more; asking once more is nothing beside that.
        Some(_) => docker.negotiate_version().await?,
        None => open(candidate, &spoken(version.api_version.as_deref())).map_err(&unusable)?.0,
    };
    let components = version.components.unwrap_or_default();
    let is_podman = components.iter().any(|component| component.name.starts_with("Podman"));
    Ok(Engine {
        docker,
        address: address.into(),
        is_local: address.starts_with("unix://") || address.starts_with("npipe://"),
        product: if is_podman { Product::Podman } else { Product::Docker },
        version: version.version.unwrap_or_default(),
    })
}

/// The version of the interface that both sides know.
fn spoken(theirs: Option<&str>) -> ClientVersion {
    let parts = theirs.and_then(|text| text.split_once('.'));
    let theirs = parts.and_then(|(major, minor)| {
        Some(ClientVersion { major_version: major.parse().ok()?, minor_version: minor.parse().ok()? })
    });
    theirs.filter(|theirs| theirs < API_DEFAULT_VERSION).unwrap_or(*API_DEFAULT_VERSION)
}

/// A client for the candidate's address; nothing is sent yet.
fn open(candidate: &Candidate, version: &ClientVersion) -> Result<(Docker, Option<LogIn>), String> {
    let address = candidate.address.as_str();
    let opened = match (address.split_once("://"), &candidate.certificates) {
        #[cfg(unix)]
        (Some(("unix", path)), _) => Docker::connect_with_unix(path, REQUEST_LIMIT_S, version),
        #[cfg(windows)]
        (Some(("npipe", _)), _) => Docker::connect_with_named_pipe(address, REQUEST_LIMIT_S, version),
        (Some(("tcp", _)), Some(Certificates { ca, certificate, key })) => {
            for file in [ca, certificate, key] {
                std::fs::File::open(file)
                    .map_err(|_| format!("{} is needed for a secure connection", file.display()))?;
            }
            Docker::connect_with_ssl(address, key, certificate, ca, REQUEST_LIMIT_S, version)
        }
        (Some(("tcp" | "http", _)), _) => Docker::connect_with_http(address, REQUEST_LIMIT_S, version),
        (Some(("ssh", _)), _) => {
            let place = Place::parse(address).ok_or("it is not of the form ssh://user@host:port")?;
            let opened = LogIn::client(place, REQUEST_LIMIT_S).map_err(|error| error.to_string())?;
            return Ok((opened.0, Some(opened.1)));
        }
        _ => return Err("an address begins with unix://, npipe://, tcp:// or ssh://".into()),
    };
    Ok((opened.map_err(|error| error.to_string())?, None))
}

/// What an engine that is there has against us; `None` when nobody answers.
fn why_not(error: &bollard::errors::Error, is_secure: bool) -> Option<String> {
    if let bollard::errors::Error::DockerResponseServerError { message, .. } = error {
        return Some(format!("it answers: {}", message.trim()));
    }
    let mut cause: Option<&dyn Error> = Some(error);
    while let Some(error) = cause {
        if let Some(error) = error.downcast_ref::<std::io::Error>()
            && matches!(
                error.kind(),
                ErrorKind::ConnectionRefused | ErrorKind::TimedOut | ErrorKind::NotFound
            )
        {
            return None;
        }
        if is_secure && error.source().is_none() {
            return Some(format!("the connection could not be made secure ({error})"));
        }
        cause = error.source();
    }
    None
}

/// Tells a socket or pipe that is absent, forbidden or dead apart from one that can be tried.
fn check_socket(path: &Path, address: &str) -> Result<(), SandboxError> {
    match knock(path) {
        Ok(()) => Ok(()),
        Err(error) => Err(match error.kind() {
            ErrorKind::NotFound if !path.is_symlink() => SandboxError::EngineMissing,
            ErrorKind::PermissionDenied => SandboxError::EngineForbidden { address: address.into() },
            _ => SandboxError::EngineStopped { address: address.into() },
        }),
    }
}

#[cfg(unix)]
fn knock(path: &Path) -> std::io::Result<()> {
    std::os::unix::net::UnixStream::connect(path).map(drop)
}

/// A pipe is opened as a file is. One that is busy is there, so a request tells the rest.
#[cfg(not(unix))]
fn knock(path: &Path) -> std::io::Result<()> {
    use std::io::ErrorKind::{NotFound, PermissionDenied};
    match std::fs::OpenOptions::new().read(true).write(true).open(path) {
        Err(error) if matches!(error.kind(), NotFound | PermissionDenied) => Err(error),
        _ => Ok(()),
    }
}
