//! What a session leaves with the engine carries labels that say whose it is, and is taken away by them.

use std::collections::HashMap;

use bollard::Docker;
use bollard::query_parameters::{
    ListContainersOptionsBuilder, ListVolumesOptionsBuilder, RemoveVolumeOptions,
};

use super::{remove, status_of};
use crate::error::SandboxError;
use crate::owner::Owner;

/// The name and value that everything of Assay carries.
const APP: (&str, &str) = ("app", "assay");
const OWNER: &str = "assay.owner";
const RUN: &str = "assay.run";
/// States in which a container may be left behind. One that is just ending is removed without us, and Podman has a
/// word for it that the client cannot read.
const SWEPT: [&str; 4] = ["created", "running", "paused", "exited"];

/// The labels of what this process makes for a run.
pub(super) fn labels(run: &str) -> HashMap<String, String> {
    [(APP.0, APP.1.to_owned()), (RUN, run.to_owned()), (OWNER, Owner::current().to_string())]
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

/// Removes the containers and volumes of owners that no longer live; returns how many there were.
pub(super) async fn sweep(docker: &Docker) -> Result<usize, SandboxError> {
    let own = format!("{}={}", APP.0, APP.1);
    let filters = [("label", vec![own.as_str()]), ("status", SWEPT.to_vec())].into();
    let options = ListContainersOptionsBuilder::default().all(true).filters(&filters).build();
    let mut removed = 0;
    for container in docker.list_containers(Some(options)).await? {
        let Some(id) = container.id else { continue };
        if is_left(&container.labels.unwrap_or_default()) {
            remove(docker, &id).await?;
            removed += 1;
        }
    }
    for (name, labels) in idle_volumes(docker, &own).await? {
        if is_left(&labels) {
            remove_volume(docker, &name).await?;
            removed += 1;
        }
    }
    Ok(removed)
}

/// Removes what a run's lost container has left: a container that somebody removes by force goes without its
/// volumes.
pub(super) async fn remove_volumes(docker: &Docker, run: &str) -> Result<(), SandboxError> {
    for (name, labels) in idle_volumes(docker, &format!("{RUN}={run}")).await? {
        if labels.get(OWNER).is_some_and(|owner| *owner == Owner::current().to_string()) {
            remove_volume(docker, &name).await?;
        }
    }
    Ok(())
}

fn is_left(labels: &HashMap<String, String>) -> bool {
    labels.get(OWNER).and_then(|label| Owner::parse(label)).is_some_and(|owner| owner.is_dead())
}

/// Volumes with a label that no container uses.
async fn idle_volumes(
    docker: &Docker,
    label: &str,
) -> Result<Vec<(String, HashMap<String, String>)>, SandboxError> {
    let filters = [("label", vec![label]), ("dangling", vec!["true"])].into();
    let options = ListVolumesOptionsBuilder::default().filters(&filters).build();
    let volumes = docker.list_volumes(Some(options)).await?.volumes.unwrap_or_default();
    Ok(volumes.into_iter().map(|volume| (volume.name, volume.labels)).collect())
}

/// One that is gone already, or in use again, is fine.
async fn remove_volume(docker: &Docker, name: &str) -> Result<(), SandboxError> {
    match docker.remove_volume(name, None::<RemoveVolumeOptions>).await {
        Err(error) if !matches!(status_of(&error), Some(404 | 409)) => Err(error.into()),
        _ => Ok(()),
    }
}
