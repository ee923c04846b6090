use super::*;

fn column(name: &str, kind: Kind) -> Column {
    Column { name: name.into(), kind, ..Column::default() }
}

fn table(path: &str, columns: &[(&str, Kind)]) -> Table {
    let columns = columns.iter().map(|(name, kind)| column(name, *kind)).collect();
    Table { path: path.into(), rows: 100, read_with: "pd.read_csv('x')".into(), columns, ..Table::default() }
}

fn opening(tables: &[Table], request: &str) -> Opening {
    Opening { tables: tables.to_vec(), request: request.into() }
}

/// Path, time, value and temperature of the series chosen, or the intent where there is none.
fn chosen(opening: &Opening) -> Result<(String, String, String, Option<String>), &'static str> {
    let Choice { table, question } = choose(opening, &[&opening.request]);
    let none = question.intent.word;
    let found = series(&table, &opening.request, &question.measures).filter(|_| none == "unusual");
    found
        .map(|(_, series)| {
            (
                series.table.path.clone(),
                series.time.name.clone(),
                series.value.name.clone(),
                series.temperature.map(|column| column.name.clone()),
            )
        })
        .ok_or(none)
}

#[test]
fn finds_the_series_of_the_reference_case() {
    let energy = table(
        "input/building_energy.csv",
        &[("timestamp", Kind::Timestamp), ("outdoor_temp_c", Kind::Decimal), ("energy_kwh", Kind::Decimal)],
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
    let value = |request: &str| chosen(&opening(std::slice::from_ref(&mixed), request)).map(|found| found.2);
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
fn what_is_no_series_is_something_else() {
    let plain = table("input/a.csv", &[("name", Kind::Text), ("price", Kind::Decimal)]);
    let reason = |request: &str| chosen(&opening(std::slice::from_ref(&plain), request));
    assert_eq!(reason("Find outliers"), Err("unusual"));
    assert_eq!(reason("Give me an overview"), Err("overview"));
    assert_eq!(reason(""), Err("overview"));
    assert_eq!(reason("What's in this file?"), Err("overview"));
    assert_eq!(reason("Show me the price by name"), Err("compare"));
    assert_eq!(reason("Write a poem"), Err("unknown"));
}
