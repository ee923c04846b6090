//! Which table answers a question, and which of its columns are a series: decided by words and kinds,
//! never by a file's name alone.

use crate::opening::{Column, Kind, Opening, Table};
use crate::question::{Question, read};
use crate::words::{Quantity, is_among, quantity, words};

/// A question and the table that answers it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Choice {
    /// The table: one of those given, or two of them joined.
    pub(crate) table: Table,
    /// The question.
    pub(crate) question: Question,
}

/// A time series in a table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Series<'a> {
    /// The table.
    pub(crate) table: &'a Table,
    /// The column of times.
    pub(crate) time: &'a Column,
    /// The column of readings.
    pub(crate) value: &'a Column,
    /// The outdoor temperature, where there is one.
    pub(crate) temperature: Option<&'a Column>,
}

/// Reads the questions so far, oldest first, and chooses what answers the last one.
pub(crate) fn choose(opening: &Opening, requests: &[&str]) -> Choice {
    let mut requests = requests.iter();
    let first = requests.next().copied().unwrap_or_default();
    let mut choice = first_choice(opening, first);
    for request in requests {
        choice.question = read(request, &choice.table, Some(&choice.question));
    }
    choice
}

/// The table that understands most of the question; among those, the one that it speaks of, and the largest.
fn first_choice(opening: &Opening, request: &str) -> Choice {
    let asked = words(request);
    let joined = joined(&opening.tables);
    let candidates =
        opening.tables.iter().map(|table| (table, 0)).chain(joined.iter().map(|table| (table, 1)));
    let scored = candidates.map(|(table, is_joined)| {
        let question = read(request, table, None);
        let named = mentions(&table.path, &asked) * 2
            + i64::try_from(question.measures.len() + question.groups.len()).unwrap_or(9);
        let lost = question.not_understood.len()
            + question
                .conditions
                .iter()
                .filter(|one| matches!(one, crate::question::Condition::Says { .. }))
                .count();
        let suits = match question.intent.word {
            "unusual" => series(table, request, &question.measures).map_or(-20, |(score, _)| score),
            _ => 4 * (named - i64::try_from(lost).unwrap_or(9)),
        };
        // Two tables are joined only where that says more.
        let cells = table.rows.saturating_mul(table.columns.len() as u64);
        (
            (suits - 3 * is_joined, if is_joined == 1 { 0 } else { cells }),
            Choice { table: table.clone(), question },
        )
    });
    let best = scored.reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.map_or_else(|| unreachable_choice(opening, request), |(_, choice)| choice)
}

/// An opening has a table, so this is never needed; it keeps the types honest.
fn unreachable_choice(opening: &Opening, request: &str) -> Choice {
    let table = opening.tables.first().cloned().unwrap_or_default();
    let question = read(request, &table, None);
    Choice { table, question }
}

/// Two tables with one column of the same name whose values differ in every row of one of them, as one table.
fn joined(tables: &[Table]) -> Option<Table> {
    let [first, second] = tables else { return None };
    let shared: Vec<&Column> = first
        .columns
        .iter()
        .filter(|own| second.columns.iter().any(|other| other.name == own.name))
        .collect();
    let unique = |table: &Table, name: &str| {
        table.columns.iter().any(|column| column.name == name && column.distinct == Some(table.rows))
    };
    let key = shared.iter().find(|column| unique(first, &column.name) || unique(second, &column.name))?;
    // Tables with the same columns are versions of each other, not parts.
    if shared.len() > 1 && shared.len() == second.columns.len() {
        return None;
    }
    let (left, right) = if unique(second, &key.name) { (first, second) } else { (second, first) };
    let others =
        right.columns.iter().filter(|column| !left.columns.iter().any(|own| own.name == column.name));
    Some(Table {
        path: format!("{} and {}", left.path, right.path),
        rows: left.rows,
        read_with: format!(
            "({}).merge(({}), how=\"left\", on={}, suffixes=(\"\", \" of the other\"))",
            left.read_with,
            right.read_with,
            crate::python::string(&key.name)
        ),
        left_out: left.left_out.iter().chain(&right.left_out).cloned().collect(),
        columns: left.columns.iter().chain(others).cloned().collect(),
    })
}

/// The best series of one table, and how well it fits the request.
pub(crate) fn series<'a>(table: &'a Table, request: &str, measures: &[String]) -> Option<(i64, Series<'a>)> {
    let asked = words(request);
    let times = table.columns.iter().filter(|column| column.is_time());
    let time = first_best(times, |column| {
        let is_timestamp = i64::from(column.kind == Kind::Timestamp);
        2 * is_timestamp + mentions(&column.name, &asked) - i64::from(column.missing * 2 > table.rows)
    })?;
    let numbers = || {
        table
            .columns
            .iter()
            .filter(|column| column.is_number() && column.missing < table.rows && column.distinct != Some(1))
    };
    let fit = |column: &Column| {
        let by_name = match quantity(&column.name) {
            Quantity::Use => 6,
            Quantity::Other => 0,
            Quantity::Weather => -3,
            Quantity::Temperature => -6,
            Quantity::Place => -12,
        };
        by_name + 10 * mentions(&column.name, &asked) + 8 * i64::from(measures.contains(&column.name))
    };
    let value = first_best(numbers(), fit)?;
    let temperatures = numbers()
        .filter(|column| quantity(&column.name) == Quantity::Temperature && column.name != value.name);
    let temperature = first_best(temperatures, |column| {
        let outdoors = |word: &String| is_among(word, "outdoor outside out air ambient oat");
        i64::from(words(&column.name).iter().any(outdoors))
    });
    let score = fit(value) + 5 * mentions(&table.path, &asked);
    Some((score, Series { table, time, value, temperature }))
}

/// How many words of a name the request uses.
fn mentions(name: &str, asked: &[String]) -> i64 {
    let named = words(name);
    named.iter().filter(|word| word.chars().count() > 1 && asked.contains(word)).map(|_| 1).sum()
}

/// The first of those with the highest score.
fn first_best<'a>(
    columns: impl Iterator<Item = &'a Column>,
    score: impl Fn(&Column) -> i64,
) -> Option<&'a Column> {
    let scored = columns.map(|column| (score(column), column));
    scored.reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, column)| column)
}

#[cfg(test)]
mod tests;
