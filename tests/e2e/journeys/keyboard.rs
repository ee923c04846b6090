//! The whole way by keyboard alone.

use assay_tests::docker;

use crate::desk::Desk;
use crate::stage::Stage;

/// More presses of Tab than any view has stops.
const STOPS: usize = 60;

/// The name of what has the focus.
const FOCUSED: &str = "
    const at = document.activeElement;
    const label = at.labels?.[0]?.innerText;
    return (at.getAttribute('aria-label') ?? label ?? at.innerText ?? '').replace(/\\s+/g, ' ').trim()";

/// Whether what has the focus lies in the open, under nothing else.
const IN_THE_OPEN: &str = "
    const at = document.activeElement;
    const { left, top, width, height } = at.getBoundingClientRect();
    const hit = document.elementFromPoint(left + Math.min(width, 40) / 2, top + Math.min(height, 40) / 2);
    return hit !== null && (at.contains(hit) || hit.contains(at))";

/// Presses Tab until the thing with this name has the focus.
async fn tab_to(stage: &Stage, desk: &Desk, name: &str) {
    let mut passed = Vec::new();
    for _ in 0..STOPS {
        stage.press_key("Tab");
        let focused = desk.script(FOCUSED, Vec::new()).await.as_str().unwrap().to_owned();
        if focused == name {
            let open = desk.script(IN_THE_OPEN, Vec::new()).await;
            assert_eq!(open, serde_json::Value::Bool(true), "{name} has the focus and can be seen");
            return;
        }
        passed.push(focused);
    }
    panic!("Tab never comes to “{name}”, but to {passed:?}");
}

#[tokio::test]
async fn from_home_to_a_report_and_back_by_keyboard_alone() {
    if docker().await.is_none() {
        return;
    }
    let Some(mut stage) = Stage::set() else { return };
    let desk = stage.open_app(&[]).await;
    desk.see("Drop your data here").await;
    stage.front("^Assay$");
    stage.resize(900, 600);
    tab_to(&stage, &desk, "the building energy sample").await;
    stage.press_key("Return");
    desk.see("Seen at a glance").await;
    tab_to(&stage, &desk, "What do you want to know?").await;
    stage.type_text("Find unusual energy use and explain it");
    tab_to(&stage, &desk, "Analyse").await;
    stage.press_key("Return");
    desk.see_at_last("Finished. Everything asked for is here.").await;
    tab_to(&stage, &desk, "Export").await;
    stage.press_key("Return");
    desk.see("The files, as one zip file").await;
    stage.press_key("Escape");
    desk.see_no_more("The files, as one zip file").await;
    tab_to(&stage, &desk, "Ask further").await;
    tab_to(&stage, &desk, "History").await;
    stage.press_key("Return");
    desk.see("Finished · building_energy.csv").await;
    tab_to(&stage, &desk, "Find unusual energy use and explain it").await;
    stage.press_key("Return");
    desk.see("Unusual energy use").await;
    stage.close_window();
    stage.wait_for_end();
}
