//! Connecting a model from the settings.

#![expect(clippy::needless_pass_by_value, reason = "commands are given their arguments by value")]

use std::sync::{Arc, Mutex, PoisonError};

use assay_engine::{Connections, Desk, ListedModel, Probe, Problem, RemoteModel, StopToken};
use tauri::State;

type Shared<'a> = State<'a, Arc<Desk>>;

/// The test of a model that goes on, if any.
#[derive(Debug, Default)]
pub(crate) struct Testing(Mutex<Option<StopToken>>);

impl Testing {
    fn replace(&self, stop: Option<StopToken>) {
        let before = std::mem::replace(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner), stop);
        if let Some(before) = before {
            before.cancel();
        }
    }
}

#[tauri::command]
pub(crate) async fn connections(desk: Shared<'_>) -> Result<Connections, Problem> {
    Ok(desk.connections().await)
}

#[tauri::command]
pub(crate) async fn list_models(desk: Shared<'_>, model: RemoteModel) -> Result<Vec<ListedModel>, Problem> {
    desk.list_models(&model).await
}

#[tauri::command]
pub(crate) async fn test_model(
    desk: Shared<'_>,
    testing: State<'_, Testing>,
    model: RemoteModel,
) -> Result<Probe, Problem> {
    let stop = StopToken::new();
    testing.replace(Some(stop.clone()));
    desk.test_model(&model, &stop).await
}

#[tauri::command]
pub(crate) fn stop_test(testing: State<'_, Testing>) {
    testing.replace(None);
}
