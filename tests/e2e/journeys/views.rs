//! Every view in both themes and two sizes, pictured and checked.

use assay_tests::docker;
use serde_json::json;

use crate::look::look;
use crate::stage::Stage;

/// The grounds on which charts stand, and the theme's own ground.
const GROUNDS: &str = "
    const ground = (each) => getComputedStyle(each).backgroundColor;
    const cards = [...document.images].map((image) => image.closest('.bg-chart'));
    return [[...new Set(cards.map((card) => card && ground(card)))], ground(document.documentElement)]";

#[tokio::test]
async fn field_048_every_view_is_accessible_and_charts_stand_on_a_light_card_in_both_themes() {
    if docker().await.is_none() {
        return;
    }
    let Some(mut stage) = Stage::set() else { return };
    let desk = stage.open_app(&[]).await;
    desk.see("Drop your data here").await;
    look(&stage, &desk, "home-first").await;
    desk.press("History").await;
    desk.see("Nothing has been asked yet.").await;
    look(&stage, &desk, "history-empty").await;
    desk.press("Settings").await;
    desk.see("The sandbox is ready").await;
    look(&stage, &desk, "settings").await;
    desk.press("Light").await;
    desk.see("Saved").await;
    desk.press("Assay").await;
    desk.press("the building energy sample").await;
    desk.see("Seen at a glance").await;
    look(&stage, &desk, "desk").await;
    desk.ask("Find unusual energy use and explain it").await;
    desk.see_at_last("Finished. Everything asked for is here.").await;
    desk.see("Unusual energy use").await;
    look(&stage, &desk, "result").await;
    assert_eq!(desk.script(GROUNDS, Vec::new()).await, json!([["rgb(255, 255, 255)"], "rgb(251, 250, 247)"]));
    for (tab, name) in [("Charts", "charts"), ("Tables", "tables"), ("Files", "files")] {
        desk.press(tab).await;
        look(&stage, &desk, &format!("result-{name}")).await;
    }
    desk.press("How this was worked out").await;
    desk.see("The record").await;
    look(&stage, &desk, "result-how").await;
    desk.press("Charts").await;
    desk.press("Unusual periods").await;
    desk.see("Copy image").await;
    look(&stage, &desk, "result-chart").await;
    desk.press("Close").await;
    desk.press("Step 1: Reading the file, done").await;
    look(&stage, &desk, "result-step").await;
    desk.press("Close").await;
    desk.press("History").await;
    desk.press("Delete Find unusual energy use and explain it").await;
    desk.see("Delete this run?").await;
    look(&stage, &desk, "history-delete").await;
    desk.press("Keep it").await;
    look(&stage, &desk, "history").await;

    // The choice of the theme is the settings', and it is kept.
    desk.press("Settings").await;
    desk.press("Dark").await;
    desk.see("Saved").await;
    stage.close_window();
    stage.wait_for_end();
    let desk = stage.open_app(&["--open", "latest"]).await;
    desk.see("Unusual energy use").await;
    assert_eq!(desk.script(GROUNDS, Vec::new()).await, json!([["rgb(255, 255, 255)"], "rgb(22, 24, 27)"]));
    stage.picture("result-dark-after-restart");
    stage.close_window();
    stage.wait_for_end();
}
