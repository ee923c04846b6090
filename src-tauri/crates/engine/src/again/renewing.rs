//! The report of a run that does an earlier one again, where its figures are part of the code.

use assay_agent::Event;
use assay_report::{Document, Moved, Renewed, Told, Verdict, check, renew};

use super::done::Done;
use super::model::Again;
use super::past::Past;
use super::plan::STEP;
use crate::contract::REPORT;
use crate::evidence::Material;

impl Again {
    /// The report with its figures looked up anew; `None` where its code computes all of them.
    pub(super) fn renewed(&self, events: &[Event], done: &[Done<'_>]) -> Option<Renewed> {
        let past = Past::open(&self.engine, &self.plan.of.run).ok()?;
        if past.is_by_rules(&self.engine) {
            return None;
        }
        let output = self.engine.run_folder(&self.run).join("output");
        let (before, now) = (past.report()?, std::fs::read_to_string(output.join(REPORT)).ok()?);
        let request = &past.record.request;
        let old = Material::gather(&before, request, &past.events, &past.output);
        let new = Material::gather(&now, request, events, &output);
        let (old_document, new_document) = (read(&before, &past.output), read(&now, &output));
        let (old_sources, new_sources) = (old.sources(), new.sources());
        let verdicts: Vec<Verdict> = check(&old_document, &old_sources).verdicts;
        let loads = past.steps.iter().find(|step| step.turn == 0).map(|step| step.step);
        let step = |number: u32| {
            let id = format!("{STEP}{number}");
            let same = done.iter().rfind(|done| done.is_of(&id) && done.ok == Some(true));
            let loaded = done.iter().find(|done| done.turn == 0 && loads == Some(number));
            same.or(loaded).map(|done| done.step)
        };
        let writer = writer(events);
        renew(
            Told { markdown: &before, document: &old_document, sources: &old_sources },
            &verdicts,
            Told { markdown: &now, document: &new_document, sources: &new_sources },
            &Moved {
                step: &step,
                writer: writer.as_deref(),
                files: (&self.plan.of.file.before, &self.plan.of.file.now),
            },
        )
    }
}

fn read(markdown: &str, output: &std::path::Path) -> Document {
    Document::read(markdown, &|path| {
        assay_sandbox::check_relative_path(path).is_ok() && output.join(path).is_file()
    })
}

/// The code that wrote the report last; `None` where it was written as a text.
fn writer(events: &[Event]) -> Option<String> {
    let wrote = events.iter().rev().find_map(|event| match event {
        Event::ArtifactSaved { step, path, .. } if path == REPORT => Some(*step),
        _ => None,
    })?;
    events.iter().find_map(|event| match event {
        Event::StepStarted { step, tool, arguments, .. } if *step == wrote && tool == "run_python" => {
            arguments["code"].as_str().map(str::to_owned)
        }
        _ => None,
    })
}
