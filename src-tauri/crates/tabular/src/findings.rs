//! Plain sentences about a table, from its profile alone.

mod span;

use crate::note::{count, grouped, listed};
use crate::roles::{Roles, counts_rows};
use crate::table::{Column, Kind, Table};

/// Sentences at most and at least.
const MOST: usize = 5;
const LEAST: usize = 2;

/// Longest name or value that is shown whole, in characters.
const TEXT_CHARACTERS: usize = 40;

/// Names in one sentence.
const NAMES: usize = 3;

/// Two to five sentences about the file itself, without full stops; the most telling comes first.
pub fn findings(table: &Table) -> Vec<String> {
    let roles = Roles::of(table);
    let mut sentences: Vec<String> =
        roles.time.and_then(|time| span::sentence(table, time)).into_iter().collect();
    sentences.push(size(table));
    sentences.extend(gaps(table));
    sentences.extend(empty(table));
    sentences.extend(different(table));
    sentences.extend(constant(table));
    sentences.extend(roles.measures.first().and_then(|column| range(column)));
    sentences.extend(roles.groups.first().and_then(|column| most_frequent(table, column)));
    if sentences.len() < LEAST {
        sentences.extend(table.columns.first().map(|column| values(table, column)));
    }
    sentences.truncate(MOST);
    sentences
}

/// The columns that lack some of their values.
fn with_gaps(table: &Table) -> Vec<&Column> {
    table.columns.iter().filter(|column| column.kind != Kind::Empty && column.missing > 0).collect()
}

fn size(table: &Table) -> String {
    let rows = count(table.rows, "row", "rows");
    let columns = count(table.columns.len() as u64, "column", "columns");
    let missing = match with_gaps(table).len() {
        0 if table.columns.iter().all(|column| column.kind != Kind::Empty) => {
            "; nothing is missing".to_owned()
        }
        0 | 1 => String::new(),
        many => format!("; values are missing in {many} of them"),
    };
    format!("{rows} and {columns}{missing}")
}

/// The column with most gaps.
fn gaps(table: &Table) -> Option<String> {
    let worst = with_gaps(table).into_iter().rev().max_by_key(|column| column.missing)?;
    let (values, are) =
        (count(worst.missing, "value", "values"), if worst.missing == 1 { "is" } else { "are" });
    let share = share(worst.missing, table.rows);
    Some(format!("{values} of {} {are} missing ({share})", quoted(worst)))
}

fn empty(table: &Table) -> Option<String> {
    let columns = table.columns.iter().filter(|column| column.kind == Kind::Empty);
    named(columns, "is empty", "are empty")
}

/// The columns that tell every row from the others.
fn different(table: &Table) -> Option<String> {
    let columns = table.columns.iter().filter(|column| {
        let names = matches!(column.kind, Kind::Identifier | Kind::Text) || counts_rows(column, table.rows);
        names && table.rows > 1 && column.missing == 0 && column.distinct == Some(table.rows)
    });
    named(columns, "is different in each row", "are different in each row")
}

fn constant(table: &Table) -> Option<String> {
    let columns = table
        .columns
        .iter()
        .filter(|column| table.rows > 1 && column.missing == 0 && column.distinct == Some(1));
    named(columns, "is the same in each row", "are the same in each row")
}

fn range(column: &Column) -> Option<String> {
    let (min, max, mean) = (column.min?, column.max?, column.mean?);
    let unit = column.unit.as_ref().map_or_else(String::new, |unit| format!(" {unit}"));
    let (min, max, mean) = (number(min), number(max), number(mean));
    Some(format!("{} goes from {min} to {max}{unit}, {mean} on average", quoted(column)))
}

fn most_frequent(table: &Table, column: &Column) -> Option<String> {
    let (value, frequency) = column.top.first()?;
    let different = grouped(column.distinct?);
    let share = share(*frequency, table.rows - column.missing);
    let value = short(value.trim());
    Some(format!("{} has {different} different values, most often \"{value}\" ({share})", quoted(column)))
}

fn values(table: &Table, column: &Column) -> String {
    match column.distinct {
        Some(number) if number == table.rows && number > 1 => {
            format!("{} is different in each row", quoted(column))
        }
        Some(number) => format!("{} has {}", quoted(column), count(number, "value", "different values")),
        None => format!("{} has very many different values", quoted(column)),
    }
}

/// A sentence about columns that have something in common, if there are any.
fn named<'a>(columns: impl Iterator<Item = &'a Column>, one: &str, many: &str) -> Option<String> {
    let names: Vec<String> = columns.map(|column| short(&column.name)).collect();
    let verb = if names.len() == 1 { one } else { many };
    (!names.is_empty()).then(|| format!("{} {verb}", listed(&names, NAMES)))
}

fn quoted(column: &Column) -> String {
    format!("`{}`", short(&column.name))
}

/// The text, cut with an ellipsis when it is long.
fn short(text: &str) -> String {
    match text.char_indices().nth(TEXT_CHARACTERS) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

/// A part of a whole in percent.
#[allow(clippy::cast_precision_loss, reason = "no file has 2^52 rows")]
fn share(part: u64, whole: u64) -> String {
    let percent = part as f64 * 100.0 / whole.max(1) as f64;
    let text = match percent {
        _ if part == whole => "100".to_owned(),
        ..0.1 => return "under 0.1 %".to_owned(),
        ..9.95 | 99.0.. => format!("{percent:.1}"),
        _ => format!("{percent:.0}"),
    };
    let text = if text == "100.0" { "99.9" } else { text.strip_suffix(".0").unwrap_or(&text) };
    format!("{text} %")
}

/// The number with about four digits that count and commas between groups.
fn number(number: f64) -> String {
    let size = number.abs();
    let decimals = match size {
        100.0.. => 0,
        10.0.. => 1,
        1.0.. => 2,
        0.001.. => 4,
        1e-6.. => 8,
        _ => 0,
    };
    if size >= 1e15 || (size > 0.0 && size < 1e-6) {
        return format!("{number:.2e}");
    }
    let text = format!("{size:.decimals$}");
    let (whole, part) = text.split_once('.').unwrap_or((&text, ""));
    let whole = whole.parse().map_or_else(|_| whole.to_owned(), grouped);
    let part = part.trim_end_matches('0');
    let sign = if number < 0.0 && text.contains(|digit| matches!(digit, '1'..='9')) { "-" } else { "" };
    if part.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{part}") }
}

#[cfg(test)]
mod tests {
    use super::{number, share};

    #[test]
    fn numbers_are_short() {
        for (value, text) in [
            (0.0, "0"),
            (-0.5, "-0.5"),
            (40.123, "40.1"),
            (1_234_567.8, "1,234,568"),
            (99.96, "100"),
            (0.012_34, "0.0123"),
            (1.2e-7, "1.20e-7"),
            (0.000_385, "0.000385"),
            (-3.0, "-3"),
            (2.5e20, "2.50e20"),
        ] {
            assert_eq!(number(value), text);
        }
    }

    #[test]
    fn shares_are_never_rounded_to_all_or_nothing() {
        for (part, whole, text) in [
            (1, 3, "33 %"),
            (12, 4000, "0.3 %"),
            (1, 100_000, "under 0.1 %"),
            (9999, 10_000, "99.9 %"),
            (1, 1, "100 %"),
            (1, 50, "2 %"),
        ] {
            assert_eq!(share(part, whole), text);
        }
    }
}
