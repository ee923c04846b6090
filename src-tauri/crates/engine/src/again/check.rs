//! Whether a new file has what the steps of an earlier run need.

use std::path::Path;

use assay_tabular::{Kind, Settings, Table, TableError};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::likeness::{is_like, kind_word, proposals};
use super::past::{Past, ToldTable};
use super::python::{calls, scan};
use super::{AgainRequest, MovedColumn};
use crate::engine::Engine;
use crate::input::{Input, clean, read_at_once};
use crate::problem::{Code, Problem};

/// What a new file has of what an earlier run's steps need.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct NewFileCheck {
    /// The earlier run.
    pub run: String,
    /// The new file's name.
    pub file: String,
    /// The name of the file that it takes the place of.
    pub instead_of: String,
    /// How many steps will be done again.
    pub steps: usize,
    /// The columns that the steps use.
    pub needed: Vec<String>,
    /// Those of them that the new file does not have under this name.
    pub missing: Vec<MissingColumn>,
    /// What is otherwise than in the earlier file and may matter, a plain sentence each.
    pub remarks: Vec<String>,
}

/// A column that the steps use and that the new file does not have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MissingColumn {
    /// Its name in the earlier file.
    pub name: String,
    /// Columns of the new file that may be the same, the likeliest first. With exactly one there is hardly a
    /// doubt.
    pub proposals: Vec<String>,
}

/// A new file in the place of an earlier one.
pub(super) struct Placed {
    /// The place among the earlier run's files.
    pub(super) at: usize,
    /// The new file, as it is.
    pub(super) table: Table,
    /// How it is read: as was set for the earlier file, where that fits.
    pub(super) settings: Settings,
    pub(super) check: NewFileCheck,
}

impl Engine {
    /// Checks whether a new file has the columns that an earlier run's steps use. `instead_of` names the
    /// earlier file, where it is not plain which one is meant.
    pub fn check_new_file(
        &self,
        run: &str,
        file: &Path,
        instead_of: Option<&str>,
    ) -> Result<NewFileCheck, Problem> {
        let past = Past::open(self, run)?;
        Ok(place(&past, file, instead_of)?.check)
    }
}

/// Reads the new file and puts it in its place.
pub(super) fn place(past: &Past, file: &Path, instead_of: Option<&str>) -> Result<Placed, Problem> {
    let file = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    let name = file.file_name().map_or_else(|| "table".into(), clean);
    let as_it_says = Input { path: file.clone(), destination: name.clone(), settings: Settings::default() };
    let read = read_at_once(&as_it_says)?;
    let columns: Vec<String> = read.table.columns.iter().map(|column| column.name.clone()).collect();
    let at = past.place_of(instead_of, &file, &columns)?;
    let instead_of = past.record.files[at].destination.clone();
    let as_before = past.record.prepared.iter().find(|table| table.from == instead_of);
    let settings = as_before.map(|table| table.settings.clone()).filter(|settings| !settings.is_empty());
    let (table, settings, misfit) = match settings {
        None => (read.table, Settings::default(), None),
        Some(settings) => match read_at_once(&Input { settings: settings.clone(), ..as_it_says }) {
            Ok(read) => (read.table, settings, None),
            Err(TableError::Setting { what, .. }) => (read.table, Settings::default(), Some(what)),
            Err(error) => return Err(error.into()),
        },
    };
    let none = ToldTable::default();
    let old = past.tables.iter().find(|told| told.is_of(&instead_of)).unwrap_or(&none);
    let elsewhere = |name: &str| {
        let mut others = past.tables.iter().filter(|told| told.path != old.path);
        others.any(|told| told.columns.iter().any(|column| column.name == name))
    };
    let needed: Vec<String> = needed(past, old);
    let free: Vec<(String, Kind)> = table
        .columns
        .iter()
        .filter(|column| !old.columns.iter().any(|before| before.name == column.name))
        .map(|column| (column.name.clone(), column.kind))
        .collect();
    let mut remarks: Vec<String> = Vec::new();
    remarks.extend(misfit.map(|what| {
        format!("The new file is read as it says itself, not as was set for the earlier one: {what}.")
    }));
    let mut missing = Vec::new();
    for before in old.columns.iter().filter(|column| needed.contains(&column.name)) {
        match table.columns.iter().find(|column| column.name == before.name) {
            Some(now) => remarks.extend(before.kind.filter(|kind| !is_like(*kind, now.kind)).map(|kind| {
                let (before, now_word) = (kind_word(kind), kind_word(now.kind));
                format!("`{}` held {before} before and holds {now_word} now.", now.name)
            })),
            None if elsewhere(&before.name) => {
                remarks.push(format!("The new file has no column `{}`; another file has one.", before.name));
            }
            None => {
                let proposals = proposals(&before.name, before.kind, &free);
                remarks.extend(other_unit(before.unit.as_deref(), &before.name, &proposals, &table));
                missing.push(MissingColumn { name: before.name.clone(), proposals });
            }
        }
    }
    if table.rows == 0 {
        remarks.push("The new file has no rows.".into());
    }
    let steps = past.steps.iter().filter(|step| step.turn > 0).count();
    let check =
        NewFileCheck { run: past.record.id.clone(), file: name, instead_of, steps, needed, missing, remarks };
    Ok(Placed { at, table, settings, check })
}

