//! What would help after an error, drawn from what is really there.

use std::collections::BTreeSet;

use assay_sandbox::StepError;

use crate::surroundings::Surroundings;

/// Columns named when nothing is like the wrong one.
const COLUMNS_NAMED: usize = 40;
/// Files named.
const FILES_NAMED: usize = 20;
/// Names less alike than this are not offered as what may have been meant.
const ALIKE: f64 = 0.55;

/// A hint after an error, where what is there can help. `made` holds the files that steps have made.
pub(crate) fn hint(error: &StepError, around: &Surroundings, made: &BTreeSet<String>) -> Option<String> {
    from_what_is_there(error, around, made).or_else(|| error.advice.clone())
}

fn from_what_is_there(error: &StepError, around: &Surroundings, made: &BTreeSet<String>) -> Option<String> {
    if error.kind == "ValueError"
        && let Some(cell) = text_for_number(&error.message)
    {
        return Some(cell);
    }
    match error.kind.as_str() {
        "FileNotFoundError" => Some(wrong_path(&error.message, around, made)),
        "KeyError" | "ValueError" | "AttributeError" | "UndefinedVariableError" => {
            wrong_column(error, around)
        }
        "ModuleNotFoundError" | "ImportError" => absent_package(&error.message, around),
        "MaxRowsError" => Some(
            "An interactive chart holds at most 5,000 rows: aggregate them first, or draw them with matplotlib.".into(),
        ),
        "NameError" => unknown_name(&error.message, around),
        "PermissionError" | "OSError" if error.message.contains("Read-only file system") => {
            Some("Only output/ and work/ can be written.".into())
        }
        _ => None,
    }
}

fn wrong_path(message: &str, around: &Surroundings, made: &BTreeSet<String>) -> String {
    let asked = quoted(message).last().cloned().unwrap_or_default();
    let files: Vec<&str> = around
        .tables
        .iter()
        .map(|table| table.path.as_str())
        .chain(made.iter().map(String::as_str))
        .collect();
    let same_name = |path: &&&str| path.rsplit('/').next() == asked.rsplit('/').next();
    match files.iter().find(same_name) {
        Some(path) => format!("The file is at `{path}`."),
        None => format!("The files that are there: {}.", named(files.iter().copied(), FILES_NAMED)),
    }
}

/// A column that is not there; other errors of these kinds name no word that is like a column.
fn wrong_column(error: &StepError, around: &Surroundings) -> Option<String> {
    let is_about_columns = match error.kind.as_str() {
        "KeyError" => true,
        "AttributeError" => error.message.contains("'DataFrame' object"),
        _ => ["Missing column", "not in list", "do not match columns", "not defined"]
            .iter()
            .any(|words| error.message.contains(words)),
    };
    if !is_about_columns {
        return None;
    }
    let columns: Vec<&str> =
        around.tables.iter().flat_map(|table| table.columns.iter().map(String::as_str)).collect();
    // A KeyError's message is a Python text of its own, in quotes.
    let message = error.message.trim();
    let inner = message.strip_prefix('"').and_then(|message| message.strip_suffix('"')).unwrap_or(message);
    let mut asked = quoted(inner);
    asked.retain(|name| !["DataFrame", "parse_dates", "usecols", "index_col"].contains(&name.as_str()));
    if asked.is_empty() {
        asked.push(inner.to_owned());
    }
    let unknown: Vec<String> = asked.into_iter().filter(|name| !columns.contains(&name.as_str())).collect();
    let wrong = unknown.first()?;
    let nearest = nearest(wrong, &columns);
    Some(if nearest.is_empty() {
        let tables: Vec<String> = around
            .tables
            .iter()
            .map(|table| {
                let columns = named(table.columns.iter().map(String::as_str), COLUMNS_NAMED);
                format!("the columns of {} are {columns}", table.frame.as_ref().unwrap_or(&table.path))
            })
            .collect();
        format!("No table has a column `{wrong}`; {}.", tables.join("; "))
    } else {
        format!("No table has a column `{wrong}`; there is {}.", named(nearest.into_iter(), 3))
    })
}

