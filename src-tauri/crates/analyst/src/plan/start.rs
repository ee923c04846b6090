//! The first step of a plan: the constants it is written against, and which rows count.

use std::fmt::Write;

use super::Task;
use crate::opening::{Column, Kind};
use crate::python::{boolean, list, optional, string};
use crate::question::{Bounds, Condition, Cycle, Form, Group, Order};
use crate::words::{adds_up, unit};

/// The imports and constants of a plan.
pub(crate) fn constants(task: &Task<'_>) -> String {
    let Task { question, table, .. } = task;
    let pairs = |wanted: fn(&Column) -> Option<String>| {
        let pairs = table.columns.iter().filter_map(|column| Some((column, wanted(column)?)));
        let pairs: Vec<String> =
            pairs.map(|(column, value)| format!("{}: {value}", string(&column.name))).collect();
        format!("{{{}}}", pairs.join(", "))
    };
    let top = question.top.map_or_else(|| "None".to_owned(), |top| top.count.to_string());
    let periods = question.periods.iter().map(|span| {
        let day = |day: Option<_>| optional(day.map(|day: crate::question::Day| day.to_string()).as_deref());
        format!("({}, {}, {})", string(&span.to_string()), day(span.from), day(span.before))
    });
    format!(
        "\
import os
import re

import matplotlib.dates as mdates
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

# What was understood, and the table's profile.
REQUEST = {request}
UNDERSTOOD = {understood}
NOT_UNDERSTOOD = {not_understood}
TABLE = {path}
TABLE_NOTE = {note}
MEASURES = {measures}
AGGREGATES = {aggregates}
GROUPS = {groups}
TOP, LEAST_FIRST = {top}, {least}
PERIODS = [{periods}]
TABLE_FIRST = {table_first}
NUMBERS = {numbers}
TIMES = {times}
NAMES = {names}
UNITS = {units}
ADDS_UP = {adds}
TABLES_ASKED_FOR = {asked_for}


def read_table():
    return {read}

",
        request = string(task.request),
        understood = string(&question.to_string()),
        not_understood = list(question.not_understood.iter().map(String::as_str)),
        path = string(&table.path),
        note = string(&task.note()),
        measures = list(question.measures.iter().map(String::as_str)),
        aggregates = list(question.aggregates.iter().map(|one| one.word())),
        groups = list(group_names(task).iter().map(String::as_str)),
        least = boolean(question.top.is_some_and(|top| top.order == Order::Least)),
        periods = periods.collect::<Vec<_>>().join(", "),
        table_first = boolean(question.form == Form::Table),
        numbers = list(task.numbers()),
        times = pairs(|column| column.is_time().then(|| optional(column.date_format.as_deref()))),
        names = list(names(task)),
        units = pairs(|column| column
            .unit
            .clone()
            .or_else(|| unit(&column.name).map(|(shown, _)| shown.to_owned()))
            .map(|unit| string(&unit))),
        adds = list(
            table
                .columns
                .iter()
                .filter(|column| column.is_number() && adds_up(&column.name))
                .map(|column| column.name.as_str())
        ),
        asked_for = list(task.opening.tables_asked_for()),
        read = table.read_with,
    )
}

/// The columns that name a row: texts that nearly always differ, identifiers, then other texts and times.
fn names<'a>(task: &Task<'a>) -> Vec<&'a str> {
    let rank = |column: &Column| match column.kind {
        Kind::Text => 0,
        Kind::Category if column.distinct.is_none_or(|many| many > 20) => 1,
        Kind::Date | Kind::Timestamp => 2,
        Kind::Identifier => 3,
        Kind::Category => 4,
        _ => 5,
    };
    let mut named: Vec<&Column> = task.table.columns.iter().filter(|column| rank(column) < 5).collect();
    named.sort_by_key(|column| rank(column));
    named.into_iter().take(4).map(|column| column.name.as_str()).collect()
}

/// The names of the groups' columns: that of a stretch of time is its word, unless a column has it.
fn group_names(task: &Task<'_>) -> Vec<String> {
    task.question.groups.iter().map(|group| group_name(task, group)).collect()
}

