//! Copies a run's artifacts to a folder of the person's choice.

use std::path::Path;

use crate::contract::files_below;
use crate::problem::{Code, Problem};
use crate::run::RunRecord;

/// The file that marks a folder as an export; it lists what was written there.
pub(crate) const RECORD_FILE: &str = "assay-run.json";

/// Checks that the folder can take an export: it is not there, is empty, or holds an earlier export.
pub(crate) fn check_folder(folder: &Path) -> Result<(), Problem> {
    let unusable = |message: String| Problem::new(Code::Output, message, "Choose another folder with --out.");
    if !folder.exists() {
        return Ok(());
    }
    if !folder.is_dir() {
        return Err(unusable(format!("{} is a file, not a folder.", folder.display())));
    }
    let is_empty = std::fs::read_dir(folder)
        .map_err(|_| unusable(format!("The folder {} cannot be opened.", folder.display())))?
        .next()
        .is_none();
    if is_empty || earlier_files(folder).is_some() {
        return Ok(());
    }
    Err(unusable(format!("The folder {} is not empty, and nothing in it is overwritten.", folder.display())))
}

/// Copies everything; an earlier export in the folder is replaced, other files are left alone.
pub(crate) fn export(output: &Path, folder: &Path, record: &RunRecord) -> Result<(), Problem> {
    check_folder(folder)?;
    let result = copy(output, folder, record);
    result.map_err(|error| Problem {
        detail: error.to_string(),
        ..Problem::new(
            Code::Output,
            format!("The results could not be written to {}.", folder.display()),
            "Check that the disk has room and that you may write there. The run itself is kept.",
        )
    })
}

fn copy(output: &Path, folder: &Path, record: &RunRecord) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    for file in earlier_files(folder).unwrap_or_default() {
        if assay_sandbox::check_relative_path(&file).is_ok() {
            let _ = std::fs::remove_file(folder.join(file));
        }
    }
    let files = files_below(output);
    for file in &files {
        let place = folder.join(file);
        if let Some(parent) = place.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::copy(output.join(file), &place)?;
    }
    let record = serde_json::json!({ "run": record, "files": files });
    std::fs::write(folder.join(RECORD_FILE), format!("{record:#}\n"))
}

fn earlier_files(folder: &Path) -> Option<Vec<String>> {
    let text = std::fs::read(folder.join(RECORD_FILE)).ok()?;
    let value: serde_json::Value = serde_json::from_slice(&text).ok()?;
    serde_json::from_value(value.get("files")?.clone()).ok()
}
