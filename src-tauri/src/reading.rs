//! Readings of whole files, which can be long: the window hears how far each has come and can end it.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use assay_engine::{Desk, FileProfile, Problem, StopToken};
use serde::Serialize;
use tauri::State;
use tauri::ipc::Channel;
use ts_rs::TS;

use crate::commands::aside;

/// How often the window hears of a reading.
const EVERY: Duration = Duration::from_millis(100);

/// How far a reading has come. It may begin again, where the content refutes what the beginning of the file
/// said about it.
#[derive(Debug, Clone, Copy, Serialize, TS)]
pub(crate) struct ReadingProgress {
    /// Bytes that were read.
    bytes: u64,
    /// Bytes of the file.
    of: u64,
}

/// The stops of the readings, by file.
#[derive(Debug, Default)]
pub(crate) struct Readings(Mutex<HashMap<String, StopToken>>);

impl Readings {
    /// Ends the reading of this file, if it goes on.
    pub(crate) fn stop(&self, file: &str) {
        if let Some(stop) = self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(file) {
            stop.cancel();
        }
    }

    fn begin(&self, file: &str) -> StopToken {
        self.stop(file);
        let stop = StopToken::new();
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(file.to_owned(), stop.clone());
        stop
    }
}

#[tauri::command]
pub(crate) async fn file_profile(
    desk: State<'_, Arc<Desk>>,
    readings: State<'_, Readings>,
    file: String,
    channel: Channel<ReadingProgress>,
) -> Result<FileProfile, Problem> {
    let stop = readings.begin(&file);
    aside(&desk, move |desk| {
        let mut told = Instant::now();
        desk.file_profile(&file, &mut |bytes, of| {
            if told.elapsed() >= EVERY {
                told = Instant::now();
                drop(channel.send(ReadingProgress { bytes, of }));
            }
            if stop.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
    })
    .await
}

/// Ends the reading of a file; its call is answered with a problem.
#[tauri::command]
#[expect(clippy::needless_pass_by_value, reason = "commands are given their arguments by value")]
pub(crate) fn stop_reading(readings: State<'_, Readings>, file: &str) {
    readings.stop(file);
}
