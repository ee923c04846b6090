//! Dialogs drawn by the toolkit itself, for desktops without a portal.

use std::cell::Cell;
use std::path::PathBuf;

use gtk::prelude::*;
use gtk::{FileChooserAction, FileChooserNative, FileFilter, ResponseType, gio};
use tauri::{AppHandle, Manager};
use tokio::sync::oneshot;

use super::{TABLES, Wish};

/// A portal that is there answers within this time; one that has to be started first needs a while.
const PORTAL_LIMIT_MS: i32 = 3000;

/// Whether this desktop has a portal with file dialogs.
pub(super) async fn portal_answers() -> bool {
    let asked = tauri::async_runtime::spawn_blocking(|| {
        let bus = gio::bus_get_sync(gio::BusType::Session, gio::Cancellable::NONE)?;
        let property = ("org.freedesktop.portal.FileChooser", "version").to_variant();
        bus.call_sync(
            Some("org.freedesktop.portal.Desktop"),
            "/org/freedesktop/portal/desktop",
            "org.freedesktop.DBus.Properties",
            "Get",
            Some(&property),
            None,
            gio::DBusCallFlags::NONE,
            PORTAL_LIMIT_MS,
            gio::Cancellable::NONE,
        )
    });
    match asked.await {
        Ok(Ok(_)) => true,
        Ok(Err(error)) => {
            tracing::debug!(%error, "this desktop has no portal with file dialogs");
            false
        }
        Err(_) => false,
    }
}

/// Shows a dialog and waits for what is chosen; empty when the person thought better of it.
pub(super) async fn ask(app: &AppHandle, wish: Wish) -> Vec<PathBuf> {
    let (sender, chosen) = oneshot::channel();
    let own = app.clone();
    // The toolkit is used from the window's own thread only.
    if let Err(error) = app.run_on_main_thread(move || show(&own, &wish, sender)) {
        tracing::warn!(%error, "a dialog could not be shown");
    }
    chosen.await.unwrap_or_default()
}

fn show(app: &AppHandle, wish: &Wish, sender: oneshot::Sender<Vec<PathBuf>>) {
    let parent = app.get_webview_window("main").and_then(|window| window.gtk_window().ok());
    let (action, accept) = match wish {
        Wish::Tables => (FileChooserAction::Open, "Choose"),
        Wish::Image => (FileChooserAction::Open, "Load"),
        Wish::Folder => (FileChooserAction::SelectFolder, "Export here"),
        Wish::Certificates => (FileChooserAction::SelectFolder, "Choose"),
        Wish::Export(..) => (FileChooserAction::Save, "Export"),
        Wish::Copy(_) => (FileChooserAction::Save, "Save"),
    };
    let dialog = FileChooserNative::new(Some(wish.title()), parent.as_ref(), action, Some(accept), None);
    dialog.set_modal(true);
    match wish {
        Wish::Tables => {
            dialog.set_select_multiple(true);
            dialog.add_filter(filter("Tables", TABLES.map(|ending| format!("*.{ending}"))));
            dialog.add_filter(filter("All files", ["*".to_owned()]));
        }
        Wish::Folder | Wish::Certificates | Wish::Image => {}
        Wish::Export(name, _) | Wish::Copy(name) => {
            dialog.set_do_overwrite_confirmation(true);
            dialog.set_current_name(name);
        }
    }
    let sender = Cell::new(Some(sender));
    // Nothing else holds the dialog while it is open; destroying it lets go of this hold too.
    let own = dialog.clone();
    dialog.connect_response(move |_, response| {
        let chosen = if response == ResponseType::Accept { own.filenames() } else { Vec::new() };
        if let Some(sender) = sender.take() {
            // The one who asked may be gone.
            let _ = sender.send(chosen);
        }
        own.destroy();
    });
    dialog.show();
}

fn filter(name: &str, patterns: impl IntoIterator<Item = String>) -> FileFilter {
    let filter = FileFilter::new();
    filter.set_name(Some(name));
    for pattern in patterns {
        filter.add_pattern(&pattern);
    }
    filter
}
