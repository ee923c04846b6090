//! Takes a run out of the app, in the forms of one table.

mod bundle;
mod folder;
mod steps;

pub(crate) use folder::{check_folder, copy_to};

use std::fs::File;
use std::path::Path;

use assay_agent::Event;
use assay_report::{
    Cell, Export, ExportError, Parcel, Progress, Verdict, docx, html, markdown, notebook, pdf, xlsx,
};
use serde::Serialize;
use tokio_util::sync::CancellationToken;
use ts_rs::TS;

use crate::contract::REPORT;
use crate::engine::Engine;
use crate::evidence::{ReportCheck, examine, read_document};
use crate::open_run::loop_events;
use crate::problem::{Code, Problem};
use crate::run::RunRecord;

/// A form in which a run can be taken along.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
pub struct ExportForm {
    /// The word for it on the command line.
    pub id: &'static str,
    /// What it is called.
    pub label: &'static str,
    /// What it is good for, in a few words.
    pub purpose: &'static str,
    /// The ending of the file; `None` for a folder.
    pub extension: Option<&'static str>,
}

/// A form, and how it is made.
struct Exporter {
    form: ExportForm,
    make: Make,
}

enum Make {
    /// One document, from the report and the steps.
    Document(fn(&Parcel<'_>, Progress<'_>) -> Result<Export, ExportError>),
    /// A file from all that is kept of the run.
    File(fn(&Kept<'_>, File, Progress<'_>) -> Result<(), ExportError>),
    /// The artifacts in a folder.
    Folder,
}

/// Every form, in the order in which they are offered. A new one is a file and a line here.
static EXPORTERS: [Exporter; 9] = [
    exporter("pdf", "PDF", "To print and to send", "pdf", Make::Document(pdf)),
    exporter("docx", "Word document", "To go on writing", "docx", Make::Document(docx)),
    exporter("html", "Web page", "One file that opens in any browser", "html", Make::Document(html)),
    exporter("xlsx", "Excel workbook", "The result tables", "xlsx", Make::Document(xlsx)),
    exporter(
        "markdown",
        "Markdown",
        "The text with its charts, as one zip file",
        "zip",
        Make::Document(markdown),
    ),
    exporter(
        "notebook",
        "Jupyter notebook",
        "The steps, to read and run again",
        "ipynb",
        Make::Document(notebook),
    ),
    exporter(
        "bundle",
        "Everything, to do it again",
        "Data, code, and one command that repeats it",
        "zip",
        Make::File(bundle::bundle),
    ),
    exporter(
        "zip",
        "The files, as one zip file",
        "Report, charts and tables as they are",
        "zip",
        Make::File(folder::zip),
    ),
    exporter("folder", "The files, in a folder", "Report, charts and tables as they are", "", Make::Folder),
];

const fn exporter(
    id: &'static str,
    label: &'static str,
    purpose: &'static str,
    extension: &'static str,
    make: Make,
) -> Exporter {
    let extension = if extension.is_empty() { None } else { Some(extension) };
    Exporter { form: ExportForm { id, label, purpose, extension }, make }
}

/// The forms in which a run can be taken along.
pub fn export_forms() -> Vec<ExportForm> {
    EXPORTERS.iter().map(|exporter| exporter.form).collect()
}

/// A title as the name of a file on any system.
pub(crate) fn file_name(title: &str) -> String {
    let kept = |c: char| if c.is_alphanumeric() || matches!(c, '-' | '_' | '(' | ')') { c } else { ' ' };
    let words: String = title.chars().map(kept).take(80).collect();
    let name = words.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() { "Report".into() } else { name }
}

/// All that is kept of a run.
struct Kept<'a> {
    record: &'a RunRecord,
    title: &'a str,
    events: &'a [Event],
    cells: &'a [Cell],
    output: &'a Path,
}

impl Engine {
    /// The name that is proposed for an export in this form.
    pub fn export_name(&self, run: &str, form: &str) -> Result<String, Problem> {
        let row = self.open_store()?.run(run)?.ok_or_else(crate::engine::unknown_run)?;
        let name = file_name(&row.title.unwrap_or(row.request));
        Ok(match exporter_of(form)?.form.extension {
            Some(extension) => format!("{name}.{extension}"),
            None => name,
        })
    }

