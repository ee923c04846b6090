//! How smooth a long report, a long list of steps and a run that prints much are, beside an empty page.

use assay_store::Store;
use assay_testkit::{Reply, ScriptedServer};
use fantoccini::{Client, Locator};
use serde_json::{Value, json};

use crate::frames::{Frames, WATCH};
use crate::kept_run::{self, CHARTS, RUN, STEPS};
use crate::stage::{LIMIT, Stage};
use crate::table::Row;

/// Pixels a second; a wheel that is turned fast.
const SPEED: f64 = 6000.0;
const LINES: u32 = 2000;

/// Leaves a page of this height with nothing on it.
const EMPTY: &str = "
    const [height] = arguments;
    document.body.innerHTML = `<div style=\"height: ${height + innerHeight}px\"></div>`;
";

async fn click(client: &Client, path: &str) {
    client.wait().at_most(LIMIT).for_element(Locator::XPath(path)).await.unwrap().click().await.unwrap();
}

/// The finished run.
pub(crate) async fn measure(stage: &mut Stage) -> Vec<Row> {
    kept_run::write(&stage.home());
    let client = stage.drive(&["--open", RUN]).await;
    let chart = Locator::Css(".report img");
    client.wait().at_most(LIMIT).for_element(chart).await.unwrap();
    let report = Frames::scrolled(&client, SPEED).await;
    // A second way down finds every picture read already.
    let again = Frames::scrolled(&client, SPEED).await;
    click(&client, "//button[@role='tab' and contains(., 'worked out')]").await;
    client.wait().at_most(LIMIT).for_element(Locator::XPath("//h2[. = 'The steps']")).await.unwrap();
    let steps = Frames::scrolled(&client, SPEED).await;
    client.execute(EMPTY, vec![json!(report.height)]).await.unwrap();
    let empty = Frames::scrolled(&client, SPEED).await;
    client.close().await.unwrap();
    let floor = "an empty page as high";
    vec![
        report.beside(&format!("of a report with {CHARTS} charts, scrolled"), &empty, floor),
        again.beside("of the same, once more", &empty, floor),
        steps.beside(&format!("of {STEPS} steps, scrolled"), &empty, floor),
    ]
}

/// A run that goes on.
pub(crate) async fn measure_streaming(stage: &mut Stage) -> Vec<Row> {
    let code = format!(
        "import time\nfor line in range({LINES}):\n    print('line', line, 'of the table was read and counted')\n    \
         time.sleep(0.002)\n"
    );
    let script = vec![
        Reply::call("run_python", json!({"title": "Reading all lines", "code": code})),
        Reply::text("All lines were read."),
        Reply::text("There is no report."),
        Reply::text("There is no report."),
    ];
    let server = ScriptedServer::start(script);
    let settings = json!({
        "model": {"kind": "chat_completions", "base_url": server.url(), "model": ScriptedServer::MODEL},
    });
    std::fs::create_dir_all(stage.home()).unwrap();
    let store = Store::open(&stage.home().join("assay.db")).unwrap();
    store.set_setting("settings", &settings.to_string()).unwrap();
    let table = stage.folder().join("lines.csv");
    std::fs::write(&table, "line,count\n1,2\n2,3\n").unwrap();
    let client = stage.drive(&[table.to_str().unwrap()]).await;
    let question = client.wait().at_most(LIMIT).for_element(Locator::Css("textarea")).await.unwrap();
    question.send_keys("Read all lines").await.unwrap();
    click(&client, "//button[contains(., 'Analyse')]").await;
    let step = "//*[contains(text(), 'Reading all lines')]";
    client.wait().at_most(LIMIT).for_element(Locator::XPath(step)).await.unwrap();
    client.execute(WATCH, vec![Value::Null]).await.unwrap();
    let end = Locator::XPath("//button[contains(., 'Export')]");
    client.wait().at_most(LIMIT).for_element(end).await.unwrap();
    let streaming = Frames::taken(&client).await;
    client.execute(WATCH, vec![Value::Null]).await.unwrap();
    tokio::time::sleep(std::time::Duration::from_secs(5)).await;
    let idle = Frames::taken(&client).await;
    client.close().await.unwrap();
    store.set_setting("settings", "{}").unwrap();
    vec![streaming.beside(&format!("of a run that prints {LINES} lines"), &idle, "when it has ended")]
}
