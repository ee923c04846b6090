//! Native dialogs. Paths stay on this side of the border.

use std::path::PathBuf;

use rfd::AsyncFileDialog;

/// Asks for table files; empty when the person thought better of it.
pub(crate) async fn choose_files() -> Vec<PathBuf> {
    let tables = ["csv", "tsv", "txt", "xlsx", "xls", "xlsb", "ods"];
    let dialog = AsyncFileDialog::new()
        .set_title("Choose tables")
        .add_filter("Tables", &tables)
        .add_filter("All files", &["*"]);
    let chosen = dialog.pick_files().await.unwrap_or_default();
    chosen.iter().map(|file| file.path().to_owned()).collect()
}

/// Asks for a folder to export to.
pub(crate) async fn choose_folder() -> Option<PathBuf> {
    let dialog = AsyncFileDialog::new().set_title("Export to an empty folder");
    dialog.pick_folder().await.map(|folder| folder.path().to_owned())
}

/// Asks where to write a zip file.
pub(crate) async fn choose_zip(name: &str) -> Option<PathBuf> {
    let dialog = AsyncFileDialog::new()
        .set_title("Export as a zip file")
        .set_file_name(format!("{name}.zip"))
        .add_filter("Zip archive", &["zip"]);
    dialog.save_file().await.map(|file| file.path().to_owned())
}
