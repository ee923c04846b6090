//! The first seconds: what the web view needs on this system, and what to do when nothing appears.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tauri::{AppHandle, Manager};

/// The interface says its first word within this time, or the window is taken to be blank.
const FIRST_WORD_LIMIT: Duration = Duration::from_secs(20);
/// Set on the second try, so that there is no third.
const PLAIN_DRAWING: &str = "WEBKIT_DISABLE_COMPOSITING_MODE";

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
    if let Err(error) = gtk::glib::setenv("WEBKIT_DISABLE_DMABUF_RENDERER", "1", false) {
        tracing::warn!(%error, "the way of drawing could not be chosen");
    }
}

/// Starts again with plainer drawing when the interface stays silent.
pub(crate) fn watch_first_word(app: AppHandle) {
    if !cfg!(target_os = "linux") || std::env::var_os(PLAIN_DRAWING).is_some() {
        return;
    }
    tauri::async_runtime::spawn(async move {
        tokio::time::sleep(FIRST_WORD_LIMIT).await;
        if !app.state::<FirstWord>().0.load(Ordering::Relaxed) {
            tracing::warn!("the window stayed blank; starting again with plainer drawing");
            #[cfg(target_os = "linux")]
            start_again(PLAIN_DRAWING);
        }
    });
}

/// Replaces this process by the same program with one more variable. Returns only when that fails.
#[cfg(target_os = "linux")]
fn start_again(variable: &str) {
    use std::os::unix::process::CommandExt;
    if let Ok(program) = std::env::current_exe() {
        let error =
            std::process::Command::new(program).args(std::env::args_os().skip(1)).env(variable, "1").exec();
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
