//! From an earlier run and a new file to the steps that are done again.

use assay_agent::{Budget, Repeatable};
use assay_tabular::Table;
use serde_json::{Value, json};

use super::check::{place, settled};
use super::past::{Past, ToldTable};
use super::words::Instead;
use super::{AgainOf, AgainRequest, MovedColumn, MovedFile};
use crate::engine::Engine;
use crate::input::{Input, ReadInput, free_name, manifest, read_at_once};
use crate::problem::{Code, Problem};
use crate::run::RunRecord;
use crate::staging::inputs_of;

/// What the ids of calls begin with that repeat a step; the number of the earlier step follows.
pub(super) const STEP: &str = "again-";
/// The id of the call that names the columns as before.
pub(super) const NAMING: &str = "again-names";
/// The id of the call that puts new figures into a report that was written as a text.
pub(super) const RENEWING: &str = "again-report";
/// What stands behind the title of a step that was mended.
pub(super) const MENDED: &str = " (mended for the new file)";

/// The steps that are done again.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Plan {
    /// What is done again.
    pub(crate) of: AgainOf,
    /// The day on which the earlier run began.
    pub(super) day: String,
    /// Whether the earlier run's words are those of the built-in analyst.
    pub(super) is_by_rules: bool,
    /// The step that names the columns as before, where some are called otherwise.
    pub(super) naming: Option<String>,
    /// The steps, in order.
    pub(super) steps: Vec<Planned>,
}

/// A step that is done again.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Planned {
    /// Its number in the earlier run.
    pub(super) step: u32,
    /// Whether it only loads the tables, which the loop may have done already.
    pub(super) loads: bool,
    pub(super) tool: String,
    pub(super) title: String,
    pub(super) arguments: Value,
    /// Whether it worked in the earlier run.
    pub(super) worked: bool,
}

/// Turns and steps beside those of the plan: naming, mending, a report, the last words.
const BESIDE: u32 = 16;

impl Plan {
    /// The budget with as many turns and steps as the plan needs: its length is known, and it costs nothing.
    pub(crate) fn room_in(&self, budget: Budget) -> Budget {
        let needed = u32::try_from(self.steps.len()).unwrap_or(u32::MAX).saturating_add(BESIDE);
        Budget { turns: budget.turns.max(needed), steps: budget.steps.max(needed), ..budget }
    }
}

/// The files of a run that is done again.
pub(crate) struct Restaged {
    pub(crate) inputs: Vec<Input>,
    pub(crate) reads: Vec<ReadInput>,
    /// The variables that hold the tables, where the earlier run had them loaded.
    pub(crate) frames: Vec<String>,
}

/// Puts the new file in its place and makes the plan.
pub(crate) fn prepare(
    engine: &Engine,
    past: &Past,
    request: &AgainRequest,
) -> Result<(Plan, Restaged), Problem> {
    let placed = place(past, &request.file, request.instead_of.as_deref())?;
    let columns = settled(&placed, request)?;
    let mut taken: Vec<String> =
        past.record.files.iter().map(|file| file.destination.to_lowercase()).collect();
    taken.remove(placed.at);
    let file = std::path::absolute(&request.file).unwrap_or_else(|_| request.file.clone());
    // Quotes and brackets are read differently in texts, formatted texts and commands.
    let plain = |name: String| name.replace(['\'', '"', '{', '}', '$', '`', '\\', '!'], "_");
    let now = plain(free_name(&file, &taken.into_iter().collect()));
    let before = past.record.files[placed.at].destination.clone();
    let of = AgainOf { run: past.record.id.clone(), file: MovedFile { before, now }, columns };
    let new = Input { path: file, destination: of.file.now.clone(), settings: placed.settings };
    let inputs = inputs(&past.record, placed.at, &new)?;
    staged(engine, past, of, inputs)
}

/// The plan of a run that was cut off, from its record.
pub(crate) fn resume(engine: &Engine, record: &RunRecord) -> Option<Plan> {
    let of = record.again.clone()?;
    let past = Past::open(engine, &of.run).ok()?;
    staged(engine, &past, of, inputs_of(record)).ok().map(|(plan, _)| plan)
}

/// The files of the new run: those of the earlier one, unchanged, with the new one in its place.
fn inputs(record: &RunRecord, at: usize, new: &Input) -> Result<Vec<Input>, Problem> {
    let replaced = &record.files[at].destination;
    let mut inputs = inputs_of(record);
    for input in &mut inputs {
        if input.destination == *replaced {
            *input = new.clone();
            continue;
        }
        let earlier = record.files.iter().find(|file| file.destination == input.destination);
        let is_as_before =
            manifest(std::slice::from_ref(input)).is_ok_and(|manifest| manifest.files().iter().eq(earlier));
        if !is_as_before {
            return Err(Problem::new(
                Code::Input,
                format!("The earlier run's other file, {}, has changed or is gone.", input.destination),
                "Put it back as it was, or ask the question anew on the files as they are now.",
            ));
        }
    }
    Ok(inputs)
}

