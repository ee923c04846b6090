//! Unusual readings: in a time series, else rows of a plain table that lie far from the others.

use super::{Clues, Intent};
use crate::choice::{Series, series};
use crate::opening::Column;
use crate::plan::{Plan, Step, Task, four_steps};
use crate::python::{boolean, list, optional, string};
use crate::words::{Adding, Quantity, in_words, is_among, quantity, unit};

pub(super) const INTENT: Intent = Intent {
    word: "unusual",
    does: "unusual readings in a time series, unusual rows in a table",
    cues: &[
        ("unusual*", 8),
        ("anomal*", 8),
        ("outlier*", 8),
        ("strange*", 7),
        ("odd", 6),
        ("odd*", 3),
        ("spike*", 7),
        ("fault*", 7),
        ("abnormal*", 8),
        ("wrong", 3),
        ("suspicious*", 7),
        ("unexpected*", 6),
        ("weird*", 7),
        ("irregular*", 7),
        ("stands out", 2),
        ("outage*", 6),
        ("ungewöhnlich*", 8),
        ("auffällig*", 8),
        ("ausreißer*", 8),
        ("inhabituel*", 8),
        ("anormal*", 8),
        ("inusual*", 8),
    ],
    fits: |_: &Clues<'_>| 0,
    plan,
};

fn plan(task: &Task<'_>) -> Plan {
    // Many texts beside irregular times are rows of their own, such as orders, and no readings of one thing.
    let texts = task.table.columns.iter().filter(|column| !column.is_number() && !column.is_time()).count();
    let is_series = texts < 2 || task.table.columns.iter().any(|column| column.step_s.is_some());
    let says_rows = crate::words::words(task.request)
        .iter()
        .any(|word| is_among(word, "row rows record records entries orders"));
    let wholly =
        is_series && !says_rows && task.question.conditions.is_empty() && task.question.groups.is_empty();
    match series(task.table, task.request, &task.question.measures).filter(|_| wholly) {
        Some((_, series)) => of_series(&series, &task.note(), &task.opening.tables_asked_for()),
        None => four_steps(
            task,
            "Looking for rows far from the others",
            include_str!("../python/unusual/rows/compute.py"),
            include_str!("../python/unusual/rows/chart.py"),
        ),
    }
}

/// The plan for this series.
fn of_series(series: &Series<'_>, note: &str, asked_for: &[&str]) -> Plan {
    let steps = vec![
        Step {
            title: "Reading the file",
            sentence: "First I read the times and the readings, and check what is missing.".into(),
            code: format!(
                "{}\n{}",
                header(series, note, asked_for),
                include_str!("../python/unusual/read.py")
            ),
        },
        Step {
            title: "Checking for faulty readings",
            sentence: "Stuck values, zeros and impossible temperatures are set apart first, so that nothing is learnt from them.".into(),
            code: include_str!("../python/unusual/faults.py").to_owned(),
        },
        Step {
            title: "Learning the usual pattern",
            sentence: "Now I work out what is usual for each hour and kind of day.".into(),
            code: include_str!("../python/unusual/pattern.py").to_owned(),
        },
        Step {
            title: "Finding unusual readings",
            sentence: "I compare each reading with what was expected, and join neighbouring unusual ones into events.".into(),
            code: include_str!("../python/unusual/find.py").to_owned(),
        },
        Step {
            title: "Describing the events",
            sentence: "Each event gets its size and a description.".into(),
            code: include_str!("../python/unusual/describe.py").to_owned(),
        },
        Step {
            title: "Drawing the charts",
            sentence: "I draw the whole period with the events marked, and the most important ones close up.".into(),
            code: include_str!("../python/unusual/chart.py").to_owned(),
        },
        Step {
            title: "Writing the report",
            sentence: "Last I write the report.".into(),
            code: include_str!("../python/unusual/report.py").to_owned(),
        },
    ];
    Plan { steps, writing_from: 4 }
}

/// The constants that the steps are written against.
fn header(series: &Series<'_>, note: &str, asked_for: &[&str]) -> String {
    let value = &series.value.name;
    let (value_unit, adding) = unit(value).unwrap_or(("", Adding::Mean));
    let temperature = series.temperature.map(|column| column.name.as_str());
    let temperature_unit = temperature.and_then(unit).map_or("", |(shown, _)| shown);
    format!(
        "\
import os
import re

# Many small products of matrices: threads would only wait for each other.
os.environ.setdefault(\"OPENBLAS_NUM_THREADS\", \"1\")

import matplotlib.dates as mdates
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

# Chosen from the table's profile and the request.
TABLE = {table}
TABLE_NOTE = {note}
TIME = {time}
TIME_FORMAT = {format}
TIME_HAS_ZONE = {zone}
VALUE = {value}
VALUE_WORDS = {words}
UNIT = {unit}
HOW_ADDED = {adding}
IS_USE = {is_use}
TEMPERATURE = {temperature}
TEMPERATURE_UNIT = {temperature_unit}
TABLES_ASKED_FOR = {asked_for}


def read_table():
    return {read}

",
        table = string(&series.table.path),
        note = string(note),
        time = string(&series.time.name),
        format = optional(without_zone(series.time).as_deref()),
        zone = boolean(has_zone(series.time)),
        value = string(value),
        words = string(&in_words(value)),
        unit = string(value_unit),
        adding = string(adding.python_name()),
        is_use = boolean(quantity(value) == Quantity::Use),
        temperature = optional(temperature),
        temperature_unit = string(temperature_unit),
        asked_for = list(asked_for.iter().copied()),
        read = series.table.read_with,
    )
}

/// How the times are written, without the offset from UTC.
fn without_zone(time: &Column) -> Option<String> {
    time.date_format.as_deref().map(|format| format.replace("%z", "").trim_end().to_owned())
}

/// Whether the times carry an offset from UTC.
fn has_zone(time: &Column) -> bool {
    time.date_format.as_deref().is_some_and(|format| format.contains("%z"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intent::tests::all_are;

    #[test]
    fn is_asked_in_these_words() {
        all_are(&INTENT, "building", &["any anomalies?", "find spikes in energy use"]);
    }
}
