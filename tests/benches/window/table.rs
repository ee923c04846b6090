//! Results as rows of a table.

use std::time::Duration;

/// One measurement beside its floor.
pub(crate) struct Row {
    what: String,
    app: String,
    floor: String,
    ratio: Option<f64>,
}

impl Row {
    pub(crate) fn new(
        what: impl Into<String>,
        app: impl Into<String>,
        floor: impl Into<String>,
        ratio: impl Into<Option<f64>>,
    ) -> Self {
        Self { what: what.into(), app: app.into(), floor: floor.into(), ratio: ratio.into() }
    }
}

pub(crate) fn print(rows: &[Row]) {
    println!("| | Assay | beside it | ratio |\n|---|---:|---:|---:|");
    for Row { what, app, floor, ratio } in rows {
        let ratio = ratio.map(|ratio| format!("{ratio:.2}")).unwrap_or_default();
        println!("| {what} | {app} | {floor} | {ratio} |");
    }
}

pub(crate) fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

pub(crate) fn ms(time: Duration) -> String {
    format!("{:.0} ms", time.as_secs_f64() * 1000.0)
}

pub(crate) fn ratio(app: Duration, floor: Duration) -> f64 {
    app.as_secs_f64() / floor.as_secs_f64()
}
