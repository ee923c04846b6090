//! An earlier run, as far as it can be done again.

use std::path::PathBuf;

use assay_agent::{Event, Repeatable, repeatable};
use assay_tabular::Kind;
use serde::Deserialize;

use super::python::{calls, scan};
use super::words::READERS;
use crate::contract::REPORT;
use crate::engine::Engine;
use crate::open_run::loop_events;
use crate::problem::{Code, Problem};
use crate::run::RunRecord;

/// A run may do one again that does one again; further back is not looked.
const MOST_GENERATIONS: usize = 100;

/// An earlier run.
pub(crate) struct Past {
    pub(crate) record: RunRecord,
    pub(crate) started_at: String,
    pub(crate) events: Vec<Event>,
    /// The steps that are worth doing again.
    pub(crate) steps: Vec<Repeatable>,
    /// The tables as the model was told of them, in the order of the files.
    pub(crate) tables: Vec<ToldTable>,
    /// The person's notes.
    pub(crate) notes: String,
    /// Where its artifacts are.
    pub(crate) output: PathBuf,
}

/// A table as a model was told of it.
#[derive(Debug, Clone, Default, Deserialize)]
pub(crate) struct ToldTable {
    /// Such as `input/sales.csv`.
    pub(crate) path: String,
    /// The file that it was prepared from, where code reads a prepared table.
    #[serde(default)]
    pub(crate) prepared_from: Option<String>,
    /// The expression that reads it.
    #[serde(default)]
    pub(crate) read_with: String,
    /// The variable that held it from the start.
    #[serde(default)]
    pub(crate) frame: Option<String>,
    /// What was left out of it, a sentence each.
    #[serde(default)]
    pub(crate) left_out: Vec<String>,
    pub(crate) columns: Vec<ToldColumn>,
}

/// A column as a model was told of it.
#[derive(Debug, Clone, Default, Deserialize)]
pub(crate) struct ToldColumn {
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) kind: Option<Kind>,
    #[serde(default)]
    pub(crate) unit: Option<String>,
    #[serde(default)]
    pub(crate) date_format: Option<String>,
}

impl Past {
    /// Reads a run of the history.
    pub(crate) fn open(engine: &Engine, run: &str) -> Result<Self, Problem> {
        let store = engine.open_store()?;
        let unknown = || Problem::new(Code::Input, "This run is not in the history.", "Choose another one.");
        let row = store.run(run)?.ok_or_else(unknown)?;
        let record: RunRecord =
            serde_json::from_str(&row.record).map_err(|error| Problem::storage(&error))?;
        let events = loop_events(&store, run)?;
        let steps = repeatable(&events);
        let nothing = || {
            Problem::new(
                Code::Input,
                "This run has no step that could be done again.",
                "Choose another run, or ask the question anew on the file.",
            )
        };
        let (tables, notes) = briefed(&events).ok_or_else(nothing)?;
        if !steps.iter().any(|step| step.worked && step.turn > 0) {
            return Err(nothing());
        }
        let output = engine.run_folder(run).join("output");
        Ok(Self { record, started_at: row.started_at, events, steps, tables, notes, output })
    }

    /// Its report.
    pub(crate) fn report(&self) -> Option<String> {
        std::fs::read_to_string(self.output.join(REPORT)).ok()
    }

    /// The day it began, such as `12 Mar 2026`.
    pub(crate) fn day(&self) -> String {
        let day = self.started_at.parse::<jiff::Timestamp>();
        day.map_or_else(|_| self.started_at.clone(), |day| day.strftime("%-d %b %Y").to_string())
    }

    /// Whether its words are the built-in analyst's, whose code writes every figure anew; also where it does a
    /// run of that kind again.
    pub(crate) fn is_by_rules(&self, engine: &Engine) -> bool {
        let mut record = self.record.clone();
        for _ in 0..MOST_GENERATIONS {
            let Some(again) = &record.again else { return !record.model.is_ai };
            let row = engine.open_store().ok().and_then(|store| store.run(&again.run).ok().flatten());
            match row.and_then(|row| serde_json::from_str(&row.record).ok()) {
                Some(earlier) => record = earlier,
                None => return false,
            }
        }
        false
    }

    /// Everything that was asked after the first question.
    pub(crate) fn asked_further(&self) -> Vec<&str> {
        let asks = self.events.iter().filter_map(|event| match event {
            Event::Asked { ask } => Some(ask.as_str()),
            _ => None,
        });
        asks.collect()
    }