/// A cell that was to be a number and holds more than that.
fn text_for_number(message: &str) -> Option<String> {
    let about = ["invalid literal for int()", "could not convert string to float", "Unable to parse string"];
    if !about.iter().any(|words| message.contains(words)) {
        return None;
    }
    let cell = quoted(message).into_iter().next()?;
    let starts = cell
        .trim_start()
        .trim_start_matches(['-', '+', '$', '€', '£'])
        .starts_with(|c: char| c.is_ascii_digit());
    Some(if starts {
        format!(
            "Cells hold more than a number, such as `{cell}`. The number at their beginning: \
             column.astype(str).str.replace(',', '').str.extract(r'(-?\\d+(?:\\.\\d+)?)')[0].astype(float). \
             `.str.replace` takes its pattern letter by letter unless regex=True is given."
        )
    } else {
        format!(
            "Some cells hold no number, such as `{cell}`. pd.to_numeric(column, errors='coerce') makes them NaN; \
             count how many."
        )
    })
}

fn absent_package(message: &str, around: &Surroundings) -> Option<String> {
    let wanted = quoted(message).into_iter().next()?;
    let root = wanted.split('.').next().unwrap_or(&wanted);
    Some(format!(
        "`{root}` is not there and cannot be installed. There is the standard library, and {}.",
        named(around.packages.iter().map(String::as_str), COLUMNS_NAMED)
    ))
}

fn unknown_name(message: &str, around: &Surroundings) -> Option<String> {
    let name = quoted(message).into_iter().next()?;
    let frames: Vec<String> = around
        .tables
        .iter()
        .filter_map(|table| Some(format!("`{}` (the table {})", table.frame.as_ref()?, table.path)))
        .collect();
    let there =
        if frames.is_empty() { String::new() } else { format!(" There is {}.", frames.join(" and ")) };
    Some(format!("No step that ended well has made `{name}`: make it first, in this step or another.{there}"))
}

