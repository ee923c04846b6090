//! Files that are no tables, cannot be read, or go away.

use std::os::unix::fs::PermissionsExt;

use crate::look::look;
use crate::stage::Stage;

/// The first bytes of a picture.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89";

#[tokio::test]
async fn field_101_each_file_that_is_no_table_is_refused_in_its_own_words() {
    let Some(mut stage) = Stage::set() else { return };
    let good = stage.file("good.csv", "region,days\nNorth,3\nSouth,5\n");
    let empty = stage.file("empty.csv", "");
    let picture = stage.file("picture.csv", PNG);
    let folder = stage.place("all my tables");
    std::fs::create_dir(&folder).unwrap();
    let locked = stage.file("locked.csv", "region,days\nNorth,3\n");
    std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o000)).unwrap();
    stage.take_rights();
    let desk = stage.open_app(&[]).await;
    stage.drag(&[&empty, &picture, &folder, &locked]);
    for sentence in [
        "empty.csv is empty.",
        "picture.csv is not a table: it looks like a picture.",
        "all my tables is a folder, not a table file. Choose the table files inside the folder.",
        "locked.csv could not be opened: this user may not read it.",
    ] {
        desk.see(sentence).await;
    }
    desk.see("Drop your data here").await;
    look(&stage, &desk, "home-refused").await;
    stage.drag(&[&good]);
    desk.see("2 rows × 2 columns").await;
    desk.see_no_more("empty.csv is empty.").await;

    std::fs::remove_file(&good).unwrap();
    desk.ask("Which region waits longer?").await;
    desk.see("There is no file called good.csv.").await;
    look(&stage, &desk, "desk-vanished").await;
    std::fs::write(&good, "").unwrap();
    desk.press("Try again").await;
    desk.see("good.csv is empty.").await;
    assert!(!stage.home().join("runs").exists(), "nothing was begun");
    stage.close_window();
    stage.wait_for_end();
}
