//! Further questions, in the same sandbox and after a restart.

use assay_testkit::ScriptedServer;
use assay_tests::docker;

use crate::script::{ask_the_model, python, report, say};
use crate::stage::{Stage, containers};

#[tokio::test]
async fn a_further_question_finds_the_variables_at_once_and_after_a_restart() {
    if docker().await.is_none() {
        return;
    }
    let Some(mut stage) = Stage::set() else { return };
    let server = ScriptedServer::start(vec![
        python("Counting the rows", "import time\ntime.sleep(2)\nkept = 42"),
        report("Forty-two", "There are 42."),
        say("There are 42."),
        python("Adding one", "print('now', kept + 1)"),
        say("And one more makes **43**."),
        python("Adding two", "print('now', kept + 2)"),
        say("And two more make **44**."),
    ]);
    let desk = ask_the_model(&mut stage, &server, "How many?").await;
    desk.see_at_last("Finished. Everything asked for is here.").await;
    desk.see("The sandbox is still open: everything worked out so far is at hand.").await;
    desk.write("Ask further", "And one more?").await;
    desk.press("Ask").await;
    desk.see_at_last("And one more makes 43.").await;
    let told = last_told(&server);
    assert!(told.contains("now 43"), "{told}");
    stage.close_window();
    stage.wait_for_end();

    let desk = stage.open_app(&["--open", "latest"]).await;
    desk.see("Its 3 finished steps will be run again first, then your question is answered.").await;
    desk.see("And one more makes 43.").await;
    desk.write("Ask further", "And two more?").await;
    desk.press("Ask").await;
    desk.see("Running step 1 again: Counting the rows").await;
    stage.picture("run-replayed");
    desk.see_at_last("And two more make 44.").await;
    let told = last_told(&server);
    assert!(told.contains("now 44"), "{told}");
    assert_eq!(server.remaining(), 0);
    stage.close_window();
    stage.wait_for_end();
    assert_eq!(containers(&stage.only_run()), [] as [&str; 0]);
}

/// What the model was told last.
fn last_told(server: &ScriptedServer) -> String {
    let request = server.requests().pop().unwrap();
    request.body["messages"].as_array().unwrap().last().unwrap()["content"].to_string()
}