/// The columns most like a name, the likest first.
fn nearest<'a>(name: &str, columns: &[&'a str]) -> Vec<&'a str> {
    let plain = |name: &str| -> String {
        name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let wanted = plain(name);
    let alike = |column: &str| {
        let column = plain(column);
        if !wanted.is_empty() && (column.contains(&wanted) || (column.len() > 2 && wanted.contains(&column)))
        {
            return 0.9;
        }
        strsim::normalized_damerau_levenshtein(&wanted, &column)
    };
    let mut scored: Vec<(f64, &str)> = columns.iter().map(|column| (alike(column), *column)).collect();
    scored.retain(|(score, _)| *score >= ALIKE);
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut names: Vec<&str> = Vec::new();
    for (_, name) in scored {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.truncate(3);
    names
}

/// The texts in quotes, in order.
fn quoted(message: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = message;
    while let Some(start) = rest.find(['\'', '"']) {
        let mark = rest.as_bytes()[start] as char;
        let Some(length) = rest[start + 1..].find(mark) else { break };
        found.push(rest[start + 1..start + 1 + length].to_owned());
        rest = &rest[start + length + 2..];
    }
    found
}

fn named<'a>(names: impl ExactSizeIterator<Item = &'a str>, most: usize) -> String {
    let count = names.len();
    let shown: Vec<String> = names.take(most).map(|name| format!("`{name}`")).collect();
    let more = if count > most { format!(" and {} more", count - most) } else { String::new() };
    format!("{}{more}", shown.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surroundings::TableNames;

    fn told(kind: &str, message: &str) -> Option<String> {
        let around = Surroundings {
            tables: vec![TableNames {
                path: "input/sales 2025.csv".into(),
                frame: Some("df".into()),
                columns: vec!["Sales Region".into(), "amount".into(), "order_date".into()],
            }],
            packages: vec!["numpy".into(), "pandas".into()],
            prelude: None,
        };
        let made = BTreeSet::from(["work/clean.csv".to_owned()]);
        let error = StepError {
            kind: kind.into(),
            message: message.into(),
            traceback: String::new(),
            line: None,
            advice: None,
        };
        hint(&error, &around, &made)
    }

    #[test]
    fn a_wrong_path_is_answered_with_the_real_names() {
        for (message, hint) in [
            (
                "[Errno 2] No such file or directory: 'sales 2025.csv'",
                "The file is at `input/sales 2025.csv`.",
            ),
            (
                "[Errno 2] No such file or directory: '/mnt/data/clean.csv'",
                "The file is at `work/clean.csv`.",
            ),
            (
                "[Errno 2] No such file or directory: 'x.csv'",
                "The files that are there: `input/sales 2025.csv`, `work/clean.csv`.",
            ),
        ] {
            assert_eq!(told("FileNotFoundError", message).as_deref(), Some(hint), "{message}");
        }
    }

    #[test]
    fn a_wrong_column_is_answered_with_those_most_like_it() {
        for (kind, message, hint) in [
            ("KeyError", "'region'", "No table has a column `region`; there is `Sales Region`."),
            ("KeyError", "'Amuont'", "No table has a column `Amuont`; there is `amount`."),
            (
                "KeyError",
                "\"['amount', 'Order Date'] not in index\"",
                "No table has a column `Order Date`; there is `order_date`.",
            ),
            (
                "AttributeError",
                "'DataFrame' object has no attribute 'orderdate'",
                "No table has a column `orderdate`; there is `order_date`.",
            ),
            (
                "ValueError",
                "Missing column provided to 'parse_dates': 'zzz'",
                "No table has a column `zzz`; the columns of df are `Sales Region`, `amount`, `order_date`.",
            ),
            (
                "KeyError",
                "'profit'",
                "No table has a column `profit`; the columns of df are `Sales Region`, `amount`, `order_date`.",
            ),
        ] {
            assert_eq!(told(kind, message).as_deref(), Some(hint), "{message}");
        }
        assert_eq!(told("ValueError", "x and y must have the same length"), None);
        assert_eq!(told("KeyError", "'amount'"), None, "the column is there: the trouble is another");
    }

    #[test]
    fn text_in_the_place_of_a_number_is_answered_with_a_way_to_read_it() {
        let told = |message| told("ValueError", message).unwrap();
        let ranged = told("invalid literal for int() with base 10: '630[495-801]'");
        assert!(ranged.contains("`630[495-801]`") && ranged.contains(".str.extract(r'(-?"), "{ranged}");
        let absent = told("could not convert string to float: 'n/a'");
        assert!(absent.contains("`n/a`") && absent.contains("errors='coerce'"), "{absent}");
    }

    #[test]
    fn field_069_an_absent_package_is_answered_with_what_there_is() {
        assert_eq!(
            told("ModuleNotFoundError", "No module named 'sklearn.linear_model'").as_deref(),
            Some(
                "`sklearn` is not there and cannot be installed. There is the standard library, and `numpy`, `pandas`."
            )
        );
    }

    #[test]
    fn an_unknown_name_is_answered_with_the_frames_that_are_there() {
        assert_eq!(
            told("NameError", "name 'data' is not defined").as_deref(),
            Some(
                "No step that ended well has made `data`: make it first, in this step or another. There is `df` (the table input/sales 2025.csv)."
            )
        );
    }

    #[test]
    fn other_errors_have_no_hint() {
        assert_eq!(told("ZeroDivisionError", "division by zero"), None);
        assert!(
            told("MaxRowsError", "The number of rows in your dataset (9000) is").unwrap().contains("5,000")
        );
        assert!(told("OSError", "[Errno 30] Read-only file system: 'input/a.csv'").is_some());
    }
}
