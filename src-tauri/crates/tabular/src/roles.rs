//! Which part each column plays in its table: what tells the time, what is measured, what groups rows.

use crate::column::name_words;
use crate::table::{Column, Kind, Table};
use std::cmp::Reverse;

/// Words in the names of columns that people ask about.
const ASKED_ABOUT: [&str; 40] = [
    "amount",
    "balance",
    "charges",
    "consumption",
    "cost",
    "costs",
    "delay",
    "demand",
    "distance",
    "duration",
    "energy",
    "expenses",
    "fare",
    "hours",
    "income",
    "kwh",
    "load",
    "margin",
    "output",
    "power",
    "premium",
    "price",
    "production",
    "profit",
    "quantity",
    "rate",
    "rating",
    "revenue",
    "salary",
    "sales",
    "score",
    "spend",
    "spending",
    "tip",
    "total",
    "turnover",
    "usage",
    "value",
    "volume",
    "wage",
];

/// Words in the names of columns that explain others more often than they are asked about.
const EXPLAINS: [&str; 11] = [
    "temp",
    "temperature",
    "humidity",
    "hum",
    "wind",
    "pressure",
    "weather",
    "rain",
    "age",
    "height",
    "weight",
];

/// Last words of the names of columns whose numbers count or place rows.
const PLACES: [&str; 19] = [
    "index",
    "row",
    "no",
    "nr",
    "number",
    "num",
    "rank",
    "year",
    "month",
    "week",
    "day",
    "hour",
    "quarter",
    "lat",
    "latitude",
    "lon",
    "lng",
    "long",
    "longitude",
];

/// Different values up to which rows can be compared by a column.
const GROUPS: u64 = 50;

/// The columns by the part that they play, those first that people most likely ask about.
pub(crate) struct Roles<'a> {
    pub(crate) time: Option<&'a Column>,
    pub(crate) measures: Vec<&'a Column>,
    pub(crate) groups: Vec<&'a Column>,
    /// Columns of free text.
    pub(crate) texts: Vec<&'a Column>,
}

impl<'a> Roles<'a> {
    pub(crate) fn of(table: &'a Table) -> Self {
        let filled = || table.columns.iter().filter(|column| column.missing * 2 <= table.rows);
        let dated = |column: &&Column| matches!(column.kind, Kind::Timestamp | Kind::Date);
        let times = || filled().filter(|column| dated(column) && column.distinct != Some(1));
        let mut measures: Vec<&Column> = filled().filter(|column| is_measure(column, table.rows)).collect();
        measures.sort_by_key(|column| Reverse(interest(column)));
        let mut groups: Vec<&Column> = filled().filter(|column| is_group(column)).collect();
        groups.sort_by_key(|column| (column.kind == Kind::Boolean, column.distinct > Some(12)));
        Self {
            time: times().find(|column| column.step_s.is_some()).or_else(|| times().next()),
            measures,
            groups,
            texts: filled().filter(|column| column.kind == Kind::Text).collect(),
        }
    }
}

fn is_measure(column: &Column, rows: u64) -> bool {
    let number = matches!(column.kind, Kind::Integer | Kind::Decimal);
    let varies = column.distinct != Some(1);
    let words = name_words(&column.name);
    let nameless = words.first().is_some_and(|word| word == "column");
    let place = nameless || words.last().is_some_and(|word| PLACES.contains(&word.as_str()));
    number && varies && !place && !counts_rows(column, rows)
}

/// Whether the column numbers the rows.
#[allow(clippy::cast_precision_loss, reason = "no file has 2^52 rows")]
pub(crate) fn counts_rows(column: &Column, rows: u64) -> bool {
    let range = column.max.zip(column.min).map(|(max, min)| max - min);
    let steady = range.is_some_and(|range| (range + 1.0 - rows as f64).abs() < 0.5);
    column.kind == Kind::Integer && column.distinct.is_none_or(|count| count == rows) && steady
}

fn interest(column: &Column) -> i32 {
    let words = name_words(&column.name);
    let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    let score = |yes: bool, points: i32| if yes { points } else { 0 };
    score(has(&ASKED_ABOUT), 4) + score(column.unit.is_some(), 2) + score(column.kind == Kind::Decimal, 1)
        - score(has(&EXPLAINS), 4)
}

fn is_group(column: &Column) -> bool {
    matches!(column.kind, Kind::Category | Kind::Boolean)
        && column.distinct.is_some_and(|count| (2..=GROUPS).contains(&count))
}
