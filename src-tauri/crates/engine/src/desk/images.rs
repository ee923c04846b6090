//! The care of images from a window, on the engine that is chosen there.

use std::path::Path;

use assay_sandbox::{ImageProgress, OwnImage};
use tokio_util::sync::CancellationToken;

use super::{Desk, Settings};
use crate::engine::Engine;
use crate::engine_list::EngineChoice;
use crate::problem::Problem;

impl Desk {
    /// The images there that Assay has made, the newest first.
    pub async fn images(&self, engine: &EngineChoice) -> Result<Vec<OwnImage>, Problem> {
        self.engine_of_images(engine)?.own_images().await
    }

    /// Makes an image with these packages on the usual engine, and lets every run from now on use it. Without
    /// packages that is the one that Assay chooses.
    pub async fn add_packages(
        &self,
        packages: &[String],
        progress: &mut (dyn FnMut(ImageProgress) + Send),
        stop: &CancellationToken,
    ) -> Result<(), Problem> {
        let engine = self.engine_of_images(&EngineChoice::Usual)?;
        let image = engine.make_image(packages, progress, stop).await?;
        let image = (!packages.is_empty()).then_some(image);
        // The person may have changed other settings meanwhile.
        self.save_settings(Settings { image, ..self.settings()? })
    }

    /// Fetches an image from its registry.
    pub async fn pull_image(
        &self,
        engine: &EngineChoice,
        name: &str,
        progress: &mut (dyn FnMut(ImageProgress) + Send),
        stop: &CancellationToken,
    ) -> Result<(), Problem> {
        self.engine_of_images(engine)?.pull_image(name.trim(), progress, stop).await
    }

    /// Loads the images of a file and returns their names.
    pub async fn load_image(
        &self,
        engine: &EngineChoice,
        file: &Path,
        progress: &mut (dyn FnMut(ImageProgress) + Send),
        stop: &CancellationToken,
    ) -> Result<Vec<String>, Problem> {
        self.engine_of_images(engine)?.load_image(file, progress, stop).await
    }

    /// Removes the images of earlier versions that no container uses, and returns what is gone.
    pub async fn remove_old_images(&self, engine: &EngineChoice) -> Result<Vec<OwnImage>, Problem> {
        self.engine_of_images(engine)?.remove_old_images().await
    }

    /// The engine as it is, whatever image runs use.
    fn engine_of_images(&self, choice: &EngineChoice) -> Result<Engine, Problem> {
        let settings = Settings { image: None, ..self.settings()? };
        Engine::new(self.home.clone(), settings.sandbox())?.on(choice)
    }
}
