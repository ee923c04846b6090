//! The care of images: which there are, making, fetching, and taking away what is of no more use.

use std::path::Path;

use assay_sandbox::{
    DockerRuntime, ImageBuild, ImageProgress, Images, OwnImage, Packages, Runtime, SandboxError,
};
use tokio_util::sync::CancellationToken;

use crate::engine::Engine;
use crate::problem::Problem;

impl Engine {
    /// The images that Assay has made, the newest first.
    pub async fn own_images(&self) -> Result<Vec<OwnImage>, Problem> {
        Ok(self.images().own().await?)
    }

    /// Makes Assay's image, and where packages are chosen one more that has them too. Returns the name of the image
    /// that runs are to use.
    pub async fn make_image(
        &self,
        packages: &[String],
        progress: &mut (dyn FnMut(ImageProgress) + Send),
        stop: &CancellationToken,
    ) -> Result<String, Problem> {
        let packages = Packages::new(packages)?;
        let runtime = self.engine_of_images();
        if packages.is_empty() || matches!(runtime.readiness().await, Err(SandboxError::ImageMissing(_))) {
            ImageBuild::new(runtime.clone()).run(progress, stop).await?;
        }
        if packages.is_empty() {
            return Ok(assay_sandbox::own_image().into());
        }
        Ok(packages.make(&runtime, progress, stop).await?)
    }

    /// Fetches an image from its registry.
    pub async fn pull_image(
        &self,
        name: &str,
        progress: &mut (dyn FnMut(ImageProgress) + Send),
        stop: &CancellationToken,
    ) -> Result<(), Problem> {
        Ok(self.images().pull(name, progress, stop).await?)
    }

    /// Loads the images of a file and returns their names.
    pub async fn load_image(
        &self,
        file: &Path,
        progress: &mut (dyn FnMut(ImageProgress) + Send),
        stop: &CancellationToken,
    ) -> Result<Vec<String>, Problem> {
        Ok(self.images().load(file, progress, stop).await?)
    }

    /// Removes the images of earlier versions that no container uses, and returns what is gone. Nothing is removed
    /// that Assay has not made.
    pub async fn remove_old_images(&self) -> Result<Vec<OwnImage>, Problem> {
        let images = self.images();
        let mut removed = Vec::new();
        for image in images.own().await?.into_iter().filter(|image| !image.is_present) {
            if images.remove(&image.id).await? {
                removed.push(image);
            }
        }
        Ok(removed)
    }

    fn engine_of_images(&self) -> DockerRuntime {
        self.runtimes().swap_remove(0).docker().clone()
    }

    fn images(&self) -> Images {
        Images::new(self.engine_of_images())
    }
}
