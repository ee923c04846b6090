//! The images that sandboxes start from: making, fetching and removing them.

#![expect(clippy::needless_pass_by_value, reason = "commands are given their arguments by value")]

use std::sync::{Arc, Mutex, PoisonError};

use assay_engine::{Desk, EngineChoice, ImageProgress, OwnImage, Problem, StopToken};
use tauri::ipc::Channel;
use tauri::{AppHandle, State};

use crate::dialogs;

type Shared<'a> = State<'a, Arc<Desk>>;

/// The work on an image that was begun last; there is one at a time.
#[derive(Debug, Default)]
pub(crate) struct Building(Mutex<StopToken>);

impl Building {
    /// Begins another one; the one before ends.
    fn begin(&self) -> StopToken {
        let mut token = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        token.cancel();
        *token = StopToken::new();
        token.clone()
    }

    fn stop(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).cancel();
    }
}

#[tauri::command]
pub(crate) async fn build_image(
    desk: Shared<'_>,
    building: State<'_, Building>,
    engine: EngineChoice,
    channel: Channel<ImageProgress>,
) -> Result<(), Problem> {
    let stop = building.begin();
    desk.build_image(&engine, &mut |progress| drop(channel.send(progress)), &stop).await
}

#[tauri::command]
pub(crate) async fn images(desk: Shared<'_>, engine: EngineChoice) -> Result<Vec<OwnImage>, Problem> {
    desk.images(&engine).await
}

#[tauri::command]
pub(crate) async fn add_packages(
    desk: Shared<'_>,
    building: State<'_, Building>,
    packages: Vec<String>,
    channel: Channel<ImageProgress>,
) -> Result<(), Problem> {
    let stop = building.begin();
    desk.add_packages(&packages, &mut |progress| drop(channel.send(progress)), &stop).await
}

#[tauri::command]
pub(crate) async fn pull_image(
    desk: Shared<'_>,
    building: State<'_, Building>,
    engine: EngineChoice,
    name: String,
    channel: Channel<ImageProgress>,
) -> Result<(), Problem> {
    let stop = building.begin();
    desk.pull_image(&engine, &name, &mut |progress| drop(channel.send(progress)), &stop).await
}

/// Asks for a file and loads its images; nothing when the person thought better of it.
#[tauri::command]
pub(crate) async fn load_image(
    app: AppHandle,
    desk: Shared<'_>,
    building: State<'_, Building>,
    engine: EngineChoice,
    channel: Channel<ImageProgress>,
) -> Result<Vec<String>, Problem> {
    let stop = building.begin();
    let Some(file) = dialogs::choose_image(&app).await else { return Ok(Vec::new()) };
    desk.load_image(&engine, &file, &mut |progress| drop(channel.send(progress)), &stop).await
}

/// Ends the work on an image that goes on, if any.
#[tauri::command]
pub(crate) fn stop_build(building: State<'_, Building>) {
    building.stop();
}

#[tauri::command]
pub(crate) async fn remove_old_images(
    desk: Shared<'_>,
    engine: EngineChoice,
) -> Result<Vec<OwnImage>, Problem> {
    desk.remove_old_images(&engine).await
}
