//! The window: drops, quitting, and being called to the front.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use assay_engine::{Desk, Problem};
use tauri::{AppHandle, DragDropEvent, Emitter, Manager, Window, WindowEvent};

pub(crate) fn on_event(window: &Window, event: &WindowEvent) {
    match event {
        WindowEvent::DragDrop(drag) => on_drag(window, drag),
        WindowEvent::CloseRequested { api, .. } if !window.state::<Arc<Desk>>().running().is_empty() => {
            api.prevent_close();
            tell(window.app_handle(), "quit-asked", ());
        }
        _ => {}
    }
}

fn on_drag(window: &Window, drag: &DragDropEvent) {
    let app = window.app_handle();
    match drag {
        DragDropEvent::Enter { .. } => tell(app, "drag-state", "over"),
        DragDropEvent::Leave => tell(app, "drag-state", "none"),
        DragDropEvent::Drop { paths, .. } => {
            tell(app, "drag-state", "none");
            add_files(app, paths.clone());
        }
        _ => {}
    }
}

/// Takes files in behind the window and tells it of them.
fn add_files(app: &AppHandle, paths: Vec<PathBuf>) {
    let app = app.clone();
    tauri::async_runtime::spawn_blocking(move || {
        let added = app.state::<Arc<Desk>>().add_files(&paths);
        tell(&app, "files-added", added);
    });
}

/// Brings the window to the front.
pub(crate) fn focus(app: &AppHandle) {
    if let Some(window) = app.get_webview_window("main") {
        let _ = window.unminimize();
        let _ = window.show();
        let _ = window.set_focus();
    }
}

/// Whether the person looks at the window.
pub(crate) fn has_focus(app: &AppHandle) -> bool {
    app.get_webview_window("main").is_some_and(|window| window.is_focused().unwrap_or(false))
}

/// Brings the window to the front with this run in it.
pub(crate) fn open_run(app: &AppHandle, run: &str) {
    focus(app);
    tell(app, "open-run", run);
}

/// What the command line asks for: `--open RUN` (or `--open latest`), and files, named from the folder in which
/// the command was given.
pub(crate) fn open_arguments(app: &AppHandle, arguments: &[String], folder: &Path) {
    let mut files = Vec::new();
    let mut rest = arguments.iter().skip(1);
    while let Some(argument) = rest.next() {
        if argument == "--open" {
            match rest.next().map(|run| find_run(app, run)) {
                Some(Ok(Some(run))) => tell(app, "open-run", run),
                Some(Err(problem)) => tracing::warn!(?problem, "the run cannot be opened"),
                _ => {}
            }
        } else if !argument.starts_with('-') {
            files.push(folder.join(argument));
        }
    }
    if !files.is_empty() {
        add_files(app, files);
    }
}

fn find_run(app: &AppHandle, run: &str) -> Result<Option<String>, Problem> {
    if run != "latest" {
        return Ok(Some(run.to_owned()));
    }
    app.state::<Arc<Desk>>().latest_run()
}

/// Tells the interface something; a window that is gone needs not be told.
fn tell(app: &AppHandle, event: &str, payload: impl serde::Serialize + Clone) {
    if let Err(error) = app.emit_to("main", event, payload) {
        tracing::debug!(%error, event, "the window was not told");
    }
}
