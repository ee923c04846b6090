//! What is put into a run's sandbox: the files, and prepared tables beside those that code had better not read
//! themselves.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use assay_sandbox::{Entry, Manifest, Source, StagedFile};
use assay_tabular::TablesFile;
use tokio_util::sync::CancellationToken;

use crate::input::{Input, ReadInput};
use crate::problem::Problem;
use crate::run::{PreparedFile, RunRecord};

/// What is written about the prepared tables, below `input/`.
const TABLES: &str = "prepared/tables.json";

/// The tables that are to be prepared.
pub(crate) fn to_prepare(inputs: &[Input], reads: &[ReadInput]) -> Vec<PreparedFile> {
    let pairs = inputs.iter().zip(reads).filter(|(_, read)| read.is_prepared());
    pairs
        .map(|(input, read)| PreparedFile {
            destination: input.prepared(),
            from: input.destination.clone(),
            alone: read.reading.leaves_out_columns(),
            settings: input.settings.clone(),
        })
        .collect()
}

/// Writes the prepared tables below `folder`, and what was decided beside them. `preparing` hears the name of each
/// file before it is worked on.
pub(crate) async fn write(
    folder: &Path,
    inputs: &[Input],
    reads: &[ReadInput],
    mut preparing: impl FnMut(&str),
    stop: &CancellationToken,
) -> Result<(), Problem> {
    let mut records = Vec::new();
    for (input, read) in inputs.iter().zip(reads).filter(|(_, read)| read.is_prepared()) {
        preparing(&input.destination);
        let place = folder.join(input.prepared());
        if let Some(parent) = place.parent() {
            std::fs::create_dir_all(parent).map_err(|error| Problem::storage(&error))?;
        }
        let (reading, stop) = (read.reading.clone(), stop.clone());
        let writing = tokio::task::spawn_blocking(move || {
            reading.prepare(&place, &mut |_, _| {
                if stop.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })
        });
        writing.await.map_err(|error| Problem::internal(&error))??;
        records.push(read.reading.record(&read.table.path));
    }
    if records.is_empty() {
        return Ok(());
    }
    Ok(TablesFile::new(records).write(&folder.join(TABLES))?)
}

/// The manifest of a run's files and of its prepared tables, which lie below `folder`.
pub(crate) fn manifest(
    inputs: &[Input],
    prepared: &[PreparedFile],
    folder: &Path,
) -> Result<Manifest, Problem> {
    let entry = |destination: &str, path: PathBuf| Entry {
        destination: destination.to_owned(),
        source: Source::File(path),
    };
    let is_kept =
        |input: &&Input| !prepared.iter().any(|table| table.alone && table.from == input.destination);
    let files = inputs.iter().filter(is_kept).map(|input| entry(&input.destination, input.path.clone()));
    let made = prepared.iter().map(|table| table.destination.as_str());
    let made = made.chain((!prepared.is_empty()).then_some(TABLES));
    let made = made.map(|name| entry(name, folder.join(name)));
    Ok(Manifest::new(files.chain(made).collect())?)
}

/// The files of a run, where they lie.
pub(crate) fn inputs_of(record: &RunRecord) -> Vec<Input> {
    let settings_of = |name: &str| {
        let prepared = record.prepared.iter().find(|table| table.from == name);
        prepared.map(|table| table.settings.clone()).unwrap_or_default()
    };
    let files = record.files.iter().filter_map(|file| Some((file.source.clone()?, &file.destination)));
    files.map(|(path, name)| Input { path, destination: name.clone(), settings: settings_of(name) }).collect()
}

/// What the sandbox of a run got, where it lies; `folder` holds its prepared tables.
pub(crate) fn staged_files(record: &RunRecord, folder: &Path) -> Vec<StagedFile> {
    let alone = |name: &str| record.prepared.iter().any(|table| table.alone && table.from == name);
    let files = record.files.iter().filter(|file| !alone(&file.destination)).cloned();
    let made = record.prepared.iter().map(|table| table.destination.as_str());
    let made = made.chain((!record.prepared.is_empty()).then_some(TABLES)).map(|name| {
        let source = folder.join(name);
        let size = std::fs::metadata(&source).map_or(0, |facts| facts.len());
        StagedFile { destination: name.to_owned(), source: Some(source), size }
    });
    files.chain(made).collect()
}
