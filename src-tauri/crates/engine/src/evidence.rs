//! What of a run's report was computed: the run's own steps, tables and files as the sources.

use std::collections::HashMap;
use std::path::Path;

use assay_agent::{Contract, Event, Gap};
use assay_report::{
    ColumnFacts, Document, Evidence, InputFacts, Sources, StepSource, Summary, TableSource, Verdict, check,
};
use assay_sandbox::{Captured, StepOutcome};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use crate::again::broken_off;
use crate::contract::{REPORT, files_below, has_extension};
use crate::engine::Engine;
use crate::open_run::loop_events;
use crate::run::RunRecord;

/// Larger tables are not looked into.
const MAX_TABLE_BYTES: u64 = 512 << 20;
/// Figures that the model is told of at once.
const MOST_TOLD: usize = 20;
/// A line of the report that is printed after it was written proves nothing; shorter ones may be alike by chance.
const LONG_LINE: usize = 16;

/// The figures of a report, and where each comes from.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct ReportCheck {
    /// In the order of the report.
    pub figures: Vec<FigureCheck>,
    /// How many there are of each kind.
    pub summary: Summary,
}

/// One figure of a report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct FigureCheck {
    /// As it is written.
    pub text: String,
    /// The beginning of the sentence in which it stands, or the head and the row of its cell.
    pub place: String,
    /// Where it comes from.
    pub verdict: Verdict,
}

/// Reads Markdown whose links lead to files in a run's `output/`.
pub(crate) fn read_document(markdown: &str, output: &Path) -> Document {
    let exists = |path: &str| assay_sandbox::check_relative_path(path).is_ok() && output.join(path).is_file();
    Document::read(markdown, &exists)
}

/// Looks for the figures of a report in what the run's steps have left.
pub(crate) fn examine(markdown: &str, request: &str, events: &[Event], output: &Path) -> ReportCheck {
    let document = read_document(markdown, output);
    let material = Material::gather(markdown, request, events, output);
    let Evidence { verdicts, summary } = check(&document, &material.sources());
    let figures = document
        .figures
        .into_iter()
        .zip(verdicts)
        .map(|(figure, verdict)| FigureCheck { text: figure.text, place: figure.place, verdict })
        .collect();
    ReportCheck { figures, summary }
}

/// All that the figures of a run's report can come from.
pub(crate) struct Material {
    request: String,
    inputs: Vec<InputFacts>,
    steps: Vec<Step>,
    tables: Vec<(String, u32, Vec<u8>)>,
}

impl Material {
    pub(crate) fn gather(markdown: &str, request: &str, events: &[Event], output: &Path) -> Self {
        Self {
            request: asked(request, events),
            inputs: inputs(events),
            steps: steps(markdown, events),
            tables: tables(events, output),
        }
    }

    pub(crate) fn sources(&self) -> Sources<'_> {
        let tables = self.tables.iter();
        Sources {
            request: &self.request,
            inputs: self.inputs.clone(),
            steps: self.steps.iter().map(Step::source).collect(),
            tables: tables.map(|(path, step, content)| TableSource { path, step: *step, content }).collect(),
        }
    }
}

/// Everything that was asked for, and what the person said of the data.
fn asked(request: &str, events: &[Event]) -> String {
    let mut text = request.to_owned();
    for event in events {
        match event {
            Event::Briefed { opening, .. } => {
                if let Some((_, notes)) = opening.split_once("\n<notes>\n") {
                    text = format!("{text}\n{}", notes.split("\n</notes>").next().unwrap_or_default());
                }
            }
            Event::Asked { ask } => text = format!("{text}\n{ask}"),
            Event::QuestionAnswered { answer: Some(answer), .. } => text = format!("{text}\n{answer}"),
            _ => {}
        }
    }
    text
}

/// A step as far as it is a source.
struct Step {
    number: u32,
    output: String,
    code: String,
    wrote_report: bool,
}

impl Step {
    fn source(&self) -> StepSource<'_> {
        StepSource {
            number: self.number,
            output: &self.output,
            code: &self.code,
            wrote_report: self.wrote_report,
        }
    }
}

fn steps(markdown: &str, events: &[Event]) -> Vec<Step> {
    let mut codes: HashMap<u32, String> = HashMap::new();
    let mut steps: Vec<Step> = Vec::new();
    let last_writing = last_writing(events);
    for event in events {
        match event {
            Event::StepStarted { step, arguments, .. } => {
                let code = arguments["code"].as_str().unwrap_or_default();
                codes.insert(*step, code.to_owned());
            }
            Event::StepEnded { step, outcome: Some(outcome), .. } => {
                let code = codes.remove(step).unwrap_or_default();
                // Only the last writing made the report as it is.
                let wrote_report = *step == last_writing && writes_report(outcome) && !code.is_empty();
                steps.push(Step { number: *step, output: printed(&outcome.stdout), code, wrote_report });
            }
            _ => {}
        }
    }
    for step in steps.iter_mut().filter(|step| step.number > last_writing) {
        step.output = without_lines_of(markdown, &step.output);
    }
    steps
}

/// The last step that wrote the report, by whatever tool.
fn last_writing(events: &[Event]) -> u32 {
    let mut saved = events.iter().rev().filter_map(|event| match event {
        Event::ArtifactSaved { step, path, .. } if path == REPORT => Some(*step),
        _ => None,
    });
    saved.next().unwrap_or(u32::MAX)
}

