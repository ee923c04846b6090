//! The chosen files: cards, previews, profiles, and what the person says of them.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use assay_tabular::{Choice, Grid, Table, TableError};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{Desk, lock};
use crate::problem::{Code, Problem};

/// Rows of a card's preview.
const PREVIEW_ROWS: usize = 100;
/// Rows of one page at most.
const MAX_PAGE_ROWS: usize = 1000;
/// The sample, shipped within the app.
const SAMPLE: &[u8] = include_bytes!("../../sample/building_energy.csv");
const SAMPLE_NAME: &str = "building_energy.csv";

/// The chosen files by id.
#[derive(Debug, Default)]
pub(super) struct Files {
    next: u32,
    known: BTreeMap<String, PathBuf>,
    /// Readers of pages, made when a page beyond the preview is asked for.
    grids: BTreeMap<String, Arc<Mutex<Grid>>>,
}

/// What came of choosing files.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct FilesAdded {
    /// The files that can be used.
    pub files: Vec<FileCard>,
    /// One for each that cannot.
    pub problems: Vec<Problem>,
}

/// A chosen file, at once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct FileCard {
    /// The file's id for all calls.
    pub id: String,
    /// Its name without folders.
    pub name: String,
    /// Its size in bytes.
    pub size: u64,
    /// Its first rows.
    pub preview: TablePage,
    /// What the person said of it before.
    pub note: String,
}

/// Some rows of a table.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct TablePage {
    /// Column names.
    pub columns: Vec<String>,
    /// Cells as text.
    pub rows: Vec<Vec<String>>,
    /// The number of the first row, from 0.
    pub offset: u64,
    /// Rows in all, where known.
    pub total_rows: Option<u64>,
    /// Rows that match the filter, where there is one.
    pub matching_rows: Option<u64>,
}

/// What a whole file says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct FileProfile {
    /// The table.
    pub table: Table,
    /// Heights of a small histogram for each column, where one makes sense.
    pub shapes: Vec<Option<Vec<u32>>>,
    /// Plain sentences about the file.
    pub findings: Vec<String>,
    /// Questions that name the file's own columns.
    pub suggestions: Vec<String>,
    /// What could be left out; everything is kept unasked.
    pub choices: Vec<Choice>,
}

impl Desk {
    /// Takes files in from a native drop or dialog.
    pub fn add_files(&self, paths: &[PathBuf]) -> FilesAdded {
        let mut added = FilesAdded::default();
        for path in paths {
            match self.add_file(path) {
                Ok(card) => added.files.push(card),
                Err(problem) => added.problems.push(problem),
            }
        }
        self.open_ahead();
        added
    }

    /// Takes the sample in. It is written to the app's own folder, so that it is a file like any other.
    pub fn add_sample(&self) -> Result<FilesAdded, Problem> {
        let folder = self.engine()?.home().join("sample");
        std::fs::create_dir_all(&folder).map_err(|error| Problem::storage(&error))?;
        let place = folder.join(SAMPLE_NAME);
        if std::fs::read(&place).ok().as_deref() != Some(SAMPLE) {
            std::fs::write(&place, SAMPLE).map_err(|error| Problem::storage(&error))?;
        }
        Ok(self.add_files(&[place]))
    }

    fn add_file(&self, path: &Path) -> Result<FileCard, Problem> {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let preview = assay_tabular::preview(&path, PREVIEW_ROWS)?;
        let size = std::fs::metadata(&path).map_or(0, |metadata| metadata.len());
        let note = self.note(&path);
        let mut files = lock(&self.files);
        let known = files.known.iter().find(|(_, known)| **known == path).map(|(id, _)| id.clone());
        let id = known.unwrap_or_else(|| {
            files.next += 1;
            format!("f{}", files.next)
        });
        files.known.insert(id.clone(), path.clone());
        Ok(FileCard {
            id,
            name: path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
            size,
            preview: TablePage {
                columns: preview.columns,
                rows: preview.rows,
                offset: 0,
                total_rows: preview.total_rows,
                matching_rows: None,
            },
            note,
        })
    }

    /// Puts a file away. The file itself stays.
    pub fn remove_file(&self, id: &str) {
        {
            let mut files = lock(&self.files);
            files.known.remove(id);
            files.grids.remove(id);
        }
        self.open_ahead();
    }

    /// The files that are chosen now, in the order in which they were.
    pub(super) fn chosen_files(&self) -> Vec<PathBuf> {
        let files = lock(&self.files);
        let mut chosen: Vec<_> = files.known.iter().collect();
        chosen.sort_by_key(|(id, _)| id.trim_start_matches('f').parse::<u32>().unwrap_or(u32::MAX));
        chosen.into_iter().map(|(_, path)| path.clone()).collect()
    }

    /// Some rows of a chosen file, as it is read.
    pub fn file_page(&self, id: &str, offset: u64, limit: usize) -> Result<TablePage, Problem> {
        let limit = limit.min(MAX_PAGE_ROWS);
        let path = self.file_path(id)?;
        let known = lock(&self.files).grids.get(id).cloned();
        let grid = match known {
            Some(grid) => grid,
            None => match Grid::open_input(&path) {
                Ok(grid) => {
                    let grid = Arc::new(Mutex::new(grid));
                    lock(&self.files).grids.insert(id.to_owned(), grid.clone());
                    grid
                }
                // A workbook is read as a whole.
                Err(TableError::Unsupported { .. }) => return workbook_page(&path, offset, limit),
                Err(error) => return Err(error.into()),
            },
        };
        let page = lock(&grid).page(offset, limit, None, "")?;
        Ok(TablePage {
            columns: page.columns,
            rows: page.rows,
            offset,
            total_rows: Some(page.total_rows),
            matching_rows: None,
        })
    }

    /// Reads a whole file. `go_on` hears how many bytes of how many were read and may end the reading.
    pub fn file_profile(
        &self,
        id: &str,
        go_on: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<FileProfile, Problem> {
        let path = self.file_path(id)?;
        let (table, shapes) = assay_tabular::read_with_shapes(&path, "input/table", go_on)?;
        let findings = assay_tabular::findings(&table);
        let suggestions = assay_tabular::suggestions(&table);
        let choices = assay_tabular::choices(&table);
        Ok(FileProfile { table, shapes, findings, suggestions, choices })
    }

    /// Keeps what the person says of a file, for this and later runs.
    pub fn save_file_note(&self, id: &str, note: &str) -> Result<(), Problem> {
        let path = self.file_path(id)?;
        let store = self.engine()?.open_store()?;
        Ok(store.set_setting(&note_key(&path), note.trim())?)
    }

    pub(super) fn note(&self, path: &Path) -> String {
        let store = self.engine().and_then(|engine| engine.open_store());
        store.ok().and_then(|store| store.setting(&note_key(path)).ok().flatten()).unwrap_or_default()
    }

    pub(super) fn file_path(&self, id: &str) -> Result<PathBuf, Problem> {
        lock(&self.files).known.get(id).cloned().ok_or_else(|| {
            Problem::new(Code::Input, "This file is not on the desk any more.", "Choose it again.")
        })
    }
}

fn workbook_page(path: &Path, offset: u64, limit: usize) -> Result<TablePage, Problem> {
    let start = usize::try_from(offset).unwrap_or(usize::MAX);
    let preview = assay_tabular::preview(path, start.saturating_add(limit))?;
    Ok(TablePage {
        columns: preview.columns,
        rows: preview.rows.into_iter().skip(start).collect(),
        offset,
        total_rows: preview.total_rows,
        matching_rows: None,
    })
}

fn note_key(path: &Path) -> String {
    format!("note:{}", path.display())
}
