//! What happened to the data in a run: which steps changed the tables, and which steps the report does not
//! rest on.
//!
//! A result is only as good as the choices behind it. A person who sees the rows before and after each choice,
//! and the attempts that were left, can tell a result from one that was picked among several.

use std::collections::{BTreeMap, BTreeSet};

use assay_agent::Event;
use assay_report::Verdict;
use assay_sandbox::{StepStatus, TableChange};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::contract::REPORT;
use crate::evidence::ReportCheck;
use crate::python_names::Names;

/// Characters of an error that are shown.
const MESSAGE_LENGTH: usize = 200;

/// What happened to the data in a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct DataStory {
    /// The changes of tables, in order.
    pub changes: Vec<StepChange>,
    /// The steps that the report does not rest on, in order.
    pub attempts: Vec<Attempt>,
}

/// A change of a table in a step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct StepChange {
    /// The step.
    pub step: u32,
    /// What it did.
    pub change: TableChange,
}

/// A step that came to nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Attempt {
    /// The step.
    pub step: u32,
    /// What it was for.
    pub title: String,
    /// Why it came to nothing.
    pub reason: Left,
}

/// Why a step came to nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "left", rename_all = "snake_case")]
pub enum Left {
    /// It failed.
    Failed {
        /// How, in short.
        message: String,
    },
    /// What it made was made again by a later step.
    Replaced {
        /// The later step.
        by: u32,
        /// The files, below `output/`.
        paths: Vec<String>,
    },
    /// What it made was deleted by a later step.
    Removed {
        /// The later step.
        by: u32,
        /// The files, below `output/`.
        paths: Vec<String>,
    },
    /// No figure of the report leads there, no file of it is left, and no step that counts uses its variables.
    Unused,
}

impl DataStory {
    /// The story that a run's events tell; `check` is of its report, where there is one.
    pub(crate) fn of(events: &[Event], check: Option<&ReportCheck>) -> Self {
        let steps = steps(events);
        let files = Files::of(events);
        let counting = check.map(|check| counting(&steps, &files, check));
        let attempts = steps.iter().filter_map(|step| {
            let reason = match &step.failure {
                Some(message) => Some(Left::Failed { message: message.clone() }),
                None => files.lost(step.number).or_else(|| {
                    let unused = counting.as_ref().is_some_and(|counting| !counting.contains(&step.number));
                    unused.then_some(Left::Unused)
                }),
            };
            Some(Attempt { step: step.number, title: step.title.to_owned(), reason: reason? })
        });
        let changes = steps.iter().flat_map(|step| {
            step.tables.iter().map(|change| StepChange { step: step.number, change: change.clone() })
        });
        Self { changes: changes.collect(), attempts: attempts.collect() }
    }
}

impl Left {
    /// The reason as a sentence.
    pub fn sentence(&self) -> String {
        match self {
            Self::Failed { message } => format!("It failed: {message}"),
            Self::Replaced { by, paths } => format!("Step {by} made {} anew.", paths.join(", ")),
            Self::Removed { by, paths } => format!("Step {by} deleted {}.", paths.join(", ")),
            Self::Unused => "Nothing in the report rests on it.".into(),
        }
    }
}

/// A step that ran code.
struct Step<'a> {
    number: u32,
    title: &'a str,
    text: &'a str,
    names: Names,
    failure: Option<String>,
    tables: &'a [TableChange],
    changed: Vec<&'a str>,
}

fn steps(events: &[Event]) -> Vec<Step<'_>> {
    let mut found: BTreeMap<u32, Step<'_>> = BTreeMap::new();
    for event in events {
        match event {
            Event::StepStarted { step, title, arguments, .. } => {
                let text = |name: &str| arguments[name].as_str();
                let Some(text) = text("code").or_else(|| text("command")) else { continue };
                let names = arguments["code"].as_str().map(Names::of).unwrap_or_default();
                let (number, tables, changed) = (*step, [].as_slice(), Vec::new());
                found.insert(number, Step { number, title, text, names, failure: None, tables, changed });
            }
            Event::StepEnded { step, ok, outcome, observation } => {
                let Some(step) = found.get_mut(step) else { continue };
                if let Some(outcome) = outcome {
                    step.tables = &outcome.tables;
                    step.changed = outcome.changed.iter().map(|file| file.path.as_str()).collect();
                }
                step.failure = (!ok).then(|| {
                    let message = match outcome.as_deref() {
                        Some(outcome) => match &outcome.error {
                            Some(error) => format!("{}: {}", error.kind, error.message),
                            None => how(outcome.status).to_owned(),
                        },
                        None => observation.clone(),
                    };
                    let line = message.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
                    line.chars().take(MESSAGE_LENGTH).collect()
                });
            }
            _ => {}
        }
    }
    found.into_values().collect()
}

