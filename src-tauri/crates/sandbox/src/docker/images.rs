//! The images that are there: Assay's own, which of them are of no more use, and fetching others.

use std::path::Path;
use std::time::Duration;

use bollard::Docker;
use bollard::models::ProgressDetail;
use bollard::query_parameters::{
    CreateImageOptionsBuilder, ImportImageOptions, ListImagesOptionsBuilder, RemoveImageOptionsBuilder,
};
use futures_util::StreamExt;
use serde::{Deserialize, Serialize};
use tokio_util::io::ReaderStream;
use tokio_util::sync::CancellationToken;
use ts_rs::TS;

use super::image_progress::{ImageProgress, PartProgress, Said, follow};
use super::packages::{LOCK_LABEL, PACKAGES_LABEL, PARENT_LABEL};
use super::space::check_engine_space;
use super::{DockerRuntime, inspect_image, own_image, status_of};
use crate::error::SandboxError;

/// A download or a file that brings no byte for this long has stalled.
pub(super) const SILENCE_LIMIT: Duration = Duration::from_mins(1);
/// Room that a fetched image takes at least.
const PULL_NEEDS_BYTES: u64 = 1 << 30;
/// The label of every image that Assay has made.
const OWN_LABEL: &str = "app=assay";

/// An image that Assay has made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct OwnImage {
    /// Its id.
    pub id: String,
    /// Its names; none for what has lost its name to a newer one.
    pub names: Vec<String>,
    /// Size in bytes, what it shares with others included.
    pub bytes: u64,
    /// When it was made, in seconds since 1970.
    pub made_s: i64,
    /// The processor that it is for, such as `amd64`.
    pub architecture: String,
    /// What it was made on, where that is known.
    pub base: Option<String>,
    /// The packages that the person has chosen in addition.
    pub packages: Vec<String>,
    /// Their versions, and of what they need: `name==version`.
    pub lock: Vec<String>,
    /// Whether runs can still use it: the present one, and those with packages that were made on that.
    pub is_present: bool,
}

/// The images of an engine.
#[derive(Debug, Clone)]
pub struct Images {
    runtime: DockerRuntime,
    silence: Duration,
}

impl Images {
    /// The images of the runtime's engine.
    pub fn new(runtime: DockerRuntime) -> Self {
        Self { runtime, silence: SILENCE_LIMIT }
    }

    /// The same with another limit of silence.
    #[must_use]
    pub fn silent_for(self, silence: Duration) -> Self {
        Self { silence, ..self }
    }

    /// The images that Assay has made, the newest first.
    pub async fn own(&self) -> Result<Vec<OwnImage>, SandboxError> {
        let docker = self.runtime.connect().await?.docker;
        let present = inspect_image(&docker, own_image()).await.map(|image| image.id).unwrap_or_default();
        let filters = [("label", vec![OWN_LABEL])].into();
        let options = ListImagesOptionsBuilder::default().filters(&filters).build();
        let mut found = Vec::new();
        for image in docker.list_images(Some(options)).await? {
            let label = |name: &str| image.labels.get(name).cloned();
            let list = |name: &str| {
                label(name)
                    .map(|text| text.split_whitespace().map(str::to_owned).collect())
                    .unwrap_or_default()
            };
            found.push(OwnImage {
                is_present: image.id == present
                    || label(PARENT_LABEL).is_some_and(|parent| parent == present),
                architecture: inspect_image(&docker, &image.id).await?.architecture,
                base: label("assay.base"),
                packages: list(PACKAGES_LABEL),
                lock: list(LOCK_LABEL),
                names: image.repo_tags.into_iter().filter(|name| name != "<none>:<none>").collect(),
                bytes: u64::try_from(image.size).unwrap_or_default(),
                made_s: image.created,
                id: image.id,
            });
        }
        found.sort_by_key(|image| std::cmp::Reverse(image.made_s));
        Ok(found)
    }

