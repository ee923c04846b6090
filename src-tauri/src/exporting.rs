//! Takes runs out of the app: where to is asked by a native dialog, how far it has come is told, and it can be
//! stopped.

use std::sync::{Arc, Mutex, PoisonError};

use assay_engine::{Desk, ExportForm, Exported, ForClipboard, Problem, StopToken, export_forms};
use serde::Serialize;
use tauri::ipc::Channel;
use tauri::{AppHandle, State};
use ts_rs::TS;

use crate::commands::aside;
use crate::dialogs;

/// How far an export has come.
#[derive(Debug, Clone, Copy, Serialize, TS)]
pub(crate) struct ExportProgress {
    /// Parts that are done.
    done: usize,
    /// All parts.
    of: usize,
}

/// The export that goes on, if any.
#[derive(Debug, Default)]
pub(crate) struct Exporting(Mutex<Option<StopToken>>);

impl Exporting {
    fn replace(&self, stop: Option<StopToken>) -> Option<StopToken> {
        std::mem::replace(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner), stop)
    }
}

#[tauri::command]
pub(crate) fn forms() -> Vec<ExportForm> {
    export_forms()
}

/// Asks where to, and exports; nothing when the person thought better of it.
#[tauri::command]
pub(crate) async fn export_run(
    app: AppHandle,
    desk: State<'_, Arc<Desk>>,
    exporting: State<'_, Exporting>,
    run: String,
    form: String,
    channel: Channel<ExportProgress>,
) -> Result<Option<Exported>, Problem> {
    let name = desk.export_name(&run)?;
    let ending = export_forms().into_iter().find(|known| known.id == form).and_then(|known| known.extension);
    let place = match ending {
        Some(ending) => dialogs::choose_export(&app, &name, ending).await,
        None => dialogs::choose_folder(&app).await,
    };
    let Some(place) = place else { return Ok(None) };
    let stop = StopToken::new();
    if let Some(before) = exporting.replace(Some(stop.clone())) {
        before.cancel();
    }
    let told = move |done, of| drop(channel.send(ExportProgress { done, of }));
    let exported = aside(&desk, move |desk| desk.export(&run, &form, &place, &told, &stop)).await;
    exporting.replace(None);
    exported.map(Some)
}

/// Ends the export that goes on; its call is answered with a problem.
#[tauri::command]
#[expect(clippy::needless_pass_by_value, reason = "commands are given their arguments by value")]
pub(crate) fn stop_export(exporting: State<'_, Exporting>) {
    if let Some(stop) = exporting.replace(None) {
        stop.cancel();
    }
}

/// A report for the clipboard, as rich text.
#[tauri::command]
pub(crate) async fn copy_report(desk: State<'_, Arc<Desk>>, run: String) -> Result<ForClipboard, Problem> {
    aside(&desk, move |desk| desk.copy_report(&run)).await
}

/// A few lines on a report, for an e-mail.
#[tauri::command]
pub(crate) async fn copy_summary(desk: State<'_, Arc<Desk>>, run: String) -> Result<ForClipboard, Problem> {
    aside(&desk, move |desk| desk.copy_summary(&run)).await
}

/// A result table for the clipboard, as spreadsheets take it.
#[tauri::command]
pub(crate) async fn copy_table(
    desk: State<'_, Arc<Desk>>,
    run: String,
    path: String,
) -> Result<ForClipboard, Problem> {
    aside(&desk, move |desk| desk.copy_table(&run, &path)).await
}

/// Saves a copy of one artifact where the person says.
#[tauri::command]
pub(crate) async fn save_artifact(
    app: AppHandle,
    desk: State<'_, Arc<Desk>>,
    run: String,
    path: String,
    version: Option<usize>,
) -> Result<Option<Exported>, Problem> {
    let name = path.rsplit('/').next().unwrap_or_default();
    let Some(place) = dialogs::choose_copy(&app, name).await else { return Ok(None) };
    aside(&desk, move |desk| desk.save_artifact(&run, &path, version, &place)).await.map(Some)
}
