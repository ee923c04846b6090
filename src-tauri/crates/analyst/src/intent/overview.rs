//! An overview of any table.

use super::{Clues, Intent};
use crate::opening::{Kind, Table};
use crate::plan::{Plan, Step, Task};
use crate::python::{list, string};
use crate::words::is_among;

pub(super) const INTENT: Intent = Intent {
    word: "overview",
    does: "an overview of any table",
    cues: &[
        ("overview", 6),
        ("describe", 4),
        ("summar*", 4),
        ("profile", 4),
        ("explore", 4),
        ("what is in", 4),
        ("what s in", 4),
        ("tell me about", 4),
        ("about this", 3),
        ("look at", 2),
        ("stands out", 4),
        ("show me the data", 4),
    ],
    fits,
    plan,
};

/// For questions that no other intent fits: an overview that says so.
pub(super) const UNKNOWN: Intent = Intent { word: "unknown", does: "", cues: &[], fits: |_| 0, plan };

/// A request of these words alone asks for an overview; any other word makes it a question.
const OVERVIEW: &str = "a about an and are at brief content contents csv data dataset describe description explore file \
    files first for general give have here i in is it look me my of overview please profile quick short \
    show spreadsheet summarise summarize summary table tables tell that the these this us what s . , ?";

fn fits(clues: &Clues<'_>) -> i32 {
    let all = clues.words.iter().all(|word| is_among(word, OVERVIEW));
    4 * i32::from(all) - 3 * i32::try_from(clues.measures + clues.groups).unwrap_or(9)
}

/// The plan for this table.
fn plan(task: &Task<'_>) -> Plan {
    let (table, note) = (task.table, task.note());
    let steps = vec![
        Step {
            title: "Reading the table",
            sentence: opening_sentence(task.apology),
            code: format!(
                "{}\n{}",
                header(table, task.apology, &note),
                include_str!("../python/overview/read.py")
            ),
        },
        Step {
            title: "Looking at every column",
            sentence: "For each column I note what it holds, what is missing and its range.".into(),
            code: include_str!("../python/overview/columns.py").to_owned(),
        },
        Step {
            title: "Looking for what stands out",
            sentence: "Then I compare the columns with each other.".into(),
            code: include_str!("../python/overview/facts.py").to_owned(),
        },
        Step {
            title: "Drawing the charts",
            sentence: "I draw what the columns allow.".into(),
            code: include_str!("../python/overview/chart.py").to_owned(),
        },
        Step {
            title: "Writing the report",
            sentence: "Last I write the report.".into(),
            code: include_str!("../python/overview/report.py").to_owned(),
        },
    ];
    Plan { steps, writing_from: 3 }
}

/// What is said before the first step.
fn opening_sentence(apology: &str) -> String {
    if apology.is_empty() {
        "First I read the table.".to_owned()
    } else {
        format!("{apology} First I read the table.")
    }
}

/// The constants that the steps are written against.
fn header(table: &Table, apology: &str, note: &str) -> String {
    let formats: Vec<String> = table
        .columns
        .iter()
        .filter_map(|column| Some((column, column.date_format.as_deref()?)))
        .map(|(column, format)| format!("({}, {})", string(&column.name), string(format)))
        .collect();
    format!(
        "\
import os
import re

import matplotlib.dates as mdates
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

# From the table's profile.
TABLE = {table}
TABLE_NOTE = {note}
APOLOGY = {apology}
KINDS = {kinds}
TIME_FORMATS = [{formats}]


def read_table():
    return {read}

",
        table = string(&table.path),
        note = string(note),
        apology = string(apology),
        kinds = list(table.columns.iter().map(|column| kind(column.kind))),
        formats = formats.join(", "),
        read = table.read_with,
    )
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Integer => "integer",
        Kind::Decimal => "decimal",
        Kind::Boolean => "boolean",
        Kind::Date => "date",
        Kind::Timestamp => "timestamp",
        Kind::Time => "time",
        Kind::Category => "category",
        Kind::Identifier => "identifier",
        Kind::Empty => "empty",
        Kind::Text => "text",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intent::tests::all_are;

    #[test]
    fn is_asked_in_these_words() {
        all_are(&INTENT, "cars", &["overview", "what is in this file?"]);
    }
}
