//! A run is stopped by hand.

use assay_testkit::ScriptedServer;
use assay_tests::docker;

use crate::look::look;
use crate::script::{chart, python, say, sleeping};
use crate::stage::{Stage, containers};

/// Measures in the page how long it takes from the press of Stop to the words that it has worked.
const WATCH_STOP: &str = "
    let pressed = null;
    document.addEventListener('click', () => (pressed ??= performance.now()), { capture: true, once: true });
    new MutationObserver((_, watch) => {
        if (pressed === null || !document.body.innerText.includes('Stopped by you.')) return;
        window.stopTook = performance.now() - pressed;
        watch.disconnect();
    }).observe(document.body, { childList: true, subtree: true, characterData: true })";

#[tokio::test]
async fn field_077_stop_works_within_two_seconds_and_keeps_what_is_there() {
    if docker().await.is_none() {
        return;
    }
    let Some(mut stage) = Stage::set() else { return };
    let drawing =
        format!("{}open('output/part.csv', 'w').write('a\\n1\\n')", chart("output/charts/part.png"));
    let server = ScriptedServer::start(vec![python("Drawing", &drawing), sleeping(), say("Never said.")]);
    let table = stage.file("deliveries.csv", "region,days\nNorth,3\nSouth,5\n");
    let desk = stage.open_app(&[table.to_str().unwrap()]).await;
    desk.see("deliveries.csv").await;
    desk.choose_model(&server.url(), "").await;
    desk.press("Assay").await;
    desk.ask("How long does it take?").await;
    desk.see_at_last("Sleeping").await;
    desk.press("Sleeping").await;
    desk.see("fast asleep").await;
    desk.see_charts(1).await;
    look(&stage, &desk, "run").await;
    let asked = server.requests().len();

    desk.script(WATCH_STOP, Vec::new()).await;
    desk.press("Stop").await;
    desk.see("Stopped by you. What was made until then is kept.").await;
    let took_ms = desk.script("return window.stopTook", Vec::new()).await.as_f64().unwrap();
    assert!(took_ms < 2000.0, "{took_ms} ms");
    desk.press("Charts").await;
    desk.see_charts(1).await;
    desk.press("Tables").await;
    desk.see("1 row").await;
    desk.press("How this was worked out").await;
    desk.see("Sleeping").await;
    look(&stage, &desk, "result-stopped").await;
    assert_eq!(
        (server.requests().len(), server.remaining()),
        (asked, 1),
        "nothing more was asked of the model"
    );
    desk.press("History").await;
    desk.see("Stopped · deliveries.csv · 1 chart").await;
    stage.close_window();
    stage.wait_for_end();
    assert_eq!(containers(&stage.only_run()), [] as [&str; 0]);
}
