//! Past runs.

use assay_agent::Event;
use assay_report::Document;
use assay_store::RunRow;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use super::Desk;
use super::artifacts::{Artifact, ArtifactKind, list};
use super::sent::SentSummary;
use crate::again::NewFileCheck;
use crate::compare::Comparison;
use crate::contract::REPORT;
use crate::data_story::DataStory;
use crate::evidence::{ReportCheck, read_document};
use crate::open_run::loop_events;
use crate::problem::{Code, Problem};
use crate::run::RunRecord;

/// Runs listed at most.
const MAX_LISTED: u32 = 500;

/// A run in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RunSummary {
    /// The run's id.
    pub id: String,
    /// Its name: what the person called it, or the question.
    pub title: String,
    /// The first question.
    pub request: String,
    /// RFC 3339, UTC.
    pub started_at: String,
    /// RFC 3339, UTC; `None` while it goes on or when it was cut off.
    pub ended_at: Option<String>,
    /// How it ended, `running`, or `interrupted` when the app ended first.
    #[ts(type = "RunStatus | \"running\" | \"interrupted\"")]
    pub status: String,
    /// Names of its files.
    pub files: Vec<String>,
    /// Number of charts.
    pub charts: usize,
}

/// Everything about one run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct RunView {
    /// The run as it is listed.
    pub summary: RunSummary,
    /// What was in force.
    pub record: RunRecord,
    /// What happened, in order.
    #[ts(type = "Array<RunEvent>")]
    pub events: Vec<Value>,
    /// Its files.
    pub artifacts: Vec<Artifact>,
    /// The report.
    pub report: Option<Document>,
    /// The questions, in order.
    pub asks: Vec<String>,
    /// What was answered in words to each of them; empty while there is none.
    pub answers: Vec<Document>,
    /// Whether its sandbox is still open.
    pub live: bool,
    /// What left this computer.
    pub sent: SentSummary,
}

/// What was answered in words to each question, in order; the last word counts where a run was taken up again.
fn answers(events: &[Event]) -> impl Iterator<Item = &str> {
    events.split(|event| matches!(event, Event::Asked { .. })).map(|part| {
        let ends = part.iter().rev().find_map(|event| match event {
            Event::RunEnded { answer, .. } => Some(answer.as_str()),
            _ => None,
        });
        ends.unwrap_or_default()
    })
}

impl Desk {
    /// Past runs, newest first, whose title, question or files contain the text.
    pub fn runs(&self, search: &str) -> Result<Vec<RunSummary>, Problem> {
        let store = self.engine()?.open_store()?;
        let search = search.trim().to_lowercase();
        let rows = store.runs(MAX_LISTED)?;
        let mut summaries = Vec::new();
        for row in rows {
            let summary = self.summary(&row)?;
            let hay =
                format!("{} {} {}", summary.title, summary.request, summary.files.join(" ")).to_lowercase();
            if hay.contains(&search) {
                summaries.push(summary);
            }
        }
        Ok(summaries)
    }

    /// One run as it is listed.
    pub fn run_summary(&self, run: &str) -> Result<RunSummary, Problem> {
        self.summary(&self.row(run)?)
    }

    /// The run that began last.
    pub fn latest_run(&self) -> Result<Option<String>, Problem> {
        Ok(self.engine()?.open_store()?.runs(1)?.pop().map(|row| row.id))
    }

    /// One run with everything.
    pub fn open_run(&self, run: &str) -> Result<RunView, Problem> {
        let output = self.output(run)?;
        let row = self.row(run)?;
        let record = self.record(run)?.without_places();
        let store = self.engine()?.open_store()?;
        let told = loop_events(&store, run)?;
        let sent = SentSummary::of(&told, record.rows);
        let report = std::fs::read_to_string(output.join(REPORT)).ok();
        let mut events: Vec<Value> =
            store.events(run)?.iter().filter_map(|event| serde_json::from_str(&event.body).ok()).collect();
        for event in events.iter_mut().filter(|event| event["event"] == "request_sent") {
            event["text"] = "".into();
        }
        let further = events.iter().filter(|event| event["event"] == "asked");
        let asks = std::iter::once(record.request.clone())
            .chain(further.filter_map(|event| event["ask"].as_str().map(str::to_owned)))
            .collect();
        Ok(RunView {
            summary: self.summary(&row)?,
            record,
            events,
            artifacts: list(&output),
            report: report.map(|markdown| read_document(&markdown, &output)),
            asks,
            answers: answers(&told).map(|answer| read_document(answer, &output)).collect(),
            live: self.going.is_open(run),
            sent,
        })
    }

    /// Where the figures of a run's report come from.
    pub fn check_report(&self, run: &str) -> Result<ReportCheck, Problem> {
        self.engine()?.check_report(run)
    }

    /// What happened to the data in a run.
    pub fn data_story(&self, run: &str) -> Result<DataStory, Problem> {
        self.engine()?.data_story(run)
    }

    /// Whether a chosen file has the columns that an earlier run's steps use.
    pub fn check_new_file(&self, run: &str, file_id: &str) -> Result<NewFileCheck, Problem> {
        self.engine()?.check_new_file(run, &self.file_path(file_id)?, None)
    }

    /// What changed in a run that does an earlier one again.
    pub fn compare(&self, run: &str) -> Result<Comparison, Problem> {
        self.engine()?.compare(run)
    }

    /// Gives a run a name.
    pub fn rename_run(&self, run: &str, title: &str) -> Result<(), Problem> {
        Ok(self.engine()?.open_store()?.rename(run, title.trim())?)
    }

    /// Deletes a run with all its files. One that goes on must be stopped first.
    pub fn delete_run(&self, run: &str) -> Result<(), Problem> {
        if self.going.is_running(run) {
            return Err(Problem::new(Code::Input, "This run is still going on.", "Stop it first."));
        }
        let output = self.output(run)?;
        self.going.forget(run);
        self.engine()?.open_store()?.delete(run)?;
        match output.parent().map(std::fs::remove_dir_all) {
            Some(Err(error)) if error.kind() != std::io::ErrorKind::NotFound => Err(Problem::storage(&error)),
            _ => Ok(()),
        }
    }

    pub(super) fn record(&self, run: &str) -> Result<RunRecord, Problem> {
        serde_json::from_str(&self.row(run)?.record).map_err(|error| Problem::storage(&error))
    }

    fn row(&self, run: &str) -> Result<RunRow, Problem> {
        let unknown = || Problem::new(Code::Input, "This run is not in the history.", "Choose another one.");
        self.engine()?.open_store()?.run(run)?.ok_or_else(unknown)
    }

    fn summary(&self, row: &RunRow) -> Result<RunSummary, Problem> {
        let record: Option<RunRecord> = serde_json::from_str(&row.record).ok();
        let status = match &row.status {
            _ if self.going.is_running(&row.id) => "running".into(),
            Some(status) => status.clone(),
            None => "interrupted".into(),
        };
        let charts = list(&self.output(&row.id)?)
            .iter()
            .filter(|artifact| artifact.kind == ArtifactKind::Chart)
            .count();
        Ok(RunSummary {
            id: row.id.clone(),
            title: row.title.clone().unwrap_or_else(|| row.request.clone()),
            request: row.request.clone(),
            started_at: row.started_at.clone(),
            ended_at: row.ended_at.clone(),
            status,
            files: record.into_iter().flat_map(|record| record.files).map(|file| file.destination).collect(),
            charts,
        })
    }
}
