//! The way of a run's events to the window, and the word to the person when a long one has ended.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use assay_engine::{Desk, RunSummary, WindowEvent};
use tauri::ipc::Channel;
use tauri::{AppHandle, Manager};

use crate::window;

/// A run of this length is one that a person may have turned away from.
const LONG: Duration = Duration::from_secs(15);
/// What notification services call a click on the notification itself.
const CLICK: &str = "default";
/// What they call its disappearance.
const GONE: &str = "__closed";

/// The id of the run, as soon as it is known.
pub(crate) type RunId = Arc<OnceLock<String>>;

/// Takes batches of a run's events to the window.
pub(crate) fn sink(
    app: AppHandle,
    channel: Channel<Vec<WindowEvent>>,
    run: RunId,
) -> Box<dyn Fn(Vec<WindowEvent>) + Send> {
    let begun = Instant::now();
    Box::new(move |events| {
        let is_over = events.iter().any(|event| matches!(event, WindowEvent::Closed(_)));
        if let Err(error) = channel.send(events) {
            tracing::debug!(%error, "a window that is gone was not told");
        }
        if is_over && begun.elapsed() > LONG && !window::has_focus(&app) {
            let (app, run) = (app.clone(), run.clone());
            // Waits for the click, for as long as the notification is there.
            std::thread::spawn(move || run.get().map(|run| tell_of_end(&app, run)));
        }
    })
}

/// Shows a notification; a click on it opens the run.
fn tell_of_end(app: &AppHandle, run: &str) {
    let Ok(summary) = app.state::<Arc<Desk>>().run_summary(run) else { return };
    let Some(words) = words(&summary) else { return };
    // The title is plain text everywhere; the body may be read as markup, so nothing foreign is in it.
    let shown = notify_rust::Notification::new()
        .appname("Assay")
        .summary(&summary.title)
        .body(words)
        .auto_icon()
        .action(CLICK, "Open")
        .show();
    match shown {
        Ok(notification) => notification.wait_for_action(|action| {
            if action != GONE {
                window::open_run(app, run);
            }
        }),
        Err(error) => tracing::debug!(%error, "this system shows no notifications"),
    }
}

/// What is said of the end; nothing when the person has ended it.
fn words(run: &RunSummary) -> Option<&'static str> {
    match run.status.as_str() {
        "done" => Some("The report is ready."),
        "incomplete" => Some("The work has ended, but something is missing."),
        "stuck" => Some("The work went round in circles and was ended. What was made is kept."),
        "out_of_budget" => Some("The work has reached a limit. What was made is kept."),
        "stopped" => None,
        _ => Some("The work could not be finished. What was made is kept."),
    }
}
