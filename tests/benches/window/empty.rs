//! The floor of every comparison: the smallest window that Tauri opens, with a page of one sentence.

/// Opens the empty window instead of measuring.
pub(crate) const ARGUMENT: &str = "--empty-window";

/// As the app does it: the page was loaded and its script runs.
#[tauri::command]
fn ui_ready() {
    eprintln!("{}", crate::start::READY);
}

/// Opens the window; returns when it is closed. It is drawn in the app's way, which takes less time and memory
/// where there is no graphics card than the web view's own choice.
pub(crate) fn open() {
    gtk::glib::setenv("WEBKIT_DISABLE_DMABUF_RENDERER", "1", false).unwrap();
    let builder = tauri::Builder::default().invoke_handler(tauri::generate_handler![ui_ready]);
    builder.run(tauri::generate_context!("../tests/benches/window/empty/tauri.conf.json")).unwrap();
}
