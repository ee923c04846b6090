//! The artifacts as they are: copied to a folder, or into a zip file.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use assay_report::{ExportError, Progress};

use super::Kept;
use crate::contract::files_below;
use crate::problem::{Code, Problem};
use crate::run::RunRecord;

/// The file that marks a folder as an export; it lists what was written there.
const RECORD_FILE: &str = "assay-run.json";

/// Checks that the folder can take an export: it is not there, is empty, or holds an earlier export.
pub(crate) fn check_folder(folder: &Path) -> Result<(), Problem> {
    let unusable = |message: String| Problem::new(Code::Output, message, "Choose another folder.");
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
pub(crate) fn copy_to(output: &Path, folder: &Path, record: &RunRecord) -> Result<(), Problem> {
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
    std::fs::write(folder.join(RECORD_FILE), record_text(record, &files))
}

fn earlier_files(folder: &Path) -> Option<Vec<String>> {
    let text = std::fs::read(folder.join(RECORD_FILE)).ok()?;
    let value: serde_json::Value = serde_json::from_slice(&text).ok()?;
    serde_json::from_value(value.get("files")?.clone()).ok()
}

/// The record as others may read it: where the files lie on this computer is nobody's business.
fn record_text(record: &RunRecord, files: &[String]) -> String {
    format!("{:#}\n", serde_json::json!({ "run": record.without_places(), "files": files }))
}

/// Writes the artifacts into a zip file.
pub(super) fn zip(kept: &Kept<'_>, into: File, progress: Progress<'_>) -> Result<(), ExportError> {
    let files = files_below(kept.output);
    let mut archive = Archive::new(into);
    for (done, file) in files.iter().enumerate() {
        progress(done, files.len())?;
        archive.copy(file, &kept.output.join(file))?;
    }
    archive.add(RECORD_FILE, record_text(kept.record, &files))?;
    archive.finish()
}

/// A zip file that is being written.
pub(super) struct Archive(zip::ZipWriter<File>);

impl Archive {
    pub(super) fn new(into: File) -> Self {
        Self(zip::ZipWriter::new(into))
    }

    pub(super) fn add(&mut self, name: &str, content: impl AsRef<[u8]>) -> Result<(), ExportError> {
        self.begin(name)?;
        self.0.write_all(content.as_ref()).map_err(unwritable)
    }

    pub(super) fn copy(&mut self, name: &str, from: &Path) -> Result<(), ExportError> {
        let unreadable =
            |error: std::io::Error| ExportError::Unreadable { path: name.into(), reason: error.to_string() };
        let mut file = File::open(from).map_err(unreadable)?;
        self.begin(name)?;
        std::io::copy(&mut file, &mut self.0).map_err(unwritable)?;
        Ok(())
    }

    fn begin(&mut self, name: &str) -> Result<(), ExportError> {
        let options = zip::write::SimpleFileOptions::default().large_file(true);
        self.0.start_file(name, options).map_err(unwritable)
    }

    pub(super) fn finish(self) -> Result<(), ExportError> {
        self.0.finish().map(drop).map_err(unwritable)
    }
}

fn unwritable(error: impl std::fmt::Display) -> ExportError {
    ExportError::Unwritable(error.to_string())
}
