//! An overview of any table.

use super::{Plan, Step};
use crate::choice::Reason;
use crate::opening::{Kind, Table};
use crate::python::{list, string};

/// The plan for this table.
pub(super) fn plan(table: &Table, reason: Reason, note: &str) -> Plan {
    let steps = vec![
        Step {
            title: "Reading the table",
            sentence: opening_sentence(reason),
            code: format!("{}\n{}", header(table, reason, note), include_str!("../python/overview/read.py")),
        },
        Step {
            title: "Looking at every column",
            sentence: "For each column I note what it holds, what is missing and its range.",
            code: include_str!("../python/overview/columns.py").to_owned(),
        },
        Step {
            title: "Looking for what stands out",
            sentence: "Then I compare the columns with each other.",
            code: include_str!("../python/overview/facts.py").to_owned(),
        },
        Step {
            title: "Drawing the charts",
            sentence: "I draw what the columns allow.",
            code: include_str!("../python/overview/chart.py").to_owned(),
        },
        Step {
            title: "Writing the report",
            sentence: "Last I write the report.",
            code: include_str!("../python/overview/report.py").to_owned(),
        },
    ];
    Plan { steps, writing_from: 3 }
}

/// What is said to the person about why this is only an overview.
fn apology(reason: Reason) -> &'static str {
    match reason {
        Reason::Asked => "",
        Reason::CannotAnswer => {
            "This question is not one that the built-in analyst can answer; here is an overview of the table. Connect a model to ask freely."
        }
        Reason::NoSeries => {
            "The built-in analyst looks for unusual readings only in a table with a column of times and a column of numbers, and found none; here is an overview of the table. Connect a model to ask freely."
        }
        Reason::SearchFailed => {
            "The search for unusual readings failed on this table; here is an overview of it instead."
        }
    }
}

fn opening_sentence(reason: Reason) -> &'static str {
    match reason {
        Reason::Asked => "First I read the table.",
        Reason::CannotAnswer => {
            "The built-in analyst cannot answer this question, so it gives an overview of the table. First it reads it."
        }
        Reason::NoSeries => {
            "No table has both times and numbers, so I give an overview instead. First I read the table."
        }
        Reason::SearchFailed => "That did not work. I give an overview of the table instead.",
    }
}

/// The constants that the steps are written against.
fn header(table: &Table, reason: Reason, note: &str) -> String {
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
        apology = string(apology(reason)),
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
