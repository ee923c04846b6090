//! The engine's own calls, with nothing around them: what the sandbox is measured against.

use std::collections::HashMap;
use std::io::Write;
use std::path::Path;

use assay_sandbox::Manifest;
use bollard::Docker;
use bollard::models::{ContainerCreateBody, HostConfig, Mount, MountType};
use bollard::query_parameters::{
    CreateContainerOptions, DownloadFromContainerOptionsBuilder, ListContainersOptionsBuilder,
    RemoveContainerOptionsBuilder, StartContainerOptions, UploadToContainerOptionsBuilder,
};
use futures_util::StreamExt;

/// The run's name of everything that is measured.
pub(crate) const RUN: &str = "bench";

/// An engine and an image.
pub(crate) struct Plain {
    pub(crate) docker: Docker,
    pub(crate) image: String,
}

impl Plain {
    /// The same image with nothing asked of it but to wait.
    pub(crate) async fn create(&self, with_volume: bool) -> String {
        let volume = Mount {
            typ: Some(MountType::VOLUME),
            target: Some("/workspace/input".into()),
            ..Mount::default()
        };
        let body = ContainerCreateBody {
            image: Some(self.image.clone()),
            entrypoint: Some(vec!["sleep".into(), "600".into()]),
            labels: Some(HashMap::from([("app".into(), "assay".into()), ("assay.run".into(), RUN.into())])),
            host_config: Some(HostConfig {
                network_mode: Some("none".into()),
                mounts: with_volume.then(|| vec![volume]),
                ..HostConfig::default()
            }),
            ..ContainerCreateBody::default()
        };
        self.docker.create_container(None::<CreateContainerOptions>, body).await.expect("a container").id
    }

    pub(crate) async fn start(&self, id: &str) {
        self.docker.start_container(id, None::<StartContainerOptions>).await.expect("it starts");
    }

    pub(crate) async fn upload(&self, id: &str, archive: bytes::Bytes) {
        let options = UploadToContainerOptionsBuilder::default().path("/workspace/input").build();
        let body = bollard::body_full(archive);
        self.docker.upload_to_container(id, Some(options), body).await.expect("it uploads");
    }

    /// Takes files out as one archive and unpacks it into a folder.
    pub(crate) async fn download(&self, id: &str, path: &str, into: &Path) {
        let options = DownloadFromContainerOptionsBuilder::default().path(path).build();
        let mut pieces = self.docker.download_from_container(id, Some(options));
        let mut archive = tempfile::tempfile().expect("a file");
        while let Some(piece) = pieces.next().await {
            archive.write_all(&piece.expect("a piece of the archive")).expect("it is written");
        }
        std::io::Seek::rewind(&mut archive).expect("it rewinds");
        tar::Archive::new(archive).unpack(into).expect("it unpacks");
    }

    /// The container of the open session.
    pub(crate) async fn session(&self) -> String {
        let filters = [("label", vec!["assay.run=bench"])].into();
        let options = ListContainersOptionsBuilder::default().filters(&filters).build();
        let found = self.docker.list_containers(Some(options)).await.expect("a list");
        found.into_iter().find_map(|container| container.id).expect("the session's container")
    }

    pub(crate) async fn remove(&self, id: &str) {
        let options = RemoveContainerOptionsBuilder::default().force(true).v(true).build();
        self.docker.remove_container(id, Some(options)).await.expect("it is removed");
    }
}

/// The files of a manifest as one archive.
pub(crate) fn pack(manifest: &Manifest) -> bytes::Bytes {
    let mut archive = tar::Builder::new(Vec::new());
    for file in manifest.files() {
        let path = file.source.as_ref().expect("a file on disk");
        archive.append_path_with_name(path, &file.destination).expect("it packs");
    }
    archive.into_inner().expect("it ends").into()
}
