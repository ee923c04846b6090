//! Native dialogs. Paths stay on this side of the border.
//!
//! On Linux the desktop's own dialogs are reached through its portal. A plain window manager has none, and
//! there the toolkit that draws the window draws the dialog too; no further program has to be installed.

#[cfg(target_os = "linux")]
mod toolkit;

use std::path::PathBuf;

use rfd::AsyncFileDialog;
use tauri::AppHandle;

/// Endings of table files. Some dialogs tell capitals apart.
const TABLES: [&str; 30] = [
    "csv", "tsv", "tab", "txt", "xlsx", "xlsm", "xlsb", "xls", "ods", //
    "json", "jsonl", "ndjson", "parquet", "gz", "zip", //
    "CSV", "TSV", "TAB", "TXT", "XLSX", "XLSM", "XLSB", "XLS", "ODS", //
    "JSON", "JSONL", "NDJSON", "PARQUET", "GZ", "ZIP",
];

/// What a dialog asks for.
enum Wish {
    Tables,
    Folder,
    /// The folder with the certificates of an engine.
    Certificates,
    /// A file with images.
    Image,
    /// An export, with the name that is proposed and its ending.
    Export(String, &'static str),
    /// A copy of one file, with the name that is proposed.
    Copy(String),
}

impl Wish {
    fn title(&self) -> &'static str {
        match self {
            Self::Tables => "Choose tables",
            Self::Folder => "Export to an empty folder",
            Self::Certificates => "The folder with ca.pem, cert.pem and key.pem",
            Self::Image => "Load an image",
            Self::Export(..) => "Export",
            Self::Copy(_) => "Save a copy",
        }
    }
}

/// Asks for table files; empty when the person thought better of it.
pub(crate) async fn choose_files(app: &AppHandle) -> Vec<PathBuf> {
    ask(app, Wish::Tables).await
}

/// Asks for a folder to export to.
pub(crate) async fn choose_folder(app: &AppHandle) -> Option<PathBuf> {
    ask(app, Wish::Folder).await.pop()
}

/// Asks for the folder with the certificates of an engine.
pub(crate) async fn choose_certificates(app: &AppHandle) -> Option<PathBuf> {
    ask(app, Wish::Certificates).await.pop()
}

/// Asks for a file with images.
pub(crate) async fn choose_image(app: &AppHandle) -> Option<PathBuf> {
    ask(app, Wish::Image).await.pop()
}

/// Asks where to write an export, a file with this ending.
pub(crate) async fn choose_export(app: &AppHandle, name: &str, ending: &'static str) -> Option<PathBuf> {
    ask(app, Wish::Export(format!("{name}.{ending}"), ending)).await.pop()
}

/// Asks where to write a copy of one file.
pub(crate) async fn choose_copy(app: &AppHandle, name: &str) -> Option<PathBuf> {
    ask(app, Wish::Copy(name.to_owned())).await.pop()
}

#[cfg_attr(not(target_os = "linux"), expect(unused_variables, reason = "the system has dialogs of its own"))]
async fn ask(app: &AppHandle, wish: Wish) -> Vec<PathBuf> {
    #[cfg(target_os = "linux")]
    if !toolkit::portal_answers().await {
        return toolkit::ask(app, wish).await;
    }
    let dialog = AsyncFileDialog::new().set_title(wish.title());
    let chosen = match wish {
        Wish::Tables => {
            dialog.add_filter("Tables", &TABLES).add_filter("All files", &["*"]).pick_files().await
        }
        Wish::Folder | Wish::Certificates => dialog.pick_folder().await.map(|folder| vec![folder]),
        Wish::Image => dialog.pick_file().await.map(|file| vec![file]),
        Wish::Export(name, ending) => {
            let dialog = dialog.set_file_name(name).add_filter(ending.to_uppercase(), &[ending]);
            dialog.save_file().await.map(|file| vec![file])
        }
        Wish::Copy(name) => dialog.set_file_name(name).save_file().await.map(|file| vec![file]),
    };
    chosen.unwrap_or_default().iter().map(|file| file.path().to_owned()).collect()
}
