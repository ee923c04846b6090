//! The sandbox without an engine, and the engines of the settings.

use assay_tests::{docker, local, local_home, skip};

use crate::look::look;
use crate::stage::{SOON, Stage, is_root, wait_for};

use super::trouble::WITHOUT_ENGINE;

/// Opens the fold with the limits that are not enforced.
const UNFOLD: &str = "
    const fold = [...document.querySelectorAll('summary')].find((each) => /cannot be enforced/.test(each.innerText));
    fold?.click();
    return fold !== undefined";

#[tokio::test]
async fn without_an_engine_this_computer_seals_a_whole_run_by_itself_and_says_so() {
    if local().await.is_none() {
        return;
    }
    let Some(mut stage) = Stage::set() else { return };
    if !is_root() {
        return skip("only root can hide the engine from the app");
    }
    stage.set_prefix(&WITHOUT_ENGINE);
    // The packages are those of all tests.
    std::fs::create_dir_all(stage.home()).unwrap();
    std::os::unix::fs::symlink(local_home(), stage.home().join("local")).unwrap();
    let table = stage.file("deliveries.csv", "region,days\nNorth,3\nSouth,5\nNorth,4\nSouth,6\n");
    let desk = stage.open_app(&[table.to_str().unwrap()]).await;
    desk.see("Runs in: sealed by this computer (bubblewrap").await;
    desk.wait_until(
        "the way to the setting",
        "const way = [...document.querySelectorAll('button')].find((each) => /Runs in/.test(each.innerText));
         way?.click();
         return way !== undefined",
    )
    .await;
    desk.see("No Docker engine answers, so this computer seals the code by itself.").await;
    desk.wait_until("the gaps", UNFOLD).await;
    desk.see("The number of files is watched: for a moment it can be more.").await;
    look(&stage, &desk, "desk-local-sandbox").await;
    desk.press("Done").await;

    desk.ask("Which region waits longer?").await;
    desk.see_at_last("Finished. Everything asked for is here.").await;
    desk.press("How this was worked out").await;
    desk.see("In a sandbox: sealed by this computer (bubblewrap").await;
    desk.wait_until("the gaps", UNFOLD).await;
    desk.see("The number of files is watched: for a moment it can be more.").await;
    look(&stage, &desk, "result-how-local").await;
    stage.close_window();
    stage.wait_for_end();
}

#[tokio::test]
async fn engines_are_seen_named_looked_into_and_chosen_for_one_question() {
    if docker().await.is_none() {
        return;
    }
    let Some(mut stage) = Stage::set() else { return };
    let table = stage.file("deliveries.csv", "region,days\nNorth,3\nSouth,5\nNorth,4\nSouth,6\n");
    let desk = stage.open_app(&[table.to_str().unwrap()]).await;
    desk.press("Settings").await;
    desk.see("In use.").await;
    desk.see("nothing there").await;
    desk.press("Look inside").await;
    desk.see_at_last("limits hold").await;
    desk.see("Gaining more rights").await;

    // A name that cannot be one is refused in words; nothing is kept of it.
    desk.press("Add an engine").await;
    desk.write("Name", "../box").await;
    desk.write("Address", "unix:///var/run/docker.sock").await;
    desk.press("Keep this engine").await;
    desk.see("cannot be the name of an engine.").await;
    desk.write("Name", "second desk").await;
    desk.press("Keep this engine").await;
    desk.see("0 of 1 run on it now").await;
    desk.press("Add an engine").await;
    desk.write("Name", "far away").await;
    desk.write("Address", "unix:///nowhere.sock").await;
    desk.press("Keep this engine").await;
    desk.see("It cannot be used now: nothing is there.").await;
    look(&stage, &desk, "settings-engines").await;
    desk.press("Remove far away").await;
    desk.see_no_more("unix:///nowhere.sock").await;

    desk.press("Assay").await;
    desk.wait_until(
        "the way to the setting",
        "const way = [...document.querySelectorAll('button')].find((each) => /Runs in/.test(each.innerText));
         way?.click();
         return way !== undefined",
    )
    .await;
    desk.press("second desk").await;
    desk.see("The sandbox is ready: engine “second desk” (Docker").await;
    look(&stage, &desk, "desk-engine").await;
    desk.press("Done").await;
    desk.see("Runs in: engine “second desk”").await;
    desk.ask("Which region waits longer?").await;
    desk.see_at_last("Finished. Everything asked for is here.").await;
    desk.press("How this was worked out").await;
    desk.see("In a sandbox: engine “second desk” (Docker").await;
    wait_for(SOON, "the run's folder", || stage.runs().len() == 1);
    stage.close_window();
    stage.wait_for_end();
}
