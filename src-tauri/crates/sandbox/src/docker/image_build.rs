//! Makes the sandbox image from the recipe that the program carries, with progress and a stop.

use std::collections::HashMap;
use std::path::PathBuf;
use std::time::Duration;

use bollard::Docker;
use bollard::query_parameters::BuildImageOptionsBuilder;
use futures_util::StreamExt;
use sha2::{Digest, Sha256};
use tokio_util::sync::CancellationToken;

use super::image_progress::{ImageProgress, Said, follow};
use super::images::{self, pull};
use super::space::check_engine_space;
use super::{DockerRuntime, inspect_image, own_image};
use crate::error::SandboxError;

/// The files of the recipe, in the order in which their hash is made.
const RECIPE: [(&str, &[u8]); 6] = [
    ("Dockerfile", include_bytes!("../../../../../sandbox/Dockerfile")),
    ("fonts.cfg", include_bytes!("../../../../../sandbox/fonts.cfg")),
    ("font_fallback.py", include_bytes!("../../../../../sandbox/font_fallback.py")),
    ("matplotlibrc", include_bytes!("../../../../../sandbox/matplotlibrc")),
    ("requirements.txt", include_bytes!("../../../../../sandbox/requirements.txt")),
    ("selftest.py", include_bytes!("../../../../../sandbox/selftest.py")),
];

/// A base made from Debian packages, used where it is there and the official one cannot be had.
const FALLBACK_BASE: &str = "assay-base:debian12";
/// A build that says nothing for this long has stalled; a step of it that installs says nothing for minutes.
pub(crate) const SILENCE_LIMIT: Duration = Duration::from_mins(10);
/// Room that the making takes: the image, and its layers while they are made.
pub(super) const MAKE_NEEDS_BYTES: u64 = 3 << 30;
/// Settings of this computer that reach the outside from within the build.
pub(crate) const PROXY_VARIABLES: [&str; 7] =
    ["http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "PIP_INDEX_URL"];
/// Where certificates of this computer may be found, best first.
pub(crate) const CERTIFICATE_VARIABLES: [&str; 4] =
    ["ASSAY_EXTRA_CA", "SSL_CERT_FILE", "PIP_CERT", "REQUESTS_CA_BUNDLE"];
pub(crate) const CERTIFICATES: &str = "/etc/ssl/certs/ca-certificates.crt";

/// How the project's own image is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recipe {
    /// The files of the build's context, by name.
    pub files: &'static [(&'static str, &'static [u8])],
    /// What tells this recipe from another; the image carries it as the label `assay.recipe`.
    pub hash: String,
}

/// How the project's own image is made.
pub fn own_recipe() -> Recipe {
    Recipe { files: &RECIPE, hash: recipe_hash() }
}

/// The making of the project's own image.
#[derive(Debug)]
pub struct ImageBuild {
    runtime: DockerRuntime,
    name: String,
}

impl ImageBuild {
    /// A build on the runtime's engine.
    pub fn new(runtime: DockerRuntime) -> Self {
        Self { runtime, name: own_image().to_owned() }
    }

    /// The same under another name, such as `name:tag`.
    #[must_use]
    pub fn named(self, name: &str) -> Self {
        Self { name: name.to_owned(), ..self }
    }

    /// Builds the image. The build ends when `stop` is cancelled, and leaves nothing half made under the
    /// image's name.
    pub async fn run(
        &self,
        progress: &mut (dyn FnMut(ImageProgress) + Send),
        stop: &CancellationToken,
    ) -> Result<(), SandboxError> {
        let docker = self.runtime.connect().await?.docker;
        check_engine_space(&docker, MAKE_NEEDS_BYTES).await?;
        tokio::select! {
            built = build(&docker, &self.name, progress) => built,
            () = stop.cancelled() => Err(SandboxError::Stopped),
        }
    }
}

async fn build(
    docker: &Docker,
    name: &str,
    progress: &mut (dyn FnMut(ImageProgress) + Send),
) -> Result<(), SandboxError> {
    let base = choose_base(docker, progress).await?;
    let mut arguments = network_arguments();
    arguments.insert("BASE".into(), base);
    arguments.insert("RECIPE".into(), recipe_hash());
    let options = BuildImageOptionsBuilder::new().t(name).rm(true).forcerm(true).buildargs(&arguments);
    let mut files: Vec<(&str, Vec<u8>)> =
        RECIPE.iter().map(|(name, content)| (*name, content.to_vec())).collect();
    files.extend(certificates().map(|content| ("extra-ca.crt", content)));
    build_from(docker, options, archive(&files)?, progress).await?;
    Ok(())
}

