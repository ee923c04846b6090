//! What the interface may call. Each is a line or two around the engine; long work is not done on the
//! window's own thread.

#![expect(clippy::needless_pass_by_value, reason = "commands are given their arguments by value")]

use std::collections::BTreeMap;
use std::sync::Arc;

use assay_engine::{
    Comparison, DataStory, Desk, Diagnosis, EngineChoice, FileCard, FilesAdded, MovedColumn, NewFileCheck,
    Problem, ReportCheck, RunAsk, RunSummary, RunView, SentPart, SentRequest, Settings, TablePage,
    WindowEvent,
};
use serde::{Deserialize, Serialize};
use tauri::ipc::Channel;
use tauri::{AppHandle, Manager, State};
use ts_rs::TS;

use crate::dialogs;
use crate::reading::Readings;
use crate::run_channel::{self, RunId};
use crate::start::{Drawing, FirstWord};
use crate::window;

type Shared<'a> = State<'a, Arc<Desk>>;

#[derive(Serialize, TS)]
pub(crate) struct AppInfo {
    version: &'static str,
    sample: bool,
    drawing: Drawing,
}

#[tauri::command]
pub(crate) fn app_info() -> AppInfo {
    AppInfo { version: env!("CARGO_PKG_VERSION"), sample: true, drawing: Drawing::of_this_start() }
}

/// The interface is there: what the command line asked for can be shown.
#[tauri::command]
pub(crate) fn ui_ready(app: AppHandle, word: State<'_, FirstWord>) {
    word.said();
    tracing::info!("the interface is ready");
    let arguments: Vec<String> = std::env::args().collect();
    window::open_arguments(&app, &arguments, &std::env::current_dir().unwrap_or_default());
}

#[tauri::command]
pub(crate) async fn choose_files(app: AppHandle, desk: Shared<'_>) -> Result<FilesAdded, Problem> {
    let paths = dialogs::choose_files(&app).await;
    aside(&desk, move |desk| Ok(desk.add_files(&paths))).await
}

#[tauri::command]
pub(crate) async fn add_sample(desk: Shared<'_>) -> Result<FilesAdded, Problem> {
    aside(&desk, Desk::add_sample).await
}

#[tauri::command]
pub(crate) fn remove_file(desk: Shared<'_>, readings: State<'_, Readings>, file: &str) {
    readings.stop(file);
    desk.remove_file(file);
}

#[tauri::command]
pub(crate) async fn file_page(
    desk: Shared<'_>,
    file: String,
    offset: u64,
    limit: usize,
) -> Result<TablePage, Problem> {
    aside(&desk, move |desk| desk.file_page(&file, offset, limit)).await
}

#[tauri::command]
pub(crate) async fn set_reading(
    desk: Shared<'_>,
    file: String,
    settings: BTreeMap<String, String>,
) -> Result<FileCard, Problem> {
    aside(&desk, move |desk| desk.set_reading(&file, &settings)).await
}

#[tauri::command]
pub(crate) async fn save_file_note(desk: Shared<'_>, file: String, note: String) -> Result<(), Problem> {
    aside(&desk, move |desk| desk.save_file_note(&file, &note)).await
}

#[tauri::command]
pub(crate) async fn diagnose(desk: Shared<'_>, engine: EngineChoice) -> Result<Diagnosis, Problem> {
    desk.diagnose(&engine).await
}

#[tauri::command]
pub(crate) async fn start_engine(desk: Shared<'_>) -> Result<(), Problem> {
    desk.start_engine().await
}

#[tauri::command]
pub(crate) async fn start_run(
    app: AppHandle,
    desk: Shared<'_>,
    ask: RunAsk,
    channel: Channel<Vec<WindowEvent>>,
) -> Result<String, Problem> {
    let known = RunId::default();
    let run = desk.start_run(&ask, run_channel::sink(app, channel, known.clone())).await?;
    Ok(known.get_or_init(|| run).clone())
}

/// Whether a chosen file has what the steps of an earlier run need.
#[tauri::command]
pub(crate) async fn check_new_file(
    desk: Shared<'_>,
    run: String,
    file: String,
) -> Result<NewFileCheck, Problem> {
    aside(&desk, move |desk| desk.check_new_file(&run, &file)).await
}

/// Does an earlier run again on a chosen file.
#[tauri::command]
pub(crate) async fn run_again(
    app: AppHandle,
    desk: Shared<'_>,
    run: String,
    file: String,
    columns: Vec<MovedColumn>,
    channel: Channel<Vec<WindowEvent>>,
) -> Result<String, Problem> {
    let known = RunId::default();
    let sink = run_channel::sink(app, channel, known.clone());
    let run = desk.run_again(&run, &file, columns, sink).await?;
    Ok(known.get_or_init(|| run).clone())
}

/// What changed in a run that does an earlier one again.
#[tauri::command]
pub(crate) async fn compare(desk: Shared<'_>, run: String) -> Result<Comparison, Problem> {
    aside(&desk, move |desk| desk.compare(&run)).await
}

