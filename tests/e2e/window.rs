//! The built app in a real window, driven as a person would.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test ends where its own set-up fails")]

mod stage;

use assay_tests::docker;
use fantoccini::{Client, Locator};
use serde_json::Value;

use crate::stage::{LONG, SOON, Stage};

/// An element with exactly this text, whatever its kind.
fn text(words: &str) -> String {
    format!("//*[normalize-space(text())=\"{words}\"]")
}

async fn click(client: &Client, path: &str) {
    let element = client.wait().at_most(SOON).for_element(Locator::XPath(path)).await;
    element.unwrap_or_else(|error| panic!("{path}: {error}")).click().await.unwrap();
}

/// How many pictures of the run are drawn in the page.
async fn drawn_charts(client: &Client) -> u64 {
    let script =
        "return [...document.images].filter(i => i.src.startsWith('artifact:') && i.naturalWidth > 0).length";
    client.execute(script, Vec::new()).await.unwrap().as_u64().unwrap()
}

#[tokio::test]
async fn from_the_sample_to_a_report_that_is_there_after_a_restart() {
    if docker().await.is_none() {
        return;
    }
    let Some(mut stage) = Stage::set() else { return };
    let client = stage.open_app(&[]).await;
    stage.picture("home");
    click(&client, "//button[contains(., 'building energy sample')]").await;
    let question = client.wait().at_most(SOON).for_element(Locator::Css("textarea")).await.unwrap();
    stage.picture("desk");
    question.send_keys("Find unusual energy use and explain it").await.unwrap();
    click(&client, "//button[contains(., 'Analyse')]").await;
    let heading = text("Unusual energy use");
    client.wait().at_most(LONG).for_element(Locator::XPath(&heading)).await.unwrap();
    client.wait().at_most(LONG).for_element(Locator::XPath("//button[contains(., 'Export')]")).await.unwrap();
    let begun = std::time::Instant::now();
    while drawn_charts(&client).await == 0 {
        assert!(begun.elapsed() < SOON, "no chart is drawn");
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    }
    stage.picture("result");
    // The page can reach nothing but its own files and the shell.
    let escape = "const done = arguments[0]; fetch('http://127.0.0.1:9/').then(() => done('reached')).catch(e => done(e.name))";
    let answer = client.execute_async(escape, Vec::new()).await.unwrap();
    assert_ne!(answer, Value::from("reached"));
    stage.close_app(client).await;

    let client = stage.open_app(&["--open", "latest"]).await;
    client.wait().at_most(SOON).for_element(Locator::XPath(&heading)).await.unwrap();
    stage.picture("result-after-restart");
    stage.close_app(client).await;
}

#[tokio::test]
async fn a_real_drag_from_another_window_puts_files_on_the_desk() {
    let Some(mut stage) = Stage::set() else { return };
    let table = stage.home.path().join("deliveries.csv");
    std::fs::write(&table, "region,days\nNorth,3\nSouth,5\n").unwrap();
    let broken = stage.home.path().join("broken.csv");
    std::fs::write(&broken, "").unwrap();
    let client = stage.open_app(&[]).await;
    stage.drag(&[&table, &broken]);
    let card = "//*[contains(text(), 'deliveries.csv')]";
    client.wait().at_most(SOON).for_element(Locator::XPath(card)).await.unwrap();
    let trouble = "//*[contains(text(), 'broken.csv is empty.')]";
    client.wait().at_most(SOON).for_element(Locator::XPath(trouble)).await.unwrap();
    stage.picture("desk-after-drag");
    stage.close_app(client).await;
}