fn how(status: StepStatus) -> &'static str {
    match status {
        StepStatus::Ok | StepStatus::Error => "the command failed",
        StepStatus::Timeout => "it took too long",
        StepStatus::Interrupted => "it was stopped",
        StepStatus::OutOfMemory => "the sandbox used up its memory",
        StepStatus::Exited => "the code ended its own process",
        StepStatus::Crashed => "the process crashed",
    }
}

/// Which step made which file of `output/`, and what became of it.
#[derive(Default)]
struct Files<'a> {
    /// Path -> the step whose work it is now.
    left: BTreeMap<&'a str, u32>,
    /// Step -> what was made anew or deleted later: (path, by which step, whether it was deleted).
    lost: BTreeMap<u32, Vec<(&'a str, u32, Fate)>>,
}

#[derive(Clone, Copy, PartialEq)]
enum Fate {
    Replaced,
    Removed,
}

impl<'a> Files<'a> {
    fn of(events: &'a [Event]) -> Self {
        let mut files = Self::default();
        for event in events {
            match event {
                Event::ArtifactSaved { step, path, .. } => {
                    let before = files.left.insert(path, *step);
                    files.lose(before, path, *step, Fate::Replaced);
                }
                Event::ArtifactRemoved { step, path } => {
                    let before = files.left.remove(path.as_str());
                    files.lose(before, path, *step, Fate::Removed);
                }
                _ => {}
            }
        }
        files
    }

    fn lose(&mut self, before: Option<u32>, path: &'a str, by: u32, fate: Fate) {
        // A report that is written anew is corrected; that is no other attempt at the analysis.
        if let Some(before) = before.filter(|before| *before != by && path != REPORT) {
            self.lost.entry(before).or_default().push((path, by, fate));
        }
    }

    fn lost(&self, step: u32) -> Option<Left> {
        let lost = self.lost.get(&step)?;
        let (_, by, fate) = *lost.first()?;
        let paths =
            lost.iter().filter(|each| each.1 == by && each.2 == fate).map(|each| each.0.to_owned()).collect();
        Some(match fate {
            Fate::Replaced => Left::Replaced { by, paths },
            Fate::Removed => Left::Removed { by, paths },
        })
    }
}

/// The steps that the report rests on: those that its figures lead to and whose files are left, and in turn
/// those that made what they use.
fn counting(steps: &[Step<'_>], files: &Files<'_>, check: &ReportCheck) -> BTreeSet<u32> {
    let figures = check.figures.iter().filter_map(|figure| match figure.verdict {
        Verdict::Printed { step, .. }
        | Verdict::Tabled { step, .. }
        | Verdict::Written { step }
        | Verdict::Chosen { step, .. } => Some(step),
        Verdict::Derived { .. } | Verdict::Input { .. } | Verdict::Asked | Verdict::NotFound => None,
    });
    let mut waiting: Vec<u32> = figures.chain(files.left.values().copied()).collect();
    let mut counting = BTreeSet::new();
    while let Some(number) = waiting.pop() {
        if !counting.insert(number) {
            continue;
        }
        let Some(at) = steps.iter().position(|step| step.number == number) else { continue };
        waiting.extend(sources(&steps[at], &steps[..at]).iter().map(|step| step.number));
    }
    counting
}

/// The earlier steps that made what a step uses: its variables, told by their names, and files, told by theirs.
fn sources<'a>(step: &Step<'_>, earlier: &'a [Step<'a>]) -> Vec<&'a Step<'a>> {
    let mut found = Vec::new();
    for name in &step.names.needed {
        for before in earlier.iter().rev() {
            let made = before.names.made.contains(name);
            if made || before.names.touched.contains(name) {
                found.push(before);
            }
            // A step that failed may have come to this line or not.
            if made && before.failure.is_none() {
                break;
            }
        }
    }
    let file_name = |path: &str| path.rsplit('/').next().map(str::to_owned).unwrap_or_default();
    let reads = |before: &&Step<'_>| before.changed.iter().any(|path| step.text.contains(&file_name(path)));
    found.extend(earlier.iter().filter(reads));
    found
}

#[cfg(test)]
#[path = "data_story_tests.rs"]
mod tests;
