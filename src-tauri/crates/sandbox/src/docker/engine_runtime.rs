//! The programs with which an engine runs containers, such as `runc`, or gVisor's `runsc`.

use bollard::Docker;

use crate::error::SandboxError;

/// The names of those that the engine has, its default first.
pub(super) async fn names(docker: &Docker) -> Result<Vec<String>, SandboxError> {
    let info = docker.info().await?;
    let default = info.default_runtime;
    let mut names: Vec<String> = info.runtimes.unwrap_or_default().into_keys().collect();
    names.sort_by_key(|name| (Some(name) != default.as_ref(), name.clone()));
    Ok(names)
}

/// Whether the engine has the one that was chosen.
pub(super) async fn check(docker: &Docker, chosen: Option<&str>) -> Result<(), SandboxError> {
    let Some(chosen) = chosen else { return Ok(()) };
    let known = names(docker).await?;
    if known.iter().any(|name| name == chosen) {
        return Ok(());
    }
    Err(SandboxError::EngineRuntimeUnknown { name: chosen.into(), known })
}