    /// Takes a run along: writes it in a form of [`export_forms`] to `place`. What was there is replaced only
    /// once everything is written. `progress` is told how many parts are done, and of how many.
    ///
    /// # Returns
    /// What a reader should know of what was written, a plain sentence each.
    pub fn export(
        &self,
        run: &str,
        form: &str,
        place: &Path,
        progress: &dyn Fn(usize, usize),
        stop: &CancellationToken,
    ) -> Result<Vec<String>, Problem> {
        let exporter = exporter_of(form)?;
        let store = self.open_store()?;
        let row = store.run(run)?.ok_or_else(crate::engine::unknown_run)?;
        let record: RunRecord =
            serde_json::from_str(&row.record).map_err(|error| Problem::storage(&error))?;
        let output = self.run_folder(run).join("output");
        if let Make::Folder = exporter.make {
            copy_to(&output, place, &record)?;
            return Ok(Vec::new());
        }
        let events = loop_events(&store, run)?;
        let cells = steps::cells(&events);
        let title = row.title.unwrap_or_else(|| row.request.clone());
        let told = |done, all| {
            progress(done, all);
            if stop.is_cancelled() { Err(ExportError::Stopped) } else { Ok(()) }
        };
        let kept = Kept { record: &record, title: &title, events: &events, cells: &cells, output: &output };
        write_whole(place, |file| match exporter.make {
            Make::Document(make) => {
                use std::io::Write;
                let (markdown, verdicts) = words_of(&kept, &row.request);
                let document = read_document(&markdown, &output);
                let parcel = Parcel {
                    document: &document,
                    verdicts: &verdicts,
                    title: &title,
                    files: &output,
                    cells: &cells,
                };
                let Export { bytes, remarks } = make(&parcel, &told)?;
                let mut file = file;
                file.write_all(&bytes).map_err(|error| ExportError::Unwritable(error.to_string()))?;
                Ok(remarks)
            }
            Make::File(make) => make(&kept, file, &told).map(|()| Vec::new()),
            Make::Folder => Ok(Vec::new()),
        })
    }
}

fn exporter_of(form: &str) -> Result<&'static Exporter, Problem> {
    EXPORTERS.iter().find(|exporter| exporter.form.id == form).ok_or_else(|| {
        let known: Vec<&str> = EXPORTERS.iter().map(|exporter| exporter.form.id).collect();
        let message = format!("There is no form of export called {form}.");
        Problem::new(Code::Input, message, format!("Choose one of {}.", known.join(", ")))
    })
}

/// The report and what was found of its figures; without a report, the last answer in words.
fn words_of(kept: &Kept<'_>, request: &str) -> (String, Vec<Verdict>) {
    if let Ok(markdown) = std::fs::read_to_string(kept.output.join(REPORT)) {
        let ReportCheck { figures, .. } = examine(&markdown, request, kept.events, kept.output);
        return (markdown, figures.into_iter().map(|figure| figure.verdict).collect());
    }
    let answer = kept.events.iter().rev().find_map(|event| match event {
        Event::RunEnded { answer, .. } => Some(answer.clone()),
        _ => None,
    });
    (answer.unwrap_or_default(), Vec::new())
}

/// Writes a file beside its place first, so that what is there is whole.
fn write_whole(
    place: &Path,
    write: impl FnOnce(File) -> Result<Vec<String>, ExportError>,
) -> Result<Vec<String>, Problem> {
    let mut name = place.file_name().unwrap_or_default().to_owned();
    name.push(".part");
    let partial = place.with_file_name(name);
    let written = File::create(&partial)
        .map_err(|error| ExportError::Unwritable(error.to_string()))
        .and_then(write)
        .and_then(|remarks| {
            std::fs::rename(&partial, place).map_err(|error| ExportError::Unwritable(error.to_string()))?;
            Ok(remarks)
        });
    written.map_err(|error| {
        let _ = std::fs::remove_file(&partial);
        not_exported(&error)
    })
}

fn not_exported(error: &ExportError) -> Problem {
    let (message, hint) = match error {
        ExportError::Stopped => return Problem::stopped(),
        ExportError::Unreadable { path, .. } => (
            format!("The file {path} of this run cannot be read, so the export would not be whole."),
            "Export the files as they are, or ask for this chart once more.",
        ),
        ExportError::Unwritable(_) => (
            "The results could not be written there.".into(),
            "Check that the disk has room, or choose another place. The run itself is kept.",
        ),
    };
    Problem { detail: error.to_string(), ..Problem::new(Code::Output, message, hint) }.or_disk_full()
}
