//! Artifacts of runs: listed, paged, served, exported. There is no way out of a run's folder.

use std::path::{Path, PathBuf};

use assay_tabular::{Direction, Grid};
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;
use ts_rs::TS;

use super::{Desk, TablePage, lock};
use crate::contract::{INTERACTIVE, files_below, has_extension, is_picture};
use crate::problem::{Code, Problem};
use crate::versions;

/// A file of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Artifact {
    /// Path below `output/`.
    pub path: String,
    /// Size in bytes.
    pub size: u64,
    /// What it is for.
    pub kind: ArtifactKind,
    /// How many versions there are, today's included.
    pub versions: usize,
    /// The chart of which this is the picture, as a path below `output/`, where the app can draw it anew.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub interactive: Option<String>,
}

/// What an artifact is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ArtifactKind {
    /// The report.
    Report,
    /// A picture.
    Chart,
    /// A CSV file.
    Table,
    /// Anything else.
    Other,
}

/// What was written outside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Exported {
    /// By which its place can be opened.
    pub id: String,
    /// Where it is, to show.
    pub place: String,
    /// What a reader should know of it, a plain sentence each.
    pub remarks: Vec<String>,
}

/// A file to be served to a window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MediaFile {
    /// The file.
    pub path: PathBuf,
    /// Its media type.
    pub media_type: &'static str,
}

pub(super) fn list(output: &Path) -> Vec<Artifact> {
    let files = files_below(output);
    let artifact = |path: &String| Artifact {
        size: std::fs::metadata(output.join(path)).map_or(0, |metadata| metadata.len()),
        kind: kind(path),
        versions: versions::of(output, path).len().max(1),
        interactive: interactive(path).filter(|chart| files.contains(chart)),
        path: path.clone(),
    };
    files.iter().map(artifact).collect()
}

/// The interactive chart of which a file is the picture, when there is one.
fn interactive(path: &str) -> Option<String> {
    Some(format!("{}{INTERACTIVE}", path.strip_suffix(".png")?))
}

fn kind(path: &str) -> ArtifactKind {
    if path == "report.md" {
        ArtifactKind::Report
    } else if is_picture(path) {
        ArtifactKind::Chart
    } else if has_extension(path, "csv") {
        ArtifactKind::Table
    } else {
        ArtifactKind::Other
    }
}

fn media_type(path: &str) -> &'static str {
    let types = [
        ("png", "image/png"),
        ("jpg", "image/jpeg"),
        ("jpeg", "image/jpeg"),
        // A picture made by a program can hold scripts; as an image element it cannot run them, and
        // the window's own policy forbids them anywhere else.
        ("svg", "image/svg+xml"),
        ("csv", "text/csv; charset=utf-8"),
        ("md", "text/plain; charset=utf-8"),
        ("json", "application/json"),
    ];
    types
        .iter()
        .find(|(extension, _)| has_extension(path, extension))
        .map_or("application/octet-stream", |(_, t)| t)
}

impl Desk {
    /// The file behind an artifact's address: run, path below `output/`, and version from 1 (today's when
    /// absent). Nothing else of the computer can be named.
    pub fn artifact(&self, run: &str, path: &str, version: Option<usize>) -> Result<MediaFile, Problem> {
        let missing = || Problem::new(Code::Input, "This file is not there any more.", "Open the run again.");
        let output = self.output(run)?;
        assay_sandbox::check_relative_path(path)?;
        let place = match version {
            None => output.join(path),
            Some(number) => {
                let found = versions::of(&output, path);
                number.checked_sub(1).and_then(|index| found.get(index).cloned()).ok_or_else(missing)?
            }
        };
        // Artifacts are written as ordinary files; a link here would be somebody else's doing.
        let metadata = std::fs::symlink_metadata(&place).map_err(|_| missing())?;
        if !metadata.is_file() {
            return Err(missing());
        }
        Ok(MediaFile { path: place, media_type: media_type(path) })
    }

    /// Some rows of a result table, sorted and filtered.
    pub fn table_page(
        &self,
        run: &str,
        path: &str,
        offset: u64,
        limit: usize,
        sort: Option<(usize, bool)>,
        filter: &str,
    ) -> Result<TablePage, Problem> {
        let file = self.artifact(run, path, None)?;
        let sort = sort.map(|(column, descending)| {
            (column, if descending { Direction::Descending } else { Direction::Ascending })
        });
        let page = Grid::open(&file.path)?.page(offset, limit.min(1000), sort, filter)?;
        Ok(TablePage {
            columns: page.columns,
            rows: page.rows,
            offset,
            total_rows: Some(page.total_rows),
            matching_rows: Some(page.matching_rows),
        })
    }

    /// Takes a run along in a form of [`export_forms`](crate::export_forms).
    pub fn export(
        &self,
        run: &str,
        form: &str,
        place: &Path,
        progress: &dyn Fn(usize, usize),
        stop: &CancellationToken,
    ) -> Result<Exported, Problem> {
        let remarks = self.engine()?.export(run, form, place, progress, stop)?;
        Ok(Exported {
            id: self.remember_export(place.to_owned()),
            place: place.display().to_string(),
            remarks,
        })
    }

    /// The name that is proposed for an export, without an ending: what the run is called, as a file may be.
    pub fn export_name(&self, run: &str) -> Result<String, Problem> {
        Ok(crate::export::file_name(&self.run_summary(run)?.title))
    }

    /// Copies one artifact to a place of the person's choice.
    pub fn save_artifact(
        &self,
        run: &str,
        path: &str,
        version: Option<usize>,
        place: &Path,
    ) -> Result<Exported, Problem> {
        let file = self.artifact(run, path, version)?;
        std::fs::copy(&file.path, place).map_err(|error| not_written(&error))?;
        let id = self.remember_export(place.to_owned());
        Ok(Exported { id, place: place.display().to_string(), remarks: Vec::new() })
    }

    /// The place of an export.
    pub fn export_place(&self, id: &str) -> Option<PathBuf> {
        lock(&self.exports).get(id).cloned()
    }

    fn remember_export(&self, place: PathBuf) -> String {
        let mut exports = lock(&self.exports);
        let id = format!("e{}", exports.len() + 1);
        exports.insert(id.clone(), place);
        id
    }

    /// The run's own folder for results. The id is checked, since it is part of a path.
    pub(super) fn output(&self, run: &str) -> Result<PathBuf, Problem> {
        let is_id = !run.is_empty() && run.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        if !is_id {
            return Err(Problem::new(Code::Input, "There is no such run.", "Open it from the history."));
        }
        Ok(self.engine()?.run_folder(run).join("output"))
    }
}

fn not_written(error: &std::io::Error) -> Problem {
    Problem {
        detail: error.to_string(),
        ..Problem::new(
            Code::Output,
            "The results could not be written there.",
            "Choose another place. The run itself is kept.",
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_knows_the_interactive_chart_that_it_is_of() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.png", "a.vl.json", "b.png", "c.vl.json", "d.json"] {
            std::fs::write(folder.path().join(name), "x").unwrap();
        }
        let listed = list(folder.path());
        let told: Vec<_> =
            listed.iter().map(|file| (file.path.as_str(), file.kind, file.interactive.as_deref())).collect();
        assert_eq!(
            told,
            [
                ("a.png", ArtifactKind::Chart, Some("a.vl.json")),
                ("a.vl.json", ArtifactKind::Other, None),
                ("b.png", ArtifactKind::Chart, None),
                ("c.vl.json", ArtifactKind::Other, None),
                ("d.json", ArtifactKind::Other, None),
            ]
        );
    }
}
