//! The sandbox with further packages: an image of its own, made with the network and used without.

use std::collections::HashMap;

use bollard::Docker;
use bollard::query_parameters::BuildImageOptionsBuilder;
use sha2::{Digest, Sha256};
use tokio_util::sync::CancellationToken;

use super::image_build::{MAKE_NEEDS_BYTES, archive, build_from, certificates, network_arguments};
use super::image_progress::ImageProgress;
use super::space::check_engine_space;
use super::{DockerRuntime, inspect_image, own_image, stage};
use crate::error::SandboxError;

/// What was chosen, with blanks between.
pub(super) const PACKAGES_LABEL: &str = "assay.packages";
/// What was installed for it, `name==version` with blanks between.
pub(super) const LOCK_LABEL: &str = "assay.lock";
/// The id of the image that it was made on.
pub(super) const PARENT_LABEL: &str = "assay.parent";

const DOCKERFILE: &[u8] = include_bytes!("../../../../../sandbox/packages.Dockerfile");
/// How a line of the build begins that names a package.
const LOCK_MARK: &str = "assay-lock: ";

/// How pip begins to say why it does not install something.
const PIP_ERROR: &str = "ERROR: ";

/// Packages that the sandbox shall have in addition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packages(Vec<String>);

impl Packages {
    /// Packages as pip names them, such as `humanize` or `humanize==4.9.0`.
    ///
    /// # Errors
    /// [`SandboxError::ImagePackage`] for what is not a name with versions: options, addresses, paths.
    pub fn new(names: &[String]) -> Result<Self, SandboxError> {
        let mut names: Vec<String> = names.iter().map(|name| name.replace(' ', "")).collect();
        names.sort();
        names.dedup();
        match names.iter().find(|name| !is_requirement(name)) {
            Some(name) => Err(SandboxError::ImagePackage(name.clone())),
            None => Ok(Self(names)),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Makes the image on Assay's own, which must be there, and returns its name. One that was made before is used.
    pub async fn make(
        &self,
        runtime: &DockerRuntime,
        progress: &mut (dyn FnMut(ImageProgress) + Send),
        stop: &CancellationToken,
    ) -> Result<String, SandboxError> {
        let docker = runtime.connect().await?.docker;
        let parent = inspect_image(&docker, own_image()).await?.id;
        let digest = Sha256::digest(format!("{parent}\n{}", self.0.join("\n")));
        let name = format!("assay-packages:{}", &stage::hex(&digest)[..12]);
        if inspect_image(&docker, &name).await.is_ok() {
            return Ok(name);
        }
        check_engine_space(&docker, MAKE_NEEDS_BYTES).await?;
        tokio::select! {
            made = self.build(&docker, &parent, &name, progress) => made?,
            () = stop.cancelled() => return Err(SandboxError::Stopped),
        }
        Ok(name)
    }

    async fn build(
        &self,
        docker: &Docker,
        parent: &str,
        name: &str,
        progress: &mut (dyn FnMut(ImageProgress) + Send),
    ) -> Result<(), SandboxError> {
        let mut files = vec![
            ("Dockerfile", DOCKERFILE.to_vec()),
            ("packages.txt", format!("{}\n", self.0.join("\n")).into_bytes()),
        ];
        files.extend(certificates().map(|content| ("extra-ca.crt", content)));
        let mut arguments = network_arguments();
        arguments.insert("BASE".into(), parent.to_owned());
        let options = BuildImageOptionsBuilder::new().rm(true).forcerm(true).buildargs(&arguments);
        let (mut lock, mut refused) = (Vec::new(), None);
        let mut hear = |progressed: ImageProgress| {
            if let Some(line) = progressed.line.strip_prefix(LOCK_MARK) {
                lock.push(line.to_owned());
                return;
            }
            if let Some(at) = progressed.line.find(PIP_ERROR) {
                refused = Some(progressed.line[at + PIP_ERROR.len()..].to_owned());
            }
            progress(progressed);
        };
        let installed = build_from(docker, options, archive(&files)?, &mut hear).await;
        let installed = match (installed, refused) {
            (Err(SandboxError::ImageBuild(_)), Some(reason)) => {
                return Err(SandboxError::PackagesRefused(reason));
            }
            (installed, _) => installed?,
        };
        let labels = HashMap::from([
            (PACKAGES_LABEL, self.0.join(" ")),
            (LOCK_LABEL, lock.join(" ")),
            (PARENT_LABEL, parent.to_owned()),
        ]);
        // What was installed is known now; the name comes last, so that it never stands for half of it.
        let labelled = format!("FROM {installed}\n").into_bytes();
        let options = BuildImageOptionsBuilder::new().t(name).rm(true).forcerm(true).labels(&labels);
        build_from(docker, options, archive(&[("Dockerfile", labelled)])?, progress).await?;
        Ok(())
    }
}

/// Whether a text is a distribution's name with extras and versions, and nothing that pip would take for more.
fn is_requirement(text: &str) -> bool {
    text.len() <= 200
        && text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "._-[],<>=!~*+".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_with_versions_are_packages() {
        let packages = |text: &str| Packages::new(&[text.to_owned()]);
        for good in ["humanize", "humanize == 4.9.0", "a[b,c]>=1,<2", "A_b.c-d~=1.0"] {
            assert!(packages(good).is_ok(), "{good}");
        }
        for bad in
            ["", "-r x", "--index-url=x", "../x", "git+https://x", "a;b", "a\nb", "a@file:///x", "a#b", "/x"]
        {
            assert!(matches!(packages(bad), Err(SandboxError::ImagePackage(_))), "{bad}");
        }
    }
}