/// Builds what a context says. Returns the image's id. Steps that were done before are not done again.
pub(super) async fn build_from(
    docker: &Docker,
    options: BuildImageOptionsBuilder,
    context: Vec<u8>,
    progress: &mut (dyn FnMut(ImageProgress) + Send),
) -> Result<String, SandboxError> {
    let mut id = None;
    let options = if proxy_is_here() { options.networkmode("host") } else { options };
    let events =
        docker.build_image(options.build(), None, Some(bollard::body_full(context.into()))).map(|event| {
            let event = event?;
            if let Some(made) = event.aux.and_then(|made| made.id) {
                id = Some(made);
            }
            let error = event.error_detail.and_then(|detail| detail.message);
            Ok(Said { text: event.stream.or(event.status), part: None, error })
        });
    follow(events, SILENCE_LIMIT, progress).await?;
    id.ok_or_else(|| SandboxError::ImageBuild("the engine did not say what it has made".into()))
}

/// Settings of this computer that reach the outside from within a build.
pub(super) fn network_arguments() -> HashMap<String, String> {
    let set = |name: &&str| Some(((*name).to_owned(), std::env::var(*name).ok()?));
    PROXY_VARIABLES.iter().filter_map(set).collect()
}

/// Whether the proxy listens on this computer only: it is not seen from a network of the container's own.
fn proxy_is_here() -> bool {
    let is_here = |value: &String| value.contains("localhost") || value.contains("127.0.0.1");
    let arguments = network_arguments();
    arguments.iter().any(|(name, value)| {
        name.to_lowercase().ends_with("_proxy") && !name.to_lowercase().starts_with("no_") && is_here(value)
    })
}

/// The certificates of this computer, where they are found.
pub(super) fn certificates() -> Option<Vec<u8>> {
    let named = CERTIFICATE_VARIABLES.iter().filter_map(std::env::var_os).map(PathBuf::from);
    named.chain([CERTIFICATES.into()]).find_map(|path| std::fs::read(path).ok())
}

/// The official base where it is there or can be had, else the fallback where it is there.
async fn choose_base(
    docker: &Docker,
    progress: &mut (dyn FnMut(ImageProgress) + Send),
) -> Result<String, SandboxError> {
    let official = official_base();
    if inspect_image(docker, official).await.is_ok() {
        return Ok(official.into());
    }
    progress(ImageProgress::line(format!("Asking for {official}")));
    match pull(docker, official, images::SILENCE_LIMIT, progress).await {
        Ok(()) => Ok(official.into()),
        Err(error) => {
            if inspect_image(docker, FALLBACK_BASE).await.is_err() {
                return Err(error);
            }
            progress(ImageProgress::line(format!("It cannot be had; using {FALLBACK_BASE}")));
            Ok(FALLBACK_BASE.into())
        }
    }
}

fn official_base() -> &'static str {
    std::str::from_utf8(RECIPE[0].1)
        .ok()
        .and_then(|dockerfile| dockerfile.lines().find_map(|line| line.strip_prefix("ARG BASE=")))
        .unwrap_or("python:3.12-slim")
}

/// The same hash that `scripts/image` makes: that of the list of the files' hashes.
fn recipe_hash() -> String {
    let list: Vec<String> = RECIPE
        .iter()
        .map(|(name, content)| format!("{}  {name}\n", super::stage::hex(&Sha256::digest(content))))
        .collect();
    super::stage::hex(&Sha256::digest(list.concat()))[..16].to_owned()
}

/// A build's context.
pub(super) fn archive(files: &[(&str, Vec<u8>)]) -> Result<Vec<u8>, SandboxError> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, content) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, name, &content[..])?;
    }
    Ok(archive.into_inner()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recipe_is_the_one_that_the_script_builds() {
        assert_eq!(official_base().split(':').next(), Some("python"));
        let script = include_str!("../../../../../scripts/image");
        let names: Vec<&str> = RECIPE.iter().map(|(name, _)| *name).collect();
        assert!(script.contains(&format!("recipe_files=({})", names.join(" "))), "{names:?}");
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../sandbox");
        let sums = format!("cd {folder} && sha256sum {} | sha256sum | cut -c 1-16", names.join(" "));
        let hashed = std::process::Command::new("sh").args(["-c", &sums]).output().unwrap();
        assert_eq!(String::from_utf8(hashed.stdout).unwrap().trim(), recipe_hash());
    }
}
