//! Which figures of a report were computed, and where.
//!
//! Every figure is looked for in what the steps printed, in the tables that they made, in the facts of the
//! input files, in the request, and in the arithmetic that a reader does in the head. A value that merely
//! happens to stand somewhere proves little: among a thousand printed numbers nearly every small one can be
//! found. So each find is weighed by how likely it is to be chance: how dense the values lie there, and how
//! rare the words are that the place shares with the sentence around the figure.

mod chance;
mod code;
mod derived;
mod lines;
mod stems;
mod tables;
mod wanted;

pub(crate) use code::holds_figures;
pub(crate) use tables::facts_of_table;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::document::Document;
use crate::figures::{Kind, scan};

/// Everything that a report's figures can come from.
#[derive(Debug, Clone, Default)]
pub struct Sources<'a> {
    /// What was asked for, and what the person said of the data.
    pub request: &'a str,
    /// The input files.
    pub inputs: Vec<InputFacts>,
    /// The steps, in order.
    pub steps: Vec<StepSource<'a>>,
    /// The tables that the steps left.
    pub tables: Vec<TableSource<'a>>,
}

/// What is known of an input file without any step.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct InputFacts {
    /// Its name.
    pub name: String,
    /// Its rows below the header.
    pub rows: Option<u64>,
    /// Its columns.
    pub columns: Vec<ColumnFacts>,
}

impl InputFacts {
    /// What is known, as the words that name it and its value.
    pub(crate) fn said(&self) -> Vec<(String, String)> {
        let mut said = vec![("file name".to_owned(), format!("\"{}\"", self.name))];
        said.extend(self.rows.map(|rows| ("number of rows".to_owned(), rows.to_string())));
        said.push(("number of columns".to_owned(), self.columns.len().to_string()));
        for column in &self.columns {
            said.push(("column".to_owned(), format!("\"{}\"", column.name)));
            for (name, value) in &column.facts {
                said.push((format!("{} {name}", column.name), value.clone()));
            }
            for value in &column.values {
                said.push((format!("{} value", column.name), format!("\"{value}\"")));
                // A value that is a number or a date names itself.
                said.push((format!("{} value", column.name), value.clone()));
            }
        }
        said
    }
}

/// What is known of a column of an input file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ColumnFacts {
    /// Its name.
    pub name: String,
    /// Facts with the words that name them, such as ("mean", "12.4"), as a person would write them.
    pub facts: Vec<(&'static str, String)>,
    /// Values of the column, where there are few different ones.
    pub values: Vec<String>,
}

/// A step.
#[derive(Debug, Clone, Copy)]
pub struct StepSource<'a> {
    /// Its number.
    pub number: u32,
    /// What it printed.
    pub output: &'a str,
    /// The code that ran; empty for other tools.
    pub code: &'a str,
    /// Whether its code wrote the report as it now is.
    pub wrote_report: bool,
}

/// A table that a step left, as CSV in UTF-8 with a header.
#[derive(Debug, Clone, Copy)]
pub struct TableSource<'a> {
    /// Its path below `output/`.
    pub path: &'a str,
    /// The step that wrote it.
    pub step: u32,
    /// Its bytes.
    pub content: &'a [u8],
}

/// Where a figure comes from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    /// A step printed it.
    Printed {
        /// The step.
        step: u32,
        /// The line of its output, from 1.
        line: u32,
        /// The words of that line, shortened.
        words: String,
    },
    /// It stands in a table that a step made.
    Tabled {
        /// The step.
        step: u32,
        /// The table, below `output/`.
        path: String,
        /// The row below the header, from 1; `None` for what is true of the whole table.
        row: Option<u64>,
        /// The column, or what is counted.
        column: String,
    },
    /// A step's code wrote it into the report, and the code does not hold it: so it was computed there.
    Written {
        /// The step.
        step: u32,
    },
    /// It follows from other figures of the report.
    Derived {
        /// How, with the figures' own words, such as "120 − 80".
        how: String,
        /// The figures.
        from: Vec<usize>,
    },
    /// It was chosen in the code, such as a limit.
    Chosen {
        /// The step.
        step: u32,
        /// The line of its code, from 1.
        line: u32,
    },
    /// It is a fact of an input file.
    Input {
        /// Which, in words.
        fact: String,
    },
    /// The request says it.
    Asked,
    /// It was not found anywhere.
    NotFound,
}