#[tauri::command]
pub(crate) async fn follow_up(
    app: AppHandle,
    desk: Shared<'_>,
    run: String,
    ask: String,
    channel: Channel<Vec<WindowEvent>>,
) -> Result<(), Problem> {
    let sink = run_channel::sink(app, channel, RunId::new(run.clone().into()));
    desk.follow_up(&run, Some(&ask), sink).await
}

/// Takes an interrupted run up where it was cut off.
#[tauri::command]
pub(crate) async fn resume_run(
    app: AppHandle,
    desk: Shared<'_>,
    run: String,
    channel: Channel<Vec<WindowEvent>>,
) -> Result<(), Problem> {
    let sink = run_channel::sink(app, channel, RunId::new(run.clone().into()));
    desk.follow_up(&run, None, sink).await
}

/// Answers a model's question; nothing leaves the choice to the model.
#[tauri::command]
pub(crate) fn answer_question(desk: Shared<'_>, run: &str, answer: Option<String>) {
    desk.answer_question(run, answer);
}

#[tauri::command]
pub(crate) async fn sent(desk: Shared<'_>, run: String) -> Result<Vec<SentRequest>, Problem> {
    aside(&desk, move |desk| desk.sent(&run)).await
}

#[tauri::command]
pub(crate) async fn sent_text(
    desk: Shared<'_>,
    run: String,
    number: usize,
) -> Result<Vec<SentPart>, Problem> {
    aside(&desk, move |desk| desk.sent_text(&run, number)).await
}

#[tauri::command]
pub(crate) fn stop_run(desk: Shared<'_>, run: &str) {
    desk.stop_run(run);
}

#[tauri::command]
pub(crate) async fn runs(desk: Shared<'_>, search: String) -> Result<Vec<RunSummary>, Problem> {
    aside(&desk, move |desk| desk.runs(&search)).await
}

#[tauri::command]
pub(crate) async fn open_run(desk: Shared<'_>, run: String) -> Result<RunView, Problem> {
    aside(&desk, move |desk| desk.open_run(&run)).await
}

#[tauri::command]
pub(crate) async fn check_report(desk: Shared<'_>, run: String) -> Result<ReportCheck, Problem> {
    aside(&desk, move |desk| desk.check_report(&run)).await
}

#[tauri::command]
pub(crate) async fn data_story(desk: Shared<'_>, run: String) -> Result<DataStory, Problem> {
    aside(&desk, move |desk| desk.data_story(&run)).await
}

#[tauri::command]
pub(crate) async fn rename_run(desk: Shared<'_>, run: String, title: String) -> Result<(), Problem> {
    aside(&desk, move |desk| desk.rename_run(&run, &title)).await
}

#[tauri::command]
pub(crate) async fn delete_run(desk: Shared<'_>, run: String) -> Result<(), Problem> {
    aside(&desk, move |desk| desk.delete_run(&run)).await
}

/// How a table is sorted.
#[derive(Debug, Deserialize, TS)]
pub(crate) struct Sort {
    column: usize,
    descending: bool,
}

#[tauri::command]
pub(crate) async fn table_page(
    desk: Shared<'_>,
    run: String,
    path: String,
    offset: u64,
    limit: usize,
    sort: Option<Sort>,
    filter: String,
) -> Result<TablePage, Problem> {
    let sort = sort.map(|sort| (sort.column, sort.descending));
    aside(&desk, move |desk| desk.table_page(&run, &path, offset, limit, sort, &filter)).await
}

/// Opens the place of an export in the system's file manager.
#[tauri::command]
pub(crate) fn reveal(desk: Shared<'_>, export: &str) {
    if let Some(place) = desk.export_place(export)
        && let Err(error) = opener::reveal(&place)
    {
        tracing::warn!(%error, "the place of an export could not be opened");
    }
}

#[tauri::command]
pub(crate) fn settings(desk: Shared<'_>) -> Result<Settings, Problem> {
    desk.settings()
}

/// Keeping a key may wait for the person to unlock the keychain.
#[tauri::command]
pub(crate) async fn save_settings(desk: Shared<'_>, settings: Settings) -> Result<(), Problem> {
    aside(&desk, move |desk| desk.save_settings(settings)).await
}

/// What the person says when asked about quitting during a run.
#[derive(Debug, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub(crate) enum QuitAnswer {
    StopAndQuit,
    Stay,
}

#[tauri::command]
pub(crate) async fn quit_answer(app: AppHandle, answer: QuitAnswer) -> Result<(), Problem> {
    if let QuitAnswer::StopAndQuit = answer {
        app.state::<Arc<Desk>>().close().await;
        app.exit(0);
    }
    Ok(())
}

/// Does work that reads disks on a thread of its own.
pub(crate) async fn aside<T: Send + 'static>(
    desk: &Arc<Desk>,
    work: impl FnOnce(&Desk) -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let desk = desk.clone();
    let done = tauri::async_runtime::spawn_blocking(move || work(&desk)).await;
    done.unwrap_or_else(|error| Err(Problem::internal(&error)))
}
