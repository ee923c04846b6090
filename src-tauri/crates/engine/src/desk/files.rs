//! The chosen files: cards, previews, profiles, and what the person says of them.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use assay_tabular::{
    Choice, Decision, Grid, Ledger, PreparedColumn, Reading, Settings as ReadingSettings, Table, TableError,
};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{Desk, lock};
use crate::input::{Input, ReadInput, read_input};
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
    known: BTreeMap<String, Chosen>,
    /// Readers of pages, made when a page beyond the preview is asked for.
    grids: BTreeMap<String, Arc<Mutex<Grid>>>,
}

/// A chosen file.
#[derive(Debug, Clone)]
struct Chosen {
    path: PathBuf,
    /// How the person wants it to be read.
    settings: ReadingSettings,
    /// How all of it is read, once it was.
    reading: Option<Arc<Reading>>,
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
    /// The table, as code will read it.
    pub table: Table,
    /// Every column of the file, those that are left out too.
    pub columns: Vec<PreparedColumn>,
    /// How the file is read, each decision with what speaks for it and what else it could be.
    pub decisions: Vec<Decision>,
    /// What the person has set of them.
    pub settings: ReadingSettings,
    /// What became of every row and cell.
    pub ledger: Ledger,
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
        let id = {
            let mut files = lock(&self.files);
            let known = files.known.iter().find(|(_, known)| known.path == path).map(|(id, _)| id.clone());
            known.unwrap_or_else(|| {
                files.next += 1;
                format!("f{}", files.next)
            })
        };
        match self.file_card(&id, &path, self.kept_settings(&path)) {
            // The file is not what it was when somebody said how it is to be read.
            Err(TableError::Setting { .. }) => {
                self.keep_settings(&path, &ReadingSettings::default())?;
                Ok(self.file_card(&id, &path, ReadingSettings::default())?)
            }
            card => Ok(card?),
        }
    }

    /// The first rows of a file, which is chosen from now on if it can be read so.
    fn file_card(&self, id: &str, path: &Path, settings: ReadingSettings) -> Result<FileCard, TableError> {
        let preview = assay_tabular::preview(path, PREVIEW_ROWS, &settings)?;
        let size = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
        let note = self.note(path);
        let mut files = lock(&self.files);
        files.grids.remove(id);
        files.known.insert(id.to_owned(), Chosen { path: path.to_owned(), settings, reading: None });
        Ok(FileCard {
            id: id.to_owned(),
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

    /// Reads a chosen file in another way from now on, also the next time it is chosen. Nothing changes where it
    /// cannot be read so.
    ///
    /// # Errors
    /// A [`Problem`] with [`Code::Input`] when a setting means nothing or does not fit the file.
    pub fn set_reading(&self, id: &str, settings: &BTreeMap<String, String>) -> Result<FileCard, Problem> {
        let path = self.file_path(id)?;
        let mut wanted = ReadingSettings::default();
        for (name, value) in settings {
            wanted.put(name, value).map_err(|error| {
                Problem::new(Code::Input, error.to_string(), "Choose one of the alternatives that are shown.")
            })?;
        }
        let card = self.file_card(id, &path, wanted.clone())?;
        self.keep_settings(&path, &wanted)?;
        self.open_ahead();
        Ok(card)
    }

    fn keep_settings(&self, path: &Path, settings: &ReadingSettings) -> Result<(), Problem> {
        let kept = if settings.is_empty() {
            String::new()
        } else {
            serde_json::to_string(settings).unwrap_or_default()
        };
        Ok(self.engine()?.open_store()?.set_setting(&settings_key(path), &kept)?)
    }

    fn kept_settings(&self, path: &Path) -> ReadingSettings {
        let store = self.engine().and_then(|engine| engine.open_store());
        let kept = store.ok().and_then(|store| store.setting(&settings_key(path)).ok().flatten());
        kept.and_then(|kept| serde_json::from_str(&kept).ok()).unwrap_or_default()
    }

    /// How the person wants these files to be read.
    pub(super) fn reading_settings_of(&self, paths: &[PathBuf]) -> Vec<(PathBuf, ReadingSettings)> {
        let files = lock(&self.files);
        let chosen = files.known.values().filter(|chosen| paths.contains(&chosen.path));
        chosen.map(|chosen| (chosen.path.clone(), chosen.settings.clone())).collect()
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

    /// The files that are chosen now, in the order in which they were; `None` where it is known of one that code
    /// will read a prepared table in its place.
    pub(super) fn files_as_they_are(&self) -> Option<Vec<PathBuf>> {
        let files = lock(&self.files);
        let mut chosen: Vec<_> = files.known.iter().collect();
        chosen.sort_by_key(|(id, _)| id.trim_start_matches('f').parse::<u32>().unwrap_or(u32::MAX));
        let as_it_is = |(_, chosen): (&String, &Chosen)| {
            let is_plain = chosen.reading.as_ref().is_none_or(|reading| reading.is_plain());
            (is_plain && chosen.settings.is_empty()).then(|| chosen.path.clone())
        };
        chosen.into_iter().map(as_it_is).collect()
    }

    /// Some rows of a chosen file, as it is read.
    pub fn file_page(&self, id: &str, offset: u64, limit: usize) -> Result<TablePage, Problem> {
        let limit = limit.min(MAX_PAGE_ROWS);
        let (chosen, known) = {
            let files = lock(&self.files);
            (files.known.get(id).cloned().ok_or_else(not_on_the_desk)?, files.grids.get(id).cloned())
        };
        let grid = match known {
            Some(grid) => grid,
            None => match chosen
                .reading
                .as_deref()
                .map_or_else(|| Grid::open_input(&chosen.path), Grid::open_reading)
            {
                Ok(grid) => {
                    let grid = Arc::new(Mutex::new(grid));
                    lock(&self.files).grids.insert(id.to_owned(), grid.clone());
                    grid
                }
                // Other files are read as a whole.
                Err(TableError::Unsupported { .. }) => return whole_page(&chosen, offset, limit),
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
        let chosen = lock(&self.files).known.get(id).cloned().ok_or_else(not_on_the_desk)?;
        let name =
            chosen.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let input = Input { path: chosen.path, destination: name, settings: chosen.settings };
        let ReadInput { reading, table } = read_input(&input, go_on)?;
        let findings = assay_tabular::findings(&table);
        let suggestions = assay_tabular::suggestions(&table);
        let choices = assay_tabular::choices(&table);
        let columns = reading.record("").columns;
        let shapes = reading.shapes.iter().zip(&columns).filter(|(_, column)| !column.left_out);
        let profile = FileProfile {
            shapes: shapes.map(|(shape, _)| shape.clone()).collect(),
            table,
            columns,
            decisions: reading.decisions.clone(),
            settings: reading.settings.clone(),
            ledger: reading.ledger.clone(),
            findings,
            suggestions,
            choices,
        };
        let is_plain = reading.is_plain();
        {
            let mut files = lock(&self.files);
            if let Some(chosen) = files.known.get_mut(id).filter(|chosen| chosen.settings == input.settings) {
                chosen.reading = Some(Arc::new(reading));
                files.grids.remove(id);
            }
        }
        if !is_plain {
            self.open_ahead();
        }
        Ok(profile)
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
        lock(&self.files).known.get(id).map(|chosen| chosen.path.clone()).ok_or_else(not_on_the_desk)
    }
}

fn not_on_the_desk() -> Problem {
    Problem::new(Code::Input, "This file is not on the desk any more.", "Choose it again.")
}

/// Some rows of a file that has no pages of its own.
fn whole_page(chosen: &Chosen, offset: u64, limit: usize) -> Result<TablePage, Problem> {
    let start = usize::try_from(offset).unwrap_or(usize::MAX);
    let (columns, total_rows, rows) = if let Some(reading) = &chosen.reading {
        let columns = reading.prepared_table("").columns.into_iter().map(|column| column.name);
        (columns.collect(), Some(reading.table.rows), reading.rows(offset, limit)?)
    } else {
        let rows = start.saturating_add(limit);
        let preview = assay_tabular::preview(&chosen.path, rows, &chosen.settings)?;
        (preview.columns, preview.total_rows, preview.rows.into_iter().skip(start).collect())
    };
    Ok(TablePage { columns, rows, offset, total_rows, matching_rows: None })
}

fn settings_key(path: &Path) -> String {
    format!("reading:{}", path.display())
}

fn note_key(path: &Path) -> String {
    format!("note:{}", path.display())
}
