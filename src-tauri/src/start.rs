//! The first seconds: what the web view needs on this system, and what to do when nothing appears.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::Serialize;
use tauri::{AppHandle, Manager};
use ts_rs::TS;

/// The interface says its first word within this time, or the window is taken to be blank.
const FIRST_WORD_LIMIT: Duration = Duration::from_secs(20);
/// Says `plain` on the second try, so that there is no third.
const DRAWING: &str = "ASSAY_DRAWING";

/// How the web view draws the window.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Drawing {
    Usual,
    /// Without the graphics card, after the window had stayed blank.
    Plain,
}

impl Drawing {
    pub(crate) fn of_this_start() -> Self {
        if std::env::var_os(DRAWING).is_some_and(|value| value == "plain") {
            Self::Plain
        } else {
            Self::Usual
        }
    }
}

/// Whether the interface has said that it is there.
#[derive(Debug, Default)]
pub(crate) struct FirstWord(AtomicBool);

impl FirstWord {
    pub(crate) fn said(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// On Linux some graphics drivers leave the window blank unless this way of drawing is off. The web view looks
/// for the setting when it is made, and the environment may be changed only while there is one thread.
pub(crate) fn prepare_web_view() {
    #[cfg(target_os = "linux")]
    {
        let plain = (Drawing::of_this_start() == Drawing::Plain).then_some("WEBKIT_DISABLE_COMPOSITING_MODE");
        for variable in ["WEBKIT_DISABLE_DMABUF_RENDERER"].into_iter().chain(plain) {
            if let Err(error) = gtk::glib::setenv(variable, "1", false) {
                tracing::warn!(%error, variable, "the way of drawing could not be chosen");
            }
        }
    }
}

/// Starts again with plainer drawing when the interface stays silent.
pub(crate) fn watch_first_word(app: AppHandle) {
    if !cfg!(target_os = "linux") || Drawing::of_this_start() == Drawing::Plain {
        return;
    }
    tauri::async_runtime::spawn(async move {
        tokio::time::sleep(FIRST_WORD_LIMIT).await;
        if !app.state::<FirstWord>().0.load(Ordering::Relaxed) {
            tracing::warn!("the window stayed blank; starting again with plainer drawing");
            #[cfg(target_os = "linux")]
            start_again();
        }
    });
}

/// Replaces this process by the same program with plain drawing. Returns only when that fails.
#[cfg(target_os = "linux")]
fn start_again() {
    use std::os::unix::process::CommandExt;
    if let Ok(program) = std::env::current_exe() {
        let arguments = std::env::args_os().skip(1);
        let error = std::process::Command::new(program).args(arguments).env(DRAWING, "plain").exec();
        tracing::warn!(%error, "the program could not be started again");
    }
}

/// Says why there is no window, in one.
pub(crate) fn cannot_open(error: &tauri::Error) {
    tracing::error!(%error, "the window cannot be opened");
    let advice = if cfg!(windows) {
        "The web view of this system (WebView2) is missing or damaged. Install it from Microsoft's page \
         \"WebView2 Runtime\" and start Assay again."
    } else {
        "The web view of this system (WebKitGTK) could not be started. Install libwebkit2gtk-4.1 and start \
         Assay again."
    };
    rfd::MessageDialog::new()
        .set_level(rfd::MessageLevel::Error)
        .set_title("Assay cannot open its window")
        .set_description(advice)
        .show();
}
