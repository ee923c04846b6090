//! Which plan, which table and which columns: decided by words and kinds, never by a file's name
//! alone.

use crate::opening::{Column, Kind, Opening, Table};
use crate::words::{Quantity, is_among, quantity, words};

/// What will be done with which table.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Choice<'a> {
    /// Unusual readings in a time series.
    Unusual(Series<'a>),
    /// An overview of a table.
    Overview {
        /// The table.
        table: &'a Table,
        /// Why it is an overview.
        reason: Reason,
    },
}

/// Why an overview is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reason {
    /// The request asks for one.
    Asked,
    /// The request is beyond the built-in analyst.
    CannotAnswer,
    /// Unusual readings were asked for, but no table has times and numbers.
    NoSeries,
    /// The search for unusual readings failed.
    SearchFailed,
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

/// Beginnings of words that ask for unusual readings.
const UNUSUAL: &str = "unusual anomal outlier strange odd spike fault abnormal wrong suspicious unexpected weird \
    irregular ungewöhnlich auffällig ausreißer inhabituel anormal inusual";
/// A request of these words alone asks for an overview; any other word makes it a question.
const OVERVIEW: &str = "a about an and are at brief content contents csv data dataset describe description explore file \
    files first for general give have i in is it look me my of overview please profile quick short \
    show spreadsheet summarise summarize summary table tables tell that the these this us what s";

/// Reads the request and the tables, and chooses.
pub(crate) fn choose(opening: &Opening) -> Choice<'_> {
    let asked = words(&opening.request);
    let asks_for_unusual = asked.iter().any(|word| UNUSUAL.split(' ').any(|stem| word.starts_with(stem)));
    if asks_for_unusual {
        let best = opening.tables.iter().filter_map(|table| series(table, &asked));
        let best = best.max_by_key(|(score, series)| (*score, series.table.rows));
        if let Some((_, series)) = best {
            return Choice::Unusual(series);
        }
    }
    let reason = if asks_for_unusual {
        Reason::NoSeries
    } else if asked.iter().all(|word| is_among(word, OVERVIEW)) {
        Reason::Asked
    } else {
        Reason::CannotAnswer
    };
    Choice::Overview { table: table_for_overview(opening, &asked), reason }
}

/// The table that the request speaks of, else the one with most cells.
pub(crate) fn table_for_overview<'a>(opening: &'a Opening, asked: &[String]) -> &'a Table {
    let fit = |table: &&Table| {
        let named = table.columns.iter().map(|column| mentions(&column.name, asked)).sum::<i64>();
        (mentions(&table.path, asked) + named, table.rows.saturating_mul(table.columns.len() as u64))
    };
    opening.tables.iter().max_by_key(fit).unwrap_or(&opening.tables[0])
}

