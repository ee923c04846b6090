//! The engine is not installed, may not be used, or has not made the sandbox yet.

use std::process::Command;

use assay_engine::RuntimeChoice;
use assay_tests::{docker, skip};

use crate::desk::Desk;
use crate::engine_switch::EngineSwitch;
use crate::look::look;
use crate::stage::{Stage, is_root};

const TABLE: &str = "region,days\nNorth,3\nSouth,5\nNorth,4\nSouth,6\n";

/// Gives a program a view of the computer in which no engine is installed.
pub(super) const WITHOUT_ENGINE: [&str; 6] = [
    "unshare",
    "--mount",
    "sh",
    "-c",
    "mount -t tmpfs none /run && mount -t tmpfs none /usr/sbin && exec \"$@\"",
    "sh",
];

async fn ask(stage: &mut Stage) -> Desk {
    let table = stage.file("deliveries.csv", TABLE);
    let desk = stage.open_app(&[table.to_str().unwrap()]).await;
    // The file is read and shown whatever the engine does.
    desk.see("Seen at a glance").await;
    desk.ask("Which region waits longer?").await;
    desk.see("Before it can run").await;
    desk
}

async fn go_on(stage: &Stage, desk: &Desk) {
    desk.see_at_last("The sandbox is ready").await;
    desk.press("Analyse now").await;
    desk.see_at_last("Finished. Everything asked for is here.").await;
    stage.close_window();
    stage.wait_for_end();
}

#[tokio::test]
async fn without_an_engine_the_desk_says_how_to_get_one_and_notices_when_it_is_there() {
    if docker().await.is_none() {
        return;
    }
    let Some(mut stage) = Stage::set() else { return };
    if !is_root() {
        return skip("only root can hide the engine from the app");
    }
    stage.set_prefix(&WITHOUT_ENGINE);
    stage.choose_runtime(RuntimeChoice::Docker);
    let desk = ask(&mut stage).await;
    desk.see("The sandbox needs the Docker engine, and none is installed here.").await;
    desk.see("sudo apt install docker.io").await;
    look(&stage, &desk, "trouble-engine-missing").await;
    assert!(!stage.home().join("runs").exists(), "nothing was begun");

    let app = stage.app_process().unwrap().to_string();
    let shown = Command::new("nsenter")
        .args(["--target", &app, "--mount", "umount", "--lazy", "/run", "/usr/sbin"])
        .status()
        .unwrap();
    assert!(shown.success());
    go_on(&stage, &desk).await;
}

#[tokio::test]
async fn without_permission_the_desk_says_how_to_get_it_and_notices_when_it_is_given() {
    if docker().await.is_none() {
        return;
    }
    let Some(mut stage) = Stage::set() else { return };
    let engine = EngineSwitch::install(&mut stage);
    engine.on();
    engine.permit(0o000);
    stage.take_rights();
    let desk = ask(&mut stage).await;
    desk.see("The sandbox engine (Docker) runs, but you may not use it.").await;
    desk.see("sudo usermod -aG docker $USER").await;
    look(&stage, &desk, "trouble-engine-forbidden").await;
    assert!(!stage.home().join("runs").exists(), "nothing was begun");
    engine.permit(0o666);
    go_on(&stage, &desk).await;
}

#[tokio::test]
async fn a_sandbox_that_is_missing_is_made_from_the_desk_and_its_making_can_be_stopped() {
    if docker().await.is_none() {
        return;
    }
    let Some(mut stage) = Stage::set() else { return };
    let engine = EngineSwitch::install(&mut stage);
    engine.hide_image();
    engine.hold_making();
    engine.on();
    let desk = ask(&mut stage).await;
    desk.see("The sandbox has not been made on this computer yet.").await;
    desk.see("It is made once; that takes a few minutes and about 900 MB.").await;
    look(&stage, &desk, "trouble-image-missing").await;
    desk.press("Make the sandbox").await;
    desk.see("Making the sandbox. This happens once and takes a few minutes.").await;
    desk.press("Stop").await;
    desk.see("Stopped. What was finished is kept.").await;
    look(&stage, &desk, "trouble-image-stopped").await;
    engine.go_on_making();
    desk.press("Go on making the sandbox").await;
    go_on(&stage, &desk).await;
}
