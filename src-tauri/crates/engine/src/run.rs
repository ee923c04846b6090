//! What is asked for, what was in force, and what came of it.

use std::path::PathBuf;

use assay_agent::{Budget, Guidance, RunStatus, Spent};
use assay_model::ModelCard;
use assay_sandbox::{Policy, StagedFile};
use assay_tabular::Settings as ReadingSettings;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::again::AgainOf;
use crate::contract::{Expected, Give};
use crate::model_choice::ModelChoice;
use crate::problem::Problem;

/// Whether a model gets to read rows of the files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Rows {
    /// It reads some rows, and whatever its code prints.
    #[default]
    Shown,
    /// It reads names, types and figures; stand-ins take the place of the words of cells.
    KeptHere,
}

/// What is asked for.
#[derive(Debug, Clone, Default)]
pub struct RunRequest {
    /// The tables, on this computer.
    pub files: Vec<PathBuf>,
    /// The question, in the person's words.
    pub ask: String,
    /// What the person says of the data, and wishes for every answer; may be empty.
    pub notes: String,
    /// What is left out of which file: ids of the file's [`Choice`](assay_tabular::Choice)s.
    pub leave_out: Vec<(PathBuf, String)>,
    /// How a person wants which file to be read.
    pub settings: Vec<(PathBuf, ReadingSettings)>,
    /// What should come out besides the report.
    pub give: Give,
    /// A folder that the results are copied to.
    pub out: Option<PathBuf>,
    /// Which model thinks.
    pub model: ModelChoice,
    /// What the sandbox may do.
    pub policy: Policy,
    /// What may be used.
    pub budget: Budget,
    /// How much the model is told and offered; `None` decides by how much it can read.
    pub guidance: Option<Guidance>,
    /// Whether the model gets to read rows.
    pub rows: Rows,
}

/// What was in force: kept with the run and written beside an export.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct RunRecord {
    /// The run's id.
    pub id: String,
    /// The app's version.
    pub version: String,
    /// The question.
    pub request: String,
    /// The files, with their sizes.
    pub files: Vec<StagedFile>,
    /// The tables that were prepared from files which code had better not read themselves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prepared: Vec<PreparedFile>,
    /// Who thinks.
    pub model: ModelCard,
    /// The runtime's name.
    pub runtime: String,
    /// What the sandbox may do.
    pub policy: Policy,
    /// What may be used.
    pub budget: Budget,
    /// How much the model is told and offered.
    #[serde(default)]
    pub guidance: Guidance,
    /// Whether the model gets to read rows.
    #[serde(default)]
    pub rows: Rows,
    /// What must come out.
    pub expected: Expected,
    /// The earlier run that it does again, where it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<AgainOf>,
}

/// A table that was prepared from a file. It is kept in the run's folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PreparedFile {
    /// Its name below `input/`.
    pub destination: String,
    /// The file's name below `input/`.
    pub from: String,
    /// Whether the file itself is kept from the sandbox: a person has left a column out.
    pub alone: bool,
    /// What the person has set about the way it is read.
    pub settings: ReadingSettings,
}

impl RunRecord {
    /// The record without the places of the files on this computer, which are nobody else's business.
    pub(crate) fn without_places(&self) -> Self {
        let mut record = self.clone();
        record.files.iter_mut().for_each(|file| file.source = None);
        record
    }
}

/// What came of a run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RunResult {
    /// The run's id.
    pub id: String,
    /// How it ended.
    pub status: RunStatus,
    /// The model's last words.
    pub answer: String,
    /// What is missing, or which limit was reached.
    pub remarks: Vec<String>,
    /// What was used.
    pub spent: Spent,
    /// The folder with the results: the chosen one, or the run's own.
    pub folder: PathBuf,
    /// The report, where there is one.
    pub report: Option<PathBuf>,
    /// How many of its figures were computed.
    pub figures: Option<assay_report::Summary>,
    /// The charts.
    pub charts: Vec<PathBuf>,
    /// The other files, tables first of all.
    pub tables: Vec<PathBuf>,
    /// What went wrong, for a run that failed.
    pub problem: Option<Problem>,
}
