//! How the window is drawn, and what happens when it stays blank.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::look::look;
use crate::stage::{LONG, SOON, Stage, signal, wait_for};

/// The page's own process is the one that draws.
const PAGE: &str = "WebKitWebProcess";
/// What the app says to itself.
const READY: &str = "the interface is ready";
const BLANK: &str = "the window stayed blank";

/// The variables of a process that say how it draws.
fn drawing_of(process: u32) -> Vec<String> {
    let variables = std::fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
    let variables = String::from_utf8_lossy(&variables).into_owned();
    let mut found: Vec<String> =
        variables.split('\0').filter(|each| each.starts_with("WEBKIT_DISABLE")).map(str::to_owned).collect();
    found.sort();
    found
}

#[tokio::test]
async fn field_100_the_window_is_drawn_in_the_way_that_works_everywhere_unless_told_otherwise() {
    let Some(mut stage) = Stage::set() else { return };
    let is_drawn_by = |stage: &Stage, expected: &str| {
        stage.process_of(PAGE).is_some_and(|process| drawing_of(process) == [expected])
    };
    let desk = stage.open_app(&[]).await;
    desk.see("Drop your data here").await;
    wait_for(SOON, "plain buffers", || is_drawn_by(&stage, "WEBKIT_DISABLE_DMABUF_RENDERER=1"));
    stage.close_window();
    stage.wait_for_end();
    stage.set_variable("WEBKIT_DISABLE_DMABUF_RENDERER", "0");
    let desk = stage.open_app(&[]).await;
    desk.see("Drop your data here").await;
    wait_for(SOON, "the buffers as told", || is_drawn_by(&stage, "WEBKIT_DISABLE_DMABUF_RENDERER=0"));
    stage.close_window();
    stage.wait_for_end();
}

/// Stops the page's process, which is not among those known, before it says anything.
fn silence_page(stage: &Stage, known: &mut BTreeSet<u32>) -> u32 {
    let begun = Instant::now();
    loop {
        if let Some(page) = stage.processes_of(PAGE).find(|page| !known.contains(page)) {
            signal("STOP", page);
            known.insert(page);
            return page;
        }
        assert!(begun.elapsed() < LONG, "no new page came");
    }
}

fn count(log: &Path, words: &str) -> usize {
    std::fs::read_to_string(log).unwrap().matches(words).count()
}

#[tokio::test]
async fn field_100_a_window_that_stays_blank_is_drawn_in_a_plainer_way_once() {
    let Some(mut stage) = Stage::set() else { return };
    let log = stage.place("log");
    let mut app = stage.app_command(&[]);
    app.env("ASSAY_LOG", "info").stderr(std::fs::File::create(&log).unwrap());
    stage.start(&mut app);
    let mut pages = BTreeSet::new();
    let first = silence_page(&stage, &mut pages);
    let app = stage.app_process().unwrap();
    assert_eq!(drawing_of(first), ["WEBKIT_DISABLE_DMABUF_RENDERER=1"]);
    let second = silence_page(&stage, &mut pages);
    assert_eq!(drawing_of(second), ["WEBKIT_DISABLE_COMPOSITING_MODE=1", "WEBKIT_DISABLE_DMABUF_RENDERER=1"]);
    assert_eq!((count(&log, BLANK), count(&log, READY)), (1, 0));

    // A second silence is borne: there is nothing plainer.
    std::thread::sleep(Duration::from_secs(23));
    assert_eq!(stage.processes_of(PAGE).collect::<BTreeSet<_>>(), pages);
    assert_eq!((stage.app_process(), count(&log, BLANK), count(&log, READY)), (Some(app), 1, 0));
    signal("CONT", second);
    wait_for(SOON, "the interface", || count(&log, READY) == 1);
    stage.close_window();
    stage.wait_for_end();
}

#[tokio::test]
async fn field_100_a_window_that_is_drawn_in_a_plainer_way_says_so() {
    let Some(mut stage) = Stage::set() else { return };
    let sentence = "The window stayed blank at first, so Assay started again and draws it in a plainer way.";
    // As the app itself sets it when it starts again.
    stage.set_variable("ASSAY_DRAWING", "plain");
    let desk = stage.open_app(&[]).await;
    desk.see(sentence).await;
    look(&stage, &desk, "home-plain").await;
    desk.press("Put this message away").await;
    desk.see_no_more(sentence).await;
    desk.see("Drop your data here").await;
    stage.close_window();
    stage.wait_for_end();
}