/// The evidence for a report.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct Evidence {
    /// One for each of [`Document::figures`].
    pub verdicts: Vec<Verdict>,
    /// What they come to.
    pub summary: Summary,
}

/// How many figures there are of each kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(rename = "EvidenceSummary")]
pub struct Summary {
    /// All.
    pub figures: usize,
    /// Computed by a step, or derived from what was.
    pub computed: usize,
    /// Facts of the input files, the request's own, and what was chosen in the code.
    pub given: usize,
    /// Not found.
    pub not_found: usize,
}

/// Finds out where the figures of a report come from.
pub fn check(document: &Document, sources: &Sources<'_>) -> Evidence {
    let figures = &document.figures;
    let wanted = wanted::Wanted::new(figures);
    // The tables take longest.
    let mut finds = std::thread::scope(|scope| {
        let tabled = scope.spawn(|| tables::look(&wanted, &sources.tables));
        let mut finds = lines::look(&wanted, sources);
        // A thread that broke has found nothing.
        finds.extend(tabled.join().unwrap_or_default());
        finds
    });
    code::look(&wanted, &sources.steps, &mut finds);
    let wholes: Vec<(String, f64)> = sources
        .inputs
        .iter()
        .filter_map(|input| {
            Some((format!("the rows of {}", input.name), f64::from(u32::try_from(input.rows?).ok()?)))
        })
        .collect();
    let asked: Vec<f64> = scan(sources.request)
        .iter()
        .filter_map(|token| match &token.kind {
            Kind::Number(written) => Some(written.readings[0].value),
            _ => None,
        })
        .collect();
    let verdicts = derived::complete(document, &wholes, &asked, finds.settle(figures.len()));
    let summary = summary(&verdicts);
    Evidence { verdicts, summary }
}

fn summary(verdicts: &[Verdict]) -> Summary {
    let mut summary = Summary { figures: verdicts.len(), ..Summary::default() };
    for verdict in verdicts {
        match verdict {
            Verdict::Printed { .. }
            | Verdict::Tabled { .. }
            | Verdict::Written { .. }
            | Verdict::Derived { .. } => {
                summary.computed += 1;
            }
            Verdict::Chosen { .. } | Verdict::Input { .. } | Verdict::Asked => summary.given += 1,
            Verdict::NotFound => summary.not_found += 1,
        }
    }
    summary
}

impl Verdict {
    /// In one sentence.
    pub fn sentence(&self) -> String {
        match self {
            Self::Printed { step, line, words } => format!("printed by step {step}, line {line}: {words}"),
            Self::Tabled { step, path, row: Some(row), column } => {
                format!("in {path}, made by step {step}: row {row}, {column}")
            }
            Self::Tabled { step, path, row: None, column } => {
                format!("in {path}, made by step {step}: {column}")
            }
            Self::Written { step } => format!("computed by the code of step {step}, which wrote the report"),
            Self::Derived { how, .. } => format!("follows from {how}"),
            Self::Chosen { step, line } => format!("chosen in the code of step {step}, line {line}"),
            Self::Input { fact } => format!("in the input: {fact}"),
            Self::Asked => "in the request".into(),
            Self::NotFound => "not found".into(),
        }
    }
}

impl Summary {
    /// In one sentence.
    pub fn sentence(&self) -> String {
        if self.figures == 0 {
            return "The report holds no figures.".into();
        }
        let known = self.computed + self.given;
        match self.not_found {
            0 => format!("All {} figures were computed or given.", self.figures),
            missing => {
                format!("{known} of {} figures were computed or given; {missing} not found.", self.figures)
            }
        }
    }
}
