//! Handing a system-call filter to an engine: Docker reads its text, Podman a file with it.

use std::io::Write;

use bollard::Docker;
use bollard::errors::Error;
use bollard::models::ContainerCreateBody;
use bollard::query_parameters::CreateContainerOptions;

use crate::error::SandboxError;
use crate::policy::Seccomp;

/// Creates a container with this filter; returns its id. An engine that takes the filter in no way, since its disk
/// is not this computer's, uses its own default, which a proof from inside then shows.
pub(super) async fn create(
    docker: &Docker,
    body: &ContainerCreateBody,
    seccomp: Seccomp,
) -> Result<String, SandboxError> {
    let create = async |filter: Option<&str>| {
        let mut body = body.clone();
        if let (Some(filter), Some(host)) = (filter, &mut body.host_config) {
            host.security_opt.get_or_insert_default().push(format!("seccomp={filter}"));
        }
        docker.create_container(None::<CreateContainerOptions>, body).await.map(|created| created.id)
    };
    let Some(profile) = seccomp.profile() else { return Ok(create(None).await?) };
    match create(Some(profile)).await {
        Err(error) if is_about_the_filter(&error) => {}
        created => return Ok(created?),
    }
    // The file is read while the container is created.
    let mut file = tempfile::Builder::new().prefix("assay-seccomp-").suffix(".json").tempfile()?;
    file.write_all(profile.as_bytes())?;
    match create(Some(&file.path().to_string_lossy())).await {
        Err(error) if is_about_the_filter(&error) => {
            tracing::warn!(%error, "the engine takes no filter of system calls and uses its own");
            Ok(create(None).await?)
        }
        created => Ok(created?),
    }
}

fn is_about_the_filter(error: &Error) -> bool {
    matches!(error, Error::DockerResponseServerError { message, .. } if message.contains("seccomp"))
}