fn staged(
    engine: &Engine,
    past: &Past,
    of: AgainOf,
    inputs: Vec<Input>,
) -> Result<(Plan, Restaged), Problem> {
    let mut reads = inputs.iter().map(read_at_once).collect::<Result<Vec<_>, _>>()?;
    let told = |name: &str| past.tables.iter().find(|told| told.is_of(name));
    let none = ToldTable::default();
    let old = told(&of.file.before).unwrap_or(&none);
    let frames = past.tables.iter().filter_map(|told| told.frame.clone()).collect();
    let mut instead = Instead::default();
    let mut new_path = String::new();
    for (table, input) in reads.iter_mut().map(|read| &mut read.table).zip(&inputs) {
        let is_new = input.destination == of.file.now;
        let before = if is_new { old } else { told(&input.destination).unwrap_or(&none) };
        if is_new {
            name_as_before(table, &of.columns);
        }
        table.read_with.push_str(&before.without_rows());
        table.left_out.clone_from(&before.left_out);
        if is_new {
            instead = words(old, table, &of.file);
            new_path.clone_from(&table.path);
        }
    }
    let naming = (!of.columns.is_empty()).then(|| naming(&of, &new_path));
    let steps = past.steps.iter().filter(|step| step.call != NAMING).map(|step| planned(step, &instead));
    let steps = steps.collect();
    let plan = Plan { naming, steps, of, day: past.day(), is_by_rules: past.is_by_rules(engine) };
    Ok((plan, Restaged { inputs, reads, frames }))
}

/// Gives moved columns the names that the code knows, in what is said of the table and in how it is read.
fn name_as_before(table: &mut Table, columns: &[MovedColumn]) {
    if columns.is_empty() {
        return;
    }
    let pairs: Vec<String> = columns
        .iter()
        .map(|MovedColumn { before, now }| format!("{}: {}", text(now), text(before)))
        .collect();
    table.read_with = format!("{}.rename(columns={{{}}})", table.read_with, pairs.join(", "));
    for column in &mut table.columns {
        if let Some(moved) = columns.iter().find(|moved| moved.now == column.name) {
            column.name.clone_from(&moved.before);
        }
    }
    let moved = columns.iter().map(|MovedColumn { before, now }| format!("`{now}` is called `{before}`"));
    table.notes.push(format!("As in an earlier file, {}.", moved.collect::<Vec<_>>().join(", ")));
}

/// A text as a Python literal: JSON's is one.
fn text(text: &str) -> String {
    Value::from(text).to_string()
}

/// What the code says of the old file, and what is true of the new one.
fn words(old: &ToldTable, table: &Table, file: &MovedFile) -> Instead {
    let mut texts: Vec<(String, String)> = Vec::new();
    let mut unclear: Vec<String> = Vec::new();
    for before in &old.columns {
        let now = table.columns.iter().find(|column| column.name == before.name);
        let formats = before.date_format.clone().zip(now.and_then(|now| now.date_format.clone()));
        let Some((before, now)) = formats else { continue };
        if texts.iter().any(|(known, other)| *known == before && *other != now) {
            unclear.push(before.clone());
        }
        texts.push((before, now));
    }
    texts.retain(|(before, now)| before != now && !unclear.contains(before));
    texts.dedup();
    let list = |kinds: Vec<Value>| {
        let kinds: Vec<String> = kinds.iter().map(Value::to_string).collect();
        format!("KINDS = [{}]\n", kinds.join(", "))
    };
    // The built-in analyst writes down the kinds of all columns.
    let before = list(old.columns.iter().map(|column| json!(column.kind)).collect());
    let now = list(table.columns.iter().map(|column| json!(column.kind)).collect());
    Instead {
        old_name: file.before.clone(),
        new_name: file.now.clone(),
        old_path: below_input(&old.path),
        new_path: below_input(&table.path),
        old_read: old.read_with.clone(),
        new_read: table.read_with.clone(),
        texts,
        pieces: vec![(before, now)],
    }
}

fn below_input(path: &str) -> String {
    path.strip_prefix("input/").unwrap_or(path).to_owned()
}

fn naming(of: &AgainOf, path: &str) -> String {
    let pairs: serde_json::Map<String, Value> =
        of.columns.iter().map(|moved| (moved.now.clone(), moved.before.clone().into())).collect();
    format!("{}_name_columns_as_before({}, {})\n", include_str!("naming.py"), text(path), Value::from(pairs))
}

fn planned(step: &Repeatable, instead: &Instead) -> Planned {
    let mut arguments = step.arguments.clone();
    if let Value::Object(fields) = &mut arguments {
        for (name, value) in fields.iter_mut() {
            let Value::String(text) = value else { continue };
            *text = match (step.tool.as_str(), name.as_str()) {
                ("run_python", "code") => instead.in_python(text),
                ("run_shell", "command") => instead.in_shell(text),
                (_, "path") => text.clone(),
                _ => instead.in_text(text),
            };
        }
    }
    let title = instead.in_text(step.title.trim_end_matches(MENDED));
    Planned {
        step: step.step,
        loads: step.turn == 0,
        tool: step.tool.clone(),
        title,
        arguments,
        worked: step.worked,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moved_columns_are_named_as_the_code_knows_them() {
        let moved = MovedColumn { before: "it's".into(), now: "It \"is\"".into() };
        let of = AgainOf {
            run: "r".into(),
            file: MovedFile { before: "a.csv".into(), now: "b.csv".into() },
            columns: vec![moved],
        };
        let code = naming(&of, "input/b.csv");
        assert!(
            code.ends_with("_name_columns_as_before(\"input/b.csv\", {\"It \\\"is\\\"\":\"it's\"})\n"),
            "{code}"
        );
    }
}