/// A column that is measured otherwise is no mere matter of names.
fn other_unit(unit: Option<&str>, name: &str, proposals: &[String], table: &Table) -> Option<String> {
    let [only] = proposals else { return None };
    let now = table.columns.iter().find(|column| column.name == *only)?.unit.as_deref()?;
    let before = unit.filter(|before| *before != now)?;
    Some(format!("`{name}` was in {before}, and `{only}` is in {now}: nothing is converted."))
}

/// The columns of a table that the code of the steps mentions: as a text, as an attribute, or in a query.
fn needed(past: &Past, old: &ToldTable) -> Vec<String> {
    let mut texts = std::collections::BTreeSet::new();
    let mut attributes = std::collections::BTreeSet::new();
    for step in &past.steps {
        // The reading expression names columns only to say how they are read.
        let code = match old.read_with.as_str() {
            "" => step.code().to_owned(),
            read => step.code().replace(read, ""),
        };
        let scanned = scan(&code);
        texts.extend(scanned.texts.iter().map(|text| unescaped(&code[text.clone()])));
        for call in calls(&scanned.bare, &["query", "eval"]) {
            let inside = scanned.texts.iter().filter(|text| call.inside.contains(&text.start));
            texts.extend(inside.flat_map(|text| names_in(&code[text.clone()])));
        }
        for (at, _) in scanned.bare.match_indices('.') {
            let rest = &scanned.bare[at + 1..];
            let length = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
            if length > 0 && !rest[length..].starts_with('(') {
                attributes.insert(rest[..length].to_owned());
            }
        }
    }
    let is_needed = |name: &String| texts.contains(name) || attributes.contains(name);
    old.columns.iter().map(|column| column.name.clone()).filter(is_needed).collect()
}

/// The names within a query: plain ones, and those between backticks.
fn names_in(query: &str) -> Vec<String> {
    let plain = query.split(|c: char| !(c.is_alphanumeric() || c == '_')).map(str::to_owned);
    plain.chain(query.split('`').skip(1).step_by(2).map(str::to_owned)).collect()
}

/// The text that a literal means, as far as names need it.
fn unescaped(text: &str) -> String {
    if !text.contains('\\') {
        return text.to_owned();
    }
    let read: Result<String, _> = serde_json::from_str(&format!("\"{}\"", text.replace("\\'", "'")));
    read.unwrap_or_else(|_| text.replace("\\'", "'").replace("\\\"", "\"").replace("\\\\", "\\"))
}

/// Checks what the person says of moved columns, and that nothing is missing then.
pub(super) fn settled(placed: &Placed, request: &AgainRequest) -> Result<Vec<MovedColumn>, Problem> {
    let Placed { table, check, .. } = placed;
    let has = |name: &str| table.columns.iter().any(|column| column.name == name);
    let wrong = |message: String, hint: &str| Err(Problem::new(Code::Input, message, hint));
    for MovedColumn { before, now } in &request.columns {
        if !has(now) {
            let names: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
            let hint = format!("Its columns are: {}.", names.join(", "));
            return wrong(format!("{} has no column `{now}`.", check.file), &hint);
        }
        if has(before) {
            return wrong(
                format!("{} has a column `{before}` of its own.", check.file),
                "Leave this one away: it is used as it is.",
            );
        }
        let twice =
            request.columns.iter().filter(|other| other.now == *now || other.before == *before).count() > 1;
        if twice || check.needed.contains(now) {
            return wrong(
                format!("`{now}` cannot stand for `{before}`: it is used already."),
                "Name another column.",
            );
        }
    }
    let is_moved = |name: &str| request.columns.iter().any(|moved| moved.before == name);
    let missing: Vec<String> = check
        .missing
        .iter()
        .filter(|missing| !is_moved(&missing.name))
        .map(|missing| format!("`{}`", missing.name))
        .collect();
    if missing.is_empty() {
        return Ok(request.columns.clone());
    }
    wrong(
        format!("{} lacks what the steps use: {}.", check.file, missing.join(", ")),
        "Say which of its columns takes the place of each.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_queries_and_escapes() {
        assert!(names_in("amount > 5 and `net sum` == 1").contains(&"net sum".to_owned()));
        assert!(names_in("amount > 5").contains(&"amount".to_owned()));
        assert_eq!(unescaped(r"it\'s"), "it's");
        assert_eq!(unescaped(r"a\u2013b"), "a\u{2013}b");
    }
}
