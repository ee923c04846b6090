//! Reads one table file for whoever wants to see how it is read, and writes its prepared table.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use assay_tabular::{Reading, Settings, TableError};

use crate::problem::{Code, Problem};

/// The settings that are written `NAME=VALUE`.
///
/// # Errors
/// A [`Problem`] with [`Code::Input`] that says which one means nothing.
pub fn reading_settings(settings: &[String]) -> Result<Settings, Problem> {
    let mut known = Settings::default();
    for setting in settings {
        known.set(setting).map_err(|error| {
            Problem::new(Code::Input, error.to_string(), "Look at the settings that `assay inspect` lists.")
        })?;
    }
    Ok(known)
}

/// Reads all of a file under the settings. `go_on` hears how many bytes of how many were read.
///
/// # Errors
/// A [`Problem`] that says in plain words why the file is no table.
pub fn inspect_file(
    path: &Path,
    settings: &Settings,
    go_on: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<Reading, Problem> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    Ok(assay_tabular::read_as(path, &format!("input/{name}"), settings, go_on)?)
}

/// Writes the prepared table of a file to `out`, and what was decided beside it, to `out` with the ending
/// `.tables.json`. Gives the place of the latter.
///
/// # Errors
/// As [`inspect_file`]; a [`Problem`] with [`Code::Output`] when the place cannot be written.
pub fn convert_file(
    path: &Path,
    out: &Path,
    settings: &Settings,
    go_on: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<(Reading, PathBuf), Problem> {
    let reading = inspect_file(path, settings, go_on)?;
    let refused = |error: TableError| {
        let is_output = matches!(error, TableError::Unwritable { .. });
        let mut problem = Problem::from(error);
        if is_output {
            problem.code = Code::Output;
        }
        problem
    };
    reading.prepare(out, go_on).map_err(refused)?;
    let record = assay_tabular::TablesFile::new([reading.record(&out.to_string_lossy())]);
    let mut beside = out.as_os_str().to_owned();
    beside.push(".tables.json");
    let beside = PathBuf::from(beside);
    record.write(&beside).map_err(refused)?;
    Ok((reading, beside))
}
