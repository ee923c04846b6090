//! Handing a system-call filter to an engine: Docker reads its text, Podman a file with it.

use std::io::Write;

use bollard::Docker;
use bollard::errors::Error;
use bollard::models::ContainerCreateBody;
use bollard::query_parameters::CreateContainerOptions;

use crate::error::SandboxError;
use crate::policy::Seccomp;

/// A container as it was created.
pub(super) struct Created {
    pub(super) id: String,
    /// What does not hold there of the policy, a plain sentence each.
    pub(super) gaps: Vec<String>,
}

/// Told where the engine takes the filter in no way, since its disk is not this computer's.
const OWN_FILTER: &str =
    "The engine does not take Assay's filter of system calls and uses its own, which is wider.";

/// Creates a container with this filter, or where the engine takes it in no way with the engine's own.
pub(super) async fn create(
    docker: &Docker,
    body: &ContainerCreateBody,
    seccomp: Seccomp,
) -> Result<Created, SandboxError> {
    let create = async |filter: Option<&str>| {
        let mut body = body.clone();
        if let (Some(filter), Some(host)) = (filter, &mut body.host_config) {
            host.security_opt.get_or_insert_default().push(format!("seccomp={filter}"));
        }
        let created = docker.create_container(None::<CreateContainerOptions>, body).await?;
        Ok::<_, Error>(Created { id: created.id, gaps: Vec::new() })
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
            Ok(Created { gaps: vec![OWN_FILTER.into()], ..create(None).await? })
        }
        created => Ok(created?),
    }
}

fn is_about_the_filter(error: &Error) -> bool {
    matches!(error, Error::DockerResponseServerError { message, .. } if message.contains("seccomp"))
}