fn group_name(task: &Task<'_>, group: &Group) -> String {
    let (time, word) = match group {
        Group::Column(name) => return name.clone(),
        Group::Every(time, grain) => (time, grain.word()),
        Group::Cycle(time, cycle) => (time, cycle.words()),
    };
    let taken = task.table.columns.iter().any(|column| column.name == word);
    if taken { format!("{word} of {time}") } else { word.to_owned() }
}

/// The code that makes the columns of the groups and keeps the rows that count.
pub(crate) fn rows_that_count(task: &Task<'_>) -> String {
    let mut code = group_columns(task);
    code.push_str("data = table\n");
    for condition in &task.question.conditions {
        let _ = match condition {
            Condition::WithoutEvents => writeln!(code, "data = without_events(data)"),
            Condition::Says { words, negated } => {
                writeln!(code, "data = keep_saying(data, {}, {})", string(words), boolean(!negated))
            }
            _ => writeln!(code, "data = keep(data, {}, {})", mask(condition), string(&condition.to_string())),
        };
    }
    code.push_str("print(f\"{len(data):,} of {len(table):,} rows count.\")\n");
    code
}

/// The code that makes the columns of the groups.
fn group_columns(task: &Task<'_>) -> String {
    let mut code = String::new();
    for group in &task.question.groups {
        let name = string(&group_name(task, group));
        let _ = match group {
            Group::Column(_) => Ok(()),
            Group::Every(time, grain) => {
                writeln!(
                    code,
                    "table[{name}] = table[{}].dt.to_period({})",
                    string(time),
                    string(grain.code())
                )
            }
            Group::Cycle(time, cycle) => {
                writeln!(code, "table[{name}] = table[{}].dt.{}", string(time), cycle_code(*cycle))
            }
        };
    }
    code
}

fn cycle_code(cycle: Cycle) -> &'static str {
    match cycle {
        Cycle::Month => "month.map(MONTH_NAMES)",
        Cycle::Weekday => "weekday.map(WEEKDAY_NAMES)",
        Cycle::Hour => "hour",
    }
}

/// The condition as a column of truth values.
fn mask(condition: &Condition) -> String {
    let column = |name: &str| format!("data[{}]", string(name));
    let negate = |negated: bool, mask: String| if negated { format!("~{mask}") } else { mask };
    match condition {
        Condition::Is { column: name, values, negated } => {
            let values: Vec<String> = values.iter().map(|value| value.trim().to_lowercase()).collect();
            negate(
                *negated,
                format!("texts({}).isin({})", column(name), list(values.iter().map(String::as_str))),
            )
        }
        Condition::Within { column: name, bounds } => {
            let name = column(name);
            match bounds {
                Bounds::Over(number) => format!("{name} > {number}"),
                Bounds::AtLeast(number) => format!("{name} >= {number}"),
                Bounds::Under(number) => format!("{name} < {number}"),
                Bounds::AtMost(number) => format!("{name} <= {number}"),
                Bounds::Exactly(number) => format!("{name} == {number}"),
                Bounds::Between(low, high) => format!("{name}.between({low}, {high})"),
            }
        }
        Condition::During { column: name, span } => {
            let from = span.from.map(|day| format!("({} >= {})", column(name), string(&day.to_string())));
            let before = span.before.map(|day| format!("({} < {})", column(name), string(&day.to_string())));
            from.into_iter().chain(before).collect::<Vec<_>>().join(" & ")
        }
        Condition::Recurring { column: name, cycle, values, negated } => {
            let (part, values): (&str, Vec<u32>) = match cycle {
                Cycle::Month => ("month", values.clone()),
                Cycle::Hour => ("hour", values.clone()),
                // pandas counts Monday as 0.
                Cycle::Weekday => ("weekday", values.iter().map(|day| day.saturating_sub(1)).collect()),
            };
            negate(*negated, format!("{}.dt.{part}.isin({values:?})", column(name)))
        }
        Condition::Filled { column: name, filled } => {
            format!("{}.{}()", column(name), if *filled { "notna" } else { "isna" })
        }
        Condition::AnyOf(any) => {
            any.iter().map(|one| format!("({})", mask(one))).collect::<Vec<_>>().join(" | ")
        }
        // These two are no mask; among alternatives they keep every row.
        Condition::Says { .. } | Condition::WithoutEvents => "data.index == data.index".into(),
    }
}
