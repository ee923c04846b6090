//! A run ends while the person looks at something else.

use std::process::Stdio;

use assay_testkit::ScriptedServer;
use assay_tests::docker;
use serde_json::{Value, json};

use crate::script::{ask_the_model, python, report, say};
use crate::stage::{SOON, Stage, wait_for};

/// What `dunstctl` answers.
fn ask_dunst(stage: &Stage, words: &[&str]) -> String {
    let told = stage.command("dunstctl").args(words).output().unwrap();
    String::from_utf8(told.stdout).unwrap().trim().to_owned()
}

#[tokio::test]
async fn a_long_run_that_ends_out_of_sight_is_told_and_a_click_opens_it() {
    if docker().await.is_none() {
        return;
    }
    let Some(mut stage) = Stage::set() else { return };
    let config = stage.file("dunstrc", "[global]\n");
    let mut dunst = stage.command("dunst");
    stage.start(dunst.arg("-config").arg(config).stderr(Stdio::null()));
    wait_for(SOON, "dunst", || ask_dunst(&stage, &["count", "displayed"]) == "0");
    let server = ScriptedServer::start(vec![
        python("Thinking it over", "import time\ntime.sleep(15.5)\nprint(40 + 2, 'in all')"),
        report("Forty-two", "There are 42."),
        say("There are 42."),
    ]);
    let desk = ask_the_model(&mut stage, &server, "How many <b>in all</b>?").await;
    desk.see_at_last("Thinking it over").await;
    desk.press("History").await;
    stage.open_drag_source(&[&stage.place("deliveries.csv")]);
    stage.front("^assay drag source$");
    wait_for(SOON * 2, "the notification", || ask_dunst(&stage, &["count", "displayed"]) == "1");
    stage.picture("notification");
    assert_eq!(stage.active_window(), "assay drag source", "nobody is interrupted");

    ask_dunst(&stage, &["action", "0"]);
    wait_for(SOON, "the window in front", || stage.active_window() == "Assay");
    desk.see("Finished. Everything asked for is here.").await;
    desk.see("There are 42.").await;
    ask_dunst(&stage, &["close-all"]);
    let history: Value = serde_json::from_str(&ask_dunst(&stage, &["history"])).unwrap();
    let told = &history["data"][0];
    assert_eq!(told.as_array().unwrap().len(), 1);
    assert_eq!(
        (&told[0]["summary"]["data"], &told[0]["body"]["data"]),
        (&json!("How many <b>in all</b>?"), &json!("The report is ready."))
    );
    stage.close_window();
    stage.wait_for_end();
}
