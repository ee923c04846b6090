//! Plans: the steps that answer one kind of request, and the Python of each.

mod overview;
mod plain;
mod unusual;

use crate::choice::{Choice, Reason};
use crate::opening::Opening;

/// One call of `run_python` and the sentence that goes with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Step {
    /// What the person sees while it runs.
    pub(crate) title: &'static str,
    /// What the analyst says before it.
    pub(crate) sentence: &'static str,
    /// The code.
    pub(crate) code: String,
}

/// The steps of one kind of answer. Variables live on from step to step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Plan {
    /// The steps, in order. The last one prints the answer.
    pub(crate) steps: Vec<Step>,
    /// The first of the steps that only write files, and may be run again.
    pub(crate) writing_from: usize,
}

/// Which plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PlanName {
    /// Unusual readings in a time series.
    Unusual,
    /// An overview of a table.
    Overview,
    /// The simplest look at a table.
    Plain,
}

impl PlanName {
    /// The word that stands for the plan in the ids of its calls.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Unusual => "unusual",
            Self::Overview => "overview",
            Self::Plain => "plain",
        }
    }

    /// The plan of this word.
    pub(crate) fn from_word(word: &str) -> Option<Self> {
        [Self::Unusual, Self::Overview, Self::Plain].into_iter().find(|name| name.word() == word)
    }

    /// The plan to begin with.
    pub(crate) fn first(choice: &Choice<'_>) -> Self {
        match choice {
            Choice::Unusual(_) => Self::Unusual,
            Choice::Overview { .. } => Self::Overview,
        }
    }

    /// What to do instead when a step fails.
    pub(crate) fn simpler(self) -> Option<Self> {
        match self {
            Self::Unusual => Some(Self::Overview),
            Self::Overview => Some(Self::Plain),
            Self::Plain => None,
        }
    }
}

/// Writes the plan of this name for what was chosen.
pub(crate) fn write(name: PlanName, choice: &Choice<'_>, opening: &Opening) -> Plan {
    let (table, reason) = match choice {
        Choice::Unusual(series) => (series.table, Reason::SearchFailed),
        Choice::Overview { table, reason } => (*table, *reason),
    };
    let others = opening.tables.len() - 1;
    let only = match others {
        0 => None,
        1 => Some(format!("Two tables were given; only {} was used.", table.path)),
        _ => Some(format!("{} tables were given; only {} was used.", others + 1, table.path)),
    };
    let note = only.into_iter().chain(table.left_out.clone()).collect::<Vec<_>>().join(" ");
    match (name, choice) {
        (PlanName::Unusual, Choice::Unusual(series)) => {
            unusual::plan(series, &note, &opening.tables_asked_for())
        }
        (PlanName::Plain, _) => plain::plan(table),
        _ => overview::plan(table, reason, &note),
    }
}
