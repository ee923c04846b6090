//! A language model is connected, asks back, and what it was sent is shown.

use assay_testkit::{Reply, ScriptedServer};
use assay_tests::docker;
use serde_json::json;

use crate::look::look;
use crate::script::{ask_the_model, python, report, say};
use crate::stage::Stage;

#[tokio::test]
async fn a_model_is_tested_in_plain_words_before_it_is_used() {
    if docker().await.is_none() {
        return;
    }
    let Some(mut stage) = Stage::set() else { return };
    let server = ScriptedServer::start(vec![
        Reply::call("run_python", json!({"code": "print(len(open('input/data.csv').readlines()))"})),
        Reply::text("I see a red square."),
    ]);
    server.answer_at(
        "/props",
        Reply::status(200, &[], json!({"default_generation_settings": {"n_ctx": 32768}})),
    );
    let desk = stage.open_app(&[]).await;
    desk.press("Settings").await;
    desk.press("A language model").await;
    desk.see("Found on this computer").await;
    desk.see("OpenAI").await;
    look(&stage, &desk, "settings-connect").await;
    desk.press("Another server").await;
    desk.write("Address", &server.url()).await;
    desk.leave_field().await;
    desk.see("1 model to choose from").await;
    desk.write("Model", "scripted").await;
    desk.press("Test the connection").await;
    desk.see("Test it again").await;
    desk.see("It can read about 25,000 words at once.").await;
    desk.see("It sees").await;
    look(&stage, &desk, "settings-tested").await;
    desk.press("Use this model").await;
    desk.see("Change the model").await;
    assert!(!server.requests().is_empty(), "the test really asks");
    stage.close_window();
    stage.wait_for_end();
}

/// The badge says a size, which depends on the packages that the model is told of.
const OPEN_SENT: &str = "
    const badges = [...document.querySelectorAll('button')];
    badges.find((each) => each.innerText.includes(' requests to a program')).click()";

/// Only what is in sight of a long text is drawn: goes on until the marked words are there, besides the one that
/// explains the mark.
const TO_THE_MARKS: &str = "
    const text = document.querySelector('[role=dialog] [role=region]');
    if (document.querySelectorAll('[role=dialog] mark').length > 2) return true;
    text.scrollTop += 100;
    return false";

/// The marked words of the request's text; a word above explains the mark.
const MARKED: &str = "
    const marks = [...document.querySelectorAll('[role=dialog] mark')];
    return marks.map((each) => each.textContent).filter((word) => word !== 'Marked')";

#[tokio::test]
async fn a_question_of_the_model_is_answered_in_the_window_and_every_request_can_be_read() {
    if docker().await.is_none() {
        return;
    }
    let Some(mut stage) = Stage::set() else { return };
    let server = ScriptedServer::start(vec![
        Reply::call(
            "ask_user",
            json!({"question": "Which days count?", "choices": ["All days", "Working days"]}),
        ),
        python("Counting", "print(len(open('input/deliveries.csv').readlines()))"),
        report("Deliveries", "South takes longest."),
        say("South takes longest."),
    ]);
    let desk = ask_the_model(&mut stage, &server, "Which region takes longest?").await;
    desk.see("Which days count?").await;
    look(&stage, &desk, "run-question").await;
    desk.press("Working days").await;
    desk.see_at_last("South takes longest.").await;
    let second = server.requests()[1].body.to_string();
    assert!(second.contains("The person answers: Working days"), "{second}");
    // What is asked beside the conversation, 9 short questions, is counted too.
    let all = server.requests().len() + 9;
    desk.see(&format!("Nothing left this computer: {all} requests to a program on it, ")).await;
    desk.script(OPEN_SENT, Vec::new()).await;
    desk.see("You are the analyst in Assay").await;
    desk.see("2 places with words that stand in cells of the files").await;
    desk.wait_until("the marks", TO_THE_MARKS).await;
    look(&stage, &desk, "result-sent").await;
    let marked = desk.script(MARKED, Vec::new()).await;
    assert_eq!(marked, json!(["North", "South"]), "the words of the file's cells are marked");
    stage.close_window();
    stage.wait_for_end();
}

#[tokio::test]
async fn field_097_a_provider_that_asks_for_hours_pauses_the_run_and_it_goes_on_later() {
    if docker().await.is_none() {
        return;
    }
    let Some(mut stage) = Stage::set() else { return };
    let server = ScriptedServer::start(vec![
        python("Counting", "kept = 41"),
        Reply::status(429, &[("retry-after", "7200")], "{}"),
        python("Going on", "print(kept + 1)"),
        report("Count", "It is 42."),
        say("It is 42."),
    ]);
    let desk = ask_the_model(&mut stage, &server, "How many?").await;
    desk.see_at_last("wait for 2 hours").await;
    look(&stage, &desk, "result-paused").await;
    desk.press("Go on").await;
    desk.see_at_last("It is 42.").await;
    assert_eq!(server.remaining(), 0);
    stage.close_window();
    stage.wait_for_end();
}
