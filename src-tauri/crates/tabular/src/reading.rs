//! A table, the decisions under which it was read, and the way to read it again.

use crate::decision::Decision;
use crate::ledger::Ledger;
use crate::plan::Plan;
use crate::settings::Settings;
use crate::table::{Shape, Table};
use serde::{Deserialize, Serialize};

/// How a file was read: what was found, each decision with its evidence, and an account of every row.
///
/// The same file under the same settings gives the same reading.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Reading {
    /// What is in the prepared table. [`Table::read_with`] reads the file itself, and gives the same only where
    /// [`Reading::is_plain`] says so.
    pub table: Table,
    /// How the values of each column lie.
    pub shapes: Vec<Shape>,
    /// The decisions, in the order in which they were made.
    pub decisions: Vec<Decision>,
    /// What became of every row and every cell.
    pub ledger: Ledger,
    /// What a person had set.
    pub settings: Settings,
    #[serde(skip)]
    pub(crate) plan: Plan,
}