    /// Removes an image that Assay has made, by its id. Any other, and one that a container uses, stays; whether it
    /// is gone.
    pub async fn remove(&self, id: &str) -> Result<bool, SandboxError> {
        let Some(image) = self.own().await?.into_iter().find(|image| image.id == id) else {
            return Ok(false);
        };
        let docker = self.runtime.connect().await?.docker;
        let names = if image.names.is_empty() { vec![image.id] } else { image.names };
        for name in names {
            let options = RemoveImageOptionsBuilder::default().force(false).build();
            match docker.remove_image(&name, Some(options), None).await {
                Ok(_) => {}
                Err(error) if status_of(&error) == Some(404) => {}
                Err(error) if status_of(&error) == Some(409) => return Ok(false),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(true)
    }

    /// Fetches an image from its registry. What was fetched before a stop or a stall is not fetched again.
    pub async fn pull(
        &self,
        name: &str,
        progress: &mut (dyn FnMut(ImageProgress) + Send),
        stop: &CancellationToken,
    ) -> Result<(), SandboxError> {
        let docker = self.runtime.connect().await?.docker;
        check_engine_space(&docker, PULL_NEEDS_BYTES).await?;
        tokio::select! {
            pulled = pull(&docker, name, self.silence, progress) => pulled?,
            () = stop.cancelled() => return Err(SandboxError::Stopped),
        }
        check_architecture(&docker, name).await
    }

    /// Loads the images of a file that `docker save` has written, packed or not. Returns their names.
    pub async fn load(
        &self,
        file: &Path,
        progress: &mut (dyn FnMut(ImageProgress) + Send),
        stop: &CancellationToken,
    ) -> Result<Vec<String>, SandboxError> {
        let docker = self.runtime.connect().await?.docker;
        let source = tokio::fs::File::open(file).await?;
        let total = source.metadata().await?.len();
        // The engine unpacks it.
        check_engine_space(&docker, total.saturating_mul(2)).await?;
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut names = Vec::new();
        let mut hear = |progressed: ImageProgress| {
            let loaded = ["Loaded image: ", "Loaded image ID: "];
            names.extend(
                loaded.iter().find_map(|words| progressed.line.strip_prefix(words)).map(str::to_owned),
            );
            progress(progressed);
        };
        tokio::select! {
            loaded = send(&docker, source, &name, total, self.silence, &mut hear) => match loaded {
                Err(SandboxError::ImageBuild(reason)) => return Err(SandboxError::ImageFile { name, reason }),
                loaded => loaded?,
            },
            () = stop.cancelled() => return Err(SandboxError::Stopped),
        }
        if names.is_empty() {
            return Err(SandboxError::ImageFile { name, reason: "it names none".into() });
        }
        for name in &names {
            check_architecture(&docker, name).await?;
        }
        Ok(names)
    }
}

/// Sends a file and follows what the engine says meanwhile. Each piece that it takes is a sign of life too.
async fn send(
    docker: &Docker,
    source: tokio::fs::File,
    name: &str,
    total: u64,
    silence: Duration,
    progress: &mut (dyn FnMut(ImageProgress) + Send),
) -> Result<(), SandboxError> {
    let (pieces, taken) = tokio::sync::mpsc::unbounded_channel();
    let body = ReaderStream::with_capacity(source, 1 << 20).inspect(move |piece| {
        let _ = pieces.send(piece.as_ref().map_or(0, bytes::Bytes::len));
    });
    let mut done_bytes = 0;
    let name = name.to_owned();
    let sent =
        futures_util::stream::unfold(taken, |mut taken| async move { Some((taken.recv().await?, taken)) })
            .map(move |size| {
                done_bytes += size as u64;
                let part = PartProgress { name: name.clone(), done_bytes, total_bytes: Some(total) };
                Ok(Said { text: Some("Reading".into()), part: Some(part), error: None })
            });
    let heard = docker.import_image_stream(ImportImageOptions::default(), body, None).map(|event| {
        let event = event?;
        let part = part(event.id, event.progress_detail);
        let error = event.error_detail.and_then(|detail| detail.message);
        Ok(Said { text: event.stream.or(event.status), part, error })
    });
    follow(futures_util::stream::select(sent, heard), silence, progress).await
}

/// Fetches an image with progress for each layer.
pub(super) async fn pull(
    docker: &Docker,
    name: &str,
    silence: Duration,
    progress: &mut (dyn FnMut(ImageProgress) + Send),
) -> Result<(), SandboxError> {
    let has_tag = name.rsplit('/').next().is_some_and(|last| last.contains([':', '@']));
    let whole = if has_tag { name.to_owned() } else { format!("{name}:latest") };
    let options = CreateImageOptionsBuilder::default().from_image(&whole).build();
    let events = docker.create_image(Some(options), None, None).map(|event| {
        let event = event?;
        let text = event.status.map(|status| match &event.id {
            Some(layer) => format!("{status} {layer}"),
            None => status,
        });
        let error = event.error_detail.and_then(|detail| detail.message);
        Ok(Said { text, part: part(event.id, event.progress_detail), error })
    });
    follow(events, silence, progress).await
}

fn part(id: Option<String>, detail: Option<ProgressDetail>) -> Option<PartProgress> {
    let detail = detail?;
    let bytes = |count: Option<i64>| count.and_then(|count| u64::try_from(count).ok());
    let (done_bytes, total_bytes) = (bytes(detail.current)?, bytes(detail.total).filter(|total| *total > 0));
    Some(PartProgress { name: id?, done_bytes, total_bytes })
}

/// Checks that an image is for the engine's processor.
pub(super) async fn check_architecture(docker: &Docker, image: &str) -> Result<(), SandboxError> {
    let engine = docker.version().await?.arch.unwrap_or_default();
    let architecture = inspect_image(docker, image).await?.architecture;
    if engine.is_empty() || architecture.is_empty() || engine == architecture {
        return Ok(());
    }
    Err(SandboxError::ImageArchitecture { image: image.into(), architecture, engine })
}
