//! A chart that answers to the pointer, drawn under the window's own content policy.

use assay_testkit::ScriptedServer;
use assay_tests::docker;
use serde_json::{Value, json};

use crate::desk::Desk;
use crate::look::look;
use crate::script::{ask_the_model, python, report, say};
use crate::stage::Stage;

/// Saves one chart that can be drawn, and one that would fetch its rows, with a picture each.
const CODE: &str = "
import json, os
import matplotlib.pyplot as plt
os.makedirs('output/charts', exist_ok=True)

def picture(path):
    plt.figure(figsize=(6, 2.5)); plt.bar(['North', 'South'], [3, 5])
    plt.savefig(path); plt.close('all')

axis = {'type': 'quantitative', 'scale': {'domain': [0, 10]}}
spread = {
    'data': {'values': [{'days': 5, 'parcels': 5, 'region': '<b>North</b>'}]},
    'mark': {'type': 'circle', 'size': 9000},
    'encoding': {'x': {'field': 'days', **axis}, 'y': {'field': 'parcels', **axis},
                 'detail': {'field': 'region', 'type': 'nominal'}},
    'transform': [{'filter': 'datum.days > 4 && length(datum.region) > 1'}],
}
try:
    import altair
    altair.Chart.from_dict(spread).save('output/charts/spread.vl.json')
except ImportError:
    json.dump(spread, open('output/charts/spread.vl.json', 'w'))
    picture('output/charts/spread.png')
json.dump({**spread, 'data': {'url': 'http://127.0.0.1:9/d.csv'}}, open('output/charts/remote.vl.json', 'w'))
picture('output/charts/remote.png')
";

/// Keeps what the content policy refuses from now on.
const WATCH: &str = "
    window.refused = [];
    document.addEventListener('securitypolicyviolation', (event) =>
        window.refused.push(`${event.violatedDirective}: ${event.blockedURI}`));";

/// The middle of the drawn chart in the page, once it is drawn.
const MIDDLE: &str = "
    const canvas = document.querySelector('[role=dialog] canvas');
    if (canvas === null) return null;
    const { x, y, width, height } = canvas.getBoundingClientRect();
    return [Math.round(x + width / 2), Math.round(y + height / 2)]";

/// Moves the real pointer to a place of the page.
fn point(stage: &Stage, at: &Value) {
    let (left, top, ..) = stage.settled_geometry(&stage.find_window("^Assay$"));
    let place = |index: usize, edge: i32| (at[index].as_i64().unwrap() + i64::from(edge)).to_string();
    // The second move is what the page hears of even where the pointer was there before.
    stage.xdotool(&["mousemove", &place(0, left - 3), &place(1, top)]);
    stage.xdotool(&["mousemove", &place(0, left), &place(1, top)]);
}

async fn is_within_policy(desk: &Desk) {
    assert_eq!(desk.script("return window.refused", Vec::new()).await, json!([]));
}

#[tokio::test]
async fn field_050_an_interactive_chart_answers_under_the_windows_own_policy() {
    if docker().await.is_none() {
        return;
    }
    let Some(mut stage) = Stage::set() else { return };
    let server = ScriptedServer::start(vec![
        python("Drawing the spread", CODE),
        report("The spread", "![The spread](charts/spread.png)"),
        say("The spread is drawn."),
    ]);
    let desk = ask_the_model(&mut stage, &server, "How far apart are they?").await;
    desk.see_at_last("Finished. Everything asked for is here.").await;
    desk.see_charts(1).await;
    desk.script(WATCH, Vec::new()).await;
    desk.press("Charts").await;
    desk.see_charts(2).await;
    desk.press("Spread Interactive").await;
    desk.see("The pointer tells values").await;
    desk.wait_until("the drawing", "return document.querySelector('[aria-busy=true]') === null").await;
    let middle = desk.script(MIDDLE, Vec::new()).await;
    point(&stage, &middle);
    desk.wait_until(
        "what the pointer is on",
        "return document.querySelector('[role=tooltip]')?.innerText.replace(/\\s+/g, ' ').includes('days 5') ?? false",
    )
    .await;
    assert_eq!(
        desk.script("return document.querySelector('[role=tooltip] b')", Vec::new()).await,
        Value::Null,
        "what it tells is text"
    );
    look(&stage, &desk, "result-chart-interactive").await;

    let middle = desk.script(MIDDLE, Vec::new()).await;
    desk.script("window.before = document.querySelector('[role=dialog] canvas').toDataURL()", Vec::new())
        .await;
    point(&stage, &middle);
    stage.xdotool(&["click", "--repeat", "3", "4"]);
    desk.wait_until(
        "another part of it",
        "return document.querySelector('[role=dialog] canvas').toDataURL() !== window.before",
    )
    .await;
    desk.press("Picture").await;
    desk.wait_until("its picture", "return document.querySelector('[role=dialog] img')?.naturalWidth > 0")
        .await;
    is_within_policy(&desk).await;
    desk.press("Close").await;

    desk.press("Remote Interactive").await;
    desk.see("cannot be shown: it would fetch something from elsewhere.").await;
    is_within_policy(&desk).await;
    stage.close_window();
    stage.wait_for_end();
}
