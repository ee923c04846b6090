//! The sandbox's part of the settings: engines, a provider's containers, and a look inside.

#![expect(clippy::needless_pass_by_value, reason = "commands are given their arguments by value")]

use std::sync::{Arc, Mutex, PoisonError};

use assay_engine::{Desk, Engines, HostedTerms, ListedEngine, Problem, SandboxProof, StopToken};
use tauri::{AppHandle, State};

use crate::commands::aside;
use crate::dialogs;

type Shared<'a> = State<'a, Arc<Desk>>;

/// The look inside that goes on, if any.
#[derive(Debug, Default)]
pub(crate) struct Looking(Mutex<Option<StopToken>>);

impl Looking {
    fn replace(&self, stop: Option<StopToken>) {
        let before = std::mem::replace(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner), stop);
        if let Some(before) = before {
            before.cancel();
        }
    }
}

#[tauri::command]
pub(crate) async fn engines(desk: Shared<'_>) -> Result<Engines, Problem> {
    desk.engines().await
}

#[tauri::command]
pub(crate) async fn list_engines(desk: Shared<'_>, list: Vec<ListedEngine>) -> Result<(), Problem> {
    aside(&desk, move |desk| desk.list_engines(&list)).await
}

/// Asks for the folder with the certificates of an engine.
#[tauri::command]
pub(crate) async fn choose_certificates(app: AppHandle) -> Option<String> {
    Some(dialogs::choose_certificates(&app).await?.to_string_lossy().into_owned())
}

#[tauri::command]
pub(crate) async fn prove_sandbox(
    desk: Shared<'_>,
    looking: State<'_, Looking>,
) -> Result<SandboxProof, Problem> {
    let stop = StopToken::new();
    looking.replace(Some(stop.clone()));
    desk.prove_sandbox(&stop).await
}

#[tauri::command]
pub(crate) fn stop_proof(looking: State<'_, Looking>) {
    looking.replace(None);
}

/// What it means that code runs at this address, and whether the person has agreed.
#[tauri::command]
pub(crate) async fn hosted_terms(desk: Shared<'_>, address: String) -> Result<HostedTerms, Problem> {
    aside(&desk, move |desk| desk.hosted_terms(&address)).await
}

#[tauri::command]
pub(crate) async fn agree_to_hosted(desk: Shared<'_>, address: String) -> Result<(), Problem> {
    aside(&desk, move |desk| desk.agree_to_hosted(&address)).await
}

#[tauri::command]
pub(crate) async fn withdraw_from_hosted(desk: Shared<'_>, address: String) -> Result<(), Problem> {
    aside(&desk, move |desk| desk.withdraw_from_hosted(&address)).await
}
