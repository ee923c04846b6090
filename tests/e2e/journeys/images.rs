//! The images of the settings: which there are, which are old, and one that is being made.

use std::process::Command;

use assay_tests::docker;

use crate::look::look;
use crate::stage::Stage;

/// An image of an earlier version, removed with the test.
struct OldImage(&'static str);

impl OldImage {
    fn make(name: &'static str) -> Self {
        let script = "tar -c -T /dev/null | docker import --change 'LABEL app=assay' - \"$1\"";
        let made = Command::new("sh").args(["-ec", script, "sh", name]).output().unwrap();
        assert!(made.status.success(), "{made:?}");
        Self(name)
    }

    fn is_there(&self) -> bool {
        Command::new("docker").args(["image", "inspect", self.0]).output().unwrap().status.success()
    }
}

impl Drop for OldImage {
    fn drop(&mut self) {
        let _ = Command::new("docker").args(["image", "rm", self.0]).output();
    }
}

#[tokio::test]
async fn images_are_listed_kept_until_the_person_says_otherwise_and_a_making_is_stopped() {
    if docker().await.is_none() {
        return;
    }
    let Some(mut stage) = Stage::set() else { return };
    let old = OldImage::make("assay-old-of-a-window:0");
    let desk = stage.open_app(&[]).await;
    desk.press("Settings").await;
    desk.see("Assay’s sandbox, version 1").await;
    desk.see("Old: no question uses it any more.").await;
    desk.see("assay-old-of-a-window:0").await;
    let ask = "
        const way = [...document.querySelectorAll('button')].find((each) => /Remove old/.test(each.innerText));
        way?.scrollIntoView({ block: 'center' });
        way?.click();
        return way !== undefined";
    desk.wait_until("the way to remove them", ask).await;
    desk.see("Remove the old images?").await;
    look(&stage, &desk, "settings-images-remove").await;
    desk.press("Keep them").await;
    assert!(old.is_there());

    desk.write("Extra packages", "no-such-package-of-anybody").await;
    desk.press("Make and use it").await;
    desk.see("Making a sandbox with these packages.").await;
    desk.press("Stop").await;
    desk.see_no_more("Making a sandbox with these packages.").await;
    look(&stage, &desk, "settings-images").await;
    stage.close_window();
    stage.wait_for_end();
}