fn writes_report(outcome: &StepOutcome) -> bool {
    outcome.changed.iter().any(|file| file.path.strip_prefix("output/") == Some(REPORT))
}

fn printed(captured: &Captured) -> String {
    format!("{}\n{}", captured.head, captured.tail)
}

/// The report printed back is no evidence for the report.
fn without_lines_of(markdown: &str, output: &str) -> String {
    let is_of_report = |line: &str| {
        let line = line.trim();
        line.chars().count() >= LONG_LINE && markdown.contains(line)
    };
    output.lines().map(|line| if is_of_report(line) { "" } else { line }).collect::<Vec<_>>().join("\n")
}

fn tables(events: &[Event], output: &Path) -> Vec<(String, u32, Vec<u8>)> {
    let mut made: HashMap<&str, u32> = HashMap::new();
    for event in events {
        if let Event::ArtifactSaved { step, path, .. } = event {
            made.insert(path, *step);
        }
    }
    files_below(output)
        .into_iter()
        .filter(|path| has_extension(path, "csv"))
        .filter_map(|path| {
            let place = output.join(&path);
            let size = std::fs::metadata(&place).ok()?.len();
            let step = made.get(path.as_str()).copied().unwrap_or_default();
            (size <= MAX_TABLE_BYTES)
                .then(|| std::fs::read(&place).ok())
                .flatten()
                .map(|content| (path, step, content))
        })
        .collect()
}

/// What the opening message says of the files.
fn inputs(events: &[Event]) -> Vec<InputFacts> {
    let opening = events.iter().find_map(|event| match event {
        Event::Briefed { opening, .. } => Some(opening.as_str()),
        _ => None,
    });
    let told = opening.and_then(|opening| opening.split_once("<tables>\n")?.1.split_once("\n</tables>"));
    let tables: Vec<Value> = told.and_then(|(json, _)| serde_json::from_str(json).ok()).unwrap_or_default();
    tables.iter().map(input).collect()
}

fn input(table: &Value) -> InputFacts {
    let name = table["path"].as_str().unwrap_or_default();
    InputFacts {
        name: name.strip_prefix("input/").unwrap_or(name).to_owned(),
        rows: table["rows"].as_u64(),
        columns: table["columns"].as_array().into_iter().flatten().map(column).collect(),
    }
}

/// The facts of a column: the key in the opening message, and the words for it.
const FACTS: [(&str, &str); 7] = [
    ("min", "min minimum"),
    ("max", "max maximum"),
    ("mean", "mean"),
    ("first", "first min"),
    ("last", "last max"),
    ("missing", "missing"),
    ("distinct", "distinct different"),
];

fn column(column: &Value) -> ColumnFacts {
    let text = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let mut facts: Vec<(&'static str, String)> =
        FACTS.iter().filter_map(|(key, words)| Some((*words, text(&column[*key])?))).collect();
    facts.extend(
        column["range"].as_array().into_iter().flatten().filter_map(|end| Some(("min max", text(end)?))),
    );
    let tops = column["top"].as_array().into_iter().flatten().filter_map(|pair| text(&pair[0]));
    let values = column["values"].as_array().into_iter().flatten().filter_map(text);
    ColumnFacts {
        name: column["name"].as_str().unwrap_or_default().to_owned(),
        facts,
        values: tops.chain(values).collect(),
    }
}

/// The output contract of a run that is going on: what must be there, and that its figures were computed.
pub(crate) struct Grounded<'a> {
    pub(crate) engine: &'a Engine,
    pub(crate) record: &'a RunRecord,
}

impl Contract for Grounded<'_> {
    fn describe(&self) -> Vec<String> {
        self.record.expected.describe()
    }

    fn gaps(&self, output: &Path, answer: &str) -> Vec<Gap> {
        // What a step has not done is not there: only the step is named.
        let broken_off = self.record.again.as_ref().and_then(|_| broken_off(answer));
        broken_off.map_or_else(|| self.record.expected.gaps(output, answer), |gap| vec![gap])
    }

    fn doubts(&self, output: &Path) -> Vec<Gap> {
        let Ok(markdown) = std::fs::read_to_string(output.join(REPORT)) else { return Vec::new() };
        let events =
            self.engine.open_store().ok().and_then(|store| loop_events(&store, &self.record.id).ok());
        let Some(events) = events else { return Vec::new() };
        let mut missing: Vec<String> = examine(&markdown, &self.record.request, &events, output)
            .figures
            .into_iter()
            .filter(|figure| figure.verdict == Verdict::NotFound)
            .map(|figure| format!("`{}` (in “{}”)", figure.text, figure.place))
            .collect();
        if missing.is_empty() {
            return Vec::new();
        }
        let more = missing.len().saturating_sub(MOST_TOLD);
        missing.truncate(MOST_TOLD);
        let more = if more > 0 { format!(", and {more} more") } else { String::new() };
        vec![Gap(format!(
            "evidence for these figures of the report, which no step has printed or saved: {}{more}. Compute and \
             print each, and correct the report where it differs; take out what cannot be computed",
            missing.join(", ")
        ))]
    }
}
