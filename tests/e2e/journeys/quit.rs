//! The app ends in the middle of a run: by its window, or by force.

use assay_testkit::{Reply, ScriptedServer};
use assay_tests::docker;

use crate::desk::Desk;
use crate::look::look;
use crate::script::{ask_the_model, python, report, say, sleeping};
use crate::stage::{SOON, Stage, containers, wait_for};

/// A run that is in the middle of a long step.
async fn run_that_sleeps(stage: &mut Stage, server: &ScriptedServer) -> Desk {
    let desk = ask_the_model(stage, server, "How many?").await;
    desk.see_at_last("Sleeping").await;
    desk.press("Sleeping").await;
    desk.see("fast asleep").await;
    desk
}

fn counting() -> Reply {
    python("Counting", "kept = 42")
}

#[tokio::test]
async fn field_107_closing_the_window_during_a_run_asks_and_both_answers_are_kept_to() {
    if docker().await.is_none() {
        return;
    }
    let Some(mut stage) = Stage::set() else { return };
    let server = ScriptedServer::start(vec![counting(), sleeping()]);
    let desk = run_that_sleeps(&mut stage, &server).await;
    let run = stage.only_run();
    stage.close_window();
    desk.see("A run is still going on").await;
    look(&stage, &desk, "quit").await;
    desk.press("Stay").await;
    desk.see_no_more("A run is still going on").await;
    assert!(stage.app_process().is_some());
    assert_eq!(containers(&run).len(), 1, "the run goes on");
    assert!(desk.can_press("Stop").await);
    stage.close_window();
    desk.press("Stop and quit").await;
    stage.wait_for_end();
    assert_eq!(containers(&run), [] as [&str; 0]);

    let desk = stage.open_app(&[]).await;
    desk.press("History").await;
    desk.see("Stopped · deliveries.csv").await;
    stage.close_window();
    stage.wait_for_end();
}

#[tokio::test]
async fn field_063_a_killed_app_leaves_no_sandbox_and_its_run_is_continued_from_the_last_finished_step() {
    if docker().await.is_none() {
        return;
    }
    let Some(mut stage) = Stage::set() else { return };
    let server = ScriptedServer::start(vec![
        counting(),
        sleeping(),
        python("Counting on", "print('now', kept + 1)"),
        report("Forty-three", "There are 43."),
        say("There are 43."),
    ]);
    let desk = run_that_sleeps(&mut stage, &server).await;
    let run = stage.only_run();
    assert_eq!(containers(&run).len(), 1);
    stage.kill_app();
    drop(desk);
    wait_for(SOON, "the end of the sandbox", || containers(&run).is_empty());

    let desk = stage.open_app(&[]).await;
    desk.press("History").await;
    desk.see("Interrupted; open it to continue").await;
    desk.press("How many?").await;
    desk.see("The app closed while this was running. What was made until then is kept.").await;
    look(&stage, &desk, "result-interrupted").await;
    desk.press("Continue").await;
    desk.see_at_last("Finished. Everything asked for is here.").await;
    desk.see("There are 43.").await;
    let told: Vec<String> = server.requests()[3..]
        .iter()
        .map(|request| request.body["messages"].as_array().unwrap().last().unwrap()["content"].to_string())
        .collect();
    assert!(told[0].contains("now 43"), "the variables were there: {told:?}");
    assert_eq!(server.remaining(), 0);
    stage.close_window();
    stage.wait_for_end();
}

#[tokio::test]
async fn field_062_a_start_makes_no_sandbox_and_one_that_waits_for_a_question_goes_with_the_window() {
    if docker().await.is_none() {
        return;
    }
    let Some(mut stage) = Stage::set() else { return };
    let desk = stage.open_app(&[]).await;
    desk.see("the building energy sample").await;
    let owner = stage.app_process().unwrap();
    let owned = || {
        let listed = std::process::Command::new("docker")
            .args(["ps", "--all", "--filter", "label=assay.owner", "--format", "{{.Label \"assay.owner\"}}"])
            .output()
            .unwrap();
        let owners = String::from_utf8(listed.stdout).unwrap();
        owners.lines().filter(|each| each.contains(&format!("/{owner}/"))).count()
    };
    assert_eq!(owned(), 0);
    desk.press("the building energy sample").await;
    desk.see("Seen at a glance").await;
    desk.see("Runs in: Docker").await;
    wait_for(SOON, "the sandbox that waits", || owned() == 1);
    stage.close_window();
    stage.wait_for_end();
    assert_eq!(owned(), 0);
}