    /// The place among its files of the one that a new one stands for: the one that is named; the only
    /// one; that of the same place or name; else the one that shares most columns with it.
    pub(crate) fn place_of(
        &self,
        named: Option<&str>,
        file: &std::path::Path,
        columns: &[String],
    ) -> Result<usize, Problem> {
        let names: Vec<&str> = self.record.files.iter().map(|file| file.destination.as_str()).collect();
        if let Some(named) = named {
            let found = names.iter().position(|name| *name == named || format!("input/{name}") == named);
            return found.ok_or_else(|| {
                Problem::new(
                    Code::Input,
                    format!("The earlier run has no file `{named}`."),
                    format!("Its files are: {}.", names.join(", ")),
                )
            });
        }
        if names.len() == 1 {
            return Ok(0);
        }
        if let Some(same) =
            self.record.files.iter().position(|earlier| earlier.source.as_deref() == Some(file))
        {
            return Ok(same);
        }
        let shared: Vec<usize> = names
            .iter()
            .map(|name| {
                let told = self.tables.iter().find(|table| table.is_of(name));
                let own = told.map(|table| table.columns.as_slice()).unwrap_or_default();
                own.iter().filter(|column| columns.contains(&column.name)).count()
            })
            .collect();
        let most = shared.iter().copied().max().unwrap_or(0);
        let mut best = (0..names.len()).filter(|at| shared[*at] == most);
        match (best.next(), best.next()) {
            (Some(one), None) if most > 0 => Ok(one),
            _ => Err(Problem::new(
                Code::Input,
                "The earlier run has several files, and it is not clear which one the new file stands for.",
                format!("Say which one: {}.", names.join(", ")),
            )
            .at_a_prompt("--for NAME says it.")),
        }
    }
}

/// What the opening message says of the tables, and the person's notes.
fn briefed(events: &[Event]) -> Option<(Vec<ToldTable>, String)> {
    let (opening, surroundings) = events.iter().find_map(|event| match event {
        Event::Briefed { opening, surroundings, .. } => Some((opening, surroundings)),
        _ => None,
    })?;
    let (tables, rest) = opening.split_once("<tables>\n")?.1.split_once("\n</tables>")?;
    let mut tables: Vec<ToldTable> = serde_json::from_str(tables).ok()?;
    for table in &mut tables {
        let names = surroundings.tables.iter().find(|names| names.path == table.path);
        // A table with very many columns is told of only in part.
        for name in names.map(|names| names.columns.as_slice()).unwrap_or_default() {
            if !table.columns.iter().any(|column| column.name == *name) {
                table.columns.push(ToldColumn { name: name.clone(), ..ToldColumn::default() });
            }
        }
        if let (true, Some(frame)) = (table.read_with.is_empty(), &table.frame) {
            let begins = format!("{frame} = ");
            let mut lines = surroundings.prelude.as_deref().unwrap_or_default().lines();
            let read = lines.find_map(|line| line.strip_prefix(&begins));
            read.unwrap_or_default().clone_into(&mut table.read_with);
        }
    }
    let notes = rest.split_once("<notes>\n").and_then(|(_, notes)| notes.split_once("\n</notes>"));
    Some((tables, notes.map(|(notes, _)| notes.to_owned()).unwrap_or_default()))
}

impl ToldTable {
    /// Whether it is what a file below `input/` says.
    pub(crate) fn is_of(&self, name: &str) -> bool {
        self.prepared_from.as_ref().unwrap_or(&self.path).strip_prefix("input/") == Some(name)
    }

    /// What the reading expression does to the rows after they are read: what the person chose to leave out.
    pub(crate) fn without_rows(&self) -> String {
        let bare = scan(&self.read_with).bare;
        let Some(read) = calls(&bare, &READERS).into_iter().next() else { return String::new() };
        let kept = calls(&bare, &["drop_duplicates", "dropna"]);
        let kept = kept.into_iter().filter(|call| call.name.start > read.inside.end);
        // From the point before the name to the closing bracket.
        kept.map(|call| &self.read_with[call.name.start - 1..=call.inside.end]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_left_out_is_left_out_again() {
        let table = ToldTable {
            read_with: "pd.read_csv('input/a.csv').rename(columns={'x': 'y'}).drop_duplicates().dropna(subset=['y)'])".into(),
            ..ToldTable::default()
        };
        assert_eq!(table.without_rows(), ".drop_duplicates().dropna(subset=['y)'])");
        assert_eq!(ToldTable::default().without_rows(), "");
    }
}
