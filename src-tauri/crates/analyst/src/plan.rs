//! Plans: the steps that answer one question, and the Python of each.

mod start;

pub(crate) use start::{constants, rows_that_count};

use crate::intent::{self, Intent};
use crate::opening::{Opening, Table};
use crate::question::Question;

/// One call of `run_python` and the sentence that goes with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Step {
    /// What the person sees while it runs.
    pub(crate) title: &'static str,
    /// What the analyst says before it.
    pub(crate) sentence: String,
    /// The code.
    pub(crate) code: String,
}

impl Step {
    /// A step of this title, sentence and code.
    pub(crate) fn new(title: &'static str, sentence: impl Into<String>, code: impl Into<String>) -> Self {
        Self { title, sentence: sentence.into(), code: code.into() }
    }
}

/// The steps of one kind of answer. Variables live on from step to step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Plan {
    /// The steps, in order. The last one prints the answer.
    pub(crate) steps: Vec<Step>,
    /// The first of the steps that only write files, and may be run again.
    pub(crate) writing_from: usize,
}

/// What a plan is written for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Task<'a> {
    /// The question.
    pub(crate) question: &'a Question,
    /// The words of the person.
    pub(crate) request: &'a str,
    /// The table that answers it.
    pub(crate) table: &'a Table,
    /// All that was given.
    pub(crate) opening: &'a Opening,
    /// What the report says of what was not asked for or not done, or nothing.
    pub(crate) apology: &'a str,
}

impl Task<'_> {
    /// What the report notes of the choice of the table.
    pub(crate) fn note(&self) -> String {
        let others = self.opening.tables.len() - 1;
        let only = match others {
            _ if self.uses_all_tables() => None,
            0 => None,
            1 => Some(format!("Two tables were given; only {} was used.", self.table.path)),
            _ => Some(format!("{} tables were given; only {} was used.", others + 1, self.table.path)),
        };
        only.into_iter().chain(self.table.left_out.clone()).collect::<Vec<_>>().join(" ")
    }

    fn uses_all_tables(&self) -> bool {
        self.table.path.contains(" and ") || matches!(self.question.intent.word, "join" | "versions")
    }

    /// The columns with numbers that measure something, as far as names and kinds tell.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = &str> {
        self.table.columns.iter().filter(|column| column.is_number()).map(|column| column.name.as_str())
    }
}

/// The four steps of most answers: reading, computing, drawing, writing.
pub(crate) fn four_steps(task: &Task<'_>, computing: &'static str, compute: &str, chart: &str) -> Plan {
    let read = format!("{}\n{}\n{}", constants(task), include_str!("python/start.py"), rows_that_count(task));
    let steps = vec![
        Step::new(
            "Reading the table",
            format!("I understood: {}. First I read the table.", task.question),
            read,
        ),
        Step::new(computing, "Then I compute what was asked.", compute),
        Step::new(
            "Drawing the chart",
            "I draw a chart of it.",
            format!("{}\n\n{chart}", include_str!("python/draw.py")),
        ),
        Step::new("Writing the report", "Last I write the report.", include_str!("python/report.py")),
    ];
    Plan { steps, writing_from: 2 }
}

/// What to do instead when a step of this intent fails.
pub(crate) fn simpler(failed: &'static Intent) -> Option<&'static Intent> {
    match failed.word {
        "plain" => None,
        "overview" | "unknown" => intent::of_word("plain"),
        _ => intent::of_word("overview"),
    }
}