/// The best series of one table, and how well it fits the request.
fn series<'a>(table: &'a Table, asked: &[String]) -> Option<(i64, Series<'a>)> {
    let times = table.columns.iter().filter(|column| matches!(column.kind, Kind::Timestamp | Kind::Date));
    let time = first_best(times, |column| {
        let is_timestamp = i64::from(column.kind == Kind::Timestamp);
        2 * is_timestamp + mentions(&column.name, asked) - i64::from(column.missing * 2 > table.rows)
    })?;
    let numbers = || {
        table.columns.iter().filter(|column| {
            matches!(column.kind, Kind::Integer | Kind::Decimal)
                && column.missing < table.rows
                && column.distinct != Some(1)
        })
    };
    let fit = |column: &Column| {
        let by_name = match quantity(&column.name) {
            Quantity::Use => 6,
            Quantity::Other => 0,
            Quantity::Weather => -3,
            Quantity::Temperature => -6,
            Quantity::Place => -12,
        };
        by_name + 10 * mentions(&column.name, asked)
    };
    let value = first_best(numbers(), fit)?;
    let temperatures = numbers()
        .filter(|column| quantity(&column.name) == Quantity::Temperature && column.name != value.name);
    let temperature = first_best(temperatures, |column| {
        let named = words(&column.name);
        i64::from(
            named
                .iter()
                .any(|word| ["outdoor", "outside", "out", "air", "ambient", "oat"].contains(&word.as_str())),
        )
    });
    let score = fit(value) + 5 * mentions(&table.path, asked);
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
    columns
        .fold(None, |best: Option<(i64, &Column)>, column| {
            let this = score(column);
            match best {
                Some((highest, _)) if highest >= this => best,
                _ => Some((this, column)),
            }
        })
        .map(|(_, column)| column)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(name: &str, kind: Kind) -> Column {
        Column { name: name.into(), kind, ..Column::default() }
    }

    fn table(path: &str, columns: &[(&str, Kind)]) -> Table {
        let columns = columns.iter().map(|(name, kind)| column(name, *kind)).collect();
        Table {
            path: path.into(),
            rows: 100,
            read_with: "pd.read_csv('x')".into(),
            columns,
            ..Table::default()
        }
    }

    fn opening(tables: &[Table], request: &str) -> Opening {
        Opening { tables: tables.to_vec(), request: request.into() }
    }

    /// Path, time, value and temperature of the series chosen, or why there is none.
    fn chosen(opening: &Opening) -> Result<(String, String, String, Option<String>), Reason> {
        match choose(opening) {
            Choice::Unusual(series) => Ok((
                series.table.path.clone(),
                series.time.name.clone(),
                series.value.name.clone(),
                series.temperature.map(|column| column.name.clone()),
            )),
            Choice::Overview { reason, .. } => Err(reason),
        }
    }

    #[test]
    fn finds_the_series_of_the_reference_case() {
        let energy = table(
            "input/building_energy.csv",
            &[
                ("timestamp", Kind::Timestamp),
                ("outdoor_temp_c", Kind::Decimal),
                ("energy_kwh", Kind::Decimal),
            ],
        );
        assert_eq!(
            chosen(&opening(&[energy], "Find unusual energy use and explain it")),
            Ok((
                "input/building_energy.csv".into(),
                "timestamp".into(),
                "energy_kwh".into(),
                Some("outdoor_temp_c".into())
            ))
        );
    }

    #[test]
    fn the_request_names_the_column() {
        let mixed = table(
            "input/x.csv",
            &[
                ("id", Kind::Integer),
                ("date", Kind::Date),
                ("time", Kind::Timestamp),
                ("flow", Kind::Decimal),
                ("pressure", Kind::Decimal),
            ],
        );
        let value =
            |request: &str| chosen(&opening(std::slice::from_ref(&mixed), request)).map(|found| found.2);
        assert_eq!(value("Any anomalies?"), Ok("flow".into()));
        assert_eq!(value("Any strange pressure?"), Ok("pressure".into()));
        assert_eq!(
            chosen(&opening(std::slice::from_ref(&mixed), "outliers?")).map(|found| found.1),
            Ok("time".into())
        );
    }

    #[test]
    fn the_best_of_several_tables() {
        let weather = table("input/weather.csv", &[("time", Kind::Timestamp), ("temp", Kind::Decimal)]);
        let load = table("input/load.csv", &[("time", Kind::Timestamp), ("eload", Kind::Decimal)]);
        let names = table("input/names.csv", &[("name", Kind::Text)]);
        let all = [names, weather, load];
        assert_eq!(chosen(&opening(&all, "spikes?")).map(|found| found.0), Ok("input/load.csv".into()));
        let of_weather = chosen(&opening(&all, "Is a temp reading in the weather table wrong?"));
        assert_eq!(of_weather.map(|found| found.0), Ok("input/weather.csv".into()));
    }

    #[test]
    fn anything_else_is_an_overview() {
        let plain = table("input/a.csv", &[("name", Kind::Text), ("price", Kind::Decimal)]);
        let reason = |request: &str| chosen(&opening(std::slice::from_ref(&plain), request));
        assert_eq!(reason("Find outliers"), Err(Reason::NoSeries));
        assert_eq!(reason("Give me an overview"), Err(Reason::Asked));
        assert_eq!(reason(""), Err(Reason::Asked));
        assert_eq!(reason("What's in this file?"), Err(Reason::Asked));
        assert_eq!(reason("Show me the price by name"), Err(Reason::CannotAnswer));
        assert_eq!(reason("Which product earns most per region?"), Err(Reason::CannotAnswer));
    }
}
