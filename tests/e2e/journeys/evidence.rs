//! Where the figures of a report come from.

use assay_testkit::ScriptedServer;
use assay_tests::docker;

use crate::look::look;
use crate::script::{ask_the_model, python, report, say};
use crate::stage::Stage;

/// Whether a step is open at the line that printed the figure.
const MARKED: &str =
    "return document.querySelector('[role=dialog] mark')?.innerText === 'days in all 41.268'";

#[tokio::test]
async fn each_figure_leads_to_the_line_that_computed_it_and_the_others_are_named() {
    if docker().await.is_none() {
        return;
    }
    let Some(mut stage) = Stage::set() else { return };
    let sentence = "The regions wait 41.27 days in all, while 99.5 were promised.";
    let server = ScriptedServer::start(vec![
        python("Adding up", "print('looking at all of it')\nprint('days in all', 10 + 31.268)"),
        report("Waiting times", sentence),
        say("They wait 41.27 days."),
        say("It stays so."),
    ]);
    let desk = ask_the_model(&mut stage, &server, "How long do they wait in all?").await;
    desk.see_at_last("Finished. Everything asked for is here.").await;
    assert_eq!(server.remaining(), 0, "the model was told of what was not found");
    desk.press("41.27").await;
    desk.see("Printed in step 1: days in all 41.268").await;
    look(&stage, &desk, "result-figure-note").await;
    desk.press("Open step 1").await;
    desk.wait_until("the line that holds the figure", MARKED).await;
    desk.press("Close").await;
    desk.press("99.5, not found").await;
    desk.see("No step of this run has computed it.").await;
    look(&stage, &desk, "result-figure-note-missing").await;
    desk.press("99.5, not found").await;
    desk.see_no_more("No step of this run has computed it.").await;
    desk.press("1 of 2 figures found, 1 not").await;
    desk.see("Not found in anything that was computed").await;
    look(&stage, &desk, "result-figures-missing").await;
    desk.press("All (2)").await;
    desk.see("Printed in step 1: days in all 41.268").await;
    look(&stage, &desk, "result-figures").await;
    desk.press("Open step 1").await;
    desk.wait_until("the line that holds the figure", MARKED).await;
    look(&stage, &desk, "result-figure-step").await;
    desk.press("Close").await;
    stage.close_window();
    stage.wait_for_end();
}
