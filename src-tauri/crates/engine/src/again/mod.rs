//! An earlier run done again on a new file: the code that worked, without a model.
//!
//! Such a run is an ordinary one whose model is [`Again`]: in each turn it asks for the next step that the
//! earlier run has on record, so the loop, the journal, the contract and the sandbox know nothing of it. What
//! the code says of the earlier file (its name, how it is read, how its dates are written) is replaced by what
//! is true of the new one; columns that are called otherwise get the names that the code knows.

mod check;
mod done;
mod ending;
mod likeness;
mod mend;
mod model;
mod past;
mod plan;
mod python;
mod renewing;
mod words;

use std::path::PathBuf;

use assay_sandbox::Policy;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::model_choice::ModelChoice;
use crate::run::Rows;

pub use check::{MissingColumn, NewFileCheck};
pub(crate) use ending::broken_off;
pub(crate) use mend::Helper;
pub(crate) use model::Again;
pub(crate) use past::Past;
pub(crate) use plan::{Restaged, prepare, resume};

/// What is asked for when an earlier run is done again.
#[derive(Debug, Clone, Default)]
pub struct AgainRequest {
    /// The earlier run's id.
    pub run: String,
    /// The new file, on this computer.
    pub file: PathBuf,
    /// The name of the earlier file that it stands for, where there are several.
    pub instead_of: Option<String>,
    /// Columns that the new file calls otherwise.
    pub columns: Vec<MovedColumn>,
    /// A folder that the results are copied to.
    pub out: Option<PathBuf>,
    /// Who may mend a step that does not work on the new file; the built-in analyst cannot.
    pub model: ModelChoice,
    /// What the sandbox may do.
    pub policy: Policy,
    /// What may be used. There are always as many turns and steps as the earlier run's steps need.
    pub budget: assay_agent::Budget,
    /// Whether a model that mends gets to read rows; where the earlier run kept them here, they stay here.
    pub rows: Rows,
}

/// What a run does again. It is kept with the run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AgainOf {
    /// The earlier run's id.
    pub run: String,
    /// The file that was replaced.
    pub file: MovedFile,
    /// The columns that the new file calls otherwise.
    pub columns: Vec<MovedColumn>,
}

/// A file in the place of an earlier one, by their names below `input/`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MovedFile {
    /// The earlier one.
    pub before: String,
    /// The new one.
    pub now: String,
}

/// A column that the new file calls otherwise.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MovedColumn {
    /// What the earlier file calls it.
    pub before: String,
    /// What the new file calls it.
    pub now: String,
}
