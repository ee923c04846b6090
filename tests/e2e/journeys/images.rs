//! The images of the settings: seen, chosen, made with more packages, and the old ones removed.

use std::process::{Command, Output, Stdio};

use assay_tests::docker;

use crate::engine_switch::EngineSwitch;
use crate::look::look;
use crate::stage::Stage;

/// Opens the question about the old images; its button tells their size.
const ASK_ABOUT_OLD: &str = "
    const button = [...document.querySelectorAll('button')]
        .find((each) => each.innerText.startsWith('Remove old images ('));
    button?.click();
    return button !== undefined";

const BEGIN_MAKING: &str = "Make and use it";

/// Images of this test only, which are taken away again.
struct Images;

impl Images {
    const PRESENT: &str = "assay-stage-present:1";
    const OLD: &str = "assay-stage-old:7";

    /// One that could be used with a package more, and one of an earlier version.
    fn make() -> Self {
        let inspected = run("docker image inspect --format '{{.Id}}' assay-sandbox:1");
        let parent = String::from_utf8(inspected.stdout).unwrap();
        let recipe = format!(
            "FROM assay-sandbox:1\\nLABEL app=stage assay.parent={} assay.packages=humanize assay.lock=humanize==4.9.0",
            parent.trim()
        );
        run(&format!("printf '{recipe}\\n' | DOCKER_BUILDKIT=0 docker build --tag {} -", Self::PRESENT));
        let label = "--change 'LABEL app=stage'";
        run(&format!("tar --create --directory /etc hostname | docker import {label} - {}", Self::OLD));
        Self
    }

    fn is_there(name: &str) -> bool {
        let inspected = Command::new("docker").args(["image", "inspect", name]).output().unwrap();
        inspected.status.success()
    }
}

impl Drop for Images {
    fn drop(&mut self) {
        for name in [Self::PRESENT, Self::OLD] {
            let _ = Command::new("docker").args(["image", "rm", "--no-prune", name]).output();
        }
    }
}

fn run(script: &str) -> Output {
    let output = Command::new("sh").args(["-ec", script]).stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{script}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

#[tokio::test]
async fn images_are_seen_and_chosen_a_making_is_stopped_and_old_ones_are_removed() {
    if docker().await.is_none() {
        return;
    }
    let Some(mut stage) = Stage::set() else { return };
    let engine = EngineSwitch::install(&mut stage);
    engine.show_images_of_stage();
    engine.hold_making();
    engine.on();
    let _images = Images::make();
    let desk = stage.open_app(&[]).await;
    desk.press("Settings").await;
    desk.see("With humanize").await;
    desk.see("Can be used.").await;
    desk.see("Old: no question uses it any more.").await;
    desk.script("document.querySelector('#images').scrollIntoView()", Vec::new()).await;
    look(&stage, &desk, "settings-images").await;

    desk.write("Extra packages", "humanize, --index-url=http://127.0.0.1:9").await;
    desk.press(BEGIN_MAKING).await;
    desk.see("`--index-url=http://127.0.0.1:9` is not the name of a package.").await;
    desk.write("Extra packages", "humanize, tabulate==0.9.0").await;
    desk.press(BEGIN_MAKING).await;
    desk.see("Making a sandbox with these packages.").await;
    desk.press("Stop").await;
    desk.see("Stopped. What was finished is kept.").await;
    look(&stage, &desk, "settings-images-stopped").await;
    let kept = || assay_engine::Desk::new(Some(stage.home())).settings().unwrap().image;
    assert_eq!(kept(), None, "what was not made is not used");

    desk.press("Use With humanize").await;
    desk.see("In use.").await;
    desk.see("Do without them").await;
    assert_eq!(kept().as_deref(), Some(Images::PRESENT));
    desk.see("The sandbox is ready").await;

    desk.wait_until("the way to remove", ASK_ABOUT_OLD).await;
    desk.see("Remove the old images?").await;
    look(&stage, &desk, "settings-images-remove").await;
    desk.press("Keep them").await;
    assert!(Images::is_there(Images::OLD));
    desk.wait_until("the way to remove", ASK_ABOUT_OLD).await;
    desk.press("Remove").await;
    desk.see("1 old image removed.").await;
    desk.see_no_more("Old: no question uses it any more.").await;
    assert!(!Images::is_there(Images::OLD) && Images::is_there(Images::PRESENT));
    stage.close_window();
    stage.wait_for_end();
}
