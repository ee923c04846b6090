//! The engine is off at first, and goes off in the middle of a run.

use assay_testkit::ScriptedServer;
use assay_tests::docker;

use crate::engine_switch::EngineSwitch;
use crate::look::look;
use crate::script::{ask_the_model, python, report, say, sleeping};
use crate::stage::{LONG, Stage, containers, wait_for};

#[tokio::test]
async fn field_053_a_stopped_engine_is_started_from_the_desk_and_the_question_goes_on() {
    if docker().await.is_none() {
        return;
    }
    let Some(mut stage) = Stage::set() else { return };
    let engine = EngineSwitch::install(&mut stage);
    let table = stage.file("deliveries.csv", "region,days\nNorth,3\nSouth,5\nNorth,4\nSouth,6\n");
    let desk = stage.open_app(&[table.to_str().unwrap()]).await;
    // The file is read and shown whatever the engine does.
    desk.see("Seen at a glance").await;
    desk.see("Runs in: the engine is not running").await;
    desk.ask("Which region waits longer?").await;
    desk.see("Before it can run").await;
    desk.see("The sandbox engine (Docker) is not running.").await;
    look(&stage, &desk, "trouble-engine-stopped").await;
    // Whoever closes the question for the password has the same choice again.
    desk.press("Start it").await;
    desk.wait_until("the refusal", "return document.querySelector('[role=alert]') !== null").await;
    assert!(!stage.home().join("runs").exists(), "nothing was begun");
    engine.grant();
    desk.press("Start it").await;
    desk.see("The sandbox is ready").await;
    desk.press("Analyse now").await;
    desk.see_at_last("Finished. Everything asked for is here.").await;
    stage.close_window();
    stage.wait_for_end();
}

#[tokio::test]
async fn field_066_an_engine_that_dies_ends_the_run_in_plain_words_and_the_run_can_go_on() {
    if docker().await.is_none() {
        return;
    }
    let Some(mut stage) = Stage::set() else { return };
    let engine = EngineSwitch::install(&mut stage);
    engine.on();
    let server = ScriptedServer::start(vec![
        python("Counting", "kept = 42\n_ = open('output/part.csv', 'w').write('a\\n1\\n')"),
        sleeping(),
        python("Counting on", "print('now', kept + 1)"),
        report("Forty-three", "There are 43."),
        say("There are 43."),
    ]);
    let desk = ask_the_model(&mut stage, &server, "How many?").await;
    desk.see_at_last("Sleeping").await;
    engine.off();
    desk.see_at_last("Paused. What was made until now is kept.").await;
    desk.see("The sandbox was lost, and its engine does not answer any more.").await;
    desk.see("The sandbox has been closed. Its 1 finished step will be run again first").await;
    look(&stage, &desk, "result-paused").await;
    let run = stage.only_run();
    wait_for(LONG, "the end of the sandbox", || containers(&run).is_empty());
    assert_eq!(server.remaining(), 3, "the model is not asked about it");

    engine.on();
    desk.press("Go on").await;
    desk.see_at_last("There are 43.").await;
    desk.see_at_last("Finished. Everything asked for is here.").await;
    stage.close_window();
    stage.wait_for_end();
}
